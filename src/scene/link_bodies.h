#pragma once
// What of an articulation's bodies follows from its links alone.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/scene.h"
#include "src/articulations/compile_articulation.h"

namespace cairn {

/// Pairs of links that ignore each other because one is fixed to the other or hangs from it by a joint, as bodies.
/// `bodies` (links) may hold kNoLinkBody, which is in no pair.
std::vector<BodyPair> pairs_of_links(const CompiledArticulation& made, std::span<const std::uint32_t> bodies);

}  // namespace cairn
