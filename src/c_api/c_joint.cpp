// Joints of scenes and worlds.

#include "src/c_api/twins.h"
#include "src/joints/compile_joint.h"

namespace cairn::c_api {
namespace {

static_assert(CAIRN_JOINT_KIND_COUNT == std::variant_size_v<JointKind>);
static_assert(int{CAIRN_SWING_Z} == static_cast<int>(JointDof::kSwingZ));
static_assert(CAIRN_WORLD_BODY == kWorldBody);

JointHandle joint_of(cairn_handle h) { return {h.index, h.generation}; }
cairn_handle of(JointHandle h) { return {h.index, h.generation}; }

JointKind kind_of(const cairn_joint& c) {
  JointKind kind = make_type<JointKind>(enum_of<std::size_t>(c.kind, CAIRN_JOINT_KIND_COUNT - 1, "cairn_joint.kind"));
  std::visit([&](auto& of) { take(of, c, "cairn_joint"); }, kind);
  return kind;
}

bool is_zero(const cairn_joint_axis& axis) {
  const cairn_joint_axis zero{};
  return std::memcmp(&axis, &zero, sizeof axis) == 0;
}

void take_axes(const cairn_joint& c, JointKind& kind) {
  for (int i = 0; i < static_cast<int>(kJointDofs); ++i) {
    JointAxis* const to = axis_of(kind, static_cast<JointDof>(i));
    const cairn_joint_axis& from = c.axes[i];
    const std::string name = "cairn_joint.axes[" + std::to_string(i) + "]";
    if (to == nullptr) {
      if (!is_zero(from)) throw InvalidArgument(name + " must be 0: the kind of joint has no such axis");
      continue;
    }
    const int mode = enum_of(from.mode, CAIRN_AXIS_LIMITED, (name + ".mode").c_str());
    if (mode != CAIRN_AXIS_OF_KIND) to->mode = static_cast<JointAxis::Mode>(mode - CAIRN_AXIS_FREE);
    take(*to, from, name);
  }
}

Joint joint_of(const cairn_joint* given) {
  const cairn_joint c = read<cairn_joint>(given, "cairn_joint");
  Joint joint = attributes_of<Joint>(c);
  joint.frame_a = {vec3(c.position_a), quat(c.orientation_a)};
  joint.frame_b = {vec3(c.position_b), quat(c.orientation_b)};
  joint.kind = kind_of(c);
  take_axes(c, joint.kind);
  return joint;
}

/// Its name is that of the joint.
cairn_joint of(const Joint& joint) {
  cairn_joint c = defaults<cairn_joint>();
  fill(c, joint);
  c.kind = static_cast<std::int32_t>(joint.kind.index());
  put(c.position_a, joint.frame_a.position);
  put(c.orientation_a, joint.frame_a.orientation);
  put(c.position_b, joint.frame_b.position);
  put(c.orientation_b, joint.frame_b.orientation);
  JointKind kind = joint.kind;
  std::visit([&](const auto& of) { fill(c, of); }, kind);
  for (std::size_t i = 0; i < kJointDofs; ++i) {
    const JointAxis* const axis = axis_of(kind, static_cast<JointDof>(i));
    if (axis == nullptr) continue;
    fill(c.axes[i], *axis);
    c.axes[i].mode = static_cast<std::int32_t>(axis->mode) + CAIRN_AXIS_FREE;
  }
  return c;
}

}  // namespace

template <>
cairn_joint defaults() {
  cairn_joint c{};
  c.struct_size = sizeof c;
  // where kinds have a member of one name, it is as the first of them has it
  for (std::size_t k = std::variant_size_v<JointKind>; k-- > 0;) {
    std::visit([&](const auto& kind) { fill(c, kind); }, make_type<JointKind>(k));
  }
  fill(c, Joint{});
  c.name = nullptr;
  put(c.orientation_a, Quat{});
  put(c.orientation_b, Quat{});
  return c;
}

template <>
cairn_joint_state defaults() {
  return {.struct_size = sizeof(cairn_joint_state)};
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

void cairn_joint_init(cairn_joint* joint, size_t size) { initialise(joint, size, defaults<cairn_joint>()); }

cairn_result cairn_scene_add_joint(cairn_scene* scene, const cairn_joint* joint, uint32_t* index) {
  return guarded([&] {
    require("scene", scene);
    const std::uint32_t at = scene->scene.add_joint(joint_of(joint));
    if (index != nullptr) *index = at;
  });
}

cairn_result cairn_scene_joint_count(const cairn_scene* scene, uint32_t* count) {
  return guarded([&] {
    require("scene, count", scene, count);
    *count = static_cast<std::uint32_t>(scene->scene.joints().size());
  });
}

cairn_result cairn_scene_find_joint(const cairn_scene* scene, const char* name, uint32_t* index) {
  return guarded([&] {
    require("scene, name, index", scene, name, index);
    const auto found = scene->scene.find_joint(name);
    if (!found) throw cairn::InvalidArgument("joint \"" + std::string(name) + "\": the scene has none of this name");
    *index = *found;
  });
}

cairn_result cairn_world_add_joint(cairn_world* world, uint32_t index, const cairn_joint* joint, cairn_handle* added) {
  return with(world, [&](World& w) {
    const cairn_handle h = of(w.add_joint(joint_of(joint), index));
    if (added != nullptr) *added = h;
  });
}

cairn_result cairn_world_joint_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return with(world, [&](const World& w) {
    require("count", count);
    *count = static_cast<std::uint32_t>(w.joints(index).size());
  });
}

cairn_result cairn_world_joints(const cairn_world* world, uint32_t index, cairn_handle* joints, size_t count) {
  return with(world, [&](const World& w) {
    const std::vector<cairn::JointHandle> all = w.joints(index);
    check_count("cairn_world_joints", count, all.size());
    if (count != 0) require("joints", joints);
    for (std::size_t i = 0; i < count; ++i) joints[i] = of(all[i]);
  });
}

cairn_result cairn_world_find_joint(const cairn_world* world, uint32_t index, const char* name, cairn_handle* joint) {
  return with(world, [&](const World& w) {
    require("name, joint", name, joint);
    *joint = of(found(w.find_joint(name, index), "joint", name));
  });
}

cairn_result cairn_joint_remove(cairn_world* world, cairn_handle joint) {
  return with(world, [&](World& w) { w.remove_joint(joint_of(joint)); });
}

cairn_result cairn_joint_alive(const cairn_world* world, cairn_handle joint, int32_t* alive) {
  return with(world, [&](const World& w) {
    require("alive", alive);
    *alive = w.alive(joint_of(joint)) ? 1 : 0;
  });
}

cairn_result cairn_joint_describe(const cairn_world* world, cairn_handle joint, cairn_joint* description) {
  return with(world, [&](const World& w) {
    require("description", description);
    write(description, of(w.description(joint_of(joint))), "description");
  });
}

cairn_result cairn_joint_state_of(const cairn_world* world, cairn_handle joint, cairn_joint_state* state) {
  return with(world, [&](const World& w) {
    require("state", state);
    const cairn::JointState from = w.state(joint_of(joint));
    cairn_joint_state c = defaults<cairn_joint_state>();
    std::copy_n(from.coordinates.begin(), cairn::kJointDofs, c.coordinates);
    put(c.force, from.force);
    put(c.torque, from.torque);
    c.broken = from.broken ? 1 : 0;
    write(state, c, "state");
  });
}

cairn_result cairn_joint_set_joint(cairn_world* world, cairn_handle joint, const cairn_joint* description) {
  return with(world, [&](World& w) { w.set_joint(joint_of(joint), joint_of(description)); });
}

cairn_result cairn_joint_set_drive(cairn_world* world, cairn_handle joint, int32_t dof,
                                   const cairn_joint_drive* drive) {
  return with(world, [&](World& w) {
    require("drive", drive);
    cairn::JointDrive given;
    take(given, *drive, "drive");
    w.set_drive(joint_of(joint), static_cast<cairn::JointDof>(enum_of(dof, CAIRN_SWING_Z, "dof")), given);
  });
}

cairn_result cairn_joint_anchors(const cairn_world* world, cairn_handle joint, cairn_joint_anchor anchors[2]) {
  return with(world, [&](const World& w) {
    require("anchors", anchors);
    const std::array<cairn::JointAnchor, 2> from = w.anchors(joint_of(joint));
    for (std::size_t i = 0; i < 2; ++i) {
      anchors[i].body = handle(from[i].body);
      put(anchors[i].position, from[i].position);
      put(anchors[i].orientation, from[i].orientation);
    }
  });
}

cairn_result cairn_world_body_at(const cairn_world* world, uint32_t world_index, uint32_t index, cairn_handle* body) {
  return with(world, [&](const World& w) {
    require("body", body);
    *body = handle(w.body_at(index, world_index));
  });
}

cairn_result cairn_body_index(const cairn_world* world, cairn_handle body, uint32_t* index) {
  return with(world, [&](const World& w) {
    require("index", index);
    *index = w.index_of(handle(body));
  });
}

cairn_result cairn_joint_index(const cairn_world* world, cairn_handle joint, uint32_t* index) {
  return with(world, [&](const World& w) {
    require("index", index);
    *index = w.index_of(joint_of(joint));
  });
}
