// What began to touch, touches still and no longer does.

#include <map>

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::events_test {
namespace {

using namespace testing_support;

WorldOptions touching(int threads = 1) { return {.device = Device::cpu(threads), .contact_events = true}; }

Body sensor(Body body) {
  for (Shape& shape : body.shapes) shape.sensor = true;
  return body;
}

TEST(ContactEvents, of_a_bouncing_ball_begins_and_ends_in_the_steps_of_its_bounces) {
  // dropped from 1.05 m above the floor, it falls for sqrt(2.1 / 9.81) s = 27.76 steps, and as the bounce takes none of
  // its speed away, it is back after twice as long again
  Scene scene;
  scene.add_material({.name = "rubber", .restitution = 1});
  scene.add_body(plane());
  scene.add_body(ball("ball", {0, 0, 1.55}));
  World world(scene, touching());
  std::vector<int> begun, ended;
  for (int step = 1; step <= 100; ++step) {
    world.step();
    const ContactEvents events = world.contact_events();
    if (!events.begun.empty()) {
      begun.push_back(step);
      const ContactEvent& t = events.begun[0];
      EXPECT_EQ(t.a.body, world.bodies()[0]);
      EXPECT_EQ(t.b.body, world.bodies()[1]);
      EXPECT_EQ(t.normal, (Vec3{0, 0, 1}));
      EXPECT_FALSE(t.sensor);
      // the impulse turns the ball's speed of 4.54 m/s around: 2 m v, to the speed of a step's fall on either side
      const double mass = 1000 * 4.0 / 3 * 3.14159265358979 * 0.125;
      if (step < 40) {
        EXPECT_NEAR(t.impulse, 2 * mass * 4.5388, 2 * mass * 9.81 / 60);
      }
    }
    if (!events.ended.empty()) ended.push_back(step);
    EXPECT_LE(events.begun.size() + events.persisting.size() + events.ended.size(), 1u) << step;
  }
  ASSERT_EQ(begun.size(), 2u);
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(begun[0], 28);
  EXPECT_NEAR(begun[1], 84, 1);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(ended[static_cast<std::size_t>(i)] - begun[static_cast<std::size_t>(i)] <= 2);
}

TEST(ContactEvents, of_a_sensor_begins_and_ends_once_and_slows_nothing_by_a_bit) {
  World with(scene_of({sensor(box("gate", {0, 0, 5}, BodyType::kStatic)), ball("ball", {0, 0, 8}),
                       sensor(box("other gate", {0, 0, 5.2}, BodyType::kStatic))}),
             touching());
  World without(scene_of({box("far", {100, 0, 5}, BodyType::kStatic), ball("ball", {0, 0, 8})}), touching());
  int begun = 0, persisting = 0, ended = 0;
  for (int i = 0; i < 80; ++i) {
    const double before = with.state(with.bodies()[1]).position.z;
    with.step();
    without.step();
    const ContactEvents events = with.contact_events();
    begun += static_cast<int>(events.begun.size());
    persisting += static_cast<int>(events.persisting.size());
    ended += static_cast<int>(events.ended.size());
    // gates from 4.5 to 5.5 and from 4.7 to 5.7, a ball of radius 0.5, where it was at the step's start
    const std::size_t inside = (before > 4 && before <= 6 ? 1u : 0u) + (before > 4.2 && before <= 6.2 ? 1u : 0u);
    EXPECT_EQ(events.begun.size() + events.persisting.size(), inside) << i;
    for (const ContactEvent& t : events.begun) EXPECT_TRUE(t.sensor && t.impulse == 0);
    EXPECT_EQ(with.state(with.bodies()[1]), without.state(without.bodies()[1])) << i;
  }
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(ended, 2);
  EXPECT_GT(persisting, 10);
  EXPECT_TRUE(with.contacts().empty());
}

TEST(ContactEvents, of_sensors_is_with_what_moves_and_with_no_other_sensor) {
  World world(afloat({sensor(box("gate", {}, BodyType::kStatic)), box("mover", {}, BodyType::kKinematic),
                      box("wall", {}, BodyType::kStatic), sensor(box("field", {0.1, 0, 0}, BodyType::kKinematic)),
                      sensor(plane("half"))}),
              touching());
  world.step();
  const ContactEvents events = world.contact_events();
  ASSERT_EQ(events.begun.size(), 3u);
  const BodyHandle mover = world.bodies()[1];
  for (const ContactEvent& t : events.begun) EXPECT_TRUE(t.a.body == mover || t.b.body == mover);
  // filters hold for sensors
  world.set_filter(world.bodies()[1], {.mask = 0});
  world.step();
  EXPECT_EQ(world.contact_events().ended.size(), 3u);
}

TEST(ContactEvents, of_a_sleeping_stack_persists_and_sensors_wake_nobody) {
  Scene scene = tower(3, with_sleeping());
  scene.add_body(sensor(box("field", {0.3, 0, 1}, BodyType::kKinematic)));
  World world(scene, touching());
  run(world, 120);
  ASSERT_EQ(world.report().asleep, 3u);
  BodyState state = world.state(world.bodies()[4]);
  state.linear_velocity = {0, 0, 0.1f};
  world.set_state(world.bodies()[4], state);
  for (int i = 0; i < 20; ++i) {
    world.step();
    EXPECT_EQ(world.report().asleep, 3u);
    EXPECT_GE(world.contact_events().persisting.size(), 5u);
  }
}

using Key = std::array<std::uint32_t, 6>;
Key key_of(const ContactShape& a, const ContactShape& b) {
  return {a.body.index, a.body.generation, a.shape, b.body.index, b.body.generation, b.shape};
}

TEST(ContactEvents, is_what_the_contacts_say_and_each_beginning_has_an_end) {
  World world(scenes::make("rain:count=120,kinds=3", 3), touching(2));
  std::map<Key, int> now;
  for (int step = 0; step < 150; ++step) {
    world.step();
    const ContactEvents events = world.contact_events();
    for (const ContactEvent& t : events.begun) EXPECT_EQ(now[key_of(t.a, t.b)]++, 0);
    for (const ContactEvent& t : events.persisting) EXPECT_EQ(now[key_of(t.a, t.b)], 1);
    for (const EndedContact& t : events.ended) EXPECT_EQ(now[key_of(t.a, t.b)]--, 1);
    std::erase_if(now, [](const auto& entry) { return entry.second == 0; });
    EXPECT_EQ(now.size(), events.begun.size() + events.persisting.size());
    std::size_t contacts = 0;
    for (const Contact& c : world.contacts()) {
      bool touches = false;
      for (std::size_t j = 0; j < static_cast<std::size_t>(c.count); ++j)
        touches = touches || c.points[j].impulse > 0 || c.points[j].separation <= 0;
      contacts += touches ? 1 : 0;
    }
    EXPECT_EQ(now.size(), contacts) << step;
  }
  EXPECT_GT(now.size(), 100u);
}

TEST(ContactEvents, ends_when_a_body_is_removed_even_if_another_takes_its_place) {
  World world(tower(2), touching());
  run(world, 10);
  const BodyHandle lower = world.bodies()[1];
  world.remove_body(lower);
  const BodyHandle again = world.add_body(box("again", {0, 0, 0.5}));
  ASSERT_EQ(again.index, lower.index);
  world.step();
  const ContactEvents events = world.contact_events();
  ASSERT_EQ(events.ended.size(), 2u);
  EXPECT_EQ(events.ended[0].b.body, lower);
  EXPECT_EQ(events.ended[1].a.body, lower);
  ASSERT_EQ(events.begun.size(), 2u);
  EXPECT_EQ(events.begun[0].b.body, again);
  world.remove_body(again);
  world.remove_body(world.bodies()[1]);
  world.step();
  EXPECT_EQ(world.contact_events().ended.size(), 2u);
  world.step();
  EXPECT_EQ(world.contact_events(), ContactEvents{});
}

TEST(ContactEvents, ends_where_a_body_was_moved_away_and_not_where_it_still_touches) {
  World world(tower(2), touching());
  run(world, 10);
  BodyState state = world.state(world.bodies()[2]);
  world.set_state(world.bodies()[2], state);
  world.step();
  EXPECT_EQ(world.contact_events().persisting.size(), 2u);
  state.position.x += 10;
  world.set_state(world.bodies()[2], state);
  world.step();
  EXPECT_EQ(world.contact_events().persisting.size(), 1u);
  EXPECT_EQ(world.contact_events().ended.size(), 1u);
}

TEST(ContactEvents, is_forgotten_by_the_worlds_that_are_reset_alone) {
  World world = World::copies(tower(2), 2, touching());
  run(world, 10);
  const ContactEvents before = world.contact_events(1);
  world.reset(0);
  EXPECT_EQ(world.contact_events(0), ContactEvents{});
  EXPECT_EQ(world.contact_events(1), before);
  world.step();
  EXPECT_TRUE(world.contact_events(0).ended.empty());
  EXPECT_EQ(world.contact_events(0).begun.size(), 2u);
  EXPECT_EQ(world.contact_events(1).persisting.size(), 2u);
}

TEST(ContactEvents, is_the_same_with_captured_tables) {
  const Scene rain = scenes::make("rain:count=60", 5);
  World alone(rain, touching());
  World graph(rain, {.device = Device::cpu(1), .contact_events = true, .capturable = true});
  for (int step = 0; step < 90; ++step) {
    for (World* world : {&alone, &graph}) world->step();
    EXPECT_EQ(alone.contact_events(), graph.contact_events()) << step;
  }
}

TEST(ContactEvents, goes_on_from_a_snapshot) {
  const Scene rain = scenes::make("rain:count=60", 5);
  World world(rain, touching());
  World other = World::copies(rain, 2, touching(2));
  run(world, 55);
  run(other, 57);
  world.remove_body(world.bodies()[20]);
  const Snapshot saved = Snapshot::from_bytes(world.snapshot().to_bytes(), "test");
  World again(saved, touching());
  EXPECT_EQ(again.contact_events(), ContactEvents{});
  const ContactEvents untouched = other.contact_events(0);
  other.restore(saved, 0, 1);
  EXPECT_EQ(other.contact_events(0), untouched);
  EXPECT_EQ(other.contact_events(1), ContactEvents{});
  for (int i = 0; i < 20; ++i) {
    world.step();
    again.step();
    other.step();
    EXPECT_EQ(world.contact_events(), again.contact_events()) << i;
    const ContactEvents a = world.contact_events(), b = other.contact_events(1);
    EXPECT_EQ(a.begun.size(), b.begun.size()) << i;
    EXPECT_EQ(a.persisting.size(), b.persisting.size()) << i;
    EXPECT_EQ(a.ended.size(), b.ended.size()) << i;
  }
  EXPECT_EQ(again.snapshot().to_bytes(), world.snapshot().to_bytes());
}

TEST(ContactEvents, costs_no_bit_of_the_state_and_is_refused_where_it_is_not_kept) {
  const Scene rain = scenes::make("rain:count=60", 5);
  World with(rain, touching()), without(rain, cpu());
  run(with, 60);
  run(without, 60);
  EXPECT_EQ(with.state_hash(), without.state_hash());
  EXPECT_TRUE(refused(without, [&] { without.contact_events(); }, {"WorldOptions::contact_events"}));
}

TEST(ContactEvents, is_in_arrays_and_in_c) {
  World world(tower(2), touching());
  world.step();
  EXPECT_EQ(*static_cast<const std::uint32_t*>(world.arrays().get("event_count").data), 2u);
  EXPECT_EQ(static_cast<const std::uint32_t*>(world.arrays().get("event_flags").data)[1], 1u);
  EXPECT_EQ(static_cast<const std::uint32_t*>(world.arrays().get("event_body_b").data)[1], 2u);
  EXPECT_EQ(*static_cast<const std::uint32_t*>(world.arrays().get("ended_count").data), 0u);
}

}  // namespace
}  // namespace cairn::events_test
