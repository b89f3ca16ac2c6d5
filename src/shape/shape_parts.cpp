#include "src/shape/shape_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/common/exact.h"
#include "kernels/common/vec.h"
#include "src/shape/data.h"

namespace cairn::shape {
namespace {

/// [1] Flat outer sides of one hull of a tube: 64 of the whole tube.
constexpr int kArc = 4;

/// One sixteenth of a tube, about the x axis. Its outer corners lie on the cylinder; the middle of its flat inner side
/// lies on the hole's cylinder, so that a body that fits the hole fits the ring of hulls.
ConvexHull tube_sector(const Tube& tube) {
  const double half = std::numbers::pi / kTubeParts;
  std::vector<Vec3> points;
  const auto add = [&](double radius, double angle) {
    const auto [sine, cosine] = kernels::sincos(angle);
    for (const float z : {-tube.half_height, tube.half_height})
      points.push_back({static_cast<float>(radius * cosine), static_cast<float>(radius * sine), z});
  };
  for (int i = 0; i <= kArc; ++i) add(tube.outer_radius, half * (2.0 * i / kArc - 1));
  // if the wall is too thin for that, half of it
  const double inner =
      std::min(tube.inner_radius / kernels::sincos(half).cos,
               0.5 * (double{tube.inner_radius} + tube.outer_radius * kernels::sincos(half / kArc).cos));
  for (const double side : {-1.0, 1.0}) add(inner, side * half);
  return ConvexHull(points);
}

/// A rotation about z, before q.
Quat turned_about_z(Quat q, double angle) {
  const auto [s, c] = kernels::sincos(angle / 2);
  return {static_cast<float>(q.x * c + q.y * s), static_cast<float>(q.y * c - q.x * s),
          static_cast<float>(q.z * c + q.w * s), static_cast<float>(q.w * c - q.z * s)};
}

struct MinExtentOf {
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Box& b) const { return kernels::min_component(b.half_extents); }
  double operator()(const Capsule& c) const { return c.radius; }
  double operator()(const Plane&) const { return kNone; }
  double operator()(const Cylinder& c) const { return std::min(c.radius, c.half_height); }
  double operator()(const Cone& c) const { return std::min(c.radius, c.half_height); }
  double operator()(const TaperedCylinder& c) const {
    return std::min(std::max(c.bottom_radius, c.top_radius), c.half_height);
  }
  double operator()(const Tube& t) const { return std::min((t.outer_radius - t.inner_radius) / 2, t.half_height); }
  double operator()(const Ellipsoid& e) const { return kernels::min_component(e.radii); }
  double operator()(const RoundedBox& b) const { return kernels::min_component(b.half_extents); }
  double operator()(const ConvexHull& h) const { return h.data()->thickness; }
  double operator()(const TriangleMesh&) const { return kNone; }
  double operator()(const HeightField&) const { return kNone; }

  static constexpr double kNone = std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<Part> parts_of(const Body& body) {
  std::vector<Part> parts;
  parts.reserve(body.shapes.size());
  for (std::uint32_t i = 0; i < body.shapes.size(); ++i) {
    const Shape& shape = body.shapes[i];
    const Tube* tube = std::get_if<Tube>(&shape.geometry);
    if (tube == nullptr) {
      parts.push_back({i, shape});
      continue;
    }
    Part part{i, shape};
    part.shape.geometry = tube_sector(*tube);
    for (std::uint32_t k = 0; k < kTubeParts; ++k) {
      part.shape.orientation = turned_about_z(shape.orientation, 2 * std::numbers::pi * k / kTubeParts);
      parts.push_back(part);
    }
  }
  return parts;
}

std::size_t part_count(const Body& body) {
  std::size_t count = 0;
  for (const Shape& shape : body.shapes) count += std::holds_alternative<Tube>(shape.geometry) ? kTubeParts : 1;
  return count;
}

double min_extent(const Geometry& geometry) { return std::visit(MinExtentOf{}, geometry); }

}  // namespace cairn::shape
