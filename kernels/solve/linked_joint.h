#pragma once
// A pass over a joint on links: SolveJoint's, of a block instead of a tree.

#include "kernels/solve/joint_block.h"
#include "kernels/solve/joint_law.h"

namespace cairn::kernels {

/// Writes rows and node of the joint, and what JointBlock does: its bodies, and articulations with all their links
/// (owner by colour). One thread per joint.
struct LinkedJoint {
  JointBlock block;
  const JointTree& tree;
  const JointSoftness& soft;
  bool relaxes;  ///< JointPass::kRelax

  CAIRN_HD void pass() const {
    block.weigh();
    observe();
    for (std::uint32_t r = 0; r < block.count; ++r) {
      JointRow& row = block.row[r];
      row.piece = JointLine{row}.piece(row.speed, static_cast<double>(row.impulse));
    }
    for (int round = 0;; ++round) {
      block.solve();
      if (round == kJointRounds || !look_again(round + 1 == kJointRounds)) break;
    }
    for (std::uint32_t r = 0; r < block.count; ++r) {
      JointRow& row = block.row[r];
      row.impulse = static_cast<float>(static_cast<double>(row.impulse) + row.change);
      if (relaxes || !soft.relaxes) row.total = row.impulse;
    }
    block.give_changes();
  }

 private:
  /// Speeds of the rows, and where their laws need no impulse.
  CAIRN_HD void observe() const {
    const bool leaks = !relaxes && soft.leak > 0.0f;
    for (std::uint32_t r = 0; r < block.count; ++r) {
      JointRow& row = block.row[r];
      row.speed = block.speed_of(row);
      const double pushed = leaks ? block.pushed(r) : 0.0;
      for (std::uint32_t l = 0; l < row.laws; ++l) {
        row.place[l] = place_of(row.law[l], soft, relaxes, tree, row.speed, pushed);
      }
      keep_within(row);
    }
  }

  /// The pieces on which the result is. Whether some aren't those that it was made with.
  CAIRN_HD bool look_again(bool last) const {
    bool again = false;
    for (std::uint32_t r = 0; r < block.count; ++r) {
      JointRow& row = block.row[r];
      const double speed = row.speed + block.changed(r), impulse = static_cast<double>(row.impulse) + row.change;
      again = go_on(row, speed, impulse, last) != Went::kNowhere || again;
    }
    return again;
  }
};

}  // namespace cairn::kernels
