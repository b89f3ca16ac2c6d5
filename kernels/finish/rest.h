#pragma once
// Contacts that stand where they were put.

#include "kernels/common/state.h"
#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// [1] What a cold point learns in a step of its depth, what a point keeps in a step of what it no longer needs, and,
/// over the radius of the smaller body, the depth that is let be and the most that is learnt.
inline constexpr float kLearnt = 0.3f, kKept = 0.98f, kLetBe = 2e-4f, kMostLearnt = 0.05f;

/// Soft contacts give way under load: by 9 mm at the foot of a tower of 100 at 6 substeps, and in an arch by enough to
/// fell one that is 5 % thicker than it must be. So while an anchored contact is cold (kernels/collide/cold.h), each of
/// its points learns the separation at which it carries nothing: so far out that under its load it is where it was put.
/// Then that stays as it is: what goes on following the load takes damping away from whatever is slower, and piles come
/// to no rest. Points that carry nothing, or stand apart, lose it slowly, for a load that is gone must not kick.
/// Writes `rest` of the manifold's points.
CAIRN_HD void learn_rest(const Bodies& bodies, const RowBlock& row, std::uint32_t lane, Manifold& m) {
  if (!(row.anchored[lane] > 0.0f)) {
    for (std::uint32_t j = 0; j < m.count; ++j) m.points[j].rest = 0.0f;
    return;
  }
  const bool learns = row.cold[lane] != 0 && (m.flags & kManifoldRecycled) != 0;
  const float size = smaller_radius(bodies, row.body_a[lane], row.body_b[lane]);
  RowDelta<float> a, b;
  gather_ends(bodies.solve, row, lane, a, b);
  for (std::uint32_t j = 0; j < m.count; ++j) {
    const RowBlock::Point& p = row.point[j];
    const float s = dot(m.normal, b.dx - a.dx, dot(load3<float>(p.angular_b, lane), b.dtheta, p.separation[lane])) -
                    dot(load3<float>(p.angular_a, lane), a.dtheta);
    const float depth = -(s + p.rest[lane]);
    float& rest = m.points[j].rest;
    if (p.impulse[lane] == 0.0f || depth < 0.0f) {
      rest *= kKept;
    } else if (learns) {
      rest = min(fma(kLearnt, max(depth - kLetBe * size, 0.0f), rest), kMostLearnt * size);
    }
  }
}

}  // namespace cairn::kernels
