// Rules of bodies between members; ranges of single members are in the lists beside the structs (cairn/body.h).

#include <algorithm>

#include "cairn/mass.h"
#include "src/scene/check_attributes.h"
#include "src/scene/geometry_rules.h"

namespace cairn::rules {
namespace {

void check_shapes(Checker& check, const Body& body, const std::vector<Material>& materials) {
  check.require(!body.shapes.empty(), "shapes", "must have at least one shape");
  for (std::size_t k = 0; k < body.shapes.size() && check.good(); ++k) {
    const Shape& shape = body.shapes[k];
    check.set_part(", shape " + std::to_string(k), "/shapes/" + std::to_string(k));
    check_geometry(check, body.type, shape.geometry);
    check_attributes(check, shape);
    check.index(shape.material, materials.size(), "a material", "material", "/material");
  }
  check.set_part("", "");
}

void check_inertia(Checker& check, const Body& body, const std::vector<Material>& materials) {
  if (body.inertia && check.good()) {
    const Vec3& m = body.inertia->moments;
    check.require(body.mass.has_value(), "inertia", "needs a mass beside it");
    check.vector(m, "inertia", "/inertia", kInertial);
    check.vector(body.inertia->products, "inertia products", "/inertia", kFinite);
    if (const std::string rule = check.good() ? fault_of(*body.inertia) : ""; !rule.empty())
      check.require(false, "inertia", rule);
  }
  if (body.centre_of_mass) {
    check.require(body.inertia.has_value(), "centre_of_mass", "needs an inertia beside it");
  }
  double of_points = 0;
  for (std::size_t k = 0; k < body.point_masses.size() && check.good(); ++k) {
    const PointMass& point = body.point_masses[k];
    const std::string name = "point mass " + std::to_string(k), key = "point_masses/" + std::to_string(k);
    const Where where{nullptr, name, key};
    check_attributes(check, point, &where);
    of_points += double{point.mass};
  }
  // masses scaled together were rounded to float each
  constexpr double kRounded = 1 + 4 * 0x1p-24;
  if (check.good() && body.mass && of_points > kRounded * double{*body.mass}) {
    check.require(false, "mass",
                  "must be at least that of the point masses, " + digits(of_points) + ", is " + digits(*body.mass));
  }
  if (body.type != BodyType::kDynamic || !check.good()) return;
  const bool weighs = std::any_of(body.shapes.begin(), body.shapes.end(), [](const Shape& s) { return !s.sensor; });
  check.require(weighs, "shapes", "must have one on a dynamic body that isn't a sensor: sensors weigh nothing");
  if (!check.good()) return;

  if (!body.mass && !body.density) {
    for (const Shape& shape : body.shapes) {
      const Material& material = materials[shape.material];
      if (material.density > 0 || shape.sensor) continue;
      check.require(false, "mass or density", "",
                    "must be given on a dynamic body, or a density on the materials of all its shapes; material \"" +
                        material.name + "\" has none");
      return;
    }
  }
  const MassProperties got = mass_properties(body, materials);
  check.number(got.mass, "mass from its shapes", "", kInertial);
  check.vector(got.moments, "principal inertia from its shapes", "", kInertial);
}

/// The surface of the bounding sphere about the centre of mass must not exceed a body's max speed.
void check_spin(Checker& check, const Body& body, const std::vector<Material>& materials) {
  if (!check.good() || body.angular_velocity == Vec3{}) return;
  const Vec3d centre = mass_properties(body, materials).centre_of_mass;
  double radius = 0;
  for (const Shape& shape : body.shapes) {
    const double x = shape.position.x - centre.x, y = shape.position.y - centre.y, z = shape.position.z - centre.z;
    radius = std::max(radius, std::sqrt(x * x + y * y + z * z) + reach_of(shape.geometry));
  }
  const double wx = body.angular_velocity.x, wy = body.angular_velocity.y, wz = body.angular_velocity.z;
  const double spin = std::sqrt(wx * wx + wy * wy + wz * wz);
  // the device bounds its results in float: values from it must be accepted again
  constexpr double kSlack = 1 + 0x1p-20;
  if (spin * radius <= kMaxSpeed * kSlack) return;
  check.require(false, "angular_velocity",
                "must turn the surface at no more than " + digits(kMaxSpeed) + " m/s, is " + digits(spin) +
                    " rad/s at a bounding radius of " + digits(radius) + " m");
}

}  // namespace

std::optional<Fault> find_fault(const Body& body, const std::vector<Material>& materials) {
  Checker check;
  check_attributes(check, body);
  if (body.type == BodyType::kStatic) {
    check.require(body.linear_velocity == Vec3{}, "linear_velocity", "must be 0 on a static body");
    check.require(body.angular_velocity == Vec3{}, "angular_velocity", "must be 0 on a static body");
  }
  if (body.fixed_rotation && body.type == BodyType::kDynamic) {
    check.require(body.angular_velocity == Vec3{}, "angular_velocity",
                  "must be 0 on a dynamic body with fixed_rotation");
  }
  check_shapes(check, body, materials);
  check_inertia(check, body, materials);
  check_spin(check, body, materials);
  return check.fault;
}

}  // namespace cairn::rules
