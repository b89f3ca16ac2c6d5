// One answer: the hash of the state is a function of scene, parameters and version alone. Golden values are in
// golden.json beside this file; after a change that moves the bits on purpose, raise kNumericsVersion and write them
// again:
//   CAIRN_GOLDEN=write cairn_test_determinism --gtest_filter='DeterminismGolden*'

#include <functional>

#include "tests/support/float_mode.h"
#include "tests/support/golden.h"
#include "tests/support/golden_file.h"

namespace cairn::determinism_test {
namespace {

using namespace testing_support;
using testing_support::shape;  // not the namespace

// small scenes fit into one chunk of a thread's work; here every stage, and the sweep of every large colour, is shared
// out
TEST(DeterminismOrder, a_scene_that_all_threads_share_is_the_same_on_any_number_of_them) {
  for (const Variant& variant : kVariants) {
    const auto wanted = hashes("lattice:n=8", variant, 1, 10);
    for (const int threads : {2, 3, 5})
      EXPECT_EQ(hashes("lattice:n=8", variant, threads, 10), wanted) << variant.name << ", " << threads << " threads";
  }
}

TEST(DeterminismOrder, the_sleeping_runs_do_sleep) {
  World world = world_of(scenes::make("tower:height=8", kSeed), kVariants[1], cpu());
  run(world, kSteps);
  EXPECT_EQ(world.report().asleep, 8u);
}

TEST(DeterminismGolden, hashes_are_the_golden_ones) {
  nlohmann::ordered_json got;
  got["numerics_version"] = kNumericsVersion;
  got["steps"] = kSteps;
  got["seed"] = kSeed;
  for (const char* spec : all_specs()) {
    auto& of_spec = got["hashes"][spec];
    for (const Variant& variant : variants_of(spec)) of_spec[variant.name] = hashes(spec, variant, 1).back();
  }
  const auto found = golden("determinism/golden.json", got);
  if (!found) GTEST_SKIP() << "written";
  const nlohmann::ordered_json& wanted = *found;
  EXPECT_EQ(wanted.at("numerics_version"), kNumericsVersion)
      << "write the golden hashes again, in the commit that raised the version";
  for (const char* spec : all_specs()) {
    for (const Variant& variant : variants_of(spec)) {
      EXPECT_EQ(got["hashes"][spec][variant.name], wanted.at("hashes").at(spec).at(variant.name))
          << spec << ", " << variant.name;
    }
  }
}

TEST(DeterminismOrder, worlds_side_by_side_do_not_disturb_each_other) {
  const Scene scene = scenes::make("pile:count=60", kSeed);
  World alone(scene, cpu(1));
  run(alone, 60);
  World a(scene, cpu(1)), b(scenes::make("rain:count=40", 2), cpu(2)), c(scene, cpu(3));
  for (int i = 0; i < 60; ++i) {
    a.step();
    b.step();
    c.step();
    // reading changes nothing
    (void)b.contacts();
    (void)c.report();
    (void)states(a);
  }
  EXPECT_EQ(a.state_hash(), alone.state_hash());
  EXPECT_EQ(c.state_hash(), alone.state_hash());
}

TEST(DeterminismOrder, a_caller_that_changed_its_floating_point_mode_gets_the_same_bits) {
  const Scene scene = scenes::make("pile:count=60", kSeed);
  const std::string text = scene_to_json(scene);
  // its centre of mass is elsewhere than its origin; and what of it is subnormal as a float is flushed, too
  Body late = ball("late", {0.1, 0.3, 9});
  late.shapes.push_back(testing_support::shape(Box{}, {0.3f, 0.1f, 0.2f}));
  late.orientation = {0.1f, 0.2f, 0.3f, 0.9f};
  late.linear_velocity.y = 1e-41f;
  using Call = std::function<void(World&)>;
  const auto last = [](const World& world) { return world.bodies().back(); };
  const std::pair<const char*, Call> calls[] = {
      {"step", [](World& world) { run(world, 20); }},
      {"add_body", [&](World& world) { world.add_body(late); }},
      {"set_pose",
       [](World& world) {
         world.set_pose(world.bodies()[3], {1e-41, 0.3, 12.1}, {0.2f, 0.1f, 0, 0.9f});
       }},
      {"set_pose of two shapes",
       [&](World& world) {
         world.set_pose(last(world), {0.1, 0.7, 9}, {0.3f, 0, 0, 1});
       }},
      {"set_mass", [&](World& world) { world.set_mass(last(world), 777.7f); }},
      {"set_body_material", [&](World& world) { world.set_material(world.bodies()[5], 0); }},
      {"set_type", [&](World& world) { world.set_type(last(world), BodyType::kKinematic); }},
      {"write_states", [](World& world) { world.write_states(states(world)); }},
      {"add_force_at, step", [](World& world) {
         world.add_force(world.bodies()[4], {10, 2000, 0.1f}, {0.3, 0.2, 0.7});
         world.step();
       }}};
  for (const FloatMode mode : float_modes()) {
    // one thread, the caller's: others are the library's own
    World plain(scene, cpu());
    std::optional<World> changed;
    in_mode(mode, [&] { changed.emplace(parse_scene(text, "text"), cpu()); });
    ASSERT_EQ(changed->state_hash(), plain.state_hash()) << "a world made " << name_of(mode);
    for (const auto& [name, call] : calls) {
      call(plain);
      in_mode(mode, [&, &make = call] { make(*changed); });
      ASSERT_EQ(changed->state_hash(), plain.state_hash()) << name << ", " << name_of(mode);
    }
    // what a call changed that is no part of the state shows in the next step
    for (World* world : {&plain, &*changed}) run(*world, 20);
    EXPECT_EQ(changed->state_hash(), plain.state_hash()) << name_of(mode);
  }
}

TEST(DeterminismOrder, the_hash_tells_bodies_slots_and_single_bits_apart) {
  World a(tower(3), cpu()), b(tower(3), cpu());
  EXPECT_EQ(a.state_hash(), b.state_hash());
  const BodyHandle last = b.bodies()[3];
  const Vec3d x = b.state(last).position;
  // half an ulp of the low part of a position near 1: 2^-24 * 2^-24
  b.set_pose(last, {x.x, x.y, x.z + 0x1p-47}, b.state(last).orientation);
  EXPECT_NE(a.state_hash(), b.state_hash());
  b.set_pose(last, x, b.state(last).orientation);
  EXPECT_EQ(a.state_hash(), b.state_hash());
  a.remove_body(a.bodies()[3]);
  EXPECT_NE(a.state_hash(), b.state_hash());
}

}  // namespace
}  // namespace cairn::determinism_test
