// Seeds, scales and what worlds draw are the same by both interfaces.

#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

TEST(CApi, scaled_and_drawn_worlds_go_on_with_the_same_bits) {
  const Scene scene = worlds_of_all_kinds()[1];
  World cpp = World::copies(scene, 3, cpu());
  Fixture c(scene, 3);
  cpp.scales().set_seed(0x123456789abcdefULL, 1);
  ASSERT_EQ(cairn_world_set_seed(c.world, 1, 0x123456789abcdefULL), CAIRN_OK);
  EXPECT_EQ(value_of(cairn_world_seed, c.world, 1), 0x123456789abcdefULL);
  EXPECT_EQ(value_of(cairn_world_seed, c.world, 2), 0u);

  const Scales wanted{.size = 1.5f, .mass = 2, .friction = 0.5f, .restitution = 0.25f};
  cpp.scales().set(wanted, 2);
  cairn_scales scales = init(cairn_scales_init), got = init(cairn_scales_init);
  EXPECT_EQ((Scales{scales.size, scales.mass, scales.friction, scales.restitution}), Scales{});
  copy_members(scales, wanted);
  ASSERT_EQ(cairn_world_set_scales(c.world, 2, &scales), CAIRN_OK);
  ASSERT_EQ(cairn_world_scales(c.world, 2, &got), CAIRN_OK);
  EXPECT_EQ(std::memcmp(&got, &scales, sizeof got), 0);

  const BodyHandle body = cpp.bodies(2)[3];
  cpp.scales().set(BodyScales{.size = 0.75f, .mass = 3}, body);
  cairn_body_scales own = init(cairn_body_scales_init), read = init(cairn_body_scales_init);
  EXPECT_EQ((BodyScales{own.size, own.mass}), BodyScales{});
  own.size = 0.75f;
  own.mass = 3;
  ASSERT_EQ(cairn_body_set_scales(c.world, {body.index, body.generation}, &own), CAIRN_OK) << cairn_last_error();
  ASSERT_EQ(cairn_body_get_scales(c.world, {body.index, body.generation}, &read), CAIRN_OK);
  EXPECT_EQ(std::memcmp(&read, &own, sizeof read), 0);

  // no two ranges alike, so that none can stand for another
  cpp.scales().randomise(std::vector<std::uint8_t>{1, 1, 0}, {.size = {0.9f, 0.95f},
                                                              .mass = {1.1f, 1.2f},
                                                              .friction = {0.3f, 0.4f},
                                                              .restitution = {0.1f, 0.2f},
                                                              .body_size = {0.8f, 0.85f},
                                                              .body_mass = {1.5f, 1.6f},
                                                              .position = {0.01f, 0.02f, 0.03f},
                                                              .linear_velocity = {0.1f, 0.2f, 0.3f},
                                                              .angular_velocity = {0.4f, 0.5f, 0.6f}});
  const cairn_randomisation ranges{.struct_size = sizeof(cairn_randomisation),
                                   .size = {0.9f, 0.95f},
                                   .mass = {1.1f, 1.2f},
                                   .friction = {0.3f, 0.4f},
                                   .restitution = {0.1f, 0.2f},
                                   .body_size = {0.8f, 0.85f},
                                   .body_mass = {1.5f, 1.6f},
                                   .position = {0.01f, 0.02f, 0.03f},
                                   .linear_velocity = {0.1f, 0.2f, 0.3f},
                                   .angular_velocity = {0.4f, 0.5f, 0.6f},
                                   .body_inertia = {1, 1}};
  // programs that were compiled before it was there
  static_assert(offsetof(cairn_randomisation, position) == 52 && offsetof(cairn_randomisation, body_inertia) == 88);
  const std::uint8_t mask[3] = {1, 1, 0};
  ASSERT_EQ(cairn_world_randomise(c.world, mask, 3, &ranges), CAIRN_OK) << cairn_last_error();
  for (std::uint32_t w = 0; w < 3; ++w) {
    ASSERT_EQ(cairn_world_scales(c.world, w, &got), CAIRN_OK);
    EXPECT_EQ((Scales{got.size, got.mass, got.friction, got.restitution}), cpp.scales().get(w)) << w;
  }
  EXPECT_TRUE(c.goes_on_as(cpp, 60));

  // the defaults draw what changes nothing
  const auto none = init(cairn_randomisation_init);
  ASSERT_EQ(cairn_world_reset(c.world, CAIRN_ALL_WORLDS), CAIRN_OK);
  ASSERT_EQ(cairn_world_randomise(c.world, mask, 3, &none), CAIRN_OK);
  ASSERT_EQ(cairn_world_scales(c.world, 0, &got), CAIRN_OK);
  EXPECT_EQ((Scales{got.size, got.mass, got.friction, got.restitution}), Scales{});
}

TEST(CApi, random_numbers_and_origins_are_those_of_the_cpp_interface) {
  float numbers[4] = {};
  ASSERT_EQ(cairn_random_uniforms(11, 2, CAIRN_RANDOM_USER + 1, 5, numbers), CAIRN_OK);
  EXPECT_EQ((std::array{numbers[0], numbers[1], numbers[2], numbers[3]}),
            random_uniforms(11, 2, static_cast<RandomStream>(17), 5));
  Fixture c(tower(2));
  const double place[3] = {1, 2, 3};
  double got[3] = {9, 9, 9};
  ASSERT_EQ(cairn_world_set_origin(c.world, 1, place), CAIRN_OK);
  ASSERT_EQ(cairn_world_origin(c.world, 1, got), CAIRN_OK);
  EXPECT_EQ(std::memcmp(got, place, sizeof got), 0);
  ASSERT_EQ(cairn_world_origin(c.world, 0, got), CAIRN_OK);
  EXPECT_EQ(got[1], 0);
}

TEST(CApi, draws_that_can_not_be_are_refused) {
  Fixture c(tower(2));
  const std::uint64_t before = c.hash();
  const std::uint8_t mask[2] = {1, 1};
  auto ranges = init(cairn_randomisation_init);
  EXPECT_TRUE(fails(cairn_world_randomise(c.world, mask, 1, &ranges), "1"));
  ranges.mass[0] = 2;
  EXPECT_TRUE(fails(cairn_world_randomise(c.world, mask, 2, &ranges), "mass"));
  auto scales = init(cairn_scales_init);
  scales.size = 0;
  EXPECT_TRUE(fails(cairn_world_set_scales(c.world, 0, &scales), "size"));
  auto own = init(cairn_body_scales_init);
  EXPECT_TRUE(fails(cairn_body_set_scales(c.world, c.bodies()[0], &own), "floor"));
  EXPECT_TRUE(fails(cairn_world_set_seed(c.world, 2, 1), "world 2"));
  EXPECT_TRUE(fails(cairn_world_origin(c.world, 2, nullptr), "origin must not be null"));
  EXPECT_EQ(c.hash(), before);
}

}  // namespace
}  // namespace cairn::c_api_test
