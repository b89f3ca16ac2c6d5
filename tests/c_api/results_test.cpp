// What a step left is the same by both interfaces.

#include <numeric>

#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

TEST(CApi, reports_and_contacts_are_those_of_the_cpp_interface) {
  const Scene scene = worlds_of_all_kinds()[2];
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  EXPECT_TRUE(c.goes_on_as(cpp, 90));
  const cairn_report r = value_of(cairn_world_get_report, c.world);
  const StepReport want = cpp.report();
  EXPECT_EQ(r.steps, want.steps);
  EXPECT_EQ(r.time, want.time);
  EXPECT_EQ(r.manifolds, want.manifolds);
  EXPECT_EQ(r.max_bodies, want.high_water.bodies);
  EXPECT_EQ(r.max_shapes, want.high_water.shapes);
  EXPECT_EQ(r.max_pairs, want.high_water.pairs);
  EXPECT_EQ(r.max_rows, want.high_water.rows);
  EXPECT_GT(r.max_rows, 0u);
  const cairn_world_report one = value_of(cairn_world_get_world_report, c.world, 1);
  EXPECT_EQ(one.steps, 90u);
  EXPECT_EQ(one.bodies, cpp.body_count(1));
  const std::vector<Contact> contacts = cpp.contacts();
  const std::vector<cairn_contact> got = list_of(cairn_world_contacts, c.world);
  ASSERT_EQ(got.size(), contacts.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].a.index, contacts[i].a.index);
    EXPECT_EQ(got[i].normal[2], contacts[i].normal.z);
    EXPECT_EQ(got[i].count, static_cast<std::uint32_t>(contacts[i].count));
    EXPECT_EQ(got[i].points[0].position[1], contacts[i].points[0].position.y);
    EXPECT_EQ(got[i].points[0].impulse, contacts[i].points[0].impulse);
  }
}

TEST(CApi, each_world_has_its_report_and_its_residual) {
  const Scene scene = worlds_of_all_kinds()[2];
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  cpp.set_limits({.speed = 2}, 1);
  auto limits = init(cairn_limits_init);
  limits.speed = 2;
  ASSERT_EQ(cairn_world_set_limits(c.world, 1, &limits), CAIRN_OK);
  EXPECT_TRUE(c.goes_on_as(cpp, 90));

  // a header with one member more: the first of an array tells how far it is to the next
  struct Newer {
    cairn_world_report report;
    std::uint64_t more;
  };
  std::vector<Newer> reports(2, {{.struct_size = sizeof(Newer)}, 7});
  ASSERT_EQ(cairn_world_get_world_reports(c.world, &reports[0].report, 2), CAIRN_OK) << cairn_last_error();
  const std::vector<WorldReport> want = cpp.reports();
  EXPECT_NE(want[1].status, 0u);
  for (std::size_t w = 0; w < 2; ++w) {
    const cairn_world_report& got = reports[w].report;
    EXPECT_EQ(got.struct_size, sizeof(Newer));
    EXPECT_EQ(got.status, want[w].status);
    EXPECT_EQ((BodyHandle{got.first_bad.index, got.first_bad.generation}), want[w].first_bad);
    EXPECT_EQ(got.first_bad_step, want[w].first_bad_step);
    EXPECT_EQ(got.steps, want[w].steps);
    EXPECT_EQ(got.time, want[w].time);
    EXPECT_EQ(reports[w].more, 7u);
  }
  EXPECT_TRUE(fails(cairn_world_get_world_reports(c.world, &reports[0].report, 1), "be 2"));

  const auto same = [](const cairn_residual& got, const ContactResidual& r) {
    return ContactResidual{got.signorini, got.coulomb, got.twist, got.cone, got.penetration, got.points} == r;
  };
  std::vector<cairn_residual> residuals(2, {.struct_size = sizeof(cairn_residual)});
  ASSERT_EQ(cairn_world_residuals(c.world, residuals.data(), 2), CAIRN_OK);
  EXPECT_TRUE(same(residuals[0], cpp.residuals()[0]));
  EXPECT_TRUE(same(residuals[1], cpp.residuals()[1]));
  EXPECT_GT(residuals[0].points, 0u);
  EXPECT_EQ(residuals[1].points, 0u) << "it is frozen";
  EXPECT_EQ(value_of(cairn_world_residual, c.world, 1).points, 0u);
  EXPECT_TRUE(same(value_of(cairn_world_residual, c.world, 0), cpp.residual(0)));
  EXPECT_TRUE(same(value_of(cairn_world_residual, c.world, CAIRN_ALL_WORLDS), cpp.residual()));
}

TEST(CApi, stages_have_names_times_and_hashes) {
  for (std::uint32_t i = 0; i < kStageCount; ++i) EXPECT_EQ(cairn_stage_name(i), stage_name(static_cast<Stage>(i)));
  EXPECT_EQ(cairn_stage_name(kStageCount), nullptr);
  const Scene scene = tower(4);
  cairn_report r{};
  const auto milliseconds_of_step = [&](Fixture& of) {
    of.step();
    r = value_of(cairn_world_get_report, of.world);
    return std::accumulate(std::begin(r.stage_ms), std::end(r.stage_ms), 0.0);
  };
  Fixture c(scene, 1);
  EXPECT_EQ(milliseconds_of_step(c), 0);
  ASSERT_EQ(cairn_world_set_timings(c.world, 1), CAIRN_OK);
  EXPECT_GT(milliseconds_of_step(c), 0);
  Fixture timed(scene, 1, [](cairn_world_options& options) { options.timings = 1; });
  EXPECT_GT(milliseconds_of_step(timed), 0);
  for (const std::uint64_t hash : r.stage_hash) EXPECT_EQ(hash, 0u);

  World cpp(scene, {.device = Device::cpu(1), .trace = true});
  Fixture traced(scene, 1, [](cairn_world_options& o) { o.trace = 1; });
  EXPECT_TRUE(traced.goes_on_as(cpp, 5));
  r = value_of(cairn_world_get_report, traced.world);
  for (std::size_t i = 0; i < kStageCount; ++i) EXPECT_EQ(r.stage_hash[i], cpp.report().stage_hash[i]) << i;
  EXPECT_NE(r.stage_hash[static_cast<std::size_t>(Stage::kSolve)], 0u);
}

TEST(CApi, tells_who_touches_whom_and_filters_it) {
  Fixture c(Scene{}, 1);
  auto shape = init(cairn_shape_init);
  cairn_body body = body_of("floor", &shape);
  body.type = CAIRN_STATIC;
  ASSERT_EQ(cairn_scene_add_body(c.scene, &body, nullptr), CAIRN_OK);
  body.name = "box";
  body.type = CAIRN_DYNAMIC;
  body.mass = 1;
  body.position[2] = 1;
  ASSERT_EQ(cairn_scene_add_body(c.scene, &body, nullptr), CAIRN_OK);
  shape.sensor = 1;
  body.name = "field";
  body.type = CAIRN_STATIC;
  ASSERT_EQ(cairn_scene_add_body(c.scene, &body, nullptr), CAIRN_OK);
  c.make_world(1, [](cairn_world_options& options) { options.contact_events = 1; });
  const std::vector<cairn_handle> bodies = c.bodies();
  c.step();
  cairn_contact_event touches[4];
  ASSERT_EQ(value_of(cairn_world_contact_events, c.world, CAIRN_ALL_WORLDS, touches, 4), 2u);
  EXPECT_EQ(touches[0].event, CAIRN_BEGAN);
  EXPECT_EQ(touches[0].a.index, bodies[0].index);
  EXPECT_GT(touches[0].impulse, 0);
  EXPECT_EQ(touches[0].sensor, 0);
  EXPECT_EQ(touches[1].sensor, 1);
  ASSERT_EQ(cairn_body_ignore(c.world, bodies[0], bodies[1], 1), CAIRN_OK);
  EXPECT_EQ(value_of(cairn_body_ignored, c.world, bodies[1], bodies[0]), 1);
  ASSERT_EQ(cairn_body_set_filter(c.world, bodies[2], 1, 0, 0), CAIRN_OK);
  c.step();
  ASSERT_EQ(value_of(cairn_world_contact_events, c.world, 0, touches, 4), 2u);
  EXPECT_EQ(touches[0].event, CAIRN_ENDED);
  EXPECT_EQ(touches[1].event, CAIRN_ENDED);
}

TEST(CApi, asks_what_lies_where) {
  Fixture c(tower(2), 2);
  auto query = init(cairn_query_init);
  query.position[2] = 5;
  query.world = 1;
  cairn_hit hits[4];
  const cairn_hit hit = value_of(cairn_world_query, c.world, CAIRN_CAST, &query, 1);
  EXPECT_EQ(hit.distance, 3);
  EXPECT_EQ(hit.body.index, 6u);
  EXPECT_EQ(value_of(cairn_world_query_all, c.world, CAIRN_CAST, &query, 1, hits, 4), 3u);
  auto shape = init(cairn_shape_init);
  query.shape = &shape;
  query.position[2] = 1;
  EXPECT_EQ(value_of(cairn_world_query_all, c.world, CAIRN_OVERLAP, &query, 1, hits, 1), 2u);
  query.position[2] = 4;
  EXPECT_NEAR(value_of(cairn_world_query, c.world, CAIRN_CLOSEST, &query, 1).distance, 1.5, 1e-9);
  query.distance = -1;
  EXPECT_TRUE(fails(cairn_world_query(c.world, CAIRN_CLOSEST, &query, 1, hits), "distance"));
}

TEST(CApi, asks_by_arrays) {
  Fixture c(tower(2), 2);
  double places[3][3] = {{0, 0, 5}, {9, 0, 5}, {0, 0, 4}};
  std::uint32_t worlds[] = {1, 0, 0}, bodies[3], shapes[3];
  float distances[3];
  const cairn_array position = array_of(places, CAIRN_FLOAT64, 3, 3), world = array_of(worlds, CAIRN_UINT32, 3, 1),
                    body = array_of(bodies, CAIRN_UINT32, 3, 1), shape = array_of(shapes, CAIRN_UINT32, 3, 1),
                    distance = array_of(distances, CAIRN_FLOAT32, 3, 1);
  auto from = init(cairn_query_arrays_init);
  from.position = &position;
  from.world = &world;
  auto to = init(cairn_hit_arrays_init);
  to.body = &body;
  to.shape = &shape;
  to.distance = &distance;
  auto like = init(cairn_query_init);
  like.distance = 50;
  ASSERT_EQ(cairn_world_query_arrays(c.world, CAIRN_CAST, &like, &from, &to), CAIRN_OK) << cairn_last_error();
  // handle 6 is the upper box of the second world; slots count from 0
  EXPECT_EQ(std::vector<std::uint32_t>(bodies, bodies + 3), (std::vector<std::uint32_t>{5, 0, 2}));
  EXPECT_EQ(std::vector<float>(distances, distances + 3), (std::vector<float>{3, 5, 2}));
  auto ball = init(cairn_shape_init);
  ball.kind = CAIRN_SPHERE;
  ball.size[0] = 0.5f;
  like.shape = &ball;
  ASSERT_EQ(cairn_world_query_arrays(c.world, CAIRN_CAST, &like, &from, &to), CAIRN_OK) << cairn_last_error();
  EXPECT_NEAR(distances[0], 2.5f, 1e-6);
  ASSERT_EQ(cairn_world_query_arrays(c.world, CAIRN_OVERLAP, &like, &from, &to), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(bodies[0], UINT32_MAX);
  from.position = nullptr;
  EXPECT_TRUE(fails(cairn_world_query_arrays(c.world, CAIRN_CLOSEST, &like, &from, &to), "position"));
}

}  // namespace
}  // namespace cairn::c_api_test
