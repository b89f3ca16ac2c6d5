// What all sensors have in common: the same bits however worlds are stepped, clear errors, bodies that come and go.

#include <algorithm>

#include "cairn/math.h"
#include "cairn/world_scales.h"
#include "tests/sensors/sensed.h"
#include "tests/support/refusal.h"

namespace cairn::sensors_test {
namespace {

using namespace articulations_test;
using testing_support::refusal_of;

/// A robot on a floor with boxes, which some of the sensors see, and snakes that fall on it.
Scene scene_for(int boxes, int snakes = 1) {
  Scene scene = scene_of({plane()});
  Body base = box("box", {2, 0, 0.5});
  base.orientation = {0.1f, 0.2f, 0.3f, 1};
  scene.add_body(base);
  scene.add_articulation(table(10, 0.5, kDriven), standing(0.1));
  for (int i = 0; i < snakes; ++i)
    scene.add_articulation(snake("snake" + std::to_string(i), 6, 0.02, 1.5),
                           {{0, 0, 1 + 0.4 * i, 0, 0, 0, 1, 0, 0, 0, 0, 0}, {}});
  for (int i = 0; i < boxes; ++i) scene.add_body(box("more" + std::to_string(i), {2.1 + 0.1 * i, 0.3, 2 + 1.5 * i}));
  return scene;
}

/// Of everything, on the box and on what came after it.
SensorSet one_of_each() {
  SensorSet set;
  for (std::uint32_t i = 1; i < 5; ++i) {
    const Site site{i, {0.1, 0.2, -0.1}, {0.1f, -0.2f, 0.3f, 0.9f}};
    set.frames.push_back({site, {i + 1}, i % 2 == 0 ? VelocityAxes::kSite : VelocityAxes::kReference});
    set.imus.push_back({site});
    set.contacts.push_back({i});
    set.contacts.push_back({i, 0});
  }
  RayScan scan{.site = {1}, .axes = RayAxes::kYaw, .range = 8};
  for (int i = 0; i < 25; ++i)
    scan.origins.push_back({0.5f * static_cast<float>(i % 5 - 2), 0.5f * static_cast<float>(i / 5 - 2), 1});
  set.scans.push_back(scan);
  set.cameras.push_back({.site = {1, {0, 0, 4}}, .width = 8, .height = 6, .range = 20});
  set.joints = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}};
  return set;
}

/// Readings of one world after each of some steps, of which one is after a reset.
std::vector<std::vector<std::uint32_t>> readings(World& world, std::uint32_t in) {
  Sensors sensors(world, one_of_each());
  std::vector<std::vector<std::uint32_t>> all;
  for (int step = 0; step < 100; ++step) {
    if (step == 60) world.reset(in);
    world.step();
    sensors.update();
    if (step % 3 == 0) all.push_back(words_of(sensors, in));
  }
  return all;
}

TEST(Sensors, read_the_same_bits_on_any_threads_and_in_any_batch) {
  World alone(scene_for(3, 2), cpu(1));
  const auto want = readings(alone, 0);
  for (const int threads : {2, 3, 5}) {
    World world(scene_for(3, 2), cpu(threads));
    EXPECT_EQ(readings(world, 0), want) << threads << " threads";
  }
  for (const std::uint32_t in : {0u, 2u}) {
    WorldOptions options = cpu(2);
    options.tuning.small_world = in == 0 ? 0 : 4096;
    // one of them has no second articulation
    World batch(std::vector<Scene>{scene_for(3, 2), scene_for(5, 0), scene_for(3, 2)}, options);
    EXPECT_EQ(readings(batch, in), want) << "world " << in << " of a batch";
    Sensors sensors(batch, one_of_each());
    sensors.update();
    EXPECT_TRUE(std::isnan(reading(sensors, "joint_wrench")[(5 + 4) * 6]));
  }
}

TEST(Sensors, change_nothing) {
  World looked_at(scene_for(3), cpu()), alone(scene_for(3), cpu());
  Sensors sensors(looked_at, one_of_each());
  for (int step = 0; step < 30; ++step) {
    looked_at.step();
    alone.step();
    sensors.update();
    ASSERT_EQ(looked_at.state_hash(), alone.state_hash());
  }
  EXPECT_EQ(looked_at.snapshot().to_bytes(), alone.snapshot().to_bytes());
}

TEST(Sensors, list_their_arrays_by_name) {
  const World world = World::copies(scene_for(0), 3, cpu());
  const Sensors sensors(world, one_of_each());
  std::vector<std::string> names;
  for (const NamedArray& array : sensors.list()) {
    names.emplace_back(array.name);
    EXPECT_EQ(array.rows, "worlds");
    EXPECT_EQ(array.view.shape[0], 3);
    EXPECT_FALSE(array.view.writable);
    EXPECT_EQ(array.view.data, sensors.get(array.name).data);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"frame_pose", "frame_velocity", "imu", "contact_force", "joint_wrench",
                                             "scan0_distance", "scan0_body", "camera0_depth", "camera0_body"}));
  EXPECT_EQ(sensors.get("imu").shape, (std::array<std::int64_t, 3>{3, 4, 6}));
  EXPECT_EQ(sensors.description(), one_of_each());
  EXPECT_TRUE(Sensors(world, {}).list().empty());
}

TEST(Sensors, follow_bodies_by_index_as_they_come_and_go) {
  World world(scene_of({plane(), box("a", {0, 0, 1}), box("b", {3, 0, 1})}), cpu());
  Sensors sensors(world,
                  {.frames = {{{1}}, {{2}}}, .imus = {{{1}}}, .contacts = {{1}, {2, 1}}, .scans = {{.site = {1}}}});
  const void* const data = sensors.get("frame_pose").data;
  sensors.update();
  const auto all_nan = [](const std::vector<float>& words, std::size_t begin, std::size_t end) {
    return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(begin),
                       words.begin() + static_cast<std::ptrdiff_t>(end), [](float word) { return std::isnan(word); });
  };
  world.remove_body(world.bodies()[1]);
  sensors.update();
  EXPECT_TRUE(all_nan(reading(sensors, "frame_pose"), 0, 7));
  EXPECT_TRUE(all_nan(reading(sensors, "imu"), 0, 6));
  EXPECT_TRUE(all_nan(reading(sensors, "contact_force"), 0, 6)) << "of the other body, too";
  EXPECT_TRUE(all_nan(reading(sensors, "scan0_distance"), 0, 1));
  EXPECT_EQ(indices(sensors, "scan0_body"), std::vector<std::uint32_t>{~0u});
  EXPECT_EQ(reading(sensors, "frame_pose")[7], 3) << "the other one stays";
  world.add_body(box("c", {0, 5, 4}));
  for (int i = 0; i < 40; ++i) world.add_body(box("more" + std::to_string(i), {6.0 + 2 * i, 5, 4}));
  world.step();
  sensors.update();
  EXPECT_EQ(reading(sensors, "frame_pose")[1], 5) << "what comes takes its place";
  EXPECT_FLOAT_EQ(reading(sensors, "imu")[2], 9.81f) << "as at rest: nothing is known of it before";
  EXPECT_EQ(sensors.get("frame_pose").data, data);
}

TEST(Sensors, go_on_in_a_world_that_moves_or_is_restored) {
  // what ends last was made first
  World world(scene_of({plane()}), cpu());
  World first(scene_for(1), cpu());
  Sensors sensors(first, one_of_each());
  world = std::move(first);
  step(world, sensors, 5);
  const Snapshot kept = world.snapshot();
  const std::vector<std::uint32_t> before = words_of(sensors, 0);
  for (int step = 0; step < 5; ++step) world.step();
  world.restore(kept);
  Sensors again(world, one_of_each());
  sensors.update();
  again.update();
  EXPECT_EQ(reading(again, "frame_pose"), reading(sensors, "frame_pose"));
  EXPECT_EQ(reading(again, "contact_force"), reading(sensors, "contact_force")) << "contacts are in snapshots";
  EXPECT_EQ(reading(again, "scan0_distance"), reading(sensors, "scan0_distance"));
  world.restore(World::copies(scene_for(1), 2, cpu()).snapshot());
  EXPECT_EQ(refusal_of([&] { sensors.update(); }),
            "Sensors::update: the World has 2 worlds now, and had 1 when the sensors were made");
}

TEST(Sensors, grow_with_their_bodies) {
  World world(scene_of({ball("a", {0, 0, 3})}), cpu());
  Sensors sensors(world, {.frames = {{{0, {0, 0, 0.5}}}}});
  world.scales().set({.size = 2}, 0);
  sensors.update();
  EXPECT_EQ(reading(sensors, "frame_pose")[2], 4);
}

TEST(Sensors, are_refused_by_name) {
  const World world = World::copies(scene_of({plane(), box("a", {0, 0, 1})}), 2, cpu());
  const auto message = [&](const SensorSet& set) { return refusal_of([&] { Sensors sensors(world, set); }); };
  EXPECT_EQ(message({.frames = {{}, {{2}}}}), "Sensors: frames[1] site: no world has a body 2");
  EXPECT_EQ(message({.frames = {{{1}, {7}}}}), "Sensors: frames[0] reference: no world has a body 7");
  EXPECT_EQ(message({.contacts = {{1}, {1, 3}}}), "Sensors: contacts[1] other: no world has a body 3");
  EXPECT_EQ(message({.contacts = {{5}}}), "Sensors: contacts[0]: no world has a body 5");
  EXPECT_EQ(message({.imus = {{{1, {0, 2e6, 0}}}}}),
            "Sensors: imus[0] site position.y must be between -1e6 and 1e6 m, is 2e+06");
  EXPECT_EQ(message({.imus = {{{1, {}, {0, 0, 0, 0}}}}}),
            "Sensors: imus[0] site orientation must not be the zero quaternion");
  EXPECT_EQ(message({.scans = {{.range = -1}}}), "Sensors: scans[0] range must be over 0 and at most 1e8 m, is -1");
  EXPECT_EQ(message({.scans = {{.directions = {}}}}), "Sensors: scans[0] directions must not be empty");
  EXPECT_EQ(message({.scans = {{.directions = {{1, 0, 0}, {}}}}}),
            "Sensors: scans[0] directions[1] must be finite and not zero");
  EXPECT_EQ(message({.scans = {{.origins = {{}, {}, {}}, .directions = {{1, 0, 0}, {0, 1, 0}}}}}),
            "Sensors: scans[0] directions must be one or as many as origins, which are 3, are 2");
  EXPECT_EQ(message({.scans = {{.origins = {{0, 0, 2e6f}}}}}),
            "Sensors: scans[0] origins[0] must be between -1e6 and 1e6 m");
  EXPECT_EQ(message({.cameras = {{.width = 0}}}), "Sensors: cameras[0] width must be between 1 and 4096, is 0");
  EXPECT_EQ(message({.cameras = {{.field_of_view = 170}}}),
            "Sensors: cameras[0] field_of_view must be between 1 and 150 deg, is 170");
  const Sensors sensors(world, {.imus = {{}}});
  EXPECT_EQ(refusal_of([&] { sensors.get("imus"); }),
            "sensor array \"imus\": there is none of this name; there are imu");
}

}  // namespace
}  // namespace cairn::sensors_test
