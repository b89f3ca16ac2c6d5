#include "src/joints/joint_feature.h"

#include <algorithm>
#include <iterator>

#include "kernels/common/vec.h"
#include "src/joints/compile_joint.h"
#include "src/snapshot/capture.h"
#include "src/snapshot/restore.h"
#include "src/world/handle.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

using kernels::kNone;

/// A body's frame in principal axes about its centre of mass, at a size of 1.
JointFrame placed(const JointFrame& frame, const BodySlot& slot) {
  using kernels::operator*;
  using kernels::operator-;
  const kernels::BodyFrame body = slot.frame(1);
  const QuatT<double> back{-body.axes.x, -body.axes.y, -body.axes.z, body.axes.w};
  return {kernels::rotate(back, frame.position - body.centre),
          kernels::narrow(back * kernels::widen(frame.orientation))};
}

/// Insertion into an ascending list, which may be long: a hub holds all of its spokes.
void put_into(std::vector<std::uint32_t>& list, std::uint32_t x) {
  list.insert(std::lower_bound(list.begin(), list.end(), x), x);
}
void take_from(std::vector<std::uint32_t>& list, std::uint32_t x) {
  const auto at = std::lower_bound(list.begin(), list.end(), x);
  if (at != list.end() && *at == x) list.erase(at);
}

}  // namespace

JointFeature::JointFeature(Impl& of) : Feature(of), store(of.memory) {}

std::uint32_t JointFeature::slot_of(JointHandle handle) const {
  return cairn::slot_of(slots, handle, "joint", "joint, or a body of it,");
}

kernels::JointModel JointFeature::model_at(std::uint32_t at) const {
  const JointSlot& slot = slots[at];
  const WorldSlot& world = world_.worlds[slot.world];
  kernels::JointModel model = model_of(slot.joint);
  model.world = slot.world;
  model.off = is_off(at) ? 1 : 0;
  model.body_a = model.body_b = kNone;
  model.frame_a = model.frame_b = Quat{};
  if (const auto* gear = std::get_if<GearJoint>(&slot.joint.kind)) {
    for (int side = 0; side < 2; ++side) {
      const std::uint32_t other = world.joint_slots[side == 0 ? gear->joint_a : gear->joint_b];
      const Joint& of = slots[other].joint;
      model.geared[side] = other;
      model.geared_axis[side] = static_cast<std::uint32_t>(main_dof(of.kind));
      (side == 0 ? model.body_a : model.body_b) = world.body_slots[of.body_b];
    }
    return model;
  }
  const auto end = [&](std::uint32_t id, JointFrame frame, std::uint32_t& body, Vec3d& anchor, Quat& turn) {
    if (id != kWorldBody) {
      body = world.body_slots[id];
      frame = placed(frame, world_.slots[body]);
    }
    anchor = frame.position;
    turn = frame.orientation;
  };
  end(slot.joint.body_a, slot.joint.frame_a, model.body_a, model.anchor_a, model.frame_a);
  end(slot.joint.body_b, slot.joint.frame_b, model.body_b, model.anchor_b, model.frame_b);
  return model;
}

bool JointFeature::is_off(std::uint32_t at) const {
  const WorldSlot& world = world_.worlds[slots[at].world];
  return cairn::is_off(
      slots[at].joint, [&](std::uint32_t id) -> const Joint& { return slots[world.joint_slots[id]].joint; },
      [&](std::uint32_t id) { return world_.slots[world.body_slots[id]].body.enabled; });
}

void JointFeature::let_go(std::uint32_t body) {
  std::vector<std::uint32_t> all = world_.slots[body].joints;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const JointSlot& slot = slots[all[i]];
    for (const std::uint32_t gear : slot.gears) all.push_back(world_.worlds[slot.world].joint_slots[gear]);
  }
  const kernels::Joints& to = store.view();
  for (const std::uint32_t at : all) {
    world_.memory.clear(&to.memory[at].impulse);
    world_.memory.clear(to.result + at);
  }
  if (!all.empty()) known = false;
}

rules::JointPlace JointFeature::place_in(std::uint32_t index) const {
  const WorldSlot& world = world_.worlds[index];
  return {[this, &world](std::uint32_t id) {
            return id < world.body_slots.size() && world_.slots[world.body_slots[id]].alive;
          },
          [this, &world](std::uint32_t id) -> const Joint* {
            if (id >= world.joint_slots.size()) return nullptr;
            const JointSlot& slot = slots[world.joint_slots[id]];
            return slot.alive ? &slot.joint : nullptr;
          }};
}

std::vector<std::uint32_t> JointFeature::ends_of(std::uint32_t at) const {
  const JointSlot& slot = slots[at];
  const WorldSlot& world = world_.worlds[slot.world];
  const auto ids =
      acted_on(slot.joint, [&](std::uint32_t id) -> const Joint& { return slots[world.joint_slots[id]].joint; });
  std::vector<std::uint32_t> ends;
  for (const std::uint32_t id : ids) {
    if (id != kWorldBody) ends.push_back(world.body_slots[id]);
  }
  return ends;
}

void JointFeature::refuse_taken(const Joint& joint, std::uint32_t world, std::uint32_t but) const {
  if (joint.name.empty()) return;
  for (const std::uint32_t at : world_.worlds[world].joint_slots) {
    if (at != but && slots[at].alive && slots[at].joint.name == joint.name) {
      throw InvalidArgument(label(joint) + ": the name is taken");
    }
  }
}

void JointFeature::check(const StepParams& params) const {
  if (living_ == 0 || traits_of(params.solver).joints) return;
  throw InvalidArgument("step by " + std::string(word_of(params.solver)) + ": the World has " +
                        std::to_string(living_) + " joints, which this can't do yet");
}

std::vector<kernels::JointModel> JointFeature::models() const {
  kernels::JointModel none{};
  none.body_a = none.body_b = kNone;
  std::vector<kernels::JointModel> models(slots.size(), none);
  for (std::uint32_t at = 0; at < models.size(); ++at) {
    if (slots[at].alive) models[at] = model_at(at);
  }
  return models;
}

std::vector<JointEdge> JointFeature::edges(std::span<const kernels::JointModel> models) const {
  const ArticulationStore& articulations = world_.articulations.store;
  const auto pushed = [&](std::uint32_t body) {
    return body != kNone && world_.slots[body].body.type == BodyType::kDynamic ? articulations.owner_of(body) : kNone;
  };
  const auto link = [&](std::uint32_t body) { return body != kNone && articulations.is_link(body) ? body : kNone; };
  const auto floats = [&](std::uint32_t body) { return articulations.floats(body); };
  std::vector<JointEdge> edges;
  for (const WorldSlot& world : world_.worlds) {
    for (const std::uint32_t at : world.joint_slots) {
      const kernels::JointModel& m = models[at];
      if (!slots[at].alive || m.off != 0) continue;
      edges.push_back({at, world_.part_of_world[slots[at].world], pushed(m.body_a), pushed(m.body_b), rows_of(m),
                       link(m.body_a), link(m.body_b), floats(m.body_a), floats(m.body_b)});
    }
  }
  return edges;
}

void JointFeature::pull_drives(IndexRange range) {
  if (!drives_written_) return;
  world_.synchronise();
  const std::vector<kernels::JointModel> there = world_.read(store.view().model + range.first, range.size());
  for (std::size_t at = range.first; at < range.last; ++at) {
    if (!slots[at].alive) continue;
    for (std::size_t dof = 0; dof < kJointDofs; ++dof) {
      JointAxis* const axis = axis_of(slots[at].joint.kind, static_cast<JointDof>(dof));
      const kernels::JointAxis& a = there[at - range.first].axis[dof];
      if (axis == nullptr || !(axis->drive.max_force > 0)) continue;
      axis->drive = {a.drive_stiffness, a.drive_damping, a.target, a.rate, a.force, axis->drive.max_force};
    }
  }
}

void JointFeature::change_descriptions() {
  pull_drives({0, slots.size()});
  world_.memory.replace(drives_written_, false);
  known = false;
}

void JointFeature::order() {
  pull_drives({0, slots.size()});
  // once for all joints: a list for each joint removed would take the square of their number
  world_.filters.upload_ignored();
  ArticulationStore& articulations = world_.articulations.store;
  if (living_ == 0) {
    articulations.set_joined({});
    world_.has(known);
    return;
  }
  const std::vector<kernels::JointModel> all = models();
  const std::vector<JointEdge> joined = edges(all);
  std::vector<std::uint32_t> rows;
  for (const WorldSlot& world : world_.worlds) {
    std::ranges::copy_if(world.joint_slots, std::back_inserter(rows),
                         [&](std::uint32_t at) { return slots[at].alive; });
  }
  store.set_rows(rows);
  articulations.set_joined(joined);
  store.set_order(order_joints(joined, world_.arrays.part_count));
  const auto is_gear = [](const auto& m) { return m.coordinates == kernels::JointCoordinates::kGear; };
  world_.memory.replace(gears_, static_cast<std::uint32_t>(std::ranges::count_if(all, is_gear)));
  world_.memory.put(store.view().model, all);
  // a graph may write drives at any time
  world_.memory.replace(drives_written_, world_.captured);
  world_.has(known);
}

void JointFeature::show(StepContext& s, bool) {
  if (living_ != 0) store.show(s, static_cast<std::uint32_t>(slots.size()), gears_);
}

void JointFeature::add_neighbours(std::uint32_t body, std::vector<std::uint32_t>& to) const {
  for (const std::uint32_t joint : world_.slots[body].joints) {
    const auto add = [&](std::uint32_t at) {
      const std::vector<std::uint32_t> ends = ends_of(at);
      to.insert(to.end(), ends.begin(), ends.end());
    };
    add(joint);
    for (const std::uint32_t gear : slots[joint].gears) add(world_.worlds[slots[joint].world].joint_slots[gear]);
  }
}

void JointFeature::take(std::span<const Scene* const> scenes) {
  std::vector<JointAddition> additions;
  for (std::uint32_t w = 0; w < scenes.size(); ++w) additions.push_back({w, scenes[w]->joints()});
  add(additions, nullptr);
}

void JointFeature::add(std::span<const JointAddition> additions, std::vector<JointHandle>* handles) {
  std::size_t count = 0, fresh = 0;
  for (const JointAddition& add : additions) {
    const std::size_t reused = std::min(world_.worlds[add.world].free_joints.size(), add.joints.size());
    count += add.joints.size();
    fresh += add.joints.size() - reused;
  }
  if (count == 0) return;
  world_.synchronise();
  // allocate first: running out of memory then changes nothing
  check_slots("joints", slots.size() + fresh);
  store.reserve(slots.size() + fresh);
  change_descriptions();
  slots.reserve(slots.size() + fresh);
  world_.memory.keep(living_);
  std::vector<std::uint32_t> added, woken;
  added.reserve(count);
  for (const JointAddition& add : additions) {
    for (const Joint& joint : add.joints) {
      const std::uint32_t at = slot_in(add.world);
      JointSlot& slot = slots[at];
      world_.memory.keep(slot);
      slot.generation += 1;
      slot.alive = true;
      slot.joint = joint;
      living_ += 1;
      added.push_back(at);
      if (handles != nullptr) handles->push_back({at + 1, slot.generation});
    }
  }
  for (const std::uint32_t at : added) {
    list_at_ends(at, put_into);
    for (const std::uint32_t body : ends_of(at)) woken.push_back(body);
  }
  clear_memory(added);
  for (const JointAddition& add : additions) filter(add.joints, add.world, 1);
  world_.filters.upload_ignored();
  world_.wake(woken);
}

/// Puts a joint into the lists of its bodies, and a gear into those of the joints that it follows; or takes it from
/// them.
void JointFeature::list_at_ends(std::uint32_t joint, void (*change)(std::vector<std::uint32_t>&, std::uint32_t)) {
  for (const std::uint32_t body : ends_of(joint)) {
    world_.memory.keep(world_.slots[body].joints);
    change(world_.slots[body].joints, joint);
  }
  for (const std::uint32_t other : followed_by(joint)) {
    world_.memory.keep(slots[other].gears);
    change(slots[other].gears, slots[joint].id);
  }
}

/// Slots of the joints that a gear follows; empty for other joints.
std::vector<std::uint32_t> JointFeature::followed_by(std::uint32_t joint) const {
  const auto* gear = std::get_if<GearJoint>(&slots[joint].joint.kind);
  if (gear == nullptr) return {};
  const std::vector<std::uint32_t>& of_world = world_.worlds[slots[joint].world].joint_slots;
  return {of_world[gear->joint_a], of_world[gear->joint_b]};
}

/// A slot for a joint of a world: a free or a new one.
std::uint32_t JointFeature::slot_in(std::uint32_t index) {
  WorldSlot& world = world_.worlds[index];
  if (!world.free_joints.empty()) {
    return world.joint_slots[world_.memory.pop(world.free_joints)];
  }
  const auto at = static_cast<std::uint32_t>(slots.size());
  world_.memory.push(slots, {.world = index, .id = static_cast<std::uint32_t>(world.joint_slots.size())});
  world_.memory.push(world.joint_slots, at);
  return at;
}

/// Clears the memory of joints that are new in their slots.
void JointFeature::clear_memory(std::vector<std::uint32_t>& at) {
  std::sort(at.begin(), at.end());
  for (std::size_t first = 0, last = 0; first < at.size(); first = last) {
    while (last < at.size() && at[last] - at[first] == last - first) ++last;
    exec::start_entries(world_.memory, store.view(), at[first], last - first);
  }
}

void JointFeature::filter(std::span<const Joint> joints, std::uint32_t index, std::uint32_t sign) {
  std::vector<std::uint32_t> ends;
  for (const Joint& joint : joints) {
    if (!keeps_apart(joint)) continue;
    for (const std::uint32_t id : {joint.body_a, joint.body_b}) ends.push_back(world_.worlds[index].body_slots[id]);
  }
  if (!ends.empty()) world_.filters.add_ignoring(index, ends, sign);
}

void JointFeature::remove(std::uint32_t at) {
  world_.synchronise();
  JointSlot& slot = slots[at];
  WorldSlot& world = world_.worlds[slot.world];
  const Joint joint = slot.joint;
  const std::vector<std::uint32_t> woken = ends_of(at);
  // its gears have nothing to follow any more
  while (!slot.gears.empty()) remove(world.joint_slots[slot.gears.front()]);
  list_at_ends(at, take_from);
  world_.memory.keep(slot.alive);
  slot.alive = false;
  world_.memory.replace(slot.joint, {});
  world_.memory.push(world.free_joints, slot.id);
  world_.memory.replace(living_, living_ - 1);
  known = false;
  filter(std::span(&joint, 1), slot.world, ~0u);
  world_.wake(woken);
}

void JointFeature::forget(std::uint32_t body) {
  while (!world_.slots[body].joints.empty()) remove(world_.slots[body].joints.back());
}

void JointFeature::capture(snapshot::Capture& to) {
  pull_drives({0, slots.size()});
  for (std::uint32_t w = 0; w < to.image.worlds.size(); ++w) {
    const WorldSlot& world = world_.worlds[to.first + w];
    snapshot::WorldPart& part = to.image.worlds[w];
    part.free_joints = world.free_joints;
    const std::vector<std::uint32_t>& at = world.joint_slots;
    std::vector<kernels::JointMemory> memories(at.size());
    std::vector<kernels::JointResult> results(at.size());
    snapshot::gather(world_.memory, store.view().memory, at, memories.data());
    snapshot::gather(world_.memory, store.view().result, at, results.data());
    for (std::size_t id = 0; id < at.size(); ++id) {
      const auto& [of_world, own_id, generation, alive, joint, followers] = slots[at[id]];
      // world and id follow from the index in the image, followers from the gears
      part.joints.push_back({at[id], generation, alive, joint, memories[id], results[id]});
    }
  }
}

void JointFeature::plan(snapshot::Restore& from) {
  planned_count_ = slots.size();
  planned_ = from.slots_of(&snapshot::WorldPart::joints, planned_count_,
                           [&](std::uint32_t world) { return world_.worlds[world].joint_slots; });
  check_slots("joints", planned_count_);
  store.reserve(planned_count_);
  // kept elements stay in place
  slots.reserve(planned_count_);
}

void JointFeature::become(snapshot::Restore& from) {
  // descriptions in worlds that stay
  if (!from.whole) change_descriptions();
  if (from.whole) world_.memory.replace(slots, {});
  world_.memory.replace(drives_written_, false);
  slots.reserve(planned_count_);
  world_.memory.resizes(slots);
  slots.resize(planned_count_);
  const auto each = [&](auto f) {
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      f(from.placements[i], from.image.worlds[from.placements[i].from].joints, planned_[i]);
    }
  };
  each([&](const snapshot::Placement& p, const std::vector<snapshot::JointPart>& joints,
           const std::vector<std::uint32_t>& at) {
    WorldSlot& of = world_.worlds[p.to];
    of.joint_slots = at;
    of.free_joints = snapshot::free_ids(joints.size(), at.size(), from.image.worlds[p.from].free_joints);
    for (std::uint32_t id = 0; id < at.size(); ++id) {
      JointSlot& slot = slots[at[id]];
      if (!from.whole) world_.memory.keep(slot);
      slot.world = p.to;
      slot.id = id;
      slot.alive = id < joints.size() && joints[id].alive;
      slot.joint = slot.alive ? joints[id].joint : Joint{};
      slot.gears.clear();
      if (id < joints.size()) slot.generation = joints[id].generation;
      if (!slot.alive || !keeps_apart(slot.joint)) continue;
      for (const std::uint32_t body : {slot.joint.body_a, slot.joint.body_b})
        world_.slots[p.body_slots[body]].ignores += 1;
    }
  });
  for (const std::vector<std::uint32_t>& at : planned_) {
    for (const std::uint32_t joint : at) {
      if (slots[joint].alive) list_at_ends(joint, put_into);
    }
  }
  const auto place = [&](auto* field, auto member) {
    rewrite(world_.memory, field, snapshot::range_of(planned_), [&](auto element) {
      each([&](const auto&, const auto& joints, const auto& at) {
        for (std::size_t id = 0; id < joints.size(); ++id) element(at[id]) = joints[id].*member;
      });
    });
  };
  place(store.view().memory, &snapshot::JointPart::memory);
  place(store.view().result, &snapshot::JointPart::result);
  const auto alive = std::ranges::count_if(slots, [](const JointSlot& slot) { return slot.alive; });
  world_.memory.replace(living_, static_cast<std::uint32_t>(alive));
  known = false;
  world_.filters.upload_ignored();
}

}  // namespace cairn
