#pragma once
// Seeds, scales and random numbers: docs/scales.md.

#include "cairn/c/world.h"

CAIRN_API cairn_result cairn_world_seed(const cairn_world* world, uint32_t index, uint64_t* seed);
CAIRN_API cairn_result cairn_world_set_seed(cairn_world* world, uint32_t index, uint64_t seed);

/// Factors on the bodies of one world: Scales (cairn/random.h).
typedef struct cairn_scales {
  uint32_t struct_size;  ///< [B]
  float size;            ///< [1]
  float mass;            ///< [1]
  float friction;        ///< [1]
  float restitution;     ///< [1]
} cairn_scales;
CAIRN_API void cairn_scales_init(cairn_scales* scales, size_t size);
CAIRN_API cairn_result cairn_world_scales(const cairn_world* world, uint32_t index, cairn_scales* scales);
CAIRN_API cairn_result cairn_world_set_scales(cairn_world* world, uint32_t index, const cairn_scales* scales);

/// Factors on a dynamic body, beside those of its world.
typedef struct cairn_body_scales {
  uint32_t struct_size;  ///< [B]
  float size;            ///< [1]
  float mass;            ///< [1]
  float inertia;         ///< [1]
} cairn_body_scales;
CAIRN_API void cairn_body_scales_init(cairn_body_scales* scales, size_t size);
CAIRN_API cairn_result cairn_body_get_scales(const cairn_world* world, cairn_handle body, cairn_body_scales* scales);
CAIRN_API cairn_result cairn_body_set_scales(cairn_world* world, cairn_handle body, const cairn_body_scales* scales);

/// Ranges, from the first to the second number, of values drawn uniformly: Randomisation (cairn/random.h).
typedef struct cairn_randomisation {
  uint32_t struct_size;       ///< [B]
  float size[2];              ///< [1]     of cairn_scales, like the next three
  float mass[2];              ///< [1]
  float friction[2];          ///< [1]
  float restitution[2];       ///< [1]
  float body_size[2];         ///< [1]     of cairn_body_scales
  float body_mass[2];         ///< [1]
  float position[3];          ///< [m]     max shift to either side
  float linear_velocity[3];   ///< [m/s]   the same
  float angular_velocity[3];  ///< [rad/s] the same
  float body_inertia[2];      ///< [1]     of cairn_body_scales
  float joint_armature[2];    ///< [1]     of the descriptions of articulations' joints, like the next seven
  float joint_damping[2];     ///< [1]
  float joint_friction[2];    ///< [1]
  float joint_limits[2];      ///< [1]
  float spring_stiffness[2];  ///< [1]
  float drive_stiffness[2];   ///< [1]
  float drive_damping[2];     ///< [1]
  float drive_force[2];       ///< [1]
} cairn_randomisation;
CAIRN_API void cairn_randomisation_init(cairn_randomisation* ranges, size_t size);
/// Draws new scales for the chosen worlds, and moves their dynamic bodies.
CAIRN_API cairn_result cairn_world_randomise(cairn_world* world, const uint8_t* mask, size_t count,
                                             const cairn_randomisation* ranges);

typedef enum cairn_random_stream {
  CAIRN_RANDOM_WORLD = 0,
  CAIRN_RANDOM_BODY = 1,
  CAIRN_RANDOM_POSITION = 2,
  CAIRN_RANDOM_LINEAR_VELOCITY = 3,
  CAIRN_RANDOM_ANGULAR_VELOCITY = 4,
  CAIRN_RANDOM_JOINT = 5,
  CAIRN_RANDOM_USER = 16  ///< first of the streams for the program's own draws
} cairn_random_stream;
/// The numbers that worlds draw, in [0, 1): random_uniforms (cairn/random.h).
CAIRN_API cairn_result cairn_random_uniforms(uint64_t seed, uint32_t episode, uint32_t stream, uint32_t index,
                                             float numbers[4]);

/// Where a world lies among the others when all are drawn. [m]
CAIRN_API cairn_result cairn_world_origin(const cairn_world* world, uint32_t index, double origin[3]);
CAIRN_API cairn_result cairn_world_set_origin(cairn_world* world, uint32_t index, const double origin[3]);
