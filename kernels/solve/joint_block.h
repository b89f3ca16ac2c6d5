#pragma once
// A joint of which one body at least is a link of an articulation: its rows as one dense block, W = J M^-1 J^T, M being
// all of the articulation. A link gives way by what its own joints let it: in some directions not at all, and rows
// along these say nothing that could be done, or what other rows say already.

#include "kernels/solve/articulated_ends.h"
#include "kernels/solve/joint_half.h"
#include "kernels/solve/ldl.h"

namespace cairn::kernels {

/// [1] A row can push nothing where the share of its inverse mass that the link would have by itself is less: the
/// directions of rows are floats, so that one along which a link can't move has some 1e-14 of it.
inline constexpr double kLeastGiving = 1e-10;
/// [1] A row says what others do where less of its own inverse mass is left when they are held. The bars of a linkage
/// in a plane, whose axes are out by 1e-3 rad, leave 1e-6; a ball of 2 cm on an arm of 1 m leaves 2e-4.
inline constexpr double kLeastOwn = 1e-5;

class JointBlock {
 public:
  /// The joint's rows, in the place of its node's factor.
  CAIRN_HD JointBlock(BodySolve* solve, const Links& links, JointNode& node, JointRow* rows)
      : row(rows + node.first), count(node.rows), solve_(solve), links_(links), w_(node.body_factor),
        body_{node.body_a, node.body_b}, link_{links.of_body[node.body_a], links.of_body[node.body_b]} {}

  JointRow* const row;
  const std::uint32_t count;

  /// W of all rows, in double: what rows leave of each other is small where a link hardly moves.
  CAIRN_HD void weigh() const {
    const bool joined = joined_links();
    for (std::uint32_t r = 0; r < count; ++r) {
      articulate::Motion change[2];
      if (joined) {
        const LinkPush push(links_, link_[0]);
        for (int side = 0; side < 2; ++side) lead(push, side, row[r]);
        lead_out(push.in);
        for (int side = 0; side < 2; ++side) change[side] = push.change_of(links_.link[link_[side]]);
      } else {
        for (int side = 0; side < 2; ++side) {
          if (link_[side] != kNone) change[side] = eased(side, row[r]);
        }
      }
      for (std::uint32_t q = 0; q <= r; ++q) {
        double sum = 0.0;
        for (int side = 0; side < 2; ++side) {
          sum = sum + (link_[side] != kNone ? along(side, row[q], change[side]) : along_free(side, row[q], row[r]));
        }
        w_[packed(r, q)] = sum;
      }
      const double alone = by_itself(row[r]);
      row[r].inv_mass = static_cast<float>(max(w_[packed(r, r)], kLeastGiving * alone));
      // a pivot that isn't there is left out
      if (!(w_[packed(r, r)] > kLeastGiving * alone)) w_[packed(r, r)] = 0.0;
    }
  }
  CAIRN_HD double weight(std::uint32_t r, std::uint32_t q) const { return w_[r < q ? packed(q, r) : packed(r, q)]; }

  /// J v of a row.
  CAIRN_HD double speed_of(const JointRow& r) const {
    const BodySolve &a = solve_[body_[0]], &b = solve_[body_[1]];
    return JointHalf(r.linear_a, r.angular_a).times(JointHalf(a.v, a.w).j) +
           JointHalf(r.linear_b, r.angular_b).times(JointHalf(b.v, b.w).j);
  }
  /// [m/s] What all rows' changes are worth to one.
  CAIRN_HD double changed(std::uint32_t r) const {
    double sum = 0.0;
    for (std::uint32_t q = 0; q < count; ++q) sum = fma(weight(r, q), row[q].change, sum);
    return sum;
  }

  /// Rows' goals -> `change` of rows. Rows that say nothing new push nothing: which they are shows as those are taken
  /// first that say the most.
  CAIRN_HD_CALL void solve(bool forgets) const {
    double a[21], x[kJointAxes];
    std::uint32_t of[kJointAxes], n = 0;
    for (std::uint32_t r = 0; r < count; ++r) {
      JointRow& to = row[r];
      if (to.piece.held != 0) to.change = to.piece.goal - static_cast<double>(to.impulse);
    }
    n = choose(of, forgets);
    for (std::uint32_t i = 0; i < n; ++i) {
      const JointRow& from = row[of[i]];
      x[i] = from.piece.goal - fma(from.piece.softness, static_cast<double>(from.impulse), from.speed);
      for (std::uint32_t q = 0; q < count; ++q) {
        if (!taken(of, n, q)) x[i] = fma(-weight(of[i], q), row[q].change, x[i]);
      }
      for (std::uint32_t j = 0; j <= i; ++j) a[packed(i, j)] = weight(of[i], of[j]);
      a[packed(i, i)] = a[packed(i, i)] + from.piece.softness;
    }
    factor(a, n);
    solve_factored(a, n, x);
    for (std::uint32_t i = 0; i < n; ++i) row[of[i]].change = x[i];
  }

  /// [m/s, rad/s] The fastest that the rows' changes would move any node of the articulations.
  CAIRN_HD double stir() const {
    double sum[2][kNodeAxes]{};
    add_changes(sum);
    double most = 0.0;
    const bool joined = joined_links();
    for (int side = 0; side < 2; ++side) {
      if (link_[side] == kNone || (joined && side == 1)) continue;
      const LinkPush push(links_, link_[side]);
      lead(push, side, sum[side]);
      if (joined) lead(push, 1, sum[1]);
      lead_out(push.in);
      for (std::uint32_t n = 0; n < push.in.b.nodes; ++n) {
        const articulate::Motion m = articulate::load_motion(push.in.node(n).from(articulate::kChange));
        most = max(most, max(length(m.v), length(m.w)));
      }
    }
    return most;
  }

  /// What the rows' changes make of both bodies.
  CAIRN_HD void give_changes() const {
    double sum[2][kNodeAxes]{}, turn[2][kNodeAxes]{};
    add_changes(sum);
    for (std::uint32_t r = 0; r < count; ++r) {
      for (int side = 0; side < 2; ++side) turn_of(side, row[r]).add_to(row[r].change, turn[side]);
    }
    for (int side = 0; side < 2; ++side) {
      if (link_[side] == kNone) move(side, turn[side]);
    }
    give(sum[0], sum[1]);
  }
  /// Takes from the bodies that aren't links what they carry of the substep before.
  CAIRN_HD void take_back(const JointNode& n) const {
    for (int side = 0; side < 2; ++side) {
      if (link_[side] != kNone) continue;
      double carried[kNodeAxes];
      const JointHalf ahead = side == 0 ? JointHalf(n.ahead_va, n.ahead_wa) : JointHalf(n.ahead_vb, n.ahead_wb);
      for (std::uint32_t i = 0; i < kNodeAxes; ++i) carried[i] = ahead.j[i];
      for (std::uint32_t r = 0; r < count; ++r) {
        turn_of(side, row[r]).add_to(-static_cast<double>(row[r].impulse), carried);
      }
      move(side, carried);
    }
  }

 private:
  CAIRN_HD void add_changes(double (&sum)[2][kNodeAxes]) const {
    for (std::uint32_t r = 0; r < count; ++r) {
      for (int side = 0; side < 2; ++side) half(side, row[r]).add_to(row[r].change, sum[side]);
    }
  }
  CAIRN_HD bool joined_links() const {
    return link_[0] != kNone && link_[1] != kNone &&
           links_.link[link_[0]].articulation == links_.link[link_[1]].articulation;
  }
  CAIRN_HD static JointHalf half(int side, const JointRow& r) {
    return side == 0 ? JointHalf(r.linear_a, r.angular_a) : JointHalf(r.linear_b, r.angular_b);
  }
  /// Motion of the body alone under the row's impulse.
  CAIRN_HD JointHalf turn_of(int side, const JointRow& r) const {
    const float inv_mass = solve_[body_[side]].inv_mass;
    return side == 0 ? JointHalf(inv_mass * r.linear_a, r.turn_a) : JointHalf(inv_mass * r.linear_b, r.turn_b);
  }
  CAIRN_HD double along_free(int side, const JointRow& to, const JointRow& from) const {
    return half(side, to).times(turn_of(side, from).j);
  }
  CAIRN_HD double by_itself(const JointRow& r) const { return along_free(0, r, r) + along_free(1, r, r); }

  /// The row's impulse of 1 on a link: moments about its centre of mass are I^1/2 times what works on w~.
  CAIRN_HD articulate::Vec force(int side, const JointRow& r) const {
    return widen(side == 0 ? r.linear_a : r.linear_b);
  }
  CAIRN_HD articulate::Vec moment(int side, const JointRow& r) const {
    return moment_of(side, widen(side == 0 ? r.angular_a : r.angular_b));
  }
  CAIRN_HD articulate::Vec moment_of(int side, const articulate::Vec& w) const {
    const Sym3& s = links_.sqrt_inertia[body_[side]];
    const articulate::Symmetric root{s.xx, s.yy, s.zz, s.xy, s.xz, s.yz};
    return root * w;
  }
  CAIRN_HD void lead(const LinkPush& push, int side, const JointRow& r) const {
    push.lead_in(link_[side], force(side, r), moment(side, r));
  }
  /// Motion of a link under the row's impulse on it.
  CAIRN_HD articulate::Motion eased(int side, const JointRow& r) const {
    using namespace articulate;
    const LinkBody& link = links_.link[link_[side]];
    const InWorld in(links_, links_.articulated[link.articulation]);
    const Transform place = load_transform(in.node(link.node).from(kPlace));
    return of_link(place, link, response(in, link.node, on_node(place, link, force(side, r), moment(side, r))));
  }
  CAIRN_HD double along(int side, const JointRow& r, const articulate::Motion& m) const {
    return dot(force(side, r), m.v, dot(moment(side, r), m.w));
  }

  CAIRN_HD static bool taken(const std::uint32_t* of, std::uint32_t n, std::uint32_t r) {
    for (std::uint32_t i = 0; i < n; ++i) {
      if (of[i] == r) return true;
    }
    return false;
  }

  /// The rows to solve for; the others push nothing, beside those that are held. By L D L^T, the largest share of a
  /// row's own first.
  CAIRN_HD std::uint32_t choose(std::uint32_t* of, bool forgets) const {
    double left[kJointAxes], own[kJointAxes], column[kJointAxes][kJointAxes];
    bool open[kJointAxes];
    for (std::uint32_t r = 0; r < count; ++r) {
      open[r] = row[r].piece.held == 0;
      own[r] = left[r] = weight(r, r) + row[r].piece.softness;
    }
    std::uint32_t n = 0;
    for (;;) {
      std::uint32_t best = count;
      double most = kLeastOwn;
      for (std::uint32_t r = 0; r < count; ++r) {
        if (!open[r] || !(left[r] > most * own[r])) continue;
        most = left[r] / own[r];
        best = r;
      }
      if (best == count) break;
      open[best] = false;
      for (std::uint32_t r = 0; r < count; ++r) {
        double x = weight(r, best);
        for (std::uint32_t i = 0; i < n; ++i) x = fma(-column[i][r], column[i][best] * left[of[i]], x);
        column[n][r] = x / left[best];
        if (open[r]) left[r] = fma(-x, column[n][r], left[r]);
      }
      of[n++] = best;
    }
    for (std::uint32_t r = 0; r < count; ++r) {
      if (open[r]) row[r].change = forgets ? -static_cast<double>(row[r].impulse) : 0.0;
    }
    return n;
  }

  CAIRN_HD void move(int side, const double* change) const {
    BodySolve& s = solve_[body_[side]];
    if (!(s.turnable > 0.0f)) return;
    s.v = narrow(widen(s.v) + Vec3d{change[0], change[1], change[2]});
    s.w = narrow(widen(s.w) + Vec3d{change[3], change[4], change[5]});
  }
  /// Impulses of both sides to what of them are links.
  CAIRN_HD void give(const double* a, const double* b) const {
    if (joined_links()) {
      const LinkPush push(links_, link_[0]);
      take(push, 0, a);
      take(push, 1, b);
      push.give();
      return;
    }
    for (int side = 0; side < 2; ++side) {
      if (link_[side] == kNone) continue;
      const LinkPush push(links_, link_[side]);
      take(push, side, side == 0 ? a : b);
      push.give();
    }
  }
  CAIRN_HD void lead(const LinkPush& push, int side, const double* l) const {
    push.lead_in(link_[side], {l[0], l[1], l[2]}, moment_of(side, {l[3], l[4], l[5]}));
  }
  CAIRN_HD void take(const LinkPush& push, int side, const double* l) const {
    const articulate::Vec force{l[0], l[1], l[2]}, moment = moment_of(side, {l[3], l[4], l[5]});
    LinkState& state = links_.state[link_[side]];
    state.joint_force = state.joint_force + force;
    state.joint_moment = state.joint_moment + moment;
    push.lead_in(link_[side], force, moment);
  }

  BodySolve* solve_;
  const Links& links_;
  double* w_;               ///< [1/kg] by rows
  std::uint32_t body_[2], link_[2];  ///< [1] of sides a and b; links: kNone where it isn't one
};

}  // namespace cairn::kernels
