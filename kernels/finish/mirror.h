#pragma once
// Steps of a CUDA graph are the same every time, and use the same tables. A step that may be captured in one works on
// table 0 and copies the result to table 1, which the next step reads as the last one's.

#include "kernels/common/state.h"

namespace cairn::kernels {

template <class T>
CAIRN_HD void copy_entry(T& to, const T& from) {
  to = from;
}
CAIRN_HD void copy_entry(Manifold& to, const Manifold& from) { copy_manifold(to, from); }

template <class List>
struct EntryCopy;
template <class... Rows>
struct EntryCopy<TypedList<Rows...>> {
  template <class Table>
  CAIRN_HD static void copy(const Table& to, const Table& from, std::uint32_t i) {
    (copy_entry((to.*Rows::member)[i], (from.*Rows::member)[i]), ...);
  }
};

/// Copies entry i of all arrays of a table of this step: its pairs, or its events. One thread per entry.
template <class Table>
struct MirrorTable {
  Table from, to;
  CAIRN_HD void operator()(std::uint32_t i) const { EntryCopy<decltype(list_of<Table>())>::copy(to, from, i); }
};

/// Copies their count. Once, after them.
struct MirrorCount {
  std::uint32_t* counts;  ///< [1] (2) of both tables
  std::uint32_t parity;
  CAIRN_HD void operator()() const { counts[parity ^ 1u] = counts[parity]; }
};

}  // namespace cairn::kernels
