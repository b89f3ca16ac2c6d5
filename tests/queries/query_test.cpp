// Rays, casts, overlaps and nearest points: against closed forms, and the tree against every shape.

#include "tests/queries/query_scenes.h"

namespace cairn::queries_test {
namespace {

using namespace testing_support;

double dot(Vec3 a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

QueryHit ray(const World& world, Vec3d from, Vec3 along, float distance = 1e8f) {
  const RayQuery query{from, along, distance};
  return world.queries().cast_rays({&query, 1})[0];
}
QueryHit cast(const World& world, Geometry geometry, Vec3d from, Vec3 along, float distance = 1e8f) {
  const ShapeQuery query{std::move(geometry), from, {}, along, distance};
  return world.queries().cast_shapes({&query, 1})[0];
}
QueryHit nearest(const World& world, Geometry geometry, Vec3d at, float distance = 1e8f) {
  const ShapeQuery query{std::move(geometry), at, {}, {}, distance};
  return world.queries().closest({&query, 1})[0];
}

World world_of(const Geometry& geometry) {
  return World(scene_of({body("it", geometry, {1, 2, 3}, BodyType::kStatic)}), cpu());
}

TEST(Query, rays_meet_each_kind_where_it_is) {
  struct Case {
    Geometry geometry;
    double top, side;  ///< [m] from the centre
  };
  std::vector<Vec3> corners;
  for (const float x : {-0.5f, 0.5f}) {
    for (const float y : {-0.5f, 0.5f}) {
      for (const float z : {-0.25f, 0.25f}) corners.push_back({x, y, z});
    }
  }
  const Case cases[] = {{Sphere{0.5f}, 0.5, 0.5},
                        {Box{{0.5f, 1, 0.25f}}, 0.25, 0.5},
                        {Capsule{0.5f, 0.25f}, 0.75, 0.5},
                        {Cylinder{0.5f, 0.25f}, 0.25, 0.5},
                        {Cone{0.5f, 0.25f}, 0.25, 0.25},
                        {TaperedCylinder{0.5f, 0.25f, 0.25f}, 0.25, 0.375},
                        {Ellipsoid{{0.5f, 1, 0.25f}}, 0.25, 0.5},
                        {RoundedBox{{0.5f, 1, 0.25f}, 0.125f}, 0.25, 0.5},
                        {ConvexHull(corners), 0.25, 0.5}};
  for (const Case& c : cases) {
    World world = world_of(c.geometry);
    const std::size_t kind = c.geometry.index();
    // closed forms to a double's rounding of 10 m; what GJK answers to 1e-8 of the size
    const double allowed = 1e-7;
    QueryHit hit = ray(world, {1, 2, 13}, {0, 0, -2});
    ASSERT_EQ(hit.body, world.bodies()[0]) << kind;
    EXPECT_NEAR(hit.distance, 10 - c.top, allowed) << kind;
    EXPECT_NEAR(hit.position.z, 3 + c.top, allowed) << kind;
    if (!std::holds_alternative<Cone>(c.geometry)) {
      EXPECT_NEAR(hit.normal.z, 1, 1e-6) << kind;
    }
    hit = ray(world, {-9, 2, 3}, {3, 0, 0});
    EXPECT_NEAR(hit.distance, 10 - c.side, allowed) << kind;
    EXPECT_LT(hit.normal.x, -0.6f) << kind;
    EXPECT_NEAR(length(hit.normal), 1, 1e-6) << kind;
    // too short, beside it, away from it
    EXPECT_FALSE(ray(world, {-9, 2, 3}, {1, 0, 0}, 9.4f).body) << kind;
    EXPECT_FALSE(ray(world, {-9, 3.1, 3}, {1, 0, 0}).body) << kind;
    EXPECT_FALSE(ray(world, {-9, 2, 3}, {-1, 0, 0}).body) << kind;
    // from inside
    hit = ray(world, {1.01, 2, 3}, {0, 1, 0});
    EXPECT_EQ(hit.distance, 0) << kind;
    EXPECT_EQ(hit.normal, (Vec3{0, -1, 0})) << kind;
  }
}

TEST(Query, rays_and_moving_points_agree_about_every_kind) {
  Dice dice(7);
  for (std::uint32_t kind = 0; kind < kConvexKinds; ++kind) {
    World world = world_of(convex_geometry(dice, kind, 1));
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
      const Vec3d from = [&] {
        const Vec3d p = dice.place(3);
        return Vec3d{p.x + 1, p.y + 2, p.z + 3};
      }();
      const Vec3 along = {static_cast<float>(1 - from.x) + dice(-0.5f, 0.5f),
                          static_cast<float>(2 - from.y) + dice(-0.5f, 0.5f),
                          static_cast<float>(3 - from.z) + dice(-0.5f, 0.5f)};
      const QueryHit a = ray(world, from, along), b = cast(world, Sphere{0}, from, along);
      // what passes within the tolerance of a cast may go either way
      if (!a.body || !b.body) {
        EXPECT_EQ(a.body, b.body) << kind << ", " << i;
        continue;
      }
      ++hits;
      // a cast stops 1e-8 of the size before the surface, at an angle to it
      const double steep = std::max(0.01, std::abs(dot(a.normal, {along.x, along.y, along.z})) / length(along));
      EXPECT_NEAR(a.distance, b.distance, 4e-8 / steep) << kind << ", " << i;
    }
    EXPECT_GT(hits, 100) << kind;
  }
}

TEST(Query, casts_stop_where_shapes_touch) {
  World world(scene_of({plane(), box("box", {0, 0, 0.5}, BodyType::kStatic)}), cpu());
  QueryHit hit = cast(world, Sphere{0.25f}, {0.2, 0, 5}, {0, 0, -1});
  EXPECT_EQ(hit.body, world.bodies()[1]);
  EXPECT_NEAR(hit.distance, 3.75, 1e-7);
  EXPECT_NEAR(hit.position.z, 1, 1e-7);
  EXPECT_NEAR(hit.position.x, 0.2, 1e-7);
  hit = cast(world, Box{}, {5, 0, 5}, {0, 0, -1});
  EXPECT_EQ(hit.body, world.bodies()[0]);
  EXPECT_NEAR(hit.distance, 4.5, 1e-7);
  // a ball against the box's edge: 45 degrees
  hit = cast(world, Sphere{0.5f}, {3.5, 0, 4}, {-1, 0, -1});
  EXPECT_NEAR(hit.distance, 3 * std::sqrt(2.0) - 0.5, 1e-6);
  EXPECT_NEAR(hit.normal.x, std::sqrt(0.5), 1e-6);
  // overlaps at the start
  hit = cast(world, Sphere{0.5f}, {0, 0, 1.2}, {0, 0, 1});
  EXPECT_EQ(hit.distance, 0);
  EXPECT_EQ(hit.normal, (Vec3{0, 0, -1}));
  EXPECT_FALSE(cast(world, Sphere{0.25f}, {0, 0, 5}, {0, 0, 1}).body);
  const ShapeQuery all{Sphere{0.25f}, {0.2, 0, 5}, {}, {0, 0, -1}, 10};
  const QueryHits hits = world.queries().cast_shapes_all({&all, 1});
  ASSERT_EQ(hits.hits.size(), 2u);
  EXPECT_NEAR(hits.hits[1].distance, 4.75, 1e-7);
}

TEST(Query, nearest_points_and_overlaps_are_those_of_the_shapes) {
  World world(scene_of({ball("ball", {0, 0, 0}), box("box", {5, 0, 0}), ball("far", {0, 100, 0})}), cpu());
  QueryHit hit = nearest(world, Sphere{0}, {2, 0, 0});
  EXPECT_EQ(hit.body, world.bodies()[0]);
  EXPECT_NEAR(hit.distance, 1.5, 1e-12);
  EXPECT_NEAR(hit.position.x, 0.5, 1e-12);
  EXPECT_NEAR(hit.normal.x, 1, 1e-7);
  hit = nearest(world, Sphere{0.5f}, {4, 2, 0});
  EXPECT_EQ(hit.body, world.bodies()[1]);
  EXPECT_NEAR(hit.distance, std::sqrt(0.25 + 2.25) - 0.5, 1e-10);
  EXPECT_FALSE(nearest(world, Sphere{0}, {2, 0, 0}, 1.4f).body);
  const ShapeQuery around{Sphere{0}, {2.5, 0, 0}, {}, {}, 3};
  const QueryHits near = world.queries().closest_all({&around, 1});
  ASSERT_EQ(near.hits.size(), 2u);
  // equally far: by slot
  EXPECT_EQ(near.hits[0].body, world.bodies()[0]);
  EXPECT_EQ(near.hits[1].body, world.bodies()[1]);
  const ShapeQuery rod{Capsule{0.1f, 2}, {2.5, 0, 0}, {0, std::sqrt(0.5f), 0, std::sqrt(0.5f)}};
  const QueryHits both = world.queries().overlaps({&rod, 1});
  ASSERT_EQ(both.hits.size(), 2u);
  EXPECT_EQ(both.hits[0].normal, (Vec3{0, 0, 0}));
  EXPECT_EQ(both.hits[0].distance, 0);
}

TEST(Query, rays_do_not_slip_between_triangles) {
  const auto place = [](std::uint32_t i, std::uint32_t j) {
    return Vec3{0.3f * static_cast<float>(i), 0.7f * static_cast<float>(j), 0.1f * static_cast<float>(i * j % 3)};
  };
  World world(scene_of({body("mesh", grid_mesh(5, 5, place), {}, BodyType::kStatic)}), cpu());
  for (std::uint32_t j = 1; j < 4; ++j) {
    for (std::uint32_t i = 1; i < 4; ++i) {
      const Vec3 v = place(i, j);
      for (const Vec3d from : {Vec3d{v.x, v.y, 10}, Vec3d{v.x + 3.0, v.y - 2.0, 7}, Vec3d{0.4, 1.1, 12}}) {
        const Vec3 along{static_cast<float>(v.x - from.x), static_cast<float>(v.y - from.y),
                         static_cast<float>(v.z - from.z)};
        EXPECT_TRUE(ray(world, from, along).body) << i << ", " << j;
      }
      // edges
      EXPECT_TRUE(ray(world, {v.x + 0.15f, v.y, 10}, {0, 0, -1}).body);
      EXPECT_TRUE(ray(world, {v.x, v.y + 0.35f, 10}, {0, 0, -1}).body);
      // from behind
      EXPECT_FALSE(ray(world, {v.x, v.y, -10}, {0, 0, 1}).body);
    }
  }
}

TEST(Query, of_a_height_field_finds_its_height) {
  Dice dice(3);
  const HeightField field = bumpy_field(dice, 0.5f);
  World world(scene_of({body("field", field, {}, BodyType::kStatic)}), cpu());
  for (std::uint32_t j = 0; j < field.rows(); ++j) {
    for (std::uint32_t i = 0; i < field.columns(); ++i) {
      const double x = 0.5 * i, y = 0.5 * j, h = field.heights()[j * field.columns() + i];
      const QueryHit hit = ray(world, {x, y, 9}, {0, 0, -1});
      ASSERT_TRUE(hit.body) << i << ", " << j;
      EXPECT_NEAR(hit.distance, 9 - h, 1e-12);
    }
  }
  EXPECT_FALSE(ray(world, {-0.01, 1, 9}, {0, 0, -1}).body);
  // along all of it, at a height that only its walls reach
  EXPECT_TRUE(ray(world, {-5, 1.3, 0}, {1, 0, 0}).body);
}

TEST(Query, tree_finds_exactly_what_looking_at_every_shape_does) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const float side = seed % 2 == 0 ? 4.0f : 12.0f;
    World world(all_kinds(seed, static_cast<int>(26 * seed), side), cpu(seed % 3 == 0 ? 2 : 1));
    const Questions q = questions(100 + seed, 60, side);
    const Answers by_tree = answers(world, q);
    world.queries().set_brute(true);
    const Answers by_all = answers(world, q);
    EXPECT_EQ(by_tree.rays, by_all.rays) << seed;
    EXPECT_EQ(by_tree.casts, by_all.casts) << seed;
    EXPECT_EQ(by_tree.closest, by_all.closest) << seed;
    EXPECT_EQ(by_tree.all_rays, by_all.all_rays) << seed;
    EXPECT_EQ(by_tree.all_casts, by_all.all_casts) << seed;
    EXPECT_EQ(by_tree.overlaps, by_all.overlaps) << seed;
    EXPECT_EQ(by_tree.all_closest, by_all.all_closest) << seed;
    EXPECT_GT(by_tree.all_rays.hits.size(), 20u);
    EXPECT_GT(by_tree.overlaps.hits.size(), 10u);
    // the first is the first of all
    for (std::size_t i = 0; i < q.rays.size(); ++i) {
      const std::size_t begin = by_tree.all_rays.begin[i], end = by_tree.all_rays.begin[i + 1];
      EXPECT_EQ(by_tree.rays[i], begin == end ? QueryHit{} : by_tree.all_rays.hits[begin]) << seed << ", " << i;
    }
  }
}

TEST(Query, answers_are_those_of_the_world_alone_and_of_any_number_of_threads) {
  const Scene a = all_kinds(3, 60, 6), b = all_kinds(4, 30, 6);
  World alone(a, cpu()), threads(a, cpu(4));
  World batch(std::vector<Scene>{b, a, b}, cpu(2));
  const Questions q = questions(9, 80, 6), of_batch = questions(9, 80, 6, 1);
  const Answers wanted = answers(alone, q);
  EXPECT_EQ(wanted, answers(threads, q));
  Answers got = answers(batch, of_batch);
  for (auto* hits : {&got.rays, &got.casts, &got.closest, &got.all_rays.hits, &got.all_casts.hits, &got.overlaps.hits,
                     &got.all_closest.hits}) {
    for (QueryHit& hit : *hits) {
      if (hit.body) hit.body.index -= static_cast<std::uint32_t>(b.bodies().size());
    }
  }
  EXPECT_EQ(wanted, got);
}

TEST(Query, is_of_the_world_as_it_is_now) {
  World world(scene_of({ball("ball", {0, 0, 5}), plane()}), cpu());
  EXPECT_NEAR(ray(world, {0, 0, 10}, {0, 0, -1}).distance, 4.5, 1e-12);
  world.step();
  EXPECT_GT(ray(world, {0, 0, 10}, {0, 0, -1}).distance, 4.5);
  BodyState state = world.state(world.bodies()[0]);
  state.position = {0, 0, 7};
  world.set_state(world.bodies()[0], state);
  EXPECT_NEAR(ray(world, {0, 0, 10}, {0, 0, -1}).distance, 2.5, 1e-12);
  const BodyHandle added = world.add_body(ball("added", {0, 0, 9}));
  EXPECT_EQ(ray(world, {0, 0, 20}, {0, 0, -1}).body, added);
  world.remove_body(added);
  world.remove_body(world.bodies()[0]);
  EXPECT_EQ(ray(world, {0, 0, 20}, {0, 0, -1}).body, world.bodies()[0]);
  EXPECT_FALSE(ray(World(Scene{}, cpu()), {0, 0, 20}, {0, 0, -1}).body);
}

TEST(Query, looks_at_what_its_filter_lets_pass) {
  Body field = body("field", Sphere{}, {0, 0, 3}, BodyType::kStatic);
  field.shapes[0].sensor = true;
  Body other = ball("other", {0, 0, 1.5});
  other.shapes[0].filter.category = 2;
  World world(scene_of({ball("ball", {0, 0, 0}), other, field}), cpu());
  RayQuery query{{0, 0, 10}, {0, 0, -1}};
  const auto found = [&] { return world.queries().cast_rays({&query, 1})[0].body; };
  EXPECT_EQ(found(), world.bodies()[1]);
  query.only.sensors = true;
  EXPECT_EQ(found(), world.bodies()[2]);
  query.only.ignored = world.bodies()[2];
  EXPECT_EQ(found(), world.bodies()[1]);
  query.only.filter.mask = 1;
  EXPECT_EQ(found(), world.bodies()[0]);
  query.only.filter.mask = 4;
  EXPECT_FALSE(found());
}

TEST(Query, is_as_exact_far_out) {
  const Vec3d far{4e6, -3e6, 2e6};
  const Questions near_by = questions(5, 40, 6), far_out = questions(5, 40, 6, 0, far);
  World world(all_kinds(8, 60, 6), cpu()), away(all_kinds(8, 60, 6, far), cpu());
  const Answers a = answers(world, near_by), b = answers(away, far_out);
  int same = 0;
  for (std::size_t i = 0; i < a.rays.size(); ++i) {
    if (!a.rays[i].body || a.rays[i].body != b.rays[i].body) continue;
    ++same;
    // float pairs and doubles hold 4e6 m to 1e-9
    EXPECT_NEAR(a.rays[i].distance, b.rays[i].distance, 1e-6);
  }
  EXPECT_GT(same, 15);
  away.queries().set_brute(true);
  EXPECT_EQ(b, answers(away, far_out));
}

TEST(Query, that_makes_no_sense_is_refused_by_its_number) {
  World world(tower(1), cpu());
  std::vector<RayQuery> rays(3);
  const auto expect_refused = [&](const RayQuery& third, std::initializer_list<const char*> words) {
    rays[2] = third;
    EXPECT_TRUE(refused(
        world, [&] { world.queries().cast_rays(rays); }, words))
        << *words.begin();
  };
  expect_refused({.direction = {0, 0, 0}}, {"query 2", "direction"});
  expect_refused({.distance = -1}, {"query 2", "distance"});
  expect_refused({.origin = {0, std::nan(""), 0}}, {"query 2", "position"});
  expect_refused({.world = 1}, {"world 1"});
  expect_refused({.only = {.ignored = {77, 1}}}, {"stale"});
  for (const Geometry& geometry :
       {Geometry{Plane{}}, Geometry{Tube{}}, Geometry{Box{{0, 1, 1}}}, Geometry{Sphere{-1}}, Geometry{ConvexHull{}}}) {
    const ShapeQuery query{geometry};
    EXPECT_TRUE(refused(world, [&] { world.queries().overlaps({&query, 1}); }, {"query 0"})) << geometry.index();
  }
  EXPECT_TRUE(world.queries().cast_rays({}).empty());
  EXPECT_EQ(world.queries().overlaps({}).begin, std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace cairn::queries_test
