// Stages are measured when asked for, and measuring changes nothing.

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;

double sum(const StepReport& report) {
  double all = 0;
  for (const double ms : report.stage_ms) all += ms;
  return all;
}

TEST(Timings, begin_and_end_between_steps_and_change_no_bit) {
  const Scene scene = scenes::make("wall:base=5", 1);
  World plain(scene, cpu()), timed(scene, cpu());
  for (int step = 0; step < 9; ++step) {
    if (step == 3) timed.set_timings(true);
    if (step == 6) timed.set_timings(false);
    plain.step();
    timed.step();
    EXPECT_EQ(sum(plain.report()), 0);
    EXPECT_EQ(sum(timed.report()) > 0, step >= 3 && step < 6) << step;
    EXPECT_EQ(timed.state_hash(), plain.state_hash()) << step;
  }
}

}  // namespace
}  // namespace cairn::world_test
