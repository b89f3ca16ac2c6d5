// Bodies that are switched off and on: what they touch, by every solver.

#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/quality.h"
#include "cairn/scene_file.h"
#include "tests/support/builders.h"
#include "tests/support/variants.h"
#include "tests/world/switched_off.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;

double height_of(const World& world, BodyHandle body) { return world.state(body).position.z; }

void expect_free_fall(const World& world, BodyHandle body, const BodyState& from, int steps) {
  const FallRounding off_by = fall_rounding(world, from, steps);
  const double v = static_cast<double>(from.linear_velocity.z) - kG * steps * static_cast<double>(world.params().dt);
  EXPECT_NEAR(world.state(body).position.z, fallen(world, from, steps), off_by.place);
  EXPECT_NEAR(world.state(body).linear_velocity.z, v, off_by.speed);
}

class EnabledBy : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(Solvers, EnabledBy, testing::ValuesIn(kVariants), name_of_variant);

TEST_P(EnabledBy, what_stands_on_a_table_falls_freely_once_that_is_off_and_is_held_again) {
  Scene scene = scene_of({plane(), box("table", {0, 0, 0.5}, BodyType::kStatic)});
  scene.add_body(box("box", {0, 0, 1.5}));
  World world = world_of(scene, GetParam(), cpu());
  stay_awake(world);
  const BodyHandle table = world.bodies()[1], box = world.bodies()[2];
  run(world, 30);
  ASSERT_NEAR(height_of(world, box), 1.5, 0.01);
  ASSERT_GT(support(world, table), 0.5 * kG * 1000);
  world.set_enabled(table, false);
  EXPECT_TRUE(world.contacts().empty());
  const BodyState from = world.state(box);
  run(world, 6);
  expect_free_fall(world, box, from, 6);
  EXPECT_TRUE(world.contacts().empty());
  // it is in the table by now, by 0.05 m
  world.set_enabled(table, true);
  double fastest = 0;
  for (int i = 0; i < 150; ++i) {
    world.step();
    fastest = std::max(fastest, static_cast<double>(world.state(box).linear_velocity.z));
  }
  EXPECT_NEAR(height_of(world, box), 1.5, 0.01);
  EXPECT_GT(support(world, table), 0.5 * kG * 1000);
  EXPECT_LE(fastest, static_cast<double>(world.params().max_depenetration_speed));
  EXPECT_TRUE(sound(world));
}

TEST_P(EnabledBy, the_middle_of_a_stack_goes_and_comes_back) {
  World world = world_of(tower(3), GetParam(), cpu());
  stay_awake(world);
  const std::vector<BodyHandle> b = world.bodies();
  run(world, 60);
  world.set_enabled(b[2], false);
  const BodyState middle = world.state(b[2]);
  run(world, 150);
  // the upper one is on the lower one, in the middle one's place, which stands where it stood
  EXPECT_EQ(world.state(b[2]), middle);
  EXPECT_NEAR(height_of(world, b[1]), 0.5, 0.02);
  EXPECT_NEAR(height_of(world, b[3]), 1.5, 0.02);
  world.set_enabled(b[2], true);
  double fastest = 0;
  for (int i = 0; i < 200; ++i) {
    world.step();
    for (const BodyHandle body : b) fastest = std::max(fastest, speed(world, body));
  }
  // out of an overlap of a whole box, and no faster than it may: then they fall, 1 m and a little at most
  EXPECT_LT(fastest, 2 * static_cast<double>(world.params().max_depenetration_speed) + std::sqrt(2 * kG * 1.2));
  QualityMeter meter(tower(3));
  EXPECT_LT(meter.measure(world).max_penetration, 0.05);
  EXPECT_TRUE(sound(world));
}

TEST_P(EnabledBy, nothing_kicks_what_it_touched) {
  // three boxes that are pressed together as they meet, without gravity
  Scene scene = scene_of({box("a", {-1.05, 0, 0}), box("b", {0, 0, 0}), box("c", {1.05, 0, 0})});
  scene.set_gravity({0, 0, 0});
  World world = world_of(scene, GetParam(), cpu());
  const std::vector<BodyHandle> b = world.bodies();
  world.set_velocity(b[0], {1, 0, 0}, {});
  world.set_velocity(b[2], {-0.5f, 0.1f, 0}, {0, 0, 0.1f});
  for (int i = 0; i < 60 && world.contacts().size() < 2; ++i) world.step();
  ASSERT_EQ(world.contacts().size(), 2u);
  world.set_enabled(b[1], false);
  const BodyState first = world.state(b[0]), last = world.state(b[2]), middle = world.state(b[1]);
  run(world, 5);
  for (const auto& [body, was] : {std::pair{b[0], first}, std::pair{b[2], last}}) {
    const BodyState now = world.state(body);
    EXPECT_EQ(now.linear_velocity, was.linear_velocity);
    // w goes through I^1/2 and back in each step
    EXPECT_NEAR(length(now.angular_velocity), length(was.angular_velocity), 5 * 4 * 0x1p-23);
  }
  EXPECT_EQ(world.state(b[1]), middle);
}

TEST_P(EnabledBy, it_stays_to_the_bit_where_it_is_whatever_pushes_it) {
  Scene scene = scene_of({plane(), box("box", {0, 0, 3}), box("kinematic", {9, 0, 3}, BodyType::kKinematic)});
  Body spun = body("spun", Box{{0.1f, 0.2f, 0.7f}}, {4, 0, 3});
  spun.linear_velocity = {1, 2, 3};
  spun.angular_velocity = {3, 2, 1};
  scene.add_body(spun);
  scene.add_field({fields::Wind{.velocity = {5, 0, 0}, .linear = 10}, {}});
  World world = world_of(scene, GetParam(), cpu());
  const std::vector<BodyHandle> b = world.bodies();
  world.set_velocity(b[2], {1, 0, 0}, {0, 1, 0});
  run(world, 3);
  for (std::size_t i = 1; i < b.size(); ++i) world.set_enabled(b[i], false);
  const std::vector<BodyState> before = states(world);
  for (int i = 0; i < 100; ++i) {
    world.add_force(b[1], {1e4f, 0, 0});
    world.add_torque(b[3], {1e4f, 0, 0});
    world.step();
  }
  EXPECT_EQ(states(world), before);
  EXPECT_EQ(world.report().asleep, 0u);
  // and goes on with the velocity that it had
  world.set_enabled(b[2], true);
  world.step();
  EXPECT_NEAR(world.state(b[2]).position.x, before[2].position.x + static_cast<double>(world.params().dt), 1e-6);
}

TEST_P(EnabledBy, others_move_as_if_it_were_not_there) {
  const Scene without = tower(4);
  Scene with = tower(4);
  // in the way of the tower, and far away
  with.add_body(off(box("through it", {0.3, 0, 1.7})));
  with.add_body(off(body("wall", Box{{0.1f, 3, 3}}, {0.2, 0, 2}, BodyType::kStatic)));
  with.add_body(off(ball("far", {50, 0, 1})));
  with.add_body(off(plane("slope", {0.6f, 0, 0.8f}, 1)));
  // more than a world of one cell has
  for (int i = 0; i < 140; ++i) with.add_body(off(box("spare" + std::to_string(i), {0, 0, 0.03 * i})));
  World world = world_of(with, GetParam(), cpu()), alone = world_of(without, GetParam(), cpu());
  for (int i = 0; i < 100; ++i) {
    world.step();
    alone.step();
    const std::vector<BodyState> all = states(world), own = states(alone);
    ASSERT_TRUE(std::equal(own.begin(), own.end(), all.begin())) << "step " << i;
  }
  EXPECT_NE(world.state_hash(), alone.state_hash());
  EXPECT_EQ(world.report().manifolds, alone.report().manifolds);
}

TEST_P(EnabledBy, a_state_can_be_set_meanwhile) {
  World world = world_of(scene_of({plane(), off(box("box", {0, 0, 5}))}), GetParam(), cpu());
  const BodyHandle box = world.bodies()[1];
  run(world, 5);
  const BodyState to{{1, 2, 9}, {0, 0, 0, 1}, {0, 0, 1}, {}};
  world.set_state(box, to);
  run(world, 5);
  EXPECT_EQ(world.state(box), to);
  std::vector<BodyState> all = states(world);
  all[1].position.x = 3;
  world.write_states(all);
  world.step();
  EXPECT_EQ(states(world), all);
  world.set_enabled(box, true);
  run(world, 6);
  expect_free_fall(world, box, all[1], 6);
}

TEST(Enabled, what_sleeps_on_it_or_where_it_comes_wakes) {
  for (const Variant& variant : kVariants) {
    if (!variant.change({}).sleeping) continue;
    SCOPED_TRACE(variant.name);
    Scene scene = scene_of({plane(), box("table", {0, 0, 0.5}, BodyType::kStatic)});
    for (int i = 0; i < 2; ++i) scene.add_body(box("box" + std::to_string(i), {0, 0, 1.5 + i}));
    scene.add_body(box("far", {20, 0, 0.5}));
    scene.add_body(off(box("post", {20.6, 0, 0.5}, BodyType::kStatic)));
    World world = world_of(scene, variant, cpu());
    const std::vector<BodyHandle> b = world.bodies();
    for (int i = 0; i < 900 && world.report().asleep < 3; ++i) world.step();
    ASSERT_EQ(world.report().asleep, 3u);
    world.set_enabled(b[1], false);
    EXPECT_FALSE(world.asleep(b[2]));
    EXPECT_FALSE(world.asleep(b[3]));
    EXPECT_TRUE(world.asleep(b[4]));
    run(world, 10);
    EXPECT_LT(height_of(world, b[3]), 2.45);
    // a post that is put into what sleeps wakes and moves it
    world.set_enabled(b[5], true);
    run(world, 30);
    EXPECT_LT(world.state(b[4]).position.x, 19.99);
    // what sleeps is awake once it is off
    for (int i = 0; i < 900 && !world.asleep(b[2]); ++i) world.step();
    ASSERT_TRUE(world.asleep(b[2]));
    world.set_enabled(b[2], false);
    EXPECT_FALSE(world.asleep(b[2]));
    EXPECT_FALSE(world.asleep(b[3]));
    world.wake(b[2]);
    run(world, 5);
    EXPECT_FALSE(world.asleep(b[2]));
  }
}

TEST(Enabled, events_of_its_contacts_end) {
  WorldOptions options = cpu();
  options.contact_events = true;
  Scene scene = tower(2);
  Body gate = box("gate", {0, 0, 0.5}, BodyType::kStatic);
  gate.shapes[0].sensor = true;
  scene.add_body(gate);
  World world(scene, options);
  const std::vector<BodyHandle> b = world.bodies();
  run(world, 20);
  ASSERT_EQ(world.contact_events().persisting.size(), 4u);  // floor and box, box and box, and the gate sees both
  world.set_enabled(b[1], false);
  run(world, 1);
  ContactEvents events = world.contact_events();
  EXPECT_EQ(events.ended.size(), 3u);
  for (const EndedContact& e : events.ended) EXPECT_TRUE(e.a.body == b[1] || e.b.body == b[1]);
  EXPECT_EQ(events.persisting.size(), 1u);
  EXPECT_TRUE(events.begun.empty());
  run(world, 1);
  EXPECT_TRUE(world.contact_events().ended.empty());
  // a sensor that is off senses nothing
  world.set_enabled(b[3], false);
  run(world, 1);
  events = world.contact_events();
  ASSERT_EQ(events.ended.size(), 1u);
  EXPECT_TRUE(events.ended[0].sensor);
  world.set_enabled(b[3], true);
  run(world, 1);
  EXPECT_EQ(world.contact_events().begun.size(), 1u);
}

TEST(Enabled, no_query_finds_it) {
  for (const bool brute : {false, true}) {
    World world(scene_of({plane(), box("box", {0, 0, 3}), box("below", {0, 0, 1})}), cpu());
    world.queries().set_brute(brute);
    const std::vector<BodyHandle> b = world.bodies();
    const RayQuery ray{.origin = {0, 0, 9}};
    const ShapeQuery probe{.geometry = Sphere{0.2f}, .position = {0, 0, 3}},
        cast{.geometry = Sphere{0.2f}, .position = {0, 0, 9}};
    const auto first = [&] {
      return std::array{world.queries().cast_rays({&ray, 1})[0].body, world.queries().cast_shapes({&cast, 1})[0].body,
                        world.queries().closest({&probe, 1})[0].body};
    };
    const auto found = [&] {
      return std::array{
          world.queries().cast_rays_all({&ray, 1}).hits.size(), world.queries().cast_shapes_all({&cast, 1}).hits.size(),
          world.queries().closest_all({&probe, 1}).hits.size(), world.queries().overlaps({&probe, 1}).hits.size()};
    };
    EXPECT_EQ(first(), (std::array{b[1], b[1], b[1]}));
    EXPECT_EQ(found(), (std::array<std::size_t, 4>{3, 3, 3, 1}));
    world.set_enabled(b[1], false);
    EXPECT_EQ(first(), (std::array{b[2], b[2], b[2]}));
    EXPECT_EQ(found(), (std::array<std::size_t, 4>{2, 2, 2, 0}));
    world.set_enabled(b[2], false);
    EXPECT_EQ(first(), (std::array{b[0], b[0], b[0]}));
    world.set_enabled(b[0], false);
    EXPECT_EQ(found(), (std::array<std::size_t, 4>{0, 0, 0, 0}));
    for (const BodyHandle body : b) world.set_enabled(body, true);
    EXPECT_EQ(first(), (std::array{b[1], b[1], b[1]}));
  }
}

TEST(Enabled, planes_and_surfaces_go_and_come_back) {
  for (const bool by_plane : {true, false}) {
    Scene scene;
    if (by_plane) {
      scene.add_body(plane());
      scene.add_body(plane("other", {0, 0, 1}, -5));
    } else {
      scene = boxes_on_meshes();
    }
    scene.add_body(box("last", {0.2, 0.1, 1.499 + (by_plane ? -1 : 0)}));
    World world(scene, cpu());
    const std::vector<BodyHandle> b = world.bodies();
    run(world, 10);
    const double before = height_of(world, b.back());
    world.set_enabled(b[0], false);
    run(world, 12);
    EXPECT_LT(height_of(world, b.back()), before - 0.1);
    world.set_pose(b.back(), {0.2, 0.1, 0.55}, {});
    world.set_velocity(b.back(), {}, {});
    if (!by_plane) world.set_pose(b[1], {-1.5, 0.1, 0.55}, {});
    world.set_enabled(b[0], true);
    run(world, 60);
    EXPECT_NEAR(height_of(world, b.back()), 0.5, 0.02) << by_plane;
  }
}

TEST(Enabled, a_scene_may_start_with_it_off_and_a_file_says_so) {
  Scene scene = scene_of({plane(), box("box", {0, 0, 3}), off(box("pool", {0, 0, 3}))});
  const std::string text = scene_to_json(scene);
  EXPECT_NE(text.find("\"enabled\": false"), std::string::npos);
  EXPECT_EQ(parse_scene(text, "text").bodies()[2].enabled, false);
  EXPECT_EQ(parse_scene(text, "text").bodies()[1].enabled, true);
  World world(parse_scene(text, "text"), cpu());
  const std::vector<BodyHandle> b = world.bodies();
  EXPECT_FALSE(world.description(b[2]).enabled);
  run(world, 60);
  EXPECT_EQ(height_of(world, b[2]), 3);
  EXPECT_NEAR(height_of(world, b[1]), 0.5, 0.05);
  // one that is added may be off, too, and takes a slot that was another's
  world.remove_body(b[1]);
  const BodyHandle added = world.add_body(off(box("added", {0, 0, 7})));
  run(world, 5);
  EXPECT_EQ(height_of(world, added), 7);
  EXPECT_EQ(world.body_count(), 3u);
}

TEST(Enabled, a_reset_leaves_it_as_it_is_and_what_it_is_made_of) {
  const auto make = [](bool second) {
    Scene scene = scene_of({plane(), box("box", {0, 0, 3}), box("pool", {0, 0.5, 4.5})});
    Scene other = scene_of({plane(), box("box", {0, 0, 3}), off(box("pool", {0, 0.5, 4.5}))});
    return World(second ? other : scene, cpu());
  };
  World world = make(false), wanted = make(true);
  run(world, 50);
  world.set_enabled(world.bodies()[2], false);
  run(world, 10);
  world.reset();
  EXPECT_EQ(world.state_hash(), wanted.state_hash());
  run(world, 80);
  run(wanted, 80);
  EXPECT_EQ(world.state_hash(), wanted.state_hash());
}

TEST_P(EnabledBy, set_body_switches_it_too) {
  World one = world_of(tower(3), GetParam(), cpu()), other = world_of(tower(3), GetParam(), cpu());
  const std::vector<BodyHandle> b = one.bodies();
  for (const bool on : {false, true}) {
    run(one, 20);
    run(other, 20);
    one.set_enabled(b[2], on);
    Body description = other.description(b[2]);
    description.enabled = on;
    other.set_body(b[2], description);
    EXPECT_EQ(one.description(b[2]), other.description(b[2]));
    run(one, 20);
    run(other, 20);
    EXPECT_EQ(one.state_hash(), other.state_hash()) << on;
  }
}

TEST(Enabled, what_is_so_already_changes_nothing) {
  World world(tower(2, with_sleeping()), cpu());
  for (int i = 0; i < 900 && world.report().asleep == 0; ++i) world.step();
  ASSERT_TRUE(world.asleep(world.bodies()[1]));
  world.set_enabled(world.bodies()[1], true);
  EXPECT_TRUE(world.asleep(world.bodies()[1]));
}

TEST(Enabled, a_frozen_world_waits_with_it) {
  Scene scene = scene_of({plane(), box("box", {0, 0, 5}), box("fast", {9, 0, 5})});
  World world(scene, cpu());
  const std::vector<BodyHandle> b = world.bodies();
  world.set_limits({.speed = 10}, 0);
  world.set_velocity(b[2], {50, 0, 0}, {});
  world.step();
  ASSERT_NE(world.report(0).status, 0u);
  const double there = height_of(world, b[1]);
  world.set_enabled(b[1], false);
  world.set_enabled(b[2], false);
  run(world, 3);
  world.clear_status();
  run(world, 3);
  // what was too fast is off
  EXPECT_EQ(world.report(0).status, 0u);
  world.set_enabled(b[1], true);
  run(world, 3);
  EXPECT_LT(height_of(world, b[1]), there);
}

TEST(Enabled, figures_of_quality_leave_it_out) {
  const Scene scene = scene_of({plane(), box("box", {0, 0, 3}), box("in it", {0, 0.1, 3.2})});
  World world(scene, cpu());
  QualityMeter meter(scene);
  const Quality both = meter.measure(world);
  EXPECT_GT(both.max_penetration, 0.5);
  world.set_enabled(world.bodies()[2], false);
  run(world, 5);
  const Quality one = meter.measure(world);
  const double v = static_cast<double>(world.state(world.bodies()[1]).linear_velocity.z);
  EXPECT_EQ(one.overlaps, 0u);
  EXPECT_NEAR(one.kinetic_energy, 0.5 * 1000 * v * v, 1e-3);
  EXPECT_NEAR(one.potential_energy, 1000 * kG * height_of(world, world.bodies()[1]), 1e-2);
  Scene started = scene_of({plane(), box("box", {0, 0, 3}), off(box("in it", {0, 0.1, 3.2}))});
  EXPECT_EQ(QualityMeter(started).measure(states(World(started, cpu()))).overlaps, 0u);
}

}  // namespace
}  // namespace cairn::world_test
