#pragma once
// Force fields (cairn/fields.h, docs/fields.md): in scenes and in worlds.

#include "cairn/c/scene.h"
#include "cairn/c/world.h"

/// Equations are those of docs/fields.md.
typedef enum cairn_field_kind {
  CAIRN_GRAVITY_FIELD = 0,         ///< acceleration
  CAIRN_LINEAR_DRAG_FIELD = 1,     ///< coefficient
  CAIRN_QUADRATIC_DRAG_FIELD = 2,  ///< coefficient
  CAIRN_WIND_FIELD = 3,            ///< velocity, linear, quadratic, gust, gust_rate
  CAIRN_SPRINGS_FIELD = 4,         ///< springs; has_bodies must be 0
  CAIRN_LENNARD_JONES_FIELD = 5,   ///< epsilon, sigma, cut_off
  CAIRN_PAIR_GRAVITY_FIELD = 6,    ///< constant, softening, tree_above, opening_angle
  CAIRN_BOIDS_FIELD = 7,           ///< radius, separation_radius, separation, alignment, cohesion, cruise_speed, cruise
  CAIRN_CURL_NOISE_FIELD = 8,      ///< rate, speed, scale, octaves, seed, drift
  CAIRN_FIELD_KIND_COUNT           ///< none: number of kinds
} cairn_field_kind;

/// A spring with a damper between two bodies.
typedef struct cairn_spring {
  uint32_t struct_size;  ///< [B]
  uint32_t a, b;         ///< [1] indices of the scene's bodies (of a world's: cairn_body_index), two different ones
  double stiffness;      ///< [N/m]  at least 0, like the next two
  double damping;        ///< [kg/s]
  double rest_length;    ///< [m]
} cairn_spring;
/// Of body 0 with itself, which must be set: 1 N/m, without damping and length.
CAIRN_API void cairn_spring_init(cairn_spring* spring, size_t size);

/// Members of other kinds are ignored. Ranges are those of docs/scenes.md.
typedef struct cairn_field {
  uint32_t struct_size;         ///< [B]
  int32_t kind;                 ///< cairn_field_kind
  const uint32_t* bodies;       ///< [1] (body_count) indices, as those of springs, each once, of bodies with a mass
  uint32_t body_count;          ///< [1]
  int32_t has_bodies;           ///< [1] 1: sees only `bodies`, perhaps none, and acts on the dynamic ones. 0: on all
                                ///<     dynamic bodies; body_count must be 0
  double acceleration[3];       ///< [m/s^2]
  double coefficient;           ///< [kg/s] of linear drag, [kg/m] of quadratic
  double velocity[3];           ///< [m/s]  of the air
  double linear;                ///< [kg/s]
  double quadratic;             ///< [kg/m]
  double gust[3];               ///< [m/s]
  double gust_rate;             ///< [rad/s]
  const cairn_spring* springs;  ///< (spring_count) null in descriptions (cairn_world_springs)
  uint32_t spring_count;        ///< [1]
  double epsilon;               ///< [J]
  double sigma;                 ///< [m]
  double cut_off;               ///< [m]
  double constant;              ///< [m^3/(kg s^2)] under 0 repels
  double softening;             ///< [m]
  uint32_t tree_above;          ///< [1]    with more bodies far groups act as one
  double opening_angle;         ///< [1]    radius over distance under which a group stands for its parts
  double radius;                ///< [m]
  double separation_radius;     ///< [m]    at most radius
  double separation;            ///< [m/s^2]
  double alignment;             ///< [1/s]
  double cohesion;              ///< [1/s^2]
  double cruise_speed;          ///< [m/s]
  double cruise;                ///< [1/s]
  double rate;                  ///< [1/s]
  double speed;                 ///< [m/s]
  double scale;                 ///< [m]
  uint32_t octaves;             ///< [1]    1 to 8
  uint32_t seed;                ///< [1]
  double drift[3];              ///< [m/s]
} cairn_field;
/// Gravity of the Earth on all bodies; defaults of other kinds are those of cairn/fields.h.
CAIRN_API void cairn_field_init(cairn_field* field, size_t size);

/// A scene has at most 1,024. Its bodies must be in the scene. `index` may be null.
CAIRN_API cairn_result cairn_scene_add_field(cairn_scene* scene, const cairn_field* field, uint32_t* index);
CAIRN_API cairn_result cairn_scene_field_count(const cairn_scene* scene, uint32_t* count);

/// Fields of world `index`. `count` gets their number. They are written if `size` is no smaller, else none is. Their
/// `bodies`, ascending, are the world's: they are valid until fields are set, a body is removed, or the world is
/// restored or ended. A body that is removed leaves the lists, with its springs.
CAIRN_API cairn_result cairn_world_fields(const cairn_world* world, uint32_t index, cairn_field* fields, size_t size,
                                          size_t* count);
/// The springs of field `field`, written by the same rule. CAIRN_INVALID_ARGUMENT if it is of another kind.
CAIRN_API cairn_result cairn_world_springs(const cairn_world* world, uint32_t index, uint32_t field,
                                           cairn_spring* springs, size_t size, size_t* count);
/// Replaces the fields from now on, and wakes the world's bodies. `fields` may be null if `count` is 0: no field.
CAIRN_API cairn_result cairn_world_set_fields(cairn_world* world, uint32_t index, const cairn_field* fields,
                                              size_t count);
