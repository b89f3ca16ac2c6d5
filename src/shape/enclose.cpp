// The only file that calls qhull.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include <libqhull_r/qhull_ra.h>

#include "cairn/errors.h"
#include "kernels/common/vec.h"
#include "src/shape/polyhedron.h"

namespace cairn::shape {
namespace {

using kernels::cross;
using kernels::dot;
using kernels::operator-;
using kernels::operator*;

/// One run of qhull. Errors are returned as exit codes, and its output as a string.
class Run {
 public:
  Run(std::vector<double>& coordinates, const char* options) {
    qh_zero(&state_, nullptr);
    char* text = nullptr;
    std::size_t length = 0;
    std::FILE* const to = open_memstream(&text, &length);
    if (to == nullptr) throw std::bad_alloc();
    // it may write into the text of its options
    std::string command = options;
    exit_code = qh_new_qhull(&state_, 3, static_cast<int>(coordinates.size() / 3), coordinates.data(), False,
                             command.data(), nullptr, to);
    std::fclose(to);
    message.assign(text, length);
    std::free(text);
    state_.NOerrexit = True;
  }
  ~Run() {
    int held = 0, total = 0;
    qh_freeqhull(&state_, !qh_ALL);
    qh_memfreeshort(&state_, &held, &total);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  facetT* first_facet() const { return state_.facet_list; }
  std::uint32_t point(const vertexT* vertex) const {
    return static_cast<std::uint32_t>((vertex->point - state_.first_point) / 3);
  }

  int exit_code{0};
  std::string message;

 private:
  qhT state_{};
};

/// The corners of a facet in a circle of either direction, by its ridges if it has some. Empty if there is no circle.
Ring ring_of(const Run& run, facetT* facet) {
  Ring ring;
  vertexT *vertex, **vertexp;
  if (facet->simplicial) {
    FOREACHvertex_(facet->vertices) ring.push_back(run.point(vertex));
    return ring;
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  ridgeT *ridge, **ridgep;
  FOREACHridge_(facet->ridges) {
    const auto end = [&](int k) { return run.point(static_cast<vertexT*>(ridge->vertices->e[k].p)); };
    edges.emplace_back(end(0), end(1));
  }
  if (edges.size() < 3) return {};
  ring = {edges[0].first, edges[0].second};
  edges.erase(edges.begin());
  while (!edges.empty()) {
    const auto next = std::find_if(edges.begin(), edges.end(), [&](const auto& edge) {
      return edge.first == ring.back() || edge.second == ring.back();
    });
    if (next == edges.end()) return {};
    ring.push_back(next->first == ring.back() ? next->second : next->first);
    edges.erase(next);
  }
  if (ring.back() != ring.front()) return {};
  ring.pop_back();
  Ring sorted = ring;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return {};
  return ring;
}

double length(Vec3d v) { return std::sqrt(dot(v, v)); }

/// The sum of cross products of a ring's edges from its first corner: along the normal, of length twice the area.
Vec3d doubled_area(const Ring& ring, std::span<const Vec3d> points) {
  Vec3d sum{};
  const Vec3d origin = points[ring[0]];
  for (std::size_t k = 1; k + 1 < ring.size(); ++k)
    sum = kernels::operator+(sum, cross(points[ring[k]] - origin, points[ring[k + 1]] - origin));
  return sum;
}

/// Orients a ring counter-clockwise seen from outside, starts it at its lowest corner, and computes its plane. False if
/// it has no area.
bool finish(Facet& facet, std::span<const Vec3d> points, Vec3d inside) {
  Ring& ring = facet.ring;
  Vec3d normal = doubled_area(ring, points);
  if (dot(normal, inside - points[ring[0]]) > 0) std::reverse(ring.begin(), ring.end());
  std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
  normal = doubled_area(ring, points);
  const double twice = length(normal);
  if (!(twice > 0)) return false;
  facet.area = twice / 2;
  facet.plane.normal = (1 / twice) * normal;
  facet.plane.offset = dot(facet.plane.normal, points[ring[0]]);
  for (const std::uint32_t corner : ring)
    facet.plane.offset = std::max(facet.plane.offset, dot(facet.plane.normal, points[corner]));
  return true;
}

/// Tests Euler's formula, and each edge once in each direction: true of any closed polyhedron.
bool is_closed(const std::vector<Facet>& facets) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::vector<std::uint32_t> corners;
  for (const Facet& facet : facets) {
    for (std::size_t k = 0; k < facet.ring.size(); ++k) {
      edges.emplace_back(facet.ring[k], facet.ring[(k + 1) % facet.ring.size()]);
      corners.push_back(facet.ring[k]);
    }
  }
  std::sort(edges.begin(), edges.end());
  std::sort(corners.begin(), corners.end());
  if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
  for (const auto& [from, to] : edges) {
    if (!std::binary_search(edges.begin(), edges.end(), std::pair(to, from))) return false;
  }
  const auto vertices = static_cast<std::size_t>(std::unique(corners.begin(), corners.end()) - corners.begin());
  return vertices + facets.size() == edges.size() / 2 + 2;
}

}  // namespace

std::vector<Facet> enclose(std::span<const Vec3d> points) {
  if (points.size() < 4) return {};
  Vec3d lower = points[0], upper = points[0];
  for (const Vec3d& p : points) {
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
  }
  const Vec3d size = upper - lower;
  if (!(size.x > 0 && size.y > 0 && size.z > 0)) return {};

  // qhull gets each axis scaled to about 1, so that thin plates work as well as cubes. Powers of two don't round, and
  // scaled axes don't change which points are corners
  const auto factor = [](double extent) { return std::ldexp(1.0, -std::ilogb(extent)); };
  const Vec3d by{factor(size.x), factor(size.y), factor(size.z)};
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3d& p : points) {
    coordinates.push_back((p.x - lower.x) * by.x);
    coordinates.push_back((p.y - lower.y) * by.y);
    coordinates.push_back((p.z - lower.z) * by.z);
  }

  std::string why;
  // neither joggled nor turned, which use random numbers; the second options accept facets too wide for the first
  for (const char* options : {"qhull Pp", "qhull Pp Q12 Q14"}) {
    const Run run(coordinates, options);
    if (run.exit_code == qh_ERRsingular) return {};
    if (run.exit_code == qh_ERRmem) throw std::bad_alloc();
    if (run.exit_code != 0) {
      why = run.message;
      continue;
    }
    std::vector<Facet> facets;
    Vec3d sum{};
    double count = 0;
    bool good = true;
    for (facetT* facet = run.first_facet(); facet != nullptr && facet->next != nullptr; facet = facet->next) {
      Facet made;
      made.ring = ring_of(run, facet);
      good = good && made.ring.size() >= 3;
      for (const std::uint32_t corner : made.ring) sum = kernels::operator+(sum, points[corner]);
      count += static_cast<double>(made.ring.size());
      facets.push_back(std::move(made));
    }
    const Vec3d inside = (1 / count) * sum;
    for (std::size_t k = 0; k < facets.size() && good; ++k) good = finish(facets[k], points, inside);
    if (good && is_closed(facets)) return facets;
    why = "its facets don't close";
  }
  why = why.substr(0, why.find('\n'));
  throw InvalidArgument("convex hull: its points lie so badly that qhull finds no hull of them: " + why);
}

}  // namespace cairn::shape
