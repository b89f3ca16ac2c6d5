// Links without mass: joints between joints.

#include "tests/articulations/models.h"
#include "tests/articulations/robots.h"

namespace cairn::articulations_test {
namespace {

ArticulationLink massless(const std::string& name, std::uint32_t parent, Kind kind, Quat axis = {0, 0, 0, 1}) {
  ArticulationLink made;
  made.name = name;
  made.parent = parent;
  made.joint.kind = kind;
  made.frame_in_parent = made.frame_in_link = frame({}, axis);
  return made;
}
/// Three hinges about z, y and x at one place: what a ball joint is.
Articulation gimbal(double gravity) {
  return {"gimbal",
          {massless("yaw", kWorldLink, Kind::kRevolute, kAlongZ), massless("pitch", 0, Kind::kRevolute, kAlongY),
           link("roll", 1, Kind::kRevolute)},
          {0, 0, gravity}};
}
Articulation ball(double gravity) { return {"ball", {link("roll", kWorldLink, Kind::kBall)}, {0, 0, gravity}}; }

/// A random tree with massless links before some of its own, that turn or shift.
Articulation tree_on_massless_links(std::uint64_t seed, bool floating, double armature) {
  const Articulation tree = random_tree(10, seed, floating, armature, armature);
  Articulation made{.name = "tree", .gravity = tree.gravity};
  std::vector<std::uint32_t> now(tree.links.size());
  Random random(seed);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    ArticulationLink own = tree.links[i];
    if (own.parent != kWorldLink) own.parent = now[own.parent];
    if (own.joint.kind == Kind::kRevolute || own.joint.kind == Kind::kPrismatic) {
      ArticulationLink between = massless("joint" + std::to_string(i), own.parent,
                                          own.joint.kind == Kind::kRevolute ? Kind::kPrismatic : Kind::kRevolute);
      between.frame_in_parent = frame(random.vec(0.2), random.quat());
      made.links.push_back(between);
      own.parent = static_cast<std::uint32_t>(made.links.size() - 1);
    }
    made.links.push_back(own);
    now[i] = static_cast<std::uint32_t>(made.links.size() - 1);
  }
  return made;
}

// a rod on a cross, phi about y and then theta about x: with its centre at (0, 0, -l) and moments A, A, C there,
// T = 1/2 ((A + m l^2) (phi'^2 cos^2 theta + theta'^2) + C phi'^2 sin^2 theta), V = -m g l cos phi cos theta
TEST(MasslessLinks, a_cross_is_the_pendulum_of_its_closed_form) {
  constexpr double kMass = 2, kLength = 0.5, kG = 10;
  constexpr float kA = 0.25f, kC = 0.125f;
  ArticulationLink bob = link("bob", 0, Kind::kRevolute);
  bob.mass = kMass;
  bob.centre_of_mass = {0, 0, -kLength};
  bob.inertia.moments = {kA, kA, kC};
  Articulations cross({"cross", {massless("cross", kWorldLink, Kind::kRevolute, kAlongY), bob}, {0, 0, -kG}}, 1,
                      Device::cpu(1));
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const double phi = random.within(-3, 3), theta = random.within(-1.4, 1.4);
    const double dphi = random.within(-2, 2), dtheta = random.within(-2, 2);
    cross.set_state(std::vector{phi, theta}, std::vector{dphi, dtheta});
    const double s = std::sin(theta), c = std::cos(theta), a = kA + kMass * kLength * kLength;
    const double about_y = a * c * c + kC * s * s, weight = kMass * kG * kLength;
    // Lagrange's equations; the frames' quaternions are floats, whose turn is off by up to 2^-24 of what they turn
    const double bent = (kC - a) * s * c;
    const std::vector<double> want{(-2 * bent * dphi * dtheta - weight * std::sin(phi) * c) / about_y,
                                   (bent * dphi * dphi - weight * std::cos(phi) * s) / a};
    EXPECT_TRUE(near(cross.mass_matrix(), {about_y, 0, 0, a}, 8 * 0x1p-24 * a));
    EXPECT_TRUE(near(cross.forward_dynamics(), want, 32 * 0x1p-24 * a / about_y * (largest(want) + 8)));
  }
}

std::string refusal(const Articulation& of) {
  return refusal_of([&] { Articulations(of, 1, Device::cpu(1)); });
}
/// Hinges about x, y and x again.
Articulation twice_about_x() {
  return {"r",
          {massless("a", kWorldLink, Kind::kRevolute), massless("b", 0, Kind::kRevolute, kAlongY),
           link("c", 1, Kind::kRevolute)},
          {}};
}
constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr const char* kIdle =
    "articulation \"r\", link \"a\" (number 0): joint moves no mass that the joints behind it don't move as well: "
    "give it an armature, or its link a mass";

class OnMasslessLinks : public testing::TestWithParam<bool> {};

TEST_P(OnMasslessLinks, all_is_as_the_reference_says) {
  for (const double armature : {0.0, 0.02}) {
    Articulations batch(tree_on_massless_links(21, GetParam(), armature), 1, Device::cpu(1));
    const std::size_t n = batch.dofs();
    Random random(17);
    for (int i = 0; i < 5; ++i) {
      const State s = random_state(batch, random);
      batch.set_state(s.q, s.v);
      batch.set_forces(s.force);
      const reference::ArticulationModel model = reference::articulation_model(batch.description(), s.q, s.v);
      std::vector<double> mass;
      for (const auto& row : model.mass) mass.insert(mass.end(), row.begin(), row.end());
      EXPECT_TRUE(near(batch.mass_matrix(), mass, 64 * static_cast<double>(n) * 0x1p-53 * largest(mass)));
      const std::vector<double> a = batch.forward_dynamics();
      // M a + what acts against it gives the forces back, whatever the condition of M
      std::vector<double> forces = reference::times(model.mass, a);
      for (std::size_t k = 0; k < n; ++k) forces[k] += model.against[k];
      const double size = largest(mass) * largest(a) + largest(model.against);
      EXPECT_TRUE(near(forces, s.force, 256 * static_cast<double>(n) * 0x1p-53 * size));
      EXPECT_TRUE(near(batch.inverse_dynamics(a), s.force, 256 * static_cast<double>(n) * 0x1p-53 * size));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bases, OnMasslessLinks, testing::Bool(),
                         [](const auto& of) { return of.param ? "afloat" : "on_the_world"; });

// both are steps of first order in h: halve it, and what they differ by halves
TEST(MasslessLinks, three_hinges_swing_as_a_ball_does) {
  const auto off_by = [](int steps) {
    // yaw, pitch and roll rates at coordinates 0 are the angular velocity's z, y and x
    Articulations hinges = started(gimbal(-9.75), {0, 0, 0}, {1, 0.5, 2}),
                  one = started(ball(-9.75), {0, 0, 0, 1}, {2, 0.5, 1});
    for (int i = 0; i < steps; ++i) {
      hinges.step(0.25 / steps);
      one.step(0.25 / steps);
    }
    const BodyState a = hinges.link_states()[2], b = one.link_states()[0];
    return largest({a.linear_velocity.x - b.linear_velocity.x, a.linear_velocity.y - b.linear_velocity.y,
                    a.linear_velocity.z - b.linear_velocity.z});
  };
  const double coarse = off_by(100), fine = off_by(200);
  EXPECT_NEAR(fine / coarse, 0.5, 0.05);
}

TEST(MasslessLinks, energy_is_kept_to_first_order) {
  const auto drift = [](int steps) {
    Articulations tree(tree_on_massless_links(21, true, 0), 1, Device::cpu(1));
    std::vector<double> v(tree.dofs(), 0.0);
    for (std::size_t k = 6; k < v.size(); ++k) v[k] = 0.3;
    tree.set_state(tree.positions(), v);
    const double before = energy(tree);
    for (int i = 0; i < steps; ++i) tree.step(0.1 / steps);
    EXPECT_TRUE(tree.stopped().empty());
    return std::abs(energy(tree) - before);
  };
  const double coarse = drift(200), fine = drift(400);
  EXPECT_NEAR(fine / coarse, 0.5, 0.1);
}

TEST(MasslessLinks, limits_friction_and_drives_act_at_their_joints) {
  Articulation made = gimbal(0);
  made.links[0].joint.upper = 0.2;
  made.links[1].joint.friction = 100;
  made.links[2].joint.drive_stiffness = 50;
  made.links[2].joint.drive_damping = 5;
  Articulations one = started(made, {0, 0.1, 0}, {3, 0, 0}, {1, 0, 0});
  one.set_targets(std::vector{0.0, 0.0, 0.4}, std::vector{0.0, 0.0, 0.0});
  for (int i = 0; i < 1000; ++i) one.step(1.0 / 240);
  EXPECT_NEAR(one.positions()[0], 0.2, 1e-9);
  EXPECT_EQ(one.positions()[1], 0.1);
  EXPECT_NEAR(one.positions()[2], 0.4, 1e-9);
}

TEST(MasslessLinks, what_gives_a_joint_no_inertia_is_refused_by_name) {
  const auto refusal = [](std::vector<ArticulationLink> links) {
    return articulations_test::refusal({"r", std::move(links), {}});
  };
  const std::string no_mass = ": mass must be over 0 of it or of a link that it carries, is 0";
  const std::string first = "articulation \"r\", link \"a\" (number 0)",
                    second = "articulation \"r\", link \"b\" (number 1)";
  EXPECT_EQ(refusal({link("a", kWorldLink, Kind::kRevolute), massless("b", 0, Kind::kRevolute)}), second + no_mass);
  // an armature is no reason to go without a mass
  ArticulationLink geared = massless("b", 0, Kind::kRevolute);
  geared.joint.armature = 1;
  EXPECT_EQ(refusal({link("a", kWorldLink, Kind::kRevolute), geared}), second + no_mass);
  EXPECT_EQ(refusal({massless("a", kWorldLink, Kind::kRevolute), massless("b", 0, Kind::kFixed)}), first + no_mass);
  ArticulationLink inert = massless("a", kWorldLink, Kind::kRevolute);
  inert.inertia.moments = {1, 1, 1};
  EXPECT_EQ(refusal({inert, link("b", 0, Kind::kRevolute)}), first + ": mass must be over 0, is 0");
  // two hinges about one axis, two shifts along one, a ball and a hinge on it
  for (const Kind kind : {Kind::kRevolute, Kind::kPrismatic}) {
    EXPECT_EQ(refusal({massless("a", kWorldLink, kind), link("b", 0, kind)}), kIdle);
  }
  EXPECT_EQ(refusal({massless("a", kWorldLink, Kind::kRevolute), link("b", 0, Kind::kBall)}), kIdle);
  // seven rates of six motions
  EXPECT_EQ(refusal({massless("a", kWorldLink, Kind::kFree), link("b", 0, Kind::kRevolute)}), kIdle);
  geared = massless("a", kWorldLink, Kind::kRevolute);
  geared.joint.armature = 0.01;
  EXPECT_EQ(refusal({geared, link("b", 0, Kind::kRevolute)}), "");
  // mass that is fixed to it is its own, and axes that line up at coordinates 0 alone are no fault
  EXPECT_EQ(refusal({massless("a", kWorldLink, Kind::kRevolute), link("b", 0, Kind::kFixed)}), "");
  EXPECT_EQ(refusal({massless("a", kWorldLink, Kind::kRevolute), massless("b", 0, Kind::kRevolute, kAlongY),
                     link("c", 1, Kind::kRevolute)}),
            "");
}

TEST(MasslessLinks, what_limits_keep_lined_up_is_refused) {
  for (const double at : {0.0, std::numbers::pi}) {
    Articulation shut = twice_about_x();
    shut.links[1].joint.lower = shut.links[1].joint.upper = at;
    EXPECT_EQ(refusal(shut), kIdle);
  }
  // as far as they let it move, it has inertia
  for (const auto& [lower, upper] :
       {std::pair{-0.1, 0.1}, {0.0, 0.3}, {-2.5, -2.0}, {2.0, kEndless}, {-kEndless, 0.2}}) {
    Articulation open = twice_about_x();
    open.links[1].joint.lower = lower;
    open.links[1].joint.upper = upper;
    EXPECT_EQ(refusal(open), "") << lower << ' ' << upper;
  }
}

// both places that are looked at, to the rounding of a frame's float
TEST(MasslessLinks, what_lines_up_at_one_place_alone_is_not_refused) {
  for (const float turn : {0.7708204f, 0.927904f}) {
    Articulation tilted = twice_about_x();
    tilted.links[2].frame_in_parent = frame({}, {0, -std::sin(turn / 2), 0, std::cos(turn / 2)});
    EXPECT_EQ(refusal(tilted), "");
  }
}

TEST(MasslessLinks, little_inertia_is_inertia) {
  // an armature, whatever it carries
  ArticulationLink heavy = link("b", 0, Kind::kRevolute), geared = massless("a", kWorldLink, Kind::kRevolute);
  heavy.inertia.moments = {1e7f, 1e7f, 1e7f};
  heavy.mass = 1e5;
  geared.joint.armature = 1e-3;
  EXPECT_EQ(refusal({"r", {geared, heavy}, {}}), "");
  // a gearbox of 1 g, which alone follows the first hinge, before a ball with 1000 kg
  ArticulationLink box = link("box", 0, Kind::kRevolute), load = link("load", 1, Kind::kBall);
  box.frame_in_parent = box.frame_in_link = frame({}, kAlongY);
  box.mass = 1e-3;
  box.centre_of_mass = {};
  box.inertia.moments = {1e-7f, 1e-7f, 1e-7f};
  load.mass = 1000;
  load.centre_of_mass = {};
  load.inertia.moments = {400, 400, 400};
  const Articulation made{"r", {massless("a", kWorldLink, Kind::kRevolute), box, load}, {}};
  EXPECT_EQ(refusal(made), "");
  Articulations one(made, 1, Device::cpu(1));
  one.set_forces(std::vector<double>{1e-7, 0, 0, 0, 0});
  EXPECT_NEAR(one.forward_dynamics()[0], 1, 1e-3);
}

TEST(MasslessLinks, a_start_where_axes_line_up_is_refused_in_scenes_and_worlds) {
  Articulation made = twice_about_x();
  made.links[2].shapes = {{.geometry = Sphere{0.1f}}};
  const std::string want =
      "articulation \"r\", link \"a\" (number 0): joint moves no mass at the start that the joints behind it don't "
      "move "
      "as well: give it an armature, or start elsewhere";
  Scene scene;
  EXPECT_EQ(refusal_of([&] { scene.add_articulation(made); }), want);
  EXPECT_EQ(refusal_of([&] { scene.add_articulation(made, {{0.5, std::numbers::pi, 0.5}, {}}); }), want);
  EXPECT_TRUE(scene.bodies().empty() && scene.articulations().empty());
  scene.add_articulation(made, {{0, 0.5, 0}, {}});
  World world(scene);
  world.step();
  EXPECT_EQ(world.report().status, 0u);
  made.name = "s";
  EXPECT_EQ(refusal_of([&] { world.articulations().add(made); }),
            "articulation \"s" + want.substr(want.find("\", link")));
  // an armature is enough
  made.links[0].joint.armature = 1e-3;
  world.articulations().add(made);
  world.step();
  EXPECT_EQ(world.report().status, 0u);
}

TEST(MasslessLinks, in_a_world_move_as_by_themselves_and_what_they_hold_apart_ignores_each_other) {
  Articulation legs = gimbal(-9.75);
  legs.links[2].name = "thigh";
  legs.links[2].shapes = {{.geometry = Sphere{0.1f}, .position = {0.3f, 0, 0}}};
  ArticulationLink hip = link("hip", kWorldLink, Kind::kFixed);
  hip.shapes = {{.geometry = Sphere{0.1f}}};
  ArticulationLink shin = link("shin", 3, Kind::kRevolute);
  shin.shapes = legs.links[2].shapes;
  for (ArticulationLink& l : legs.links) l.parent = l.parent == kWorldLink ? 0 : l.parent + 1;
  legs.links.insert(legs.links.begin(), hip);
  legs.links.push_back(shin);
  Scene scene;
  scene.set_gravity({0, 0, -9.75f});
  const ArticulationState start{{0.1, 0.2, 0.3, 0.4}, {1, 0.5, 0.25, 0}};
  scene.add_articulation(legs, start);
  // hip and thigh, thigh and shin
  EXPECT_EQ(scene.ignored(), (std::vector<BodyPair>{{0, 1}, {1, 2}}));
  EXPECT_EQ(scene.articulations()[0].bodies, (std::vector<std::uint32_t>{0, kNoLinkBody, kNoLinkBody, 1, 2}));
  World world(parse_scene(scene_to_json(scene), "text"));
  Articulations alone = started(legs, start.q, start.v);
  expect_as_by_itself(world, alone, 30);
}

// a leg on a hip of three hinges stands, kept upright by its drives, with its whole weight on the floor
TEST(MasslessLinks, contacts_push_through_them) {
  Articulation leg = gimbal(0);
  for (ArticulationLink& l : leg.links) {
    l.joint.drive_stiffness = 2000;
    l.joint.drive_damping = 50;
    l.parent = l.parent == kWorldLink ? 0 : l.parent + 1;
  }
  ArticulationLink base = link("base", kWorldLink, Kind::kPrismatic);
  base.mass = 10;
  base.frame_in_parent = base.frame_in_link = frame({}, kAlongZ);
  leg.links.insert(leg.links.begin(), base);
  leg.links[3].shapes = {{.geometry = Sphere{0.1f}, .position = {0, 0, -0.5f}}};
  World world(on_floor(leg, {{0.6, 0, 0, 0}, {}}));
  test::run(world, 120);
  const ArticulationState there = state_of(world);
  EXPECT_LE(largest(there.v), 1e-3);
  EXPECT_NEAR(there.q[0], 0.6, 0.01);
  EXPECT_NEAR(test::support(world, world.bodies()[0]) / (11 * 9.81), 1, 2e-3);
}

}  // namespace
}  // namespace cairn::articulations_test
