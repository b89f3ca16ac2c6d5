#pragma once
// Device memory of joints.

#include "kernels/common/joints.h"
#include "src/exec/journal.h"
#include "src/joints/joint_order.h"
#include "src/step_context.h"

namespace cairn {

class JointStore {
 public:
  explicit JointStore(exec::Journal& in) : memory_(in) {}

  void reserve(std::size_t slots) { joints_.reserve(slots); }
  const kernels::Joints& view() const { return joints_.view(); }
  /// Sets the slots of joints, in the order of World::joints, world by world.
  void set_rows(const std::vector<std::uint32_t>& slots) { slot_of_.assign(slots); }
  const std::uint32_t* slot_of() const { return slot_of_.data(); }  ///< [1] (rows)
  /// Uploads the order of joints, and allocates their rows.
  void set_order(const JointOrder& order);
  /// Shows joints to a step, which already has its parts; `slots` of them are used.
  void show(StepContext& context, std::uint32_t slots, std::uint32_t gears) const;

 private:
  exec::Journal& memory_;
  std::uint32_t tree_slots_{0}, nodes_{0}, colors_{0}, largest_{0};  ///< [1] of JointOrder
  exec::Table<kernels::Joints> joints_{memory_};
  exec::Buffer<kernels::JointTree> tree_{memory_};  ///< kernels::JointLayout, and its bands
  exec::Buffer<std::uint32_t> begin_{memory_}, row_{memory_}, node_row_{memory_}, slot_of_{memory_};
  exec::Buffer<kernels::JointNode> node_{memory_};
  exec::Buffer<kernels::JointRow> joint_row_{memory_, kernels::Life::kScratch};
  exec::Buffer<double> matrix_{memory_, kernels::Life::kScratch};
};

}  // namespace cairn
