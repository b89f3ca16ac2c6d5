#pragma once
// Constraints between particles, and between particles and bodies.

#include <cstdint>

#include "kernels/common/index.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

enum class DeviceConstraintKind : std::uint32_t { kStretch, kBend, kVolume, kShape, kElastic, kAttach };

/// [1] Max bodies of a constraint; kShape may have more.
inline constexpr std::uint32_t kConstraintEnds = 4;

/// Parameters that constraints share.
struct DeviceConstraintLaw {
  DeviceConstraintKind kind;
  float compliance;          ///< [m/N, rad/(N m), m^5/N]; kElastic [1/Pa]: 1 / Young's modulus
  float damping;             ///< [N s/m, N m s/rad, N s/m^5]; kElastic [s]
  float stiffness;           ///< [1] of plain PBD; 0: XPBD
  float breaking_force;      ///< [N] of constraints with two ends
  std::uint32_t unilateral;  ///< [1] 1: only pulls
  float poisson_ratio;       ///< [1] of kElastic
  friend bool operator==(const DeviceConstraintLaw&, const DeviceConstraintLaw&) = default;
};

/// A constraint. kStretch and kAttach have two ends; the second of kAttach is a body that turns. kShape has the
/// particles of its cluster, and body[0] is the first of them.
struct Constraint {
  std::uint32_t body[kConstraintEnds];  ///< [1] slots; kNone for unused ends
  std::uint32_t law;                    ///< [1] index
  std::uint32_t set;                    ///< [1] index of its set
  std::uint32_t breakable;              ///< [1] index of BreakableConstraints; kNone if it can't break
  std::uint32_t cluster;                ///< [1] kShape: index of Constraints::cluster_begin
  std::uint32_t element;                ///< [1] kElastic: index of Constraints::element
  float rest;                           ///< [m, rad, m^3]
  Vec3 anchor;                          ///< [m] kAttach: in the principal frame of its body
  std::uint32_t off;                    ///< [1] kAttach: 1: its body is disabled
};

/// A particle of a cluster that keeps its shape.
struct ClusterMember {
  Vec3d rest;          ///< [m] from the centre of mass, initial
  double share;        ///< [1] of the cluster's mass
  std::uint32_t body;  ///< [1] slot
};

/// A tetrahedron of an elastic solid in its initial shape.
struct ConstraintElement {
  Vec3d by[3];    ///< [1/m] gradients of the barycentric coordinates of particles 1 to 3
  double volume;  ///< [m^3] above 0
};

/// [1] Strain components of a tetrahedron: xx, yy, zz, and the angles xy, yz, zx, twice those of the tensor.
inline constexpr int kElementStrains = 6;

/// Constraints that break by themselves, and those that break with them.
struct BreakableConstraints {
  std::uint32_t* broken;       ///< [1]   (count) 1: no longer acts
  float* total;                ///< [N s] (count) impulses of the step's substeps, without the last
  const std::uint32_t* begin;  ///< [1] (count + 1) first entry of `with`
  const std::uint32_t* with;   ///< [1] constraints whose breaking breaks this one
  std::uint32_t count;         ///< [1]
  friend bool operator==(const BreakableConstraints&, const BreakableConstraints&) = default;
};

/// [1] Flag of an entry of Constraints::order: the entry belongs to the backward part of a sweep.
inline constexpr std::uint32_t kConstraintBack = 1u << 31;

/// Constraints by their places in the solver's order. A sweep is symmetric: bands of the first class have the colours
/// in ascending order, those of the second class the same constraints in descending order.
struct Constraints {
  const Constraint* constraint;        ///<       (count)
  const DeviceConstraintLaw* law;      ///<       (laws)
  const ClusterMember* member;         ///<     (members of all clusters)
  const std::uint32_t* cluster_begin;  ///< [1] (clusters + 1) of `member`
  /// The multiplier of the gradient, of this substep or the last. kElastic: [Pa s], negative, von Mises stress.
  float* impulse;                    ///< [N s] (count)
  const std::uint32_t* order;        ///< [1] (slots) place, with kConstraintBack; kNone in padding lanes
  std::uint32_t count;               ///< [1]
  std::uint32_t slots;               ///< [1]
  std::uint32_t sweeps;              ///< [1] max in a substep
  const std::uint32_t* set_sweeps;   ///< [1] (sets) of the constraints of each; null: all have `sweeps`
  const ConstraintElement* element;  ///<     (tetrahedra)
  double* element_impulse;           ///< [N m s] (tetrahedra x kElementStrains) like `impulse`, of their constraints
  // for Jacobi sweeps only
  Vec3* push;                  ///< [m/s, kg^1/2 m/s] (count x (kConstraintEnds + 1)) of its ends; the last is of w~
  const std::uint32_t* begin;  ///< [1] (bodies + 1) of `end`
  /// Place x kConstraintEnds + index of the end, by body; of clusters kConstraintEnds x count + index of `member`.
  const std::uint32_t* end;  ///< [1]
  Vec3* member_push;         ///< [m/s] (members)
  BreakableConstraints breakable;
  friend bool operator==(const Constraints&, const Constraints&) = default;
};

/// True if the constraint's body is enabled, and if it didn't break in an earlier step.
CAIRN_HD bool holds(const Constraints& constraints, const Constraint& constraint) {
  return constraint.off == 0 &&
         (constraint.breakable == kNone || constraints.breakable.broken[constraint.breakable] == 0);
}

}  // namespace cairn::kernels
