// What docs/articulations.md shows compiles and runs.

#include "tests/articulations/models.h"

namespace {

TEST(ArticulationDocs, document_shows_what_works) {
#include "articulations.inc"
  // a second with drives that are critically damped at 20 rad/s or so: there
  for (const double x : q) EXPECT_NEAR(x, 0.5, 1e-3);
  EXPECT_EQ(a.size(), n);
  EXPECT_EQ(M.size(), n * arms.dofs());
  // the tip is 0.4 m cos(1) + 0.4 m cos(0.5) in front of the first joint, and turns down with it
  EXPECT_NEAR(J[2 * 2], -0.4 * (std::cos(q[0]) + std::cos(q[0] + q[1])), 1e-9);
}

}  // namespace
