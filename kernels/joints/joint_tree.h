#pragma once
// All joints of a tree at once, in time that grows with their number: bodies are eliminated from the leaves to the
// root, each with the joint by which it hangs (Baraff 1996, Linear-time dynamics using Lagrange multipliers). With D
// the mass of a body and of what hangs from it, and J_c, J_p what its joint measures of it and of its parent:
//   S = J_c D^-1 J_c^T + softness,  D_p += J_p^T S^-1 J_p,  l = S^-1 (goal - J_c D^-1 push - J_p dv_p),
//   dv = D^-1 (push + J_c^T l).
// In double: an arm of 5 m on a ball of 1 cm turns 10^6 times as easily as it shifts.

#include "kernels/joints/joint_half.h"
#include "kernels/solve/ldl.h"

namespace cairn::kernels {

/// What a team has in common while it works on a node.
struct NodeWork {
  std::uint32_t of[kJointAxes];            ///< [1] rows of its joint that aren't held
  double eased[kJointAxes][kNodeAxes];     ///< [1] D^-1 J_c^T, then L^-1 J_p
  double weighted[kJointAxes][kNodeAxes];  ///< [1] the latter, times its row's pivot
  double x[kJointAxes];                    ///< [m/s], [N s]
};

/// Its bodies are the nodes [begin, links) of the tree.
template <class Team>
struct TreeSolver {
  JointNode* node;
  JointRow* row;
  JointTree tree;
  Team team;

  /// Of the rows that aren't held.
  CAIRN_HD void factor_bodies() const {
    team.each(tree.links - tree.begin, [&](std::uint32_t i) { effective_mass(node[tree.begin + i]); });
    for (std::uint32_t i = tree.begin; i < tree.links; ++i) factor_node(node[i]);
  }

  CAIRN_HD void clear() const {
    team.each(tree.loops - tree.begin, [&](std::uint32_t i) {
      for (double& x : node[tree.begin + i].push) x = 0.0;
    });
  }
  /// An impulse along a row, to both of its nodes.
  CAIRN_HD void push(const JointNode& n, const JointRow& r, double l) const {
    child_of(n, r).add_to(l, node[n.child].push);
    if (n.parent != kNone) parent_of(n, r).add_to(l, node[n.parent].push);
  }
  /// Impulses l(row) along those rows for which that is true of `goes`, to all nodes of them.
  template <class Goes, class L>
  CAIRN_HD void push_all(const Goes& goes, const L& l) const {
    team.template each_slice<kNodeAxes>([&](auto axes) {
      for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
        const JointNode& n = node[i];
        if (n.rows == 0) continue;
        ends_of(axes, node, n, &JointNode::push, [&](auto& child, auto* parent) {
          for (std::uint32_t r = 0; r < n.rows; ++r) {
            const JointRow& from = row[n.first + r];
            if (!goes(from)) continue;
            child.add_child(l(from), n, from);
            if (parent != nullptr) parent->add_parent(l(from), n, from);
          }
        });
      }
    });
  }

  /// Pushes -> `change` of nodes and rows, by the rows and their goals.
  CAIRN_HD void lead() const {
    for (std::uint32_t i = tree.begin; i < tree.links; ++i) lead_in(node[i], true);
    for (std::uint32_t i = tree.links; i-- > tree.begin;) lead_out(node[i]);
  }
  /// The same where loops go, with nothing wanted of the rows.
  CAIRN_HD void lead_around() const {
    for (std::uint32_t i = tree.begin; i < tree.links; ++i) {
      if (node[i].on_loop != 0) lead_in(node[i], false);
    }
    for (std::uint32_t i = tree.links; i-- > tree.begin;) {
      if (node[i].on_loop != 0) lead_out(node[i]);
    }
  }

  CAIRN_HD static double goal_of(const JointRow& r) {
    return r.piece.goal - fma(r.piece.softness, static_cast<double>(r.impulse), r.speed);
  }

 private:
  CAIRN_HD static void effective_mass(JointNode& n) {
    double* const d = n.body_factor;
    for (std::uint32_t i = 0; i < 21; ++i) d[i] = 0.0;
    // what nothing may push stays at 0: its pivots are left out
    if (!(n.mass > 0.0f)) return;
    const auto mass = static_cast<double>(n.mass);
    d[packed(0, 0)] = d[packed(1, 1)] = d[packed(2, 2)] = mass;
    d[packed(3, 3)] = static_cast<double>(n.inertia.xx);
    d[packed(4, 4)] = static_cast<double>(n.inertia.yy);
    d[packed(5, 5)] = static_cast<double>(n.inertia.zz);
    d[packed(4, 3)] = static_cast<double>(n.inertia.xy);
    d[packed(5, 3)] = static_cast<double>(n.inertia.xz);
    d[packed(5, 4)] = static_cast<double>(n.inertia.yz);
  }

  /// The rows of a node that aren't held, to work.of.
  CAIRN_HD std::uint32_t pick_rows(const JointNode& n, NodeWork& work) const {
    return team.pick(
        n.rows, [&](std::uint32_t r) { return row[n.first + r].piece.held == 0; }, work.of);
  }

  CAIRN_HD_CALL void factor_node(JointNode& n) const {
    NodeWork own;
    NodeWork& work = team.shared(own);
    const JointRow* const rows = row + n.first;
    const std::uint32_t count = pick_rows(n, work);
    team.one([&] {
      n.stale = 0;
      factor(n.body_factor, kNodeAxes);
    });
    team.each(count, [&](std::uint32_t r) {
      JointHalf child = child_of(n, rows[work.of[r]]);
      solve_factored(n.body_factor, kNodeAxes, child.j);
      for (std::uint32_t i = 0; i < kNodeAxes; ++i) work.eased[r][i] = child.j[i];
    });
    team.each_below(count, [&](std::uint32_t r, std::uint32_t q) {
      const JointRow& from = rows[work.of[r]];
      const double x = child_of(n, from).times(work.eased[q]);
      n.row_factor[packed(r, q)] = r == q ? x + from.piece.softness : x;
    });
    team.one([&] { factor_few(n.row_factor, count); });
    if (n.parent == kNone) return;
    JointNode& parent = node[n.parent];
    if (!(parent.mass > 0.0f)) return;
    team.template each_slice<kNodeAxes>([&](auto axes) {
      for (std::uint32_t r = 0; r < count; ++r) {
        NodeSums x(axes, parent_of(n, rows[work.of[r]]));
        for (std::uint32_t q = 0; q < r; ++q) x.add(-n.row_factor[packed(r, q)], work.eased[q]);
        x.keep(work.eased[r]);
        x.scale(n.row_factor[packed(r, r)]);
        x.keep(work.weighted[r]);
      }
    });
    team.each_below(kNodeAxes, [&](std::uint32_t i, std::uint32_t j) {
      double x = parent.body_factor[packed(i, j)];
      for (std::uint32_t r = 0; r < count; ++r) x = fma(work.weighted[r][i], work.eased[r][j], x);
      parent.body_factor[packed(i, j)] = x;
    });
  }

  /// Leaf to root: the impulses as if the parent kept still, and what they push it by.
  CAIRN_HD_CALL void lead_in(JointNode& n, bool goals) const {
    double change[kNodeAxes];
    bool pushed = goals;
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) {
      change[i] = n.push[i];
      pushed = pushed || n.push[i] != 0.0;
    }
    if (!pushed) {
      team.one([&] {
        for (std::uint32_t i = 0; i < kNodeAxes; ++i) n.change[i] = change[i];
      });
      team.each(n.rows, [&](std::uint32_t r) { row[n.first + r].change = 0.0; });
      return;
    }
    solve_factored(n.body_factor, kNodeAxes, change);
    NodeWork own;
    NodeWork& work = team.shared(own);
    JointRow* const rows = row + n.first;
    const std::uint32_t count = pick_rows(n, work);
    team.each(count, [&](std::uint32_t r) {
      const JointRow& from = rows[work.of[r]];
      work.x[r] = (goals ? goal_of(from) : 0.0) - child_of(n, from).times(change);
    });
    double x[kJointAxes];
    solve_rows(n, count, work, x);
    team.each(count, [&](std::uint32_t r) { rows[work.of[r]].change = entry(x, r); });
    if (n.parent == kNone) return;
    team.template each_slice<kNodeAxes>([&](auto axes) {
      double* const push = node[n.parent].push;
      NodeSums sums(axes, push);
      for (std::uint32_t r = 0; r < count; ++r) sums.add_parent(rows[work.of[r]].change, n, rows[work.of[r]]);
      sums.keep(push);
    });
  }

  /// Root to leaf.
  CAIRN_HD_CALL void lead_out(JointNode& n) const {
    NodeWork own;
    NodeWork& work = team.shared(own);
    JointRow* const rows = row + n.first;
    const std::uint32_t count = pick_rows(n, work);
    if (n.parent != kNone) {
      team.each(count,
                [&](std::uint32_t r) { work.x[r] = parent_of(n, rows[work.of[r]]).times(node[n.parent].change); });
      double x[kJointAxes];
      solve_rows(n, count, work, x);
      team.each(count, [&](std::uint32_t r) {
        JointRow& to = rows[work.of[r]];
        to.change = to.change - entry(x, r);
      });
    }
    team.template each_slice<kNodeAxes>([&](auto axes) {
      NodeSums sums(axes, n.push);
      for (std::uint32_t r = 0; r < count; ++r) sums.add_child(rows[work.of[r]].change, n, rows[work.of[r]]);
      sums.keep(n.push);
    });
    double change[kNodeAxes];
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) change[i] = n.push[i];
    solve_factored(n.body_factor, kNodeAxes, change);
    team.one([&] {
      for (std::uint32_t i = 0; i < kNodeAxes; ++i) n.change[i] = change[i];
    });
  }

  /// What the team has in `work` -> what each lane has of its own.
  CAIRN_HD static void solve_rows(const JointNode& n, std::uint32_t count, const NodeWork& work,
                                  double (&x)[kJointAxes]) {
    for (std::uint32_t r = 0; r < kJointAxes; ++r) x[r] = r < count ? work.x[r] : 0.0;
    with_few(count, [&](std::uint32_t few) { solve_factored(n.row_factor, few, x); });
  }
  /// x[r], which on a CUDA device stays in registers so.
  CAIRN_HD static double entry(const double (&x)[kJointAxes], std::uint32_t r) {
#if defined(__CUDA_ARCH__)
    double of = x[0];
    CAIRN_UNROLL
    for (std::uint32_t i = 1; i < kJointAxes; ++i) of = i == r ? x[i] : of;
    return of;
#else
    return x[r];
#endif
  }
};

}  // namespace cairn::kernels
