#pragma once
// Joints that close loops or hold links of articulations, beside the trees: one dense block (the auxiliary constraints
// of Baraff 1996). With T the response of trees and articulations to a push:
// (J T J^T + softness) l = goal - J T (all other pushes).

#include "kernels/joints/joint_pass.h"
#include "kernels/joints/joint_tree.h"
#include "kernels/joints/link_nodes.h"

namespace cairn::kernels {

/// [1] Softness of a row that closes a loop, of its inverse mass: redundant locks share the load, and contradictory
/// ones push with bounded impulses.
inline constexpr double kLoopSoftness = 1e-2;
/// [1] Where links are held, directions in which the rows' combined response is below that share of their own are left
/// out (LeastSquares). The bars of a linkage in a plane, whose axes are out by 1e-3 rad, have 1e-6 of it. Joints that
/// close no loop, articulations counted in, can't contradict each other: less is left out there, so that light links
/// between heavy ones hold these.
inline constexpr double kMinContested = 3e-4, kMinConsistent = 1e-6;
/// [1] A row is left out where trees leave it a smaller share of its inverse mass: they already hold it.
inline constexpr double kMinLeft = 1e-8;
/// [1] A row is immovable where its inverse mass is a smaller share of its bodies' own: the directions of rows are
/// floats, so that one along which a link can't move has some 1e-14 of it.
inline constexpr double kMinGiving = 1e-10;
/// [1] The same for coupled links: along a direction that a coupling holds they have articulate::kYield of it.
inline constexpr double kMinCoupledGiving = 1e-6;

static_assert(kMaxLoopRows <= LeastSquares::kMaxRows);

template <class OnLinks, class Team>
struct JointSolver {
  BodySolve* solve_of;
  TreeSolver<Team> by;
  double* matrix;
  bool relaxes;  ///< it removes speed: rows can't contradict there, so softness uses only the pass's own impulse
  OnLinks on_links;

  CAIRN_HD auto links() const { return link_nodes(on_links, by.node, by.tree); }

  /// Inverse masses of rows on links, which depend on the whole articulation. Where its limits or friction hold the
  /// row, the inverse mass is that with them released: the row's push may release them.
  CAIRN_HD_CALL void effective_masses() const {
    using Gives = JointRow::Gives;
    bool held = false;
    for_each_on_links([&](const JointNode& n, JointRow& r) {
      r.gives = effective_mass(n, r) ? Gives::kWay : Gives::kNever;
      held = held || r.gives == Gives::kNever;
    });
    if (!held || relaxes || !links().bounded()) return;
    if (links().set_free(true)) {
      for_each_on_links([&](const JointNode& n, JointRow& r) {
        if (r.gives == Gives::kNever && effective_mass(n, r)) r.gives = Gives::kPerhaps;
      });
    }
    (void)links().set_free(false);
  }

  /// For the rows that aren't held.
  CAIRN_HD_CALL void factor_all() const {
    by.factor_bodies();
    by.team.each(by.tree.loops - by.tree.links, [&](std::uint32_t i) { by.node[by.tree.links + i].stale = 0; });
    if (by.tree.loops != by.tree.end) factor_loops();
  }

  /// Rows' goals -> `change` of nodes and rows. `bends`: some row may be held.
  CAIRN_HD_CALL void solve(bool bends) const {
    push_held(bends);
    lead();
    if (by.tree.loops == by.tree.end) return;
    // speed that the loops' rows lack without impulses of their own, then the impulses that provide it
    double x[kMaxLoopRows];
    by.team.one([&] {
      std::uint32_t count = 0;
      for_each_loop_row([&](const JointNode& n, JointRow& r) {
        const double kept = relaxes || linked() ? 0.0 : loop_softness(r) * static_cast<double>(r.impulse);
        x[count++] = by.goal_of(r) - kept - change_of(by.node, n, r);
      });
      if (linked()) {
        LeastSquares{matrix, count}.solve(x);
      } else {
        solve_factored(matrix, count, x);
      }
    });
    push_held(bends);
    by.team.one([&] {
      std::uint32_t count = 0;
      for_each_loop_row([&](const JointNode& n, JointRow& r) {
        r.change = x[count++];
        by.push(n, r, r.change);
      });
    });
    lead();
  }

 private:
  CAIRN_HD bool linked() const { return by.tree.linked != 0; }
  CAIRN_HD static double loop_softness(const JointRow& r) { return kLoopSoftness * static_cast<double>(r.inv_mass); }

  /// The loops' rows that aren't held.
  template <class F>
  CAIRN_HD void for_each_loop_row(const F& f) const {
    for (std::uint32_t i = by.tree.loops; i < by.tree.end; ++i) {
      for (std::uint32_t r = 0; r < by.node[i].rows; ++r) {
        JointRow& of = by.row[by.node[i].first + r];
        if (of.piece.held == 0) f(by.node[i], of);
      }
    }
  }

  CAIRN_HD void lead() const {
    by.lead();
    links().lead();
  }

  template <class F>
  CAIRN_HD void for_each_on_links(const F& f) const {
    for (std::uint32_t i = by.tree.loops; i < by.tree.end; ++i) {
      const JointNode& n = by.node[i];
      if (!links().is(n.child) && (n.parent == kNone || !links().is(n.parent))) continue;
      for (std::uint32_t r = 0; r < n.rows; ++r) f(n, by.row[n.first + r]);
    }
  }
  /// False where the row is immovable.
  CAIRN_HD_CALL bool effective_mass(const JointNode& n, JointRow& r) const {
    by.clear();
    by.push(n, r, 1.0);
    links().lead();
    double w = links().is(n.child) ? child_of(n, r).times(by.node[n.child].change) : own(n, r, n.is_b == 0);
    if (n.parent == kNone || !links().is(n.parent)) {
      w = w + own(n, r, n.is_b != 0);
    } else {
      w = w + parent_of(n, r).times(by.node[n.parent].change);
    }
    const double least = links().coupled() ? kMinCoupledGiving : kMinGiving;
    if (!(w > least * static_cast<double>(r.alone))) return false;
    r.inv_mass = static_cast<float>(w);
    return true;
  }
  /// Inverse mass of body a or b alone.
  CAIRN_HD double own(const JointNode& n, const JointRow& r, bool a) const {
    const auto inv_mass = static_cast<double>(solve_of[a ? n.body_a : n.body_b].inv_mass);
    const Vec3 &linear = a ? r.linear_a : r.linear_b, &angular = a ? r.angular_a : r.angular_b,
               &turn = a ? r.turn_a : r.turn_b;
    return fma(inv_mass, dot(widen(linear), widen(linear)), dot(widen(angular), widen(turn)));
  }

  /// Response of the loops' rows to each other, with all other joints solved: J (tree)^-1 J^T + softness.
  CAIRN_HD void factor_loops() const {
    std::uint32_t count = 0;
    for_each_loop_row([&](const JointNode& n, const JointRow& r) {
      by.clear();
      by.team.one([&] { by.push(n, r, 1.0); });
      by.lead_around();
      links().lead();
      by.team.one([&] { factor_row(count, r); });
      count += 1;
    });
    by.team.one([&] {
      if (linked()) {
        leave_out(count);
        double alone[kMaxLoopRows];
        count = 0;
        for_each_loop_row([&](const JointNode&, const JointRow& r) { alone[count++] = static_cast<double>(r.alone); });
        LeastSquares{matrix, count}.factor(by.tree.consistent != 0 ? kMinConsistent : kMinContested, alone);
      } else {
        factor(matrix, count);
      }
    });
  }
  CAIRN_HD void factor_row(std::uint32_t count, const JointRow& r) const {
    std::uint32_t other = 0;
    for_each_loop_row([&](const JointNode& m, const JointRow& q) {
      if (other <= count) matrix[packed(count, other++)] = change_of(by.node, m, q);
    });
    double& diagonal = matrix[packed(count, count)];
    if (r.gives == JointRow::Gives::kPerhaps) diagonal = static_cast<double>(r.inv_mass);
    diagonal = diagonal + r.piece.softness + (linked() ? 0.0 : loop_softness(r));
  }
  CAIRN_HD void leave_out(std::uint32_t count) const {
    std::uint32_t i = 0;
    for_each_loop_row([&](const JointNode&, const JointRow& r) {
      if (!(matrix[packed(i, i)] > kMinLeft * static_cast<double>(r.inv_mass))) {
        for (std::uint32_t j = 0; j < count; ++j) matrix[i < j ? packed(j, i) : packed(i, j)] = 0.0;
      }
      i += 1;
    });
  }

  CAIRN_HD void push_held(bool bends) const {
    by.clear();
    if (!bends) return;
    bool held = false;
    each_joint_row(by.team, by.tree, by.node, by.row, [&](const JointNode&, JointRow& of) {
      if (of.piece.held == 0) return;
      of.change = of.piece.goal - static_cast<double>(of.impulse);
      held = true;
    });
    if (!by.team.any(held)) return;
    by.push_all([](const JointRow& of) { return of.piece.held != 0; }, [](const JointRow& of) { return of.change; });
  }
};

/// Solves, and moves rows to the pieces that their results lie on, until they agree.
template <class OnLinks, class Team>
CAIRN_HD_CALL void solve_rows(const JointPassRows<Team>& rows, const JointSolver<OnLinks, Team>& solver,
                              JointLook look) {
  for (int round = 0;; ++round) {
    if (look.stale) solver.factor_all();
    solver.solve(look.bends);
    if (!look.bends || round == kJointRounds) break;
    if (!rows.look_again(round + 1 == kJointRounds, look.stale)) break;
  }
}

}  // namespace cairn::kernels
