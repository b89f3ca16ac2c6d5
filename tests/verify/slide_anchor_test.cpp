// How the anchor of friction slides with what the cone cut off.

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/solve/row_friction.h"

namespace cairn::kernels::verify_test {
namespace {

/// A row between the world and 1 kg, whose friction holds 1 N s at 0.1 m.
struct AnchoredRow {
  RowBlock row{};
  Softness soft{10.0f, 0.5f, 0.5f};  // 10 N s/m
  float bound{1.0f};

  AnchoredRow() {
    row.normal[2][0] = row.tangent[0][0] = row.friction_block[0][0] = row.friction_block[2][0] = 1.0f;
    row.slip[0][0] = 0.5f;
    row.slip[1][0] = -0.0f;
  }
  Slide<float> slide() const { return {row, 0, {0, 0, 1}, {0, 0}}; }
  void slip(bool slides, float way, float x) {
    slide_anchor(soft, row, 0, slide(), bound, slides, {way, 0.0f}, {x, 0.0f}, {bound, 0.0f});
  }
};

TEST(SlideAnchor, goes_with_what_the_cone_cut_while_it_still_holds_nearly_as_much) {
  AnchoredRow at;
  at.slip(true, 0.01f, -0.12f);
  EXPECT_EQ(at.row.slip[0][0], 0.5f + 0.01f);
  // 0.92 of the bound is left, and then 0.88
  at.slip(true, 0.028f, -0.12f);
  EXPECT_EQ(at.row.slip[0][0], 0.5f + 0.01f + 0.028f);
  at.slip(true, 0.032f, -0.12f);
  EXPECT_EQ(at.row.slip[0][0], 0.5f + 0.01f + 0.028f);
}

TEST(SlideAnchor, stays_where_the_spring_pushes_with_friction_or_nothing_was_cut) {
  AnchoredRow at;
  at.slip(true, 0.01f, 0.2f);
  at.slip(false, 0.01f, -0.12f);
  EXPECT_EQ(at.row.slip[0][0], 0.5f);
  // to the bit
  EXPECT_TRUE(std::signbit(at.row.slip[1][0]));
}

TEST(SlideAnchor, a_push_returns_minus_the_velocity_that_its_bound_left) {
  AnchoredRow at;
  struct Ends {
    void push(float, Vec3, Vec3, Vec3) {}
  } ends;
  for (const float bound : {1.0f, 0.25f}) {
    Along<float> l{0.0f, 0.0f};
    const Along<float> left = at.slide().push(at.row, 0, ends, {0.5f, 0.0f}, bound, l);
    EXPECT_EQ(l.x, -std::min(bound, 0.5f));
    // 1 kg
    EXPECT_EQ(left.x, -0.5f - l.x);
    EXPECT_EQ(left.y, 0.0f);
  }
}

}  // namespace
}  // namespace cairn::kernels::verify_test
