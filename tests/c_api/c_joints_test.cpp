// Joints through the C interface: every kind there and back, and what is refused.

#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

cairn_joint joint(const char* name, int kind, std::uint32_t body) {
  cairn_joint j = init(cairn_joint_init);
  j.name = name;
  j.kind = kind;
  j.body_b = body;
  return j;
}

TEST(CApiJoints, of_every_kind_come_back_as_they_were_given) {
  Fixture c(tower(2), 1);
  cairn_handle bodies[3], kept[2] = {};
  ASSERT_EQ(cairn_world_bodies(c.world, 0, bodies, 3), CAIRN_OK);
  for (std::int32_t kind = CAIRN_FIXED_JOINT; kind < CAIRN_JOINT_KIND_COUNT; ++kind) {
    const std::string name = "joint " + std::to_string(kind);
    // a gear acts on two bodies
    std::uint32_t body = 0;
    ASSERT_EQ(cairn_body_index(c.world, bodies[kind == CAIRN_SLIDER_JOINT ? 2 : 1], &body), CAIRN_OK);
    if (kind == CAIRN_GEAR_JOINT) body = CAIRN_WORLD_BODY;
    cairn_joint j = joint(name.c_str(), kind, body);
    j.position_a[2] = 0.5;
    j.breaking_force = 1e6f;
    if (kind == CAIRN_GEAR_JOINT) {
      ASSERT_EQ(cairn_joint_index(c.world, kept[0], &j.joint_a), CAIRN_OK);
      ASSERT_EQ(cairn_joint_index(c.world, kept[1], &j.joint_b), CAIRN_OK);
      j.ratio_b = -2;
    }
    // the axes that a kind has show in its own description
    cairn_handle added{};
    ASSERT_EQ(cairn_world_add_joint(c.world, 0, &j, &added), CAIRN_OK) << cairn_last_error();
    if (kind == CAIRN_HINGE_JOINT) kept[0] = added;
    if (kind == CAIRN_SLIDER_JOINT) kept[1] = added;
    auto back = init(cairn_joint_init);
    ASSERT_EQ(cairn_joint_describe(c.world, added, &back), CAIRN_OK);
    EXPECT_STREQ(back.name, name.c_str());
    EXPECT_EQ(back.kind, kind);
    EXPECT_EQ(back.position_a[2], kind == CAIRN_GEAR_JOINT ? 0 : 0.5) << "a gear has no frames";
    EXPECT_EQ(back.body_b, body);
    EXPECT_EQ(back.ratio_b, j.ratio_b);
    for (cairn_joint_axis& axis : back.axes) {
      if (axis.mode == CAIRN_AXIS_OF_KIND) continue;
      // an axis of its own takes bounds and a drive, if it isn't locked
      axis.mode = CAIRN_AXIS_LIMITED;
      axis.lower = -0.25f;
      axis.upper = 0.5f;
      axis.drive = {10, 1, 0.25f, 0, 0, 100};
    }
    back.name = "driven";
    cairn_handle driven{};
    ASSERT_EQ(cairn_world_add_joint(c.world, 0, &back, &driven), CAIRN_OK) << cairn_last_error();
    auto again = init(cairn_joint_init);
    ASSERT_EQ(cairn_joint_describe(c.world, driven, &again), CAIRN_OK);
    EXPECT_EQ(std::memcmp(again.axes, back.axes, sizeof back.axes), 0) << kind;
    ASSERT_EQ(cairn_joint_remove(c.world, driven), CAIRN_OK);
    std::int32_t alive = 1;
    ASSERT_EQ(cairn_joint_alive(c.world, driven, &alive), CAIRN_OK);
    EXPECT_EQ(alive, 0);
  }
  std::uint32_t count = 0;
  ASSERT_EQ(cairn_world_joint_count(c.world, 0, &count), CAIRN_OK);
  EXPECT_EQ(count, static_cast<std::uint32_t>(CAIRN_JOINT_KIND_COUNT));
}

TEST(CApiJoints, drive_and_tell_of_themselves_like_those_of_cpp) {
  const Scene bodies = tower(1);
  const Joint hinge{.name = "axle", .body_b = 1, .frame_a = {{0, 0, 0.5}, {}}, .kind = HingeJoint{}};
  Scene scene = bodies;
  scene.add_joint(hinge);
  World world(scene, cpu());
  world.set_drive(world.joints()[0], {.damping = 2, .rate = 1, .max_force = 5});

  Fixture c(bodies, 1);
  cairn_joint j = joint("axle", CAIRN_HINGE_JOINT, 1);
  j.position_a[2] = 0.5;
  cairn_handle axle{};
  std::uint32_t index = 7;
  ASSERT_EQ(cairn_scene_add_joint(c.scene, &j, &index), CAIRN_OK);
  EXPECT_EQ(index, 0u);
  ASSERT_EQ(cairn_scene_find_joint(c.scene, "axle", &index), CAIRN_OK);
  c.make_world();
  ASSERT_EQ(cairn_world_joints(c.world, 0, &axle, 1), CAIRN_OK);
  cairn_handle named{};
  ASSERT_EQ(cairn_world_find_joint(c.world, 0, "axle", &named), CAIRN_OK);
  EXPECT_EQ(named.index, axle.index);
  EXPECT_TRUE(fails(cairn_world_find_joint(c.world, 0, "nothing", &named), CAIRN_INVALID_ARGUMENT, "\"nothing\""));
  auto changed = init(cairn_joint_init);
  ASSERT_EQ(cairn_joint_describe(c.world, axle, &changed), CAIRN_OK);
  changed.breaking_force = 1e5f;
  ASSERT_EQ(cairn_joint_set_joint(c.world, axle, &changed), CAIRN_OK);
  Joint as_well = world.description(world.joints()[0]);
  as_well.breaking_force = 1e5f;
  world.set_joint(world.joints()[0], as_well);
  const cairn_joint_drive drive{0, 2, 0, 1, 0, 5};
  ASSERT_EQ(cairn_joint_set_drive(c.world, axle, CAIRN_TWIST, &drive), CAIRN_OK);
  EXPECT_TRUE(c.goes_on_as(world, 60));
  cairn_joint_state state{.struct_size = sizeof state};
  ASSERT_EQ(cairn_joint_state_of(c.world, axle, &state), CAIRN_OK);
  const JointState wanted = world.state(world.joints()[0]);
  EXPECT_EQ(state.coordinates[CAIRN_TWIST], wanted.coordinates[3]);
  EXPECT_EQ(state.force[2], wanted.force.z);
  cairn_joint_anchor anchors[2];
  ASSERT_EQ(cairn_joint_anchors(c.world, axle, anchors), CAIRN_OK);
  const std::array<JointAnchor, 2> held = world.anchors(world.joints()[0]);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(anchors[i].body.index, held[i].body.index);
    EXPECT_EQ(anchors[i].position[2], held[i].position.z);
    EXPECT_EQ(anchors[i].orientation[3], held[i].orientation.w);
  }
  EXPECT_EQ(state.torque[0], wanted.torque.x);
  EXPECT_EQ(state.broken, 0);
}

TEST(CApiJoints, that_cant_be_are_refused_by_name) {
  Fixture c(tower(2), 1);
  cairn_handle none{};
  cairn_joint j = joint("bad", CAIRN_FIXED_JOINT, 1);
  j.axes[CAIRN_TWIST].friction = 1;
  EXPECT_TRUE(fails(cairn_world_add_joint(c.world, 0, &j, nullptr), CAIRN_INVALID_ARGUMENT, "cairn_joint.axes[3]"));
  j = joint("bad", CAIRN_JOINT_KIND_COUNT, 1);
  EXPECT_TRUE(fails(cairn_world_add_joint(c.world, 0, &j, nullptr), CAIRN_INVALID_ARGUMENT, "cairn_joint.kind"));
  j = joint("bad", CAIRN_HINGE_JOINT, 1);
  j.axes[CAIRN_TWIST].mode = 4;
  EXPECT_TRUE(fails(cairn_world_add_joint(c.world, 0, &j, nullptr), CAIRN_INVALID_ARGUMENT, "axes[3].mode"));
  j = joint("bad", CAIRN_HINGE_JOINT, 9);
  EXPECT_TRUE(fails(cairn_scene_add_joint(c.scene, &j, nullptr), CAIRN_INVALID_ARGUMENT, "joint \"bad\": body_b"));
  EXPECT_TRUE(fails(cairn_joint_remove(c.world, none), CAIRN_INVALID_ARGUMENT, "stale"));
  const cairn_joint_drive drive{};
  EXPECT_TRUE(fails(cairn_joint_set_drive(c.world, none, 6, &drive), CAIRN_INVALID_ARGUMENT, "dof"));
}

}  // namespace
}  // namespace cairn::c_api_test
