#pragma once

#include "kernels/common/arrays.h"
#include "kernels/common/state.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// Max residuals of each world's contacts, as the bits of floats that are at least 0: their order is that of the bits,
/// so that an integer max finds the largest.
struct Residuals {
  std::uint32_t* signorini;    ///< [m/s]   (worlds)
  std::uint32_t* coulomb;      ///< [m/s]   (worlds)
  std::uint32_t* twist;        ///< [rad/s] (worlds)
  std::uint32_t* cone;         ///< [N s]   (worlds)
  std::uint32_t* penetration;  ///< [m]     (worlds)
  std::uint32_t* points;       ///< [1]     (worlds)
};
template <Same<Residuals> V>
inline constexpr TypedList kArrays<V>{scratch<&V::signorini>(), scratch<&V::coulomb>(),     scratch<&V::twist>(),
                                      scratch<&V::cone>(),      scratch<&V::penetration>(), scratch<&V::points>()};

/// Resets the residuals. One thread per world.
struct ResidualClear {
  Residuals of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    of.signorini[i] = of.coulomb[i] = of.twist[i] = of.cone[i] = of.penetration[i] = of.points[i] = 0;
  }
};

/// The residuals of a row after a step, as include/cairn/residual.h defines them: Signorini |min(l / m, u_n + max(s, 0)
/// / h)|, Coulomb |f - p(f - m u_t)| / m with m the harmonic mean of the friction block's masses, and the same for
/// twist. Integer max into the row's world. One thread per row slot.
struct ResidualRow {
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  Rows rows;
  Residuals of;

  CAIRN_HD void operator()(std::uint32_t slot) const {
    const RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    const std::uint32_t points = row.count[lane];
    if (points == 0) return;
    const std::uint32_t world = bodies.world[row.body_a[lane]];
    if (worlds.status[world] != 0 || worlds.steps[world] == 0) return;
    RowBody<float> a, b;
    RowDelta<float> da, db;
    gather_ends(bodies.solve, row, lane, a, b);
    gather_ends(bodies.solve, row, lane, da, db);
    const Vec3 n = load3<float>(row.normal, lane);

    const RowArms<float> arms(row, lane);
    const NormalMotion<float> moved = arms.moved(n, da, db), speed = arms.speed(n, a, b);
    float signorini = 0.0f, depth = 0.0f;
    Load<float> pushed;
    for (std::uint32_t j = 0; j < points; ++j) {
      const RowBlock::Point& p = row.point[j];
      const Along<float> at = load2<float>(p.place, lane);
      const float s = p.separation[lane] + p.rest[lane] + moved.at(at);
      const float u = speed.at(at);
      const float l = p.impulse[lane];
      if (p.mass[lane] > 0.0f) {
        signorini = max(signorini, abs(min(l / p.mass[lane], fma(max(s, 0.0f), k.inv_h, u))));
      }
      depth = max(depth, -s);
      pushed.add(p, lane, max(l, 0.0f));
    }
    const Along<float> centre = pushed.centre();
    float lever_sum = 0.0f;
    for (std::uint32_t j = 0; j < points; ++j) {
      lever_sum = fma(lever(row, j, lane, centre), max(row.point[j].impulse[lane], 0.0f), lever_sum);
    }
    note(of.signorini, world, signorini);
    note(of.penetration, world, depth);
    atomic_add(&of.points[world], points);
    friction(row, lane, world, {row, lane, n, centre}, a, b, pushed.sum, lever_sum);
  }

 private:
  CAIRN_HD void friction(const RowBlock& row, std::uint32_t lane, std::uint32_t world, const Slide<float>& slide,
                         const RowBody<float>& a, const RowBody<float>& b, float sum, float lever_sum) const {
    const float bound = row.mu[lane] * sum;
    const Along<float> f = load2<float>(row.friction_impulse, lane);
    note(of.cone, world, max(sqrt(dot(f, f)) - bound, 0.0f));

    const BlockMass<float> block = slide.mass(row, lane);
    if (block.xx + block.yy > 0.0f) {
      const float mass = block.harmonic_mean();
      // belts of the last step, even if no surface moves now
      const Along<float> p = f - shortened(f - mass * slide.speed(row, lane, a, b, true), bound);
      if (mass > 0.0f) note(of.coulomb, world, sqrt(dot(p, p)) / mass);
    }

    const float mass = twist_mass<float>(row, lane), t = row.twist_impulse[lane];
    if (!(mass > 0.0f)) return;
    const float turn = rotation(row.axes_a[2], row.axes_b[2], lane, a.w, b.w);
    const float reach = row.mu[lane] * lever_sum;
    note(of.twist, world, abs(t - clamp(t - mass * turn, -reach, reach)) / mass);
  }

  CAIRN_HD static void note(std::uint32_t* largest, std::uint32_t world, float value) {
    // adding 0 turns -0 into +0
    atomic_max(&largest[world], bits_of(value + 0.0f));
  }
};

}  // namespace cairn::kernels
