#pragma once
// Solids of unit density.

#include "cairn/geometry.h"
#include "src/mass/tensor.h"

namespace cairn::mass {

struct Solid {
  double volume{0};        ///< [m^3]
  Vector moments{};        ///< [m^5] principal, about the centre
  Vector centre{};         ///< [m]   in the shape's frame
  Matrix axes{kIdentity};  ///< [1]   principal frame to shape
};

/// Planes and height fields have none. Throws InvalidArgument for a mesh that encloses no volume.
Solid solid_of(const Geometry& geometry);

Solid solid_of(const RoundedBox& box);
Solid solid_of(const ConvexHull& hull);
/// Throws InvalidArgument for a mesh that is open, inside out or flat.
Solid solid_of(const TriangleMesh& mesh);

}  // namespace cairn::mass
