// Joints in a World: coming and going, scaled, and what is refused.

#include "tests/joints/joint_scenes.h"
#include "tests/support/refusal.h"

namespace cairn::joints_test {
namespace {

using testing_support::refusal_of;

TEST(Joints, keep_their_bodies_apart_unless_told_to_collide) {
  for (const bool collide : {false, true}) {
    Scene scene =
        afloat({block("a", {0, 0, 0}, {0.5f, 0.5f, 0.5f}, 1), block("b", {0.9, 0, 0}, {0.5f, 0.5f, 0.5f}, 1)});
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

TEST(Joints, that_hang_still_fall_asleep_tell_of_their_load_and_wake_with_their_motor) {
  World world(chain(3, 0.2f, 1, testing_support::with_sleeping(), HingeJoint{}));
  run(world, 5);
  ASSERT_EQ(world.report().asleep, 3u);
  EXPECT_NEAR(world.state(world.joints()[0]).force.z, 3 * kG, 0.001 * 3 * kG);
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
  const std::string refused = refusal_of([&] { copy.add_joint(joint); });
  EXPECT_EQ(copy.joints().size(), scene.joints().size() + (refused.empty() ? 1 : 0));
  return refused;
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

TEST(JointsScaled, anchors_grow_with_their_bodies) {
  // a pendulum of twice the size hangs twice as deep, in a world that was made small and in one that is scaled
  for (const bool by_world : {false, true}) {
    World world(chain(1, 0.2f, 1, params_of(SolverKind::kSoftStep, 6), BallJoint{}));
    const JointHandle joint = world.joints()[0];
    if (by_world) {
      world.scales().set(Scales{.size = 2, .mass = 0.5f}, 0);
    } else {
      world.scales().set(BodyScales{.size = 2, .mass = 0.5f}, world.bodies()[0]);
    }
    // where it hangs then
    BodyState state = world.state(world.bodies()[0]);
    state.position = {0, 0, -0.2};
    world.set_state(world.bodies()[0], state);
    run(world, 5);
    EXPECT_NEAR(world.state(world.bodies()[0]).position.z, -0.2, 1e-4);
    // a mass of 1 kg scaled by 0.5 at 8 times the volume
    EXPECT_NEAR(world.state(joint).force.z, 4 * kG, 0.001 * 4 * kG);
    testing_support::expect_to_go_on_restored(world, 30);
    // a joint that comes later sits on the larger body
    world.remove_joint(joint);
    world.add_joint({.name = "later", .body_b = 0, .frame_b = {{0, 0, 0.1}, {}}, .kind = BallJoint{}});
    run(world, 2);
    EXPECT_NEAR(world.state(world.bodies()[0]).position.z, -0.2, 1e-4);
  }
}

}  // namespace
}  // namespace cairn::joints_test
