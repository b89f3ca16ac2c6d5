#pragma once
// Which shapes may touch.

#include <cstdint>

namespace cairn {

/// Two shapes of one group other than 0 touch if it is over 0, and don't if it is under 0. Otherwise the category of
/// each must have a bit of the other's mask. Shapes of one body never touch, nor do bodies that ignore each other.
struct Filter {
  std::uint32_t category{1};                ///< [1] bits: what the shape is
  std::uint32_t mask{~std::uint32_t{0}};    ///< [1] bits: what it touches
  std::int32_t group{0};                    ///< [1] 0: none
  friend bool operator==(const Filter&, const Filter&) = default;
};

}  // namespace cairn
