#pragma once
// Every public call of World, ready to be made, and the worlds to make them on.

#include <functional>
#include <string>
#include <vector>

#include "cairn/cairn.h"

namespace cairn::testing_support {

/// A call of World's that has its arguments: to make it takes no memory but the library's.
using Ready = std::function<void()>;

struct WorldCall {
  const char* name;  ///< as in cairn/world.h; of several of one name each has an entry
  /// Chooses arguments for a world, by a number that may be any. May throw InvalidArgument where there are none.
  std::function<Ready(World&, std::uint32_t)> prepare;
};

const std::vector<WorldCall>& world_calls();

/// A world with something of what Worlds may have, some steps old. Two of one name are alike to the bit.
struct SampleWorld {
  const char* name;
  std::function<World()> make;
};
const std::vector<SampleWorld>& sample_worlds();

}  // namespace cairn::testing_support
