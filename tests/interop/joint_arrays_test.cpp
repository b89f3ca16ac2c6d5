// Joints through arrays on the device end in the same bits as through the host.

#include <limits>

#include "cairn/device_arrays.h"
#include "tests/interop/arrays.h"

namespace cairn::interop_test {
namespace {

using namespace testing_support;  // NOLINT

constexpr std::uint32_t kMachines = 3;
constexpr JointDrive kDrive{.stiffness = 500, .damping = 20, .max_force = 60};

/// An arm of two links on driven hinges, a slider without a drive, and a box beside them.
Scene machine() {
  Scene scene = scene_of({plane(), box("base", {0, 0, 0.5}, BodyType::kStatic)});
  std::uint32_t last = 1;
  for (int i = 0; i < 2; ++i) {
    Body link = box("link" + std::to_string(i), {0.6 + 0.6 * i, 0, 1.5});
    link.shapes = {shape(Box{{0.25f, 0.1f, 0.1f}})};
    const std::uint32_t body = scene.add_body(link);
    Joint hinge{.name = "hinge" + std::to_string(i), .body_a = last, .body_b = body, .kind = HingeJoint{}};
    hinge.frame_a.position = {0.3, 0, i == 0 ? 1.0 : 0.0};
    hinge.frame_b.position = {-0.3, 0, 0};
    hinge.frame_a.orientation = hinge.frame_b.orientation = {0, 0, 0.70710678f, 0.70710678f};
    std::get<HingeJoint>(hinge.kind).turn.drive = kDrive;
    scene.add_joint(hinge);
    last = body;
  }
  const std::uint32_t cart = scene.add_body(box("cart", {0, 4, 0.51}));
  scene.add_joint(
      {.name = "rail", .body_a = kWorldBody, .body_b = cart, .frame_a = {{0, 4, 0.51}}, .kind = SliderJoint{}});
  scene.add_body(box("beside", {3, 3, 0.5}));
  return scene;
}

World machines(int steps = 10) {
  World world = World::copies(machine(), kMachines, cpu(2));
  run(world, steps);
  return world;
}
constexpr std::size_t kJointRows = 3 * kMachines;
const auto kTwistColumn = static_cast<std::size_t>(JointDof::kTwist);

TEST(ExchangeJoints, what_get_joints_gives_is_what_the_host_is_told) {
  World world = machines();
  HostArray<double> coordinate(kJointRows, 6), force(kJointRows, 3), torque(kJointRows, 3), stiffness(kJointRows, 6),
      target(kJointRows, 6);
  world.set_drive(world.joints(1)[0], {.stiffness = 400, .damping = 20, .target = 0.25f, .max_force = 60});
  run(world, 3);
  world.arrays().get_joints({.coordinate = coordinate.view(),
                             .force = force.view(),
                             .torque = torque.view(),
                             .drive_target = target.view(),
                             .drive_stiffness = stiffness.view()});
  std::size_t row = 0;
  for (std::uint32_t w = 0; w < kMachines; ++w) {
    for (const JointHandle joint : world.joints(w)) {
      const JointState s = world.state(joint);
      for (std::size_t c = 0; c < 6; ++c) EXPECT_EQ(coordinate.at(row, c), s.coordinates[c]);
      EXPECT_EQ(force.at(row, 2), double{s.force.z});
      EXPECT_EQ(torque.at(row, 1), double{s.torque.y});
      ++row;
    }
  }
  EXPECT_EQ(target.at(3, kTwistColumn), 0.25);
  EXPECT_EQ(stiffness.at(3, kTwistColumn), 400);
  EXPECT_EQ(stiffness.at(0, kTwistColumn), 500);
}

TEST(ExchangeJoints, set_joints_is_set_drive_of_each) {
  World by_host = machines(), by_arrays = machines();
  HostArray<float> target(kJointRows, 6), rate(kJointRows, 6), push(kJointRows, 6), stiffness(kJointRows, 6),
      damping(kJointRows, 6);
  for (std::uint32_t w = 0; w < kMachines; ++w) {
    for (std::size_t j = 0; j < 2; ++j) {
      JointDrive drive = kDrive;
      const float n = static_cast<float>(w + j);
      drive.target = 0.2f * n;
      drive.rate = 0.1f * n;
      drive.force = n;
      drive.stiffness = 300 + 10 * n;
      drive.damping = 30 - n;
      const std::size_t row = 3 * w + j;
      target.at(row, kTwistColumn) = drive.target;
      rate.at(row, kTwistColumn) = drive.rate;
      push.at(row, kTwistColumn) = drive.force;
      stiffness.at(row, kTwistColumn) = drive.stiffness;
      damping.at(row, kTwistColumn) = drive.damping;
      // of axes without a drive it means nothing
      target.at(row, 0) = std::numeric_limits<float>::quiet_NaN();
      by_host.set_drive(by_host.joints(w)[j], drive);
    }
  }
  const JointArrays all{.drive_target = target.view(),
                        .drive_rate = rate.view(),
                        .drive_force = push.view(),
                        .drive_stiffness = stiffness.view(),
                        .drive_damping = damping.view()};
  by_arrays.arrays().set_joints(all);
  EXPECT_TRUE(go_on_alike(by_arrays, by_host, 30));
  for (std::uint32_t w = 0; w < kMachines; ++w) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(by_arrays.description(by_arrays.joints(w)[j]), by_host.description(by_host.joints(w)[j]));
    }
  }
}

TEST(ExchangeJoints, what_was_written_outlives_edits_snapshots_and_recordings) {
  World world = machines(), same = machines();
  HostArray<double> target(kJointRows, 6);
  for (std::size_t row = 0; row < kJointRows; ++row) target.at(row, kTwistColumn) = 0.3;
  world.start_recording();
  ASSERT_TRUE(go_on_alike(world, same, 2));
  world.arrays().set_joints({.drive_target = target.view()});
  for (std::uint32_t k = 0; k < kMachines; ++k) {
    for (std::size_t j = 0; j < 2; ++j) {
      JointDrive drive = same.drive(same.joints(k)[j], JointDof::kTwist);
      drive.target = 0.3f;
      same.set_drive(same.joints(k)[j], drive);
    }
  }
  // whatever has the joints laid out again
  for (World* w : {&world, &same}) {
    w->add_body(box("new", {5, 5, 0.5}), 1);
    w->remove_joint(w->joints(2)[2]);
    run(*w, 5);
    const Joint one = w->description(w->joints(0)[1]);
    EXPECT_EQ(std::get<HingeJoint>(one.kind).turn.drive.target, 0.3f);
    w->set_joint(w->joints(0)[1], one);
    run(*w, 5);
  }
  EXPECT_EQ(world.state_hash(), same.state_hash());
  const Snapshot there = Snapshot::from_bytes(world.snapshot().to_bytes(), "here");
  EXPECT_EQ(there.to_bytes(), same.snapshot().to_bytes());
  EXPECT_FALSE(replay(world.stop_recording(), cpu()).difference.has_value());
  World other(there, cpu());
  EXPECT_TRUE(go_on_alike(other, world, 10));
}

TEST(ExchangeJoints, what_the_host_says_later_counts) {
  World world = machines();
  HostArray<double> target(kJointRows, 6);
  for (std::size_t row = 0; row < kJointRows; ++row) target.at(row, kTwistColumn) = 0.3;
  world.arrays().set_joints({.drive_target = target.view()});
  // a joint that comes has the drive that it was given
  Joint motor{.name = "motor", .body_b = world.index_of(*world.find_body("beside", 1)), .kind = HingeJoint{}};
  motor.frame_a.position = {3, 3, 0.5};
  std::get<HingeJoint>(motor.kind).turn.drive = {.stiffness = 700, .damping = 9, .target = 1, .max_force = 5};
  const JointHandle made = world.add_joint(motor, 1);
  world.step();
  EXPECT_EQ(world.drive(made, JointDof::kTwist).stiffness, 700);
  EXPECT_EQ(world.drive(world.joints(1)[0], JointDof::kTwist).target, 0.3f);
  // and one that is described again what it is told
  HostArray<double> one_more(kJointRows + 1, 6);
  one_more.at(0, kTwistColumn) = one_more.at(1, kTwistColumn) = 0.1;
  world.arrays().set_joints({.drive_target = one_more.view()}, std::vector<std::uint8_t>{1, 0, 0}.data());
  Joint changed = world.description(world.joints(0)[0]);
  std::get<HingeJoint>(changed.kind).turn.drive.target = -0.5f;
  world.set_joint(world.joints(0)[0], changed);
  world.step();
  EXPECT_EQ(world.drive(world.joints(0)[0], JointDof::kTwist).target, -0.5f);
  // none any more
  world.set_drive(world.joints(0)[1], JointDof::kTwist, {});
  world.step();
  EXPECT_EQ(world.drive(world.joints(0)[1], JointDof::kTwist), JointDrive{});
}

TEST(ExchangeJoints, a_mask_chooses_and_a_world_out_of_range_is_frozen_as_it_was) {
  World world = machines(), alone = machines();
  HostArray<double> target(kJointRows, 6), damping(kJointRows, 6);
  for (std::size_t row = 0; row < kJointRows; ++row) {
    target.at(row, kTwistColumn) = 0.2;
    damping.at(row, kTwistColumn) = 20;
  }
  damping.at(7, kTwistColumn) = -1;
  const std::vector<std::uint8_t> mask{0, 1, 1};
  world.arrays().set_joints({.drive_target = target.view(), .drive_damping = damping.view()}, mask.data());
  EXPECT_EQ(world.report(0).status, 0u);
  EXPECT_EQ(world.report(1).status, 0u);
  EXPECT_EQ(world.report(2).status, std::uint32_t{kStatusNonFinite});
  EXPECT_EQ(world.drive(world.joints(0)[0], JointDof::kTwist), kDrive);
  EXPECT_EQ(world.drive(world.joints(1)[0], JointDof::kTwist).target, 0.2f);
  EXPECT_EQ(world.drive(world.joints(2)[0], JointDof::kTwist), kDrive);
  run(world, 5);
  run(alone, 5);
  EXPECT_EQ(world.state_hashes()[0], alone.state_hashes()[0]);
  // a motor that keeps its rate is in range
  for (std::size_t row = 0; row < kJointRows; ++row)
    damping.at(row, kTwistColumn) = std::numeric_limits<double>::infinity();
  world.clear_status();
  world.arrays().set_joints({.drive_damping = damping.view()});
  EXPECT_EQ(world.report().status, 0u);
}

TEST(ExchangeJoints, wakes_what_it_drives) {
  Scene scene = machine();
  scene.set_params(with_sleeping());
  World world(scene, cpu());
  const BodyHandle tip = world.bodies()[3];
  for (int i = 0; i < 1200 && !world.asleep(tip); ++i) world.step();
  ASSERT_TRUE(world.asleep(tip));
  HostArray<double> target(3, 6);
  target.at(1, kTwistColumn) = 0.5;
  world.arrays().set_joints({.drive_target = target.view()});
  EXPECT_FALSE(world.asleep(tip));
}

TEST(ExchangeJoints, refuses_arrays_of_the_wrong_shape_and_what_is_read_alone) {
  World world = machines(1);
  HostArray<double> few(kJointRows - 1, 6), good(kJointRows, 6), narrow(kJointRows, 3);
  EXPECT_TRUE(refused(world, [&] { world.arrays().set_joints({.drive_target = few.view()}); },
                      {"JointArrays::drive_target must have the shape (9, 6)"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().get_joints({.force = good.view()}); },
                      {"JointArrays::force must have the shape (9, 3)"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().set_joints({.coordinate = good.view()}); }, {"read alone"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().set_joints({.torque = narrow.view()}); }, {"read alone"}));
}

}  // namespace
}  // namespace cairn::interop_test
