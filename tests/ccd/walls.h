#pragma once
// Walls of 1 mm through the origin, at right angles to z.

#include <vector>

#include "cairn/cairn.h"

namespace cairn::ccd_test {

inline constexpr float kWall = 5.0f;         ///< [m] half its width
inline constexpr float kHalfWall = 0.0005f;  ///< [m] half its thickness, if it is a box

inline Geometry box_wall() { return Box{{kWall, kWall, kHalfWall}}; }
inline Geometry mesh_wall() {
  const std::vector<Vec3> corners{{-kWall, -kWall, 0}, {kWall, -kWall, 0}, {kWall, kWall, 0}, {-kWall, kWall, 0}};
  const std::vector<TriangleMesh::Triangle> triangles{{0, 1, 2}, {0, 2, 3}};
  return TriangleMesh(corners, triangles);
}

}  // namespace cairn::ccd_test
