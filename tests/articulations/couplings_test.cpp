// Couplings: gears, mimic joints and tendons within an articulation.

#include "tests/articulations/models.h"
#include "tests/support/refusal.h"

namespace cairn::articulations_test {
namespace {

using testing_support::refuses;

constexpr double kH = 1.0 / 240;  // [s]
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// So many masses that shift along x, side by side, without gravity.
Articulation sliders(const std::vector<double>& masses) {
  Articulation made{.name = "sliders", .gravity = {}};
  for (std::size_t i = 0; i < masses.size(); ++i) {
    ArticulationLink l = link("slider" + std::to_string(i), kWorldLink, Kind::kPrismatic);
    l.mass = masses[i];
    made.links.push_back(l);
  }
  return made;
}

void step(Articulations& batch, int times) {
  for (int i = 0; i < times; ++i) batch.step(kH);
}

TEST(Couplings, a_gear_shares_inertia_and_is_held_exactly) {
  Articulation gear = sliders({2, 3});
  gear.couplings.push_back({.name = "gear", .terms = {{0, 1}, {1, -0.5}}, .lower = 0, .upper = 0});
  Articulations batch(gear, 1, Device::cpu(1));
  batch.set_forces(std::vector{4.0, 0.0});
  step(batch, 240);
  // slider 1 goes twice as fast: 2 kg + 4 * 3 kg at slider 0
  EXPECT_NEAR(batch.rates()[0], 4.0 / 14, 1e-7);
  EXPECT_NEAR(batch.rates()[1], 8.0 / 14, 1e-7);
  EXPECT_NEAR(batch.positions()[0] - 0.5 * batch.positions()[1], 0, 1e-9);
}

TEST(Couplings, what_starts_off_a_gear_comes_back_to_it_and_rests) {
  Articulation gear = sliders({2, 3});
  gear.links[1].joint.friction = 4;
  gear.couplings.push_back({.name = "gear", .terms = {{0, 1}, {1, -0.5}}, .lower = 0.1, .upper = 0.1});
  Articulations batch = started(gear, {-0.3, 0.4}, {0, 0});
  step(batch, 240);
  EXPECT_NEAR(batch.positions()[0] - 0.5 * batch.positions()[1], 0.1, 1e-9);
  EXPECT_NEAR(batch.rates()[0], 0, 1e-9);
  // it moved both along what pushing the gear does: by 1 and -0.5 on 2 kg and 3 kg
  EXPECT_NEAR(2 * (batch.positions()[0] + 0.3) / 1, 3 * (batch.positions()[1] - 0.4) / -0.5, 1e-9);
}

TEST(Couplings, a_tendon_between_springs_rests_where_statics_says) {
  Articulation finger = sliders({0.2, 0.3});
  finger.links[0].joint.spring_stiffness = 100;
  finger.links[0].joint.damping = 5;
  finger.links[1].joint.spring_stiffness = 300;
  finger.links[1].joint.spring_rest = 0.02;
  finger.links[1].joint.damping = 5;
  finger.couplings.push_back(
      {.name = "tendon", .terms = {{0, 0.5}, {1, 0.25}}, .damping = 1, .drive_stiffness = 800, .drive_damping = 3});
  Articulations batch(finger, 1, Device::cpu(1));
  batch.set_targets(std::vector{0.3, 0.2}, std::vector{0.0, 0.0});
  step(batch, 4800);
  // f = 800 (0.5 0.3 + 0.25 0.2 - 0.5 q0 - 0.25 q1), 100 q0 = 0.5 f, 300 (q1 - 0.02) = 0.25 f
  const double f = 800 * (0.2 - 0.25 * 0.02) / (1 + 800 * (0.25 / 100 + 0.0625 / 300));
  EXPECT_NEAR(batch.positions()[0], 0.5 * f / 100, 1e-9);
  EXPECT_NEAR(batch.positions()[1], 0.02 + 0.25 * f / 300, 1e-9);
}

TEST(Couplings, a_drive_gives_no_more_than_its_bounds_either_way) {
  Articulation one = sliders({2});
  one.couplings.push_back(
      {.name = "tendon", .terms = {{0, 1}}, .drive_stiffness = 1e5, .drive_max_force = 6, .drive_min_force = -2});
  Articulations batch(one, 1, Device::cpu(1));
  batch.set_targets(std::vector{100.0}, std::vector{0.0});
  step(batch, 240);
  EXPECT_NEAR(batch.rates()[0], 3, 1e-6);
  batch.set_targets(std::vector{-100.0}, std::vector{0.0});
  step(batch, 240);
  EXPECT_NEAR(batch.rates()[0], 2, 1e-6);
}

TEST(Couplings, friction_holds_a_sum_and_lets_the_difference_go) {
  Articulation two = sliders({1, 1});
  two.couplings.push_back({.name = "rope", .terms = {{0, 1}, {1, 1}}, .friction = 2});
  Articulations batch(two, 1, Device::cpu(1));
  batch.set_forces(std::vector{3.0, 0.5});
  // along the sum pull 3.5 N on two masses of 1 kg, which friction of 2 N on both holds: (3.5 - 2 * 2) < 0
  step(batch, 240);
  EXPECT_NEAR(batch.rates()[0] + batch.rates()[1], 0, 1e-6);
  EXPECT_NEAR(batch.rates()[0] - batch.rates()[1], 2.5, 1e-5);
  batch.set_forces(std::vector{3.0, 3.0});
  step(batch, 240);
  EXPECT_NEAR(batch.rates()[0] + batch.rates()[1], 2, 1e-4);
}

TEST(Couplings, limits_of_sums_and_rates_stop_and_let_go) {
  Articulation two = sliders({1, 2});
  two.couplings.push_back({.name = "rope", .terms = {{0, 1}, {1, 1}}, .upper = 0.5, .max_rate = 0.25});
  Articulations batch(two, 1, Device::cpu(1));
  batch.set_forces(std::vector{1.0, 1.0});
  step(batch, 240);
  EXPECT_NEAR(batch.rates()[0] + batch.rates()[1], 0.25, 1e-6);
  step(batch, 2400);
  EXPECT_NEAR(batch.positions()[0] + batch.positions()[1], 0.5, 1e-6);
  batch.set_forces(std::vector{-1.0, -1.0});
  const std::vector<double> v = batch.rates();
  step(batch, 24);
  EXPECT_NEAR(batch.rates()[0] - v[0], -0.1, 1e-6);
}

TEST(Couplings, what_starts_beyond_a_limit_of_a_sum_comes_back_without_a_rate) {
  Articulation two = sliders({1, 1});
  two.couplings.push_back({.name = "rope", .terms = {{0, 1}, {1, 1}}, .upper = 0.5});
  Articulations batch = started(two, {0.3, 0.3}, {0, 0});
  step(batch, 240);
  EXPECT_NEAR(batch.positions()[0], 0.25, 1e-9);
  EXPECT_NEAR(batch.positions()[1], 0.25, 1e-9);
  EXPECT_NEAR(batch.rates()[0], 0, 1e-12);
}

TEST(Couplings, drives_without_gains_push_nothing_whatever_their_bounds) {
  for (const bool on_joint : {false, true}) {
    Articulation one = sliders({1});
    one.couplings.push_back({.name = "tendon", .terms = {{0, 1}}, .friction = 1});
    if (on_joint) {
      one.links[0].joint.drive_min_force = 2;
      one.links[0].joint.drive_max_force = 5;
    } else {
      one.couplings[0].drive_min_force = 2;
      one.couplings[0].drive_max_force = 5;
    }
    Articulations batch(one, 1, Device::cpu(1));
    step(batch, 10);
    EXPECT_EQ(batch.rates()[0], 0) << on_joint;
  }
}

/// Sliders one behind the other, with limits so near that a step reaches them, friction, and gears between pairs.
Articulation crowded(std::uint32_t links, std::uint32_t gears, Random& random) {
  Articulation made = sliders(std::vector<double>(links, 1));
  for (std::uint32_t i = 0; i < links; ++i) {
    ArticulationLink& l = made.links[i];
    if (i > 0) l.parent = i - 1;
    l.mass = random.within(0.5, 6);
    if (random.below(4) != 0) {
      l.joint.lower = -random.within(0, 0.01);
      l.joint.upper = random.within(0, 0.01);
    }
    if (random.below(3) == 0) l.joint.friction = random.within(0, 5);
  }
  for (std::uint32_t g = 0; g < gears; ++g) {
    const std::uint32_t a = random.below(links), b = (a + 1 + random.below(links - 1)) % links;
    made.couplings.push_back({.name = "g" + std::to_string(g),
                              .terms = {{a, 1}, {b, random.within(-1, 1) < 0 ? -0.7 : 0.8}},
                              .lower = 0,
                              .upper = 0});
  }
  return made;
}

TEST(Couplings, hold_among_limits_and_friction) {
  int off = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    const std::uint32_t links = 2 + random.below(7), gears = 1 + random.below(std::max(links / 2, 1u));
    const Articulation tree = crowded(links, gears, random);
    Articulations batch(tree, 1, Device::cpu(1));
    State s = random_state(batch, random);
    for (double& q : s.q) q = 0;
    for (double& f : s.force) f *= 2;
    batch.set_state(s.q, s.v);
    batch.set_forces(s.force);
    batch.step(kH);
    double most = 0;
    for (const ArticulationCoupling& c : tree.couplings) {
      double sum = 0;
      for (const CouplingTerm& t : c.terms) sum += t.coefficient * batch.rates()[t.link];
      most = std::max(most, std::abs(sum));
    }
    for (std::uint32_t i = 0; i < links; ++i) {
      EXPECT_LE(batch.positions()[i], tree.links[i].joint.upper + 1e-7) << seed;
      EXPECT_GE(batch.positions()[i], tree.links[i].joint.lower - 1e-7) << seed;
    }
    worst = std::max(worst, most);
    if (most > 1e-6) ++off;
  }
  EXPECT_EQ(off, 0) << "worst " << worst << " m/s";
}

TEST(Couplings, those_that_repeat_and_contradict_each_other_share) {
  Articulation two = sliders({1, 2});
  for (const double at : {0.0, 0.0, 0.2}) {
    two.couplings.push_back(
        {.name = "c" + std::to_string(two.couplings.size()), .terms = {{0, 1}, {1, -1}}, .lower = at, .upper = at});
  }
  Articulations batch(two, 1, Device::cpu(1));
  batch.set_forces(std::vector{3.0, 0.0});
  step(batch, 480);
  // somewhere between what they ask for
  EXPECT_GT(batch.positions()[0] - batch.positions()[1], 0.05);
  EXPECT_LT(batch.positions()[0] - batch.positions()[1], 0.15);
  EXPECT_NEAR(batch.rates()[0], 2, 1e-6);
  EXPECT_TRUE(batch.stopped().empty());
}

/// The laws of some joints, moved to couplings of one term each, of any coefficient.
Articulation moved_to_couplings(const Articulation& tree, Random& random) {
  Articulation made = tree;
  for (std::uint32_t i = 0; i < made.links.size(); ++i) {
    ArticulationJoint& j = made.links[i].joint;
    if ((j.kind != Kind::kRevolute && j.kind != Kind::kPrismatic) || random.below(3) == 0) continue;
    // along a x: forces are over a, gains over a squared
    const double a = random.within(0.5, 2);
    ArticulationCoupling c{.name = "c" + std::to_string(i), .terms = {{i, a}}};
    c.damping = j.damping / (a * a);
    c.friction = j.friction / a;
    c.lower = a * j.lower;
    c.upper = a * j.upper;
    c.min_rate = a * j.min_rate;
    c.max_rate = a * j.max_rate;
    c.spring_stiffness = j.spring_stiffness / (a * a);
    c.spring_rest = a * j.spring_rest;
    c.drive_stiffness = j.drive_stiffness / (a * a);
    c.drive_damping = j.drive_damping / (a * a);
    c.drive_max_force = j.drive_max_force / a;
    c.drive_min_force = j.drive_min_force / a;
    made.couplings.push_back(c);
    j = {.kind = j.kind, .armature = j.armature};
  }
  return made;
}

/// Laws of all sorts on a random tree.
Articulation lawful(std::uint32_t links, std::uint64_t seed, bool floating) {
  Random random(seed + 1000);
  Articulation tree = random_tree(links, seed, floating);
  for (ArticulationLink& l : tree.links) {
    ArticulationJoint& j = l.joint;
    if (j.kind != Kind::kRevolute && j.kind != Kind::kPrismatic) continue;
    if (random.below(2) == 0) j.friction = random.within(0.1, 2);
    if (random.below(2) == 0) {
      j.lower = random.within(-2.5, -1.6);
      j.upper = random.within(1.6, 2.5);
    }
    if (random.below(4) == 0) j.max_rate = random.within(0.5, 3);
    if (random.below(4) == 0) j.min_rate = random.within(-3, -0.5);
    if (random.below(2) == 0) {
      j.spring_stiffness = random.within(1, 50);
      j.spring_rest = random.within(-1, 1);
    }
    if (random.below(2) == 0) {
      j.drive_stiffness = random.within(10, 500);
      j.drive_damping = random.within(0.1, 10);
      if (random.below(2) == 0) j.drive_max_force = random.within(1, 20);
      if (random.below(2) == 0) j.drive_min_force = random.within(-20, 0);
    }
  }
  return tree;
}

TEST(Couplings, of_one_coordinate_do_what_the_joint_does) {
  int settled = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Articulation tree = lawful(8, seed, seed % 2 == 1);
    Articulations joints(tree, 1, Device::cpu(1)), couplings(moved_to_couplings(tree, random), 1, Device::cpu(1));
    const State s = random_state(joints, random);
    for (Articulations* batch : {&joints, &couplings}) {
      batch->set_state(s.q, s.v);
      batch->set_forces(s.force);
      batch->step(kH);
    }
    const std::vector<double> a = joints.rates(), b = couplings.rates();
    double off = 0;
    for (std::size_t d = 0; d < a.size(); ++d) off = std::max(off, std::abs(a[d] - b[d]));
    worst = std::max(worst, off);
    if (off < 1e-5) ++settled;
  }
  // limits are yielded to by 1e-8 of the rates; a search that ends short of the solution may differ
  EXPECT_EQ(settled, 40) << "worst off by " << worst;
}

/// For two seconds of falling, friction and springs.
TEST(Couplings, of_random_trees_stay_sound_and_hold) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Articulation tree = lawful(12, seed, seed % 2 == 1);
    std::vector<std::uint32_t> free;
    for (std::uint32_t i = 0; i < tree.links.size(); ++i) {
      ArticulationJoint& j = tree.links[i].joint;
      if (j.kind != Kind::kRevolute && j.kind != Kind::kPrismatic) continue;
      j.lower = -kInfinity;
      j.upper = kInfinity;
      j.min_rate = -kInfinity;
      j.max_rate = kInfinity;
      j.friction = 0;
      j.damping += 0.5;
      free.push_back(i);
    }
    while (free.size() >= 2) {
      const double at = random.within(-0.2, 0.2);
      ArticulationCoupling c{
          .name = "c" + std::to_string(free.size()),
          .terms = {{free.back(), random.within(0.5, 2)}, {free[free.size() - 2], random.within(-2, -0.5)}},
          .lower = at,
          .upper = at};
      tree.couplings.push_back(c);
      free.resize(free.size() - 2);
    }
    Articulations batch(tree, 1, Device::cpu(1));
    step(batch, 480);
    ASSERT_TRUE(batch.stopped().empty()) << seed;
    for (const ArticulationCoupling& c : tree.couplings) {
      double sum = 0;
      for (const CouplingTerm& t : c.terms) sum += t.coefficient * batch.positions()[batch.coordinate_of(t.link)];
      EXPECT_NEAR(sum, c.lower, 1e-6) << seed << " " << c.name;
    }
  }
}

TEST(Couplings, refuse_what_makes_no_sum) {
  const auto refused = [](const ArticulationCoupling& coupling, const std::string& rule) {
    Articulation made = sliders({1, 1});
    made.links.push_back(link("ball", kWorldLink, Kind::kBall));
    made.couplings = {coupling};
    EXPECT_TRUE(refuses([&] { Articulations(made, 1, Device::cpu(1)); }, {rule, "coupling \"" + coupling.name + "\""}));
  };
  refused({.name = "c"}, "terms must not be empty");
  refused({.name = "c", .terms = {{9, 1}}}, "there is no link 9");
  refused({.name = "c", .terms = {{2, 1}}}, "that of link \"ball\" isn't one");
  refused({.name = "c", .terms = {{0, 1}, {0, 2}}}, "\"slider0\" is there twice");
  refused({.name = "c", .terms = {{0, 0}}}, "coefficient must be at least 1e-6");
  refused({.name = "c", .terms = {{0, std::nan("")}}}, "coefficient must be");
  refused({.name = "c", .terms = {{0, 1}}, .lower = 1, .upper = 0}, "lower must not be over upper");
  refused({.name = "c", .terms = {{0, 1}}, .drive_max_force = 1, .drive_min_force = 2},
          "drive_min_force must not be over");
  refused({.name = "", .terms = {{0, 1}}}, "name must not be empty");
}

}  // namespace
}  // namespace cairn::articulations_test
