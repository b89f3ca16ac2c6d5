#pragma once
// Collision filters of shapes.

#include <cstdint>

#include "cairn/attributes.h"

namespace cairn {

/// Two shapes of one group other than 0 touch if it is over 0, and don't if it is under 0. Otherwise the category of
/// each must have a bit of the other's mask. Shapes of one body never touch, nor do bodies that ignore each other.
struct Filter {
  std::uint32_t category{1};
  std::uint32_t mask{~std::uint32_t{0}};
  std::int32_t group{0};
  friend bool operator==(const Filter&, const Filter&) = default;
};

template <Same<Filter> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::category>({.meaning = "bits: what the shape is"}),
                                          attribute<&S::mask>({.meaning = "bits: what it touches"}),
                                          attribute<&S::group>({.meaning = "0: none"})};

}  // namespace cairn
