#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "kernels/common/index.h"
#include "kernels/common/vec.h"
#include "src/shape/polyhedron.h"

namespace cairn::shape {
namespace {

using kernels::kNone;

std::uint64_t key(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

/// The facet on the left of each edge.
using EdgeMap = std::unordered_map<std::uint64_t, std::uint32_t>;

/// The rim of a set of facets, or empty if it isn't one simple circle.
Ring rim(const std::vector<std::uint32_t>& set, const std::vector<Facet>& facets, const EdgeMap& left,
         const std::vector<std::uint32_t>& group_of, std::uint32_t group) {
  std::unordered_map<std::uint32_t, std::uint32_t> next;
  std::uint32_t least = kNone;
  for (const std::uint32_t f : set) {
    const Ring& ring = facets[f].ring;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const std::uint32_t from = ring[k], to = ring[(k + 1) % ring.size()];
      if (group_of[left.at(key(to, from))] == group) continue;
      if (!next.emplace(from, to).second) return {};
      least = std::min(least, from);
    }
  }
  if (next.size() < 3) return {};
  Ring ring{least};
  for (std::uint32_t at = next.at(least); at != least; at = next.at(at)) {
    ring.push_back(at);
    if (ring.size() > next.size() || !next.contains(at)) return {};
  }
  if (ring.size() != next.size()) return {};
  return ring;
}

}  // namespace

std::vector<Facet> merged(const std::vector<Facet>& facets, std::span<const Vec3d> points, double tolerance) {
  EdgeMap left;
  for (std::uint32_t f = 0; f < facets.size(); ++f) {
    const Ring& ring = facets[f].ring;
    for (std::size_t k = 0; k < ring.size(); ++k) left.emplace(key(ring[k], ring[(k + 1) % ring.size()]), f);
  }
  // the largest first; the order of qhull's facets may change with its version, so nothing depends on it
  std::vector<std::uint32_t> order(facets.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return facets[a].area != facets[b].area ? facets[a].area > facets[b].area : facets[a].ring < facets[b].ring;
  });

  std::vector<Facet> out;
  std::vector<std::uint32_t> group_of(facets.size(), kNone);
  for (const std::uint32_t seed : order) {
    if (group_of[seed] != kNone) continue;
    const Plane3& plane = facets[seed].plane;
    const auto group = static_cast<std::uint32_t>(out.size());
    std::vector<std::uint32_t> set{seed};
    group_of[seed] = group;
    for (std::size_t at = 0; at < set.size(); ++at) {
      const Ring& ring = facets[set[at]].ring;
      for (std::size_t k = 0; k < ring.size(); ++k) {
        const std::uint32_t other = left.at(key(ring[(k + 1) % ring.size()], ring[k]));
        if (group_of[other] != kNone) continue;
        const bool flush = std::ranges::all_of(facets[other].ring, [&](std::uint32_t corner) {
          return kernels::dot(plane.normal, points[corner]) >= plane.offset - tolerance;
        });
        if (!flush) continue;
        group_of[other] = group;
        set.push_back(other);
      }
    }
    Ring ring = rim(set, facets, left, group_of, group);
    if (ring.empty()) {
      // facets that enclose others, or only meet at a corner, stay as they were
      for (const std::uint32_t f : set) group_of[f] = kNone;
      group_of[seed] = group;
      ring = facets[seed].ring;
    }
    out.push_back({std::move(ring), plane, facets[seed].area});
  }
  return out;
}

}  // namespace cairn::shape
