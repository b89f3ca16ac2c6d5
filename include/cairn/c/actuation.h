#pragma once
// Actuation of bodies and joints (docs/actuation.md): tracks, dragging, muscles, virtual forces.

#include "cairn/c/joint.h"
#include "cairn/c/queries.h"
#include "cairn/c/world.h"
#include "cairn/c/world_bodies.h"

/// Interpolation of a track between its keys: Interpolation (cairn/track.h).
typedef enum cairn_interpolation {
  CAIRN_TRACK_STEP = 0,  ///< the key before
  CAIRN_TRACK_LINEAR = 1,
  CAIRN_TRACK_SMOOTH = 2  ///< cubic, with a continuous rate that doesn't overshoot the keys
} cairn_interpolation;

/// It will not grow.
typedef struct cairn_track_key {
  double time;   ///< [s] after that of the key before
  double value;  ///< [m, rad]
} cairn_track_key;

/// It will not grow.
typedef struct cairn_pose_key {
  double time;           ///< [s] after that of the key before
  double position[3];    ///< [m] world, of the body's own origin
  float orientation[4];  ///< [1] body to world
} cairn_pose_key;

/// A number, or a pose, over time. They never change, and know no world.
typedef struct cairn_track cairn_track;
typedef struct cairn_pose_track cairn_pose_track;

/// Of (count) keys, at least one. Before the first and after the last it stands still, unless `repeats` is 1.
CAIRN_API cairn_result cairn_track_create(const cairn_track_key* keys, size_t count, int32_t interpolation,
                                          int32_t repeats, cairn_track** track);
CAIRN_API void cairn_track_destroy(cairn_track* track);
/// [m, rad], [m/s, rad/s] Either pointer may be null.
CAIRN_API cairn_result cairn_track_at(const cairn_track* track, double time, double* value, double* rate);
/// The same of poses: positions linear, orientations along the shorter arc at a constant rate.
CAIRN_API cairn_result cairn_pose_track_create(const cairn_pose_key* keys, size_t count, int32_t repeats,
                                               cairn_pose_track** track);
CAIRN_API void cairn_pose_track_destroy(cairn_pose_track* track);
CAIRN_API cairn_result cairn_pose_track_at(const cairn_pose_track* track, double time, double position[3],
                                           float orientation[4]);
/// Sets the drive of an axis (cairn_joint_dof) to where a track is at `time` [s], and to the mean rate of the `dt` [s]
/// before it: those of the next step, if that is cairn_world_report.time + dt.
CAIRN_API cairn_result cairn_joint_follow(cairn_world* world, cairn_handle joint, int32_t dof, const cairn_track* track,
                                          double time, float dt);
/// Gives a kinematic body the velocity that takes it to where the track is at `time`, in a step of `dt`.
CAIRN_API cairn_result cairn_body_follow(cairn_world* world, cairn_handle body, const cairn_pose_track* track,
                                         double time, float dt);

/// DragParams (cairn/drag.h).
typedef struct cairn_drag_params {
  uint32_t struct_size;    ///< [B]
  float frequency;         ///< [Hz] over 0: of the body on its spring
  float damping_ratio;     ///< [1] at least 0
  float max_acceleration;  ///< [m/s^2] over 0, along each axis of the world; infinite: no bound
} cairn_drag_params;
CAIRN_API void cairn_drag_params_init(cairn_drag_params* params, size_t size);

/// A body that is picked at a point and pulled to where the user wants it. It keeps the world's memory, as tensors do,
/// and is of the world's thread.
typedef struct cairn_drag cairn_drag;
/// Picks a dynamic body at a point [m] of its world. Null `params` are the defaults.
CAIRN_API cairn_result cairn_drag_create(cairn_world* world, cairn_handle body, const double point[3],
                                         const cairn_drag_params* params, cairn_drag** drag);
/// Picks the first dynamic body that a ray hits, at the point of the hit. `drag` becomes null if the ray hits nothing,
/// or another body first. The ray must have no shape.
CAIRN_API cairn_result cairn_drag_pick(cairn_world* world, const cairn_query* ray, const cairn_drag_params* params,
                                       cairn_drag** drag);
/// [m] World position to pull the picked point to. CAIRN_INVALID_ARGUMENT once the drag is over.
CAIRN_API cairn_result cairn_drag_move(cairn_drag* drag, const double target[3]);
/// 1: its body or its joint was removed.
CAIRN_API cairn_result cairn_drag_over(const cairn_drag* drag, int32_t* over);
/// The joint that pulls the body.
CAIRN_API cairn_result cairn_drag_joint(const cairn_drag* drag, cairn_handle* joint);
/// Lets the body go.
CAIRN_API void cairn_drag_destroy(cairn_drag* drag);

/// MuscleParams (cairn/muscle.h).
typedef struct cairn_muscle_params {
  uint32_t struct_size;         ///< [B]
  double max_isometric_force;   ///< [N]   over 0: of the fibre at its optimal length, fully active
  double optimal_fibre_length;  ///< [m]   over 0
  double tendon_slack_length;   ///< [m]   over 0
  double pennation;             ///< [rad] 0 to 1.4
  double max_fibre_speed;       ///< [1/s] over 0: optimal lengths a second
  double tendon_strain;         ///< [1]   over 0: at max_isometric_force
  double fibre_strain;          ///< [1]   over 0: the same, without activity
  double fibre_damping;         ///< [1]   at least 0
  double activation_time;       ///< [s]   over 0
  double deactivation_time;     ///< [s]   over 0
} cairn_muscle_params;
CAIRN_API void cairn_muscle_params_init(cairn_muscle_params* params, size_t size);

/// Where a muscle begins, ends, or is led over. It will not grow.
typedef struct cairn_muscle_point {
  cairn_handle body;   ///< null: the world
  double position[3];  ///< [m] in the body's own frame
} cairn_muscle_point;

/// Its state is the user's: snapshots of the world don't contain it. It keeps the world's memory, as tensors do, and is
/// of the world's thread.
typedef struct cairn_muscle cairn_muscle;
/// Over (count) points, at least 2; without activity, with the fibre in equilibrium. Null `params` are the defaults.
CAIRN_API cairn_result cairn_muscle_create(cairn_world* world, const cairn_muscle_point* path, size_t count,
                                           const cairn_muscle_params* params, cairn_muscle** muscle);
/// A copy in the same world, with the same state.
CAIRN_API cairn_result cairn_muscle_copy(const cairn_muscle* muscle, cairn_muscle** copy);
CAIRN_API void cairn_muscle_destroy(cairn_muscle* muscle);
/// Advances by a step of `dt` [s] with an excitation of 0 to 1, and pulls in the next step of the world, which must
/// have the same length.
CAIRN_API cairn_result cairn_muscle_act(cairn_muscle* muscle, double excitation, float dt);
/// [1] 0 to 1, [N] of the tendon, [m] of the fibre, as of the last act; [m] of the path now. Any pointer may be null.
CAIRN_API cairn_result cairn_muscle_state(const cairn_muscle* muscle, double* activation, double* force,
                                          double* fibre_length, double* length);

/// It will not grow.
typedef struct cairn_joint_effort {
  cairn_handle joint;
  double effort[6];  ///< [N, N m] along and about the free axes of the joint, by cairn_joint_dof
} cairn_joint_effort;
/// Efforts of the (count) joints of a chain, one each, by which a point [m] of the chain pushes with a force [N]. In
/// each joint the point must be on the side of body b.
CAIRN_API cairn_result cairn_world_virtual_force(const cairn_world* world, const cairn_handle* chain, size_t count,
                                                 const double point[3], const float force[3],
                                                 cairn_joint_effort* efforts);
/// Applies them for the next step, as equal and opposite forces and torques on the two bodies of each joint.
CAIRN_API cairn_result cairn_world_exert(cairn_world* world, const cairn_joint_effort* efforts, size_t count);
