#pragma once

#include "cairn/params.h"
#include "kernels/advance/advance.h"
#include "kernels/common/pack.h"
#include "kernels/common/state.h"
#include "kernels/particles/element.h"
#include "kernels/particles/measure_constraint.h"
#include "kernels/particles/shape_matching.h"

namespace cairn::kernels {

/// [1] Jacobi: of n constraints on a particle each is done by this share / n. Together they may be n times as strong as
/// one, and a correction that overshoots by more than a third in a substep grows from one to the next.
inline constexpr float kConstraintShare = 1.0f;

/// One sweep of extended position-based dynamics (Macklin, Mueller and Chentanez 2016, algorithm 1 and eq. 18, 26).
/// Positions at the substep's end are x + h v, so a position correction is a change of v (XpbdRow), and a multiplier
/// over h is an impulse p: with C and its gradient g there,
///   dp = (-C / h - a p - c g.v) / ((1 + c) g M^-1 g + a), a = compliance / h^2, c = compliance damping / h.
/// A tetrahedron's six constraints are one block, with a matrix for each of these numbers.
/// Plain PBD takes dp = -stiffness C / (h g M^-1 g). Unilateral ones keep p, which pulls below 0, from rising above it.
/// Impulses of constraints count as forces: v1 takes them, too, so that soft_step carries only those of contacts.
/// Gauss-Seidel sweeps are symmetric. In one direction only, errors rotate from substep to substep, as with one order
/// of two pushes, and a fan of ten rigid stretches gained 10,000 times its energy.
/// Gauss-Seidel: writes impulse, v, v1, w~ and w1 of its ends (owner by colour). Jacobi: writes impulse and push. One
/// thread per slot.
template <SweepKind kSweep>
struct ConstraintRow {
  StepConstants k;
  Bodies bodies;
  Constraints constraints;
  std::uint32_t sweep;  ///< [1] of the substep
  bool begins;          ///< the step's first substep

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) one(constraints.order[slot + i]);
  }

 private:
  CAIRN_HD void one(std::uint32_t entry) const {
    const bool back = entry != kNone && (entry & kConstraintBack) != 0;
    if (entry == kNone || (back && kSweep == SweepKind::kJacobi)) return;
    const std::uint32_t at = entry & ~kConstraintBack;
    const Constraint& constraint = constraints.constraint[at];
    const DeviceConstraintLaw& law = constraints.law[constraint.law];
    if constexpr (kSweep == SweepKind::kJacobi) clear_push(at, constraint);
    if (constraints.set_sweeps != nullptr && sweep >= constraints.set_sweeps[constraint.set]) return;
    if (sweep == 0 && !back) {
      if (constraint.breakable != kNone) {
        float& total = constraints.breakable.total[constraint.breakable];
        total = begins ? 0.0f : total + constraints.impulse[at];
      }
      constraints.impulse[at] = 0.0f;
      if (law.kind == DeviceConstraintKind::kElastic) {
        for (int a = 0; a < kElementStrains; ++a) element_impulse(constraint)[a] = 0.0;
      }
    }
    if (law.kind == DeviceConstraintKind::kShape) {
      shape(at, constraint, law);
      return;
    }
    if (!holds(constraints, constraint)) return;
    if (law.kind == DeviceConstraintKind::kElastic) {
      element(at, constraint, law);
      return;
    }
    const std::uint32_t ends = ends_of(law.kind);
    // positions at the substep's end in the present iterate, from that of the first; and speeds
    Vec3 r[kConstraintEnds] = {}, v[kConstraintEnds];
    float inv_mass[kConstraintEnds];
    const Vec3 origin = bodies.x[constraint.body[0]], origin_low = bodies.x_low[constraint.body[0]];
    const Vec3 first = moved(bodies.solve[constraint.body[0]]);
    Vec3 arm{0, 0, 0};
    for (std::uint32_t i = 0; i < ends; ++i) {
      const std::uint32_t body = constraint.body[i];
      const BodySolve& s = bodies.solve[body];
      v[i] = s.v;
      inv_mass[i] = s.inv_mass;
      if (i == 0) continue;
      r[i] = (bodies.x[body] - origin) + (bodies.x_low[body] - origin_low) + (moved(s) - first);
    }
    const bool attaches = law.kind == DeviceConstraintKind::kAttach;
    if (attaches) hang(constraint, arm, r[1], v[1]);
    const ConstraintMeasure<float> m = measure(law.kind, r);
    if (!m.good) return;
    float c = m.value - constraint.rest;
    if (law.kind == DeviceConstraintKind::kBend) c = min_turn(c);

    float w = 0.0f, rate = 0.0f;
    for (std::uint32_t i = 0; i < ends; ++i) {
      w = fma(inv_mass[i], dot(m.by[i], m.by[i]), w);
      rate = rate + dot(m.by[i], v[i]);
    }
    // for a body that turns also the part of w~
    Vec3 turn{0, 0, 0};
    if (attaches) {
      turn = angular(constraint.body[1], cross(arm, m.by[1]));
      w = w + dot(turn, turn);
    }
    if (!(w > 0.0f)) return;

    const float before = constraints.impulse[at];
    float dp = impulse_for(law, before, c, w, rate);
    if constexpr (kSweep == SweepKind::kJacobi) dp = share_of(ConstraintBodies{constraint, nullptr, ends}) * dp;
    if (law.unilateral != 0) {
      // while slack its damper doesn't pull either; an impulse above 0 would push
      if (c <= 0.0f && before == 0.0f) return;
      if (before + dp > 0.0f) dp = -before;
    }
    constraints.impulse[at] = before + dp;
    for (std::uint32_t i = 0; i < ends; ++i) give(at, i, constraint.body[i], (dp * inv_mass[i]) * m.by[i]);
    if (attaches) give_turn(at, constraint.body[1], dp * turn);
  }

  /// A shape as one constraint of the distance of its particles from it. Its gradient by the i-th is share off /
  /// distance, since at the nearest pose neither its position nor its rotation change the distance. So its impulses
  /// have neither momentum nor, about the particles' places, angular momentum. In double: both are sums that cancel.
  CAIRN_HD void shape(std::uint32_t at, const Constraint& constraint, const DeviceConstraintLaw& law) const {
    const ConstraintBodies ends = bodies_of(constraints, constraint);
    const ClusterMember* const member = ends.member;
    const auto place = [&](std::uint32_t i) { return place_from(member->body, member[i].body); };
    const Matched matched = match_shape(member, ends.count, place);
    double square = 0.0, w = 0.0, rate = 0.0;
    for (std::uint32_t i = 0; i < ends.count; ++i) {
      const BodySolve& s = bodies.solve[member[i].body];
      const Vec3d off = matched.off(member[i], place(i));
      const double share = member[i].share, part = share * dot(off, off);
      square = square + part;
      w = fma(static_cast<double>(s.inv_mass) * share, part, w);
      rate = fma(share, dot(off, widen(s.v)), rate);
    }
    const double c = sqrt(square);
    if (!(w > 0.0)) return;
    const float before = constraints.impulse[at];
    float dp =
        impulse_for(law, before, static_cast<float>(c), static_cast<float>(w / square), static_cast<float>(rate / c));
    if constexpr (kSweep == SweepKind::kJacobi) dp = share_of(ends) * dp;
    constraints.impulse[at] = before + dp;
    const double by = static_cast<double>(dp) / c;
    for (std::uint32_t i = 0; i < ends.count; ++i) {
      const double inv_mass = static_cast<double>(bodies.solve[member[i].body].inv_mass);
      const Vec3 dv = narrow((by * inv_mass * member[i].share) * matched.off(member[i], place(i)));
      if constexpr (kSweep == SweepKind::kJacobi) {
        member_push(member + i) = dv;
      } else {
        give(at, i, member[i].body, dv);
      }
    }
  }
  CAIRN_HD Vec3& member_push(const ClusterMember* member) const {
    return constraints.member_push[member - constraints.member];
  }

  /// A tetrahedron: its six strains at once.
  CAIRN_HD void element(std::uint32_t at, const Constraint& constraint, const DeviceConstraintLaw& law) const {
    constexpr int n = kElementStrains;
    const ConstraintElement& e = constraints.element[constraint.element];
    Vec3d r[kConstraintEnds];
    double inv_mass[kConstraintEnds], sum = 0.0;
    for (std::uint32_t i = 0; i < kConstraintEnds; ++i) {
      r[i] = place_from(constraint.body[0], constraint.body[i]);
      inv_mass[i] = static_cast<double>(bodies.solve[constraint.body[i]].inv_mass);
      sum = sum + inv_mass[i];
    }
    if (!(sum > 0.0)) return;
    const ElementMeasure m = measure_element(e, r);
    const Quatd back = conjugate(m.turn);
    const double inv_h = static_cast<double>(k.inv_h), c = static_cast<double>(law.damping) * inv_h;
    const double soft = static_cast<double>(law.compliance) * inv_h * inv_h / e.volume;
    double* const p = element_impulse(constraint);

    // the lower half of (1 + c) g M^-1 g + a, a column at a time, and the right-hand side
    double matrix[n][n], wanted[n], before[n], yields[n];
    for (int a = 0; a < n; ++a) before[a] = p[a];
    const double poisson = static_cast<double>(law.poisson_ratio);
    hooke(poisson, before, yields);
    for (int a = 0; a < n; ++a) {
      double unit[n] = {0, 0, 0, 0, 0, 0}, own[n], rate = 0.0;
      unit[a] = 1.0;
      hooke(poisson, unit, own);
      for (int b = a; b < n; ++b) {
        double w = 0.0;
        for (std::uint32_t i = 0; i < kConstraintEnds; ++i) w = fma(inv_mass[i], dot(m.by[a][i], m.by[b][i]), w);
        matrix[b][a] = fma(c, w, fma(soft, own[b], w));
      }
      for (std::uint32_t i = 1; i < kConstraintEnds; ++i) {
        const Vec3d v = widen(bodies.solve[constraint.body[i]].v) - widen(bodies.solve[constraint.body[0]].v);
        rate = rate + dot(m.by[a][i], rotate(back, v));
      }
      wanted[a] = -fma(m.strain[a], inv_h, fma(soft, yields[a], c * rate));
    }
    if (!solve_element(matrix, wanted)) return;

    double share = 1.0;
    if constexpr (kSweep == SweepKind::kJacobi)
      share = share_of(ConstraintBodies{constraint, nullptr, kConstraintEnds});
    for (int a = 0; a < n; ++a) {
      wanted[a] = share * wanted[a];
      p[a] = before[a] = before[a] + wanted[a];
    }
    constraints.impulse[at] = -static_cast<float>(von_mises(before) / e.volume);
    for (std::uint32_t i = 0; i < kConstraintEnds; ++i) {
      Vec3d dv{0, 0, 0};
      for (int a = 0; a < n; ++a) dv = fma(wanted[a], m.by[a][i], dv);
      give(at, i, constraint.body[i], narrow(inv_mass[i] * rotate(m.turn, dv)));
    }
  }
  CAIRN_HD double* element_impulse(const Constraint& constraint) const {
    return constraints.element_impulse + std::size_t{kElementStrains} * constraint.element;
  }

  CAIRN_HD void clear_push(std::uint32_t at, const Constraint& constraint) const {
    const ConstraintBodies ends = bodies_of(constraints, constraint);
    if (ends.member != nullptr) {
      for (std::uint32_t i = 0; i < ends.count; ++i) member_push(ends.member + i) = Vec3{0, 0, 0};
      return;
    }
    for (std::uint32_t i = 0; i <= kConstraintEnds; ++i)
      constraints.push[(kConstraintEnds + 1) * at + i] = Vec3{0, 0, 0};
  }

  /// [m] Position of a body at the substep's end, in the present iterate, from that of another at the step's start.
  CAIRN_HD Vec3d place_from(std::uint32_t other, std::uint32_t body) const {
    const BodySolve& s = bodies.solve[body];
    const Vec3d high = widen(bodies.x[body]) - widen(bodies.x[other]);
    const Vec3d low = widen(bodies.x_low[body]) - widen(bodies.x_low[other]);
    return high + low + fma(static_cast<double>(k.h), widen(s.v), widen(s.dx));
  }

  /// dp of a constraint with error c [m, rad, m^3] and a rate, where w is g M^-1 g.
  CAIRN_HD float impulse_for(const DeviceConstraintLaw& law, float before, float c, float w, float rate) const {
    if (law.stiffness > 0.0f) return -(law.stiffness * k.inv_h) * c / w;
    const float a = law.compliance * k.inv_h * k.inv_h, damp = law.compliance * law.damping * k.inv_h;
    return -fma(c, k.inv_h, fma(a, before, damp * rate)) / fma(damp, w, w + a);
  }

  /// [m] Motion since the step's start, at the substep's end.
  CAIRN_HD Vec3 moved(const BodySolve& s) const { return fma(k.h, s.v, s.dx); }

  /// I^-1/2 times the moment for a dynamic body; nothing turns a kinematic one.
  CAIRN_HD Vec3 angular(std::uint32_t body, Vec3 moment) const {
    return bodies.solve[body].movable > 0.0f ? bodies.inv_sqrt_inertia[body] * moment : Vec3{0, 0, 0};
  }

  /// Position of the anchor on body 1 from its centre, at the orientation of the substep's end, and so from end 0.
  CAIRN_HD void hang(const Constraint& constraint, Vec3& arm, Vec3& r, Vec3& v) const {
    const std::uint32_t body = constraint.body[1];
    const BodySolve& s = bodies.solve[body];
    const Vec3 spin = s.movable > 0.0f ? bodies.inv_sqrt_inertia[body] * s.w : s.w;
    arm = rotate(turn_by(k.h * spin), rotate(narrow(bodies.q1[body]), constraint.anchor));
    r = r + arm;
    v = v + cross(spin, arm);
  }

  /// Wraps c, which is between -2 pi and 2 pi.
  CAIRN_HD static float min_turn(float c) {
    const auto pi = static_cast<float>(kPi);
    if (c > pi) return c - 2.0f * pi;
    return c < -pi ? c + 2.0f * pi : c;
  }

  /// The same share at all ends, which conserves momentum.
  CAIRN_HD float share_of(const ConstraintBodies& ends) const {
    std::uint32_t most = 1;
    for (std::uint32_t i = 0; i < ends.count; ++i) {
      const std::uint32_t body = ends[i], n = constraints.begin[body + 1] - constraints.begin[body];
      if (bodies.solve[body].inv_mass > 0.0f && n > most) most = n;
    }
    return kConstraintShare / static_cast<float>(most);
  }

  CAIRN_HD void give(std::uint32_t at, std::uint32_t end, std::uint32_t body, Vec3 dv) const {
    give(at, end, body, dv, bodies.solve[body].v, bodies.v1);
  }
  CAIRN_HD void give_turn(std::uint32_t at, std::uint32_t body, Vec3 dw) const {
    give(at, kConstraintEnds, body, dw, bodies.solve[body].w, bodies.w1);
  }
  CAIRN_HD void give(std::uint32_t at, std::uint32_t end, std::uint32_t body, Vec3 change, Vec3& now,
                     Vec3* before_contacts) const {
    if constexpr (kSweep == SweepKind::kJacobi) {
      constraints.push[(kConstraintEnds + 1) * at + end] = change;
    } else {
      if (!(bodies.solve[body].inv_mass > 0.0f)) return;
      now = now + change;
      before_contacts[body] = before_contacts[body] + change;
    }
  }
};

/// Adds the pushes of constraints to body i, in their order. Writes v, v1, w~ and w1 of body i. One thread per body
/// slot.
struct ConstraintGather {
  Bodies bodies;
  Constraints constraints;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t begin = constraints.begin[i], end = constraints.begin[i + 1];
    if (begin == end || !(bodies.solve[i].inv_mass > 0.0f)) return;
    Vec3 v{0, 0, 0}, w{0, 0, 0};
    for (std::uint32_t e = begin; e < end; ++e) {
      if (constraints.end[e] >= kConstraintEnds * constraints.count) {
        v = v + constraints.member_push[constraints.end[e] - kConstraintEnds * constraints.count];
        continue;
      }
      const std::uint32_t at = constraints.end[e] / kConstraintEnds, which = constraints.end[e] % kConstraintEnds;
      v = v + constraints.push[(kConstraintEnds + 1) * at + which];
      const bool attached =
          which == 1 && constraints.law[constraints.constraint[at].law].kind == DeviceConstraintKind::kAttach;
      if (attached) w = w + constraints.push[(kConstraintEnds + 1) * at + kConstraintEnds];
    }
    bodies.solve[i].v = bodies.solve[i].v + v;
    bodies.v1[i] = bodies.v1[i] + v;
    bodies.solve[i].w = bodies.solve[i].w + w;
    bodies.w1[i] = bodies.w1[i] + w;
  }
};

}  // namespace cairn::kernels
