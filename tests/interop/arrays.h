#pragma once
// Scenes and host arrays for tests that share arrays with a World on the CPU, where its addresses are the host's.

#include <vector>

#include "tests/support/builders.h"

namespace cairn::testing_support {

/// An L of two boxes: its centre of mass and principal axes aren't the body's own.
inline Body bracket(const std::string& name, Vec3d at) {
  Body made = box(name, at);
  made.shapes = {shape(Box{{0.5f, 0.3f, 0.2f}}, {0.1f, 0.2f, 0}), shape(Box{{0.2f, 0.2f, 0.6f}}, {0.4f, 0, 0.5f})};
  return made;
}

/// Boxes, balls and brackets that fall on a floor, turned and moving: three worlds of different sizes.
inline std::vector<Scene> worlds_of_all_kinds(const StepParams& params = {}) {
  std::vector<Scene> all;
  for (int w = 0; w < 3; ++w) {
    Scene scene = scene_of({plane()}, params);
    for (int i = 0; i < 4 + 2 * w; ++i) {
      const std::string name = "body" + std::to_string(i);
      const Vec3d at{0.3 * i, 0.1 * w, 0.8 + 1.3 * i};
      Body body = i % 3 == 0 ? bracket(name, at) : i % 3 == 1 ? box(name, at) : ball(name, at);
      body.orientation = {0.1f * static_cast<float>(i), 0.2f, 0, 1};
      body.angular_velocity = {0.5f, -0.2f, 0.1f * static_cast<float>(w)};
      scene.add_body(body);
    }
    all.push_back(std::move(scene));
  }
  return all;
}

/// Rows of a quantity in an array of the host's.
template <class T>
struct HostArray {
  HostArray(std::size_t rows, std::int64_t width) : data(rows * static_cast<std::size_t>(width)), columns(width) {}
  ArrayView view() {
    return dense_view(data.data(), sizeof(T) == 4 ? ElementType::kFloat32 : ElementType::kFloat64, Device::cpu(),
                      static_cast<std::int64_t>(data.size()) / columns, columns);
  }
  T& at(std::size_t row, std::size_t column) { return data[row * static_cast<std::size_t>(columns) + column]; }
  std::vector<T> row(std::size_t r) { return std::vector<T>(&at(r, 0), &at(r, 0) + columns); }
  template <class U>
  void set_row(std::size_t r, const std::vector<U>& to) {
    for (std::size_t c = 0; c < to.size(); ++c) at(r, c) = static_cast<T>(to[c]);
  }

  std::vector<T> data;
  std::int64_t columns;
};

/// All that StateArrays hold, of n bodies.
template <class T>
struct HostStates {
  explicit HostStates(std::size_t n) : position(n, 3), orientation(n, 4), linear(n, 3), angular(n, 3) {}
  explicit HostStates(const std::vector<BodyState>& from) : HostStates(from.size()) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const BodyState& s = from[i];
      position.set_row(i, std::vector{s.position.x, s.position.y, s.position.z});
      orientation.set_row(i, std::vector{s.orientation.x, s.orientation.y, s.orientation.z, s.orientation.w});
      linear.set_row(i, std::vector{s.linear_velocity.x, s.linear_velocity.y, s.linear_velocity.z});
      angular.set_row(i, std::vector{s.angular_velocity.x, s.angular_velocity.y, s.angular_velocity.z});
    }
  }
  StateArrays arrays() { return {position.view(), orientation.view(), linear.view(), angular.view()}; }
  StateArrays poses() { return {.position = position.view(), .orientation = orientation.view()}; }
  friend bool operator==(const HostStates& a, const HostStates& b) {
    return a.position.data == b.position.data && a.orientation.data == b.orientation.data &&
           a.linear.data == b.linear.data && a.angular.data == b.angular.data;
  }

  HostArray<T> position, orientation, linear, angular;
};

/// That both have the same bits so many steps later, in each of their worlds.
inline testing::AssertionResult go_on_alike(World& a, World& b, int steps) {
  run(a, steps);
  run(b, steps);
  const std::vector<std::uint64_t> of_a = a.state_hashes(), of_b = b.state_hashes();
  if (of_a == of_b) return testing::AssertionSuccess();
  return testing::AssertionFailure() << testing::PrintToString(of_a) << " and " << testing::PrintToString(of_b);
}

/// States that differ from a world's: moved, rotated and with other velocities, by amounts that depend on the row.
inline std::vector<BodyState> disturbed(const World& world) {
  std::vector<BodyState> all = states(world);
  const std::vector<BodyHandle> bodies = world.bodies();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (world.description(bodies[i]).type == BodyType::kStatic) continue;
    const float k = static_cast<float>(i % 7);
    all[i].position.z += 0.25 + 0.01 * k;
    all[i].position.x += 1e-9;  // less than a float of it can hold
    all[i].orientation = {0.3f, 0.1f * k, -0.2f, 0.7f};
    all[i].linear_velocity = {0.1f * k, 0.2f, -0.3f};
    all[i].angular_velocity = {0.4f, -0.1f * k, 0.2f};
  }
  return all;
}

}  // namespace cairn::testing_support

namespace cairn::interop_test {

/// Worlds of all kinds, some steps old.
inline World settled(int steps = 40, const StepParams& params = {}) {
  World world(testing_support::worlds_of_all_kinds(params), testing_support::cpu(2));
  testing_support::run(world, steps);
  return world;
}

}  // namespace cairn::interop_test
