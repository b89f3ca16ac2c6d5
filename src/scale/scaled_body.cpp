// The description of a body with its scales.

#include "cairn/mass.h"
#include "kernels/scale/scale.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

using kernels::operator*;

struct ScaledGeometry {
  float by;
  Geometry operator()(Sphere s) const { return Sphere{s.radius * by}; }
  Geometry operator()(Box b) const { return Box{by * b.half_extents}; }
  Geometry operator()(Capsule c) const { return Capsule{c.radius * by, c.half_height * by}; }
  Geometry operator()(Plane p) const { return p; }
  Geometry operator()(Cylinder c) const { return Cylinder{c.radius * by, c.half_height * by}; }
  Geometry operator()(Cone c) const { return Cone{c.radius * by, c.half_height * by}; }
  Geometry operator()(TaperedCylinder c) const {
    return TaperedCylinder{c.bottom_radius * by, c.top_radius * by, c.half_height * by};
  }
  Geometry operator()(Tube t) const { return Tube{t.outer_radius * by, t.inner_radius * by, t.half_height * by}; }
  Geometry operator()(Ellipsoid e) const { return Ellipsoid{by * e.radii}; }
  Geometry operator()(RoundedBox b) const { return RoundedBox{by * b.half_extents, b.radius * by}; }
  Geometry operator()(const ConvexHull& hull) const {
    std::vector<Vec3> points(hull.vertices().begin(), hull.vertices().end());
    for (Vec3& p : points) p = by * p;
    return ConvexHull(points);
  }
  // bodies with these aren't scaled
  Geometry operator()(const TriangleMesh& mesh) const { return mesh; }
  Geometry operator()(const HeightField& field) const { return field; }
};

}  // namespace

Body ScaleFeature::body_at(std::uint32_t at) {
  const BodySlot& slot = world_.slots[at];
  Body made = slot.body;
  const BodyScales by = of(at);
  if (by == BodyScales{}) return made;
  for (Shape& shape : made.shapes) {
    shape.geometry = std::visit(ScaledGeometry{by.size}, shape.geometry);
    shape.position = by.size * shape.position;
  }
  const kernels::InertialScales f = kernels::inertial_scales(by);
  made.mass = static_cast<float>(slot.mass.mass * f.mass);
  made.density.reset();
  if (by.inertia != 1 && !made.inertia) made.inertia = inertia_of(slot.mass);
  if (made.inertia) {
    for (Vec3* m : {&made.inertia->moments, &made.inertia->products}) {
      *m = {static_cast<float>(m->x * f.moments), static_cast<float>(m->y * f.moments),
            static_cast<float>(m->z * f.moments)};
    }
  }
  if (made.centre_of_mass) made.centre_of_mass = by.size * *made.centre_of_mass;
  for (PointMass& point : made.point_masses) {
    point = {static_cast<float>(point.mass * f.mass), by.size * point.position};
  }
  return made;
}

Body WorldScales::description(BodyHandle body) const {
  return world_.call([&]() -> Body { return world_.scales.body_at(world_.slot_of(body)); });
}

}  // namespace cairn
