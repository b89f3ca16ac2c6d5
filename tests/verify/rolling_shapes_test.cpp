// Cylinders and cones that roll, on a plane and over triangles, against closed forms.

#include "tests/verify/solids.h"

namespace cairn::verify {
namespace {

constexpr double kShapeRadius = 0.5;
const float kRoot = std::sqrt(0.5f);
const Quat kAxisAlongY{kRoot, 0, 0, kRoot};

/// Rolls along x: a cylinder across it, and a sphere. `share` is I / (m r^2).
struct Roller {
  const char* name;
  Geometry geometry;
  double share;
};
std::vector<Roller> rollers() {
  return {{"cylinder", Cylinder{static_cast<float>(kShapeRadius), 0.4f}, 0.5},
          {"sphere", Sphere{static_cast<float>(kShapeRadius)}, 0.4}};
}

/// The scene, in which gravity leans by theta towards +x instead of the ground.
void lean(Trial& trial, double theta) {
  trial.scene.set_gravity({static_cast<float>(kG * std::sin(theta)), 0, static_cast<float>(-kG * std::cos(theta))});
}

TEST(RollingShapes, roll_down_at_g_sin_theta_over_one_plus_the_share_of_inertia) {
  const double theta = 0.3;
  for (const Roller& roller : rollers()) {
    for (const Ground ground : kGrounds) {
      SCOPED_TRACE(std::string(roller.name) + " on a " + name_of(ground));
      Trial trial;
      lean(trial, theta);
      trial.add_ground(ground, 24, 0.5f, 0.2);
      const std::uint32_t body = trial.add(roller.geometry, {-6, 0.03, kShapeRadius}, kAxisAlongY);
      trial.run(1.5);
      const double t = 1.5, a = kG * std::sin(theta) / (1 + roller.share);
      // as in rolling_test.cpp: two substeps of sliding while the cache is cold, and a lever that is short by what the
      // contact sinks
      const double slip = 2 * kG * trial.h() * std::sin(theta), shorter = soft_sink(trial) / kShapeRadius;
      EXPECT_NEAR(trial.v(body).x, a * t, slip + shorter * a * t + rounded_speed(a * t, 540));
      EXPECT_NEAR(trial.x(body).x + 6, a * t * (t + trial.h()) / 2,
                  slip * trial.h() + shorter * a * t * t / 2 + rounded_distance(a * t, 540, trial.h()));
      EXPECT_NEAR(trial.v(body).x, kShapeRadius * trial.w(body).y, slip / 2 + shorter * a * t);
      // a metre a second over half-metre triangles: no bump shows
      EXPECT_NEAR(trial.v(body).z, 0, 1e-3);
      EXPECT_NEAR(trial.x(body).y, 0.03, 1e-3);
    }
  }
}

TEST(RollingShapes, slide_until_friction_has_spun_them_up) {
  const double v0 = 4, mu = 0.2f;
  for (const Roller& roller : rollers()) {
    for (const Ground ground : kGrounds) {
      SCOPED_TRACE(std::string(roller.name) + " on a " + name_of(ground));
      Trial trial(mu);
      trial.add_ground(ground, 24, 0.5f, 0.2);
      const std::uint32_t body = trial.add(roller.geometry, {-6, 0.03, kShapeRadius}, kAxisAlongY);
      trial.run(0.5);
      trial.world().set_velocity(trial.handle(body), {static_cast<float>(v0), 0, 0}, {});
      // friction takes mu g of speed and spins it up by mu g / share: they meet at v0 / (1 + share)
      const double wanted = v0 / (1 + roller.share), when = v0 * roller.share / (mu * kG * (1 + roller.share));
      const double h = trial.h(), slip = (1 + 1 / roller.share) * mu * kG * h;
      double t = 0;
      for (; t < 3 && trial.v(body).x - kShapeRadius * trial.w(body).y > slip; t += trial.dt()) trial.world().step();
      EXPECT_NEAR(t, when, trial.dt() + 2 * h);
      EXPECT_NEAR(trial.v(body).x, wanted, slip + soft_sink(trial) / kShapeRadius * v0 + rounded_speed(v0, 360));
      trial.run(0.5);
      EXPECT_NEAR(trial.v(body).x, wanted, slip + soft_sink(trial) / kShapeRadius * v0 + rounded_speed(v0, 720));
      EXPECT_NEAR(trial.v(body).z, 0, 1e-3);
      EXPECT_NEAR(trial.v(body).y, 0, 1e-3);
    }
  }
}

/// A cone on its side, its tip at the origin and its axis over +x, of half angle alpha.
struct LyingCone {
  double radius, height;  ///< [m]
  double sine, cosine;    ///< [1] of the half angle
  double i_line;          ///< [m^2] inertia about the line of contact, over the mass
  double arm;             ///< [m] from the tip to the centre of mass, over the ground
};
LyingCone lying_cone(double radius, double height) {
  LyingCone c{radius, height, 0, 0, 0, 0};
  const double slant = std::sqrt(radius * radius + height * height);
  c.sine = radius / slant;
  c.cosine = height / slant;
  // about its axis 3/10 r^2, about the tip across it 3/20 r^2 + 3/5 h^2
  const double along = 0.3 * radius * radius, across = 0.15 * radius * radius + 0.6 * height * height;
  c.i_line = along * c.cosine * c.cosine + across * c.sine * c.sine;
  c.arm = 0.75 * height * c.cosine;
  return c;
}
std::uint32_t add_lying(Trial& trial, const LyingCone& c, double azimuth) {
  // the shape's tip is at +z: its axis goes from the tip up by the half angle along azimuth + pi
  const double a = azimuth + std::numbers::pi;
  const ref::Vec3 axis{c.cosine * std::cos(a), c.cosine * std::sin(a), -c.sine};
  const ref::Vec3 across = cross(ref::Vec3{0, 0, 1}, axis);
  const double angle = std::acos(axis.z);
  const ref::Quat q = ref::rotation(angle / length(across) * across);
  const double half = 0.5 * c.height;
  return trial.add(Cone{static_cast<float>(c.radius), static_cast<float>(half)},
                   {-half * axis.x, -half * axis.y, -half * axis.z}, narrow(q));
}

TEST(RollingShapes, a_cone_on_its_side_rolls_in_a_circle_about_its_tip) {
  const LyingCone c = lying_cone(0.4, 0.8);
  Trial trial(1);
  trial.add_ground(Ground::kPlane);
  const std::uint32_t body = add_lying(trial, c, 0);
  trial.run(0.5);
  // it turns about the line of contact at -rate cot(alpha); the tip rests
  const double rate = 1;
  const auto w = static_cast<float>(-rate * c.cosine / c.sine);
  const ref::Vec3 centre{0.75 * c.height * c.cosine, 0, 0.75 * c.height * c.sine};
  const ref::Vec3 v = cross(ref::Vec3{w, 0, 0}, centre);
  trial.world().set_velocity(trial.handle(body), narrow(v), {w, 0, 0});
  const double seconds = 2;
  trial.run(seconds);
  const ref::Vec3 x = trial.x(body);
  // rolling resistance there is none: it goes on as it began
  EXPECT_NEAR(std::atan2(x.y, x.x), rate * seconds, 0.02);
  EXPECT_NEAR(length(trial.w(body)), std::abs(w), 0.02 * std::abs(w));
  EXPECT_NEAR(std::hypot(x.x, x.y), 0.5 * c.height * c.cosine, 5e-3);
}

TEST(RollingShapes, a_cone_on_a_slope_swings_about_its_tip) {
  // (I cot^2) phi'' = -m g sin(theta) arm sin(phi): from the Lagrangian of the turn about the line of contact
  const double theta = 0.2, swing = 0.2;
  const LyingCone c = lying_cone(0.4, 0.8);
  Trial trial(1);
  lean(trial, theta);
  trial.add_ground(Ground::kPlane);
  const std::uint32_t body = add_lying(trial, c, swing);
  const double cotangent = c.cosine / c.sine;
  const double slow = std::sqrt(kG * std::sin(theta) * c.arm / (c.i_line * cotangent * cotangent));
  // a pendulum of amplitude A is slower by A^2 / 16
  const double period = 2 * std::numbers::pi / slow * (1 + swing * swing / 16);
  std::vector<double> crossings;
  double before = swing;
  for (int i = 0; i < 600 && crossings.size() < 3; ++i) {
    trial.world().step();
    const ref::Vec3 x = trial.x(body);
    const double now = std::atan2(x.y, x.x);
    if ((now < 0) != (before < 0)) crossings.push_back((i + 1 - now / (now - before)) * trial.dt());
    before = now;
  }
  ASSERT_EQ(crossings.size(), 3u);
  EXPECT_NEAR(crossings[2] - crossings[0], period, 0.02 * period);
}

/// What tips over its rim where gravity leans by `limit`.
struct Standing {
  const char* name;
  Geometry geometry;
  double half;   ///< [m] half its height
  double limit;  ///< [rad]
};
std::vector<Standing> standings() {
  const double radius = 0.3, half = 0.5;
  const auto r = static_cast<float>(radius), h = static_cast<float>(half);
  // the centre of mass: of a cone a quarter of its height up; of one whose radius halves on the way, by
  // (1 + 2 k + 3 k^2) / (1 + k + k^2) quarters, k = 1/2
  const double quarter = 0.5 * half;
  std::vector<Standing> all;
  all.push_back({"cylinder", Cylinder{r, h}, half, std::atan(radius / half)});
  all.push_back({"cone", Cone{r, h}, half, std::atan(radius / quarter)});
  all.push_back(
      {"tapered cylinder", TaperedCylinder{r, 0.5f * r, h}, half, std::atan(radius / (quarter * 2.75 / 1.75))});
  return all;
}

/// Whether one still stands after 6 s of gravity that leans by theta towards an azimuth.
bool stands(Ground ground, const Standing& what, double theta, double azimuth) {
  Trial trial(4);
  const double along = kG * std::sin(theta);
  trial.scene.set_gravity({static_cast<float>(along * std::cos(azimuth)), static_cast<float>(along * std::sin(azimuth)),
                           static_cast<float>(-kG * std::cos(theta))});
  trial.add_ground(ground);
  const std::uint32_t body = trial.add(what.geometry, {0.05, 0.02, what.half});
  trial.run(6);
  const Quat q = trial.world().state(trial.handle(body)).orientation;
  return 1 - 2 * (double{q.x} * q.x + double{q.y} * q.y) > 0.99;
}

TEST(RollingShapes, what_stands_on_a_round_end_tips_where_its_weight_leaves_the_rim) {
  // One of the points on a plane is where the rim is lowest. Recycled contacts don't see a lean of 1/500, and as much
  // is gained until they do. Triangles cut the rim: on them it may tip earlier by the 0.02 that the bar allows; 0.007
  // on this mesh and 0.016 on this height field were measured.
  const double unseen = 2.0 / 500, cut = 0.02;
  for (const Standing& what : standings()) {
    for (const Ground ground : kGrounds) {
      for (const double azimuth : {0.0, 0.3, 0.785, 2.0, 4.1}) {
        SCOPED_TRACE(std::string(what.name) + " on a " + name_of(ground) + ", azimuth " + std::to_string(azimuth));
        EXPECT_TRUE(stands(ground, what, what.limit - (ground == Ground::kPlane ? unseen : cut), azimuth));
        EXPECT_FALSE(stands(ground, what, what.limit + unseen, azimuth));
      }
    }
  }
}

}  // namespace
}  // namespace cairn::verify
