#pragma once
// Bodies that fields push, and fields of every kind.

#include "tests/support/builders.h"

namespace cairn::testing_support {

/// Balls here and there, that move, without gravity: one in each cell of 0.5 m, at least 0.3 m from the next.
inline Scene cloud(std::uint32_t count) {
  Scene scene;
  scene.set_gravity({0, 0, 0});
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
  return {fields::Gravity{}, fields::LinearDrag{0.3}, fields::QuadraticDrag{0.2},
          fields::Wind{.velocity = {3, 0, 1}, .linear = 0.1, .quadratic = 0.2, .gust = {0, 2, 0}, .gust_rate = 3},
          springs, fields::LennardJones{.epsilon = 0.01, .sigma = 0.2, .cut_off = 0.8},
          fields::PairGravity{.constant = 1e-2, .softening = 0.1},
          fields::PairGravity{.constant = 1e-2, .softening = 0.1, .tree_above = 10},
          fields::Boids{.radius = 0.7, .separation_radius = 0.3, .cruise_speed = 1, .cruise = 1},
          fields::CurlNoise{.rate = 2, .scale = 0.7, .octaves = 2, .seed = 3}};
}

}  // namespace cairn::testing_support
