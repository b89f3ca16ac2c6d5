#pragma once
// The fields of a World in a step. Rows are bodies in the view of its laws, and one body may have several.

#include "kernels/common/atomic.h"
#include "kernels/common/state.h"
#include "kernels/fields/near.h"

namespace cairn::kernels {

/// Bodies of one world that some laws share: rows [first, first + count).
struct FieldSystem {
  std::uint32_t world, first, count;  ///< [1]
};

/// Rows are ordered by system, those with a grid first, and within a system by the bodies' ids.
struct FieldRows {
  std::uint32_t rows{0}, near_rows{0}, systems{0}, buckets{0};  ///< [1]
  const std::uint32_t* slot{nullptr};                           ///< [1]   (rows) of the body
  const std::uint32_t* system_of{nullptr};                      ///< [1]   (rows)
  const FieldSystem* system{nullptr};                           ///<       (systems)
  ParticleView<double>* view{nullptr};  ///<       (systems) input of its laws; near.reach_squared is each law's
  Vec3d* x{nullptr};                    ///< [m]   (rows)
  Vec3d* v{nullptr};                    ///< [m/s] (rows)
  double* mass{nullptr};                ///< [kg]  (rows) of a body that isn't dynamic its nominal mass
  Vec3d* force{nullptr};                ///< [N]   (rows) sum over the laws
  NearArrays<double> near{};            ///<       (near rows) of all grids
  const std::uint32_t* begin{nullptr};  ///< [1]   (bodies + 1) first entry of `row` of each body
  const std::uint32_t* row{nullptr};    ///< [1]   (rows) by body, then by row
};

/// A law, and its range if it uses neighbours.
template <class L>
struct FieldLaw {
  L force;
  double reach_squared;  ///< [m^2]
};

/// All laws of one kind, system by system.
template <class L>
struct FieldLaws {
  const FieldLaw<L>* law{nullptr};
  const std::uint32_t* begin{nullptr};  ///< [1] (systems + 1)
  std::uint32_t count{0};               ///< [1]
};

/// The time of system i's world. One thread per system.
struct FieldClock {
  FieldRows all;
  Worlds worlds;
  CAIRN_HD void operator()(std::uint32_t i) const { all.view[i].time = worlds.time[all.system[i].world]; }
};

/// Writes the bucket of row i, of those with a grid. One thread per row.
struct FieldKey {
  FieldRows all;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const NearGrid<double>& grid = all.view[all.system_of[i]].near;
    // buckets of a grid follow those of the one before it
    const auto first = static_cast<std::uint32_t>(grid.begin - all.near.begin);
    all.near.key[i] = first + grid.bucket_of(grid.cell_of(all.x[i]));
  }
};

/// Writes place i of the grids' arrays; order has rows before, and indices in their system after. One thread per place.
struct FieldSort {
  FieldRows all;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t row = all.near.order[i], s = all.system_of[row];
    all.near.position[i] = all.x[row];
    all.near.cell[i] = all.view[s].near.cell_of(all.x[row]);
    all.near.order[i] = row - all.system[s].first;
  }
};

/// Adds the forces of laws of one kind on row i to its force. One thread per row.
template <class L>
struct FieldForce {
  FieldRows all;
  FieldLaws<L> laws;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t s = all.system_of[i], first = laws.begin[s], end = laws.begin[s + 1];
    if (first == end) return;
    ParticleView<double> seen = all.view[s];
    Vec3d sum = all.force[i];
    for (std::uint32_t k = first; k < end; ++k) {
      seen.near.reach_squared = laws.law[k].reach_squared;
      sum = sum + laws.law[k].force(seen, i - all.system[s].first);
    }
    all.force[i] = sum;
  }
};

/// The sum over the rows of body i is its force, unless it sleeps. Then field_force keeps the force at rest, of the
/// step after it fell asleep. Its island wakes if the change since then would bring it to the speed of awake bodies
/// within the time that falling asleep takes, or if the force isn't finite. A woken body keeps the old force for this
/// step, which may have to be repeated. Writes field_force of body i, and wake[island]: 1, from any thread. One thread
/// per body slot.
struct FieldTake {
  FieldRows all;
  Bodies bodies;
  Worlds worlds;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t flags = bodies.flags[i];
    Vec3& kept = bodies.field_force[i];
    if (is_disabled(flags)) kept = {0, 0, 0};
    if (!takes_forces(flags)) return;
    if (!is_dynamic(flags)) {
      kept = {0, 0, 0};
      return;
    }
    Vec3d sum{0, 0, 0};
    for (std::uint32_t k = all.begin[i]; k < all.begin[i + 1]; ++k) sum = sum + all.force[all.row[k]];
    const Vec3 force = narrow(sum);
    if (!keeps_field_force(flags)) {
      kept = force;
      if ((flags & kBodyAsleep) == 0 || finite(force)) return;
    }
    const WorldParams& params = worlds.params[bodies.world[i]];
    const float gain = bodies.inv_mass[i] * length(force - kept) * params.sleep_time;
    if (!(gain <= params.sleep_speed)) atomic_store(&bodies.wake[bodies.island[i]], 1u);
  }
};

}  // namespace cairn::kernels
