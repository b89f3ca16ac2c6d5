// Bodies on beds of grains.

#include "tests/grains/beds.h"

namespace cairn::grains_test {
namespace {

constexpr double kRadius = 0.25;  ///< [m] of the ball, five times that of grains

/// Lays a ball onto a bed that has settled, and waits until it rests.
struct Sunk {
  double depth;  ///< [m] of its lowest point below the bed's surface before
  double borne;  ///< [1] of its weight and the grains', by floor and walls

  explicit Sunk(float density) {
    Scene scene = scenes::make("grains:count=1500", 1);
    Body ball = testing_support::ball("ball", {0, 0, 100}, static_cast<float>(kRadius));
    ball.type = BodyType::kStatic;
    ball.density = density;
    const std::uint32_t index = scene.add_body(ball);
    Bed bed(std::move(scene));
    bed.run(1.5);
    const double surface = bed.top();
    const BodyHandle held = bed.world.body_at(index);
    bed.world.set_type(held, BodyType::kDynamic);
    bed.world.set_pose(held, {0, 0, surface + 0.06 + kRadius}, {});
    // a light one may first roll into a trough
    const auto speed = [&] { return testing_support::length(bed.world.state(held).linear_velocity); };
    bed.run(1.5);
    for (int i = 0; i < 10 && speed() > 1e-3; ++i) bed.run(0.5);
    EXPECT_LT(speed(), 1e-3) << density;
    const BodyState at = bed.world.state(held);
    depth = surface - (at.position.z - kRadius);
    const double weight = bed.weight() + double{bed.world.mass_properties(held).mass} * 9.81;
    const Thrust thrust = thrust_of(bed, 12);
    borne = (thrust.on_floor + thrust.down_walls) / weight;
  }
};

// A ball of lead sinks in by more of its height than one of cork, and the bed hands on the weight of both.
TEST(Beds, give_way_to_what_is_heavy) {
  const Sunk cork(240), lead(11340);
  EXPECT_GT(lead.depth, cork.depth + 0.2 * kRadius);
  EXPECT_LT(lead.depth, 2 * kRadius);
  EXPECT_NEAR(cork.borne, 1, 0.005);
  EXPECT_NEAR(lead.borne, 1, 0.005);
}

}  // namespace
}  // namespace cairn::grains_test
