#pragma once

#include "kernels/prepare/prepare.h"
#include "kernels/solve/articulated_ends.h"

namespace cairn::kernels {

/// Effective masses of rows on links, 1 / (J M^-1 J^T), which change in a substep with the modes of their
/// articulations: the effective mass at a robot's foot depends on its joints. Writes the masses of the row's lane. One
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
    for (std::uint32_t j = 0; j < row.count[lane]; ++j) {
      RowBlock::Point& p = row.point[j];
      const Vec3 a = load3<float>(p.angular_a, lane), b = load3<float>(p.angular_b, lane);
      p.mass[lane] = inverse_or_zero(ends.weight(n, a, b));
    }
    const Vec3 slides[3] = {t, cross(n, t), none};
    const Vec3 on_a[3] = {load3<float>(row.friction_a[0], lane), load3<float>(row.friction_a[1], lane),
                          load3<float>(row.twist_a, lane)};
    const Vec3 on_b[3] = {load3<float>(row.friction_b[0], lane), load3<float>(row.friction_b[1], lane),
                          load3<float>(row.twist_b, lane)};
    put_friction_block(row, lane, [&](int i, int j) {
      if (i == j) return ends.weight(slides[i], on_a[i], on_b[i]);
      return ends.weight(slides[i], on_a[i], on_b[i], slides[j], on_a[j], on_b[j]);
    });
    if (!rolling) return;
    const Vec3 a0 = load3<float>(row.rolling_a[0], lane), a1 = load3<float>(row.rolling_a[1], lane);
    const Vec3 b0 = load3<float>(row.rolling_b[0], lane), b1 = load3<float>(row.rolling_b[1], lane);
    put_block_inverse(row.rolling_mass, lane, ends.weight(none, a0, b0, none, a0, b0),
                      ends.weight(none, a0, b0, none, a1, b1), ends.weight(none, a1, b1, none, a1, b1));
  }
};

}  // namespace cairn::kernels
