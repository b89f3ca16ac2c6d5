#pragma once
// Bodies and materials of a world: added, changed, moved, removed; their states.

#include "cairn/c/world.h"

CAIRN_API cairn_result cairn_world_material_count(const cairn_world* world, uint32_t index, uint32_t* count);
/// Its name is valid until a material is added.
CAIRN_API cairn_result cairn_world_material(const cairn_world* world, uint32_t index, uint32_t material_index,
                                            cairn_material* material);
CAIRN_API cairn_result cairn_world_add_material(cairn_world* world, uint32_t index, const cairn_material* material,
                                                uint32_t* material_index);
CAIRN_API cairn_result cairn_world_set_material(cairn_world* world, uint32_t index, uint32_t material_index,
                                                const cairn_material* material);
CAIRN_API cairn_result cairn_world_add_body(cairn_world* world, uint32_t index, const cairn_body* body,
                                            cairn_handle* handle);
/// As added, with later changes; with `scaled` 1 times its scales. Its name is valid until a body is added, removed or
/// changed. Shapes are written to `shapes` if `size` is no smaller than their number, `body.shape_count`; else
/// `body.shapes` is null. `shapes` may be null if `size` is 0.
CAIRN_API cairn_result cairn_body_describe(const cairn_world* world, cairn_handle handle, int32_t scaled,
                                           cairn_body* body, cairn_shape* shapes, size_t size);
/// The solid of shape `index` of a body, for the caller to destroy. CAIRN_INVALID_ARGUMENT if the shape has none. With
/// `scaled` 1 times its scales.
CAIRN_API cairn_result cairn_solid_of_body(const cairn_world* world, cairn_handle body, int32_t scaled, uint32_t index,
                                           cairn_solid** solid);
/// Point masses of a body, written if `size` is no smaller than their number. `points` may be null if `size` is 0.
CAIRN_API cairn_result cairn_body_point_masses(const cairn_world* world, cairn_handle body, int32_t scaled,
                                               cairn_point_mass* points, size_t size, size_t* count);
CAIRN_API cairn_result cairn_body_remove(cairn_world* world, cairn_handle body);
/// 1 or 0; a stale handle is no error here.
CAIRN_API cairn_result cairn_body_alive(const cairn_world* world, cairn_handle body, int32_t* alive);
CAIRN_API cairn_result cairn_body_world(const cairn_world* world, cairn_handle body, uint32_t* index);
CAIRN_API cairn_result cairn_body_set_pose(cairn_world* world, cairn_handle body, const double position[3],
                                           const float orientation[4]);
CAIRN_API cairn_result cairn_body_set_velocity(cairn_world* world, cairn_handle body, const float linear[3],
                                               const float angular[3]);
/// Gives a kinematic body the velocity that takes it to a pose in one step of `dt` [s].
CAIRN_API cairn_result cairn_body_move_to(cairn_world* world, cairn_handle body, const double position[3],
                                          const float orientation[4], float dt);
/// [kg], and in the body's frame, with its scales: [m] centre of mass, [kg m^2] principal moments, [1] principal frame
/// to body frame. Null leaves one out.
CAIRN_API cairn_result cairn_body_mass_properties(const cairn_world* world, cairn_handle body, double* mass,
                                                  double centre_of_mass[3], double moments[3], double axes[4]);
CAIRN_API cairn_result cairn_body_set_mass(cairn_world* world, cairn_handle body, float mass);
CAIRN_API cairn_result cairn_body_set_material(cairn_world* world, cairn_handle body, uint32_t material);
/// Replaces its description. Shapes must stay, except for their materials and filters; pose and velocity stay. A
/// description from the library needs the solids of its shapes (cairn_solid_of_body) and its point masses first.
CAIRN_API cairn_result cairn_body_set_body(cairn_world* world, cairn_handle body, const cairn_body* description);
CAIRN_API cairn_result cairn_body_set_type(cairn_world* world, cairn_handle body, cairn_body_type type);
/// Disables it (0), or enables it again (1): docs/scenes.md.
CAIRN_API cairn_result cairn_body_set_enabled(cairn_world* world, cairn_handle body, int32_t enabled);
/// Of all its shapes.
CAIRN_API cairn_result cairn_body_set_filter(cairn_world* world, cairn_handle body, uint32_t category, uint32_t mask,
                                             int32_t group);
/// Disables collision of two bodies of one world from the next step on (1), or enables it again (0).
CAIRN_API cairn_result cairn_body_ignore(cairn_world* world, cairn_handle a, cairn_handle b, int32_t ignored);
CAIRN_API cairn_result cairn_body_ignored(const cairn_world* world, cairn_handle a, cairn_handle b, int32_t* ignored);
CAIRN_API cairn_result cairn_body_wake(cairn_world* world, cairn_handle body);
CAIRN_API cairn_result cairn_body_asleep(const cairn_world* world, cairn_handle body, int32_t* asleep);
/// Loads hold for the next step and add up. [N] at the centre of mass, or at a point [m]; [N m]. World axes.
CAIRN_API cairn_result cairn_body_add_force(cairn_world* world, cairn_handle body, const float force[3]);
CAIRN_API cairn_result cairn_body_add_force_at(cairn_world* world, cairn_handle body, const float force[3],
                                               const double point[3]);
CAIRN_API cairn_result cairn_body_add_torque(cairn_world* world, cairn_handle body, const float torque[3]);
/// Impulses change the velocities of a dynamic body at once. [N s] at the centre of mass, or at a point [m]; [N m s].
CAIRN_API cairn_result cairn_body_add_impulse(cairn_world* world, cairn_handle body, const float impulse[3]);
CAIRN_API cairn_result cairn_body_add_impulse_at(cairn_world* world, cairn_handle body, const float impulse[3],
                                                 const double point[3]);
CAIRN_API cairn_result cairn_body_add_angular_impulse(cairn_world* world, cairn_handle body, const float impulse[3]);

/// Pose and velocities. The position is that of the body's own origin, the velocity that of the centre of mass. It will
/// not grow.
typedef struct cairn_state {
  double position[3];         ///< [m]     world
  float orientation[4];       ///< [1]     body to world
  float linear_velocity[3];   ///< [m/s]   world
  float angular_velocity[3];  ///< [rad/s] world
} cairn_state;

CAIRN_API cairn_result cairn_body_state(const cairn_world* world, cairn_handle body, cairn_state* state);
CAIRN_API cairn_result cairn_body_set_state(cairn_world* world, cairn_handle body, const cairn_state* state);
/// Of all bodies of world `index`, or of all worlds, in the order of cairn_world_bodies; `count` is their number.
CAIRN_API cairn_result cairn_world_read_states(const cairn_world* world, uint32_t index, cairn_state* states,
                                               size_t count);
CAIRN_API cairn_result cairn_world_write_states(cairn_world* world, uint32_t index, const cairn_state* states,
                                                size_t count);
