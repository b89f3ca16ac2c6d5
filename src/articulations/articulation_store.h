#pragma once
// The articulations of a World: what the host keeps of them, and what the device holds.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/articulations.h"
#include "cairn/device_arrays.h"
#include "cairn/scene.h"
#include "kernels/articulations/links.h"
#include "src/articulations/compile_articulation.h"
#include "src/exec/journal.h"
#include "src/joints/joint_order.h"
#include "src/step_context.h"
#include "src/world/frame.h"

namespace cairn {

/// One of a World's articulations, or where one was.
struct ArticulationSlot {
  std::uint32_t world{0};                       ///< [1] index
  std::uint32_t generation{1};                  ///< [1] of the last that was here
  std::vector<std::uint32_t> bodies;            ///< [1] (links) slots; kNoLinkBody
  std::shared_ptr<const SceneArticulation> of;  ///< null: there is none any more
  std::uint32_t kind{0}, lane{0};               ///< [1] kernels::Articulated
};

/// In a world that holds its bodies in these slots.
ArticulationSlot articulation_slot(std::shared_ptr<const SceneArticulation> of, std::uint32_t world,
                                   std::span<const std::uint32_t> body_slots);
/// What worlds of these scenes have.
std::vector<ArticulationSlot> articulation_slots(std::span<const Scene* const> scenes,
                                                 std::span<const std::vector<std::uint32_t>* const> body_slots);

/// Words of an articulation of a kind, in the arrays of kernels::articulate::Kind.
struct ArticulationWords {
  CompiledArticulation made;
  std::vector<std::uint32_t> slots;      ///< [1] (lanes) of this kind
  std::unique_ptr<Articulations> alone;  ///< ArticulationStore::alone, once it was asked for
};

/// Articulations of a World, found alike and counted.
struct ArticulationTables {
  ArticulationTables() = default;
  /// Kinds and lanes are found here.
  explicit ArticulationTables(std::vector<ArticulationSlot> of);

  std::vector<ArticulationSlot> slots;
  std::vector<ArticulationWords> words;           ///< (kinds)
  std::vector<kernels::Articulated> articulated;  ///< of the slots that have one
  std::vector<kernels::LinkBody> links;           ///< centre and axes are 0 until `compute_masses`

  /// Finds centre and axes of the links; `bodies` are all body slots.
  void compute_masses(const std::vector<BodySlot>& bodies);

 private:
  void list(const ArticulationSlot& slot);
};

/// What an articulation goes by between two steps.
struct ArticulationMotion {
  std::vector<double> q, v;                 ///< [m, rad, 1] (coordinates), [m/s, rad/s] (dofs)
  std::vector<double> force;                ///< [N, N m] (dofs)
  std::vector<double> target, target_rate;  ///< as q and v
  std::vector<double> joint;                ///< [1] kernels::articulate::Batch::joint
  std::vector<double> build;                ///< [1] the same of `build`; empty: without scales
};

class ArticulationStore {
 public:
  explicit ArticulationStore(exec::Journal& in);

  /// Makes room for `become`.
  void reserve(const ArticulationTables& tables, std::size_t bodies);
  /// Has these articulations from here on, all at their start. `bodies` are all body slots.
  void become(ArticulationTables tables, const std::vector<BodySlot>& bodies);
  /// Shows articulations to a step of so many body slots, in these parts of the worlds.
  void show(StepContext& context, std::uint32_t bodies, std::span<const std::uint32_t> part_of_world);

  ArticulationRows rows() const;
  const std::uint32_t* articulation_of() const { return row_.data(); }  ///< [1] (rows)
  bool empty() const { return tables_.articulated.empty(); }
  std::span<const ArticulationSlot> all() const { return tables_.slots; }
  std::vector<std::uint32_t> slots_of(std::uint32_t world) const;
  /// One of the same build on the host, which has the rules of what is set, and knows where links then are.
  Articulations& alone(const ArticulationSlot& slot);
  const CompiledArticulation& made(const ArticulationSlot& slot) const { return tables_.words[slot.kind].made; }
  std::span<const kernels::LinkBody> links() const { return tables_.links; }
  std::span<const kernels::Articulated> articulated() const { return tables_.articulated; }
  bool is_link(std::uint32_t body) const { return body < of_body_.size() && of_body_[body] != kernels::kNone; }
  /// Slot of the body that stands for the articulation of a link; the body itself, if it isn't one.
  std::uint32_t owner_of(std::uint32_t body) const {
    if (!is_link(body)) return body;
    return tables_.links[tables_.articulated[tables_.links[of_body_[body]].articulation].link_begin].body;
  }
  /// False of the links of an articulation that stands on the world.
  bool floats(std::uint32_t body) const {
    if (!is_link(body)) return true;
    const std::uint32_t of = tables_.links[of_body_[body]].articulation;
    return tables_.words[tables_.articulated[of].kind].made.floats;
  }
  /// Which articulations these joints push.
  void set_joined(std::span<const JointEdge> joints);

  /// Of all slots; nothing of those that are empty.
  std::vector<ArticulationMotion> motions() const;
  void set_motions(std::span<const ArticulationMotion> motions) const;

  /// Words of one articulation in an array of its kind, and of how many: coordinates or dofs.
  std::vector<double> read(const ArticulationSlot& slot, double* kernels::articulate::Batch::*array,
                           std::uint32_t words) const;
  void write(const ArticulationSlot& slot, double* kernels::articulate::Batch::*array,
             std::span<const double> values) const;

 private:
  void place_kinds();
  template <class T>
  void put(const exec::Buffer<T>& buffer, const std::vector<T>& values, std::size_t first = 0) const {
    if (!values.empty()) memory_.upload(buffer.data() + first, values.data(), values.size() * sizeof(T));
  }
  template <class F>
  void fill(double* array, std::uint32_t kind, std::uint32_t words, F of) const;
  void set_parts(std::uint32_t parts, std::span<const std::uint32_t> part_of_world);

  exec::Journal& memory_;
  ArticulationTables tables_;
  std::vector<kernels::articulate::Kind> kinds_;
  std::vector<std::uint32_t> of_body_;        ///< [1] (bodies + 1)
  std::vector<std::uint32_t> part_of_world_;  ///< [1] (worlds) as of set_parts
  std::uint32_t large_{0};                    ///< [1] articulations of part 0
  bool joined_{false};
  std::uint32_t most_nodes_{0};  ///< [1] of an articulation
  exec::Buffer<kernels::articulate::Node> node_;
  exec::Buffer<kernels::articulate::Dof> dof_;
  exec::Buffer<kernels::articulate::Link> place_;
  exec::Buffer<kernels::articulate::Coupling> coupling_;
  exec::Buffer<kernels::articulate::Term> term_;
  exec::Buffer<std::uint32_t> level_;
  exec::Buffer<double> word_;
  exec::Buffer<kernels::articulate::Kind> kind_;
  exec::Buffer<kernels::Articulated> articulated_there_;
  exec::Buffer<kernels::LinkBody> link_;
  exec::Buffer<kernels::LinkState> state_;
  exec::Buffer<std::uint32_t> of_body_there_, part_begin_, part_item_, row_;
};

}  // namespace cairn
