#pragma once

#include <cstdlib>

namespace cairn::testing_support {

/// CAIRN_LONG=1 asks for tests at full size, which take minutes.
inline bool is_long() { return std::getenv("CAIRN_LONG") != nullptr; }

}  // namespace cairn::testing_support
