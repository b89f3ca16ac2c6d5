// Where a surface of one world moves, friction of all worlds asks for it. Those without belts keep their bits.

#include <array>

#include <gtest/gtest.h>

#include "kernels/solve/row_friction.h"
#include "tests/batch/alone.h"
#include "tests/hertz/hertz_scenes.h"
#include "tests/support/variants.h"

namespace cairn::batch_test {
namespace {

using namespace testing_support;

TEST(BeltRows, of_surfaces_that_stand_still_change_no_bit_of_any_number) {
  kernels::RowBlock row{};
  row.belt[0][0] = row.belt[1][0] = kernels::kNoBelt;
  for (const float number : {0.0f, -0.0f, 1e-40f, -1e-40f, 3.0f, -1e30f}) {
    for (const float time : {1.0f, 1e-3f, 1e-30f}) {
      const auto v = kernels::with_belt(row, 0, kernels::Along<float>{number, -number}, time);
      EXPECT_EQ(kernels::bits_of(v.x), kernels::bits_of(number)) << number;
      EXPECT_EQ(kernels::bits_of(v.y), kernels::bits_of(-number)) << number;
    }
  }
}

/// Boxes that slide, stand and fall, with a belt below or without.
Scene boxes(const StepParams& params, Vec3 belt) {
  Scene scene;
  scene.set_params(params);
  scene.add_material({.name = "stuff", .density = 800, .friction = 0.5f});
  scene.add_material({.name = "belt", .density = 800, .friction = 0.5f, .surface_velocity = belt});
  Body floor = plane("floor", {0.1f, 0, 1});
  floor.shapes[0].material = 1;
  scene.add_body(floor);
  for (int i = 0; i < 6; ++i) {
    Body one =
        i == 4 ? ball("body4", {1.4, 0, 2}) : box("body" + std::to_string(i), {0.7 * (i % 3), 0, 0.6 + i / 3 * 1.1});
    one.linear_velocity = {0.5f * static_cast<float>(i), 0, 0};
    scene.add_body(one);
  }
  return scene;
}

TEST(BeltRows, of_neighbours_leave_a_world_as_it_is_alone) {
  for (const Variant& variant : solvers_of(boxes({}, {}))) {
    SCOPED_TRACE(variant.name);
    const StepParams params = variant.change({});
    const auto hashes = expect_as_alone({boxes(params, {}), boxes(params, {1, -1, 0})}, 60, cpu(2));
    EXPECT_NE(hashes[0], hashes[1]);
  }
}

TEST(BeltRows, of_grains_leave_others_as_they_are_alone) {
  const StepParams params = hertz_test::elastic(2e-5, 25);
  const Scene plain = hertz_test::heap(params);
  const std::array scenes{plain, plain};
  World both(scenes, cpu(2)), alone(plain, cpu(1));
  Material material = plain.materials()[0];
  material.surface_velocity = {0.3f, 0.2f, 0};
  both.set_material(0, material, 1);
  for (int step = 1; step <= hertz_test::kHeapSteps; ++step) {
    both.step();
    alone.step();
    ASSERT_EQ(both.state_hashes()[0], alone.state_hashes()[0]) << step;
  }
  EXPECT_NE(both.state_hashes()[1], both.state_hashes()[0]);
}

// A belt that stops leaves the same bits as one that never ran from then on.
TEST(BeltRows, a_belt_that_was_never_switched_on_is_none) {
  for (const Variant& variant : solvers_of(boxes({}, {}))) {
    Scene scene = boxes(variant.change({}), {});
    World plain(scene, cpu(1)), minus(boxes(variant.change({}), {-0.0f, 0, -0.0f}), cpu(1));
    run(plain, 30);
    run(minus, 30);
    for (std::uint32_t i = 0; i < plain.body_count(); ++i)
      EXPECT_EQ(states(plain)[i].position, states(minus)[i].position) << variant.name;
  }
}

}  // namespace
}  // namespace cairn::batch_test
