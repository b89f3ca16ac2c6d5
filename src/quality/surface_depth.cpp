#include "src/quality/surface_depth.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "src/quality/support.h"
#include "src/shape/data.h"

namespace cairn::quality {
namespace {

struct Box {
  Vec3 low, high;
};

// The shape's bounding box in the surface's axes.
Box box_in(const PlacedShape& surface, const PlacedShape& s) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    const double x = dot(surface.x, surface.axis[k]);
    box.high[k] = reach_along(s, surface.axis[k]) - x;
    box.low[k] = -reach_along(s, -surface.axis[k]) - x;
  }
  return box;
}

bool meet(const Box& box, cairn::Vec3 low, cairn::Vec3 high) {
  return box.low.x <= high.x && box.low.y <= high.y && box.low.z <= high.z && box.high.x >= low.x &&
         box.high.y >= low.y && box.high.z >= low.z;
}

// [m] min translation that separates a shape from a triangle, which has no inside
double depth_in_triangle(const PlacedShape& surface, const std::array<Vec3, 3>& corners, const PlacedShape& s) {
  std::array<Vec3, 3> world;
  for (int i = 0; i < 3; ++i) world[i] = surface.x + to_world(surface, corners[i]);
  const Vec3 n = unit(cross(world[1] - world[0], world[2] - world[0]));
  const double above = dot(n, world[0]) + reach_along(s, -n), below = reach_along(s, n) - dot(n, world[0]);
  if (!(above > 0 && below > 0)) return 0;
  const auto triangle = [&](Vec3 d) {
    const double a = dot(world[0], d), b = dot(world[1], d), c = dot(world[2], d);
    return a >= b && a >= c ? world[0] : b >= c ? world[1] : world[2];
  };
  const double r = swept_radius(s), size = std::sqrt(dot(bounds(s), bounds(s)));
  return std::max(r - distance(triangle, support_in_world(s), kTolerance * size, r), 0.0);
}

double depth_in_mesh(const PlacedShape& mesh, const PlacedShape& s) {
  const Box box = box_in(mesh, s);
  double deepest = 0;
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    const kernels::MeshNode& node = mesh.mesh->nodes[stack.back()];
    stack.pop_back();
    if (!meet(box, node.lower, node.upper)) continue;
    for (std::uint32_t k = 0; k < node.count; ++k) {
      const kernels::MeshTriangle& t = mesh.mesh->triangles[node.first + k];
      deepest = std::max(deepest, depth_in_triangle(mesh, {wide(t.a), wide(t.b), wide(t.c)}, s));
    }
    if (node.count > 0) continue;
    stack.push_back(node.first);
    stack.push_back(node.first + 1);
  }
  return deepest;
}

double depth_in_field(const PlacedShape& field, const PlacedShape& s) {
  const detail::FieldData& f = *field.field;
  const Box box = box_in(field, s);
  const auto cells = [&](double low, double high, std::uint32_t samples) {
    const double last = samples - 2;
    return std::pair{static_cast<std::uint32_t>(std::clamp(std::floor(low / f.spacing), 0.0, last)),
                     static_cast<std::uint32_t>(std::clamp(std::floor(high / f.spacing), 0.0, last))};
  };
  const auto corner = [&](std::uint32_t i, std::uint32_t j) {
    return Vec3{double{f.spacing} * i, double{f.spacing} * j, f.heights[std::size_t{j} * f.columns + i]};
  };
  const Vec3 centre = to_local(field, middle(s) - field.x);
  double deepest = 0;
  const auto [i0, i1] = cells(box.low.x, box.high.x, f.columns);
  const auto [j0, j1] = cells(box.low.y, box.high.y, f.rows);
  for (std::uint32_t j = j0; j <= j1; ++j) {
    for (std::uint32_t i = i0; i <= i1; ++i) {
      const std::array<Vec3, 4> c{corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)};
      const double top = std::max({c[0].z, c[1].z, c[2].z, c[3].z});
      if (top < box.low.z) continue;
      deepest = std::max(
          {deepest, depth_in_triangle(field, {c[0], c[1], c[2]}, s), depth_in_triangle(field, {c[0], c[2], c[3]}, s)});
      // solid below: a shape whose centre is there is as deep as the height to lift it out
      const double u = centre.x / f.spacing - i, v = centre.y / f.spacing - j;
      if (u < 0 || v < 0 || u > 1 || v > 1) continue;
      const double ground = v <= u ? c[0].z + u * (c[1].z - c[0].z) + v * (c[2].z - c[1].z)
                                   : c[0].z + v * (c[3].z - c[0].z) + u * (c[2].z - c[3].z);
      if (centre.z < ground) deepest = std::max(deepest, ground - box.low.z);
    }
  }
  return deepest;
}

}  // namespace

double depth_in_surface(const PlacedShape& surface, const PlacedShape& s) {
  return surface.kind == Kind::kMesh ? depth_in_mesh(surface, s) : depth_in_field(surface, s);
}

}  // namespace cairn::quality
