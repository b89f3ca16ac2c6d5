#include "src/quality/penetration.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::quality {
namespace {

using reference::Quat;

// below this sine two edges count as parallel: their cross product says nothing that the faces don't
constexpr double kParallel = 1e-6;

Vec3 wide(cairn::Vec3 v) { return {v.x, v.y, v.z}; }

Quat unit(cairn::Quat q) { return reference::normalized(Quat{q.w, q.x, q.y, q.z}); }

// by sqrt, which is exact everywhere; hypot is not
Vec3 unit(Vec3 v) { return v / std::sqrt(dot(v, v)); }

double reach(const PlacedShape& box, Vec3 n) {
  return box.half.x * std::abs(dot(n, box.axis[0])) + box.half.y * std::abs(dot(n, box.axis[1])) +
         box.half.z * std::abs(dot(n, box.axis[2]));
}

// largest gap between the shadows of two boxes; above zero as soon as one axis parts them
double box_box_gap(const PlacedShape& a, const PlacedShape& b) {
  const Vec3 c = b.x - a.x;
  double gap = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    gap = std::max(gap, std::abs(dot(c, a.axis[i])) - a.half[i] - reach(b, a.axis[i]));
    gap = std::max(gap, std::abs(dot(c, b.axis[i])) - b.half[i] - reach(a, b.axis[i]));
    if (gap > 0) return gap;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3 n = cross(a.axis[i], b.axis[j]);
      const double size = length(n);
      if (size < kParallel) continue;
      gap = std::max(gap, (std::abs(dot(c, n)) - reach(a, n) - reach(b, n)) / size);
      if (gap > 0) return gap;
    }
  }
  return gap;
}

// A segment p +- d against a box about the origin, in the box's frame: distance, or minus the least translation of a
// segment inside.
double segment_box_distance(Vec3 p, Vec3 d, Vec3 half) {
  // the squared distance is convex and piecewise quadratic in t; its derivative changes form only where a coordinate
  // passes a side
  const auto slope = [&](double t) {
    double s = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = p[i] + t * d[i];
      s += (x - std::clamp(x, -half[i], half[i])) * d[i];
    }
    return s;
  };
  // the last of the sides with the minimum ahead and the first with it behind
  double low = -1, high = 1;
  for (int i = 0; i < 3; ++i) {
    for (const double side : {-half[i], half[i]}) {
      const double at = d[i] != 0 ? (side - p[i]) / d[i] : 0;
      if (!(at > low && at < high)) continue;
      (slope(at) > 0 ? high : low) = at;
    }
  }
  const double s0 = slope(low), s1 = slope(high);
  const double best = s0 >= 0 ? low : s1 <= 0 ? high : low - s0 * (high - low) / (s1 - s0);
  double squared = 0;
  for (int i = 0; i < 3; ++i) {
    const double x = p[i] + best * d[i];
    const double out = x - std::clamp(x, -half[i], half[i]);
    squared += out * out;
  }
  if (squared > 0) return std::sqrt(squared);

  double gap = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    gap = std::max(gap, std::abs(p[i]) - half[i] - std::abs(d[i]));
    const Vec3 edge{i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
    const Vec3 n = cross(edge, d);
    const double size = length(n);
    if (size < kParallel * length(d) || size == 0) continue;
    const double box = half.x * std::abs(n.x) + half.y * std::abs(n.y) + half.z * std::abs(n.z);
    gap = std::max(gap, (std::abs(dot(p, n)) - box) / size);
  }
  return std::min(gap, 0.0);
}

// Nearest points of two segments (Ericson, Real-Time Collision Detection, 2005, section 5.1.9), symmetric about their
// centres.
double segment_segment_distance(Vec3 p, Vec3 d, Vec3 q, Vec3 e) {
  const Vec3 r = p - q;
  const double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r);
  const double det = dd * ee - de * de;
  double s = det > kParallel * kParallel * dd * ee ? std::clamp((de * er - dr * ee) / det, -1.0, 1.0) : 0;
  double t = 0;
  if (ee > 0) t = std::clamp((de * s + er) / ee, -1.0, 1.0);
  if (dd > 0) s = std::clamp((de * t - dr) / dd, -1.0, 1.0);
  return length(r + s * d - t * e);
}

double distance(const PlacedShape& a, const PlacedShape& b) {
  if (a.kind == Kind::kPlane) {
    const Vec3 n = a.axis[2];
    const double low = b.kind == Kind::kBox ? reach(b, n) : b.half.z * std::abs(dot(n, b.axis[2])) + b.radius;
    return dot(n, b.x - a.x) - low;
  }
  if (b.kind == Kind::kPlane) return distance(b, a);
  if (a.kind == Kind::kBox && b.kind == Kind::kBox) return box_box_gap(a, b);
  if (a.kind == Kind::kBox) {
    const Vec3 c = b.x - a.x, d = b.half.z * b.axis[2];
    const Vec3 local{dot(c, a.axis[0]), dot(c, a.axis[1]), dot(c, a.axis[2])};
    const Vec3 direction{dot(d, a.axis[0]), dot(d, a.axis[1]), dot(d, a.axis[2])};
    return segment_box_distance(local, direction, a.half) - b.radius;
  }
  if (b.kind == Kind::kBox) return distance(b, a);
  return segment_segment_distance({}, a.half.z * a.axis[2], b.x - a.x, b.half.z * b.axis[2]) - a.radius - b.radius;
}

}  // namespace

PlacedShape place(const Shape& shape, const BodyState& body) {
  const Quat body_q = unit(body.orientation);
  const Quat q = body_q * unit(shape.orientation);
  PlacedShape p;
  p.x = Vec3{body.position.x, body.position.y, body.position.z} + rotate(body_q, wide(shape.position));
  p.axis = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
    p.radius = sphere->radius;
  } else if (const auto* capsule = std::get_if<Capsule>(&shape.geometry)) {
    p.radius = capsule->radius;
    p.half.z = capsule->half_height;
  } else if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    p.kind = Kind::kBox;
    p.half = wide(box->half_extents);
  } else {
    const Plane& plane = std::get<Plane>(shape.geometry);
    p.kind = Kind::kPlane;
    p.axis[2] = rotate(q, unit(wide(plane.normal)));
    p.x += static_cast<double>(plane.offset) * p.axis[2];
  }
  return p;
}

Vec3 bounds(const PlacedShape& s) {
  Vec3 b{s.radius, s.radius, s.radius};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) b[k] += s.half[i] * std::abs(s.axis[i][k]);
  }
  return b;
}

double penetration(const PlacedShape& a, const PlacedShape& b) {
  if (a.kind == Kind::kPlane && b.kind == Kind::kPlane) return 0;
  const double d = distance(a, b);
  return d < 0 ? -d : 0;
}

}  // namespace cairn::quality
