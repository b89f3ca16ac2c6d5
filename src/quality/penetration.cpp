#include "src/quality/penetration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/quality/support.h"
#include "src/quality/surface_depth.h"

namespace cairn::quality {
namespace {

// below this sine two edges count as parallel: their cross product adds nothing to the faces
constexpr double kParallel = 1e-6;

double reach(const PlacedShape& box, Vec3 n) {
  return box.half.x * std::abs(dot(n, box.axis[0])) + box.half.y * std::abs(dot(n, box.axis[1])) +
         box.half.z * std::abs(dot(n, box.axis[2]));
}

// largest gap between the projections of two boxes; above zero as soon as one axis separates them
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

// A segment p +- d against a box about the origin, in the box's frame: distance, or minus the min translation that
// separates a segment inside.
double segment_box_distance(Vec3 p, Vec3 d, Vec3 half) {
  // the squared distance is convex and piecewise quadratic in t; its derivative changes form only where a coordinate
  // crosses a side
  const auto slope = [&](double t) {
    double s = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = p[i] + t * d[i];
      s += (x - std::clamp(x, -half[i], half[i])) * d[i];
    }
    return s;
  };
  // the last side before the minimum and the first one after it
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

double size_of(const PlacedShape& a, const PlacedShape& b) {
  const Vec3 p = bounds(a), q = bounds(b);
  return std::sqrt(std::min(dot(p, p), dot(q, q)));
}

double distance_of_convex(const PlacedShape& a, const PlacedShape& b) {
  const double radii = swept_radius(a) + swept_radius(b);
  return distance(support_in_world(a), support_in_world(b), kTolerance * size_of(a, b), radii) - radii;
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

bool is_box(const PlacedShape& s) { return s.kind == Kind::kBox && s.radius == 0; }
bool is_plain(const PlacedShape& s) { return is_box(s) || s.kind == Kind::kBall; }

double distance_of(const PlacedShape& a, const PlacedShape& b) {
  if (a.kind == Kind::kPlane) {
    const Vec3 n = a.axis[2];
    const double low = is_box(b)               ? reach(b, n)
                       : b.kind == Kind::kBall ? b.half.z * std::abs(dot(n, b.axis[2])) + b.radius
                                               : reach_along(b, -n) + dot(n, b.x);
    return dot(n, b.x - a.x) - low;
  }
  if (b.kind == Kind::kPlane) return distance_of(b, a);
  if (!is_plain(a) || !is_plain(b)) return distance_of_convex(a, b);
  if (a.kind == Kind::kBox && b.kind == Kind::kBox) return box_box_gap(a, b);
  if (a.kind == Kind::kBox) {
    const Vec3 c = b.x - a.x, d = b.half.z * b.axis[2];
    const Vec3 local{dot(c, a.axis[0]), dot(c, a.axis[1]), dot(c, a.axis[2])};
    const Vec3 direction{dot(d, a.axis[0]), dot(d, a.axis[1]), dot(d, a.axis[2])};
    return segment_box_distance(local, direction, a.half) - b.radius;
  }
  if (b.kind == Kind::kBox) return distance_of(b, a);
  return segment_segment_distance({}, a.half.z * a.axis[2], b.x - a.x, b.half.z * b.axis[2]) - a.radius - b.radius;
}

}  // namespace

double penetration(const PlacedShape& a, const PlacedShape& b) {
  const bool open_a = a.kind == Kind::kPlane || is_surface(a), open_b = b.kind == Kind::kPlane || is_surface(b);
  if (open_a && open_b) return 0;
  if (is_surface(a)) return depth_in_surface(a, b);
  if (is_surface(b)) return penetration(b, a);
  const double d = distance_of(a, b);
  return d < 0 ? -d : 0;
}

}  // namespace cairn::quality
