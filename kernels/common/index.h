#pragma once
// Indices of slots, in 32 bits.

#include <cstdint>

namespace cairn::kernels {

inline constexpr std::uint32_t kNone = 0xffffffffu;  ///< no slot

}  // namespace cairn::kernels
