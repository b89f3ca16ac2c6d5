// Heaps of grains: their slope. CAIRN_LONG=1 makes them of 20,000, which takes some minutes.

#include <cstdio>

#include "tests/grains/beds.h"
#include "tests/support/long_run.h"

namespace cairn::grains_test {
namespace {

/// [degrees] Mean of heaps of nearly as many grains: one of 1,500 is off by 1 to 1.4.
double angle_of_repose(const char* grains) {
  const bool is_long = testing_support::is_long();
  const int heaps = is_long ? 1 : 4;
  double sum = 0;
  for (int heap = 0; heap < heaps; ++heap) {
    Bed bed("repose:count=" + std::to_string((is_long ? 20000 : 1500) + 10 * heap) + "," + grains);
    bed.run(is_long ? 4 : 2);
    sum += std::atan(slope_of(bed)) * 180 / std::numbers::pi;
  }
  const double angle = sum / heaps;
  std::printf("%s: %.1f degrees\n", grains, angle);
  return angle;
}

TEST(Heaps, are_steeper_the_more_friction_grains_have) {
  const double smooth = angle_of_repose("friction=0.1"), rough = angle_of_repose("friction=0.5"),
               gritty = angle_of_repose("friction=0.8,rolling=0.2");
  EXPECT_GT(smooth, 5);
  EXPECT_GT(rough, smooth + 2);
  EXPECT_GT(gritty, rough + 2);
  EXPECT_LT(gritty, 45);
}

}  // namespace
}  // namespace cairn::grains_test
