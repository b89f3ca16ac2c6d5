// What an axis of a joint does at a speed: the piece of its line on which one impulse leads to.

#include <random>

#include <gtest/gtest.h>

#include "kernels/joints/joint_law.h"

namespace cairn::joints_test {
namespace {

using kernels::JointLaw;
using kernels::JointLine;
using kernels::JointPiece;
using kernels::JointRow;

/// Laws as joints have them: bounds, springs, friction, drives. On a grid, many bends and speeds are the same.
class Lines {
 public:
  Lines(std::uint32_t seed, bool grid) : random_(seed), grid_(grid) {}

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  double number() {
    if (grid_) return 0.5 * (static_cast<double>(below(9)) - 4);
    return std::uniform_real_distribution<double>(-2, 2)(random_);
  }
  JointRow row() {
    JointRow row{};
    row.inv_mass = grid_ ? 0.5f : 0.1f + static_cast<float>(std::abs(number()));
    row.laws = 1 + below(kernels::kJointLaws);
    for (std::uint32_t i = 0; i < row.laws; ++i) {
      JointLaw& law = row.law[i];
      law.softness = below(2) == 0 ? 0.0f : static_cast<float>(grid_ ? 0.5 : 0.1 + std::abs(number()));
      const auto most = static_cast<float>(0.5 + std::abs(number()));
      law.lower = below(2) == 0 ? 0.0f : -most;
      law.upper = law.lower == 0.0f || below(2) == 0 ? (below(3) == 0 ? 3.0e38f : most) : 0.0f;
      row.place[i] = number();
    }
    return row;
  }

 private:
  std::mt19937 random_;
  bool grid_;
};

bool same(const JointPiece& a, const JointPiece& b) {
  return a.held == b.held && a.softness == b.softness && a.goal == b.goal;
}

TEST(JointLine, is_met_on_the_piece_that_is_found) {
  int found = 0, kept = 0;
  for (const bool grid : {false, true}) {
    Lines draw(1, grid);
    for (int i = 0; i < 200000; ++i) {
      const JointRow row = draw.row();
      const JointLine line{row};
      const JointPiece first = line.piece(draw.number(), draw.number());
      const double speed = draw.number(), impulse = draw.number();
      if (!line.meets_on(first, speed, impulse)) continue;
      found += 1;
      const JointPiece again = line.piece(speed, impulse);
      ASSERT_TRUE(same(first, again)) << "line " << i << (grid ? " of a grid" : "");
      kept += first.held == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(found, 20000);
  EXPECT_GT(kept, 2000);
}

}  // namespace
}  // namespace cairn::joints_test
