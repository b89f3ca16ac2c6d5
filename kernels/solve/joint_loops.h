#pragma once
// Joints that close loops, with the trees that they close them in: one dense block beside the trees (the auxiliary
// constraints of Baraff 1996). With T what the trees make of a push: (J T J^T + softness) l = goal - J T (all else).

#include "kernels/solve/joint_tree.h"

namespace cairn::kernels {

/// [1] Softness of a row that closes a loop, of its inverse mass: of locks that say the same each bears its share, and
/// those that contradict each other push with bounded impulses.
inline constexpr double kLoopSoftness = 1e-2;

struct JointSolver {
  TreeSolver by;
  double* matrix;
  bool relaxes;  ///< it takes speeds back: these contradict nothing, so softness goes by what the pass adds alone

  /// Of the rows that aren't held.
  CAIRN_HD_CALL void factor_all() const {
    by.factor_bodies();
    factor_loops();
  }

  /// Rows' goals -> `change` of nodes and rows.
  CAIRN_HD_CALL void solve() const {
    push_held();
    by.lead();
    if (by.tree.loops == by.tree.end) return;
    // what the loops' rows lack as long as they do nothing, and what they do about it
    double x[kMostLoopRows];
    std::uint32_t count = 0;
    for_each_loop_row([&](const JointNode& n, JointRow& r) {
      const double kept = relaxes ? 0.0 : loop_softness(r) * static_cast<double>(r.impulse);
      x[count++] = TreeSolver::goal_of(r) - kept - change_of(by.node, n, r);
    });
    solve_factored(matrix, count, x);
    push_held();
    count = 0;
    for_each_loop_row([&](const JointNode& n, JointRow& r) {
      r.change = x[count++];
      by.push(n, r, r.change);
    });
    by.lead();
  }

 private:
  CAIRN_HD static double loop_softness(const JointRow& r) { return kLoopSoftness * static_cast<double>(r.inv_mass); }

  /// Those that aren't held.
  template <class F>
  CAIRN_HD void for_each_loop_row(const F& f) const {
    for (std::uint32_t i = by.tree.loops; i < by.tree.end; ++i) {
      for (std::uint32_t r = 0; r < by.node[i].rows; ++r) {
        JointRow& of = by.row[by.node[i].first + r];
        if (of.piece.held == 0) f(by.node[i], of);
      }
    }
  }

  /// How the loops' rows move each other, all other joints holding: J (tree)^-1 J^T + softness.
  CAIRN_HD void factor_loops() const {
    std::uint32_t count = 0;
    for_each_loop_row([&](const JointNode& n, const JointRow& r) {
      by.clear();
      by.push(n, r, 1.0);
      by.lead_around();
      std::uint32_t other = 0;
      for_each_loop_row([&](const JointNode& m, const JointRow& q) {
        if (other <= count) matrix[packed(count, other++)] = change_of(by.node, m, q);
      });
      double& diagonal = matrix[packed(count, count)];
      diagonal = diagonal + r.piece.softness + loop_softness(r);
      count += 1;
    });
    factor(matrix, count);
  }

  CAIRN_HD void push_held() const {
    by.clear();
    for (std::uint32_t i = by.tree.begin; i < by.tree.end; ++i) {
      for (std::uint32_t r = 0; r < by.node[i].rows; ++r) {
        JointRow& from = by.row[by.node[i].first + r];
        if (from.piece.held == 0) continue;
        from.change = from.piece.goal - static_cast<double>(from.impulse);
        by.push(by.node[i], from, from.change);
      }
    }
  }
};

}  // namespace cairn::kernels
