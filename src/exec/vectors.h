#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "kernels/common/arrays.h"

namespace cairn::exec {

/// A table of kernels/ in the host's memory. It only grows.
template <class Table, class List = decltype(kernels::list_of<Table>())>
class Vectors;
template <class Row>
struct VectorOf {
  std::vector<std::remove_pointer_t<typename Row::Type>> values;
};
template <class Table, class... Rows>
class Vectors<Table, TypedList<Rows...>> : VectorOf<Rows>... {
  static_assert(kernels::arrays::is_whole<Table>(TypedList<Rows...>{}));

 public:
  std::size_t size() const { return size_; }
  /// Room for so many entries in each array. The new ones are as their type starts.
  void grow(std::size_t size) {
    if (size <= size_) return;
    (VectorOf<Rows>::values.resize(size), ...);
    size_ = size;
  }
  Table table() {
    Table of;
    ((of.*Rows::member = VectorOf<Rows>::values.data()), ...);
    return of;
  }

 private:
  std::size_t size_{0};
};

}  // namespace cairn::exec
