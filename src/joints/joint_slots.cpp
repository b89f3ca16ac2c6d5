// Joints by slot: coming and going, and what the device holds of them.

#include <algorithm>

#include "kernels/common/vec.h"
#include "src/joints/compile_joint.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

using kernels::kNone;

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
  return {kernels::rotate(back, frame.position - body.centre),
          kernels::narrow(back * kernels::widen(frame.orientation))};
}

/// Of an ascending list, which may be long: a hub holds all of its spokes.
void put_into(std::vector<std::uint32_t>& list, std::uint32_t x) {
  list.insert(std::lower_bound(list.begin(), list.end(), x), x);
}
void take_from(std::vector<std::uint32_t>& list, std::uint32_t x) {
  const auto at = std::lower_bound(list.begin(), list.end(), x);
  if (at != list.end() && *at == x) list.erase(at);
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
      (side == 0 ? model.body_a : model.body_b) = world.body_slots[of.body_b];
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
  const WorldSlot& world = worlds[slot.world];
  const auto ids =
      acted_on(slot.joint, [&](std::uint32_t id) -> const Joint& { return joint_slots[world.joint_slots[id]].joint; });
  std::vector<std::uint32_t> ends;
  for (const std::uint32_t id : ids) {
    if (id != kWorldBody) ends.push_back(world.body_slots[id]);
  }
  return ends;
}

void World::Impl::refuse_joints(const std::string& call) const {
  if (living_joints == 0) return;
  throw InvalidArgument(call + ": the World has " + std::to_string(living_joints) + " joints, which this can't do yet");
}

std::vector<kernels::JointModel> World::Impl::joint_models() {
  kernels::JointModel none{};
  none.body_a = none.body_b = kNone;
  std::vector<kernels::JointModel> models(joint_slots.size(), none);
  for (std::uint32_t at = 0; at < models.size(); ++at) {
    if (joint_slots[at].alive) models[at] = model_at(at);
  }
  return models;
}

std::vector<JointEdge> World::Impl::joint_edges(std::span<const kernels::JointModel> models,
                                                std::span<const std::uint32_t> part_of) const {
  const auto pushed = [this](std::uint32_t body) {
    return body != kNone && slots[body].body.type == BodyType::kDynamic ? articulations.owner_of(body) : kNone;
  };
  const auto link = [this](std::uint32_t body) { return body != kNone && articulations.is_link(body) ? body : kNone; };
  const auto floats = [this](std::uint32_t body) { return articulations.floats(body); };
  std::vector<JointEdge> edges;
  for (const WorldSlot& world : worlds) {
    for (const std::uint32_t at : world.joint_slots) {
      if (!joint_slots[at].alive) continue;
      const kernels::JointModel& m = models[at];
      edges.push_back({at, part_of[joint_slots[at].world], pushed(m.body_a), pushed(m.body_b), rows_of(m),
                       link(m.body_a), link(m.body_b), floats(m.body_a), floats(m.body_b)});
    }
  }
  return edges;
}

void World::Impl::set_joints() {
  if (joints_known) return;
  // here, not where each joint went: a list of all of them for each would take the square of their number
  upload_ignored();
  if (living_joints == 0) {
    articulations.set_joined({});
    has(joints_known);
    return;
  }
  set_parts();
  const std::vector<kernels::JointModel> models = joint_models();
  const std::vector<JointEdge> edges = joint_edges(models, part_of_world);
  articulations.set_joined(edges);
  arrays.set_joints(order_joints(edges, arrays.part_count));
  const auto is_gear = [](const auto& m) { return m.coordinates == kernels::JointCoordinates::kGear; };
  gears = static_cast<std::uint32_t>(std::ranges::count_if(models, is_gear));
  if (!models.empty()) memory.upload(arrays.joints.view().model, models.data(), models.size() * sizeof(models[0]));
  has(joints_known);
}

void World::Impl::add_joints(std::span<const JointAddition> additions, std::vector<JointHandle>* handles) {
  std::size_t count = 0, fresh = 0;
  for (const JointAddition& add : additions) {
    const std::size_t reused = std::min(worlds[add.world].free_joints.size(), add.joints.size());
    count += add.joints.size();
    fresh += add.joints.size() - reused;
  }
  if (count == 0) return;
  synchronise();
  // room first: running out of memory changes nothing
  check_slots("joints", joint_slots.size() + fresh);
  arrays.joints.reserve(joint_slots.size() + fresh);
  arrays.ignored.reserve(ignored_pairs + count);
  joint_slots.reserve(joint_slots.size() + fresh);
  joints_known = false;
  std::vector<std::uint32_t> added, woken;
  added.reserve(count);
  for (const JointAddition& add : additions) {
    for (const Joint& joint : add.joints) {
      const std::uint32_t at = joint_slot_in(add.world);
      JointSlot& slot = joint_slots[at];
      memory.keep(slot);
      slot.generation += 1;
      slot.alive = true;
      slot.joint = joint;
      living_joints += 1;
      added.push_back(at);
      if (handles != nullptr) handles->push_back({at + 1, slot.generation});
    }
  }
  for (const std::uint32_t at : added) {
    hold_ends(at);
    for (const std::uint32_t body : ends_of(at)) woken.push_back(body);
  }
  forget_joints(added);
  for (const JointAddition& add : additions) filter_joints(add.joints, add.world, 1);
  upload_ignored();
  wake(woken);
}

/// Its bodies learn of a joint, and of a gear the joints that it follows.
void World::Impl::hold_ends(std::uint32_t joint) {
  for (const std::uint32_t body : ends_of(joint)) {
    memory.keep(slots[body].joints);
    put_into(slots[body].joints, joint);
  }
  for (const std::uint32_t other : followed_by(joint)) {
    memory.keep(joint_slots[other].gears);
    put_into(joint_slots[other].gears, joint_slots[joint].id);
  }
}

/// Slots of the joints that a gear follows; none of what isn't one.
std::vector<std::uint32_t> World::Impl::followed_by(std::uint32_t joint) const {
  const auto* gear = std::get_if<GearJoint>(&joint_slots[joint].joint.kind);
  if (gear == nullptr) return {};
  const std::vector<std::uint32_t>& of_world = worlds[joint_slots[joint].world].joint_slots;
  return {of_world[gear->joint_a], of_world[gear->joint_b]};
}

/// A slot for a joint of a world: one that is free, or a new one.
std::uint32_t World::Impl::joint_slot_in(std::uint32_t index) {
  WorldSlot& world = worlds[index];
  if (!world.free_joints.empty()) {
    return world.joint_slots[memory.pop(world.free_joints)];
  }
  const auto at = static_cast<std::uint32_t>(joint_slots.size());
  memory.push(joint_slots, {.world = index, .id = static_cast<std::uint32_t>(world.joint_slots.size())});
  memory.push(world.joint_slots, at);
  return at;
}

/// What joints that are new in their slots remember: nothing.
void World::Impl::forget_joints(std::vector<std::uint32_t>& at) {
  std::sort(at.begin(), at.end());
  const kernels::Joints& to = arrays.joints.view();
  for (std::size_t first = 0, last = 0; first < at.size(); first = last) {
    while (last < at.size() && at[last] - at[first] == last - first) ++last;
    memory.zero(to.memory + at[first], (last - first) * sizeof(*to.memory));
    memory.zero(to.result + at[first], (last - first) * sizeof(*to.result));
  }
}

void World::Impl::filter_joints(std::span<const Joint> joints, std::uint32_t index, std::uint32_t sign) {
  std::vector<std::uint32_t> ends;
  for (const Joint& joint : joints) {
    if (!keeps_apart(joint)) continue;
    for (const std::uint32_t id : {joint.body_a, joint.body_b}) ends.push_back(worlds[index].body_slots[id]);
  }
  if (ends.empty()) return;
  for (const std::uint32_t at : ends) {
    memory.keep(slots[at].ignores);
    slots[at].ignores += sign;
  }
  flag_ignoring(index, ends);
}

void World::Impl::remove_joint(std::uint32_t at) {
  synchronise();
  JointSlot& slot = joint_slots[at];
  WorldSlot& world = worlds[slot.world];
  const Joint joint = slot.joint;
  const std::vector<std::uint32_t> woken = ends_of(at);
  // what follows it has nothing to follow
  while (!slot.gears.empty()) remove_joint(world.joint_slots[slot.gears.front()]);
  for (const std::uint32_t body : woken) {
    memory.keep(slots[body].joints);
    take_from(slots[body].joints, at);
  }
  for (const std::uint32_t other : followed_by(at)) {
    memory.keep(joint_slots[other].gears);
    take_from(joint_slots[other].gears, slot.id);
  }
  memory.keep(slot.alive);
  slot.alive = false;
  memory.replace(slot.joint, {});
  memory.push(world.free_joints, slot.id);
  living_joints -= 1;
  joints_known = false;
  filter_joints(std::span(&joint, 1), slot.world, ~0u);
  wake(woken);
}

void World::Impl::remove_joints_of(std::uint32_t body) {
  while (!slots[body].joints.empty()) remove_joint(slots[body].joints.back());
}

}  // namespace cairn
