// Fields of scenes, which a World applies in every step.

#include <cmath>
#include <numbers>

#include "cairn/body_fields.h"
#include "scenes/builtin.h"
#include "tests/field/bodies.h"
#include "tests/field/user_field.h"

namespace cairn {
namespace {

using namespace testing_support;

Scene with(Scene scene, const std::vector<fields::Any>& laws) {
  for (const fields::Any& law : laws) scene.add_field({law, {}});
  return scene;
}

/// [N] That the fields gave in the last step, by body slot.
std::vector<Vec3> field_forces(const World& world) {
  const ArrayView view = world.array("field");
  const auto* data = static_cast<const float*>(view.data);
  std::vector<Vec3> forces;
  for (std::int64_t i = 0; i < view.shape[0]; ++i) forces.push_back({data[3 * i], data[3 * i + 1], data[3 * i + 2]});
  return forces;
}

// Every law gives what BodyFields gives by a ParticleSystem's code, to the bit, as the step's own precision has it.
TEST(SceneFields, give_what_body_fields_give) {
  const std::vector<fields::Any> laws = ready_made();
  for (const fields::Any& law : laws) {
    World world(with(cloud(60), {law}), cpu(2));
    BodyFields fields(world);
    fields.add(law);
    for (int i = 0; i < 3; ++i) {
      const std::vector<Vec3d> want = fields.forces();
      world.step();
      const std::vector<Vec3> got = field_forces(world);
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t k = 0; k < got.size(); ++k) {
        const Vec3 w{static_cast<float>(want[k].x), static_cast<float>(want[k].y), static_cast<float>(want[k].z)};
        // a BodyFields' +0 and a sum's
        EXPECT_EQ(got[k], w) << "law " << law.index() << ", body " << k << ", step " << i;
      }
    }
  }
}

// All laws at once: what they give is the sum of what each gives, and moves bodies as forces of the user's do.
TEST(SceneFields, add_up_and_move_bodies_as_forces_do) {
  const std::vector<fields::Any> laws = ready_made();
  World world(with(cloud(40), laws), cpu(2)), pushed(cloud(40), cpu(1));
  for (int i = 0; i < 20; ++i) {
    std::vector<Vec3d> sum(40);
    for (const fields::Any& law : laws) {
      BodyFields one(world);
      one.add(law);
      const std::vector<Vec3d> f = one.forces();
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = sum[k] - Vec3d{-f[k].x, -f[k].y, -f[k].z};
    }
    world.step();
    const std::vector<Vec3> got = field_forces(world);
    const std::vector<BodyHandle> bodies = pushed.bodies();
    for (std::size_t k = 0; k < sum.size(); ++k) {
      // sums of ten doubles in another order, then a float
      EXPECT_NEAR(double{got[k].x}, sum[k].x, 0x1p-23 * std::abs(sum[k].x) + 1e-12) << k;
      EXPECT_NEAR(double{got[k].y}, sum[k].y, 0x1p-23 * std::abs(sum[k].y) + 1e-12) << k;
      pushed.add_force(bodies[k], got[k]);
    }
    pushed.step();
    EXPECT_EQ(world.state_hash(), pushed.state_hash());
  }
  EXPECT_EQ(world.report().status, 0u);
}

/// Three worlds with fields of their own, on parts of their bodies.
std::vector<Scene> three() {
  const std::vector<fields::Any> laws = ready_made();
  Scene one = with(cloud(60), laws), two = cloud(25), three = cloud(33);
  two.add_field({laws[5], {{3, 9, 2, 20, 21, 22}}});
  two.add_field({fields::Wind{.velocity = {0, 9, 0}, .gust = {4, 0, 0}, .gust_rate = 20}, {}});
  two.add_field({fields::PairGravity{.constant = 0.1, .softening = 0.2, .tree_above = 4}, {{0, 1, 2, 3, 4, 5, 6}}});
  three.add_field({laws[8], {}});
  three.add_field({fields::LennardJones{.epsilon = 0.02, .sigma = 0.3, .cut_off = 1.4}, {}});
  return {one, two, three};
}

TEST(SceneFields, give_the_same_bits_for_any_threads_and_in_any_batch) {
  constexpr int kSteps = 30;
  const std::vector<Scene> scenes = three();
  std::vector<std::uint64_t> alone;
  for (const Scene& scene : scenes) {
    World world(scene, cpu(1));
    run(world, kSteps);
    EXPECT_EQ(world.report().status, 0u);
    alone.push_back(world.state_hash());
  }
  for (const int threads : {1, 2, 3, 5}) {
    const std::vector<Scene> some{scenes[1], scenes[0], scenes[2], scenes[1], tower(3), scenes[0]};
    World batch(some, cpu(threads));
    run(batch, kSteps);
    const std::vector<std::uint64_t> hashes = batch.state_hashes();
    EXPECT_EQ(hashes[0], alone[1]) << threads << " threads";
    EXPECT_EQ(hashes[1], alone[0]) << threads << " threads";
    EXPECT_EQ(hashes[2], alone[2]) << threads << " threads";
    EXPECT_EQ(hashes[3], alone[1]) << threads << " threads";
    // gusts go by the clock of the world
    batch.reset(3);
    run(batch, kSteps);
    EXPECT_EQ(batch.state_hashes()[3], alone[1]);
    EXPECT_NE(batch.state_hashes()[0], alone[1]);
  }
}

// A list has its laws on its own bodies alone, which see nothing else; a body in two lists bears both.
TEST(SceneFields, act_on_the_bodies_of_their_list) {
  Scene scene = scene_of({ball("a", {0, 0, 0}), ball("b", {3, 0, 0}), ball("c", {6, 0, 0}), ball("d", {9, 0, 0})});
  scene.set_gravity({0, 0, 0});
  const fields::PairGravity pull{.constant = 1e-3};
  EXPECT_EQ(scene.add_field({pull, {{2, 0}}}), 0u);
  EXPECT_EQ(scene.add_field({fields::Gravity{{0, 0, -1}}, {{2, 3}}}), 1u);
  EXPECT_EQ(scene.fields()[0].bodies, (std::vector<std::uint32_t>{0, 2})) << "sorted";
  World world(scene, cpu());
  const double m = world.mass_properties(world.bodies()[0]).mass;
  world.step();
  const std::vector<Vec3> f = field_forces(world);
  const double want = 1e-3 * m * m / 36;
  EXPECT_NEAR(double{f[0].x}, want, 4 * 0x1p-24 * want);
  EXPECT_EQ(f[1], (Vec3{0, 0, 0}));
  EXPECT_EQ(f[2].x, -f[0].x);
  EXPECT_NEAR(double{f[2].z}, -m, 4 * 0x1p-24 * m);
  EXPECT_EQ(f[3], (Vec3{0, 0, f[2].z}));
}

// Two balls on a circle about their centre of mass: one turn takes 2 pi sqrt(d^3 / (G (m1 + m2))).
TEST(SceneFields, keep_two_balls_on_their_orbit) {
  constexpr double kApart = 4, kConstant = 1e-3;
  const double m = kDensity * 4 / 3 * std::numbers::pi * 0.125;
  const double rate = std::sqrt(kConstant * 2 * m / (kApart * kApart * kApart)), turn = 2 * std::numbers::pi / rate;
  double off[2];
  for (const int halved : {0, 1}) {
    StepParams params;
    const int steps = halved == 0 ? 400 : 800;
    params.dt = static_cast<float>(turn / steps);
    Body a = ball("a", {0.5 * kApart, 0, 0}), b = ball("b", {-0.5 * kApart, 0, 0});
    a.linear_velocity = {0, static_cast<float>(0.5 * kApart * rate), 0};
    b.linear_velocity = {0, static_cast<float>(-0.5 * kApart * rate), 0};
    Scene scene = scene_of({a, b}, params);
    scene.set_gravity({0, 0, 0});
    scene.add_field({fields::PairGravity{.constant = kConstant}, {}});
    World world(scene, cpu());
    run(world, steps);
    const std::vector<BodyState> s = states(world);
    EXPECT_EQ(s[0].position.x, -s[1].position.x) << "momentum, to the bit";
    off[halved] = length(s[0].position - Vec3d{0.5 * kApart, 0, 0});
  }
  // a force that is held over a step is behind by half of it, which drives them out, by (w h / 2) of the orbit a radian
  EXPECT_LT(off[1], 0.5 * kApart * 4 * std::numbers::pi * std::numbers::pi * 2 * std::numbers::pi / 800);
  EXPECT_NEAR(off[0] / off[1], 2, 0.2);
}

/// A box on a floor that friction holds against gusts of so much [N] along x. It wakes by 1,000 kg sleep_speed /
/// sleep_time, 20 N.
Scene in_gusts(double most, double rate) {
  Scene scene = tower(1, with_sleeping());
  // against air at rest but for gusts a drag c gives c gust sin(rate t)
  scene.add_field({fields::Wind{.velocity = {}, .linear = 1, .gust = {most, 0, 0}, .gust_rate = rate}, {}});
  return scene;
}

// What rests in a steady wind sleeps; it wakes once the wind has changed by the force that would bring it to
// sleep_speed in sleep_time, and sleeps again when that lasts.
TEST(SceneFields, let_bodies_sleep_and_wake_them_when_they_change) {
  World steady(with(tower(2, with_sleeping()), {fields::Gravity{{0.5, 0, 0}}, fields::Wind{.velocity = {3, 0, 0}}}),
               cpu());
  run(steady, 240);
  EXPECT_EQ(steady.report().asleep, 2u);

  const StepParams params = with_sleeping();
  const double mass = kDensity, wakes_at = mass * double{params.sleep_speed} / double{params.sleep_time};
  World calm(in_gusts(0.4 * wakes_at, 0.2), cpu());
  run(calm, 600);
  EXPECT_EQ(calm.report().asleep, 1u) << "gusts of 80 % of that from trough to crest";

  World gusty(in_gusts(3 * wakes_at, 0.2), cpu());
  const BodyHandle box = gusty.bodies()[1];
  int step = 0, woke = 0;
  double fell = -1;
  for (; step < 600 && woke == 0; ++step) {
    const bool was = gusty.asleep(box);
    gusty.step();
    if (!was && gusty.asleep(box)) fell = step / 60.0;
    if (was && !gusty.asleep(box)) woke = step;
  }
  ASSERT_GT(woke, 0);
  // the force at a step is that of its start
  const auto gust = [&](double t) { return 3 * wakes_at * std::sin(0.2 * t); };
  EXPECT_GE(std::abs(gust(woke / 60.0) - gust(fell)), wakes_at * (1 - 1e-5));
  EXPECT_LT(std::abs(gust((woke - 1) / 60.0) - gust(fell)), wakes_at * (1 + 1e-5));
}

// A step that wakes and then finds no room leaves all as it was: where there is room, it wakes again.
TEST(SceneFields, wake_again_where_the_step_that_woke_was_not_taken) {
  World world(in_gusts(3 * 20, 0.2), cpu());
  while (world.report().asleep == 0) world.step();
  Snapshot before = world.snapshot();
  while (world.report().asleep != 0) {
    before = world.snapshot();
    world.step();
  }
  const auto add_two = [](World& to) {
    to.add_body(ball("one", {20, 0, 5}));
    to.add_body(ball("two", {20.5, 0, 5}));
  };
  World roomy(before, cpu());
  add_two(roomy);
  const Capacity tight{.pairs = roomy.report().pairs, .on_overflow = OnOverflow::kError};
  World failed(before, cpu(1, tight));
  add_two(failed);
  EXPECT_THROW(failed.step(), CapacityError);
  EXPECT_TRUE(failed.asleep(failed.bodies()[1]));
  World again(failed.snapshot(), cpu(2));
  for (int i = 0; i < 3; ++i) {
    roomy.step();
    again.step();
    EXPECT_EQ(again.report().asleep, 0u);
    EXPECT_EQ(again.state_hash(), roomy.state_hash());
  }
}

// One that finds no room and may make some is as if there had been enough.
TEST(SceneFields, are_the_same_in_steps_that_are_taken_twice) {
  Scene scene = in_gusts(3 * 20, 0.5);
  for (int i = 0; i < 30; ++i) scene.add_body(box("rain" + std::to_string(i), {8.0 + 1.2 * (i % 4), 0, 2 + 1.5 * i}));
  World roomy(scene, cpu(1, {.pairs = 5000})), tight(scene, cpu(2, {.pairs = 1}));
  for (int i = 0; i < 400; ++i) {
    roomy.step();
    tight.step();
    ASSERT_EQ(roomy.state_hash(), tight.state_hash()) << i;
    ASSERT_EQ(roomy.report().asleep, tight.report().asleep) << i;
  }
}

// The built-in rubble: it falls together, ends as a heap in which all touch, and goes nowhere.
TEST(SceneFields, draw_rubble_together) {
  World world(scenes::make("rubble:count=40", 1), cpu(2));
  const auto spread = [&](Vec3d& momentum, double& kinetic) {
    double mass = 0, square = 0;
    kinetic = 0;
    momentum = {};
    for (const BodyHandle b : world.bodies()) {
      const BodyState s = world.state(b);
      const double m = world.mass_properties(b).mass;
      const Vec3 v = s.linear_velocity;
      mass += m;
      kinetic += 0.5 * m * length(v) * length(v);
      square += m * (s.position.x * s.position.x + s.position.y * s.position.y + s.position.z * s.position.z);
      momentum = {momentum.x + m * v.x, momentum.y + m * v.y, momentum.z + m * v.z};
    }
    return std::sqrt(square / mass);
  };
  Vec3d before, after;
  double kinetic = 0, fastest = 0;
  const double wide = spread(before, kinetic);
  for (int i = 0; i < 600; ++i) {
    world.step();
    spread(after, kinetic);
    fastest = std::max(fastest, kinetic);
  }
  EXPECT_LT(spread(after, kinetic), 0.8 * wide);
  EXPECT_GT(world.report().manifolds, 40u) << "each touches one other at least";
  EXPECT_LT(kinetic, 0.02 * fastest);
  EXPECT_EQ(world.report().status, 0u);
  // 40 bodies of up to 1,500 kg at up to 3 m/s, whose speeds are rounded in 3,600 substeps at random, and as often by
  // the impulses of some contacts
  EXPECT_LT(length(after - before), 1500 * 3 * 0x1p-24 * std::sqrt(40 * 3600.0 * 10));
}

TEST(SceneFields, can_be_changed_and_lose_bodies) {
  Scene scene = scene_of({ball("a", {0, 0, 0}), ball("b", {3, 0, 0}), ball("c", {6, 0, 0})});
  scene.set_gravity({0, 0, 0});
  scene.add_field({fields::Springs{{{0, 1, 100, 0, 1}, {1, 2, 100, 0, 1}}}, {}});
  scene.add_field({fields::Gravity{{0, 1, 0}}, {{0, 2}}});
  World world(scene, cpu());
  const std::vector<BodyHandle> bodies = world.bodies();
  world.step();
  EXPECT_GT(field_forces(world)[0].x, 0);
  world.remove_body(bodies[1]);
  EXPECT_TRUE(std::get<fields::Springs>(world.fields()[0].law).springs.empty());
  world.step();
  EXPECT_EQ(field_forces(world)[0].x, 0) << "no spring is left";
  EXPECT_GT(field_forces(world)[0].y, 0);
  world.remove_body(bodies[0]);
  // takes its place, and not its part in lists
  const BodyHandle d = world.add_body(ball("d", {0, 5, 0}));
  EXPECT_EQ(world.index_of(d), 0u);
  EXPECT_EQ(world.fields()[1].bodies, (std::vector<std::uint32_t>{2}));
  world.step();
  EXPECT_EQ(field_forces(world)[0], (Vec3{0, 0, 0}));
  world.set_fields({{fields::Gravity{{0, 0, 3}}, {}}});
  world.step();
  EXPECT_GT(field_forces(world)[0].z, 0);
  EXPECT_EQ(field_forces(world)[2].y, 0);
  world.set_fields({});
  EXPECT_TRUE(world.fields().empty());
  const std::uint64_t before = world.state_hash();
  EXPECT_EQ(field_forces(world)[0], (Vec3{0, 0, 0}));
  world.step();
  EXPECT_NE(world.state_hash(), before) << "they drift on";
  EXPECT_EQ(world.report().status, 0u);
}

// A kinematic end of a spring pulls and isn't pulled; one that becomes dynamic joins what is on all of them.
TEST(SceneFields, see_what_is_not_dynamic_where_they_name_it) {
  Body anchor = ball("anchor", {0, 0, 0});
  anchor.type = BodyType::kKinematic;
  Scene scene = scene_of({anchor, ball("ball", {3, 0, 0})});
  scene.set_gravity({0, 0, 0});
  scene.add_field({fields::Springs{{{0, 1, 100, 0, 1}}}, {}});
  scene.add_field({fields::PairGravity{.constant = 1e-3}, {{0, 1}}});
  scene.add_field({fields::Gravity{{0, 0, -1}}, {}});
  World world(scene, cpu());
  const double m = world.mass_properties(world.bodies()[1]).mass, want = 100 * 2 + 1e-3 * m * m / 9;
  world.step();
  EXPECT_EQ(field_forces(world)[0], (Vec3{0, 0, 0}));
  EXPECT_NEAR(double{field_forces(world)[1].x}, -want, 4 * 0x1p-24 * want);
  EXPECT_EQ(states(world)[0].position, (Vec3d{0, 0, 0}));
  world.set_type(world.bodies()[0], BodyType::kDynamic);
  world.step();
  EXPECT_GT(field_forces(world)[0].x, 0);
  EXPECT_LT(field_forces(world)[0].z, 0);
}

TEST(SceneFields, are_in_snapshots_and_recordings) {
  const std::vector<Scene> scenes = three();
  World world(scenes, cpu(2));
  run(world, 5);
  world.start_recording();
  run(world, 3);
  const Snapshot kept = Snapshot::from_bytes(world.snapshot().to_bytes(), "bytes");
  run(world, 4);
  World again(kept, cpu(1));
  EXPECT_EQ(again.fields(1), scenes[1].fields());
  run(again, 4);
  EXPECT_EQ(again.state_hash(), world.state_hash());

  // one world of it in the place of another
  World other(std::vector<Scene>{tower(2), scenes[2]}, cpu());
  other.restore(kept, 1, 0);
  run(other, 4);
  EXPECT_EQ(other.state_hashes()[0], world.state_hashes()[1]);
  World copies = World::copies(kept, 2, cpu(), 1);
  run(copies, 4);
  EXPECT_EQ(copies.state_hashes()[1], world.state_hashes()[1]);

  world.set_fields({{fields::CurlNoise{.rate = 3}, {{4, 1}}}}, 2);
  run(world, 3);
  const Recording recording = Recording::from_bytes(world.stop_recording().to_bytes(), "bytes");
  const Replay played = replay(recording, cpu(3));
  EXPECT_FALSE(played.difference);
  EXPECT_EQ(played.hash, world.state_hash());
}

// A sleeper in a snapshot wakes when it would have.
TEST(SceneFields, are_remembered_by_what_sleeps) {
  World world(in_gusts(3 * 20, 0.2), cpu());
  while (world.report().asleep == 0) world.step();
  run(world, 10);
  World again(Snapshot::from_bytes(world.snapshot().to_bytes(), "bytes"), cpu());
  std::uint32_t woken = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    again.step();
    ASSERT_EQ(world.report().asleep, again.report().asleep) << i;
    woken += world.report().asleep == 0 ? 1 : 0;
  }
  EXPECT_GT(woken, 0u);
  EXPECT_EQ(world.state_hash(), again.state_hash());
}

TEST(SceneFields, take_as_much_memory_as_was_told) {
  for (const Scene& scene : three()) {
    for (const std::uint32_t worlds : {1u, 3u}) {
      World world = World::copies(scene, worlds, cpu());
      const std::uint64_t told = estimate_memory(scene, worlds, cpu());
      world.step();
      EXPECT_EQ(world.memory_bytes(), told);
    }
  }
}

TEST(SceneFields, freeze_their_world_where_they_are_not_finite) {
  Scene scene = scene_of({ball("a", {0, 0, 0}), ball("b", {3, 0, 0})});
  scene.add_field({fields::Gravity{{1e300, 0, 0}}, {{1}}});
  World batch(std::vector<Scene>{scene, tower(1)}, cpu());
  const std::vector<BodyState> before = states(batch);
  run(batch, 2);
  EXPECT_EQ(batch.report(0).status, kStatusNonFinite);
  EXPECT_EQ(batch.report(1).status, 0u);
  EXPECT_EQ(states(batch)[0].position, before[0].position);
}

TEST(SceneFields, blow_as_the_document_says) {
  Scene scene = scene_of({ball("other", {9, 0, 0}), ball("crate", {0, 0, 0})});
  scene.add_particles({.name = "cloth", .positions = {{3, 0, 0}, {4, 0, 0}}});
  let_blow(scene, 1);
  World world(scene, cpu());
  world.step();
  const std::vector<Vec3> f = field_forces(world);
  EXPECT_EQ(f[0], (Vec3{0, 0, 0}));
  for (const std::size_t i : {1u, 2u, 3u}) EXPECT_NEAR(double{f[i].x}, 0.02 * 8, 0x1p-24 * 0.16);
  calm(world);
  EXPECT_TRUE(world.fields().empty());
}

TEST(SceneFields, are_refused_by_name) {
  World world(scene_of({plane(), ball("a", {0, 0, 1}), ball("b", {3, 0, 1})}), cpu());
  const auto set = [&](SceneField field) {
    return [&world, field] { world.set_fields({{fields::Gravity{}, {}}, field}); };
  };
  EXPECT_TRUE(refused(world, set({fields::LinearDrag{-1}, {}}),
                      {"field 1 (LinearDrag): coefficient must be at least 0, is -1"}));
  EXPECT_TRUE(refused(world, set({fields::Gravity{}, {{1, 1}}}), {"bodies must be there once each, body 1"}));
  EXPECT_TRUE(refused(world, set({fields::Gravity{}, {{3}}}), {"bodies must be a body, there is no body 3"}));
  EXPECT_TRUE(refused(world, set({fields::Gravity{}, {{0}}}), {"must have a mass", "\"floor\""}));
  EXPECT_TRUE(refused(world, set({fields::Springs{{{1, 7, 1, 0, 0}}}, {}}), {"springs[0].b must be a body"}));
  EXPECT_TRUE(refused(world, set({fields::Springs{{{1, 1, 1, 0, 0}}}, {}}), {"springs[0].b must be another"}));
  EXPECT_TRUE(refused(world, set({fields::Springs{}, {{1, 2}}}), {"bodies must be left out of springs"}));
  EXPECT_TRUE(refused(world, [&] { world.set_fields(std::vector<SceneField>(1025, {fields::Gravity{}, {}})); },
                      {"at most 1024 fields"}));
  EXPECT_TRUE(refused(world, [&] { world.set_fields({}, 1); }, {"world"}));
  world.remove_body(world.bodies()[2]);
  EXPECT_TRUE(refused(world, set({fields::Gravity{}, {{2}}}), {"there is no body 2"}));
  EXPECT_TRUE(world.fields().empty());
}

}  // namespace
}  // namespace cairn
