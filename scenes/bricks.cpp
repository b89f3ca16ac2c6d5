// Boxes laid as bricks: each rests on two or four of the layer below.

#include <cmath>
#include <utility>

#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

/// [m] pitch of unit boxes from which on they stay apart when disturbed
constexpr double kClearPitch = 1.02;

/// [1] of the disturbance that keeps boxes at this pitch apart: 0 where they touch
double share_of_disturbance(double pitch) { return pitch < kClearPitch ? (pitch - 1) / (kClearPitch - 1) : 1; }

}  // namespace

Built wall(const Spec& spec, std::uint64_t seed) {
  const int base = spec.whole("base");
  const double pitch = spec["pitch"];
  Built built = on_floor();
  for (int row = 0, index = 0; row < base; ++row) {
    const int count = base - row;
    for (int i = 0; i < count; ++i, ++index) {
      add_box(built.scene, seed, index, {(i - 0.5 * (count - 1)) * pitch, 0, row + 0.5}, Box{}, 0,
              share_of_disturbance(pitch));
    }
  }
  built.nominal_height = base - 0.5;
  return built;
}

Built pyramid(const Spec& spec, std::uint64_t seed) {
  const int base = spec.whole("base");
  const double pitch = spec["pitch"];
  Built built = on_floor();
  for (int layer = 0, index = 0; layer < base; ++layer) {
    const int count = base - layer;
    const double middle = 0.5 * (count - 1);
    for (int j = 0; j < count; ++j) {
      for (int i = 0; i < count; ++i, ++index) {
        add_box(built.scene, seed, index, {(i - middle) * pitch, (j - middle) * pitch, layer + 0.5}, Box{}, 0,
                share_of_disturbance(pitch));
      }
    }
  }
  built.nominal_height = base - 0.5;
  return built;
}

/// Walls in running bond, one behind the other. Half bricks close the ends of every other row.
Built bricks(const Spec& spec, std::uint64_t seed) {
  constexpr double kPitch = 1.05;  ///< [m] between neighbours in a row
  constexpr double kApart = 2;     ///< [m] between walls
  const int length = spec.whole("length"), height = spec.whole("height"), walls = spec.whole("walls");
  const double halves = height / 2;  // rows with a brick less, and two half bricks
  check_count("bricks", walls * (static_cast<double>(length) * height + halves));
  const double end = 0.5 * (length - 1) * kPitch;  // of the outermost whole brick's centre
  Built built = on_floor();
  int index = 0;
  for (int w = 0; w < walls; ++w) {
    const double y = (w - 0.5 * (walls - 1)) * kApart;
    for (int row = 0; row < height; ++row) {
      const double z = row + 0.5;
      const bool shifted = row % 2 == 1;
      const int whole = length - (shifted ? 1 : 0);
      for (int i = 0; i < whole; ++i) {
        add_box(built.scene, seed, index++, {(i - 0.5 * (whole - 1)) * kPitch, y, z}, Box{});
      }
      if (!shifted) continue;
      for (const double side : {-1.0, 1.0}) {
        add_box(built.scene, seed, index++, {side * (end + 0.25), y, z}, Box{{0.25f, 0.5f, 0.5f}});
      }
    }
  }
  built.nominal_height = height - 0.5;
  return built;
}

/// Newton's example `pyramid` with its sizes and its frame of 10 ms: upright pyramids, one box deep, behind each other,
/// whose rows drop by a gap, and a heavy ball that rolls down a ramp into them.
Built wrecking(const Spec& spec, std::uint64_t) {
  constexpr double kHalf = 0.4, kSpacing = 2.1 * kHalf;                ///< [m] of a box; between boxes and rows
  constexpr double kApart = 2 * kSpacing;                              ///< [m] between pyramids
  constexpr double kBallRadius = 2, kBallDensity = 100;                ///< [m]; [1] of the boxes'
  constexpr double kRampRise = 8.4, kRampLength = 20, kRampWidth = 5;  ///< [m]
  constexpr double kRampThickness = 0.5;                               ///< [m]
  const int pyramids = spec.whole("pyramids"), rows = spec.whole("rows");
  check_count("wrecking", pyramids * 0.5 * rows * (rows + 1.0));
  Built built = on_floor();
  StepParams params = built.scene.params();
  params.dt = 0.01f;
  built.scene.set_params(params);
  Material lead = stone(static_cast<float>(kDensity * kBallDensity));
  lead.name = "heavy";
  const std::uint32_t heavy_stone = built.scene.add_material(lead);

  const float half = static_cast<float>(kHalf);
  int index = 0;
  for (int p = 0; p < pyramids; ++p) {
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < rows - row; ++i) {
        const Vec3d place{(i - 0.5 * (rows - row - 1)) * kSpacing, -p * kApart, row * kSpacing + kHalf};
        built.scene.add_body(make_body(numbered("box", index++), BodyType::kDynamic, place, Box{{half, half, half}}));
      }
    }
  }
  const Vec3d above_ramp{0, 0.9 * kRampLength, kRampRise + kBallRadius + 0.1};
  built.scene.add_body(
      make_body("ball", BodyType::kDynamic, above_ramp, Sphere{static_cast<float>(kBallRadius)}, heavy_stone));
  // falls towards -y: a turn about x, by half-angle formulas
  const double length = std::sqrt(kRampRise * kRampRise + kRampLength * kRampLength);
  const double cosine = kRampLength / length, sine = kRampRise / length;
  const double half_cosine = std::sqrt(0.5 * (1 + cosine));
  Body ramp = make_body("ramp", BodyType::kStatic, {0, 0.5 * kRampLength, 0.5 * kRampRise},
                        Box{{static_cast<float>(0.5 * kRampWidth), static_cast<float>(0.5 * kRampLength),
                             static_cast<float>(0.5 * kRampThickness)}});
  ramp.orientation = {static_cast<float>(0.5 * sine / half_cosine), 0, 0, static_cast<float>(half_cosine)};
  built.scene.add_body(std::move(ramp));
  built.nominal_height = 2 * kHalf * rows - kHalf;
  return built;
}

}  // namespace cairn::scenes
