#pragma once

#include <cstdlib>

namespace cairn::fuzz {

/// What a fuzzer takes for a fault where it doesn't hold.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace cairn::fuzz
