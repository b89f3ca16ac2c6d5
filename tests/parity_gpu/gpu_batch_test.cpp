// Batches: the same bits on CPU and CUDA, world by world, through resets, overflows and a world that breaks.

#include "cairn/world_scales.h"
#include "tests/parity_gpu/parity.h"
#include "tests/support/golden.h"

namespace cairn::parity {
namespace {

using testing_support::specs_of;

class GpuBatch : public GpuParity, public testing::WithParamInterface<Variant> {
 protected:
  static std::vector<Scene> make_scenes() {
    std::vector<Scene> all;
    for (const char* spec : specs_of(GetParam())) {
      Scene from = scenes::make(spec, all.size() + 1), scene;
      scene.set_params(GetParam().change(StepParams{}));
      scene.set_gravity({0.1f * static_cast<float>(all.size()), 0, -9.81f});
      for (const Material& material : from.materials()) scene.add_material(material);
      for (const Body& body : from.bodies()) scene.add_body(body);
      for (const Joint& joint : from.joints()) scene.add_joint(joint);
      for (const BodyPair& pair : from.ignored()) scene.ignore(pair.a, pair.b);
      all.push_back(std::move(scene));
    }
    return all;
  }
};

TEST_P(GpuBatch, worlds_end_in_the_same_bits_through_resets_and_a_world_that_breaks) {
  const std::vector<Scene> all = make_scenes();
  World cpu(all, on(Device::cpu())), cuda(all, on(gpu));
  for (World* world : {&cpu, &cuda}) {
    for (std::uint32_t step = 0; step < 120; ++step) {
      std::vector<std::uint8_t> chosen(all.size());
      for (std::uint32_t w = 0; w < chosen.size(); ++w) chosen[w] = step < 90 && (step * 7 + w) % 23 == 0;
      world->reset(chosen);
      if (step == 100) world->add_force(world->bodies(3)[1], {3e10f, 0, 0});
      world->step();
    }
  }
  EXPECT_EQ(cuda.state_hashes(), cpu.state_hashes());
  for (std::uint32_t w = 0; w < all.size(); ++w) {
    EXPECT_EQ(cuda.report(w).status, cpu.report(w).status) << w;
    EXPECT_EQ(cuda.report(w).steps, cpu.report(w).steps) << w;
    EXPECT_EQ(cuda.report(w).first_bad, cpu.report(w).first_bad) << w;
  }
  EXPECT_NE(cuda.report(3).status, 0u);
}

TEST_P(GpuBatch, steps_in_flight_that_overflow_are_taken_again_with_the_resets_and_draws_between_them) {
  const std::vector<Scene> all = make_scenes();
  WorldOptions small = on(gpu);
  small.capacity.pairs = 8;
  World cpu(all, on(Device::cpu())), cuda(all, small);
  for (World* world : {&cpu, &cuda}) {
    run(*world, 10);
    world->reset(1);
    world->scales().set_seed(5, 2);
    for (int i = 0; i < 30; ++i) {
      std::vector<std::uint8_t> chosen(all.size());
      for (std::size_t w = 0; w < chosen.size(); ++w) chosen[w] = (static_cast<std::size_t>(i) + w) % 11 == 0;
      world->reset(chosen);
      world->scales().randomise(chosen, {.size = {0.9f, 1},
                                         .mass = {0.5f, 2},
                                         .friction = {0.5f, 1},
                                         .body_mass = {1, 1.5f},
                                         .position = {0.1f, 0.1f, 0.1f},
                                         .angular_velocity = {1, 1, 1}});
      world->step();
    }
  }
  EXPECT_EQ(cuda.state_hashes(), cpu.state_hashes());
}

TEST_P(GpuBatch, parts_of_any_size_give_the_bits_of_none) {
  const std::vector<Scene> all = make_scenes();
  const auto hashes = [&](WorldOptions options, const Tuning& tuning) {
    options.tuning = tuning;
    World world(all, options);
    run(world, 60);
    return world.state_hashes();
  };
  const auto wanted = hashes(on(Device::cpu()), {.small_world = 0});
  for (const Tuning& tuning : {Tuning{0, 0}, Tuning{128, 0}, Tuning{128, 1}, Tuning{40, 400}, Tuning{100000, 0}}) {
    EXPECT_EQ(hashes(on(gpu), tuning), wanted) << tuning.small_world << ", " << tuning.part_bodies;
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, GpuBatch, testing::ValuesIn(kVariants),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace cairn::parity
