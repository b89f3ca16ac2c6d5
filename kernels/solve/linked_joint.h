#pragma once
// A pass over a joint on links: SolveJoint's, of a block instead of a tree.

#include "kernels/solve/joint_block.h"
#include "kernels/solve/joint_law.h"

namespace cairn::kernels {

/// [m/s, rad/s] Fastest that any link moves to lead errors out. Where a linkage is at the end of its reach, its links
/// would go without bound for nothing.
inline constexpr double kMostStir = 1.0;

/// Writes rows and node of the joint, and what JointBlock does: its bodies, and articulations with all their links
/// (owner by colour). One thread per joint.
struct LinkedJoint {
  JointBlock block;
  const JointTree& tree;
  const JointSoftness& soft;
  bool relaxes;  ///< JointPass::kRelax

  /// Impulses of the substep before are part of the motion by now; `soft_step` let bodies carry them on.
  CAIRN_HD_CALL void forget(JointNode& n) const {
    if (soft.relaxes) block.take_back(n);
    n.ahead_va = n.ahead_wa = n.ahead_vb = n.ahead_wb = Vec3{0, 0, 0};
    for (std::uint32_t r = 0; r < block.count; ++r) block.row[r].impulse = 0.0f;
  }

  CAIRN_HD_CALL void pass() const {
    block.weigh();
    if (relaxes) {
      observe(0.0);
    } else {
      calm();
    }
    for (std::uint32_t r = 0; r < block.count; ++r) {
      JointRow& row = block.row[r];
      row.piece = JointLine{row}.piece(row.speed, static_cast<double>(row.impulse));
    }
    for (int round = 0;; ++round) {
      block.solve(true);
      if (round == kJointRounds || !look_again(round + 1 == kJointRounds)) break;
    }
    for (std::uint32_t r = 0; r < block.count; ++r) {
      JointRow& row = block.row[r];
      row.impulse = static_cast<float>(static_cast<double>(row.impulse) + row.change);
      if (relaxes) row.total = row.impulse;
    }
    block.give_changes();
  }

 private:
  /// Errors are led out at the share of their speed at which nothing goes faster than kMostStir.
  CAIRN_HD void calm() const {
    observe(1.0);
    bool any = false;
    for (std::uint32_t r = 0; r < block.count; ++r) {
      JointRow& row = block.row[r];
      const double goal = bias_of(row);
      any = any || goal != 0.0;
      row.piece = {0.0, goal + row.speed, 0, 0.0, 0.0};
      if (goal == 0.0) row.piece = {0.0, static_cast<double>(row.impulse), 1, 0.0, 0.0};
    }
    if (!any) return;
    block.solve(false);
    const double stir = block.stir();
    if (stir > kMostStir) observe(kMostStir / stir);
  }
  /// [m/s] At which errors are led out.
  CAIRN_HD static double bias_of(const JointRow& row) {
    for (std::uint32_t l = 0; l < row.laws; ++l) {
      if (row.law[l].kind == JointLaw::Kind::kHold && row.law[l].bias != 0.0f) return way_out(row.law[l], 1.0);
    }
    return 0.0;
  }
  /// Since impulses start anew, a lock needs no leak: it bears any load, and nothing winds up.
  CAIRN_HD static double way_out(const JointLaw& law, double share) {
    return share * clamp(-static_cast<double>(law.bias), -kMostJointSpeed, kMostJointSpeed);
  }

  /// Speeds of the rows, and where their laws need no impulse; of the speed of errors goes `share`.
  CAIRN_HD void observe(double share) const {
    for (std::uint32_t r = 0; r < block.count; ++r) {
      JointRow& row = block.row[r];
      row.speed = block.speed_of(row);
      for (std::uint32_t l = 0; l < row.laws; ++l) {
        const JointLaw& law = row.law[l];
        const bool holds = law.kind == JointLaw::Kind::kHold;
        row.place[l] = holds ? way_out(law, share) : place_of(law, soft, relaxes, tree, row.speed, 0.0);
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
