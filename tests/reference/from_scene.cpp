#include "tests/reference/from_scene.h"

#include <numbers>

namespace cairn::reference {
namespace {

Vec3 from_vec(cairn::Vec3 v) { return {v.x, v.y, v.z}; }
Quat from_quat(cairn::Quat q) { return normalized(Quat{q.w, q.x, q.y, q.z}); }
Pose local_pose(const cairn::Shape& shape) { return {from_vec(shape.position), from_quat(shape.orientation)}; }

struct GeometryReader {
  Geometry operator()(const cairn::Sphere& s) const { return Sphere{s.radius}; }
  Geometry operator()(const cairn::Box& b) const { return Box{from_vec(b.half_extents)}; }
  Geometry operator()(const cairn::Capsule& c) const { return Capsule{c.radius, c.half_height}; }
  Geometry operator()(const cairn::Plane& p) const {
    // the offset is in metres along the unit normal, for a given normal of any length
    return Plane{normalized(from_vec(p.normal)), p.offset};
  }
  template <class Other>
  Geometry operator()(const Other&) const {
    throw InvalidArgument("the reference has no such shape");
  }
};

}  // namespace

Geometry from_geometry(const cairn::Geometry& geometry) { return std::visit(GeometryReader{}, geometry); }

Pose from_pose(cairn::Vec3d x, cairn::Quat q) { return {{x.x, x.y, x.z}, from_quat(q)}; }

double volume(const Geometry& geometry) {
  if (const auto* s = std::get_if<Sphere>(&geometry)) return 4.0 / 3.0 * std::numbers::pi * std::pow(s->radius, 3);
  if (const auto* b = std::get_if<Box>(&geometry)) return 8 * b->half_extents.x * b->half_extents.y * b->half_extents.z;
  if (const auto* c = std::get_if<Capsule>(&geometry)) {
    return std::numbers::pi * c->radius * c->radius * (2 * c->half_height + 4.0 / 3.0 * c->radius);
  }
  return 0;
}

Mat3 solid_inertia(const Geometry& geometry, double mass) {
  if (const auto* s = std::get_if<Sphere>(&geometry)) {
    const double i = 0.4 * mass * s->radius * s->radius;
    return diagonal({i, i, i});
  }
  if (const auto* b = std::get_if<Box>(&geometry)) {
    const Vec3 h = b->half_extents;
    return mass / 3 * diagonal({h.y * h.y + h.z * h.z, h.z * h.z + h.x * h.x, h.x * h.x + h.y * h.y});
  }
  if (const auto* c = std::get_if<Capsule>(&geometry)) {
    // cylinder and two hemispheres share the mass by volume; a hemisphere's centre is 3/8 r from its disc
    const double r = c->radius, hh = c->half_height, balls = 4.0 / 3.0 * r / (2 * hh + 4.0 / 3.0 * r);
    const double mb = balls * mass, mc = mass - mb;
    const double axial = mc * r * r / 2 + mb * 0.4 * r * r;
    const double across = mc * (r * r / 4 + hh * hh / 3) + mb * (0.4 * r * r + hh * hh + 0.75 * hh * r);
    return diagonal({across, across, axial});
  }
  return {};
}

BodyInertia body_inertia(const cairn::Body& body, const std::vector<cairn::Material>& materials) {
  bool by_volume = body.density.has_value();
  for (const cairn::Shape& s : body.shapes) by_volume = by_volume || materials[s.material].density == 0;

  const auto shape_mass = [&](const cairn::Shape& s) {
    const double density = body.density ? *body.density : by_volume ? 1 : materials[s.material].density;
    return density * volume(from_geometry(s.geometry));
  };
  BodyInertia out{{0, {}}, {}};
  for (const cairn::Shape& s : body.shapes) {
    out.inertia.mass += shape_mass(s);
    out.centre += shape_mass(s) * from_vec(s.position);
  }
  out.centre = out.centre / out.inertia.mass;

  // Huygens and Steiner: I = sum of R I_shape R^T + m (d^2 - d d^T)
  for (const cairn::Shape& s : body.shapes) {
    const double m = shape_mass(s);
    const Pose local = local_pose(s);
    const Vec3 d = local.x - out.centre;
    out.inertia.tensor = out.inertia.tensor + to_world(local.q, solid_inertia(from_geometry(s.geometry), m)) +
                         m * (dot(d, d) * diagonal({1, 1, 1}) + -1.0 * outer(d, d));
  }
  if (body.mass) {
    out.inertia.tensor = *body.mass / out.inertia.mass * out.inertia.tensor;
    out.inertia.mass = *body.mass;
  }
  if (body.inertia) out.inertia.tensor = diagonal(from_vec(body.inertia->moments));
  return out;
}

}  // namespace cairn::reference
