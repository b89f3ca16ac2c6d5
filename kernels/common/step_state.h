#pragma once
// The step in flight: its counters and its constants.

#include <cstdint>

#include "cairn/params.h"
#include "kernels/common/contact_rows.h"
#include "kernels/common/pair_class.h"
#include "kernels/common/shapes.h"

namespace cairn::kernels {

/// What a step counts for its report.
struct StepCounts {
  std::uint32_t manifolds, points, recycled, asleep;  ///< [1]
  std::uint64_t colors;                               ///< [1] bit per colour in use by contacts of two dynamic bodies
  std::uint32_t overflow_rows;                        ///< [1] most such rows without a colour of any part
};

/// Counters and flags of the step in flight, in device memory.
struct StepState {
  std::uint32_t pair_count[2];      ///< [1] of each Pairs table; the step's parity says which is this step's
  std::uint32_t pairs_needed;       ///< [1] what `pair` counted
  std::uint32_t pairs_wrapped;      ///< [1] 1: more than 32 bits count
  std::uint32_t neighbour_needed;   ///< [1] neighbours of particles of fluids that were counted
  std::uint32_t neighbour_wrapped;  ///< [1] 1: more than 32 bits count
  std::uint32_t direct_places;      ///< [1] places that islands to be solved directly need
  std::uint32_t direct_rows;        ///< [1] row slots in use by these
  std::uint32_t overflow;           ///< [1] 1: no room for pairs, neighbours, rows or what is solved directly: the
                                    ///<     later stages do nothing
  std::uint32_t status;             ///< StatusBit, sticky
  std::uint32_t class_begin[kListedClasses];  ///< [1] first of the pairs of a class that want a new manifold
  std::uint32_t class_count[kListedClasses];  ///< [1] how many they are
  std::uint32_t edge_count;                   ///< [1] manifolds that want a colour
  std::uint32_t edges_colored;                ///< [1]
  std::uint32_t row_count;                    ///< [1] row slots in use, padding included
  std::uint32_t end_count;                    ///< [1] ends of them, counted for `xpbd` alone
  std::uint32_t bodies_wanted;                ///< [1] slots of bodies, counted for `avbd` alone
  std::uint32_t bodies_colored;               ///< [1] of them
  std::uint32_t farthest;                     ///< [m] bits of a float: how far a body got in the step
  std::uint32_t shortest;    ///< [m] complement of the bits of a float: the least way that matters; 0: none
  std::uint32_t ccd_shapes;  ///< [1] shapes whose pairs `ccd` looks at
  std::uint32_t ccd_passes;  ///< [1] bit by pass of `ccd`: it stopped something
  std::uint32_t gainers;     ///< [1] 1: soft contacts must not raise some body's energy (kernels/solve/gain.h)
  std::uint64_t levels;      ///< [1] bit per level of the grid that is searched by cells
  std::uint32_t level_count[kLevels];  ///< [1] shapes of each level, counted up to kListedLevel + 1 at least
  std::uint64_t steps;                 ///< [1] taken
  double time;                         ///< [s] simulated
  float last_h;                        ///< [s] substep of the last one
  std::uint32_t max_pairs, max_rows;   ///< [1] ever needed at once
  std::uint32_t wide_colors[2];        ///< [1] as Parts::wide, of the contacts of the step in flight
  StepCounts counts;                   ///< of the step in flight
  StepCounts taken;                    ///< of the last step that was taken
};

/// A soft constraint (Catto 2011) of natural frequency f/h and damping ratio z: with W = 2 pi f, a1 = 2 z + W and
/// a2 = W a1 a push is dl = -m (scale v + scale rate x) - leak l. At rest l = -m W^2 x / h, whatever z is. With the
/// relax pass, which has scale 1 and no leak, slow modes are damped by l = -m c v, c = (scale + 1 - W^2) / leak: a high
/// ratio, which is a small leak, stills towers that sway.
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
  Softness contact, cold;         ///< of contacts that are damped more, and while they are cold
  Softness friction, firm;        ///< of the friction of the former, of all other contacts
  float max_depenetration_speed;  ///< [m/s]
  float residual_target;          ///< [m/s]
  float falls;                    ///< [1]    substeps of fall that are no approach
  float warm_scale;               ///< [1]    h / h of the last step
  std::uint32_t world_count;      ///< [1]
  std::uint32_t body_count;       ///< [1] slots
  std::uint32_t shape_count;      ///< [1] slots
  std::uint32_t bucket_count;     ///< [1] power of two
  std::uint32_t pair_capacity;    ///< [1]
  std::uint32_t parity;           ///< [1] which Pairs table is this step's
  std::uint32_t filters;          ///<     FilterUse of all worlds
  bool soft_step;                 ///<     the solver: contacts may be damped more, and have anchors and rests
  bool belts;                     ///<     some material's surface moves
  friend bool operator==(const StepConstants&, const StepConstants&) = default;
};

}  // namespace cairn::kernels
