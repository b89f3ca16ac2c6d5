#pragma once
// The grid of include/cairn/particle_view.h.

#include "cairn/particle_view.h"
#include "kernels/common/annotate.h"

namespace cairn::kernels {

/// Arrays of a NearGrid. There is a place and a bucket for each particle, so that nothing can overflow.
template <class T>
struct NearArrays {
  Vec3T<T>* position;                ///< [m] (count)
  typename NearGrid<T>::Cell* cell;  ///< [1] (count)
  std::uint32_t* order;              ///< [1] (count)
  std::uint32_t* begin;              ///< [1] (buckets + 1)
  std::uint32_t* key;                ///< [1] (count) bucket of each particle
  std::uint32_t* sorted_key;         ///< [1] (count)
};

/// Writes key[i]. One thread per particle.
template <class T>
struct NearKey {
  NearGrid<T> grid;
  const Vec3T<T>* x;   ///< [m] (count)
  std::uint32_t* key;  ///< [1] (count)
  CAIRN_HD void operator()(std::uint32_t i) const { key[i] = grid.bucket_of(grid.cell_of(x[i])); }
};

/// Writes place i of position and cell. One thread per place.
template <class T>
struct NearPlace {
  NearGrid<T> grid;
  NearArrays<T> to;
  const Vec3T<T>* x;  ///< [m] (count)
  CAIRN_HD void operator()(std::uint32_t i) const {
    const Vec3T<T> at = x[to.order[i]];
    to.position[i] = at;
    to.cell[i] = grid.cell_of(at);
  }
};

}  // namespace cairn::kernels
