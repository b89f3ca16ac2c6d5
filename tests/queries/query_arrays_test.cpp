// Queries in arrays on the device find what queries of the host's do, bit for bit.

#include <limits>

#include "tests/interop/arrays.h"
#include "tests/queries/query_scenes.h"
#include "tests/support/refusal.h"

namespace cairn::queries_test {
namespace {

using namespace testing_support;

constexpr std::uint32_t kNothing = ~0u;

ArrayView words(std::vector<std::uint32_t>& data) {
  const auto rows = static_cast<std::int64_t>(data.size());
  ArrayView view = dense_view(data.data(), ElementType::kUint32, Device::cpu(), rows, 1);
  view.rank = 1;
  return view;
}

/// Arrays of so many rows, of the host's memory, on a World of the CPU.
struct Rows {
  explicit Rows(std::size_t n)
      : position(n, 3),
        direction(n, 3),
        orientation(n, 4),
        distance(n, 1),
        world(n),
        ignored(n, kNothing),
        body(n),
        shape(n),
        found(n, 1),
        at(n, 3),
        normal(n, 3) {}

  template <class Query>
  void set(std::size_t i, const Query& query, Vec3d place) {
    for (const auto& [to, v] : {std::pair{&position, place}, {&direction, widen(query.direction)}}) {
      to->at(i, 0) = v.x;
      to->at(i, 1) = v.y;
      to->at(i, 2) = v.z;
    }
    distance.at(i, 0) = query.distance;
    world[i] = query.world;
  }
  static Vec3d widen(Vec3 v) { return {v.x, v.y, v.z}; }

  QueryArrays from() {
    return {position.view(), orientation.view(), direction.view(), distance.view(), words(world), words(ignored)};
  }
  HitArrays to() { return {words(body), words(shape), found.view(), at.view(), normal.view()}; }

  /// The answers as those of the host's, which say nothing of how far was looked in vain.
  std::vector<QueryHit> hits(const World& of) {
    std::vector<QueryHit> all(body.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (body[i] == kNothing) continue;
      const auto handles = of.bodies();
      const auto it =
          std::find_if(handles.begin(), handles.end(), [&](BodyHandle h) { return h.index == body[i] + 1; });
      all[i] = {*it,
                shape[i],
                found.at(i, 0),
                {at.at(i, 0), at.at(i, 1), at.at(i, 2)},
                {static_cast<float>(normal.at(i, 0)), static_cast<float>(normal.at(i, 1)),
                 static_cast<float>(normal.at(i, 2))}};
    }
    return all;
  }

  HostArray<double> position, direction, orientation, distance;
  std::vector<std::uint32_t> world, ignored, body, shape;
  HostArray<double> found, at, normal;
};

World batch(int threads) {
  return World(std::vector<Scene>{all_kinds(3, 60, 8), all_kinds(4, 40, 6, {100, 0, 0})}, cpu(threads));
}

TEST(QueryArrays, of_rays_find_what_rays_of_the_host_find) {
  for (const int threads : {1, 3}) {
    const World world = batch(threads);
    std::vector<RayQuery> rays = questions(5, 400, 8).rays;
    const std::vector<RayQuery> more = questions(6, 400, 6, 1, {100, 0, 0}).rays;
    rays.insert(rays.end(), more.begin(), more.end());
    Rows rows(rays.size());
    // one filter a call
    const QueryFilter only{.filter = {.mask = 5}, .sensors = true};
    for (std::size_t i = 0; i < rays.size(); ++i) {
      rays[i].only = only;
      if (i % 3 == 1) {
        rays[i].only.ignored = world.bodies(rays[i].world)[i % 7];
        rows.ignored[i] = rays[i].only.ignored.index - 1;
      }
      rows.set(i, rays[i], rays[i].origin);
    }
    const std::vector<QueryHit> want = world.queries().cast_rays(rays);
    world.queries().cast_rays(rows.from(), rows.to(), {.only = only});
    EXPECT_EQ(rows.hits(world), want);
    std::size_t hit = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      if (want[i].body) {
        ++hit;
      } else {
        EXPECT_EQ(rows.found.at(i, 0), rays[i].distance) << "as far as was looked";
      }
    }
    EXPECT_GT(hit, rays.size() / 8);
    EXPECT_LT(hit, rays.size());
  }
}

TEST(QueryArrays, of_shapes_find_what_shapes_of_the_host_find) {
  const World world = batch(2);
  Dice dice(11);
  for (std::uint32_t kind = 0; kind < kConvexKinds; ++kind) {
    ShapeQuery like{convex_geometry(dice, kind, 0.7f)};
    like.only.filter.mask = 7;
    std::vector<ShapeQuery> shapes = questions(20 + kind, 60, 8).shapes;
    Rows rows(shapes.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      shapes[i].geometry = like.geometry;
      shapes[i].only = like.only;
      rows.set(i, shapes[i], shapes[i].position);
      const Quat q = shapes[i].orientation;
      for (const auto& [c, v] : {std::pair{0, q.x}, {1, q.y}, {2, q.z}, {3, q.w}})
        rows.orientation.at(i, static_cast<std::size_t>(c)) = v;
    }
    world.queries().cast_shapes(rows.from(), rows.to(), like);
    EXPECT_EQ(rows.hits(world), world.queries().cast_shapes(shapes)) << kind;
    world.queries().closest(rows.from(), rows.to(), like);
    EXPECT_EQ(rows.hits(world), world.queries().closest(shapes)) << kind;
    world.queries().overlaps(rows.from(), rows.to(), like);
    const QueryHits all = world.queries().overlaps(shapes);
    std::vector<QueryHit> first;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      first.push_back(all.begin[i] == all.begin[i + 1] ? QueryHit{} : all.hits[all.begin[i]]);
    EXPECT_EQ(rows.hits(world), first) << kind;
  }
}

TEST(QueryArrays, that_are_left_out_are_as_in_the_query_beside_and_may_be_strided_floats) {
  World world(scene_of({plane(), ball("ball", {2, 0, 3})}), cpu());
  // x of all rows, then y, then z
  std::vector<float> places{2, 5, 2, 0, 0, 0, 9, 9, -1};
  QueryArrays from;
  from.position = dense_view(places.data(), ElementType::kFloat32, Device::cpu(), 3, 3);
  from.position.strides = {1, 3, 0};
  std::vector<float> distance(3);
  HitArrays to;
  to.distance = dense_view(distance.data(), ElementType::kFloat32, Device::cpu(), 3, 1);
  world.queries().cast_rays(from, to);
  EXPECT_EQ(distance, (std::vector<float>{5.5f, 9, 0}));
  world.queries().cast_rays(from, to, {.direction = {0, 0, 1}, .distance = 4});
  EXPECT_EQ(distance, (std::vector<float>{4, 4, 0}));
  world.queries().cast_rays(from, to, {.only = {.ignored = world.bodies()[1]}});
  EXPECT_EQ(distance, (std::vector<float>{9, 9, 0}));
  // after a step the poses are those that there are then
  for (int i = 0; i < 30; ++i) world.step();
  world.queries().cast_rays(from, to);
  EXPECT_EQ(distance[0],
            static_cast<float>(world.queries().cast_rays(std::vector<RayQuery>{{.origin = {2, 0, 9}}})[0].distance));
  EXPECT_GT(distance[0], 6);
}

TEST(QueryArrays, with_a_row_that_cant_be_asked_find_nothing_there) {
  const World world(scene_of({plane()}), cpu());
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Rows rows(7);
  const RayQuery down{.origin = {0, 0, 2}};
  for (std::size_t i = 0; i < 7; ++i) rows.set(i, down, down.origin);
  rows.position.at(1, 0) = kNan;
  rows.position.at(2, 2) = 2e8;
  rows.direction.at(3, 2) = 0;
  rows.distance.at(4, 0) = -1;
  rows.world[5] = 1;
  rows.direction.at(6, 0) = std::numeric_limits<double>::infinity();
  world.queries().cast_rays(rows.from(), rows.to());
  EXPECT_EQ(rows.body, (std::vector<std::uint32_t>{0, kNothing, kNothing, kNothing, kNothing, kNothing, kNothing}));
  EXPECT_EQ(rows.found.data, (std::vector<double>{2, -1, -1, -1, -1, -1, -1}));
  // and shapes that are turned by nothing
  world.queries().closest(rows.from(), rows.to(), ShapeQuery{Box{}});
  EXPECT_EQ(rows.body[0], kNothing);
  EXPECT_EQ(rows.found.at(0, 0), -1);
}

TEST(QueryArrays, of_another_shape_type_or_place_are_refused) {
  const World world(scene_of({plane()}), cpu());
  Rows rows(3);
  const auto refuses = [&](auto change, std::initializer_list<std::string> words) {
    QueryArrays from = rows.from();
    HitArrays to = rows.to();
    change(from, to);
    EXPECT_TRUE(testing_support::refuses([&] { world.queries().cast_rays(from, to); }, words));
  };
  refuses([](QueryArrays& from, HitArrays&) { from.position.data = nullptr; }, {"QueryArrays::position", "given"});
  refuses([](QueryArrays& from, HitArrays&) { from.position.shape[1] = 4; }, {"QueryArrays::position", "(3, 3)"});
  refuses([](QueryArrays& from, HitArrays&) { from.direction.shape[0] = 2; }, {"QueryArrays::direction", "(3, 3)"});
  refuses([](QueryArrays& from, HitArrays&) { from.world.type = ElementType::kFloat32; }, {"::world", "uint32"});
  refuses([](QueryArrays& from, HitArrays&) { from.distance.type = ElementType::kUint32; }, {"::distance", "float32"});
  refuses([](QueryArrays&, HitArrays& to) { to.body.device = Device::cuda(0); }, {"HitArrays::body", "cpu"});
  refuses([](QueryArrays&, HitArrays& to) { to.normal.writable = false; }, {"HitArrays::normal", "writable"});
  EXPECT_THROW(world.queries().cast_rays(rows.from(), rows.to(), {.direction = {}}), InvalidArgument);
  EXPECT_THROW(world.queries().cast_shapes(rows.from(), rows.to(), ShapeQuery{Plane{}}), InvalidArgument);
}

TEST(QueryArrays, and_queries_of_the_host_leave_no_hulls_behind) {
  const World world(scene_of({plane(), box("box", {0, 0, 1})}), cpu());
  Dice dice(3);
  const auto ask = [&](const ConvexHull& hull) {
    const ShapeQuery query{hull, {0, 0, 5}};
    return world.queries().cast_shapes({&query, 1})[0].distance;
  };
  const ConvexHull hull = some_hull(dice, 1);
  const double distance = ask(hull);
  const std::uint64_t before = world.memory_bytes();
  for (int i = 0; i < 20; ++i) ask(some_hull(dice, 1));
  EXPECT_EQ(world.memory_bytes(), before);
  // of calls by arrays the last one's is there
  Rows rows(1);
  rows.set(0, RayQuery{}, {0, 0, 5});
  rows.orientation.at(0, 3) = 1;
  std::uint64_t after = 0;
  for (int i = 0; i < 20; ++i) {
    world.queries().cast_shapes(rows.from(), rows.to(), ShapeQuery{some_hull(dice, 1)});
    after = std::max(after, world.memory_bytes());
  }
  world.queries().cast_shapes(rows.from(), rows.to(), ShapeQuery{hull});
  EXPECT_EQ(rows.found.at(0, 0), distance);
  EXPECT_LT(after, before + 8192) << "one hull of twelve points";
}

}  // namespace
}  // namespace cairn::queries_test
