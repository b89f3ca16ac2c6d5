// Jointed figures of 15 bodies, dropped into a bin.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "scenes/builders.h"
#include "scenes/turns.h"

namespace cairn::scenes {
namespace {

/// A part of a figure that stands upright and looks along x, and its joint to another part.
struct Part {
  const char* name;
  Geometry geometry;
  Vec3d centre;  ///< [m] from the middle of the pelvis
  int parent;    ///< [1] the part that its joint holds on to; none for the pelvis
  Vec3d joint;   ///< [m] the same
  JointKind kind;
  Quat axis;  ///< [1] rotates x to the joint's axis
};

constexpr float kViscosity = 1;  ///< [N m] friction of all joints: without it free limbs would swing for a minute

JointAxis bounded(float lower, float upper) {
  JointAxis axis = JointAxis::limited(lower, upper);
  axis.friction = kViscosity;
  return axis;
}
JointKind socket(float cone, float twist) {
  return BallJoint{.cone = cone, .swing_friction = kViscosity, .twist = bounded(-twist, twist)};
}
JointKind bend(float lower, float upper) { return HingeJoint{bounded(lower, upper)}; }

/// 1.85 m tall, of 68 kg with the density of water. Elbows bend forwards, knees backwards.
std::vector<Part> figure() {
  constexpr int kPelvis = 0, kChest = 1;
  std::vector<Part> parts{
      {"pelvis", Box{{0.10f, 0.16f, 0.10f}}, {0, 0, 0}, -1, {}, FixedJoint{}, {}},
      {"chest", Box{{0.11f, 0.17f, 0.215f}}, {0, 0, 0.335}, kPelvis, {0, 0, 0.11}, socket(0.6f, 0.5f), kXToZ},
      {"head", Capsule{0.10f, 0.03f}, {0, 0, 0.71}, kChest, {0, 0, 0.565}, socket(0.6f, 0.8f), kXToZ}};
  for (const double side : {1.0, -1.0}) {
    const bool left = side > 0;
    const double arm = 0.22 * side, leg = 0.10 * side;
    const auto first = static_cast<int>(parts.size());
    parts.insert(parts.end(), {{left ? "left_upper_arm" : "right_upper_arm",
                                Capsule{0.045f, 0.095f},
                                {0, arm, 0.37},
                                kChest,
                                {0, arm, 0.51},
                                socket(1.4f, 0.8f),
                                kXToMinusZ},
                               {left ? "left_forearm" : "right_forearm",
                                Capsule{0.04f, 0.085f},
                                {0, arm, 0.10},
                                first,
                                {0, arm, 0.227},
                                bend(-2.3f, 0),
                                kXToY},
                               {left ? "left_hand" : "right_hand",
                                Box{{0.03f, 0.02f, 0.08f}},
                                {0, arm, -0.11},
                                first + 1,
                                {0, arm, -0.028},
                                socket(0.6f, 0.3f),
                                kXToMinusZ},
                               {left ? "left_thigh" : "right_thigh",
                                Capsule{0.07f, 0.125f},
                                {0, leg, -0.30},
                                kPelvis,
                                {0, leg, -0.105},
                                socket(1.2f, 0.4f),
                                kXToMinusZ},
                               {left ? "left_shin" : "right_shin",
                                Capsule{0.05f, 0.135f},
                                {0, leg, -0.69},
                                first + 3,
                                {0, leg, -0.50},
                                bend(0, 2.3f),
                                kXToY},
                               {left ? "left_foot" : "right_foot",
                                Box{{0.12f, 0.045f, 0.03f}},
                                {0.06, leg, -0.92},
                                first + 4,
                                {0, leg, -0.88},
                                bend(-0.6f, 0.6f),
                                kXToY}});
  }
  return parts;
}

void add_figure(Scene& scene, const std::vector<Part>& parts, int number, Vec3d place, const Quat& yaw) {
  const double sine = 2.0 * yaw.z * yaw.w, cosine = 1 - 2.0 * yaw.z * yaw.z;
  const std::string prefix = numbered("figure", number) + "_";
  const auto first = static_cast<std::uint32_t>(scene.bodies().size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Part& part = parts[k];
    const Vec3d c = part.centre;
    Body body = make_body(prefix + part.name, BodyType::kDynamic,
                          {place.x + cosine * c.x - sine * c.y, place.y + sine * c.x + cosine * c.y, place.z + c.z},
                          part.geometry);
    body.orientation = yaw;
    const std::uint32_t at = scene.add_body(std::move(body));
    if (part.parent < 0) continue;
    const auto from = [&](Vec3d centre) {
      return Vec3d{part.joint.x - centre.x, part.joint.y - centre.y, part.joint.z - centre.z};
    };
    scene.add_joint({.name = prefix + part.name,
                     .body_a = first + static_cast<std::uint32_t>(part.parent),
                     .body_b = at,
                     .frame_a = {from(parts[static_cast<std::size_t>(part.parent)].centre), part.axis},
                     .frame_b = {from(c), part.axis},
                     .kind = part.kind});
  }
}

}  // namespace

/// Upright figures in layers over a bin, each at a random angle about the vertical.
Built ragdolls(const Spec& spec, std::uint64_t seed) {
  constexpr double kPitch = 0.75, kLayer = 2.0, kAside = 0.02;  ///< [m] between figures; between layers; disturbance
  constexpr double kFeet = 1.0;                                 ///< [m] below the middle of the pelvis, and a little
  constexpr int kLayers = 4;                                    ///< [1] about this many
  const int count = spec.whole("count");
  int across = 2;
  while (across * across * kLayers < count) ++across;
  const int layers = (count + across * across - 1) / (across * across);
  const double middle = 0.5 * (across - 1);

  Built built;
  Scene& scene = built.scene;
  scene.add_material(stone());
  // a foot of 1.3 kg under other figures carries over 1 kN, and its joint's error falls with the square of the substep
  set_substeps(scene, 24);
  add_bin(built, across * kPitch, layers * kLayer + 1);
  const std::vector<Part> parts = figure();
  for (int index = 0; index < count; ++index) {
    const Random random(seed, static_cast<std::uint64_t>(index));
    const int layer = index / (across * across), in_layer = index % (across * across);
    const Quat any = random.rotation(kRotation);
    const float length = std::sqrt(any.z * any.z + any.w * any.w);
    add_figure(scene, parts, index,
               {(in_layer % across - middle) * kPitch + kAside * random.symmetric(kX),
                (in_layer / across - middle) * kPitch + kAside * random.symmetric(kY), kFeet + layer * kLayer},
               {0, 0, any.z / length, any.w / length});
  }
  return built;
}

}  // namespace cairn::scenes
