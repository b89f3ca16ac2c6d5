#include "src/queries/query_shape.h"

#include <algorithm>
#include <string>

#include "cairn/errors.h"
#include "kernels/queries/query_rules.h"

namespace cairn {
namespace {

using kernels::ShapeGeometry;
using kernels::ShapeKind;

constexpr float kMin = 1e-6f, kMax = 1e6f;  // [m] of the sizes of shapes (docs/scenes.md)

struct QueryGeometry {
  std::size_t index;
  SolidStore& solids;

  [[noreturn]] void refuse(const std::string& reason) const {
    throw InvalidArgument("query " + std::to_string(index) + ": " + reason);
  }
  ShapeGeometry made(ShapeKind kind, Vec3 size, float round = 0) const {
    ShapeGeometry g{kind, size, {0, 0, 0}, {0, 0, 0, 1}};
    g.round = round;
    return g;
  }
  void check(std::initializer_list<float> sizes) const {
    for (const float size : sizes) {
      if (!(size >= kMin && size <= kMax)) refuse("sizes must be from 1e-6 to 1e6 m");
    }
  }

  ShapeGeometry operator()(const Sphere& s) const {
    if (s.radius != 0) check({s.radius});
    return made(ShapeKind::kSphere, {s.radius, 0, 0});
  }
  ShapeGeometry operator()(const Box& b) const {
    check({b.half_extents.x, b.half_extents.y, b.half_extents.z});
    return made(ShapeKind::kBox, b.half_extents);
  }
  ShapeGeometry operator()(const Capsule& c) const {
    check({c.radius, c.half_height});
    return made(ShapeKind::kCapsule, {c.radius, 0, c.half_height});
  }
  ShapeGeometry operator()(const Cylinder& c) const {
    check({c.radius, c.half_height});
    return made(ShapeKind::kFrustum, {c.radius, c.radius, c.half_height});
  }
  ShapeGeometry operator()(const Cone& c) const {
    check({c.radius, c.half_height});
    return made(ShapeKind::kFrustum, {c.radius, 0, c.half_height});
  }
  ShapeGeometry operator()(const TaperedCylinder& c) const {
    check({c.bottom_radius, c.top_radius, c.half_height});
    return made(ShapeKind::kFrustum, {c.bottom_radius, c.top_radius, c.half_height});
  }
  ShapeGeometry operator()(const Ellipsoid& e) const {
    check({e.radii.x, e.radii.y, e.radii.z});
    return made(ShapeKind::kEllipsoid, e.radii);
  }
  ShapeGeometry operator()(const RoundedBox& b) const {
    const Vec3 core{b.half_extents.x - b.radius, b.half_extents.y - b.radius, b.half_extents.z - b.radius};
    check({b.radius, b.half_extents.x, b.half_extents.y, b.half_extents.z});
    if (!(std::min({core.x, core.y, core.z}) > 0)) refuse("half extents of a rounded box must be over its radius");
    return made(ShapeKind::kRoundedBox, core, b.radius);
  }
  ShapeGeometry operator()(const ConvexHull& h) const {
    if (h.data() == nullptr) refuse("the hull is of nothing");
    ShapeGeometry g = made(ShapeKind::kHull, {1, 0, 0});
    solids.add(h);
    g.data = solids.index_of(h);
    return g;
  }
  template <class Other>
  ShapeGeometry operator()(const Other&) const {
    refuse("planes, tubes, meshes and height fields can't be asked with");
  }
};

}  // namespace

ShapeGeometry query_shape(const ShapeQuery& query, std::size_t index, SolidStore& solids) {
  const QueryGeometry geometry{index, solids};
  kernels::Query q{};
  q.shape = std::visit(geometry, query.geometry);
  const Quat turn = query.orientation;
  if (!kernels::turn_query(q, turn.x, turn.y, turn.z, turn.w))
    geometry.refuse("orientation must be finite and not zero");
  return q.shape;
}

}  // namespace cairn
