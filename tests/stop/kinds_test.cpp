// Every kind of shape at a thin wall, and a crowd of fast bodies that meet in the middle.

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "cairn/cairn.h"
#include "src/quality/penetration.h"
#include "src/shape/parts.h"

namespace cairn {
namespace {

struct Kind {
  const char* name;
  Geometry geometry;
};
/// 1 cm across, or a little more.
std::vector<Kind> kinds() {
  std::vector<Vec3> points;
  for (const float x : {-1.0f, 1.0f}) {
    for (const float y : {-1.0f, 1.0f}) points.push_back({0.004f * x, 0.004f * y, -0.004f});
  }
  points.push_back({0, 0, 0.006f});
  return {{"sphere", Sphere{0.005f}},
          {"box", Box{{0.005f, 0.005f, 0.005f}}},
          {"capsule", Capsule{0.004f, 0.004f}},
          {"cylinder", Cylinder{0.005f, 0.005f}},
          {"cone", Cone{0.005f, 0.005f}},
          {"tapered_cylinder", TaperedCylinder{0.005f, 0.003f, 0.005f}},
          {"tube", Tube{0.005f, 0.003f, 0.005f}},
          {"ellipsoid", Ellipsoid{{0.006f, 0.005f, 0.003f}}},
          {"rounded_box", RoundedBox{{0.005f, 0.004f, 0.003f}, 0.001f}},
          {"hull", ConvexHull(points)}};
}

Geometry box_wall() { return Box{{5, 5, 0.0005f}}; }
Geometry mesh_wall() {
  const std::vector<Vec3> corners{{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
  const std::vector<TriangleMesh::Triangle> triangles{{0, 1, 2}, {0, 2, 3}};
  return TriangleMesh(corners, triangles);
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
  flies.fast = fast;
  s.scene.add_body(flies);
  s.down = d[2];
  return s;
}

class StopEveryKind : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, StopEveryKind, testing::ValuesIn(kinds()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(StopEveryKind, passes_no_wall_of_1_mm_at_1_to_100_m_per_s) {
  for (const Geometry& wall : {box_wall(), mesh_wall()}) {
    for (const bool fast : {false, true}) {
      std::mt19937 engine(11);
      std::vector<Scene> scenes;
      std::vector<double> down;
      for (int i = 0; i < 1000; ++i) {
        Shot s = shot(engine, wall, GetParam().geometry, fast);
        scenes.push_back(std::move(s.scene));
        down.push_back(s.down);
      }
      World world(scenes, {.device = Device::cpu(1)});
      // the slowest take 1 s for the longest way
      for (int i = 0; i < 80; ++i) world.step();
      int through = 0;
      for (std::uint32_t w = 0; w < world.world_count(); ++w)
        through += world.state(world.bodies(w)[1]).position.z * down[w] > 0 ? 1 : 0;
      EXPECT_EQ(through, 0) << (std::holds_alternative<Box>(wall) ? "box" : "mesh") << (fast ? ", fast" : "");
    }
  }
}

/// [m] The deepest overlap of any two of the bodies.
double deepest(const Scene& scene, const World& world) {
  std::vector<quality::PlacedShape> placed;
  std::vector<std::vector<shape::Part>> parts;
  double most = 0;
  for (std::uint32_t i = 0; i < scene.bodies().size(); ++i) {
    parts.push_back(shape::parts_of(scene.bodies()[i]));
    placed.push_back(quality::place(parts.back()[0].shape, world.state(world.bodies()[i])));
    for (std::uint32_t j = 0; j < i; ++j) most = std::max(most, quality::penetration(placed[j], placed[i]));
  }
  return most;
}

TEST(StopCrowd, bodies_that_others_stop_at_different_times_overlap_by_little) {
  std::normal_distribution<double> normal;
  double most = 0;
  for (int trial = 0; trial < 40; ++trial) {
    std::mt19937 engine(static_cast<unsigned>(trial));
    Scene scene;
    scene.set_gravity({0, 0, 0});
    const double speed = std::pow(10.0, std::uniform_real_distribution<double>(0.5, 2)(engine));
    for (int i = 0; i < 60; ++i) {
      double d[3], l = 0;
      for (double& c : d) c = normal(engine), l += c * c;
      for (double& c : d) c /= std::sqrt(l);
      const double r = 0.2 + 0.01 * i;
      Body body{.name = "b" + std::to_string(i), .shapes = {{.geometry = Sphere{0.01f}}}, .density = 1000.0f};
      if (trial % 2 != 0) body.shapes = {{.geometry = Box{{0.01f, 0.01f, 0.01f}}}};
      body.position = {r * d[0], r * d[1], r * d[2]};
      body.linear_velocity = {static_cast<float>(-speed * d[0]), static_cast<float>(-speed * d[1]),
                              static_cast<float>(-speed * d[2])};
      body.fast = true;
      scene.add_body(body);
    }
    World world(scene, {.device = Device::cpu(1)});
    double here = 0;
    std::string line;
    for (int i = 0; i < 40; ++i) {
      world.step();
      const double d = deepest(scene, world);
      here = std::max(here, d);
    }
    std::printf("trial %d speed %.1f deepest %.3f mm\n", trial, speed, 1e3 * here);
    most = std::max(most, here);
  }
  EXPECT_LE(most, 0.25 * 0.01);
}

}  // namespace
}  // namespace cairn
