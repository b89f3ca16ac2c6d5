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

/// Its bodies are the nodes [begin, links) of the tree.
struct TreeSolver {
  JointNode* node;
  JointRow* row;
  JointTree tree;

  /// Of the rows that aren't held.
  CAIRN_HD void factor_bodies() const {
    for (std::uint32_t i = tree.begin; i < tree.links; ++i) effective_mass(node[i]);
    for (std::uint32_t i = tree.begin; i < tree.links; ++i) {
      JointNode& n = node[i];
      factor(n.body_factor, kNodeAxes);
      factor_rows(n);
    }
  }

  CAIRN_HD void clear() const {
    for (std::uint32_t i = tree.begin; i < tree.loops; ++i) {
      for (double& x : node[i].push) x = 0.0;
    }
  }
  /// An impulse along a row, to both of its nodes.
  CAIRN_HD void push(const JointNode& n, const JointRow& r, double l) const {
    child_of(n, r).add_to(l, node[n.child].push);
    if (n.parent != kNone) parent_of(n, r).add_to(l, node[n.parent].push);
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

  CAIRN_HD_CALL void factor_rows(JointNode& n) const {
    n.stale = 0;
    double eased[kJointAxes][kNodeAxes];  // D^-1 J_c^T
    std::uint32_t of[kJointAxes], count = 0;
    for (std::uint32_t r = 0; r < n.rows; ++r) {
      const JointRow& from = row[n.first + r];
      if (from.piece.held != 0) continue;
      const JointHalf child = child_of(n, from);
      for (std::uint32_t i = 0; i < kNodeAxes; ++i) eased[count][i] = child.j[i];
      solve_factored(n.body_factor, kNodeAxes, eased[count]);
      of[count] = n.first + r;
      for (std::uint32_t q = 0; q <= count; ++q) n.row_factor[packed(count, q)] = child.times(eased[q]);
      n.row_factor[packed(count, count)] = n.row_factor[packed(count, count)] + from.piece.softness;
      count += 1;
    }
    factor(n.row_factor, count);
    if (n.parent == kNone) return;
    JointNode& parent = node[n.parent];
    if (!(parent.mass > 0.0f)) return;
    // L^-1 J_p, row by row
    for (std::uint32_t r = 0; r < count; ++r) {
      const JointHalf half = parent_of(n, row[of[r]]);
      for (std::uint32_t i = 0; i < kNodeAxes; ++i) eased[r][i] = half.j[i];
      for (std::uint32_t q = 0; q < r; ++q) {
        const double l = n.row_factor[packed(r, q)];
        for (std::uint32_t i = 0; i < kNodeAxes; ++i) eased[r][i] = fma(-l, eased[q][i], eased[r][i]);
      }
    }
    for (std::uint32_t r = 0; r < count; ++r) {
      const double pivot = n.row_factor[packed(r, r)];
      for (std::uint32_t i = 0; i < kNodeAxes; ++i) {
        const double x = pivot * eased[r][i];
        for (std::uint32_t j = 0; j <= i; ++j)
          parent.body_factor[packed(i, j)] = fma(x, eased[r][j], parent.body_factor[packed(i, j)]);
      }
    }
  }

  /// Leaf to root: the impulses as if the parent kept still, and what they push it by.
  CAIRN_HD_CALL void lead_in(JointNode& n, bool goals) const {
    bool pushed = goals;
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) {
      n.change[i] = n.push[i];
      pushed = pushed || n.push[i] != 0.0;
    }
    if (!pushed) {
      for (std::uint32_t r = 0; r < n.rows; ++r) row[n.first + r].change = 0.0;
      return;
    }
    solve_factored(n.body_factor, kNodeAxes, n.change);
    double x[kJointAxes];
    std::uint32_t count = 0;
    for (std::uint32_t r = 0; r < n.rows; ++r) {
      const JointRow& from = row[n.first + r];
      if (from.piece.held == 0) x[count++] = (goals ? goal_of(from) : 0.0) - child_of(n, from).times(n.change);
    }
    solve_factored(n.row_factor, count, x);
    count = 0;
    for (std::uint32_t r = 0; r < n.rows; ++r) {
      JointRow& to = row[n.first + r];
      if (to.piece.held != 0) continue;
      to.change = x[count++];
      if (n.parent != kNone) parent_of(n, to).add_to(to.change, node[n.parent].push);
    }
  }

  /// Root to leaf.
  CAIRN_HD_CALL void lead_out(JointNode& n) const {
    double x[kJointAxes];
    std::uint32_t count = 0;
    if (n.parent != kNone) {
      for (std::uint32_t r = 0; r < n.rows; ++r) {
        const JointRow& from = row[n.first + r];
        if (from.piece.held == 0) x[count++] = parent_of(n, from).times(node[n.parent].change);
      }
      solve_factored(n.row_factor, count, x);
    }
    std::uint32_t solved = 0;
    for (std::uint32_t r = 0; r < n.rows; ++r) {
      JointRow& to = row[n.first + r];
      if (to.piece.held != 0) continue;
      if (count != 0) to.change = to.change - x[solved++];
      child_of(n, to).add_to(to.change, n.push);
    }
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) n.change[i] = n.push[i];
    solve_factored(n.body_factor, kNodeAxes, n.change);
  }
};

}  // namespace cairn::kernels
