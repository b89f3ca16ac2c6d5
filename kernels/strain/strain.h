#pragma once

#include "cairn/params.h"
#include "kernels/common/pack.h"
#include "kernels/common/state.h"
#include "kernels/strain/measure.h"

namespace cairn::kernels {

/// [1] Of what n strains on a particle want at once, 1.5 / n is done: with less than 2 / n the sweep gains no energy
/// (XpbdRow says why).
inline constexpr float kStrainShare = 1.5f;

/// An end as the sweep sees it: its place and speed at the substep's end as it stands, and how it gives way.
struct StrainEnd {
  Vec3 r;           ///< [m] from where the first end is
  Vec3 v;           ///< [m/s]
  float inv_mass;   ///< [1/kg]
};

/// One sweep of extended position-based dynamics (Macklin, Mueller and Chentanez 2016, algorithm 1 and eq. 18, 26).
/// Positions at the substep's end are x + h v, so a position correction is a change of v (XpbdRow), and a multiplier over
/// h is an impulse p: with C and its gradient g there,
///   dp = (-C / h - a p - c g.v) / ((1 + c) g M^-1 g + a),  a = compliance / h^2,  c = compliance damping / h.
/// Plain PBD takes dp = -stiffness C / (h g M^-1 g). What a strain gives, forces might have given: v1 takes it, too, so
/// that soft_step carries only what contacts did.
/// Gauss-Seidel: writes impulse, v, v1 and w~ of its ends (owner by colour). Jacobi: writes impulse and push. One thread
/// per slot.
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
  CAIRN_HD void each_lane(std::uint32_t slot, float) const { one(slot); }
#if !defined(__CUDA_ARCH__)
  CAIRN_HD void each_lane(std::uint32_t slot, Pack) const {
    for (std::uint32_t i = 0; i < kPackLanes; ++i) one(slot + i);
  }
#endif

  CAIRN_HD void one(std::uint32_t slot) const {
    const Strain& strain = strains.strain[slot];
    if (strain.body[0] == kNone) return;
    const StrainLaw& law = strains.law[strain.law];
    const std::uint32_t ends = ends_of(law.kind);
    Vec3 r[kStrainEnds] = {}, v[kStrainEnds];
    float inv_mass[kStrainEnds];
    const Vec3 origin = bodies.x[strain.body[0]], origin_low = bodies.x_low[strain.body[0]];
    const Vec3 first = moved(bodies.solve[strain.body[0]]);
    Vec3 arm{0, 0, 0};
    float turns = 0.0f;
    for (std::uint32_t i = 0; i < ends; ++i) {
      const std::uint32_t body = strain.body[i];
      const BodySolve& s = bodies.solve[body];
      v[i] = s.v;
      inv_mass[i] = s.inv_mass;
      turns = max(turns, s.inv_mass);
      if (i == 0) continue;
      r[i] = (bodies.x[body] - origin) + (bodies.x_low[body] - origin_low) + (moved(s) - first);
    }
    if (!(turns > 0.0f)) return;
    const bool attaches = law.kind == StrainKind::kAttach;
    if (attaches) hang(strain, arm, r[1], v[1]);
    StrainMeasure<float> m = measure(law.kind, r);
    if (!m.good) return;
    float c = m.value - strain.rest;
    if (law.kind == StrainKind::kBend) c = least_turn(c);

    // gradients; of a body that turns also what goes by w~
    float w = 0.0f, rate = 0.0f;
    for (std::uint32_t i = 0; i < ends; ++i) {
      w = fma(inv_mass[i], dot(m.by[i], m.by[i]), w);
      rate = rate + dot(m.by[i], v[i]);
    }
    Vec3 turn{0, 0, 0};
    if (attaches) {
      turn = angular(strain.body[1], cross(arm, m.by[1]));
      w = w + dot(turn, turn);
    }
    if (!(w > 0.0f)) return;

    const float share = kSweep == SweepKind::kJacobi ? share_of(strain, ends) : 1.0f;
    const float before = fresh ? 0.0f : strains.impulse[slot];
    float dp = 0.0f;
    if (law.stiffness > 0.0f) {
      dp = -(law.stiffness * k.inv_h) * c / w;
    } else {
      const float a = law.compliance * k.inv_h * k.inv_h, damp = law.compliance * law.damping * k.inv_h;
      dp = -fma(c, k.inv_h, fma(a, before, damp * rate)) / fma(damp, w, w + a);
    }
    dp = share * dp;
    strains.impulse[slot] = before + dp;
    for (std::uint32_t i = 0; i < ends; ++i) give(slot, i, strain.body[i], (dp * inv_mass[i]) * m.by[i]);
    if (attaches) give_turn(slot, strain.body[1], dp * turn);
  }

  /// [m] Since the step's start, at the substep's end.
  CAIRN_HD Vec3 moved(const BodySolve& s) const { return fma(k.h, s.v, s.dx); }

  /// I^-1/2 of what turns; a kinematic body is turned by nothing.
  CAIRN_HD Vec3 angular(std::uint32_t body, Vec3 moment) const {
    return bodies.solve[body].turnable > 0.0f ? bodies.inv_sqrt_inertia[body] * moment : Vec3{0, 0, 0};
  }

  /// Where the anchor on body 1 is from its centre, and so from end 0. Linear in the turn of the step, as rows are.
  CAIRN_HD void hang(const Strain& strain, Vec3& arm, Vec3& r, Vec3& v) const {
    const std::uint32_t body = strain.body[1];
    const BodySolve& s = bodies.solve[body];
    const Vec3 at = rotate(bodies.q[body], strain.anchor);
    const bool pushed = s.turnable > 0.0f;
    const Vec3 turned = fma(k.h, s.w, s.dtheta);
    const Vec3 angle = pushed ? bodies.inv_sqrt_inertia[body] * turned : turned;
    const Vec3 spin = pushed ? bodies.inv_sqrt_inertia[body] * s.w : s.w;
    arm = at + cross(angle, at);
    r = r + arm;
    v = v + cross(spin, arm);
  }

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
    return min(kStrainShare / static_cast<float>(most), 1.0f);
  }

  CAIRN_HD void give(std::uint32_t slot, std::uint32_t end, std::uint32_t body, Vec3 dv) const {
    if constexpr (kSweep == SweepKind::kJacobi) {
      strains.push[(kStrainEnds + 1) * slot + end] = dv;
    } else {
      if (!(bodies.solve[body].inv_mass > 0.0f)) return;
      bodies.solve[body].v = bodies.solve[body].v + dv;
      bodies.v1[body] = bodies.v1[body] + dv;
    }
  }
  CAIRN_HD void give_turn(std::uint32_t slot, std::uint32_t body, Vec3 dw) const {
    if constexpr (kSweep == SweepKind::kJacobi) {
      strains.push[(kStrainEnds + 1) * slot + kStrainEnds] = dw;
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
      const std::uint32_t slot = strains.end[e] / kStrainEnds, which = strains.end[e] % kStrainEnds;
      v = v + strains.push[(kStrainEnds + 1) * slot + which];
      const bool attached = which == 1 && strains.law[strains.strain[slot].law].kind == StrainKind::kAttach;
      if (attached) w = w + strains.push[(kStrainEnds + 1) * slot + kStrainEnds];
    }
    bodies.solve[i].v = bodies.solve[i].v + v;
    bodies.v1[i] = bodies.v1[i] + v;
    bodies.solve[i].w = bodies.solve[i].w + w;
    bodies.w1[i] = bodies.w1[i] + w;
  }
};

}  // namespace cairn::kernels
