#pragma once

#include "kernels/common/pack.h"
#include "kernels/joints/linked_joints.h"

namespace cairn::kernels {

/// One pass over a tree of joints: all of its axes at once, each on the piece of its line that the result is on. The
/// pieces are found by a semi-smooth Newton iteration, which starts from the impulses of the substep before: as a rule
/// its first guess is right. Writes rows, factors, v and w~ of the tree's bodies, and its articulations with all their
/// links (owner by colour: trees share no body, and joints that are solved alone are trees of one, with colours of
/// their own). One thread per tree.
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
    const bool linked = tree.linked != 0;
    // where links are held, nothing is owed, and all solvers relax
    if ((kPass == JointPass::kStart && linked) || (kPass == JointPass::kRelax && !linked && !soft.relaxes)) return;
    const JointPassRows rows{solve, layout, tree, soft, kPass};
    if (!rows.any()) return;
    if (kPass != JointPass::kRelax && !linked) rows.start();
    if constexpr (kPass != JointPass::kStart) {
      const JointSolver<OnLinks> solver{
          solve, {layout.node, layout.row, tree}, layout.matrix + tree.matrix, kPass == JointPass::kRelax, links};
      if (linked) {
        LinkedJoints<OnLinks>{rows, solver}.pass();
        return;
      }
      rows.observe();
      solve_rows(rows, solver);
      rows.finish(1.0);
    }
  }
};

}  // namespace cairn::kernels
