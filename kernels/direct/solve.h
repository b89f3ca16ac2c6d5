#pragma once

#include "kernels/direct/contact.h"
#include "kernels/direct/matrix.h"

namespace cairn::kernels {

/// [1] Share of overlap that a substep corrects. With 0.2 piles that jam shake.
inline constexpr double kDirectPush = 0.02;
/// [1] Max Newton steps of a substep (one or two at rest, dozens for bodies just placed), max updates of friction's
/// bounds, each once the steps have converged, and max tries of the line search.
inline constexpr int kDirectSteps = 40, kDirectBounds = 5, kDirectTries = 8;
/// [1] Smaller changes of friction's bounds don't matter.
inline constexpr double kDirectBoundError = 1e-3;
/// [1] Error of the velocities, over the largest change of a velocity by contacts.
inline constexpr double kDirectError = 1e-5;
/// [1] The line search ends where the slope is this share of the slope at its start.
inline constexpr double kDirectSlope = 0.1;

/// The contacts of an island, all at once: the u = (v, w~) that minimizes
///   (u - u0)^T M (u - u0) / 2 + sum of psi(J u + b), M = diag(m, m, m, 1, 1, 1),
/// where -grad psi = l(y) is the impulse of a contact at y = J u + b (Castro, Permenter and Han 2022). Normals: l =
/// max(-y, 0) / R, R = kDirectSoftness / m_eff, b = s / h while apart, else max(kDirectPush s / h,
/// -max_depenetration_speed), if the contact is kept (stands).
/// Friction, a 2x2 block at the centre of the load: l = l0 - y / R, of length mu sum l at most, where l0 is its value
/// of the substep before (a proximal step on the impulses, so that it doesn't creep) and sum l the normals' at the last
/// update of the bounds, so that each problem is convex. Twist has the same law. There is no relax pass: at rest u is
/// 0. Contacts that aren't kept, such as those of rolling bodies, get a depenetration velocity of their own, one more
/// Newton step with their b, which DirectRelax removes.
/// Newton's method with a line search. With u come impulses that satisfy u = u0 + M^-1 J^T l: a step of share t leaves
/// (1 - t) l + t (l(y) - D J du). At the end these are bounded by the laws, and give the velocities. If kDirectSteps
/// weren't enough, they are also shortened (shorten), so that contacts never add energy.
/// Writes the rows' impulses and totals, and v and w~ of the bodies. One team per island.
struct DirectSolve {
  StepConstants k;
  BodySolve* bodies;
  Rows rows;
  Direct direct;
  DirectPlaces places;
  DirectRows work;
  const std::uint32_t* end;  ///< [1] 2 row slot + side
  bool carried;              ///< bodies include the impulses of the substep before

  CAIRN_UNCHECKED
  template <class Team>
  CAIRN_HD_CALL void operator()(const Team& team, std::uint32_t g) const {
    const std::uint32_t begin = direct.begin[g], n = direct.begin[g + 1] - begin;
    if (!direct.has(direct.order[begin])) return;
    DirectState& state = places.state[g];
    const DirectSystem system{direct.first + begin,          direct.last + begin,   direct.block + begin,
                              places.matrix[begin].block[0], places.motion + begin, n};
    const auto each_body = [&](const auto& f) {
      team.each(n, [&](std::uint32_t i) { f(direct.order[begin + i], i); });
    };
    const auto each_row = [&](const auto& f) {
      team.each(n, [&](std::uint32_t i) { each_own_row(direct.order[begin + i], f); });
    };

    each_row([&](std::uint32_t slot) { begin_row(slot); });
    each_body([&](std::uint32_t body, std::uint32_t i) { begin_body(body, system.motion[i]); });
    bool settled = false;
    int bounds = 0;
    for (int step = 0; step < kDirectSteps; ++step) {
      each_row([&](std::uint32_t slot) { see(slot, begin, false); });
      each_body([&](std::uint32_t body, std::uint32_t i) { assemble(body, i, system); });
      team.one([&] { state.done = converged(system) ? 1 : 0; });
      if (state.done != 0) {
        if (bounds++ == kDirectBounds) break;
        each_body([&](std::uint32_t body, std::uint32_t i) { bound_body(body, system.motion[i]); });
        settled = !any(team, system, state);
        if (settled) break;
        continue;
      }
      system.solve(team);
      each_row([&](std::uint32_t slot) { see_step(slot, begin); });
      search(team, system, begin, state);
      each_body([&](std::uint32_t body, std::uint32_t i) { take(body, system.motion[i], state.share); });
    }

    // depenetration, for the substep's motion only
    each_body([&](std::uint32_t body, std::uint32_t i) { begin_push(body, system.motion[i], settled); });
    if (any(team, system, state)) {
      each_row([&](std::uint32_t slot) { see(slot, begin, true); });
      each_body([&](std::uint32_t body, std::uint32_t i) { assemble(body, i, system); });
      system.solve(team);
      each_body([&](std::uint32_t, std::uint32_t i) {
        for (int c = 0; c < 6; ++c) system.motion[i].push[c] = system.motion[i].z[c];
      });
    }

    each_row([&](std::uint32_t slot) { bound_row(slot); });
    if (!settled) shorten(team, system, begin, state);
    each_body([&](std::uint32_t body, std::uint32_t i) { end_body(body, system.motion[i]); });
    each_row([&](std::uint32_t slot) { end_row(slot); });
  }

 private:
  CAIRN_HD static double along(const double (&j)[6], const double* u) {
    double sum = 0.0;
    for (int c = 0; c < 6; ++c) sum = fma(j[c], u[c], sum);
    return sum;
  }

  CAIRN_HD RowBlock& block_of(std::uint32_t slot) const { return rows[slot / kRowLanes]; }
  CAIRN_HD DirectJacobian jacobian(std::uint32_t slot) const {
    return {block_of(slot), slot % kRowLanes, work[slot].centre};
  }
  CAIRN_HD DirectLaw law(std::uint32_t slot) const { return {work[slot], block_of(slot), slot % kRowLanes}; }
  CAIRN_HD void velocity_of(std::uint32_t body, double (&u)[6]) const {
    const BodySolve& s = bodies[body];
    for (int i = 0; i < 3; ++i) {
      u[i] = component(s.v, i);
      u[3 + i] = component(s.w, i);
    }
  }
  CAIRN_HD bool pushed(std::uint32_t body) const { return bodies[body].movable > 0.0f; }
  CAIRN_HD std::uint32_t other_of(std::uint32_t of) const {
    const RowBlock& row = block_of(of / 2);
    return (of & 1u) != 0 ? row.body_a[of / 2 % kRowLanes] : row.body_b[of / 2 % kRowLanes];
  }

  template <class F>
  CAIRN_HD void each_end(std::uint32_t body, const F& f) const {
    const std::uint32_t e0 = direct.end_begin[body], e1 = e0 + direct.listed[body];
    for (std::uint32_t e = e0; e < e1; ++e) f(end[e]);
  }
  /// A row belongs to the body with the lower place.
  template <class F>
  CAIRN_HD void each_own_row(std::uint32_t body, const F& f) const {
    each_end(body, [&](std::uint32_t of) {
      const std::uint32_t other = other_of(of);
      if (!pushed(other) || direct.place[other] > direct.place[body]) f(of / 2);
    });
  }

  /// Initial values of a row.
  CAIRN_HD_CALL void begin_row(std::uint32_t slot) const {
    const RowBlock& row = block_of(slot);
    const std::uint32_t lane = slot % kRowLanes, points = row.count[lane];
    DirectRow& w = work[slot];
    const Along<float> centre = load_of<float>(row, lane, points).centre();
    w.centre[0] = centre.x;
    w.centre[1] = centre.y;
    for (std::uint32_t j = 0; j < kManifoldPoints; ++j) {
      w.impulse[j] = j < points ? double{row.point[j].impulse[lane]} : 0.0;
    }
    w.held[0] = w.impulse[kFrictionRow] = row.friction_impulse[0][lane];
    w.held[1] = w.impulse[kFrictionRow + 1] = row.friction_impulse[1][lane];
    w.held[2] = w.impulse[kTwistRow] = row.twist_impulse[lane];
    set_hold(slot);
    bounds_of(slot, w.bound, w.turn_bound);
  }

  /// J^T l of the rows at a body.
  CAIRN_HD_CALL void add_impulses(std::uint32_t body, double (&sum)[6]) const {
    for (double& x : sum) x = 0.0;
    each_end(body, [&](std::uint32_t of) {
      const DirectJacobian jacobian = this->jacobian(of / 2);
      double j[6];
      for (std::uint32_t c = 0; c < kDirectRows; ++c) {
        jacobian.at(c, (of & 1u) != 0, j);
        for (int x = 0; x < 6; ++x) sum[x] = fma(work[of / 2].impulse[c], j[x], sum[x]);
      }
    });
  }
  CAIRN_HD_CALL void begin_body(std::uint32_t body, DirectMotion& m) const {
    double now[6], pushed[6];
    velocity_of(body, now);
    add_impulses(body, pushed);
    for (int c = 0; c < 6; ++c) {
      m.u0[c] = carried ? now[c] - m.given[c] : now[c];
      m.u[c] = fma(c < 3 ? double{bodies[body].inv_mass} : 1.0, pushed[c], m.u0[c]);
    }
  }

  /// J x of a row, where x is `of` the motion of island bodies; with `still` the others' velocities count, too.
  template <class Of>
  CAIRN_HD_CALL void velocities(std::uint32_t slot, std::uint32_t begin, bool still, double (&y)[kDirectRows],
                                const Of& of) const {
    const RowBlock& row = block_of(slot);
    const DirectJacobian jacobian = this->jacobian(slot);
    for (double& x : y) x = 0.0;
    for (const bool side_b : {false, true}) {
      const std::uint32_t body = side_b ? row.body_b[slot % kRowLanes] : row.body_a[slot % kRowLanes];
      double own[6];
      const double* u = own;
      if (pushed(body)) {
        u = of(places.motion[begin + direct.place[body]]);
      } else if (still) {
        velocity_of(body, own);
      } else {
        continue;
      }
      double j[6];
      for (std::uint32_t c = 0; c < kDirectRows; ++c) {
        jacobian.at(c, side_b, j);
        y[c] += along(j, u);
      }
    }
  }

  /// y of a row, where the bodies' velocities are `of` their motion.
  template <class Of>
  CAIRN_HD_CALL void see_all(std::uint32_t slot, std::uint32_t begin, bool pushes, double (&y)[kDirectRows],
                             const Of& of) const {
    const RowBlock& row = block_of(slot);
    const std::uint32_t lane = slot % kRowLanes;
    velocities(slot, begin, true, y, of);
    if (k.belts) {
      for (std::uint32_t t = 0; t < 2; ++t) y[kFrictionRow + t] += double{row.belt[t][lane]};
    }
    pushes = pushes || stands(row, lane);
    each_separation(row, lane, [&](std::uint32_t j, float s) {
      const double speed = double{s} * double{k.inv_h};
      if (s > 0.0f) {
        y[j] += speed;
      } else if (pushes) {
        y[j] += max(kDirectPush * speed, -double{k.max_depenetration_speed});
      }
    });
  }
  /// The contact is kept, since the bodies hardly move.
  CAIRN_HD static bool stands(const RowBlock& row, std::uint32_t lane) { return row.damped[lane] > 0.0f; }
  template <class F>
  CAIRN_HD void each_separation(const RowBlock& row, std::uint32_t lane, const F& f) const {
    RowDelta<float> a, b;
    gather_ends(bodies, row, lane, a, b);
    const NormalMotion<float> moved = RowArms<float>(row, lane).moved(load3<float>(row.normal, lane), a, b);
    for (std::uint32_t j = 0; j < row.count[lane]; ++j) {
      const RowBlock::Point& p = row.point[j];
      f(j, p.separation[lane] + moved.at(load2<float>(p.place, lane)));
    }
  }
  CAIRN_HD_CALL void begin_push(std::uint32_t body, DirectMotion& m, bool settled) const {
    for (double& x : m.push) x = 0.0;
    m.some = 0;
    // otherwise a Newton step would be more than the depenetration
    if (!settled) return;
    each_own_row(body, [&](std::uint32_t slot) {
      const RowBlock& row = block_of(slot);
      const std::uint32_t lane = slot % kRowLanes;
      if (stands(row, lane)) return;
      each_separation(row, lane, [&](std::uint32_t, float s) { m.some |= s < 0.0f ? 1 : 0; });
    });
  }
  CAIRN_HD_CALL void see(std::uint32_t slot, std::uint32_t begin, bool pushes) const {
    see_all(slot, begin, pushes, work[slot].y, [](const DirectMotion& m) { return m.u; });
  }
  /// Bounds of friction and twist by the normals' load.
  CAIRN_HD void bounds_of(std::uint32_t slot, double& bound, double& turn_bound) const {
    const RowBlock& row = block_of(slot);
    const DirectRow& w = work[slot];
    const std::uint32_t lane = slot % kRowLanes;
    double sum = 0.0, levers = 0.0;
    for (std::uint32_t j = 0; j < row.count[lane]; ++j) {
      const double l = max(w.impulse[j], 0.0);
      sum += l;
      levers = fma(double{lever<float>(row, j, lane, {w.centre[0], w.centre[1]})}, l, levers);
    }
    bound = double{row.mu[lane]} * sum;
    turn_bound = double{row.mu[lane]} * levers;
  }
  /// Moves friction to the present centre of the normals' load; twist takes the resulting moment.
  CAIRN_HD bool move_centre(std::uint32_t slot) const {
    const RowBlock& row = block_of(slot);
    DirectRow& w = work[slot];
    const std::uint32_t lane = slot % kRowLanes;
    double sum = 0.0, x = 0.0, z = 0.0;
    for (std::uint32_t j = 0; j < row.count[lane]; ++j) {
      const double l = max(w.impulse[j], 0.0);
      sum += l;
      x = fma(double{row.point[j].place[0][lane]}, l, x);
      z = fma(double{row.point[j].place[1][lane]}, l, z);
    }
    if (!(sum > 0.0)) return false;
    const Along<double> from{w.centre[0], w.centre[1]};
    w.centre[0] = static_cast<float>(x / sum);
    w.centre[1] = static_cast<float>(z / sum);
    const Along<double> to{w.centre[0], w.centre[1]};
    const double turn = turn_of_shift(from, to, {w.impulse[kFrictionRow], w.impulse[kFrictionRow + 1]});
    w.impulse[kTwistRow] += turn;
    w.held[2] += turn_of_shift(from, to, {w.held[0], w.held[1]});
    set_hold(slot);
    return abs(turn) > kDirectBoundError * w.turn_bound;
  }
  CAIRN_HD void set_hold(std::uint32_t slot) const {
    const RowBlock& row = block_of(slot);
    DirectRow& w = work[slot];
    const std::uint32_t lane = slot % kRowLanes;
    const Slide<float> slide(row, lane, load3<float>(row.normal, lane), {w.centre[0], w.centre[1]});
    w.hold = double{slide.mass(row, lane).harmonic_mean()} / kDirectFrictionSoftness;
    w.turn_hold = double{twist_mass<float>(row, lane)} / kDirectFrictionSoftness;
  }
  /// Updates centre and bounds of friction, and records whether they differ from those of the problem.
  CAIRN_HD_CALL void bound_body(std::uint32_t body, DirectMotion& m) const {
    m.some = 0;
    each_own_row(body, [&](std::uint32_t slot) {
      DirectRow& w = work[slot];
      if (move_centre(slot)) m.some = 1;
      double bound, turn_bound;
      bounds_of(slot, bound, turn_bound);
      const double x = w.impulse[kFrictionRow], z = w.impulse[kFrictionRow + 1];
      const bool slides = differs(w.bound, bound, sqrt(fma(x, x, z * z)));
      const bool turns = differs(w.turn_bound, turn_bound, abs(w.impulse[kTwistRow]));
      if (slides || turns) m.some = 1;
      w.bound = bound;
      w.turn_bound = turn_bound;
    });
  }
  CAIRN_HD static bool differs(double bound, double now, double impulse) {
    const double least = min(bound, now), most = max(bound, now);
    return most - least > kDirectBoundError * most && impulse >= (1.0 - kDirectBoundError) * least;
  }
  /// True if some body has `some`.
  template <class Team>
  CAIRN_BOTH static bool any(const Team& team, const DirectSystem& system, DirectState& state) {
    team.one([&] {
      state.some = 0;
      for (std::uint32_t i = 0; i < system.n; ++i) state.some |= system.motion[i].some;
    });
    return state.some != 0;
  }
  CAIRN_HD_CALL void see_step(std::uint32_t slot, std::uint32_t begin) const {
    velocities(slot, begin, false, work[slot].dy, [](const DirectMotion& m) { return m.z; });
  }

  /// The body's row of H = M + J^T D J, and its part of the gradient, M (u - u0) - J^T l.
  CAIRN_HD_CALL void assemble(std::uint32_t body, std::uint32_t i, const DirectSystem& system) const {
    DirectMotion& m = system.motion[i];
    const double mass = 1.0 / double{bodies[body].inv_mass};
    for (std::uint32_t j = system.first[i]; j <= i; ++j) {
      double* const h = system.at(i, j);
      for (int x = 0; x < 36; ++x) h[x] = 0.0;
    }
    double* const diagonal = system.at(i, i);
    for (int c = 0; c < 6; ++c) {
      const double inertia = c < 3 ? mass : 1.0;
      diagonal[7 * c] = inertia;
      m.z[c] = inertia * (m.u0[c] - m.u[c]);
    }
    each_end(body, [&](std::uint32_t of) {
      const bool side_b = (of & 1u) != 0;
      const DirectJacobian jacobian = this->jacobian(of / 2);
      DirectLaw law = this->law(of / 2);
      law.at(work[of / 2].y);
      const std::uint32_t other = other_of(of);
      double* across = nullptr;
      if (pushed(other) && direct.place[other] < i) across = system.at(i, direct.place[other]);
      double j[6];
      for (std::uint32_t c = 0; c < kDirectRows; ++c) {
        jacobian.at(c, side_b, j);
        for (int x = 0; x < 6; ++x) m.z[x] = fma(law.l[c], j[x], m.z[x]);
      }
      for (std::uint32_t c = 0; c < law.points; ++c) {
        if (law.normal[c] > 0.0) add(jacobian, c, c, law.normal[c], side_b, diagonal, across);
      }
      add(jacobian, kFrictionRow, kFrictionRow, law.xx, side_b, diagonal, across);
      add(jacobian, kFrictionRow, kFrictionRow + 1, law.xy, side_b, diagonal, across);
      add(jacobian, kFrictionRow + 1, kFrictionRow, law.xy, side_b, diagonal, across);
      add(jacobian, kFrictionRow + 1, kFrictionRow + 1, law.yy, side_b, diagonal, across);
      add(jacobian, kTwistRow, kTwistRow, law.turn, side_b, diagonal, across);
    });
  }
  CAIRN_HD static void add(const DirectJacobian& jacobian, std::uint32_t left, std::uint32_t right, double weight,
                           bool side_b, double* diagonal, double* across) {
    if (weight == 0.0) return;
    double l[6], r[6];
    jacobian.at(left, side_b, l);
    for (double* const to : {diagonal, across}) {
      if (to == nullptr) continue;
      jacobian.at(right, to == diagonal ? side_b : !side_b, r);
      for (int x = 0; x < 6; ++x) {
        const double scaled = weight * l[x];
        for (int z = 0; z < 6; ++z) to[6 * x + z] = fma(scaled, r[z], to[6 * x + z]);
      }
    }
  }

  /// True if the gradient, which is in z, is small compared with the changes by contacts.
  CAIRN_HD_CALL bool converged(const DirectSystem& system) const {
    double error = 0.0, most = 0.0;
    for (std::uint32_t i = 0; i < system.n; ++i) {
      const DirectMotion& m = system.motion[i];
      const double inverse = bodies[direct.order[system.motion - places.motion + i]].inv_mass, root = sqrt(inverse);
      for (int c = 0; c < 6; ++c) {
        error = max(error, abs(m.z[c]) * (c < 3 ? inverse : root));
        most = max(most, abs(m.u[c] - m.u0[c]) * (c < 3 ? 1.0 : root));
      }
    }
    return error <= kDirectError * most;
  }

  /// Line search: the share of the step that is taken.
  template <class Team>
  CAIRN_BOTH void search(const Team& team, const DirectSystem& system, std::uint32_t begin, DirectState& state) const {
    const auto slope = [&](double share) {
      team.each(system.n, [&](std::uint32_t i) {
        system.motion[i].slope = slope_of(direct.order[begin + i], system.motion[i], share);
      });
      team.one([&] {
        state.slope = 0.0;
        for (std::uint32_t i = 0; i < system.n; ++i) state.slope += system.motion[i].slope;
        state.share = share;
      });
      return state.slope;
    };
    double low = 0.0, high = 1.0;
    double at_low = slope(0.0);
    const double enough = kDirectSlope * abs(at_low);
    double at_high = slope(1.0);
    if (at_high <= enough) return;
    for (int i = 0; i < kDirectTries; ++i) {
      // a secant, but not too near to either end
      const double tenth = 0.1 * (high - low);
      const double share = clamp(low - at_low * (high - low) / (at_high - at_low), low + tenth, high - tenth);
      const double now = slope(share);
      if (abs(now) <= enough) return;
      (now < 0.0 ? low : high) = share;
      (now < 0.0 ? at_low : at_high) = now;
    }
  }
  CAIRN_HD double slope_of(std::uint32_t body, const DirectMotion& m, double share) const {
    const double mass = 1.0 / double{bodies[body].inv_mass};
    double sum = 0.0;
    for (int c = 0; c < 6; ++c) {
      sum = fma((c < 3 ? mass : 1.0) * (fma(share, m.z[c], m.u[c]) - m.u0[c]), m.z[c], sum);
    }
    each_own_row(body, [&](std::uint32_t slot) {
      const DirectRow& w = work[slot];
      double y[kDirectRows];
      for (std::uint32_t c = 0; c < kDirectRows; ++c) y[c] = fma(share, w.dy[c], w.y[c]);
      DirectLaw law = this->law(slot);
      law.at(y);
      for (std::uint32_t c = 0; c < kDirectRows; ++c) sum = fma(-law.l[c], w.dy[c], sum);
    });
    return sum;
  }

  CAIRN_HD void take(std::uint32_t body, DirectMotion& m, double share) const {
    for (int c = 0; c < 6; ++c) m.u[c] = fma(share, m.z[c], m.u[c]);
    each_own_row(body, [&](std::uint32_t slot) {
      DirectRow& w = work[slot];
      DirectLaw law = this->law(slot);
      law.at(w.y);
      for (std::uint32_t c = 0; c < kDirectRows; ++c) {
        const double to = law.l[c] - law.stiff(c, w.dy);
        w.impulse[c] = fma(share, to - w.impulse[c], w.impulse[c]);
      }
    });
  }

  CAIRN_HD static Along<float> friction_of(const DirectRow& w) {
    return {static_cast<float>(w.impulse[kFrictionRow]), static_cast<float>(w.impulse[kFrictionRow + 1])};
  }
  /// Shortens the row's impulses to the bounds of the laws.
  CAIRN_HD_CALL void bound_row(std::uint32_t slot) const {
    const RowBlock& row = block_of(slot);
    const std::uint32_t lane = slot % kRowLanes, points = row.count[lane];
    DirectRow& w = work[slot];
    float sum = 0.0f, levers = 0.0f;
    for (std::uint32_t j = 0; j < points; ++j) {
      const float l = max(static_cast<float>(w.impulse[j]), 0.0f);
      w.impulse[j] = l;
      sum += l;
      levers = fma(lever<float>(row, j, lane, {w.centre[0], w.centre[1]}), l, levers);
    }
    const float mu = row.mu[lane];
    const Along<float> f = shortened(friction_of(w), mu * sum);
    w.impulse[kFrictionRow] = f.x;
    w.impulse[kFrictionRow + 1] = f.y;
    w.impulse[kTwistRow] = clamp(static_cast<float>(w.impulse[kTwistRow]), -mu * levers, mu * levers);
  }

  /// Scales all impulses of an island by the share, at most 1, that minimizes l^T (J M^-1 J^T l / 2 + J u0 + b).
  /// Whatever the impulses, they do no more work than depenetration takes.
  template <class Team>
  CAIRN_BOTH void shorten(const Team& team, const DirectSystem& system, std::uint32_t begin, DirectState& state) const {
    team.each(system.n, [&](std::uint32_t i) {
      const std::uint32_t body = direct.order[begin + i];
      DirectMotion& m = system.motion[i];
      add_impulses(body, m.z);
      m.slope = 0.0;
      each_own_row(body, [&](std::uint32_t slot) {
        double y[kDirectRows];
        see_all(slot, begin, false, y, [](const DirectMotion& of) { return of.u0; });
        for (std::uint32_t c = 0; c < kDirectRows; ++c) m.slope = fma(work[slot].impulse[c], y[c], m.slope);
      });
    });
    team.one([&] {
      double square = 0.0, slope = 0.0;
      for (std::uint32_t i = 0; i < system.n; ++i) {
        const DirectMotion& m = system.motion[i];
        const double inverse = bodies[direct.order[begin + i]].inv_mass;
        for (int c = 0; c < 6; ++c) square = fma((c < 3 ? inverse : 1.0) * m.z[c], m.z[c], square);
        slope += m.slope;
      }
      state.share = square > 0.0 ? clamp(-slope / square, 0.0, 1.0) : 1.0;
    });
    team.each(system.n, [&](std::uint32_t i) {
      each_own_row(direct.order[begin + i], [&](std::uint32_t slot) {
        for (double& l : work[slot].impulse) l = static_cast<float>(state.share * l);
      });
    });
  }

  CAIRN_HD_CALL void end_body(std::uint32_t body, DirectMotion& m) const {
    BodySolve& s = bodies[body];
    double pushed[6];
    add_impulses(body, pushed);
    float now[6];
    for (int c = 0; c < 6; ++c) {
      now[c] = static_cast<float>(fma(c < 3 ? double{s.inv_mass} : 1.0, pushed[c], m.u0[c]));
      m.given[c] = double{now[c]} - m.u0[c];
      now[c] += static_cast<float>(m.push[c]);
    }
    s.v = {now[0], now[1], now[2]};
    s.w = {now[3], now[4], now[5]};
  }
  CAIRN_HD_CALL void end_row(std::uint32_t slot) const {
    RowBlock& row = block_of(slot);
    const std::uint32_t lane = slot % kRowLanes, points = row.count[lane];
    const DirectRow& w = work[slot];
    for (std::uint32_t j = 0; j < points; ++j) {
      RowBlock::Point& p = row.point[j];
      p.impulse[lane] = static_cast<float>(w.impulse[j]);
      p.total[lane] += p.impulse[lane];
    }
    const Along<float> f = friction_of(w);
    store2(row.friction_impulse, lane, f);
    store2(row.friction_total, lane, load2<float>(row.friction_total, lane) + f);
    const Along<float> from{w.centre[0], w.centre[1]};
    row.twist_impulse[lane] = static_cast<float>(w.impulse[kTwistRow]) +
                              turn_of_shift(from, load_of<float>(row, lane, points).centre(from), f);
  }
};

/// Removes the depenetration velocities of the bodies. Writes v and w~ of the bodies of island g. One team per island.
struct DirectRelax {
  BodySolve* bodies;
  Direct direct;
  DirectPlaces places;

  template <class Team>
  CAIRN_BOTH void operator()(const Team& team, std::uint32_t g) const {
    const std::uint32_t begin = direct.begin[g], n = direct.begin[g + 1] - begin;
    if (!direct.has(direct.order[begin]) || places.state[g].some == 0) return;
    team.each(n, [&](std::uint32_t i) {
      BodySolve& s = bodies[direct.order[begin + i]];
      const double(&push)[6] = places.motion[begin + i].push;
      s.v = s.v - Vec3{static_cast<float>(push[0]), static_cast<float>(push[1]), static_cast<float>(push[2])};
      s.w = s.w - Vec3{static_cast<float>(push[3]), static_cast<float>(push[4]), static_cast<float>(push[5])};
    });
  }
};

}  // namespace cairn::kernels
