#pragma once

#include "kernels/prepare/prepare.h"
#include "kernels/solve/articulated_ends.h"

namespace cairn::kernels {

/// Effective masses of rows on links, 1 / (J M^-1 J^T), which change in a substep with the modes of their
/// articulations: the effective mass at a robot's foot depends on its joints. Writes the masses and couplings of the row's lane. One
/// thread per row slot.
struct RowEffectiveMass {
  Links links;
  Rows rows;
  bool rolling;
  bool renewed;  ///< only of links whose response has changed in the substep

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    for (std::uint32_t i = lane; i < lane + kLanesOf<T>; ++i) {
      if (changes(row.body_a[i]) || changes(row.body_b[i])) effective_mass(row, i);
    }
  }

 private:
  CAIRN_HD bool changes(std::uint32_t body) const {
    const std::uint32_t link = links.of_body[body];
    return link != kNone && (!renewed || links.state[link].renewed != 0);
  }
  CAIRN_HD void effective_mass(RowBlock& row, std::uint32_t lane) const {
    const ArticulatedEnds ends(links.solve, links, row, lane);
    const Vec3 n = load3<float>(row.normal, lane), t = load3<float>(row.tangent, lane), none{0, 0, 0};
    const RowArms<float> arms(row, lane);
    for (std::uint32_t j = 0; j < row.count[lane]; ++j) {
      const Along<float> at = load2<float>(row.point[j].place, lane);
      const Vec3 a = arms.a.normal(at), b = arms.b.normal(at);
      row.point[j].mass[lane] = inverse_or_zero(ends.weight(n, a, b));
      for (std::uint32_t i = 0; i < j; ++i) {
        const Along<float> other = load2<float>(row.point[i].place, lane);
        row.coupling[coupling_at(i, j)][lane] = ends.weight(n, arms.a.normal(other), arms.b.normal(other), n, a, b);
      }
    }
    const Vec3 slides[3] = {t, cross(n, t), none};
    const Along<float> reference{0.0f, 0.0f};
    const Vec3 on_a[3] = {arms.a.first(reference), arms.a.second(reference), arms.a.axes[2]};
    const Vec3 on_b[3] = {arms.b.first(reference), arms.b.second(reference), arms.b.axes[2]};
    put_friction_block(row, lane, [&](int i, int j) {
      if (i == j) return ends.weight(slides[i], on_a[i], on_b[i]);
      return ends.weight(slides[i], on_a[i], on_b[i], slides[j], on_a[j], on_b[j]);
    });
    if (!rolling) return;
    const Vec3 &a0 = arms.a.axes[0], &a1 = arms.a.axes[1], &b0 = arms.b.axes[0], &b1 = arms.b.axes[1];
    put_block_inverse(row.rolling_mass, lane, ends.weight(none, a0, b0, none, a0, b0),
                      ends.weight(none, a0, b0, none, a1, b1), ends.weight(none, a1, b1, none, a1, b1));
  }
};

}  // namespace cairn::kernels
