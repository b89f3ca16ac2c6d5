#pragma once
// The convex polyhedron of points, in doubles: qhull's result, and its facets merged to float accuracy.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/types.h"

namespace cairn::shape {

/// A face's corners in a circle, counter-clockwise seen from outside.
using Ring = std::vector<std::uint32_t>;

struct Plane3 {
  Vec3d normal;      ///< [1] unit
  double offset{0};  ///< [m]
};

struct Facet {
  Ring ring;       ///< [1] points
  Plane3 plane;    ///< no point is above it, up to rounding in doubles
  double area{0};  ///< [m^2]
};

/// The facets of the convex hull of points that are finite and all different, by qhull: exact up to rounding in
/// doubles. So corners in one plane to float rounding belong to several facets. Empty if the points span no volume.
std::vector<Facet> enclose(std::span<const Vec3d> points);

/// Merges facets whose corners lie within `tolerance` of one plane. The plane of each is that of its largest facet, so
/// no point is above it.
std::vector<Facet> merged(const std::vector<Facet>& facets, std::span<const Vec3d> points, double tolerance);

}  // namespace cairn::shape
