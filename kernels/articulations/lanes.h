#pragma once
// Words of articulations in lanes, and their types.

#include <cstddef>
#include <cstdint>

#include "kernels/articulations/inertia.h"
#include "kernels/common/team.h"

namespace cairn::kernels::articulate {

/// Words of one articulation, `stride` apart: neighbours in a batch have theirs side by side.
template <class T>
struct LaneT;
template <>
struct LaneT<double> {
  double* at;            ///< [1] word 0
  std::uint32_t stride;  ///< [1]
  CAIRN_HD double& operator[](std::uint32_t word) const { return at[std::size_t{word} * stride]; }
  CAIRN_HD LaneT from(std::uint32_t word) const { return {at + std::size_t{word} * stride, stride}; }
  /// f(i) for each articulation of this type, and the lane of the i-th.
  template <class F>
  CAIRN_HD static double each(const F& f) {
    return f(0u);
  }
  CAIRN_HD LaneT one(std::uint32_t) const { return *this; }
};
using Lane = LaneT<double>;

CAIRN_HD Lane lane_of(double* data, std::uint32_t words, std::uint32_t lanes, std::uint32_t i) {
  return {data + std::size_t{i / lanes} * words * lanes + i % lanes, lanes};
}

template <class Team, class T>
CAIRN_HD void copy(const Team& team, LaneT<T> from, LaneT<T> to, std::uint32_t words) {
  team.each(words, [&](std::uint32_t w) { to[w] = from[w]; });
}
CAIRN_HD void copy(Lane from, Lane to, std::uint32_t words) { copy(Alone{}, from, to, words); }

/// A value whose numbers are the first words of a lane.
template <template <class> class V, class T>
CAIRN_HD V<T> load_as(LaneT<T> l) {
  return of_numbers<V, T>([&](std::uint32_t k) { return l[k]; });
}
template <template <class> class V, class T>
CAIRN_HD void store(LaneT<T> l, const V<T>& v) {
  each_number<V>([&](std::uint32_t k) { l[k] = number(v, k); });
}

}  // namespace cairn::kernels::articulate
