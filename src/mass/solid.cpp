// Closed forms.

#include "src/mass/solid.h"

#include <numbers>
#include <variant>

namespace cairn::mass {
namespace {

constexpr double kPi = std::numbers::pi;

double cube(double v) { return v * v * v; }

/// A cone or a frustum along z, from the moments of its discs (pi r^2 area, pi r^4 / 2 about the axis, half of that
/// across). With bottom a, top b and height H they are, from the bottom: volume pi H / 3 (a^2 + a b + b^2), first
/// moment pi H^2 / 12 (a^2 + 2 a b + 3 b^2), second along z pi H^3 / 30 (a^2 + 3 a b + 6 b^2).
Solid frustum(double a, double b, double half_height) {
  const double height = 2 * half_height;
  const double areas = a * a + a * b + b * b;
  const double volume = kPi * height / 3 * areas;
  const double rise = height / 4 * (a * a + 2 * a * b + 3 * b * b) / areas;
  const double along =
      kPi * height / 10 * (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b);
  const double upwards = kPi * cube(height) / 30 * (a * a + 3 * a * b + 6 * b * b) - volume * rise * rise;
  const double across = along / 2 + upwards;
  return {volume, {across, across, along}, {0, 0, rise - half_height}, kIdentity};
}

struct SolidOf {
  Solid operator()(const Sphere& sphere) const {
    const double r = sphere.radius;
    const double volume = 4.0 / 3.0 * kPi * cube(r);
    const double moment = 0.4 * volume * r * r;
    return {volume, {moment, moment, moment}};
  }

  Solid operator()(const Box& box) const {
    const double x = box.half_extents.x, y = box.half_extents.y, z = box.half_extents.z;
    const double volume = 8 * x * y * z;
    return {volume, {volume * (y * y + z * z) / 3, volume * (x * x + z * z) / 3, volume * (x * x + y * y) / 3}};
  }

  /// A cylinder of length 2h, and two hemispheres whose centres of mass lie 3r/8 above their bases: the parallel-axis
  /// theorem twice gives 2/5 r^2 + h^2 + 3/4 h r for the transverse axes.
  Solid operator()(const Capsule& capsule) const {
    const double r = capsule.radius, h = capsule.half_height;
    const double cylinder = 2 * kPi * r * r * h;
    const double ball = 4.0 / 3.0 * kPi * cube(r);
    const double along = cylinder * r * r / 2 + ball * 0.4 * r * r;
    const double across = cylinder * (r * r / 4 + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
    return {cylinder + ball, {across, across, along}};
  }

  Solid operator()(const Cylinder& cylinder) const {
    const double r = cylinder.radius, h = cylinder.half_height;
    const double volume = 2 * kPi * r * r * h;
    const double across = volume * (r * r / 4 + h * h / 3);
    return {volume, {across, across, volume * r * r / 2}};
  }

  Solid operator()(const Cone& cone) const { return frustum(cone.radius, 0, cone.half_height); }
  Solid operator()(const TaperedCylinder& c) const { return frustum(c.bottom_radius, c.top_radius, c.half_height); }

  /// The outer cylinder without the inner one.
  Solid operator()(const Tube& tube) const {
    const double o = tube.outer_radius, i = tube.inner_radius, h = tube.half_height;
    const double volume = 2 * kPi * (o - i) * (o + i) * h;
    const double squares = o * o + i * i;
    const double across = volume * (squares / 4 + h * h / 3);
    return {volume, {across, across, volume * squares / 2}};
  }

  Solid operator()(const Ellipsoid& ellipsoid) const {
    const double x = ellipsoid.radii.x, y = ellipsoid.radii.y, z = ellipsoid.radii.z;
    const double volume = 4.0 / 3.0 * kPi * x * y * z;
    return {volume, {volume * (y * y + z * z) / 5, volume * (x * x + z * z) / 5, volume * (x * x + y * y) / 5}};
  }

  Solid operator()(const RoundedBox& box) const { return solid_of(box); }
  Solid operator()(const ConvexHull& hull) const { return solid_of(hull); }
  Solid operator()(const TriangleMesh& mesh) const { return solid_of(mesh); }
  Solid operator()(const Plane&) const { return {}; }
  Solid operator()(const HeightField&) const { return {}; }
};

}  // namespace

Solid solid_of(const Geometry& geometry) { return std::visit(SolidOf{}, geometry); }

/// A core box of half extents c, a slab of thickness r on each of its faces, quarter cylinders along its edges and
/// eighths of a ball on its corners. Each contributes its volume and the integrals of x^2, y^2 and z^2. The mean of u
/// and u^2 over a quarter disc from its centre is 4 r / 3 pi and r^2 / 4, over an eighth of a ball 3 r / 8 and r^2 / 5.
Solid solid_of(const RoundedBox& box) {
  const double r = box.radius;
  const Vector c{double{box.half_extents.x} - r, double{box.half_extents.y} - r, double{box.half_extents.z} - r};
  const double core = 8 * c[0] * c[1] * c[2], ball = 4.0 / 3.0 * kPi * cube(r);
  double volume = core + ball;
  Vector squares{};  // integral of x^2, y^2, z^2
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const double slabs = 8 * r * c[j] * c[k], edges = 2 * kPi * r * r * c[i];  // on the faces across i; along i
    volume += slabs + edges;
    const double crossing = 2 * kPi * r * r * (c[j] + c[k]);  // edges along the other two
    const double inside = core + 8 * r * c[i] * (c[j] + c[k]) + edges;
    squares[i] = inside * c[i] * c[i] / 3 + slabs * (c[i] * c[i] + c[i] * r + r * r / 3) +
                 crossing * (c[i] * c[i] + 8 * r * c[i] / (3 * kPi) + r * r / 4) +
                 ball * (c[i] * c[i] + 0.75 * r * c[i] + r * r / 5);
  }
  return {volume, {squares[1] + squares[2], squares[2] + squares[0], squares[0] + squares[1]}};
}

}  // namespace cairn::mass
