#pragma once

#include "kernels/common/rounds.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// [1] Max rounds of impacts in a substep. After them the solver stops a remaining approach without a bounce: that
/// loses energy and never adds any. A row of n balls that touch needs n - 1 at worst.
inline constexpr std::uint32_t kImpactRounds = 32;
/// [1] Parts of a substep in which impacts come one after the other: round i takes those before i / kImpactShares of
/// it. An impact that comes too early is found overlapping by one that should have come before.
inline constexpr std::uint32_t kImpactShares = 8;
/// [1] Symmetric sweeps over the points of a manifold: for four corners of a plate whose height is 1 % of its width
/// each sweep halves the error.
inline constexpr int kImpactSweeps = 12;

/// Both bodies of an impact, without articulations: FreeEnds with the present inertia. In a step the rows use the
/// inertia of its start (w~ = I^1/2 w). A rotating body has left that behind: good enough to stop a body, but it added
/// or lost a hundredth of the energy that a bounce exchanges. An impulse l changes w~ by l I0^1/2 I^-1 I0^1/2 j.
struct TurnedEnds : FreeEnds<float> {
  struct Turned {
    Sym3 root, inverse;  ///< I0^1/2, I^-1
    bool differs;

    CAIRN_HD Turned(const Bodies& bodies, std::uint32_t body, float movable)
        : root{}, inverse{}, differs(movable > 0.0f && (bodies.flags[body] & kBodyGyroscopic) != 0) {
      if (!differs || never_turns(bodies.flags[body])) return;
      const Vec3 moments = bodies.inertia[body];
      root = bodies.sqrt_inertia[body];
      inverse = turned_diagonal(matrix_of(narrow(bodies.q1[body])),
                                Vec3{1.0f / moments.x, 1.0f / moments.y, 1.0f / moments.z});
    }
    CAIRN_HD Vec3 operator()(Vec3 j) const { return differs ? root * (inverse * (root * j)) : j; }
  };
  Turned turned_a, turned_b;

  CAIRN_HD TurnedEnds(const Bodies& bodies, const RowBlock& row, std::uint32_t lane)
      : FreeEnds<float>(bodies.solve, row, lane),
        turned_a(bodies, row.body_a[lane], a.movable),
        turned_b(bodies, row.body_b[lane], b.movable) {}
  CAIRN_HD void push(float l, Vec3 linear, Vec3 j_a, Vec3 j_b) {
    FreeEnds<float>::push(l, linear, turned_a(j_a), turned_b(j_b));
  }
  CAIRN_HD void turn(float l, Vec3 j_a, Vec3 j_b) { FreeEnds<float>::turn(l, turned_a(j_a), turned_b(j_b)); }
  /// Effective mass of a point.
  CAIRN_HD float mass(Vec3 j_a, Vec3 j_b) const {
    const float inverse =
        fma(a.movable, dot(j_a, turned_a(j_a)), fma(b.movable, dot(j_b, turned_b(j_b)), a.inv_mass + b.inv_mass));
    return inverse > 0.0f ? 1.0f / inverse : 0.0f;
  }
};

/// One round of the impacts of a substep. They come before the solver's impulses, at the velocities that it would start
/// from. An approach faster than the threshold that would touch before the substep's end is an impact of two bodies
/// with all the points of their manifold, and nothing else. Rounds repeat over all rows, colour by colour, until no row
/// had an impact: so an impact runs through bodies that touch, one pair after the other.
/// The contact is at the fraction t = s / (h |u|) of the substep, u the approach (for several points, the first one).
/// Newton's law at the velocities of that instant: u' + d = -e (u + d) for all points that would touch, with impulses l
/// >= 0, where d = h (t - 1/2) n . g is the change by free fall since the mean of the substep, which v is. Then
/// friction from the resulting velocities, within mu sum l. And dx -= t h dv: until contact the bodies moved with their
/// old velocity.
/// No order adds energy: with A = J M^-1 J^T and p = -l . u, an impact changes the energy by l A l / 2 - p, and l is
/// shortened to l A l <= (1 + e) p if the sweeps over its points haven't converged (with one point, or exact, the two
/// are equal). That leaves at most -p (1 - e) / 2. (Moreau 1988, "Unilateral contact and dry friction in finite freedom
/// dynamics"; one impact after the other: Chatterjee and Ruina 1998, "A new algebraic rigid body collision law", and
/// Smith et al. 2012, "Reflections on simultaneous impact", on why not all at once.) Friction takes energy by itself:
/// it is a projected step of least energy. Impacts out of order in a substep leave overlap, which ClearRow removes.
/// An impact counts as a force: v1 takes it, too, and none is carried to the next substep. Writes the row's totals; v,
/// w~, dx, struck, v1 and w1 of its bodies (owner by colour); last. One thread per row slot.
template <bool kRolling, class Links = NoLinks>
struct ImpactRow {
  StepConstants k;
  Bodies bodies;
  const Vec3* gravity;  ///< [m/s^2] (worlds)
  Rows rows;
  RowRounds rounds;  ///<     counted from 1 over the substeps; a row with a later impact counts, too
  Links links{};

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    if (rounds.over()) return;
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    std::uint32_t lanes = striking<T>(row, lane);
    for (std::uint32_t i = lane; lanes != 0; ++i, lanes >>= 1) {
      if ((lanes & 1u) == 0) continue;
      with_ends<float>(bodies.solve, links, row, i, [&](auto& ends, std::uint32_t at) { begin(row, at, ends); });
    }
  }

 private:
  CAIRN_HD float mark() const { return static_cast<float>(1 + (rounds.round - 1) / kImpactRounds); }

  CAIRN_HD void begin(RowBlock& row, std::uint32_t lane, FreeEnds<float>&) const {
    TurnedEnds ends(bodies, row, lane);
    strike(row, lane, ends, [&](const RowBlock::Point&, Vec3 j_a, Vec3 j_b) { return ends.mass(j_a, j_b); });
  }
  template <class Ends>
  CAIRN_HD void begin(RowBlock& row, std::uint32_t lane, Ends& ends) const {
    strike(row, lane, ends, [&](const RowBlock::Point& p, Vec3, Vec3) { return p.mass[lane]; });
  }

  /// Bit by lane: it may have an impact. In most substeps none has.
  template <class T>
  CAIRN_HD std::uint32_t striking(const RowBlock& row, std::uint32_t lane) const {
    const T e = load<T>(row.restitution, lane);
    if (!any(e > T(0.0f))) return 0;
    RowBody<T> a, b;
    RowDelta<T> delta_a, delta_b;
    gather_ends(bodies.solve, row, lane, a, b);
    gather_ends(bodies.solve, row, lane, delta_a, delta_b);
    const Vec3T<T> n = load3<T>(row.normal, lane);
    const T slow = -(T(kAftershock) * load<T>(row.bounce_speed, lane));
    std::uint32_t lanes = 0;
    const std::uint32_t points = max_points<T>(&row.count[lane]);
    const RowArms<T> arms(row, lane);
    const NormalMotion<T> moved = arms.moved(n, delta_a, delta_b), speed = arms.speed(n, a, b);
    for (std::uint32_t j = 0; j < points; ++j) {
      const RowBlock::Point& p = row.point[j];
      const Along<T> at = load2<T>(p.place, lane);
      const T s0 = load<T>(p.separation, lane) + load<T>(p.rest, lane);
      const T s = s0 + moved.at(at), u = speed.at(at);
      const auto fast = e > T(0.0f) && u < slow;
      lanes |= lanes_of(fast && fma(T(k.h), u, s) < T(0.0f));
    }
    return lanes;
  }

  template <class Ends, class Mass>
  CAIRN_HD void strike(RowBlock& row, std::uint32_t lane, Ends& ends, const Mass& mass_of) const {
    const std::uint32_t body_a = row.body_a[lane], body_b = row.body_b[lane];
    const RowBody<float> before_a = ends.a, before_b = ends.b;
    const Vec3 n = load3<float>(row.normal, lane), g = gravity[bodies.world[body_a]];
    const std::uint32_t points = row.count[lane];
    const float e = row.restitution[lane];

    // the points that would touch, and the time of the first
    RowDelta<float> delta_a, delta_b;
    gather_ends(bodies.solve, row, lane, delta_a, delta_b);
    const float slow = -threshold(row, lane, g);
    const RowBody<float> alone_a = uncarried(body_a, before_a), alone_b = uncarried(body_b, before_b);
    float u[kManifoldPoints], felt[kManifoldPoints], l[kManifoldPoints], mass[kManifoldPoints], share = 1.0f;
    bool closes[kManifoldPoints], fast = false;
    const RowArms<float> arms(row, lane);
    const NormalMotion<float> moved = arms.moved(n, delta_a, delta_b), all = arms.speed(n, ends.a, ends.b),
                              alone = arms.speed(n, alone_a, alone_b);
    for (std::uint32_t j = 0; j < points; ++j) {
      const RowBlock::Point& p = row.point[j];
      const Along<float> at = load2<float>(p.place, lane);
      const float s = p.separation[lane] + p.rest[lane] + moved.at(at);
      // the slower of the two: a joint's impulse carried from the substep before is no impact, and a foot that its leg
      // pulls back would bounce again and again, each time higher
      u[j] = all.at(at);
      felt[j] = max(u[j], alone.at(at));
      l[j] = 0.0f;
      mass[j] = mass_of(p, arms.a.normal(at), arms.b.normal(at));
      closes[j] = felt[j] < 0.0f && fma(k.h, felt[j], s) < 0.0f;
      fast = fast || (closes[j] && felt[j] < slow);
      if (closes[j]) share = min(share, max(s, 0.0f) / (-k.h * felt[j]));
    }
    if (!fast) return;
    rounds.note();
    const std::uint32_t of_substep = rounds.round - rounds.begin + 1;
    if (share * static_cast<float>(kImpactShares) > static_cast<float>(of_substep)) return;

    // a freely falling body is faster or slower at that instant than in the mean of the substep
    const float fall =
        (share - 0.5f) * (k.h * dot(n, g)) *
        (bodies.gravity_scale[body_b] * before_b.movable - bodies.gravity_scale[body_a] * before_a.movable);
    const int sweeps = points == 1 ? 1 : kImpactSweeps;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (std::uint32_t i = 0; i < (points == 1 ? 1 : 2 * points); ++i) {
        const std::uint32_t j = i < points ? i : 2 * points - 1 - i;
        if (!closes[j]) continue;
        const Along<float> at = load2<float>(row.point[j].place, lane);
        const Vec3 j_a = arms.a.normal(at), j_b = arms.b.normal(at);
        const float wanted = max(-fma(e, felt[j], fma(e, fall, fall)), 0.0f);
        // from the slower approach: otherwise v1, which takes the impact too, would gain energy
        const float now = approach(n, j_a, j_b, ends.a, ends.b) + (felt[j] - u[j]);
        const float next = max(fma(mass[j], wanted - now, l[j]), 0.0f);
        ends.push(next - l[j], n, j_a, j_b);
        l[j] = next;
      }
    }
    if (points != 1) shorten(row, lane, ends, n, u, felt, fall, l);

    Load<float> given;
    for (std::uint32_t j = 0; j < points; ++j) {
      given.add(row.point[j], lane, l[j]);
      row.point[j].total[lane] += l[j];
    }
    const Along<float> centre = given.centre();
    float lever_sum = 0.0f;
    for (std::uint32_t j = 0; j < points; ++j) lever_sum = fma(lever(row, j, lane, centre), l[j], lever_sum);
    rub(row, lane, ends, {row, lane, n, centre}, given.sum, lever_sum);

    ends.starts_anew();
    ends.keep(bodies.solve, row, lane);
    struck(body_a, before_a, share * k.h);
    struck(body_b, before_b, share * k.h);
  }

  /// [m/s] Slower approaches aren't impacts.
  CAIRN_HD float threshold(const RowBlock& row, std::uint32_t lane, Vec3 g) const {
    const float most = row.bounce_speed[lane];
    const std::uint32_t a = row.body_a[lane], b = row.body_b[lane];
    if (bodies.solve[a].struck != mark() && bodies.solve[b].struck != mark()) return most;
    const float fall = fall_of(bodies, a, b, g);
    return min(most, max(kAftershock * most, k.falls * k.h * fall));
  }

  /// The motion of a body without the impulses carried from the substep before.
  CAIRN_HD RowBody<float> uncarried(std::uint32_t body, RowBody<float> motion) const {
    if (!(motion.movable > 0.0f) || is_link(bodies.flags[body])) return motion;
    motion.v = bodies.v1[body];
    motion.w = bodies.w1[body];
    return motion;
  }

  /// Shortens impulses that haven't converged, so that they add no energy.
  template <class Ends>
  CAIRN_HD static void shorten(const RowBlock& row, std::uint32_t lane, Ends& ends, Vec3 n,
                               const float (&u)[kManifoldPoints], const float (&felt)[kManifoldPoints], float fall,
                               float (&l)[kManifoldPoints]) {
    float work = 0.0f, change = 0.0f;  // p, and l A l
    const std::uint32_t points = row.count[lane];
    const RowArms<float> arms(row, lane);
    const NormalMotion<float> speed = arms.speed(n, ends.a, ends.b);
    for (std::uint32_t j = 0; j < points; ++j) {
      const float now = speed.at(load2<float>(row.point[j].place, lane));
      work = fma(l[j], -(felt[j] + fall), work);
      change = fma(l[j], now - u[j], change);
    }
    const float most = max(fma(row.restitution[lane], work, work), 0.0f);
    if (!(change > most)) return;
    const float scale = most / change;
    for (std::uint32_t j = 0; j < points; ++j) {
      const Along<float> at = load2<float>(row.point[j].place, lane);
      ends.push(fma(scale, l[j], -l[j]), n, arms.a.normal(at), arms.b.normal(at));
      l[j] = scale * l[j];
    }
  }

  template <class Ends>
  CAIRN_HD void rub(RowBlock& row, std::uint32_t lane, Ends& ends, const Slide<float>& slide, float sum,
                    float lever_sum) const {
    const float mu = row.mu[lane];
    float before[kRubs] = {}, after[kRubs] = {}, twisted = 0.0f;
    Along<float> slid{0.0f, 0.0f}, rolled{0.0f, 0.0f};
    rates(row, lane, ends, slide, before);
    if constexpr (kRolling) roll(row, lane, ends, row.rolling_reach[lane] * sum, rolled);
    twist(row, lane, ends, mu * lever_sum, twisted);
    slide.push(row, lane, ends, slide.speed(row, lane, ends.a, ends.b, k.belts), mu * sum, slid);
    float l[] = {slid.x, slid.y, twisted, rolled.x, rolled.y};

    // the blocks' masses are those of the step's start: a result that would add energy is shortened
    rates(row, lane, ends, slide, after);
    float work = 0.0f, change = 0.0f;
    for (int i = 0; i < kRubs; ++i) {
      work = fma(l[i], -before[i], work);
      change = fma(l[i], after[i] - before[i], change);
    }
    const float most = max(work, 0.0f);
    if (change > 2.0f * most) {
      const float less = most / change - 1.0f;
      ends.push(less * l[0], slide.t0, slide.a0, slide.b0);
      ends.push(less * l[1], slide.t1, slide.a1, slide.b1);
      ends.turn(less * l[2], load3<float>(row.axes_a[2], lane), load3<float>(row.axes_b[2], lane));
      for (int t = 0; kRolling && t < 2; ++t) {
        ends.turn(less * l[3 + t], load3<float>(row.axes_a[t], lane), load3<float>(row.axes_b[t], lane));
      }
      l[0] = fma(less, l[0], l[0]);
      l[1] = fma(less, l[1], l[1]);
    }
    row.friction_total[0][lane] += l[0];
    row.friction_total[1][lane] += l[1];
  }

  /// Velocities that friction opposes: two of slip, one of twist, two of rolling.
  static constexpr int kRubs = kRolling ? 5 : 3;
  template <class Ends>
  CAIRN_HD void rates(const RowBlock& row, std::uint32_t lane, const Ends& ends, const Slide<float>& slide,
                      float (&v)[kRubs]) const {
    const Along<float> slip = slide.speed(row, lane, ends.a, ends.b, k.belts);
    v[0] = slip.x;
    v[1] = slip.y;
    v[2] = rotation(row.axes_a[2], row.axes_b[2], lane, ends.a.w, ends.b.w);
    for (int t = 0; kRolling && t < 2; ++t) {
      v[3 + t] = rotation(row.axes_a[t], row.axes_b[t], lane, ends.a.w, ends.b.w);
    }
  }

  /// Marks a body as struck and moves it back. Links move with their articulation.
  CAIRN_HD void struck(std::uint32_t body, const RowBody<float>& before, float late) const {
    BodySolve& s = bodies.solve[body];
    if (!(s.movable > 0.0f)) return;
    s.struck = mark();
    if (is_link(bodies.flags[body])) return;
    const Vec3 dv = s.v - before.v;
    bodies.v1[body] = bodies.v1[body] + dv;
    bodies.w1[body] = bodies.w1[body] + (s.w - before.w);
    s.dx = fma(-late, dv, s.dx);
  }
};

/// Removes the overlap at the substep's end that impacts out of order cause. As displacements, since bodies that fly
/// apart would keep the velocities of a depenetration. Writes dx of the row's bodies (owner by colour). One thread per
/// row slot.
struct ClearRow {
  StepConstants k;
  Bodies bodies;
  Rows rows;
  const std::uint32_t* last;  ///< [1] round of impacts
  std::uint32_t substep;      ///< [1]

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    if ((*last - 1) / kImpactRounds != substep) return;
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    std::uint32_t lanes = lanes_of(load<T>(row.restitution, lane) > T(0.0f));
    for (std::uint32_t i = lane; lanes != 0; ++i, lanes >>= 1) {
      if ((lanes & 1u) != 0) clear(row, i);
    }
  }

 private:
  CAIRN_HD void clear(const RowBlock& row, std::uint32_t lane) const {
    BodySolve &a = bodies.solve[row.body_a[lane]], &b = bodies.solve[row.body_b[lane]];
    const float mark = static_cast<float>(1 + substep);
    if (a.struck != mark && b.struck != mark) return;
    const Vec3 n = load3<float>(row.normal, lane);
    float deepest = 0.0f;
    const RowArms<float> arms(row, lane);
    const NormalMotion<float> moved = arms.moved(n, a, b), speed = arms.speed(n, a, b);
    for (std::uint32_t j = 0; j < row.count[lane]; ++j) {
      const RowBlock::Point& p = row.point[j];
      const Along<float> at = load2<float>(p.place, lane);
      deepest = min(deepest, fma(k.h, speed.at(at), p.separation[lane] + p.rest[lane] + moved.at(at)));
    }
    const float weight_a = weight(row.body_a[lane]), weight_b = weight(row.body_b[lane]);
    const float sum = weight_a + weight_b;
    if (!(deepest < 0.0f) || !(sum > 0.0f)) return;
    const float way = min(-deepest, k.h * k.max_depenetration_speed) / sum;
    if (weight_a > 0.0f) a.dx = fma(-way * weight_a, n, a.dx);
    if (weight_b > 0.0f) b.dx = fma(way * weight_b, n, b.dx);
  }
  /// Links move with their articulation.
  CAIRN_HD float weight(std::uint32_t body) const {
    const float inv_mass = bodies.solve[body].inv_mass;
    return inv_mass > 0.0f && is_link(bodies.flags[body]) ? 0.0f : inv_mass;
  }
};

}  // namespace cairn::kernels
