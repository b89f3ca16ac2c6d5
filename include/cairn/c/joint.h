#pragma once
// Joints (cairn/joint.h, docs/joints.md): described, in scenes and in worlds.

#include "cairn/c/scene.h"
#include "cairn/c/world.h"

/// In place of a body: the world, whose frame has its origin and axes.
#define CAIRN_WORLD_BODY UINT32_MAX

typedef enum cairn_joint_kind {
  CAIRN_FIXED_JOINT = 0,
  CAIRN_BALL_JOINT = 1,         ///< its axis: twist
  CAIRN_HINGE_JOINT = 2,        ///< twist
  CAIRN_SLIDER_JOINT = 3,       ///< shift x
  CAIRN_SCREW_JOINT = 4,        ///< twist
  CAIRN_CYLINDRICAL_JOINT = 5,  ///< shift x, twist
  CAIRN_PLANAR_JOINT = 6,       ///< shift y, shift z, twist
  CAIRN_UNIVERSAL_JOINT = 7,    ///< twist: of a, swing y: of b
  CAIRN_WHEEL_JOINT = 8,        ///< shift x: suspension, twist: steering, swing y: axle
  CAIRN_GENERAL_JOINT = 9,      ///< all six
  CAIRN_DISTANCE_JOINT = 10,
  CAIRN_PULLEY_JOINT = 11,
  CAIRN_GEAR_JOINT = 12,
  CAIRN_PARALLEL_JOINT = 13,  ///< all six; swing y and swing z: locked by default
  CAIRN_JOINT_KIND_COUNT      ///< none: number of kinds
} cairn_joint_kind;

/// Coordinates of a joint, and indices of cairn_joint.axes.
typedef enum cairn_joint_dof {
  CAIRN_SHIFT_X = 0,
  CAIRN_SHIFT_Y = 1,
  CAIRN_SHIFT_Z = 2,
  CAIRN_TWIST = 3,
  CAIRN_SWING_Y = 4,
  CAIRN_SWING_Z = 5
} cairn_joint_dof;

typedef enum cairn_axis_mode {
  CAIRN_AXIS_OF_KIND = 0,  ///< as the kind has it: free, but for the steering of a wheel, which is locked
  CAIRN_AXIS_FREE = 1,
  CAIRN_AXIS_LOCKED = 2,
  CAIRN_AXIS_LIMITED = 3
} cairn_axis_mode;

/// It will not grow.
typedef struct cairn_joint_drive {
  float stiffness;  ///< [N/m, N m/rad]
  float damping;    ///< [N s/m, N m s/rad] infinite: a motor that keeps its rate
  float target;     ///< [m, rad]   at the step's end
  float rate;       ///< [m/s, rad/s]
  float force;      ///< [N, N m]
  float max_force;  ///< [N, N m]   0: no drive
} cairn_joint_drive;

/// It will not grow.
typedef struct cairn_joint_axis {
  int32_t mode;        ///< cairn_axis_mode
  float lower, upper;  ///< [m, rad]           where limited
  float compliance;    ///< [m/N, rad/(N m)]   0: rigid, as far as the solver allows
  float damping;       ///< [N s/m, N m s/rad] where compliance isn't 0
  float friction;      ///< [N, N m]           max dry friction
  cairn_joint_drive drive;
} cairn_joint_axis;

typedef struct cairn_joint {
  uint32_t struct_size;  ///< [B]
  const char* name;      ///< unique; null or empty: none
  int32_t kind;          ///< cairn_joint_kind
  uint32_t body_a,
      body_b;              ///< [1] indices of the scene's bodies (of a world's: cairn_body_index); one may be the world
  double position_a[3];    ///< [m] in the frame of body a
  float orientation_a[4];  ///< [1] joint to body
  double position_b[3];
  float orientation_b[4];
  cairn_joint_axis axes[6];         ///< by cairn_joint_dof; all 0 where the kind has no such axis
  float cone;                       ///< [rad] of a ball joint: max angle between the x axes; infinite: free
  float pitch;                      ///< [m] of a screw: shift of a turn
  float min_length, max_length;     ///< [m] of a distance joint or a pulley
  float compliance;                 ///< [m/N]   of a distance joint
  float damping;                    ///< [N s/m] the same
  double ground_a[3], ground_b[3];  ///< [m] of a pulley, in the world
  float ratio;                      ///< [1] of a pulley
  uint32_t joint_a, joint_b;        ///< [1] of a gear: indices of joints (of a world's: cairn_joint_index)
  float ratio_a, ratio_b;           ///< [1, m] of a gear
  float offset;                     ///< [rad, m] of a gear
  int32_t collide;                  ///< [1] 1: the two bodies may collide
  float breaking_force;             ///< [N]   infinite: never
  float breaking_torque;            ///< [N m] the same
  float swing_friction;             ///< [N m] of a ball joint: max, about each of the two axes of a swing
} cairn_joint;
/// A fixed joint of two bodies that are both the world, without a name; defaults of other kinds are those of
/// cairn/joint.h.
CAIRN_API void cairn_joint_init(cairn_joint* joint, size_t size);

/// State of a joint after the last step.
typedef struct cairn_joint_state {
  uint32_t struct_size;   ///< [B]
  double coordinates[6];  ///< [m, rad] by cairn_joint_dof, as of the last substep's start
  float force[3];         ///< [N]   on b, mean over the step, world
  float torque[3];        ///< [N m] the same, about the anchor on b
  int32_t broken;         ///< [1] 1: broken, constrains nothing
} cairn_joint_state;

/// `index` may be null.
CAIRN_API cairn_result cairn_scene_add_joint(cairn_scene* scene, const cairn_joint* joint, uint32_t* index);
CAIRN_API cairn_result cairn_scene_joint_count(const cairn_scene* scene, uint32_t* count);
/// CAIRN_INVALID_ARGUMENT if none has the name.
CAIRN_API cairn_result cairn_scene_find_joint(const cairn_scene* scene, const char* name, uint32_t* index);

/// `handle` may be null.
CAIRN_API cairn_result cairn_world_add_joint(cairn_world* world, uint32_t index, const cairn_joint* joint,
                                             cairn_handle* handle);
/// Living joints of world `index`.
CAIRN_API cairn_result cairn_world_joint_count(const cairn_world* world, uint32_t index, uint32_t* count);
/// Their handles; `count` must be cairn_world_joint_count.
CAIRN_API cairn_result cairn_world_joints(const cairn_world* world, uint32_t index, cairn_handle* joints, size_t count);
/// As cairn_world_find_body.
CAIRN_API cairn_result cairn_world_find_joint(const cairn_world* world, uint32_t index, const char* name,
                                              cairn_handle* joint);
CAIRN_API cairn_result cairn_joint_remove(cairn_world* world, cairn_handle joint);
/// 1 or 0; a stale handle is no error here.
CAIRN_API cairn_result cairn_joint_alive(const cairn_world* world, cairn_handle joint, int32_t* alive);
/// As added, with later changes. Its name is valid until a joint is added, changed or removed.
CAIRN_API cairn_result cairn_joint_describe(const cairn_world* world, cairn_handle joint, cairn_joint* description);
CAIRN_API cairn_result cairn_joint_state_of(const cairn_world* world, cairn_handle joint, cairn_joint_state* state);
/// Replaces its description: frames, limits, drives, breaking; kind, bodies and `collide` must stay.
CAIRN_API cairn_result cairn_joint_set_joint(cairn_world* world, cairn_handle joint, const cairn_joint* description);
CAIRN_API cairn_result cairn_joint_set_drive(cairn_world* world, cairn_handle joint, int32_t dof,
                                             const cairn_joint_drive* drive);
/// A joint's frame on a body. It will not grow.
typedef struct cairn_joint_anchor {
  cairn_handle body;     ///< null: the world
  double position[3];    ///< [m] world
  float orientation[4];  ///< [1] joint to world
} cairn_joint_anchor;

/// On a, then on b. Of a gear: the anchors of its two joints on the bodies that it turns.
CAIRN_API cairn_result cairn_joint_anchors(const cairn_world* world, cairn_handle joint, cairn_joint_anchor anchors[2]);
/// The body of an index in joints of world `world_index`: the inverse of cairn_body_index.
CAIRN_API cairn_result cairn_world_body_at(const cairn_world* world, uint32_t world_index, uint32_t index,
                                           cairn_handle* body);
/// Indices of bodies and of joints in descriptions of a world's joints.
CAIRN_API cairn_result cairn_body_index(const cairn_world* world, cairn_handle body, uint32_t* index);
CAIRN_API cairn_result cairn_joint_index(const cairn_world* world, cairn_handle joint, uint32_t* index);
