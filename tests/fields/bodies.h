#pragma once
// Bodies that fields push, and fields of every kind.

#include "tests/support/builders.h"

namespace cairn::testing_support {

/// Balls here and there, that move, without gravity: one in each cell of 0.5 m, at least 0.3 m from the next.
inline Scene cloud(std::uint32_t count) {
  Scene scene = afloat({});
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto r = random_uniforms(5, 0, RandomStream::kUser, i), q = random_uniforms(6, 0, RandomStream::kUser, i);
    const auto place = [](std::uint32_t cell, float off) { return 0.5 * cell + 0.2 * double{off}; };
    Body b = ball("ball" + std::to_string(i), {place(i % 4, r[0]), place(i / 4 % 4, r[1]), place(i / 16, r[2])}, 0.05f);
    const auto speed = [](float a) { return 2 * a - 1; };
    b.linear_velocity = {speed(q[0]), speed(q[1]), speed(q[2])};
    b.mass = 0.5f + static_cast<float>(r[3]);
    // they pass through each other
    b.shapes[0].filter = {.category = 1, .mask = 0};
    scene.add_body(b);
  }
  return scene;
}

/// Of every kind; pair gravity by all pairs and by the tree.
inline std::vector<fields::Any> ready_made() {
  fields::Springs springs;
  for (std::uint32_t i = 0; i + 1 < 20; ++i) springs.springs.push_back({i, i + 1, 30, 2, 0.3});
  return {fields::Gravity{},
          fields::LinearDrag{0.3},
          fields::QuadraticDrag{0.2},
          fields::Wind{.velocity = {3, 0, 1}, .linear = 0.1, .quadratic = 0.2, .gust = {0, 2, 0}, .gust_rate = 3},
          springs,
          fields::LennardJones{.epsilon = 0.01, .sigma = 0.2, .cut_off = 0.8},
          fields::PairGravity{.constant = 1e-2, .softening = 0.1},
          fields::PairGravity{.constant = 1e-2, .softening = 0.1, .tree_above = 10},
          fields::Boids{.radius = 0.7, .separation_radius = 0.3, .cruise_speed = 1, .cruise = 1},
          fields::CurlNoise{.rate = 2, .scale = 0.7, .octaves = 2, .seed = 3}};
}

inline Scene with(Scene scene, const std::vector<fields::Any>& laws) {
  for (const fields::Any& law : laws) scene.add_field({law, {}});
  return scene;
}

/// [N] That the fields gave in the last step, by body slot.
inline std::vector<Vec3> field_forces(const World& world) {
  const ArrayView view = world.arrays().get("field_force");
  const auto* data = static_cast<const float*>(view.data);
  std::vector<Vec3> forces;
  for (std::int64_t i = 0; i < view.shape[0]; ++i) forces.push_back({data[3 * i], data[3 * i + 1], data[3 * i + 2]});
  return forces;
}

/// Three worlds with fields of their own, on parts of their bodies.
inline std::vector<Scene> three() {
  const std::vector<fields::Any> laws = ready_made();
  Scene one = with(cloud(60), laws), two = cloud(25), three = cloud(33);
  two.add_field({laws[5], {{3, 9, 2, 20, 21, 22}}});
  two.add_field({fields::Wind{.velocity = {0, 9, 0}, .gust = {4, 0, 0}, .gust_rate = 20}, {}});
  two.add_field({fields::PairGravity{.constant = 0.1, .softening = 0.2, .tree_above = 4}, {{0, 1, 2, 3, 4, 5, 6}}});
  three.add_field({laws[8], {}});
  three.add_field({fields::LennardJones{.epsilon = 0.02, .sigma = 0.3, .cut_off = 1.4}, {}});
  return {one, two, three};
}

}  // namespace cairn::testing_support
