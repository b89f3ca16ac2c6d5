#pragma once
// Closed meshes of solids whose moments are known.

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "cairn/geometry.h"

namespace cairn::mass_test {

struct Surface {
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Triangle> triangles;
};

inline Surface box_surface(Vec3 half, Vec3 centre = {}) {
  Surface out;
  for (std::uint32_t i = 0; i < 8; ++i) {
    out.vertices.push_back({centre.x + (i & 1 ? half.x : -half.x), centre.y + (i & 2 ? half.y : -half.y),
                            centre.z + (i & 4 ? half.z : -half.z)});
  }
  const std::uint32_t sides[6][4]{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& s : sides) {
    out.triangles.push_back({s[0], s[1], s[2]});
    out.triangles.push_back({s[0], s[2], s[3]});
  }
  return out;
}

/// n x m patches of a surface that closes in both directions, as a torus does; `place` takes angles.
inline Surface closed_grid(std::uint32_t n, std::uint32_t m, const std::function<Vec3(double, double)>& place) {
  Surface out;
  const double turn = 2 * std::numbers::pi;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < m; ++j) out.vertices.push_back(place(turn * i / n, turn * j / m));
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < m; ++j) {
      const std::uint32_t a = i * m + j, b = (i + 1) % n * m + j, c = (i + 1) % n * m + (j + 1) % m,
                          d = i * m + (j + 1) % m;
      out.triangles.push_back({a, b, c});
      out.triangles.push_back({a, c, d});
    }
  }
  return out;
}

/// A ball by rings from pole to pole, 2 n round and n up.
inline Surface ball_surface(std::uint32_t n, double radius) {
  Surface out;
  out.vertices.push_back({0, 0, static_cast<float>(-radius)});
  for (std::uint32_t i = 1; i < n; ++i) {
    const double up = std::numbers::pi * (static_cast<double>(i) / n - 0.5);
    for (std::uint32_t j = 0; j < 2 * n; ++j) {
      const double round = std::numbers::pi * j / n;
      out.vertices.push_back({static_cast<float>(radius * std::cos(up) * std::cos(round)),
                              static_cast<float>(radius * std::cos(up) * std::sin(round)),
                              static_cast<float>(radius * std::sin(up))});
    }
  }
  const auto last = static_cast<std::uint32_t>(out.vertices.size());
  out.vertices.push_back({0, 0, static_cast<float>(radius)});
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return 1 + (i - 1) * 2 * n + j % (2 * n); };
  for (std::uint32_t j = 0; j < 2 * n; ++j) {
    out.triangles.push_back({0, at(1, j + 1), at(1, j)});
    for (std::uint32_t i = 1; i + 1 < n; ++i) {
      out.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      out.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
    out.triangles.push_back({last, at(n - 1, j), at(n - 1, j + 1)});
  }
  return out;
}

inline TriangleMesh mesh_of(const Surface& surface) { return {surface.vertices, surface.triangles}; }

}  // namespace cairn::mass_test
