#pragma once
// Worlds to make calls on.

#include <functional>
#include <vector>

#include "cairn/cairn.h"

namespace cairn::testing_support {

/// A world with something of what Worlds may have, some steps old. Two of one name are alike to the bit.
struct SampleWorld {
  const char* name;
  std::function<World()> make;
};
const std::vector<SampleWorld>& sample_worlds();

}  // namespace cairn::testing_support
