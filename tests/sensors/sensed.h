#pragma once
// Readings of sensors on the CPU, as plain numbers.

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/sensors.h"
#include "tests/articulations/robots.h"
#include "tests/support/builders.h"

namespace cairn::sensors_test {

using namespace testing_support;

inline constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
inline constexpr double kG = 9.81;  ///< [m/s^2] a scene's, unless it says otherwise

/// A table on the floor, which stiff drives keep up.
inline Scene standing_table() {
  using namespace articulations_test;
  return on_floor(table(10, 0.5, {.drive_stiffness = 2000, .drive_damping = 50}), standing(0));
}

inline std::size_t size_of(const ArrayView& view) {
  std::size_t size = 1;
  for (int i = 0; i < view.rank; ++i) size *= static_cast<std::size_t>(view.shape[static_cast<std::size_t>(i)]);
  return size;
}
inline std::vector<float> reading(const Sensors& sensors, std::string_view name) {
  const ArrayView view = sensors.get(name);
  EXPECT_EQ(view.type, ElementType::kFloat32) << name;
  const auto* data = static_cast<const float*>(view.data);
  return {data, data + size_of(view)};
}
inline std::vector<std::uint32_t> indices(const Sensors& sensors, std::string_view name) {
  const ArrayView view = sensors.get(name);
  EXPECT_EQ(view.type, ElementType::kUint32) << name;
  const auto* data = static_cast<const std::uint32_t*>(view.data);
  return {data, data + size_of(view)};
}
inline void step(World& world, Sensors& sensors, int steps = 1) {
  testing_support::run(world, steps);
  sensors.update();
}
inline Vec3d vector_at(const std::vector<float>& words, std::size_t first) {
  return {words[first], words[first + 1], words[first + 2]};
}
inline void expect_near(Vec3d got, Vec3d want, double tolerance, const char* what = "") {
  EXPECT_NEAR(got.x, want.x, tolerance) << what << ", x";
  EXPECT_NEAR(got.y, want.y, tolerance) << what << ", y";
  EXPECT_NEAR(got.z, want.z, tolerance) << what << ", z";
}

/// All that sensors read in one world, bit for bit.
inline std::vector<std::uint32_t> words_of(const Sensors& sensors, std::uint32_t world) {
  std::vector<std::uint32_t> all;
  for (const NamedArray& array : sensors.list()) {
    const std::size_t each = size_of(array.view) / static_cast<std::size_t>(array.view.shape[0]);
    const auto* data = static_cast<const std::uint32_t*>(array.view.data) + world * each;
    all.insert(all.end(), data, data + each);
  }
  return all;
}

}  // namespace cairn::sensors_test
