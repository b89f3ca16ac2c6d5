#pragma once

#include "kernels/solve/row_friction.h"
#include "kernels/solve/sequential_impulse.h"

namespace cairn::kernels {

enum class RowPass {
  kBias,        ///< of soft step: with depenetration
  kRelax,       ///< of soft step: without depenetration
  kSequential,  ///< of sequential impulses
};

/// One pass over a row: the normal points one after the other (plain Gauss-Seidel; over-relaxation and Jacobi inside a
/// manifold both explode with a warm start), then friction, bounded by the normal impulses of this same pass: if it
/// came before them, an impact would slide on unbraked.
/// The points' speeds come from the motion of the contact's plane, and each point's impulse changes the later ones' by
/// their coupling; the bodies get all at once.
/// Normal: s = s0 + n . (dx_b - dx_a) + j_b . dtheta~_b - j_a . dtheta~_a; bias s / h while apart (speculative), else,
/// with `bias` on, the soft constraint b = scale max(rate s, -max_depenetration_speed): dl = -m (scale vn + b) - leak
/// l, l >= 0. s0 is without `rest` (kernels/finish/rest.h). Friction acts at the centre of these impulses.
/// If a flat manifold has the same points as before and no joint holds its bodies, its contacts are damped far more, at
/// the same stiffness (less while they are cold, or they would sink too slowly to learn their rest). Unless it is cold,
/// its friction with `bias` on is soft about an anchor, from which the reference has slipped by x: df = -M (scale v +
/// scale rate x) - leak f. Hard friction is a spring without a damper: towers sway on it, and contacts with more
/// damping ring.
/// (Leaving the impulse that stops an impact out of the next substep's warm start was tried: it keeps impacts from
/// gaining energy in corners, and fells one in twelve of 100:1 loads on 10 boxes at 6 substeps.)
/// Friction: 2x2 block, |f| <= mu sum l; twist |t| <= mu sum lever l; rolling |r| <= reach sum l. (Soft constraints:
/// Catto 2011; soft step with relaxation: Catto 2024, solver2d.)
/// A pass of sequential impulses is the same with another bias (kernels/solve/sequential_impulse.h). Writes the row's
/// impulses and slip, and v and w~ of its bodies (owner by colour). One thread per row slot.
template <RowPass kPass, bool kRolling, class Links = NoLinks>
struct SolveRow {
  StepConstants k;
  BodySolve* solve;
  Rows rows;
  const float* radius;  ///< [m] (bodies + 1) of bounding spheres
  bool bounces;         ///< some material bounces
  Links links{};
  bool adds{true};  ///< it is the last pass, whose impulses count for the substep

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    with_ends<T>(solve, links, row, slot % kRowLanes, [&](auto& ends, std::uint32_t lane) { pass(row, lane, ends); });
  }

 private:
  template <class Ends>
  CAIRN_HD void pass(RowBlock& row, std::uint32_t lane, Ends& ends) const {
    using T = typename Ends::Number;
    const std::uint32_t points = max_points<T>(&row.count[lane]);
    RowDelta<T> delta_a, delta_b;
    gather_ends(solve, row, lane, delta_a, delta_b);
    const Vec3T<T> n = load3<T>(row.normal, lane);
    [[maybe_unused]] const T slop = kPass == RowPass::kSequential ? slop_of<T>(radius, row, lane) : T(0.0f);

    [[maybe_unused]] T soft_rate, soft_scale, soft_leak, most;
    if constexpr (kPass == RowPass::kBias) {
      const auto damped = load<T>(row.damped, lane) > T(0.0f);
      // of contacts with extra damping the cold ones have no anchor
      const auto settled = load<T>(row.anchored, lane) > T(0.0f);
      const auto of = [&](float Softness::*member) {
        return select(settled, T(k.contact.*member), select(damped, T(k.cold.*member), T(k.firm.*member)));
      };
      soft_rate = of(&Softness::bias_rate);
      soft_scale = of(&Softness::mass_scale);
      soft_leak = of(&Softness::impulse_scale);
      most = T(-k.max_depenetration_speed) * select(settled, T(k.firm.mass_scale / k.contact.mass_scale),
                                                    select(damped, T(k.firm.mass_scale / k.cold.mass_scale), T(1.0f)));
    }
    Load<T> before, now, added;
    const RowArms<T> arms(row, lane);
    const NormalMotion<T> moved = arms.moved(n, delta_a, delta_b);
    const NormalMotion<T> speed = arms.speed(n, ends.a, ends.b);
    T change[kManifoldPoints];
    CAIRN_UNROLL_FEW
    for (std::uint32_t j = 0; j < kManifoldPoints; ++j) {
      if (j >= points) break;
      RowBlock::Point& p = row.point[j];
      const Along<T> place = load2<T>(p.place, lane);
      const T s = load<T>(p.separation, lane) + moved.at(place);
      T vn = speed.at(place);
      CAIRN_UNROLL_FEW
      for (std::uint32_t i = 0; i < j; ++i) vn = fma(load<T>(row.coupling[coupling_at(i, j)], lane), change[i], vn);
      const T l = load<T>(p.impulse, lane);
      const auto open = s > T(0.0f);
      T dl;
      if constexpr (kPass == RowPass::kBias) {
        const T push = soft_scale * max(soft_rate * s, most);
        const T bias = select(open, s * T(k.inv_h), push);
        const T scale = select(open, T(1.0f), soft_scale);
        const T leak = select(open, T(0.0f), soft_leak);
        dl = -(load<T>(p.mass, lane) * fma(scale, vn, bias)) - leak * l;
      } else {
        const T push = kPass == RowPass::kRelax ? T(0.0f) : baumgarte(k, s, slop);
        dl = -(load<T>(p.mass, lane) * (vn + select(open, s * T(k.inv_h), push)));
      }
      if (bounces) dl = select(leave_to_impacts<kPass == RowPass::kRelax>(row, lane, vn), min(dl, T(0.0f)), dl);
      const T next = max(l + dl, T(0.0f));
      dl = next - l;
      store(p.impulse, lane, next);
      add_to_total(p.total, lane, next);
      change[j] = dl;
      added.add(p, lane, dl);
      before.add(p, lane, l);
      now.add(p, lane, next);
    }
    push_normals(ends, n, arms, added);
    friction(row, lane, points, n, ends, before, now, delta_a, delta_b);
    ends.keep(solve, row, lane);
  }

  template <class T, class Ends>
  CAIRN_HD void friction(RowBlock& row, std::uint32_t lane, std::uint32_t points, Vec3T<T> n, Ends& ends,
                         const Load<T>& before, const Load<T>& now, const RowDelta<T>& delta_a,
                         const RowDelta<T>& delta_b) const {
    const T mu = load<T>(row.mu, lane);
    const Along<T> from = before.centre(), centre = now.centre(from);
    if constexpr (kRolling) {
      Along<T> r = load2<T>(row.rolling_impulse, lane);
      roll(row, lane, ends, load<T>(row.rolling_reach, lane) * now.sum, r);
      store2(row.rolling_impulse, lane, r);
    }
    T lever_sum(0.0f);
    for (std::uint32_t j = 0; j < points; ++j) {
      lever_sum = fma(lever(row, j, lane, centre), load<T>(row.point[j].impulse, lane), lever_sum);
    }
    Along<T> f = load2<T>(row.friction_impulse, lane);
    T t = load<T>(row.twist_impulse, lane) + turn_of_shift(from, centre, f);
    twist(row, lane, ends, mu * lever_sum, t);
    store(row.twist_impulse, lane, t);
    const Slide<T> slide(row, lane, n, centre);
    Along<T> v = slide.speed(row, lane, ends.a, ends.b, k.belts);
    T keep(1.0f);
    const auto anchored = load<T>(row.anchored, lane) > T(0.0f);
    const Softness& soft = k.friction;
    const auto slip = [&] {
      return Slide<T>(row, lane, n, {T(0.0f), T(0.0f)}).shift(delta_a, delta_b) + load2<T>(row.slip, lane);
    };
    if constexpr (kPass == RowPass::kBias) {
      const T rate(soft.mass_scale * soft.bias_rate), scale(soft.mass_scale);
      v = select(anchored, fma(rate, slip(), scale * v), v);
      keep = select(anchored, T(1.0f - soft.impulse_scale), keep);
    }
    const T bound = mu * now.sum;
    const Along<T> left = slide.push(row, lane, ends, v, bound, f, keep);
    store2(row.friction_impulse, lane, f);
    add_to_total(row.friction_total[0], lane, f.x);
    add_to_total(row.friction_total[1], lane, f.y);
    if (kPass == RowPass::kRelax && adds && k.belts) {
      // the bodies' displacements don't include the motion of the surfaces in the substep
      store2(row.slip, lane, with_belt(row, lane, load2<T>(row.slip, lane), T(k.h)));
    }
    if (kPass != RowPass::kSequential && adds) {
      const auto slides = anchored && T(0.0f) < dot(left, left);
      if (!holds(soft) || !any(slides)) return;
      // the part that the cone cut is a force with bias on, to which the spring yields; else a slip, for a substep
      const T time(kPass == RowPass::kBias ? 1.0f / holding_rate(soft) : k.h);
      slide_anchor(soft, row, lane, slide, bound, slides, time * left, slip(), f);
    }
  }

  /// The impulse of a substep is that of its last pass. `finish` adds those of sequential impulses, which have one
  /// substep.
  template <class T>
  CAIRN_HD void add_to_total(float* field, std::uint32_t lane, T impulse) const {
    if (kPass == RowPass::kRelax && adds) store(field, lane, load<T>(field, lane) + impulse);
  }
};

}  // namespace cairn::kernels
