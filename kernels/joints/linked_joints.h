#pragma once
// A pass over joints that hold articulations, together with all trees that they join.

#include "kernels/joints/joint_loops.h"
#include "kernels/joints/joint_pass.h"

namespace cairn::kernels {

/// [1] Max times that the solution continues after links settled, and max trial points along its direction.
inline constexpr int kLinkRounds = 6, kLinkSteps = 12;
/// [1] Share of a result's slope that may remain, or be overshot.
inline constexpr double kOvershoot = 0.5;

/// Impulses start at 0 each substep, and a relaxation follows with all solvers. The laws of an articulation's own
/// joints (limits, friction, weak drives) respond to the result only when they have settled. Where a rate changed the
/// piece of its law, the solution continues from there, with the links' new inverse masses. Without that, a push that a
/// limit seemed to bear threw the links that the limit let go.
template <class OnLinks>
struct LinkedJoints {
  const JointPassRows<Alone>& rows;
  const JointSolver<OnLinks, Alone>& solver;

  CAIRN_HD_CALL void pass() const {
    const auto links = solver.links();
    const bool leads = rows.pass == JointPass::kBias;
    if (leads && (rows.soft.relaxes || rows.soft.forgets)) forget();
    JointLook seen = look();
    if (!leads || !links.bounded()) {
      solve_rows(rows, solver, seen);
      rows.finish(1.0);
      links.give();
      return;
    }
    bool stays = true;
    for (int round = 0; round < kLinkRounds; ++round) {
      solve_rows(rows, solver, seen);
      if (go(round + 1 == kLinkRounds)) break;
      stays = false;
      seen = look();
    }
    if (!stays) links.show();
  }

 private:
  /// The links' motion already has the impulses of the substep before; the bodies' share of them is taken back.
  CAIRN_HD void forget() const {
    rows.for_each([&](JointNode& n, JointRow& row) {
      if (rows.soft.relaxes) rows.owe(n, row, -row.impulse);
      row.impulse = 0.0f;
    });
    // links carry nothing
    for (std::uint32_t i = rows.tree.begin; i < rows.tree.end; ++i) {
      JointNode& n = rows.layout.node[i];
      if (n.rows == 0) continue;
      if (solver.links().has(n.body_a)) n.ahead.v_a = n.ahead.w_a = Vec3{0, 0, 0};
      if (solver.links().has(n.body_b)) n.ahead.v_b = n.ahead.w_b = Vec3{0, 0, 0};
    }
    rows.start();
  }

  /// Inverse masses of links, and the goals of rows.
  CAIRN_HD_CALL JointLook look() const {
    for (std::uint32_t i = rows.tree.begin; i < rows.tree.loops; ++i) rows.layout.node[i].share = 1.0f;
    solver.effective_masses();
    if (rows.pass == JointPass::kRelax) {
      rows.layout.node[rows.tree.begin].stale = 1;
      return rows.observe();
    }
    (void)rows.observe();
    calm();
    return rows.observe();
  }

  /// Errors are corrected at the share of their speed at which no body or link exceeds kCalmSpeed; rotations count at
  /// the radius of gyration.
  CAIRN_HD_CALL void calm() const {
    rows.for_each([](const JointNode&, JointRow& row) {
      const double way = way_of(row);
      row.piece = {0.0, way + row.speed, 0, 0.0, 0.0};
      if (way == 0.0 || row.gives != JointRow::Gives::kWay) {
        row.piece = {0.0, static_cast<double>(row.impulse), 1, 0.0, 0.0};
      }
      row.stale = 1;
    });
    solver.factor_all();
    solver.solve(true);
    solver.links().calm(kCalmSpeed);
    for (std::uint32_t i = rows.tree.begin; i < rows.tree.links; ++i) {
      JointNode& n = rows.layout.node[i];
      if (!(n.mass > 0.0f)) continue;
      const double* const d = n.change;
      const double moves = length(Vec3d{d[0], d[1], d[2]});
      const double turns = length(Vec3d{d[3], d[4], d[5]}) / sqrt(static_cast<double>(n.mass));
      n.share = static_cast<float>(kCalmSpeed / max(kCalmSpeed, max(moves, turns)));
    }
  }
  /// [m/s] Speed at which the row's error is corrected.
  CAIRN_HD static double way_of(const JointRow& row) {
    for (std::uint32_t l = 0; l < row.laws; ++l) {
      const JointLaw& law = row.law[l];
      if (law.kind == JointLaw::Kind::kHold && law.bias != 0.0f) return way_out(law, 1.0, kMaxJointSpeed);
    }
    return 0.0;
  }

  /// Goes towards the result while the slope falls: the laws of rows and of rates are gradients of convex functions,
  /// and so is their sum over the impulses. True where no rate changed the piece of its law.
  CAIRN_HD_CALL bool go(bool last) const {
    const auto links = solver.links();
    const double start = slope(0.0);
    if (links.settle(1.0)) {
      rows.finish(1.0);
      return true;
    }
    double at = 1.0, low = 0.0, high = 1.0, here = slope(at);
    for (int i = 0; i < kLinkSteps; ++i) {
      if (abs(here) <= kOvershoot * start || (here > 0.0 && at == 1.0)) break;
      (here > 0.0 ? low : high) = at;
      double next = 0.5 * (low + high);
      // past the bend, so that the next round sees the pieces there; but the final point is short of it
      if (i + 1 == kLinkSteps) next = last ? low : high;
      (void)links.settle(next - at);
      at = next;
      here = slope(at);
    }
    rows.finish(at);
    return false;
  }
  /// [J] Slope of the rows' objective along the result, at a share of it. Links have that share already.
  CAIRN_HD_CALL double slope(double share) const {
    const auto links = solver.links();
    double sum = 0.0;
    rows.for_each([&](const JointNode& n, const JointRow& row) {
      if (row.piece.held != 0) return;
      double x = JointEnds{rows.solve, n}.speed(row);
      if (!links.is(n.child)) x = fma(share, child_of(n, row).times(rows.layout.node[n.child].change), x);
      if (n.parent != kNone && !links.is(n.parent))
        x = fma(share, parent_of(n, row).times(rows.layout.node[n.parent].change), x);
      const double l = fma(share, row.change, static_cast<double>(row.impulse));
      sum = fma(row.piece.goal - fma(row.piece.softness, l, x), row.change, sum);
    });
    return sum;
  }
};

}  // namespace cairn::kernels
