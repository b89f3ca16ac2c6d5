#pragma once
// Depth of two overlapping cores by the expanding polytope algorithm (van den Bergen, "Proximity queries and
// penetration depth computation on 3D game objects", GDC 2001). It grows a polytope inside A - B around the origin,
// always at the nearest face, until the nearest face is one of A - B.

#include "kernels/collide/gjk.h"

namespace cairn::kernels {

/// [1] Capacity of the polytope. Nearly all pairs of polytopes end far below it. If it runs out, the result is the best
/// normal so far, whose depth is too large by a share that falls as the square of the face's size. `polish`
/// (convex_pair.h) continues from there.
inline constexpr std::uint32_t kEpaVertices = 64, kEpaFaces = 2 * kEpaVertices;
/// [1] Max gain at which a face still counts as one of A - B, as a share of twice the smaller one's size, however large
/// the other. Faces of polytopes gain nothing in the end. `polish` (convex_pair.h) does the rest for round ones, and
/// 1e-9 would take twice as long to the same result.
inline constexpr double kEpaTolerance = 1e-5;
/// [1] Distance from a face's plane at which a point counts as in it, as a share of both sizes. Far above a double's
/// rounding.
inline constexpr double kEpaFlat = 1e-12;

struct Penetration {
  bool found;    ///< false if A - B has no volume
  bool least;    ///< the normal is known to be that of min depth, to within the tolerance
  double depth;  ///< [m] at least 0
  Vec3d n;       ///< [1] from A to B: after B moves by depth along it, the cores touch
  Vec3d on_a;    ///< [m] the deepest point of A in B
};

struct EpaFace {
  Vec3d n;          ///< [1] outwards
  double distance;  ///< [m] from the origin
  std::uint8_t p[3];
};

/// The polytope: 8 kB, in an array of the step. On a kernel's stack a CUDA device would reserve as much for every
/// thread that it can hold.
struct Epa {
  std::uint32_t vertices, faces;
  MinkowskiPoint vertex[kEpaVertices];
  EpaFace face[kEpaFaces];

  /// False for a face without area, or without room.
  CAIRN_HD bool add_face(std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    if (faces == kEpaFaces) return false;
    const Vec3d a = vertex[i].w;
    const Vec3d n = cross(vertex[j].w - a, vertex[k].w - a);
    const double l = length(n);
    if (!(l > 0.0)) return false;
    const Vec3d unit = (1.0 / l) * n;
    face[faces++] = {
        unit, dot(unit, a), {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j), static_cast<std::uint8_t>(k)}};
    return true;
  }

  CAIRN_HD std::uint32_t nearest() const {
    std::uint32_t best = 0;
    for (std::uint32_t f = 1; f < faces; ++f) {
      if (face[f].distance < face[best].distance) best = f;
    }
    return best;
  }

  /// Adds a point beyond some faces: they are removed, and new faces connect the hole to the point. False if rounding
  /// has broken the surface, or if there is no room.
  CAIRN_HD bool add_vertex(const MinkowskiPoint& p, double flat) {
    if (vertices == kEpaVertices) return false;
    const std::uint32_t at = vertices++;
    vertex[at] = p;
    // sides of the removed faces; one that occurs again in reverse is inside the hole
    constexpr std::uint32_t kMaxSides = 64;
    std::uint8_t from[kMaxSides], to[kMaxSides];
    std::uint32_t sides = 0;
    for (std::uint32_t f = 0; f < faces;) {
      const EpaFace seen = face[f];
      // a face is also removed if the point lies in its plane: a face to it might have no area
      if (!(dot(seen.n, p.w) > seen.distance - flat)) {
        ++f;
        continue;
      }
      face[f] = face[--faces];
      for (std::uint32_t s = 0; s < 3; ++s) {
        const std::uint8_t a = seen.p[s], b = seen.p[s == 2 ? 0 : s + 1];
        bool inner = false;
        for (std::uint32_t e = 0; e < sides && !inner; ++e) {
          if (from[e] != b || to[e] != a) continue;
          --sides;
          from[e] = from[sides], to[e] = to[sides];
          inner = true;
        }
        if (inner) continue;
        if (sides == kMaxSides) return false;
        from[sides] = a, to[sides] = b;
        ++sides;
      }
    }
    if (sides < 3) return false;
    for (std::uint32_t e = 0; e < sides; ++e) {
      if (!add_face(from[e], to[e], at)) return false;
    }
    return true;
  }
};

/// Adds a point of A - B that is off the hull of the present ones, in one direction or the other. False if there is
/// none.
CAIRN_HD bool widen_simplex(Simplex& s, const Convex& a, const Convex& b, Vec3d d, double least) {
  const double l = length(d);
  if (!(l > 0.0)) return false;
  const Vec3d unit = (1.0 / l) * d;
  const double base = dot(unit, s.p[0].w);
  for (int way = 0; way < 2; ++way) {
    const MinkowskiPoint p = minkowski_support(a, b, way == 0 ? unit : -unit);
    if (!(abs(dot(unit, p.w) - base) > least)) continue;
    s.p[s.count++] = p;
    return true;
  }
  return false;
}

/// Completes a simplex to a tetrahedron in A - B.
CAIRN_HD bool make_tetrahedron(Simplex& s, const Convex& a, const Convex& b, double least) {
  if (s.count == 1) {
    if (!widen_simplex(s, a, b, {1, 0, 0}, least) && !widen_simplex(s, a, b, {0, 1, 0}, least) &&
        !widen_simplex(s, a, b, {0, 0, 1}, least)) {
      return false;
    }
  }
  if (s.count == 2) {
    const Vec3d along = s.p[1].w - s.p[0].w;
    const Vec3d aside = cross(along, smallest_axis(along));
    if (!widen_simplex(s, a, b, aside, least) && !widen_simplex(s, a, b, cross(along, aside), least)) return false;
  }
  if (s.count == 3) {
    if (!widen_simplex(s, a, b, cross(s.p[1].w - s.p[0].w, s.p[2].w - s.p[0].w), least)) return false;
  }
  return true;
}

/// Depth of cores that overlap, from GJK's last simplex, which is extended. `epa` is scratch.
CAIRN_HD_CALL Penetration penetrate(const Convex& a, const Convex& b, Simplex& s, Epa& epa) {
  Penetration out{false, false, 0.0, {0, 0, 1}, {}};
  const double size = a.reach + b.reach, enough = kEpaTolerance * 2.0 * min(a.reach, b.reach);
  if (!make_tetrahedron(s, a, b, 1e-9 * size)) return out;
  epa.vertices = epa.faces = 0;
  for (std::uint32_t i = 0; i < 4; ++i) epa.vertex[epa.vertices++] = s.p[i];
  const Vec3d p0 = s.p[0].w;
  const bool flip = dot(cross(s.p[1].w - p0, s.p[2].w - p0), s.p[3].w - p0) > 0.0;
  const std::uint32_t one = flip ? 2u : 1u, two = flip ? 1u : 2u;
  if (!epa.add_face(0, one, two) || !epa.add_face(0, 3, one) || !epa.add_face(0, two, 3) ||
      !epa.add_face(one, 3, two)) {
    return out;
  }
  // of all faces that were nearest once, the one with the least depth of A - B beyond its plane through the origin: an
  // upper bound of the depth, and the depth itself in the end
  double least = 0.0;
  EpaFace best{};
  for (std::uint32_t round = 0; round < kEpaVertices; ++round) {
    const EpaFace near = epa.face[epa.nearest()];
    const MinkowskiPoint p = minkowski_support(a, b, near.n);
    const double bound = dot(near.n, p.w);
    if (!out.found || bound < least) {
      out.found = true;
      least = bound;
      best = near;
    }
    out.least = bound - near.distance <= enough;
    if (out.least || !epa.add_vertex(p, kEpaFlat * size)) break;
  }
  out.n = best.n;
  out.depth = max(least, 0.0);
  // the origin's projection onto the face, by areas
  const MinkowskiPoint &u = epa.vertex[best.p[0]], &v = epa.vertex[best.p[1]], &w = epa.vertex[best.p[2]];
  const Vec3d foot = best.distance * best.n;
  const Vec3d n = cross(v.w - u.w, w.w - u.w);
  const double area = length2(n);
  const double wu = clamp(dot(n, cross(v.w - foot, w.w - foot)) / area, 0.0, 1.0);
  const double wv = clamp(dot(n, cross(w.w - foot, u.w - foot)) / area, 0.0, 1.0 - wu);
  out.on_a = fma(wu, u.a, fma(wv, v.a, (1.0 - wu - wv) * w.a));
  return out;
}

}  // namespace cairn::kernels
