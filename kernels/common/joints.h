#pragma once
// Joints: what they are made of, what they remember, and their rows in the solver.

#include <cstdint>

#include "kernels/common/index.h"
#include "kernels/common/rows.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// What a joint measures (kernels/link/coordinates.h).
enum class JointCoordinates : std::uint32_t {
  kSwingTwist,  ///< shift of frame b along the axes of frame a; twist about x, swing about y and z
  kCardan,      ///< the same shifts; turns about x of frame a, then y of frame b, and how far these are from square
  kDistance,    ///< of the anchors
  kPulley,      ///< length of the rope
  kGear,        ///< weighted sum of what two other joints measure
};

enum class AxisMode : std::uint32_t { kFree, kLocked, kLimited, kCone };

/// One thing that a joint measures, and what it does about it. Forces are torques where it is an angle.
struct JointAxis {
  AxisMode mode;
  float lower, upper;       ///< [m, rad]   where limited; where locked, `lower` is the place
  float stiffness;          ///< [N/m]      of the lock or limit; 0: as stiff as the solver can
  float damping;            ///< [N s/m]    likewise
  float friction;           ///< [N]        at most
  float drive_stiffness;    ///< [N/m]
  float drive_damping;      ///< [N s/m]    infinite: reaches its rate
  float drive_most;         ///< [N]        at most; 0: there is no drive
  float target;             ///< [m, rad]   at the step's end
  float rate;               ///< [m/s, rad/s]
  float force;              ///< [N]        beside
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
  float pitch;               ///< [m] a turn shifts by, along x; 0: it isn't a screw
  float ratio[2];            ///< [1] pulley: of side b; gear: of both sides
  Vec3d ground_a, ground_b;  ///< [m] pulley: where the rope leaves the world, from its origin
  std::uint32_t geared[2];   ///< [1] gear: joint slots
  std::uint32_t geared_axis[2];  ///< [1] gear: which of their axes
  float breaking_force;      ///< [N]   infinite: never
  float breaking_torque;     ///< [N m] likewise
};

/// [1] Rows of a joint that its lock holds, solved at once; and of all else, one after the other.
inline constexpr std::uint32_t kHardRows = 6, kSoftRows = 3 * kJointAxes;
inline constexpr std::uint32_t kJointRows = kHardRows + kSoftRows;

/// What a joint remembers from step to step.
struct JointMemory {
  float impulse[kJointRows];       ///< [N s] of each row in the last substep: hard ones first, soft ones from kHardRows
  double coordinate[kJointAxes];   ///< [m, rad] angles go on past a turn
  std::uint32_t broken;            ///< [1] 1: breaking_force or breaking_torque was passed
};

/// True for a joint that there is, and that isn't broken.
CAIRN_HD bool holds(const JointModel& model, const JointMemory& memory) {
  return memory.broken == 0 && (model.body_a != kNone || model.body_b != kNone);
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
  template <class J, class F>
  static void for_each_field(J& j, F f) {
    f(j.model); f(j.memory); f(j.result);
  }
};

/// 32 joints as the solver sees them, lane by lane; their rows are JointRow `first` and those after it. Rows [0, hard)
/// are solved at once, [hard, rows) one after the other; a lane that has fewer has zeros there.
struct JointBlock {
  std::uint32_t body_a[kRowLanes];  ///< [1] body_count: nothing that may be pushed
  std::uint32_t body_b[kRowLanes];  ///< [1]
  float factor[15][kRowLanes];      ///< [1]  L D L^T of J M^-1 J^T of the hard rows: L below its diagonal, row by row
  float pivot[kHardRows][kRowLanes];///< [kg] 1 / D; 0 for a row that others make superfluous
  float ahead_a[6][kRowLanes];      ///< [m/s, kg^1/2 m/s] what the start of the substep owes v and w~ of a
  float ahead_b[6][kRowLanes];
  std::uint32_t hard, rows, first;  ///< [1] of all lanes alike
};

/// One row of 32 joints. J = (linear_a, angular_a, linear_b, angular_b), angular parts times I^-1/2 as it was at the
/// step's start; turn is what an impulse of 1 does to w~, with the inertia as it is now.
struct JointRow {
  float linear_a[3][kRowLanes];   ///< [1]
  float linear_b[3][kRowLanes];
  float angular_a[3][kRowLanes];  ///< [kg^-1/2]
  float angular_b[3][kRowLanes];
  float turn_a[3][kRowLanes];     ///< [kg^-1/2]
  float turn_b[3][kRowLanes];
  float mass[kRowLanes];          ///< [kg]  soft rows: effective, with softness
  float bias[kRowLanes];          ///< [m/s]
  float scale[kRowLanes];         ///< [1]   of the speed
  float leak[kRowLanes];          ///< [1]
  float relax_mass[kRowLanes];    ///< [kg]  the same for `relax`, without scale and leak; 0: it leaves the row as it is
  float relax_bias[kRowLanes];    ///< [m/s]
  float lower[kRowLanes];         ///< [N s]
  float upper[kRowLanes];         ///< [N s]
  float impulse[kRowLanes];       ///< [N s]
  float total[kRowLanes];         ///< [N s] of the substep that ended since the row was made
};

/// Where joints stand in the solver's order.
struct JointLayout {
  const std::uint32_t* joint;  ///< [1] (slots) kNone in padding lanes
  JointBlock* block;           ///<     (slots / kRowLanes)
  JointRow* row;               ///<     (sum of JointBlock::rows)
  std::uint32_t slots;         ///< [1]
  std::uint32_t count;         ///< [1] joint slots
  std::uint32_t gears;         ///< [1] of them, those that follow other joints
  friend bool operator==(const JointLayout&, const JointLayout&) = default;
};

/// How hard rows lead errors out: dl = -m (scale J v + rate C) - leak l.
struct JointSoftness {
  float scale;  ///< [1]
  float rate;   ///< [1/s]
  float leak;   ///< [1]
  bool relaxes; ///< a second pass follows, with the rows of the substep's end
  friend bool operator==(const JointSoftness&, const JointSoftness&) = default;
};

}  // namespace cairn::kernels
