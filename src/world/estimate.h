#pragma once
// What the memory of a World is computed from before it exists.

#include <cstdint>
#include <vector>

#include "cairn/scene.h"
#include "src/step_context.h"
#include "src/world/frame.h"
#include "src/world/parts.h"

namespace cairn {

/// Copies of one scene as the worlds of a batch. Their bodies have the slots 0, 1, ... world by world.
struct Estimate {
  const Scene& scene;
  const PartLists& parts;
  const StepContext& step;  ///< with the parts and counts, without features

  std::uint32_t worlds() const { return static_cast<std::uint32_t>(parts.of_world.size()); }
  std::uint32_t bodies() const { return static_cast<std::uint32_t>(scene.bodies().size()); }  ///< of one copy
};

/// The bodies of so many copies of a scene, with the members that stores need for counting.
std::vector<BodySlot> slots_for(const Scene& scene, std::uint32_t worlds);

}  // namespace cairn
