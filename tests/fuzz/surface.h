#pragma once
// What becomes of the surface that a fuzzed file holds.

#include <cmath>

#include "cairn/mass.h"
#include "cairn/mesh_file.h"
#include "src/shape/data.h"
#include "tests/fuzz/require.h"

namespace cairn::fuzz {

/// Reads, and makes a hull and a mesh of it: each is refused, or sound and the same when it is made of itself.
template <class Read>
void try_surface(const Read& read) {
  Surface surface;
  try {
    surface = read();
  } catch (const InvalidArgument&) {
    return;
  }
  for (const auto& triangle : surface.triangles) {
    for (const std::uint32_t corner : triangle) require(corner < surface.vertices.size());
  }
  for (const Vec3& p : surface.vertices) require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
  try {
    const TriangleMesh mesh(surface.vertices, surface.triangles);
    require(mesh.data()->triangles.size() == mesh.triangles().size());
    require(TriangleMesh(mesh.vertices(), mesh.triangles()).triangles().size() == mesh.triangles().size());
    const MassProperties mass = mass_properties(mesh, 1);
    require(mass.mass > 0);
  } catch (const InvalidArgument&) {
    // open, or of nothing
  }
  try {
    const ConvexHull hull(surface.vertices);
    require(ConvexHull(hull.vertices()) == hull);
  } catch (const InvalidArgument&) {
    // flat, or too large
  }
}

}  // namespace cairn::fuzz
