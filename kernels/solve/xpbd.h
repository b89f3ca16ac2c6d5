#pragma once

#include "kernels/solve/row_friction.h"
#include "kernels/solve/xpbd_share.h"

namespace cairn::kernels {

/// [1] Share of the cone's bound, squared, from which a contact slips: rounding may leave what was shortened to the
/// bound below it.
inline constexpr float kSlips = 0.9999f;

enum class XpbdPass { kPosition, kVelocity };

/// Extended position-based dynamics for rigid contacts (Mueller, Macklin, Chentanez, Jeschke, Kim 2020), on rows that
/// are linear in the step's displacements. The position of a substep is kept as x + h v: its start, and the velocity
/// that leads to its end. A position correction dx is then a change dx / h of that velocity, "velocities from
/// positions" (their algorithm 2) is the identity, without its rounding, and a multiplier over h is an impulse in N s.
/// Multipliers start each substep at 0.
///
/// Position pass (their sections 3.3, 3.5; compliance 0): C = s + h vn with s the separation at the substep's start, of
/// which overlap counts to push_out_speed h / share at most; dl = -m C / h, l >= 0. Then static friction within the
/// cone |f| <= mu sum l (they skip it outside of the cone): the tangential displacement is taken back, not of the
/// substep alone, as they do, but since the contact last slipped. One sweep leaves velocities behind, which overlap
/// corrects along the normal; along the tangents nothing would, and the boxes of a tower on a slope crept by
/// centimetres a second. A contact that slips, or parts, forgets.
/// Velocity pass (their section 3.6): where the position pass pushed, vn becomes max(-e v_approach, 0), which also
/// takes back what pushing out gave; friction goes on within the same cone (in their letters mu l / h; the h that they
/// multiply by is a slip).
///
/// Of what a row wants, the share min(1.5 / n, 1) is done, n being the rows that may push the one of its bodies that
/// more of them may push; and of a slip a quarter a substep is taken back. The share is the same at both ends, which
/// keeps momentum. Jacobi sweeps need it: |sum of n vectors|^2 <= n times the sum of their squares, so that with a
/// share below 2 / n the sweep gains no energy. Gauss-Seidel sweeps wouldn't, but nothing is left of a substep's
/// multipliers in the next one, rows disagree about every load, and without it no heap of boxes came to rest: they
/// crept by 1 mm/s.
/// Gauss-Seidel: writes the row's impulses, and v and w~ of its bodies (owner by colour).
/// Jacobi: all rows start from the same state. Writes the row's impulses and the pushes of its ends. One thread per row
/// slot.
template <XpbdPass kPass, SweepKind kSweep, bool kRolling, class Links = NoLinks>
struct XpbdRow {
  static constexpr bool kPosition = kPass == XpbdPass::kPosition;

  StepConstants k;
  BodySolve* solve;
  Rows rows;
  RowPush* push;        ///<       (ends) Jacobi alone
  const float* shares;  ///< [1]   (bodies + 1)
  Links links{};

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t first = slot - slot % kRowLanes;
    with_ends<T>(solve, links, row, slot % kRowLanes,
                 [&](auto& ends, std::uint32_t lane) { sweep(row, first + lane, lane, ends); });
  }

 private:
  template <class Ends>
  CAIRN_HD void sweep(RowBlock& row, std::uint32_t slot, std::uint32_t lane, Ends& ends) const {
    using T = typename Ends::Number;
    const auto &a = ends.a, &b = ends.b;
    const std::uint32_t points = most_points(&row.count[lane], T{});
    const Vec3T<T> n = load3<T>(row.normal, lane);

    RowDelta<T> from_a, from_b;
    if constexpr (kPosition) {
      gather_ends(solve, row, lane, from_a, from_b);
    }

    // the share of what the row wants that is done
    const T share = least_of(shares, row, lane, T{});
    T given[4], mass[4], target[4];
    start(row, lane, points, n, from_a, from_b, share, given, mass, target);
    T l[4] = {given[0], given[1], given[2], given[3]};
    // there and back, since one order alone would turn the bodies
    CAIRN_UNROLL
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t j = i < 4 ? i : 7 - i;
      if (j >= points) continue;
      const RowBlock::Point& p = row.point[j];
      const Vec3T<T> j_a = load3<T>(p.angular_a, lane), j_b = load3<T>(p.angular_b, lane);
      const T vn = dot(n, b.v - a.v, dot(j_b, b.w)) - dot(j_a, a.w);
      const T next = max(fma(mass[j], target[j] - vn, l[j]), T(0.0f));
      const T dl = next - l[j];
      l[j] = next;
      ends.push(dl, n, j_a, j_b);
    }

    T sum(0.0f), lever_sum(0.0f);
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (j >= points) break;
      sum = sum + l[j];
      lever_sum = fma(load<T>(row.point[j].lever, lane), l[j], lever_sum);
    }
    friction(row, lane, n, from_a, from_b, ends, sum, lever_sum, share);

    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (j >= points) break;
      RowBlock::Point& p = row.point[j];
      const T done = part(given[j], l[j], share);
      if constexpr (kPosition) {
        store(p.impulse, lane, done);
      } else {
        // a contact that bounced is no support in the next step
        store(p.impulse, lane, select(target[j] > T(0.0f), T(0.0f), done));
        store(p.total, lane, load<T>(p.total, lane) + done);
      }
    }
    if constexpr (kSweep == SweepKind::kJacobi) {
      give(slot, 0, &row.body_a[lane], share, a);
      give(slot, 1, &row.body_b[lane], share, b);
    } else {
      ends.keep(solve, row, lane, share);
    }
  }

  /// What the points have given in this substep, their effective masses, and the normal velocities that are wanted of
  /// them.
  template <class T>
  CAIRN_HD void start(const RowBlock& row, std::uint32_t lane, std::uint32_t points, Vec3T<T> n, const RowDelta<T>& a,
                      const RowDelta<T>& b, T share, T (&given)[4], T (&mass)[4], T (&target)[4]) const {
    const T e = load<T>(row.restitution, lane);
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      given[j] = mass[j] = target[j] = T(0.0f);
      if (j >= points) continue;
      const RowBlock::Point& p = row.point[j];
      mass[j] = load<T>(p.mass, lane);
      if constexpr (kPosition) {
        const T s = dot(n, b.dx - a.dx, dot(load3<T>(p.angular_b, lane), b.dtheta, load<T>(p.separation, lane))) -
                    dot(load3<T>(p.angular_a, lane), a.dtheta);
        target[j] = -max(T(k.inv_h) * s, T(-k.push_out_speed) / share);
      } else {
        const T approach = load<T>(p.approach, lane);
        given[j] = load<T>(p.impulse, lane);
        const auto pushed = given[j] > T(0.0f);
        mass[j] = select(pushed, mass[j], T(0.0f));
        target[j] = select(pushed && approach < -load<T>(row.bounce_speed, lane), -(e * approach), T(0.0f));
      }
    }
  }

  template <class T, class Ends>
  CAIRN_HD void friction(RowBlock& row, std::uint32_t lane, Vec3T<T> n, const RowDelta<T>& from_a,
                         const RowDelta<T>& from_b, Ends& ends, T sum, T lever_sum, T share) const {
    const auto &a = ends.a, &b = ends.b;
    const T mu = load<T>(row.mu, lane);
    if constexpr (kRolling) {
      const T r0 = given<T>(row.rolling_impulse[0], lane), r1 = given<T>(row.rolling_impulse[1], lane);
      T next0 = r0, next1 = r1;
      roll(row, lane, ends, load<T>(row.rolling_reach, lane) * sum, next0, next1);
      store(row.rolling_impulse[0], lane, part(r0, next0, share));
      store(row.rolling_impulse[1], lane, part(r1, next1, share));
    }
    const T t = given<T>(row.twist_impulse, lane);
    T next = t;
    twist(row, lane, ends, mu * lever_sum, next);
    store(row.twist_impulse, lane, part(t, next, share));

    const T f0 = given<T>(row.friction_impulse[0], lane), f1 = given<T>(row.friction_impulse[1], lane);
    T next0 = f0, next1 = f1;
    const Slide<T> slide(row, lane, n);
    const T bound = mu * sum;
    T v0, v1;
    slide.along(b.v - a.v, a.w, b.w, v0, v1);
    if constexpr (kPosition) {
      // the displacement at the substep's end, over h; where the cone holds less than it takes, the contact slips and
      // forgets
      T x0, x1;
      slide.along(from_b.dx - from_a.dx, from_a.dtheta, from_b.dtheta, x0, x1);
      const T s0 = load<T>(row.slip[0], lane), s1 = load<T>(row.slip[1], lane);
      x0 = s0 + x0;
      x1 = s1 + x1;
      const T rate(kSlipShare * k.inv_h);
      slide.push(row, lane, ends, fma(rate, x0, v0), fma(rate, x1, v1), bound, next0, next1);
      slide.along(b.v - a.v, a.w, b.w, v0, v1);
      const auto slips = T(kSlips) * bound * bound <= fma(next0, next0, next1 * next1);
      store(row.slip[0], lane, select(slips, s0 - fma(T(k.h), v0, x0), s0));
      store(row.slip[1], lane, select(slips, s1 - fma(T(k.h), v1, x1), s1));
    } else {
      slide.push(row, lane, ends, v0, v1, bound, next0, next1);
    }
    next0 = part(f0, next0, share);
    next1 = part(f1, next1, share);
    store(row.friction_impulse[0], lane, next0);
    store(row.friction_impulse[1], lane, next1);
    if constexpr (!kPosition) {
      store(row.friction_total[0], lane, load<T>(row.friction_total[0], lane) + next0);
      store(row.friction_total[1], lane, load<T>(row.friction_total[1], lane) + next1);
    }
  }

  /// The impulse that the substep has given so far: what is there at the start of the position pass is of the substep
  /// before.
  template <class T>
  CAIRN_HD static T given(const float* field, std::uint32_t lane) {
    if constexpr (kPosition) {
      return T(0.0f);
    } else {
      return load<T>(field, lane);
    }
  }

  template <class T>
  CAIRN_HD static T part(T before, T after, T share) {
    return fma(share, after - before, before);
  }

  /// Notes for end `side` of row `slot` its share of what it wants: the way to `wanted`.
  template <class T>
  CAIRN_HD void give(std::uint32_t slot, std::uint32_t side, const std::uint32_t* body, T share,
                     const RowBody<T>& wanted) const {
    RowBody<T> now;
    gather(solve, body, now);
    put_push(push, slot, side, share * (wanted.v - now.v), share * (wanted.w - now.w));
  }
};

}  // namespace cairn::kernels
