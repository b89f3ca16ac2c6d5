#include "tests/reference/manifold.h"

#include <cmath>

namespace cairn::reference {
namespace {

// A normal within 1 mrad of a face's normal counts as the face's. Between two nearly parallel faces, rounding alone can
// make an edge pair the smallest overlap, and one point can't carry a face.
constexpr double kFaceCosine = 1 - 0.5e-6;

using Polygon = std::vector<Vec3>;

struct Face {
  int axis{-1};
  double cosine{kFaceCosine};
};

// the face of a box whose normal is n or -n, if it has one
Face face_along(const Geometry& shape, Quat q, Vec3 n, double least) {
  Face face{-1, least};
  if (!std::holds_alternative<Box>(shape)) return face;
  for (int i = 0; i < 3; ++i) {
    Vec3 e;
    e[i] = 1;
    const double cosine = std::abs(dot(rotate(q, e), n));
    if (cosine > face.cosine) face = {i, cosine};
  }
  return face;
}

// the part of a shape's surface that faces n: a box's face, a capsule's line, a sphere's point
Polygon feature_along(const Geometry& shape, const Pose& pose, Vec3 n) {
  const Zonotope z = zonotope(shape, pose.q);
  Polygon points{pose.x + z.radius * n};
  std::size_t most = z.generators.size();
  if (most == 3) {
    most = 0;
    for (std::size_t i = 1; i < 3; ++i) {
      if (std::abs(dot(normalized(z.generators[i]), n)) > std::abs(dot(normalized(z.generators[most]), n))) most = i;
    }
    points[0] += (dot(z.generators[most], n) > 0 ? 1 : -1) * z.generators[most];
  }
  for (std::size_t i = 0; i < z.generators.size(); ++i) {
    if (i == most) continue;
    // each generator doubles the points; the copy is reversed, so that they stay in order around the face
    const Polygon half = points;
    for (Vec3& p : points) p += z.generators[i];
    for (auto p = half.rbegin(); p != half.rend(); ++p) points.push_back(*p - z.generators[i]);
  }
  return points;
}

// the part of a polygon where normal . p <= offset
Polygon clipped(const Polygon& polygon, Vec3 normal, double offset) {
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 p = polygon[i], next = polygon[(i + 1) % polygon.size()];
    const double d = dot(normal, p) - offset, d_next = dot(normal, next) - offset;
    if (d <= 0) kept.push_back(p);
    if ((d < 0 && d_next > 0) || (d > 0 && d_next < 0)) kept.push_back(p + d / (d - d_next) * (next - p));
  }
  return kept;
}

// contact points of a box's face (axis `axis`) with another shape; n from the box to the other
std::vector<Touch> touches_on_face(const Box& box, const Pose& pose, int axis, const Geometry& other, const Pose& at,
                                   Vec3 n, double margin) {
  Vec3 e;
  e[axis] = 1;
  const Vec3 along = rotate(pose.q, e);
  const Vec3 up = dot(along, n) > 0 ? along : -along;
  Polygon polygon = feature_along(other, at, -up);
  for (int side = 1; side < 3; ++side) {
    const int i = (axis + side) % 3;
    Vec3 s;
    s[i] = 1;
    const Vec3 out = rotate(pose.q, s);
    polygon = clipped(polygon, out, dot(out, pose.x) + box.half_extents[i]);
    polygon = clipped(polygon, -out, dot(-out, pose.x) + box.half_extents[i]);
  }
  std::vector<Touch> touches;
  for (Vec3 p : polygon) {
    const double gap = dot(up, p - pose.x) - box.half_extents[axis];
    // a segment is clipped as a polygon of two sides, so that its cut ends occur twice
    const Vec3 foot = p - gap * up;
    bool twice = false;
    for (const Touch& t : touches) twice = twice || length(t.point - foot) <= 1e-9 * bounding_radius(box);
    if (gap < margin && !twice) touches.push_back({foot, up, gap});
  }
  return touches;
}

std::vector<Touch> touches_on_plane(const Plane& plane, const Pose& pose, const Geometry& shape, const Pose& at,
                                    double margin) {
  const Vec3 n = rotate(pose.q, plane.normal);
  const Zonotope z = zonotope(shape, at.q);
  std::vector<Touch> touches;
  for (unsigned corner = 0; corner < (1u << z.generators.size()); ++corner) {
    Vec3 p = at.x - z.radius * n;
    for (std::size_t i = 0; i < z.generators.size(); ++i) p += (corner >> i & 1 ? 1.0 : -1.0) * z.generators[i];
    const double gap = dot(n, p - pose.x) - plane.offset;
    if (gap < margin) touches.push_back({p - gap * n, n, gap});
  }
  return touches;
}

std::vector<Touch> reversed(std::vector<Touch> touches) {
  for (Touch& t : touches) t.normal = -t.normal;
  return touches;
}

}  // namespace

std::vector<Touch> manifold(const Geometry& a, const Pose& pose_a, const Geometry& b, const Pose& pose_b,
                            double margin) {
  if (const auto* plane = std::get_if<Plane>(&a)) return touches_on_plane(*plane, pose_a, b, pose_b, margin);
  if (const auto* plane = std::get_if<Plane>(&b)) return reversed(touches_on_plane(*plane, pose_b, a, pose_a, margin));
  if (length(pose_b.x - pose_a.x) > bounding_radius(a) + bounding_radius(b) + margin) return {};

  const Separation s = separation(a, pose_a, b, pose_b);
  if (s.distance >= margin) return {};
  const Face face_a = face_along(a, pose_a.q, s.normal, kFaceCosine);
  const Face face_b = face_along(b, pose_b.q, s.normal, face_a.cosine);
  std::vector<Touch> touches;
  if (face_b.axis >= 0) {
    touches = reversed(touches_on_face(std::get<Box>(b), pose_b, face_b.axis, a, pose_a, -s.normal, margin));
  } else if (face_a.axis >= 0) {
    touches = touches_on_face(std::get<Box>(a), pose_a, face_a.axis, b, pose_b, s.normal, margin);
  }
  if (touches.empty()) touches.push_back({0.5 * (s.point_a + s.point_b), s.normal, s.distance});
  return touches;
}

}  // namespace cairn::reference
