// Joints of scenes and worlds.

#include <type_traits>

#include "src/c_api/structs.h"
#include "src/joint/lower.h"

namespace cairn::c_api {
namespace {

static_assert(int{CAIRN_GEAR_JOINT} + 1 == std::variant_size_v<JointKind>);
static_assert(int{CAIRN_SWING_Z} == static_cast<int>(JointDof::kSwingZ));
static_assert(CAIRN_WORLD_BODY == kWorldBody);
// copied as they are
static_assert(sizeof(cairn_joint_drive) == sizeof(JointDrive) &&
              offsetof(cairn_joint_drive, most_force) == offsetof(JointDrive, most_force));

JointHandle joint_of(cairn_handle h) { return {h.index, h.generation}; }
cairn_handle of(JointHandle h) { return {h.index, h.generation}; }

JointDrive of(const cairn_joint_drive& d) {
  return {d.stiffness, d.damping, d.target, d.rate, d.force, d.most_force};
}

JointKind kind_of(const cairn_joint& c) {
  switch (enum_of(c.kind, CAIRN_GEAR_JOINT, "cairn_joint.kind")) {
    case CAIRN_FIXED_JOINT: return FixedJoint{};
    case CAIRN_BALL_JOINT: return BallJoint{c.cone, {}};
    case CAIRN_HINGE_JOINT: return HingeJoint{};
    case CAIRN_SLIDER_JOINT: return SliderJoint{};
    case CAIRN_SCREW_JOINT: return ScrewJoint{c.pitch, {}};
    case CAIRN_CYLINDRICAL_JOINT: return CylindricalJoint{};
    case CAIRN_PLANAR_JOINT: return PlanarJoint{};
    case CAIRN_UNIVERSAL_JOINT: return UniversalJoint{};
    case CAIRN_WHEEL_JOINT: return WheelJoint{};
    case CAIRN_GENERAL_JOINT: return GeneralJoint{};
    case CAIRN_DISTANCE_JOINT: return DistanceJoint{c.shortest, c.longest, c.compliance, c.damping};
    case CAIRN_PULLEY_JOINT: return PulleyJoint{vec3(c.ground_a), vec3(c.ground_b), c.ratio, c.shortest, c.longest};
    case CAIRN_GEAR_JOINT: return GearJoint{c.joint_a, c.joint_b, c.ratio_a, c.ratio_b, c.offset};
  }
  return {};
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
    to->lower = from.lower;
    to->upper = from.upper;
    to->compliance = from.compliance;
    to->damping = from.damping;
    to->friction = from.friction;
    to->drive = of(from.drive);
  }
}

Joint joint_of(const cairn_joint* given) {
  const cairn_joint c = read<cairn_joint>(given, "cairn_joint");
  require("cairn_joint.name", c.name);
  Joint joint{.name = c.name,
              .body_a = c.body_a,
              .body_b = c.body_b,
              .frame_a = {vec3(c.position_a), quat(c.orientation_a)},
              .frame_b = {vec3(c.position_b), quat(c.orientation_b)},
              .kind = kind_of(c),
              .collide = c.collide != 0,
              .breaking_force = c.breaking_force,
              .breaking_torque = c.breaking_torque};
  take_axes(c, joint.kind);
  return joint;
}

/// What a kind has beside axes.
struct Give {
  cairn_joint& c;
  template <class Kind>
  void operator()(const Kind& kind) const {
    if constexpr (std::same_as<Kind, BallJoint>) {
      c.cone = kind.cone;
    } else if constexpr (std::same_as<Kind, ScrewJoint>) {
      c.pitch = kind.pitch;
    } else if constexpr (std::same_as<Kind, DistanceJoint>) {
      c.shortest = kind.shortest;
      c.longest = kind.longest;
      c.compliance = kind.compliance;
      c.damping = kind.damping;
    } else if constexpr (std::same_as<Kind, PulleyJoint>) {
      put(c.ground_a, kind.ground_a);
      put(c.ground_b, kind.ground_b);
      c.ratio = kind.ratio;
      c.shortest = kind.shortest;
      c.longest = kind.longest;
    } else if constexpr (std::same_as<Kind, GearJoint>) {
      c.joint_a = kind.joint_a;
      c.joint_b = kind.joint_b;
      c.ratio_a = kind.ratio_a;
      c.ratio_b = kind.ratio_b;
      c.offset = kind.offset;
    }
  }
};

/// Its name is that of the joint.
cairn_joint of(const Joint& joint) {
  cairn_joint c = defaults<cairn_joint>();
  c.name = joint.name.c_str();
  c.kind = static_cast<std::int32_t>(joint.kind.index());
  c.body_a = joint.body_a;
  c.body_b = joint.body_b;
  put(c.position_a, joint.frame_a.position);
  put(c.orientation_a, joint.frame_a.orientation);
  put(c.position_b, joint.frame_b.position);
  put(c.orientation_b, joint.frame_b.orientation);
  c.collide = joint.collide ? 1 : 0;
  c.breaking_force = joint.breaking_force;
  c.breaking_torque = joint.breaking_torque;
  std::visit(Give{c}, joint.kind);
  JointKind kind = joint.kind;
  for (std::size_t i = 0; i < kJointDofs; ++i) {
    const JointAxis* const axis = axis_of(kind, static_cast<JointDof>(i));
    if (axis == nullptr) continue;
    const JointDrive& d = axis->drive;
    c.axes[i] = {static_cast<std::int32_t>(axis->mode) + CAIRN_AXIS_FREE,
                 axis->lower,
                 axis->upper,
                 axis->compliance,
                 axis->damping,
                 axis->friction,
                 {d.stiffness, d.damping, d.target, d.rate, d.force, d.most_force}};
  }
  return c;
}

}  // namespace

template <>
cairn_joint defaults() {
  cairn_joint c{};
  c.struct_size = sizeof c;
  c.body_a = c.body_b = CAIRN_WORLD_BODY;
  put(c.orientation_a, Quat{});
  put(c.orientation_b, Quat{});
  Give{c}(BallJoint{});
  Give{c}(ScrewJoint{});
  Give{c}(PulleyJoint{});
  Give{c}(DistanceJoint{});
  Give{c}(GearJoint{});
  c.breaking_force = Joint{}.breaking_force;
  c.breaking_torque = Joint{}.breaking_torque;
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

cairn_result cairn_joint_remove(cairn_world* world, cairn_handle joint) {
  return with(world, [&](World& w) { w.remove_joint(joint_of(joint)); });
}

cairn_result cairn_joint_alive(const cairn_world* world, cairn_handle joint, int32_t* alive) {
  return with(world, [&](const World& w) {
    require("alive", alive);
    *alive = w.joint_alive(joint_of(joint)) ? 1 : 0;
  });
}

cairn_result cairn_joint_describe(const cairn_world* world, cairn_handle joint, cairn_joint* description) {
  return with(world, [&](const World& w) {
    require("description", description);
    write(description, of(w.joint_description(joint_of(joint))), "description");
  });
}

cairn_result cairn_joint_state_of(const cairn_world* world, cairn_handle joint, cairn_joint_state* state) {
  return with(world, [&](const World& w) {
    require("state", state);
    const cairn::JointState from = w.joint_state(joint_of(joint));
    cairn_joint_state c = defaults<cairn_joint_state>();
    std::copy_n(from.coordinates.begin(), cairn::kJointDofs, c.coordinates);
    put(c.force, from.force);
    put(c.torque, from.torque);
    c.broken = from.broken ? 1 : 0;
    write(state, c, "state");
  });
}

cairn_result cairn_joint_set_drive(cairn_world* world, cairn_handle joint, int32_t dof,
                                   const cairn_joint_drive* drive) {
  return with(world, [&](World& w) {
    require("drive", drive);
    w.set_drive(joint_of(joint), static_cast<cairn::JointDof>(enum_of(dof, CAIRN_SWING_Z, "dof")), of(*drive));
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
