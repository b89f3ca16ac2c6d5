#include "src/sensors/sensed_joints.h"

#include <string>

#include "cairn/errors.h"

namespace cairn {
namespace {

using kernels::kNone;

/// The joint of an articulation's link; empty if the world has no such link, or if it is fixed.
struct FoundJoint {
  const ArticulationSlot* slot{nullptr};
  std::uint32_t index{kNone};  ///< [1] of kernels::Links::articulated
  std::uint32_t node{kNone};   ///< [1]
};

/// [1] (slots) Of kernels::Links::articulated; kNone for removed ones.
std::vector<std::uint32_t> articulated_of(const ArticulationStore& store) {
  std::vector<std::uint32_t> index;
  std::uint32_t next = 0;
  for (const ArticulationSlot& slot : store.all()) index.push_back(slot.of == nullptr ? kNone : next++);
  return index;
}

FoundJoint find_joint(const JointSensor& sensor, const ArticulationStore& store,
                      const std::vector<std::uint32_t>& in_world, const std::vector<std::uint32_t>& index) {
  if (sensor.articulation >= in_world.size()) return {};
  const std::uint32_t at = in_world[sensor.articulation];
  const ArticulationSlot& slot = store.all()[at];
  if (slot.of == nullptr) return {};
  const std::vector<ArticulationLink>& links = slot.of->description.links;
  if (sensor.link >= links.size() || links[sensor.link].joint.kind == ArticulationJointKind::kFixed) return {&slot};
  return {&slot, index[at], store.made(slot).links[sensor.link].node};
}

/// [1] (worlds) Slots of each world.
std::vector<std::vector<std::uint32_t>> by_world(const ArticulationStore& store, std::uint32_t worlds) {
  std::vector<std::vector<std::uint32_t>> slots(worlds);
  for (std::uint32_t i = 0; i < store.all().size(); ++i) slots[store.all()[i].world].push_back(i);
  return slots;
}

}  // namespace

void SensedJoints::check(const std::vector<JointSensor>& sensors, const ArticulationStore& store,
                         std::uint32_t worlds) const {
  const auto slots = by_world(store, worlds);
  const std::vector<std::uint32_t> index = articulated_of(store);
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    bool there = false, moves = false;
    for (std::uint32_t w = 0; w < worlds && !moves; ++w) {
      const FoundJoint place = find_joint(sensors[i], store, slots[w], index);
      there = there || place.slot != nullptr;
      moves = place.node != kNone;
    }
    if (moves) continue;
    const std::string name = "Sensors: joints[" + std::to_string(i) + "]: ";
    if (!there) throw InvalidArgument(name + "no world has an articulation " + std::to_string(sensors[i].articulation));
    throw InvalidArgument(name + "articulation " + std::to_string(sensors[i].articulation) + " has no link " +
                          std::to_string(sensors[i].link) + " on a joint that moves");
  }
}

void SensedJoints::place(const std::vector<JointSensor>& sensors, const ArticulationStore& store,
                         std::uint32_t worlds) {
  if (sensors.empty()) return;
  const auto slots = by_world(store, worlds);
  const std::vector<std::uint32_t> index = articulated_of(store);
  std::vector<kernels::SensedTree> trees;
  std::vector<kernels::SensedJoint> joints;
  std::vector<std::uint32_t> tree_of(store.articulated().size(), kNone), sum_of(store.links().size(), kNone);
  std::uint32_t nodes = 0, sums = 0;
  for (std::uint32_t w = 0; w < worlds; ++w) {
    for (const JointSensor& sensor : sensors) {
      const FoundJoint place = find_joint(sensor, store, slots[w], index);
      if (place.node == kNone) {
        joints.push_back({kNone, kNone});
        continue;
      }
      std::uint32_t& tree = tree_of[place.index];
      if (tree == kNone) {
        tree = static_cast<std::uint32_t>(trees.size());
        trees.push_back({place.index, nodes});
        nodes += static_cast<std::uint32_t>(store.made(*place.slot).nodes.size());
        const kernels::Articulated& at = store.articulated()[place.index];
        for (std::uint32_t k = at.link_begin; k < at.link_end; ++k) sum_of[k] = sums++;
      }
      joints.push_back({tree, place.node});
    }
  }
  tree_.assign(trees);
  sum_of_.assign(sum_of);
  joint_.assign(joints);
  node_.reserve(nodes);
  sum_.assign_zeros(std::size_t{sums} * 2 * kernels::kSumWords);
  trees_ = static_cast<std::uint32_t>(trees.size());
  joints_ = static_cast<std::uint32_t>(sensors.size());
}

void SensedJoints::show(const StepContext& s, float* wrench, SenseContext& context) const {
  const kernels::SensedTrees trees{tree_.data(), node_.data(), sum_of_.data(), sum_.data()};
  const auto substeps = static_cast<float>(s.substeps);
  context.sum_loads = {s.shapes, s.pairs[s.constants.parity ^ 1u], s.links, trees, substeps};
  context.tree = {s.bodies, s.worlds, s.links, s.state, trees, substeps};
  context.trees = trees_;
  context.joint = {trees, joint_.data(), wrench};
  context.joints = joints_;
}

}  // namespace cairn
