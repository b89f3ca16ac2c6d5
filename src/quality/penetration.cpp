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

using reference::Quat;

constexpr double kTolerance = 1e-7;  // [1] of the smaller shape's size, of what convex.h finds

// below this sine two edges count as parallel: their cross product says nothing that the faces don't
constexpr double kParallel = 1e-6;

Vec3 wide(cairn::Vec3 v) { return {v.x, v.y, v.z}; }

Quat unit(cairn::Quat q) { return reference::normalized(Quat{q.w, q.x, q.y, q.z}); }

// by sqrt, which is exact everywhere; hypot is not
Vec3 unit(Vec3 v) { return v / std::sqrt(dot(v, v)); }

double reach(const PlacedShape& box, Vec3 n) {
  return box.half.x * std::abs(dot(n, box.axis[0])) + box.half.y * std::abs(dot(n, box.axis[1])) +
         box.half.z * std::abs(dot(n, box.axis[2]));
}

// largest gap between the shadows of two boxes; above zero as soon as one axis parts them
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

// A segment p +- d against a box about the origin, in the box's frame: distance, or minus the least translation of a
// segment inside.
double segment_box_distance(Vec3 p, Vec3 d, Vec3 half) {
  // the squared distance is convex and piecewise quadratic in t; its derivative changes form only where a coordinate
  // passes a side
  const auto slope = [&](double t) {
    double s = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = p[i] + t * d[i];
      s += (x - std::clamp(x, -half[i], half[i])) * d[i];
    }
    return s;
  };
  // the last of the sides with the minimum ahead and the first with it behind
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

double sign_of(double a) { return a < 0 ? -1 : 1; }

Vec3 to_local(const PlacedShape& s, Vec3 v) { return {dot(v, s.axis[0]), dot(v, s.axis[1]), dot(v, s.axis[2])}; }
Vec3 to_world(const PlacedShape& s, Vec3 v) { return v.x * s.axis[0] + v.y * s.axis[1] + v.z * s.axis[2]; }

// The point of the shape, without the ball that is swept along it, that is farthest along d; both in its own axes.
Vec3 support_of(const PlacedShape& s, Vec3 d) {
  if (s.kind == Kind::kFrustum) {
    const double flat = std::sqrt(d.x * d.x + d.y * d.y);
    const bool top = s.top_radius * flat + s.half.z * d.z >= s.radius * flat - s.half.z * d.z;
    const double r = flat > 0 ? (top ? s.top_radius : s.radius) / flat : 0;
    return {r * d.x, r * d.y, top ? s.half.z : -s.half.z};
  }
  if (s.kind == Kind::kEllipsoid) {
    const Vec3 e{s.half.x * d.x, s.half.y * d.y, s.half.z * d.z};
    const double size = std::sqrt(dot(e, e));
    if (!(size > 0)) return {};
    return {s.half.x * e.x / size, s.half.y * e.y / size, s.half.z * e.z / size};
  }
  if (s.kind == Kind::kHull) {
    Vec3 best = wide(s.hull->vertices[0]);
    for (const cairn::Vec3 v : s.hull->vertices) {
      if (dot(wide(v), d) > dot(best, d)) best = wide(v);
    }
    return best;
  }
  return {sign_of(d.x) * s.half.x, sign_of(d.y) * s.half.y, sign_of(d.z) * s.half.z};
}

double swept_radius(const PlacedShape& s) { return s.kind == Kind::kBall || s.kind == Kind::kBox ? s.radius : 0; }

Support support_in_world(const PlacedShape& s) {
  return [&s](Vec3 d) { return s.x + to_world(s, support_of(s, to_local(s, d))); };
}

// [m] how far the shape reaches along the unit vector n
double reach_along(const PlacedShape& s, Vec3 n) { return dot(n, support_in_world(s)(n)) + swept_radius(s); }

double size_of(const PlacedShape& a, const PlacedShape& b) {
  const Vec3 p = bounds(a), q = bounds(b);
  return std::sqrt(std::min(dot(p, p), dot(q, q)));
}

double distance_of_convex(const PlacedShape& a, const PlacedShape& b) {
  const double radii = swept_radius(a) + swept_radius(b);
  return distance(support_in_world(a), support_in_world(b), kTolerance * size_of(a, b), radii) - radii;
}

bool is_surface(const PlacedShape& s) { return s.kind == Kind::kMesh || s.kind == Kind::kField; }

struct Box {
  Vec3 low, high;
};

// The box in the surface's axes that holds the shape.
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

// [m] least translation that parts a shape from a triangle, which has no inside
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
  const shape::FieldData& f = *field.field;
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
      deepest = std::max({deepest, depth_in_triangle(field, {c[0], c[1], c[2]}, s),
                          depth_in_triangle(field, {c[0], c[2], c[3]}, s)});
      // solid below: what has its middle there is as deep as it takes to lift it out
      const double u = centre.x / f.spacing - i, v = centre.y / f.spacing - j;
      if (u < 0 || v < 0 || u > 1 || v > 1) continue;
      const double ground = v <= u ? c[0].z + u * (c[1].z - c[0].z) + v * (c[2].z - c[1].z)
                                   : c[0].z + v * (c[3].z - c[0].z) + u * (c[2].z - c[3].z);
      if (centre.z < ground) deepest = std::max(deepest, ground - box.low.z);
    }
  }
  return deepest;
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

double distance(const PlacedShape& a, const PlacedShape& b) {
  if (a.kind == Kind::kPlane) {
    const Vec3 n = a.axis[2];
    const double low = is_box(b)                ? reach(b, n)
                       : b.kind == Kind::kBall  ? b.half.z * std::abs(dot(n, b.axis[2])) + b.radius
                                                : reach_along(b, -n) + dot(n, b.x);
    return dot(n, b.x - a.x) - low;
  }
  if (b.kind == Kind::kPlane) return distance(b, a);
  if (!is_plain(a) || !is_plain(b)) return distance_of_convex(a, b);
  if (a.kind == Kind::kBox && b.kind == Kind::kBox) return box_box_gap(a, b);
  if (a.kind == Kind::kBox) {
    const Vec3 c = b.x - a.x, d = b.half.z * b.axis[2];
    const Vec3 local{dot(c, a.axis[0]), dot(c, a.axis[1]), dot(c, a.axis[2])};
    const Vec3 direction{dot(d, a.axis[0]), dot(d, a.axis[1]), dot(d, a.axis[2])};
    return segment_box_distance(local, direction, a.half) - b.radius;
  }
  if (b.kind == Kind::kBox) return distance(b, a);
  return segment_segment_distance({}, a.half.z * a.axis[2], b.x - a.x, b.half.z * b.axis[2]) - a.radius - b.radius;
}

}  // namespace

PlacedShape place(const Shape& shape, const BodyState& body) {
  const Quat body_q = unit(body.orientation);
  const Quat q = body_q * unit(shape.orientation);
  PlacedShape p;
  p.x = Vec3{body.position.x, body.position.y, body.position.z} + rotate(body_q, wide(shape.position));
  p.axis = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
  const auto frustum = [&](double bottom, double top, double half_height) {
    p.kind = Kind::kFrustum;
    p.radius = bottom;
    p.top_radius = top;
    p.half.z = half_height;
  };
  const auto bounded = [&](Kind kind, Vec3 low, Vec3 high) {
    p.kind = kind;
    p.offset = 0.5 * (low + high);
    p.half = 0.5 * (high - low);
  };
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
    p.radius = sphere->radius;
  } else if (const auto* capsule = std::get_if<Capsule>(&shape.geometry)) {
    p.radius = capsule->radius;
    p.half.z = capsule->half_height;
  } else if (const auto* box = std::get_if<cairn::Box>(&shape.geometry)) {
    p.kind = Kind::kBox;
    p.half = wide(box->half_extents);
  } else if (const auto* rounded = std::get_if<RoundedBox>(&shape.geometry)) {
    p.kind = Kind::kBox;
    p.radius = rounded->radius;
    p.half = wide(rounded->half_extents) - Vec3{p.radius, p.radius, p.radius};
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry)) {
    frustum(cylinder->radius, cylinder->radius, cylinder->half_height);
  } else if (const auto* cone = std::get_if<Cone>(&shape.geometry)) {
    frustum(cone->radius, 0, cone->half_height);
  } else if (const auto* tapered = std::get_if<TaperedCylinder>(&shape.geometry)) {
    frustum(tapered->bottom_radius, tapered->top_radius, tapered->half_height);
  } else if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape.geometry)) {
    p.kind = Kind::kEllipsoid;
    p.half = wide(ellipsoid->radii);
  } else if (const auto* hull = std::get_if<ConvexHull>(&shape.geometry)) {
    p.hull = hull->data().get();
    bounded(Kind::kHull, wide(p.hull->lower), wide(p.hull->upper));
  } else if (const auto* mesh = std::get_if<TriangleMesh>(&shape.geometry)) {
    p.mesh = mesh->data().get();
    bounded(Kind::kMesh, wide(p.mesh->lower), wide(p.mesh->upper));
  } else if (const auto* field = std::get_if<HeightField>(&shape.geometry)) {
    p.field = field->data().get();
    const double spacing = p.field->spacing;
    bounded(Kind::kField, {0, 0, p.field->lowest},
            {spacing * (p.field->columns - 1), spacing * (p.field->rows - 1), p.field->highest});
  } else {
    const Plane& plane = std::get<Plane>(shape.geometry);
    p.kind = Kind::kPlane;
    p.axis[2] = rotate(q, unit(wide(plane.normal)));
    p.x += static_cast<double>(plane.offset) * p.axis[2];
  }
  return p;
}

Vec3 bounds(const PlacedShape& s) {
  const double swept = swept_radius(s), wide_radius = std::max(s.radius, s.top_radius);
  Vec3 half = s.half;
  if (s.kind == Kind::kFrustum) half.x = half.y = wide_radius;
  Vec3 b{swept, swept, swept};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) b[k] += half[i] * std::abs(s.axis[i][k]);
  }
  return b;
}

Vec3 middle(const PlacedShape& s) { return s.x + to_world(s, s.offset); }

double penetration(const PlacedShape& a, const PlacedShape& b) {
  const bool open_a = a.kind == Kind::kPlane || is_surface(a), open_b = b.kind == Kind::kPlane || is_surface(b);
  if (open_a && open_b) return 0;
  if (a.kind == Kind::kMesh) return depth_in_mesh(a, b);
  if (a.kind == Kind::kField) return depth_in_field(a, b);
  if (is_surface(b)) return penetration(b, a);
  const double d = distance(a, b);
  return d < 0 ? -d : 0;
}

}  // namespace cairn::quality
