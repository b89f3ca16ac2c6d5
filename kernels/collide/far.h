#pragma once
// Pairs of which one body stands still and has its origin far away: floors and terrains of kilometres. A float's digits
// don't reach from there to what lies on them. Such a pair is seen from the body that moves, and the other's arms and
// the offset between the two are counted from an anchor: a point of the standing body near the other.

#include "kernels/collide/convex.h"
#include "kernels/common/bodies.h"
#include "kernels/common/contacts.h"

namespace cairn::kernels {

/// [1] Of the moving body's radius: farther away is far. Nearer than that, rounding takes at most 1e-4 of the radius
/// from an offset.
inline constexpr double kFarFrom = 1024;
/// [1] Of the moving body's radius: beyond this even a double has no digits left.
inline constexpr double kLostFrom = 1e15;
/// [1] Of the moving body's radius: distance of the anchors, which are at the points of a grid. What crosses from one
/// to the next gets a new manifold.
inline constexpr double kAnchorSpacing = 4;
/// [1] Of the moving body's radius: what of a box is farther away in any of its directions is left out. Deeper than
/// that no body gets.
inline constexpr double kNearPart = 64;

struct FarPair {
  bool any;       ///< false: the pair is near, and the rest of this means nothing
  bool b_stands;  ///< which of the two
  Vec3d x;        ///< [m] the standing body's centre of mass, from the other's
  Quat q;         ///< [1] its orientation
  double radius;  ///< [m] of the other

  /// How its manifold is marked.
  CAIRN_HD std::uint32_t mark() const { return any ? (b_stands ? kManifoldFarB : kManifoldFarA) : 0u; }
};

CAIRN_HD FarPair far_pair(const Bodies& bodies, std::uint32_t a, std::uint32_t b) {
  const auto stands = [&](std::uint32_t i) { return !is_dynamic(bodies.flags[i]) && !is_kinematic(bodies.flags[i]); };
  FarPair f{false, stands(b), {}, {}, 0.0};
  if (stands(a) == f.b_stands) return f;
  const std::uint32_t from = f.b_stands ? a : b, to = f.b_stands ? b : a;
  f.x = (widen(bodies.x[to]) - widen(bodies.x[from])) + (widen(bodies.x_low[to]) - widen(bodies.x_low[from]));
  f.q = bodies.q[to];
  f.radius = bodies.radius[from];
  const double distance = length(f.x);
  f.any = distance > kFarFrom * f.radius && distance < kLostFrom * f.radius;
  return f;
}

/// The multiple of a spacing that is nearest.
CAIRN_HD double nearest_multiple(double at, double spacing) {
  const double cells = at / spacing;
  return spacing * static_cast<double>(static_cast<std::int64_t>(cells + (cells < 0.0 ? -0.5 : 0.5)));
}

/// [m] From body a to body b, as Manifold::offset, with the anchor next to a place in the place of the standing one.
/// The place is such an offset, too: that of an older manifold finds the anchor that this one was made with.
CAIRN_HD Vec3 anchored_offset(const FarPair& far, Vec3 place) {
  const double side = far.b_stands ? 1.0 : -1.0, spacing = kAnchorSpacing * far.radius;
  const Mat3d r = matrix_of_any(far.q);
  const Vec3d p = transpose_mul(r, side * widen(place) - far.x);
  const Vec3d cell{nearest_multiple(p.x, spacing), nearest_multiple(p.y, spacing), nearest_multiple(p.z, spacing)};
  return narrow(side * (far.x + r * cell));
}

/// What of an axis of a box, of half length h, is within `reach` of a place: its middle, and half its length.
CAIRN_HD float near_part(float& h, double at, double reach) {
  const double low = max(-double{h}, at - reach), high = min(double{h}, at + reach);
  if (!(low < high)) return 0.0f;
  h = static_cast<float>(0.5 * (high - low));
  return static_cast<float>(0.5 * (low + high));
}

/// A shape of the standing body, from the other body's centre of mass; of planes the point, and of boxes the part that
/// is near there.
CAIRN_HD ShapePose pose_of_far(ShapeGeometry& g, const FarPair& far) {
  const Quat q = far.q * g.orientation;
  Vec3d x = far.x + matrix_of_any(far.q) * widen(g.position);
  const Mat3d r = matrix_of_any(q);
  if (g.kind == ShapeKind::kPlane) x = dot(r.z, x) * r.z;
  if (g.kind == ShapeKind::kBox || g.kind == ShapeKind::kRoundedBox) {
    const Vec3d at = transpose_mul(r, -x);
    const double reach = kNearPart * far.radius;
    x = x + r * widen(Vec3{near_part(g.size.x, at.x, reach), near_part(g.size.y, at.y, reach),
                           near_part(g.size.z, at.z, reach)});
  }
  const Vec3 high = narrow(x);
  return {high, q, narrow(x - widen(high))};
}

}  // namespace cairn::kernels
