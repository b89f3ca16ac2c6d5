// Impacts of elastic spheres against closed forms: depth and duration, restitution, sliding and sticking.

#include "tests/hertz/grains.h"

namespace cairn::hertz_test {
namespace {

// Issue 6: 5.66930e-6 m and 8.34295e-5 s, within 1 %.
TEST(ElasticImpact, of_two_spheres_is_as_deep_and_long_as_hertz_says) {
  const Grain grain;
  const double depth = impact_depth(grain.mass() / 2, grain.stiffness(grain.radius / 2), 0.2);
  const double duration = kImpact * depth / 0.2;
  EXPECT_NEAR(depth, 5.66930e-6, 1e-5 * depth) << "the issue's figures are those of the closed forms";
  EXPECT_NEAR(duration, 8.34295e-5, 1e-4 * duration);
  for (const double h : {1e-6, 0.5e-6}) {
    const Impact impact = collide(grain, 0.2, h);
    // the scheme is of second order: (omega h)^2 / 24 of a spring with half the period in `duration`, and what is
    // between two samples
    const double share = std::pow(std::numbers::pi * h / duration, 2);
    EXPECT_NEAR(impact.depth, depth, share * depth) << h;
    EXPECT_NEAR(impact.duration, duration, 5 * share * duration) << h;
    EXPECT_NEAR(double{impact.second.linear_velocity.x}, 0.1, 1e-3 * 0.1) << h;
  }
}

TEST(ElasticImpact, in_a_step_of_many_substeps_is_the_same) {
  const Grain grain;
  for (const int substeps : {5, 100, 1000}) {
    World world(facing(grain, 0.2, 1e-6, substeps), test::cpu());
    test::run(world, 200 / substeps + 2);
    EXPECT_NEAR(double{world.state(world.bodies()[1]).linear_velocity.x}, 0.1, 1e-3 * 0.1) << substeps;
    EXPECT_NEAR(double{world.state(world.bodies()[0]).linear_velocity.x}, -0.1, 1e-3 * 0.1) << substeps;
  }
}

// Whatever the speed, the size and the modulus.
TEST(ElasticImpact, bounces_as_the_coefficient_of_restitution_says) {
  for (const double e : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    for (const double speed : {0.02, 2.0}) {
      for (const double radius : {1e-3, 0.05}) {
        const Grain grain{.radius = radius, .young = 1e8, .restitution = e};
        const double depth = impact_depth(grain.mass() / 2, grain.stiffness(radius / 2), speed);
        const double duration = kImpact * depth / speed;
        const Impact impact = collide(grain, speed, duration / 200);
        const double measured = double{impact.second.linear_velocity.x} / (speed / 2);
        // first order in the damping: it goes by the velocity of half a substep before
        EXPECT_NEAR(measured, e, 0.01) << e << ", " << speed << " m/s, " << radius << " m";
      }
    }
  }
}

// Where all of it slides, the tangential impulse is mu times the normal one (Maw, Barber and Fawcett 1976, the case of
// large psi): a sphere that turns loses 7/2 mu (1 + e) v_n of its slip.
TEST(ElasticImpact, that_slides_throughout_takes_mu_times_the_normal_impulse) {
  for (const double e : {1.0, 0.6}) {
    const Grain grain{.friction = 0.1, .restitution = e};
    Scene scene = scene_of(grain, elastic(5e-7, 10), {});
    scene.add_body(fixed("floor", Plane{}));
    scene.add_body(test::moving(sphere("ball", {0, 0, grain.radius + 1e-8}, grain.radius), {2, 0, -0.2f}));
    World world(scene, test::cpu());
    test::run(world, 60);
    const BodyState after = world.state(world.bodies()[1]);
    EXPECT_NEAR(double{after.linear_velocity.z}, 0.2 * e, 2e-3);
    // friction with the normal impulse that there was, so that no error of e comes in twice
    const double change = grain.friction * (0.2 + double{after.linear_velocity.z});
    EXPECT_NEAR(2 - double{after.linear_velocity.x}, change, 2e-3 * change);
    const double spin = 2.5 * change / grain.radius;
    EXPECT_NEAR(double{after.angular_velocity.y}, spin, 2e-3 * spin);
  }
}

/// Mindlin's contact of two equal spheres in double, by steps of a hundredth: what the slip at their contact becomes.
double slip_after(const Grain& grain, double speed, double slip) {
  const double m = grain.mass() / 2, stiffness = grain.stiffness(grain.radius / 2);
  const double shear = grain.young / (2 * (1 + grain.poisson)) / (2 * (2 - grain.poisson));
  const double tangential = 8 * shear * std::sqrt(grain.radius / 2);
  const double depth_max = impact_depth(m, stiffness, speed), h = kImpact * depth_max / speed / 20000;
  double depth = 0, vn = speed, f = 0, vt = slip;
  while (true) {
    const double root = std::sqrt(depth);
    vn -= h * stiffness * depth * root / m;
    // the slip of two spheres that turn weighs 2/7 m*
    vt -= h * f / (2.0 / 7.0 * m);
    const double next = depth + h * vn;
    if (next <= 0) return vt;
    if (next < depth) f *= std::sqrt(next / depth);
    f += tangential * std::sqrt(next) * h * vt;
    const double bound = grain.friction * stiffness * next * std::sqrt(next);
    f = std::min(std::max(f, -bound), bound);
    depth = next;
  }
}

// From what sticks, and swings back, to what slides.
TEST(ElasticImpact, that_sticks_gives_the_slip_back_as_mindlins_spring_does) {
  for (const double slip : {0.01, 0.05, 0.1, 0.2, 0.3, 0.5}) {
    const Grain grain{.friction = 0.4};
    const Impact impact = collide(grain, 0.2, 0.5e-6, {0, static_cast<float>(slip), 0});
    const double measured =
        double{impact.first.linear_velocity.y} - double{impact.second.linear_velocity.y} +
        grain.radius * (double{impact.first.angular_velocity.z} + double{impact.second.angular_velocity.z});
    const double expected = slip_after(grain, 0.2, slip);
    EXPECT_NEAR(measured, expected, 0.01 * 0.2) << "slip of " << slip << " m/s";
  }
}

}  // namespace
}  // namespace cairn::hertz_test
