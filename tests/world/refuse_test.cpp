// What a World refuses: the message names the thing, the rule and the value, and nothing has changed.

#include <cmath>
#include <limits>
#include <numeric>

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;
using testing_support::shape;  // not the namespace

constexpr float kBad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()};

class Refuse : public testing::Test {
 protected:
  Refuse() : world(tower(2), cpu()) { run(world, 5); }

  /// f is given a vector with each bad number at each of its places, one at a time.
  template <class F>
  void expect_refused_everywhere(const char* field, F f) {
    for (const float bad : kBad) {
      for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(refused(world, [&] { f(put(i, bad)); }, {"box0", field, "finite", std::isnan(bad) ? "nan" : "inf"}))
            << "place " << i;
      }
    }
  }

  static Vec3 put(int i, float bad) { return {i == 0 ? bad : 1, i == 1 ? bad : 1, i == 2 ? bad : 1}; }
  BodyHandle b() const { return world.bodies()[1]; }

  World world;
};

TEST_F(Refuse, numbers_that_are_not_finite) {
  expect_refused_everywhere("position", [&](Vec3 v) { world.set_pose(b(), {v.x, v.y, v.z}, {}); });
  expect_refused_everywhere("orientation", [&](Vec3 v) { world.set_pose(b(), {}, {v.x, v.y, v.z, 1}); });
  expect_refused_everywhere("linear_velocity", [&](Vec3 v) { world.set_velocity(b(), v, {}); });
  expect_refused_everywhere("angular_velocity", [&](Vec3 v) { world.set_velocity(b(), {}, v); });
  expect_refused_everywhere("mass", [&](Vec3 v) { world.set_mass(b(), v.x + v.y + v.z); });
  expect_refused_everywhere("force", [&](Vec3 v) { world.add_force(b(), v); });
  expect_refused_everywhere("torque", [&](Vec3 v) { world.add_torque(b(), v); });
  expect_refused_everywhere("force", [&](Vec3 v) { world.add_force(b(), v, {}); });
  expect_refused_everywhere("point", [&](Vec3 v) { world.add_force(b(), {}, {v.x, v.y, v.z}); });
  // no load was left behind by any of them
  World clean(tower(2), cpu());
  run(clean, 10);
  run(world, 5);
  EXPECT_EQ(world.state_hash(), clean.state_hash());
}

// surface speed |w| r at most 1e5 m/s; a unit box has r = sqrt(3) / 2
TEST_F(Refuse, a_spin_whose_surface_is_faster_than_a_body_may_be) {
  const float most = static_cast<float>(1e5 / std::sqrt(0.75));
  for (const float w : {1.0001f * most, 1e10f, 3e38f}) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 spin{i == 0 ? w : 0, i == 1 ? -w : 0, i == 2 ? w : 0};
      EXPECT_TRUE(refused(world, [&] { world.set_velocity(b(), {}, spin); },
                          {"\"box0\"", "angular_velocity", "no more than 1e+05 m/s", "rad/s", "0.866"}))
          << w;
      BodyState state = world.state(b());
      state.angular_velocity = spin;
      EXPECT_TRUE(refused(world, [&] { world.set_state(b(), state); }, {"\"box0\"", "angular_velocity"})) << w;
      const Body fast = moving(box("fast", {0, 0, 9}), {}, spin);
      EXPECT_TRUE(refused(world, [&] { world.add_body(fast); }, {"\"fast\"", "angular_velocity"})) << w;
    }
  }
  // what is allowed keeps for a step, and is welcome back
  const BodyHandle high = world.add_body(box("high", {0, 0, 9}));
  world.set_velocity(high, {}, {0, 0, 0.9999f * most});
  world.step();
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_NO_THROW(world.set_state(high, world.state(high)));
}

TEST_F(Refuse, gravity_materials_and_parameters_out_of_their_range) {
  for (const float bad : kBad) {
    for (int i = 0; i < 3; ++i)
      EXPECT_TRUE(refused(world, [&] { world.set_gravity(put(i, bad)); }, {"gravity", "finite"}));
    EXPECT_TRUE(refused(world, [&] { world.add_material({.name = "m", .friction = bad}); }, {"\"m\"", "friction"}));
    EXPECT_TRUE(
        refused(world, [&] { world.set_material(0, {.name = "m", .restitution = bad}); }, {"\"m\"", "restitution"}));
  }
  EXPECT_EQ(world.gravity(), (Vec3{0, 0, -9.81f}));
  EXPECT_EQ(world.materials().size(), 1u);
  StepParams params = world.params();
  params.substeps = 0;
  EXPECT_TRUE(refused(world, [&] { world.set_params(params); }, {"substeps", "0"}));
  EXPECT_EQ(world.params().substeps, 6);
}

TEST_F(Refuse, steps_of_no_length) {
  for (const float dt : {0.0f, std::numeric_limits<float>::denorm_min(), -0.01f, 1.5f, kBad[0], kBad[1], kBad[2]}) {
    EXPECT_TRUE(refused(world, [&] { world.step(dt); }, {"dt"})) << dt;
  }
  EXPECT_EQ(world.report().steps, 5u);
  EXPECT_NO_THROW(world.step(1.0f));
  EXPECT_NO_THROW(world.step(1e-6f));
  EXPECT_TRUE(sound(world));
  EXPECT_NO_THROW(run(world, 5));
  EXPECT_TRUE(sound(world));
}

TEST_F(Refuse, bodies_that_can_not_be) {
  Body bad = box("new", {0, 0, 9});
  const auto refuses = [&](const Body& body, std::initializer_list<const char*> words) {
    const auto add = [&] { world.add_body(body); };
    EXPECT_TRUE(refused(world, add, words));
  };
  bad.shapes.clear();
  refuses(bad, {"new", "shape"});
  bad.shapes = {shape(Sphere{-1})};
  refuses(bad, {"new", "shape 0", "radius", "over 0", "-1"});
  bad.shapes = {shape(Sphere{}), shape(Box{{1, kBad[0], 1}})};
  refuses(bad, {"new", "shape 1", "half_extents.y", "nan"});
  bad.shapes = {shape(Sphere{}, {}, {}, 3)};
  refuses(bad, {"new", "material", "3"});
  bad.shapes = {shape(Plane{})};
  refuses(bad, {"new", "plane", "static"});
  bad = box("new", {0, 0, 9});
  bad.density = -2.0f;
  refuses(bad, {"new", "density", "-2"});
  bad.density.reset();
  refuses(bad, {"new", "mass or density"});
  bad = box("#9", {0, 0, 9});
  refuses(bad, {"name"});
  bad = box("far", {0, 0, 1.1e7});
  refuses(bad, {"far", "position.z", "1.1e+07"});
  EXPECT_EQ(world.report().shapes, 3u);
}

TEST_F(Refuse, masses_and_places_out_of_range) {
  for (const float mass : {0.0f, -1.0f})
    EXPECT_TRUE(refused(world, [&] { world.set_mass(b(), mass); }, {"box0", "mass", "over 0"}));
  EXPECT_TRUE(refused(world, [&] { world.set_pose(b(), {2e7, 0, 0}, {}); }, {"box0", "position.x", "2e+07"}));
  EXPECT_TRUE(refused(world, [&] { world.set_pose(b(), {}, {0, 0, 0, 0}); }, {"box0", "orientation", "zero"}));
  EXPECT_TRUE(refused(world, [&] { world.set_type(b(), static_cast<BodyType>(7)); }, {"box0", "type"}));
}

TEST(Report, counts_what_there_is) {
  World world(tower(3), cpu());
  EXPECT_EQ(world.report().steps, 0u);
  EXPECT_EQ(world.report().pairs, 0u);
  run(world, 30);
  const StepReport r = world.report();
  EXPECT_EQ(r.status, 0u);
  EXPECT_EQ(r.steps, 30u);
  EXPECT_NEAR(r.time, 0.5, 1e-6);
  EXPECT_EQ(r.bodies, 4u);
  EXPECT_EQ(r.shapes, 4u);
  EXPECT_EQ(r.pairs, 3u);
  EXPECT_EQ(r.manifolds, 3u);
  EXPECT_EQ(r.points, 12u);
  EXPECT_EQ(r.colors, 2u) << "two contacts between dynamic bodies that share the middle one";
  EXPECT_EQ(r.asleep, 0u);
  EXPECT_EQ(r.high_water.pairs, 3u);
  EXPECT_EQ(world.contacts().size(), 3u);
  for (const double ms : r.stage_ms) EXPECT_EQ(ms, 0) << "not asked for";
}

TEST(Report, times_stages_between_steps_when_asked_to_and_changes_no_bit) {
  const Scene wall = scenes::make("wall:base=5", 1);
  World plain(wall, cpu()), timed(wall, {.device = Device::cpu(1), .timings = true}), at_times(wall, cpu());
  const auto sum = [](const World& world) {
    const auto ms = world.report().stage_ms;
    return std::accumulate(std::begin(ms), std::end(ms), 0.0);
  };
  for (int step = 0; step < 9; ++step) {
    if (step == 3 || step == 6) at_times.set_timings(step == 3);
    for (World* world : {&plain, &timed, &at_times}) world->step();
    EXPECT_EQ(sum(plain), 0);
    EXPECT_GT(sum(timed), 0);
    EXPECT_EQ(sum(at_times) > 0, step >= 3 && step < 6) << step;
    EXPECT_EQ(timed.state_hash(), plain.state_hash()) << step;
    EXPECT_EQ(at_times.state_hash(), plain.state_hash()) << step;
  }
}

TEST(Report, hashes_stages_when_asked_to) {
  const WorldOptions options{.device = Device::cpu(1), .trace = true};
  World traced(tower(3), options), again(tower(3), options), plain(tower(3), cpu());
  for (World* world : {&traced, &again, &plain}) run(*world, 5);
  EXPECT_EQ(traced.report().stage_hash, again.report().stage_hash);
  EXPECT_EQ(traced.state_hash(), plain.state_hash());
  EXPECT_NE(traced.report().stage_hash[static_cast<std::size_t>(Stage::kSolve)], 0u);
}

TEST(Report, contacts_tell_bodies_normal_points_and_impulses) {
  World world(tower(2), cpu());
  run(world, 120);
  const auto all = world.bodies();
  for (const Contact& c : world.contacts()) {
    const bool up = c.a.index < c.b.index;
    EXPECT_NEAR(c.normal.z, up ? 1 : -1, 1e-4);
    double impulse = 0;
    for (int i = 0; i < c.count; ++i) impulse += c.points[static_cast<std::size_t>(i)].impulse;
    // the floor bears both, the lower box the upper: within a tenth of a percent of the weight for a step
    const double load = c.a == all[0] ? 2000 : 1000;
    EXPECT_NEAR(impulse, load * 9.81 / 60, 1e-3 * load * 9.81 / 60);
    EXPECT_NEAR(c.points[0].position.z, c.a == all[0] ? 0 : 1, 0.01);
  }
}

TEST(Report, status_names_and_clearing) {
  EXPECT_EQ(status_names(0), std::vector<std::string>{});
  EXPECT_EQ(status_names(15), (std::vector<std::string>{"non_finite", "out_of_bounds", "overflow", "too_fast"}));
  World world(scene_of({ball("fast", {})}), cpu());
  world.set_velocity(world.bodies()[0], {2e5f, 0, 0}, {});
  world.step();
  EXPECT_EQ(world.report().status, kStatusTooFast);
  run(world, 3);
  EXPECT_EQ(world.report().status, kStatusTooFast) << "stays set";
  EXPECT_EQ(world.report(0).steps, 0u);
  EXPECT_EQ(world.report(0).first_bad, world.bodies()[0]);
  world.clear_status();
  world.step();
  EXPECT_EQ(world.report().status, kStatusTooFast) << "what broke it is still there";
  world.clear_status();
  world.set_velocity(world.bodies()[0], {1, 0, 0}, {});
  world.step();
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_EQ(world.report(0).steps, 1u);
  EXPECT_EQ(world.report(0).first_bad, BodyHandle{});
}

}  // namespace
}  // namespace cairn::world_test
