// Coulomb friction: sliding stop, incline, tipping, turntable, oblique impact, rolling resistance.

#include <cmath>

#include "kernels/solve/row_friction.h"
#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

class Friction : public EachSolver {};
class ObliqueImpact : public EachSolver {};

/// Lets a flat box slide to rest in 12 azimuths.
void slide_to_rest(const Method& method, ref::Vec3 half) {
  const double mu = 0.4f, speed = 3;
  for (int k = 0; k < 12; ++k) {
    const double azimuth = k * std::numbers::pi / 6 + 0.1;
    const ref::Vec3 along{std::cos(azimuth), std::sin(azimuth), 0}, across{-along.y, along.x, 0};
    Lab lab = on_floor(method, mu);
    const std::uint32_t box = lab.launch(Box{narrow(half)}, {0, 0, half.z}, speed * along);
    lab.run(1.2 * ref::sliding_stop_time(speed, mu, kG));
    // the sum of h v is short of the integral by half a substep of v; friction, bounded by the normal impulse that the
    // pass before found, comes up to one substep late; and the impulses may be shared out again for one
    const double tolerance = 2 * speed * lab.h();
    EXPECT_NEAR(dot(lab.x(box), along), ref::sliding_stop_distance(speed, mu, kG), tolerance) << azimuth;
    EXPECT_NEAR(dot(lab.x(box), across), 0, tolerance) << azimuth;
    EXPECT_LT(length(lab.v(box)), kG * lab.h()) << azimuth;
  }
}

// flat, so that none tips: mu times the height of the centre is under the least half width
TEST_P(Friction, a_sliding_box_stops_after_v_squared_over_2_mu_g_in_12_azimuths) {
  slide_to_rest(GetParam(), {0.5, 0.5, 0.2});
}

// its inertia differs by direction; friction has none of that, it opposes the sliding
TEST_P(Friction, and_so_does_a_long_one) { slide_to_rest(GetParam(), {0.8, 0.3, 0.2}); }

TEST_P(Friction, the_error_of_a_sliding_stop_falls_with_the_substep) {
  const double mu = 0.4f, speed = 3;
  const auto error = [&](int substeps) {
    Lab lab = on_floor(GetParam(), mu, 0, substeps);
    const std::uint32_t box = lab.launch(Box{{0.5f, 0.5f, 0.2f}}, {0, 0, 0.2}, {speed, 0, 0});
    lab.run(1.2 * ref::sliding_stop_time(speed, mu, kG));
    return std::abs(lab.x(box).x - ref::sliding_stop_distance(speed, mu, kG));
  };
  // first order: four times the substeps, a quarter of the bound of the test above
  EXPECT_LT(error(2), 2 * speed / 120);
  EXPECT_LT(error(8), 2 * speed / 480);
  EXPECT_LT(error(32), 2 * speed / 1920);
}

TEST_P(Friction, a_box_on_an_incline_holds_below_the_friction_angle_and_slides_above) {
  const double theta = 0.35;
  const ref::Vec3 normal{std::sin(theta), 0, std::cos(theta)}, down{std::cos(theta), 0, -std::sin(theta)};
  for (const double share : {1.05, 1.015, 0.985, 0.95, 0.3}) {
    const double mu = static_cast<float>(share * std::tan(theta));
    Lab lab(GetParam());
    lab.material(mu);
    lab.add_floor(normal);
    const std::uint32_t box = lab.add(lab.make(Box{{0.5f, 0.5f, 0.2f}}, 0.2 * normal, ref::rotation({0, theta, 0})));
    const ref::Vec3 x0 = lab.x(box);
    lab.run(1);
    const double a = ref::incline_acceleration(theta, mu, kG), t = lab.time(), h = lab.h();
    // for up to two substeps a cold cache gives no friction: that makes a speed of v0
    const double v0 = 2 * kG * h * std::sin(theta), rounding = rounded_distance(a * t + v0, lab.steps * 6, h);
    if (share > 1) {
      // ... which friction less gravity then takes away
      const double net = kG * (mu * std::cos(theta) - std::sin(theta));
      EXPECT_LT(std::abs(dot(lab.x(box) - x0, down)), v0 * v0 / (2 * net) + 2 * v0 * h + rounding);
      const ref::Vec3 rest = lab.x(box);
      lab.run(3);
      EXPECT_LT(length(lab.x(box) - rest), rounded_distance(kG * h, 3 * 360, h)) << "creeps";
    } else {
      EXPECT_NEAR(dot(lab.x(box) - x0, down), a * t * (t + h) / 2, v0 * t + rounding) << share;
    }
  }
}

TEST_P(Friction, a_tall_box_on_an_incline_tips_when_its_centre_passes_the_edge) {
  const double b = 0.25, c = 1;
  const double limit = ref::topple_angle(b, c);
  for (const double share : {0.97, 1.03}) {
    const double theta = share * limit;
    const ref::Vec3 normal{std::sin(theta), 0, std::cos(theta)};
    Lab lab(GetParam());
    lab.material(0.6);
    lab.add_floor(normal);
    const Box tall{{static_cast<float>(b), static_cast<float>(b), static_cast<float>(c)}};
    const std::uint32_t box = lab.add(lab.make(tall, c * normal, ref::rotation({0, theta, 0})));
    // past the edge the fall grows by e^(t sqrt(3 g / 4 l)), l = 1.03 m: 3 % of 0.245 rad needs 1.3 s for the rest
    lab.run(4);
    const double turned = std::acos(std::min(1.0, dot(rotate(lab.q(box), {0, 0, 1}), normal)));
    if (share < 1) {
      // all weight on one edge sinks it as two corners' springs of half the box's stiffness: twice the depth at rest
      EXPECT_LT(turned, 4 * soft_sink(lab) / b + 4 * kUlp / b);
    } else {
      EXPECT_GT(turned, 1.0);
    }
  }
}

TEST_P(Friction, a_box_rides_a_turntable_until_w_squared_r_is_mu_g) {
  const double mu = 0.5f, r0 = 2, rate = 0.02;
  const double limit = ref::turntable_limit(mu, kG, r0), w0 = 0.8 * limit;
  Lab lab(GetParam());
  // a step of 1/60 s turns the table by over the degree for which contacts keep their anchors; shorter ones must not
  if (GetParam().solver == SolverKind::kSequentialImpulse) lab.params.recycle_tolerance = 0;
  lab.material(mu);
  Body disc = lab.make(Box{{4, 4, 0.5f}}, {0, 0, -0.5}, {}, BodyType::kKinematic);
  disc.angular_velocity = {0, 0, static_cast<float>(w0)};
  const std::uint32_t table = lab.add(std::move(disc));
  const std::uint32_t box = lab.launch(Box{{0.2f, 0.2f, 0.1f}}, {r0, 0, 0.1}, {0, w0 * r0, 0}, {0, 0, w0});
  double w = w0, slipped = 0;
  ref::Vec3 before = lab.x(box);
  while (w < 1.3 * limit && slipped == 0) {
    lab.world().set_velocity(lab.handle(table), {}, {0, 0, static_cast<float>(w)});
    lab.step();
    // what the box moved on the table in this step
    const ref::Vec3 now = rotate(conjugate(lab.q(table)), lab.x(box));
    const double r = std::hypot(now.x, now.y), slip = length(now - before) / lab.dt();
    before = now;
    // a step takes the table's velocity where the box was at its start, and goes along the tangent: outwards by
    // (w dt)^2 r / 2, which counts as riding. Twice that is slipping
    const double creep = w * w * r * lab.dt() / 2;
    if (lab.steps > 1 && slip > 2 * creep) {
      slipped = w * w * r;
      // the excess grows by 2 w rate r a second, so that a slip of `creep` takes sqrt(creep / (w rate r))
      double late = 2 * w * rate * r * (std::sqrt(creep / (w * rate * r)) + lab.dt());
      // with steps so short the creep is so small that the Coriolis force shows: it turns the slip by 2 w t meanwhile
      if (lab.params.recycle_tolerance == 0) late *= 1 + 2 * w * std::sqrt(creep / (w * rate * r));
      EXPECT_LT(slipped, mu * kG + late);
      // friction also speeds the box up, by rate r, and its first substeps come late
      EXPECT_GT(std::hypot(slipped, rate * r), mu * kG - w * w * r * w * lab.dt());
    }
    w += rate * lab.dt();
  }
  EXPECT_GT(slipped, 0) << "never slipped";
}

TEST_P(ObliqueImpact, a_frictional_impact_takes_mu_times_the_normal_impulse) {
  // a sphere that slides all through the impact: vx falls by mu vz, and the spin is 5/2 of that over r
  const double mu = 0.2f, r = 0.25, vx = 6, vz = 3;
  Lab lab = in_space(GetParam(), mu);
  lab.add_floor();
  const std::uint32_t ball = lab.launch(Sphere{static_cast<float>(r)}, {0, 0, r + 0.1}, {vx, 0, -vz});
  lab.run(0.5);
  // sums of a few impulses of this size, and the overlap of less than a substep's travel in the lever
  const double tolerance = mu * vz * vz * lab.h() / r + 64 * vx * kUlp;
  EXPECT_NEAR(lab.v(ball).x, vx - mu * vz, tolerance);
  EXPECT_NEAR(lab.w(ball).y, 2.5 * mu * vz / r, 2.5 * tolerance / r);
  EXPECT_NEAR(lab.v(ball).z, 0, 64 * vz * kUlp);
}

TEST_P(Friction, rolling_friction_stops_a_sphere_as_its_lever_predicts) {
  // about the contact: 7/5 m r a = -m g lever
  const double lever = 0.05f, r = 0.5, speed = 2;
  const double a = 5.0 / 7.0 * kG * lever / r, stop = speed * speed / (2 * a);
  Lab lab(GetParam());
  lab.material(0.6, 0, lever);
  lab.add_floor();
  const std::uint32_t ball = lab.launch(Sphere{static_cast<float>(r)}, {0, 0, r}, {speed, 0, 0}, {0, speed / r, 0});
  lab.run(1.2 * speed / a);
  // half a substep of v for the sum, one for friction that comes late, and the radius is short by what the contact
  // sinks
  EXPECT_NEAR(lab.x(ball).x, stop, 2 * speed * lab.h() + stop * soft_sink(lab) / r);
  EXPECT_LT(length(lab.v(ball)), kG * lab.h());
  // and the moment at rest is no motor
  const ref::Vec3 rest = lab.x(ball);
  lab.run(1);
  EXPECT_LT(length(lab.x(ball) - rest), rounded_distance(kG * lab.h(), 360, lab.h()));
}

// A plate on a spike, its centre of mass below: it turns on the patch of one corner.
TEST(TwistPatch, stops_what_turns_on_a_corner_as_its_arm_predicts) {
  const double mu = 0.5, speed = 0.05, half = 0.1, moment = 5;
  Lab lab(kSoftStep);
  lab.material(mu);
  // a corner of the cube is up, at the origin
  const double tilt = std::acos(1 / std::sqrt(3.0)), yaw = std::numbers::pi / 4;
  const ref::Quat up = ref::rotation({0, -tilt, 0}) * ref::rotation({0, 0, -yaw});
  const auto side = static_cast<float>(half);
  lab.add(lab.make(Box{{side, side, side}}, {0, 0, -half * std::sqrt(3.0)}, up, BodyType::kKinematic));
  Body plate = lab.make(Box{{0.3f, 0.3f, 0.02f}}, {0, 0, 0.02});
  plate.mass = 100.0f;
  plate.centre_of_mass = Vec3{0, 0, -0.3f};
  plate.inertia = Inertia{{static_cast<float>(moment), static_cast<float>(moment), static_cast<float>(moment)}, {}};
  plate.angular_velocity = {0, 0, static_cast<float>(speed)};
  const std::uint32_t body = lab.add(std::move(plate));
  // moment dw/dt = -mu m g arm
  const double arm = double{kernels::kTwistPatch} * 0.02;
  const double slowing = mu * 100 * kG * arm / moment, stop = speed / slowing;
  lab.run(0.2);
  const double w0 = lab.w(body).z, t0 = lab.time();
  lab.run(stop / 2);
  // the mean load over dt is the weight, but for what it bobs with: sinking in from rest it gets speeds of 2 g h at most
  const double time = lab.time() - t0;
  EXPECT_NEAR((w0 - lab.w(body).z) / time, slowing, slowing * 2 * lab.h() / time + 1e-3 * slowing);
  lab.run(stop);
  EXPECT_LT(std::abs(lab.w(body).z), slowing * lab.h());
}

CAIRN_VERIFY_EACH(Friction);
CAIRN_VERIFY_EACH(ObliqueImpact);

}  // namespace
}  // namespace cairn::verify
