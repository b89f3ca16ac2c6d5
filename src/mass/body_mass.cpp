// Bodies of several shapes and point masses.

#include <algorithm>

#include "cairn/scene.h"
#include "src/exec/exact_floats.h"
#include "src/mass/solid.h"
#include "src/mass/tensor.h"

namespace cairn {
namespace {

using mass::Matrix;
using mass::operator-;
using mass::Solid;
using mass::Vector;

/// Density of each shape relative to the others: the body's own (one for all), or its materials'. If the body has a
/// mass and some material has no density, it is uniform.
std::vector<double> densities(const Body& body, const std::vector<Material>& materials) {
  std::vector<double> list;
  list.reserve(body.shapes.size());
  if (!body.density) {
    for (const Shape& shape : body.shapes) {
      const double density = materials.at(shape.material).density;
      if (density > 0 || shape.sensor) list.push_back(density);
    }
  }
  if (list.size() != body.shapes.size()) list.assign(body.shapes.size(), body.density ? double{*body.density} : 1.0);
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (body.shapes[k].sensor) list[k] = 0;
  }
  return list;
}

/// A shape's solid, placed in its body.
struct Placed {
  Solid solid;
  Matrix axes;    ///< [1] principal frame to body
  Vector centre;  ///< [m] of mass, in the body's frame
};

Placed placed(const Shape& shape) {
  Placed out{mass::solid_of(shape.geometry), mass::rotation(shape.orientation), mass::vector(shape.position)};
  // most have their centre of mass at the origin and principal own axes: they are not rounded here
  if (out.solid.centre != Vector{}) {
    const Vector off = mass::times(out.axes, out.solid.centre);
    for (std::size_t i = 0; i < 3; ++i) out.centre[i] += off[i];
  }
  if (out.solid.axes != mass::kIdentity) out.axes = mass::times(out.axes, out.solid.axes);
  return out;
}

}  // namespace

MassProperties mass_properties(const Body& body, const std::vector<Material>& materials) {
  const exec::ExactFloats exact;
  MassProperties result;
  // bodies that aren't dynamic never turn about their centre of mass, so the origin serves: a door turns about its
  // author's hinge
  if (body.type != BodyType::kDynamic) return result;

  const std::vector<double> density_of = densities(body, materials);
  std::vector<Placed> shapes;
  shapes.reserve(body.shapes.size());
  double of_shapes = 0, of_points = 0;
  Vector centre{};
  for (std::size_t k = 0; k < body.shapes.size(); ++k) {
    shapes.push_back(placed(body.shapes[k]));
    const double m = density_of[k] * shapes[k].solid.volume;
    of_shapes += m;
    for (std::size_t i = 0; i < 3; ++i) centre[i] += m * shapes[k].centre[i];
  }
  for (const PointMass& point : body.point_masses) of_points += double{point.mass};
  // the shapes have the body's mass less that of the points
  const double scale = body.mass ? std::max(0.0, double{*body.mass} - of_points) / of_shapes : 1.0;
  double mass = of_shapes;
  if (!body.point_masses.empty()) {
    mass = of_shapes * scale + of_points;
    for (std::size_t i = 0; i < 3; ++i) {
      centre[i] *= scale;
      for (const PointMass& point : body.point_masses) centre[i] += point.mass * mass::vector(point.position)[i];
    }
  }
  for (double& c : centre) c /= mass;
  if (body.centre_of_mass) centre = mass::vector(*body.centre_of_mass);
  result.mass = body.mass ? double{*body.mass} : mass;
  result.centre_of_mass = mass::vec3d(centre);

  Matrix tensor{};
  if (body.inertia) {
    if (body.inertia->products == Vec3{}) {
      result.moments = mass::vec3d(mass::vector(body.inertia->moments));
      return result;
    }
    tensor = mass::tensor_of(*body.inertia);
  } else {
    // I = sum R diag(moments) R^T + m (|d|^2 1 - d d^T), d from the common centre of mass to the shape's
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const Solid& solid = shapes[k].solid;
      Matrix own = mass::turned(shapes[k].axes, solid.moments);
      mass::add(own, solid.volume, mass::point_tensor(shapes[k].centre - centre));
      mass::add(tensor, density_of[k] * scale, own);
    }
    for (const PointMass& point : body.point_masses)
      mass::add(tensor, point.mass, mass::point_tensor(mass::vector(point.position) - centre));
  }
  const Matrix axes = mass::diagonalise(tensor);
  result.moments = mass::vec3d(mass::diagonal(tensor));
  result.axes = mass::quaternion(axes);
  return result;
}

}  // namespace cairn
