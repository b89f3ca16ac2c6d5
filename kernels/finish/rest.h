#pragma once
// Contacts that stand where they were put.

#include "kernels/common/state.h"
#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// [1] Of its depth, what a cold point learns in a step.
inline constexpr float kRestRate = 0.3f;
/// [1] Of its rest, what a point keeps in a step that doesn't need it.
inline constexpr float kRestKept = 0.98f;
/// [1] Over the radius of the smaller body: depth that is let be, and the most and the least that a rest is.
inline constexpr float kRestSlop = 2e-4f, kMaxRest = 0.05f, kMinRest = 1e-6f;

/// Soft contacts give way under load: by 9 mm at the foot of a tower of 100 at 6 substeps, and in an arch by enough to
/// fell one that is 5 % thicker than it must be. So while a contact is cold (kernels/collide/cold.h) and is kept, each
/// of its points learns its rest, the separation at which it carries nothing, from its depth d at the end of a step:
/// rest += kRestRate max(d - kRestSlop r, 0). So it carries its load where it was put. Then that stays as it is: what
/// goes on following the load takes damping away from whatever is slower, and piles come to no rest. Points that carry
/// nothing, or stand apart, lose it slowly, for a load that is gone must not kick. Writes `rest` of the manifold's
/// points.
CAIRN_HD void learn_rest(const Bodies& bodies, const RowBlock& row, std::uint32_t lane, Manifold& m) {
  const bool learns = (m.flags & kManifoldCold) != 0 && row.damped[lane] > 0.0f && (m.flags & kManifoldRecycled) != 0;
  bool any = learns;
  for (std::uint32_t j = 0; j < m.count; ++j) {
    m.points[j].rest = row.point[j].rest[lane];
    any = any || m.points[j].rest != 0.0f;
  }
  if (!any) return;
  const float size = smaller_radius(bodies, row.body_a[lane], row.body_b[lane]);
  RowDelta<float> a, b;
  gather_ends(bodies.solve, row, lane, a, b);
  for (std::uint32_t j = 0; j < m.count; ++j) {
    const RowBlock::Point& p = row.point[j];
    const float s = dot(m.normal, b.dx - a.dx, dot(load3<float>(p.angular_b, lane), b.dtheta, p.separation[lane])) -
                    dot(load3<float>(p.angular_a, lane), a.dtheta);
    float rest = p.rest[lane];
    const float depth = -(s + rest);
    if (p.impulse[lane] == 0.0f || depth < 0.0f) {
      rest = rest > kMinRest * size ? kRestKept * rest : 0.0f;
    } else if (learns) {
      rest = min(fma(kRestRate, max(depth - kRestSlop * size, 0.0f), rest), kMaxRest * size);
    }
    m.points[j].rest = rest + 0.0f;
  }
}

}  // namespace cairn::kernels
