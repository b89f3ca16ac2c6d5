// Surfaces that move along themselves: what lies on them, is held against them, or drives by them.

#include <cmath>

#include "scenes/builtin.h"
#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

class Belt : public EachSolver {};

/// With a floor that is a belt.
Lab on_belt(const Method& method, double mu, ref::Vec3 velocity, ref::Vec3 normal = {0, 0, 1}, double e = 0) {
  Lab lab(method);
  lab.belt(mu, velocity, e);
  lab.add_floor(normal);
  lab.material(mu, e);
  return lab;
}

/// A flat box on a belt that carries it along `course` at `speed`.
struct Carried {
  Lab lab;
  std::uint32_t box;

  Carried(const Method& method, double mu, ref::Vec3 velocity, ref::Vec3 normal = {0, 0, 1}, ref::Quat q = {})
      : lab(on_belt(method, mu, velocity, normal)), box(lab.add(lab.make(Box{{0.5f, 0.5f, 0.2f}}, 0.2 * normal, q))) {}
  std::uint32_t add_wall(float x) {
    return lab.add(lab.make(Plane{.normal = {-1, 0, 0}, .offset = -x}, {}, {}, BodyType::kStatic));
  }
};

/// [m] What is behind by the time at which friction starts, and the sum of h v for its integral: friction, bounded by
/// the normal impulse that the pass before found, comes up to one substep late, a cold cache gives none for another.
double lateness(const Lab& lab, double speed) { return 2 * speed * lab.h(); }

TEST_P(Belt, a_box_put_on_a_belt_gains_mu_g_until_it_goes_along_in_12_azimuths) {
  const double mu = 0.4f, speed = 2;
  for (int k = 0; k < 12; ++k) {
    const double azimuth = k * std::numbers::pi / 6 + 0.1;
    const ref::Vec3 along{std::cos(azimuth), std::sin(azimuth), 0}, across{-along.y, along.x, 0};
    Carried c(GetParam(), mu, speed * along);
    c.lab.run(0.25);
    // two substeps without friction at most
    EXPECT_NEAR(dot(c.lab.v(c.box), along), mu * kG * c.lab.time(), 2 * mu * kG * c.lab.h()) << azimuth;
    c.lab.run(0.75);
    EXPECT_NEAR(dot(c.lab.v(c.box), along), speed, mu * kG * c.lab.h()) << azimuth;
    const double slipped = ref::sliding_stop_distance(speed, mu, kG);
    EXPECT_NEAR(dot(c.lab.x(c.box), along), speed * c.lab.time() - slipped, lateness(c.lab, speed)) << azimuth;
    EXPECT_NEAR(dot(c.lab.x(c.box), across), 0, lateness(c.lab, speed)) << azimuth;
  }
}

TEST_P(Belt, and_then_keeps_its_speed_for_10_s) {
  const double speed = 2;
  Carried c(GetParam(), 0.5f, {speed, 0, 0});
  c.lab.run(2);
  const ref::Vec3 x0 = c.lab.x(c.box);
  const double t0 = c.lab.time();
  c.lab.run(10);
  const ref::Vec3 gone = c.lab.x(c.box) - x0;
  const int n = static_cast<int>(std::lround((c.lab.time() - t0) / c.lab.h()));
  EXPECT_NEAR(gone.x, speed * (c.lab.time() - t0), rounded_distance(speed, n, c.lab.h()));
  EXPECT_NEAR(gone.y, 0, rounded_distance(speed, n, c.lab.h()));
  // what is carried by friction is pulled at its foot, and comes to rest on the belt
  EXPECT_LT(length(c.lab.w(c.box)), 1e-3 * kG * c.lab.h());
}

TEST_P(Belt, carries_a_box_up_a_slope_below_the_friction_angle_and_lets_it_down_above) {
  const double theta = 0.35, speed = 1;
  const ref::Vec3 normal{std::sin(theta), 0, std::cos(theta)}, up{-std::cos(theta), 0, std::sin(theta)};
  for (const double share : {1.3, 0.7}) {
    const double mu = static_cast<float>(share * std::tan(theta));
    Carried c(GetParam(), mu, speed * up, normal, ref::rotation({0, theta, 0}));
    // friction gains, or lets go, mu g cos - g sin
    const double net = kG * (mu * std::cos(theta) - std::sin(theta)), late = 2 * kG * c.lab.h() * std::sin(theta);
    if (share > 1) {
      c.lab.run(speed / net + 0.5);
      const ref::Vec3 x0 = c.lab.x(c.box);
      const double t0 = c.lab.time();
      c.lab.run(3);
      const double way = dot(c.lab.x(c.box) - x0, up), t = c.lab.time() - t0;
      const int n = static_cast<int>(std::lround(t / c.lab.h()));
      // held by an anchor, or by impulses that are what they were in the step before
      EXPECT_NEAR(way, speed * t, late * c.lab.h() + rounded_distance(speed, n, c.lab.h()));
    } else {
      c.lab.run(1);
      EXPECT_NEAR(dot(c.lab.v(c.box), up), net * c.lab.time(), late + rounded_speed(net * 1, 6 * c.lab.steps));
    }
  }
}

TEST_P(Belt, pushes_a_box_against_a_wall_with_mu_times_its_weight) {
  const double mu = 0.4f;
  Carried c(GetParam(), mu, {3, 0, 0});
  c.lab.material(0);
  const std::uint32_t stop = c.add_wall(0.5f);
  c.lab.run(2);
  const double weight = c.lab.mass(c.box) * kG;
  EXPECT_LT(length(c.lab.v(c.box)), kG * c.lab.h());
  const double force = c.lab.contact_impulse(stop).x / c.lab.dt();
  EXPECT_NEAR(force, mu * weight, 1e-3 * mu * weight);
}

// The way that a tilted body takes its surface, which is that of its own axes; what points along the normal counts
// for nothing.
TEST_P(Belt, runs_along_the_axes_of_its_body) {
  const double mu = 0.8f, speed = 1;
  const ref::Quat q = ref::rotation({0, 0, 0.7}) * ref::rotation({0, -0.2, 0});
  Lab lab(GetParam());
  lab.belt(mu, {0.6 * speed, 0.8 * speed, 5});
  Body belt = lab.make(Box{{1, 20, 20}}, {}, q, BodyType::kKinematic);
  // the shape's own axes, and with them the principal ones, are others
  belt.shapes[0].orientation = narrow(ref::rotation({0, std::numbers::pi / 2, 0}));
  lab.add(belt);
  lab.material(mu);
  const ref::Vec3 along = ref::rotate(q, {0.6, 0.8, 0}), normal = ref::rotate(q, {0, 0, 1});
  const std::uint32_t box = lab.add(lab.make(Box{{0.5f, 0.5f, 0.2f}}, 1.2 * normal, q));
  lab.run(2);
  const ref::Vec3 off = lab.v(box) - speed * along;
  EXPECT_LT(length(off), kG * lab.h());
}

// Two belts below a bar, running towards each other: the heavier side pulls more, and the bar swings by
// x'' = -mu g x / (a - mu c), of supports at +-a and the bar's middle c above them (Timoshenko).
TEST_P(Belt, a_bar_on_two_belts_that_run_inwards_swings) {
  const double mu = 0.3f, a = 1, c = 0.05, x0 = 0.2;
  Lab lab(GetParam());
  for (const double side : {-1.0, 1.0}) {
    lab.belt(mu, {-side * 2, 0, 0});
    Body roll = lab.make(Capsule{.radius = 0.1f, .half_height = 0.4f}, {side * a, 0, -0.1 - c}, {}, BodyType::kStatic);
    roll.shapes[0].orientation = narrow(ref::rotation({std::numbers::pi / 2, 0, 0}));
    lab.add(roll);
  }
  lab.material(mu);
  const std::uint32_t bar = lab.add(lab.make(Box{{1.8f, 0.3f, static_cast<float>(c)}}, {x0, 0, 0}));
  const double rate = std::sqrt(mu * kG / (a - mu * c));
  double worst = 0;
  while (rate * lab.time() < 2 * std::numbers::pi) {
    lab.step();
    worst = std::max(worst, std::abs(lab.x(bar).x - x0 * std::cos(rate * lab.time())));
  }
  // late by two substeps, over a turn of the phase
  EXPECT_LT(worst, x0 * 2 * std::numbers::pi * 2 * rate * lab.h());
  EXPECT_NEAR(lab.x(bar).y, 0, 1e-3);
}

// Friction spins a ball while it brings it along: at rest on the belt it goes 2/7 as fast, whatever mu is.
TEST_P(Belt, a_ball_on_a_belt_goes_2_7_of_its_speed) {
  const double mu = 0.3f, speed = 2;
  Lab lab = on_belt(GetParam(), mu, {0, speed, 0});
  const std::uint32_t ball = lab.add(lab.make(Sphere{0.5f}, {0, 0, 0.5}));
  lab.run(0.15);
  EXPECT_NEAR(lab.v(ball).y, mu * kG * lab.time(), 2 * mu * kG * lab.h());
  lab.run(0.4);
  EXPECT_NEAR(lab.v(ball).y, 2.0 / 7 * speed, mu * kG * lab.h());
  EXPECT_NEAR(lab.w(ball).x * 0.5, 5.0 / 7 * speed, 2.5 * mu * kG * lab.h());
}

// Enough friction in the one impact to leave no slip.
TEST_P(Belt, a_ball_that_bounces_on_a_belt_takes_2_7_of_its_speed_along) {
  const double speed = 2, drop = 0.5, e = 0.5;
  Lab lab = on_belt(GetParam(), 1, {speed, 0, 0}, {0, 0, 1}, e);
  const std::uint32_t ball = lab.add(lab.make(Sphere{0.5f}, {0, 0, 0.5 + drop}));
  const double fall = std::sqrt(2 * drop / kG);
  lab.run(fall + 0.1);
  EXPECT_GT(lab.v(ball).z, 0);
  EXPECT_NEAR(lab.v(ball).x, 2.0 / 7 * speed, 1e-5 * speed);
}

// A cart drives by its own surface: that runs back, so the cart goes on; it does so along its own axes, which aren't
// the principal ones.
TEST_P(Belt, a_body_drives_by_its_own_surface) {
  const double mu = 0.5f, speed = 1.5;
  Lab lab = on_floor(GetParam(), mu);
  lab.belt(mu, {-speed, 0, 0});
  const ref::Quat q = ref::rotation({0, 0, 0.5});
  Body cart = lab.make(Box{{0.6f, 0.4f, 0.2f}}, {0, 0, 0.2}, q);
  Shape load = cart.shapes[0];
  load.geometry = Box{{0.3f, 0.1f, 0.05f}};
  load.position = {0.05f, 0.02f, 0.25f};
  load.orientation = narrow(ref::rotation({0, 0, 0.4}));
  cart.shapes.push_back(load);
  const std::uint32_t at = lab.add(cart);
  lab.run(1);
  const ref::Vec3 along = ref::rotate(q, {1, 0, 0});
  EXPECT_LT(length(lab.v(at) - speed * along), mu * kG * lab.h());
  const ref::Vec3 x0 = lab.x(at);
  const double t0 = lab.time();
  lab.run(3);
  const double t = lab.time() - t0;
  EXPECT_LT(length(lab.x(at) - x0 - speed * t * along),
            rounded_distance(speed, static_cast<int>(std::lround(t / lab.h())), lab.h()) + 1e-4);
}

// On ice each is moved by what the other isn't: m v = -M V, and v - V is the speed of the belt.
TEST_P(Belt, what_a_body_pushes_off_from_takes_the_same_momentum) {
  const double mu = 0.5f, speed = 2;
  Lab lab = on_floor(GetParam(), 0);
  lab.material(mu);
  const std::uint32_t plank = lab.add(lab.make(Box{{4, 1, 0.1f}}, {0, 0, 0.1}));
  lab.belt(mu, {speed, 0, 0});
  const std::uint32_t box = lab.add(lab.make(Box{{0.6f, 0.6f, 0.3f}}, {0, 0, 0.5}));
  // the floor's own mu of 0 takes all friction from its pair with the plank
  lab.run(1);
  const double m = lab.mass(box), big = lab.mass(plank);
  EXPECT_NEAR(lab.v(box).x, -speed * big / (m + big), mu * kG * lab.h());
  EXPECT_NEAR(lab.v(plank).x, speed * m / (m + big), mu * kG * lab.h());
  EXPECT_NEAR(lab.momentum().x, 0, m * rounded_speed(speed, 6 * lab.steps));
}

// The boxes hold each other by twice the friction of the belt, so none slips on another.
TEST_P(Belt, a_stack_goes_along) {
  const double mu = 0.5f, speed = 1;
  Lab lab(GetParam());
  lab.belt(mu / 4, {speed, 0, 0});
  lab.add_floor();
  lab.material(mu);
  std::vector<std::uint32_t> boxes;
  for (int i = 0; i < 4; ++i) boxes.push_back(lab.add(lab.make(Box{{0.5f, 0.5f, 0.2f}}, {0, 0, 0.2 + 0.4 * i})));
  lab.run(3);
  for (const std::uint32_t box : boxes) {
    EXPECT_NEAR(lab.v(box).x, speed, mu * kG * lab.h());
    EXPECT_NEAR(lab.x(box).x, lab.x(boxes[0]).x, 2 * speed * lab.h());
  }
}

TEST_P(Belt, what_is_carried_does_not_sleep_and_what_a_wall_holds_does) {
  Carried c(GetParam(), 0.5f, {0.01, 0, 0});
  c.lab.params.sleeping = true;
  c.lab.params.sleep_speed = 0.05f;
  const std::uint32_t stop = c.add_wall(0.51f);
  c.lab.run(0.9);
  EXPECT_FALSE(c.lab.world().asleep(c.lab.handle(c.box)));
  EXPECT_NEAR(c.lab.x(c.box).x, 0.01 * c.lab.time(), 1e-4);
  c.lab.run(3);
  EXPECT_TRUE(c.lab.world().asleep(c.lab.handle(c.box)));
  // and goes on once nothing holds it
  c.lab.world().remove_body(c.lab.handle(stop));
  c.lab.run(1);
  EXPECT_NEAR(wide(c.lab.world().state(*c.lab.world().find_body("body1")).linear_velocity).x, 0.01, 1e-4);
}

TEST_P(Belt, that_is_started_wakes_what_lies_on_it) {
  Carried c(GetParam(), 0.5f, {0, 0, 0});
  c.lab.params.sleeping = true;
  c.lab.run(3);
  ASSERT_TRUE(c.lab.world().asleep(c.lab.handle(c.box)));
  for (const double speed : {1.0, -2.0, 0.0}) {
    Material belt = c.lab.world().materials()[0];
    belt.surface_velocity = {static_cast<float>(speed), 0, 0};
    c.lab.world().set_material(0, belt);
    c.lab.run(1.2);
    EXPECT_NEAR(c.lab.v(c.box).x, speed, 0.5 * kG * c.lab.h()) << speed;
  }
  c.lab.run(2);
  EXPECT_TRUE(c.lab.world().asleep(c.lab.handle(c.box)));
}

// Once it goes along nothing slips, and friction knows: the residual counts surfaces, not bodies.
TEST_P(Belt, leaves_no_residual_in_what_goes_along) {
  Carried c(GetParam(), 0.5f, {2, 0, 0});
  c.lab.run(2);
  const ContactResidual residual = c.lab.world().residual();
  EXPECT_LT(residual.coulomb, 0.5 * kG * c.lab.h());
  // it is of the last step, whatever is set behind it: what belts do in the next one is no slip of that
  Material belt = c.lab.world().materials()[0];
  belt.surface_velocity = {};
  c.lab.world().set_material(0, belt);
  EXPECT_EQ(c.lab.world().residual().coulomb, residual.coulomb);
  c.lab.run(2);
  const float still = c.lab.world().residual().coulomb;
  EXPECT_LT(still, 0.5 * kG * c.lab.h());
  belt.surface_velocity = {3, 0, 0};
  c.lab.world().set_material(0, belt);
  EXPECT_EQ(c.lab.world().residual().coulomb, still);
}

/// A body that meets a plate which goes along itself: by its surface, or by itself.
struct Plate {
  Lab lab;
  std::uint32_t body;

  Plate(const Method& method, bool by_surface, double mu, ref::Vec3 velocity, Body made, bool gravity) : lab(method) {
    if (by_surface) {
      lab.belt(mu, velocity);
    } else {
      lab.material(mu);
    }
    Body plate = lab.make(Box{{20, 20, 1}}, {0, 0, -1}, {}, BodyType::kKinematic);
    if (!by_surface) plate.linear_velocity = narrow(velocity);
    lab.add(plate);
    if (!gravity) lab.scene.set_gravity({});
    made.shapes[0].material = lab.material(mu);
    body = lab.add(std::move(made));
  }
};

// What guards against gained energy, and all else, treats a surface that moves as a body that does.
TEST_P(Belt, does_what_a_plate_does_that_moves) {
  const double mu = 0.3f;
  const ref::Vec3 velocity{1.5, -0.7, 0};
  const Geometry shapes[] = {Sphere{0.3f}, Box{{0.5f, 0.3f, 0.1f}}, Capsule{0.1f, 0.3f}};
  for (const Geometry& geometry : shapes) {
    for (const bool gravity : {true, false}) {
      Body made{.name = "body", .orientation = narrow(ref::rotation({0, 0, 0.5}) * ref::rotation({1.5707963, 0, 0}))};
      double height = 0.1;
      if (std::holds_alternative<Sphere>(geometry)) height = 0.3;
      if (std::holds_alternative<Box>(geometry)) made.orientation = narrow(ref::rotation({0, 0, 0.5}));
      made.shapes.push_back({.geometry = geometry});
      made.position = {0, 0, height + (gravity ? 0.0 : 0.02)};
      made.linear_velocity = {0.3f, 0.2f, gravity ? 0.0f : -0.7f};
      made.angular_velocity = {0, 0, 1};
      Plate belt(GetParam(), true, mu, velocity, made, gravity), plate(GetParam(), false, mu, velocity, made, gravity);
      belt.lab.run(0.5);
      plate.lab.run(0.5);
      const int n = belt.lab.steps * belt.lab.substeps();
      EXPECT_LT(length(belt.lab.v(belt.body) - plate.lab.v(plate.body)), rounded_speed(2, n)) << geometry.index();
      EXPECT_LT(length(belt.lab.x(belt.body) - plate.lab.x(plate.body)), rounded_distance(2, n, belt.lab.h()));
      EXPECT_GT(length(belt.lab.v(belt.body) - wide(made.linear_velocity)), 0.1);
    }
  }
}

// The faces of a mesh are a surface, too.
TEST_P(Belt, may_be_a_mesh) {
  const double mu = 0.5f, speed = 1;
  Lab lab(GetParam());
  lab.belt(mu, {0, speed, 0});
  const TriangleMesh mesh({{{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}}}, {{{0, 1, 2}, {0, 2, 3}}});
  lab.add(lab.make(mesh, {}, {}, BodyType::kStatic));
  lab.material(mu);
  const std::uint32_t box = lab.add(lab.make(Box{{0.5f, 0.5f, 0.2f}}, {0.3, 0, 0.2}));
  lab.run(2);
  EXPECT_LT(length(lab.v(box) - ref::Vec3{0, speed, 0}), mu * kG * lab.h());
  EXPECT_NEAR(lab.x(box).y, speed * lab.time() - ref::sliding_stop_distance(speed, mu, kG), lateness(lab, speed));
}

// 12 m to go, and 12 m up, at 1.5 m/s; behind the upper end there is only the floor.
TEST(Conveyor, takes_its_boxes_up_and_lets_them_fall) {
  const Scene scene = scenes::make("conveyor", 1);
  World world(scene, WorldOptions{.device = Device::cpu(1)});
  const double top = 1 + 12 * std::sin(std::atan(0.3)), end = 12 * std::cos(std::atan(0.3));
  std::vector<double> height(scene.bodies().size(), 0);  // at which it went over the end
  for (int step = 0; step < 22 * 60; ++step) {
    world.step();
    for (std::size_t i = 3; i < height.size(); ++i) {
      const Vec3d x = world.state(world.bodies()[i]).position;
      if (height[i] == 0 && x.x > end) height[i] = x.z;
    }
  }
  double middle = 0;
  for (std::size_t i = 3; i < height.size(); ++i) {
    EXPECT_GT(height[i], top) << scene.bodies()[i].name;
    const Vec3d x = world.state(world.bodies()[i]).position;
    EXPECT_LT(x.z, top) << scene.bodies()[i].name;
    middle += x.x / static_cast<double>(height.size() - 3);
  }
  // The belt throws them forwards: so lies the heap, of which some boxes may roll back under the end.
  EXPECT_GT(middle, end);
}

}  // namespace

CAIRN_VERIFY_EACH(Belt);

}  // namespace cairn::verify
