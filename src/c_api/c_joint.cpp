// Joints of scenes and worlds.

#include "src/c_api/c_call.h"
#include "src/joints/compile_joint.h"

namespace cairn::c_api {

static_assert(CAIRN_JOINT_KIND_COUNT == std::variant_size_v<JointKind>);
static_assert(CAIRN_WORLD_BODY == kWorldBody);

/// Mode 0 stands for that of the kind.
template <>
struct ByHand<cairn_joint_axis, JointAxis> {
  static void give(cairn_joint_axis& c, const JointAxis& axis) {
    c.mode = static_cast<std::int32_t>(axis.mode) + CAIRN_AXIS_FREE;
  }
  static void take(JointAxis& axis, const cairn_joint_axis& c, const std::string& what) {
    const int mode = enum_of(c.mode, CAIRN_AXIS_LIMITED, (what + ".mode").c_str());
    if (mode != CAIRN_AXIS_OF_KIND) axis.mode = static_cast<JointAxis::Mode>(mode - CAIRN_AXIS_FREE);
  }
};

template <>
struct ByHand<cairn_joint, Joint> {
  static void give(cairn_joint& c, const Joint& joint) {
    c.kind = static_cast<std::int32_t>(joint.kind.index());
    put(c.position_a, c.orientation_a, joint.frame_a);
    put(c.position_b, c.orientation_b, joint.frame_b);
    JointKind kind = joint.kind;
    std::visit([&](const auto& of) { fill(c, of); }, kind);
    for (std::size_t i = 0; i < kJointDofs; ++i) {
      if (const JointAxis* const axis = axis_of(kind, static_cast<JointDof>(i))) fill(c.axes[i], *axis);
    }
  }
  static void take(Joint& joint, const cairn_joint& c, const std::string& what) {
    joint.frame_a = {vec3(c.position_a), quat(c.orientation_a)};
    joint.frame_b = {vec3(c.position_b), quat(c.orientation_b)};
    joint.kind = make_type<JointKind>(enum_of<std::size_t>(c.kind, CAIRN_JOINT_KIND_COUNT - 1, "cairn_joint.kind"));
    std::visit([&](auto& of) { c_api::take(of, c, what); }, joint.kind);
    for (std::size_t i = 0; i < kJointDofs; ++i) {
      const std::string name = what + ".axes[" + std::to_string(i) + "]";
      JointAxis* const axis = axis_of(joint.kind, static_cast<JointDof>(i));
      const cairn_joint_axis zero{};
      if (axis != nullptr) {
        c_api::take(*axis, c.axes[i], name);
      } else if (std::memcmp(&c.axes[i], &zero, sizeof zero) != 0) {
        throw InvalidArgument(name + " must be 0: the kind of joint has no such axis");
      }
    }
  }
};

template <>
cairn_joint blank() {
  return blank_of_kinds<cairn_joint, JointKind>();
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::JointHandle;
using cairn::Scene;
using cairn::World;

void cairn_joint_init(cairn_joint* to, size_t size) { initialise(to, size); }

cairn_result cairn_scene_add_joint(cairn_scene* scene, const cairn_joint* joint, uint32_t* index) {
  return get(scene, or_null(index), &Scene::add_joint, joint);
}
cairn_result cairn_scene_joint_count(const cairn_scene* scene, uint32_t* count) {
  return get(scene, out("scene, count", count), &Scene::joints);
}
cairn_result cairn_scene_find_joint(const cairn_scene* scene, const char* name, uint32_t* index) {
  return find(scene, &Scene::find_joint, "joint", name, index);
}

cairn_result cairn_world_add_joint(cairn_world* world, uint32_t index, const cairn_joint* joint, cairn_handle* added) {
  return get(world, or_null(added), &World::add_joint, joint, index);
}
cairn_result cairn_world_joint_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return get(world, out("count", count), &World::joints, index);
}
cairn_result cairn_world_joints(const cairn_world* world, uint32_t index, cairn_handle* joints, size_t count) {
  return get(world, out_all("cairn_world_joints", "joints", joints, count), &World::joints, index);
}
cairn_result cairn_world_find_joint(const cairn_world* world, uint32_t index, const char* name, cairn_handle* joint) {
  return find(world, &World::find_joint, index, "joint", name, "name, joint", joint);
}

cairn_result cairn_joint_remove(cairn_world* world, cairn_handle joint) {
  return call(world, &World::remove_joint, joint);
}
cairn_result cairn_joint_alive(const cairn_world* world, cairn_handle joint, int32_t* alive) {
  return get(world, out("alive", alive), taking<JointHandle>(&World::alive), joint);
}
cairn_result cairn_joint_describe(const cairn_world* world, cairn_handle joint, cairn_joint* description) {
  return get(world, out("description", description), taking<JointHandle>(&World::description), joint);
}
cairn_result cairn_joint_state_of(const cairn_world* world, cairn_handle joint, cairn_joint_state* state) {
  return get(world, out("state", state), taking<JointHandle>(&World::state), joint);
}
cairn_result cairn_joint_set_joint(cairn_world* world, cairn_handle joint, const cairn_joint* description) {
  return call(world, &World::set_joint, joint, description);
}
cairn_result cairn_joint_set_drive(cairn_world* world, cairn_handle joint, int32_t dof,
                                   const cairn_joint_drive* drive) {
  return call(world, taking<JointHandle, cairn::JointDof, const cairn::JointDrive&>(&World::set_drive), joint,
              word("dof", dof), in("drive", drive));
}
cairn_result cairn_joint_anchors(const cairn_world* world, cairn_handle joint, cairn_joint_anchor anchors[2]) {
  return get(world, out_all("anchors", "anchors", anchors, 2), &World::anchors, joint);
}
cairn_result cairn_joint_index(const cairn_world* world, cairn_handle joint, uint32_t* index) {
  return get(world, out("index", index), taking<JointHandle>(&World::index_of), joint);
}
