// A robot with closed loops, in reduced coordinates.

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "scenes/builders.h"
#include "scenes/turns.h"

namespace cairn::scenes {
namespace {

constexpr double kBase = 0.2, kPlatform = 0.08;  ///< [m] from the axis to hips, and to the rods' lower ends
constexpr double kArm = 0.3, kRod = 0.6;         ///< [m]
constexpr double kBetween = 0.05;                ///< [m] a rod and the middle of its pair
constexpr double kHeight = 1.2;                  ///< [m] of the hips
constexpr double kArmMass = 1.5, kPlatformMass = 1, kHalf = 0.02;       ///< [kg], [kg], [m] half an arm's thickness
constexpr double kStiffness = 20000, kDamping = 200, kMaxTorque = 500;  ///< [N m/rad], [N m s/rad], [N m]

/// In the vertical plane of arm i, and normal to it.
struct Directions {
  Vec3d along, across;  ///< [1]
};
Directions directions(int i) {
  const double turn = 2 * std::numbers::pi * i / 3, c = std::cos(turn), s = std::sin(turn);
  return {{c, s, 0}, {-s, c, 0}};
}

/// [rad] Of arm i below level, with the platform at p: of two solutions the one whose elbow is outside.
double arm_angle(int i, const Vec3d& p) {
  const auto [e, t] = directions(i);
  const double x = p.x * e.x + p.y * e.y + kPlatform - kBase, y = p.x * t.x + p.y * t.y, down = kHeight - p.z;
  const double reach = (x * x + y * y + down * down + kArm * kArm - kRod * kRod) / (2 * kArm);
  return std::atan2(down, x) - std::acos(reach / std::hypot(x, down));
}

ArticulationLink arm(int i) {
  const auto [e, t] = directions(i);
  ArticulationLink link{.name = numbered("arm", i)};
  link.joint = {.kind = ArticulationJointKind::kRevolute,
                .friction = 0.1,
                .lower = -1,
                .upper = 1.5,
                .drive_stiffness = kStiffness,
                .drive_damping = kDamping,
                .drive_max_force = kMaxTorque};
  const double half = std::numbers::pi * i / 3 + std::numbers::pi / 4;  // x of the joint to `across`
  link.frame_in_parent = {{kBase * e.x, kBase * e.y, kHeight},
                          {0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))}};
  link.frame_in_link = {{}, kXToY};
  link.mass = kArmMass;
  link.centre_of_mass = {0.5 * kArm, 0, 0};
  const double thin = kArmMass * 2 * kHalf * kHalf / 3, wide = kArmMass * (kHalf * kHalf + 0.25 * kArm * kArm) / 3;
  link.inertia.moments = {static_cast<float>(thin), static_cast<float>(wide), static_cast<float>(wide)};
  Shape shape;
  shape.geometry = Box{{static_cast<float>(0.5 * kArm), static_cast<float>(kHalf), static_cast<float>(kHalf)}};
  shape.position = {static_cast<float>(0.5 * kArm), 0, 0};
  link.shapes = {shape};
  return link;
}

/// The pair of rods of an arm: both move in parallel, so the platform stays level.
void add_rods(Scene& scene, int i, std::uint32_t link, std::uint32_t platform) {
  const auto [e, t] = directions(i);
  for (const double side : {-1.0, 1.0}) {
    Joint rod{.name = numbered("rod", 2 * i + (side > 0 ? 1 : 0)), .body_a = link, .body_b = platform};
    rod.frame_a.position = {kArm, side * kBetween, 0};
    rod.frame_b.position = {kPlatform * e.x + side * kBetween * t.x, kPlatform * e.y + side * kBetween * t.y, 0};
    const auto length = static_cast<float>(kRod);
    rod.kind = DistanceJoint{.min_length = length, .max_length = length};
    scene.add_joint(std::move(rod));
  }
}

}  // namespace

/// Clavel's robot: three arms with drives hold a platform by pairs of rods, and on it lies a box.
Built delta(const Spec& spec, std::uint64_t) {
  constexpr double kThick = 0.01, kBox = 0.04;  ///< [m] half extents
  Built built = on_floor();
  set_substeps(built.scene, 12);
  const Vec3d at{spec["x"], spec["y"], kHeight - spec["depth"]};
  Articulation robot{.name = "delta"};
  ArticulationState start;
  for (int i = 0; i < 3; ++i) {
    robot.links.push_back(arm(i));
    start.q.push_back(arm_angle(i, at));
  }
  const std::uint32_t index = built.scene.add_articulation(robot, std::move(start));
  Body platform = make_body("platform", BodyType::kDynamic, at, Box{{0.1f, 0.1f, static_cast<float>(kThick)}});
  platform.mass = static_cast<float>(kPlatformMass);
  const std::uint32_t held = built.scene.add_body(std::move(platform));
  for (int i = 0; i < 3; ++i) {
    add_rods(built.scene, i, built.scene.articulations()[index].bodies[static_cast<std::size_t>(i)], held);
  }
  if (spec["load"] > 0) {
    const auto half = static_cast<float>(kBox);
    Body box = make_body("load", BodyType::kDynamic, {at.x, at.y, at.z + kThick + kBox}, Box{{half, half, half}});
    box.mass = static_cast<float>(spec["load"]);
    built.scene.add_body(std::move(box));
  }
  built.rule = FallenRule::kNever;
  return built;
}

}  // namespace cairn::scenes
