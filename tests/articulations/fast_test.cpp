// What turns by much in a step is not fed energy by it.

#include "tests/articulations/models.h"

namespace cairn::articulations_test {
namespace {

/// [m/s, rad/s] The fastest rate of trees afloat that forces of up to 5 spin up for 5/3 s.
double spun_up(int steps_a_second) {
  constexpr std::uint32_t kTrees = 40;
  Articulations batch(random_tree(16, 33, true), kTrees, Device::cpu(1));
  State all;
  for (std::uint32_t i = 0; i < kTrees; ++i) {
    Random random(100 + i);
    all.append(random_state(batch, random));
  }
  batch.set_state(all.q, all.v);
  batch.set_forces(all.force);
  for (int i = 0; i < steps_a_second * 5 / 3; ++i) batch.step(1.0 / steps_a_second);
  EXPECT_TRUE(batch.stopped().empty());
  return largest(batch.rates());
}

TEST(ArticulationFast, what_turns_fast_gains_no_energy_from_long_steps) {
  // at 60 Hz it turns by a radian a step; with velocity products at the start of steps rates grew to 1e8 there
  EXPECT_LE(spun_up(60), 2 * spun_up(960));
}

/// A body whose principal moments differ, spun about the middle one, the unsteady one; `centre` from its joint.
Articulations tumbling(Kind kind, Vec3d centre, double spin) {
  ArticulationLink body = link("body", kWorldLink, kind);
  body.centre_of_mass = centre;
  body.inertia.moments = {0.002f, 0.004f, 0.005f};
  Articulations batch({"body", {body}, {}}, 1, Device::cpu(1));
  std::vector<double> q(batch.coordinates(), 0.0), v(batch.dofs(), 0.0);
  q.back() = 1;
  const std::size_t turn = batch.dofs() - 3;
  v[turn] = v[turn + 2] = 0.1 * spin;
  v[turn + 1] = spin;
  batch.set_state(q, v);
  return batch;
}

TEST(ArticulationFast, a_body_that_tumbles_fast_at_60_Hz_neither_stops_nor_speeds_up) {
  for (const Kind kind : {Kind::kFree, Kind::kBall}) {
    for (const double spin : {10.0, 20.0, 30.0, 40.0, 50.0, 100.0, 200.0}) {
      Articulations batch = tumbling(kind, kind == Kind::kFree ? Vec3d{} : Vec3d{0.3, 0, 0}, spin);
      double fastest = 0;
      for (int i = 0; i < 1200; ++i) {
        batch.step(1.0 / 60);
        fastest = std::max(fastest, largest(batch.rates()));
      }
      EXPECT_TRUE(batch.stopped().empty());
      // with the same energy it turns by 1 / sqrt(2) to sqrt(2) of that, about another axis; up to half a radian a step
      // the midpoint is found, and what is faster is bounded alone
      EXPECT_LE(fastest, (spin <= 30 ? 1.05 : 1.5) * spin) << spin;
    }
  }
}

TEST(ArticulationFast, trees_that_stiff_drives_throw_about_at_60_Hz_come_to_rest) {
  // their first steps take them to their targets, which are up to 3 rad off, and chains of them faster yet. After 10 s
  // drives of 100 N m/rad have done what they can, and the base goes on as it was thrown
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Articulation tree = random_tree(24, seed, seed % 2 == 1);
    tree.gravity = {};
    Random random(seed + 1000);
    for (ArticulationLink& l : tree.links) {
      if (l.joint.kind == Kind::kFixed || l.joint.kind == Kind::kFree) continue;
      l.joint.drive_stiffness = std::pow(10, random.within(2, 6));
      l.joint.drive_damping = l.joint.drive_stiffness / 10;
    }
    Articulations batch(tree, 1, Device::cpu(1));
    const State s = random_state(batch, random), target = random_state(batch, random);
    const std::vector<double> still(batch.dofs(), 0.0);
    batch.set_state(s.q, still);
    batch.set_targets(target.q, still);
    for (int i = 0; i < 600; ++i) batch.step(1.0 / 60);
    EXPECT_TRUE(batch.stopped().empty()) << seed;
    double fastest = 0;
    for (std::uint32_t i = 0; i < tree.links.size(); ++i) {
      const Kind kind = tree.links[i].joint.kind;
      if (kind == Kind::kFixed || kind == Kind::kFree) continue;
      for (std::size_t d = batch.dof_of(i); d < batch.dof_of(i) + (kind == Kind::kBall ? 3 : 1); ++d) {
        fastest = std::max(fastest, std::abs(batch.rates()[d]));
      }
    }
    EXPECT_LE(fastest, 0.1) << seed;
  }
}

}  // namespace
}  // namespace cairn::articulations_test
