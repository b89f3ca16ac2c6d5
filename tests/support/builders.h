#pragma once
// Bodies, scenes and worlds in a line, for tests that go through the public API.

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/cairn.h"

namespace cairn::testing_support {

inline constexpr float kDensity = 1000;  ///< [kg/m^3] of every body made here

inline Shape shape(Geometry geometry, Vec3 at = {}, Quat turn = {}, std::uint32_t material = 0) {
  return {.geometry = geometry, .position = at, .orientation = turn, .material = material};
}

inline Body body(const std::string& name, Geometry geometry, Vec3d at, BodyType type = BodyType::kDynamic) {
  return {.name = name, .type = type, .position = at, .shapes = {shape(geometry)}, .density = kDensity};
}

/// A unit box.
inline Body box(const std::string& name, Vec3d at, BodyType type = BodyType::kDynamic) {
  return body(name, Box{}, at, type);
}
inline Body ball(const std::string& name, Vec3d at, float radius = 0.5f) { return body(name, Sphere{radius}, at); }
inline Body plane(const std::string& name = "floor", Vec3 normal = {0, 0, 1}, float offset = 0) {
  return body(name, Plane{normal, offset}, {}, BodyType::kStatic);
}

/// A body of so many kilograms.
inline Body of_mass(float mass, Body made) {
  made.mass = mass;
  return made;
}
/// A body that starts at these velocities.
inline Body moving(Body made, Vec3 linear, Vec3 angular = {}) {
  made.linear_velocity = linear;
  made.angular_velocity = angular;
  return made;
}

/// The floor and `height` unit boxes on it.
inline Scene tower(int height, const StepParams& params = {}) {
  Scene scene;
  scene.set_params(params);
  scene.add_body(plane());
  for (int i = 0; i < height; ++i) scene.add_body(box("box" + std::to_string(i), {0, 0, 0.5 + i}));
  return scene;
}

inline Scene scene_of(std::initializer_list<Body> bodies, const StepParams& params = {}) {
  Scene scene;
  scene.set_params(params);
  for (const Body& b : bodies) scene.add_body(b);
  return scene;
}

/// Without gravity.
inline Scene afloat(std::initializer_list<Body> bodies, const StepParams& params = {}) {
  Scene scene = scene_of(bodies, params);
  scene.set_gravity({0, 0, 0});
  return scene;
}

/// A box on each of two meshes side by side.
inline Scene boxes_on_meshes() {
  Scene scene;
  for (int k = 0; k < 2; ++k) {
    const std::string number = std::to_string(k);
    const double x = 8 * k;
    const TriangleMesh square({{{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}}}, {{{0, 1, 2}, {0, 2, 3}}});
    scene.add_body(body("floor " + number, square, {x, 0, 0}, BodyType::kStatic));
    scene.add_body(of_mass(1, box("box " + number, {x + 0.2, 0.1, 0.499})));
  }
  return scene;
}

/// Where the bodies of a scene start.
inline std::vector<BodyState> starts(const std::vector<Body>& bodies) {
  std::vector<BodyState> states;
  for (const Body& b : bodies) states.push_back({b.position, b.orientation, b.linear_velocity, b.angular_velocity});
  return states;
}

inline WorldOptions cpu(int threads = 1, const Capacity& capacity = {}) {
  return {.device = Device::cpu(threads), .capacity = capacity};
}

inline StepParams with_sleeping() { return {.sleeping = true}; }

/// Those that take joints and articulations.
inline constexpr SolverKind kJointSolvers[] = {SolverKind::kSoftStep, SolverKind::kXpbd,
                                               SolverKind::kSequentialImpulse};
inline std::string name_of_solver(const testing::TestParamInfo<SolverKind>& solver) {
  return std::string(word_of(solver.param));
}

inline void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step();
}

/// Steps that a time takes.
inline int steps_in(const World& world, double seconds) {
  return static_cast<int>(std::lround(seconds / double{world.params().dt}));
}

/// That a World made of its snapshot goes on with the same bits.
inline void expect_to_go_on_restored(World& world, int steps) {
  World restored(world.snapshot(), cpu());
  EXPECT_EQ(restored.state_hash(), world.state_hash());
  run(restored, steps);
  run(world, steps);
  EXPECT_EQ(restored.state_hash(), world.state_hash());
}

/// A World of which so many bodies have fallen asleep after so many steps.
inline World slept(const Scene& scene, std::uint32_t asleep, int steps = 120) {
  World world(scene, cpu());
  run(world, steps);
  EXPECT_EQ(world.report().asleep, asleep);
  return world;
}

/// After each of so many steps.
inline std::vector<std::uint64_t> hashes_of(World& world, int steps) {
  std::vector<std::uint64_t> all;
  for (int i = 0; i < steps; ++i) {
    world.step();
    all.push_back(world.state_hash());
  }
  return all;
}

inline double length(Vec3 a) { return std::sqrt(double{a.x} * a.x + double{a.y} * a.y + double{a.z} * a.z); }
inline double length(Vec3d a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
inline Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
/// [N] What a body, such as a floor, supports: the normal impulses of the last step on it, all taken for upward ones.
inline double support(const World& world, BodyHandle of) {
  double sum = 0;
  for (const Contact& c : world.contacts()) {
    if (!(c.a == of) && !(c.b == of)) continue;
    for (int j = 0; j < c.count; ++j) sum += c.points[static_cast<std::size_t>(j)].impulse;
  }
  return sum / double{world.params().dt};
}
inline double speed(const World& world, BodyHandle of) { return length(world.state(of).linear_velocity); }

/// The larger of two, and NaN for good where one is: std::max would take what comes after it.
inline double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }
inline double fastest(const World& world) {
  double most = 0;
  for (const BodyHandle body : world.bodies()) most = larger(most, speed(world, body));
  return most;
}
/// The largest value after each of so many steps.
template <class F>
double largest_over(World& world, int steps, const F& value) {
  double most = 0;
  for (int i = 0; i < steps; ++i) {
    world.step();
    most = larger(most, value());
  }
  return most;
}

inline std::vector<BodyState> states(const World& world) {
  std::vector<BodyState> all(world.body_count());
  world.read_states(all);
  return all;
}

inline bool finite(const BodyState& s) {
  for (const double a : {s.position.x, s.position.y, s.position.z, double{s.orientation.x}, double{s.orientation.y},
                         double{s.orientation.z}, double{s.orientation.w}, double{s.linear_velocity.x},
                         double{s.linear_velocity.y}, double{s.linear_velocity.z}, double{s.angular_velocity.x},
                         double{s.angular_velocity.y}, double{s.angular_velocity.z}}) {
    if (!std::isfinite(a)) return false;
  }
  return true;
}

/// Every body finite and its orientation a unit quaternion.
inline testing::AssertionResult sound(const World& world) {
  const std::vector<BodyState> all = states(world);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Quat q = all[i].orientation;
    const double norm = std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    // four components, each off by half an ulp of 1 at most, and as much again from the product with the principal axes
    if (!finite(all[i]) || std::abs(norm - 1) > 4 * 0x1p-23) {
      const Vec3d x = all[i].position;
      return testing::AssertionFailure() << "body number " << i << " at (" << x.x << ", " << x.y << ", " << x.z
                                         << "), |q| " << norm;
    }
  }
  return testing::AssertionSuccess();
}

/// True if f throws E, its message holds every one of `words`, and the world's hash is what it was.
template <class E = InvalidArgument, class F>
testing::AssertionResult refused(const World& world, F f, std::initializer_list<const char*> words) {
  const std::uint64_t before = world.state_hash();
  const std::uint32_t count = world.body_count();
  try {
    f();
  } catch (const E& error) {
    const std::string message = error.what();
    for (const char* word : words) {
      if (message.find(word) == std::string::npos) {
        return testing::AssertionFailure() << "the message lacks \"" << word << "\": " << message;
      }
    }
    if (world.state_hash() != before || world.body_count() != count) {
      return testing::AssertionFailure() << "refused, but the world changed: " << message;
    }
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "not refused";
}

}  // namespace cairn::testing_support
