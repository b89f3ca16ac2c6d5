#pragma once
// The constraints of a World's particles.

#include <memory>
#include <span>
#include <vector>

#include "cairn/scene.h"
#include "kernels/common/strains.h"
#include "src/exec/memory.h"
#include "src/step_context.h"
#include "src/world/frame.h"

namespace cairn {

/// One of a World's sets, or where one was.
struct ParticlesSlot {
  std::uint32_t world{0};             ///< [1] index
  std::vector<std::uint32_t> bodies;  ///< [1] (particles) slots; kNone of those that are gone
  std::vector<std::uint32_t> held_by; ///< [1] (attachments) slots of their bodies; likewise
  std::vector<Vec3d> anchors;         ///< [m] (attachments) in the frame of that body
  std::vector<std::uint8_t> torn;     ///< [1] (constraints, then attachments) 1: when it was taken in; empty: none
  std::shared_ptr<const ParticleSet> of;
  std::uint32_t first{0};             ///< [1] id of its first strain
};

/// kernels::Strains, on the host.
struct StrainOrder {
  std::vector<std::uint32_t> strain;      ///< [1] (places) ids of those that hold something
  std::vector<std::uint32_t> entry;       ///< [1] (slots) kernels::Strains::order
  std::vector<std::uint32_t> color_begin; ///< [1] (bands + 1) like kernels::Parts
  std::vector<std::uint32_t> color_row;   ///< [1] (bands + 1) likewise, in slots
  std::uint32_t colors{0};                ///< [1]
};

/// kernels::Strain and their clusters, on the host.
struct StrainTable {
  std::vector<kernels::Strain> strain;            ///< by id; kNone at body[0] of those that are forgotten
  std::vector<kernels::ClusterMember> member;
  std::vector<std::uint32_t> cluster_begin;       ///< [1] (clusters + 1) or empty

  bool in_use(std::uint32_t id) const { return strain[id].body[0] != kernels::kNone; }
  /// [1] Slots of those that it holds.
  std::vector<std::uint32_t> bodies_of(std::uint32_t id) const;
};

/// Gives each strain the lowest colour that none before it has on a body that can be pushed; `part` and `pushed` are by
/// body slot. Colours go up in one class and, but for the last, down in the other. Those that find none of kMaskColors
/// are the last on the way there, and go one at a time, there and back.
StrainOrder order_strains(const StrainTable& strains, std::span<const std::uint32_t> part,
                          std::span<const std::uint8_t> pushed, std::uint32_t parts);

class StrainStore {
 public:
  explicit StrainStore(exec::Memory& in);

  void take(std::vector<ParticlesSlot> slots);
  std::span<const ParticlesSlot> all() const { return slots_; }
  bool empty() const { return table_.strain.empty(); }

  /// Has the strains that there still are in an order, with anchors by the bodies as they are described.
  void set_order(std::span<const BodySlot> bodies, std::span<const std::uint32_t> part_of_world, std::uint32_t parts);
  void forget(std::uint32_t body);  ///< a slot, and strains on it; an order must follow
  /// Slots of bodies that strains hold to one, which may be among them.
  std::vector<std::uint32_t> held_to(std::uint32_t body) const;
  /// Shows them to a step, which has its parts.
  void show(StepContext& context, std::uint32_t sweeps);

  /// [N, N m, N/m^2] (strains of the set) What each did in the last substep: its multiplier, over 0 where it grew.
  std::vector<float> forces(const ParticlesSlot& slot, float h) const;

  std::vector<std::uint32_t> read_torn() const;  ///< [1] kernels::Tears::torn
  /// [1] (strains of the set) 1: torn, by what was read; 0 of those whose bodies are gone.
  std::vector<std::uint8_t> torn(const ParticlesSlot& slot, std::span<const std::uint32_t> read) const;
  std::uint32_t count_torn() const;  ///< [1] of these, in all sets
  bool may_tear() const { return tear_count_ != 0; }

  std::uint64_t bytes() const;

 private:
  void add(const ParticlesSlot& slot);
  void add_cluster(const ParticlesSlot& slot, std::span<const std::uint32_t> particles, std::uint32_t law);
  kernels::Strain& add_strain(std::uint32_t law, float rest, Vec3d anchor);
  void list_tears(const ParticlesSlot& slot, std::vector<std::uint32_t>& begin, std::vector<std::uint32_t>& with);
  void list_ends(std::span<const std::uint32_t> id_of_place, std::size_t bodies);

  exec::Memory& memory_;
  std::vector<ParticlesSlot> slots_;
  StrainTable table_;
  std::vector<Vec3d> anchors_;            ///< [m] (ids) in the frame of body 1
  std::vector<kernels::StrainLaw> laws_;
  std::vector<std::uint32_t> place_of_;   ///< [1] (ids) kNone of those that are forgotten
  std::uint32_t count_{0}, slot_count_{0}, colors_{0};  ///< [1] places, slots of the order, and colours in use
  std::uint32_t tear_count_{0};                         ///< [1] of kernels::Tears
  exec::Buffer<kernels::Strain> strain_;
  exec::Buffer<std::uint32_t> order_;
  exec::Buffer<kernels::StrainLaw> law_;
  exec::Buffer<float> impulse_;
  exec::Buffer<Vec3> push_;
  exec::Buffer<std::uint32_t> begin_, end_, color_begin_, color_row_, torn_, tear_begin_, tear_with_;
  exec::Buffer<float> tear_total_;
  exec::Buffer<kernels::ClusterMember> member_;
  exec::Buffer<Vec3> member_push_;
  exec::Buffer<std::uint32_t> cluster_begin_;
};

}  // namespace cairn
