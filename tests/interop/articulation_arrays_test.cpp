// Articulations through arrays on the device end in the same bits as through the host.

#include <algorithm>
#include <limits>

#include "tests/articulations/robots.h"
#include "tests/interop/arrays.h"

namespace cairn::interop_test {
namespace {

using namespace testing_support;  // NOLINT
using articulations_test::snake;
using articulations_test::standing;
using articulations_test::table;

constexpr std::uint32_t kWorlds = 4;
constexpr ArticulationJoint kLeg{.drive_stiffness = 200, .drive_damping = 5, .drive_max_force = 20};

/// A table on a floor; its links touch nothing else.
Scene robot() {
  Scene scene = scene_of({plane()});
  scene.add_articulation(table(10, 0.5, kLeg), standing(0.01));
  return scene;
}
World robots(int steps = 30) {
  World world = World::copies(robot(), kWorlds, cpu(2));
  run(world, steps);
  return world;
}

/// All that ArticulationArrays hold.
template <class T>
struct HostRobots {
  explicit HostRobots(const ArticulationRows& of)
      : q(of.rows, of.coordinates),
        v(of.rows, of.rates),
        force(of.rows, of.rates),
        target(of.rows, of.coordinates),
        target_rate(of.rows, of.rates) {}
  ArticulationArrays arrays() { return {q.view(), v.view(), force.view(), target.view(), target_rate.view()}; }
  HostArray<T> q, v, force, target, target_rate;
};

/// What an articulation of world w is to do: differs from world to world.
ArticulationState wanted(std::uint32_t w) {
  ArticulationState s{{0.1 * w, 0, 0.6, 0, 0.1, 0, 1, 0.1, -0.1, 0.2 * w, 0}, std::vector<double>(10, 0.0)};
  s.v[0] = 0.5;
  s.v[5] = 0.3 * w;
  s.v[8] = -1;
  return s;
}

TEST(ExchangeRobots, what_get_articulations_gives_is_what_the_host_is_told) {
  World world = robots();
  const std::vector<double> pushed(10, 0.75);
  world.articulations().set_forces(world.articulations().list(2)[0], pushed);
  const ArticulationRows of = world.arrays().articulation_rows();
  EXPECT_EQ(of.rows, kWorlds);
  EXPECT_EQ(of.coordinates, 11u);
  EXPECT_EQ(of.rates, 10u);
  HostRobots<double> wide(of);
  HostRobots<float> narrow(of);
  world.arrays().get_articulations(wide.arrays());
  world.arrays().get_articulations(narrow.arrays());
  for (std::uint32_t w = 0; w < kWorlds; ++w) {
    const ArticulationState s = world.state(world.articulations().list(w)[0]);
    EXPECT_EQ(wide.q.row(w), s.q);
    EXPECT_EQ(narrow.q.row(w), std::vector<float>(s.q.begin(), s.q.end()));
    EXPECT_EQ(wide.target.row(w), standing(0.01).q);
    EXPECT_EQ(wide.v.row(w), s.v);
    EXPECT_EQ(wide.force.row(w), std::vector<double>(10, w == 2 ? 0.75 : 0.0));
    EXPECT_EQ(wide.target_rate.row(w), std::vector<double>(10, 0.0));
  }
}

TEST(ExchangeRobots, set_articulations_leaves_what_the_calls_of_each_leave) {
  World by_host = robots(), by_device = robots();
  HostRobots<double> to(by_host.arrays().articulation_rows());
  for (std::uint32_t w = 0; w < kWorlds; ++w) {
    const ArticulationHandle h = by_host.articulations().list(w)[0];
    const ArticulationState s = wanted(w);
    ArticulationState target = wanted(w + 1);
    target.q[3] = 2;  // quaternions are made unit
    const std::vector<double> forces(10, 0.1 * w);
    by_host.set_state(h, s);
    by_host.articulations().set_forces(h, forces);
    by_host.articulations().set_targets(h, target);
    to.q.set_row(w, s.q);
    to.v.set_row(w, s.v);
    to.force.set_row(w, forces);
    to.target.set_row(w, target.q);
    to.target_rate.set_row(w, target.v);
  }
  by_device.arrays().set_articulations(to.arrays());
  for (const int steps : {0, 60}) {
    EXPECT_TRUE(go_on_alike(by_device, by_host, steps));
    for (std::uint32_t w = 0; w < kWorlds; ++w) {
      EXPECT_EQ(by_device.state(by_device.articulations().list(w)[0]),
                by_host.state(by_host.articulations().list(w)[0]));
    }
  }
}

TEST(ExchangeRobots, a_mask_names_the_worlds_and_what_is_left_out_stays) {
  World world = robots(), untouched = robots();
  HostRobots<double> to(world.arrays().articulation_rows());
  for (std::uint32_t w = 0; w < kWorlds; ++w) to.v.set_row(w, wanted(w).v);
  const std::vector<std::uint8_t> mask{0, 1, 0, 0};
  world.arrays().set_articulations({.v = to.v.view()}, mask.data());
  const ArticulationState s = world.state(world.articulations().list(1)[0]);
  EXPECT_EQ(s.v, wanted(1).v);
  EXPECT_EQ(s.q, untouched.state(untouched.articulations().list(1)[0]).q);
  // rates alone leave the links where they are
  const BodyHandle base = world.bodies(world.articulations().list(1)[0])[0];
  EXPECT_EQ(world.state(base).position, untouched.state(base).position);
  EXPECT_NEAR(world.state(base).linear_velocity.x, 0.5, 1e-6);
  run(world, 30);
  run(untouched, 30);
  for (const std::uint32_t w : {0u, 2u, 3u}) EXPECT_EQ(world.state_hashes()[w], untouched.state_hashes()[w]);
  EXPECT_NE(world.state_hashes()[1], untouched.state_hashes()[1]);
}

TEST(ExchangeRobots, what_breaks_a_rule_freezes_its_world_as_it_was) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto broken = [&](auto change, std::uint32_t status) {
    World world = robots();
    HostRobots<double> to(world.arrays().articulation_rows());
    world.arrays().get_articulations(to.arrays());
    const ArticulationState before = world.state(world.articulations().list(2)[0]);
    const std::uint64_t hash = world.state_hashes()[2];
    for (std::uint32_t w = 0; w < kWorlds; ++w) to.q.at(w, 2) += 0.1;
    change(to);
    world.arrays().set_articulations(to.arrays());
    EXPECT_EQ(world.report(2).status, status);
    EXPECT_EQ(world.report(1).status, 0u);
    EXPECT_EQ(world.state(world.articulations().list(2)[0]), before);
    EXPECT_NE(world.state(world.articulations().list(1)[0]), before);
    world.step();
    EXPECT_EQ(world.state_hashes()[2], hash);
    world.reset(2);
    world.step();
    EXPECT_EQ(world.report(2).status, 0u);
  };
  broken([](auto& to) { to.q.at(2, 8) = kNan; }, kStatusNonFinite);
  broken([](auto& to) { to.q.at(2, 8) = 2e9; }, kStatusNonFinite);
  broken([](auto& to) { to.v.at(2, 0) = kNan; }, kStatusNonFinite);
  broken([](auto& to) { to.force.at(2, 9) = -1 / 0.0; }, kStatusNonFinite);
  broken([](auto& to) { to.target.at(2, 10) = kNan; }, kStatusNonFinite);
  broken([](auto& to) { to.target_rate.at(2, 3) = kNan; }, kStatusNonFinite);
  broken([](auto& to) { std::fill_n(&to.q.at(2, 3), 4, 0.0); }, kStatusNonFinite);
  broken([](auto& to) { std::fill_n(&to.target.at(2, 3), 4, 0.0); }, kStatusNonFinite);
  broken([](auto& to) { to.q.at(2, 0) = 2e7; }, kStatusOutOfBounds);
  broken([](auto& to) { to.v.at(2, 7) = 1e8; }, kStatusTooFast);
}

TEST(ExchangeRobots, rows_are_as_wide_as_the_widest_and_the_rest_of_a_row_is_left_alone) {
  Scene two = robot();
  two.add_articulation(snake("snake", 3, 0.01, 1), {{3, 0, 1, 0, 0, 0, 1, 0.2, 0.1}, {}});
  World world(std::vector<Scene>{two, tower(1), robot(), two}, cpu());
  run(world, 5);
  const ArticulationRows of = world.arrays().articulation_rows();
  EXPECT_EQ(of.rows, 5u);
  EXPECT_EQ(of.coordinates, 11u);
  HostArray<double> q(of.rows, of.coordinates);
  std::ranges::fill(q.data, -7.0);
  world.arrays().get_articulations({.q = q.view()});
  // the second of a world has nine coordinates
  for (const std::size_t row : {1u, 4u}) {
    EXPECT_EQ(q.at(row, 9), -7.0);
    EXPECT_EQ(q.at(row, 10), -7.0);
  }
  const ArticulationState s = world.state(world.articulations().list(3)[1]);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(q.at(4, k), s.q[k]);
  q.at(4, 10) = std::numeric_limits<double>::quiet_NaN();
  q.at(4, 7) = 0.5;
  world.arrays().set_articulations({.q = q.view()});
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_EQ(world.state(world.articulations().list(3)[1]).q[7], 0.5);
  // rows go by worlds, wherever the batch holds what was restored
  World other(std::vector<Scene>{robot(), tower(1)}, cpu());
  other.restore(World(two, cpu()).snapshot(), 0, 0);
  other.restore(World(robot(), cpu()).snapshot(), 0, 1);
  HostArray<double> back(3, 11);
  other.arrays().get_articulations({.q = back.view()});
  EXPECT_EQ(back.at(1, 0), 3.0);
  EXPECT_EQ(back.at(2, 2), standing(0.01).q[2]);
}

TEST(ExchangeRobots, of_the_wrong_shape_are_refused_by_name) {
  World world = robots(1);
  HostArray<double> narrow(kWorlds, 10), few(kWorlds - 1, 11);
  EXPECT_TRUE(refused(world, [&] { world.arrays().set_articulations({.q = narrow.view()}); },
                      {"ArticulationArrays::q", "(4, 11)", "(4, 10)"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().get_articulations({.target = few.view()}); },
                      {"ArticulationArrays::target", "(3, 11)"}));
  World none(tower(1), cpu());
  EXPECT_EQ(none.arrays().articulation_rows().rows, 0u);
  EXPECT_TRUE(refused(none, [&] { none.arrays().set_articulations({.q = narrow.view()}); }, {"ArticulationArrays::q"}));
  none.arrays().set_articulations({});
}

TEST(ExchangeRobots, a_recording_of_such_calls_is_done_again_with_the_same_bits) {
  World world = robots(5);
  world.start_recording();
  HostRobots<double> to(world.arrays().articulation_rows());
  for (int i = 0; i < 10; ++i) {
    world.arrays().get_articulations(to.arrays());
    for (double& f : to.force.data) f = 0.3 * i;
    world.arrays().set_articulations({.force = to.force.view()});
    world.step();
  }
  const Replay again = replay(world.stop_recording(), cpu(1));
  EXPECT_FALSE(again.difference);
  EXPECT_EQ(again.hash, world.state_hash());
}

// states of all bodies at once pass over links, and set the others
TEST(ExchangeRobots, links_stay_where_their_joints_say_whoever_writes_states) {
  Scene scene = robot();
  scene.add_body(box("box", {3, 0, 0.5}));
  World by_host = World::copies(scene, 2, cpu()), by_device = World::copies(scene, 2, cpu());
  ASSERT_TRUE(go_on_alike(by_device, by_host, 20));
  const std::vector<BodyState> before = states(by_host);
  std::vector<BodyState> given = before;
  for (BodyState& s : given) s.position.z += 0.5;
  given[0] = before[0];
  given[before.size() / 2] = before[0];
  HostStates<double> arrays(given);
  by_host.write_states(given);
  by_device.arrays().set_states(arrays.arrays());
  EXPECT_EQ(by_device.state_hashes(), by_host.state_hashes());
  const std::vector<BodyState> after = states(by_host);
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool is_box = by_host.description(by_host.bodies()[i]).name == "box";
    EXPECT_EQ(after[i].position, is_box ? given[i].position : before[i].position) << i;
  }
  EXPECT_TRUE(go_on_alike(by_device, by_host, 20));

  // what a program writes into a link's own place is put right by `written`
  World written = World::copies(scene, 2, cpu());
  run(written, 20);
  const BodyHandle base = written.bodies(written.articulations().list(1)[0])[0];
  auto* const x = static_cast<float*>(written.arrays().get("position").data) + 3 * (base.index - 1);
  const Vec3d was = written.state(base).position;
  x[2] += 1;
  written.arrays().written(Written::kPoses);
  const Vec3d is = written.state(base).position;
  // 20 steps of 4 substeps, each of which rounds what is added to a float pair
  EXPECT_LT(length(is - was), 80 * 0x1p-46);
  written.arrays().written(Written::kLoads);
  EXPECT_EQ(written.state(base).position, is);
}

}  // namespace
}  // namespace cairn::interop_test
