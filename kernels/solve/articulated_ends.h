#pragma once
// The two bodies of a row, of which at least one is a link of an articulation: an impulse on it moves the whole
// articulation.

#include "kernels/articulations/respond.h"
#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// Vector over v and w~ of a body: an impulse or a motion.
struct SolveVec {
  Vec3 linear;   ///< [N s] or [m/s]
  Vec3 angular;  ///< [kg^1/2 m/s] both
};
/// m p, of 6 columns.
CAIRN_HD SolveVec times(const float* m, const SolveVec& p) {
  SolveVec sum{{0, 0, 0}, {0, 0, 0}};
  const float part[6] = {p.linear.x, p.linear.y, p.linear.z, p.angular.x, p.angular.y, p.angular.z};
  for (std::uint32_t c = 0; c < 6; ++c) {
    const float* const column = m + 6 * c;
    sum.linear = fma(part[c], Vec3{column[0], column[1], column[2]}, sum.linear);
    sum.angular = fma(part[c], Vec3{column[3], column[4], column[5]}, sum.angular);
  }
  return sum;
}
/// m^T p
CAIRN_HD SolveVec transpose_times(const float* m, const SolveVec& p) {
  float sum[6];
  for (std::uint32_t c = 0; c < 6; ++c) {
    const float* const column = m + 6 * c;
    sum[c] =
        dot(Vec3{column[0], column[1], column[2]}, p.linear, dot(Vec3{column[3], column[4], column[5]}, p.angular));
  }
  return {{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
}
CAIRN_HD float dot(const SolveVec& a, const SolveVec& b) { return dot(a.linear, b.linear, dot(a.angular, b.angular)); }

/// One body of the row.
struct ArticulatedEnd {
  RowBody<float> body;
  SolveVec impulse{{0, 0, 0}, {0, 0, 0}};  ///< by the row, if it is a link
  const float* response{nullptr};          ///< [1/kg, kg^-1/2 / m, 1/m^2] null: not a link

  CAIRN_HD SolveVec eased(const SolveVec& p) const {
    if (response != nullptr) return times(response, p);
    return {body.inv_mass * p.linear, body.movable * p.angular};
  }
  CAIRN_HD void move(const SolveVec& m) {
    body.v = body.v + m.linear;
    body.w = body.w + m.angular;
  }
  CAIRN_HD void push(float l, Vec3 linear, Vec3 angular) {
    if (response == nullptr) {
      body.push(l, linear, angular);
      return;
    }
    const SolveVec p{l * linear, l * angular};
    impulse = {impulse.linear + p.linear, impulse.angular + p.angular};
    move(times(response, p));
  }
};

/// Impulses on links of one articulation, each at the centre of mass with a moment about it, world axes.
struct LinkPush {
  const Links& links;
  const Articulated& at;
  articulate::InWorld in;

  CAIRN_HD LinkPush(const Links& of, std::uint32_t link)
      : links(of), at(of.articulated[of.link[link].articulation]), in(of, at) {
    articulate::clear_impulses(in);
  }

  CAIRN_HD articulate::Transform place_of(const LinkBody& link) const { return in.place(link.node); }
  /// Input of `lead_out`, or `give`.
  CAIRN_HD void lead_in(std::uint32_t i, const articulate::Vec& force, const articulate::Vec& moment) const {
    const LinkBody& link = links.link[i];
    articulate::lead_in(in, link.node, on_node(place_of(link), link.centre, force, moment));
  }
  /// Change of a link's motion by the impulses led in, after `lead_out`.
  CAIRN_HD articulate::Motion change_of(const LinkBody& link) const {
    return of_link(place_of(link), link.centre, in.change(link.node));
  }
  /// Applies the impulses led in to all rates and links.
  CAIRN_HD_CALL void give() const {
    lead_out(in);
    const articulate::Lanes l = in.lanes();
    for (std::uint32_t d = 0; d < in.b.dofs; ++d) l.dof(d)[articulate::kRate] += in.dof(d)[articulate::kGiven];
    for (std::uint32_t i = at.link_begin; i < at.link_end; ++i) {
      const LinkBody& link = links.link[i];
      const articulate::Motion m = change_of(link);
      BodySolve& s = links.solve[link.body];
      s.v = s.v + narrow(m.v);
      s.w = s.w + links.sqrt_inertia[link.body] * narrow(m.w);
    }
  }
};

/// [1] Min of J M^-1 J^T of a row on links, as a share of its value for free bodies. The less a link yields in a row,
/// the faster its joints would turn, in the end by rounding alone. So a row below the bound takes more passes in
/// proportion. Feet of robots have a hundredth and more. Rolling friction has less, and is bounded.
inline constexpr float kLeastGiving = 1e-3f;

/// FreeEnds with the bodies' articulations. If both are links of one articulation, each is moved by the other's
/// impulse. Writes the lanes of the articulations, and v and w~ of all their links.
class ArticulatedEnds {
 public:
  using Number = float;

  CAIRN_HD ArticulatedEnds(const BodySolve* solve, const Links& links, const RowBlock& row, std::uint32_t lane)
      : links_(links), link_a_(links.of_body[row.body_a[lane]]), link_b_(links.of_body[row.body_b[lane]]) {
    gather(solve, &row.body_a[lane], end_a_.body);
    gather(solve, &row.body_b[lane], end_b_.body);
    if (link_a_ != kNone) end_a_.response = links.state[link_a_].response;
    if (link_b_ != kNone) end_b_.response = links.state[link_b_].response;
    joined_ =
        link_a_ != kNone && link_b_ != kNone && links.link[link_a_].articulation == links.link[link_b_].articulation;
    if (joined_) find_cross();
  }

 private:
  const Links& links_;
  std::uint32_t link_a_, link_b_;  ///< [1] kNone: not a link
  bool joined_{false}, carried_{true};
  ArticulatedEnd end_a_, end_b_;
  float cross_[36];  ///< [1/kg, kg^-1/2 / m, 1/m^2] motion of a under an impulse on b, by columns

 public:
  const RowBody<float>&a{end_a_.body}, &b{end_b_.body};
  ArticulatedEnds(const ArticulatedEnds&) = delete;
  ArticulatedEnds& operator=(const ArticulatedEnds&) = delete;

  CAIRN_HD void push(float l, Vec3 linear, Vec3 j_a, Vec3 j_b) {
    end_a_.push(-l, linear, j_a);
    end_b_.push(l, linear, j_b);
    if (!joined_) return;
    end_a_.move(times(cross_, {l * linear, l * j_b}));
    end_b_.move(transpose_times(cross_, {-l * linear, -l * j_a}));
  }
  CAIRN_HD void turn(float l, Vec3 j_a, Vec3 j_b) { push(l, Vec3{0, 0, 0}, j_a, j_b); }

  /// Coupling of two rows: J1 M^-1 J2^T.
  CAIRN_HD float weight(Vec3 linear1, Vec3 a1, Vec3 b1, Vec3 linear2, Vec3 a2, Vec3 b2) const {
    const SolveVec on_a1{linear1, a1}, on_b1{linear1, b1}, on_a2{linear2, a2}, on_b2{linear2, b2};
    float sum = dot(on_a1, end_a_.eased(on_a2)) + dot(on_b1, end_b_.eased(on_b2));
    if (joined_) sum = sum - dot(on_a1, times(cross_, on_b2)) - dot(on_b1, transpose_times(cross_, on_a2));
    return sum;
  }

  /// The same of a row with itself: at least kLeastGiving of its value for free bodies.
  CAIRN_HD float weight(Vec3 linear, Vec3 on_a, Vec3 on_b) const {
    const auto alone = [&](const RowBody<float>& of, Vec3 angular) {
      return fma(of.inv_mass, dot(linear, linear), of.movable * dot(angular, angular));
    };
    return max(weight(linear, on_a, on_b, linear, on_a, on_b), kLeastGiving * (alone(a, on_a) + alone(b, on_b)));
  }

  /// The impulses kept from here on are no warm start of the next substep.
  CAIRN_HD void starts_anew() { carried_ = false; }

  CAIRN_HD void keep(BodySolve* solve, const RowBlock& row, std::uint32_t lane) { keep(solve, row, lane, 1.0f); }
  CAIRN_HD void keep(BodySolve* solve, const RowBlock& row, std::uint32_t lane, float share) {
    if (link_a_ == kNone) keep_share(solve, &row.body_a[lane], share, end_a_.body);
    if (link_b_ == kNone) keep_share(solve, &row.body_b[lane], share, end_b_.body);
    if (joined_) {
      give(link_a_, end_a_, link_b_, end_b_, share);
    } else {
      if (link_a_ != kNone) give(link_a_, end_a_, kNone, end_b_, share);
      if (link_b_ != kNone) give(link_b_, end_b_, kNone, end_a_, share);
    }
  }

 private:
  CAIRN_HD_CALL void find_cross() {
    using namespace articulate;
    const LinkBody &on_a = links_.link[link_a_], &on_b = links_.link[link_b_];
    const InWorld in(links_, links_.articulated[on_a.articulation]);
    const Transform place_a = in.place(on_a.node);
    const Transform place_b = in.place(on_b.node);
    for (std::uint32_t c = 0; c < 6; ++c) {
      const Force unit = unit_force((c + 3) % 6);
      const Force given = on_node(place_b, on_b.centre, unit.f, widen(links_.sqrt_inertia[on_b.body] * narrow(unit.n)));
      const Motion m = of_link(place_a, on_a.centre, response(in, on_a.node, on_b.node, given));
      put_column(cross_ + 6 * c, m, links_.sqrt_inertia[on_a.body]);
    }
  }

  /// Applies the impulse of a link, and of another if there is one, to the articulation and all its links.
  CAIRN_HD_CALL void give(std::uint32_t one, const ArticulatedEnd& end, std::uint32_t other,
                          const ArticulatedEnd& other_end, float share) const {
    LinkPush push(links_, one);
    take(push, one, end, share);
    if (other != kNone) take(push, other, other_end, share);
    push.give();
  }
  CAIRN_HD void take(const LinkPush& push, std::uint32_t at, const ArticulatedEnd& end, float share) const {
    const articulate::Vec force = widen(share * end.impulse.linear);
    const articulate::Vec moment = widen(links_.sqrt_inertia[links_.link[at].body] * (share * end.impulse.angular));
    LinkState& state = links_.state[at];
    articulate::Vec& to_force = carried_ ? state.force : state.joint_force;
    articulate::Vec& to_moment = carried_ ? state.moment : state.joint_moment;
    to_force = to_force + force;
    to_moment = to_moment + moment;
    push.lead_in(at, force, moment);
  }
};

CAIRN_HD bool any_links(const Links& links, const RowBlock& row, std::uint32_t lane, std::uint32_t lanes) {
  bool any = false;
  for (std::uint32_t i = lane; i < lane + lanes; ++i) {
    any = any || links.of_body[row.body_a[i]] != kNone || links.of_body[row.body_b[i]] != kNone;
  }
  return any;
}

/// Works lane by lane if there is a link.
template <class T, class F>
CAIRN_HD void with_ends(BodySolve* solve, const Links& links, RowBlock& row, std::uint32_t lane, const F& f) {
  if (!any_links(links, row, lane, kLanesOf<T>)) {
    FreeEnds<T> ends(solve, row, lane);
    f(ends, lane);
    return;
  }
  for (std::uint32_t i = lane; i < lane + kLanesOf<T>; ++i) {
    if (any_links(links, row, i, 1)) {
      ArticulatedEnds ends(solve, links, row, i);
      f(ends, i);
    } else {
      FreeEnds<float> ends(solve, row, i);
      f(ends, i);
    }
  }
}

}  // namespace cairn::kernels
