// Shared tables of remaining worlds and an image's worlds: surfaces and pairs.

#include <algorithm>

#include "src/snapshot/restore.h"

namespace cairn::snapshot {

KeyMap keys_to(const Placement& placement, const WorldPart& part) {
  KeyMap made{ImageSurfaces(part), placement.shape_slots, std::vector<std::uint32_t>(placement.shape_slots.size(), 0)};
  for (std::size_t s = 0; s < part.surfaces.size(); ++s) {
    made.first[part.surfaces[s].shape] = placement.surface_first[s];
  }
  return made;
}

std::vector<std::uint64_t> Restore::merged_pairs(std::vector<kernels::Manifold>& manifolds) const {
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
  // remaining pairs, by key; then new ones, world by world
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
    const KeyMap key_of = keys_to(p, image.worlds[p.from]);
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

void Restore::number_surfaces() {
  std::uint64_t next = whole ? kernels::kFirstTriangle : world.next_triangle;
  for (Placement& p : placements) {
    p.surface_first.clear();
    for (const SurfacePart& surface : image.worlds[p.from].surfaces) {
      p.surface_first.push_back(static_cast<std::uint32_t>(next));
      next += surface.triangles;
    }
  }
  check_triangles(next);
}

std::vector<SurfaceSlot> Restore::merged_surfaces() const {
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
    const WorldPart& part = image.worlds[p.from];
    for (std::size_t s = 0; s < part.surfaces.size(); ++s)
      merged.push_back({p.surface_first[s], part.surfaces[s].triangles, p.shape_slots[part.surfaces[s].shape]});
  }
  return merged;
}

}  // namespace cairn::snapshot
