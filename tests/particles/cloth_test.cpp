// Cloth and soft bodies: energy, rest, momentum, and what they push.

#include <algorithm>

#include "kernels/particles/measure_constraint.h"
#include "tests/particles/sets.h"
#include "tests/support/sums.h"

namespace cairn::particles_test {
namespace {

/// [J] Kinetic, of height, and of the constraints, each of which is a spring of 1 / compliance.
double energy_of(const World& world, const ParticleSet& set) {
  const std::vector<BodyState> at = states_of(world);
  const test::Sums sums = test::sums_of(world);
  double sum = sums.kinetic + sums.mass * kG * sums.centre.z;
  for (const ConstraintGroup& group : set.constraints) {
    const std::uint32_t ends = particles_of(group);
    for (std::size_t i = 0; i < group.particles.size(); i += ends) {
      const auto measured = [&](const auto& position) {
        Vec3d r[kernels::kConstraintEnds] = {};
        for (std::uint32_t k = 0; k < ends; ++k) r[k] = position(group.particles[i + k]);
        return kernels::measure(static_cast<kernels::DeviceConstraintKind>(group.kind), r).value;
      };
      const double c = measured([&](std::uint32_t p) { return at[p].position; }) -
                       measured([&](std::uint32_t p) { return set.positions[p]; });
      if (group.law.compliance > 0) sum += 0.5 * c * c / double{group.law.compliance};
    }
  }
  return sum;
}

class Sheets : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Sheets, testing::ValuesIn(kMethods), name_of_method);

// Held at two corners, it swings; implicit springs take energy, and nothing gives any. Its start is the highest that
// all of it is. Springs are as their compliance says where sweeps reach their law: at compliance / h^2 = 7 w here.
// All at once they reach it slowly, by 1.5 / n a sweep.
TEST_P(Sheets, never_have_more_energy_than_at_their_start_and_come_to_rest) {
  const bool jacobi = GetParam().sweep == SweepKind::kJacobi;
  const int side = jacobi ? 5 : 10;
  ParticleSet set = sheet(side, 0.1, 0, {1e-3f, 0.2f, 0}, {1.0f, 0.1f, 0});
  set.fixed = {0, static_cast<std::uint32_t>(side - 1)};
  set.linear_damping = 1;
  World world(alone(set, params_of(GetParam(), 20, jacobi ? 80 : 4)), test::cpu());
  const double start = energy_of(world, set);
  const double gained = test::largest_over(world, steps_in(world, 20), [&] { return energy_of(world, set) - start; });
  EXPECT_EQ(world.report().status, 0u);
  // float positions of 1 m against springs of 1e4 N/m: 1e-7 of a newton times a metre
  EXPECT_LE(gained, 1e-6);
  EXPECT_LT(test::fastest(world), 5e-3);
  EXPECT_LT(energy_of(world, set), start - 0.1);
}

// Ten rigid stretches from one particle, at one sweep a substep, without damping: swept one way alone they gained
// 10,000 times their energy.
TEST_P(Sheets, and_fans_gain_no_energy_by_their_sweeps) {
  ParticleSet fan{.name = "fan"};
  ConstraintGroup group;
  fan.positions.push_back({0, 0, 0});
  for (std::uint32_t i = 1; i <= 10; ++i) {
    const double angle = 2.4 * i;
    fan.positions.push_back({std::cos(angle), std::sin(angle), 0.05 * i});
    group.particles.insert(group.particles.end(), {0, i});
    fan.velocities.resize(fan.positions.size(), {0.01f * static_cast<float>(i), -0.02f, 0.3f / static_cast<float>(i)});
  }
  fan.constraints = {group};
  World world(alone(fan, params_of(GetParam(), 20, 1), {0, 0, 0}), test::cpu());
  const double before = test::sums_of(world).kinetic;
  const double most = test::largest_over(world, steps_in(world, 5), [&] { return test::sums_of(world).kinetic; });
  EXPECT_LE(most, 1.001 * before);
}

// A particle held at the rim of a top that spins keeps to its place, and takes its share of the spin.
TEST_P(Sheets, and_particles_stay_on_what_turns) {
  const Body top = test::moving(test::body("top", Sphere{}, {}, BodyType::kKinematic), {}, {0, 0, 10});
  Scene scene = test::afloat({top}, params_of(GetParam(), 20, GetParam().sweep == SweepKind::kJacobi ? 4 : 1));
  const std::uint32_t held = 0;
  ParticleSet set{.name = "dot", .positions = {{0.5, 0, 0}}, .velocities = {{0, 5, 0}}};
  set.attachments = {{0, held, {}}};
  scene.add_particles(set);
  World world(scene, test::cpu());
  for (int i = steps_in(world, 1); i > 0; --i) world.step();
  const Vec3d at = states_of(world)[0].position;
  const Quat q = world.state(world.bodies()[held]).orientation;
  const double angle = 2 * std::atan2(static_cast<double>(q.z), static_cast<double>(q.w));
  // solved at the orientation of the substep's end: off by rounding alone
  EXPECT_NEAR(at.x, 0.5 * std::cos(angle), 1e-4);
  EXPECT_NEAR(at.y, 0.5 * std::sin(angle), 1e-4);
}

// A cube of jelly that lies on the floor holds its volume under a weight.
TEST(SoftBody, keeps_its_volume_under_a_load) {
  Scene scene = test::scene_of({test::plane()}, params_of(kMethods[0], 20, 4));
  scene.add_particles(cube({0, 0, 0.05}, {1e-4f, 10, 0}, {1e-9f, 0, 0}));
  scene.add_body(test::of_mass(20, test::body("load", Box{{0.6f, 0.6f, 0.1f}}, {0.5, 0.5, 1.21})));
  World world(scene, test::cpu());
  for (int i = 0; i < 600; ++i) world.step();
  EXPECT_EQ(world.report().status, 0u);
  const std::vector<BodyState> at = states_of(world);
  // of a hexahedron with these corners: the five tetrahedra of its description
  const std::uint32_t of[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
  double volume = 0, first = 0;
  const ParticleSet set = cube({0, 0, 0.05}, {}, {});
  for (const auto& t : of) {
    const Vec3d now[4] = {at[t[0]].position, at[t[1]].position, at[t[2]].position, at[t[3]].position};
    const Vec3d then[4] = {set.positions[t[0]], set.positions[t[1]], set.positions[t[2]], set.positions[t[3]]};
    volume += std::abs(kernels::volume_of(now).value);
    first += std::abs(kernels::volume_of(then).value);
  }
  EXPECT_NEAR(first, 1, 1e-12);
  EXPECT_NEAR(volume, 1, 2e-3);
  EXPECT_LT(test::speed(world, world.bodies().back()), 0.02);
  EXPECT_GT(world.state(world.bodies().back()).position.z, 1.0);
}

// Without gravity a sheet flies into boxes. What one gives the other takes: linear momentum stays to rounding.
TEST_P(Sheets, and_bodies_keep_their_momentum_together) {
  ParticleSet set = sheet(8, 0.1, 0, {1e-5f, 0, 0}, {1.0f, 0, 0});
  set.velocities.assign(set.positions.size(), {0.3f, 0.1f, 3});
  const auto box = [](const char* name, Vec3d at) {
    return test::of_mass(0.5f, test::body(name, Box{{0.1f, 0.1f, 0.1f}}, at));
  };
  const std::uint32_t held = 0;
  Scene scene = test::afloat({box("box", {0.05, 0, 0.4}), box("other", {-0.3, 0.2, 0.5})}, params_of(GetParam(), 6, 1));
  set.attachments = {{0, held, {1e-4f, 0, 0}}, {63, held, {1e-4f, 0, 0}}};
  scene.add_particles(set);
  World world(scene, test::cpu());
  EXPECT_NEAR(test::sums_of(world).mass, 2 * 0.5 + 64 * double{set.mass}, 1e-6);
  const Vec3d before = test::sums_of(world).momentum;
  EXPECT_GT(test::largest_over(world, 120, [&] { return world.report().manifolds; }), 0) << "they touched";
  EXPECT_EQ(world.report().status, 0u);
  // each of the 66 bodies rounds its velocity, of up to 4 m/s, some dozen times a substep
  const double allowed = 120 * 6 * 20 * 0x1p-24 * 4 * 0.5;
  test::expect_near(test::sums_of(world).momentum, before, allowed);
}

// A crate hangs off its middle on a rope's end: it turns until it hangs below, and the attachment reads its weight.
TEST_P(Sheets, and_ropes_that_hold_crates_read_their_weight) {
  Rope rope{.particles = 5, .length = 1, .mass = 1, .law = {1e-5f, 10, 0}, .damping = 0.5f};
  Scene scene;
  scene.set_params(params_of(GetParam(), 20, GetParam().sweep == SweepKind::kJacobi ? 60 : 20));
  Body crate = test::body("crate", Box{{0.2f, 0.2f, 0.2f}}, {0.1, 0, -1.2});
  crate.mass = 10.0f;
  crate.angular_damping = 2;
  crate.linear_damping = 0.5f;
  const std::uint32_t held = scene.add_body(crate);
  ParticleSet set = rope.set();
  set.attachments = {{5, held, {1e-5f, 10, 0}}};
  scene.add_particles(set);
  World world(scene, test::cpu());
  for (int i = steps_in(world, 30); i > 0; --i) world.step();
  EXPECT_EQ(world.report().status, 0u);
  const std::vector<float> forces = forces_of(world);
  EXPECT_NEAR(forces.back(), 10 * kG, 1e-3 * 10 * kG);
  EXPECT_NEAR(forces.front(), 15 * kG, 1e-3 * 15 * kG);
  // its centre hangs below the end: off its own middle by 0.1 of 0.2236 m, as it is held
  const Vec3d end = states_of(world)[5].position, at = world.state(world.bodies()[held]).position;
  EXPECT_NEAR(at.x, end.x, 2e-3);
  EXPECT_NEAR(end.z - at.z, std::hypot(0.1, 0.2), 1e-3);
}

}  // namespace
}  // namespace cairn::particles_test
