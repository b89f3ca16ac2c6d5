// Worlds with articulations go on from snapshots and recordings with the same bits, as all others do.

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "src/file/container.h"
#include "src/snapshot/image.h"
#include "tests/articulations/robots.h"
#include "tests/snapshot/runs.h"

namespace cairn {
namespace {

using namespace testing_support;
using articulations_test::snake;
using articulations_test::standing;
using articulations_test::table;

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

/// Two tables on driven legs that can't give all, one with a box on it, beside a rod that hangs from the world and that
/// a weight hangs from.
Scene tables() {
  Scene scene = scene_of({plane()});
  Articulation one = table(10, 0.5, {.drive_stiffness = 200, .drive_damping = 5, .drive_max_force = 9});
  scene.add_articulation(one, standing(0.01));
  scene.add_body(body("load", Box{{0.1f, 0.1f, 0.1f}}, {0.02, 0, 0.65}));
  one.name = "other";
  scene.add_articulation(one, {{3, 0, 0.45, 0, 0, 0, 1, 0.1, 0, 0, 0.1}, {}});
  Articulation rod{.name = "rod"};
  rod.links.push_back(articulations_test::on(articulations_test::block("arm", {0.2f, 0.02f, 0.02f}, 1), kWorldLink,
                                             {-2, 0, 1}, {-0.2, 0, 0}, articulations_test::kAlongY,
                                             ArticulationJointKind::kRevolute));
  scene.add_articulation(rod, {{0}, {1}});
  const auto arm = static_cast<std::uint32_t>(scene.bodies().size() - 1);
  const std::uint32_t weight = scene.add_body(body("weight", Box{{0.05f, 0.05f, 0.05f}}, {-1.6, 0, 0.8}));
  scene.add_joint({.name = "rope",
                   .body_a = arm,
                   .body_b = weight,
                   .frame_a = {{0.2, 0, 0}, {}},
                   .frame_b = {{0, 0, 0.2}, {}},
                   .kind = BallJoint{}});
  return scene;
}

/// Batches of several kinds, solved as the variant says; one has no articulation.
std::vector<Scene> robots(const Variant& variant) {
  std::vector<Scene> all{heap(), scene_of({plane(), box("a", {0, 0, 0.5}), box("b", {0.1, 0, 1.6})}), tables(), heap()};
  for (Scene& scene : all) scene.set_params(variant.change(scene.params()));
  return all;
}

/// Which solvers have articulations.
bool has_articulations(const Variant& variant) {
  return std::string_view(variant.name) != "jacobi" && !std::string_view(variant.name).starts_with("avbd");
}
std::vector<Variant> variants() {
  std::vector<Variant> all;
  std::ranges::copy_if(kVariants, std::back_inserter(all), has_articulations);
  return all;
}

std::vector<ArticulationState> joints_of(const World& world) {
  std::vector<ArticulationState> all;
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    for (const ArticulationHandle h : world.articulations(w)) all.push_back(world.state(h));
  }
  return all;
}

/// Pushes joints and moves what drives go to, each articulation by its number in its world.
void drive(World& world, double by) {
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    double k = by;
    for (const ArticulationHandle h : world.articulations(w)) {
      const ArticulationState there = world.state(h);
      std::vector<double> forces(there.v.size(), 0.1 * k);
      world.set_forces(h, forces);
      ArticulationState to{there.q, std::vector<double>(there.v.size(), 0.05)};
      to.q.back() = 0.1 * k;
      world.set_targets(h, to);
      k += by;
    }
  }
}

class Robots : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Robots, testing::ValuesIn(variants()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(Robots, of_a_batch_go_on_bit_for_bit_here_and_elsewhere) {
  World world(robots(GetParam()), traced(2));
  drive(world, 1);
  steps_of(world, kBefore);
  const Snapshot taken = world.snapshot();
  const std::vector<ArticulationState> then = joints_of(world);
  const std::vector<Told> wanted = steps_of(world, kAfter);
  const std::vector<ArticulationState> end = joints_of(world);

  world.restore(taken);
  EXPECT_EQ(joints_of(world), then);
  EXPECT_EQ(steps_of(world, kAfter), wanted) << "into the same World";
  EXPECT_EQ(joints_of(world), end);
  for (const int threads : {1, 3}) {
    World other(through_bytes(taken), traced(threads));
    EXPECT_EQ(joints_of(other), then);
    EXPECT_EQ(other.snapshot().to_bytes(), taken.to_bytes());
    EXPECT_EQ(steps_of(other, kAfter), wanted) << "into a new World of " << threads << " threads";
    EXPECT_EQ(joints_of(other), end);
  }
  World unlike(tower(3), traced());
  unlike.step();
  unlike.restore(taken);
  EXPECT_EQ(steps_of(unlike, kAfter), wanted) << "into a World without articulations";
  unlike.restore(World(tower(3), cpu()).snapshot());
  EXPECT_TRUE(unlike.articulations().empty());
  unlike.step();
}

TEST_P(Robots, of_one_world_go_on_in_any_place_of_any_batch) {
  const std::vector<Scene> scenes = robots(GetParam());
  World world(scenes, cpu());
  drive(world, 1);
  run(world, kBefore);
  std::vector<Snapshot> taken;
  for (std::uint32_t w = 0; w < world.world_count(); ++w) taken.push_back(through_bytes(world.snapshot(w)));
  run(world, kAfter);
  const std::vector<std::uint64_t> wanted = world.state_hashes();
  std::vector<std::vector<ArticulationState>> joints;
  for (std::uint32_t w = 0; w < wanted.size(); ++w) {
    World alone(taken[w], cpu());
    run(alone, kAfter);
    EXPECT_EQ(alone.state_hash(), wanted[w]) << w;
    joints.push_back(joints_of(alone));
  }
  World batch(scenes, cpu());
  drive(batch, -2);
  run(batch, 3);
  for (std::uint32_t w = 0; w < wanted.size(); ++w) batch.restore(taken[w], 0, (w + 2) % 4);
  for (std::uint32_t w = 0; w < wanted.size(); ++w) {
    EXPECT_EQ(batch.articulations((w + 2) % 4).size(), scenes[w].articulations().size());
  }
  // what comes out of slots that were given up goes on too
  World again(through_bytes(batch.snapshot()), cpu());
  for (World* of : {&batch, &again}) {
    run(*of, kAfter);
    const std::vector<std::uint64_t> got = of->state_hashes();
    for (std::uint32_t w = 0; w < wanted.size(); ++w) {
      EXPECT_EQ(got[(w + 2) % 4], wanted[w]) << w;
      std::vector<ArticulationState> there;
      for (const ArticulationHandle h : of->articulations((w + 2) % 4)) there.push_back(of->state(h));
      EXPECT_EQ(there, joints[w]) << w;
    }
  }
}

TEST_P(Robots, of_one_world_into_many_leave_the_others_alone) {
  const std::vector<Scene> scenes = robots(GetParam());
  World world(scenes, cpu());
  run(world, kBefore);
  const Snapshot snakes = world.snapshot(0);
  run(world, kAfter);
  const std::vector<std::uint64_t> wanted = world.state_hashes();
  World copies = World::copies(snakes, 5, cpu(2));
  run(copies, kAfter);
  for (const std::uint64_t hash : copies.state_hashes()) EXPECT_EQ(hash, wanted[0]);
  World batch(scenes, cpu());
  run(batch, kBefore);
  const ArticulationHandle gone = batch.articulations(2)[2];
  batch.restore(snakes, 0, std::vector<std::uint8_t>{0, 1, 0, 1});
  EXPECT_EQ(batch.description(gone).name, "rod");
  run(batch, kAfter);
  EXPECT_EQ(batch.state_hashes(), (std::vector<std::uint64_t>{wanted[0], wanted[0], wanted[2], wanted[0]}));
  // resets lead to where the scene put them
  batch.reset(1);
  World fresh(scenes[0], cpu());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(batch.state(batch.articulations(1)[i]), fresh.state(fresh.articulations()[i]));
  }
}

TEST(RobotSnapshots, take_handles_away_where_a_world_has_fewer) {
  World world(robots(kVariants[0]), cpu());
  const ArticulationHandle gone = world.articulations(2)[1];
  world.restore(World(tower(2), cpu()).snapshot(), 0, 2);
  EXPECT_TRUE(world.articulations(2).empty());
  EXPECT_TRUE(refused(world, [&] { (void)world.state(gone); }, {"stale"}));
  run(world, 3);
  EXPECT_EQ(world.report().status, 0u);
}

TEST_P(Robots, in_a_recording_are_driven_again_with_the_same_bits) {
  World world(robots(GetParam()), cpu(2));
  run(world, 5);
  world.start_recording();
  const Snapshot mark = world.snapshot(2);
  for (int i = 0; i < 60; ++i) {
    if (i % 20 == 0) drive(world, 0.5 + i);
    if (i == 25) world.restore(mark, 0, 1);
    if (i == 35) world.reset(0);
    if (i == 40) {
      const ArticulationHandle snake = world.articulations(3)[1];
      ArticulationState state = world.state(snake);
      state.q[2] += 0.5;
      state.v[3] = 1;
      world.set_state(snake, state);
    }
    world.step();
  }
  const Recording made = Recording::from_bytes(world.stop_recording().to_bytes(), "bytes");
  for (const int threads : {1, 3}) {
    const Replay again = replay(made, cpu(threads));
    EXPECT_FALSE(again.difference) << "step " << again.difference->step;
    EXPECT_EQ(again.hash, world.state_hash());
  }
}

TEST(RobotSnapshots, whose_parts_do_not_fit_together_are_refused) {
  using snapshot::ArticulationPart;
  using snapshot::Image;
  World world(std::vector<Scene>{tables(), scene_of({plane()}), tables()}, cpu());
  run(world, 20);
  const std::string bytes = world.snapshot().to_bytes();
  const auto sections = file::unpack(snapshot::kKind, snapshot::kSections, file::input_of(bytes), "", 1 << 24);
  const auto description = [](Image& i, const std::function<void(SceneArticulation&)>& change) {
    SceneArticulation of = *i.articulations[0];
    change(of);
    i.articulations[0] = std::make_shared<const SceneArticulation>(std::move(of));
  };
  // bodies of world 0: floor, base, legs, load, base, legs, arm, weight
  const std::vector<std::pair<const char*, std::function<void(Image&)>>> forgeries{
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
      {"a link with scales", [](Image& i) { i.bodies[1].scales.mass = 2; }},
      {"a world with scales", [](Image& i) { i.world_columns.view().scales[0].size = 2; }},
      {"a world of other weight", [](Image& i) { i.world_columns.view().scales[0].mass = 2; }},
      {"no links", [&](Image& i) { description(i, [](SceneArticulation& of) { of.description.links.clear(); }); }},
      {"a link of no mass",
       [&](Image& i) { description(i, [](SceneArticulation& of) { of.description.links[1].mass = 0; }); }},
      {"a parent that comes later",
       [&](Image& i) { description(i, [](SceneArticulation& of) { of.description.links[1].parent = 3; }); }},
      {"a joint of no kind",
       [&](Image& i) {
         description(i, [](SceneArticulation& of) {
           of.description.links[1].joint.kind = static_cast<ArticulationJointKind>(9);
         });
       }},
      {"a start of NaN", [&](Image& i) { description(i, [](SceneArticulation& of) { of.start.q[0] = 0.0 / 0.0; }); }},
      {"a start too short", [&](Image& i) { description(i, [](SceneArticulation& of) { of.start.v.clear(); }); }},
      {"a link too few", [&](Image& i) { description(i, [](SceneArticulation& of) { of.bodies.pop_back(); }); }},
      {"a body that isn't there", [&](Image& i) { description(i, [](SceneArticulation& of) { of.bodies[0] = 99; }); }},
      {"the floor as a link", [&](Image& i) { description(i, [](SceneArticulation& of) { of.bodies[0] = 0; }); }},
      {"another's link", [&](Image& i) { description(i, [](SceneArticulation& of) { of.bodies[0] = 7; }); }},
      {"a body twice", [&](Image& i) { description(i, [](SceneArticulation& of) { of.bodies[0] = of.bodies[1]; }); }},
      {"a link less", [&](Image& i) { description(i, [](SceneArticulation& of) { of.bodies[0] = kNoLinkBody; }); }},
      {"no body",
       [&](Image& i) { description(i, [](SceneArticulation& of) { std::ranges::fill(of.bodies, kNoLinkBody); }); }},
  };
  const auto reads = [](const Image& image) {
    try {
      Snapshot::from_bytes(file::pack(snapshot::kKind, snapshot::sections_of(image)), "the bytes");
    } catch (const SnapshotError&) {
      return false;
    }
    return true;
  };
  EXPECT_TRUE(reads(snapshot::image_of(sections, "")));
  for (const auto& [what, forge] : forgeries) {
    Image image = snapshot::image_of(sections, "the image");
    forge(image);
    EXPECT_FALSE(reads(image)) << what;
  }
}

// what the fuzzer does at length: whatever stands in the sections, it is refused, or a World that steps
TEST(RobotSnapshots, whose_bytes_are_changed_are_refused_or_can_be_stepped) {
  World world(std::vector<Scene>{tables(), heap()}, cpu());
  run(world, 3);
  const auto sections =
      file::unpack(snapshot::kKind, snapshot::kSections, file::input_of(world.snapshot().to_bytes()), "", 1 << 24);
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
}  // namespace cairn
