#pragma once

#include <type_traits>

#include "kernels/common/pack.h"
#include "kernels/joints/linked_joints.h"

namespace cairn::kernels {

/// One pass over a tree of joints: all of its axes at once, each on the piece of its line that the result lies on. A
/// semi-smooth Newton iteration finds the pieces. It starts from the impulses of the substep before: usually its first
/// guess is right. Writes rows, factors, v and w~ of the tree's bodies, and its articulations with all their links
/// (owner by colour: trees share no body; joints outside of trees are trees of one, with colours of their own). One
/// thread or warp per tree.
template <JointPass kPass, class OnLinks = NoLinks>
struct SolveJoint {
  static constexpr bool kTakesTeams = true;
  static constexpr std::uint32_t kTeamNodes = 4;  ///< [1] of the largest tree, from which on warps solve trees

  BodySolve* solve;
  JointLayout layout;
  JointSoftness soft;
  OnLinks links{};

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) work(Alone{}, slot + i);
  }
  CAIRN_HD bool wants_teams() const { return layout.largest >= kTeamNodes; }
  /// The same of one slot, by a team.
  template <class Team>
  CAIRN_HD void work(const Team& team, std::uint32_t slot) const {
    const JointTree& tree = layout.tree[slot];
    const bool linked = tree.linked != 0;
    // where links are held, nothing is owed, and all solvers relax
    if ((kPass == JointPass::kStart && linked) || (kPass == JointPass::kRelax && !linked && !soft.relaxes)) return;
    if (linked) {
      team.one([&] { pass_linked(tree); });
      return;
    }
    const JointPassRows<Team> rows{solve, layout, tree, soft, kPass, team};
    if (!rows.any()) return;
    if (kPass != JointPass::kRelax) rows.start();
    if constexpr (kPass != JointPass::kStart) {
      const JointLook look = rows.observe();
      solve_rows(rows, solver_of<NoLinks>(tree, {}, team), look);
      rows.finish(1.0);
    }
  }

 private:
  template <class On, class Team>
  CAIRN_HD JointSolver<On, Team> solver_of(const JointTree& tree, const On& on, const Team& team) const {
    return {solve, {layout.node, layout.row, tree, team}, layout.matrix + tree.matrix, kPass == JointPass::kRelax, on};
  }
  CAIRN_HD_CALL void pass_linked(const JointTree& tree) const {
    if constexpr (kPass != JointPass::kStart && !std::is_same_v<OnLinks, NoLinks>) {
      const JointPassRows<Alone> rows{solve, layout, tree, soft, kPass, {}};
      if (rows.any()) LinkedJoints<OnLinks>{rows, solver_of(tree, links, Alone{})}.pass();
    }
  }
};

}  // namespace cairn::kernels
