#pragma once
// Joints: their model, their memory between steps, and their rows in the solver.

#include <cstdint>

#include "kernels/common/arrays.h"
#include "kernels/common/index.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// Coordinates that a joint measures (kernels/joints/coordinates.h).
enum class JointCoordinates : std::uint32_t {
  kSwingTwist,  ///< shift of frame b along the axes of frame a; twist about x, swing about y and z
  kCardan,      ///< the same shifts; turns about x of frame a, then y of frame b, and the deviation of these from a
                ///< right angle
  kDistance,    ///< of the anchors
  kPulley,      ///< length of the rope
  kGear,        ///< weighted sum of a coordinate of each of two other joints
};

enum class AxisMode : std::uint32_t {
  kFree,
  kLocked,
  kLimited,
  kCone,  ///< of the angle between the x axes: at most `upper`
};

/// One coordinate of a joint and the forces on it. Forces are torques for an angle.
struct JointAxis {
  AxisMode mode;
  float lower, upper;     ///< [m, rad]   for kLimited; may be infinite. For kLocked `lower` is the position
  float stiffness;        ///< [N/m]      of the lock or limit; 0: as stiff as the solver can
  float damping;          ///< [N s/m]    the same
  float friction;         ///< [N]        max
  float drive_stiffness;  ///< [N/m]
  float drive_damping;    ///< [N s/m]    infinite: reaches its rate
  float drive_max;        ///< [N]        max; 0: there is no drive
  float target;           ///< [m, rad]   at the step's end
  float rate;             ///< [m/s, rad/s]
  float force;            ///< [N]        added to the drive's force
};
inline constexpr std::uint32_t kJointAxes = 6;

/// A joint as described, in principal frames about the centres of mass.
struct JointModel {
  std::uint32_t body_a, body_b;  ///< [1] slots; kNone: the world
  JointCoordinates coordinates;
  std::uint32_t world;       ///< [1] index
  Vec3d anchor_a, anchor_b;  ///< [m] from the centre of mass, principal frame; in the world: from its origin
  Quat frame_a, frame_b;     ///< [1] joint to principal frame, or to the world
  JointAxis axis[kJointAxes];
  float pitch;                   ///< [m] shift along x for a turn; 0: it isn't a screw
  float ratio[2];                ///< [1] pulley: of side b; gear: of both sides
  Vec3d ground_a, ground_b;      ///< [m] pulley: where the rope leaves the world, from its origin
  std::uint32_t geared[2];       ///< [1] gear: joint slots
  std::uint32_t geared_axis[2];  ///< [1] gear: which of their axes
  float breaking_force;          ///< [N]   infinite: never
  float breaking_torque;         ///< [N m] the same
  std::uint32_t off;             ///< [1]   1: a body that it acts on is disabled
};

/// State of a joint that lives from step to step.
struct JointMemory {
  float impulse[kJointAxes];      ///< [N s] along each axis in the last substep; a screw's thread in place of its shift
  double coordinate[kJointAxes];  ///< [m, rad] angles continue past a turn
  std::uint32_t broken;           ///< [1] 1: breaking_force or breaking_torque was exceeded
};

/// True for a joint that exists, isn't broken, and whose bodies are enabled.
CAIRN_HD bool holds(const JointModel& model, const JointMemory& memory) {
  return memory.broken == 0 && model.off == 0 && (model.body_a != kNone || model.body_b != kNone);
}

/// Force and torque of a joint in the last step.
struct JointResult {
  Vec3 force;   ///< [N]   on b, world
  Vec3 torque;  ///< [N m] on b about its anchor, world
};

/// Joints by slot.
struct Joints {
  JointModel* model;    ///< (joints)
  JointMemory* memory;  ///< (joints)
  JointResult* result;  ///< (joints) during a step: sums of impulses, N s and N m s
  friend bool operator==(const Joints&, const Joints&) = default;
};
template <Same<Joints> V>
inline constexpr TypedList kArrays<V>{derived<&V::model>(), apart<&V::memory, Start::kZero>(),
                                      apart<&V::result, Start::kZero>()};

/// One law of an axis. Its impulse l satisfies x + bias + softness l = 0 within its bounds, where x is the axis's speed
/// J v at the end of a pass.
struct JointLaw {
  enum class Kind : std::uint32_t {
    kHold,    ///< corrects an error, at its share, and opposes `rate`; `relax` holds it still
    kRate,    ///< the same in every pass
    kSpring,  ///< at the substep's end
  };
  Kind kind;
  float bias;          ///< [m/s]
  float softness;      ///< [1/kg] 0: as stiff as can be
  float share;         ///< [1]    of a spring's stiffness in 1 / softness
  float rate;          ///< [m/s]  of a spring's target; of a lock or limit: speed at which the axis leaves its position
                       ///<        over the substep
  float lower, upper;  ///< [N s]
};
/// Of an axis: two bounds, friction and a drive.
inline constexpr std::uint32_t kJointLaws = 4;

/// A straight piece of an axis's curve of impulse over speed: x + softness l = goal, or if held l = goal.
struct JointPiece {
  double softness;     ///< [1/kg] 0: vertical, unless it is held
  double goal;         ///< [m/s], [N s]
  std::uint32_t held;  ///< [1]
  double left, right;  ///< [m/s]  its speed range
};

/// The direction along an axis of a joint. J = (linear_a, angular_a, linear_b, angular_b), angular parts times I^-1/2
/// at the step's start. turn is the change of w~ by an impulse of 1, with the present inertia.
template <class T>
struct JointWayT {
  Vec3T<T> linear_a, linear_b;    ///< [1]
  Vec3T<T> angular_a, angular_b;  ///< [kg^-1/2]
  Vec3T<T> turn_a, turn_b;        ///< [kg^-1/2]
  T inv_mass;                     ///< [1/kg] J M^-1 J^T
  T alone;                        ///< [1/kg] the same, for its bodies alone
  T impulse;                      ///< [N s]
  T total;                        ///< [N s]  of the substep that ended since the row was written
};

/// One axis of a joint.
struct JointRow : JointWayT<float> {
  std::uint32_t axis;  ///< [1]
  std::uint32_t laws;  ///< [1]
  enum class Gives : std::uint32_t {
    kWay,      ///< its bodies can move along it
    kPerhaps,  ///< only if limits or friction release their links: inv_mass is for that case
    kNever,    ///< no impulse has an effect: its impulse stays
  };
  Gives gives;
  JointLaw law[kJointLaws];
  // of a pass
  double place[kJointLaws];  ///< [m/s]  speed at which each law needs no impulse
  double speed;              ///< [m/s]  J v at the start
  double change;             ///< [N s]  dl
  JointPiece piece;          ///< the piece assumed for the result
  std::uint32_t stale;       ///< [1]    1: that changed the matrix since it was factored
  // of a factor
  double response[6];  ///< [any] V of the child, with its subtree (joint_tree.h)
  double reaction[6];  ///< [any] W of the joint to its parent
};

/// [m/s, rad/s] Bound of the speed that a row's carried impulse may correspond to where loops are closed: joints that
/// contradict each other would wind up without bound. 1,100 g at 6 substeps; beyond it loops yield as if they had
/// carried nothing before.
inline constexpr float kMaxCarried = 30.0f;
CAIRN_HD float carried_bound(const JointRow& row) { return kMaxCarried / row.inv_mass; }

/// A change of v and w~ of the two bodies of a joint.
template <class T>
struct JointPushT {
  Vec3T<T> v_a, w_a;  ///< [m/s, kg^1/2 m/s]
  Vec3T<T> v_b, w_b;  ///< [m/s, kg^1/2 m/s]
};

/// A body that joints push, with the joint that connects it to its parent in the tree; or a link of an articulation,
/// which has no such joint; or a joint that closes a loop or holds a link, without a body.
struct JointNode {
  std::uint32_t body;       ///< [1] slot; kNone in padding, and for a joint without body
  std::uint32_t joint;      ///< [1] slot; kNone for a root that is free
  std::uint32_t child;      ///< [1] node of the child body: this one, unless it has none
  std::uint32_t parent;     ///< [1] node; kNone for a root, and if the parent can't be pushed
  std::uint32_t is_b;       ///< [1] 1: it is the joint's body b
  std::uint32_t first;      ///< [1] JointRow
  std::uint32_t contested;  ///< [1] JointTree::contested
  std::uint32_t linked;     ///< [1] JointTree::linked
  std::uint32_t on_loop;    ///< [1] 1: on the path from a closed loop to the root of its tree
  // each link
  std::uint32_t rows;            ///< [1] of the joint, in use
  std::uint32_t body_a, body_b;  ///< [1] of the joint; body_count: not pushable
  float mass;                    ///< [kg] 0: nothing may push it
  Sym3 inertia;                  ///< [1]  of w~
  JointPushT<float> ahead;       ///< velocity changes of the substep's start that its bodies lack yet
  float share;                   ///< [1] of their speed at which its errors are corrected, with links (LinkedJoints)
  // each factor: L D L^T, L below the diagonal and 1 / D on it
  std::uint32_t stale;     ///< [1] 1: it changed since it was factored
  double body_factor[21];  ///< [kg]   mass with its subtree
  double row_factor[21];   ///< [1/kg] J (that)^-1 J^T + softness
  std::uint32_t picked;    ///< [1] rows that aren't held: their numbers, four bits each, and from bit 24 on their count
  // each solve
  double push[6];    ///< [kg m/s, kg^1/2 m]
  double change[6];  ///< [m/s, kg^1/2 m/s] of v and w~
};

/// Nodes that are solved at once: bodies, children before parents; links, those of an articulation together; and joints
/// that close loops or hold links. If these joints are too many, each is a tree of its own.
struct JointTree {
  std::uint32_t begin, links, loops, end;  ///< [1] nodes: bodies from `begin`, links from `links`, joints from `loops`
  std::uint32_t matrix;                    ///< [1] of JointLayout::matrix, where there are loops
  std::uint32_t closes;                    ///< [1] 1: a single joint that closes a loop or holds a link
  std::uint32_t contested;                 ///< [1] 1: there are loops, or other trees close loops on it
  std::uint32_t linked;                    ///< [1] 1: it holds articulations
  std::uint32_t consistent;                ///< [1] 1: its joints close no loop, and can't contradict each other
};
/// [1] Max rows that close loops or hold links and are solved at once; and max of these times the bodies, an
/// articulation counting as one, to which the time is proportional.
inline constexpr std::uint32_t kMaxLoopRows = 64, kMaxLoopWork = 2048;

/// The solver's order of joints.
struct JointLayout {
  const JointTree* tree;  ///< (slots) empty in padding lanes
  JointNode* node;        ///< (nodes)
  JointRow* row;          ///< (sum of rows of all joints)
  double* matrix;         ///< [any] lower triangles over the rows of a tree's loops, factored; with links, LeastSquares
  std::uint32_t slots;    ///< [1]
  std::uint32_t nodes;    ///< [1]
  std::uint32_t count;    ///< [1] joint slots
  std::uint32_t gears;    ///< [1] joints that read other joints
  std::uint32_t largest;  ///< [1] nodes of the largest tree
  friend bool operator==(const JointLayout&, const JointLayout&) = default;
};

/// How locks and bounds correct errors: J v' = (1 - scale) J v - rate C - leak J u, with J u the speed that the joints'
/// impulses correspond to.
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
