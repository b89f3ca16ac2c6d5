#include "src/quality/penetration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "src/quality/convex.h"
#include "src/shape/data.h"

namespace cairn::quality {
namespace {

// below this sine two edges count as parallel: their cross product adds nothing to the faces
constexpr double kParallel = 1e-6;
constexpr double kTolerance = 1e-7;  // [1] of the smaller shape's size: tolerance of convex.h

// Support of a shape, without its swept ball. The shape must outlive it.
Support support_in_world(const PlacedShape& s) {
  return [&s](Vec3 d) { return s.x + to_world(s, support_of(s, to_local(s, d))); };
}

double reach(const PlacedShape& box, Vec3 n) {
  return box.half.x * std::abs(dot(n, box.axis[0])) + box.half.y * std::abs(dot(n, box.axis[1])) +
         box.half.z * std::abs(dot(n, box.axis[2]));
}

// largest gap between the projections of two boxes; above zero as soon as one axis separates them
double box_box_gap(const PlacedShape& a, const PlacedShape& b) {
  const Vec3 c = b.x - a.x;
  double gap = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    gap = std::max(gap, std::abs(dot(c, a.axis[i])) - a.half[i] - reach(b, a.axis[i]));
    gap = std::max(gap, std::abs(dot(c, b.axis[i])) - b.half[i] - reach(a, b.axis[i]));
    if (gap > 0) return gap;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3 n = cross(a.axis[i], b.axis[j]);
      const double size = length(n);
      if (size < kParallel) continue;
      gap = std::max(gap, (std::abs(dot(c, n)) - reach(a, n) - reach(b, n)) / size);
      if (gap > 0) return gap;
    }
  }
  return gap;
}

// A segment p +- d against a box about the origin, in the box's frame: distance, or minus the min translation that
// separates a segment inside.
double segment_box_distance(Vec3 p, Vec3 d, Vec3 half) {
  // the squared distance is convex and piecewise quadratic in t; its derivative changes form only where a coordinate
  // crosses a side
  const auto slope = [&](double t) {
    double s = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = p[i] + t * d[i];
      s += (x - std::clamp(x, -half[i], half[i])) * d[i];
    }
    return s;
  };
  // the last side before the minimum and the first one after it
  double low = -1, high = 1;
  for (int i = 0; i < 3; ++i) {
    for (const double side : {-half[i], half[i]}) {
      const double at = d[i] != 0 ? (side - p[i]) / d[i] : 0;
      if (!(at > low && at < high)) continue;
      (slope(at) > 0 ? high : low) = at;
    }
  }
  const double s0 = slope(low), s1 = slope(high);
  const double best = s0 >= 0 ? low : s1 <= 0 ? high : low - s0 * (high - low) / (s1 - s0);
  double squared = 0;
  for (int i = 0; i < 3; ++i) {
    const double x = p[i] + best * d[i];
    const double out = x - std::clamp(x, -half[i], half[i]);
    squared += out * out;
  }
  if (squared > 0) return std::sqrt(squared);

  double gap = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    gap = std::max(gap, std::abs(p[i]) - half[i] - std::abs(d[i]));
    const Vec3 edge{i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
    const Vec3 n = cross(edge, d);
    const double size = length(n);
    if (size < kParallel * length(d) || size == 0) continue;
    const double box = half.x * std::abs(n.x) + half.y * std::abs(n.y) + half.z * std::abs(n.z);
    gap = std::max(gap, (std::abs(dot(p, n)) - box) / size);
  }
  return std::min(gap, 0.0);
}

double size_of(const PlacedShape& a, const PlacedShape& b) {
  const Vec3 p = bounds(a), q = bounds(b);
  return std::sqrt(std::min(dot(p, p), dot(q, q)));
}

double distance_of_convex(const PlacedShape& a, const PlacedShape& b) {
  const double radii = swept_radius(a) + swept_radius(b);
  return distance(support_in_world(a), support_in_world(b), kTolerance * size_of(a, b), radii) - radii;
}

// Nearest points of two segments (Ericson, Real-Time Collision Detection, 2005, section 5.1.9), symmetric about their
// centres.
double segment_segment_distance(Vec3 p, Vec3 d, Vec3 q, Vec3 e) {
  const Vec3 r = p - q;
  const double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r);
  const double det = dd * ee - de * de;
  double s = det > kParallel * kParallel * dd * ee ? std::clamp((de * er - dr * ee) / det, -1.0, 1.0) : 0;
  double t = 0;
  if (ee > 0) t = std::clamp((de * s + er) / ee, -1.0, 1.0);
  if (dd > 0) s = std::clamp((de * t - dr) / dd, -1.0, 1.0);
  return length(r + s * d - t * e);
}

bool is_box(const PlacedShape& s) { return s.kind == Kind::kBox && s.radius == 0; }
bool is_plain(const PlacedShape& s) { return is_box(s) || s.kind == Kind::kBall; }

double distance_of(const PlacedShape& a, const PlacedShape& b) {
  if (a.kind == Kind::kPlane) {
    const Vec3 n = a.axis[2];
    const double low = is_box(b)               ? reach(b, n)
                       : b.kind == Kind::kBall ? b.half.z * std::abs(dot(n, b.axis[2])) + b.radius
                                               : reach_along(b, -n) + dot(n, b.x);
    return dot(n, b.x - a.x) - low;
  }
  if (b.kind == Kind::kPlane) return distance_of(b, a);
  if (!is_plain(a) || !is_plain(b)) return distance_of_convex(a, b);
  if (a.kind == Kind::kBox && b.kind == Kind::kBox) return box_box_gap(a, b);
  if (a.kind == Kind::kBox) {
    const Vec3 c = b.x - a.x, d = b.half.z * b.axis[2];
    const Vec3 local = to_local(a, c), direction = to_local(a, d);
    return segment_box_distance(local, direction, a.half) - b.radius;
  }
  if (b.kind == Kind::kBox) return distance_of(b, a);
  return segment_segment_distance({}, a.half.z * a.axis[2], b.x - a.x, b.half.z * b.axis[2]) - a.radius - b.radius;
}

// A bounding box in the axes of a surface.
struct LocalBox {
  Vec3 low, high;
};

LocalBox box_in(const PlacedShape& surface, const PlacedShape& s) {
  LocalBox box;
  for (int k = 0; k < 3; ++k) {
    const double x = dot(surface.x, surface.axis[k]);
    box.high[k] = reach_along(s, surface.axis[k]) - x;
    box.low[k] = -reach_along(s, -surface.axis[k]) - x;
  }
  return box;
}

bool meet(const LocalBox& box, cairn::Vec3 low, cairn::Vec3 high) {
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
  const LocalBox box = box_in(mesh, s);
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
  const LocalBox box = box_in(field, s);
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

// [m] In a mesh or height field: the largest min translation that separates the shape from one of its triangles.
double depth_in_surface(const PlacedShape& surface, const PlacedShape& s) {
  return surface.kind == Kind::kMesh ? depth_in_mesh(surface, s) : depth_in_field(surface, s);
}

}  // namespace

double penetration(const PlacedShape& a, const PlacedShape& b) {
  const bool open_a = a.kind == Kind::kPlane || is_surface(a), open_b = b.kind == Kind::kPlane || is_surface(b);
  if (open_a && open_b) return 0;
  if (is_surface(a)) return depth_in_surface(a, b);
  if (is_surface(b)) return penetration(b, a);
  const double d = distance_of(a, b);
  return d < 0 ? -d : 0;
}

}  // namespace cairn::quality
