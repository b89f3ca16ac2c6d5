// The rules of shapes.

#include "src/scene/geometry_rules.h"

#include <algorithm>

#include "kernels/common/vec.h"
#include "src/scene/check_attributes.h"
#include "src/shape/data.h"

namespace cairn::rules {
namespace {

struct GeometryCheck {
  Checker& check;
  BodyType type;

  template <Described S>
  void operator()(const S& shape) const {
    constexpr std::string_view kWord = word_of_type<S, Geometry>();
    const Where where{nullptr, kWord, kWord};
    check_attributes(check, shape, &where);
    if (check.good()) check_together(shape);
  }

  void operator()(const ConvexHull& hull) const {
    if (!not_empty(hull.data() != nullptr, "hull", "/hull")) return;
    const detail::HullData& data = *hull.data();
    bounds(data.lower, data.upper, "hull", "/hull");
    // a hull thinner than any other shape may be is thin across one of its faces
    if (!check.good()) return;
    float least = std::numeric_limits<float>::max();
    for (const kernels::HullFace& face : data.faces) {
      float depth = 0;
      for (const Vec3& p : data.vertices) depth = std::max(depth, face.offset - kernels::dot(face.normal, p));
      least = std::min(least, depth);
    }
    if (least < 2 * kShapeExtent.min) {
      check.require(false, "hull",
                    "must be at least " + digits(2 * kShapeExtent.min) + " m thick, is " + digits(least));
    }
  }

  void operator()(const TriangleMesh& mesh) const {
    if (!not_empty(mesh.data() != nullptr, "mesh", "/mesh")) return;
    surface("mesh", "/mesh");
    bounds(mesh.data()->lower, mesh.data()->upper, "mesh", "/mesh");
  }

  void operator()(const HeightField& field) const {
    if (!not_empty(field.data() != nullptr, "height_field", "/height_field")) return;
    surface("height_field", "/height_field");
    const detail::FieldData& data = *field.data();
    check.number(data.spacing, "height_field spacing", "/height_field/spacing", kShapeExtent, "m");
    const auto side = [&](std::uint32_t samples) { return data.spacing * static_cast<float>(samples - 1); };
    bounds({0, 0, data.lowest}, {side(data.columns), side(data.rows), data.highest}, "height_field", "/height_field");
  }

 private:
  /// Rules between members.
  template <class S>
  void check_together(const S&) const {}
  void check_together(const Plane& plane) const {
    check.require(type == BodyType::kStatic, "plane", "must be on a static body");
    const Vec3& n = plane.normal;
    check.require(n.x != 0 || n.y != 0 || n.z != 0, "plane normal", "/plane/normal", "must not be the zero vector");
  }
  void check_together(const Tube& t) const {
    above(t.outer_radius, t.inner_radius, "tube outer_radius", "/tube/outer_radius", "over inner_radius");
    // a wall is a length like others: a body may be too thin there
    if (!check.good()) return;
    const float wall = t.outer_radius - t.inner_radius;
    check.number(wall, "tube wall (outer_radius - inner_radius)", "/tube/outer_radius", kShapeExtent, "m");
  }
  void check_together(const RoundedBox& b) const {
    const Vec3& half = b.half_extents;
    above(half.x, b.radius, "rounded_box half_extents.x", "/rounded_box/half_extents/0", "over radius");
    above(half.y, b.radius, "rounded_box half_extents.y", "/rounded_box/half_extents/1", "over radius");
    above(half.z, b.radius, "rounded_box half_extents.z", "/rounded_box/half_extents/2", "over radius");
  }

  void above(float value, float limit, std::string_view field, std::string_view pointer, const char* rule) const {
    if (!check.good() || value > limit) return;
    check.require(false, field, pointer,
                  "must be " + std::string(rule) + " (" + digits(limit) + "), is " + digits(value));
  }

  bool not_empty(bool holds, std::string_view field, std::string_view pointer) const {
    check.require(holds, field, pointer, "must not be empty");
    return check.good();
  }

  void surface(std::string_view field, std::string_view pointer) const {
    check.require(type != BodyType::kDynamic, field, pointer,
                  "must be on a static or kinematic body; a dynamic one may be made of hulls instead");
  }

  void bounds(const Vec3& lower, const Vec3& upper, std::string_view field, std::string_view pointer) const {
    if (!check.good()) return;
    const float far = kernels::max_component(kernels::max(kernels::abs(lower), kernels::abs(upper)));
    if (far <= kShapeExtent.max) return;
    check.require(
        false, field, pointer,
        "must keep within " + bound(kShapeExtent.max) + " m of its origin along each axis, goes out to " + digits(far));
  }
};

struct ReachOf {
  double operator()(const Sphere& sphere) const { return sphere.radius; }
  double operator()(const Box& box) const {
    return diagonal(box.half_extents.x, box.half_extents.y, box.half_extents.z);
  }
  double operator()(const Capsule& capsule) const { return double{capsule.radius} + capsule.half_height; }
  double operator()(const Plane&) const { return kNoBound; }
  double operator()(const Cylinder& c) const { return diagonal(c.radius, 0, c.half_height); }
  double operator()(const Cone& c) const { return diagonal(c.radius, 0, c.half_height); }
  double operator()(const TaperedCylinder& c) const {
    return diagonal(std::max(c.bottom_radius, c.top_radius), 0, c.half_height);
  }
  double operator()(const Tube& t) const { return diagonal(t.outer_radius, 0, t.half_height); }
  double operator()(const Ellipsoid& e) const { return kernels::max_component(e.radii); }
  double operator()(const RoundedBox& b) const {
    const double r = b.radius;
    return diagonal(b.half_extents.x - r, b.half_extents.y - r, b.half_extents.z - r) + r;
  }
  double operator()(const ConvexHull& hull) const { return farthest(hull.vertices()); }
  double operator()(const TriangleMesh& mesh) const { return farthest(mesh.vertices()); }
  double operator()(const HeightField& field) const {
    const double side = field.spacing();
    const double high = std::max(std::abs(field.data()->lowest), std::abs(field.data()->highest));
    return diagonal(side * (field.columns() - 1), side * (field.rows() - 1), high);
  }

 private:
  static double diagonal(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }
  static double farthest(std::span<const Vec3> points) {
    double most = 0;
    for (const Vec3& p : points) most = std::max(most, diagonal(p.x, p.y, p.z));
    return most;
  }
};

}  // namespace

void check_geometry(Checker& check, BodyType type, const Geometry& geometry) {
  std::visit(GeometryCheck{check, type}, geometry);
}

double reach_of(const Geometry& geometry) { return std::visit(ReachOf{}, geometry); }

}  // namespace cairn::rules
