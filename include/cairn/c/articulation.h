#pragma once
// Articulations (cairn/articulation.h, docs/articulations.md): described in scenes, moved in worlds.

#include "cairn/c/scene.h"
#include "cairn/c/world.h"

/// In place of a parent: the world.
#define CAIRN_WORLD_LINK UINT32_MAX

/// How a link moves on its parent; coordinates and rates are as in cairn/articulation.h.
typedef enum cairn_link_joint {
  CAIRN_LINK_FIXED = 0,
  CAIRN_LINK_REVOLUTE = 1,   ///< one coordinate [rad], one rate [rad/s]
  CAIRN_LINK_PRISMATIC = 2,  ///< one coordinate [m], one rate [m/s]
  CAIRN_LINK_BALL = 3,       ///< quaternion, angular velocity [rad/s]
  CAIRN_LINK_FREE = 4        ///< place [m], quaternion; its rate [m/s], angular velocity; only on the world
} cairn_link_joint;

typedef struct cairn_link {
  uint32_t struct_size;            ///< [B]
  const char* name;                ///< unique in its articulation, not empty
  uint32_t parent;                 ///< [1] index of an earlier link, or CAIRN_WORLD_LINK
  int32_t joint;                   ///< cairn_link_joint
  double position_in_parent[3];    ///< [m] of the joint; x is its axis
  float orientation_in_parent[4];  ///< [1] joint to parent
  double position_in_link[3];      ///< [m] the same
  float orientation_in_link[4];    ///< [1] joint to link
  double armature;                 ///< [kg, kg m^2]
  double damping;                  ///< [N s/m, N m s/rad]
  double friction;                 ///< [N, N m] max dry friction
  double lower, upper;             ///< [m, rad] of revolute and prismatic ones; infinite: unbounded
  double drive_stiffness;          ///< [N/m, N m/rad]
  double drive_damping;            ///< [N s/m, N m s/rad]
  double drive_max_force;          ///< [N, N m] infinite: unbounded
  double mass;                     ///< [kg] or 0, with the inertia, where it is fixed or carries links that have mass
  double centre_of_mass[3];        ///< [m] in the link's frame
  float inertia[3];                ///< [kg m^2] about the centre of mass, along the link's axes
  float inertia_products[3];       ///< [kg m^2] xy, xz and yz
  const cairn_shape* shapes;       ///< in the link's frame; null in descriptions (cairn_link_body has them)
  uint32_t shape_count;            ///< [1]
  double min_rate, max_rate;       ///< [m/s, rad/s] of revolute and prismatic ones; infinite: unbounded
  double spring_stiffness;         ///< [N/m, N m/rad] of a spring beside the drive
  double spring_rest;              ///< [m, rad] its rest coordinate; of revolute and prismatic ones
  double drive_min_force;          ///< [N, N m] infinite: minus drive_max_force
  int32_t has_color;               ///< [1] 1: `color` is set
  float color[3];                  ///< [1] sRGB, 0 to 1, in pictures
} cairn_link;
/// A fixed link on the world without a name, mass or shapes.
CAIRN_API void cairn_link_init(cairn_link* link, size_t size);

/// A coordinate in a sum.
typedef struct cairn_coupling_term {
  uint32_t struct_size;  ///< [B]
  uint32_t link;         ///< [1] index; its joint is revolute or prismatic
  double coefficient;    ///< [1, m/rad] at least 1e-6 either way
} cairn_coupling_term;
/// Link 0, coefficient 1.
CAIRN_API void cairn_coupling_term_init(cairn_coupling_term* term, size_t size);

/// A sum of coordinates, with the same parameters as a joint; held where lower and upper are equal.
typedef struct cairn_coupling {
  uint32_t struct_size;              ///< [B]
  const char* name;                  ///< unique in its articulation, not empty
  const cairn_coupling_term* terms;  ///< each of another link; null in descriptions (cairn_coupling_term_describe)
  uint32_t term_count;               ///< [1] at least 1
  double damping;                    ///< [N s/m, N m s/rad]
  double friction;                   ///< [N, N m] max dry friction
  double lower, upper;               ///< [m, rad] infinite: unbounded
  double min_rate, max_rate;         ///< [m/s, rad/s] the same
  double spring_stiffness;           ///< [N/m, N m/rad]
  double spring_rest;                ///< [m, rad]
  double drive_stiffness;            ///< [N/m, N m/rad] its target is the sum of the joints' targets
  double drive_damping;              ///< [N s/m, N m s/rad]
  double drive_max_force;            ///< [N, N m] infinite: unbounded
  double drive_min_force;            ///< [N, N m] infinite: minus drive_max_force
} cairn_coupling;
/// Without a name, terms, or forces.
CAIRN_API void cairn_coupling_init(cairn_coupling* coupling, size_t size);

typedef struct cairn_articulation {
  uint32_t struct_size;             ///< [B]
  const char* name;                 ///< unique, not empty
  const cairn_link* links;          ///< parents before their children; null in descriptions (cairn_link_describe)
  uint32_t link_count;              ///< [1]
  const cairn_coupling* couplings;  ///< null in descriptions (cairn_coupling_describe)
  uint32_t coupling_count;          ///< [1]
} cairn_articulation;
/// Without a name or links.
CAIRN_API void cairn_articulation_init(cairn_articulation* articulation, size_t size);

/// Where it starts: coordinates `q` and rates `v` of all joints, in the order of the links; null with a count of 0:
/// all 0, quaternions without a turn. `index` may be null. Each link that has shapes becomes a body of the scene.
CAIRN_API cairn_result cairn_scene_add_articulation(cairn_scene* scene, const cairn_articulation* articulation,
                                                    const double* q, size_t q_count, const double* v, size_t v_count,
                                                    uint32_t* index);
CAIRN_API cairn_result cairn_scene_articulation_count(const cairn_scene* scene, uint32_t* count);
/// CAIRN_INVALID_ARGUMENT if none has the name.
CAIRN_API cairn_result cairn_scene_find_articulation(const cairn_scene* scene, const char* name, uint32_t* index);

/// Of world `index`: those of its scene in its order, then those added.
CAIRN_API cairn_result cairn_world_articulation_count(const cairn_world* world, uint32_t index, uint32_t* count);
/// Their handles; `count` must be cairn_world_articulation_count.
CAIRN_API cairn_result cairn_world_articulations(const cairn_world* world, uint32_t index, cairn_handle* articulations,
                                                 size_t count);
/// As cairn_world_find_body.
CAIRN_API cairn_result cairn_world_find_articulation(const cairn_world* world, uint32_t index, const char* name,
                                                     cairn_handle* articulation);
/// Into world `index`, with the bodies of its links, as cairn_scene_add_articulation. `added` may be null.
CAIRN_API cairn_result cairn_world_add_articulation(cairn_world* world, uint32_t index,
                                                    const cairn_articulation* articulation, const double* q,
                                                    size_t q_count, const double* v, size_t v_count,
                                                    cairn_handle* added);
/// With the bodies of its links, and joints on them.
CAIRN_API cairn_result cairn_articulation_remove(cairn_world* world, cairn_handle articulation);
CAIRN_API cairn_result cairn_articulation_alive(const cairn_world* world, cairn_handle articulation, int32_t* alive);
/// Its name is valid until it is removed, or the world restored or ended, like that of a link.
CAIRN_API cairn_result cairn_articulation_describe(const cairn_world* world, cairn_handle articulation,
                                                   cairn_articulation* description);
CAIRN_API cairn_result cairn_link_describe(const cairn_world* world, cairn_handle articulation, uint32_t link,
                                           cairn_link* description);
/// Its name is that of cairn_articulation_describe; of its terms it has the count.
CAIRN_API cairn_result cairn_coupling_describe(const cairn_world* world, cairn_handle articulation, uint32_t coupling,
                                               cairn_coupling* description);
CAIRN_API cairn_result cairn_coupling_term_describe(const cairn_world* world, cairn_handle articulation,
                                                    uint32_t coupling, uint32_t term, cairn_coupling_term* description);
/// Number of coordinates and of rates of all its joints.
CAIRN_API cairn_result cairn_articulation_size(const cairn_world* world, cairn_handle articulation,
                                               uint32_t* coordinates, uint32_t* rates);
/// Index of the first coordinate and first rate of a link's joint.
CAIRN_API cairn_result cairn_link_place(const cairn_world* world, cairn_handle articulation, uint32_t link,
                                        uint32_t* coordinate, uint32_t* rate);
/// Null where the link has no shapes.
CAIRN_API cairn_result cairn_link_body(const cairn_world* world, cairn_handle articulation, uint32_t link,
                                       cairn_handle* body);

/// The counts here and below are those of cairn_articulation_size. [m, rad, 1] and [m/s, rad/s]
CAIRN_API cairn_result cairn_articulation_state(const cairn_world* world, cairn_handle articulation, double* q,
                                                size_t q_count, double* v, size_t v_count);
/// The bodies of its links follow.
CAIRN_API cairn_result cairn_articulation_set_state(cairn_world* world, cairn_handle articulation, const double* q,
                                                    size_t q_count, const double* v, size_t v_count);
/// Parameters of a link's joint, of this articulation only: the members of cairn_link from `armature` to
/// `drive_max_force`, and those behind `shape_count`. `set` reads these; the joint's kind must be as described. The
/// other members become those of `init`.
CAIRN_API cairn_result cairn_link_joint_of(const cairn_world* world, cairn_handle articulation, uint32_t link,
                                           cairn_link* joint);
CAIRN_API cairn_result cairn_link_set_joint(cairn_world* world, cairn_handle articulation, uint32_t link,
                                            const cairn_link* joint);
/// [N, N m] Along the rates, until they are set again; 0 at first, and after a reset.
CAIRN_API cairn_result cairn_articulation_set_forces(cairn_world* world, cairn_handle articulation,
                                                     const double* forces, size_t count);
/// Of the drives: target coordinates, and target rates; at first the coordinates of the start, without rates.
CAIRN_API cairn_result cairn_articulation_set_targets(cairn_world* world, cairn_handle articulation, const double* q,
                                                      size_t q_count, const double* v, size_t v_count);
