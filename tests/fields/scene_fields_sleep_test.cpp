// Fields of scenes and sleep; steps that are taken twice, or not at all.

#include <cmath>

#include "tests/fields/bodies.h"

namespace cairn::fields_test {
namespace {

using namespace testing_support;

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
    // the force that counts is that of the next step, at rest
    if (!was && gusty.asleep(box)) fell = (step + 1) / 60.0;
    if (was && !gusty.asleep(box)) woke = step;
  }
  ASSERT_GT(woke, 0);
  // the force at a step is that of its start
  const auto gust = [&](double t) { return 3 * wakes_at * std::sin(0.2 * t); };
  EXPECT_GE(std::abs(gust(woke / 60.0) - gust(fell)), wakes_at * (1 - 1e-5));
  EXPECT_LT(std::abs(gust((woke - 1) / 60.0) - gust(fell)), wakes_at * (1 + 1e-5));
}

/// A World in which the box sleeps, and one whose next step wakes it.
struct Woken {
  Snapshot asleep, before;
};
Woken woken() {
  World world(in_gusts(3 * 20, 0.2), cpu());
  while (world.report().asleep == 0) world.step();
  const Snapshot asleep = world.snapshot();
  Woken made{asleep, asleep};
  while (world.report().asleep != 0) {
    made.before = world.snapshot();
    world.step();
  }
  return made;
}

/// Two balls that meet.
void add_two(World& to) {
  to.add_body(ball("one", {20, 0, 5}));
  to.add_body(ball("two", {20.5, 0, 5}));
}

// A step that wakes and then finds no room leaves all as it was: where there is room, it wakes again.
TEST(SceneFields, wake_again_where_the_step_that_woke_was_not_taken) {
  const Snapshot before = woken().before;
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

// And what it woke is forgotten where another state is restored.
TEST(SceneFields, wake_nothing_after_a_step_that_was_not_taken) {
  const auto [early, before] = woken();
  World failed(before, cpu(1, {.pairs = 1, .on_overflow = OnOverflow::kError})), again(early, cpu());
  add_two(failed);
  EXPECT_THROW(failed.step(), CapacityError);
  failed.restore(early);
  for (int i = 0; i < 3; ++i) {
    failed.step();
    again.step();
    EXPECT_EQ(failed.report().asleep, 1u);
    EXPECT_EQ(failed.state_hash(), again.state_hash());
  }
}

// Falling asleep stops what creeps, and so changes its drag: that is no change of the field.
TEST(SceneFields, let_sleep_what_crept_with_the_air) {
  Scene scene;
  scene.set_params(with_sleeping());
  scene.add_material({.name = "ice", .friction = 0});
  scene.add_body(plane());
  scene.add_body(moving(box("box", {0, 0, 0.5}), {0.005f, 0, 0}));
  // at rest 150 N, of which 20 would wake it
  scene.add_field({fields::Wind{.velocity = {0.005, 0, 0}, .linear = 30 * 1000}, {}});
  World world(scene, cpu());
  while (world.report().asleep == 0 && world.report().steps < 300) world.step();
  ASSERT_EQ(world.report().asleep, 1u);
  for (int i = 0; i < 60; ++i) {
    world.step();
    ASSERT_EQ(world.report().asleep, 1u) << i;
  }
  EXPECT_NEAR(double{field_forces(world)[1].x}, 150, 1e-3);
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

}  // namespace
}  // namespace cairn::fields_test
