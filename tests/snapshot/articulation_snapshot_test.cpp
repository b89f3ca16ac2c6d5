// Worlds with articulations go on from snapshots and recordings with the same bits, as all others do.

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "cairn/world_articulations.h"
#include "tests/articulations/robots.h"
#include "tests/snapshot/forged.h"
#include "tests/snapshot/runs.h"

namespace cairn::snapshot_test {
namespace {

using namespace testing_support;
using articulations_test::snake;

/// Snakes on each other and on boxes.
Scene heap() {
  Scene scene = scene_of({plane()});
  for (int i = 0; i < 3; ++i) {
    scene.add_articulation(snake("snake" + std::to_string(i), 5, 0.02, 1.5),
                           {{0.1 * i, 0.15 * i, 0.6 + 0.3 * i, 0, 0.65, 0, 0.76, 0.3, 0.2, 0.4, 0.1}, {}});
    scene.add_body(body("box" + std::to_string(i), Box{{0.1f, 0.1f, 0.1f}}, {0.3 * i - 0.2, 0, 1.5 + 0.3 * i}));
  }
  return scene;
}

/// Batches of several kinds, solved as the variant says; one has no articulation.
std::vector<Scene> robots(const Variant& variant) {
  std::vector<Scene> all{heap(), scene_of({plane(), box("a", {0, 0, 0.5}), box("b", {0.1, 0, 1.6})}),
                         articulations_test::tables_and_rod(), heap()};
  for (Scene& scene : all) scene.set_params(variant.change(scene.params()));
  return all;
}

TEST(RobotSnapshots, take_handles_away_where_a_world_has_fewer) {
  World world(robots(kVariants[0]), cpu());
  const ArticulationHandle gone = world.articulations().list(2)[1];
  world.restore(World(tower(2), cpu()).snapshot(), 0, 2);
  EXPECT_TRUE(world.articulations().list(2).empty());
  EXPECT_TRUE(refused(world, [&] { (void)world.state(gone); }, {"stale"}));
  run(world, 3);
  EXPECT_EQ(world.report().status, 0u);
}

TEST(RobotSnapshots, whose_parts_do_not_fit_together_are_refused) {
  using snapshot::Image;
  World world(std::vector<Scene>{articulations_test::tables_and_rod(), scene_of({plane()}),
                                 articulations_test::tables_and_rod()},
              cpu());
  run(world, 20);
  const auto description = [](void (*change)(SceneArticulation&)) {
    return [change](Image& i) {
      SceneArticulation of = *i.articulations[0];
      change(of);
      i.articulations[0] = std::make_shared<const SceneArticulation>(std::move(of));
    };
  };
  // bodies of world 0: floor, base, legs, load, base, legs, arm, weight
  const std::vector<Forgery> forgeries{
      {"a coordinate too few", [](Image& i) { i.worlds[0].articulations[0].motion.q.pop_back(); }},
      {"a rate too many", [](Image& i) { i.worlds[0].articulations[0].motion.v.push_back(0); }},
      {"a force too many", [](Image& i) { i.worlds[0].articulations[0].motion.force.push_back(0); }},
      {"no target", [](Image& i) { i.worlds[0].articulations[0].motion.target.clear(); }},
      {"no rate to go to", [](Image& i) { i.worlds[0].articulations[0].motion.target_rate.clear(); }},
      {"coordinates of nothing", [](Image& i) { i.worlds[0].articulations[2].of = kernels::kNone; }},
      {"what isn't there", [](Image& i) { i.worlds[0].articulations[0].of = 77; }},
      {"one twice", [](Image& i) { i.worlds[0].articulations[1] = i.worlds[0].articulations[0]; }},
      {"a slot twice", [](Image& i) { i.worlds[0].articulations[1].slot = 0; }},
      {"a slot past the end", [](Image& i) { i.worlds[0].articulations[1].slot = 99; }},
      {"what no world has", [](Image& i) { i.articulations.push_back(i.articulations[0]); }},
      {"a slot of nobody's", [](Image& i) { i.worlds[1].articulations = i.worlds[0].articulations; }},
      {"flags of no link", [](Image& i) { i.body_columns.view().flags[1] &= ~std::uint32_t{kernels::kBodyLink}; }},
      {"flags of a link", [](Image& i) { i.body_columns.view().flags[6] |= kernels::kBodyLink; }},
      {"a link that sleeps alone", [](Image& i) { i.body_columns.view().flags[2] |= kernels::kBodyAsleep; }},
      {"a link with scales out of range", [](Image& i) { i.bodies[1].scales.mass = -2; }},
      {"a link too light",
       [](Image& i) {
         i.bodies[1].mass.moments = {1e-34, 1e-34, 1e-34};
         i.bodies[1].scales.inertia = 1e-6f;
       }},
      {"joints of other numbers", [](Image& i) { i.worlds[0].articulations[0].motion.joint.pop_back(); }},
      {"a damping below 0", [](Image& i) { i.worlds[0].articulations[0].motion.joint[1] = -1; }},
      {"an armature of NaN", [](Image& i) { i.worlds[0].articulations[0].motion.joint[0] = 0.0 / 0.0; }},
      {"bounds that nobody noted", [](Image& i) { i.worlds[0].articulations[0].motion.joint.back() = 3; }},
      {"no links", description([](SceneArticulation& of) { of.description.links.clear(); })},
      {"a link of no mass", description([](SceneArticulation& of) { of.description.links[1].mass = 0; })},
      {"a parent that comes later", description([](SceneArticulation& of) { of.description.links[1].parent = 3; })},
      {"a joint of no kind", description([](SceneArticulation& of) {
         of.description.links[1].joint.kind = static_cast<ArticulationJointKind>(9);
       })},
      {"a start of NaN", description([](SceneArticulation& of) { of.start.q[0] = 0.0 / 0.0; })},
      {"a start too short", description([](SceneArticulation& of) { of.start.v.clear(); })},
      {"a link too few", description([](SceneArticulation& of) { of.bodies.pop_back(); })},
      {"a body that isn't there", description([](SceneArticulation& of) { of.bodies[0] = 99; })},
      {"the floor as a link", description([](SceneArticulation& of) { of.bodies[0] = 0; })},
      {"another's link", description([](SceneArticulation& of) { of.bodies[0] = 7; })},
      {"a body twice", description([](SceneArticulation& of) { of.bodies[0] = of.bodies[1]; })},
      {"a link less", description([](SceneArticulation& of) { of.bodies[0] = kNoLinkBody; })},
      {"no body", description([](SceneArticulation& of) { std::ranges::fill(of.bodies, kNoLinkBody); })},
  };
  expect_refused(world.snapshot(), forgeries);
}

// what the fuzzer does at length: whatever stands in the sections, it is refused, or a World that steps
TEST(RobotSnapshots, whose_bytes_are_changed_are_refused_or_can_be_stepped) {
  World world(std::vector<Scene>{articulations_test::tables_and_rod(), heap()}, cpu());
  run(world, 3);
  const auto sections = unpacked(world.snapshot().to_bytes());
  std::mt19937 random(17);
  int taken = 0;
  for (int i = 0; i < 1500; ++i) {
    std::vector<std::string> changed = sections;
    // the second has the articulations
    std::string& section = changed[random() % 4 == 0 ? random() % snapshot::kSections : 1];
    for (std::uint32_t n = 1 + random() % 3; n != 0; --n) {
      section[random() % section.size()] = static_cast<char>(random() % 3 == 0 ? 0xff : random() % 256);
    }
    try {
      const Snapshot read = Snapshot::from_bytes(file::pack(snapshot::kKind, changed), "the bytes");
      ++taken;
      World other(read, cpu());
      ASSERT_EQ(other.snapshot().to_bytes(), read.to_bytes()) << i;
      run(other, 2);
      (void)through_bytes(other.snapshot());
      other.restore(other.snapshot(0), 0, other.world_count() - 1);
      other.reset(0);
      other.step();
    } catch (const SnapshotError& error) {
      ASSERT_TRUE(std::string_view(error.what()).starts_with("the bytes")) << error.what();
    }
  }
  EXPECT_GT(taken, 100);
}

}  // namespace
}  // namespace cairn::snapshot_test
