// Fields on the bodies of a World: the laws of a ParticleSystem, by what they do to bodies.

#include "tests/fields/bodies.h"

#include <cmath>

#include "tests/articulations/robots.h"
#include "tests/fields/user_field.h"
#include "tests/support/refusal.h"
#include "tests/support/sums.h"

namespace cairn::fields_test {
namespace {

using namespace testing_support;

/// The same particles, as a ParticleSystem has them.
ParticleSystem particles_of(const World& world, Precision precision = Precision::kDouble) {
  ParticleStates s;
  for (const BodyHandle b : world.bodies()) {
    const BodyState state = world.state(b);
    const Vec3 v = state.linear_velocity;
    s.position.push_back(state.position);
    s.velocity.push_back({v.x, v.y, v.z});
    // as the step has it, by its inverse
    s.mass.push_back(1 / static_cast<double>(static_cast<float>(1 / world.mass_properties(b).mass)));
  }
  return ParticleSystem(s, Device::cpu(1), precision);
}

void go(World& world, BodyFields& fields, int steps) {
  for (int i = 0; i < steps; ++i) {
    fields.apply();
    world.step();
  }
}

// Every field gives bodies what it gives the same particles, to the bit.
TEST(BodyFields, give_bodies_what_they_give_particles) {
  World world(cloud(60), cpu(2));
  for (const Precision precision : {Precision::kDouble, Precision::kFloat}) {
    for (const fields::Any& field : ready_made()) {
      BodyFields fields(world, precision);
      fields.add(field);
      ParticleSystem system = particles_of(world, precision);
      system.add(field);
      const std::vector<Vec3d> force = fields.forces(), a = system.rates().acceleration;
      const ParticleStates s = system.state();
      ASSERT_EQ(force.size(), a.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        // a system tells of a, which is 1/m F: two roundings
        const double ulp = precision == Precision::kDouble ? 0x1p-52 : 0x1p-23, m = s.mass[i];
        EXPECT_NEAR(force[i].x, m * a[i].x, 2 * ulp * std::abs(force[i].x)) << field.index() << " " << i;
        EXPECT_NEAR(force[i].y, m * a[i].y, 2 * ulp * std::abs(force[i].y)) << field.index() << " " << i;
        EXPECT_NEAR(force[i].z, m * a[i].z, 2 * ulp * std::abs(force[i].z)) << field.index() << " " << i;
      }
    }
  }
}

// A falling ball comes to the speed at which drag carries it, sqrt(m g / c) against the air, on the way by
// v = v_t tanh(g t / v_t). A force that holds through a step is that of an Euler step: off by its order, h.
TEST(BodyFields, let_a_body_fall_as_fast_as_quadratic_drag_lets_it) {
  constexpr double kG = 9.81, kDrag = 0.5, kMass = 2, kAir = 3;
  const double top = std::sqrt(kMass * kG / kDrag);
  double off[2];
  for (const int halved : {0, 1}) {
    const int second = halved == 0 ? 60 : 120;
    const Body b = moving(of_mass(static_cast<float>(kMass), ball("ball", {})), {0, 0, static_cast<float>(kAir)});
    Scene scene = scene_of({b}, {.dt = 1.0f / static_cast<float>(second)});
    scene.set_gravity({0, 0, static_cast<float>(-kG)});
    World world(scene, cpu());
    BodyFields fields(world);
    fields.add(fields::Wind{.velocity = {0, 0, kAir}, .linear = 0, .quadratic = kDrag});
    const auto speed = [&] { return kAir - double{world.state(world.bodies()[0]).linear_velocity.z}; };
    go(world, fields, second / 2);
    off[halved] = std::abs(speed() - top * std::tanh(kG * 0.5 / top));
    // |v''| <= 0.77 g^2 / v_t, and Euler's error is at most h t / 2 of it, as the law itself pulls errors together
    EXPECT_LT(off[halved], 0.5 * double{scene.params().dt} * 0.5 * 0.77 * kG * kG / top);
    go(world, fields, 19 * second / 2);
    // what is left of it dies as exp(-2 g t / v_t), 2e-13. It stands still once what a substep h adds is under half an
    // ulp of v: 2 g / v_t of the error, times h
    const double ulp = 0x1p-22, substep = double{world.params().dt} / world.params().substeps;
    EXPECT_NEAR(speed(), top, ulp + 0.5 * ulp / substep * top / (2 * kG));
  }
  EXPECT_NEAR(off[0] / off[1], 2, 0.1);
}

// What springs and pairs give one they take from another: momentum stays to rounding.
TEST(BodyFields, keep_momentum_where_bodies_pull_each_other) {
  constexpr int kCount = 40, kSteps = 120;
  World world(cloud(kCount), cpu(2));
  BodyFields fields(world);
  fields::Springs springs;
  for (std::uint32_t i = 0; i + 1 < kCount; ++i) springs.springs.push_back({i, i + 1, 20, 1, 0.5});
  fields.add(springs);
  fields.add(fields::PairGravity{.constant = 0.05, .softening = 0.2});
  fields.add(fields::LennardJones{.epsilon = 0.01, .sigma = 0.2, .cut_off = 0.8});
  const Vec3d before = sums_of(world).momentum;
  double most = 0;
  for (int i = 0; i < kSteps; ++i) {
    go(world, fields, 1);
    most = larger(most, fastest(world));
  }
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_GT(most, 2) << "they are pulled";
  // each body of at most 1.5 kg rounds its speed in every substep, by half an ulp at most, at random; so does its force
  const double ulp = 0x1p-24 * most, times = kCount * kSteps * world.params().substeps * 2;
  const double allowed = 5 * 1.5 * ulp * std::sqrt(times);
  expect_near(sums_of(world).momentum, before, allowed);
}

/// Every field, the document's among them.
void add_all(BodyFields& fields) {
  for (const fields::Any& field : ready_made()) fields.add(field);
  fields.add(Field("swirl", Swirl{.rate = 2, .drag = 0.5}));
}

TEST(BodyFields, give_the_same_bits_for_any_threads_and_in_any_batch) {
  constexpr int kSteps = 30;
  const Scene scene = cloud(60), other = cloud(25);
  World one(scene, cpu(1));
  BodyFields on_one(one);
  add_all(on_one);
  go(one, on_one, kSteps);
  EXPECT_EQ(one.report().status, 0u);
  for (const int threads : {2, 3, 5}) {
    World world(scene, cpu(threads));
    BodyFields fields(world);
    add_all(fields);
    go(world, fields, kSteps);
    EXPECT_EQ(world.state_hash(), one.state_hash()) << threads << " threads";
  }
  const std::vector<Scene> scenes{other, scene, scene};
  World batch(scenes, cpu(2));
  BodyFields fields(batch);
  add_all(fields);
  go(batch, fields, kSteps);
  EXPECT_EQ(batch.state_hashes()[1], one.state_hash());
  EXPECT_EQ(batch.state_hashes()[2], one.state_hash());
  // gusts go by the clock of the world
  batch.reset(1);
  go(batch, fields, kSteps);
  EXPECT_EQ(batch.state_hashes()[1], one.state_hash());
  EXPECT_NE(batch.state_hashes()[2], one.state_hash());
}

TEST(BodyFields, add_to_other_forces_for_one_step) {
  World world(afloat({ball("a", {0, 0, 0}), ball("b", {5, 0, 0})}), cpu());
  const std::vector<BodyHandle> bodies = world.bodies();
  const double mass = world.mass_properties(bodies[0]).mass, dt = double{world.params().dt};
  BodyFields fields(world, std::span(&bodies[1], 1));
  fields.add(fields::Gravity{{0, 0, 2}});
  fields.apply();
  fields.apply();
  world.add_force(bodies[1], {static_cast<float>(mass), 0, 0});
  world.step();
  world.step();
  const Vec3 v = world.state(bodies[1]).linear_velocity;
  EXPECT_NEAR(double{v.z}, 2 * 2 * dt, 8 * 0x1p-24 * 4 * dt);
  EXPECT_NEAR(double{v.x}, dt, 8 * 0x1p-24 * dt);
  EXPECT_EQ(world.state(bodies[0]).linear_velocity, (Vec3{0, 0, 0})) << "not in the list";
}

// A ball at rest 1 m from the axis, for a step.
TEST(BodyFields, blow_as_the_document_says) {
  World world(afloat({ball("a", {1, 0, 0})}), cpu());
  const double mass = world.mass_properties(world.bodies()[0]).mass, dt = double{world.params().dt};
  blow(world, 1);
  // (-2 y, 2 x, 0) and 0.02 * 8^2 along x
  const Vec3 v = world.state(world.bodies()[0]).linear_velocity;
  EXPECT_NEAR(double{v.x}, 1.28 / mass * dt, 8 * 0x1p-24 * 1.28 / mass * dt);
  EXPECT_NEAR(double{v.y}, 2 / mass * dt, 8 * 0x1p-24 * 2 / mass * dt);
}

// Gravity as a field moves all that lives in a World as its own gravity does: a box that lands, a rope, water, and a
// link on a hinge.
TEST(BodyFields, push_whatever_lives_in_a_world) {
  constexpr int kSteps = 30;
  const auto made = [](double g) {
    Scene scene = scene_of({plane(), box("box", {0, 3, 0.6})});
    scene.set_gravity({0, 0, static_cast<float>(-g)});
    const std::vector<Vec3d> ends{{0, 0, 2}, {0.3, 0, 2}};
    scene.add_particles({.name = "rope", .positions = ends, .fixed = {0}, .constraints = {{.particles = {0, 1}}}});
    ParticleSet water{.name = "water", .positions = {{2, 0, 2}, {2.05, 0, 2}, {2, 0.04, 2.01}}, .radius = 0.0125f};
    water.fluid = Fluid{};
    scene.add_particles(water);
    Articulation arm{.name = "arm"};
    arm.links.push_back(articulations_test::on(articulations_test::block("bar", {0.3f, 0.05f, 0.05f}, 2), kWorldLink,
                                               {-2, 0, 2}, {-0.3, 0, 0}, articulations_test::kAlongY,
                                               ArticulationJointKind::kRevolute));
    scene.add_articulation(arm);
    return scene;
  };
  constexpr double kG = 9.81;
  World by_gravity(made(kG), cpu()), by_field(made(0), cpu());
  BodyFields fields(by_field);
  fields.add(fields::Gravity{{0, 0, -kG}});
  run(by_gravity, kSteps);
  go(by_field, fields, kSteps);
  const std::vector<BodyState> want = states(by_gravity), got = states(by_field);
  // each of the 180 substeps rounds speeds of up to 5 m/s
  const double allowed = kSteps * 6 * 0x1p-24 * 5 * kSteps / 60;
  double moved = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_LT(length(got[i].position - want[i].position), allowed) << i;
    moved = std::max(moved, length(want[i].linear_velocity));
  }
  EXPECT_GT(moved, 3);
}

// A kinematic body pulls by a spring, and isn't pulled.
TEST(BodyFields, leave_alone_what_is_not_dynamic) {
  World world(afloat({body("anchor", Sphere{}, {0, 0, 0}, BodyType::kKinematic), ball("ball", {3, 0, 0})}), cpu());
  EXPECT_EQ(BodyFields(world).bodies().size(), 1u) << "dynamic ones alone, where there is no list";
  BodyFields fields(world, world.bodies());
  fields.add(fields::Springs{{{.a = 0, .b = 1, .stiffness = 100, .rest_length = 1}}});
  EXPECT_DOUBLE_EQ(fields.forces()[0].x, 200);
  go(world, fields, 10);
  EXPECT_EQ(world.state(world.bodies()[0]).position, (Vec3d{0, 0, 0}));
  EXPECT_LT(world.state(world.bodies()[1]).linear_velocity.x, 0);
}

// What is pushed wakes with what it leans on; what is out of reach sleeps on.
TEST(BodyFields, wake_what_they_push) {
  Scene scene = tower(2, with_sleeping());
  scene.add_body(box("far", {20, 0, 0.5}));
  World world(scene, cpu());
  const std::vector<BodyHandle> bodies = world.bodies();
  run(world, 240);
  ASSERT_EQ(world.report().asleep, 3u);
  BodyFields fields(world);
  /// Pushes what is above 1 m and near the origin.
  struct Push {
    Vec3d operator()(const ParticleView<double>& p, std::uint32_t i) const {
      const bool reached = p.position[i].z > 1 && p.position[i].x < 10;
      return {reached ? 0.01 : 0.0, 0, 0};
    }
  };
  fields.add(Field("push", Push{}));
  fields.apply();
  EXPECT_FALSE(world.asleep(bodies[1]));
  EXPECT_FALSE(world.asleep(bodies[2]));
  EXPECT_TRUE(world.asleep(bodies[3]));
}

// In a recording, and from a snapshot between two steps.
TEST(BodyFields, can_be_played_again) {
  World world(cloud(20), cpu());
  BodyFields fields(world);
  fields.add(fields::CurlNoise{.rate = 3});
  world.start_recording();
  go(world, fields, 3);
  fields.apply();
  const Snapshot kept = world.snapshot();
  world.step();
  const Recording recording = world.stop_recording();
  World again(kept, cpu(2));
  again.step();
  EXPECT_EQ(again.state_hash(), world.state_hash());
  const Replay played = replay(recording, cpu(2));
  EXPECT_FALSE(played.difference);
  EXPECT_EQ(played.hash, world.state_hash());
}

TEST(BodyFields, are_refused_by_name) {
  World world(scene_of({plane(), ball("a", {0, 0, 1}), ball("b", {3, 0, 1})}), cpu());
  const std::vector<BodyHandle> bodies = world.bodies();
  const auto on = [&](std::initializer_list<BodyHandle> list) {
    return refusal_of([&] { BodyFields fields(world, std::vector<BodyHandle>(list)); });
  };
  EXPECT_EQ(on({bodies[2], bodies[1]}), "");
  EXPECT_EQ(on({bodies[1], bodies[1]}), "BodyFields: body \"a\" is there twice");
  EXPECT_EQ(on({bodies[0]}), "BodyFields: body \"floor\" has no mass");
  EXPECT_EQ(on({BodyHandle{}}), "body handle {0, 0} is null or stale: its body was removed");
  BodyFields fields(world);
  EXPECT_EQ(refusal_of([&] { fields.add(fields::LinearDrag{-1}); }),
            "fields::LinearDrag::coefficient must be at least 0, is -1");
  EXPECT_EQ(refusal_of([&] { fields.add(fields::Springs{{{.a = 0, .b = 2}}}); }),
            "fields::Springs::springs[0].b must be below the count of particles, 2, is 2");
  world.remove_body(bodies[2]);
  EXPECT_EQ(refusal_of([&] { fields.apply(); }), "BodyFields::apply: body 1 of its list was removed");
  World empty(scene_of({plane()}), cpu());
  BodyFields none(empty);
  none.add(fields::Gravity{});
  none.apply();
  EXPECT_TRUE(none.forces().empty());
}

}  // namespace
}  // namespace cairn::fields_test
