// The narrow phase on one thread: pairs of shapes per second by their kinds, over poses as in a pile. `touching` is the
// share of pairs with contact points, `points` their mean number: the speed is that of this mix.

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernels/collide/collide_shapes.h"

namespace cairn::kernels {
namespace {

constexpr float kMargin = 0.02f;  // [m] about the margin of `collide` between unit boxes at rest
constexpr std::size_t kPairs = 4096;

ShapeGeometry geometry(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return {.kind = kind, .size = {0.5f, 0, 0}};
    case ShapeKind::kCapsule:
      return {.kind = kind, .size = {0.3f, 0, 0.4f}};
    default:
      return {.kind = kind, .size = {0.5f, 0.5f, 0.5f}};
  }
}

/// Pose of shape b relative to a, which is at the origin.
struct Pose {
  ShapePose a, b;
};

// B's centre at 0.8 to 1.5 m from A's in any direction, both in any orientation: shapes of 1 m whose bounds overlap
std::vector<Pose> tumbled() {
  std::mt19937 next(1);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> distance(0.8f, 1.5f);
  const auto orientation = [&] {
    const float q[4] = {normal(next), normal(next), normal(next), normal(next)};
    const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return Quat{q[0] / length, q[1] / length, q[2] / length, q[3] / length};
  };
  std::vector<Pose> poses(kPairs);
  for (Pose& pose : poses) {
    const Vec3 d{normal(next), normal(next), normal(next)};
    const float scale = distance(next) / std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    pose = {{{}, orientation()}, {{scale * d.x, scale * d.y, scale * d.z}, orientation()}};
  }
  return poses;
}

// face on face, shifted sideways and 1 mm deep: as in stacks
std::vector<Pose> stacked() {
  std::mt19937 next(1);
  std::uniform_real_distribution<float> shift(-0.3f, 0.3f), yaw(-0.05f, 0.05f);
  std::vector<Pose> poses(kPairs);
  for (Pose& pose : poses) {
    const float s = yaw(next);
    pose = {{{}, {}}, {{shift(next), shift(next), 0.999f}, {0, 0, s, std::sqrt(1 - s * s)}}};
  }
  return poses;
}

void measure(benchmark::State& state, ShapeKind a, ShapeKind b, const std::vector<Pose>& poses) {
  const ShapeGeometry ga = geometry(a), gb = geometry(b);
  std::uint64_t touching = 0, points = 0;
  for (auto _ : state) {
    touching = points = 0;
    for (const Pose& pose : poses) {
      const ContactPoints found = collide_shapes(ga, pose.a, gb, pose.b, kMargin);
      touching += found.count != 0;
      points += found.count;
    }
    benchmark::DoNotOptimize(points);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(poses.size()));
  state.counters["touching"] = static_cast<double>(touching) / static_cast<double>(poses.size());
  state.counters["points"] = touching == 0 ? 0.0 : static_cast<double>(points) / static_cast<double>(touching);
}

BENCHMARK_CAPTURE(measure, box_box_stacked, ShapeKind::kBox, ShapeKind::kBox, stacked());
BENCHMARK_CAPTURE(measure, box_box_tumbled, ShapeKind::kBox, ShapeKind::kBox, tumbled());
BENCHMARK_CAPTURE(measure, capsule_box, ShapeKind::kCapsule, ShapeKind::kBox, tumbled());
BENCHMARK_CAPTURE(measure, capsule_capsule, ShapeKind::kCapsule, ShapeKind::kCapsule, tumbled());
BENCHMARK_CAPTURE(measure, sphere_box, ShapeKind::kSphere, ShapeKind::kBox, tumbled());
BENCHMARK_CAPTURE(measure, sphere_sphere, ShapeKind::kSphere, ShapeKind::kSphere, tumbled());

}  // namespace
}  // namespace cairn::kernels
