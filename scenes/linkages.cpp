// Mechanisms of joints, each with a figure known from statics or kinematics: a four-bar linkage, a screw jack, a gear
// train, a car on its springs.

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "scenes/builders.h"
#include "scenes/turns.h"

namespace cairn::scenes {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kSteel = 7800;  ///< [kg/m^3]

/// A motor that keeps its rate, without a max torque.
JointDrive motor(double rate) {
  return {.damping = kInfinity, .rate = static_cast<float>(rate), .max_force = kInfinity};
}

/// A steel scene of 12 substeps, since the error of joints falls with the square of the substep.
Built of_steel() {
  Built built;
  built.scene.add_material(stone(kSteel));
  add_floor(built.scene);
  set_substeps(built.scene, 12);
  built.rule = FallenRule::kNever;
  return built;
}

/// A bar from pin to pin, at `y` across the plane. Its x axis lies along it.
std::uint32_t add_bar(Scene& scene, const char* name, Pin from, Pin to, double y) {
  const double dx = to.x - from.x, dz = to.z - from.z, length = std::sqrt(dx * dx + dz * dz);
  // half of the turn about -y, whose cosine and sine are dx and dz over the length
  const double cosine = std::sqrt(0.5 * (1 + dx / length)), sine = 0.5 * dz / length / cosine;
  Body bar = make_body(name, BodyType::kDynamic, {0.5 * (from.x + to.x), y, 0.5 * (from.z + to.z)},
                       Box{{static_cast<float>(0.5 * length), 0.02f, 0.03f}});
  bar.orientation = {0, static_cast<float>(-sine), 0, static_cast<float>(cosine)};
  return scene.add_body(std::move(bar));
}

}  // namespace

/// A crank that turns, a coupler, and a rocker that swings, on pins 1 m apart: Grashof's condition holds up to a crank
/// of 0.6 m.
Built four_bar(const Spec& spec, std::uint64_t) {
  constexpr double kCoupler = 0.9, kRocker = 0.7, kBase = 1, kHeight = 1;  ///< [m]
  constexpr double kBetween = 0.06;                                        ///< [m] the planes of the bars
  const double crank = spec["crank"];
  // the pin between coupler and rocker, with the crank along the base: a triangle over the rest of the base
  const double left = kBase - crank;
  const double along = (kCoupler * kCoupler - kRocker * kRocker + left * left) / (2 * left);
  const Pin fixed{0, kHeight}, end{crank, kHeight}, other{kBase, kHeight};
  const Pin top{crank + along, kHeight + std::sqrt(kCoupler * kCoupler - along * along)};

  Built built = of_steel();
  Scene& scene = built.scene;
  const std::uint32_t bars[3] = {add_bar(scene, "crank", fixed, end, 0), add_bar(scene, "coupler", end, top, kBetween),
                                 add_bar(scene, "rocker", other, top, 2 * kBetween)};
  // angles are counted from x towards z
  HingeJoint driven;
  driven.turn.drive = motor(spec["rate"]);
  const auto pin = [&](const char* name, std::uint32_t a, Vec3d at_a, std::uint32_t b, Vec3d at_b,
                       const HingeJoint& hinge) {
    scene.add_joint({.name = name,
                     .body_a = a,
                     .body_b = b,
                     .frame_a = {at_a, kXToMinusY},
                     .frame_b = {at_b, kXToMinusY},
                     .kind = hinge});
  };
  const double half = 0.5 * kBetween;
  pin("crank_pin", kWorldBody, {fixed.x, 0, fixed.z}, bars[0], {-0.5 * crank, 0, 0}, driven);
  pin("rocker_pin", kWorldBody, {other.x, 2 * kBetween, other.z}, bars[2], {-0.5 * kRocker, 0, 0}, {});
  pin("crank_end", bars[0], {0.5 * crank, half, 0}, bars[1], {-0.5 * kCoupler, -half, 0}, {});
  pin("rocker_end", bars[1], {0.5 * kCoupler, half, 0}, bars[2], {0.5 * kRocker, -half, 0}, {});
  return built;
}

/// A spindle in a bearing, turned by a motor, lifts a carriage; a guide keeps the carriage from turning.
Built screw_jack(const Spec& spec, std::uint64_t) {
  constexpr double kSpindle = 0.7, kCarriage = 0.3;  ///< [m] heights of the centres
  Built built = of_steel();
  Scene& scene = built.scene;
  const std::uint32_t spindle =
      scene.add_body(make_body("spindle", BodyType::kDynamic, {0, 0, kSpindle}, Cylinder{0.04f, 0.6f}));
  Body load = make_body("carriage", BodyType::kDynamic, {0, 0, kCarriage}, Box{{0.25f, 0.25f, 0.05f}});
  load.mass = static_cast<float>(spec["load"]);
  const std::uint32_t carriage = scene.add_body(std::move(load));
  HingeJoint bearing;
  bearing.turn.drive = motor(spec["rate"]);
  // clockwise from above, which drives a nut on a right-hand thread upwards
  scene.add_joint({.name = "bearing",
                   .body_b = spindle,
                   .frame_a = {{0, 0, kSpindle}, kXToMinusZ},
                   .frame_b = {{}, kXToMinusZ},
                   .kind = bearing});
  scene.add_joint({.name = "guide",
                   .body_b = carriage,
                   .frame_a = {{0, 0, kCarriage}, kXToZ},
                   .frame_b = {{}, kXToZ},
                   .kind = SliderJoint{}});
  scene.add_joint({.name = "thread",
                   .body_a = spindle,
                   .body_b = carriage,
                   .frame_a = {{0, 0, kCarriage - kSpindle}, kXToMinusZ},
                   .frame_b = {{}, kXToMinusZ},
                   .kind = ScrewJoint{static_cast<float>(spec["pitch"]), {}}});
  return built;
}

/// Two pairs of gears, one behind the other; a motor turns the first wheel, a brake acts on the last.
Built gear_train(const Spec& spec, std::uint64_t) {
  constexpr double kPinion = 0.1, kHeight = 1, kBetween = 0.1;  ///< [m]
  constexpr float kHalfWidth = 0.04f;                           ///< [m]
  const double wheel = kPinion * spec["ratio"], apart = kPinion + wheel;
  Built built = of_steel();
  Scene& scene = built.scene;
  const auto disc = [&](double radius, double y) {
    return Shape{.geometry = Cylinder{static_cast<float>(radius), kHalfWidth},
                 .position = {0, static_cast<float>(y), 0},
                 .orientation = kZToY,
                 .material = 0};
  };
  const auto shaft = [&](const char* name, double x, std::vector<Shape> shapes, const JointAxis& turn) {
    Body body = make_body(name, BodyType::kDynamic, {x, 0, kHeight}, Sphere{});
    body.shapes = std::move(shapes);
    const std::uint32_t at = scene.add_body(std::move(body));
    scene.add_joint({.name = std::string(name) + "_axle",
                     .body_b = at,
                     .frame_a = {{x, 0, kHeight}, kXToY},
                     .frame_b = {{}, kXToY},
                     .kind = HingeJoint{turn}});
    return at;
  };
  const std::uint32_t input = shaft("input", 0, {disc(kPinion, 0)}, {.drive = motor(spec["rate"])});
  const std::uint32_t middle = shaft("middle", apart, {disc(wheel, 0), disc(kPinion, kBetween)}, {});
  const std::uint32_t output =
      shaft("output", 2 * apart, {disc(wheel, kBetween)}, {.friction = static_cast<float>(spec["brake"])});
  scene.ignore(input, middle);
  scene.ignore(middle, output);
  const auto mesh = [&](const char* name, std::uint32_t a, std::uint32_t b) {
    scene.add_joint({.name = name,
                     .kind = GearJoint{.joint_a = a,
                                       .joint_b = b,
                                       .ratio_a = static_cast<float>(kPinion),
                                       .ratio_b = static_cast<float>(wheel)}});
  };
  mesh("first_mesh", 0, 1);
  mesh("second_mesh", 1, 2);
  return built;
}

/// A car on four sprung wheels, a little above the ground.
Built wheel_drop(const Spec& spec, std::uint64_t) {
  constexpr double kRadius = 0.3, kForward = 0.8, kAside = 0.75, kAbove = 0.35;  ///< [m]
  constexpr float kWheelMass = 20;                                               ///< [kg]
  Built built = on_floor();
  Scene& scene = built.scene;
  set_substeps(scene, 12);
  const double axle = spec["height"] + kRadius;
  Body chassis = make_body("chassis", BodyType::kDynamic, {0, 0, axle + kAbove}, Box{{1.1f, 0.6f, 0.2f}});
  chassis.mass = static_cast<float>(spec["mass"]);
  const std::uint32_t car = scene.add_body(std::move(chassis));
  WheelJoint wheel;
  wheel.suspension = JointAxis::locked(static_cast<float>(1 / spec["stiffness"]), static_cast<float>(spec["damping"]));
  for (int k = 0; k < 4; ++k) {
    const double x = k < 2 ? kForward : -kForward, y = k % 2 == 0 ? kAside : -kAside;
    Body round =
        make_body(numbered("wheel", k), BodyType::kDynamic, {x, y, axle}, Cylinder{static_cast<float>(kRadius), 0.1f});
    round.shapes[0].orientation = kZToY;
    round.mass = kWheelMass;
    const std::uint32_t at = scene.add_body(std::move(round));
    scene.add_joint({.name = numbered("suspension", k),
                     .body_a = car,
                     .body_b = at,
                     .frame_a = {{x, y, -kAbove}, kXToZ},
                     .frame_b = {{}, kXToZ},
                     .kind = wheel});
  }
  built.rule = FallenRule::kNever;
  return built;
}

}  // namespace cairn::scenes
