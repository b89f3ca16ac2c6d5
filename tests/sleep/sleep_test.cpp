// Islands and sleep: against a search over the graph, and through worlds.

#include "src/sleep/sleep.inl"

#include <functional>
#include <numeric>
#include <random>

#include "src/finish/finish.inl"
#include "tests/support/builders.h"
#include "tests/support/stage_rig.h"

namespace cairn::sleep_test {
namespace {

using namespace testing_support;

/// Random bodies, manifolds and quiet times, one sleep stage, and what a search over the graph says of each body.
void expect_islands(std::uint32_t n, std::uint32_t edges, int threads, unsigned seed) {
  std::mt19937 random(seed);
  StageRig rig(threads, n, n, std::max(edges, 1u));
  kernels::Bodies& b = rig.s.bodies;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (random() % 9 == 0) rig.make_body(i, random() % 2 == 0 ? BodyType::kStatic : BodyType::kKinematic);
    rig.make_shape(i, i, kernels::ShapeKind::kSphere, {0.5f, 0, 0});
    // most are quiet, some of them for long enough
    if (kernels::is_dynamic(b.flags[i])) b.v[i] = {random() % 40 == 0 ? 1.0f : 0.001f, 0, 0};
    b.quiet_time[i] = random() % 30 == 0 ? 0.1f : 0.6f;
  }
  StageRig::poison_all(n, b.island, b.wake, b.island_flags);
  std::vector<std::uint32_t> parent(n);
  std::iota(parent.begin(), parent.end(), 0u);
  const std::function<std::uint32_t(std::uint32_t)> root = [&](std::uint32_t i) {
    return parent[i] == i ? i : parent[i] = root(parent[i]);
  };
  std::vector<bool> supported(n, false), ready(n, true), held(n, false);
  const auto dynamic = [&](std::uint32_t i) { return kernels::is_dynamic(b.flags[i]); };
  for (std::uint32_t e = 0; e < edges; ++e) {
    const std::uint32_t a = static_cast<std::uint32_t>(random()) % n,
                        c = (a + 1 + static_cast<std::uint32_t>(random()) % (n - 1)) % n;
    rig.make_pair(e, std::uint64_t{std::min(a, c)} << 32 | std::max(a, c));
    rig.s.pairs[0].manifold[e].count = random() % 5 == 0 ? 0 : 1;
    if (rig.s.pairs[0].manifold[e].count == 0) continue;
    if (!dynamic(a) || !dynamic(c)) {
      supported[dynamic(a) ? a : c] = true;
      continue;
    }
    const std::uint32_t p = root(a), q = root(c);
    parent[std::max(p, q)] = std::min(p, q);
  }
  rig.s.state->pair_count[0] = edges;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (supported[i]) held[root(i)] = true;
    if (dynamic(i) && (b.v[i].x > 0.01f || b.quiet_time[i] < 0.4f)) ready[root(i)] = false;
  }
  sleep(rig.exec, rig.s);
  for (std::uint32_t i = 0; i < n; ++i) {
    const bool asleep = (b.flags[i] & kernels::kBodyAsleep) != 0;
    // quiet for long enough, all of it, and lying on something
    ASSERT_EQ(asleep, dynamic(i) && ready[root(i)] && held[root(i)]) << "body " << i << " of " << n;
    ASSERT_TRUE(!dynamic(i) || b.island[i] == root(i)) << "the lowest slot of the island";
    ASSERT_TRUE(!asleep || b.v[i] == Vec3{});
  }
}

TEST(Sleep, islands_are_those_that_a_search_finds) {
  for (const int threads : {1, 2, 3, 5}) {
    for (const std::uint32_t n : {2u, 255u, 256u, 257u, 2000u}) {
      for (const std::uint32_t edges : {0u, n / 2, n, 4 * n})
        ASSERT_NO_FATAL_FAILURE(expect_islands(n, edges, threads, n + edges));
    }
  }
}

TEST(Sleep, a_resting_tower_sleeps_and_does_not_move_a_bit) {
  World world = slept(tower(5, with_sleeping()), 5, 180);
  const std::uint64_t hash = world.state_hash();
  const auto contacts = world.contacts();
  run(world, 100);
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(world.contacts().size(), contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    EXPECT_EQ(world.contacts()[i].points[0].impulse, contacts[i].points[0].impulse);
}

TEST(Sleep, is_off_unless_asked_for) {
  World world(tower(2), cpu());
  run(world, 180);
  EXPECT_EQ(world.report().asleep, 0u);
}

TEST(Sleep, a_woken_tower_bears_its_load_from_the_first_step_on) {
  // with the impulses that it slept with; when it fell asleep no body was faster than sleep_speed, and none is now
  World world = slept(tower(10, with_sleeping()), 10, 180);
  const auto before = states(world);
  world.wake(world.bodies()[4]);
  EXPECT_EQ(world.report().asleep, 10u) << "counted by the last step";
  for (int i = 1; i <= 20; ++i) {
    world.step();
    EXPECT_EQ(world.report().asleep, 0u);
    const auto now = states(world);
    const double allowed = double{world.params().sleep_speed} * i / 60;
    for (std::size_t j = 0; j < now.size(); ++j) ASSERT_LT(length(now[j].position - before[j].position), allowed);
  }
}

TEST(Sleep, a_pile_that_slept_while_the_step_became_shorter_wakes_without_a_jump) {
  // shorter substeps make contacts stiffer, which lifts any pile; impulses of the long ones would add 9 g h a body
  for (const int height : {10, 20}) {
    World woken = slept(tower(height, with_sleeping()), static_cast<std::uint32_t>(height), 180);
    World awake(tower(height), cpu());
    run(awake, 180);
    woken.step(1.0f / 600);
    woken.wake(woken.bodies()[1]);
    double fastest[2] = {0, 0};
    for (World* world : {&woken, &awake}) {
      world->step(1.0f / 600);
      for (const BodyState& s : states(*world))
        fastest[world == &awake] = std::max(fastest[world == &awake], double{s.linear_velocity.z});
    }
    // the one that never slept has not moved faster than the other did when it fell asleep
    EXPECT_LT(fastest[0], fastest[1] + double{woken.params().sleep_speed}) << height << " boxes";
  }
}

TEST(Sleep, the_report_counts_those_who_fall_asleep_in_this_very_step) {
  // towers that come to rest at different times: those lifted by more fall longer
  Scene scene = scene_of({plane()}, with_sleeping());
  for (int i = 0; i < 6; ++i) scene.add_body(box("box" + std::to_string(i), {3.0 * i, 0, 0.5 + 0.1 * i}));
  World world(scene, cpu());
  std::uint32_t last = 0;
  int falls = 0;
  for (int step = 0; step < 180; ++step) {
    world.step();
    std::uint32_t asleep = 0;
    for (const BodyHandle b : world.bodies()) asleep += world.asleep(b) ? 1 : 0;
    ASSERT_EQ(world.report().asleep, asleep) << "step " << step;
    if (asleep > last) ++falls;
    last = asleep;
  }
  EXPECT_EQ(last, 6u);
  EXPECT_GE(falls, 2) << "one after the other";
}

TEST(Sleep, a_dropped_body_wakes_the_whole_pile) {
  World world = slept(tower(5, with_sleeping()), 5, 180);
  world.add_body(ball("ball", {0.2, 0, 6.5}));
  run(world, 30);
  EXPECT_LT(world.state(world.bodies()[6]).position.z, 5.7);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_FALSE(world.asleep(world.bodies()[i])) << i;
}

TEST(Sleep, a_body_that_slides_in_wakes_and_pushes) {
  World world = slept(tower(1, with_sleeping()), 1);
  const BodyHandle puck = world.add_body(box("puck", {-4, 0, 0.501}));
  world.set_velocity(puck, {8, 0, 0}, {});
  run(world, 60);
  EXPECT_GT(world.state(world.bodies()[1]).position.x, 0.2);
  EXPECT_LT(world.state(puck).position.x, world.state(world.bodies()[1]).position.x - 0.95);
}

TEST(Sleep, a_kinematic_body_that_comes_along_wakes_and_pushes) {
  for (const Geometry& g : {Geometry{Box{}}, Geometry{Sphere{}}, Geometry{Capsule{0.5f, 0.1f}}}) {
    World world = slept(tower(1, with_sleeping()), 1);
    const BodyHandle at = world.add_body(moving(body("pusher", g, {-3, 0, 0.6}, BodyType::kKinematic), {1, 0, 0}));
    run(world, 180);
    EXPECT_NEAR(world.state(at).position.x, 0, 1e-4);
    EXPECT_GT(world.state(world.bodies()[1]).position.x, 0.95) << g.index();
  }
}

TEST(Sleep, a_kinematic_body_that_turns_in_place_wakes_what_lies_on_it) {
  Body table = body("table", Box{{3, 3, 0.5f}}, {0, 0, -0.5}, BodyType::kKinematic);
  World world = slept(scene_of({table, box("box", {1, 0, 0.5})}, with_sleeping()), 1);
  world.set_velocity(world.bodies()[0], {}, {0, 0, 0.5f});
  run(world, 60);
  EXPECT_NEAR(world.state(world.bodies()[1]).position.y, std::sin(0.5), 0.03);
}

TEST(Sleep, a_static_body_set_down_into_a_sleeping_one_pushes_it_out) {
  for (const bool added : {false, true}) {
    World world = slept(
        scene_of({plane(), box("box", {0, 0, 0.5}), box("wall", {20, 0, 0.5}, BodyType::kStatic)}, with_sleeping()), 1);
    if (added) {
      world.add_body(box("other", {0.8, 0, 0.5}, BodyType::kStatic));
    } else {
      world.set_pose(world.bodies()[2], {0.8, 0, 0.5}, {});
    }
    run(world, 120);
    EXPECT_LT(world.state(world.bodies()[1]).position.x, -0.18) << (added ? "added" : "moved");
  }
}

TEST(Sleep, turning_it_off_wakes_all) {
  World world = slept(tower(2, with_sleeping()), 2);
  world.set_params({});
  EXPECT_FALSE(world.asleep(world.bodies()[1]));
  world.remove_body(world.bodies()[0]);
  run(world, 30);
  EXPECT_LT(world.state(world.bodies()[0]).position.z, 0);
}

TEST(Sleep, islands_apart_sleep_and_wake_apart) {
  Scene scene = tower(2, with_sleeping());
  for (int i = 0; i < 3; ++i) scene.add_body(box("apart" + std::to_string(i), {5.0 + 3 * i, 0, 0.5}));
  World world = slept(scene, 5);
  world.set_velocity(world.bodies()[3], {0, 1, 0}, {});
  world.step();
  EXPECT_EQ(world.report().asleep, 4u);
  run(world, 120);
  EXPECT_EQ(world.report().asleep, 5u) << "and falls asleep again";
}

TEST(Sleep, bodies_that_are_only_near_stay_asleep_while_steps_vary) {
  // 19 mm are less than the margin of their contact with a step of 1/60 s, and more with one of 1/120 s
  for (const auto& make : {box, +[](const std::string&name, Vec3d at, BodyType) { return ball(name, at); }}) {
    World world = slept(scene_of({plane(), make("left", {0, 0, 0.5}, BodyType::kDynamic),
                                  make("right", {1.019, 0, 0.5}, BodyType::kDynamic)},
                                 with_sleeping()),
                        2, 180);
    for (int i = 0; i < 20; ++i) {
      world.step(i % 2 == 0 ? 1.0f / 120 : 1.0f / 60);
      ASSERT_EQ(world.report().asleep, 2u) << "step " << i;
    }
  }
}

TEST(Sleep, a_pile_that_sleeps_ends_where_one_that_does_not_does) {
  const World sleeping = slept(tower(4, with_sleeping()), 4, 300);
  World awake(tower(4), cpu());
  run(awake, 300);
  for (std::size_t i = 1; i < 5; ++i) {
    const double a = sleeping.state(sleeping.bodies()[i]).position.z, b = awake.state(awake.bodies()[i]).position.z;
    // slower than sleep_speed for sleep_time before it slept
    EXPECT_NEAR(a, b, 0.005);
  }
}

}  // namespace
}  // namespace cairn::sleep_test
