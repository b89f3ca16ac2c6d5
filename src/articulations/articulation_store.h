#pragma once
// The articulations of a World: their data on the host and on the device.

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

/// One of a World's articulations, or the place of a removed one.
struct ArticulationSlot {
  std::uint32_t world{0};                       ///< [1] index
  std::uint32_t generation{1};                  ///< [1] of the last one here
  std::vector<std::uint32_t> bodies;            ///< [1] (links) slots; kNoLinkBody
  std::shared_ptr<const SceneArticulation> of;  ///< null: none is here now
  std::uint32_t kind{0}, lane{0};               ///< [1] kernels::Articulated

  bool alive() const { return of != nullptr; }
};

/// In a world whose bodies have these slots.
ArticulationSlot articulation_slot(std::shared_ptr<const SceneArticulation> of, std::uint32_t world,
                                   std::span<const std::uint32_t> body_slots);
/// The articulations of worlds of these scenes.
std::vector<ArticulationSlot> articulation_slots(std::span<const Scene* const> scenes,
                                                 std::span<const std::vector<std::uint32_t>* const> body_slots);

/// An articulation's words of one kind, in the arrays of kernels::articulate::Kind.
struct ArticulationWords {
  CompiledArticulation made;
  std::vector<std::uint32_t> slots;      ///< [1] (lanes) of this kind
  std::unique_ptr<Articulations> alone;  ///< ArticulationStore::alone, made at its first use
};

/// Articulations of a World, grouped by kind and counted.
struct ArticulationTables {
  ArticulationTables() = default;
  /// Finds kinds and lanes.
  explicit ArticulationTables(std::vector<ArticulationSlot> of);

  std::vector<ArticulationSlot> slots;
  std::vector<ArticulationWords> words;           ///< (kinds)
  std::vector<kernels::Articulated> articulated;  ///< of the slots in use
  std::vector<kernels::LinkBody> links;           ///< centre and axes are 0 until `compute_masses`

  /// Computes centre and axes of the links; `bodies` are all body slots.
  void compute_masses(const std::vector<BodySlot>& bodies);

 private:
  void list(const ArticulationSlot& slot);
};

/// State of an articulation between two steps.
struct ArticulationMotion {
  std::vector<double> q, v;                 ///< [m, rad, 1] (coordinates), [m/s, rad/s] (dofs)
  std::vector<double> force;                ///< [N, N m] (dofs)
  std::vector<double> target, target_rate;  ///< as q and v
  std::vector<double> joint;                ///< [1] kernels::articulate::Batch::joint
  std::vector<double> build;                ///< [1] kernels::articulate::Batch::build; empty: without scales
};

class ArticulationStore {
 public:
  explicit ArticulationStore(exec::Journal& in) : memory_(in) {}

  /// Allocates for `become`.
  void reserve(const ArticulationTables& tables, std::size_t bodies);
  /// Replaces the articulations by these, all at their start. `bodies` are all body slots.
  void become(ArticulationTables tables, const std::vector<BodySlot>& bodies);
  /// Enters the articulations into a step of so many body slots, with these parts of the worlds.
  void show(StepContext& context, std::uint32_t bodies, std::span<const std::uint32_t> part_of_world);

  ArticulationRows rows() const;
  const std::uint32_t* articulation_of() const { return row_.data(); }  ///< [1] (rows)
  bool empty() const { return tables_.articulated.empty(); }
  std::span<const ArticulationSlot> all() const { return tables_.slots; }
  /// An articulation of the same build on the host: it checks values, and computes poses of links.
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
  /// False for links of an articulation that stands on the world.
  bool floats(std::uint32_t body) const {
    if (!is_link(body)) return true;
    const std::uint32_t of = tables_.links[of_body_[body]].articulation;
    return tables_.words[tables_.articulated[of].kind].made.floats;
  }
  /// Marks the articulations that these joints push.
  void set_joined(std::span<const JointEdge> joints);

  /// Of all slots; empty for those without an articulation.
  std::vector<ArticulationMotion> motions() const;
  void set_motions(std::span<const ArticulationMotion> motions) const;

  /// Words of one articulation in an array of its kind.
  std::vector<double> read(const ArticulationSlot& slot, double* kernels::articulate::Batch::*array) const;
  void write(const ArticulationSlot& slot, double* kernels::articulate::Batch::*array,
             std::span<const double> values) const;

 private:
  void place_kinds();
  template <class T>
  void put(const exec::Buffer<T>& buffer, const std::vector<T>& values) const {
    memory_.put(buffer.data(), values);
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
  std::uint32_t max_nodes_{0};  ///< [1] of an articulation
  exec::Buffer<std::byte> table_{memory_};
  exec::Buffer<double> word_{memory_};
  exec::Buffer<kernels::articulate::Kind> kind_{memory_};
  exec::Buffer<kernels::Articulated> articulated_there_{memory_};
  exec::Buffer<kernels::LinkBody> link_{memory_};
  exec::Buffer<kernels::LinkState> state_{memory_};
  exec::Buffer<std::uint32_t> of_body_there_{memory_}, part_begin_{memory_}, part_item_{memory_}, row_{memory_};
};

}  // namespace cairn
