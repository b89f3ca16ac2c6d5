#pragma once
// The articulations of a World: what the host keeps of them, and what the device holds.

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "cairn/scene.h"
#include "kernels/articulate/links.h"
#include "src/articulate/lower.h"
#include "src/exec/memory.h"
#include "src/step_context.h"
#include "src/world/joints.h"
#include "src/world/frame.h"

namespace cairn {

/// One of a World's articulations.
struct ArticulationSlot {
  std::uint32_t world{0};             ///< [1] index
  std::uint32_t kind{0}, lane{0};     ///< [1] kernels::Articulated
  std::vector<std::uint32_t> bodies;  ///< [1] (links) slots; kNoLinkBody
  std::shared_ptr<const SceneArticulation> of;
};

/// Words of an articulation of a kind, in the arrays of kernels::articulate::Kind.
struct ArticulationWords {
  LoweredArticulation made;
  std::uint32_t count{0};  ///< [1] of this kind
};

class ArticulationStore {
 public:
  explicit ArticulationStore(exec::Memory& in);

  /// Takes in what the worlds' scenes have, and makes room for it. Once. `slots` are all bodies.
  void take(std::span<const Scene* const> scenes,
            std::span<const std::vector<std::uint32_t>* const> body_slots,
            const std::vector<BodySlot>& slots);
  /// Puts all of it at its start.
  void lay_out();
  /// Shows articulations to a step of so many body slots, in these parts of the worlds.
  void show(StepContext& context, std::uint32_t bodies, std::span<const std::uint32_t> part_of_world);

  std::span<const ArticulationSlot> all() const { return slots_; }
  const LoweredArticulation& made(const ArticulationSlot& slot) const { return words_[slot.kind].made; }
  std::span<const kernels::LinkBody> links() const { return links_; }
  bool is_link(std::uint32_t body) const { return body < of_body_.size() && of_body_[body] != kernels::kNone; }
  /// Slot of the body that stands for the articulation of a link; the body itself, if it isn't one.
  std::uint32_t owner_of(std::uint32_t body) const {
    if (!is_link(body)) return body;
    return links_[articulated_[links_[of_body_[body]].articulation].link_begin].body;
  }
  /// Which articulations these joints push.
  void set_joined(std::span<const JointEdge> joints);

  /// Words of one articulation in an array of its kind, and of how many: coordinates or dofs.
  std::vector<double> read(const ArticulationSlot& slot, double* kernels::articulate::Batch::* array,
                           std::uint32_t words) const;
  void write(const ArticulationSlot& slot, double* kernels::articulate::Batch::* array,
             std::span<const double> values) const;

  std::uint64_t bytes() const;

 private:
  void list(std::uint32_t index, const SceneArticulation& of, const std::vector<std::uint32_t>& body_slots,
            const std::vector<BodySlot>& slots);
  void reserve();
  template <class T>
  void put(const exec::Buffer<T>& buffer, const std::vector<T>& values, std::size_t first = 0) const {
    if (!values.empty()) memory_.upload(buffer.data() + first, values.data(), values.size() * sizeof(T));
  }
  void write_to(double* array, std::uint32_t lane, std::span<const double> values) const;
  void set_parts(std::uint32_t parts, std::span<const std::uint32_t> part_of_world);

  exec::Memory& memory_;
  std::vector<ArticulationSlot> slots_;
  std::vector<ArticulationWords> words_;           ///< (kinds)
  std::vector<kernels::articulate::Kind> kinds_;
  std::vector<kernels::Articulated> articulated_;
  std::vector<kernels::LinkBody> links_;
  std::vector<std::uint32_t> of_body_;             ///< [1] (bodies + 1)
  std::vector<std::uint32_t> part_of_world_;       ///< [1] (worlds) as of set_parts
  std::uint32_t large_{0};                         ///< [1] articulations of part 0
  bool bounded_{false}, joined_{false};
  exec::Buffer<kernels::articulate::Node> node_;
  exec::Buffer<kernels::articulate::Dof> dof_;
  exec::Buffer<double> word_;
  exec::Buffer<kernels::articulate::Kind> kind_;
  exec::Buffer<kernels::Articulated> articulated_there_;
  exec::Buffer<kernels::LinkBody> link_;
  exec::Buffer<kernels::LinkState> state_;
  exec::Buffer<std::uint32_t> of_body_there_, part_begin_, part_item_;
};

}  // namespace cairn
