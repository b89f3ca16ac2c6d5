// What docs/queries.md shows compiles and runs.

#include <cstdio>

#include "tests/support/builders.h"

namespace {

TEST(Query, document_shows_what_works) {
  const cairn::Scene scene = cairn::testing_support::tower(2);
#include "queries.inc"
  EXPECT_EQ(first[0].body, world.bodies()[2]);
  EXPECT_EQ(first[0].distance, 8);
  EXPECT_FALSE(first[1].body);
  EXPECT_FALSE(stop.body);
  EXPECT_TRUE(inside.hits.empty());
  // the capsule's lower end is at z = 2.2
  EXPECT_NEAR(near.distance, 0.2, 1e-7);
  EXPECT_EQ(all.begin.back(), 3u);
}

}  // namespace
