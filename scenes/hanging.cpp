// Hanging structures: chains, and a suspension bridge.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "scenes/builders.h"
#include "scenes/turns.h"

namespace cairn::scenes {
namespace {

/// Common to all bridges of a scene.
struct BridgePlan {
  static constexpr double kPlank = 2, kAside = 2, kDeck = 3, kMin = 1;  ///< [m] the shortest hangers are kMin long
  static constexpr float kKnotMass = 100, kDamping = 0.5f;              ///< [kg], [1/s]
  int planks;
  double sag, top;  ///< [m]

  double span() const { return planks * kPlank; }
  /// The k-th knot of a cable. Equal loads at equal distances, half of one from the ends, pull it down in proportion to
  /// the bending moment of a beam under them; the max is its sag.
  Pin knot(int k) const {
    const auto moment = [this](int i) { return planks * (i + 0.5) - i * (i + 1.0); };
    return {(k + 0.5) * kPlank, top - sag * moment(k) / moment(planks / 2)};
  }
};

void add_rod(Scene& scene, std::string name, std::uint32_t a, Vec3d at_a, std::uint32_t b, Vec3d at_b, double length) {
  const auto exact = static_cast<float>(length);
  scene.add_joint({.name = std::move(name),
                   .body_a = a,
                   .body_b = b,
                   .frame_a = {at_a, {}},
                   .frame_b = {at_b, {}},
                   .kind = DistanceJoint{exact, exact}});
}

double between(Pin a, Pin b) { return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z)); }

/// Planks in a row along x, the first on a hinge of the world.
std::vector<std::uint32_t> add_deck(Scene& scene, const BridgePlan& plan, const std::string& prefix, double y) {
  using Plan = BridgePlan;
  std::vector<std::uint32_t> planks;
  for (int k = 0; k < plan.planks; ++k) {
    Body body = make_body(prefix + numbered("plank", k), BodyType::kDynamic, {plan.knot(k).x, y, Plan::kDeck},
                          Box{{static_cast<float>(0.49 * Plan::kPlank), static_cast<float>(Plan::kAside), 0.1f}});
    body.linear_damping = body.angular_damping = Plan::kDamping;
    planks.push_back(scene.add_body(std::move(body)));
    const Vec3d end = k == 0 ? Vec3d{0, y, Plan::kDeck} : Vec3d{0.5 * Plan::kPlank, 0, 0};
    scene.add_joint({.name = prefix + numbered("hinge", k),
                     .body_a = k == 0 ? kWorldBody : planks[static_cast<std::size_t>(k) - 1],
                     .body_b = planks.back(),
                     .frame_a = {end, kXToY},
                     .frame_b = {{-0.5 * Plan::kPlank, 0, 0}, kXToY},
                     .kind = HingeJoint{}});
  }
  return planks;
}

/// A cable at `y`, and hangers from its knots to one side of the planks, `aside` from their middle.
void add_cable(Scene& scene, const BridgePlan& plan, const std::vector<std::uint32_t>& planks,
               const std::string& prefix, const char* side, double y, double aside) {
  std::uint32_t before = kWorldBody;
  Vec3d hold{0, y, plan.top};
  Pin last{0, plan.top};
  for (int k = 0; k < plan.planks; ++k) {
    const Pin at = plan.knot(k);
    Body ball = make_body(prefix + numbered("knot", k) + side, BodyType::kDynamic, {at.x, y, at.z}, Sphere{0.1f});
    ball.mass = BridgePlan::kKnotMass;
    ball.linear_damping = ball.angular_damping = BridgePlan::kDamping;
    const std::uint32_t knot = scene.add_body(std::move(ball));
    add_rod(scene, prefix + numbered("cable", k) + side, before, hold, knot, {}, between(last, at));
    add_rod(scene, prefix + numbered("hanger", k) + side, knot, {}, planks[static_cast<std::size_t>(k)], {0, aside, 0},
            at.z - BridgePlan::kDeck);
    before = knot;
    hold = {};
    last = at;
  }
  add_rod(scene, prefix + numbered("cable", plan.planks) + side, before, {}, kWorldBody, {plan.span(), y, plan.top},
          between(last, {plan.span(), plan.top}));
}

}  // namespace

/// Links on balls below each other, in a square of chains.
Built chain(const Spec& spec, std::uint64_t seed) {
  constexpr double kLink = 0.2, kApart = 1, kAboveFloor = 1;  ///< [m]
  constexpr float kSpeed = 0.5f;                              ///< [m/s] max initial speed of the last link
  const int links = spec.whole("links"), count = spec.whole("count");
  check_count("chain", static_cast<double>(links) * count);
  Built built = on_floor();
  set_substeps(built.scene, 12);
  built.rule = FallenRule::kNever;
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
      built.scene.add_joint({.name = "joint" + name,
                             .body_a = above,
                             .body_b = at,
                             .frame_a = {k == 0 ? Vec3d{x, y, top} : Vec3d{0, 0, -0.5 * kLink}, {}},
                             .frame_b = {{0, 0, 0.5 * kLink}, {}},
                             .kind = BallJoint{}});
      above = at;
    }
  }
  return built;
}

/// Planks joined by hinges hang by rods from two cables of rods, whose knots are in equilibrium: on a parabola.
Built bridge(const Spec& spec, std::uint64_t) {
  constexpr double kApart = 6;  ///< [m] bridges
  const int count = spec.whole("count");
  BridgePlan plan{.planks = spec.whole("planks"), .sag = 0, .top = 0};
  check_count("bridge", 3.0 * plan.planks * count);
  plan.sag = spec["sag"] * plan.span();
  plan.top = BridgePlan::kDeck + BridgePlan::kMin + plan.sag;
  Built built;
  Scene& scene = built.scene;
  scene.add_material(stone(600));
  add_floor(scene);
  set_substeps(scene, 24);
  for (int b = 0; b < count; ++b) {
    const std::string prefix = count == 1 ? "" : numbered("bridge", b) + "_";
    const double middle = b * kApart, left = middle + BridgePlan::kAside, right = middle - BridgePlan::kAside;
    int tower = 0;
    for (const double x : {-0.4, plan.span() + 0.4}) {
      for (const double y : {left, right}) {
        scene.add_body(make_body(prefix + numbered("tower", tower++), BodyType::kStatic, {x, y, 0.5 * plan.top},
                                 Box{{0.3f, 0.2f, static_cast<float>(0.5 * plan.top)}}));
      }
    }
    const std::vector<std::uint32_t> planks = add_deck(scene, plan, prefix, middle);
    add_cable(scene, plan, planks, prefix, "_left", left, BridgePlan::kAside);
    add_cable(scene, plan, planks, prefix, "_right", right, -BridgePlan::kAside);
  }
  built.rule = FallenRule::kNever;
  return built;
}

}  // namespace cairn::scenes
