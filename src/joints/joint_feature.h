#pragma once
// The joints of a World.

#include <string>
#include <vector>

#include "cairn/joint.h"
#include "src/joints/joint_store.h"
#include "src/scene/joint_rules.h"
#include "src/world/feature.h"
#include "src/world/index_range.h"

namespace cairn {

struct JointSlot {
  std::uint32_t world{0};
  std::uint32_t id{0};  ///< [1] its slot in its world's list
  std::uint32_t generation{0};
  bool alive{false};
  Joint joint;                       ///< as added, with later changes; bodies and joints by their ids in its world
  std::vector<std::uint32_t> gears;  ///< [1] ids of joints that follow it, ascending
};

/// The name of a joint in errors.
inline std::string label(const Joint& joint) {
  return joint.name.empty() ? "a joint without a name" : "joint \"" + joint.name + "\"";
}

/// Joints to add to a world.
struct JointAddition {
  std::uint32_t world;
  std::span<const Joint> joints;
};

class JointFeature final : public Feature {
 public:
  explicit JointFeature(Impl& of);

  void take(std::span<const Scene* const> scenes) override;
  void forget(std::uint32_t body) override;
  void add_neighbours(std::uint32_t body, std::vector<std::uint32_t>& to) const override;
  void check(const StepParams& params) const override;
  void order() override;
  void show(StepContext& step, bool) override;
  void capture(snapshot::Capture& to) override;
  void plan(snapshot::Restore& from) override;
  void become(snapshot::Restore& from) override;
  static std::uint64_t bytes(const Estimate& of);
  static void check_image(snapshot::ImageCheck& of);

  std::uint32_t slot_of(JointHandle handle) const;  ///< throws if stale
  void add(std::span<const JointAddition> additions, std::vector<JointHandle>* handles);
  void remove(std::uint32_t slot);
  std::vector<std::uint32_t> ends_of(std::uint32_t joint) const;  ///< body slots that a joint slot acts on
  rules::JointPlace place_in(std::uint32_t world) const;
  /// A body was disabled or enabled: its joints, and gears that follow these, start without impulses, and `order`
  /// leaves out those that hold nothing.
  void let_go(std::uint32_t body);
  /// Throws InvalidArgument if another joint of the world than the one in slot `but` has the same name.
  void refuse_taken(const Joint& joint, std::uint32_t world, std::uint32_t but) const;
  std::uint32_t living() const { return living_; }
  /// Drives were written on the device, or will be by a graph: `pull_drives` copies them into descriptions.
  void drives_written() { drives_written_ = true; }
  void pull_drives(IndexRange slots);
  /// Call it before changing descriptions on the host, which are valid from then on; the next `order` uploads them.
  void change_descriptions();

  std::vector<JointSlot> slots;
  JointStore store;

 private:
  std::uint32_t slot_in(std::uint32_t world);
  void list_at_ends(std::uint32_t joint, void (*change)(std::vector<std::uint32_t>& list, std::uint32_t joint));
  std::vector<std::uint32_t> followed_by(std::uint32_t joint) const;
  void clear_memory(std::vector<std::uint32_t>& slots);
  /// Adds 1 to the counts of body pairs that joints keep from colliding, or subtracts 1 with sign ~0;
  /// FilterFeature::upload_ignored must follow, at the latest in `order`.
  void filter(std::span<const Joint> joints, std::uint32_t world, std::uint32_t sign);
  kernels::JointModel model_at(std::uint32_t joint) const;  ///< of a joint slot
  bool is_off(std::uint32_t joint) const;                   ///< a body that it acts on, or follows, is disabled
  std::vector<kernels::JointModel> models() const;          ///< (joint slots)
  /// Joints of all worlds that hold: by world, by id.
  std::vector<JointEdge> edges(std::span<const kernels::JointModel> models) const;

  bool drives_written_{false};
  std::uint32_t living_{0}, gears_{0};               ///< [1] gears as of `order`
  std::vector<std::vector<std::uint32_t>> planned_;  ///< [1] (placements) slots by id, as of `plan`
  std::size_t planned_count_{0};                     ///< [1] of all slots
};

}  // namespace cairn
