// What worlds that stay and worlds of an image have together: surfaces, pairs, events, articulations, particles.

#include <algorithm>

#include "src/snapshot/place.h"

namespace cairn {

using snapshot::Placement;

namespace {

/// Slots, or a World's numbers of triangles, in the place of an image's ids and numbers.
class KeyOf {
 public:
  KeyOf(const Placement& placement, const snapshot::WorldPart& part)
      : shape_slots_(placement.shape_slots), surfaces_(part), first_of_(placement.shape_slots.size(), 0) {
    for (std::size_t s = 0; s < part.surfaces.size(); ++s)
      first_of_[part.surfaces[s].shape] = placement.surface_first[s];
  }
  std::uint64_t operator()(std::uint64_t key) const {
    const kernels::PairShapes pair = kernels::shapes_of(key, surfaces_.view());
    const bool on_triangle = (key & 0xffffffffu) >= kernels::kFirstTriangle;
    const std::uint64_t a = shape_slots_[pair.a],
                        b = on_triangle ? first_of_[pair.b] + pair.triangle : shape_slots_[pair.b];
    return a << 32 | b;
  }

 private:
  const std::vector<std::uint32_t>& shape_slots_;
  snapshot::ImageSurfaces surfaces_;
  std::vector<std::uint32_t> first_of_;
};

}  // namespace

std::vector<std::uint64_t> World::Impl::Restore::merged_pairs(std::vector<kernels::Manifold>& manifolds) const {
  std::vector<std::uint64_t> keys;
  if (!whole) {
    const std::uint32_t last = world.next_parity() ^ 1u;
    const kernels::Pairs& table = world.arrays.pairs[last].view();
    const std::uint32_t count = world.arrays.state.get(0).pair_count[last];
    keys = world.read(table.key, count);
    manifolds = world.read(table.manifold, count);
  }
  std::vector<bool> replaced(world.shape_slots, false);
  for (const Placement& p : placements) {
    for (const std::uint32_t slot : p.shape_slots) {
      if (slot < world.shape_slots) replaced[slot] = true;
    }
  }
  // what stays, by key; then what comes, world by world
  struct Pair {
    std::uint64_t key;
    const kernels::Manifold* manifold;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!replaced[keys[i] >> 32] && world.has_surface_of(keys[i])) pairs.push_back({keys[i], &manifolds[i]});
  }
  const kernels::Pairs& from = image.pair_columns.view();
  for (const Placement& p : placements) {
    const KeyOf key_of(p, image.worlds[p.from]);
    for (std::size_t i = p.ranges.pairs.first; i < p.ranges.pairs.last; ++i)
      pairs.push_back({key_of(from.key[i]), &from.manifold[i]});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.key < b.key; });
  std::vector<kernels::Manifold> merged;
  merged.reserve(pairs.size());
  keys.clear();
  for (const Pair& pair : pairs) {
    keys.push_back(pair.key);
    merged.push_back(*pair.manifold);
  }
  manifolds = std::move(merged);
  return keys;
}

void World::Impl::Restore::number_surfaces() {
  std::uint64_t next = whole ? kernels::kFirstTriangle : world.next_triangle;
  for (Placement& p : placements) {
    p.surface_first.clear();
    for (const snapshot::SurfacePart& surface : image.worlds[p.from].surfaces) {
      p.surface_first.push_back(static_cast<std::uint32_t>(next));
      next += surface.triangles;
    }
  }
  check_triangles(next);
}

std::vector<SurfaceSlot> World::Impl::Restore::merged_surfaces() const {
  std::vector<SurfaceSlot> merged;
  if (!whole) {
    std::vector<bool> replaced(world.shape_slots, false);
    for (const Placement& p : placements) {
      for (const std::uint32_t slot : world.worlds[p.to].shape_slots) replaced[slot] = true;
    }
    for (const SurfaceSlot& surface : world.surfaces) {
      if (!replaced[surface.shape]) merged.push_back(surface);
    }
  }
  for (const Placement& p : placements) {
    const snapshot::WorldPart& part = image.worlds[p.from];
    for (std::size_t s = 0; s < part.surfaces.size(); ++s)
      merged.push_back({p.surface_first[s], part.surfaces[s].triangles, p.shape_slots[part.surfaces[s].shape]});
  }
  return merged;
}

ArticulationTables World::Impl::Restore::merged_articulations(std::vector<ArticulationMotion>& motions) const {
  std::vector<ArticulationSlot> merged(motions.size());
  if (!whole) {
    std::ranges::copy(world.articulations.all(), merged.begin());
    std::ranges::move(world.articulations.motions(), motions.begin());
  }
  for (const Placement& p : placements) {
    const std::vector<snapshot::ArticulationPart>& parts = image.worlds[p.from].articulations;
    for (std::size_t id = 0; id < p.articulation_slots.size(); ++id) {
      const std::uint32_t at = p.articulation_slots[id];
      merged[at] = {.world = p.to};
      motions[at] = {};
      if (id >= parts.size() || parts[id].of == kernels::kNone) continue;
      merged[at] = articulation_slot(image.articulations[parts[id].of], p.to, p.body_slots);
      motions[at] = parts[id].motion;
    }
  }
  return ArticulationTables(std::move(merged));
}

std::vector<ParticlesSlot> World::Impl::Restore::merged_particles() const {
  std::vector<const snapshot::Placement*> placed(whole ? image.worlds.size() : world.worlds.size(), nullptr);
  for (const Placement& p : placements) placed[p.to] = &p;
  std::vector<ParticlesSlot> merged;
  if (!whole) {
    const std::vector<std::uint32_t> broken = world.constraints.read_broken();
    for (const ParticlesSlot& slot : world.constraints.all()) {
      if (placed[slot.world] != nullptr) continue;
      merged.push_back(slot);
      merged.back().broken = world.constraints.broken(slot, broken);
    }
  }
  for (const Placement& p : placements) {
    const auto slots = [&](std::vector<std::uint32_t> ids) {
      for (std::uint32_t& id : ids) id = id == kernels::kNone ? kernels::kNone : p.body_slots[id];
      return ids;
    };
    for (const snapshot::ParticlesPart& part : image.worlds[p.from].particles) {
      merged.push_back(
          {p.to, slots(part.bodies), slots(part.held_by), part.anchors, part.broken, image.particles[part.of]});
    }
  }
  std::ranges::stable_sort(merged, {}, &ParticlesSlot::world);
  return merged;
}

std::vector<EventRow> World::Impl::Restore::merged_events() const {
  std::vector<EventRow> rows;
  if (!world.arrays.contact_events) return rows;
  if (!whole) {
    std::vector<bool> replaced(world.worlds.size(), false);
    for (const Placement& p : placements) replaced[p.to] = true;
    rows = world.read_events();
    std::erase_if(rows, [&](const EventRow& row) { return replaced[world.slots[row.body_a].world]; });
  }
  for (const Placement& p : placements) {
    const KeyOf key_of(p, image.worlds[p.from]);
    for (const snapshot::EventPart& t : image.worlds[p.from].events) {
      rows.push_back({key_of(t.key),
                      p.body_slots[t.body_a],
                      p.body_slots[t.body_b],
                      t.generation_a,
                      t.generation_b,
                      t.shape_a,
                      t.shape_b,
                      kernels::kEventRestored | (t.sensor ? kernels::kEventSensor : 0u),
                      {},
                      {},
                      0,
                      0});
    }
  }
  std::sort(rows.begin(), rows.end(), [](const EventRow& a, const EventRow& b) { return a.key < b.key; });
  return rows;
}

}  // namespace cairn
