#pragma once
// Results of a step: reports and residuals.

#include "cairn/c/world.h"

enum {
  CAIRN_STATUS_NON_FINITE = 1,
  CAIRN_STATUS_OUT_OF_BOUNDS = 2,
  CAIRN_STATUS_OVERFLOW = 4,
  CAIRN_STATUS_TOO_FAST = 8
};

/// StepReport (cairn/report.h).
typedef struct cairn_report {
  uint32_t struct_size;         ///< [B]
  uint32_t status;              ///< [1] CAIRN_STATUS_ bits
  uint64_t steps;               ///< [1] taken since the world was made
  double time;                  ///< [s] simulated
  uint32_t bodies;              ///< [1] alive
  uint32_t shapes;              ///< [1]
  uint32_t pairs;               ///< [1] of shapes that may touch, last step, like the next five
  uint32_t manifolds;           ///< [1] pairs with contact points
  uint32_t points;              ///< [1]
  uint32_t colors;              ///< [1]
  uint32_t recycled;            ///< [1]
  uint32_t asleep;              ///< [1]
  uint32_t max_bodies;          ///< [1] ever
  uint32_t max_shapes;          ///< [1]
  uint32_t max_pairs;           ///< [1]
  uint32_t max_rows;            ///< [1] of the solver
  double stage_ms[24];          ///< [ms] of each stage of the last step; zeros if it wasn't measured
  uint64_t stage_hash[24];      ///< [1] of each stage's output; zeros without `trace`
  uint32_t broken_constraints;  ///< [1] of particles
} cairn_report;
/// "bound" and so on, in the order of the report's stages; null past the last.
CAIRN_API const char* cairn_stage_name(uint32_t stage);

/// WorldReport: the report of one world.
typedef struct cairn_world_report {
  uint32_t struct_size;     ///< [B]
  uint32_t status;          ///< [1] CAIRN_STATUS_ bits; a world that has one is frozen
  cairn_handle first_bad;   ///< the first body that caused it; null if none did
  uint64_t steps;           ///< [1] since it was made or reset
  double time;              ///< [s]
  uint64_t first_bad_step;  ///< [1] number of the step that was discarded; 0 if none
  uint32_t bodies;          ///< [1]
} cairn_world_report;

/// Waits. The status stays until cairn_world_clear_status.
CAIRN_API cairn_result cairn_world_get_report(const cairn_world* world, cairn_report* report);
CAIRN_API cairn_result cairn_world_get_world_report(const cairn_world* world, uint32_t index,
                                                    cairn_world_report* report);
/// Of each world; `count` is the number of worlds.
CAIRN_API cairn_result cairn_world_get_world_reports(const cairn_world* world, cairn_world_report* reports,
                                                     size_t count);
CAIRN_API cairn_result cairn_world_clear_status(cairn_world* world);
/// Starts or stops measuring each stage, from the next step on. Changes no bit.
CAIRN_API cairn_result cairn_world_set_timings(cairn_world* world, int32_t on);

/// Violation of the laws of contact in the last step: ContactResidual (cairn/residual.h).
typedef struct cairn_residual {
  uint32_t struct_size;  ///< [B]
  float signorini;       ///< [m/s]
  float coulomb;         ///< [m/s]
  float twist;           ///< [rad/s]
  float cone;            ///< [N s]
  float penetration;     ///< [m]
  uint32_t points;       ///< [1] contact points evaluated
} cairn_residual;
/// Of world `index`, or of all together.
CAIRN_API cairn_result cairn_world_residual(const cairn_world* world, uint32_t index, cairn_residual* residual);
/// Of each world; `count` is the number of worlds.
CAIRN_API cairn_result cairn_world_residuals(const cairn_world* world, cairn_residual* residuals, size_t count);
