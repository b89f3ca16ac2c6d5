// Mass properties of things that aren't bodies.

#include <cmath>

#include "cairn/mass.h"
#include "src/exec/exact_floats.h"
#include "src/mass/solid.h"
#include "src/mass/tensor.h"
#include "src/scene/text.h"

namespace cairn {
namespace {

using mass::Matrix;
using mass::Vector;

Matrix tensor_of(const MassProperties& p) { return mass::turned(mass::rotation(p.axes), mass::vector(p.moments)); }

void require_number(bool holds, const char* what, double value) {
  if (!holds) throw InvalidArgument(std::string("mass properties: ") + what + ", is " + rules::digits(value));
}

}  // namespace

MassProperties mass_properties(const Geometry& geometry, double density) {
  const exec::ExactFloats exact;
  require_number(density > 0 && std::isfinite(density), "density must be over 0 and finite", density);
  if (std::holds_alternative<Plane>(geometry) || std::holds_alternative<HeightField>(geometry))
    throw InvalidArgument("mass properties: a plane or a height field encloses nothing that could have a mass");
  const mass::Solid solid = mass::solid_of(geometry);
  require_number(solid.volume > 0, "volume must be over 0", solid.volume);
  MassProperties out;
  out.mass = density * solid.volume;
  out.centre_of_mass = mass::vec3d(solid.centre);
  out.moments = {density * solid.moments[0], density * solid.moments[1], density * solid.moments[2]};
  out.axes = mass::quaternion(solid.axes);
  return out;
}

/// 2/5 m (R^5 - r^5) / (R^3 - r^3), with R - r divided out of both, so that thin shells lose no digits.
MassProperties mass_properties_of_hollow_ball(double outer_radius, double inner_radius, double mass) {
  const exec::ExactFloats exact;
  const double o = outer_radius, i = inner_radius;
  require_number(o > 0 && std::isfinite(o), "outer radius must be over 0 and finite", o);
  require_number(i >= 0 && i <= o, "inner radius must be between 0 and the outer radius", i);
  require_number(mass > 0 && std::isfinite(mass), "mass must be over 0 and finite", mass);
  const double t = i / o;
  const double moment = 0.4 * mass * o * o * (1 + t + t * t + t * t * t + t * t * t * t) / (1 + t + t * t);
  return {mass, {}, {moment, moment, moment}, {}};
}

MassProperties mass_properties(const PointMass& point) {
  return {point.mass, {point.position.x, point.position.y, point.position.z}, {}, {}};
}

MassProperties moved(const MassProperties& properties, Vec3d position, QuatT<double> orientation) {
  const exec::ExactFloats exact;
  const Matrix r = mass::rotation(orientation);
  MassProperties out = properties;
  const Vector c = mass::times(r, mass::vector(properties.centre_of_mass));
  out.centre_of_mass = {position.x + c[0], position.y + c[1], position.z + c[2]};
  out.axes = mass::quaternion(mass::times(r, mass::rotation(properties.axes)));
  return out;
}

MassProperties together(std::span<const MassProperties> things) {
  const exec::ExactFloats exact;
  double mass = 0;
  Vector centre{};
  for (const MassProperties& thing : things) {
    mass += thing.mass;
    for (std::size_t i = 0; i < 3; ++i) centre[i] += thing.mass * mass::vector(thing.centre_of_mass)[i];
  }
  require_number(mass > 0 && std::isfinite(mass), "the mass of all must be over 0 and finite", mass);
  for (double& c : centre) c /= mass;
  Matrix tensor{};
  for (const MassProperties& thing : things) {
    Matrix own = tensor_of(thing);
    mass::add(own, thing.mass, mass::point_tensor(mass::operator-(mass::vector(thing.centre_of_mass), centre)));
    mass::add(tensor, 1, own);
  }
  const Matrix axes = mass::diagonalise(tensor);
  return {mass, mass::vec3d(centre), mass::vec3d(mass::diagonal(tensor)), mass::quaternion(axes)};
}

Inertia inertia_of(const MassProperties& properties) {
  const exec::ExactFloats exact;
  return mass::inertia_of(tensor_of(properties));
}

void give_mass(Body& body, const MassProperties& properties) {
  const exec::ExactFloats exact;
  const Vec3d& c = properties.centre_of_mass;
  body.mass = static_cast<float>(properties.mass);
  body.centre_of_mass = Vec3{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
  body.inertia = inertia_of(properties);
  body.point_masses.clear();
}

}  // namespace cairn
