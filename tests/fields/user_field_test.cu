// A field of a user's that was compiled by nvcc runs on both processors, and gives the same bits.

#include "tests/fields/systems.h"
#include "tests/fields/user_field.h"

namespace cairn::fields_test {
namespace {

std::uint64_t hash_on(const Device& device) {
  ParticleStates s;
  for (int i = 0; i < 300; ++i) s.position.push_back({0.01 * i, 1, 4 - 0.002 * i});
  ParticleSystem system(s, device);
  const IntegrationReport report = fall_and_swirl(system);
  EXPECT_EQ(report.stop, Stop::kEvent);
  for (const Integrator method : kIntegrators) {
    EXPECT_EQ(system.integrate(system.time() + 0.1, 0.01, method).stop, Stop::kTime);
  }
  return system.state_hash();
}

TEST(UserField, that_nvcc_compiled_gives_the_same_bits_on_a_Gpu) {
  const Device device = Device::best();
  if (device.kind != Device::Kind::kCuda) GTEST_SKIP() << "skipped: no CUDA device";
  EXPECT_EQ(hash_on(device), hash_on(Device::cpu(2)));
}

std::uint64_t blown_on(const Device& device) {
  Scene scene;
  for (int i = 0; i < 300; ++i) {
    scene.add_body({.name = "ball" + std::to_string(i),
                    .position = {0.2 * (i % 20), 0.2 * (i / 20), 1 + 0.01 * i},
                    .shapes = {{.geometry = Sphere{0.05f}}},
                    .density = 1000.0f});
  }
  World world = World::copies(scene, 2, {.device = device});
  BodyFields fields(world);
  for (const fields::Any& field : std::initializer_list<fields::Any>{
           fields::CurlNoise{.rate = 2}, fields::PairGravity{.constant = 1e-3, .softening = 0.1, .tree_above = 100},
           fields::Boids{.radius = 0.5, .separation_radius = 0.2}}) {
    fields.add(field);
  }
  for (int i = 0; i < 10; ++i) {
    fields.apply();
    world.step();
  }
  blow(world, 20);
  return world.state_hash();
}

TEST(UserField, that_nvcc_compiled_pushes_bodies_with_the_same_bits_on_a_Gpu) {
  const Device device = Device::best();
  if (device.kind != Device::Kind::kCuda) GTEST_SKIP() << "skipped: no CUDA device";
  EXPECT_EQ(blown_on(device), blown_on(Device::cpu(2)));
}

TEST(UserField, that_nvcc_compiled_runs_on_the_cpu) { EXPECT_EQ(hash_on(Device::cpu(1)), hash_on(Device::cpu(3))); }

}  // namespace
}  // namespace cairn::fields_test
