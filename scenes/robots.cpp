// Robots in reduced coordinates that stand on the ground or on other bodies.

#include <cmath>
#include <string>
#include <utility>

#include "scenes/builders.h"
#include "scenes/turns.h"

namespace cairn::scenes {
namespace {

constexpr double kThigh = 0.2, kSole = 0.03;      ///< [m] length of thigh and shin; radius of a foot
constexpr double kHip = 0.6, kKnee = -1.2;        ///< [rad] the posture that the drives hold: feet below hips
constexpr double kStiffness = 200, kDamping = 5;  ///< [N m/rad], [N m s/rad]
constexpr double kMaxTorque = 60;                 ///< [N m]

ArticulationLink solid(const char* name, const Shape& shape, Vec3d centre, double mass, Vec3 moments) {
  ArticulationLink link{.name = name};
  link.mass = mass;
  link.centre_of_mass = centre;
  link.inertia.moments = moments;
  link.shapes = {shape};
  return link;
}

Shape placed(Geometry geometry, Vec3 at) {
  Shape shape;
  shape.geometry = std::move(geometry);
  shape.position = at;
  return shape;
}

/// A trunk of 10 kg on four legs, each with a hinge at hip and knee, bent backwards.
Articulation quadruped(std::string name) {
  constexpr double kForward = 0.22, kAside = 0.14, kBelow = 0.04;  ///< [m] of the hips
  Articulation robot{.name = std::move(name)};
  robot.links.push_back(solid("trunk", placed(Box{{0.3f, 0.12f, 0.06f}}, {}), {}, 10, {0.06f, 0.312f, 0.348f}));
  robot.links[0].joint.kind = ArticulationJointKind::kFree;
  const auto hinge = [&](ArticulationLink link, std::uint32_t parent, Vec3d at, double lower, double upper) {
    link.parent = parent;
    link.joint = {.kind = ArticulationJointKind::kRevolute,
                  .armature = 0.01,
                  .damping = 0.1,
                  .friction = 0.1,
                  .lower = lower,
                  .upper = upper,
                  .drive_stiffness = kStiffness,
                  .drive_damping = kDamping,
                  .drive_max_force = kMaxTorque};
    link.frame_in_parent = {at, kXToY};
    link.frame_in_link = {{}, kXToY};
    robot.links.push_back(std::move(link));
    return static_cast<std::uint32_t>(robot.links.size() - 1);
  };
  for (int i = 0; i < 4; ++i) {
    const std::string leg = std::string(i < 2 ? "front_" : "hind_") + (i % 2 == 0 ? "left_" : "right_");
    const Vec3d hip{i < 2 ? kForward : -kForward, i % 2 == 0 ? kAside : -kAside, -kBelow};
    const float half = static_cast<float>(0.5 * kThigh);
    const std::uint32_t thigh =
        hinge(solid((leg + "thigh").c_str(), placed(Capsule{0.025f, half - 0.025f}, {0, 0, -half}),
                    {0, 0, -0.5 * kThigh}, 0.8, {0.003f, 0.003f, 0.0003f}),
              0, hip, -1.0, 2.0);
    ArticulationLink shin = solid((leg + "shin").c_str(), placed(Sphere{static_cast<float>(kSole)}, {0, 0, -2 * half}),
                                  {0, 0, -0.5 * kThigh}, 0.3, {0.001f, 0.001f, 0.0001f});
    shin.shapes.push_back(placed(Capsule{0.018f, half - 0.04f}, {0, 0, -half}));
    hinge(std::move(shin), thigh, {0, 0, -kThigh}, -2.4, -0.3);
  }
  return robot;
}

}  // namespace

/// Four-legged robots, `drop` over the ground, in rows, each at a random angle about the vertical.
Built quadrupeds(const Spec& spec, std::uint64_t seed) {
  constexpr double kPitch = 1.2;  ///< [m]
  Built built = on_floor();
  set_substeps(built.scene, 6);
  const int count = spec.whole("count");
  int across = 1;
  while (across * across < count) ++across;
  const double height = spec["drop"] + 0.04 + 2 * kThigh * std::cos(kHip) + kSole;
  for (int i = 0; i < count; ++i) {
    const Random random(seed, static_cast<std::uint64_t>(i));
    const Quat any = random.rotation(kRotation);
    const double norm = std::sqrt(double{any.z} * any.z + double{any.w} * any.w);
    ArticulationState start;
    start.q = {(i % across - 0.5 * (across - 1)) * kPitch,
               (i / across - 0.5 * (across - 1)) * kPitch,
               height,
               0,
               0,
               any.z / norm,
               any.w / norm};
    for (int leg = 0; leg < 4; ++leg) start.q.insert(start.q.end(), {kHip, kKnee});
    built.scene.add_articulation(quadruped(numbered("robot", i)), std::move(start));
  }
  built.rule = FallenRule::kNever;
  return built;
}

}  // namespace cairn::scenes
