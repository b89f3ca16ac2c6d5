#pragma once

#include "cairn/params.h"
#include "kernels/advance/advance.h"
#include "kernels/common/pack.h"
#include "kernels/common/state.h"
#include "kernels/strain/measure.h"

namespace cairn::kernels {

/// [1] Of what n strains on a particle want at once, a share of this / n is done. Together they may make n times as
/// much of a push as each by itself, and what overshoots by more than a third in a substep grows from one to the next.
inline constexpr float kStrainShare = 1.0f;

/// One sweep of extended position-based dynamics (Macklin, Mueller and Chentanez 2016, algorithm 1 and eq. 18, 26).
/// Positions at the substep's end are x + h v, so a position correction is a change of v (XpbdRow), and a multiplier
/// over h is an impulse p: with C and its gradient g there,
///   dp = (-C / h - a p - c g.v) / ((1 + c) g M^-1 g + a),  a = compliance / h^2,  c = compliance damping / h.
/// Plain PBD takes dp = -stiffness C / (h g M^-1 g). What a strain gives, forces might have given: v1 takes it, too, so
/// that soft_step carries only what contacts did.
/// Gauss-Seidel goes there and back. One way alone turns errors about from substep to substep, as one order of two
/// pushes does, and a fan of ten rigid stretches gained 10,000 times its energy; there and back is symmetric.
/// Gauss-Seidel: writes impulse, v, v1 and w~ of its ends (owner by colour). Jacobi: writes impulse and push. One
/// thread per slot.
template <SweepKind kSweep>
struct StrainRow {
  StepConstants k;
  Bodies bodies;
  Strains strains;
  bool fresh;  ///< the substep's first sweep

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    each_lane(slot, T{});
  }

 private:
  CAIRN_HD void each_lane(std::uint32_t slot, float) const { one(strains.order[slot]); }
#if !defined(__CUDA_ARCH__)
  CAIRN_HD void each_lane(std::uint32_t slot, Pack) const {
    for (std::uint32_t i = 0; i < kPackLanes; ++i) one(strains.order[slot + i]);
  }
#endif

  CAIRN_HD void one(std::uint32_t entry) const {
    const bool back = entry != kNone && (entry & kStrainBack) != 0;
    if (entry == kNone || (back && kSweep == SweepKind::kJacobi)) return;
    const std::uint32_t at = entry & ~kStrainBack;
    if (fresh && !back) strains.impulse[at] = 0.0f;
    if constexpr (kSweep == SweepKind::kJacobi) {
      for (std::uint32_t i = 0; i <= kStrainEnds; ++i) strains.push[(kStrainEnds + 1) * at + i] = Vec3{0, 0, 0};
    }
    const Strain& strain = strains.strain[at];
    const StrainLaw& law = strains.law[strain.law];
    const std::uint32_t ends = ends_of(law.kind);
    // places at the substep's end as it stands, from that of the first; and speeds
    Vec3 r[kStrainEnds] = {}, v[kStrainEnds];
    float inv_mass[kStrainEnds];
    const Vec3 origin = bodies.x[strain.body[0]], origin_low = bodies.x_low[strain.body[0]];
    const Vec3 first = moved(bodies.solve[strain.body[0]]);
    Vec3 arm{0, 0, 0};
    for (std::uint32_t i = 0; i < ends; ++i) {
      const std::uint32_t body = strain.body[i];
      const BodySolve& s = bodies.solve[body];
      v[i] = s.v;
      inv_mass[i] = s.inv_mass;
      if (i == 0) continue;
      r[i] = (bodies.x[body] - origin) + (bodies.x_low[body] - origin_low) + (moved(s) - first);
    }
    const bool attaches = law.kind == StrainKind::kAttach;
    if (attaches) hang(strain, arm, r[1], v[1]);
    const StrainMeasure<float> m = measure(law.kind, r);
    if (!m.good) return;
    float c = m.value - strain.rest;
    if (law.kind == StrainKind::kBend) c = least_turn(c);

    float w = 0.0f, rate = 0.0f;
    for (std::uint32_t i = 0; i < ends; ++i) {
      w = fma(inv_mass[i], dot(m.by[i], m.by[i]), w);
      rate = rate + dot(m.by[i], v[i]);
    }
    // of a body that turns also what goes by w~
    Vec3 turn{0, 0, 0};
    if (attaches) {
      turn = angular(strain.body[1], cross(arm, m.by[1]));
      w = w + dot(turn, turn);
    }
    if (!(w > 0.0f)) return;

    const float before = strains.impulse[at];
    float dp = 0.0f;
    if (law.stiffness > 0.0f) {
      dp = -(law.stiffness * k.inv_h) * c / w;
    } else {
      const float a = law.compliance * k.inv_h * k.inv_h, damp = law.compliance * law.damping * k.inv_h;
      dp = -fma(c, k.inv_h, fma(a, before, damp * rate)) / fma(damp, w, w + a);
    }
    if constexpr (kSweep == SweepKind::kJacobi) dp = share_of(strain, ends) * dp;
    strains.impulse[at] = before + dp;
    for (std::uint32_t i = 0; i < ends; ++i) give(at, i, strain.body[i], (dp * inv_mass[i]) * m.by[i]);
    if (attaches) give_turn(at, strain.body[1], dp * turn);
  }

  /// [m] Since the step's start, at the substep's end.
  CAIRN_HD Vec3 moved(const BodySolve& s) const { return fma(k.h, s.v, s.dx); }

  /// I^-1/2 of what turns; a kinematic body is turned by nothing.
  CAIRN_HD Vec3 angular(std::uint32_t body, Vec3 moment) const {
    return bodies.solve[body].turnable > 0.0f ? bodies.inv_sqrt_inertia[body] * moment : Vec3{0, 0, 0};
  }

  /// Where the anchor on body 1 is from its centre, at the orientation of the substep's end, and so from end 0.
  CAIRN_HD void hang(const Strain& strain, Vec3& arm, Vec3& r, Vec3& v) const {
    const std::uint32_t body = strain.body[1];
    const BodySolve& s = bodies.solve[body];
    const Vec3 spin = s.turnable > 0.0f ? bodies.inv_sqrt_inertia[body] * s.w : s.w;
    arm = rotate(turn_by(k.h * spin), rotate(narrow(bodies.q1[body]), strain.anchor));
    r = r + arm;
    v = v + cross(spin, arm);
  }

  /// c between -2 pi and 2 pi.
  CAIRN_HD static float least_turn(float c) {
    const auto pi = static_cast<float>(kPi);
    if (c > pi) return c - 2.0f * pi;
    return c < -pi ? c + 2.0f * pi : c;
  }

  /// The same at all ends, which keeps momentum.
  CAIRN_HD float share_of(const Strain& strain, std::uint32_t ends) const {
    std::uint32_t most = 1;
    for (std::uint32_t i = 0; i < ends; ++i) {
      const std::uint32_t body = strain.body[i], n = strains.begin[body + 1] - strains.begin[body];
      if (bodies.solve[body].inv_mass > 0.0f && n > most) most = n;
    }
    return kStrainShare / static_cast<float>(most);
  }

  CAIRN_HD void give(std::uint32_t at, std::uint32_t end, std::uint32_t body, Vec3 dv) const {
    if constexpr (kSweep == SweepKind::kJacobi) {
      strains.push[(kStrainEnds + 1) * at + end] = dv;
    } else {
      if (!(bodies.solve[body].inv_mass > 0.0f)) return;
      bodies.solve[body].v = bodies.solve[body].v + dv;
      bodies.v1[body] = bodies.v1[body] + dv;
    }
  }
  CAIRN_HD void give_turn(std::uint32_t at, std::uint32_t body, Vec3 dw) const {
    if constexpr (kSweep == SweepKind::kJacobi) {
      strains.push[(kStrainEnds + 1) * at + kStrainEnds] = dw;
    } else {
      if (!(bodies.solve[body].inv_mass > 0.0f)) return;
      bodies.solve[body].w = bodies.solve[body].w + dw;
      bodies.w1[body] = bodies.w1[body] + dw;
    }
  }
};

/// Adds up what strains did to body i, in their order. Writes v, v1, w~ and w1 of body i. One thread per body slot.
struct StrainGather {
  Bodies bodies;
  Strains strains;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t begin = strains.begin[i], end = strains.begin[i + 1];
    if (begin == end || !(bodies.solve[i].inv_mass > 0.0f)) return;
    Vec3 v{0, 0, 0}, w{0, 0, 0};
    for (std::uint32_t e = begin; e < end; ++e) {
      const std::uint32_t at = strains.end[e] / kStrainEnds, which = strains.end[e] % kStrainEnds;
      v = v + strains.push[(kStrainEnds + 1) * at + which];
      const bool attached = which == 1 && strains.law[strains.strain[at].law].kind == StrainKind::kAttach;
      if (attached) w = w + strains.push[(kStrainEnds + 1) * at + kStrainEnds];
    }
    bodies.solve[i].v = bodies.solve[i].v + v;
    bodies.v1[i] = bodies.v1[i] + v;
    bodies.solve[i].w = bodies.solve[i].w + w;
    bodies.w1[i] = bodies.w1[i] + w;
  }
};

}  // namespace cairn::kernels
