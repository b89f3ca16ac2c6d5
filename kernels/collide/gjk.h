#pragma once
// Closest points of two convex cores: Gilbert, Johnson and Keerthi, "A fast procedure for computing the distance
// between complex objects in three-dimensional space" (1988), with the regions of a simplex after Ericson, Real-Time
// Collision Detection (2005), chapter 5.1.

#include "kernels/collide/convex.h"

namespace cairn::kernels {

/// A point of A - B, and the point of A in it.
struct MinkowskiPoint {
  Vec3d w;  ///< [m] a - b
  Vec3d a;  ///< [m]
};

/// The farthest point of A - B along d.
CAIRN_HD MinkowskiPoint minkowski_support(const Convex& a, const Convex& b, Vec3d d) {
  const Vec3d on_a = support(a, d);
  return {on_a - support(b, -d), on_a};
}

/// One to four points of A - B, and the weights of the point of their hull that is closest to the origin.
struct Simplex {
  std::uint32_t count;
  MinkowskiPoint p[4];
  double weight[4];  ///< [1] over 0, their sum 1
};

/// Some points of a simplex in their order, or all four, and their weights without the others.
struct SimplexPart {
  std::uint32_t count;  ///< [1] 1..3; 4 where the origin is inside
  std::uint32_t of[3];  ///< [1] ascending
  double weight[3];     ///< [1]
};

CAIRN_HD Vec3d closest_of(const Simplex& s, const SimplexPart& part) {
  const Vec3d a = s.p[part.of[0]].w;
  if (part.count == 3) {
    // the weights of a thin triangle, as walls of round shapes give, are inaccurate, but its plane is accurate
    const Vec3d n = cross(s.p[part.of[1]].w - a, s.p[part.of[2]].w - a);
    const double nn = length2(n);
    if (nn > 0.0) return (dot(n, a) / nn) * n;
  }
  Vec3d v = part.weight[0] * a;
  for (std::uint32_t i = 1; i < part.count; ++i) v = fma(part.weight[i], s.p[part.of[i]].w, v);
  return v;
}
CAIRN_HD Vec3d closest_on_a(const Simplex& s) {
  Vec3d v = s.weight[0] * s.p[0].a;
  for (std::uint32_t i = 1; i < s.count; ++i) v = fma(s.weight[i], s.p[i].a, v);
  return v;
}
/// Reduces a simplex to that part.
CAIRN_HD void keep(Simplex& s, const SimplexPart& part) {
  s.count = part.count;
  if (part.count == 4) return;
  for (std::uint32_t i = 0; i < part.count; ++i) s.p[i] = s.p[part.of[i]], s.weight[i] = part.weight[i];
}

/// Part of the simplex of points i and j.
CAIRN_HD SimplexPart closest_on_line(const Simplex& s, std::uint32_t i, std::uint32_t j) {
  const Vec3d a = s.p[i].w, ab = s.p[j].w - a;
  const double t = -dot(a, ab), span = length2(ab);
  if (t <= 0.0) return {1, {i}, {1.0}};
  if (t >= span) return {1, {j}, {1.0}};
  return {2, {i, j}, {1.0 - t / span, t / span}};
}

/// Part of the simplex of points i, j and k.
CAIRN_HD_CALL SimplexPart closest_on_triangle(const Simplex& s, std::uint32_t i, std::uint32_t j, std::uint32_t k) {
  const Vec3d a = s.p[i].w, b = s.p[j].w, c = s.p[k].w;
  const Vec3d ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0.0 && d2 <= 0.0) return {1, {i}, {1.0}};
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0.0 && d4 <= d3) return {1, {j}, {1.0}};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return closest_on_line(s, i, j);
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0.0 && d5 <= d6) return {1, {k}, {1.0}};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return closest_on_line(s, i, k);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return closest_on_line(s, j, k);
  const double sum = va + vb + vc;
  if (!(sum > 0.0)) return closest_on_line(s, i, j);
  return {3, {i, j, k}, {va / sum, vb / sum, vc / sum}};
}

/// [1] Squared sine below which the fourth point of a simplex lies in the plane of the others.
inline constexpr double kFlatSimplex = 1e-20;

/// The smallest part of a simplex of two to four points that contains its closest point; all four if the origin is
/// inside.
CAIRN_HD SimplexPart smallest_part(const Simplex& s) {
  if (s.count == 2) return closest_on_line(s, 0, 1);
  if (s.count == 3) return closest_on_triangle(s, 0, 1, 2);
  SimplexPart best{4, {}, {}};
  double least = -1.0;
  for (std::uint32_t out = 0; out < 4; ++out) {
    const std::uint32_t i = out == 0 ? 1u : 0u, j = out <= 1 ? 2u : 1u, k = out == 3 ? 2u : 3u;
    const Vec3d a = s.p[i].w;
    const Vec3d n = cross(s.p[j].w - a, s.p[k].w - a);
    // the origin and the fourth point on two sides of the face, or the four in a plane
    const Vec3d up = s.p[out].w - a;
    const double origin = -dot(n, a), fourth = dot(n, up);
    // for four points in a plane, up to rounding, sides have no meaning
    if (origin * fourth > 0.0 && fourth * fourth > kFlatSimplex * length2(n) * length2(up)) continue;
    const SimplexPart face = closest_on_triangle(s, i, j, k);
    const double at = length2(closest_of(s, face));
    if (least < 0.0 || at < least) least = at, best = face;
  }
  return best;
}

struct Closest {
  bool apart;       ///< the cores don't meet
  double distance;  ///< [m] of the cores, 0 unless apart
  Vec3d n;          ///< [1] from A to B, if apart
  Simplex simplex;  ///< its closest point is a point of A minus one of B
};

/// [1] Relative error of GJK's distance. The direction is then within 1e-6.
inline constexpr double kGjkTolerance = 1e-12;
/// [1] Distance over both sizes below which the direction is rounding.
inline constexpr double kGjkTouching = 1e-10;
inline constexpr int kGjkRounds = 64;

/// Closest points of the cores of A and B, from a first guess of the direction from A to B.
CAIRN_HD_CALL Closest closest_points(const Convex& a, const Convex& b, Vec3d guess) {
  const double size = a.reach + b.reach;
  Closest out{false, 0.0, {0, 0, 1}, {}};
  out.simplex.count = 1;
  out.simplex.p[0] = minkowski_support(a, b, guess);
  out.simplex.weight[0] = 1.0;
  Vec3d v = out.simplex.p[0].w;
  double vv = length2(v);
  for (int round = 0; round < kGjkRounds; ++round) {
    if (!(vv > (kGjkTouching * size) * (kGjkTouching * size))) return out;
    const MinkowskiPoint p = minkowski_support(a, b, -v);
    // no point of A - B is nearer than the plane through p at right angles to v
    if (vv - dot(v, p.w) <= kGjkTolerance * vv) break;
    bool there = false;
    for (std::uint32_t i = 0; i < out.simplex.count; ++i) there = there || out.simplex.p[i].w == p.w;
    if (there) break;
    const std::uint32_t before = out.simplex.count;
    out.simplex.p[out.simplex.count++] = p;
    const SimplexPart part = smallest_part(out.simplex);
    const Vec3d closer = part.count == 4 ? Vec3d{0, 0, 0} : closest_of(out.simplex, part);
    const double then = length2(closer);
    // all of A - B is beyond the plane through p, so the origin is outside, whatever the sides of a sliver say; or the
    // rest is rounding
    const bool outside = part.count == 4 && dot(v, p.w) > kGjkTouching * size * sqrt(vv);
    if (outside || !(then < vv)) {
      out.simplex.count = before;
      break;
    }
    keep(out.simplex, part);
    if (part.count == 4) return out;
    v = closer;
    vv = then;
  }
  out.apart = true;
  out.distance = sqrt(vv);
  out.n = (-1.0 / out.distance) * v;
  return out;
}

}  // namespace cairn::kernels
