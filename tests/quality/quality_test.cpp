#include <cmath>
#include <limits>

#include "scenes/builtin.h"
#include "scenes/quality_rules.h"
#include "tests/support/builders.h"

namespace cairn::quality_test {
namespace {

using testing_support::box;
using testing_support::starts;

// a few dozen operations in double on numbers that a float holds exactly
constexpr double kRelative = 1e-12;

Scene boxes(const std::vector<Vec3d>& places) {
  Scene scene;
  scene.add_material({.name = "stone", .density = 1000});
  scene.add_body(testing_support::plane());
  for (const Vec3d place : places) scene.add_body(box("box" + std::to_string(scene.bodies().size()), place));
  return scene;
}

/// How many count as fallen where all are at their starts, but for one.
std::uint32_t fallen_with(const QualityMeter& meter, const Scene& scene, std::size_t body, Vec3d at) {
  auto states = starts(scene.bodies());
  states[body].position = at;
  return meter.measure(states).fallen;
}

TEST(Quality, counts_each_overlap_once_and_means_over_the_overlaps) {
  const Scene scene = boxes({{0, 0, 0.46875}, {0, 0, 1.453125}, {5, 0, 3}});
  const Quality q = QualityMeter(scene).measure(starts(scene.bodies()));
  EXPECT_EQ(q.overlaps, 2u);
  EXPECT_DOUBLE_EQ(q.max_penetration, 0.03125);
  EXPECT_DOUBLE_EQ(q.mean_penetration, (0.03125 + 0.015625) / 2);
}

TEST(Quality, leaves_out_overlaps_within_a_body_and_between_bodies_that_cannot_move) {
  Scene scene = boxes({});
  scene.add_body(box("wall", {0, 0, 0.25}, BodyType::kStatic));
  scene.add_body(box("lift", {0.5, 0, 0.25}, BodyType::kKinematic));
  scene.add_body({.name = "pair",
                  .position = {9, 0, 2},
                  .shapes = {{.geometry = Box{}}, {.geometry = Box{}, .position = {0.5f, 0, 0}}}});
  EXPECT_EQ(QualityMeter(scene).measure(starts(scene.bodies())).overlaps, 0u);
}

TEST(Quality, drift_is_at_the_end_and_excursion_is_ever) {
  const Scene scene = boxes({{0, 0, 0.5}, {4, 0, 0.5}});
  QualityMeter meter(scene);
  auto states = starts(scene.bodies());
  states[1].position = {3, 0, 4.5};  // 5 m from its start
  meter.observe(states);
  states[1].position = {0, 0.25, 0.5};
  const Quality q = meter.measure(states);
  EXPECT_DOUBLE_EQ(q.max_excursion, 5);
  EXPECT_DOUBLE_EQ(q.max_drift, 0.25);
}

TEST(Quality, energies_and_momentum_are_the_closed_forms_of_a_turned_box) {
  Scene scene;
  scene.add_material({.name = "stone", .density = 1000});
  // 1 x 2 x 4 m turned by 90 degrees about x: its longest side lies along world y
  const float s = static_cast<float>(std::sqrt(0.5));
  scene.add_body({.name = "box",
                  .position = {1, 2, 3},
                  .orientation = {s, 0, 0, s},
                  .linear_velocity = {1, 2, 3},
                  .angular_velocity = {0, 2, 0},
                  .shapes = {{.geometry = Box{{0.5f, 1, 2}}}}});
  const Quality q = QualityMeter(scene).measure(starts(scene.bodies()));
  const double mass = 8000;
  // I about the longest axis = m (a^2 + b^2) / 12 with sides 1 and 2
  const double kinetic = 0.5 * mass * 14 + 0.5 * mass * (1 + 4) / 12 * 4;
  EXPECT_NEAR(q.kinetic_energy, kinetic, 1e-7 * kinetic) << "orientations are floats";
  EXPECT_NEAR(q.potential_energy, mass * 9.81 * 3, 1e-7 * mass * 9.81 * 3) << "gravity is a float";
  EXPECT_NEAR(q.momentum.y, 2 * mass, kRelative * mass);
  EXPECT_DOUBLE_EQ(q.rms_speed, std::sqrt(14.0));
}

TEST(Quality, fallen_by_the_default_rule_is_sideways_or_below_with_a_share_of_the_height) {
  const Scene scene = boxes({{0, 0, 20.5}, {4, 0, 0.5}});
  const QualityMeter meter(scene);
  const auto fallen_at = [&](Vec3d place) { return fallen_with(meter, scene, 1, place); };
  EXPECT_EQ(fallen_at({0.49, 0, 20.5}), 0u);
  EXPECT_EQ(fallen_at({0.36, 0.36, 20.5}), 1u);
  EXPECT_EQ(fallen_at({0, 0, 20.5 - 0.90}), 0u);  // 0.5 + 0.02 x 20.5 = 0.91
  EXPECT_EQ(fallen_at({0, 0, 20.5 - 0.92}), 1u);
  EXPECT_EQ(fallen_at({0, 0, 30}), 0u) << "above its start is not fallen";
}

TEST(Quality, a_lattice_counts_from_the_layers_where_it_comes_to_rest) {
  const scenes::Built built = scenes::build("lattice:n=3", 1);
  const QualityMeter meter(built.scene, scenes::quality_rules(built));
  auto states = starts(built.scene.bodies());
  for (std::size_t i = 1; i < states.size(); ++i) states[i].position.z = 0.5 + static_cast<double>((i - 1) / 9);
  const Quality settled = meter.measure(states);
  EXPECT_EQ(settled.fallen, 0u);
  EXPECT_NEAR(settled.height_loss, 0, kRelative);
  states.back().position.z -= 0.51;
  EXPECT_EQ(meter.measure(states).fallen, 1u);
  states.back().position = {50, 0, 2.5};
  EXPECT_EQ(meter.measure(states).fallen, 0u) << "sideways doesn't count";
}

TEST(Quality, a_bin_loses_what_leaves_through_its_walls_or_floor_and_nothing_through_the_top) {
  const scenes::Built built = scenes::build("pile:count=30", 1);
  const QualityMeter meter(built.scene, scenes::quality_rules(built));
  const std::size_t last = built.scene.bodies().size() - 1;
  const auto fallen_at = [&](Vec3d place) { return fallen_with(meter, built.scene, last, place); };
  EXPECT_EQ(fallen_at({0, 0, 0.5}), 0u);
  EXPECT_EQ(fallen_at({0, 0, built.bin_max.z + 1}), 0u);
  EXPECT_EQ(fallen_at({0, 0, -0.1}), 1u);
  EXPECT_EQ(fallen_at({built.bin_max.x + 0.1, 0, 0.5}), 1u);
  EXPECT_EQ(fallen_at({0, built.bin_min.y - 0.1, 0.5}), 1u);
}

TEST(Quality, a_bin_keeps_a_body_that_lies_at_its_wall_with_its_origin_outside) {
  Scene scene;
  const Vec3 corners[]{{0.1f, -0.5f, -0.5f}, {0.1f, 0.5f, -0.5f}, {0.1f, 0, 0.5f}, {0.6f, 0, 0}};
  scene.add_body(
      {.name = "half", .position = {-0.1, 0, 0.5}, .shapes = {{.geometry = ConvexHull(corners)}}, .mass = 1.0f});
  const QualityMeter meter(scene, {.fallen = FallenRule::kBin, .bin_min = {0, -1, 0}, .bin_max = {2, 1, 2}});
  auto states = starts(scene.bodies());
  EXPECT_EQ(meter.measure(states).fallen, 0u);
  states[0].orientation = {0, 0, 1, 0};
  EXPECT_EQ(meter.measure(states).fallen, 1u) << "half a turn about its origin puts it into the wall";
}

TEST(Quality, height_is_measured_against_gravity) {
  Scene scene = boxes({{3, 0, 0.5}});
  scene.set_gravity({-10, 0, 0});
  EXPECT_DOUBLE_EQ(QualityMeter(scene, {.nominal_height = 4}).measure(starts(scene.bodies())).height_loss, 1);
}

TEST(Quality, of_a_state_that_is_not_finite_says_so) {
  const Scene scene = boxes({{0, 0, 0.5}});
  auto states = starts(scene.bodies());
  states[1].linear_velocity.y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(QualityMeter(scene).measure(states).finite);
  states[1].linear_velocity.y = 0;
  EXPECT_TRUE(QualityMeter(scene).measure(states).finite);
}

TEST(Quality, refuses_states_of_another_scene) {
  const Scene scene = boxes({{0, 0, 0.5}});
  EXPECT_THROW(QualityMeter(scene).measure(std::vector<BodyState>(7)), InvalidArgument);
  EXPECT_THROW(QualityMeter(scene, {.fallen = FallenRule::kLayer}), InvalidArgument);
}

TEST(Quality, of_a_scene_without_bodies_is_zero) {
  const Scene scene;
  const Quality q = QualityMeter(scene).measure(std::span<const BodyState>{});
  EXPECT_TRUE(q.finite);
  EXPECT_EQ(q.rms_speed, 0);
  EXPECT_EQ(q.height_loss, 0);
}

}  // namespace
}  // namespace cairn::quality_test
