#include "src/quality/placed.h"

#include <algorithm>
#include <cmath>

#include "src/describe/attributes.h"
#include "src/shape/data.h"

namespace cairn::quality {
namespace {

double sign_of(double a) { return a < 0 ? -1 : 1; }

}  // namespace

Vec3 to_local(const PlacedShape& s, Vec3 v) { return {dot(v, s.axis[0]), dot(v, s.axis[1]), dot(v, s.axis[2])}; }
Vec3 to_world(const PlacedShape& s, Vec3 v) { return v.x * s.axis[0] + v.y * s.axis[1] + v.z * s.axis[2]; }

bool is_surface(const PlacedShape& s) { return s.kind == Kind::kMesh || s.kind == Kind::kField; }

Vec3 support_of(const PlacedShape& s, Vec3 d) {
  if (s.kind == Kind::kFrustum) {
    const double flat = std::sqrt(d.x * d.x + d.y * d.y);
    const bool top = s.top_radius * flat + s.half.z * d.z >= s.radius * flat - s.half.z * d.z;
    const double r = flat > 0 ? (top ? s.top_radius : s.radius) / flat : 0;
    return {r * d.x, r * d.y, top ? s.half.z : -s.half.z};
  }
  if (s.kind == Kind::kEllipsoid) {
    const Vec3 e{s.half.x * d.x, s.half.y * d.y, s.half.z * d.z};
    const double size = extent_of(e);
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

double reach_along(const PlacedShape& s, Vec3 n) {
  return dot(n, s.x + to_world(s, support_of(s, to_local(s, n)))) + swept_radius(s);
}

PlacedShape place(const Shape& shape, const BodyState& body) {
  const reference::Quat body_q = normalized(wide(body.orientation)), q = body_q * normalized(wide(shape.orientation));
  PlacedShape p;
  p.x = wide(body.position) + rotate(body_q, wide(shape.position));
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
  std::visit(
      Overloads{[&](const Sphere& sphere) { p.radius = sphere.radius; },
                [&](const Capsule& capsule) {
                  p.radius = capsule.radius;
                  p.half.z = capsule.half_height;
                },
                [&](const cairn::Box& box) {
                  p.kind = Kind::kBox;
                  p.half = wide(box.half_extents);
                },
                [&](const RoundedBox& box) {
                  p.kind = Kind::kBox;
                  p.radius = box.radius;
                  p.half = wide(box.half_extents) - Vec3{p.radius, p.radius, p.radius};
                },
                [&](const Cylinder& cylinder) { frustum(cylinder.radius, cylinder.radius, cylinder.half_height); },
                [&](const Cone& cone) { frustum(cone.radius, 0, cone.half_height); },
                [&](const TaperedCylinder& tapered) {
                  frustum(tapered.bottom_radius, tapered.top_radius, tapered.half_height);
                },
                [](const Tube&) {},  // stands as its parts
                [&](const Ellipsoid& ellipsoid) {
                  p.kind = Kind::kEllipsoid;
                  p.half = wide(ellipsoid.radii);
                },
                [&](const ConvexHull& hull) {
                  p.hull = hull.data().get();
                  bounded(Kind::kHull, wide(p.hull->lower), wide(p.hull->upper));
                },
                [&](const TriangleMesh& mesh) {
                  p.mesh = mesh.data().get();
                  bounded(Kind::kMesh, wide(p.mesh->lower), wide(p.mesh->upper));
                },
                [&](const HeightField& field) {
                  p.field = field.data().get();
                  const double spacing = p.field->spacing;
                  bounded(Kind::kField, {0, 0, p.field->lowest},
                          {spacing * (p.field->columns - 1), spacing * (p.field->rows - 1), p.field->highest});
                },
                [&](const Plane& plane) {
                  p.kind = Kind::kPlane;
                  p.axis[2] = rotate(q, unit(wide(plane.normal)));
                  p.x += static_cast<double>(plane.offset) * p.axis[2];
                }},
      shape.geometry);
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

}  // namespace cairn::quality
