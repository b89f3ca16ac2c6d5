#pragma once

#include <cstdint>
#include <span>

#include <xxhash.h>

namespace cairn::shape {

/// XXH3 of an array's bytes, continued from the hash before.
template <class T>
std::uint64_t hash_of(std::span<const T> list, std::uint64_t before) {
  static_assert(std::has_unique_object_representations_v<T> || alignof(T) == alignof(float), "no padding");
  return XXH3_64bits_withSeed(list.data(), list.size_bytes(), before ^ list.size());
}

}  // namespace cairn::shape
