#pragma once
// The bodies of an articulation's links, from its description alone.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/scene.h"
#include "src/articulations/compile_articulation.h"

namespace cairn {

/// An articulation and the bodies of its links.
struct LinkBodies {
  SceneArticulation made;         ///< its bodies are indices of `bodies`
  std::vector<Body> bodies;       ///< in the order of the links, at its start
  std::vector<BodyPair> ignored;  ///< indices of bodies that ignore each other
};
/// Throws InvalidArgument if the articulation or its start breaks a rule; doesn't check the bodies.
LinkBodies bodies_of_links(Articulation articulation, ArticulationState start);

/// Pairs of links, as bodies, that ignore each other because they are fixed together or connected by a joint. `bodies`
/// (links) may hold kNoLinkBody, which is in no pair.
std::vector<BodyPair> pairs_of_links(const CompiledArticulation& made, std::span<const std::uint32_t> bodies);

}  // namespace cairn
