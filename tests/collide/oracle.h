#pragma once
// An independent check of the narrow phase in double precision: distances to surfaces, and separation by brute force.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/collide/collide_shapes.h"
#include "kernels/collide/triangle.h"
#include "src/shape/data.h"

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

/// Hulls for shapes of that kind: the number of one is ShapeGeometry::data.
class Hulls {
 public:
  void add(const ConvexHull& hull) {
    const detail::HullData& d = *hull.data();
    hulls_.push_back({static_cast<std::uint32_t>(vertices_.size()), static_cast<std::uint32_t>(d.vertices.size()),
                      static_cast<std::uint32_t>(faces_.size()), static_cast<std::uint32_t>(d.faces.size()),
                      static_cast<std::uint32_t>(corners_.size()), d.centre, d.radius, d.thickness});
    vertices_.insert(vertices_.end(), d.vertices.begin(), d.vertices.end());
    faces_.insert(faces_.end(), d.faces.begin(), d.faces.end());
    corners_.insert(corners_.end(), d.corners.begin(), d.corners.end());
  }
  kernels::Solids solids() const {
    kernels::Solids s{};
    s.hull = hulls_.data();
    s.hull_vertex = vertices_.data();
    s.hull_face = faces_.data();
    s.hull_corner = corners_.data();
    return s;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(hulls_.size()); }
  std::vector<V> vertices(std::uint32_t hull) const {
    const kernels::Hull& h = hulls_[hull];
    std::vector<V> all;
    for (std::uint32_t i = 0; i < h.vertex_count; ++i) all.push_back(of(vertices_[h.vertex + i]));
    return all;
  }

 private:
  std::vector<kernels::Hull> hulls_;
  std::vector<Vec3> vertices_;
  std::vector<kernels::HullFace> faces_;
  std::vector<std::uint16_t> corners_;
};

/// A cube, a wedge, a tetrahedron, a prism of many sides, a thin plate, and points of a ball: 8, 32 and 256 of them.
inline const Hulls& some_hulls() {
  static const Hulls kHulls = [] {
    Hulls made;
    std::vector<Vec3> cube, plate, prism;
    for (int k = 0; k < 8; ++k) {
      const float x = (k & 1) != 0 ? 0.5f : -0.5f, y = (k & 2) != 0 ? 0.5f : -0.5f, z = (k & 4) != 0 ? 0.5f : -0.5f;
      cube.push_back({x, y, z});
      plate.push_back({x, y, 0.1f * z});
    }
    for (int k = 0; k < 24; ++k) {
      const double angle = k * 0.26179938779914944;
      for (const float z : {-0.4f, 0.4f})
        prism.push_back({0.5f * static_cast<float>(std::cos(angle)), 0.5f * static_cast<float>(std::sin(angle)), z});
    }
    made.add(ConvexHull(cube));
    const std::vector<Vec3> wedge{{0, 0, 0}, {1, 0, 0}, {0, 0.5f, 0}, {1, 0.5f, 0}, {0, 0, 0.4f}, {0, 0.5f, 0.4f}};
    const std::vector<Vec3> tetrahedron{
        {0.5f, 0.5f, 0.5f}, {0.5f, -0.5f, -0.5f}, {-0.5f, 0.5f, -0.5f}, {-0.5f, -0.5f, 0.5f}};
    made.add(ConvexHull(wedge));
    made.add(ConvexHull(tetrahedron));
    made.add(ConvexHull(prism));
    made.add(ConvexHull(plate));
    std::mt19937 engine(7);
    for (const int count : {8, 32, 256}) {
      std::vector<Vec3> points;
      for (int k = 0; k < count; ++k) {
        std::normal_distribution<float> normal;
        const Vec3 p{normal(engine), normal(engine), normal(engine)};
        points.push_back(kernels::operator*(0.5f, kernels::normalized(p, {1, 0, 0})));
      }
      made.add(ConvexHull(points));
    }
    return made;
  }();
  return kHulls;
}

/// Signed distance of p to the surface; negative inside. Of the simple shapes alone.
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

/// Vertices of one of some_hulls().
inline const std::vector<V>& vertices_of(std::uint32_t hull) {
  static const std::vector<std::vector<V>> kAll = [] {
    std::vector<std::vector<V>> all;
    for (std::uint32_t k = 0; k < some_hulls().count(); ++k) all.push_back(some_hulls().vertices(k));
    return all;
  }();
  return kAll[hull];
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
    case ShapeKind::kRoundedBox:
      return middle + g.round + g.size.x * std::abs(dot(r[0], n)) + g.size.y * std::abs(dot(r[1], n)) +
             g.size.z * std::abs(dot(r[2], n));
    case ShapeKind::kFrustum: {
      const double up = dot(r[2], n), flat = std::sqrt(std::max(0.0, dot(n, n) - up * up));
      return middle + std::max(g.size.x * flat - g.size.z * up, g.size.y * flat + g.size.z * up);
    }
    case ShapeKind::kEllipsoid:
      return middle + length({g.size.x * dot(r[0], n), g.size.y * dot(r[1], n), g.size.z * dot(r[2], n)});
    case ShapeKind::kHull: {
      double most = -std::numeric_limits<double>::infinity();
      const V local{dot(r[0], n), dot(r[1], n), dot(r[2], n)};
      for (const V& v : vertices_of(g.data)) most = std::max(most, dot(v, local));
      return middle + g.size.x * most;
    }
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
    if (kind == ShapeKind::kRoundedBox) g.round = uniform(0.02f, 0.2f);
    if (kind == ShapeKind::kHull) {
      g.data = static_cast<std::uint32_t>(uniform(0, 0.999f) * static_cast<float>(some_hulls().count()));
      g.size = {2 * g.size.x, 0, 0};
    }
    if (kind == ShapeKind::kFrustum) {
      // a third of them cylinders, a third cones, of which half stand on their tips
      const float which = uniform(0, 3);
      if (which < 1)
        g.size.y = g.size.x;
      else if (which < 1.5f)
        g.size.y = 0;
      else if (which < 2)
        g.size.x = 0;
    }
    return g;
  }

 private:
  std::mt19937 engine_;
};

inline ShapeGeometry box(Vec3 h) { return {ShapeKind::kBox, h, {}, {}}; }
inline ShapeGeometry sphere(float radius) { return {ShapeKind::kSphere, {radius, 0, 0}, {}, {}}; }
inline ShapeGeometry capsule(float radius, float half) { return {ShapeKind::kCapsule, {radius, 0, half}, {}, {}}; }
inline ShapeGeometry plane() { return {ShapeKind::kPlane, {}, {}, {}}; }

/// How many pairs of kinds are tried: CAIRN_DRAWS, or a few.
inline int draws(int few) {
  const char* text = std::getenv("CAIRN_DRAWS");
  return text != nullptr ? std::atoi(text) : few;
}

inline constexpr float kUnitMargin = 0.02f;  ///< [m]

/// The narrow phase, inlined once: everything below kernels/ is, at each call.
[[gnu::noinline]] inline ContactPoints touch(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                                             const ShapePose& pb, float margin = kUnitMargin) {
  return kernels::collide_shapes(ga, pa, gb, pb, margin, some_hulls().solids());
}

/// True where two manifolds are the same to the bit, A and B exchanged.
inline bool mirror(const ContactPoints& m, const ContactPoints& w) {
  const auto same = [](Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  if (m.count != w.count) return false;
  bool all = m.count == 0 || same(m.normal, kernels::operator-(w.normal));
  for (std::uint32_t i = 0; i < m.count; ++i) {
    const auto &p = m.point[i], &q = w.point[i];
    all = all && same(p.a, q.b) && same(p.b, q.a) && p.separation == q.separation && p.feature == q.feature;
  }
  return all;
}

inline double deepest(const ContactPoints& c) {
  double s = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < c.count; ++i) s = std::min(s, double(c.point[i].separation));
  return s;
}

/// Features of the points, which tell contacts apart from step to step.
inline std::set<std::uint32_t> features(const ContactPoints& c) {
  std::set<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < c.count; ++i) ids.insert(c.point[i].feature);
  return ids;
}

inline const ShapeGeometry kUnit = box({0.5f, 0.5f, 0.5f});
inline constexpr float kUnitRounding = 1e-6f;  ///< [m] a dozen operations on lengths of about 1 m

inline constexpr double kRounding = 1e-5;  ///< [m] some tens of float operations on lengths up to 3 m
inline constexpr float kMargin = 0.05f;    ///< [m]
inline constexpr ShapeKind kS = ShapeKind::kSphere, kB = ShapeKind::kBox, kC = ShapeKind::kCapsule,
                           kP = ShapeKind::kPlane, kF = ShapeKind::kFrustum, kE = ShapeKind::kEllipsoid,
                           kR = ShapeKind::kRoundedBox, kH = ShapeKind::kHull;

inline void expect_sound(const ContactPoints& m, float margin) {
  ASSERT_LE(m.count, 4u);
  if (m.count == 0) return;
  ASSERT_NEAR(length(of(m.normal)), 1, 1e-6);
  std::set<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < m.count; ++i) {
    const auto& p = m.point[i];
    ASSERT_TRUE(kernels::finite(p.a) && kernels::finite(p.b) && kernels::finite(p.separation));
    ASSERT_LE(p.separation, margin);
    ASSERT_NEAR(dot(of(m.normal), of(p.b) - of(p.a)), p.separation, kRounding);
    ASSERT_LT(length(cross(of(m.normal), of(p.b) - of(p.a))), kRounding);
    ids.insert(p.feature);
  }
  ASSERT_EQ(ids.size(), m.count) << "two points of one feature";
}

struct Case {
  ShapeGeometry ga, gb;
  ShapePose pa, pb;
};
/// A pose in which the shapes overlap in about half of the draws. A plane is only ever one of the two.
inline Case draw(Dice& dice, ShapeKind a, ShapeKind b) {
  return {
      dice.shape(a), dice.shape(b), {dice.vector(0.2f), dice.orientation()}, {dice.vector(1.2f), dice.orientation()}};
}

}  // namespace cairn::oracle
