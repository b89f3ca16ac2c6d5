// The memory of worlds, computed before any is allocated.

#include "src/world/estimate.h"

#include <algorithm>

#include "cairn/world.h"
#include "src/exec/counted_memory.h"
#include "src/exec/out_of_memory.h"
#include "src/shape/shape_parts.h"
#include "src/world/arrays.h"
#include "src/world/features.h"
#include "src/world/masses.h"

namespace cairn {

std::vector<BodySlot> slots_for(const Scene& scene, std::uint32_t worlds) {
  std::vector<BodySlot> bodies;
  for (std::uint32_t w = 0; w < worlds; ++w) {
    for (const Body& body : scene.bodies()) {
      BodySlot& slot = bodies.emplace_back();
      slot.world = w;
      slot.alive = true;
      slot.body.type = body.type;
      slot.body.enabled = body.enabled;
    }
  }
  return bodies;
}

namespace {

/// MassRanges::ratio of a World of the scene.
double mass_ratio_of(const Scene& scene) {
  std::vector<BodySlot> bodies = slots_for(scene, 1);
  for (const SceneArticulation& of : scene.articulations()) {
    for (const std::uint32_t at : of.bodies) {
      if (at != kNoLinkBody) bodies[at].link = true;
    }
  }
  MassRanges masses;
  masses.restart(1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].body = scene.bodies()[i];
    bodies[i].compute_mass(scene.materials());
    masses.take(bodies[i]);
  }
  return masses.ratio();
}

bool surface_moves(const Material& material) { return !(material.surface_velocity == Vec3{}); }

std::uint64_t count_bytes(const Scene& scene, std::uint32_t worlds, const WorldOptions& options) {
  check_world_count(worlds);
  exec::CountedMemory memory;
  Arrays arrays(memory.journal);
  arrays.choose(options);
  const std::vector<const Scene*> scenes(worlds, &scene);
  const Room filled = room_for(scenes, {});
  arrays.reserve(room_for(scenes, options.capacity));
  if (std::ranges::any_of(scene.materials(), &surface_moves)) arrays.reserve_frames(worlds);
  // only the number of a world's bodies matters, not their slots
  for (const Body& body : scene.bodies()) {
    for (const shape::Part& part : shape::parts_of(body)) arrays.take(part.shape.geometry);
  }
  const std::vector<std::uint32_t> slots(scene.bodies().size());
  const std::vector<std::span<const std::uint32_t>> slots_of(worlds, slots);
  Tuning tuning = options.tuning;
  if (options.trace) tuning.small_world = 0;
  const PartLists parts =
      list_parts(slots_of, !scene.joints().empty() || !scene.articulations().empty(), tuning, options.device);
  arrays.set_parts(parts);
  const StepContext step = arrays.context(scene.params(), {.worlds = worlds,
                                                           .bodies = static_cast<std::uint32_t>(filled.bodies),
                                                           .shapes = static_cast<std::uint32_t>(filled.shapes),
                                                           .mass_ratio = mass_ratio_of(scene),
                                                           .parity = 0});
  const Estimate of{scene, parts, step};
  std::uint64_t bytes = memory.journal.held();
#define CAIRN_ADD(Type, name) bytes += Type::bytes(of);
  CAIRN_FEATURES(CAIRN_ADD)
#undef CAIRN_ADD
  return bytes;
}

}  // namespace

std::uint64_t estimate_memory(const Scene& scene, std::uint32_t worlds, const WorldOptions& options) {
  return with_heap([&] { return count_bytes(scene, worlds, options); });
}

}  // namespace cairn
