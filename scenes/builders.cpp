#include "scenes/builders.h"

#include <cmath>
#include <sstream>
#include <utility>

#include "cairn/errors.h"

namespace cairn::scenes {
namespace {

constexpr double kHalfYaw = 0.00436332312998582394;  ///< [rad] half of the max yaw disturbance of 0.5 degrees

}  // namespace

Material stone(float density, float friction) { return {.name = "stone", .density = density, .friction = friction}; }

Body make_body(std::string name, BodyType type, Vec3d position, Geometry geometry, std::uint32_t material) {
  Body made;
  made.name = std::move(name);
  made.type = type;
  made.position = position;
  made.shapes.push_back({.geometry = geometry, .position = {}, .orientation = {}, .material = material});
  return made;
}

std::string numbered(const char* kind, int index) { return kind + std::to_string(index); }

void add_floor(Scene& scene) { scene.add_body(make_body("floor", BodyType::kStatic, {}, Plane{})); }

void set_substeps(Scene& scene, int substeps) {
  StepParams params = scene.params();
  params.substeps = substeps;
  scene.set_params(params);
}

Quat disturbed_yaw(const Random& random, double share) {
  // the sine by its series: the next term is under 1e-21
  const double a = share * kHalfYaw * random.symmetric(kYaw);
  const double s = a * (1 - a * a / 6 * (1 - a * a / 20));
  return {0, 0, static_cast<float>(s), static_cast<float>(std::sqrt(1 - s * s))};
}

void add_box(Scene& scene, std::uint64_t seed, int index, Vec3d ideal, const Box& box, std::uint32_t material,
             double share) {
  const Random random(seed, static_cast<std::uint64_t>(index));
  const double shift = share * kShift;
  const Vec3d place{ideal.x + shift * random.symmetric(kX), ideal.y + shift * random.symmetric(kY), ideal.z};
  Body made = make_body(numbered("box", index), BodyType::kDynamic, place, box, material);
  made.orientation = disturbed_yaw(random, share);
  scene.add_body(std::move(made));
}

Built on_floor() {
  Built built;
  built.scene.add_material(stone());
  add_floor(built.scene);
  return built;
}

void add_bin(Built& built, double width, double height, std::uint32_t material) {
  constexpr double kWall = 2;  ///< [m] thickness of floor and walls
  const auto add_static = [&](const char* name, Vec3d centre, double x, double y, double z) {
    const Box box{{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)}};
    built.scene.add_body(make_body(name, BodyType::kStatic, centre, box, material));
  };
  const double half = 0.5 * width, thick = 0.5 * kWall, tall = 0.5 * height;
  add_static("floor", {0, 0, -thick}, half + kWall, half + kWall, thick);
  add_static("wall_west", {-half - thick, 0, tall}, thick, half + kWall, tall);
  add_static("wall_east", {half + thick, 0, tall}, thick, half + kWall, tall);
  add_static("wall_south", {0, -half - thick, tall}, half, thick, tall);
  add_static("wall_north", {0, half + thick, tall}, half, thick, tall);
  built.rule = FallenRule::kBin;
  built.bin_min = {-half, -half, 0};
  built.bin_max = {half, half, 2 * tall};
}

void check_count(const std::string& scene, double count) {
  if (count <= kMaxBodies) return;
  std::ostringstream message;
  message.precision(15);
  message << "scene " << scene << " would have " << count << " boxes; at most " << kMaxBodies;
  throw InvalidArgument(message.str());
}

}  // namespace cairn::scenes
