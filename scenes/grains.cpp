// Grains: balls of a decimetre that fall into a bin, heap up and fill a silo. Other sizes behave alike if dt^2 scales
// with them.

#include <cmath>
#include <string>
#include <utility>

#include "cairn/errors.h"
#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

constexpr double kRadius = 0.05;     ///< [m] mean
constexpr double kSpread = 0.15;     ///< [1] radii are within this share of the mean, so that grains don't crystallise
constexpr double kBedPacking = 0.6;  ///< [1] solid share of a settled bed
constexpr double kGrainPitch = 2.05 * (1 + kSpread) * kRadius;  ///< [m] between suspended grains, so that none touch

enum Stuff : std::uint32_t { kGrain, kWall };

/// With materials of grains and of walls, in that order; the second may be without friction.
Scene scene_of(const Spec& spec, double wall_friction) {
  constexpr float kStone = 2650;  ///< [kg/m^3]
  Scene scene;
  Material grain{.name = "grain", .density = kStone, .friction = static_cast<float>(spec["friction"])};
  grain.rolling_friction = static_cast<float>(spec["rolling"] * kRadius);
  if (spec["friction"] == 0 && wall_friction > 0) {
    throw InvalidArgument("scene " + spec.info->name + ": wall_friction must be 0 where friction is 0");
  }
  // a pair's friction is the geometric mean of both
  const double own = wall_friction > 0 ? wall_friction * wall_friction / spec["friction"] : 0;
  Material wall{.name = "wall", .density = kStone, .friction = static_cast<float>(own)};
  wall.rolling_friction = grain.rolling_friction;
  scene.add_material(std::move(grain));
  scene.add_material(std::move(wall));
  StepParams params = scene.params();
  params.dt = 1.0f / 120;
  scene.set_params(params);
  return scene;
}

void add_grain(Scene& scene, std::uint64_t seed, int index, Vec3d place) {
  constexpr double kAside = 0.01;  ///< [1] of the pitch
  const Random random(seed, static_cast<std::uint64_t>(index));
  const Vec3d aside{random.symmetric(kX), random.symmetric(kY), 0};
  const Sphere ball{static_cast<float>(kRadius * (1 + kSpread * random.symmetric(kSizeX)))};
  scene.add_body(make_body(
      numbered("grain", index), BodyType::kDynamic,
      {place.x + kAside * kGrainPitch * aside.x, place.y + kAside * kGrainPitch * aside.y, place.z}, ball, kGrain));
}

/// [m^3] Of a bed of `count` grains, its gaps included.
double bed_volume(int count) {
  constexpr double kBall = 4.18879020478639098;  ///< [1] 4 pi / 3
  // the mean of the cube of 1 + s u, u even in (-1, 1)
  return count * kBall * kRadius * kRadius * kRadius * (1 + kSpread * kSpread) / kBedPacking;
}

/// Min whole number n of decimetres, from four on, for which of(0.1 n) is at least `volume`: by trial, since roots
/// differ between maths libraries.
template <class F>
double min_decimetres(double volume, const F& of) {
  int n = 4;
  while (of(0.1 * n) < volume) ++n;
  return 0.1 * n;
}

/// Places `count` grains in layers over a square or disc about the z axis, given by `inside`, from `lowest` up.
template <class F>
void hang(Scene& scene, std::uint64_t seed, int count, double half, double lowest, const F& inside) {
  const int across = static_cast<int>(2 * half / kGrainPitch);
  const double middle = 0.5 * (across - 1);
  for (int index = 0, cell = 0; index < count; ++cell) {
    const int layer = cell / (across * across), in_layer = cell % (across * across);
    const double x = (in_layer % across - middle) * kGrainPitch, y = (in_layer / across - middle) * kGrainPitch;
    if (!inside(x, y)) continue;
    add_grain(scene, seed, index++, {x, y, lowest + layer * kGrainPitch});
  }
}

/// Grains over a square bin of this width.
Built binful(Scene scene, std::uint64_t seed, int count, double width) {
  Built built;
  built.scene = std::move(scene);
  const int across = static_cast<int>(width / kGrainPitch), layers = count / (across * across) + 1;
  add_bin(built, width, (layers + 2) * kGrainPitch, kWall);
  hang(built.scene, seed, count, 0.5 * width, kGrainPitch, [](double, double) { return true; });
  return built;
}

}  // namespace

/// Grains dropped into a square bin, filled to half its width.
Built grains(const Spec& spec, std::uint64_t seed) {
  const int count = spec.whole("count");
  const double width = min_decimetres(2 * bed_volume(count), [](double w) { return w * w * w; });
  return binful(scene_of(spec, spec["friction"]), seed, count, width);
}

/// Grains dropped on a round table of balls; they spill over its edge until the heap's slope holds them.
Built repose(const Spec& spec, std::uint64_t seed) {
  constexpr double kSlope = 0.45, kSpill = 2;     ///< [1] of the heap that sizes the table; grains over the heap's
  constexpr double kThird = 1.04719755119659775;  ///< [1] pi / 3: the heap is a cone
  const int count = spec.whole("count");
  Built built;
  built.scene = scene_of(spec, spec["friction"]);
  const double radius =
      min_decimetres(bed_volume(count) / kSpill, [](double r) { return kThird * kSlope * r * r * r; });
  const auto on_table = [&](double share) {
    return [limit = share * share * radius * radius](double x, double y) { return x * x + y * y < limit; };
  };
  add_floor(built.scene);
  Body table = make_body("table", BodyType::kStatic, {0, 0, radius}, Sphere{static_cast<float>(kRadius)}, kGrain);
  table.shapes.clear();
  const int half = static_cast<int>(radius / (2 * kRadius));
  for (int y = -half; y <= half; ++y) {
    for (int x = -half; x <= half; ++x) {
      const double at_x = 2 * kRadius * x, at_y = 2 * kRadius * y;
      if (!on_table(1)(at_x, at_y)) continue;
      table.shapes.push_back({.geometry = Sphere{static_cast<float>(kRadius)},
                              .position = {static_cast<float>(at_x), static_cast<float>(at_y), 0},
                              .orientation = {},
                              .material = kGrain});
    }
  }
  built.scene.add_body(std::move(table));
  hang(built.scene, seed, count, 0.7 * radius, radius + 2 * kGrainPitch, on_table(0.7));
  built.rule = FallenRule::kNever;
  return built;
}

/// Grains in a square silo.
Built silo(const Spec& spec, std::uint64_t seed) {
  const int count = spec.whole("count");
  const double height = spec["height"];
  const double width = min_decimetres(bed_volume(count), [&](double w) { return height * w * w * w; });
  return binful(scene_of(spec, spec["wall_friction"]), seed, count, width);
}

}  // namespace cairn::scenes
