// Joints by handle: adding, removing, driving, and queries of their state.

#include "kernels/common/vec.h"
#include "src/exec/exact_floats.h"
#include "src/joints/compile_joint.h"
#include "src/recording/record.h"
#include "src/scene/joint_rules.h"
#include "src/world/handle.h"
#include "src/world/impl.h"

namespace cairn {
JointHandle World::add_joint(const Joint& joint, std::uint32_t world) {
  return impl_->call([&]() -> JointHandle {
    (void)impl_->world_at(world);
    rules::refuse_faults(joint, impl_->joints.place_in(world));
    impl_->joints.refuse_taken(joint, world, kernels::kNone);
    const Joint unit = rules::made_unit(joint);
    std::vector<JointHandle> handles;
    const JointAddition one{world, std::span(&unit, 1)};
    impl_->joints.add(std::span(&one, 1), &handles);
    impl_->note<&World::add_joint>(joint, world);
    return handles[0];
  });
}

void World::remove_joint(JointHandle joint) {
  impl_->call([&] {
    const std::uint32_t at = impl_->joints.slot_of(joint);
    impl_->joints.remove(at);
    impl_->note<&World::remove_joint>(joint);
  });
}

std::vector<JointHandle> World::joints(std::uint32_t world) const {
  return impl_->call([&]() -> std::vector<JointHandle> {
    return handles_of<JointHandle>(impl_->joints.slots, impl_->world_at(world).joint_slots);
  });
}

bool World::alive(JointHandle joint) const { return is_alive(impl_->joints.slots, joint); }

std::uint32_t World::index_of(JointHandle joint) const {
  return impl_->call([&]() -> std::uint32_t { return impl_->joints.slots[impl_->joints.slot_of(joint)].id; });
}
std::uint32_t World::index_of(BodyHandle body) const {
  return impl_->call([&]() -> std::uint32_t { return impl_->slots[impl_->slot_of(body)].id; });
}

const Joint& World::description(JointHandle joint) const {
  return impl_->call([&]() -> const Joint& {
    const std::uint32_t at = impl_->joints.slot_of(joint);
    impl_->joints.pull_drives({at, at + std::size_t{1}});
    return impl_->joints.slots[at].joint;
  });
}

JointState World::state(JointHandle joint) const {
  return impl_->call([&]() -> JointState {
    const std::uint32_t at = impl_->joints.slot_of(joint);
    impl_->synchronise();
    const kernels::JointMemory memory = impl_->memory.get(impl_->joints.store.view().memory + at);
    const kernels::JointResult result = impl_->memory.get(impl_->joints.store.view().result + at);
    JointState state{.force = result.force, .torque = result.torque, .broken = memory.broken != 0};
    std::copy_n(memory.coordinate, kJointDofs, state.coordinates.begin());
    return state;
  });
}

std::array<JointAnchor, 2> World::anchors(JointHandle joint) const {
  return impl_->call([&]() -> std::array<JointAnchor, 2> {
    using kernels::operator*;
    using kernels::operator+;
    const JointSlot& slot = impl_->joints.slots[impl_->joints.slot_of(joint)];
    const WorldSlot& world = impl_->worlds[slot.world];
    const auto anchor = [&](std::uint32_t id, const JointFrame& frame) -> JointAnchor {
      if (id == kWorldBody) return {{}, frame.position, frame.orientation};
      const std::uint32_t at = world.body_slots[id];
      const BodyHandle body{at + 1, impl_->slots[at].generation};
      const BodyState s = state(body);
      const Vec3d arm = static_cast<double>(impl_->scales.of(at).size) * frame.position;
      return {body, s.position + kernels::rotate(kernels::widen(s.orientation), arm),
              kernels::narrow(kernels::widen(s.orientation) * kernels::widen(frame.orientation))};
    };
    if (const auto* gear = std::get_if<GearJoint>(&slot.joint.kind)) {
      const auto second = [&](std::uint32_t followed) {
        const Joint& of = impl_->joints.slots[world.joint_slots[followed]].joint;
        return anchor(of.body_b, of.frame_b);
      };
      return {second(gear->joint_a), second(gear->joint_b)};
    }
    return {anchor(slot.joint.body_a, slot.joint.frame_a), anchor(slot.joint.body_b, slot.joint.frame_b)};
  });
}

JointDrive World::drive(JointHandle joint, JointDof dof) const {
  return impl_->call([&]() -> JointDrive {
    Joint of = description(joint);
    const JointAxis* const axis = static_cast<std::size_t>(dof) < kJointDofs ? axis_of(of.kind, dof) : nullptr;
    if (axis == nullptr) throw InvalidArgument(label(of) + ": has no such axis");
    return axis->drive;
  });
}

void World::set_joint(JointHandle joint, const Joint& description) {
  impl_->call([&] {
    const std::uint32_t at = impl_->joints.slot_of(joint);
    JointSlot& slot = impl_->joints.slots[at];
    const auto stays = [&](bool same, const char* what) {
      if (!same) throw InvalidArgument("set_joint: " + label(slot.joint) + ": its " + what + " must stay");
    };
    stays(description.kind.index() == slot.joint.kind.index(), "kind");
    if (const auto* gear = std::get_if<GearJoint>(&slot.joint.kind)) {
      const auto& given = std::get<GearJoint>(description.kind);
      stays(given.joint_a == gear->joint_a && given.joint_b == gear->joint_b, "joints");
    } else {
      stays(description.body_a == slot.joint.body_a && description.body_b == slot.joint.body_b, "bodies");
    }
    stays(description.collide == slot.joint.collide, "collide");
    impl_->joints.refuse_taken(description, slot.world, at);
    rules::JointPlace place = impl_->joints.place_in(slot.world);
    rules::refuse_faults(description, place);
    // gears keep the axis that they follow
    if (!slot.gears.empty()) stays(main_dof(description.kind) == main_dof(slot.joint.kind), "axis that a gear follows");
    place.joint_at = [&, of_world = place.joint_at](std::uint32_t id) {
      return id == slot.id ? &description : of_world(id);
    };
    const std::vector<std::uint32_t>& of_world = impl_->worlds[slot.world].joint_slots;
    for (const std::uint32_t gear : slot.gears) rules::refuse_faults(impl_->joints.slots[of_world[gear]].joint, place);
    impl_->synchronise();
    impl_->joints.change_descriptions();
    impl_->memory.replace(slot.joint, rules::made_unit(description));
    impl_->wake(impl_->joints.ends_of(at));
    impl_->note<&World::set_joint>(joint, description);
  });
}

void World::set_drive(JointHandle joint, const JointDrive& drive) {
  impl_->call([&] { set_drive(joint, main_dof(description(joint).kind), drive); });
}

void World::set_drive(JointHandle joint, JointDof dof, const JointDrive& drive) {
  impl_->call([&] {
    const std::uint32_t at = impl_->joints.slot_of(joint);
    impl_->joints.pull_drives({at, at + std::size_t{1}});
    JointSlot& slot = impl_->joints.slots[at];
    Joint changed = slot.joint;
    JointAxis* const axis = static_cast<std::size_t>(dof) < kJointDofs ? axis_of(changed.kind, dof) : nullptr;
    if (axis == nullptr || axis->mode == JointAxis::Mode::kLocked) {
      throw InvalidArgument(label(slot.joint) + ": drive of an axis that it holds, or hasn't");
    }
    axis->drive = drive;
    rules::refuse_faults(changed, impl_->joints.place_in(slot.world));
    impl_->synchronise();
    const bool same_rows = (drive.max_force > 0) == (axis_of(slot.joint.kind, dof)->drive.max_force > 0);
    const bool uploads = impl_->joints.known && same_rows;
    if (!uploads) impl_->joints.change_descriptions();
    impl_->memory.replace(slot.joint, changed);
    if (uploads) {
      const auto i = static_cast<std::size_t>(dof);
      impl_->memory.put(&impl_->joints.store.view().model[at].axis[i], model_of(changed).axis[i]);
    }
    impl_->wake(impl_->joints.ends_of(at));
    impl_->note<recording::kSetDrive>(joint, dof, drive);
  });
}

}  // namespace cairn
