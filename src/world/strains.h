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

/// Gives each strain the lowest colour that none before it has on a body that can be pushed; `part` and `pushed` are by
/// body slot. Colours go up in one class and, but for the last, down in the other. Those that find none of kMaskColors
/// are the last on the way there, and go one at a time, there and back.
StrainOrder order_strains(std::span<const kernels::Strain> strains, std::span<const std::uint32_t> part,
                          std::span<const std::uint8_t> pushed, std::uint32_t parts);

class StrainStore {
 public:
  explicit StrainStore(exec::Memory& in);

  void take(std::vector<ParticlesSlot> slots);
  std::span<const ParticlesSlot> all() const { return slots_; }
  bool empty() const { return strains_.empty(); }
  std::span<const kernels::Strain> strains() const { return strains_; }

  /// Has the strains that there still are in an order, with anchors by the bodies as they are described.
  void set_order(std::span<const BodySlot> bodies, std::span<const std::uint32_t> part_of_world, std::uint32_t parts);
  void forget(std::uint32_t body);  ///< a slot, and strains on it; an order must follow
  /// Slots of bodies that strains hold to one, which may be among them.
  std::vector<std::uint32_t> held_to(std::uint32_t body) const;
  /// Shows them to a step, which has its parts.
  void show(StepContext& context, std::uint32_t sweeps);

  /// [N, N m, N/m^2] (strains of the set) What each did in the last substep: its multiplier, over 0 where it grew.
  std::vector<float> forces(const ParticlesSlot& slot, float h) const;

  std::uint64_t bytes() const;

 private:
  void add(const ParticlesSlot& slot);
  void list_ends(std::span<const kernels::Strain> ordered, std::size_t bodies);

  exec::Memory& memory_;
  std::vector<ParticlesSlot> slots_;
  std::vector<kernels::Strain> strains_;  ///< by id; kNone at body[0] of those that are forgotten
  std::vector<Vec3d> anchors_;            ///< [m] (ids) in the frame of body 1
  std::vector<kernels::StrainLaw> laws_;
  std::vector<std::uint32_t> place_of_;   ///< [1] (ids) kNone of those that are forgotten
  std::uint32_t count_{0}, slot_count_{0}, colors_{0};  ///< [1] places, slots of the order, and colours in use
  exec::Buffer<kernels::Strain> strain_;
  exec::Buffer<std::uint32_t> order_;
  exec::Buffer<kernels::StrainLaw> law_;
  exec::Buffer<float> impulse_;
  exec::Buffer<Vec3> push_;
  exec::Buffer<std::uint32_t> begin_, end_, color_begin_, color_row_;
};

}  // namespace cairn
