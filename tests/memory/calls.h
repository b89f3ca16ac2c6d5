#pragma once
// Every public call of World, ready to be made.

#include <functional>
#include <string>
#include <vector>

#include "cairn/cairn.h"

namespace cairn::testing_support {

/// A call of World's that has its arguments: to make it takes no memory but the library's.
using Ready = std::function<void()>;

struct WorldCall {
  const char* name;  ///< as functions_of_world has it; of several of one name each has an entry
  /// Chooses arguments for a world, by a number that may be any. May throw InvalidArgument where there are none.
  std::function<Ready(World&, std::uint32_t)> prepare;
};

const std::vector<WorldCall>& world_calls();

}  // namespace cairn::testing_support
