#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/annotate.h"

namespace cairn::kernels {

/// An array of T of whose elements only the first bytes have room: a T ends in what not every World needs. Who reads
/// or writes an element keeps to the members that it has, and never copies it whole.
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
