#pragma once
// All joints of a tree at once, in time that grows with their number: bodies are eliminated from the leaves to the
// root, each with the joint by which it hangs (Baraff 1996, Linear-time dynamics using Lagrange multipliers). With D
// the mass of a body and of what hangs on it, and J_c, J_p what its joint measures of it and of its parent:
//   S = J_c D^-1 J_c^T + softness,  D_p += J_p^T S^-1 J_p,  l = S^-1 (goal - J_c D^-1 push - J_p dv_p),
//   dv = D^-1 (push + J_c^T l).
// Joints that close loops are one dense block beside that (Baraff's auxiliary constraints): with T what the tree makes
// of a push, (J T J^T + softness) l = goal - J T (all else).
// In double: an arm of 5 m on a ball of 1 cm turns 10^6 times as easily as it shifts.

#include "kernels/common/joints.h"
#include "kernels/solve/ldl.h"

namespace cairn::kernels {

inline constexpr std::uint32_t kNodeAxes = 6;

/// A Jacobian over v and w~ of one body.
struct JointHalf {
  double j[kNodeAxes];  ///< [1, kg^-1/2]
  CAIRN_HD JointHalf(Vec3 linear, Vec3 angular)
      : j{static_cast<double>(linear.x),  static_cast<double>(linear.y),  static_cast<double>(linear.z),
          static_cast<double>(angular.x), static_cast<double>(angular.y), static_cast<double>(angular.z)} {}
  CAIRN_HD double times(const double* x) const {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) sum = fma(j[i], x[i], sum);
    return sum;
  }
  CAIRN_HD void add_to(double l, double* x) const {
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) x[i] = fma(l, j[i], x[i]);
  }
};
/// Of the node that hangs, and of what it hangs on.
CAIRN_HD JointHalf child_of(const JointNode& node, const JointRow& row) {
  return node.is_b != 0 ? JointHalf(row.linear_b, row.angular_b) : JointHalf(row.linear_a, row.angular_a);
}
CAIRN_HD JointHalf parent_of(const JointNode& node, const JointRow& row) {
  return node.is_b != 0 ? JointHalf(row.linear_a, row.angular_a) : JointHalf(row.linear_b, row.angular_b);
}

/// J dv of a row.
CAIRN_HD double change_of(const JointNode* nodes, const JointNode& n, const JointRow& row) {
  double x = child_of(n, row).times(nodes[n.child].change);
  if (n.parent != kNone) x = x + parent_of(n, row).times(nodes[n.parent].change);
  return x;
}

/// [1] Softness of a row that closes a loop, of its inverse mass: of locks that say the same each bears its share, and
/// those that contradict each other push with bounded impulses.
inline constexpr double kLoopSoftness = 1e-2;

struct JointSolver {
  JointNode* node;
  JointRow* row;
  double* matrix;
  JointTree tree;
  bool relaxes;  ///< it takes speeds back: these contradict nothing, so softness goes by what the pass adds alone

  /// Of the rows that aren't held.
  CAIRN_HD void factor_tree() const {
    for (std::uint32_t i = tree.begin; i < tree.loops; ++i) weigh(node[i]);
    for (std::uint32_t i = tree.begin; i < tree.loops; ++i) {
      JointNode& n = node[i];
      factor(n.body_factor, kNodeAxes);
      factor_rows(n);
    }
    factor_loops();
  }

  /// Rows' goals -> `change` of nodes and rows.
  CAIRN_HD void solve() const {
    push_held();
    lead();
    if (tree.loops == tree.end) return;
    // what the loops' rows lack as long as they do nothing, and what they do about it
    double x[kMostLoopRows];
    std::uint32_t count = 0;
    for_each_loop_row([&](const JointNode& n, JointRow& r) {
      const double kept = relaxes ? 0.0 : loop_softness(r) * static_cast<double>(r.impulse);
      x[count++] = goal_of(r) - kept - change_of(node, n, r);
    });
    solve_factored(matrix, count, x);
    push_held();
    count = 0;
    for_each_loop_row([&](const JointNode& n, JointRow& r) {
      r.change = x[count++];
      push(n, r, r.change);
    });
    lead();
  }

 private:
  CAIRN_HD static double loop_softness(const JointRow& r) { return kLoopSoftness * static_cast<double>(r.inv_mass); }

  /// Those that aren't held.
  template <class F>
  CAIRN_HD void for_each_loop_row(const F& f) const {
    for (std::uint32_t i = tree.loops; i < tree.end; ++i) {
      for (std::uint32_t r = 0; r < node[i].rows; ++r) {
        JointRow& of = row[node[i].first + r];
        if (of.piece.held == 0) f(node[i], of);
      }
    }
  }

  /// How the loops' rows move each other, all other joints holding: J (tree)^-1 J^T + softness.
  CAIRN_HD void factor_loops() const {
    std::uint32_t count = 0;
    for_each_loop_row([&](const JointNode& n, const JointRow& r) {
      clear();
      push(n, r, 1.0);
      lead_around();
      std::uint32_t other = 0;
      for_each_loop_row([&](const JointNode& m, const JointRow& q) {
        if (other <= count) matrix[packed(count, other++)] = change_of(node, m, q);
      });
      double& diagonal = matrix[packed(count, count)];
      diagonal = diagonal + r.piece.softness + loop_softness(r);
      count += 1;
    });
    factor(matrix, count);
  }

  CAIRN_HD void clear() const {
    for (std::uint32_t i = tree.begin; i < tree.loops; ++i) {
      for (double& x : node[i].push) x = 0.0;
    }
  }
  CAIRN_HD void push(const JointNode& n, const JointRow& r, double l) const {
    child_of(n, r).add_to(l, node[n.child].push);
    if (n.parent != kNone) parent_of(n, r).add_to(l, node[n.parent].push);
  }
  CAIRN_HD void push_held() const {
    clear();
    for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
      for (std::uint32_t r = 0; r < node[i].rows; ++r) {
        JointRow& from = row[node[i].first + r];
        if (from.piece.held == 0) continue;
        from.change = from.piece.goal - static_cast<double>(from.impulse);
        push(node[i], from, from.change);
      }
    }
  }

  /// Pushes -> changes, by the rows of the tree and their goals.
  CAIRN_HD void lead() const {
    for (std::uint32_t i = tree.begin; i < tree.loops; ++i) lead_in(node[i], true);
    for (std::uint32_t i = tree.loops; i-- > tree.begin;) lead_out(node[i]);
  }
  /// The same where loops are, with nothing wanted of the rows.
  CAIRN_HD void lead_around() const {
    for (std::uint32_t i = tree.begin; i < tree.loops; ++i) {
      if (node[i].on_loop != 0) lead_in(node[i], false);
    }
    for (std::uint32_t i = tree.loops; i-- > tree.begin;) {
      if (node[i].on_loop != 0) lead_out(node[i]);
    }
  }

  CAIRN_HD static void weigh(JointNode& n) {
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

  CAIRN_HD void factor_rows(JointNode& n) const {
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
  CAIRN_HD void lead_in(JointNode& n, bool goals) const {
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
  CAIRN_HD void lead_out(JointNode& n) const {
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

  CAIRN_HD static double goal_of(const JointRow& r) {
    return r.piece.goal - fma(r.piece.softness, static_cast<double>(r.impulse), r.speed);
  }
};

}  // namespace cairn::kernels
