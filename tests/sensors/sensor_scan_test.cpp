// Ray scans and cameras.

#include "cairn/math.h"
#include "cairn/queries.h"
#include "tests/queries/query_scenes.h"
#include "tests/sensors/sensed.h"

namespace cairn::sensors_test {
namespace {

using namespace cairn::math;

constexpr std::uint32_t kNothing = ~0u;

TEST(RayScan, finds_what_queries_find) {
  const World world(std::vector<Scene>{all_kinds(3, 60, 8), all_kinds(4, 40, 6)}, cpu(2));
  RayScan scan{.site = {kWorldBody, {0.5, -0.25, 9}}, .range = 12, .filter = {.mask = 5}, .sensors = true};
  scan.directions.clear();
  for (int i = 0; i < 15; ++i) {
    for (int k = 0; k < 15; ++k) {
      scan.directions.push_back({0.1f * static_cast<float>(i - 7), 0.1f * static_cast<float>(k - 7), -1});
      scan.origins.push_back({0.5f * static_cast<float>(k - 7), 0.5f * static_cast<float>(i - 7), 0.25f});
    }
  }
  Sensors sensors(world, {.scans = {scan}});
  sensors.update();
  const std::vector<float> distance = reading(sensors, "scan0_distance");
  const std::vector<std::uint32_t> body = indices(sensors, "scan0_body");
  ASSERT_EQ(distance.size(), 2 * scan.directions.size());
  std::size_t met = 0;
  for (std::uint32_t w = 0; w < 2; ++w) {
    std::vector<RayQuery> rays;
    for (std::size_t i = 0; i < scan.directions.size(); ++i) {
      const Vec3 from = scan.origins[i];
      rays.push_back({.origin = scan.site.position + Vec3d{from.x, from.y, from.z},
                      .direction = scan.directions[i],
                      .distance = scan.range,
                      .world = w,
                      .only = {.filter = scan.filter, .sensors = true}});
    }
    const std::vector<QueryHit> hits = world.queries().cast_rays(rays);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const std::size_t at = w * hits.size() + i;
      EXPECT_EQ(distance[at], hits[i].body ? static_cast<float>(hits[i].distance) : scan.range) << i;
      EXPECT_EQ(body[at], hits[i].body ? world.index_of(hits[i].body) : kNothing) << i;
      met += hits[i].body ? 1 : 0;
    }
  }
  EXPECT_GT(met, distance.size() / 8);
  EXPECT_LT(met, distance.size());
}

TEST(RayScan, turns_with_its_site_with_its_yaw_or_not_at_all) {
  // a wall at x = 4 and one at y = 6; the body stands at the origin, turned by a quarter about z and then tilted
  Scene scene = scene_of({plane(), plane("wall x", {-1, 0, 0}, -4), plane("wall y", {0, -1, 0}, -6)});
  Body rover = box("rover", {0, 0, 2}, BodyType::kKinematic);
  const Quat quarter = axis_angle(Vec3{0, 0, 1}, 1.57079633f);
  rover.orientation = quarter * axis_angle(Vec3{0, 1, 0}, 0.5f);
  scene.add_body(rover);
  const World world(scene, cpu());
  const auto scan = [](RayAxes axes, Vec3 direction) {
    return RayScan{.site = {3}, .directions = {direction}, .axes = axes, .range = 50};
  };
  const Vec3 ahead{1, 0, 0}, down{0, 0, -1};
  Sensors sensors(world,
                  {.scans = {scan(RayAxes::kWorld, ahead), scan(RayAxes::kYaw, ahead), scan(RayAxes::kSite, ahead),
                             scan(RayAxes::kYaw, down), scan(RayAxes::kSite, down)}});
  sensors.update();
  const auto distance = [&](int i) { return reading(sensors, "scan" + std::to_string(i) + "_distance")[0]; };
  const auto body = [&](int i) { return indices(sensors, "scan" + std::to_string(i) + "_body")[0]; };
  EXPECT_FLOAT_EQ(distance(0), 4);
  EXPECT_EQ(body(0), 1u);
  EXPECT_NEAR(distance(1), 6, 6 * 4 * kEpsilon);
  EXPECT_EQ(body(1), 2u);
  // tilted by 0.5 rad ahead is down: the floor is 2 m below
  EXPECT_NEAR(distance(2), 2 / std::sin(0.5), 16 * kEpsilon);
  EXPECT_EQ(body(2), 0u);
  EXPECT_FLOAT_EQ(distance(3), 2);
  EXPECT_NEAR(distance(4), 2 / std::cos(0.5), 16 * kEpsilon);
}

TEST(RayScan, reads_its_range_where_it_meets_nothing_and_its_own_body_if_asked) {
  const World world(scene_of({plane(), box("box", {0, 0, 3})}), cpu());
  const RayScan out{.site = {1, {0, 0, 2}}, .range = 0.5f};
  RayScan in = out;
  in.own_body = true;
  in.range = 5;
  RayScan through = in;
  through.own_body = false;
  Sensors sensors(world, {.scans = {out, in, through}});
  EXPECT_EQ(reading(sensors, "scan0_distance"), std::vector<float>{0}) << "before the first update";
  sensors.update();
  EXPECT_EQ(reading(sensors, "scan0_distance"), std::vector<float>{0.5f});
  EXPECT_EQ(indices(sensors, "scan0_body"), std::vector<std::uint32_t>{kNothing});
  EXPECT_EQ(reading(sensors, "scan1_distance"), std::vector<float>{1.5f});
  EXPECT_EQ(indices(sensors, "scan1_body"), std::vector<std::uint32_t>{1});
  EXPECT_EQ(reading(sensors, "scan2_distance"), std::vector<float>{5});
  EXPECT_EQ(indices(sensors, "scan2_body"), std::vector<std::uint32_t>{0});
}

TEST(CameraSensor, sees_depth_along_its_axis_and_which_body) {
  // from 10 m above the floor, straight down: a ball of 1 m in the middle, half sunk
  Scene scene = scene_of({plane(), ball("ball", {0, 0, 0}, 1)});
  const World world(scene, cpu());
  const CameraSensor camera{
      .site = {kWorldBody, {0, 0, 10}}, .width = 9, .height = 7, .field_of_view = 60, .range = 30};
  CameraSensor short_sighted = camera;
  short_sighted.range = 9.5f;
  Sensors sensors(world, {.cameras = {camera, short_sighted}});
  const ArrayView view = sensors.get("camera0_depth");
  EXPECT_EQ(view.rank, 3);
  EXPECT_EQ(view.shape, (std::array<std::int64_t, 3>{1, 7, 9}));
  EXPECT_EQ(view.strides, (std::array<std::int64_t, 3>{63, 9, 1}));
  sensors.update();
  const std::vector<float> depth = reading(sensors, "camera0_depth"), near = reading(sensors, "camera1_depth");
  const std::vector<std::uint32_t> body = indices(sensors, "camera0_body"),
                                   near_body = indices(sensors, "camera1_body");
  const double tangent = std::tan(30 * std::acos(-1.0) / 180);
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const double x = tangent * (2 * static_cast<double>(i % 9) + 1 - 9) / 7;
    const double y = tangent * (7 - 2 * static_cast<double>(i / 9) - 1) / 7;
    // (x d)^2 + (y d)^2 + (10 - d)^2 = 1
    const double a = x * x + y * y + 1, under = 100 - a * 99;
    const double want = under > 0 ? (10 - std::sqrt(under)) / a : 10;
    EXPECT_NEAR(depth[i], want, 64 * kEpsilon * want) << i;
    EXPECT_EQ(body[i], under > 0 ? 1u : 0u) << i;
    EXPECT_EQ(near[i], depth[i] <= 9.5f ? depth[i] : 9.5f) << i;
    EXPECT_EQ(near_body[i], depth[i] <= 9.5f ? body[i] : kNothing) << i;
  }
  EXPECT_EQ(body[31], 1u) << "in the middle";
}

TEST(CameraSensor, looks_along_minus_z_with_y_up) {
  // along -z of the world: what is on the right is at larger x, what is up at larger y
  Scene scene = scene_of({body("right", Box{{1, 1, 1}}, {4, 0, -10}, BodyType::kStatic),
                          body("up", Box{{1, 1, 1}}, {0, 4, -10}, BodyType::kStatic)});
  const World world(scene, cpu());
  Sensors sensors(world, {.cameras = {{.site = {}, .width = 3, .height = 3, .field_of_view = 60}}});
  sensors.update();
  const std::uint32_t none = kNothing;
  EXPECT_EQ(indices(sensors, "camera0_body"),
            (std::vector<std::uint32_t>{none, 1, none, none, none, 0, none, none, none}));
}

}  // namespace
}  // namespace cairn::sensors_test
