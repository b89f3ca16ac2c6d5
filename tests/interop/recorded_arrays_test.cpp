// What comes in arrays on the device is in a recording, too.

#include "cairn/device_arrays.h"
#include "cairn/recording.h"
#include "tests/interop/arrays.h"

namespace cairn::interop_test {
namespace {

using namespace testing_support;  // NOLINT

TEST(RecordedArrays, hold_what_was_written_by_way_of_arrays) {
  World world(worlds_of_all_kinds(), cpu(2));
  run(world, 20);
  world.start_recording();
  run(world, 5);
  HostStates<double> arrays(disturbed(world));
  const std::vector<std::uint8_t> second{0, 1, 0};
  world.arrays().set_states(arrays.arrays(), second.data());
  const std::uint64_t set = world.state_hash();
  run(world, 5);
  world.arrays().reset(second.data());
  run(world, 5);
  world.arrays().reset(nullptr);
  run(world, 5);
  const ArrayView velocity = world.arrays().get("linear_velocity");
  static_cast<float*>(velocity.data)[velocity.strides[0] * 5] += 1.0f;
  world.arrays().written(Written::kVelocities);
  run(world, 5);
  const Recording made = Recording::from_bytes(world.stop_recording().to_bytes(), "bytes");

  const Replay again = replay(made, cpu());
  EXPECT_FALSE(again.difference) << "step " << again.difference->step;
  EXPECT_EQ(again.steps, 25u);
  EXPECT_EQ(again.hash, world.state_hash());
  EXPECT_NE(set, again.hash);
}

}  // namespace
}  // namespace cairn::interop_test
