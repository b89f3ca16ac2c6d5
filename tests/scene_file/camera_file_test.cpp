// Cameras of scenes and scene files.

#include <gtest/gtest.h>

#include "cairn/picture.h"
#include "cairn/world.h"
#include "tests/scene_file/errors.h"
#include "tests/scene_file/round_trip.h"
#include "tests/support/builders.h"

namespace cairn::scene_file_test {
namespace {

using testing_support::refusal_of;

std::string with_cameras(const std::string& list) {
  return R"({"cairn": 1, "cameras": )" + list +
         R"(, "bodies": [{"type": "static", "shapes": [{"sphere": {"radius": 1}}]},
            {"name": "a", "type": "dynamic", "mass": 1, "position": [0, 0, 5], "shapes": [{"sphere": {"radius": 1}}]}]})";
}
std::string with_camera(const std::string& members) { return with_cameras("[{" + members + "}]"); }

const std::string kFront = R"("name": "front", "eye": [0, -9, 2], "target": [0, 0, 1])";

TEST(CameraFile, is_read_and_written_with_the_body_that_it_follows) {
  const std::string two =
      "[{" + kFront + R"(, "follow": "#0"}, {"name": "side", "eye": [9.5, 0, 2], "target": [0, 0, 1],
      "field_of_view": 40, "follow": "a"}])";
  const Scene scene = parse_scene(with_cameras(two), "f");
  ASSERT_EQ(scene.cameras().size(), 2u);
  EXPECT_EQ(scene.cameras()[0], (SceneCamera{"front", {{0, -9, 2}, {0, 0, 1}}, 0}));
  EXPECT_EQ(scene.cameras()[1], (SceneCamera{"side", {{9.5, 0, 2}, {0, 0, 1}, 40}, 1}));
  EXPECT_EQ(scene.find_camera("side"), 1u);
  EXPECT_FALSE(scene.find_camera("back"));
  const std::string text = scene_to_json(scene);
  EXPECT_TRUE(reads_back(scene));
  EXPECT_NE(text.find(R"("follow": "#0")"), std::string::npos) << text;
  // a scene without cameras is written without the key
  EXPECT_EQ(scene_to_json(parse_scene(with_cameras("[]"), "f")).find("cameras"), std::string::npos);
}

TEST(CameraFile, that_is_wrong_is_refused_at_its_place) {
  expect_errors({
      {with_cameras("{}"), "/cameras: must be an array, is an object"},
      {with_cameras("[3]"), "/cameras/0: must be an object, is a number"},
      {with_camera(R"("eye": [0, 0, 1], "target": [0, 0, 0])"), "/cameras/0/name: is required, is missing"},
      {with_camera(R"("name": "b", "target": [0, 0, 0])"), "/cameras/0/eye: is required, is missing"},
      {with_camera(R"("name": "b", "eye": [0, 0, 0], "target": [0, 0, 0])"),
       "/cameras/0/target: must be 1e-6 to 1e12 m from the eye"},
      {with_camera(R"("name": "", "eye": [1, 0, 0], "target": [0, 0, 0])"), "/cameras/0/name: must not be empty"},
      {with_camera(kFront + R"(, "field_of_view": 0)"),
       "/cameras/0/field_of_view: must be between 1 and 150 deg, is 0"},
      {with_camera(kFront + R"(, "follow": "b")"), "/cameras/0/follow: no body is named \"b\""},
      {with_camera(kFront + R"(, "folow": "a")"), "/cameras/0/folow: unknown key; did you mean \"follow\"?"},
      {with_cameras("[{" + kFront + "}, {" + kFront + "}]"),
       "/cameras/1/name: must be unique, /cameras/0 has it too: \"front\""},
  });
}

TEST(SceneCamera, that_is_wrong_is_refused_and_changes_nothing) {
  Scene scene = testing_support::tower(1);
  const PictureCamera view{{0, -9, 2}, {0, 0, 1}};
  scene.add_camera({"a", view, 1});
  const auto said = [&](const SceneCamera& camera) { return refusal_of([&] { scene.add_camera(camera); }); };
  EXPECT_EQ(said({"b", view, 2}), "camera \"b\": follow must be the index of a body (there are 2), is 2");
  EXPECT_EQ(said({"b", {{0, 0, 1}, {0, 0, 1}}, {}}), "camera \"b\": target must be 1e-6 to 1e12 m from the eye");
  EXPECT_EQ(said({"a", view, {}}), "camera \"a\": name must be unique, camera 0 has it too");
  EXPECT_EQ(scene.cameras().size(), 1u);
}

TEST(SceneCamera, goes_along_with_the_body_that_it_follows) {
  Scene scene;
  scene.add_body(testing_support::ball("still", {5, 0, 9}));
  scene.add_body(testing_support::ball("falls", {1, 0, 9}));
  const SceneCamera camera{"camera", {{1, -9, 9}, {1, 0, 9}, 30}, 1};
  scene.add_camera(camera);
  World world = World::copies(scene, 2, testing_support::cpu());
  EXPECT_EQ(camera_now(camera, scene, world), camera.view);
  world.set_origin({0, 100, 0}, 1);
  testing_support::run(world, 30);
  const double fallen = world.state(world.body_at(1, 1)).position.z - 9;
  EXPECT_LT(fallen, -1);
  const PictureCamera now = camera_now(camera, scene, world, 1);
  EXPECT_EQ(now, (PictureCamera{{1, 91, 9 + fallen}, {1, 100, 9 + fallen}, 30}));
  world.remove_body(world.body_at(1, 1));
  EXPECT_EQ(camera_now(camera, scene, world, 1).eye, (Vec3d{1, 91, 9}));
  EXPECT_THROW((void)camera_now(camera, scene, world, 2), InvalidArgument);
}

}  // namespace
}  // namespace cairn::scene_file_test
