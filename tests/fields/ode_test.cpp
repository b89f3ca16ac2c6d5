// What every integration must do: stop at events, keep good states, give the same bits, refuse what can't be.

#include <algorithm>
#include <limits>

#include "tests/fields/systems.h"
#include "tests/fields/user_field.h"
#include "tests/support/refusal.h"

namespace cairn::fields_test {
namespace {

using testing_support::refuses;

/// Height of a ball of radius r over the floor.
struct Clearance {
  double radius;  ///< [m]
  template <class T>
  CAIRN_FUNCTOR T operator()(const ParticleView<T>& p, std::uint32_t i) const {
    return p.position[i].z - static_cast<T>(radius);
  }
};

/// Distance to the nearest other particle, less two radii.
struct Gap {
  double reach, radius;  ///< [m]
  CAIRN_FUNCTOR double operator()(const ParticleView<double>& p, std::uint32_t i) const {
    double nearest = reach;
    p.each_near(i, [&](std::uint32_t, Vec3d, double square) { nearest = std::min(nearest, std::sqrt(square)); });
    return nearest - 2 * radius;
  }
};

/// No force before a time, and none that is a number after it, on the fifth particle.
struct Broken {
  double from;  ///< [s]
  CAIRN_FUNCTOR Vec3d operator()(const ParticleView<double>& p, std::uint32_t i) const {
    return {i == 5 && p.time > from ? std::numeric_limits<double>::quiet_NaN() : 0.0, 0, 0};
  }
};

ParticleSystem still(std::uint32_t n, const Device& device = Device::cpu(1), Precision precision = Precision::kDouble) {
  ParticleStates s;
  for (std::uint32_t i = 0; i < n; ++i) s.position.push_back({1.0 * i, 0, 1});
  return ParticleSystem(s, device, precision);
}

TEST(Event, stops_a_falling_ball_where_it_lands_whatever_the_method) {
  for (const Integrator method : kIntegrators) {
    ParticleSystem system({.position = {{0, 0, 50}, {0, 0, 1.5}}}, Device::cpu(1));
    system.add(fields::Gravity{{0, 0, -8}});
    Event event("floor", Clearance{0.5});
    event.tolerance = 1e-12;
    const double h = 0.01;
    const IntegrationReport report = system.integrate(10, h, method, event);
    ASSERT_EQ(report.stop, Stop::kEvent) << name_of(method);
    EXPECT_EQ(report.particle, 1u);
    // z = 1 - 4 t^2 lands at 0.5; methods of first order are off by g t h / 2 in height, at a speed of g t
    const double allowed = order_of(method) == 1 ? 0.51 * h : 2e-12;
    EXPECT_NEAR(report.time, 0.5, allowed) << name_of(method);
    EXPECT_EQ(system.time(), report.time);
    const double left = system.state().position[1].z - 0.5;
    EXPECT_LE(left, 0);
    EXPECT_GE(left, -1e-12 * 5) << name_of(method);
  }
}

TEST(Event, lets_a_ball_bounce_by_calls_that_repeat) {
  // without loss it comes back to its height: after n bounces at times (2 n - 1) sqrt(2 z / g)
  ParticleSystem system = still(1);
  system.add(fields::Gravity{{0, 0, -8}});
  for (int n = 1; n <= 5; ++n) {
    const IntegrationReport report = system.integrate(10, 0.01, Integrator::kVerlet, Event("floor", Clearance{0}));
    ASSERT_EQ(report.stop, Stop::kEvent);
    EXPECT_NEAR(report.time, (2 * n - 1) * 0.5, n * 4e-10);
    ParticleStates s = system.state();
    s.velocity[0].z = -s.velocity[0].z;
    system.set_state(s);
  }
  EXPECT_EQ(system.integrate(4.9, 0.01, Integrator::kVerlet, Event("floor", Clearance{0})).stop, Stop::kTime);
  EXPECT_EQ(system.time(), 4.9);
}

TEST(Event, finds_a_collision_between_two_of_many) {
  ParticleStates s;
  for (int i = 0; i < 100; ++i) s.position.push_back({3.0 * i, 0, 0});
  s.velocity.assign(100, {});
  s.velocity[41] = {2, 0, 0};
  ParticleSystem system(s, Device::cpu(2));
  // they touch after (3 - 1) / 2
  const IntegrationReport report =
      system.integrate(5, 0.07, Integrator::kRungeKutta4, Event("touch", Gap{2, 0.5}, Event::Direction::kFalling, 2));
  ASSERT_EQ(report.stop, Stop::kEvent);
  EXPECT_EQ(report.particle, 41u);
  EXPECT_NEAR(report.time, 1, 1.01e-10);
}

TEST(Event, may_rise_or_either) {
  for (const auto direction : {Event::Direction::kFalling, Event::Direction::kRising, Event::Direction::kEither}) {
    ParticleSystem system({.position = {{0, 0, -1}}, .velocity = {{0, 0, 2}}}, Device::cpu(1));
    const IntegrationReport r = system.integrate(2, 0.3, Integrator::kMidpoint, Event("z", Clearance{0}, direction));
    EXPECT_EQ(r.stop, direction == Event::Direction::kFalling ? Stop::kTime : Stop::kEvent);
  }
}

TEST(ParticleSystem, keeps_the_state_before_one_that_is_not_finite) {
  for (const Integrator method : kIntegrators) {
    ParticleSystem system = still(9), good = still(9);
    system.add(Field("broken", Broken{1.0}));
    const IntegrationReport report = system.integrate(3, 0.125, method);
    EXPECT_EQ(report.stop, Stop::kNotFinite) << name_of(method);
    EXPECT_EQ(report.particle, 5u);
    EXPECT_EQ(report.time, 0.125 * static_cast<double>(report.steps));
    EXPECT_GE(report.time, 0.75) << name_of(method);
    EXPECT_LE(report.time, 1.125) << name_of(method);
    EXPECT_EQ(system.time(), report.time);
    EXPECT_EQ(system.state().position, good.state().position);
  }
}

TEST(ParticleSystem, takes_a_field_of_the_users) {
  ParticleSystem system({.position = {{1, 0, 0}}}, Device::cpu(1));
  system.add(Field("swirl", Swirl{.rate = 2, .drag = 0.5}));
  system.add(Field("a law that only a .cpp knows", [](const ParticleView<double>& p, std::uint32_t i) {
    return Vec3d{0, 0, p.time + p.velocity[i].x};
  }));
  const Vec3d a = system.rates().acceleration[0];
  EXPECT_EQ(a, (Vec3d{0, 2, 0}));
  EXPECT_EQ(system.integrate(1, 0.01, Integrator::kImplicitEuler).stop, Stop::kTime)
      << "differences stand for the derivative that it doesn't have";
}

TEST(ParticleSystem, does_what_the_document_shows) {
  ParticleSystem system = still(2);
  ParticleStates s = system.state();
  s.position = {{1, 0, 6}, {0, 1, 4}};
  system.set_state(s);
  const IntegrationReport report = fall_and_swirl(system);
  EXPECT_EQ(report.stop, Stop::kEvent);
  EXPECT_EQ(report.particle, 1u);
  EXPECT_NEAR(system.state().position[1].z, 1, 1e-8);
}

TEST(ParticleSystem, in_float_is_near_double) {
  ParticleSystem wide = oscillator(1), narrow = oscillator(1, {1, 0, 0}, {}, 0, Precision::kFloat);
  for (ParticleSystem* s : {&wide, &narrow}) s->integrate(3, 0.01, Integrator::kRungeKutta4);
  EXPECT_LT(distance(wide.state().position[1], narrow.state().position[1]), 300 * 4 * 0x1p-24);
  EXPECT_EQ(narrow.precision(), Precision::kFloat);
}

TEST(ParticleSystem, takes_no_step_to_the_time_that_it_has_and_a_short_one_at_the_end) {
  ParticleSystem system = still(3);
  EXPECT_EQ(system.integrate(0, 0.1, Integrator::kVerlet).steps, 0u);
  EXPECT_EQ(system.integrate(0.25, 0.1, Integrator::kVerlet).steps, 3u);
  EXPECT_EQ(system.time(), 0.25);
  // 10 tenths are 10 steps, whatever rounding says of their sum
  EXPECT_EQ(system.integrate(1.25, 0.1, Integrator::kVerlet).steps, 10u);
  ParticleSystem none(ParticleStates{}, Device::cpu(1));
  none.add(fields::Gravity{});
  none.add(fields::LennardJones{});
  EXPECT_EQ(none.integrate(1, 0.1, Integrator::kImplicitEuler).steps, 10u);
  EXPECT_EQ(none.kinetic_energy(), 0);
}

TEST(ParticleSystem, refuses_what_cannot_be_by_name) {
  const auto refused = [](const auto& call, const char* part) { EXPECT_TRUE(refuses<Error>(call, {part})); };
  ParticleSystem s = still(2);
  refused([&] { s.add(fields::LennardJones{.sigma = -1}); }, "LennardJones::sigma must be over 0, is -1");
  refused([&] { s.add(fields::Springs{{{.a = 0, .b = 7}}}); }, "springs[0].b");
  refused([&] { s.add(fields::PairGravity{.opening_angle = 2}); }, "opening_angle");
  refused([&] { s.add(fields::Gravity{{0, 0, std::nan("")}}); }, "Gravity::acceleration");
  refused([&] { s.add(fields::CurlNoise{.octaves = 9}); }, "octaves must be between 1 and 8, is 9");
  refused([&] { s.integrate(1, 0, Integrator::kVerlet); }, "h must be finite and over 0, is 0");
  refused([&] { s.integrate(-1, 1, Integrator::kVerlet); }, "t1");
  ParticleStates bad = s.state();
  bad.mass[1] = 0;
  refused([&] { s.set_state(bad); }, "mass[1]");
  bad.velocity.pop_back();
  refused([&] { s.set_state(bad); }, "velocity must have an entry for each of 2 particles, has 1");
  ParticleSystem narrow = still(2, Device::cpu(1), Precision::kFloat);
  refused([&] { narrow.add(Field("broken", Broken{})); }, "field 'broken' isn't for numbers of type float");
  refused([&] { still(1, Device::cpu(300)); }, "threads");
  if (!built_with_cuda()) refused([&] { still(1, Device::cuda(0)); }, "no CUDA");
}

}  // namespace
}  // namespace cairn::fields_test
