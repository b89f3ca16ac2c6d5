#pragma once

#include <type_traits>

#include "kernels/common/pack.h"
#include "kernels/common/state.h"
#include "kernels/solve/joint_law.h"
#include "kernels/solve/joint_loops.h"
#include "kernels/solve/linked_joint.h"

namespace cairn::kernels {

enum class JointPass {
  kStart,  ///< gives the bodies what the start of the substep owes them
  kBias,   ///< leads out of errors
  kRelax,  ///< takes back the speed that this gave
};

/// One pass over a tree of joints: all of its axes at once, each on the piece of its line that the result is on. The
/// pieces are found by a semi-smooth Newton iteration, which starts from the impulses of the substep before: as a rule
/// its first guess is right. Writes rows, factors, and v and w~ of the tree's bodies (owner by colour: trees share no
/// body, and joints that are solved alone are trees of one, with colours of their own). One thread per tree.
template <JointPass kPass, class OnLinks = NoLinks>
struct SolveJoint {
  BodySolve* solve;
  JointLayout layout;
  JointSoftness soft;
  OnLinks links{};

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    each_lane(slot, T{});
  }

 private:
  CAIRN_HD void each_lane(std::uint32_t slot, float) const { one(layout.tree[slot]); }
#if !defined(__CUDA_ARCH__)
  CAIRN_HD void each_lane(std::uint32_t slot, Pack) const {
    for (std::uint32_t i = 0; i < kPackLanes; ++i) one(layout.tree[slot + i]);
  }
#endif

  CAIRN_HD void one(const JointTree& tree) const {
    if (tree.begin == tree.end) return;
    if constexpr (!std::is_same_v<OnLinks, NoLinks>) {
      if (tree.linked != 0) {
        pass_of_linked(tree);
        return;
      }
      if (kPass == JointPass::kRelax && !soft.relaxes) return;
    }
    if constexpr (kPass != JointPass::kRelax) start(tree);
    if constexpr (kPass != JointPass::kStart) {
      const JointSolver solver{
          {layout.node, layout.row, tree}, layout.matrix + tree.matrix, kPass == JointPass::kRelax};
      if (!observe(tree)) return;
      bool stale = choose(tree);
      for (int round = 0;; ++round) {
        if (stale) solver.factor_all();
        solver.solve();
        if (round == kJointRounds || !look_again(tree, round + 1 == kJointRounds, stale)) break;
      }
      finish(tree);
    }
  }

  CAIRN_HD void pass_of_linked(const JointTree& tree) const {
    JointNode& n = layout.node[tree.begin];
    if (n.rows == 0) return;
    const LinkedJoint joint{{solve, links, n, layout.row}, tree, soft, kPass == JointPass::kRelax};
    if (kPass == JointPass::kBias && (soft.relaxes || soft.forgets)) joint.forget(n);
    if constexpr (kPass != JointPass::kStart) joint.pass();
  }

  /// Once: nothing is owed after that.
  CAIRN_HD void start(const JointTree& tree) const {
    const Vec3 none{0, 0, 0};
    for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
      JointNode& n = layout.node[i];
      if (n.rows == 0) continue;
      owe(n.body_a, n.ahead_va, n.ahead_wa);
      owe(n.body_b, n.ahead_vb, n.ahead_wb);
      n.ahead_va = n.ahead_wa = n.ahead_vb = n.ahead_wb = none;
    }
  }
  CAIRN_HD void owe(std::uint32_t body, Vec3 v, Vec3 w) const {
    BodySolve& s = solve[body];
    if (!(s.turnable > 0.0f)) return;
    s.v = s.v + v;
    s.w = s.w + w;
  }

  /// Speeds of the rows, and where their laws need no impulse. False where there are none.
  CAIRN_HD bool observe(const JointTree& tree) const {
    bool any = false;
    for (std::uint32_t i = tree.begin; i < tree.end && !any; ++i) any = layout.node[i].rows != 0;
    if (!any) return false;
    const bool leaks = kPass == JointPass::kBias && soft.leak > 0.0f;
    if (leaks) sum_pushes(tree);
    for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
      const JointNode& n = layout.node[i];
      if (n.rows == 0) continue;
      double a[kNodeAxes], b[kNodeAxes];
      gather(n.body_a, a);
      gather(n.body_b, b);
      for (std::uint32_t r = 0; r < n.rows; ++r) {
        JointRow& to = layout.row[n.first + r];
        to.speed = JointHalf(to.linear_a, to.angular_a).times(a) + JointHalf(to.linear_b, to.angular_b).times(b);
        const double pushed = leaks ? change_of(layout.node, n, to) : 0.0;
        for (std::uint32_t l = 0; l < to.laws; ++l) {
          to.place[l] = place_of(to.law[l], soft, kPass == JointPass::kRelax, tree, to.speed, pushed);
        }
        keep_within(to);
      }
    }
    return true;
  }
  CAIRN_HD void gather(std::uint32_t body, double* to) const {
    const BodySolve& s = solve[body];
    const JointHalf half(s.v, s.w);
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) to[i] = half.j[i];
  }

  /// What the joints' impulses are worth to each body, in `change`.
  CAIRN_HD void sum_pushes(const JointTree& tree) const {
    for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
      for (double& x : layout.node[i].change) x = 0.0;
    }
    for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
      JointNode& n = layout.node[i];
      for (std::uint32_t r = 0; r < n.rows; ++r) {
        const JointRow& from = layout.row[n.first + r];
        const auto l = static_cast<double>(from.impulse);
        const JointHalf a(solve[n.body_a].inv_mass * from.linear_a, from.turn_a),
            b(solve[n.body_b].inv_mass * from.linear_b, from.turn_b);
        (n.is_b != 0 ? b : a).add_to(l, layout.node[n.child].change);
        if (n.parent != kNone) (n.is_b != 0 ? a : b).add_to(l, layout.node[n.parent].change);
      }
    }
  }

  /// The piece of each row to start with. Whether the factor must be made anew.
  CAIRN_HD bool choose(const JointTree& tree) const {
    bool stale = false;
    for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
      const JointNode& n = layout.node[i];
      stale = stale || n.stale != 0;
      for (std::uint32_t r = 0; r < n.rows; ++r) {
        JointRow& row = layout.row[n.first + r];
        const JointPiece piece = JointLine{row}.piece(row.speed, static_cast<double>(row.impulse));
        stale = take_piece(row, piece) || stale;
      }
    }
    return stale;
  }

  /// The pieces on which the result is. Whether some aren't those that it was made with.
  CAIRN_HD bool look_again(const JointTree& tree, bool last, bool& stale) const {
    bool again = false;
    stale = false;
    for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
      const JointNode& n = layout.node[i];
      for (std::uint32_t r = 0; r < n.rows; ++r) {
        JointRow& row = layout.row[n.first + r];
        const double speed = row.speed + change_of(layout.node, n, row);
        const double impulse = static_cast<double>(row.impulse) + row.change;
        const Went went = go_on(row, speed, impulse, last);
        again = again || went != Went::kNowhere;
        stale = stale || went == Went::kToOtherMatrix;
      }
    }
    return again;
  }

  /// What is too much for the next substep to start with, it takes off.
  CAIRN_HD void carry_less(JointNode& n, JointRow& row) const {
    const float most = carried_bound(row), kept = clamp(row.impulse, -most, most);
    const float less = kept - row.impulse;
    if (less == 0.0f) return;
    row.impulse = kept;
    n.ahead_va = fma(less * solve[n.body_a].inv_mass, row.linear_a, n.ahead_va);
    n.ahead_wa = fma(less, row.turn_a, n.ahead_wa);
    n.ahead_vb = fma(less * solve[n.body_b].inv_mass, row.linear_b, n.ahead_vb);
    n.ahead_wb = fma(less, row.turn_b, n.ahead_wb);
  }

  CAIRN_HD void finish(const JointTree& tree) const {
    for (std::uint32_t i = tree.begin; i < tree.end; ++i) {
      const JointNode& n = layout.node[i];
      for (std::uint32_t r = 0; r < n.rows; ++r) {
        JointRow& row = layout.row[n.first + r];
        row.impulse = static_cast<float>(static_cast<double>(row.impulse) + row.change);
        // the last pass of a substep leaves it. Sequential impulses have several passes, and one substep
        if (kPass == JointPass::kRelax || !soft.relaxes) row.total = row.impulse;
        if (kPass == JointPass::kRelax && tree.contested != 0) carry_less(layout.node[i], row);
      }
      if (n.body == kNone) continue;
      BodySolve& s = solve[n.body];
      if (!(s.turnable > 0.0f)) continue;
      const double* const d = n.change;
      s.v = narrow(widen(s.v) + Vec3d{d[0], d[1], d[2]});
      s.w = narrow(widen(s.w) + Vec3d{d[3], d[4], d[5]});
    }
  }
};

}  // namespace cairn::kernels
