#pragma once

#include "kernels/collide/collide_shapes.h"
#include "kernels/collide/update_manifold.h"

namespace cairn::kernels {

/// cos(1/2 degree): a body that has turned more since a manifold was made gets a new one. At 10 degrees a tower of ten
/// on a tilting table stands to 10 degrees, where 5.7 is right.
inline constexpr float kRecycleTurn = 0.99996192f;

/// Manifold of a pair: the last step's, refreshed, while the bodies' relative pose has hardly changed, or a new one
/// where closed forms give it. Of all others the class is noted, for the functors of narrow_phase.h; but where two
/// boxes are all that there may be, they are done at once.
/// Recycling after Box3D (E. Catto); what is refreshed is the separation alone, from anchors carried by the bodies, so
/// that the tilt of soft contacts isn't fed back as an overturning moment.
/// Writes shape_b, triangle and pair_class of pair i, and manifold i unless its class is listed. One thread per pair.
struct Collide {
  ManifoldUpdate renewal;
  Surfaces surfaces;
  std::uint32_t* pair_class;  ///< [1] (pairs) PairClass; kNear if nothing is left to do
  bool listed;                ///< some pairs may be of other classes than kNear and kBoxes

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Bodies& bodies = renewal.bodies;
    const Pairs& pairs = renewal.pairs;
    const PairShapes pair = shapes_of(pairs.key[i], surfaces);
    pairs.shape_b[i] = pair.b;
    pairs.triangle[i] = pair.triangle;
    pair_class[i] = static_cast<std::uint32_t>(PairClass::kNear);
    const Manifold* old = renewal.old_of(i);
    Manifold& m = pairs.manifold[i];

    // what sleeps stays as it was, impulses and all
    if (old != nullptr && old->count != 0 && !wakes_others(bodies, renewal.shapes.body[pair.a]) &&
        !wakes_others(bodies, renewal.shapes.body[pair.b])) {
      copy_manifold(m, *old);
      m.flags = old->flags & (kManifoldFlat | kManifoldFar);
      // if it is woken in this step, its points are those that it had
      if ((m.flags & kManifoldFlat) != 0) m.flags |= kManifoldSame;
      rescale(m);
      return;
    }

    const Meeting at = renewal.meeting(i);
    if (old != nullptr && old->count != 0 && (old->flags & kManifoldFlat) != 0 && keeps(*old, at)) {
      m = *old;
      m.flags = kManifoldRecycled | kManifoldFlat | at.far.mark() |
                cold_steps(renewal.k, bodies, renewal.worlds, at.a, at.b, old);
      refresh(m, at);
      return;
    }

    const PairClass of = class_of(at.ga.kind, at.gb.kind);
    if (listed && of != PairClass::kNear) {
      pair_class[i] = static_cast<std::uint32_t>(of);
      return;
    }
    renewal.renew(i, at, [&](const auto&... shapes) {
      // none of them is a hull
      return collide_ordered(shapes..., Solids{}, [&](const auto&... ordered) {
        return of == PairClass::kBoxes ? collide_flat(ordered...) : collide_near(ordered...);
      });
    });
  }

 private:
  /// True while neither body has turned by more than a degree and b has moved in a's frame by less than the tolerance.
  CAIRN_HD static bool keeps(const Manifold& m, const Meeting& at) {
    const Quat turn_a = at.q_a * conjugate(m.q_a), turn_b = at.q_b * conjugate(m.q_b);
    if (abs(turn_a.w) < kRecycleTurn || abs(turn_b.w) < kRecycleTurn) return false;
    const Vec3 moved = rotate_inverse(at.q_a, at.offset) - rotate_inverse(m.q_a, m.offset);
    const Quat turned = conjugate(turn_a) * turn_b;
    const float angle = 2.0f * length(vector_of(turned));
    return fma(at.reach.radius, angle, length(moved)) < at.reach.tolerance;
  }

  CAIRN_HD void refresh(Manifold& m, const Meeting& at) const {
    const Quat turn_a = at.q_a * conjugate(m.q_a), turn_b = at.q_b * conjugate(m.q_b);
    for (std::uint32_t j = 0; j < m.count; ++j) {
      ManifoldPoint& p = m.points[j];
      p.separation = dot(m.normal, (at.offset + rotate(turn_b, p.r_b)) - rotate(turn_a, p.r_a));
      p.total = 0.0f;
    }
    m.friction_total = Vec3{0, 0, 0};
    rescale(m);
  }

  /// Cached impulses are those of a substep: they scale with it.
  CAIRN_HD void rescale(Manifold& m) const {
    const float scale = renewal.k.warm_scale;
    for (std::uint32_t j = 0; j < m.count; ++j) m.points[j].impulse *= scale;
    m.friction = scale * m.friction;
    m.rolling = scale * m.rolling;
    m.twist *= scale;
  }
};

}  // namespace cairn::kernels
