#pragma once
// Worlds to make calls on.

#include <functional>
#include <ostream>
#include <vector>

#include "cairn/cairn.h"

namespace cairn::testing_support {

/// A world with something of what Worlds may have, some steps old. Two of one name are alike to the bit, whatever
/// device and stream they are given.
struct SampleWorld {
  const char* name;
  std::function<World(const WorldOptions&)> make;
};
inline void PrintTo(const SampleWorld& sample, std::ostream* out) { *out << sample.name; }
const std::vector<SampleWorld>& sample_worlds();

/// A floor, a pile of what touches, joints with a gear, pairs that ignore each other.
Scene furnished(SolverKind solver = SolverKind::kSoftStep);
Scene furnished_with_arm();
Scene furnished_with_particles();

}  // namespace cairn::testing_support
