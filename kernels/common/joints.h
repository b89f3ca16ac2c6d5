#pragma once
// Joints: what they are made of, what they remember, and their rows in the solver.

#include <cstdint>

#include "kernels/common/arrays.h"
#include "kernels/common/index.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// What a joint measures (kernels/joints/coordinates.h).
enum class JointCoordinates : std::uint32_t {
  kSwingTwist,  ///< shift of frame b along the axes of frame a; twist about x, swing about y and z
  kCardan,      ///< the same shifts; turns about x of frame a, then y of frame b, and how far these are from square
  kDistance,    ///< of the anchors
  kPulley,      ///< length of the rope
  kGear,        ///< weighted sum of what two other joints measure
};

enum class AxisMode : std::uint32_t {
  kFree,
  kLocked,
  kLimited,
  kCone,  ///< of the angle between the x axes: at most `upper`
};

/// One thing that a joint measures, and what it does about it. Forces are torques where it is an angle.
struct JointAxis {
  AxisMode mode;
  float lower, upper;     ///< [m, rad]   where limited; may be infinite. Where locked, `lower` is the place
  float stiffness;        ///< [N/m]      of the lock or limit; 0: as stiff as the solver can
  float damping;          ///< [N s/m]    the same
  float friction;         ///< [N]        at most
  float drive_stiffness;  ///< [N/m]
  float drive_damping;    ///< [N s/m]    infinite: reaches its rate
  float drive_max;        ///< [N]        at most; 0: there is no drive
  float target;           ///< [m, rad]   at the step's end
  float rate;             ///< [m/s, rad/s]
  float force;            ///< [N]        beside
};
inline constexpr std::uint32_t kJointAxes = 6;

/// A joint as it was described, in principal frames about the centres of mass.
struct JointModel {
  std::uint32_t body_a, body_b;  ///< [1] slots; kNone: the world
  JointCoordinates coordinates;
  std::uint32_t world;       ///< [1] index
  Vec3d anchor_a, anchor_b;  ///< [m] from the centre of mass, principal frame; in the world: from its origin
  Quat frame_a, frame_b;     ///< [1] joint to principal frame, or to the world
  JointAxis axis[kJointAxes];
  float pitch;                   ///< [m] a turn shifts by, along x; 0: it isn't a screw
  float ratio[2];                ///< [1] pulley: of side b; gear: of both sides
  Vec3d ground_a, ground_b;      ///< [m] pulley: where the rope leaves the world, from its origin
  std::uint32_t geared[2];       ///< [1] gear: joint slots
  std::uint32_t geared_axis[2];  ///< [1] gear: which of their axes
  float breaking_force;          ///< [N]   infinite: never
  float breaking_torque;         ///< [N m] the same
  std::uint32_t off;             ///< [1]   1: a body that it acts on is switched off
};

/// What a joint remembers from step to step.
struct JointMemory {
  float impulse[kJointAxes];      ///< [N s] along each axis in the last substep; a screw's thread: in its shift's place
  double coordinate[kJointAxes];  ///< [m, rad] angles go on past a turn
  std::uint32_t broken;           ///< [1] 1: breaking_force or breaking_torque was passed
};

/// True for a joint that there is, that isn't broken, and whose bodies take part.
CAIRN_HD bool holds(const JointModel& model, const JointMemory& memory) {
  return memory.broken == 0 && model.off == 0 && (model.body_a != kNone || model.body_b != kNone);
}

/// What it did in the last step.
struct JointResult {
  Vec3 force;   ///< [N]   on b, world
  Vec3 torque;  ///< [N m] on b about its anchor, world
};

/// Joints by slot.
struct Joints {
  JointModel* model;    ///< (joints)
  JointMemory* memory;  ///< (joints)
  JointResult* result;  ///< (joints) while a step is on its way: sums of impulses, N s and N m s
  friend bool operator==(const Joints&, const Joints&) = default;
};
template <>
struct ArraysOf<Joints> {
  template <class V = Joints>
  static constexpr TypedList all{derived<&V::model>(), apart<&V::memory>(), apart<&V::result>()};
};

/// A part of what an axis does. Its impulse l goes by x + bias + softness l = 0, as far as its bounds let it, x being
/// the axis's speed J v at the end of a pass.
struct JointLaw {
  enum class Kind : std::uint32_t {
    kHold,    ///< leads an error out, at its share, and goes against `rate`; `relax` holds it still
    kRate,    ///< the same in every pass
    kSpring,  ///< at the substep's end
  };
  Kind kind;
  float bias;          ///< [m/s]
  float softness;      ///< [1/kg] 0: as stiff as can be
  float share;         ///< [1]    of a spring's stiffness in 1 / softness
  float rate;          ///< [m/s]  of what a spring follows; at which what is held leaves its place over the substep
  float lower, upper;  ///< [N s]
};
/// Of an axis: two bounds, friction and a drive.
inline constexpr std::uint32_t kJointLaws = 4;

/// A straight piece of the line of an axis' impulse over its speed: x + softness l = goal, or where held l = goal.
struct JointPiece {
  double softness;     ///< [1/kg] 0: upright, if it isn't held
  double goal;         ///< [m/s], [N s]
  std::uint32_t held;  ///< [1]
  double left, right;  ///< [m/s]  speeds between which it lies
};

/// The way along an axis of a joint. J = (linear_a, angular_a, linear_b, angular_b), angular parts times I^-1/2 as it
/// was at the step's start; turn is what an impulse of 1 does to w~, with the inertia as it is now.
template <class T>
struct JointWayT {
  Vec3T<T> linear_a, linear_b;    ///< [1]
  Vec3T<T> angular_a, angular_b;  ///< [kg^-1/2]
  Vec3T<T> turn_a, turn_b;        ///< [kg^-1/2]
  T inv_mass;                     ///< [1/kg] J M^-1 J^T
  T alone;                        ///< [1/kg] the same, of its bodies by themselves
  T impulse;                      ///< [N s]
  T total;                        ///< [N s]  of the substep that ended since the row was made
};

/// One axis of a joint.
struct JointRow : JointWayT<float> {
  std::uint32_t axis;  ///< [1]
  std::uint32_t laws;  ///< [1]
  enum class Gives : std::uint32_t {
    kWay,      ///< its bodies move along it
    kPerhaps,  ///< if what holds their links lets go (limits, friction): inv_mass is that of then
    kNever,    ///< nothing that it could do shows: its impulse stays
  };
  Gives gives;
  JointLaw law[kJointLaws];
  // of a pass
  double place[kJointLaws];  ///< [m/s]  at which each law needs no impulse
  double speed;              ///< [m/s]  J v at the start
  double change;             ///< [N s]  dl
  JointPiece piece;          ///< that the result is taken to be on
};

/// [m/s, rad/s] Of a row's speed, that its impulse of the substep before may be worth where loops are closed: joints
/// that contradict each other would wind up without bound. 1,100 g at 6 substeps; past it loops give way as if they
/// had borne nothing before.
inline constexpr float kMaxCarried = 30.0f;
CAIRN_HD float carried_bound(const JointRow& row) { return kMaxCarried / row.inv_mass; }

/// A velocity and a w~ of the two bodies of a joint.
template <class T>
struct JointPushT {
  Vec3T<T> v_a, w_a;  ///< [m/s, kg^1/2 m/s]
  Vec3T<T> v_b, w_b;  ///< [m/s, kg^1/2 m/s]
};

/// A body that joints push, and the joint by which it hangs from the body next nearer to the root of its tree; a link
/// of an articulation, which hangs from no joint; or a joint that closes a loop or holds a link, and no body.
struct JointNode {
  std::uint32_t body;       ///< [1] slot; kNone in padding, and of a joint without body
  std::uint32_t joint;      ///< [1] slot; kNone for a root that is free
  std::uint32_t child;      ///< [1] node of the body that hangs: this one, unless it has none
  std::uint32_t parent;     ///< [1] node; kNone for a root, and for what can't be pushed
  std::uint32_t is_b;       ///< [1] 1: it is the joint's body b
  std::uint32_t first;      ///< [1] JointRow
  std::uint32_t contested;  ///< [1] JointTree::contested
  std::uint32_t linked;     ///< [1] JointTree::linked
  std::uint32_t on_loop;    ///< [1] 1: a loop goes through it, to the root of its tree
  // each link
  std::uint32_t rows;            ///< [1] of the joint, in use
  std::uint32_t body_a, body_b;  ///< [1] of the joint; body_count: nothing that may be pushed
  float mass;                    ///< [kg] 0: nothing may push it
  Sym3 inertia;                  ///< [1]  of w~
  JointPushT<float> ahead;       ///< what the start of the substep owes its bodies
  float share;                   ///< [1] of their speed at which its errors are led out, with links (LinkedJoints)
  // each factor: L D L^T, L below the diagonal and 1 / D on it
  std::uint32_t stale;     ///< [1] 1: it changed since the factor was made
  double body_factor[21];  ///< [kg]   mass with what hangs from it
  double row_factor[21];   ///< [1/kg] J (that)^-1 J^T + softness
  // each solve
  double push[6];    ///< [kg m/s, kg^1/2 m]
  double change[6];  ///< [m/s, kg^1/2 m/s] of v and w~
};

/// Nodes that are solved at once: bodies, leaves before what they hang on; links, those of an articulation together;
/// and joints that close loops or hold links. Where these are too many each is a tree of its own.
struct JointTree {
  std::uint32_t begin, links, loops, end;  ///< [1] nodes: bodies from `begin`, links from `links`, joints from `loops`
  std::uint32_t matrix;                    ///< [1] of JointLayout::matrix, where there are loops
  std::uint32_t closes;                    ///< [1] 1: a joint alone, which closes a loop or holds a link
  std::uint32_t contested;                 ///< [1] 1: there are loops, or others close loops on it
  std::uint32_t linked;                    ///< [1] 1: it holds articulations
  std::uint32_t consistent;                ///< [1] 1: its joints close no loop, and can't contradict each other
};
/// [1] Rows that close loops or hold links and are solved at once, at most; and that times the bodies, an articulation
/// being one: the time goes by it.
inline constexpr std::uint32_t kMaxLoopRows = 64, kMaxLoopWork = 2048;

/// Where joints stand in the solver's order.
struct JointLayout {
  const JointTree* tree;  ///< (slots) empty in padding lanes
  JointNode* node;        ///< (nodes)
  JointRow* row;          ///< (sum of rows of all joints)
  double* matrix;         ///< [any] lower triangles over the rows of a tree's loops, factored; with links, LeastSquares
  std::uint32_t slots;    ///< [1]
  std::uint32_t nodes;    ///< [1]
  std::uint32_t count;    ///< [1] joint slots
  std::uint32_t gears;    ///< [1] of them, those that follow other joints
  std::uint32_t largest;  ///< [1] nodes of the largest tree
  friend bool operator==(const JointLayout&, const JointLayout&) = default;
};

/// How locks and bounds lead errors out: J v' = (1 - scale) J v - rate C - leak J u, u being what the joints' impulses
/// are worth.
struct JointSoftness {
  float scale;  ///< [1]
  float rate;   ///< [1/s]
  float leak;   ///< [1]
  bool
      relaxes;  ///< a second pass follows, with the rows of the substep's end; where links are held there always is one
  bool forgets;  ///< impulses start each substep at 0
  friend bool operator==(const JointSoftness&, const JointSoftness&) = default;
};

}  // namespace cairn::kernels
