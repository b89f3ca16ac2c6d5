#pragma once
// The step in flight: its counters and its constants.

#include <cstdint>

#include "cairn/params.h"
#include "kernels/common/contact_rows.h"
#include "kernels/common/pair_class.h"
#include "kernels/common/shapes.h"

namespace cairn::kernels {

/// Counts of a step for its report.
struct StepCounts {
  std::uint32_t manifolds, points, recycled, asleep;  ///< [1]
  std::uint64_t colors;                               ///< [1] bit per colour in use by contacts of two dynamic bodies
  std::uint32_t overflow_rows;                        ///< [1] max over the parts of such rows without a colour
};

/// Counters and flags of the step in flight, in device memory.
struct StepState {
  std::uint32_t pair_count[2];      ///< [1] of each Pairs table; the step's parity says which is this step's
  std::uint32_t pairs_needed;       ///< [1] pairs that `pair` counted
  std::uint32_t pairs_wrapped;      ///< [1] 1: the count exceeds 32 bits
  std::uint32_t neighbour_needed;   ///< [1] neighbours of fluid particles that were counted
  std::uint32_t neighbour_wrapped;  ///< [1] 1: the count exceeds 32 bits
  std::uint32_t direct_places;      ///< [1] places that directly solved islands need
  std::uint32_t direct_rows;        ///< [1] row slots in use by these
  std::uint32_t overflow;           ///< [1] 1: no room for pairs, neighbours, rows or direct islands: the later stages
                                    ///<     do nothing
  std::uint32_t status;             ///< StatusBit, sticky
  std::uint32_t class_begin[kListedClasses];  ///< [1] first of the pairs of a class that need a new manifold
  std::uint32_t class_count[kListedClasses];  ///< [1] their count
  std::uint32_t edge_count;                   ///< [1] manifolds that need a colour
  std::uint32_t edges_colored;                ///< [1]
  std::uint32_t row_count;                    ///< [1] row slots in use, padding included
  std::uint32_t end_count;                    ///< [1] their ends, counted for `xpbd` only
  std::uint32_t bodies_wanted;                ///< [1] body slots that need a colour, counted for `avbd` only
  std::uint32_t bodies_colored;               ///< [1] bodies coloured so far
  std::uint32_t farthest;                     ///< [m] bits of a float: max displacement of a body in the step
  std::uint32_t shortest;    ///< [m] complement of the bits of a float: min displacement that matters; 0: none
  std::uint32_t ccd_shapes;  ///< [1] shapes whose pairs `ccd` looks at
  std::uint32_t ccd_passes;  ///< [1] bit by pass of `ccd`: it stopped a body
  std::uint32_t gainers;     ///< [1] 1: soft contacts must not raise some body's energy (kernels/solve/gain.h)
  std::uint64_t levels;      ///< [1] bit per level of the grid that is searched by cells
  std::uint32_t level_count[kLevels];  ///< [1] shapes of each level, counted up to at least kListedLevel + 1
  std::uint64_t steps;                 ///< [1] completed
  double time;                         ///< [s] simulated
  float last_h;                        ///< [s] substep of the last one
  std::uint32_t max_pairs, max_rows;   ///< [1] ever needed at once
  std::uint32_t wide_colors[2];        ///< [1] as Parts::wide, for the contacts of the step in flight
  StepCounts counts;                   ///< of the step in flight
  StepCounts taken;                    ///< of the last completed step
};

/// A soft constraint (Catto 2011) of natural frequency f/h and damping ratio z: with W = 2 pi f, a1 = 2 z + W and a2 =
/// W a1 an impulse change is dl = -m (scale v + scale rate x) - leak l. At rest l = -m W^2 x / h, whatever z is. With
/// the relax pass, which has scale 1 and no leak, slow modes are damped by l = -m c v, c = (scale + 1 - W^2) / leak. So
/// a high ratio, which is a small leak, calms towers that sway.
struct Softness {
  float bias_rate;      ///< [1/s] W / (a1 h)
  float mass_scale;     ///< [1]   a2 / (1 + a2)
  float impulse_scale;  ///< [1]   1 / (1 + a2)
  friend bool operator==(const Softness&, const Softness&) = default;
};

/// Constants of a step, by value to every functor that needs them.
struct StepConstants {
  float dt;                       ///< [s]
  float h;                        ///< [s]    substep
  float inv_h;                    ///< [1/s]
  Softness contact, cold;         ///< of contacts with extra damping, and while they are cold
  Softness friction, firm;        ///< of friction: for contacts with extra damping, for all others
  float max_depenetration_speed;  ///< [m/s]
  float residual_target;          ///< [m/s]
  float falls;                    ///< [1]    substeps of free fall that don't count as approach
  float warm_scale;               ///< [1]    h / h of the last step
  std::uint32_t world_count;      ///< [1]
  std::uint32_t body_count;       ///< [1] slots
  std::uint32_t shape_count;      ///< [1] slots
  std::uint32_t bucket_count;     ///< [1] power of two
  std::uint32_t pair_capacity;    ///< [1]
  std::uint32_t parity;           ///< [1] selects the Pairs table of this step
  std::uint32_t filters;          ///<     FilterUse of all worlds
  bool soft_contacts;             ///<     contacts may have extra damping, anchors and rests
  bool belts;                     ///<     some material's surface moves
  friend bool operator==(const StepConstants&, const StepConstants&) = default;
};

}  // namespace cairn::kernels
