#pragma once
// Many elastic spheres, for tests.

#include "tests/hertz/grains.h"

namespace cairn::hertz_test {

inline Grain lively() { return {.young = 1e8, .friction = 0.4, .restitution = 0.7, .rolling = 2e-4}; }

/// `count` spheres of 8 to 12 mm on a lattice, that fly at its middle and turn.
inline Scene swarm(int side, const StepParams& params) {
  Scene scene = scene_of(lively(), params, {});
  int i = 0;
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      for (int z = 0; z < side; ++z, ++i) {
        const double middle = 0.5 * (side - 1);
        const Vec3d p{0.026 * (x - middle), 0.026 * (y - middle), 0.026 * (z - middle)};
        const Vec3 v{static_cast<float>(-20 * p.x), static_cast<float>(-25 * p.y),
                     static_cast<float>(-30 * p.z + 0.1 * p.x)};
        scene.add_body(test::moving(sphere("grain" + std::to_string(i), p, 0.008 + 0.001 * (i * 7 % 5)), v,
                                    {static_cast<float>(i % 7 - 3), static_cast<float>(i % 5 - 2), 3}));
      }
    }
  }
  return scene;
}

/// Steps of a heap on one thread, and its hash then: like tests/determinism/golden.json it changes with
/// kNumericsVersion alone.
inline constexpr int kHeapSteps = 160;
inline constexpr std::uint64_t kHeapHash = 0x433a1ff23bdfb534u;

/// A heap of grains, some of two spheres and some that don't turn, on a floor, at a wall and on a round post.
inline Scene heap(const StepParams& params) {
  Scene scene = scene_of(lively(), params);
  scene.add_body(fixed("floor", Plane{}));
  scene.add_body(fixed("wall", Box{{0.01f, 0.2f, 0.1f}}, {0.056, 0, 0.1}));
  scene.add_body(fixed("post", Capsule{0.01f, 0.05f}, {-0.027, 0, 0}));
  for (int i = 0; i < 60; ++i) {
    const Vec3d at{0.0204 * (i % 3) - 0.006, 0.0204 * (i / 3 % 4) - 0.03, 0.0105 + 0.0205 * (i / 12)};
    Body body = sphere("grain" + std::to_string(i), at, 0.009 + 0.0005 * (i % 3));
    body.linear_velocity = {0, 0, -0.1f};
    body.angular_velocity = {5, static_cast<float>(i % 5), 0};
    if (i == 7) body.shapes.push_back(test::shape(Sphere{0.003f}, {0.006f, 0, 0.004f}));
    if (i % 9 == 4) {
      body.fixed_rotation = true;
      body.angular_velocity = {};
    }
    scene.add_body(body);
  }
  return scene;
}

}  // namespace cairn::hertz_test
