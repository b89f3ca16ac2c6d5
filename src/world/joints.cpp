// Joints: adding, removing, changing, and what the device holds of them.

#include <algorithm>
#include <cmath>

#include "kernels/common/vec.h"
#include "src/exec/exact_floats.h"
#include "src/joint/lower.h"
#include "src/recording/record.h"
#include "src/scene/joint_rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

using kernels::kNone;

std::string label(const Joint& joint) { return "joint \"" + joint.name + "\""; }

struct Placed {
  Vec3d anchor;
  Quat frame;
};

/// A frame of a body's in principal axes about its centre of mass, at a size of 1.
Placed placed(const JointFrame& frame, const BodySlot& slot) {
  using kernels::operator*;
  using kernels::operator-;
  const kernels::BodyFrame body = slot.frame(1);
  const QuatT<double> back{-body.axes.x, -body.axes.y, -body.axes.z, body.axes.w};
  return {kernels::rotate(back, frame.position - body.centre), kernels::narrow(back * kernels::widen(frame.orientation))};
}

}  // namespace

std::uint32_t World::Impl::joint_slot_of(JointHandle handle) const {
  const std::uint32_t slot = handle.index - 1;
  if (handle.index == 0 || slot >= joint_slots.size() || !joint_slots[slot].alive ||
      joint_slots[slot].generation != handle.generation) {
    throw InvalidArgument("joint handle {" + std::to_string(handle.index) + ", " + std::to_string(handle.generation) +
                          "} is null or stale: its joint, or a body of it, was removed");
  }
  return slot;
}

kernels::JointModel World::Impl::model_at(std::uint32_t at) {
  const JointSlot& slot = joint_slots[at];
  const WorldSlot& world = worlds[slot.world];
  kernels::JointModel model = model_of(slot.joint);
  model.world = slot.world;
  model.body_a = model.body_b = kNone;
  model.frame_a = model.frame_b = Quat{};
  if (const auto* gear = std::get_if<GearJoint>(&slot.joint.kind)) {
    for (int side = 0; side < 2; ++side) {
      const std::uint32_t other = world.joint_slots[side == 0 ? gear->joint_a : gear->joint_b];
      const Joint& of = joint_slots[other].joint;
      model.geared[side] = other;
      model.geared_axis[side] = static_cast<std::uint32_t>(main_dof(of.kind));
      (side == 0 ? model.body_a : model.body_b) = of.body_b == kWorldBody ? kNone : world.body_slots[of.body_b];
    }
    return model;
  }
  const auto end = [&](std::uint32_t id, const JointFrame& frame, std::uint32_t& body, Vec3d& anchor, Quat& turn) {
    anchor = frame.position;
    turn = frame.orientation;
    if (id == kWorldBody) return;
    body = world.body_slots[id];
    const Placed p = placed(frame, slots[body]);
    anchor = p.anchor;
    turn = p.frame;
  };
  end(slot.joint.body_a, slot.joint.frame_a, model.body_a, model.anchor_a, model.frame_a);
  end(slot.joint.body_b, slot.joint.frame_b, model.body_b, model.anchor_b, model.frame_b);
  return model;
}

rules::JointPlace World::Impl::place_in(std::uint32_t index) const {
  const WorldSlot& world = worlds[index];
  return {
      [this, &world](std::uint32_t id) { return id < world.body_slots.size() && slots[world.body_slots[id]].alive; },
      [this, &world](std::uint32_t id) -> const Joint* {
        if (id >= world.joint_slots.size()) return nullptr;
        const JointSlot& slot = joint_slots[world.joint_slots[id]];
        return slot.alive ? &slot.joint : nullptr;
      }};
}

std::vector<std::uint32_t> World::Impl::ends_of(std::uint32_t at) const {
  const JointSlot& slot = joint_slots[at];
  std::vector<std::uint32_t> ends;
  for (const std::uint32_t id : {slot.joint.body_a, slot.joint.body_b}) {
    if (id != kWorldBody) ends.push_back(worlds[slot.world].body_slots[id]);
  }
  return ends;
}

void World::Impl::refuse_joints(const char* call) const {
  if (living_joints == 0) return;
  throw InvalidArgument(std::string(call) + ": the World has " + std::to_string(living_joints) +
                        " joints, which this can't do yet");
}

void World::Impl::set_joints() {
  if (joints_known) return;
  if (living_joints == 0) {
    joints_known = true;
    return;
  }
  set_parts();
  kernels::JointModel none{};
  none.body_a = none.body_b = kNone;
  std::vector<kernels::JointModel> models(joint_slots.size(), none);
  std::vector<JointEdge> edges;
  gears = 0;
  for (const WorldSlot& world : worlds) {
    for (const std::uint32_t at : world.joint_slots) {
      if (!joint_slots[at].alive) continue;
      const kernels::JointModel& model = models[at] = model_at(at);
      const JointRowCount rows = rows_of(model);
      const auto pushed = [&](std::uint32_t body) {
        return body != kNone && slots[body].body.type == BodyType::kDynamic ? body : kNone;
      };
      edges.push_back({at, part_of_world[joint_slots[at].world], pushed(model.body_a), pushed(model.body_b), rows.hard,
                       rows.soft});
      if (model.coordinates == kernels::JointCoordinates::kGear) gears += 1;
    }
  }
  arrays.set_joints(order_joints(edges, arrays.part_count));
  if (!models.empty()) memory.upload(arrays.joints.view().model, models.data(), models.size() * sizeof(models[0]));
  joints_known = true;
}

void World::Impl::add_joints(std::uint32_t index, std::span<const Joint> joints, std::vector<JointHandle>* handles) {
  if (joints.empty()) return;
  const exec::ExactFloats exact;
  synchronise();
  WorldSlot& world = worlds[index];
  std::vector<std::uint64_t> apart;
  const std::size_t fresh = joints.size() - std::min(world.free_joints.size(), joints.size());
  check_slots("joints", joint_slots.size() + fresh);
  arrays.joints.reserve(joint_slots.size() + fresh);
  arrays.ignored.reserve(ignored_pairs + joints.size());
  joints_known = false;
  const kernels::JointMemory forgotten{};
  const kernels::JointResult idle{};
  std::vector<std::uint32_t> woken;
  for (const Joint& joint : joints) {
    auto id = static_cast<std::uint32_t>(world.joint_slots.size());
    if (world.free_joints.empty()) {
      world.joint_slots.push_back(static_cast<std::uint32_t>(joint_slots.size()));
      joint_slots.emplace_back();
    } else {
      id = world.free_joints.back();
      world.free_joints.pop_back();
    }
    const std::uint32_t at = world.joint_slots[id];
    JointSlot& slot = joint_slots[at];
    slot.world = index;
    slot.id = id;
    slot.generation += 1;
    slot.alive = true;
    slot.joint = joint;
    memory.upload(arrays.joints.view().memory + at, &forgotten, sizeof forgotten);
    memory.upload(arrays.joints.view().result + at, &idle, sizeof idle);
    for (const std::uint32_t body : ends_of(at)) woken.push_back(body);
    if (handles != nullptr) handles->push_back({at + 1, slot.generation});
    living_joints += 1;
  }
  filter_joints(joints, index, 1);
  wake(woken);
}

void World::Impl::filter_joints(std::span<const Joint> joints, std::uint32_t index, std::uint32_t sign) {
  std::vector<std::uint32_t> ends;
  for (const Joint& joint : joints) {
    if (!keeps_apart(joint)) continue;
    for (const std::uint32_t id : {joint.body_a, joint.body_b}) ends.push_back(worlds[index].body_slots[id]);
  }
  if (ends.empty()) return;
  for (const std::uint32_t at : ends) slots[at].ignores += sign;
  flag_ignoring(index, ends);
  upload_ignored();
}

void World::Impl::remove_joint(std::uint32_t at) {
  synchronise();
  JointSlot& slot = joint_slots[at];
  WorldSlot& world = worlds[slot.world];
  const Joint joint = slot.joint;
  const std::vector<std::uint32_t> woken = ends_of(at);
  slot.alive = false;
  slot.joint = {};
  world.free_joints.push_back(slot.id);
  living_joints -= 1;
  joints_known = false;
  filter_joints(std::span(&joint, 1), slot.world, ~0u);
  wake(woken);
  // what follows it has nothing to follow
  for (std::size_t i = 0; i < world.joint_slots.size(); ++i) {
    const JointSlot& other = joint_slots[world.joint_slots[i]];
    if (!other.alive) continue;
    const auto* gear = std::get_if<GearJoint>(&other.joint.kind);
    if (gear != nullptr && (gear->joint_a == joint_slots[at].id || gear->joint_b == joint_slots[at].id)) {
      remove_joint(world.joint_slots[i]);
    }
  }
}

void World::Impl::remove_joints_of(std::uint32_t body) {
  const WorldSlot& world = worlds[slots[body].world];
  for (std::size_t i = 0; i < world.joint_slots.size(); ++i) {
    const std::uint32_t at = world.joint_slots[i];
    const Joint& joint = joint_slots[at].joint;
    if (joint_slots[at].alive && (joint.body_a == slots[body].id || joint.body_b == slots[body].id)) remove_joint(at);
  }
}

JointHandle World::add_joint(const Joint& joint, std::uint32_t world) {
  const WorldSlot& to = impl_->world_at(world);
  rules::refuse_faults(joint, impl_->place_in(world));
  for (const std::uint32_t at : to.joint_slots) {
    if (impl_->joint_slots[at].alive && impl_->joint_slots[at].joint.name == joint.name) {
      throw InvalidArgument(label(joint) + ": the name is taken");
    }
  }
  const Joint unit = rules::made_unit(joint);
  std::vector<JointHandle> handles;
  impl_->add_joints(world, std::span(&unit, 1), &handles);
  impl_->note<&World::add_joint>(joint, world);
  return handles[0];
}

void World::remove_joint(JointHandle joint) {
  const std::uint32_t at = impl_->joint_slot_of(joint);
  impl_->remove_joint(at);
  impl_->note<&World::remove_joint>(joint);
}

std::vector<JointHandle> World::joints(std::uint32_t world) const {
  std::vector<JointHandle> handles;
  for (const std::uint32_t at : impl_->world_at(world).joint_slots) {
    if (impl_->joint_slots[at].alive) handles.push_back({at + 1, impl_->joint_slots[at].generation});
  }
  return handles;
}

bool World::joint_alive(JointHandle joint) const {
  return joint.index != 0 && joint.index <= impl_->joint_slots.size() && impl_->joint_slots[joint.index - 1].alive &&
         impl_->joint_slots[joint.index - 1].generation == joint.generation;
}

std::uint32_t World::index_of(JointHandle joint) const { return impl_->joint_slots[impl_->joint_slot_of(joint)].id; }
std::uint32_t World::index_of(BodyHandle body) const { return impl_->slots[impl_->slot_of(body)].id; }

const Joint& World::joint_description(JointHandle joint) const {
  return impl_->joint_slots[impl_->joint_slot_of(joint)].joint;
}

JointState World::joint_state(JointHandle joint) const {
  const std::uint32_t at = impl_->joint_slot_of(joint);
  impl_->synchronise();
  kernels::JointMemory memory;
  kernels::JointResult result;
  impl_->memory.download(&memory, impl_->arrays.joints.view().memory + at, sizeof memory);
  impl_->memory.download(&result, impl_->arrays.joints.view().result + at, sizeof result);
  JointState state{.force = result.force, .torque = result.torque, .broken = memory.broken != 0};
  std::copy_n(memory.coordinate, kJointDofs, state.coordinates.begin());
  return state;
}

void World::set_drive(JointHandle joint, const JointDrive& drive) {
  set_drive(joint, main_dof(joint_description(joint).kind), drive);
}

void World::set_drive(JointHandle joint, JointDof dof, const JointDrive& drive) {
  const std::uint32_t at = impl_->joint_slot_of(joint);
  JointSlot& slot = impl_->joint_slots[at];
  Joint changed = slot.joint;
  JointAxis* const axis = static_cast<std::size_t>(dof) < kJointDofs ? axis_of(changed.kind, dof) : nullptr;
  if (axis == nullptr || axis->mode == JointAxis::Mode::kLocked) {
    throw InvalidArgument(label(slot.joint) + ": drive of an axis that it holds, or hasn't");
  }
  axis->drive = drive;
  rules::refuse_faults(changed, impl_->place_in(slot.world));
  impl_->synchronise();
  const bool same_rows = (drive.most_force > 0) == (axis_of(slot.joint.kind, dof)->drive.most_force > 0);
  slot.joint = changed;
  if (impl_->joints_known && same_rows) {
    const auto i = static_cast<std::size_t>(dof);
    const kernels::JointAxis lowered = model_of(changed).axis[i];
    impl_->memory.upload(&impl_->arrays.joints.view().model[at].axis[i], &lowered, sizeof lowered);
  } else {
    impl_->joints_known = false;
  }
  impl_->wake(impl_->ends_of(at));
  impl_->note<recording::kSetDrive>(joint, dof, drive);
}

}  // namespace cairn
