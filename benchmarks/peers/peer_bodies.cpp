#include <cmath>

#include "benchmarks/peers/peer.h"

namespace cairn::peers {

namespace {

[[noreturn]] void refuse(const Body& body, const std::string& rule) {
  throw InvalidArgument("body \"" + body.name + "\": the peer comparison needs " + rule);
}

}  // namespace

std::vector<PeerBody> peer_bodies(const Scene& scene) {
  std::vector<PeerBody> out;
  out.reserve(scene.bodies().size());
  for (const Body& body : scene.bodies()) {
    if (body.shapes.size() != 1) refuse(body, "exactly one shape, found " + std::to_string(body.shapes.size()));
    const Shape& shape = body.shapes.front();
    if (shape.position != Vec3{} || shape.orientation != Quat{}) refuse(body, "a shape without a local pose");
    if (body.type == BodyType::kKinematic) refuse(body, "static or dynamic bodies");
    if (std::holds_alternative<Capsule>(shape.geometry)) refuse(body, "boxes, spheres and planes");
    if (body.inertia) refuse(body, "inertia from the shape");
    if (body.linear_damping != 0 || body.angular_damping != 0) refuse(body, "no damping");
    if (!body.enabled) refuse(body, "bodies that are enabled");
    if (body.gravity_scale != 1) refuse(body, "a gravity_scale of 1");

    const Material& material = scene.materials().at(shape.material);
    out.push_back({.geometry = shape.geometry,
                   .dynamic = body.type == BodyType::kDynamic,
                   .mass = mass_properties(body, scene.materials()).mass,
                   .inertia = {},
                   .friction = material.friction,
                   .restitution = material.restitution,
                   .start = {body.position, body.orientation, body.linear_velocity, body.angular_velocity}});
    PeerBody& peer = out.back();
    if (!peer.dynamic) continue;
    // along the body's own axes, whose order mass_properties (principal axes) need not keep
    if (const Box* box = std::get_if<Box>(&shape.geometry)) {
      const double x = 2.0 * box->half_extents.x, y = 2.0 * box->half_extents.y, z = 2.0 * box->half_extents.z;
      peer.inertia = {peer.mass / 12 * (y * y + z * z), peer.mass / 12 * (x * x + z * z),
                      peer.mass / 12 * (x * x + y * y)};
    } else {
      const double radius = std::get<Sphere>(shape.geometry).radius;
      const double moment = 0.4 * peer.mass * radius * radius;
      peer.inertia = {moment, moment, moment};
    }
  }
  return out;
}

Scene tiled(const Scene& scene, int copies) {
  constexpr double kPitch = 5;  // [m] wider than a copy of any scene that is compared in copies
  const int side = static_cast<int>(std::ceil(std::sqrt(copies)));
  Scene all;
  all.set_gravity(scene.gravity());
  all.set_params(scene.params());
  for (const Material& material : scene.materials()) all.add_material(material);
  for (int copy = 0; copy < copies; ++copy) {
    for (Body body : scene.bodies()) {
      if (body.type != BodyType::kDynamic && copy != 0) continue;
      if (!body.name.empty()) body.name += "#" + std::to_string(copy);
      if (body.type == BodyType::kDynamic) {
        body.position.x += kPitch * (copy % side);
        body.position.y += kPitch * (copy / side);
      }
      all.add_body(std::move(body));
    }
  }
  return all;
}

}  // namespace cairn::peers
