// The rules of bodies and their shapes.

#include <algorithm>

#include "src/scene/checker.h"

namespace cairn::rules {
namespace {

struct GeometryCheck {
  Checker& check;
  BodyType type;

  void operator()(const Sphere& sphere) const { check.extent(sphere.radius, "sphere radius", "/sphere/radius"); }

  void operator()(const Box& box) const {
    const Vec3& half = box.half_extents;
    check.extent(half.x, "box half_extents.x", "/box/half_extents/0");
    check.extent(half.y, "box half_extents.y", "/box/half_extents/1");
    check.extent(half.z, "box half_extents.z", "/box/half_extents/2");
  }

  void operator()(const Capsule& capsule) const {
    check.extent(capsule.radius, "capsule radius", "/capsule/radius");
    check.extent(capsule.half_height, "capsule half_height", "/capsule/half_height");
  }

  template <class Other>
  void operator()(const Other&) const {
    check.require(false, "shape", "", "is of a kind that isn't there yet");
  }

  void operator()(const Plane& plane) const {
    check.require(type == BodyType::kStatic, "plane", "/plane", "must be on a static body");
    check.vector(plane.normal, "plane normal", "/plane/normal", kAny);
    const Vec3& n = plane.normal;
    check.require(n.x != 0 || n.y != 0 || n.z != 0, "plane normal", "/plane/normal", "must not be the zero vector");
    check.number(plane.offset, "plane offset", "/plane/offset", kPosition);
  }
};

void check_shapes(Checker& check, const Body& body, const std::vector<Material>& materials) {
  check.require(!body.shapes.empty(), "shapes", "/shapes", "must have at least one shape");
  for (std::size_t k = 0; k < body.shapes.size() && check.good(); ++k) {
    const Shape& shape = body.shapes[k];
    check.set_shape(static_cast<int>(k));
    std::visit(GeometryCheck{check, body.type}, shape.geometry);
    check.vector(shape.position, "position", "/position", kLocalPosition);
    check.quaternion(shape.orientation, "orientation", "/orientation_xyzw");
    if (shape.material >= materials.size()) {
      check.require(false, "material", "/material",
                    "must be the index of a material (there are " + std::to_string(materials.size()) + "), is " +
                        std::to_string(shape.material));
    }
  }
  check.set_shape(-1);
}

void check_inertia(Checker& check, const Body& body, const std::vector<Material>& materials) {
  if (body.mass) check.number(*body.mass, "mass", "/mass", kOverZero);
  if (body.mass) check.number(*body.mass, "mass", "/mass", kInertial);
  if (body.density) check.number(*body.density, "density", "/density", kOverZero);
  if (body.inertia && check.good()) {
    const Vec3& m = body.inertia->moments;
    check.require(body.mass.has_value(), "inertia", "/inertia", "needs a mass beside it");
    check.vector(m, "inertia", "/inertia", kOverZero);
    check.vector(m, "inertia", "/inertia", kInertial);
    // a flat plate has I_z = I_x + I_y exactly, and each of the three was rounded to float
    const double slack = 1 + 4 * static_cast<double>(std::numeric_limits<float>::epsilon());
    const double x = m.x, y = m.y, z = m.z;
    if (x > slack * (y + z) || y > slack * (x + z) || z > slack * (x + y)) {
      check.require(false, "inertia", "/inertia",
                    "must have no moment above the sum of the other two, is (" + digits(m.x) + ", " + digits(m.y) +
                        ", " + digits(m.z) + ")");
    }
  }
  if (body.type != BodyType::kDynamic || !check.good()) return;
  const bool weighs = std::any_of(body.shapes.begin(), body.shapes.end(), [](const Shape& s) { return !s.sensor; });
  check.require(weighs, "shapes", "/shapes",
                "must have one on a dynamic body that isn't a sensor: sensors weigh nothing");
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

/// [m] From a shape's centre to its farthest point.
struct ReachOf {
  double operator()(const Sphere& sphere) const { return sphere.radius; }
  double operator()(const Box& box) const {
    const double x = box.half_extents.x, y = box.half_extents.y, z = box.half_extents.z;
    return std::sqrt(x * x + y * y + z * z);
  }
  double operator()(const Capsule& capsule) const { return double{capsule.radius} + capsule.half_height; }
  double operator()(const Plane&) const { return kNoBound; }
  template <class Other>
  double operator()(const Other&) const { return kNoBound; }
};

/// The bounding sphere about the centre of mass turns no faster than a body may move.
void check_spin(Checker& check, const Body& body, const std::vector<Material>& materials) {
  if (!check.good() || body.angular_velocity == Vec3{}) return;
  const Vec3d centre = mass_properties(body, materials).centre_of_mass;
  double radius = 0;
  for (const Shape& shape : body.shapes) {
    const double x = shape.position.x - centre.x, y = shape.position.y - centre.y, z = shape.position.z - centre.z;
    radius = std::max(radius, std::sqrt(x * x + y * y + z * z) + std::visit(ReachOf{}, shape.geometry));
  }
  const double wx = body.angular_velocity.x, wy = body.angular_velocity.y, wz = body.angular_velocity.z;
  const double spin = std::sqrt(wx * wx + wy * wy + wz * wz);
  // the device bounds its results in float: what it gave must be welcome back
  constexpr double kSlack = 1 + 0x1p-20;
  if (spin * radius <= kMaxSpeed * kSlack) return;
  check.require(false, "angular_velocity", "/angular_velocity",
                "must turn the surface at no more than " + digits(kMaxSpeed) + " m/s, is " + digits(spin) +
                    " rad/s at a bounding radius of " + digits(radius) + " m");
}

}  // namespace

std::optional<Fault> find_fault(const Body& body, const std::vector<Material>& materials) {
  Checker check;
  check.name(body.name);
  check.require(static_cast<unsigned>(body.type) <= static_cast<unsigned>(BodyType::kDynamic), "type", "/type",
                "must be static, kinematic or dynamic");
  check.vector(body.position, "position", "/position", kPosition);
  check.quaternion(body.orientation, "orientation", "/orientation_xyzw");
  check.vector(body.linear_velocity, "linear_velocity", "/linear_velocity", kAny);
  check.vector(body.angular_velocity, "angular_velocity", "/angular_velocity", kAny);
  if (body.type == BodyType::kStatic) {
    check.require(body.linear_velocity == Vec3{}, "linear_velocity", "/linear_velocity", "must be 0 on a static body");
    check.require(body.angular_velocity == Vec3{}, "angular_velocity", "/angular_velocity",
                  "must be 0 on a static body");
  }
  check.number(body.linear_damping, "linear_damping", "/linear_damping", kNotNegative);
  check.number(body.angular_damping, "angular_damping", "/angular_damping", kNotNegative);
  check_shapes(check, body, materials);
  check_inertia(check, body, materials);
  check_spin(check, body, materials);
  return check.fault;
}

}  // namespace cairn::rules
