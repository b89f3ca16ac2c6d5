// Convex hulls of points: from qhull, without features that float coordinates can't tell from flat.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "cairn/errors.h"
#include "kernels/common/vec.h"
#include "src/exec/exact_floats.h"
#include "src/scene/text.h"
#include "src/shape/box_tree.h"
#include "src/shape/data.h"
#include "src/shape/hash.h"
#include "src/shape/polyhedron.h"

namespace cairn {
namespace shape {
namespace {

using kernels::dot;

// [1] of the largest coordinate: max distance of corners from their common plane. A coordinate turned by a quaternion
// in floats has about four roundings of 2^-24, and a distance has three coordinates.
constexpr double kFlush = 8 * 0x1p-24;
// [1] of the largest coordinate: thinner hulls count as flat, since one face would absorb the other's corners
constexpr double kFlat = 4 * kFlush;
// [1] cosine between the normals of two faces. A corner on a less sharp edge is within three times the above of the
// straight edge, and may be removed; one on a knife's edge may be far out
constexpr double kKnife = -0.9;
// [1] max rounds of removing corners that no face needs; each leaves fewer, and two are usual
constexpr int kMaxRounds = 64;
// [1] qhull numbers points by int, and takes some hundred bytes a point of the hull
constexpr std::size_t kMaxPoints = std::size_t{1} << 27;

/// -0 and 0 are the same place.
Vec3 plain(Vec3 v) { return {v.x + 0.0f, v.y + 0.0f, v.z + 0.0f}; }

/// The points, each place once, in the given order.
std::vector<Vec3> distinct(std::span<const Vec3> points) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto at = [&](std::uint32_t i) {
    const Vec3 p = plain(points[i]);
    return std::array<float, 3>{p.x, p.y, p.z};
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto p = at(a), q = at(b);
    return p != q ? p < q : a < b;
  });
  order.erase(std::unique(order.begin(), order.end(), [&](auto a, auto b) { return at(a) == at(b); }), order.end());
  std::sort(order.begin(), order.end());
  std::vector<Vec3> out;
  out.reserve(order.size());
  for (const std::uint32_t i : order) out.push_back(plain(points[i]));
  return out;
}

/// Which points the merged facets need. A point inside a facet isn't one of its corners, and a point of only two facets
/// lies on their common edge.
std::vector<bool> needed(const std::vector<Facet>& facets, std::size_t points) {
  struct Use {
    std::uint32_t count{0}, first{0}, second{0};
  };
  std::vector<Use> uses(points);
  for (std::uint32_t f = 0; f < facets.size(); ++f) {
    for (const std::uint32_t corner : facets[f].ring) {
      Use& use = uses[corner];
      (use.count == 0 ? use.first : use.second) = f;
      ++use.count;
    }
  }
  std::vector<bool> out(points);
  for (std::size_t i = 0; i < points; ++i) {
    const Use& use = uses[i];
    const bool straight =
        use.count < 3 && dot(facets[use.first].plane.normal, facets[use.second].plane.normal) > kKnife;
    out[i] = use.count > 0 && (use.count >= 3 || !straight);
  }
  return out;
}

Bounds bounds_of(const std::vector<Vec3>& points) {
  Bounds bounds;
  for (const Vec3& p : points) bounds.take(p);
  return bounds;
}
/// [m] Largest coordinate.
double farthest_of(const Bounds& b) {
  return kernels::max_component(kernels::max(kernels::abs(b.lower), kernels::abs(b.upper)));
}

[[noreturn]] void refuse_flat(const Bounds& bounds) {
  throw InvalidArgument(
      "convex hull: its points must span a volume, and all lie in one plane to float rounding; they go from " +
      rules::digits(bounds.lower) + " to " + rules::digits(bounds.upper));
}

struct Shell {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Facet> facets;
};

Shell shell_of(std::span<const Vec3> given) {
  Shell shell{distinct(given), {}};
  for (int round = 0;; ++round) {
    // from the remaining vertices, so that a hull of a hull's vertices is the same hull
    const Bounds bounds = bounds_of(shell.vertices);
    std::vector<Vec3d> points;
    points.reserve(shell.vertices.size());
    for (const Vec3& p : shell.vertices) points.push_back(kernels::widen(p));
    const std::vector<Facet> fine = enclose(points);
    if (fine.empty()) refuse_flat(bounds);
    // the first round removes inner points, later ones those that only rounding had put outside
    shell.facets = round == 0 ? fine : merged(fine, points, kFlush * farthest_of(bounds));
    if (shell.facets.size() < 4) refuse_flat(bounds);
    const std::vector<bool> keep = needed(shell.facets, points.size());
    const auto kept = static_cast<std::size_t>(std::count(keep.begin(), keep.end(), true));
    if (round > 0 && (kept == points.size() || round == kMaxRounds)) return shell;
    if (kept < 4) refuse_flat(bounds);
    std::vector<Vec3> fewer;
    fewer.reserve(kept);
    for (std::size_t i = 0; i < keep.size(); ++i) {
      if (keep[i]) fewer.push_back(shell.vertices[i]);
    }
    shell.vertices = std::move(fewer);
  }
}

/// [m] Min over the faces of the hull's depth below the face.
double thickness(const Shell& shell) {
  double least = std::numeric_limits<double>::infinity();
  for (const Facet& facet : shell.facets) {
    double lowest = 0;
    for (const Vec3& p : shell.vertices)
      lowest = std::max(lowest, facet.plane.offset - dot(facet.plane.normal, kernels::widen(p)));
    least = std::min(least, lowest);
  }
  return least;
}

}  // namespace

std::shared_ptr<const detail::HullData> make_hull(std::span<const Vec3> points) {
  const exec::ExactFloats exact;
  if (points.size() < 4 || points.size() > kMaxPoints) {
    throw InvalidArgument("convex hull: must be of 4 to " + std::to_string(kMaxPoints) + " points, is of " +
                          std::to_string(points.size()));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!kernels::finite(points[i])) {
      throw InvalidArgument("convex hull: point " + std::to_string(i) + " must be finite, is " +
                            rules::digits(points[i]));
    }
  }
  Shell shell = shell_of(points);
  if (shell.vertices.size() > ConvexHull::kMaxVertices) {
    throw InvalidArgument("convex hull: must have at most " + std::to_string(ConvexHull::kMaxVertices) +
                          " vertices, has " + std::to_string(shell.vertices.size()));
  }
  auto data = std::make_shared<detail::HullData>();
  const Bounds bounds = bounds_of(shell.vertices);
  const double thick = thickness(shell);
  if (!(thick > kFlat * farthest_of(bounds))) refuse_flat(bounds);
  data->lower = bounds.lower;
  data->upper = bounds.upper;
  data->thickness = static_cast<float>(0.5 * thick);
  Vec3d sum{};
  double farthest = 0;
  for (const Vec3& p : shell.vertices) {
    sum = kernels::operator+(sum, kernels::widen(p));
    farthest = std::max(farthest, dot(kernels::widen(p), kernels::widen(p)));
  }
  data->radius = static_cast<float>(std::sqrt(farthest) * (1 + 0x1p-23));
  data->centre = kernels::narrow(kernels::operator*(1 / static_cast<double>(shell.vertices.size()), sum));

  std::ranges::sort(shell.facets, [](const Facet& a, const Facet& b) { return a.ring < b.ring; });
  for (const Facet& facet : shell.facets) {
    kernels::HullFace face{};
    face.normal = kernels::narrow(facet.plane.normal);
    // no vertex is above it: the offset is computed with the rounded normal
    double offset = -std::numeric_limits<double>::infinity();
    for (const Vec3& p : shell.vertices) offset = std::max(offset, dot(kernels::widen(face.normal), kernels::widen(p)));
    face.offset = static_cast<float>(offset);
    face.first = static_cast<std::uint32_t>(data->corners.size());
    face.count = static_cast<std::uint32_t>(facet.ring.size());
    for (const std::uint32_t corner : facet.ring) data->corners.push_back(static_cast<std::uint16_t>(corner));
    data->faces.push_back(face);
  }
  data->vertices = std::move(shell.vertices);
  data->hash = hash_of(std::span<const Vec3>(data->vertices), 0);
  return data;
}

}  // namespace shape

ConvexHull::ConvexHull(std::span<const Vec3> points) : data_(shape::make_hull(points)) {}

}  // namespace cairn
