// Beds of grains at rest: what floor and walls bear.

#include <cstdio>
#include <numbers>

#include "tests/grains/beds.h"

namespace cairn::grains_test {
namespace {

constexpr int kMean = 12;  ///< [1] steps over which forces are averaged

// What stands still gives its weight to what holds it, whatever it does inside.
TEST(Beds, give_their_weight_to_floor_and_walls) {
  Bed bed("silo:count=600,height=2");
  bed.run(2);
  EXPECT_LT(bed.speed(), 0.01);
  const Thrust thrust = thrust_of(bed, kMean);
  EXPECT_NEAR(thrust.on_floor + thrust.down_walls, bed.weight(), 0.005 * bed.weight());
  EXPECT_GT(thrust.out_walls, bed.weight());
}

TEST(Beds, give_it_to_the_floor_alone_where_walls_have_no_friction) {
  Bed bed("silo:count=600,height=2,wall_friction=0");
  bed.run(2);
  const Thrust thrust = thrust_of(bed, kMean);
  EXPECT_EQ(thrust.down_walls, 0);
  EXPECT_NEAR(thrust.on_floor, bed.weight(), 0.005 * bed.weight());
}

// Janssen (1895): where grains are about to slide down the walls of a silo of width D, which they press with K times
// the stress that bears them, that stress is rho g l (1 - exp(-z / l)) at depth z, l = D / (4 mu K). K of Rankine's
// active state: (1 - sin phi) / (1 + sin phi), phi the slope at which they heap up (repose_test.cpp). A floor that
// gives way by a fifth of a grain makes them slide.
TEST(Beds, hang_on_the_walls_of_a_silo_as_janssen_says) {
  constexpr double kMu = 0.3, kPhi = 19 * std::numbers::pi / 180;
  Bed bed("silo:count=1500,height=5,wall_friction=0.3");
  bed.run(2);
  const BodyHandle floor = bed.world.bodies()[0];
  bed.world.set_type(floor, BodyType::kKinematic);
  bed.world.set_velocity(floor, {0, 0, -0.02f}, {});
  bed.run(1);
  bed.world.set_velocity(floor, {}, {});
  bed.run(0.5);
  const Thrust thrust = thrust_of(bed, kMean);
  EXPECT_NEAR(thrust.on_floor + thrust.down_walls, bed.weight(), 0.005 * bed.weight());

  const double depth = bed.top() - bed.world.state(floor).position.z - half_height(bed.scene.bodies()[0]);
  const double k = (1 - std::sin(kPhi)) / (1 + std::sin(kPhi)), x = 4 * kMu * k * depth / bed.width();
  const double share = (1 - std::exp(-x)) / x;
  EXPECT_NEAR(thrust.on_floor / bed.weight(), share, 0.2 * share) << "bed " << depth << " m deep";
  std::printf("on the floor %.3f of the weight, by Janssen's law %.3f\n", thrust.on_floor / bed.weight(), share);
}

}  // namespace
}  // namespace cairn::grains_test
