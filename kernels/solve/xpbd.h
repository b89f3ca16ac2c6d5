#pragma once

#include <type_traits>

#include "kernels/common/rounds.h"
#include "kernels/solve/gain.h"
#include "kernels/solve/row_friction.h"
#include "kernels/solve/xpbd_share.h"

namespace cairn::kernels {

/// [1] Velocity sweeps of a substep. With one, the remaining velocity tips stacks that lean.
inline constexpr int kVelocitySweeps = 2;
/// [1] Max rounds of dissipation in a substep of a world that gains energy; most need two or three.
inline constexpr std::uint32_t kDissipationRounds = 256;

enum class XpbdPass {
  kPosition,
  kVelocity,
  kDissipation,  ///< the velocity pass once more, for the rows whose impulses might have added energy
};

/// More inputs of a round of dissipation.
struct Dissipation {
  const Vec3* v1{nullptr};         ///< [m/s] (bodies) velocity before the impulses of the substep
  GainingBodies gaining{};         ///<       and w1
  const WorldGain* gain{nullptr};  ///<       (worlds)
  int parity{0};                   ///< [1]   of the substep
  bool adds{true};                 ///<       the rows' totals lack its impulses

  /// [1] The rounds of impacts, in the same word, have smaller numbers.
  static constexpr std::uint32_t kFirstRound = 0x80000001u;
};

/// Extended position-based dynamics for rigid contacts (Mueller, Macklin, Chentanez, Jeschke, Kim 2020), on rows that
/// are linear in the step's displacements. The position of a substep is stored as x + h v: its start, and the velocity
/// that leads to its end. A position correction dx is then a change dx / h of that velocity. "Velocities from
/// positions" (their algorithm 2) is the identity, without its rounding, and a multiplier over h is an impulse in N s.
/// Multipliers start each substep at 0.
///
/// Position pass (their sections 3.3, 3.5; compliance 0): C = s + h vn with s the separation at the substep's start, of
/// which overlap counts to max_depenetration_speed h / share at most; dl = -m C / h, l >= 0. Then static friction
/// within the cone |f| <= mu sum l (they skip it outside of the cone). It takes back the tangential displacement since
/// the contact was made; theirs only that of the substep. One sweep leaves velocity errors. Overlap corrects them along
/// the normal. Along the tangents nothing would, and the boxes of a tower on a slope crept by centimetres a second. The
/// slip is that of the loaded points, at the centre of load: measured elsewhere, rotation about that centre pumps
/// energy into contacts that stick. (The centre moves, which is no slip: the sum continues at the new place.) A contact
/// keeps the part of its slip that friction, at the cone's bound, can take back in a substep (the return mapping of
/// plasticity; Cundall and Strack 1979 have it for grains). A contact that forgets all of it would let go.
/// Velocity pass (their section 3.6), kVelocitySweeps times: where the position pass pushed, vn becomes 0, which takes
/// back the velocity of depenetration. Points that bounce did so before, and are left to impacts (kernels/restitute,
/// leave_to_impacts). Friction continues within the same cone (in their letters mu l / h; the h that they multiply by
/// is a slip).
///
/// The position pass does the share min(1.5 / n, 1) of a row's correction, n being the count of rows that may push its
/// body with more of them; and it takes back a quarter of a slip per substep. The share is the same at both ends, which
/// conserves momentum. Jacobi sweeps need it: |sum of n vectors|^2 <= n times the sum of their squares, so that with a
/// share below 2 / n the sweep gains no energy. Gauss-Seidel sweeps wouldn't. But a substep's multipliers are gone in
/// the next one, rows disagree about every load, and without the share no heap of boxes came to rest: they crept by 1
/// mm/s.
/// The velocity pass does a row's whole correction, colour by colour for either sweep: each impulse is then the one of
/// least kinetic energy, and energy falls from row to row. A share of it, or all rows at once, left the bodies so much
/// of the depenetration velocity that overlapping balls got up to 45 times the energy that they had, and now 1.5 times.
///
/// Dissipation, of all solvers, where a world gained kinetic energy (kernels/solve/gain.h): the impulses p of a substep
/// change the bodies' velocities by d = M^-1 J^T p, and kinetic energy by p . (u1 + u) / 2, with u1 = J v1 the rows'
/// motions before, and u those now: that is p . u - |d|^2 / 2, with |d|^2 = d . M d. So no energy is added if each row
/// has p . u <= |d_a|^2 / (2 n_a) + |d_b|^2 / (2 n_b): a body's |d|^2 / 2 is shared among its n rows. Rows that violate
/// this go through the velocity pass, in rounds, until none is left. Rows of links have no rounds: an articulation
/// moves as a whole, which M doesn't contain. (Joints' impulses are in d, and a body's rotation since the step's start
/// isn't in M.)
///
/// Position pass, Gauss-Seidel, and the others: writes the row's impulses, and v and w~ of its bodies (owner by
/// colour); dissipation also last. Position pass, Jacobi: all rows start from the same state. Writes the row's impulses
/// and the pushes of its ends. One thread per row slot.
template <XpbdPass kPass, SweepKind kSweep, bool kRolling, class Links = NoLinks>
struct XpbdRow {
  static constexpr bool kPosition = kPass == XpbdPass::kPosition;
  static_assert(kPosition || kSweep == SweepKind::kGaussSeidel);

  StepConstants k;
  BodySolve* solve;
  Rows rows;
  RowPush* push;        ///<       (ends) Jacobi only
  const float* shares;  ///< [1]   (bodies + 1)
  bool bounces{false};  ///< some material bounces
  Links links{};
  Dissipation dissipation{};
  RowRounds rounds{};  ///<       of dissipation

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    if constexpr (kPass == XpbdPass::kDissipation) {
      if (rounds.over()) return;
    }
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t first = slot - slot % kRowLanes;
    with_ends<T>(solve, links, row, slot % kRowLanes,
                 [&](auto& ends, std::uint32_t lane) { sweep(row, first + lane, lane, ends); });
  }

 private:
  /// For the position pass only points that separate as fast as a bounce count as bouncing: its own depenetration is
  /// faster than the threshold of other solvers, and towers of five boxes shook until they fell.
  template <class T>
  CAIRN_HD static auto left_to_impacts(const RowBlock& row, std::uint32_t lane, T vn) {
    if constexpr (kPosition) {
      return load<T>(row.restitution, lane) > T(0.0f) && vn > load<T>(row.bounce_speed, lane);
    } else {
      return leave_to_impacts<kPass == XpbdPass::kVelocity>(row, lane, vn);
    }
  }

  template <class Ends>
  CAIRN_HD void sweep(RowBlock& row, std::uint32_t slot, std::uint32_t lane, Ends& ends) const {
    using T = typename Ends::Number;
    if constexpr (kPass == XpbdPass::kDissipation && !std::is_same_v<Ends, FreeEnds<T>>) return;
    const std::uint32_t points = max_points<T>(&row.count[lane]);
    const Vec3T<T> n = load3<T>(row.normal, lane);

    RowDelta<T> from_a, from_b;
    if constexpr (kPosition) {
      gather_ends(solve, row, lane, from_a, from_b);
    }

    // the share of the row's correction that is done
    T share(1.0f);
    if constexpr (kPosition) share = min_of<T>(shares, row, lane);
    if constexpr (kPass == XpbdPass::kDissipation) {
      const auto acts = may_gain(row, lane, points, n, ends);
      if (!any(acts)) return;
      rounds.note();
      share = select(acts, T(1.0f), T(0.0f));
    }
    T given[4], mass[4], target[4];
    start(row, lane, points, n, from_a, from_b, share, given, mass, target);
    T l[4] = {given[0], given[1], given[2], given[3]};
    const RowArms<T> arms(row, lane);
    // a symmetric sweep, since one order alone would turn the bodies
    CAIRN_UNROLL
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t j = i < 4 ? i : 7 - i;
      if (j >= points) continue;
      const RowBlock::Point& p = row.point[j];
      const Along<T> at = load2<T>(p.place, lane);
      const Vec3T<T> j_a = arms.a.normal(at), j_b = arms.b.normal(at);
      const T vn = approach(n, j_a, j_b, ends.a, ends.b);
      T next = max(fma(mass[j], target[j] - vn, l[j]), T(0.0f));
      if (bounces) next = select(left_to_impacts(row, lane, vn), min(next, l[j]), next);
      const T dl = next - l[j];
      l[j] = next;
      ends.push(dl, n, j_a, j_b);
    }

    Load<T> before, now;
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (j >= points) break;
      before.add(row.point[j], lane, given[j]);
      now.add(row.point[j], lane, l[j]);
    }
    const Along<T> from = before.centre(), centre = now.centre(from);
    T lever_sum(0.0f);
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (j >= points) break;
      lever_sum = fma(lever(row, j, lane, centre), l[j], lever_sum);
    }
    friction(row, lane, {row, lane, n, centre}, from, from_a, from_b, ends, now.sum, lever_sum, share);

    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (j >= points) break;
      RowBlock::Point& p = row.point[j];
      const T done = part(given[j], l[j], share);
      store(p.impulse, lane, done);
      add_to_total(p.total, lane, done - given[j]);
    }
    if constexpr (kSweep == SweepKind::kJacobi) {
      give(slot, 0, &row.body_a[lane], share, ends.a);
      give(slot, 1, &row.body_b[lane], share, ends.b);
    } else if constexpr (kPass == XpbdPass::kVelocity) {
      ends.keep(solve, row, lane);
    } else {
      ends.keep(solve, row, lane, share);
    }
  }

  /// True if p . u > |d_a|^2 / (2 n_a) + |d_b|^2 / (2 n_b).
  template <class Ends>
  CAIRN_HD auto may_gain(const RowBlock& row, std::uint32_t lane, std::uint32_t points, Vec3T<typename Ends::Number> n,
                         const Ends& ends) const {
    using T = typename Ends::Number;
    const auto &a = ends.a, &b = ends.b;
    T work(0.0f);
    const Load<T> load_now = load_of<T>(row, lane, points);
    const NormalMotion<T> speed = RowArms<T>(row, lane).speed(n, a, b);
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (j >= points) break;
      const RowBlock::Point& p = row.point[j];
      work = fma(load<T>(p.impulse, lane), speed.at(load2<T>(p.place, lane)), work);
    }
    const Along<T> v = Slide<T>(row, lane, n, load_now.centre()).speed(row, lane, a, b, k.belts);
    work = fma(load<T>(row.friction_impulse[0], lane), v.x, fma(load<T>(row.friction_impulse[1], lane), v.y, work));
    const auto turns = [&](const float* impulse, const float(&j_a)[3][kRowLanes], const float(&j_b)[3][kRowLanes]) {
      work = fma(load<T>(impulse, lane), rotation(j_a, j_b, lane, a.w, b.w), work);
    };
    turns(row.twist_impulse, row.axes_a[2], row.axes_b[2]);
    for (int t = 0; kRolling && t < 2; ++t) turns(row.rolling_impulse[t], row.axes_a[t], row.axes_b[t]);
    const T kept = work - (given_up(&row.body_a[lane], a) + given_up(&row.body_b[lane], b));
    return gains<T>(row, lane, kept > T(0.0f));
  }

  /// Whether the row's world gained energy, and a body of it may have.
  template <class T>
  CAIRN_HD MaskT<T> gains(const RowBlock& row, std::uint32_t lane, MaskT<T> counts) const {
    const std::uint32_t counted = lanes_of(counts);
    const auto gaining = [&](std::uint32_t body) {
      return solve[body].movable > 0.0f && dissipation.gaining.has(body);
    };
    return of_lanes<T>([&](std::uint32_t i) {
             const std::uint32_t a = row.body_a[lane + i], b = row.body_b[lane + i];
             const bool gains = (counted >> i & 1u) != 0 &&
                                is_positive(dissipation.gain[dissipation.gaining.world[a]].of[dissipation.parity]) &&
                                (gaining(a) || gaining(b));
             return gains ? 1.0f : 0.0f;
           }) > T(0.0f);
  }

  /// |d|^2 / (2 n) of a body.
  template <class T>
  CAIRN_HD T given_up(const std::uint32_t* body, const RowBody<T>& now) const {
    Vec3T<T> v1, w1;
    gather(dissipation.v1, body, now.movable, v1);
    gather(dissipation.gaining.w1, body, now.movable, w1);
    const Vec3T<T> dv = now.v - v1, dw = now.w - w1;
    const T energy = fma(T(0.5f) * dot(dv, dv), inverse_or_zero(now.inv_mass), T(0.5f) * dot(dw, dw));
    const T rows = of_lanes<T>([&](std::uint32_t i) { return static_cast<float>(solve[body[i]].rows); });
    return select(now.movable > T(0.0f), energy / max(rows, T(1.0f)), T(0.0f));
  }

  /// The impulses of the points in this substep, their effective masses, and the goals of their normal velocities.
  template <class T>
  CAIRN_HD void start(const RowBlock& row, std::uint32_t lane, std::uint32_t points, Vec3T<T> n, const RowDelta<T>& a,
                      const RowDelta<T>& b, T share, T (&given)[4], T (&mass)[4], T (&target)[4]) const {
    [[maybe_unused]] NormalMotion<T> moved;
    if constexpr (kPosition) moved = RowArms<T>(row, lane).moved(n, a, b);
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      given[j] = mass[j] = target[j] = T(0.0f);
      if (j >= points) continue;
      const RowBlock::Point& p = row.point[j];
      mass[j] = load<T>(p.mass, lane);
      if constexpr (kPosition) {
        const T s = load<T>(p.separation, lane) + moved.at(load2<T>(p.place, lane));
        target[j] = -max(T(k.inv_h) * s, T(-k.max_depenetration_speed) / share);
      } else {
        given[j] = load<T>(p.impulse, lane);
        const auto pushed = given[j] > T(0.0f);
        mass[j] = select(pushed, mass[j], T(0.0f));
      }
    }
  }

  template <class T, class Ends>
  CAIRN_HD void friction(RowBlock& row, std::uint32_t lane, const Slide<T>& slide, Along<T> from,
                         const RowDelta<T>& from_a, const RowDelta<T>& from_b, Ends& ends, T sum, T lever_sum,
                         T share) const {
    const auto &a = ends.a, &b = ends.b;
    const T mu = load<T>(row.mu, lane);
    if constexpr (kRolling) {
      const Along<T> r = given2<T>(row.rolling_impulse, lane);
      Along<T> turned = r;
      roll(row, lane, ends, load<T>(row.rolling_reach, lane) * sum, turned);
      store2(row.rolling_impulse, lane, part(r, turned, share));
    }
    const Along<T> f = given2<T>(row.friction_impulse, lane);
    const T t = given<T>(row.twist_impulse, lane);
    T twisted = t + turn_of_shift(from, slide.centre, f);
    twist(row, lane, ends, mu * lever_sum, twisted);
    store(row.twist_impulse, lane, part(t, twisted, share));

    Along<T> next = f;
    const T bound = mu * sum;
    const Along<T> v = slide.speed(row, lane, a, b, k.belts);
    if constexpr (kPosition) {
      // slip so far at the loaded place: the motion of the centre of load is no slip
      const Along<T> was = load2<T>(row.slip_place, lane), x = slide.shift(from_a, from_b);
      const T turn = rotation(row.axes_a[2], row.axes_b[2], lane, from_a.dtheta, from_b.dtheta);
      const Along<T> slipped{fma(slide.centre.y - was.y, turn, x.x), fma(was.x - slide.centre.x, turn, x.y)};
      const Along<T> s = load2<T>(row.slip, lane) + slipped;
      const T rate(kSlipShare * k.inv_h);
      slide.push(row, lane, ends, fma(rate, s, v), bound, next);
      // slip at the substep's end, as far as friction can take it back
      const Along<T> after = slide.along(b.v - a.v, a.w, b.w);
      Along<T> kept = fma(T(k.h), after, s);
      if (k.belts) kept = with_belt(row, lane, kept, T(k.h));
      kept = shortened(kept, bound * inverse_or_zero(rate * slide.mass(row, lane).harmonic_mean()));
      store2(row.slip, lane, kept - fma(T(k.h), after, x));
      store2(row.slip_place, lane, slide.centre);
    } else {
      slide.push(row, lane, ends, v, bound, next);
    }
    next = part(f, next, share);
    store2(row.friction_impulse, lane, next);
    add_to_total(row.friction_total[0], lane, next.x - f.x);
    add_to_total(row.friction_total[1], lane, next.y - f.y);
  }

  template <class T>
  CAIRN_HD void add_to_total(float* field, std::uint32_t lane, T change) const {
    if (kPass != XpbdPass::kDissipation || dissipation.adds) store(field, lane, load<T>(field, lane) + change);
  }

  /// Impulse of the substep so far: at the start of the position pass the field still holds that of the substep before.
  template <class T>
  CAIRN_HD static T given(const float* field, std::uint32_t lane) {
    if constexpr (kPosition) {
      return T(0.0f);
    } else {
      return load<T>(field, lane);
    }
  }

  template <class T>
  CAIRN_HD static Along<T> given2(const float (&field)[2][kRowLanes], std::uint32_t lane) {
    return {given<T>(field[0], lane), given<T>(field[1], lane)};
  }

  /// Of impulses, or pairs of them.
  template <class Impulse, class T>
  CAIRN_HD static Impulse part(Impulse before, Impulse after, T share) {
    return fma(share, after - before, before);
  }

  /// Stores for end `side` of row `slot` the share of its change towards `wanted`.
  template <class T>
  CAIRN_HD void give(std::uint32_t slot, std::uint32_t side, const std::uint32_t* body, T share,
                     const RowBody<T>& wanted) const {
    RowBody<T> now;
    gather(solve, body, now);
    put_push(push, slot, side, share * (wanted.v - now.v), share * (wanted.w - now.w));
  }
};

}  // namespace cairn::kernels
