// Who may touch whom: filters of shapes, and bodies that ignore each other.

#include "tests/support/builders.h"
#include "tests/support/refusal.h"

namespace cairn::filter_test {
namespace {

using namespace testing_support;

Body filtered(Body body, Filter filter) {
  for (Shape& shape : body.shapes) shape.filter = filter;
  return body;
}

/// True if the ball that is dropped on the floor stays on it.
bool stays(Filter ball_filter, Filter floor_filter) {
  World world(scene_of({filtered(box("floor", {0, 0, -0.5}, BodyType::kStatic), floor_filter),
                        filtered(ball("ball", {0, 0, 0.5}), ball_filter)}),
              cpu());
  run(world, 30);
  return world.state(world.bodies()[1]).position.z > 0.4;
}

TEST(Filter, category_and_mask_must_agree_both_ways) {
  EXPECT_TRUE(stays({}, {}));
  EXPECT_TRUE(stays({.category = 2, .mask = 4}, {.category = 4, .mask = 2}));
  EXPECT_FALSE(stays({.category = 2, .mask = 4}, {.category = 4, .mask = 1}));
  EXPECT_FALSE(stays({.category = 2, .mask = 1}, {.category = 4, .mask = 2}));
  EXPECT_FALSE(stays({.category = 0}, {}));
}

TEST(Filter, one_group_decides_by_its_sign_and_two_groups_do_not) {
  EXPECT_TRUE(stays({.category = 2, .mask = 0, .group = 3}, {.group = 3}));
  EXPECT_FALSE(stays({.group = -3}, {.group = -3}));
  EXPECT_TRUE(stays({.group = -3}, {.group = -4}));
  EXPECT_FALSE(stays({.mask = 0, .group = 3}, {.group = 4}));
}

TEST(Filter, planes_are_filtered_too) {
  World world(scene_of({filtered(plane(), {.category = 2}), filtered(ball("through", {0, 0, 0.5}), {.mask = 1}),
                        filtered(ball("on", {3, 0, 0.5}), {.mask = 2})}),
              cpu());
  run(world, 30);
  EXPECT_LT(world.state(world.bodies()[1]).position.z, 0.0);
  EXPECT_GT(world.state(world.bodies()[2]).position.z, 0.4);
}

TEST(Filter, shapes_of_one_body_may_have_different_filters) {
  // a dumbbell of which one ball passes the floor: it tips over
  Body dumbbell = ball("dumbbell", {0, 0, 0.5});
  dumbbell.shapes = {testing_support::shape(Sphere{0.5f}, {-1, 0, 0}), testing_support::shape(Sphere{0.5f}, {1, 0, 0})};
  dumbbell.shapes[1].filter.mask = 2;
  World world(scene_of({plane(), dumbbell}), cpu());
  run(world, 20);
  EXPECT_GT(world.state(world.bodies()[1]).orientation.y, 0.05f);
}

TEST(Filter, what_others_filter_changes_no_bit) {
  // bodies that are filtered far away turn the tests on; the tower doesn't notice
  const Scene plain = tower(5);
  Scene with = tower(5);
  with.add_body(filtered(ball("far", {100, 0, 50}), {.category = 2, .mask = 6, .group = -1}));
  with.add_body(ball("farther", {200, 0, 50}));
  with.ignore(6, 7);
  World a(plain, cpu()), b(with, cpu());
  run(a, 60);
  run(b, 60);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(a.state(a.bodies()[i]), b.state(b.bodies()[i])) << i;
}

TEST(Filter, can_be_changed_and_what_lay_there_falls) {
  World world(tower(2, with_sleeping()), cpu());
  run(world, 120);
  const auto bodies = world.bodies();
  ASSERT_TRUE(world.asleep(bodies[1]));
  world.set_filter(bodies[1], {.mask = 0});
  run(world, 40);
  EXPECT_LT(world.state(bodies[1]).position.z, -0.5);
  EXPECT_EQ(world.description(bodies[1]).shapes[0].filter.mask, 0u);
}

TEST(Ignore, bodies_pass_each_other_until_they_no_longer_do) {
  World world(tower(2, with_sleeping()), cpu());
  run(world, 120);
  const auto bodies = world.bodies();
  ASSERT_TRUE(world.asleep(bodies[2]));
  world.ignore(bodies[2], bodies[1]);
  EXPECT_TRUE(world.ignored(bodies[1], bodies[2]));
  run(world, 60);
  // the upper box has fallen into the lower one, onto the floor
  EXPECT_NEAR(world.state(bodies[2]).position.z, 0.5, 0.02);
  EXPECT_NEAR(world.state(bodies[1]).position.z, 0.5, 0.02);
  world.ignore(bodies[1], bodies[2], false);
  EXPECT_FALSE(world.ignored(bodies[1], bodies[2]));
  world.step();
  EXPECT_FALSE(world.contacts().empty());
  run(world, 120);
  const Vec3d apart = world.state(bodies[1]).position - world.state(bodies[2]).position;
  EXPECT_GT(length(apart), 0.95);
}

TEST(Ignore, ends_when_a_body_is_removed) {
  Scene scene = tower(2);
  scene.ignore(1, 2);
  World world(scene, cpu());
  const BodyHandle lower = world.bodies()[1], upper = world.bodies()[2];
  world.remove_body(lower);
  const BodyHandle again = world.add_body(box("again", {0, 0, 0.5}));
  EXPECT_EQ(again.index, lower.index);
  EXPECT_FALSE(world.ignored(again, upper));
  run(world, 60);
  EXPECT_NEAR(world.state(upper).position.z, 1.5, 0.02);
}

TEST(Ignore, survives_changes_of_the_body) {
  Scene scene = tower(2);
  scene.ignore(1, 2);
  World world(scene, cpu());
  world.set_mass(world.bodies()[2], 10);
  world.set_type(world.bodies()[1], BodyType::kStatic);
  run(world, 60);
  EXPECT_NEAR(world.state(world.bodies()[2]).position.z, 0.5, 0.02);
}

TEST(Ignore, refuses_what_makes_no_sense) {
  Scene scene = tower(2);
  EXPECT_THROW(scene.ignore(1, 1), InvalidArgument);
  EXPECT_THROW(scene.ignore(1, 3), InvalidArgument);
  World world = World::copies(scene, 2, cpu());
  const auto bodies = world.bodies();
  EXPECT_TRUE(refused(world, [&] { world.ignore(bodies[1], bodies[1]); }, {"itself", "box0"}));
  EXPECT_TRUE(refused(world, [&] { world.ignore(bodies[1], bodies[4]); }, {"different worlds"}));
  world.remove_body(bodies[1]);
  EXPECT_TRUE(refused(world, [&] { world.ignore(bodies[1], bodies[2]); }, {"stale"}));
}

TEST(Filter, is_refused_in_scene_files_by_its_place) {
  const auto error = [](const std::string& text) {
    return refusal_of<SceneFileError>([&] { parse_scene(text, "f"); });
  };
  const std::string body = R"("type":"static","shapes":[{"sphere":{"radius":1}}]})";
  const std::string two = R"({"cairn":1,"bodies":[{"name":"a",)" + body + R"(,{"name":"b",)" + body + "]";
  EXPECT_EQ(error(two + R"(,"ignore":[["a","c"]]})"), "f: /ignore/0/1: no body is named \"c\"");
  EXPECT_EQ(error(two + R"(,"ignore":[["a"]]})"), "f: /ignore/0: must be two names of bodies, has 1");
  EXPECT_EQ(error(two + R"(,"ignore":[["a","a"]]})"), "f: /ignore/0: must be two bodies, is one: \"a\"");
  EXPECT_EQ(error(two + R"(,"ignore":[["a","b"],["b","a"]]})"), "");
  EXPECT_EQ(error(R"({"cairn":1,"bodies":[{"name":"a","type":"static","shapes":[{"sphere":{"radius":1},
                     "filter":{"mask":4294967296}}]}]})"),
            "f: /bodies/0/shapes/0/filter/mask: must be a whole number from 0 to 4294967295, is \"4294967296\"");
}

TEST(Filter, sensors_push_nothing_and_weigh_nothing) {
  Body with = ball("ball", {0, 0, 5});
  with.shapes.push_back(testing_support::shape(Sphere{2}, {0.5f, 0, 0}));
  with.shapes[1].sensor = true;
  Body gate = box("gate", {0, 0, 3}, BodyType::kStatic);
  gate.shapes[0].sensor = true;
  World world(scene_of({plane(), ball("plain", {5, 0, 5}), gate, with}), cpu());
  for (int i = 0; i < 60; ++i) {
    world.step();
    const double seen = world.state(world.bodies()[3]).position.z, plain = world.state(world.bodies()[1]).position.z;
    if (plain > 0.6) {
      EXPECT_EQ(seen, plain) << i;
    }
  }
  EXPECT_THROW(scene_of({[] {
                 Body only = ball("only", {});
                 only.shapes[0].sensor = true;
                 return only;
               }()}),
               InvalidArgument);
}

}  // namespace
}  // namespace cairn::filter_test
