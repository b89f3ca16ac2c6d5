#pragma once
// Closest points of two convex cores: Gilbert, Johnson and Keerthi, "A fast procedure for computing the distance
// between complex objects in three-dimensional space" (1988), with the regions of a simplex after Ericson, Real-Time
// Collision Detection (2005), chapter 5.1.

#include "kernels/collide/convex.h"

namespace cairn::kernels {

/// A point of A - B, and the point of A that it comes from.
struct MinkowskiPoint {
  Vec3d w;  ///< [m] a - b
  Vec3d a;  ///< [m]
};

/// Of A - B, the farthest point along d.
CAIRN_HD MinkowskiPoint minkowski_support(const Convex& a, const Convex& b, Vec3d d) {
  const Vec3d on_a = support(a, d);
  return {on_a - support(b, -d), on_a};
}

/// One to four points of A - B, and the weights with which they give the point of their hull that is closest to the
/// origin.
struct Simplex {
  std::uint32_t count;
  MinkowskiPoint p[4];
  double weight[4];  ///< [1] over 0, their sum 1
};

/// Keeps the points of `from` at i, j, k, with these weights.
CAIRN_HD void keep(Simplex& s, const Simplex& from, std::uint32_t i, double wi) {
  s.count = 1;
  s.p[0] = from.p[i];
  s.weight[0] = wi;
}
CAIRN_HD void keep(Simplex& s, const Simplex& from, std::uint32_t i, std::uint32_t j, double wi, double wj) {
  s.count = 2;
  s.p[0] = from.p[i], s.p[1] = from.p[j];
  s.weight[0] = wi, s.weight[1] = wj;
}

CAIRN_HD Vec3d closest_of(const Simplex& s) {
  if (s.count == 3) {
    // the weights of a thin triangle, as the walls of round shapes give them, are known badly, its plane well
    const Vec3d a = s.p[0].w, n = cross(s.p[1].w - a, s.p[2].w - a);
    const double nn = length2(n);
    if (nn > 0.0) return (dot(n, a) / nn) * n;
  }
  Vec3d v = s.weight[0] * s.p[0].w;
  for (std::uint32_t i = 1; i < s.count; ++i) v = fma(s.weight[i], s.p[i].w, v);
  return v;
}
CAIRN_HD Vec3d closest_on_a(const Simplex& s) {
  Vec3d v = s.weight[0] * s.p[0].a;
  for (std::uint32_t i = 1; i < s.count; ++i) v = fma(s.weight[i], s.p[i].a, v);
  return v;
}

/// Of points i and j of `from`.
CAIRN_HD Simplex closest_on_line(const Simplex& from, std::uint32_t i, std::uint32_t j) {
  Simplex out;
  const Vec3d a = from.p[i].w, ab = from.p[j].w - a;
  const double t = -dot(a, ab), span = length2(ab);
  if (t <= 0.0) {
    keep(out, from, i, 1.0);
  } else if (t >= span) {
    keep(out, from, j, 1.0);
  } else {
    keep(out, from, i, j, 1.0 - t / span, t / span);
  }
  return out;
}

/// Of points i, j and k of `from`.
CAIRN_HD Simplex closest_on_triangle(const Simplex& from, std::uint32_t i, std::uint32_t j, std::uint32_t k) {
  Simplex out;
  const Vec3d a = from.p[i].w, b = from.p[j].w, c = from.p[k].w;
  const Vec3d ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0.0 && d2 <= 0.0) return keep(out, from, i, 1.0), out;
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0.0 && d4 <= d3) return keep(out, from, j, 1.0), out;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return closest_on_line(from, i, j);
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0.0 && d5 <= d6) return keep(out, from, k, 1.0), out;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return closest_on_line(from, i, k);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return closest_on_line(from, j, k);
  const double sum = va + vb + vc;
  if (!(sum > 0.0)) return closest_on_line(from, i, j);
  out.count = 3;
  out.p[0] = from.p[i], out.p[1] = from.p[j], out.p[2] = from.p[k];
  out.weight[0] = va / sum, out.weight[1] = vb / sum, out.weight[2] = vc / sum;
  return out;
}

/// [1] Squared sine under which the fourth point of a simplex lies in the plane of the others.
inline constexpr double kFlatSimplex = 1e-20;

/// The smallest part of a simplex that has its closest point. One of four points that has the origin inside stays
/// whole.
CAIRN_HD Simplex reduced(const Simplex& s) {
  if (s.count == 1) {
    Simplex out = s;
    out.weight[0] = 1.0;
    return out;
  }
  if (s.count == 2) return closest_on_line(s, 0, 1);
  if (s.count == 3) return closest_on_triangle(s, 0, 1, 2);
  Simplex best = s;
  double least = -1.0;
  for (std::uint32_t out = 0; out < 4; ++out) {
    const std::uint32_t i = out == 0 ? 1u : 0u, j = out <= 1 ? 2u : 1u, k = out == 3 ? 2u : 3u;
    const Vec3d a = s.p[i].w;
    const Vec3d n = cross(s.p[j].w - a, s.p[k].w - a);
    // the origin and the fourth point on two sides of the face, or the four in a plane
    const Vec3d up = s.p[out].w - a;
    const double origin = -dot(n, a), fourth = dot(n, up);
    // of four points in a plane, up to rounding, no side tells anything
    if (origin * fourth > 0.0 && fourth * fourth > kFlatSimplex * length2(n) * length2(up)) continue;
    const Simplex face = closest_on_triangle(s, i, j, k);
    const double at = length2(closest_of(face));
    if (least < 0.0 || at < least) least = at, best = face;
  }
  return best;
}

struct Closest {
  bool apart;       ///< the cores don't meet
  double distance;  ///< [m] of the cores, 0 unless apart
  Vec3d n;          ///< [1] from A to B, if apart
  Simplex simplex;  ///< its closest point is a point of A less one of B
};

/// [1] Of the distance: how far GJK's answer may be from the truth. The direction is then within 1e-6.
inline constexpr double kGjkTolerance = 1e-12;
/// [1] Of the size of both: closer than this, direction is rounding.
inline constexpr double kGjkTouching = 1e-10;
inline constexpr int kGjkRounds = 64;

/// Closest points of the cores of A and B, from a first guess of the direction from A to B.
CAIRN_HD_CALL Closest closest_points(const Convex& a, const Convex& b, Vec3d guess) {
  const double size = a.reach + b.reach;
  Closest out;
  out.simplex.count = 1;
  out.simplex.p[0] = minkowski_support(a, b, guess);
  out.simplex.weight[0] = 1.0;
  Vec3d v = out.simplex.p[0].w;
  double vv = length2(v);
  for (int round = 0; round < kGjkRounds; ++round) {
    if (!(vv > (kGjkTouching * size) * (kGjkTouching * size))) {
      out.apart = false;
      out.distance = 0.0;
      out.n = {0, 0, 1};
      return out;
    }
    const MinkowskiPoint p = minkowski_support(a, b, -v);
    // no point of A - B is nearer than the plane through p at right angles to v
    if (vv - dot(v, p.w) <= kGjkTolerance * vv) break;
    bool there = false;
    for (std::uint32_t i = 0; i < out.simplex.count; ++i) there = there || out.simplex.p[i].w == p.w;
    if (there) break;
    Simplex grown = out.simplex;
    grown.p[grown.count++] = p;
    grown = reduced(grown);
    // the plane through p has all of A - B beyond it, so the origin is outside, whatever the sides of a sliver say
    if (grown.count == 4 && dot(v, p.w) > kGjkTouching * size * sqrt(vv)) break;
    if (grown.count == 4) {
      out.simplex = grown;
      out.apart = false;
      out.distance = 0.0;
      out.n = {0, 0, 1};
      return out;
    }
    const Vec3d closer = closest_of(grown);
    const double then = length2(closer);
    // rounding is all that is left to gain
    if (!(then < vv)) break;
    out.simplex = grown;
    v = closer;
    vv = then;
  }
  out.apart = true;
  out.distance = sqrt(vv);
  out.n = (-1.0 / out.distance) * v;
  return out;
}

}  // namespace cairn::kernels
