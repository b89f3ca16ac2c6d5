// The C interface tells what is wrong, and lets no exception through.

#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

TEST(CApi, what_fails_says_why_and_leaves_everything_as_it_was) {
  Fixture c(tower(3));
  const std::uint64_t before = c.hash();
  cairn_world* none = nullptr;
  auto options = init(cairn_world_options_init);
  EXPECT_TRUE(fails(cairn_world_step(nullptr, 1), "world must not be null"));
  EXPECT_TRUE(fails(cairn_world_create_copies(c.scene, 0, nullptr, &none), "65535"));
  options.device = "abacus";
  EXPECT_TRUE(fails(cairn_world_create_copies(c.scene, 1, &options, &none), "abacus", CAIRN_DEVICE));
  options = init(cairn_world_options_init);
  options.stream = &options;
  EXPECT_TRUE(fails(cairn_world_create_copies(c.scene, 1, &options, &none), "stream"));
  EXPECT_EQ(none, nullptr);
  cairn_scene* scene = nullptr;
  EXPECT_TRUE(fails(cairn_scene_load("/no/such/file.json", &scene), "/no/such/file.json", CAIRN_SCENE_FILE));
  EXPECT_TRUE(fails(cairn_scene_parse("{", 1, "here", &scene), "here", CAIRN_SCENE_FILE));
  EXPECT_EQ(scene, nullptr);
  EXPECT_TRUE(fails(cairn_body_remove(c.world, {1, 99}), "stale"));
  EXPECT_TRUE(fails(cairn_world_reset(c.world, 2), "world 2"));
  EXPECT_TRUE(fails(cairn_world_read_states(c.world, 0, nullptr, 3), "count must be 4"));
  auto body = init(cairn_body_init);
  EXPECT_TRUE(fails(cairn_world_add_body(c.world, 0, &body, nullptr), "name"));
  body.name = "b";
  body.type = 9;
  EXPECT_TRUE(fails(cairn_world_add_body(c.world, 0, &body, nullptr), "is 9"));
  options = init(cairn_world_options_init);
  options.threads = 1;
  options.capacity_pairs = 1;
  options.on_overflow = CAIRN_OVERFLOW_FAILS;
  ASSERT_EQ(cairn_world_create_copies(c.scene, 1, &options, &none), CAIRN_OK);
  EXPECT_TRUE(fails(cairn_world_step(none, 1), "fixed at 1", CAIRN_CAPACITY));
  cairn_world_destroy(none);
  cairn_world_destroy(nullptr);
  cairn_scene_destroy(nullptr);
  EXPECT_EQ(c.hash(), before);
}

TEST(CApi, structs_of_older_and_newer_headers_are_taken_for_what_they_are) {
  Fixture c(tower(2));
  // a header without the last two members
  struct Older {
    cairn_params params;
  };
  Older older;
  const std::size_t size = offsetof(cairn_params, sleep_speed);
  std::memset(&older, 0x55, sizeof older);
  cairn_params_init(&older.params, size);
  EXPECT_EQ(older.params.struct_size, size);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(&older);
  for (std::size_t i = size; i < sizeof older; ++i) EXPECT_EQ(bytes[i], 0x55) << i;
  EXPECT_EQ(cairn_world_set_params(c.world, CAIRN_ALL_WORLDS, &older.params), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(value_of(cairn_world_params, c.world, 1).sleep_speed, StepParams{}.sleep_speed);
  EXPECT_EQ(cairn_world_params(c.world, 1, &older.params), CAIRN_OK);
  for (std::size_t i = size; i < sizeof older; ++i) EXPECT_EQ(bytes[i], 0x55) << i;

  // a header with one more
  struct Newer {
    cairn_params params;
    std::uint32_t more;
  };
  Newer newer;
  cairn_params_init(&newer.params, sizeof newer);
  EXPECT_EQ(newer.more, 0u);
  EXPECT_EQ(cairn_world_set_params(c.world, CAIRN_ALL_WORLDS, &newer.params), CAIRN_OK) << cairn_last_error();
  newer.more = 1;
  EXPECT_TRUE(fails(cairn_world_set_params(c.world, CAIRN_ALL_WORLDS, &newer.params), "struct_size"));
  newer.params.struct_size = 0;
  EXPECT_TRUE(fails(cairn_world_set_params(c.world, CAIRN_ALL_WORLDS, &newer.params), "struct_size"));
}

TEST(CApi, tuning_is_taken_and_changes_no_bit) {
  Fixture c(tower(3), 4, [](cairn_world_options& options) { options.timings = 1; });
  Fixture tuned(tower(3), 4, [](cairn_world_options& options) {
    options.timings = 1;
    options.small_world = 0;
  });
  c.step(20);
  tuned.step(20);
  EXPECT_EQ(c.hash(), tuned.hash());
  // small worlds go through their substeps in one stage
  constexpr auto kMove = static_cast<std::size_t>(Stage::kMove);
  EXPECT_GT(value_of(cairn_world_get_report, c.world).stage_ms[kMove], 0);
  EXPECT_EQ(value_of(cairn_world_get_report, tuned.world).stage_ms[kMove], 0);
}

TEST(CApi, options_and_structs_that_can_not_be_are_refused) {
  Fixture c(tower(3), 1);
  auto options = init(cairn_world_options_init);
  options.on_overflow = 2;
  cairn_world* none = nullptr;
  EXPECT_TRUE(fails(cairn_world_create_copies(c.scene, 1, &options, &none), "on_overflow"));
  std::uint64_t bytes = 0;
  EXPECT_TRUE(fails(cairn_estimate_memory(c.scene, 1, &options, &bytes), "on_overflow"));
  const cairn_handle floor = c.bodies()[0];
  EXPECT_TRUE(fails(cairn_body_set_type(c.world, floor, static_cast<cairn_body_type>(3)),
                    "type must be between 0 and 2, is 3"));
  auto body = init(cairn_body_init);
  auto shape = init(cairn_shape_init);
  shape.struct_size = 0;
  EXPECT_TRUE(fails(cairn_body_describe(c.world, floor, 0, &body, &shape, 1), "struct_size"));
  EXPECT_EQ(body.name, nullptr) << "what failed wrote nothing";
  body.struct_size = 0;
  shape = init(cairn_shape_init);
  EXPECT_TRUE(fails(cairn_body_describe(c.world, floor, 0, &body, &shape, 1), "struct_size"));
  EXPECT_EQ(shape.kind, CAIRN_BOX) << "the floor is a plane";
}

}  // namespace
}  // namespace cairn::c_api_test
