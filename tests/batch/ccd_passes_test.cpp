// `ccd` looks again at what bodies that were stopped are in the way of. Whether it does is a world's own affair: for
// what was kicked beyond its box it did so only where something had been stopped in any world of the batch.

#include <gtest/gtest.h>

#include "tests/batch/alone.h"

namespace cairn::batch_test {
namespace {

using namespace testing_support;

StepParams pushed_out_at_once() {
  return {.solver = SolverKind::kXpbd, .substeps = 1, .max_depenetration_speed = 1000};
}

/// A ball deep in a block, which throws it out in one step, beyond its box; and another that passes through the block
/// and comes down on where the first one stays.
Scene kicked() {
  Scene scene;
  scene.set_params(pushed_out_at_once());
  scene.set_gravity({0, 0, 0});
  Body block = body("block", Box{{1, 2, 2}}, {-0.6, 0, 0}, BodyType::kStatic);
  block.shapes[0].filter = {.category = 2};
  Body falling = ball("falling", {0, 0, 0.3}, 0.05f);
  falling.shapes[0].filter = {.mask = 1};
  falling.linear_velocity = {0, 0, -30};
  scene.add_body(block);
  scene.add_body(ball("kicked", {0, 0, 0}, 0.05f));
  scene.add_body(falling);
  return scene;
}

/// A ball that flies at a wall.
Scene stopped() {
  Scene scene;
  scene.set_params(pushed_out_at_once());
  scene.add_body(body("wall", Box{{1, 1, 0.01f}}, {0, 0, 0}, BodyType::kStatic));
  Body bullet = ball("bullet", {0, 0, 0.5}, 0.05f);
  bullet.linear_velocity = {0, 0, -60};
  scene.add_body(bullet);
  return scene;
}

TEST(CcdPasses, of_a_world_are_the_same_beside_a_world_that_stops_something) {
  expect_as_alone({kicked(), stopped()}, 1);
}

// What gets so far that its way has no length as a float breaks its world. Alone, nobody looks for where it ends.
TEST(CcdPasses, leave_what_breaks_its_world_to_break_it_beside_a_world_that_stops_something) {
  Scene flung;
  flung.set_params(pushed_out_at_once());
  flung.add_body(ball("ball", {0, 0, 0}, 0.05f));
  const std::vector<Scene> scenes{flung, stopped()};
  World both(scenes, cpu(1)), alone(flung, cpu(1));
  for (World* world : {&both, &alone}) {
    world->add_force(world->bodies(0)[0], {1e25f, 0, 0});
    world->step();
  }
  EXPECT_NE(alone.report(0).status, 0u);
  EXPECT_EQ(both.report(0).status, alone.report(0).status);
}

}  // namespace
}  // namespace cairn::batch_test
