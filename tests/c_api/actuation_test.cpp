// Tracks, dragging, muscles and virtual forces through the C interface: with the bits of C++, and what is refused.

#include <limits>

#include "cairn/drag.h"
#include "cairn/muscle.h"
#include "cairn/track.h"
#include "cairn/virtual_force.h"
#include "tests/c_api/c_api.h"
#include "tests/joints/joint_scenes.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT
using joints_test::block;

constexpr float kStep = 0.005f;  // [s]

/// Two links on hinges, the first on the world; a kinematic block, body 2; and a free one, body 3.
Scene arm() {
  Scene scene;
  StepParams params;
  params.dt = kStep;
  scene.set_params(params);
  for (int i = 0; i < 2; ++i) {
    scene.add_body(block("link " + std::to_string(i), {0.5 + i, 0, 0}, {0.4f, 0.05f, 0.05f}, 1));
    Joint joint{.name = "hinge " + std::to_string(i), .body_a = i == 0 ? kWorldBody : 0u, .kind = HingeJoint{}};
    joint.body_b = static_cast<std::uint32_t>(i);
    const float r = std::sqrt(0.5f);
    joint.frame_a = {{i == 0 ? 0 : 0.5, 0, 0}, {0, 0, r, r}};
    joint.frame_b = {{-0.5, 0, 0}, {0, 0, r, r}};
    std::get<HingeJoint>(joint.kind).turn.drive = {.stiffness = 50, .damping = 5, .max_force = 100};
    scene.add_joint(joint);
  }
  Body moved = block("moved", {0, 3, 0}, {0.2f, 0.2f, 0.2f}, 1);
  moved.type = BodyType::kKinematic;
  scene.add_body(moved);
  scene.add_body(block("free", {0, -3, 0}, {0.2f, 0.2f, 0.2f}, 2));
  return scene;
}

struct Both {
  void step() {
    world.step();
    c.step();
  }
  Fixture c{arm(), 1};
  World world{arm(), cpu(1)};
  const std::vector<cairn_handle> bodies{c.bodies()}, joints{c.joints()};
};

TEST(CApiActuation, tracks_lead_joints_and_bodies_as_in_cpp) {
  const std::vector<TrackKey> keys{{0, 0}, {0.05, 0.4}, {0.1, -0.2}};
  const std::vector<cairn_track_key> in_c{{0, 0}, {0.05, 0.4}, {0.1, -0.2}};
  const std::vector<PoseKey> poses{{0, {0, 3, 0}, {}}, {0.1, {0.2, 3, 0.1}, {0, 0, 1, 1}}};
  const std::vector<cairn_pose_key> poses_in_c{{0, {0, 3, 0}, {0, 0, 0, 1}}, {0.1, {0.2, 3, 0.1}, {0, 0, 1, 1}}};
  const PoseTrack pose_track(poses, true);
  cairn_pose_track* c_pose_track = value_of(cairn_pose_track_create, poses_in_c.data(), 2, 1);
  for (const Interpolation between : {Interpolation::kStep, Interpolation::kLinear, Interpolation::kSmooth}) {
    const Track track(keys, between, true);
    cairn_track* c_track = value_of(cairn_track_create, in_c.data(), 3, static_cast<std::int32_t>(between), 1);
    Both both;
    for (int i = 1; i <= 30; ++i) {
      const double time = i * static_cast<double>(kStep);
      double value = 0, rate = 0, position[3];
      float orientation[4];
      ASSERT_EQ(cairn_track_at(c_track, time, &value, &rate), CAIRN_OK);
      EXPECT_EQ(value, track.value(time));
      EXPECT_EQ(rate, track.rate(time));
      ASSERT_EQ(cairn_pose_track_at(c_pose_track, time, position, orientation), CAIRN_OK);
      const Pose pose = pose_track.pose(time);
      EXPECT_EQ((Vec3d{position[0], position[1], position[2]}), pose.position);
      EXPECT_EQ((Quat{orientation[0], orientation[1], orientation[2], orientation[3]}), pose.orientation);
      follow(both.world, both.world.joints()[1], JointDof::kTwist, track, time, kStep);
      follow(both.world, both.world.bodies()[2], pose_track, time, kStep);
      ASSERT_EQ(cairn_joint_follow(both.c.world, both.joints[1], CAIRN_TWIST, c_track, time, kStep), CAIRN_OK);
      ASSERT_EQ(cairn_body_follow(both.c.world, both.bodies[2], c_pose_track, time, kStep), CAIRN_OK);
      both.step();
    }
    EXPECT_EQ(both.c.hash(), both.world.state_hash());
    EXPECT_NE(both.c.hash(), Fixture(arm(), 1).hash());
    cairn_track_destroy(c_track);
  }
  cairn_pose_track_destroy(c_pose_track);
}

TEST(CApiActuation, drags_pull_as_in_cpp_and_outlive_their_world) {
  Both both;
  const DragParams params{.frequency = 3, .damping_ratio = 0.7f, .max_acceleration = 200};
  auto in_c = init(cairn_drag_params_init);
  EXPECT_EQ(in_c.frequency, DragParams{}.frequency);
  copy_members(in_c, params);
  const double point[3] = {0.1, -3, 0.2}, target[3] = {1, -3, 1};
  Drag drag(both.world, both.world.bodies()[3], {0.1, -3, 0.2}, params);
  cairn_drag* const c_drag = value_of(cairn_drag_create, both.c.world, both.bodies[3], point, &in_c);
  drag.move({1, -3, 1});
  ASSERT_EQ(cairn_drag_move(c_drag, target), CAIRN_OK);
  RayQuery down{.origin = {1.5, 0, 5}};
  auto ray = init(cairn_query_init);
  ray.position[0] = 1.5;
  ray.position[2] = 5;
  std::optional<Drag> other = Drag::pick(both.world, down);
  cairn_drag* const picked = value_of(cairn_drag_pick, both.c.world, &ray, nullptr);
  ASSERT_TRUE(other && picked != nullptr);
  for (int i = 0; i < 30; ++i) both.step();
  EXPECT_EQ(both.c.hash(), both.world.state_hash());
  EXPECT_EQ(value_of(cairn_drag_joint, c_drag).index, drag.joint().index);
  EXPECT_EQ(value_of(cairn_drag_over, c_drag), 0);

  // nothing there, and what isn't dynamic
  cairn_drag* none = nullptr;
  ray.position[0] = 50;
  EXPECT_EQ(value_of(cairn_drag_pick, both.c.world, &ray, nullptr), nullptr);
  EXPECT_TRUE(fails(cairn_drag_create(both.c.world, both.bodies[2], point, nullptr, &none), "must be dynamic"));
  in_c.frequency = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(fails(cairn_drag_create(both.c.world, both.bodies[3], point, &in_c, &none), "frequency must be over 0"));
  const auto ball = init(cairn_shape_init);
  ray.shape = &ball;
  EXPECT_TRUE(fails(cairn_drag_pick(both.c.world, &ray, nullptr, &none), "cairn_query.shape"));

  EXPECT_EQ(both.c.joints().size(), 4u);
  cairn_drag_destroy(picked);
  EXPECT_EQ(both.c.joints().size(), 3u);
  ASSERT_EQ(cairn_body_remove(both.c.world, both.bodies[3]), CAIRN_OK);
  EXPECT_EQ(value_of(cairn_drag_over, c_drag), 1);
  EXPECT_TRUE(fails(cairn_drag_move(c_drag, target), "was removed"));
  cairn_world_destroy(both.c.world);
  both.c.world = nullptr;
  value_of(cairn_drag_over, c_drag);
  cairn_drag_destroy(c_drag);
  cairn_drag_destroy(nullptr);
}

TEST(CApiActuation, muscles_pull_as_in_cpp) {
  Both both;
  const MuscleParams params{.max_isometric_force = 200, .optimal_fibre_length = 0.6, .tendon_slack_length = 0.5};
  auto in_c = init(cairn_muscle_params_init);
  EXPECT_EQ(in_c.tendon_strain, MuscleParams{}.tendon_strain);
  EXPECT_EQ(in_c.deactivation_time, MuscleParams{}.deactivation_time);
  copy_members(in_c, params);
  Muscle muscle(both.world, {{{}, {0, 0, 0.3}}, {both.world.bodies()[0], {0, 0, 0.2}}, {both.world.bodies()[1], {}}},
                params);
  const cairn_muscle_point path[3] = {
      {{0, 0}, {0, 0, 0.3}}, {both.bodies[0], {0, 0, 0.2}}, {both.bodies[1], {0, 0, 0}}};
  cairn_muscle* const c_muscle = value_of(cairn_muscle_create, both.c.world, path, 3, &in_c);
  double activation = 0, force = 0, fibre = 0, length = 0;
  for (int i = 0; i < 30; ++i) {
    const double excitation = i < 20 ? 0.8 : 0.1;
    muscle.act(excitation, kStep);
    ASSERT_EQ(cairn_muscle_act(c_muscle, excitation, kStep), CAIRN_OK) << cairn_last_error();
    both.step();
    ASSERT_EQ(cairn_muscle_state(c_muscle, &activation, &force, &fibre, &length), CAIRN_OK);
    EXPECT_EQ(activation, muscle.activation());
    EXPECT_EQ(force, muscle.force());
    EXPECT_EQ(fibre, muscle.fibre_length());
    EXPECT_EQ(length, muscle.length());
  }
  EXPECT_GT(force, 0);
  EXPECT_EQ(both.c.hash(), both.world.state_hash());
  // a copy is as it was when the other goes on
  cairn_muscle* const copy = value_of(cairn_muscle_copy, c_muscle);
  ASSERT_EQ(cairn_muscle_act(c_muscle, 1, kStep), CAIRN_OK);
  double kept = 0;
  ASSERT_EQ(cairn_muscle_state(copy, &kept, nullptr, nullptr, nullptr), CAIRN_OK);
  EXPECT_EQ(kept, activation);

  EXPECT_TRUE(fails(cairn_muscle_act(c_muscle, 2, kStep), "excitation must be between"));
  EXPECT_TRUE(fails(cairn_muscle_act(c_muscle, 1, 0), "dt must be over 0"));
  cairn_muscle* none = nullptr;
  EXPECT_TRUE(fails(cairn_muscle_create(both.c.world, path, 1, &in_c, &none), "muscle"));
  in_c.pennation = 2;
  EXPECT_TRUE(fails(cairn_muscle_create(both.c.world, path, 3, &in_c, &none), "pennation"));
  ASSERT_EQ(cairn_body_remove(both.c.world, both.bodies[1]), CAIRN_OK);
  kept = 7;
  EXPECT_TRUE(fails(cairn_muscle_act(c_muscle, 1, kStep), "stale"));
  EXPECT_TRUE(fails(cairn_muscle_state(c_muscle, &kept, nullptr, nullptr, &length), "stale"));
  EXPECT_EQ(kept, 7);
  EXPECT_EQ(none, nullptr);
  cairn_muscle_destroy(c_muscle);
  cairn_muscle_destroy(copy);
  cairn_muscle_destroy(nullptr);
}

TEST(CApiActuation, virtual_forces_are_those_of_cpp) {
  Both both;
  const double point[3] = {2, 0, 0};
  const float force[3] = {1, 2, 15};
  cairn_joint_effort efforts[2];
  for (int i = 0; i < 30; ++i) {
    const std::vector<JointEffort> want = virtual_force(both.world, both.world.joints(), {2, 0, 0}, {1, 2, 15});
    ASSERT_EQ(cairn_world_virtual_force(both.c.world, both.joints.data(), 2, point, force, efforts), CAIRN_OK);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(efforts[k].joint.index, want[k].joint.index);
      EXPECT_TRUE(std::equal(want[k].effort.begin(), want[k].effort.end(), efforts[k].effort)) << i;
    }
    exert(both.world, want);
    ASSERT_EQ(cairn_world_exert(both.c.world, efforts, 2), CAIRN_OK);
    both.step();
  }
  EXPECT_NE(efforts[1].effort[CAIRN_TWIST], 0);
  EXPECT_EQ(both.c.hash(), both.world.state_hash());

  // one that is bad spoils all: nothing is given
  Fixture untouched(arm(), 1), tried(arm(), 1);
  cairn_joint_effort bad[2] = {efforts[0], efforts[1]};
  bad[1].effort[CAIRN_TWIST] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(fails(cairn_world_exert(tried.world, bad, 2), "joint \"hinge 1\" must be finite"));
  bad[1] = efforts[1];
  bad[1].joint.generation += 1;
  EXPECT_TRUE(fails(cairn_world_exert(tried.world, bad, 2), "stale"));
  tried.step();
  untouched.step();
  EXPECT_EQ(tried.hash(), untouched.hash());
  EXPECT_TRUE(fails(cairn_world_virtual_force(tried.world, &bad[1].joint, 1, point, force, efforts), "stale"));
}

TEST(CApiActuation, tracks_that_cant_be_are_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Both both;
  cairn_track* track = nullptr;
  cairn_pose_track* poses = nullptr;
  const cairn_track_key keys[3] = {{0, 0}, {1, nan}, {1, 0}};
  EXPECT_TRUE(fails(cairn_track_create(nullptr, 0, CAIRN_TRACK_STEP, 0, &track), "needs a key"));
  EXPECT_TRUE(fails(cairn_track_create(keys, 2, CAIRN_TRACK_STEP, 0, &track), "key 1 must"));
  EXPECT_TRUE(fails(cairn_track_create(keys, 3, CAIRN_TRACK_STEP, 0, &track), "key 2 must"));
  EXPECT_TRUE(fails(cairn_track_create(keys, 1, 3, 0, &track), "interpolation must be between 0 and 2, is 3"));
  const cairn_pose_key no_turn{};
  EXPECT_TRUE(fails(cairn_pose_track_create(&no_turn, 1, 0, &poses), "key 0 must"));
  ASSERT_EQ(cairn_track_create(keys, 1, CAIRN_TRACK_SMOOTH, 0, &track), CAIRN_OK);
  EXPECT_TRUE(
      fails(cairn_joint_follow(both.c.world, both.joints[0], 6, track, 0, kStep), "dof must be between 0 and 5, is 6"));
  EXPECT_TRUE(fails(cairn_joint_follow(both.c.world, both.joints[0], CAIRN_SHIFT_X, track, 0, kStep), "hinge 0"));
  EXPECT_TRUE(fails(cairn_joint_follow(both.c.world, both.joints[0], CAIRN_TWIST, track, 0, 0), "dt must be over 0"));
  EXPECT_EQ(poses, nullptr);
  cairn_track_destroy(track);
}

}  // namespace
}  // namespace cairn::c_api_test
