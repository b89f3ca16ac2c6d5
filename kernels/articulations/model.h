#pragma once
// Articulations as the kernels see them. A batch is many of one build: what they are made of is there once, and what
// they do stands in lanes.

#include <cstdint>

#include "kernels/articulations/lanes.h"
#include "kernels/common/index.h"

namespace cairn::kernels::articulate {

/// [m, rad, m/s, rad/s] Beyond it coordinates and rates mean nothing any more.
inline constexpr double kMax = 1e9;

enum class NodeKind : std::uint32_t {
  kRevolute,   ///< turns about x
  kPrismatic,  ///< shifts along x
  kBall,       ///< turns; its coordinates are a quaternion, its rates the angular velocity in the node's axes
  kShift,      ///< shifts along all three axes: with a ball on it, what a free body does
};

/// A link that moves on its parent, with what is fixed to it. Its frame is the joint's frame on the child's side, so
/// that each rate moves it along a coordinate axis of its own frame. Parents come before their children.
struct Node {
  std::uint32_t parent;  ///< [1] kNone: the world
  NodeKind kind;
  std::uint32_t axis;        ///< [1] of its first rate, the others follow: 0..2 turns about x, y, z, 3..5 shifts
  std::uint32_t coordinate;  ///< [1] its first one
  std::uint32_t dof;         ///< [1] the same of its rates
  std::uint32_t dofs;        ///< [1] 1 or 3
  Transform place;           ///< of the joint in the parent's frame, at coordinates 0
  RigidInertia inertia;
};

/// What acts along a coordinate, or along a sum of coordinates. Forces are torques where it turns.
struct JointForces {
  double damping;             ///< [N s/m, N m s/rad]
  double friction;            ///< [N, N m] at most
  double lower, upper;        ///< [m, rad] infinite: unbounded
  double min_rate, max_rate;  ///< [m/s, rad/s] the same
  double spring;              ///< [N/m, N m/rad]
  double spring_rest;         ///< [m, rad] where it pulls to
  double stiffness;           ///< [N/m, N m/rad] of the drive
  double drive_damping;       ///< [N s/m, N m s/rad]
  double min_force;           ///< [N, N m] of the drive
  double max_force;           ///< [N, N m] the same
};
CAIRN_HD bool driven(const JointForces& f) { return f.stiffness > 0 || f.drive_damping > 0; }
/// Nothing ever lets it move.
CAIRN_HD bool locked(const JointForces& f) { return f.lower == f.upper || (f.min_rate == 0 && f.max_rate == 0); }

/// One rate of a node, and what acts along it.
struct Dof {
  std::uint32_t coordinate;  ///< [1] index, where it has one of its own; else that of the node's quaternion
  std::uint32_t part;        ///< [1] which of a ball's three rates; kNone: it has a coordinate of its own
  double armature;           ///< [kg, kg m^2]
  JointForces forces;
};

/// A sum of coordinates, and what acts along it.
struct Coupling {
  std::uint32_t term_begin, term_end;  ///< [1] of Batch::term
  JointForces forces;
};
struct Term {
  std::uint32_t dof;   ///< [1] it has a coordinate of its own
  double coefficient;  ///< [1]
};

/// A link as users know it.
struct LinkPlace {
  std::uint32_t node;  ///< [1] what it is fixed to; kNone: the world
  Transform place;     ///< of the link's frame in the node's
  Vec centre;          ///< [m] of mass, in the link's frame
};

/// Words of a node's own scratch, and of a rate's.
enum NodeWord : std::uint32_t {
  kTransform = 0,      // r by columns, p
  kVelocity = 12,      // in its own frame
  kDrift = 18,         // acceleration that velocities alone give it over its parent's
  kInertia = 24,       // of it and all that it carries; i, h, m
  kBias = 45,          // force that it takes at acceleration 0
  kAcceleration = 51,  // without gravity
  kNodeWords = 57
};
enum DofWord : std::uint32_t {
  kColumn = 0,     // force that accelerating along it takes
  kInverse = 6,    // 1 / (the same along itself)
  kRest = 7,       // what is left of `kForce` for acceleration
  kForce = 8,      // what acts along it whatever it does
  kExtra = 9,      // what acts against its acceleration, beside inertia
  kRate = 10,      // its acceleration
  kReaction = 11,  // force that keeps a given acceleration
  kMode = 12,      // Mode, as one number
  kWeight = 13,    // inertia along it, of all that it carries
  kAt = 14,        // rate at the substep's end, as far as a search has come
  kForceAt = 15,   // force that this takes
  kCalm = 16,      // damping beside its own
  kFirst = 17,     // rate at the substep's end, by velocity products at its start
  kDofWords = 18
};
/// Of a coupling. What it gives each rate follows: kernels/articulations/couplings.h.
enum CouplingWord : std::uint32_t {
  kLineForce = 0,  // what acts along it whatever it does
  kLineExtra = 1,  // what acts against the acceleration of its sum
  kGain = 2,       // 1 / (1 + kLineExtra times what a force along it accelerates it by)
  kLineMode = 3,   // Mode, as one number
  kKeptExtra = 4,  // kLineExtra, while it gives way
  kYieldWord = 5,  // rate over force by which it gives way where its law is upright
  kCouplingWords = 6
};

/// A batch.
struct Batch {
  const Node* node;          ///< (nodes)
  const Dof* dof;            ///< (dofs)
  const LinkPlace* link;     ///< (links)
  const Coupling* coupling;  ///< (couplings)
  const Term* term;          ///< (terms of all couplings)
  double* q;                 ///< [m, rad, 1] (articulations coordinates, in lanes)
  double* v;                 ///< [m/s, rad/s] (articulations dofs, in lanes)
  double* force;             ///< [N, N m] the same: what the user applies
  double* target;            ///< [m, rad, 1] (articulations coordinates, in lanes) of the drives
  double* target_rate;       ///< [m/s, rad/s] (articulations dofs, in lanes) the same
  double* given;             ///< [m/s^2, rad/s^2] the same: accelerations for inverse dynamics; rates for steps
  double* out;               ///< [1] what was asked for, in lanes; null in steps
  double* work;              ///< [1] (articulations words, in lanes): work_words
  double* push;            ///< [N m, N] (articulations nodes 6, in lanes) forces on nodes, in their frames; null: none
  double* was_q;           ///< [m, rad, 1] (articulations coordinates, in lanes) at the step's start; null in a World
  double* was_v;           ///< [m/s, rad/s] (articulations dofs, in lanes) the same
  std::uint32_t* stopped;  ///< [1] (articulations) not 0: a step would have left kMax
  std::uint32_t nodes, dofs, coordinates, links, couplings, count;  ///< [1]
  std::uint32_t out_words;                                          ///< [1] of `out`, an articulation
  std::uint32_t lanes;                                              ///< [1] articulations side by side
  bool bounded;  ///< some rate or coupling rubs, has limits, or a drive that can't give all
  Vec gravity;   ///< [m/s^2]
};

/// [1] Of one articulation in Batch::work: of nodes, of dofs, of couplings, and where there are some a spare one a dof.
CAIRN_HD std::uint32_t work_words(std::uint32_t nodes, std::uint32_t dofs, std::uint32_t couplings) {
  const std::uint32_t coupled = couplings != 0 ? dofs + couplings * (kCouplingWords + dofs) : 0;
  return kNodeWords * nodes + kDofWords * dofs + coupled;
}
CAIRN_HD Lane work_of(const Batch& b, std::uint32_t i) {
  return lane_of(b.work, work_words(b.nodes, b.dofs, b.couplings), b.lanes, i);
}
CAIRN_HD Lane node_work(const Batch& b, std::uint32_t i, std::uint32_t node) {
  return work_of(b, i).from(kNodeWords * node);
}
CAIRN_HD Lane dof_work(const Batch& b, std::uint32_t i, std::uint32_t dof) {
  return work_of(b, i).from(kNodeWords * b.nodes + kDofWords * dof);
}
/// [1] (dofs) Where there are couplings: yields of rates in a search, shifts of coordinates at a substep's end.
CAIRN_HD Lane spare_work(const Batch& b, std::uint32_t i) {
  return work_of(b, i).from(kNodeWords * b.nodes + kDofWords * b.dofs);
}
CAIRN_HD Lane coupling_work(const Batch& b, std::uint32_t i, std::uint32_t c) {
  return spare_work(b, i).from(b.dofs + c * (kCouplingWords + b.dofs));
}

}  // namespace cairn::kernels::articulate
