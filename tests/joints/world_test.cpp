// Joints in a World: the same bits everywhere, coming and going, and what is refused.

#include <gtest/gtest.h>

#include "tests/joints/scenes.h"

namespace cairn::joints_test {
namespace {

/// Chains of all sorts over a floor, with boxes that fall among them.
Scene lively(const StepParams& params) {
  Scene scene;
  scene.set_params(params);
  Body floor = block("floor", {0, 0, -0.5}, {10, 10, 0.5f}, 1);
  floor.type = BodyType::kStatic;
  floor.mass.reset();
  scene.add_body(floor);
  const std::vector<JointKind> kinds{
      BallJoint{},      HingeJoint{},           BallJoint{.cone = 0.6f},
      UniversalJoint{}, DistanceJoint{0, 0.3f}, SliderJoint{JointAxis::limited(-0.1f, 0.1f)}};
  for (std::uint32_t c = 0; c < 4; ++c) {
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::string name = std::to_string(c) + "." + std::to_string(i);
      const std::uint32_t body = scene.add_body(block("link " + name, {0.3 * i, 0.5 * c, 1.5 + 0.1 * c},
                                                      {0.1f, 0.05f, 0.04f}, 1 + 0.1f * static_cast<float>(i)));
      Joint joint{.name = "joint " + name,
                  .body_a = i == 0 ? kWorldBody : body - 1,
                  .body_b = body,
                  .kind = kinds[(c + i) % kinds.size()]};
      joint.frame_a.position = i == 0 ? Vec3d{-0.15, 0.5 * c, 1.5 + 0.1 * c} : Vec3d{0.15, 0, 0};
      joint.frame_b.position = {-0.15, 0, 0};
      scene.add_joint(joint);
    }
  }
  for (int i = 0; i < 20; ++i) {
    scene.add_body(
        block("box " + std::to_string(i), {0.12 * i, 0.1 * (i % 9), 2.5 + 0.2 * i}, {0.08f, 0.08f, 0.08f}, 1));
  }
  return scene;
}

class JointBits : public testing::TestWithParam<SolverKind> {};

TEST_P(JointBits, are_the_same_for_any_threads_and_parts_and_in_a_batch) {
  const Scene scene = lively(params_of(GetParam(), 6));
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3}) {
    for (const std::uint32_t small : {0u, 128u}) {
      World world(scene, {.device = Device::cpu(threads), .tuning = {.small_world = small}});
      run(world, 2);
      ASSERT_EQ(world.report().status, 0u);
      if (first == 0) first = world.state_hash();
      EXPECT_EQ(world.state_hash(), first) << threads << " threads, " << small;
    }
  }
  World batch = World::copies(scene, 5, {.device = Device::cpu(2)});
  run(batch, 2);
  for (const std::uint64_t hash : batch.state_hashes()) EXPECT_EQ(hash, batch.state_hashes()[0]);
  World alone(scene, {.device = Device::cpu(1)});
  run(alone, 2);
  EXPECT_EQ(batch.state_hashes()[3], alone.state_hashes()[0]);
  // a world that is reset goes on as a new one does
  batch.reset(2);
  run(batch, 2);
  EXPECT_EQ(batch.state_hashes()[2], alone.state_hashes()[0]);
}

INSTANTIATE_TEST_SUITE_P(Solvers, JointBits,
                         testing::Values(SolverKind::kSoftStep, SolverKind::kXpbd, SolverKind::kSequentialImpulse),
                         [](const auto& param) { return "solver_" + std::to_string(static_cast<int>(param.param)); });

TEST(Joints, keep_their_bodies_apart_unless_told_to_collide) {
  for (const bool collide : {false, true}) {
    Scene scene;
    scene.set_gravity({0, 0, 0});
    scene.add_body(block("a", {0, 0, 0}, {0.5f, 0.5f, 0.5f}, 1));
    scene.add_body(block("b", {0.9, 0, 0}, {0.5f, 0.5f, 0.5f}, 1));
    scene.add_joint({.name = "rope", .body_a = 0, .body_b = 1, .kind = DistanceJoint{0, 5}, .collide = collide});
    World world(scene);
    world.step();
    EXPECT_EQ(world.report().manifolds, collide ? 1u : 0u);
    world.remove_joint(world.joints()[0]);
    world.step();
    EXPECT_EQ(world.report().pairs, 1u);
  }
}

TEST(Joints, go_with_their_bodies_and_gears_with_what_they_follow) {
  Scene scene = chain(3, 0.2f, 1, params_of(SolverKind::kSoftStep, 6), HingeJoint{});
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 2}});
  World world(scene);
  run(world, 0.1);
  ASSERT_EQ(world.joints().size(), 4u);
  const JointHandle first = world.joints()[0];
  world.remove_body(world.bodies()[0]);
  EXPECT_EQ(world.joints().size(), 1u);
  EXPECT_FALSE(world.alive(first));
  EXPECT_THROW(world.state(first), InvalidArgument);
  run(world, 0.1);
  Joint again{.name = "again", .body_b = 2, .kind = BallJoint{}};
  EXPECT_TRUE(world.alive(world.add_joint(again)));
  run(world, 0.1);
  EXPECT_EQ(world.report().status, 0u);
}

TEST(Joints, that_gears_follow_take_along_all_of_them_and_no_other) {
  Scene scene = chain(4, 0.2f, 1, params_of(SolverKind::kSoftStep, 6), HingeJoint{});
  const auto gear = [&](std::uint32_t a, std::uint32_t b) {
    scene.add_joint(
        {.name = "gear " + std::to_string(a) + std::to_string(b), .kind = GearJoint{.joint_a = a, .joint_b = b}});
  };
  gear(0, 2);
  gear(2, 1);
  gear(3, 1);
  World world(scene);
  const std::vector<JointHandle> joints = world.joints();
  // a gear that goes first is followed by nothing and follows nothing
  world.remove_joint(joints[5]);
  world.remove_joint(joints[2]);
  EXPECT_FALSE(world.alive(joints[4]));
  EXPECT_TRUE(world.alive(joints[6]));
  // its slot is another joint's now, which no gear follows
  const JointHandle again = world.add_joint({.name = "again", .body_a = 1, .body_b = 2, .kind = HingeJoint{}});
  world.remove_joint(again);
  EXPECT_TRUE(world.alive(joints[6]));
  world.remove_joint(joints[3]);
  EXPECT_FALSE(world.alive(joints[6]));
  EXPECT_EQ(world.joints().size(), 2u);
}

TEST(Joints, that_sleep_tell_of_the_load_that_they_bear) {
  StepParams params = params_of(SolverKind::kSoftStep, 6);
  params.sleeping = true;
  World world(chain(3, 0.2f, 1, params, HingeJoint{}));
  run(world, 5);
  ASSERT_EQ(world.report().asleep, 3u);
  EXPECT_NEAR(world.state(world.joints()[0]).force.z, 3 * kG, 0.001 * 3 * kG);
}

TEST(Joints, that_hang_still_fall_asleep_and_wake_with_their_motor) {
  StepParams params = params_of(SolverKind::kSoftStep, 6);
  params.sleeping = true;
  World world(chain(3, 0.2f, 1, params, HingeJoint{}));
  run(world, 5);
  EXPECT_EQ(world.report().asleep, 3u);
  world.set_drive(world.joints()[1], {.damping = 1, .rate = 2, .max_force = 10});
  run(world, 1);
  EXPECT_EQ(world.report().asleep, 0u);
}

TEST(Joints, that_contradict_each_other_stay_finite) {
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kXpbd}) {
    Scene scene = chain(2, 0.2f, 1, params_of(solver, 6), FixedJoint{});
    for (int i = 0; i < 3; ++i) {
      Joint joint{.name = "other " + std::to_string(i), .body_a = 0, .body_b = 1, .kind = FixedJoint{}};
      joint.frame_a.position = {0.3 * i, 0, 0};
      scene.add_joint(joint);
    }
    World world(scene);
    run(world, 5);
    EXPECT_EQ(world.report().status, 0u);
    EXPECT_LT(length_of(world.state(world.bodies()[1]).linear_velocity), 5) << static_cast<int>(solver);
  }
}

std::string refusal(const Scene& scene, const Joint& joint) {
  Scene copy = scene;
  try {
    copy.add_joint(joint);
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(copy.joints().size(), scene.joints().size());
    return error.what();
  }
  return "";
}

TEST(Joints, that_break_a_rule_are_refused_by_name) {
  const Scene scene = chain(2, 0.2f, 1, {}, HingeJoint{});
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto with = [](auto change) {
    Joint joint{.name = "bad", .body_a = 0, .body_b = 1, .kind = HingeJoint{}};
    change(joint);
    return joint;
  };
  const std::vector<std::pair<Joint, std::string>> bad{
      {with([](Joint& j) {
         j.frame_a.orientation = {0, 0, 0, 0};
       }),
       "joint \"bad\": frame_a orientation must not be the zero"},
      {with([](Joint& j) { j.kind = HingeJoint{JointAxis::limited(1, -1)}; }), "turn lower must not be over upper"},
      {with([](Joint& j) { j.body_b = 0; }), "body_b must be another body than body_a"},
      {with([](Joint& j) { j.body_b = 7; }), "body_b must be a body or the world, there is no body 7"},
      {with([](Joint& j) { j.body_a = j.body_b = kWorldBody; }), "must be a body where body_a is the world"},
      {with([](Joint& j) { j.kind = HingeJoint{{.drive = {.stiffness = kNan, .max_force = 1}}}; }),
       "turn drive stiffness must be finite"},
      {with([](Joint& j) { j.kind = ScrewJoint{0}; }), "pitch must not be 0"},
      {with([](Joint& j) {
         j.kind = DistanceJoint{2, 1};
       }),
       "min_length must not be over max_length"},
      {with([](Joint& j) { j.breaking_force = 0; }), "breaking_force must be over 0"},
      {with([](Joint& j) { j.kind = GearJoint{.joint_a = 0, .joint_b = 0}; }), "joint_b must be another joint"},
      {with([](Joint& j) {
         j.body_a = j.body_b = kWorldBody;
         j.kind = GearJoint{.joint_a = 0, .joint_b = 9};
       }),
       "there is no joint 9"},
      {with([](Joint& j) { j.kind = GearJoint{.joint_a = 0, .joint_b = 1}; }), "body_a must be left out of a gear"},
      {with([](Joint& j) {
         GeneralJoint swings;
         swings.axes[4] = JointAxis::limited(-4, 4);
         j.kind = swings;
       }),
       "swing_y lower must be between -3.1415927 and 3.1415927 rad"},
      {with([](Joint& j) { j.name = "joint 0"; }), "name must be unique"}};
  for (const auto& [joint, rule] : bad) {
    const std::string message = refusal(scene, joint);
    EXPECT_NE(message.find(rule), std::string::npos) << message << " for " << rule;
  }
}

TEST(Joints, name_bodies_by_slots_whose_handles_are_told) {
  const Scene scene = chain(3, 0.2f, 1, {}, BallJoint{});
  World world = World::copies(scene, 2);
  world.remove_body(world.bodies(1)[0]);
  const Joint& last = world.description(world.joints(1).back());
  EXPECT_EQ(world.body_at(last.body_b, 1), world.bodies(1).back());
  EXPECT_EQ(world.index_of(world.bodies(1).back()), last.body_b);
  EXPECT_EQ(world.index_of(world.joints(1).back()), 2u);
  EXPECT_EQ(world.description(world.body_at(last.body_a, 1)).name, "link 1");
  EXPECT_THROW(world.body_at(0, 1), InvalidArgument) << "removed";
  EXPECT_THROW(world.body_at(3, 0), InvalidArgument) << "never was";
  EXPECT_THROW(world.body_at(0, 2), InvalidArgument) << "no such world";
}

TEST(Joints, are_no_matter_of_avbd) {
  World world(chain(2, 0.2f, 1, {}, HingeJoint{}));
  StepParams params;
  params.solver = SolverKind::kAvbd;
  world.set_params(params);
  EXPECT_THROW(world.step(), InvalidArgument);
}

TEST(Joints, take_the_memory_that_was_told) {
  const Scene scene = lively({});
  for (const std::uint32_t worlds : {1u, 3u}) {
    const WorldOptions options{.device = Device::cpu(1)};
    World world = World::copies(scene, worlds, options);
    world.step();
    EXPECT_EQ(estimate_memory(scene, worlds, options), world.memory_bytes());
  }
}

}  // namespace
}  // namespace cairn::joints_test
