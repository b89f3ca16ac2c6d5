// Scenes about motion: a tower that slides or stays, boxes on conveyor belts, a body that flips.

#include <cmath>
#include <utility>

#include "scenes/builders.h"

namespace cairn::scenes {

/// A tower on a ramp that rises from the floor and falls towards +x. The tower is disturbed along the ramp.
Built slope(const Spec& spec, std::uint64_t seed) {
  constexpr Vec3 kRamp{8, 4, 0.5f};  ///< [m] half extents
  constexpr double kUphill = 4;      ///< [m] from the ramp's middle to the tower, so that it has 12 m to slide
  const int height = spec.whole("height");
  const double tangent = spec["tan"];
  const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
  // a turn about y, by half-angle formulas that are accurate for small slopes
  const double half_cosine = std::sqrt(0.5 * (1 + cosine)), half_sine = 0.5 * sine / half_cosine;
  const Quat ramp_turn{0, static_cast<float>(half_sine), 0, static_cast<float>(half_cosine)};
  // from (along, across, above), relative to the middle of the ramp's upper face; its foot touches the floor
  const auto place = [&](double along, double across, double above) {
    return Vec3d{along * cosine + above * sine, across, (double{kRamp.x} - along) * sine + above * cosine};
  };

  Built built;
  built.scene.add_material(stone(kDensity, static_cast<float>(spec["friction"])));
  add_floor(built.scene);
  Body ramp = make_body("ramp", BodyType::kStatic, place(0, 0, -double{kRamp.z}), Box{kRamp});
  ramp.orientation = ramp_turn;
  built.scene.add_body(std::move(ramp));
  for (int k = 0; k < height; ++k) {
    const Random random(seed, static_cast<std::uint64_t>(k));
    const Vec3d centre = place(kShift * random.symmetric(kX) - kUphill, kShift * random.symmetric(kY), k + 0.5);
    Body box = make_body(numbered("box", k), BodyType::kDynamic, centre, Box{});
    // ramp_turn * yaw, written out for turns about y and z
    const Quat yaw = disturbed_yaw(random);
    const double yaw_sine = yaw.z, yaw_cosine = yaw.w;
    box.orientation = {static_cast<float>(half_sine * yaw_sine), static_cast<float>(half_sine * yaw_cosine),
                       static_cast<float>(half_cosine * yaw_sine), static_cast<float>(half_cosine * yaw_cosine)};
    built.scene.add_body(std::move(box));
  }
  built.nominal_height = place(-kUphill, 0, height - 0.5).z;
  return built;
}

/// Boxes that drop onto a belt, which carries them to another that climbs; they fall off its end.
Built conveyor(const Spec& spec, std::uint64_t seed) {
  constexpr Vec3 kBelt{6, 1, 0.25f};  ///< [m] half extents of both
  constexpr double kTop = 1;          ///< [m] of the first one's upper face over the floor
  constexpr Box kLoad{{0.3f, 0.3f, 0.2f}};
  constexpr int kRow = 10;       ///< [1] boxes side by side
  constexpr double kPitch = 1;   ///< [m] between them
  constexpr double kDrop = 0.1;  ///< [m] below the lowest, and between layers
  const double tangent = spec["tan"];
  const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
  const double half_cosine = std::sqrt(0.5 * (1 + cosine)), half_sine = 0.5 * sine / half_cosine;

  Built built;
  built.scene.add_material(stone());
  Material moving = stone(kDensity, static_cast<float>(spec["friction"]));
  moving.name = "belt";
  moving.surface_velocity = {static_cast<float>(spec["speed"]), 0, 0};
  const std::uint32_t belt = built.scene.add_material(std::move(moving));
  add_floor(built.scene);
  const double length = kBelt.x, thickness = kBelt.z;
  built.scene.add_body(make_body("flat", BodyType::kStatic, {-length, 0, kTop - thickness}, Box{kBelt}, belt));
  // its upper face starts where the other's ends
  Body climb =
      make_body("climb", BodyType::kStatic,
                {length * cosine + thickness * sine, 0, kTop + length * sine - thickness * cosine}, Box{kBelt}, belt);
  climb.orientation = {0, static_cast<float>(-half_sine), 0, static_cast<float>(half_cosine)};
  built.scene.add_body(std::move(climb));
  for (int k = 0; k < spec.whole("count"); ++k) {
    const double height = kTop + kDrop + double{kLoad.half_extents.z};
    const double above = (2 * double{kLoad.half_extents.z} + kDrop) * (k / kRow);
    add_box(built.scene, seed, k, {kPitch * (k % kRow + 1) - 2 * length, 0, height + above}, kLoad);
  }
  built.rule = FallenRule::kNever;
  return built;
}

/// A free body that spins about its middle axis and flips again and again (Dzhanibekov).
Built spinner(const Spec&, std::uint64_t) {
  Built built;
  built.scene.add_material(stone());
  built.scene.set_gravity({});
  Body made = make_body("spinner", BodyType::kDynamic, {}, Box{{0.3f, 0.2f, 0.05f}});
  made.mass = 1.0f;
  made.inertia = Inertia{{1, 2, 3}};
  made.angular_velocity = {0.01f, 10, 0.01f};
  built.scene.add_body(std::move(made));
  built.rule = FallenRule::kNever;
  return built;
}

}  // namespace cairn::scenes
