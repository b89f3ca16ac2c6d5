// Built-in scenes of every shape: heaps that settle, masonry that stands or falls, sizes that are far apart.
// CAIRN_LONG=1 runs the heaps at full size: 1,000 solids of every kind and 5,000 hulls, some minutes.

#include "scenes/quality_rules.h"
#include "tests/support/long_run.h"
#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

Quality run(const std::string& spec, double seconds) {
  const scenes::Built built = scenes::build(spec, 1);
  World world(built.scene, {.device = Device::cpu(testing_support::is_long() ? 2 : 1)});
  for (int i = static_cast<int>(seconds * 60); i > 0; --i) world.step();
  EXPECT_EQ(world.report().status, 0u) << spec;
  return QualityMeter(built.scene, scenes::quality_rules(built)).measure(world);
}

void expect_settled(const std::string& spec, double seconds, double speed = 0.2) {
  const Quality q = run(spec, seconds);
  EXPECT_TRUE(q.finite) << spec;
  EXPECT_EQ(q.fallen, 0u) << spec << ": lost or ejected";
  EXPECT_LE(q.mean_penetration, 2e-3) << spec;
  EXPECT_LE(q.rms_speed, speed) << spec;
  EXPECT_GT(q.overlaps, 0u) << spec;
}

TEST(HeapsOfShapes, of_every_kind_of_solid_settle) {
  expect_settled(testing_support::is_long() ? "rain:count=1000" : "rain:count=120",
                 testing_support::is_long() ? 15 : 9);
}

TEST(HeapsOfShapes, of_hulls_settle) {
  expect_settled(testing_support::is_long() ? "hulls:count=5000,vertices=32" : "hulls:count=120,vertices=32",
                 testing_support::is_long() ? 20 : 6);
}

// what is round still rolls to and fro in the valleys, for nothing resists that
TEST(HeapsOfShapes, on_hills_settle) { expect_settled("terrain:count=100,size=32", 6, 1); }

TEST(Masonry, an_arch_of_seven_wedges_stands_at_a_thickness_of_0_105_and_falls_at_0_087) {
  EXPECT_EQ(run("arch:thickness=0.105", 10).fallen, 0u);
  EXPECT_LE(run("arch:thickness=0.105", 10).max_drift, 2e-3);
  EXPECT_GT(run("arch:thickness=0.087", 10).height_loss, 0.5);
}

TEST(Masonry, a_house_of_cards_stands_at_a_friction_of_0_42_and_falls_at_0_25) {
  const Quality stands = run("cards:friction=0.42", 10);
  EXPECT_EQ(stands.fallen, 0u);
  EXPECT_LE(stands.max_drift, 2e-3);
  EXPECT_GT(run("cards:friction=0.25", 10).height_loss, 0.5);
}

/// Pairs of boxes that overlap, once the gravel lies.
double pairs_of(const std::string& spec) {
  const scenes::Built built = scenes::build(spec, 1);
  World world(built.scene, {.device = Device::cpu(1)});
  for (int i = 0; i < 30; ++i) world.step();
  return world.report().pairs;
}

TEST(MixedSizes, a_boulder_a_thousand_times_the_size_of_its_gravel_costs_what_the_gravel_does) {
  // four times the gravel has four times the pairs, and somewhat more for its smaller share at the rim; what the
  // boulder would have with all of it grows with the square. The time a step is `cairn bench`'s to measure
  const double one = pairs_of("gravel:count=1000"), four = pairs_of("gravel:count=4000");
  RecordProperty("ratio", std::to_string(four / one));
  EXPECT_LT(four / one, 6);
  const Quality q = run("gravel:count=1000", 1);
  EXPECT_LE(q.mean_penetration, 1e-3);
  EXPECT_LE(q.max_penetration, 1e-2);
  // the floor holds them
  EXPECT_LE(q.max_drift, 0.2);
}

}  // namespace
}  // namespace cairn::verify
