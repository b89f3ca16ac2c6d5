#pragma once
// The constraints of a World's particles.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/scene.h"
#include "kernels/common/constraints.h"
#include "src/exec/journal.h"
#include "src/step_context.h"
#include "src/world/frame.h"

namespace cairn {

/// A set without particles.
const std::shared_ptr<const ParticleSet>& no_particles();

/// One of a World's sets, or the place of a removed one.
struct ParticlesSlot {
  std::uint32_t world{0};              ///< [1] index
  std::uint32_t generation{1};         ///< [1] of the last one here
  std::vector<std::uint32_t> bodies;   ///< [1] (particles) slots; kNone of removed ones
  std::vector<std::uint32_t> held_by;  ///< [1] (attachments) slots of their bodies; kNone of removed ones
  std::vector<Vec3d> anchors;          ///< [m] (attachments) in the frame of that body
  std::vector<std::uint8_t> broken;    ///< [1] (constraints, then attachments) 1: was broken at `take`; empty: none
  std::shared_ptr<const ParticleSet> of{no_particles()};
  std::uint32_t first{0};  ///< [1] id of its first constraint

  bool alive() const { return !of->positions.empty(); }
};

/// kernels::Constraints, on the host.
struct ConstraintOrder {
  std::vector<std::uint32_t> constraint;   ///< [1] (places) ids of constraints in use
  std::vector<std::uint32_t> entry;        ///< [1] (slots) kernels::Constraints::order
  std::vector<std::uint32_t> color_begin;  ///< [1] (bands + 1) like kernels::Parts
  std::vector<std::uint32_t> color_row;    ///< [1] (bands + 1) the same, in slots
  std::uint32_t colors{0};                 ///< [1]
};

/// kernels::Constraint and their clusters, on the host.
struct ConstraintTable {
  std::vector<kernels::Constraint> constraint;  ///< by id; body[0] is kNone for forgotten ones
  std::vector<kernels::ClusterMember> member;
  std::vector<std::uint32_t> cluster_begin;  ///< [1] (clusters + 1) or empty
  std::vector<kernels::ConstraintElement> element;

  bool in_use(std::uint32_t id) const { return constraint[id].body[0] != kernels::kNone; }
  /// [1] Slots of the bodies that it holds.
  std::vector<std::uint32_t> bodies_of(std::uint32_t id) const;
};

/// Gives each constraint the lowest colour that no earlier one has on a pushable body; `world` and `pushed` are by body
/// slot. Colours go up in one class and down in the other. The way back leaves out the last colour of each world,
/// independent of other worlds of its part. Constraints that find none of kMaskColors are the last on the way up, and
/// run one at a time, in a symmetric sweep.
ConstraintOrder order_constraints(const ConstraintTable& constraints, std::span<const std::uint32_t> world,
                                  std::span<const std::uint8_t> pushed, std::span<const std::uint32_t> part_of_world,
                                  std::uint32_t parts);

/// A tetrahedron of a set in its start pose.
kernels::ConstraintElement element_of(const ParticleSet& set, const std::uint32_t* particle);

/// Convergence of a group of constraints. With x = square_time / h^2, a chain of alternate colours with a common load
/// leaves the share 1 / (1 + x) of its error to the next pass, on the way up and on the way back. So after n sweeps its
/// springs are softer than their law by q / (1 - q), q = (1 + x)^-2n. A Jacobi sweep is one pass and corrects only
/// `share` of the error.
struct ConstraintNeed {
  double square_time;  ///< [s^2] compliance / (g M^-1 g), harmonic mean; infinite without a law
  double sag;          ///< [1/s^2] mean of (g M^-1 g / max g^2) load / size: times h^2 / n, the strain of rigid ones
  double share;        ///< [1] of a correction that a pass makes: 1, except in Jacobi sweeps
  std::uint32_t ways;  ///< [1] passes of a sweep: 2 of a symmetric one, 1 of a Jacobi sweep
};
/// Accuracy of the group after n sweeps.
struct ConstraintHeld {
  double excess;  ///< [1] by which springs are softer than their law; infinite for rigid ones
  double strain;  ///< [1] additional strain of a constraint under its load
  bool good;      ///< springs are within kSpringExcess of their law, and rigid ones strain by no more than kMaxSag
};
/// [1] Allowed softness of springs against their law, and strain of rigid constraints under load.
inline constexpr double kSpringExcess = 0.1, kMaxSag = 0.01;
/// [1] Max sweeps that a set chooses by itself.
inline constexpr std::uint32_t kMaxOwnSweeps = 32;
ConstraintHeld held_by(const ConstraintNeed& need, double h, std::uint32_t sweeps);
/// The fewest sweeps with a good result, or kMaxOwnSweeps.
std::uint32_t sweeps_for(const ConstraintNeed& need, double h);

/// constraint_warnings of a set.
std::vector<std::string> warnings_of(const ParticleSet& set, std::span<const ConstraintNeed> needs,
                                     const StepParams& params);

/// The needs of a set's groups. `load` [N] is the max weight on a constraint.
std::vector<ConstraintNeed> needs_of(const ParticleSet& set, std::span<const double> inv_mass, double load,
                                     SweepKind sweep);

/// Poses of bodies by their slots.
struct ConstraintPoses {
  std::vector<Vec3d> x;  ///< [m]
  std::vector<Quat> q;   ///< [1]
};

class ConstraintStore {
 public:
  explicit ConstraintStore(exec::Journal& in) : memory_(in) {}

  void take(std::vector<ParticlesSlot> slots);
  std::span<const ParticlesSlot> all() const { return slots_; }
  bool empty() const { return table_.constraint.empty(); }

  /// Orders the remaining constraints, with anchors by the bodies' descriptions.
  void set_order(std::span<const BodySlot> bodies, std::span<const std::uint32_t> part_of_world, std::uint32_t parts);
  bool has(std::uint32_t body) const {
    return body < has_.size() && has_[body];
  }                                 ///< a slot; it is in some set, or held
  void forget(std::uint32_t body);  ///< a slot, and constraints on it; an order must follow
  /// Slots of the bodies that constraints hold to this one, possibly itself among them.
  std::vector<std::uint32_t> held_to(std::uint32_t body) const;
  /// Enters them into a step, which has its parts; 0 sweeps: each set uses its own.
  void show(StepContext& context, std::uint32_t sweeps, bool steps);
  /// [1] (sets) The needs of each set's groups, by the masses at the time of the order.
  std::vector<std::vector<ConstraintNeed>> needs(SweepKind sweep) const;

  /// [1] (constraints) Of ConstraintResidual, for bodies with their centres and principal axes at these poses; under 0
  /// for constraints that hold nothing.
  std::vector<float> residuals(float h, const ConstraintPoses& poses) const;

  /// [N, N m, N/m^2, Pa] (constraints of the set) Force of each in the last substep: its multiplier, over 0 where its
  /// measure grew.
  std::vector<float> forces(const ParticlesSlot& slot, float h) const;

  std::vector<std::uint32_t> read_broken() const;  ///< [1] kernels::BreakableConstraints::broken
  /// [1] (constraints of the set) 1: broken, by `read`; 0 for those whose bodies were removed.
  std::vector<std::uint8_t> broken(const ParticlesSlot& slot, std::span<const std::uint32_t> read) const;
  std::uint32_t count_broken() const;  ///< [1] of these, in all sets
  bool may_break() const { return break_count_ != 0; }

 private:
  void add(const ParticlesSlot& slot);
  void add_cluster(const ParticlesSlot& slot, std::span<const std::uint32_t> particles, std::uint32_t law);
  void set_sweeps(float h, SweepKind sweep);
  kernels::Constraint& add_constraint(const ParticlesSlot& slot, std::uint32_t law, float rest, Vec3d anchor);
  void list_breaks(const ParticlesSlot& slot, std::vector<std::uint32_t>& begin, std::vector<std::uint32_t>& with);
  void list_ends(std::span<const std::uint32_t> id_of_place, std::size_t bodies);

  exec::Journal& memory_;
  std::vector<ParticlesSlot> slots_;
  std::vector<bool> has_;  ///< [1] (body slots) as of `take`
  ConstraintTable table_;
  std::vector<Vec3d> anchors_;  ///< [m] (ids) in the frame of body 1
  std::vector<kernels::DeviceConstraintLaw> laws_;
  std::vector<std::uint32_t> place_of_;                 ///< [1] (ids) kNone of forgotten ones
  std::uint32_t count_{0}, slot_count_{0}, colors_{0};  ///< [1] places, slots of the order, and colours in use
  std::uint32_t break_count_{0};                        ///< [1] of kernels::BreakableConstraints
  std::vector<double> inv_mass_;                        ///< [1/kg] (body slots) 0: can't be pushed
  std::vector<std::vector<ConstraintNeed>> needs_;      ///< (sets) of sweeps_kind_, where sweeps_h_ isn't 0
  float sweeps_h_{0};                                   ///< [s] substep of set_sweeps_; 0: none
  SweepKind sweeps_kind_{SweepKind::kGaussSeidel};
  std::uint32_t max_sweeps_{1};  ///< [1] of set_sweeps_
  exec::Buffer<kernels::Constraint> constraint_{memory_};
  exec::Buffer<std::uint32_t> order_{memory_};
  exec::Buffer<kernels::DeviceConstraintLaw> law_{memory_};
  exec::Buffer<float> impulse_{memory_, kernels::Life::kScratch};
  exec::Buffer<Vec3> push_{memory_, kernels::Life::kScratch};
  exec::Buffer<std::uint32_t> begin_{memory_}, end_{memory_}, color_begin_{memory_}, color_row_{memory_},
      broken_{memory_}, break_begin_{memory_}, break_with_{memory_};
  exec::Buffer<float> break_total_{memory_, kernels::Life::kScratch};
  exec::Buffer<kernels::ClusterMember> member_{memory_};
  exec::Buffer<Vec3> member_push_{memory_, kernels::Life::kScratch};
  exec::Buffer<std::uint32_t> cluster_begin_{memory_};
  exec::Buffer<kernels::ConstraintElement> element_{memory_};
  exec::Buffer<double> element_impulse_{memory_, kernels::Life::kScratch};
  exec::Buffer<std::uint32_t> set_sweeps_{memory_};
};

}  // namespace cairn
