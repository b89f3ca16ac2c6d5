#pragma once
// Two worlds that must stay equal bit for bit, one on the CPU and one on the first CUDA device.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/device.h"
#include "cairn/world.h"
#include "scenes/builtin.h"
#include "src/exec/backend.h"
#include "tests/support/builders.h"
#include "tests/support/variants.h"

namespace cairn::parity {

using testing_support::kSeed;
using testing_support::kVariants;
using testing_support::run;
using testing_support::states;
using testing_support::Variant;
using testing_support::world_of;

/// Skips where there is no CUDA device.
class GpuParity : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<DeviceInfo> found = exec::cuda_devices();
    if (found.empty()) GTEST_SKIP() << "skipped: no CUDA device";
    gpu = found.front().device;
  }
  Device gpu{};
};

inline WorldOptions on(const Device& device) {
  WorldOptions options;
  options.device = device;
  return options;
}

/// How far two states are apart, to find the worst; NaN counts as farther than any number.
inline double distance(const BodyState& a, const BodyState& b) {
  const double d =
      std::abs(a.position.x - b.position.x) + std::abs(a.position.y - b.position.y) +
      std::abs(a.position.z - b.position.z) + std::abs(a.linear_velocity.x - b.linear_velocity.x) +
      std::abs(a.linear_velocity.y - b.linear_velocity.y) + std::abs(a.linear_velocity.z - b.linear_velocity.z) +
      std::abs(a.angular_velocity.x - b.angular_velocity.x) + std::abs(a.angular_velocity.y - b.angular_velocity.y) +
      std::abs(a.angular_velocity.z - b.angular_velocity.z);
  return std::isnan(d) ? HUGE_VAL : d;
}

inline std::string text(const BodyState& s) {
  char line[256];
  std::snprintf(line, sizeof line, "x (%.9g %.9g %.9g) q (%.9g %.9g %.9g %.9g) v (%.9g %.9g %.9g) w (%.9g %.9g %.9g)",
                s.position.x, s.position.y, s.position.z, s.orientation.x, s.orientation.y, s.orientation.z,
                s.orientation.w, s.linear_velocity.x, s.linear_velocity.y, s.linear_velocity.z, s.angular_velocity.x,
                s.angular_velocity.y, s.angular_velocity.z);
  return line;
}

/// Equal in every bit of every state; if not, names the body that is farthest off.
inline testing::AssertionResult alike(const World& cpu, const World& gpu) {
  if (cpu.body_count() != gpu.body_count()) {
    return testing::AssertionFailure() << gpu.body_count() << " bodies, not " << cpu.body_count();
  }
  const std::vector<BodyState> want = states(cpu), got = states(gpu);
  std::size_t differing = 0, worst = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (want[i] == got[i]) continue;
    if (differing++ == 0 || distance(want[i], got[i]) > distance(want[worst], got[worst])) worst = i;
  }
  if (differing == 0 && cpu.state_hash() == gpu.state_hash()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << differing << " of " << want.size() << " bodies differ, most of all number "
                                     << worst << "\n  cpu " << text(want[worst]) << "\n  gpu " << text(got[worst])
                                     << "\n  hash cpu " << cpu.state_hash() << ", gpu " << gpu.state_hash();
}

/// Counts of the last step, on which both must agree as well.
inline testing::AssertionResult counted_alike(const World& cpu, const World& gpu) {
  const StepReport a = cpu.report(), b = gpu.report();
  const auto fields = [](const StepReport& r) {
    return std::vector<std::uint64_t>{r.status,    r.steps,  r.bodies, r.shapes,   r.pairs,
                                      r.manifolds, r.points, r.colors, r.recycled, r.asleep};
  };
  if (fields(a) == fields(b)) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "status, steps, bodies, shapes, pairs, manifolds, points, colors, recycled, asleep: cpu "
         << testing::PrintToString(fields(a)) << ", gpu " << testing::PrintToString(fields(b));
}

inline void step_both(World& cpu, World& gpu, int steps) {
  for (int i = 0; i < steps; ++i) {
    cpu.step();
    gpu.step();
  }
}
/// And until they are over.
inline void step_both_and_wait(World& cpu, World& gpu, int steps) {
  step_both(cpu, gpu, steps);
  cpu.wait();
  gpu.wait();
}

}  // namespace cairn::parity
