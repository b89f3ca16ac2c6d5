#pragma once
// All joints of a tree at once, in time that grows with their number: bodies are eliminated from the leaves to the
// root, each with the joint to its parent (Baraff 1996, Linear-time dynamics using Lagrange multipliers). With D the
// mass of a body with its subtree, and J_c, J_p the Jacobians of its joint over it and over its parent:
//   S = J_c D^-1 J_c^T + softness,  D_p += J_p^T S^-1 J_p,  l = S^-1 (goal - J_c D^-1 push - J_p dv_p),
//   dv = D^-1 (push + J_c^T l).
// Each node waits for the one before it, so the factor keeps half products: with D = L d L^T and S = L_S d_S L_S^T the
// response V = d^-1 L^-1 J_c^T and the reaction W = d_S^-1 L_S^-1 J_p. Then
//   f = L^-1 push,  y = L_S^-1 (goal - V^T f),  push_p += W^T y,  l = L_S^-T (d_S^-1 y - W dv_p),
//   dv = L^-T (d^-1 f + V l).
// Whole products, D^-1 J_c^T and S^-1 J_p, take 5 % less of a chain's step and lose up to 200 times as much to
// rounding: at one substep 13 balls of 1 cm on arms of 5 m, whose masses differ by 10^6, were thrown.
// In double: such an arm turns 10^6 times as easily as it shifts.

#include "kernels/joints/joint_half.h"
#include "kernels/solve/ldl.h"

namespace cairn::kernels {

/// Shared by a team while it works on a node.
struct NodeWork {
  std::uint32_t of[kJointAxes];          ///< [1] rows of its joint that aren't held
  double solved[kJointAxes][kNodeAxes];  ///< [1] L^-1 J_c^T, then L_S^-1 J_p
  double x[kJointAxes];                  ///< [m/s], [N s]
};

/// The rows of a node's joint that are in its factor.
struct FactoredRows {
  JointRow* rows;
  std::uint32_t picked;  ///< [1] JointNode::picked
  CAIRN_HD FactoredRows(JointRow* all, const JointNode& n) : rows(all + n.first), picked(n.picked) {}
  CAIRN_HD static std::uint32_t pack(const std::uint32_t* of, std::uint32_t count) {
    std::uint32_t picked = count << 24;
    for (std::uint32_t r = 0; r < count; ++r) picked |= of[r] << (4 * r);
    return picked;
  }
  CAIRN_HD std::uint32_t count() const { return picked >> 24; }
  CAIRN_HD JointRow& operator[](std::uint32_t r) const { return rows[picked >> (4 * r) & 15u]; }
};

/// f(count), with a count known to the CPU's compiler: sums then stay in registers.
template <class F>
CAIRN_HD void with_rows(std::uint32_t count, const F& f) {
#if defined(__CUDA_ARCH__)
  f(count);
#else
  with_few(count, f);
#endif
}

/// The tree's bodies are its nodes [begin, links).
template <class Team>
struct TreeSolver {
  JointNode* node;
  JointRow* row;
  JointTree tree;
  Team team;

  /// For the rows that aren't held: of nodes with a changed row, and of their ancestors.
  CAIRN_HD void factor_bodies() const {
    find_stale();
    team.each(tree.links - tree.begin, [&](std::uint32_t i) {
      if (node[tree.begin + i].stale != 0) effective_mass(node[tree.begin + i]);
    });
    for (std::uint32_t i = tree.begin; i < tree.links; ++i) {
      if (node[i].stale != 0) {
        factor_node(node[i]);
      } else if (node[i].parent != kNone && node[node[i].parent].stale != 0) {
        weigh_on_parent(node[i]);
      }
    }
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
  /// Impulses l(row) along rows for which `goes` is true, to all of their nodes.
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

  /// Pushes -> `change` of nodes and rows, for the rows' goals.
  CAIRN_HD void lead() const {
    for (std::uint32_t i = tree.begin; i < tree.links; ++i) lead_in(node[i], true);
    for (std::uint32_t i = tree.links; i-- > tree.begin;) lead_out(node[i]);
  }
  /// The same only for nodes on loops, with goals of 0.
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
  CAIRN_HD void find_stale() const {
    team.each(tree.end - tree.begin, [&](std::uint32_t i) {
      JointNode& n = node[tree.begin + i];
      for (std::uint32_t r = 0; r < n.rows; ++r) {
        std::uint32_t& stale = row[n.first + r].stale;
        if (stale != 0 && tree.begin + i < tree.links) n.stale = 1;
        stale = 0;
      }
    });
    team.one([&] {
      for (std::uint32_t i = tree.begin; i < tree.links; ++i) {
        if (node[i].stale != 0 && node[i].parent != kNone) node[node[i].parent].stale = 1;
      }
    });
  }

  CAIRN_HD static void effective_mass(JointNode& n) {
    double* const d = n.body_factor;
    for (std::uint32_t i = 0; i < 21; ++i) d[i] = 0.0;
    // a body that can't be pushed stays at 0: its pivots are left out
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

  CAIRN_HD_CALL void factor_node(JointNode& n) const {
    NodeWork own;
    NodeWork& work = team.shared(own);
    JointRow* const all = row + n.first;
    const std::uint32_t picked = team.pick(
        n.rows, [&](std::uint32_t r) { return all[r].piece.held == 0; }, work.of);
    team.one([&] {
      n.stale = 0;
      n.picked = FactoredRows::pack(work.of, picked);
      factor(n.body_factor, kNodeAxes);
    });
    with_rows(picked, [&](std::uint32_t count) { factor_joint(n, {row, n}, count, work); });
  }
  CAIRN_HD void factor_joint(JointNode& n, const FactoredRows& rows, std::uint32_t count, NodeWork& work) const {
    team.each(count, [&](std::uint32_t r) {
      JointHalf child = child_of(n, rows[r]);
      forward(n.body_factor, kNodeAxes, child.j);
      copy_axes(child.j, work.solved[r]);
      scale(n.body_factor, kNodeAxes, child.j);
      copy_axes(child.j, rows[r].response);
    });
    team.each_below(count, [&](std::uint32_t r, std::uint32_t q) {
      double x = r == q ? rows[r].piece.softness : 0.0;
      CAIRN_UNROLL_FEW
      for (std::uint32_t i = 0; i < kNodeAxes; ++i) x = fma(rows[r].response[i], work.solved[q][i], x);
      n.row_factor[packed(r, q)] = x;
    });
    team.one([&] { factor_few(n.row_factor, count); });
    if (n.parent != kNone) weigh_on_parent(n, rows, count, work);
  }
  CAIRN_HD_CALL void weigh_on_parent(const JointNode& n) const {
    NodeWork own;
    NodeWork& work = team.shared(own);
    const FactoredRows rows(row, n);
    with_rows(rows.count(), [&](std::uint32_t count) { weigh_on_parent(n, rows, count, work); });
  }
  /// W, and D_p += J_p^T S^-1 J_p.
  CAIRN_HD void weigh_on_parent(const JointNode& n, const FactoredRows& rows, std::uint32_t count,
                                NodeWork& work) const {
    team.template each_slice<kNodeAxes>([&](auto axes) {
      for (std::uint32_t r = 0; r < count; ++r) {
        NodeSums x(axes, parent_of(n, rows[r]));
        for (std::uint32_t q = 0; q < r; ++q) x.add(-n.row_factor[packed(r, q)], work.solved[q]);
        x.keep(work.solved[r]);
        x.scale(n.row_factor[packed(r, r)]);
        x.keep(rows[r].reaction);
      }
    });
    JointNode& parent = node[n.parent];
    if (!(parent.mass > 0.0f)) return;
    team.each_below(kNodeAxes, [&](std::uint32_t i, std::uint32_t j) {
      double x = parent.body_factor[packed(i, j)];
      CAIRN_UNROLL_FEW
      for (std::uint32_t r = 0; r < count; ++r) x = fma(rows[r].reaction[i], work.solved[r][j], x);
      parent.body_factor[packed(i, j)] = x;
    });
  }

  /// Leaf to root: y of the rows, d^-1 f of the node, and the push on its parent.
  CAIRN_HD_CALL void lead_in(JointNode& n, bool goals) const {
    double f[kNodeAxes];
    bool pushed = goals;
    CAIRN_UNROLL_FEW
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) {
      f[i] = n.push[i];
      pushed = pushed || f[i] != 0.0;
    }
    if (!pushed) {
      team.one([&] { copy_axes(f, n.change); });
      team.each(n.rows, [&](std::uint32_t r) { row[n.first + r].change = 0.0; });
      return;
    }
    forward(n.body_factor, kNodeAxes, f);
    const FactoredRows rows(row, n);
    with_rows(rows.count(), [&](std::uint32_t count) { lead_joint_in(n, rows, count, goals, f); });
    scale(n.body_factor, kNodeAxes, f);
    team.one([&] { copy_axes(f, n.change); });
  }
  CAIRN_HD void lead_joint_in(const JointNode& n, const FactoredRows& rows, std::uint32_t count, bool goals,
                              const double* f) const {
    NodeWork own;
    NodeWork& work = team.shared(own);
    team.each(count, [&](std::uint32_t r) {
      double x = goals ? goal_of(rows[r]) : 0.0;
      CAIRN_UNROLL_FEW
      for (std::uint32_t i = 0; i < kNodeAxes; ++i) x = fma(-rows[r].response[i], f[i], x);
      work.x[r] = x;
    });
    double y[kJointAxes];
    take(work, count, y);
    with_few(count, [&](std::uint32_t few) { forward(n.row_factor, few, y); });
    if (n.parent != kNone) {
      team.template each_slice<kNodeAxes>([&](auto axes) {
        double* const push = node[n.parent].push;
        NodeSums sums(axes, push);
        for (std::uint32_t r = 0; r < count; ++r) sums.add(entry(y, r), rows[r].reaction);
        sums.keep(push);
      });
    }
    team.each(count, [&](std::uint32_t r) { rows[r].change = entry(y, r); });
  }

  /// Root to leaf.
  CAIRN_HD_CALL void lead_out(JointNode& n) const {
    const FactoredRows rows(row, n);
    with_rows(rows.count(), [&](std::uint32_t count) { lead_joint_out(n, rows, count); });
    team.one([&] {
      double dv[kNodeAxes];
      copy_axes(n.change, dv);
      backward(n.body_factor, kNodeAxes, dv);
      copy_axes(dv, n.change);
    });
  }
  CAIRN_HD void lead_joint_out(JointNode& n, const FactoredRows& rows, std::uint32_t count) const {
    NodeWork own;
    NodeWork& work = team.shared(own);
    team.each(count, [&](std::uint32_t r) {
      double x = n.row_factor[packed(r, r)] * rows[r].change;
      if (n.parent != kNone) {
        const double* const parent = node[n.parent].change;
        CAIRN_UNROLL_FEW
        for (std::uint32_t i = 0; i < kNodeAxes; ++i) x = fma(-rows[r].reaction[i], parent[i], x);
      }
      work.x[r] = x;
    });
    double l[kJointAxes];
    take(work, count, l);
    with_few(count, [&](std::uint32_t few) { backward(n.row_factor, few, l); });
    team.each(count, [&](std::uint32_t r) { rows[r].change = entry(l, r); });
    team.template each_slice<kNodeAxes>([&](auto axes) {
      NodeSums sums(axes, n.change);
      for (std::uint32_t r = 0; r < count; ++r) sums.add(entry(l, r), rows[r].response);
      sums.keep(n.change);
    });
  }

  /// The team's values in `work` -> a copy of each lane.
  CAIRN_HD static void take(const NodeWork& work, std::uint32_t count, double (&x)[kJointAxes]) {
    CAIRN_UNROLL_FEW
    for (std::uint32_t r = 0; r < kJointAxes; ++r) x[r] = r < count ? work.x[r] : 0.0;
  }
  /// x[r], selected without indexing, so that x stays in registers on a CUDA device.
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
