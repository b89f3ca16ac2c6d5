#pragma once
// One query against one shape.

#include "kernels/queries/cast.h"
#include "kernels/queries/query.h"
#include "kernels/queries/ray.h"
#include "kernels/queries/sweep.h"

namespace cairn::kernels {

CAIRN_HD Convex triangle_from(const Corners& t, Vec3d x, const Mat3d& r) {
  Convex c{};
  const Vec3d middle = (1.0 / 3.0) * (t.a + t.b + t.c);
  c.core = Core::kTriangle;
  c.x = x + r * middle;
  c.r = r;
  c.a = t.a - middle;
  c.b = t.b - middle;
  c.c = t.c - middle;
  c.reach = sqrt(max(max(length2(c.a), length2(c.b)), length2(c.c)));
  return c;
}

template <QueryKind kind>
struct Prober {
  const QueryScene& s;
  const Query& q;
  Convex a;  ///< the query's shape, at the query's origin

  CAIRN_HD Prober(const QueryScene& scene, const Query& query) : s(scene), q(query), a(convex_of(scene, query)) {}

  /// The region of the world where it may find something, relative to its origin.
  CAIRN_HD Sweep sweep() const { return sweep_along({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, q.reach); }

  /// The result for a shape, no farther than `limit`.
  CAIRN_HD Probe operator()(std::uint32_t slot, double limit) const {
    const ShapeGeometry& g = s.shapes.geometry[slot];
    Probe p = g.kind == ShapeKind::kPlane ? of_plane(slot)
              : is_surface(g.kind)        ? of_surface(slot, g, limit)
                                          : of_convex(slot, g, limit);
    p.found = p.found && p.distance <= limit;
    return p;
  }

 private:
  static constexpr bool kMoves = kind == QueryKind::kRay || kind == QueryKind::kCast;

  CAIRN_HD Sweep sweep_along(const Mat3d& r, Vec3d x, double limit) const {
    if constexpr (kMoves) return sweep_of(a, x, r, q.direction, limit, 0.0);
    return sweep_of(a, x, r, {0, 0, 0}, 0.0, kind == QueryKind::kClosest ? limit : 0.0);
  }

  CAIRN_HD Probe of_plane(std::uint32_t slot) const {
    const Vec3d z = matrix_of_any(turn_of(s, slot)).z, normal = (1.0 / length(z)) * z;
    const Vec3d low = fma(-a.round, normal, support(a, -normal));
    const double gap = dot(normal, low - place_from(s, slot, q.origin));
    if (!(gap > 0.0)) return kMoves ? Probe{true, 0.0, low, -q.direction} : Probe{true, 0.0, low, {0, 0, 0}};
    if constexpr (kind == QueryKind::kOverlap) return nothing();
    if constexpr (kind == QueryKind::kClosest) return {true, gap, fma(-gap, normal, low), normal};
    const double closing = -dot(normal, q.direction);
    if (!(closing > 0.0)) return nothing();
    const double t = gap / closing;
    return {true, t, fma(t, q.direction, low), normal};
  }

  CAIRN_HD Probe of_convex(const Convex& b, double limit) const {
    if constexpr (kMoves) return cast_convex(a, b, q.direction, limit);
    const Apart gap = apart(a, b);
    return {kind == QueryKind::kClosest || gap.distance == 0.0, gap.distance, gap.point, gap.n};
  }

  CAIRN_HD Probe of_convex(std::uint32_t slot, const ShapeGeometry& g, double limit) const {
    const Convex b = convex_from(s, slot, q.origin);
    if constexpr (kind == QueryKind::kRay) {
      const Vec3d o = transpose_mul(b.r, -b.x), d = transpose_mul(b.r, q.direction);
      const Vec3d size = widen(g.size);
      RayHit hit;
      switch (g.kind) {
        case ShapeKind::kSphere:
          hit = ray_ball(o, d, size.x);
          break;
        case ShapeKind::kBox:
          hit = ray_box(o, d, size);
          break;
        case ShapeKind::kCapsule:
          hit = ray_capsule(o, d, size.x, size.z);
          break;
        case ShapeKind::kFrustum:
          hit = ray_frustum(o, d, size.x, size.y, size.z);
          break;
        case ShapeKind::kEllipsoid:
          hit = ray_ellipsoid(o, d, size);
          break;
        default:
          return of_convex(b, limit);
      }
      return {hit.hit, hit.t, hit.t * q.direction, b.r * hit.n};
    }
    return of_convex(b, limit);
  }

  CAIRN_HD Probe of_surface(std::uint32_t slot, const ShapeGeometry& g, double limit) const {
    const Vec3d x = place_from(s, slot, q.origin);
    const Mat3d r = matrix_of_any(turn_of(s, slot));
    Sweep sweep = sweep_along(r, x, limit);
    Probe best = nothing();
    sweep_surface(g, s.solids, sweep, [&](const Corners& t) {
      const Probe p = of_triangle(t, x, r, limit);
      if (!p.found || !(p.distance <= limit) || (best.found && !(p.distance < best.distance))) return;
      best = p;
      if (kMoves) sweep.limit = min(sweep.limit, p.distance);
      if (kind == QueryKind::kClosest) sweep.near = min(sweep.near, p.distance);
    });
    return best;
  }

  CAIRN_HD Probe of_triangle(const Corners& t, Vec3d x, const Mat3d& r, double limit) const {
    if constexpr (kind == QueryKind::kRay) {
      const RayHit hit = ray_triangle(transpose_mul(r, -x), transpose_mul(r, q.direction), t.a, t.b, t.c);
      return {hit.hit, hit.t, hit.t * q.direction, r * hit.n};
    }
    // a shape that leaves through the back of a triangle passes
    if (kMoves && dot(r * cross(t.b - t.a, t.c - t.a), q.direction) >= 0.0) return nothing();
    return of_convex(triangle_from(t, x, r), limit);
  }
};

}  // namespace cairn::kernels
