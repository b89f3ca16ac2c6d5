#pragma once
// Articulations that stand in a World, for tests.

#include <string>

#include "cairn/cairn.h"
#include "cairn/world_articulations.h"
#include "tests/support/builders.h"
#include "tests/support/refusal.h"

namespace cairn::articulations_test {

namespace test = testing_support;
using testing_support::refusal_of;

/// A solid box of a mass as a link, about its middle.
inline ArticulationLink block(const std::string& name, Vec3 half, double mass) {
  ArticulationLink link{.name = name};
  link.mass = mass;
  const auto moment = [&](float a, float b) { return static_cast<float>(mass / 3 * (double{a} * a + double{b} * b)); };
  link.inertia.moments = {moment(half.y, half.z), moment(half.x, half.z), moment(half.x, half.y)};
  link.shapes = {test::shape(Box{half})};
  return link;
}

/// x of the joint along y of its parent, as long as both stand alike.
inline constexpr Quat kAlongY{0, 0, 0.70710678f, 0.70710678f};
inline constexpr Quat kAlongZ{0, -0.70710678f, 0, 0.70710678f};

/// A link on a joint at a place of its parent, whose own origin is at the middle of the link. What its joint was before
/// is replaced.
inline ArticulationLink on(ArticulationLink link, std::uint32_t parent, Vec3d at, Vec3d in_link, Quat axis,
                           ArticulationJointKind kind, ArticulationJoint joint = {}) {
  link.parent = parent;
  joint.kind = kind;
  link.joint = joint;
  link.frame_in_parent = {at, axis};
  link.frame_in_link = {in_link, axis};
  return link;
}

inline constexpr ArticulationJoint kDriven{.drive_stiffness = 200, .drive_damping = 5};

/// A floating base on four legs, each on a hinge about y at its upper end: what holds them is for the caller to say.
/// The soles are 0.4 m below the middle of the base.
inline Articulation table(double base, double leg, const ArticulationJoint& joint) {
  Articulation made{.name = "table"};
  made.links.push_back(block("base", {0.3f, 0.2f, 0.1f}, base));
  made.links[0].joint.kind = ArticulationJointKind::kFree;
  for (int i = 0; i < 4; ++i) {
    const Vec3d hip{(i & 1) != 0 ? 0.25 : -0.25, (i & 2) != 0 ? 0.15 : -0.15, -0.1};
    made.links.push_back(on(block("leg" + std::to_string(i), {0.03f, 0.03f, 0.15f}, leg), 0, hip, {0, 0, 0.15}, kAlongY,
                            ArticulationJointKind::kRevolute, joint));
  }
  return made;
}

/// Coordinates of a table whose soles are so high.
inline ArticulationState standing(double height) { return {{0, 0, 0.4 + height, 0, 0, 0, 1, 0, 0, 0, 0}, {}}; }

inline StepParams solved_by(SolverKind solver) {
  StepParams params;
  params.solver = solver;
  return params;
}

/// One articulation by itself, without gravity, or above a floor.
inline Scene scene_with(const Articulation& of, const ArticulationState& start = {}, const StepParams& params = {}) {
  Scene scene = test::scene_of({}, params);
  scene.add_articulation(of, start);
  return scene;
}
inline Scene afloat(const Articulation& of, const ArticulationState& start = {}, const StepParams& params = {}) {
  Scene scene = scene_with(of, start, params);
  scene.set_gravity({0, 0, 0});
  return scene;
}
inline Scene on_floor(const Articulation& of, const ArticulationState& start, const StepParams& params = {}) {
  Scene scene = test::scene_of({test::plane()}, params);
  scene.add_articulation(of, start);
  return scene;
}

/// The first of a world, and where it is.
inline ArticulationHandle robot_of(const World& world, std::uint32_t in = 0) {
  return world.articulations().list(in)[0];
}
inline ArticulationState state_of(const World& world) { return world.state(robot_of(world)); }

/// So many steps, none of which was in want of anything.
inline void run_soundly(World& world, int steps) {
  test::run(world, steps);
  EXPECT_EQ(world.report().status, 0u);
}

/// That after so many steps the first articulation of a World has the bits of one that is by itself.
inline void expect_as_by_itself(World& world, Articulations& alone, int steps) {
  const StepParams params = world.params();
  const double h = static_cast<double>(params.dt / static_cast<float>(params.substeps));
  test::run(world, steps);
  for (int substep = 0; substep < steps * params.substeps; ++substep) alone.step(h);
  EXPECT_EQ(state_of(world).q, alone.positions());
  EXPECT_EQ(state_of(world).v, alone.rates());
}

/// A table on driven legs with a box on it, which may sleep.
inline Scene laid() {
  Scene scene = on_floor(table(10, 0.5, kDriven), standing(0), test::with_sleeping());
  scene.add_body(test::body("load", Box{{0.1f, 0.1f, 0.1f}}, {0, 0, 0.6}));
  return scene;
}

/// Links of 20 cm, one behind the other from `at` on, on hinges about z and y by turns.
inline Articulation snake(const std::string& name, int links, double friction, double limit) {
  Articulation made{.name = name};
  for (int i = 0; i < links; ++i) {
    ArticulationLink link = block("l" + std::to_string(i), {0.08f, 0.03f, 0.03f}, 0.5);
    if (i == 0) {
      link.joint.kind = ArticulationJointKind::kFree;
    } else {
      link = on(link, static_cast<std::uint32_t>(i - 1), {0.1, 0, 0}, {-0.1, 0, 0}, i % 2 != 0 ? kAlongZ : kAlongY,
                ArticulationJointKind::kRevolute, {.friction = friction, .lower = -limit, .upper = limit});
    }
    made.links.push_back(link);
  }
  return made;
}

/// Snakes whose joints are coupled, by gears, ropes that rub and tendons that are driven, in heaps with boxes.
inline Scene coupled_snakes() {
  Scene scene = test::scene_of({test::plane()});
  for (int i = 0; i < 3; ++i) {
    Articulation made = snake("snake" + std::to_string(i), 8, 0.02, 1.5);
    made.couplings = {{.name = "gear", .terms = {{1, 1}, {3, -0.7}}, .lower = 0.1, .upper = 0.1},
                      {.name = "rope",
                       .terms = {{2, 1}, {4, 1}, {6, 1}},
                       .friction = 0.05,
                       .lower = -0.8,
                       .upper = 0.9,
                       .max_rate = 4},
                      {.name = "tendon",
                       .terms = {{5, 0.5}, {7, 0.5}},
                       .spring_stiffness = 2,
                       .spring_rest = 0.3,
                       .drive_stiffness = 20,
                       .drive_damping = 0.5,
                       .drive_max_force = 2,
                       .drive_min_force = -1}};
    made.links[7].joint.spring_stiffness = 1;
    made.links[7].joint.min_rate = -5;
    ArticulationState start;
    start.q = {0.1 * i, 0.15 * i, 0.6 + 0.3 * i, 0, 0.65, 0, 0.76, 0.3, 0.2, 0.4, 0.1, 0.3, 0.5, 0.1};
    scene.add_articulation(made, start);
  }
  for (int i = 0; i < 6; ++i) {
    scene.add_body(test::body("box" + std::to_string(i), Box{{0.1f, 0.1f, 0.1f}},
                              {0.3 * (i % 5) - 0.2, 0.2 * (i / 5) - 0.3, 2.1 + 0.3 * i}));
  }
  return scene;
}

/// Two tables on driven legs that can't give all, one with a box on it, beside a rod that hangs from the world and that
/// a weight hangs from.
inline Scene tables_and_rod() {
  Articulation one = table(10, 0.5, {.drive_stiffness = 200, .drive_damping = 5, .drive_max_force = 9});
  Scene scene = on_floor(one, standing(0.01));
  scene.add_body(test::body("load", Box{{0.1f, 0.1f, 0.1f}}, {0.02, 0, 0.65}));
  one.name = "other";
  scene.add_articulation(one, {{3, 0, 0.45, 0, 0, 0, 1, 0.1, 0, 0, 0.1}, {}});
  Articulation rod{.name = "rod"};
  rod.links.push_back(on(block("arm", {0.2f, 0.02f, 0.02f}, 1), kWorldLink, {-2, 0, 1}, {-0.2, 0, 0}, kAlongY,
                         ArticulationJointKind::kRevolute));
  scene.add_articulation(rod, {{0}, {1}});
  const auto arm = static_cast<std::uint32_t>(scene.bodies().size() - 1);
  const std::uint32_t weight = scene.add_body(test::body("weight", Box{{0.05f, 0.05f, 0.05f}}, {-1.6, 0, 0.8}));
  scene.add_joint({.name = "rope",
                   .body_a = arm,
                   .body_b = weight,
                   .frame_a = {{0.2, 0, 0}, {}},
                   .frame_b = {{0, 0, 0.2}, {}},
                   .kind = BallJoint{}});
  return scene;
}

}  // namespace cairn::articulations_test
