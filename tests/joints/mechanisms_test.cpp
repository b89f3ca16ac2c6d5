// The built-in mechanisms, each against what statics or kinematics say of it.

#include <map>

#include "tests/joints/joint_scenes.h"
#include "tests/support/builtin.h"

namespace cairn::joints_test {
namespace {

using testing_support::scene_by;

constexpr double kPi = std::numbers::pi;

class Mechanism : public testing::TestWithParam<SolverKind> {};

TEST_P(Mechanism, of_four_bars_follows_freudenstein_through_a_turn) {
  for (const double crank : {0.3, 0.5}) {
    SCOPED_TRACE(crank);
    World world(scene_by(GetParam(), "four_bar:rate=2,crank=" + std::to_string(crank)));
    const JointHandle driven = world.find_joint("crank_pin").value(), rocker = world.find_joint("rocker_pin").value();
    // four pins that each give way under the bars' weight and their centripetal force, at the ends of crank and
    // coupler; over the rocker's length, and the least sine of the angle at which the coupler pushes it
    const double bar = 0.04 * 0.06 * 7800, load = (crank + 0.9 + 0.7) * bar * (kG + 4 * crank);
    const double inverse = 4 / (crank * bar) + 4 / (0.9 * bar);
    const auto sine = [](double base) { return std::sin(std::acos((1.3 - base * base) / (2 * 0.9 * 0.7))); };
    const double allowed = 4 * give_of(load, inverse, world) / (0.7 * std::min(sine(1 - crank), sine(1 + crank)));
    double turned = 0;
    while (turned < 2 * kPi) {
      world.step();
      turned = world.state(driven).coordinates[3];
      const double angle = world.state(rocker).coordinates[3], want = rocker_angle(crank, turned);
      ASSERT_NEAR(std::remainder(angle - want, 2 * kPi), 0, allowed) << turned;
    }
  }
}

TEST_P(Mechanism, of_a_screw_lifts_by_its_pitch_a_turn_and_takes_the_torque_of_its_slope) {
  constexpr double kPitch = 0.02, kLoad = 200;  // [m], [kg]
  for (const double rate : {0.0, 6.0}) {
    SCOPED_TRACE(rate);
    World world(scene_by(GetParam(), "screw_jack:pitch=0.02,load=200,rate=" + std::to_string(rate)));
    const JointHandle bearing = world.find_joint("bearing").value();
    run(world, 5);
    const double torque = mean_over(world, 60, [&] { return -world.state(bearing).torque.z; });
    const double want = kLoad * kG * kPitch / (2 * kPi);
    EXPECT_NEAR(torque, want, 1e-3 * want);
    const double turns = world.state(bearing).coordinates[3] / (2 * kPi);
    // the thread gives way under the load, and the bearing under that and the spindle; a substep passes between what
    // joints and bodies tell
    const double spindle = kPi * 0.04 * 0.04 * 1.2 * 7800, h = substep(world.params());
    const double give = give_of(kLoad * kG, 1 / kLoad + 1 / spindle, world) +
                        give_of((kLoad + spindle) * kG, 1 / spindle, world) + kPitch * rate / (2 * kPi) * h;
    EXPECT_NEAR(world.state(world.find_body("carriage").value()).position.z - 0.3, kPitch * turns, give);
    EXPECT_NEAR(2 * kPi * turns / 6, rate, 1e-3 * rate + 1e-3);
  }
}

TEST_P(Mechanism, of_gears_trades_speed_for_torque) {
  constexpr double kBrake = 50;  // [N m]
  for (const double ratio : {1.0, 3.0, 5.0}) {
    SCOPED_TRACE(ratio);
    World world(scene_by(GetParam(), "gear_train:brake=50,ratio=" + std::to_string(ratio)));
    const JointHandle input = world.find_joint("input_axle").value(), output = world.find_joint("output_axle").value();
    const auto angles = [&] {
      return std::pair{world.state(input).coordinates[3], world.state(output).coordinates[3]};
    };
    run(world, 2);
    const auto before = angles();
    double brake = 0;
    const double torque = mean_over(world, 60, [&] {
      brake -= world.state(output).torque.y / 60;
      return world.state(input).torque.y;
    });
    const auto after = angles();
    EXPECT_NEAR((after.first - before.first) / (after.second - before.second), ratio * ratio, 1e-4 * ratio * ratio);
    EXPECT_NEAR(brake, kBrake, 1e-3 * kBrake);
    EXPECT_NEAR(torque * ratio * ratio, kBrake, 1e-3 * kBrake);
  }
}

TEST_P(Mechanism, of_springs_settles_by_its_weight_and_bounces_in_its_time) {
  constexpr double kMass = 1000, kWheel = 20, kStiffness = 20000, kDamping = 300;  // [kg], [kg], [N/m], [N s/m]
  World world(scene_by(GetParam(), "wheel_drop"));
  const JointHandle spring = world.joints()[0];
  std::vector<double> x;
  for (int i = 0; i < 1800; ++i) {
    world.step();
    x.push_back(world.state(spring).coordinates[0]);
  }
  const double h = substep(world.params()), omega = std::sqrt(4 * kStiffness / kMass);
  // xpbd solves the spring as if the wheel were free to yield, and the ground puts it back thereafter: the spring is
  // softer by its inverse mass, of the wheel and of a corner of the chassis, times k h^2 + c h
  const double corner = 1 / kMass + 0.75 * 0.75 / (kMass / 3 * (0.6 * 0.6 + 0.2 * 0.2)) +
                        0.8 * 0.8 / (kMass / 3 * (1.1 * 1.1 + 0.2 * 0.2));
  const double softer =
      GetParam() == SolverKind::kXpbd ? (1 / kWheel + corner) * (kStiffness * h * h + kDamping * h) : 0;
  const double sag = kMass * kG / (4 * kStiffness) * (1 + softer);
  EXPECT_NEAR(x.back(), sag, (1e-3 + 0.2 * softer) * sag);
  std::vector<double> tops;
  for (std::size_t i = 1; i + 1 < x.size() && tops.size() < 3; ++i) {
    if (x[i] <= x[i - 1] || x[i] < x[i + 1]) continue;
    // a parabola through three steps
    const double bend = x[i - 1] - 2 * x[i] + x[i + 1];
    tops.push_back((static_cast<double>(i) + 0.5 * (x[i - 1] - x[i + 1]) / bend) / 60);
  }
  ASSERT_EQ(tops.size(), 3u);
  const double ratio = 4 * kDamping / (2 * kMass * omega) + omega * h / 2;
  const double period = 2 * kPi / (omega * std::sqrt((1 - ratio * ratio) / (1 + softer)));
  // in a row with the springs are the contacts, of the wheels' mass at a fifth of 1/h; a parabola misses a top by some
  // 1e-4 of a period
  const double contact = kStiffness / (kWheel * std::pow(2 * kPi * 0.2 / h, 2));
  EXPECT_NEAR((tops[2] - tops[0]) / 2, period, (contact + omega * omega * h * h / 4 + 2e-4 + 0.1 * softer) * period);
}

TEST_P(Mechanism, of_cables_carries_a_deck_along_a_parabola) {
  constexpr int kPlanks = 20, kSeconds = 10;
  constexpr double kKnot = 100, kSag = 4, kSpan = 40;  // [kg], [m]
  const Scene start = scene_by(GetParam(), "bridge:planks=20,sag=0.1");
  World world(start);
  run(world, 30);
  // it bounces on its own compliance, with xpbd for long: means over some seconds
  std::vector<double> along(world.joints().size()), up(along.size()), knots(start.bodies().size());
  for (int i = 0; i < 60 * kSeconds; ++i) {
    world.step();
    for (std::size_t k = 0; k < along.size(); ++k) {
      const Vec3 force = world.state(world.joints()[k]).force;
      along[k] += force.x / (60.0 * kSeconds);
      up[k] += force.z / (60.0 * kSeconds);
    }
    for (std::uint32_t k = 0; k < knots.size(); ++k)
      knots[k] += world.state(world.body_at(k)).position.z / (60.0 * kSeconds);
  }
  // of what bounces the mean pull isn't quite that of the mean sag
  const double share = GetParam() == SolverKind::kXpbd ? 1e-2 : 3e-3;
  // horizontal pull of a cable: the bending moment of a beam under its loads, half a plank and a knot each, by its sag
  const double plank = 4 * 1.96 * 0.2 * 600, load = (plank / 2 + kKnot) * kG;
  const double moment = load * (0.5 * kPlanks * 9.5 * 2 - 2 * 0.5 * 9 * 10), top = 3 + 1 + kSag;
  double sag = 0, max_moved = 0;
  for (std::uint32_t k = 0; k < knots.size(); ++k) {
    if (!start.bodies()[k].name.starts_with("knot")) continue;
    sag = larger(sag, top - knots[k]);
    max_moved = larger(max_moved, std::abs(knots[k] - start.bodies()[k].position.z));
  }
  const double pull = moment / sag;
  std::map<std::string, double> lift;
  for (std::size_t k = 0; k < along.size(); ++k) {
    const std::string& name = start.joints()[k].name;
    if (name.starts_with("cable")) {
      EXPECT_NEAR(std::abs(along[k]), pull, share * pull) << name;
    } else if (name.starts_with("hanger")) {
      lift[name.substr(0, name.find('_'))] += up[k];
    }
  }
  // the two hangers of a plank share its weight, as the hinges' torsion has it
  EXPECT_EQ(lift.size(), std::size_t{kPlanks});
  for (const auto& [name, force] : lift) EXPECT_NEAR(force, plank * kG, share * plank * kG) << name;
  // each of the links gives way under the pull and the pull that it takes at the towers; a parabola whose length grows
  // sags by 3/16 of its span over its sag as much
  const double link = give_of(std::hypot(pull, 0.5 * kPlanks * load), 2 / kKnot, world);
  EXPECT_LE(max_moved, 3.0 / 16 * kSpan / kSag * (kPlanks + 1) * link);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Mechanism, testing::Values(SolverKind::kSoftStep, SolverKind::kXpbd), name_of_solver);

}  // namespace
}  // namespace cairn::joints_test
