#pragma once
// What grains press on, and how steep they lie.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::grains_test {

/// A scene of grains, and its world.
struct Bed {
  Scene scene;
  World world;

  explicit Bed(Scene of) : scene(std::move(of)), world(scene, testing_support::cpu(2)) {}
  explicit Bed(const std::string& spec) : Bed(scenes::make(spec, 1)) {}

  void run(double seconds) { testing_support::run(world, testing_support::steps_in(world, seconds)); }
  bool is_grain(std::size_t i) const { return scene.bodies()[i].name.rfind("grain", 0) == 0; }
  /// Floor and walls come first.
  static bool holds(std::uint32_t i) { return i < 5; }
  /// [N]
  double weight() const {
    double mass = 0;
    const std::vector<BodyHandle> bodies = world.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (is_grain(i)) mass += double{world.mass_properties(bodies[i]).mass};
    }
    return mass * 9.81;
  }
  /// [m] Between the bin's walls.
  double width() const {
    const Body& east = scene.bodies()[2];
    return 2 * (east.position.x - double{std::get<Box>(east.shapes[0].geometry).half_extents.x});
  }
  /// [m] Of the surface: the mean of the highest hundredth of the grains.
  double top() const {
    const std::vector<BodyState> states = testing_support::states(world);
    std::vector<double> heights;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (is_grain(i)) heights.push_back(states[i].position.z);
    }
    std::sort(heights.rbegin(), heights.rend());
    const auto highest = static_cast<std::ptrdiff_t>(heights.size() / 100);
    return std::accumulate(heights.begin(), heights.begin() + highest, 0.0) / static_cast<double>(highest);
  }
  /// [m/s] Of grains, root of the mean square.
  double speed() const {
    const std::vector<BodyState> states = testing_support::states(world);
    double sum = 0, grains = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!is_grain(i)) continue;
      sum += std::pow(testing_support::length(states[i].linear_velocity), 2);
      grains += 1;
    }
    return std::sqrt(sum / grains);
  }
};

/// [N] What is done to floor and walls: down, and outward.
struct Thrust {
  double on_floor{0}, down_walls{0}, out_walls{0};
};

/// The mean over some steps.
inline Thrust thrust_of(Bed& bed, int steps) {
  Thrust mean;
  const double per = 1.0 / (steps * double{bed.world.params().dt});
  for (int k = 0; k < steps; ++k) {
    bed.world.step();
    for (const Contact& contact : bed.world.contacts()) {
      const std::uint32_t a = bed.world.index_of(contact.a), b = bed.world.index_of(contact.b);
      if (Bed::holds(a) == Bed::holds(b)) continue;
      double normal = 0;
      for (int p = 0; p < contact.count; ++p) normal += double{contact.points[static_cast<std::size_t>(p)].impulse};
      const bool still_b = Bed::holds(b);
      // on the body that stands still
      const double side = still_b ? 1 : -1;
      const Vec3 n = contact.normal, f = contact.friction_impulse;
      const double down = -side * (normal * double{n.z} + double{f.z});
      if (bed.scene.bodies()[still_b ? b : a].name == "floor") {
        mean.on_floor += per * down;
      } else {
        mean.down_walls += per * down;
        mean.out_walls += per * normal;
      }
    }
  }
  return mean;
}

inline double half_height(const Body& box) { return double{std::get<Box>(box.shapes[0].geometry).half_extents.z}; }

/// [1] The slope of the heap on the table of scene `repose` by the line through the heights of its surface from 0.3 to
/// 0.9 of the table's radius: in each of 36 sectors of a ring one grain wide the highest grain.
inline double slope_of(const Bed& bed) {
  const Body& table = bed.scene.bodies()[1];
  const double base = table.position.z;
  double radius = 0;
  for (const Shape& ball : table.shapes) {
    radius = std::max(radius, std::hypot(double{ball.position.x}, double{ball.position.y}));
  }
  constexpr double kWide = 0.1;
  constexpr int kSectors = 36;
  const std::vector<BodyState> states = testing_support::states(bed.world);
  const int first = static_cast<int>(0.3 * radius / kWide), last = static_cast<int>(0.9 * radius / kWide);
  std::vector<double> top(static_cast<std::size_t>(kSectors * (last - first)), base);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!bed.is_grain(i)) continue;
    const Vec3d x = states[i].position;
    const int ring = static_cast<int>(std::hypot(x.x, x.y) / kWide) - first;
    if (ring < 0 || ring >= last - first) continue;
    const double turn = std::atan2(x.y, x.x) / (2 * std::numbers::pi) + 0.5;
    const int sector = std::min(kSectors - 1, static_cast<int>(turn * kSectors));
    double& highest = top[static_cast<std::size_t>(ring * kSectors + sector)];
    highest = std::max(highest, x.z);
  }
  double n = 0, r = 0, z = 0, rr = 0, rz = 0;
  for (int ring = 0; ring < last - first; ++ring) {
    double height = 0;
    for (int s = 0; s < kSectors; ++s) height += top[static_cast<std::size_t>(ring * kSectors + s)] / kSectors;
    const double at = (first + ring + 0.5) * kWide;
    n += 1, r += at, z += height, rr += at * at, rz += at * height;
  }
  return -(n * rz - r * z) / (n * rr - r * r);
}

}  // namespace cairn::grains_test
