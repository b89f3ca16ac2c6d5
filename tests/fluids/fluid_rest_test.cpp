// Fluids at rest against hydrostatics: pressure by depth, the forces on walls, density, and how deep a box floats.

#include <algorithm>
#include <cmath>

#include "tests/fluids/tanks.h"
#include "tests/support/long_run.h"

namespace cairn::fluids_test {
namespace {

/// Means over a time at rest.
struct Rest {
  std::vector<double> height, pressure, density;  ///< [m], [Pa], [kg/m^3] (particles)
  double box{0};                                  ///< [m] height of the body before the fluid
  std::vector<Vec3d> force;                       ///< [N] (joints)
};

Rest rest_of(World& world, double seconds) {
  const ParticlesHandle water = world.particles().list()[0];
  const std::vector<BodyHandle> bodies = world.bodies(water);
  const std::vector<JointHandle> joints = world.joints();
  const std::size_t n = bodies.size();
  const BodyHandle box = world.bodies()[world.bodies().size() - n - 1];
  const std::vector<double> none(n);
  Rest mean{none, none, none, 0, std::vector<Vec3d>(joints.size())};
  const int steps = test::steps_in(world, seconds);
  for (int step = 0; step < steps; ++step) {
    world.step();
    const std::vector<float> pressure = world.particles().pressures(water),
                             density = world.particles().densities(water);
    for (std::size_t i = 0; i < n; ++i) {
      mean.height[i] += world.state(bodies[i]).position.z / steps;
      mean.pressure[i] += double{pressure[i]} / steps;
      mean.density[i] += double{density[i]} / steps;
    }
    mean.box += world.state(box).position.z / steps;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Vec3 f = world.state(joints[j]).force;
      mean.force[j] = {mean.force[j].x + double{f.x} / steps, mean.force[j].y + double{f.y} / steps,
                       mean.force[j].z + double{f.z} / steps};
    }
  }
  return mean;
}

/// The line through the pressures of particles that are deeper than 1.5 spacings.
struct Line {
  double slope;    ///< [Pa/m] by height
  double surface;  ///< [m] where it is 0
};
Line line_of(const Rest& rest, double level) {
  double n = 0, z = 0, p = 0, zz = 0, zp = 0;
  for (std::size_t i = 0; i < rest.height.size(); ++i) {
    if (level - rest.height[i] < 1.5 * kSpacing) continue;
    n += 1;
    z += rest.height[i];
    p += rest.pressure[i];
    zz += rest.height[i] * rest.height[i];
    zp += rest.height[i] * rest.pressure[i];
  }
  const double slope = (n * zp - z * p) / (n * zz - z * z);
  return {slope, (z - p / slope) / n};
}

constexpr int kSide = 10, kDeep = 10;
constexpr double kWidth = kSide * kSpacing, kLevel = kDeep * kSpacing;  ///< [m]

// Water 10 spacings deep: pressure rises by rho g with depth, and hardly anything is denser than at rest.
TEST(FluidAtRest, presses_as_deep_as_it_is) {
  Scene scene;
  add_tank(scene, kWidth, kWidth);
  scene.add_particles(block(kSide, kSide, kDeep));
  World world(scene, test::cpu(2));
  run(world, 2);
  const Rest rest = rest_of(world, 1);
  EXPECT_EQ(world.report().status, 0u);
  const Line line = line_of(rest, kLevel);
  EXPECT_NEAR(-line.slope, 1000 * kG, 0.03 * 1000 * kG);
  EXPECT_NEAR(line.surface, kLevel, 0.03 * kLevel);
  // each layer's mean against its own depth, but for the top three, which pack closer
  const auto ratio = [&](double from, double to) {
    double pressure = 0, want = 0;
    for (std::size_t i = 0; i < rest.height.size(); ++i) {
      if (rest.height[i] < from * kSpacing || rest.height[i] >= to * kSpacing) continue;
      pressure += rest.pressure[i];
      want += 1000 * kG * (kLevel - rest.height[i]);
    }
    return pressure / want;
  };
  for (int layer = 0; layer < kDeep - 3; ++layer) EXPECT_NEAR(ratio(layer, layer + 1), 1, 0.03) << "layer " << layer;
  double off = 0, deep = 0, crowded = 0;
  for (std::size_t i = 0; i < rest.height.size(); ++i) {
    crowded += std::max(rest.density[i] / 1000 - 1, 0.0) / static_cast<double>(rest.height.size());
    if (kLevel - rest.height[i] < 1.5 * kSpacing) continue;
    off += std::abs(rest.density[i] / 1000 - 1);
    deep += 1;
  }
  EXPECT_LT(off / deep, 0.02);
  EXPECT_LT(crowded, 0.02);
}

// The floor bears the weight, and a side wall rho g depth^2 / 2 by its width: both are held by joints that read it.
TEST(FluidAtRest, pushes_walls_by_its_weight) {
  Scene scene;
  const auto wall = [&](const char* name, Vec3 normal, Vec3d at) {
    return scene.add_body(test::body(name, Plane{normal, 0}, at, BodyType::kStatic));
  };
  const std::uint32_t planes[] = {wall("left", {1, 0, 0}, {0, 0, 0}), wall("front", {0, 1, 0}, {0, 0, 0}),
                                  wall("back", {0, -1, 0}, {0, kWidth, 0})};
  const std::uint32_t held[] = {
      scene.add_body(test::body("floor", Box{{0.6f, 0.6f, 0.1f}}, {0.25, 0.25, -0.1})),
      scene.add_body(test::body("right", Box{{0.1f, 0.6f, 0.6f}}, {kWidth + 0.1, 0.25, 0.6}))};
  scene.ignore(held[0], held[1]);
  for (const std::uint32_t body : held) {
    for (const std::uint32_t plane : planes) scene.ignore(plane, body);
    Joint joint{.name = scene.bodies()[body].name, .body_b = body, .kind = FixedJoint{}};
    joint.frame_a.position = scene.bodies()[body].position;
    scene.add_joint(joint);
  }
  scene.add_particles(block(kSide, kSide, kDeep));
  World world(scene, test::cpu(2));
  run(world, 1.5);
  const Rest rest = rest_of(world, 0.5);
  EXPECT_EQ(world.report().status, 0u);
  const double weight = 1000 * kG * kWidth * kWidth * kLevel, own = 1000 * kG * 8 * 0.6 * 0.6 * 0.1;
  EXPECT_NEAR(std::abs(rest.force[0].z) - own, weight, 0.01 * weight);
  const double push = 1000 * kG * kLevel * kLevel / 2 * kWidth;
  EXPECT_NEAR(std::abs(rest.force[1].x), push, 0.03 * push);
  // the water is that deep: its centre is at half of it
  double centre = 0;
  for (const double z : rest.height) centre += z / static_cast<double>(rest.height.size());
  EXPECT_NEAR(2 * centre, kLevel, 0.01 * kLevel);
}

// A vessel a few spacings wide: most of its water is next to a wall.
TEST(FluidAtRest, presses_as_deep_as_it_is_between_near_walls) {
  constexpr int kTall = 16;
  constexpr double kTop = kTall * kSpacing;
  for (const int across : {3, 4, 6}) {
    Scene scene;
    add_tank(scene, across * kSpacing, 4 * kSpacing);
    scene.add_particles(block(across, 4, kTall));
    World world(scene, test::cpu(2));
    run(world, 2);
    const Rest rest = rest_of(world, 1);
    double pressure = 0, want = 0;
    for (std::size_t i = 0; i < rest.height.size(); ++i) {
      const double depth = kTop - rest.height[i];
      if (depth < 1.5 * kSpacing) continue;
      pressure += rest.pressure[i];
      want += 1000 * kG * depth;
    }
    EXPECT_NEAR(pressure, want, 0.03 * want) << across;
    EXPECT_NEAR(-line_of(rest, kTop).slope, 1000 * kG, 0.03 * 1000 * kG) << across;
  }
}

/// A flat box afloat in a tank, in spacings: edge and height of the box, width of the tank, depth of the water.
struct Afloat {
  int edge, high, tank, water;
  double ratio;  ///< [1] of the densities
};
class Floats : public testing::TestWithParam<Afloat> {};

// Archimedes: it floats as deep as it is heavy, and stays upright, as a cube wouldn't.
TEST_P(Floats, as_deep_as_it_is_heavy) {
  const auto [edge, high, tank, water, ratio] = GetParam();
  const double across = tank * kSpacing, width = edge * kSpacing, height = high * kSpacing, top = water * kSpacing,
               draught = ratio * height;
  Scene scene;
  add_tank(scene, across, across);
  const auto half = static_cast<float>(width / 2), up = static_cast<float>(height / 2);
  Body box = test::body("box", Box{{half, half, up}}, {across / 2, across / 2, top - draught + height / 2});
  box.density = static_cast<float>(1000 * ratio);
  scene.add_body(box);
  ParticleSet set = block(tank, tank, water);
  std::erase_if(set.positions, [&](const Vec3d& x) {
    const double reach = width / 2 + 0.2 * kSpacing;
    return std::abs(x.x - box.position.x) < reach && std::abs(x.y - box.position.y) < reach &&
           x.z > top - draught - 0.2 * kSpacing;
  });
  const double volume = static_cast<double>(set.positions.size()) * kSpacing * kSpacing * kSpacing;
  scene.add_particles(set);
  World world(scene, test::cpu(2));
  run(world, 2.5);
  const Rest rest = rest_of(world, 1);
  EXPECT_EQ(world.report().status, 0u);
  // the level that water and what the box displaces come to
  const double level = (volume + width * width * draught) / (across * across);
  EXPECT_NEAR(level - (rest.box - height / 2), draught, 0.03 * draught);
  const Quat q = world.state(world.bodies()[5]).orientation;
  EXPECT_LT(std::abs(q.x) + std::abs(q.y), 0.05);
}
/// CAIRN_LONG=1 has five.
std::vector<Afloat> afloat() {
  std::vector<Afloat> all{{6, 4, 12, 7, 0.3}, {6, 4, 12, 7, 0.8}, {7, 5, 14, 9, 0.5}};
  if (test::is_long()) all.insert(all.end(), {{6, 4, 12, 7, 0.5}, {7, 5, 14, 9, 0.3}});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Boxes, Floats, testing::ValuesIn(afloat()), [](const auto& row) {
  return std::to_string(row.param.edge) + "_wide_" + std::to_string(static_cast<int>(row.param.ratio * 10)) + "_tenths";
});

}  // namespace
}  // namespace cairn::fluids_test
