// The strains of an elastic tetrahedron, against closed forms; their gradients against differences.

#include "kernels/particles/element.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/particles/sets.h"

namespace cairn::kernels::particles_test {
namespace {

using cairn::particles_test::Draw;
using Points = Vec3d[kConstraintEnds];

constexpr Points kStart = {{0, 0, 0}, {1, 0.1, -0.2}, {0.3, 0.9, 0.1}, {-0.1, 0.2, 1.1}};

ConstraintElement element_of(const Points& r) {
  const Vec3d a = r[1] - r[0], b = r[2] - r[0], c = r[3] - r[0];
  const double six = dot(cross(a, b), c);
  return {{(1 / six) * cross(b, c), (1 / six) * cross(c, a), (1 / six) * cross(a, b)}, six / 6};
}

// R S, with S = 1 + strain, is R, S and the strain again.
TEST(ElementStrain, is_that_of_the_stretch_whatever_the_turn) {
  const ConstraintElement e = element_of(kStart);
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    const Quatd turn = draw.turn();
    double want[kElementStrains];
    for (double& s : want) s = 0.25 * draw();
    const Vec3d move = draw.point();
    Points r;
    for (std::size_t k = 0; k < kConstraintEnds; ++k) {
      const Vec3d q = kStart[k];
      const Vec3d s{(1 + want[0]) * q.x + want[3] / 2 * q.y + want[5] / 2 * q.z,
                    want[3] / 2 * q.x + (1 + want[1]) * q.y + want[4] / 2 * q.z,
                    want[5] / 2 * q.x + want[4] / 2 * q.y + (1 + want[2]) * q.z};
      r[k] = move + rotate(turn, s);
    }
    const ElementMeasure m = measure_element(e, r);
    for (int a = 0; a < kElementStrains; ++a) EXPECT_NEAR(m.strain[a], want[a], 1e-13) << a << ", draw " << i;
  }
}

// Central differences of e have an error of e^2 C''' / 6 + eps / e: with e = 1e-5 some 1e-9 of C's scale. What they
// give has no momentum and no moment, to rounding.
TEST(ElementStrain, has_the_gradient_that_differences_have_and_no_moment) {
  const ConstraintElement e = element_of(kStart);
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    Points r;
    for (std::size_t k = 0; k < kConstraintEnds; ++k) r[k] = kStart[k] + 0.4 * draw.point();
    const ElementMeasure m = measure_element(e, r);
    for (int a = 0; a < kElementStrains; ++a) {
      Vec3d sum{0, 0, 0}, moment{0, 0, 0};
      for (std::size_t k = 0; k < kConstraintEnds; ++k) {
        const Vec3d by = rotate(m.turn, m.by[a][k]);
        sum = sum + by;
        moment = moment + cross(r[k], by);
        const double got[3] = {by.x, by.y, by.z};
        for (int axis = 0; axis < 3; ++axis) {
          constexpr double d = 1e-5;
          const auto at = [&](double by_how_much) {
            Points moved = {r[0], r[1], r[2], r[3]};
            (axis == 0 ? moved[k].x : axis == 1 ? moved[k].y : moved[k].z) += by_how_much;
            return measure_element(e, moved).strain[a];
          };
          EXPECT_NEAR(got[axis], (at(d) - at(-d)) / (2 * d), 1e-6) << a << ", draw " << i;
        }
      }
      EXPECT_LT(length(sum), 1e-13);
      EXPECT_LT(length(moment), 1e-12);
    }
  }
}

// A tetrahedron that is turned inside out has the rotation nearest to it, which mirrors nothing.
TEST(ElementStrain, of_one_inside_out_leads_back) {
  const ConstraintElement e = element_of(kStart);
  Points r;
  for (std::size_t k = 0; k < kConstraintEnds; ++k) r[k] = {kStart[k].x, kStart[k].y, -0.5 * kStart[k].z};
  const ElementMeasure m = measure_element(e, r);
  double square = 0;
  for (const double s : m.strain) square += s * s;
  EXPECT_GT(square, 1);
  for (const Vec3d at_one : {Vec3d{0, 0, 0}, Vec3d{1, 2, 3}}) {
    const Points together = {at_one, at_one, at_one, at_one};
    const ElementMeasure none = measure_element(e, together);
    for (int a = 0; a < 3; ++a) EXPECT_EQ(none.strain[a], -1);
  }
}

// Hooke: a pull of p along x stretches by p / E and narrows by Poisson's ratio of that; shear by p / G.
TEST(ElementLaw, is_hookes) {
  const double pull[kElementStrains] = {2, 0, 0, 3, 0, 0};
  double strain[kElementStrains];
  hooke(0.25, pull, strain);
  EXPECT_DOUBLE_EQ(strain[0], 2);
  EXPECT_DOUBLE_EQ(strain[1], -0.5);
  EXPECT_DOUBLE_EQ(strain[2], -0.5);
  EXPECT_DOUBLE_EQ(strain[3], 3 * 2 * 1.25);
  EXPECT_DOUBLE_EQ(von_mises(pull), std::sqrt(4.0 + 27));
}

TEST(ElementLaw, is_solved_as_one_block) {
  Draw draw;
  for (int i = 0; i < 100; ++i) {
    double root[kElementStrains][kElementStrains], a[kElementStrains][kElementStrains], x[kElementStrains];
    for (auto& row : root) {
      for (double& v : row) v = draw();
    }
    double b[kElementStrains] = {};
    for (double& v : x) v = draw();
    for (int p = 0; p < kElementStrains; ++p) {
      for (int q = 0; q < kElementStrains; ++q) {
        a[p][q] = p == q ? 0.5 : 0;
        for (int k = 0; k < kElementStrains; ++k) a[p][q] += root[p][k] * root[q][k];
        b[p] += a[p][q] * x[q];
      }
    }
    ASSERT_TRUE(solve_element(a, b));
    for (int p = 0; p < kElementStrains; ++p) EXPECT_NEAR(b[p], x[p], 1e-12);
  }
  double flat[kElementStrains][kElementStrains] = {}, b[kElementStrains] = {};
  EXPECT_FALSE(solve_element(flat, b));
}

}  // namespace
}  // namespace cairn::kernels::particles_test
