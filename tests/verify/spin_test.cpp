// Torque-free spin: period of the Dzhanibekov flip, energy, angular momentum, order of convergence.

#include <cmath>

#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

const ref::Vec3 kMoments{1, 2, 3};

class Spin : public EachSolver {
 protected:
  static std::uint32_t add_spinner(Lab& lab, ref::Vec3 w) {
    lab.scene.set_gravity({});
    lab.material(0.6);
    Body body = lab.make(Box{{0.3f, 0.2f, 0.1f}}, {});
    body.mass = 1.0f;
    body.inertia = Inertia{narrow(kMoments)};
    body.angular_velocity = narrow(w);
    return lab.add(std::move(body));
  }

  /// When the middle axis first reverses: a closed form needs the phase, so by Runge and Kutta at 1 kHz.
  static double first_flip(ref::Vec3 w0) {
    constexpr double kStep = 1e-3;
    ref::Motion m{{}, {}, w0};
    for (int i = 0;; ++i) {
      const ref::Motion next = ref::integrate({1, ref::diagonal(kMoments)}, m, kStep, 1);
      if (next.w_body.y < 0) return kStep * (i + m.w_body.y / (m.w_body.y - next.w_body.y));
      m = next;
    }
  }

  static ref::Vec3 body_w(Lab& lab, std::uint32_t body) { return rotate(conjugate(lab.q(body)), lab.w(body)); }
};

TEST_P(Spin, the_dzhanibekov_flip_keeps_its_period_energy_and_angular_momentum) {
  const ref::Vec3 w0{0.01, 10, 0.01};
  const double period = ref::torque_free_period(kMoments, w0);
  Lab lab(GetParam());
  const std::uint32_t body = add_spinner(lab, w0);
  const double energy = lab.kinetic_energy(), momentum = length(lab.angular_momentum());
  const ref::Vec3 direction = lab.angular_momentum() / momentum;
  std::vector<double> flips;
  double before = w0.y, turned = 0;
  while (lab.time() < 20) {
    lab.step();
    const ref::Vec3 w = body_w(lab, body);
    if ((w.y < 0) != (before < 0)) flips.push_back(lab.time() - lab.dt() * w.y / (w.y - before));
    before = w.y;
    // the 0.1 %
    ASSERT_NEAR(lab.kinetic_energy(), energy, 1e-3 * energy) << lab.time();
    ASSERT_NEAR(length(lab.angular_momentum()), momentum, 1e-3 * momentum) << lab.time();
    // an integrator of first order turns L by at most h^2/2 |w| |w x I w| / |L| a substep
    const ref::Vec3 l{kMoments.x * w.x, kMoments.y * w.y, kMoments.z * w.z};
    turned += lab.dt() * lab.h() / 2 * length(w) * length(cross(w, l)) / momentum;
    ASSERT_LT(length(lab.angular_momentum() / momentum - direction), turned + lab.steps * 6 * 8 * kUlp) << lab.time();
  }
  // the middle axis reverses twice in a period
  const double first = first_flip(w0);
  ASSERT_EQ(static_cast<int>(flips.size()), 1 + static_cast<int>((20 - first) / (period / 2)));
  EXPECT_NEAR(flips.front(), first, 0.01 * period);
  for (std::size_t i = 1; i < flips.size(); ++i) {
    EXPECT_NEAR(2 * (flips[i] - flips[i - 1]), period, 0.01 * period) << i;
  }
}

TEST_P(Spin, errors_of_spin_halve_with_the_substep) {
  const ref::Vec3 w0{1, 2, 1.5};
  struct Error {
    double w, q, momentum;
  };
  // steps so long that errors stand out of the rounding, whatever their order
  const auto error = [&](int substeps) {
    Lab lab(GetParam(), substeps, 1.0 / 30);
    const std::uint32_t body = add_spinner(lab, w0);
    const ref::Vec3 l0 = lab.angular_momentum();
    lab.run(2);
    const ref::Motion want = ref::integrate({1, ref::diagonal(kMoments)}, {{}, {}, w0}, lab.time() / 4000, 4000);
    const ref::Quat off = conjugate(want.pose.q) * lab.q(body);
    return Error{length(body_w(lab, body) - want.w_body), 2 * std::hypot(off.x, off.y, off.z),
                 length(lab.angular_momentum() - l0) / length(l0)};
  };
  // order 1 makes ratios of 2 (1 + O(h w)), with h w = 2.7/30 and less; order 2 would do too
  const Error coarse = error(1), middle = error(2), fine = error(4);
  EXPECT_GT(coarse.w / middle.w, 1.8);
  EXPECT_GT(middle.w / fine.w, 1.8);
  EXPECT_GT(coarse.q / middle.q, 1.8);
  EXPECT_GT(middle.q / fine.q, 1.8);
  EXPECT_GT(coarse.momentum / middle.momentum, 1.8);
  EXPECT_GT(middle.momentum / fine.momentum, 1.8);
}

TEST_P(Spin, about_a_principal_axis_it_goes_on_for_ever) {
  for (int axis = 0; axis < 3; axis += 2) {
    Lab lab(GetParam());
    ref::Vec3 w0;
    w0[axis] = 7;
    const std::uint32_t body = add_spinner(lab, w0);
    lab.run(10);
    // rounding of w, and of the quaternion that turns it to world axes and back
    EXPECT_LT(length(lab.w(body) - w0), 7 * 3600 * 4 * kUlp) << axis;
  }
}

CAIRN_VERIFY_EACH(Spin);

}  // namespace
}  // namespace cairn::verify
