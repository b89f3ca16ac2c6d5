#pragma once
// Pairs with a static body whose origin is far away: floors and terrains of kilometres. A float has too few digits for
// the distance from there to a body on them. Such a pair is computed relative to the moving body. The static body's
// arms and the offset between the two count from an anchor: a point of the static body near the other.

#include "kernels/collide/convex.h"
#include "kernels/common/bodies.h"
#include "kernels/common/contacts.h"

namespace cairn::kernels {

/// [1] Distance from which a pair is far, over the moving body's radius. Below it, rounding takes at most 1e-4 of the
/// radius from an offset.
inline constexpr double kFarFrom = 1024;
/// [1] Distance over the moving body's radius from which even a double has no digits left.
inline constexpr double kLostFrom = 1e15;
/// [1] Spacing over the moving body's radius of the grid of anchors. A body that moves to the next one gets a new
/// manifold.
inline constexpr double kAnchorSpacing = 4;
/// [1] Range over the moving body's radius beyond which parts of a box are ignored. No body gets deeper than that.
inline constexpr double kNearPart = 64;

struct FarPair {
  bool any;       ///< false: the pair is near, and the other members mean nothing
  bool b_stands;  ///< b is the static one
  Vec3d x;        ///< [m] the static body's centre of mass, from the other's
  Quat q;         ///< [1] its orientation
  double radius;  ///< [m] of the other

  /// Flags of its manifold.
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

/// The nearest multiple of a spacing.
CAIRN_HD double nearest_multiple(double at, double spacing) {
  const double cells = at / spacing;
  return spacing * static_cast<double>(static_cast<std::int64_t>(cells + (cells < 0.0 ? -0.5 : 0.5)));
}

/// [m] From body a to body b, as Manifold::offset, with the anchor nearest to `place` instead of the static body.
/// `place` is such an offset, too: that of an older manifold finds the anchor of that manifold.
CAIRN_HD Vec3 anchored_offset(const FarPair& far, Vec3 place) {
  const double side = far.b_stands ? 1.0 : -1.0, spacing = kAnchorSpacing * far.radius;
  const Mat3d r = matrix_of_any(far.q);
  const Vec3d p = transpose_mul(r, side * widen(place) - far.x);
  const Vec3d cell{nearest_multiple(p.x, spacing), nearest_multiple(p.y, spacing), nearest_multiple(p.z, spacing)};
  return narrow(side * (far.x + r * cell));
}

/// The part of a box axis of half length h within `reach` of a point: returns its middle, and h becomes half its
/// length.
CAIRN_HD float near_part(float& h, double at, double reach) {
  const double low = max(-double{h}, at - reach), high = min(double{h}, at + reach);
  if (!(low < high)) return 0.0f;
  h = static_cast<float>(0.5 * (high - low));
  return static_cast<float>(0.5 * (low + high));
}

/// A shape of the static body, relative to the other body's centre of mass; of planes the nearest point, and of boxes
/// the part near it.
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
