#pragma once
// Articulations as the kernels see them. A batch has many of one build: their model is stored once, and their state in
// lanes.

#include <cstdint>

#include "kernels/articulations/lanes.h"
#include "kernels/common/index.h"
#include "kernels/common/team.h"

namespace cairn::kernels::articulate {

/// [m, rad, m/s, rad/s] Coordinates and rates beyond it have no meaning.
inline constexpr double kMax = 1e9;

enum class NodeKind : std::uint32_t {
  kRevolute,   ///< turns about x
  kPrismatic,  ///< shifts along x
  kBall,       ///< turns; its coordinates are a quaternion, its rates the angular velocity in the node's axes
  kShift,      ///< shifts along all three axes: with a ball on it, a free body
};

/// A link that moves on its parent, with the links fixed to it. Its frame is the joint's frame on the child's side, so
/// that each rate moves it along a coordinate axis of its own frame. Parents come before their children. The joint's
/// position in the parent's frame and the node's inertia belong to each articulation: Batch::build.
struct Node {
  std::uint32_t parent;  ///< [1] kNone: the world
  NodeKind kind;
  std::uint32_t axis;               ///< [1] of its first rate, the others follow: 0..2 turns about x, y, z, 3..5 shifts
  std::uint32_t coordinate;         ///< [1] first index
  std::uint32_t dof;                ///< [1] first index of its rates
  std::uint32_t dofs;               ///< [1] 1 or 3
  Matrix turn;                      ///< of the joint to the parent's frame, at coordinates 0
  std::uint32_t last_child{kNone};  ///< [1] node with the largest number
  std::uint32_t sibling{kNone};     ///< [1] the next smaller one of the same parent
};

/// Forces along a coordinate, or along a sum of coordinates. They are torques for rotations.
template <class T>
struct JointForcesT {
  T damping;             ///< [N s/m, N m s/rad]
  T friction;            ///< [N, N m] max
  T lower, upper;        ///< [m, rad] infinite: unbounded
  T min_rate, max_rate;  ///< [m/s, rad/s] the same
  T spring;              ///< [N/m, N m/rad]
  T spring_rest;         ///< [m, rad] its rest position
  T stiffness;           ///< [N/m, N m/rad] of the drive
  T drive_damping;       ///< [N s/m, N m s/rad]
  T max_force;           ///< [N, N m] of the drive
  T min_force;           ///< [N, N m] the same
};
using JointForces = JointForcesT<double>;
/// [1] Words of them in lanes, in the order of the members of ArticulationJoint.
inline constexpr std::uint32_t kForceWords = sizeof(JointForces) / sizeof(double);
template <class T>
CAIRN_HD auto driven(const JointForcesT<T>& f) {
  return f.stiffness > T(0.0) || f.drive_damping > T(0.0);
}
/// True if it can never move.
CAIRN_HD bool locked(const JointForces& f) { return f.lower == f.upper || (f.min_rate == 0 && f.max_rate == 0); }

/// True if some piece of their law is vertical, or bends.
CAIRN_HD bool has_bounds(const JointForces& f) {
  const auto finite = [](double x) { return x - x == 0; };
  return f.friction > 0 || finite(f.lower) || finite(f.upper) || finite(f.min_rate) || finite(f.max_rate) ||
         (driven(f) && (finite(f.min_force) || finite(f.max_force)));
}

/// One rate of a node. The forces along it belong to each articulation.
struct Dof {
  std::uint32_t coordinate;  ///< [1] index, if it has one of its own; else that of the node's quaternion
  std::uint32_t part;        ///< [1] index among a ball's three rates; kNone: it has a coordinate of its own
  bool bare;                 ///< a link without mass was described with an armature, and must keep one
};
/// Words of a rate in Batch::joint: its armature [kg, kg m^2], then its JointForces.
enum JointWord : std::uint32_t {
  kArmature = 0,
  kDamping = 1,
  kFriction = 2,
  kLower = 3,
  kUpper = 4,
  kMinRate = 5,
  kMaxRate = 6,
  kSpring = 7,
  kSpringRest = 8,
  kStiffness = 9,
  kDriveDamping = 10,
  kMaxForce = 11,
  kMinForce = 12,
  kJointWords = 13
};
static_assert(kJointWords == kDamping + kForceWords);

/// A sum of coordinates, and the forces along it.
struct Coupling {
  std::uint32_t term_begin, term_end;  ///< [1] of Batch::term
  JointForces forces;
};
struct Term {
  std::uint32_t dof;   ///< [1] it has a coordinate of its own
  double coefficient;  ///< [1]
};

/// A link as described: without scales.
struct Link {
  std::uint32_t parent;  ///< [1] link; kNone: the world
  std::uint32_t joint;   ///< [1] first node of its joint; kNone: it is fixed to its parent
  std::uint32_t node;    ///< [1] that it is fixed to; kNone: the world
  Matrix turn;           ///< of the link's frame to the node's
  Transform in_parent;   ///< of the joint, in the parent's frame
  Transform on_joint;    ///< of the link, in the joint's frame
  double mass;           ///< [kg]
  Vec centre;            ///< [m] centre of mass, in its frame
  Symmetric inertia;     ///< [kg m^2] about the centre of mass
};
/// Words of a node, and of a link, in Batch::build.
enum BuildWord : std::uint32_t {
  kJointPlace = 0,   // of a node: [m] of the joint, in the parent's frame, at coordinates 0
  kNodeInertia = 3,  // of a node: RigidInertia
  kNodeBuild = 13,
  kLinkPlace = 0,   // of a link: [m] of its frame, in the node's
  kLinkCentre = 3,  // of a link: [m] of mass, in the link's frame
  kLinkBuild = 6
};

/// Words of a node's own scratch, and of a rate's.
enum NodeWord : std::uint32_t {
  kTransform = 0,      // r by columns, p
  kVelocity = 12,      // in its own frame
  kDrift = 18,         // acceleration relative to its parent by velocities alone
  kInertia = 24,       // after `gather`: its articulated inertia for its parent, in the parent's frame; i, h, m
  kBias = 45,          // force at acceleration 0; after `gather` as kInertia
  kAcceleration = 51,  // without gravity
  kNodeWords = 57
};
enum DofWord : std::uint32_t {
  kColumn = 0,     // force for an acceleration of 1 along it
  kInverse = 6,    // 1 / (the same along itself)
  kRest = 7,       // part of `kForce` that remains for acceleration
  kForce = 8,      // force along it, independent of its acceleration
  kExtra = 9,      // resistance to its acceleration, beside inertia
  kRate = 10,      // its acceleration; in a step then its rate at the substep's end
  kReaction = 11,  // force that keeps a given acceleration; in a step that of its law
  kMode = 12,      // Mode, as one number
  kWeight = 13,    // inertia along it, with its subtree
  kAt = 14,        // rate at the substep's end, in the present iterate of a search
  kForceAt = 15,   // force for this
  kCalm = 16,      // damping added to its own
  kFirst = 17,     // rate at the substep's end, by velocity products at its start
  kDofWords = 18
};
/// Of a coupling. The accelerations that it gives each rate follow: kernels/articulations/couplings.h.
enum CouplingWord : std::uint32_t {
  kLineForce = 0,  // force along it, independent of accelerations
  kLineExtra = 1,  // resistance to the acceleration of its sum
  kGain = 2,       // 1 / (1 + kLineExtra times its acceleration by a force of 1 along it)
  kLineMode = 3,   // Mode, as one number
  kKeptExtra = 4,  // kLineExtra, while it yields
  kYieldWord = 5,  // rate over force by which it yields where its law is vertical
  kCouplingWords = 6
};

/// A batch.
struct Batch {
  const Node* node;            ///< (nodes)
  const Dof* dof;              ///< (dofs)
  const Link* link;            ///< (links)
  const Coupling* coupling;    ///< (couplings)
  const Term* term;            ///< (terms of all couplings)
  const std::uint32_t* level;  ///< [1] (nodes + depths + 1) nodes by depth, then the begin of each depth
  double* q;                   ///< [m, rad, 1] (articulations coordinates, in lanes)
  double* v;                   ///< [m/s, rad/s] (articulations dofs, in lanes)
  double* force;               ///< [N, N m] the same: forces of the user
  double* target;              ///< [m, rad, 1] (articulations coordinates, in lanes) of the drives
  double* target_rate;         ///< [m/s, rad/s] (articulations dofs, in lanes) the same
  double* joint;               ///< [1] (articulations, in lanes) joint_words: see there
  double* build;               ///< [1] (articulations, in lanes) build_words: of nodes, then of links
  double* given;               ///< [m/s^2, rad/s^2] the same: accelerations for inverse dynamics; rates for steps
  double* out;                 ///< [1] result, in lanes; null in steps
  double* work;                ///< [1] (articulations words, in lanes): work_words
  double* push;            ///< [N m, N] (articulations nodes 6, in lanes) forces on nodes, in their frames; null: none
  double* was_q;           ///< [m, rad, 1] (articulations coordinates, in lanes) at the step's start; null in a World
  double* was_v;           ///< [m/s, rad/s] (articulations dofs, in lanes) the same
  std::uint32_t* stopped;  ///< [1] (articulations) not 0: a step would have exceeded kMax
  std::uint32_t nodes, dofs, coordinates, links, couplings, count;  ///< [1]
  std::uint32_t depths;                                             ///< [1] of nodes
  std::uint32_t out_words;                                          ///< [1] of `out`, per articulation
  std::uint32_t lanes;                                              ///< [1] articulations side by side
  bool apart;    ///< each has a `joint` and a `build` of its own; else there is one for all
  bool bounded;  ///< some coupling has friction, limits, or a bounded drive
  Vec gravity;   ///< [m/s^2]
  CAIRN_HD Levels levels() const { return {level, level + nodes, nodes, depths}; }
};

/// [1] Words of one articulation in Batch::build.
CAIRN_HD std::uint32_t build_words(const Batch& b) { return kNodeBuild * b.nodes + kLinkBuild * b.links; }

/// [1] Words of one articulation in Batch::joint: kJointWords per rate; then 1 if some rate has friction, limits, or a
/// bounded drive, else 0.
CAIRN_HD std::uint32_t joint_words(std::uint32_t dofs) { return kJointWords * dofs + 1; }

/// Sets the last of them from the others.
CAIRN_HD void note_bounds(Lane joint, std::uint32_t dofs) {
  bool any = false;
  for (std::uint32_t d = 0; d < dofs; ++d) {
    any = any || has_bounds(load_as<JointForcesT>(joint.from(kJointWords * d + kDamping)));
  }
  joint[kJointWords * dofs] = any ? 1 : 0;
}

/// [1] Words of one articulation in Batch::work: of nodes, of dofs, of couplings, and if there are some a spare one per
/// dof.
CAIRN_HD std::uint32_t work_words(const Batch& b) {
  const std::uint32_t coupled = b.couplings != 0 ? b.dofs + b.couplings * (kCouplingWords + b.dofs) : 0;
  return kNodeWords * b.nodes + kDofWords * b.dofs + coupled;
}

/// f(array, words of one articulation) for the arrays that a World's substep uses: first those that it starts from,
/// then from `work` on its results.
template <class F>
CAIRN_HD void each_in_lanes(const Batch& b, const F& f) {
  f(&Batch::q, b.coordinates);
  f(&Batch::v, b.dofs);
  f(&Batch::force, b.dofs);
  f(&Batch::target, b.coordinates);
  f(&Batch::target_rate, b.dofs);
  f(&Batch::joint, joint_words(b.dofs));
  f(&Batch::build, build_words(b));
  f(&Batch::work, work_words(b));
  f(&Batch::given, b.dofs);
  f(&Batch::push, 6 * b.nodes);
}

}  // namespace cairn::kernels::articulate
