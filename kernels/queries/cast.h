#pragma once
// Convex shapes that move, and the distances between them. Both look for the plane that separates two shapes best: the
// separation along any normal is at most the distance, however inaccurate the normal. GJK's normal is inaccurate where
// round shapes almost meet, so it is called with the shapes moved apart along the last normal. The normal at which that
// changes nothing is the one of the nearest points.

#include "kernels/collide/gjk.h"

namespace cairn::kernels {

/// [1] Max gain of a plane that still counts as the best, over both sizes.
inline constexpr double kCastTolerance = 1e-9;
/// Straight sides take two or three rounds.
inline constexpr int kCastRounds = 64;
/// [1] Distance over both sizes that counts as a hit after all rounds.
inline constexpr double kCastSlow = 1e-5;
/// [1] Min distance of shapes for GJK, over the smaller one's size.
inline constexpr double kCastGap = 0.01;

struct Apart {
  double distance;  ///< [m] 0 if they overlap
  Vec3d point;      ///< [m] on B, or if they overlap in both
  Vec3d n;          ///< [1] from B to A; 0 if they overlap
};

/// Result of a query for a shape B; positions relative to the query's origin.
struct Probe {
  bool found;
  double distance;  ///< [m]
  Vec3d point;      ///< [m] on B
  Vec3d n;          ///< [1] off B
};
CAIRN_HD Probe nothing() { return {false, 0.0, {0, 0, 0}, {0, 0, 0}}; }

/// A point of both cores if they overlap: four points of A - B around the origin have no weights yet.
CAIRN_HD Vec3d common_point(const Simplex& s) {
  if (s.count < 4) return closest_on_a(s);
  const Vec3d a = s.p[0].w, b = s.p[1].w, c = s.p[2].w, d = s.p[3].w;
  const double va = dot(b, cross(c, d)), vb = -dot(a, cross(c, d)), vc = dot(a, cross(b, d)), vd = -dot(a, cross(b, c));
  const double sum = (va + vb) + (vc + vd);
  if (sum == 0.0) return s.p[0].a;
  return fma(va / sum, s.p[0].a, fma(vb / sum, s.p[1].a, fma(vc / sum, s.p[2].a, (vd / sum) * s.p[3].a)));
}

/// Two shapes on the two sides of a plane.
struct Parted {
  bool apart;         ///< false if the cores overlap
  Vec3d n;            ///< [1] from A to B
  double separation;  ///< [m] along n, including `round`; at most the distance
  Vec3d on_a;         ///< [m] nearest point of A's core
};

struct Parting {
  const Convex& b;
  double rounds, gap, tolerance;  ///< [m]

  CAIRN_HD Parting(const Convex& a, const Convex& of_b) : b(of_b), rounds(a.round + of_b.round) {
    const double small = min(a.reach, b.reach), large = max(a.reach, b.reach);
    gap = kCastGap * (small > 0.0 ? small : large);
    tolerance = kCastTolerance * (a.reach + b.reach);
  }

  /// From GJK's result for the shapes, or for the shapes moved apart.
  CAIRN_HD Parted parted(const Convex& a, const Closest& c) const {
    if (!c.apart) return {false, {0, 0, 0}, 0.0, common_point(c.simplex)};
    return {true, c.n, separation_along(a, b, c.n), closest_on_a(c.simplex)};
  }

  /// Improves a normal with the separation along it.
  CAIRN_HD Parted better(const Convex& a, Vec3d n, double separation) const {
    Convex away = b;
    away.x = fma(max(gap - (separation + rounds), 0.0), n, b.x);
    return parted(a, closest_points(a, away, n));
  }

  CAIRN_HD Vec3d on_b(const Convex& a, const Parted& p) const { return fma(a.round + p.separation, p.n, p.on_a); }
};

/// Distance of A from B.
CAIRN_HD Apart apart(const Convex& a, const Convex& b) {
  const Parting parting(a, b);
  const Closest c = closest_points(a, b, b.x - a.x);
  if (!c.apart) return {0.0, common_point(c.simplex), {0, 0, 0}};
  const Vec3d on_a = closest_on_a(c.simplex);
  // only the rounded parts overlap
  if (!(c.distance > parting.rounds)) {
    const double share = parting.rounds > 0.0 ? c.distance * (a.round / parting.rounds) : 0.0;
    return {0.0, fma(share, c.n, on_a), {0, 0, 0}};
  }
  Parted best = parting.parted(a, c);
  for (int round = 0; round < kCastRounds; ++round) {
    if (c.distance - best.separation - parting.rounds <= parting.tolerance) break;
    const Parted p = parting.better(a, best.n, max(best.separation, 0.0));
    if (!p.apart || !(p.separation > best.separation + parting.tolerance)) break;
    best = p;
  }
  if (!(best.separation > 0.0)) return {0.0, on_a, {0, 0, 0}};
  return {best.separation, parting.on_b(a, best), -best.n};
}

/// Time at which A, moved along the unit vector d by at most `reach`, meets B: conservative advancement. A can move
/// until it touches the plane; where the planes turn, that converges like Newton's method. Shapes that overlap at the
/// start meet at once, with a normal against d.
CAIRN_HD Probe cast_convex(Convex a, const Convex& b, Vec3d d, double reach) {
  const Parting parting(a, b);
  const Apart at_start = apart(a, b);
  if (at_start.distance == 0.0) return {true, 0.0, at_start.point, -d};
  const Vec3d start = a.x;
  double t = 0.0;
  Parted p{true, -at_start.n, at_start.distance, {}};
  for (int round = 0; round < kCastRounds; ++round) {
    const double closing = dot(p.n, d);
    if (!(closing > 0.0)) return nothing();
    t += p.separation / closing;
    if (!(t <= reach)) return nothing();
    a.x = fma(t, d, start);
    const Parted next = parting.better(a, p.n, 0.0);
    if (!next.apart || !(next.separation > parting.tolerance)) {
      const Parted end = next.apart ? next : p;
      return {true, t, next.apart ? parting.on_b(a, end) : next.on_a, -end.n};
    }
    p = next;
  }
  // such slow progress is a hit, or a graze
  if (p.separation > kCastSlow * (a.reach + b.reach)) return nothing();
  return {true, t, parting.on_b(a, p), -p.n};
}

}  // namespace cairn::kernels
