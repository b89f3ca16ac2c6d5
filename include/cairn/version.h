#pragma once

#include <cstdint>

namespace cairn {

inline constexpr const char* kVersion = "0.2.0";

/// Raised, in a commit of its own and together with the golden hashes, whenever a change moves the bits of a simulation
/// on purpose.
inline constexpr std::uint32_t kNumericsVersion = 26;

}  // namespace cairn
