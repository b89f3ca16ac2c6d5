#pragma once
// An independent check of the narrow phase in double precision: distances to surfaces, and separation by brute force.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/collide/collide_shapes.h"

namespace cairn::oracle {

using kernels::ContactPoints;
using kernels::ShapeGeometry;
using kernels::ShapeKind;
using kernels::ShapePose;

struct V {
  double x{0}, y{0}, z{0};
};
inline V operator+(V a, V b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V operator-(V a, V b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V operator*(double s, V a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V cross(V a, V b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(V a) { return std::sqrt(dot(a, a)); }
inline V of(Vec3 a) { return {a.x, a.y, a.z}; }

/// Images of the axes under the orientation q, made unit in double.
inline std::array<V, 3> axes_of(Quat q) {
  const double n = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
  const double x = q.x / n, y = q.y / n, z = q.z / n, w = q.w / n;
  return {V{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
          V{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
          V{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}

/// Signed distance of p to the surface; negative inside.
inline double distance(const ShapeGeometry& g, const ShapePose& at, V p) {
  const auto r = axes_of(at.q);
  const V d = p - of(at.x);
  const V l{dot(r[0], d), dot(r[1], d), dot(r[2], d)};
  switch (g.kind) {
    case ShapeKind::kSphere:
      return length(l) - g.size.x;
    case ShapeKind::kPlane:
      return l.z;
    case ShapeKind::kCapsule: {
      const double t = std::clamp(l.z, -double(g.size.z), double(g.size.z));
      return length({l.x, l.y, l.z - t}) - g.size.x;
    }
    case ShapeKind::kBox: {
      const V q{std::abs(l.x) - g.size.x, std::abs(l.y) - g.size.y, std::abs(l.z) - g.size.z};
      const V out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
      return length(out) + std::min(std::max({q.x, q.y, q.z}), 0.0);
    }
    default:
      break;
  }
  return 0;
}

/// How far the shape reaches along the unit vector n.
inline double support(const ShapeGeometry& g, const ShapePose& at, V n) {
  const auto r = axes_of(at.q);
  const double middle = dot(n, of(at.x));
  switch (g.kind) {
    case ShapeKind::kSphere:
      return middle + g.size.x;
    case ShapeKind::kCapsule:
      return middle + g.size.x + g.size.z * std::abs(dot(r[2], n));
    case ShapeKind::kBox:
      return middle + g.size.x * std::abs(dot(r[0], n)) + g.size.y * std::abs(dot(r[1], n)) +
             g.size.z * std::abs(dot(r[2], n));
    case ShapeKind::kPlane:
      return dot(r[2], n) > 1 - 1e-6 ? middle : std::numeric_limits<double>::infinity();
    default:
      break;
  }
  return 0;
}

/// Separation of A and B along n (from A to B): the largest over all n is the distance, or minus the depth.
inline double separation_along(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                               const ShapePose& pb, V n) {
  return -support(gb, pb, -1.0 * n) - support(ga, pa, n);
}

/// Largest separation of two boxes over the 15 axes, both ways each.
inline double box_separation(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                             const ShapePose& pb) {
  const auto a = axes_of(pa.q), b = axes_of(pb.q);
  std::vector<V> axes(a.begin(), a.end());
  axes.insert(axes.end(), b.begin(), b.end());
  for (const V& e : a) {
    for (const V& f : b) {
      const V c = cross(e, f);
      if (length(c) > 1e-9) axes.push_back((1 / length(c)) * c);
    }
  }
  double best = -std::numeric_limits<double>::infinity();
  for (const V& n : axes) {
    best = std::max({best, separation_along(ga, pa, gb, pb, n), separation_along(ga, pa, gb, pb, -1.0 * n)});
  }
  return best;
}

/// Random shapes, from a fixed seed.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(engine_); }
  float normal() { return std::normal_distribution<float>()(engine_); }
  Vec3 vector(float size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Quat orientation() { return kernels::normalized(Quat{normal(), normal(), normal(), normal()}); }
  Quat small_turn(float angle) {
    return kernels::normalized(Quat{0.5f * angle * normal(), 0.5f * angle * normal(), 0.5f * angle * normal(), 1});
  }
  ShapeGeometry shape(ShapeKind kind) {
    ShapeGeometry g{kind, {uniform(0.2f, 1), uniform(0.2f, 1), uniform(0.2f, 1)}, {}, {}};
    if (kind == ShapeKind::kSphere) g.size = {g.size.x, 0, 0};
    if (kind == ShapeKind::kCapsule) g.size = {0.5f * g.size.x, 0, g.size.z};
    return g;
  }

 private:
  std::mt19937 engine_;
};

inline ShapeGeometry box(Vec3 h) { return {ShapeKind::kBox, h, {}, {}}; }
inline ShapeGeometry sphere(float radius) { return {ShapeKind::kSphere, {radius, 0, 0}, {}, {}}; }
inline ShapeGeometry capsule(float radius, float half) { return {ShapeKind::kCapsule, {radius, 0, half}, {}, {}}; }
inline ShapeGeometry plane() { return {ShapeKind::kPlane, {}, {}, {}}; }

/// The narrow phase, inlined once: everything below kernels/ is, at each call.
[[gnu::noinline]] inline ContactPoints touch(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                                             const ShapePose& pb, float margin) {
  return kernels::collide_shapes(ga, pa, gb, pb, margin);
}

inline double deepest(const ContactPoints& c) {
  double s = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < c.count; ++i) s = std::min(s, double(c.point[i].separation));
  return s;
}

}  // namespace cairn::oracle
