#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/annotate.h"

namespace cairn::kernels {

/// An array of T whose elements have room for their first bytes only: T ends in members that not every World needs.
/// Code that reads or writes an element uses only the members that it has, and never copies it whole.
template <class T>
struct StridedArray {
  T* first{nullptr};               ///< [T] (elements)
  std::uint32_t bytes{sizeof(T)};  ///< [B] from one element to the next

  CAIRN_HD T& operator[](std::size_t i) const {
    return *reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(first) + i * bytes);
  }
  friend bool operator==(const StridedArray&, const StridedArray&) = default;
};

}  // namespace cairn::kernels
