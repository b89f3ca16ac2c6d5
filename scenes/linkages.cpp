// Mechanisms of joints, each with a figure that statics or kinematics tell: a four-bar linkage, a screw jack, a gear
// train, a car on its springs, a suspension bridge.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

constexpr float kHalfRoot = 0.70710678f;  ///< [1] sqrt(1/2)
constexpr float kInfinity = std::numeric_limits<float>::infinity();
// turns of the x axis, that of a joint, to another
constexpr Quat kXToY{0, 0, kHalfRoot, kHalfRoot}, kXToMinusY{0, 0, -kHalfRoot, kHalfRoot};
constexpr Quat kXToZ{0, -kHalfRoot, 0, kHalfRoot}, kXToMinusZ{0, kHalfRoot, 0, kHalfRoot};
constexpr Quat kZToY{-kHalfRoot, 0, 0, kHalfRoot};
constexpr float kSteel = 7800;  ///< [kg/m^3]

/// A motor that keeps its rate whatever it takes.
JointDrive motor(double rate) {
  return {.damping = kInfinity, .rate = static_cast<float>(rate), .most_force = kInfinity};
}

/// Of 12 substeps, for joints give way by their square.
Built of_steel() {
  Built built;
  built.scene.add_material(stone(kSteel));
  add_floor(built.scene);
  StepParams params;
  params.substeps = 12;
  built.scene.set_params(params);
  built.rule = FallenRule::kNone;
  return built;
}

/// A point of the plane in which a linkage moves.
struct Pin {
  double x, z;  ///< [m]
};

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

/// Links on balls below each other, in a square of chains.
Built chain(const Spec& spec, std::uint64_t seed) {
  constexpr double kLink = 0.2, kApart = 1, kAboveFloor = 1;  ///< [m]
  constexpr float kSpeed = 0.5f;                              ///< [m/s] most of the last link's to begin with
  const int links = spec.whole("links"), count = spec.whole("count");
  check_count("chain", static_cast<double>(links) * count);
  Built built = of_steel();
  int across = 1;
  while (across * across < count) ++across;
  const double top = links * kLink + kAboveFloor;
  for (int c = 0; c < count; ++c) {
    const double x = (c % across) * kApart, y = (c / across) * kApart;
    const Random random(seed, static_cast<std::uint64_t>(c));
    std::uint32_t above = kWorldBody;
    for (int k = 0; k < links; ++k) {
      const std::string name = std::to_string(c) + "." + std::to_string(k);
      Body link = make_body("link" + name, BodyType::kDynamic, {x, y, top - (k + 0.5) * kLink},
                            Box{{0.02f, 0.02f, static_cast<float>(0.45 * kLink)}});
      link.mass = k + 1 == links ? static_cast<float>(spec["ratio"]) : 1.0f;
      const float share = kSpeed * static_cast<float>(k + 1) / static_cast<float>(links);
      link.linear_velocity = {share * static_cast<float>(random.symmetric(kX)),
                              share * static_cast<float>(random.symmetric(kY)), 0};
      const std::uint32_t at = built.scene.add_body(std::move(link));
      built.scene.add_joint({.name = "joint" + name, .body_a = above, .body_b = at,
                             .frame_a = {k == 0 ? Vec3d{x, y, top} : Vec3d{0, 0, -0.5 * kLink}, {}},
                             .frame_b = {{0, 0, 0.5 * kLink}, {}}, .kind = BallJoint{}});
      above = at;
    }
  }
  return built;
}

/// A crank that turns, a coupler, and a rocker that swings, on pins 1 m apart: Grashof's condition holds up to a crank
/// of 0.6 m.
Built four_bar(const Spec& spec, std::uint64_t) {
  constexpr double kCoupler = 0.9, kRocker = 0.7, kBase = 1, kHeight = 1;  ///< [m]
  constexpr double kBetween = 0.06;                                        ///< [m] the planes of the bars
  const double crank = spec["crank"];
  // the pin between coupler and rocker, where the crank lies along the base: two sides of a triangle over what is left
  const double left = kBase - crank;
  const double along = (kCoupler * kCoupler - kRocker * kRocker + left * left) / (2 * left);
  const Pin fixed{0, kHeight}, end{crank, kHeight}, other{kBase, kHeight};
  const Pin top{crank + along, kHeight + std::sqrt(kCoupler * kCoupler - along * along)};

  Built built = of_steel();
  Scene& scene = built.scene;
  const std::uint32_t bars[3] = {add_bar(scene, "crank", fixed, end, 0),
                                 add_bar(scene, "coupler", end, top, kBetween),
                                 add_bar(scene, "rocker", other, top, 2 * kBetween)};
  // angles are counted from x towards z
  HingeJoint driven;
  driven.turn.drive = motor(spec["rate"]);
  const auto pin = [&](const char* name, std::uint32_t a, Vec3d at_a, std::uint32_t b, Vec3d at_b,
                       const HingeJoint& hinge) {
    scene.add_joint({.name = name, .body_a = a, .body_b = b, .frame_a = {at_a, kXToMinusY},
                     .frame_b = {at_b, kXToMinusY}, .kind = hinge});
  };
  const double half = 0.5 * kBetween;
  pin("crank_pin", kWorldBody, {fixed.x, 0, fixed.z}, bars[0], {-0.5 * crank, 0, 0}, driven);
  pin("rocker_pin", kWorldBody, {other.x, 2 * kBetween, other.z}, bars[2], {-0.5 * kRocker, 0, 0}, {});
  pin("crank_end", bars[0], {0.5 * crank, half, 0}, bars[1], {-0.5 * kCoupler, -half, 0}, {});
  pin("rocker_end", bars[1], {0.5 * kCoupler, half, 0}, bars[2], {0.5 * kRocker, -half, 0}, {});
  return built;
}

/// A spindle in a bearing, turned by a motor, lifts a carriage that a guide keeps from turning.
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
  scene.add_joint({.name = "bearing", .body_b = spindle, .frame_a = {{0, 0, kSpindle}, kXToMinusZ},
                   .frame_b = {{}, kXToMinusZ}, .kind = bearing});
  scene.add_joint({.name = "guide", .body_b = carriage, .frame_a = {{0, 0, kCarriage}, kXToZ},
                   .frame_b = {{}, kXToZ}, .kind = SliderJoint{}});
  scene.add_joint({.name = "thread", .body_a = spindle, .body_b = carriage,
                   .frame_a = {{0, 0, kCarriage - kSpindle}, kXToMinusZ}, .frame_b = {{}, kXToMinusZ},
                   .kind = ScrewJoint{static_cast<float>(spec["pitch"]), {}}});
  return built;
}

/// Two pairs of gears, one behind the other; a motor turns the first wheel, a brake rubs on the last.
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
    scene.add_joint({.name = std::string(name) + "_axle", .body_b = at, .frame_a = {{x, 0, kHeight}, kXToY},
                     .frame_b = {{}, kXToY}, .kind = HingeJoint{turn}});
    return at;
  };
  const std::uint32_t input = shaft("input", 0, {disc(kPinion, 0)}, {.drive = motor(spec["rate"])});
  const std::uint32_t middle = shaft("middle", apart, {disc(wheel, 0), disc(kPinion, kBetween)}, {});
  const std::uint32_t output =
      shaft("output", 2 * apart, {disc(wheel, kBetween)}, {.friction = static_cast<float>(spec["brake"])});
  scene.ignore(input, middle);
  scene.ignore(middle, output);
  const auto mesh = [&](const char* name, std::uint32_t a, std::uint32_t b) {
    scene.add_joint({.name = name, .kind = GearJoint{.joint_a = a, .joint_b = b, .ratio_a = static_cast<float>(kPinion),
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
  StepParams params;
  params.substeps = 12;
  scene.set_params(params);
  const double axle = spec["height"] + kRadius;
  Body chassis = make_body("chassis", BodyType::kDynamic, {0, 0, axle + kAbove}, Box{{1.1f, 0.6f, 0.2f}});
  chassis.mass = static_cast<float>(spec["mass"]);
  const std::uint32_t car = scene.add_body(std::move(chassis));
  WheelJoint wheel;
  wheel.suspension = JointAxis::locked(static_cast<float>(1 / spec["stiffness"]), static_cast<float>(spec["damping"]));
  for (int k = 0; k < 4; ++k) {
    const double x = k < 2 ? kForward : -kForward, y = k % 2 == 0 ? kAside : -kAside;
    Body round = make_body(numbered("wheel", k), BodyType::kDynamic, {x, y, axle},
                           Cylinder{static_cast<float>(kRadius), 0.1f});
    round.shapes[0].orientation = kZToY;
    round.mass = kWheelMass;
    const std::uint32_t at = scene.add_body(std::move(round));
    scene.add_joint({.name = numbered("suspension", k), .body_a = car, .body_b = at,
                     .frame_a = {{x, y, -kAbove}, kXToZ}, .frame_b = {{}, kXToZ}, .kind = wheel});
  }
  built.rule = FallenRule::kNone;
  return built;
}

/// Planks joined by hinges hang by rods from two cables of rods, whose knots lie where equal loads at equal distances
/// put them: on a parabola.
Built bridge(const Spec& spec, std::uint64_t) {
  constexpr double kPlank = 2, kAside = 2, kDeck = 3, kLeast = 1;  ///< [m] the shortest hangers are kLeast long
  constexpr float kKnotMass = 100, kDamping = 0.5f;                ///< [kg], [1/s]
  const int planks = spec.whole("planks");
  const double span = planks * kPlank, sag = spec["sag"] * span, top = kDeck + kLeast + sag;
  // bending moment of a beam under unit loads at the planks' middles, half a plank from its ends
  const auto moment = [&](int k) { return 0.5 * planks * (k + 0.5) * kPlank - 0.5 * kPlank * k * (k + 1.0); };
  double most = 0;
  for (int k = 0; k < planks; ++k) most = std::max(most, moment(k));

  Built built;
  Scene& scene = built.scene;
  scene.add_material(stone(600));
  add_floor(scene);
  StepParams params;
  params.substeps = 24;
  scene.set_params(params);
  for (int k = 0; k < 4; ++k) {
    const double x = k < 2 ? -0.4 : span + 0.4, y = k % 2 == 0 ? kAside : -kAside;
    scene.add_body(make_body(numbered("tower", k), BodyType::kStatic, {x, y, 0.5 * top},
                             Box{{0.3f, 0.2f, static_cast<float>(0.5 * top)}}));
  }
  const auto rod = [&](const std::string& name, std::uint32_t a, Vec3d at_a, std::uint32_t b, Vec3d at_b,
                       double length) {
    const auto exact = static_cast<float>(length);
    scene.add_joint({.name = name, .body_a = a, .body_b = b, .frame_a = {at_a, {}}, .frame_b = {at_b, {}},
                     .kind = DistanceJoint{exact, exact}});
  };
  std::uint32_t before = kWorldBody, knots_before[2] = {kWorldBody, kWorldBody};
  Pin knot_before{0, top};
  for (int k = 0; k < planks; ++k) {
    const Pin knot{(k + 0.5) * kPlank, top - sag * moment(k) / most};
    Body deck = make_body(numbered("plank", k), BodyType::kDynamic, {knot.x, 0, kDeck},
                          Box{{static_cast<float>(0.49 * kPlank), static_cast<float>(kAside), 0.1f}});
    deck.linear_damping = deck.angular_damping = kDamping;
    const std::uint32_t plank = scene.add_body(std::move(deck));
    scene.add_joint({.name = numbered("hinge", k), .body_a = before, .body_b = plank,
                     .frame_a = {k == 0 ? Vec3d{0, 0, kDeck} : Vec3d{0.5 * kPlank, 0, 0}, kXToY},
                     .frame_b = {{-0.5 * kPlank, 0, 0}, kXToY}, .kind = HingeJoint{}});
    const double link = std::sqrt((knot.x - knot_before.x) * (knot.x - knot_before.x) +
                                  (knot.z - knot_before.z) * (knot.z - knot_before.z));
    for (int side = 0; side < 2; ++side) {
      const double y = side == 0 ? kAside : -kAside;
      const std::string name = std::to_string(k) + (side == 0 ? "_left" : "_right");
      Body ball = make_body("knot" + name, BodyType::kDynamic, {knot.x, y, knot.z}, Sphere{0.1f});
      ball.mass = kKnotMass;
      ball.linear_damping = ball.angular_damping = kDamping;
      const std::uint32_t at = scene.add_body(std::move(ball));
      rod("cable" + name, knots_before[side], k == 0 ? Vec3d{0, y, top} : Vec3d{}, at, {}, link);
      rod("hanger" + name, at, {}, plank, {0, y, 0}, knot.z - kDeck);
      // the last link is like the first
      if (k + 1 == planks) rod("cable" + std::to_string(planks) + (side == 0 ? "_left" : "_right"), at, {}, kWorldBody,
                               {span, y, top}, std::sqrt(0.25 * kPlank * kPlank + (top - knot.z) * (top - knot.z)));
      knots_before[side] = at;
    }
    before = plank;
    knot_before = knot;
  }
  built.rule = FallenRule::kNone;
  return built;
}

}  // namespace cairn::scenes
