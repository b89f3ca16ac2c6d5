// A disc that leans and rolls round a circle, steadily: it neither rises nor falls, whatever its friction.

#include <algorithm>
#include <cmath>

#include "tests/verify/solids.h"

namespace cairn::verify {
namespace {

constexpr double kDiscRadius = 0.5f, kDiscHalf = 0.02f;  // [m]
constexpr double kLean = 70 * kDegree;                   // of the axis from the vertical

class LeaningDisc : public EachSolver {
 protected:
  /// The disc with its axis e in the plane of x and z, which goes about the vertical at 1 rad/s: w = W z + s e.
  /// Rolling, v + w x r = 0 with v = (0, W R, 0), and Euler's equation W z x L = r x F with F = m (-W^2 R, 0, g) give s
  /// and R.
  static std::uint32_t add_disc(Trial& trial, double& speed) {
    const double s = std::sin(kLean), c = std::cos(kLean), rate = 1;
    const ref::Vec3 e{s, 0, c}, up{-c, 0, s};
    const ref::Vec3 r = -kDiscRadius * up - kDiscHalf * e;  // to the lowest point
    const double along = kDiscRadius * kDiscRadius / 2,
                 across = (3 * kDiscRadius * kDiscRadius + 4 * kDiscHalf * kDiscHalf) / 12;  // over m
    // W R = spin a + b, along (W c + spin) W s - across W^2 s c = -r.z W (W R) - r.x g
    const double a = s * r.z - c * r.x, b = -rate * r.x;
    const double spin = (across * rate * rate * s * c - along * rate * rate * s * c - r.z * rate * b - r.x * kG) /
                        (along * rate * s + r.z * rate * a);
    speed = spin * a + b;
    const std::uint32_t disc = trial.add(Cylinder{static_cast<float>(kDiscRadius), static_cast<float>(kDiscHalf)},
                                         {speed / rate, 0, -r.z}, narrow(ref::rotation({0, kLean, 0})));
    trial.world().set_velocity(trial.handle(disc), narrow(ref::Vec3{0, speed, 0}),
                               narrow(ref::Vec3{spin * s, 0, rate + spin * c}));
    return disc;
  }
};

TEST_P(LeaningDisc, keeps_its_lean_at_any_friction_that_holds_it) {
  std::vector<double> leans;
  double tolerance = 0;
  // to go round it needs 0.21
  for (const double mu : {0.5, 1.0, 4.0}) {
    Trial trial(mu);
    StepParams& params = trial.params;
    params.solver = GetParam().solver;
    params.sweep = GetParam().sweep;
    params.dt = 1.0f / 240;
    // these have one substep
    if (params.solver == SolverKind::kSequentialImpulse) params.dt /= static_cast<float>(params.substeps);
    trial.add_ground(Ground::kPlane);
    double speed = 0;
    const std::uint32_t disc = add_disc(trial, speed);
    trial.run(3);
    leans.push_back(std::acos(rotate(wide(trial.world().state(trial.handle(disc)).orientation), {0, 0, 1}).z));
    // anchors stand for a step, in which the contact goes on along the rim: they lag by half of that
    EXPECT_NEAR(leans.back(), kLean, speed / kDiscRadius / 240 / 2) << mu;
    // a cold pass may lack a substep's weight, and with it friction
    tolerance = kG / 240 / 6 / speed;
  }
  EXPECT_LT(*std::ranges::max_element(leans) - *std::ranges::min_element(leans), tolerance);
}

CAIRN_VERIFY_EACH(LeaningDisc);

}  // namespace
}  // namespace cairn::verify
