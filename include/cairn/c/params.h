#pragma once
// Parameters and limits of worlds.

#include "cairn/c/common.h"

typedef enum cairn_solver {
  CAIRN_SOFT_STEP = 0,
  CAIRN_XPBD = 1,
  CAIRN_SEQUENTIAL_IMPULSE = 2,
  CAIRN_AVBD = 3,
  CAIRN_HERTZ_MINDLIN = 4
} cairn_solver;
typedef enum cairn_sweep { CAIRN_GAUSS_SEIDEL = 0, CAIRN_JACOBI = 1 } cairn_sweep;
typedef enum cairn_mix { CAIRN_GEOMETRIC_MEAN = 0, CAIRN_MIN = 1, CAIRN_MAX = 2, CAIRN_PRODUCT = 3 } cairn_mix;

/// Parameters of a step: StepParams (cairn/params.h), which has ranges and defaults.
typedef struct cairn_params {
  uint32_t struct_size;           ///< [B]
  int32_t solver;                 ///< cairn_solver
  int32_t sweep;                  ///< cairn_sweep
  int32_t substeps;               ///< [1]
  float dt;                       ///< [s]
  float contact_frequency_ratio;  ///< [1]  of soft contacts, over that of substeps
  float contact_damping_ratio;    ///< [1]
  float max_depenetration_speed;  ///< [m/s]
  float restitution_threshold;    ///< [m/s]
  float recycle_tolerance;        ///< [1]
  int32_t friction_mix;           ///< cairn_mix
  int32_t restitution_mix;        ///< cairn_mix
  int32_t rolling_mix;            ///< cairn_mix
  int32_t sleeping;               ///< [1] 0 or 1
  float sleep_speed;              ///< [m/s]
  float sleep_time;               ///< [s]
  int32_t particle_iterations;    ///< [1]
  int32_t fluid_iterations;       ///< [1]
  int32_t direct_bodies;          ///< [1]
  float residual_target;          ///< [m/s]
  float direct_mass_ratio;        ///< [1]
  int32_t ccd;                    ///< [1] 0 or 1
} cairn_params;
CAIRN_API void cairn_params_init(cairn_params* params, size_t size);

/// Bounds of a world's bodies, beyond which it is frozen: WorldLimits (cairn/params.h).
typedef struct cairn_limits {
  uint32_t struct_size;  ///< [B]
  float lower[3];        ///< [m]     corner of the box that contains centres of mass
  float upper[3];        ///< [m]     the opposite corner
  float speed;           ///< [m/s]
  float angular_speed;   ///< [rad/s]
} cairn_limits;
CAIRN_API void cairn_limits_init(cairn_limits* limits, size_t size);
