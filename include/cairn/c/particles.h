#pragma once
// Sets of particles (cairn/particle_set.h, docs/particles.md, docs/fluids.md): ropes, cloth, soft bodies and fluids.

#include "cairn/c/scene.h"
#include "cairn/c/world.h"

/// Kinds of constraints: ConstraintKind (cairn/particle_set.h).
typedef enum cairn_constraint_kind {
  CAIRN_CONSTRAINT_STRETCH = 0,  ///< two particles: their distance [m]
  CAIRN_CONSTRAINT_BEND = 1,     ///< four: the angle [rad] between triangles (0, 1, 2) and (0, 3, 1); 0 is flat
  CAIRN_CONSTRAINT_VOLUME = 2,   ///< four: the volume [m^3] of their tetrahedron
  CAIRN_CONSTRAINT_SHAPE = 3,    ///< `cluster`: the shape that they start in
  CAIRN_CONSTRAINT_ELASTIC = 4   ///< four: a tetrahedron of an elastic solid, as it starts
} cairn_constraint_kind;

/// Constraints of one kind and law. Ranges are those of docs/scenes.md.
typedef struct cairn_constraint_group {
  uint32_t struct_size;       ///< [B]
  int32_t kind;               ///< cairn_constraint_kind
  float compliance;           ///< [m/N, rad/(N m), m^5/N] 0: rigid; 0 of elastic
  float damping;              ///< [N s/m, N m s/rad, N s/m^5] where compliance isn't 0; [s] of elastic
  float stiffness;            ///< [1] 0: XPBD; over 0: plain PBD, for which both above must be 0
  float breaking_force;       ///< [N] only of stretch; infinite: never
  const uint32_t* particles;  ///< [1] (constraints, 2 of stretch, `cluster` of shape, 4 of others) places in the set
  uint32_t particle_count;    ///< [1] numbers in `particles`
  const float* rest;          ///< [m, rad, m^3] (constraints) rest values; null with a count of 0: as they start
  uint32_t rest_count;        ///< [1] constraints, or 0, as it must be of shape and elastic
  int32_t unilateral;         ///< [1] only of stretch. 1: they pull and never push, as strings do
  uint32_t cluster;           ///< [1] only of shape: particles of each, 2 to 1,024
  float young_modulus;        ///< [Pa] only of elastic, in place of a compliance
  float poisson_ratio;        ///< [1] only of elastic
} cairn_constraint_group;
/// Rigid stretches, of no particles.
CAIRN_API void cairn_constraint_group_init(cairn_constraint_group* group, size_t size);

/// A particle that is attached to a body at its start position.
typedef struct cairn_attachment {
  uint32_t struct_size;  ///< [B]
  uint32_t particle;     ///< [1] its place in the set
  uint32_t body;         ///< [1] index in the scene (in a world: cairn_body_index); not a link of an articulation
  float compliance;      ///< [m/N] as of a stretch, like the next three
  float damping;         ///< [N s/m]
  float stiffness;       ///< [1]
  float breaking_force;  ///< [N] infinite: never
} cairn_attachment;
/// A rigid one, of particle 0 on body 0.
CAIRN_API void cairn_attachment_init(cairn_attachment* attachment, size_t size);

/// A rope, a cloth, a soft body, a fluid, or loose particles. Its particles are bodies "name/0", "name/1", ...
typedef struct cairn_particle_set {
  uint32_t struct_size;                       ///< [B]
  const char* name;                           ///< unique among sets, not empty
  const double* positions;                    ///< [m] (particle_count, 3) world
  uint32_t particle_count;                    ///< [1] at least 1
  const float* velocities;                    ///< [m/s] (particle_count, 3) world; null: at rest
  const float* masses;                        ///< [kg] (particle_count) over 0; null: `mass` each. None of a fluid
  float mass;                                 ///< [kg] of a particle; of a fluid 1, or its density * spacing^3
  float radius;                               ///< [m] of a fluid at most half its spacing
  const uint32_t* fixed;                      ///< [1] (fixed_count) places of particles that are kinematic
  uint32_t fixed_count;                       ///< [1]
  uint32_t material;                          ///< [1] index of the scene's
  uint32_t category;                          ///< [1] bits: its categories. Filter (cairn/filter.h), like the next two
  uint32_t mask;                              ///< [1] bits: categories it touches
  int32_t group;                              ///< [1] 0: none
  float linear_damping;                       ///< [1/s]
  const cairn_constraint_group* constraints;  ///< (constraint_count) none of a fluid
  uint32_t constraint_count;                  ///< [1] groups
  const cairn_attachment* attachments;        ///< (attachment_count) none of a fluid
  uint32_t attachment_count;                  ///< [1]
  int32_t is_fluid;                           ///< [1] 1: a fluid, with the next four
  float density;                              ///< [kg/m^3] at rest
  float spacing;          ///< [m] side of a particle's cube, which gives its mass; one for all fluids of a scene
  float viscosity;        ///< [Pa s]
  float surface_tension;  ///< [N/m]
  int32_t has_color;      ///< [1] 1: `color` is set
  float color[3];         ///< [1] sRGB, 0 to 1, in pictures
} cairn_particle_set;
/// Without a name or particles; no fluid.
CAIRN_API void cairn_particle_set_init(cairn_particle_set* set, size_t size);

/// With the bodies of its particles, which have consecutive indices. `index` may be null.
CAIRN_API cairn_result cairn_scene_add_particles(cairn_scene* scene, const cairn_particle_set* set, uint32_t* index);
CAIRN_API cairn_result cairn_scene_particles_count(const cairn_scene* scene, uint32_t* count);
/// CAIRN_INVALID_ARGUMENT if none has the name.
CAIRN_API cairn_result cairn_scene_find_particles(const cairn_scene* scene, const char* name, uint32_t* index);
/// Index of the body of a set's particle 0; those of the others follow it.
CAIRN_API cairn_result cairn_scene_particles_body(const cairn_scene* scene, uint32_t index, uint32_t* first_body);
/// constraint_warnings (cairn/world.h): groups too stiff for the scene's sweeps and substeps, a line of text for each;
/// "" if there are none. `length` gets the length without the 0 at the end; the text is written if `size` is larger,
/// else nothing is. `text` may be null if `size` is 0.
CAIRN_API cairn_result cairn_scene_constraint_warnings(const cairn_scene* scene, char* text, size_t size,
                                                       size_t* length);

/// Of world `index`: those of its scene in its order, then those added.
CAIRN_API cairn_result cairn_world_particles_count(const cairn_world* world, uint32_t index, uint32_t* count);
/// Their handles; `count` must be cairn_world_particles_count.
CAIRN_API cairn_result cairn_world_particles(const cairn_world* world, uint32_t index, cairn_handle* sets,
                                             size_t count);
/// As cairn_world_find_body.
CAIRN_API cairn_result cairn_world_find_particles(const cairn_world* world, uint32_t index, const char* name,
                                                  cairn_handle* set);
/// Into world `index`, with the bodies of its particles. Attachments start from the present poses of their bodies.
/// `added` may be null. Refused in worlds with scales of size.
CAIRN_API cairn_result cairn_world_add_particles(cairn_world* world, uint32_t index, const cairn_particle_set* set,
                                                 cairn_handle* added);
/// With its bodies that still live.
CAIRN_API cairn_result cairn_particles_remove(cairn_world* world, cairn_handle set);
/// 1 or 0; a stale handle is no error here.
CAIRN_API cairn_result cairn_particles_alive(const cairn_world* world, cairn_handle set, int32_t* alive);
/// As added. Its name and lists of numbers, and those of its groups, are the world's: they are valid until the set is
/// removed, or the world restored or ended. Groups and attachments are written if all fit, and are then those of
/// `description`, which can so be added elsewhere; else these are null there.
CAIRN_API cairn_result cairn_particles_describe(const cairn_world* world, cairn_handle set,
                                                cairn_particle_set* description, cairn_constraint_group* constraints,
                                                size_t constraints_size, cairn_attachment* attachments,
                                                size_t attachments_size);
/// Bodies of its particles; null handles for removed ones. `count` must be its particle_count.
CAIRN_API cairn_result cairn_particles_bodies(const cairn_world* world, cairn_handle set, cairn_handle* bodies,
                                              size_t count);

/// State of constraints and particles. `count` gets the number of values. They are written if `size` is no smaller,
/// else none is; the array may be null if `size` is 0.
///
/// [N, N m, N/m^2] Of constraints, group by group, then of attachments, in the last substep taken: over 0 where they
/// pull together, under 0 where they push apart. 0 of those whose particles are removed. All are 0 before the first
/// step, and after bodies were added, or a body that sets are attached to was removed, enabled or disabled.
CAIRN_API cairn_result cairn_particles_constraint_forces(const cairn_world* world, cairn_handle set, float* forces,
                                                         size_t size, size_t* count);
/// [1] In the same order. 1: it is broken.
CAIRN_API cairn_result cairn_particles_broken_constraints(const cairn_world* world, cairn_handle set, uint8_t* broken,
                                                          size_t size, size_t* count);
/// [1] In the same order: error of each constraint against its law (ConstraintResidual, cairn/residual.h).
CAIRN_API cairn_result cairn_particles_constraint_residuals(const cairn_world* world, cairn_handle set,
                                                            float* residuals, size_t size, size_t* count);
/// [Pa] Of the particles of a fluid, in the last substep taken, at least 0; empty for other sets. 0 when forces are 0.
CAIRN_API cairn_result cairn_particles_pressures(const cairn_world* world, cairn_handle set, float* pressures,
                                                 size_t size, size_t* count);
/// [kg/m^3] The same.
CAIRN_API cairn_result cairn_particles_densities(const cairn_world* world, cairn_handle set, float* densities,
                                                 size_t size, size_t* count);

/// ConstraintResidual (cairn/residual.h).
typedef struct cairn_constraint_residual {
  uint32_t struct_size;  ///< [B]
  float max;             ///< [1]
  float mean;            ///< [1]
  uint32_t constraints;  ///< [1] those that act: not broken, bodies present and enabled
} cairn_constraint_residual;
/// Of world `index`, or of all.
CAIRN_API cairn_result cairn_world_constraint_residual(const cairn_world* world, uint32_t index,
                                                       cairn_constraint_residual* residual);
