#pragma once
// Quarter turns: for joints, whose axis is x, and for round shapes, whose axis is z.

#include "cairn/types.h"

namespace cairn::scenes {

inline constexpr float kHalfRoot = 0.70710678f;  ///< [1] sqrt(1/2)
inline constexpr Quat kXToY{0, 0, kHalfRoot, kHalfRoot}, kXToMinusY{0, 0, -kHalfRoot, kHalfRoot};
inline constexpr Quat kXToZ{0, -kHalfRoot, 0, kHalfRoot}, kXToMinusZ{0, kHalfRoot, 0, kHalfRoot};
inline constexpr Quat kZToY{-kHalfRoot, 0, 0, kHalfRoot};

}  // namespace cairn::scenes
