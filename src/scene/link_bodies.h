#pragma once
// What of an articulation's bodies follows from its links alone.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/scene.h"
#include "src/articulations/compile_articulation.h"

namespace cairn {

/// An articulation and the bodies of its links.
struct LinkBodies {
  SceneArticulation made;         ///< its bodies are places in `bodies`
  std::vector<Body> bodies;       ///< in the order of the links, where it starts
  std::vector<BodyPair> ignored;  ///< places of those that ignore each other
};
/// Throws InvalidArgument if the articulation, or its start, breaks a rule; those of the bodies are not looked at.
LinkBodies bodies_of_links(Articulation articulation, ArticulationState start);

/// Pairs of links that ignore each other because one is fixed to the other or hangs from it by a joint, as bodies.
/// `bodies` (links) may hold kNoLinkBody, which is in no pair.
std::vector<BodyPair> pairs_of_links(const CompiledArticulation& made, std::span<const std::uint32_t> bodies);

}  // namespace cairn
