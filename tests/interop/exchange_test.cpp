// States through arrays on the device end in the same bits as through the host.

#include <cmath>
#include <limits>

#include "tests/interop/arrays.h"

namespace cairn::interop_test {
namespace {

using namespace testing_support;  // NOLINT

TEST(Exchange, what_get_states_gives_is_what_read_states_gives) {
  const World world = settled();
  const std::vector<BodyState> want = states(world);
  HostStates<double> wide(want.size());
  world.arrays().get_states(wide.arrays());
  EXPECT_EQ(wide, HostStates<double>(want));
  HostStates<float> narrow(want.size());
  world.arrays().get_states(narrow.arrays());
  EXPECT_EQ(narrow, HostStates<float>(want));
}

TEST(Exchange, arrays_may_be_strided_and_left_out) {
  const World world = settled();
  const std::vector<BodyState> want = states(world);
  const auto n = static_cast<std::int64_t>(want.size());
  std::vector<double> columns(want.size() * 4, -1.0);
  StateArrays to;
  to.position = dense_view(columns.data(), ElementType::kFloat64, Device::cpu(), n, 3);
  to.position.strides = {1, n, 0};
  world.arrays().get_states(to);
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ((Vec3d{columns[i], columns[want.size() + i], columns[2 * want.size() + i]}), want[i].position) << i;
    EXPECT_EQ(columns[3 * want.size() + i], -1.0);
  }
}

TEST(Exchange, set_states_leaves_what_write_states_leaves_asleep_or_awake) {
  for (const bool sleeping : {false, true}) {
    World by_host = settled(400, {.sleeping = sleeping}), by_device = settled(400, {.sleeping = sleeping});
    if (sleeping) {
      ASSERT_GT(by_host.report().asleep, 0u);
    }
    const std::vector<BodyState> wanted = disturbed(by_host);
    HostStates<double> arrays(wanted);
    by_host.write_states(wanted);
    by_device.arrays().set_states(arrays.arrays());
    EXPECT_EQ(by_device.state_hashes(), by_host.state_hashes());
    for (const BodyHandle body : by_device.bodies()) EXPECT_FALSE(by_device.asleep(body));
    // contacts, warm starts and the gyroscopic state depend on the written states, too
    EXPECT_TRUE(go_on_alike(by_device, by_host, 120));
  }
}

TEST(Exchange, a_mask_names_the_worlds_that_are_written_and_read) {
  World untouched = settled(), one = settled(), masked = settled();
  const std::vector<BodyState> wanted = disturbed(one);
  const std::uint32_t first = one.body_count(0), count = one.body_count(1);
  one.write_states(1, std::span(wanted).subspan(first, count));
  const std::vector<std::uint8_t> mask{0, 1, 0};
  HostStates<double> arrays(wanted);
  masked.arrays().set_states(arrays.arrays(), mask.data());
  HostStates<double> read(wanted.size());
  masked.arrays().get_states(read.arrays(), mask.data());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool chosen = i >= first && i < first + count;
    EXPECT_EQ(read.position.at(i, 2) != 0.0 || wanted[i].position.z == 0.0, chosen || wanted[i].position.z == 0.0) << i;
  }
  run(untouched, 60);
  EXPECT_TRUE(go_on_alike(masked, one, 60));
  EXPECT_EQ(masked.state_hashes()[0], untouched.state_hashes()[0]);
  EXPECT_NE(masked.state_hashes()[1], untouched.state_hashes()[1]);
}

TEST(Exchange, velocities_alone_keep_contacts_and_poses) {
  World by_host = settled(), by_device = settled();
  const std::vector<BodyState> wanted = disturbed(by_host);
  const std::vector<BodyHandle> bodies = by_host.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    by_host.set_velocity(bodies[i], wanted[i].linear_velocity, wanted[i].angular_velocity);
  }
  HostStates<float> arrays(wanted);
  by_device.arrays().set_states({.linear_velocity = arrays.linear.view(), .angular_velocity = arrays.angular.view()});
  EXPECT_TRUE(go_on_alike(by_device, by_host, 60));
}

TEST(Exchange, reset_where_is_reset_by_a_mask) {
  World by_host = settled(), by_device = settled();
  const std::vector<std::uint8_t> mask{1, 0, 7};
  by_host.reset(mask);
  by_device.arrays().reset(mask.data());
  EXPECT_EQ(by_device.report(2).steps, 0u);
  EXPECT_EQ(by_device.report(1).steps, 40u);
  EXPECT_TRUE(go_on_alike(by_device, by_host, 60));
}

/// The first three bodies of each world but its floor are kinematic: a bracket, a box and a ball.
World with_kinematic_bodies() {
  World world(worlds_of_all_kinds({}), cpu(2));
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    for (std::uint32_t i = 1; i < 4; ++i) world.set_type(world.body_at(i, w), BodyType::kKinematic);
  }
  run(world, 10);
  return world;
}

TEST(Exchange, move_to_gives_kinematic_bodies_the_bits_of_move_to_and_others_nothing) {
  constexpr float kDt = 1.0f / 60;
  World by_host = with_kinematic_bodies(), by_device = with_kinematic_bodies();
  const std::vector<std::uint8_t> mask{1, 0, 1};
  for (int round = 0; round < 3; ++round) {
    const std::vector<BodyState> wanted = disturbed(by_host);
    const std::vector<BodyHandle> bodies = by_host.bodies();
    const auto is_moved = [&](BodyHandle body) {
      return mask[by_host.world_of(body)] != 0 && by_host.description(body).type == BodyType::kKinematic;
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (is_moved(bodies[i])) by_host.move_to(bodies[i], wanted[i].position, wanted[i].orientation, kDt);
    }
    HostStates<double> poses(wanted);
    by_device.arrays().move_to(poses.poses(), kDt, mask.data());
    EXPECT_TRUE(go_on_alike(by_device, by_host, 0));
    EXPECT_TRUE(go_on_alike(by_device, by_host, 1));
    // positions after one step of `dt` are those that were asked for, to the rounding of a velocity and of a pose
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!is_moved(bodies[i])) continue;
      const Vec3d at = by_device.state(bodies[i]).position;
      EXPECT_NEAR(at.x, wanted[i].position.x, 1e-5);
      EXPECT_NEAR(at.y, wanted[i].position.y, 1e-5);
      EXPECT_NEAR(at.z, wanted[i].position.z, 1e-5);
    }
  }
}

TEST(Exchange, move_to_leaves_a_world_with_a_pose_that_breaks_a_rule_and_refuses_velocities) {
  World world = with_kinematic_bodies();
  HostStates<double> poses(states(world));
  const std::uint32_t first = world.body_count(0);
  poses.position.at(first + 2, 0) = 1e8;  // kinematic
  poses.position.at(first + 4, 0) = NAN;  // dynamic: means nothing
  const std::vector<std::uint64_t> before = world.state_hashes();
  world.arrays().move_to(poses.poses(), 1.0f);
  EXPECT_EQ(world.report(1).status, kStatusOutOfBounds);
  EXPECT_EQ(world.report(1).first_bad, world.bodies(1)[2]);
  EXPECT_EQ(world.state_hashes()[1], before[1]);
  EXPECT_EQ(world.report(0).status, 0u);
  // a body that is switched off is passed over
  world.reset(1);
  world.set_enabled(world.bodies(1)[2], false);
  const std::uint64_t there = world.state_hashes()[1];
  const BodyState lift = world.state(world.bodies(1)[3]);
  world.arrays().move_to(poses.poses(), 1.0f);
  EXPECT_EQ(world.report(1).status, 0u);
  EXPECT_NE(world.state_hashes()[1], there);
  EXPECT_NE(world.state(world.bodies(1)[3]).angular_velocity, lift.angular_velocity);
  EXPECT_TRUE(refused(world, [&] { world.arrays().move_to(poses.arrays(), 1); }, {"move_to", "velocities"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().move_to({}, 1); }, {"move_to", "position"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().move_to(poses.poses(), 0); }, {"move_to", "dt"}));
}

struct Fault {
  const char* name;
  void (*make)(HostStates<double>& states, std::size_t row);
  std::uint32_t status;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Fault kFaults[] = {
    {"position that is not a number", [](auto& s, std::size_t r) { s.position.at(r, 1) = NAN; }, kStatusNonFinite},
    {"position too far off", [](auto& s, std::size_t r) { s.position.at(r, 1) = -1.01e7; }, kStatusOutOfBounds},
    {"position past float", [](auto& s, std::size_t r) { s.position.at(r, 0) = 1e300; }, kStatusNonFinite},
    {"orientation that is zero",
     [](auto& s, std::size_t r) {
       for (std::size_t c = 0; c < 4; ++c) s.orientation.at(r, c) = 0;
     },
     kStatusNonFinite},
    {"velocity that is infinite", [](auto& s, std::size_t r) { s.linear.at(r, 2) = kInfinity; }, kStatusNonFinite},
    {"spin that is too fast", [](auto& s, std::size_t r) { s.angular.at(r, 0) = 1e6; }, kStatusTooFast},
};

TEST(Exchange, a_world_with_a_state_that_set_state_refuses_is_left_as_it_is_and_frozen) {
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.name);
    World world = settled(), good = settled();
    const std::vector<std::uint64_t> before = world.state_hashes();
    HostStates<double> arrays(disturbed(world));
    good.arrays().set_states(arrays.arrays());
    const std::uint32_t row = world.body_count(0) + 2;
    fault.make(arrays, row);
    world.arrays().set_states(arrays.arrays());
    EXPECT_EQ(world.report(1).status, fault.status);
    EXPECT_EQ(world.report(1).first_bad, world.bodies()[row]);
    EXPECT_EQ(world.state_hashes()[1], before[1]);
    run(world, 20);
    run(good, 20);
    EXPECT_EQ(world.state_hashes()[0], good.state_hashes()[0]);
    EXPECT_EQ(world.state_hashes()[1], before[1]);
    EXPECT_EQ(world.state_hashes()[2], good.state_hashes()[2]);
    // what is refused is refused by set_state, too
    EXPECT_THROW(
        good.set_state(
            good.bodies()[row],
            {{arrays.position.at(row, 0), arrays.position.at(row, 1), arrays.position.at(row, 2)},
             {static_cast<float>(arrays.orientation.at(row, 0)), static_cast<float>(arrays.orientation.at(row, 1)),
              static_cast<float>(arrays.orientation.at(row, 2)), static_cast<float>(arrays.orientation.at(row, 3))},
             {0, 0, static_cast<float>(arrays.linear.at(row, 2))},
             {static_cast<float>(arrays.angular.at(row, 0)), 0, 0}}),
        InvalidArgument);
    world.reset(1);
    EXPECT_EQ(world.report(1).status, 0u);
  }
}

TEST(Exchange, a_static_body_takes_no_velocity) {
  World world = settled();
  HostStates<double> arrays(states(world));
  arrays.linear.at(0, 0) = 1;
  world.arrays().set_states(arrays.arrays());
  EXPECT_EQ(world.report(0).status, kStatusTooFast);
  EXPECT_EQ(world.report(1).status, 0u);
}

TEST(Exchange, arrays_of_another_shape_type_or_place_are_refused) {
  World world = settled();
  const std::size_t n = world.body_count();
  HostStates<double> s(n), short_of_one(n - 1);
  const auto with = [&](ArrayView position) {
    StateArrays arrays = s.arrays();
    arrays.position = position;
    return arrays;
  };
  ArrayView elsewhere = s.position.view(), integers = s.position.view(), fixed = s.position.view();
  elsewhere.device = Device::cuda(0);
  integers.type = ElementType::kUint64;
  fixed.writable = false;
  EXPECT_TRUE(
      refused(world, [&] { world.arrays().set_states(short_of_one.arrays()); }, {"position", "shape", "(21, 3)"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().get_states(with(s.orientation.view())); }, {"position", "(21, 4)"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().get_states(with(elsewhere)); }, {"position", "on cpu", "cuda:0"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().get_states(with(integers)); }, {"position", "float32", "uint64"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().get_states(with(fixed)); }, {"position", "writable"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().set_states(with({})); }, {"position", "orientation", "together"}));
}

TEST(Exchange, rows_follow_bodies_that_come_and_go) {
  World world = settled();
  world.remove_body(world.bodies(1)[2]);
  world.add_body(bracket("late", {5, 5, 5}), 0);
  world.set_mass(world.bodies(2)[1], 3.0f);
  const std::vector<BodyState> want = states(world);
  HostStates<double> got(want.size());
  world.arrays().get_states(got.arrays());
  EXPECT_EQ(got, HostStates<double>(want));
}

TEST(Exchange, an_overflow_behind_which_it_is_enqueued_is_told_by_the_report) {
  // fixed room for fewer pairs than the tower has: the first step isn't taken
  World world(tower(10), cpu(1, {.pairs = 2, .on_overflow = OnOverflow::kError}));
  EXPECT_THROW(world.step(), CapacityError);
  EXPECT_EQ(world.report().status, kStatusOverflow);
  HostStates<double> got(world.body_count());
  world.arrays().get_states(got.arrays());
  EXPECT_EQ(got, HostStates<double>(states(world)));
}

TEST(Exchange, a_recording_holds_what_was_written_by_way_of_arrays) {
  World world = settled(20);
  world.start_recording();
  run(world, 5);
  HostStates<double> arrays(disturbed(world));
  const std::vector<std::uint8_t> second{0, 1, 0};
  world.arrays().set_states(arrays.arrays(), second.data());
  const std::uint64_t set = world.state_hash();
  run(world, 5);
  world.arrays().reset(second.data());
  run(world, 5);
  world.arrays().reset(nullptr);
  run(world, 5);
  const ArrayView velocity = world.arrays().get("linear_velocity");
  static_cast<float*>(velocity.data)[velocity.strides[0] * 5] += 1.0f;
  world.arrays().written(Written::kVelocities);
  run(world, 5);
  const Recording made = Recording::from_bytes(world.stop_recording().to_bytes(), "bytes");

  const Replay again = replay(made, cpu());
  EXPECT_FALSE(again.difference) << "step " << again.difference->step;
  EXPECT_EQ(again.steps, 25u);
  EXPECT_EQ(again.hash, world.state_hash());
  EXPECT_NE(set, again.hash);
}

}  // namespace
}  // namespace cairn::interop_test
