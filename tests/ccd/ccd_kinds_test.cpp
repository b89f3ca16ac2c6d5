// Every kind of shape at a thin wall, and fast bodies that meet while others stop them.

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "kernels/common/bodies.h"
#include "tests/ccd/walls.h"
#include "tests/support/long_run.h"

namespace cairn::ccd_test {
namespace {

struct Kind {
  const char* name;
  Geometry geometry;
  int shots{300};  ///< of those that aren't marked as fast; a thousand if tests are long
};
/// 1 cm across, or a little more, and a ball of 2 cm.
std::vector<Kind> kinds() {
  std::vector<Vec3> points;
  for (const float x : {-1.0f, 1.0f}) {
    for (const float y : {-1.0f, 1.0f}) points.push_back({0.004f * x, 0.004f * y, -0.004f});
  }
  points.push_back({0, 0, 0.006f});
  return {{"sphere", Sphere{0.005f}, 1000},
          {"large_sphere", Sphere{0.01f}, 1000},
          {"box", Box{{0.005f, 0.005f, 0.005f}}, 1000},
          {"capsule", Capsule{0.004f, 0.004f}},
          {"cylinder", Cylinder{0.005f, 0.005f}, 1000},
          {"cone", Cone{0.005f, 0.005f}},
          {"tapered_cylinder", TaperedCylinder{0.005f, 0.003f, 0.005f}},
          {"tube", Tube{0.005f, 0.003f, 0.005f}},
          {"ellipsoid", Ellipsoid{{0.006f, 0.005f, 0.003f}}},
          {"rounded_box", RoundedBox{{0.005f, 0.004f, 0.003f}, 0.001f}},
          {"hull", ConvexHull(points)}};
}

/// A body of a kind on its way to a wall through the origin, at right angles to z: 1 to 100 m/s, in any direction that
/// reaches the wall within the shot's second; a mesh from its front alone.
struct Shot {
  Scene scene;
  double down;  ///< [1] z of its direction
};
Shot shot(std::mt19937& engine, const Geometry& wall, const Geometry& bullet, bool fast) {
  std::normal_distribution<double> normal;
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  Shot s{};
  s.scene.set_gravity({0, 0, 0});
  s.scene.add_body({.name = "wall", .type = BodyType::kStatic, .shapes = {{.geometry = wall}}});
  double d[3], l = 0;
  for (double& c : d) c = normal(engine), l += c * c;
  for (double& c : d) c /= std::sqrt(l);
  if (std::abs(d[2]) < 0.05) d[2] = std::copysign(0.05, d[2]);
  if (std::holds_alternative<TriangleMesh>(wall)) d[2] = -std::abs(d[2]);
  const double speed = std::pow(10, uniform(0, 2)), way = std::max(uniform(0.02, 1.0), 0.03 / std::abs(d[2]));
  Body flies{.name = "bullet", .shapes = {{.geometry = bullet}}, .density = 1000.0f};
  flies.position = {uniform(-1, 1) - d[0] * way, uniform(-1, 1) - d[1] * way, -d[2] * way};
  float q[4];
  for (float& c : q) c = static_cast<float>(normal(engine));
  flies.orientation = {q[0], q[1], q[2], q[3]};
  flies.linear_velocity = {static_cast<float>(d[0] * speed), static_cast<float>(d[1] * speed),
                           static_cast<float>(d[2] * speed)};
  flies.bullet = fast;
  s.scene.add_body(flies);
  s.down = d[2];
  return s;
}

class CcdOfEveryKind : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, CcdOfEveryKind, testing::ValuesIn(kinds()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(CcdOfEveryKind, passes_no_wall_of_1_mm_at_1_to_100_m_per_s) {
  for (const Geometry& wall : {box_wall(), mesh_wall()}) {
    for (const bool fast : {false, true}) {
      const int shots = testing_support::is_long() ? 1000 : fast ? 300 : GetParam().shots;
      std::mt19937 engine(11);
      std::vector<Scene> scenes;
      std::vector<double> down;
      for (int i = 0; i < shots; ++i) {
        Shot s = shot(engine, wall, GetParam().geometry, fast);
        scenes.push_back(std::move(s.scene));
        down.push_back(s.down);
      }
      World world(scenes, {.device = Device::cpu(1)});
      // the slowest take 1 s for the longest way; what has glanced off and flies past an edge is out of the count
      std::vector<bool> over(scenes.size(), true);
      int through = 0;
      for (int i = 0; i < 80; ++i) {
        world.step();
        for (std::uint32_t w = 0; w < world.world_count(); ++w) {
          const Vec3d x = world.state(world.bodies(w)[1]).position;
          over[w] = over[w] && std::max(std::abs(x.x), std::abs(x.y)) < kWall;
          if (!over[w] || x.z * down[w] <= 0) continue;
          over[w] = false;
          ++through;
        }
      }
      EXPECT_EQ(through, 0) << (std::holds_alternative<Box>(wall) ? "box" : "mesh") << (fast ? ", fast" : "");
    }
  }
}

/// Balls of 1 cm that fly, in no gravity.
struct Balls {
  static constexpr float kRadius = 0.01f;
  Scene scene;

  Balls() { scene.set_gravity({0, 0, 0}); }
  void add(Vec3d x, Vec3 v) {
    scene.add_body({.name = "ball" + std::to_string(scene.bodies().size()),
                    .position = x,
                    .linear_velocity = v,
                    .shapes = {{.geometry = Sphere{kRadius}}},
                    .density = 1000,
                    .bullet = true});
  }
  /// [m] The deepest overlap of any two of them after any of so many steps.
  double deepest(int steps) {
    World world(scene, {.device = Device::cpu(1)});
    double most = 0;
    for (int step = 0; step < steps; ++step) {
      world.step();
      std::vector<Vec3d> x;
      for (std::size_t i = 0; i < scene.bodies().size(); ++i) {
        if (scene.bodies()[i].type == BodyType::kDynamic) x.push_back(world.state(world.bodies()[i]).position);
      }
      for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const double distance = std::hypot(x[i].x - x[j].x, x[i].y - x[j].y, x[i].z - x[j].z);
          most = std::max(most, 2 * double{kRadius} - distance);
        }
      }
    }
    return most;
  }
};

/// What `ccd` keeps apart is three quarters of each of two balls, to a 50th of the rest; the contacts then find half a
/// radius of overlap, and let it grow no more.
constexpr double kCores = 2 * 0.25 * 1.02 * double{Balls::kRadius};

/// Balls behind each other on their way to a wall.
Balls train(float speed) {
  Balls made;
  made.scene.add_body({.name = "wall", .type = BodyType::kStatic, .shapes = {{.geometry = box_wall()}}});
  for (int i = 0; i < kernels::kCcdPasses; ++i) made.add({0, 0, 0.1 + 0.03 * i}, {0, 0, -speed});
  return made;
}

TEST(Ccd, a_train_of_balls_that_hits_a_wall_stays_a_train) {
  // each would end its step where others did, beyond the wall
  for (const float speed : {10.0f, 30.0f, 90.0f}) EXPECT_LE(train(speed).deepest(10), kCores) << speed;
}

TEST(Ccd, sees_what_no_contact_reaches) {
  World world(train(90).scene, {.device = Device::cpu(1)});
  world.step();
  // side by side as fast, and the wall farther away than a contact looks
  EXPECT_EQ(world.report().pairs, 0u);
  for (int i = 0; i < kernels::kCcdPasses; ++i)
    EXPECT_GT(world.state(world.bodies()[static_cast<std::size_t>(i) + 1]).position.z, 0) << i;
}

TEST(Ccd, balls_that_others_stop_at_different_times_overlap_by_little) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  double most = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Balls crowd;
    for (int i = 0; i < 6; ++i) {
      // to within a radius of the middle, all in the same step
      const double speed = std::pow(10, 0.8 + 1.2 * uniform(engine)), time = (2.2 + 0.6 * uniform(engine)) / 60;
      double d[3], l = 0;
      for (double& c : d) c = normal(engine), l += c * c;
      for (double& c : d) c *= speed / std::sqrt(l);
      const double aside = 0.01 * uniform(engine);
      crowd.add({aside - d[0] * time, -d[1] * time, -d[2] * time},
                {static_cast<float>(d[0]), static_cast<float>(d[1]), static_cast<float>(d[2])});
    }
    most = std::max(most, crowd.deepest(4));
  }
  EXPECT_LE(most, kCores);
}

}  // namespace
}  // namespace cairn::ccd_test
