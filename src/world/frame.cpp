#include "src/world/frame.h"

#include <algorithm>
#include <cmath>

#include "kernels/common/bodies.h"
#include "src/scene/geometry_rules.h"
#include "src/shape/shape_parts.h"

namespace cairn {
namespace {

using kernels::BodyFlag;
using kernels::conjugate;
using kernels::narrow;
using kernels::ShapeGeometry;
using kernels::ShapeKind;
using kernels::times;
using kernels::turn;
using kernels::widen;

// planes have no bounds; large, and still finite in products
constexpr float kUnbounded = 1e18f;

/// Kind, size and rounding. Frusta have the lower radius first.
struct GeometryOf {
  ShapeGeometry operator()(const Sphere& s) const { return {ShapeKind::kSphere, {s.radius, 0, 0}, {}, {}}; }
  ShapeGeometry operator()(const Box& b) const { return {ShapeKind::kBox, b.half_extents, {}, {}}; }
  ShapeGeometry operator()(const Capsule& c) const {
    return {ShapeKind::kCapsule, {c.radius, 0, c.half_height}, {}, {}};
  }
  ShapeGeometry operator()(const Plane&) const { return {ShapeKind::kPlane, {}, {}, {}}; }
  ShapeGeometry operator()(const Cylinder& c) const { return frustum(c.radius, c.radius, c.half_height); }
  ShapeGeometry operator()(const Cone& c) const { return frustum(c.radius, 0, c.half_height); }
  ShapeGeometry operator()(const TaperedCylinder& c) const {
    return frustum(c.bottom_radius, c.top_radius, c.half_height);
  }
  ShapeGeometry operator()(const Ellipsoid& e) const { return {ShapeKind::kEllipsoid, e.radii, {}, {}}; }
  ShapeGeometry operator()(const RoundedBox& b) const {
    const Vec3 h = b.half_extents;
    return {ShapeKind::kRoundedBox, {h.x - b.radius, h.y - b.radius, h.z - b.radius}, {}, {}, b.radius};
  }
  ShapeGeometry operator()(const ConvexHull&) const { return {ShapeKind::kHull, {1, 0, 0}, {}, {}}; }
  ShapeGeometry operator()(const TriangleMesh&) const { return {ShapeKind::kMesh, {1, 0, 0}, {}, {}}; }
  ShapeGeometry operator()(const HeightField&) const { return {ShapeKind::kHeightField, {1, 0, 0}, {}, {}}; }
  /// No shape of the device: see src/shape/shape_parts.h.
  ShapeGeometry operator()(const Tube&) const { return {}; }

  static ShapeGeometry frustum(float bottom, float top, float half_height) {
    return {ShapeKind::kFrustum, {bottom, top, half_height}, {}, {}};
  }
};

/// The rotation that takes z to the unit vector n.
Quat turn_from_z(Vec3 n) {
  if (n.z < -0.9999999f) return {1, 0, 0, 0};
  const double x = -double{n.y}, y = double{n.x}, w = 1.0 + double{n.z};
  const double l = std::sqrt(x * x + y * y + w * w);
  return {static_cast<float>(x / l), static_cast<float>(y / l), 0, static_cast<float>(w / l)};
}

Vec3d times(double s, Vec3d v) { return {s * v.x, s * v.y, s * v.z}; }

/// [m] Distance from the centre of mass to the shape's farthest point. The sizes of the first kinds of shapes are
/// summed in float, and stay so.
float reach_of(const ShapeGeometry& g, const Geometry& described) {
  const auto norm = [](Vec3 a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); };
  const ShapeKind kind = std::holds_alternative<Tube>(described) ? ShapeKind::kHull : g.kind;
  if (kind == ShapeKind::kSphere) return norm(g.position) + g.size.x;
  if (kind == ShapeKind::kBox) return norm(g.position) + norm(g.size);
  if (kind == ShapeKind::kCapsule) return norm(g.position) + g.size.x + g.size.z;
  if (kind == ShapeKind::kPlane) return kUnbounded;
  return norm(g.position) + static_cast<float>(rules::reach_of(described));
}

}  // namespace

void BodySlot::compute_mass(const std::vector<Material>& materials) { mass = mass_properties(body, materials); }

kernels::BodyFrame BodySlot::frame(float size) const { return {times(size, mass.centre_of_mass), mass.axes}; }

Vec3 BodySlot::velocity_at_centre(const MassProperties& before, const BodyState& now, float size) const {
  if (mass.centre_of_mass == before.centre_of_mass) return now.linear_velocity;
  const Vec3d shift{mass.centre_of_mass.x - before.centre_of_mass.x, mass.centre_of_mass.y - before.centre_of_mass.y,
                    mass.centre_of_mass.z - before.centre_of_mass.z};
  const Vec3d r = turn(widen(now.orientation), times(size, shift)), w = widen(now.angular_velocity);
  return {static_cast<float>(now.linear_velocity.x + w.y * r.z - w.z * r.y),
          static_cast<float>(now.linear_velocity.y + w.z * r.x - w.x * r.z),
          static_cast<float>(now.linear_velocity.z + w.x * r.y - w.y * r.x)};
}

Vec3d BodySlot::centre_offset(Quat orientation, float size) const {
  return turn(widen(orientation), times(size, mass.centre_of_mass));
}

ShapeGeometry geometry_of(const Geometry& geometry) { return std::visit(GeometryOf{}, geometry); }

ShapeGeometry geometry_of(const Shape& shape, const BodySlot& slot) {
  ShapeGeometry g = geometry_of(shape.geometry);
  Vec3d position = widen(shape.position);
  QuatT<double> orientation = widen(shape.orientation);
  if (const Plane* plane = std::get_if<Plane>(&shape.geometry)) {
    // the plane's own offset along its normal, in the shape's frame
    const Vec3d up = turn(orientation, widen(plane->normal));
    position = {position.x + plane->offset * up.x, position.y + plane->offset * up.y,
                position.z + plane->offset * up.z};
    orientation = times(orientation, widen(turn_from_z(plane->normal)));
  }
  if (!slot.frame(1).plain()) {
    const QuatT<double> to_principal = conjugate(slot.mass.axes);
    const Vec3d c = slot.mass.centre_of_mass;
    position = turn(to_principal, {position.x - c.x, position.y - c.y, position.z - c.z});
    orientation = times(to_principal, orientation);
  }
  g.position = narrow(position);
  g.orientation = narrow(orientation);
  return g;
}

kernels::ShapeKind kind_of(const Geometry& geometry) { return geometry_of(geometry).kind; }

BodyRecord record_of(const BodySlot& slot, const BodyState& at, float size) {
  BodyRecord r{};
  r.flags = static_cast<std::uint32_t>(slot.body.type) | BodyFlag::kBodyAlive;
  if (!slot.body.enabled) r.flags |= BodyFlag::kBodyDisabled;
  if (slot.body.bullet) r.flags |= BodyFlag::kBodyBullet;
  if (slot.body.fixed_rotation) r.flags |= BodyFlag::kBodyFixedRotation;
  if (slot.link) r.flags |= BodyFlag::kBodyLink;
  r.world = slot.world;
  r.id = slot.id;
  const kernels::PrincipalPose pose = principal_pose(slot.frame(size), {at.position, at.orientation});
  r.x = pose.x;
  r.x_low = pose.x_low;
  r.q = pose.q;
  r.v = at.linear_velocity;
  r.w = at.angular_velocity;
  r.inertia = {1, 1, 1};
  if (slot.body.type == BodyType::kDynamic) {
    r.inv_mass = static_cast<float>(1.0 / slot.mass.mass);
    r.inertia = narrow(slot.mass.moments);
    const Vec3d m = slot.mass.moments;
    const double spread = std::max({m.x, m.y, m.z}) - std::min({m.x, m.y, m.z});
    // articulations handle the gyroscopic torque
    const bool even = spread <= 1e-6 * std::max({m.x, m.y, m.z});
    if (!even && !slot.link && !slot.body.fixed_rotation) r.flags |= BodyFlag::kBodyGyroscopic;
  }
  r.min_extent = kUnbounded;
  r.centre = slot.mass.centre_of_mass;
  for (const Shape& shape : slot.body.shapes) {
    r.radius = std::max(r.radius, reach_of(geometry_of(shape, slot), shape.geometry));
    // sensors push nothing and don't limit it
    if (!shape.sensor)
      r.min_extent = static_cast<float>(std::min(double{r.min_extent}, shape::min_extent(shape.geometry)));
  }
  return r;
}

BodyState state_of(const BodySlot& slot, Vec3 x, Vec3 x_low, Quat q, Vec3 v, Vec3 w, float size) {
  const kernels::BodyPose pose = body_pose(slot.frame(size), {x, x_low, q});
  return {pose.x, pose.q, v, w};
}

}  // namespace cairn
