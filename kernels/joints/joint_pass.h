#pragma once
// The rows of joints that are solved at once, in a pass: their state at its start, and the use of its result.

#include "kernels/common/state.h"
#include "kernels/joints/joint_half.h"
#include "kernels/joints/joint_law.h"
#include "kernels/joints/push.h"

namespace cairn::kernels {

enum class JointPass {
  kStart,  ///< gives the bodies the impulses that the start of the substep owes them
  kBias,   ///< corrects errors
  kRelax,  ///< removes the speed of the correction
};

/// State at a pass's start.
struct JointLook {
  bool stale;  ///< the factor must be computed again
  bool bends;  ///< some row has more than one piece, or its impulse has no effect
};

/// A joint's two ends, while its rows are observed.
struct JointEnds {
  const JointNode& node;
  JointHalf a, b;  ///< v and w~

  CAIRN_HD JointEnds(const BodySolve* solve, const JointNode& of)
      : node(of), a(solve[of.body_a].v, solve[of.body_a].w), b(solve[of.body_b].v, solve[of.body_b].w) {}
  /// J v
  CAIRN_HD double speed(const JointRow& row) const {
    return JointHalf(row.linear_a, row.angular_a).times(a.j) + JointHalf(row.linear_b, row.angular_b).times(b.j);
  }
};

template <class Team>
struct JointPassRows {
  BodySolve* solve;
  const JointLayout& layout;
  const JointTree& tree;
  const JointSoftness& soft;
  JointPass pass;
  Team team;

  /// f(node) of each node.
  template <class F>
  CAIRN_HD void each_node(const F& f) const {
    team.each(tree.end - tree.begin, [&](std::uint32_t i) { f(layout.node[tree.begin + i]); });
  }
  /// f(node, row) of each row.
  template <class F>
  CAIRN_HD void for_each(const F& f) const {
    each_joint_row(team, tree, layout.node, layout.row, f);
  }
  CAIRN_HD bool any() const {
    bool any = false;
    each_node([&](const JointNode& n) { any = any || n.rows != 0; });
    return team.any(any);
  }

  /// Once: nothing is owed afterwards.
  CAIRN_HD void start() const {
    team.template each_slice<kNodeAxes>([&](auto axes) {
      for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
        const JointNode& n = layout.node[i];
        if (n.rows == 0) continue;
        pay(n.body_a, n.ahead.v_a, n.ahead.w_a, axes);
        pay(n.body_b, n.ahead.v_b, n.ahead.w_b, axes);
      }
    });
    each_node([](JointNode& n) {
      if (n.rows != 0) n.ahead = {};
    });
  }

  /// Adds an impulse along the row that the start of the next substep gives the bodies.
  CAIRN_HD void owe(JointNode& n, const JointRow& row, float l) const {
    n.ahead = with_push(row, l, solve[n.body_a].inv_mass, solve[n.body_b].inv_mass, n.ahead);
  }

  /// Speeds of the rows, at which their laws need no impulse, and the first piece of each row; with links, errors are
  /// corrected at the nodes' share of the speed.
  CAIRN_HD JointLook observe() const {
    const bool linked = tree.linked != 0, relaxes = pass == JointPass::kRelax;
    const bool leaks = pass == JointPass::kBias && soft.leak > 0.0f && !linked;
    if (leaks) sum_pushes();
    bool stale = false, bends = false;
    each_node([&](const JointNode& n) { stale = stale || n.stale != 0; });
    team.template each_of<kJointAxes>(
        tree.end - tree.begin, [&](std::uint32_t i) { return layout.node[tree.begin + i].rows; },
        [&](std::uint32_t i) {
          return JointEnds{solve, layout.node[tree.begin + i]};
        },
        [&](std::uint32_t, std::uint32_t r, const JointEnds& ends) {
          JointRow& to = layout.row[ends.node.first + r];
          to.speed = ends.speed(to);
          const double most = to.gives == JointRow::Gives::kPerhaps ? kCalmSpeed : kMaxJointSpeed;
          const double pushed = leaks ? change_of(layout.node, ends.node, to) : 0.0;
          for (std::uint32_t l = 0; l < to.laws; ++l) {
            const JointLaw& law = to.law[l];
            to.place[l] = linked && law.kind == JointLaw::Kind::kHold
                              ? way_out(law, relaxes ? 0.0 : share_of(ends.node), most)
                              : place_of(law, soft, relaxes, tree, to.speed, pushed);
          }
          keep_within(to);
          const JointLine line{to};
          bends = bends || !line.straight();
          stale = take_piece(to, line.piece(to.speed, static_cast<double>(to.impulse))) || stale;
        });
    return {team.any(stale), team.any(bends)};
  }
  CAIRN_HD double share_of(const JointNode& n) const {
    const float child = layout.node[n.child].share;
    return static_cast<double>(n.parent != kNone ? min(child, layout.node[n.parent].share) : child);
  }

  /// Moves rows to the pieces that the result lies on. True if some used another piece.
  CAIRN_HD bool look_again(bool last, bool& stale) const {
    bool again = false;
    stale = false;
    for_each([&](const JointNode& n, JointRow& row) {
      if (JointLine{row}.straight()) return;
      const double speed = row.speed + change_of(layout.node, n, row);
      const double impulse = static_cast<double>(row.impulse) + row.change;
      const Went went = go_on(row, speed, impulse, last);
      again = again || went != Went::kNowhere;
      stale = stale || went == Went::kToOtherMatrix;
    });
    stale = team.any(stale);
    return team.any(again);
  }

  /// Applies a share of the result.
  CAIRN_HD void finish(double share) const {
    each_node([&](JointNode& n) {
      for (std::uint32_t r = 0; r < n.rows; ++r) {
        JointRow& row = layout.row[n.first + r];
        row.impulse = static_cast<float>(fma(share, row.change, static_cast<double>(row.impulse)));
        // kept from the last pass of a substep. Sequential impulses have several passes, and one substep
        if (pass == JointPass::kRelax || !(soft.relaxes || tree.linked != 0)) row.total = row.impulse;
        if (pass == JointPass::kRelax && tree.contested != 0) carry_less(n, row);
      }
      if (&n >= layout.node + tree.links) return;
      BodySolve& s = solve[n.body];
      if (!(s.movable > 0.0f)) return;
      const double* const d = n.change;
      s.v = narrow(fma(share, Vec3d{d[0], d[1], d[2]}, widen(s.v)));
      s.w = narrow(fma(share, Vec3d{d[3], d[4], d[5]}, widen(s.w)));
    });
  }

 private:
  CAIRN_HD void pay(std::uint32_t body, Vec3 v, Vec3 w, Slice<kNodeAxes>) const {
    BodySolve& s = solve[body];
    if (!(s.movable > 0.0f)) return;
    s.v = s.v + v;
    s.w = s.w + w;
  }
  CAIRN_HD void pay(std::uint32_t body, Vec3 v, Vec3 w, Slice<1> axis) const {
    BodySolve& s = solve[body];
    if (!(s.movable > 0.0f)) return;
    const auto add = [&](std::uint32_t i, float& to, float x) {
      if (axis.first == i) to = to + x;
    };
    add(0, s.v.x, v.x);
    add(1, s.v.y, v.y);
    add(2, s.v.z, v.z);
    add(3, s.w.x, w.x);
    add(4, s.w.y, w.y);
    add(5, s.w.z, w.z);
  }

  /// Velocity change of each body by the joints' impulses, in `change`.
  CAIRN_HD void sum_pushes() const {
    each_node([](JointNode& n) {
      for (double& x : n.change) x = 0.0;
    });
    team.template each_slice<kNodeAxes>([&](auto axes) {
      for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
        const JointNode& n = layout.node[i];
        if (n.rows == 0) continue;
        const float inv_a = solve[n.body_a].inv_mass, inv_b = solve[n.body_b].inv_mass;
        ends_of(axes, layout.node, n, &JointNode::change, [&](auto& child, auto* parent) {
          for (std::uint32_t r = 0; r < n.rows; ++r) {
            const JointRow& from = layout.row[n.first + r];
            const auto l = static_cast<double>(from.impulse);
            const Vec3 a = inv_a * from.linear_a, b = inv_b * from.linear_b;
            n.is_b != 0 ? child.add(l, b, from.turn_b) : child.add(l, a, from.turn_a);
            if (parent == nullptr) continue;
            n.is_b != 0 ? parent->add(l, a, from.turn_a) : parent->add(l, b, from.turn_b);
          }
        });
      }
    });
  }

  /// Caps the impulse that the next substep starts with, and owes the difference.
  CAIRN_HD void carry_less(JointNode& n, JointRow& row) const {
    const float most = carried_bound(row), kept = clamp(row.impulse, -most, most);
    const float less = kept - row.impulse;
    if (less == 0.0f) return;
    row.impulse = kept;
    owe(n, row, less);
  }
};

}  // namespace cairn::kernels
