#include "tests/reference/from_scene.h"

#include <string>

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

Simulation::Mix from_rule(cairn::MixRule rule) {
  switch (rule) {
    case cairn::MixRule::kMin:
      return Simulation::smaller;
    case cairn::MixRule::kMax:
      return Simulation::larger;
    case cairn::MixRule::kProduct:
      return Simulation::product;
    case cairn::MixRule::kGeometricMean:
      break;
  }
  return Simulation::geometric_mean;
}

}  // namespace

Geometry from_geometry(const cairn::Geometry& geometry) { return std::visit(GeometryReader{}, geometry); }

Pose from_pose(cairn::Vec3d x, cairn::Quat q) { return {{x.x, x.y, x.z}, from_quat(q)}; }

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

RigidBody from_body(const cairn::Body& body, const std::vector<cairn::Material>& materials) {
  RigidBody out;
  out.dynamic = body.type == cairn::BodyType::kDynamic;
  Vec3 centre;
  if (out.dynamic) {
    const BodyInertia mass = body_inertia(body, materials);
    out.inertia = mass.inertia;
    centre = mass.centre;
  }
  const Pose origin = from_pose(body.position, body.orientation);
  out.motion.pose = {to_world(origin, centre), origin.q};
  if (!body.enabled) {
    // it keeps its place, and nothing collides with it
    out.dynamic = false;
    return out;
  }
  if (body.type != cairn::BodyType::kStatic) {
    out.motion.v = from_vec(body.linear_velocity);
    set_angular_velocity(out.motion, from_vec(body.angular_velocity));
  }
  out.linear_damping = body.linear_damping;
  out.gravity_scale = double{body.gravity_scale};
  out.angular_damping = body.angular_damping;
  for (const cairn::Shape& s : body.shapes) {
    const cairn::Material& material = materials[s.material];
    if (material.rolling_friction != 0) {
      throw cairn::InvalidArgument("body '" + body.name + "': the reference has no rolling friction, material '" +
                                   material.name + "' has " + std::to_string(material.rolling_friction) + " m");
    }
    Pose local = local_pose(s);
    local.x -= centre;
    out.shapes.push_back({from_geometry(s.geometry), local, material.friction, material.restitution,
                          from_vec(material.surface_velocity)});
  }
  return out;
}

Simulation from_scene(const cairn::Scene& scene) {
  Simulation out;
  out.gravity = from_vec(scene.gravity());
  out.friction_mix = from_rule(scene.params().friction_mix);
  out.restitution_mix = from_rule(scene.params().restitution_mix);
  out.restitution_threshold = scene.params().restitution_threshold;
  for (const cairn::Body& body : scene.bodies()) out.bodies.push_back(from_body(body, scene.materials()));
  return out;
}

Vec3 body_origin(const RigidBody& body, Vec3 centre) { return to_world(body.motion.pose, -centre); }

}  // namespace cairn::reference
