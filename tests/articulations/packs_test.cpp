// Which worlds are beside one another changes no bit: the CPU solves four articulations of a kind in lanes, and each
// of these moves as in a World of its own.

#include "kernels/common/vec.h"
#include "tests/articulations/models.h"
#include "tests/articulations/robots.h"

namespace cairn::articulations_test::packs {
namespace {

constexpr std::uint32_t kWorlds = 19;  // two packs of eight, and three that go by themselves

/// A random tree above the ground, whose joints rub, have limits, and drives that can or can't give all.
Scene tree_scene(std::uint32_t links, std::uint64_t seed, bool floating, SolverKind solver) {
  Random random(seed);
  Articulation tree = random_tree(links, seed, floating, 0.0, 0.05);
  if (tree.links[0].joint.kind == Kind::kFixed) tree.links[0].joint.kind = Kind::kRevolute;
  for (ArticulationLink& link : tree.links) {
    link.shapes = {test::shape(Box{{0.05f, 0.05f, 0.05f}}, kernels::narrow(link.centre_of_mass))};
    ArticulationJoint& j = link.joint;
    if (j.kind == Kind::kFixed || j.kind == Kind::kFree) continue;
    if (random.below(3) == 0) j.friction = 0.5;
    if (random.below(3) == 0 && j.kind != Kind::kBall) {
      j.lower = -0.7;
      j.upper = 0.8;
      if (random.below(2) == 0) j.max_rate = 2;
    }
    if (random.below(3) == 0) j.spring_stiffness = 20;
    if (random.below(2) == 0) continue;
    j.drive_stiffness = 200;
    j.drive_damping = 5;
    if (random.below(2) == 0) j.drive_max_force = 10;
  }
  Scene scene = test::scene_of({test::plane("floor", {0, 0, 1}, -2)}, solved_by(solver));
  scene.add_articulation(tree, {});
  return scene;
}

/// What world w of a batch is given, and a World of its own.
void disturb(World& world, std::uint32_t in, std::uint32_t w, std::uint64_t seed) {
  const ArticulationHandle robot = world.articulations().list(in)[0];
  const Articulation& described = world.description(robot);
  Random random(seed * 100 + w);
  const Articulations like(described, 1);
  const State start = random_state(like, random), target = random_state(like, random);
  // every fifth turns too fast for its middle to be found
  std::vector<double> v = start.v;
  for (double& rate : v) rate = (w % 5 == 4 ? 60 : 3) * rate;
  world.set_state(robot, {start.q, v});
  world.articulations().set_forces(robot, start.force);
  world.articulations().set_targets(robot, {target.q, target.v});
  // beside three of another gravity, and without bounds beside three that have some
  if (w == 9) world.set_gravity({1, 0, -5}, in);
  if (w != 6) return;
  for (std::uint32_t i = 0; i < described.links.size(); ++i) {
    const ArticulationJointKind kind = described.links[i].joint.kind;
    if (kind == Kind::kFixed || kind == Kind::kFree) continue;
    world.articulations().set_joint(robot, i, {.kind = kind, .damping = 1});
  }
}

/// World w is of scene w % scenes, and start(world, index, w) sets it out as it likes. Returns the status of those that
/// are alone.
template <class F>
std::uint32_t expect_alike(const std::vector<Scene>& scenes, int steps, const F& start) {
  const auto scene_of = [&](std::uint32_t w) -> const Scene& { return scenes[w % scenes.size()]; };
  std::vector<Scene> all;
  for (std::uint32_t w = 0; w < kWorlds; ++w) all.push_back(scene_of(w));
  World batch(all, test::cpu(1));
  for (std::uint32_t w = 0; w < kWorlds; ++w) start(batch, w, w);
  test::run(batch, steps);
  const std::vector<std::uint64_t> hashes = batch.state_hashes();
  std::uint32_t status = 0;
  for (std::uint32_t w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(w);
    World alone(scene_of(w), test::cpu(1));
    start(alone, 0, w);
    test::run(alone, steps);
    const ArticulationState want = state_of(alone), got = batch.state(robot_of(batch, w));
    EXPECT_EQ(got.q, want.q);
    EXPECT_EQ(got.v, want.v);
    EXPECT_EQ(hashes[w], alone.state_hashes()[0]);
    status |= alone.report().status;
  }
  return status;
}
/// Each disturbed by a seed.
void expect_disturbed_alike(const std::vector<Scene>& scenes, std::uint64_t seed) {
  SCOPED_TRACE(seed);
  expect_alike(scenes, 30, [&](World& world, std::uint32_t in, std::uint32_t w) { disturb(world, in, w, seed); });
}

TEST(ArticulationPacks, robots_of_a_batch_move_as_by_themselves) {
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kSequentialImpulse, SolverKind::kXpbd}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      expect_disturbed_alike({tree_scene(1 + 2 * static_cast<std::uint32_t>(seed), seed, seed % 2 == 0, solver)}, seed);
    }
  }
}

// masses and joints make a kind, and not which links have shapes, and so are bodies
TEST(ArticulationPacks, robots_of_a_kind_may_have_other_links_among_bodies) {
  const auto table_without = [](std::size_t leg) {
    Articulation made = table(8, 0.5, {.damping = 0.2});
    made.links[leg].shapes.clear();
    Scene scene = test::scene_of({test::plane("floor", {0, 0, 1}, -2)});
    scene.add_articulation(made, {});
    return scene;
  };
  expect_disturbed_alike({table_without(1), table_without(3)}, 1);
}

// in the list of a part those of a kind follow one another, which in the World's they don't
TEST(ArticulationPacks, worlds_may_have_robots_of_several_kinds) {
  Articulation arm{.name = "arm"};
  arm.links = {
      on(block("upper", {0.05f, 0.05f, 0.2f}, 2), kWorldLink, {2, 0, 1}, {0, 0, 0.3}, kAlongY, Kind::kRevolute),
      on(block("lower", {0.05f, 0.05f, 0.2f}, 1), 0, {0, 0, -0.25}, {0, 0, 0.25}, kAlongY, Kind::kRevolute,
         {.friction = 0.1})};
  Scene scene = on_floor(table(8, 0.5, {.damping = 0.2, .drive_stiffness = 200, .drive_damping = 5}), standing(0.1));
  scene.add_articulation(arm, {{0.5, 0.3}, {}});
  arm.name = "other arm";
  arm.links[0].frame_in_parent.position.x = -2;
  scene.add_articulation(arm, {{-0.5, 0.3}, {}});
  const auto start = [](World& world, std::uint32_t in, std::uint32_t w) {
    const std::vector<ArticulationHandle> all = world.articulations().list(in);
    for (std::size_t i = 1; i < all.size(); ++i)
      world.set_state(all[i], {{0.1 * w, 0.2 * static_cast<double>(i)}, {0, 1}});
  };
  EXPECT_EQ(expect_alike({scene}, 60, start), 0u);
}

// with contacts on feet, which push by what packs leave; some legs stick or stop in a substep and others don't
TEST(ArticulationPacks, robots_that_stand_do_so_as_by_themselves) {
  constexpr ArticulationJoint kLeg{
      .damping = 0.2, .friction = 2, .lower = -0.3, .upper = 0.3, .drive_stiffness = 200, .drive_damping = 5};
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kSequentialImpulse}) {
    const Scene scene = on_floor(table(8, 0.5, kLeg), standing(0), solved_by(solver));
    const auto start = [](World& world, std::uint32_t in, std::uint32_t w) {
      ArticulationState state = standing(0.02 * (w % 3));
      state.v.assign(10, 0.0);
      for (int leg = 0; leg < 4; ++leg) state.q[7 + leg] = 0.05 * ((w + leg) % 7) - 0.1;
      world.set_state(robot_of(world, in), state);
    };
    EXPECT_EQ(expect_alike({scene}, 60, start), 0u);
  }
}

}  // namespace
}  // namespace cairn::articulations_test::packs
