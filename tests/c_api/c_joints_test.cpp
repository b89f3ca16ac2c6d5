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
  const std::vector<cairn_handle> bodies = c.bodies();
  cairn_handle kept[2] = {};
  for (std::int32_t kind = CAIRN_FIXED_JOINT; kind < CAIRN_JOINT_KIND_COUNT; ++kind) {
    const std::string name = "joint " + std::to_string(kind);
    // a gear acts on two bodies
    std::uint32_t body = value_of(cairn_body_index, c.world, bodies[kind == CAIRN_SLIDER_JOINT ? 2 : 1]);
    if (kind == CAIRN_GEAR_JOINT) body = CAIRN_WORLD_BODY;
    cairn_joint j = joint(name.c_str(), kind, body);
    j.position_a[2] = 0.5;
    j.breaking_force = 1e6f;
    if (kind == CAIRN_GEAR_JOINT) {
      j.joint_a = value_of(cairn_joint_index, c.world, kept[0]);
      j.joint_b = value_of(cairn_joint_index, c.world, kept[1]);
      j.ratio_b = -2;
    }
    // the axes that a kind has show in its own description
    const cairn_handle added = value_of(cairn_world_add_joint, c.world, 0, &j);
    if (kind == CAIRN_HINGE_JOINT) kept[0] = added;
    if (kind == CAIRN_SLIDER_JOINT) kept[1] = added;
    cairn_joint back = value_of(cairn_joint_describe, c.world, added);
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
    const cairn_handle driven = value_of(cairn_world_add_joint, c.world, 0, &back);
    const cairn_joint again = value_of(cairn_joint_describe, c.world, driven);
    EXPECT_EQ(std::memcmp(again.axes, back.axes, sizeof back.axes), 0) << kind;
    ASSERT_EQ(cairn_joint_remove(c.world, driven), CAIRN_OK);
    EXPECT_EQ(value_of(cairn_joint_alive, c.world, driven), 0);
  }
  EXPECT_EQ(c.joints().size(), std::size_t{CAIRN_JOINT_KIND_COUNT});
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
  EXPECT_EQ(value_of(cairn_scene_add_joint, c.scene, &j), 0u);
  EXPECT_EQ(value_of(cairn_scene_find_joint, c.scene, "axle"), 0u);
  c.make_world();
  const cairn_handle axle = c.joints()[0];
  EXPECT_EQ(value_of(cairn_world_find_joint, c.world, 0, "axle").index, axle.index);
  cairn_handle none{};
  EXPECT_TRUE(fails(cairn_world_find_joint(c.world, 0, "nothing", &none), "\"nothing\""));
  cairn_joint changed = value_of(cairn_joint_describe, c.world, axle);
  changed.breaking_force = 1e5f;
  ASSERT_EQ(cairn_joint_set_joint(c.world, axle, &changed), CAIRN_OK);
  Joint as_well = world.description(world.joints()[0]);
  as_well.breaking_force = 1e5f;
  world.set_joint(world.joints()[0], as_well);
  const cairn_joint_drive drive{0, 2, 0, 1, 0, 5};
  ASSERT_EQ(cairn_joint_set_drive(c.world, axle, CAIRN_TWIST, &drive), CAIRN_OK);
  EXPECT_TRUE(c.goes_on_as(world, 60));
  const cairn_joint_state state = value_of(cairn_joint_state_of, c.world, axle);
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
  EXPECT_TRUE(fails(cairn_world_add_joint(c.world, 0, &j, nullptr), "cairn_joint.axes[3]"));
  j = joint("bad", CAIRN_JOINT_KIND_COUNT, 1);
  EXPECT_TRUE(fails(cairn_world_add_joint(c.world, 0, &j, nullptr), "cairn_joint.kind"));
  j = joint("bad", CAIRN_HINGE_JOINT, 1);
  j.axes[CAIRN_TWIST].mode = 4;
  EXPECT_TRUE(fails(cairn_world_add_joint(c.world, 0, &j, nullptr), "axes[3].mode"));
  j = joint("bad", CAIRN_HINGE_JOINT, 9);
  EXPECT_TRUE(fails(cairn_scene_add_joint(c.scene, &j, nullptr), "joint \"bad\": body_b"));
  EXPECT_TRUE(fails(cairn_joint_remove(c.world, none), "stale"));
  const cairn_joint_drive drive{};
  EXPECT_TRUE(fails(cairn_joint_set_drive(c.world, none, 6, &drive), "dof"));
}

}  // namespace
}  // namespace cairn::c_api_test
