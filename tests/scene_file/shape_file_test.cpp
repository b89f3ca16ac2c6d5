// Hulls, meshes and height fields in scene files, inline and from files; inertia and its mending.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/scene_file/errors.h"

namespace cairn::scene_file_test {
namespace {

std::string scene_of(const std::string& body) { return R"({"cairn":1,"bodies":[{"name":"a",)" + body + "}]}"; }
std::string scene_of_shape(const std::string& shape) {
  return scene_of(R"("type":"static","shapes":[{)" + shape + "}]");
}

/// A folder with a scene and mesh files, gone at the end.
class SceneFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "scenes/rocks");
    write("scenes/rocks/tetrahedron.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write("scenes/bad.obj", "v 0 0 0\nv 1 0\n");
    write("outside.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\n");
    std::filesystem::create_symlink(folder / "outside.obj", folder / "scenes/link.obj");
    std::filesystem::create_symlink(folder / "scenes/rocks", folder / "scenes/inner");
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string error(const std::string& shape) const {
    return error_of(scene_of_shape(shape), {}, {.folder = folder / "scenes"});
  }

  // tests of one program may run beside each other
  std::filesystem::path folder{std::filesystem::temp_directory_path() /
                               (std::string("cairn_") + testing::UnitTest::GetInstance()->current_test_info()->name())};
};

TEST_F(SceneFolder, has_files_that_shapes_share) {
  write("scenes/s.json", R"({"cairn":1,"bodies":[
    {"name":"m","type":"static","shapes":[{"mesh":{"file":"rocks/tetrahedron.obj"}}]},
    {"name":"n","type":"static","shapes":[{"mesh":{"file":"inner/tetrahedron.obj"}}]},
    {"name":"h","type":"dynamic","density":1,"shapes":[{"hull":{"file":"rocks/tetrahedron.obj","scale":2}}]}]})");
  const Scene scene = load_scene(folder / "scenes/s.json");
  const auto& mesh = std::get<TriangleMesh>(scene.bodies()[0].shapes[0].geometry);
  EXPECT_EQ(mesh.triangles().size(), 4u);
  EXPECT_EQ(mesh.data(), std::get<TriangleMesh>(scene.bodies()[1].shapes[0].geometry).data());
  const auto& hull = std::get<ConvexHull>(scene.bodies()[2].shapes[0].geometry);
  EXPECT_EQ(hull.vertices()[1], (Vec3{2, 0, 0}));
  EXPECT_FLOAT_EQ(static_cast<float>(mass_properties(scene.bodies()[2], scene.materials()).mass), 8.0f / 6);
  // what is written has no file any more, and shares again when it is read
  const Scene again = parse_scene(scene_to_json(scene), "written");
  EXPECT_EQ(again.bodies(), scene.bodies());
  EXPECT_EQ(std::get<TriangleMesh>(again.bodies()[0].shapes[0].geometry).data(),
            std::get<TriangleMesh>(again.bodies()[1].shapes[0].geometry).data());
}

TEST_F(SceneFolder, keeps_scenes_from_looking_elsewhere) {
  const std::string at = "f: /bodies/0/shapes/0/mesh/file: ";
  EXPECT_EQ(error(R"("mesh":{"file":"../outside.obj"})"),
            at + "must be a path below the scene's folder, is \"../outside.obj\"");
  EXPECT_EQ(error(R"("mesh":{"file":"/a.obj"})"), at + "must be a path below the scene's folder, is \"/a.obj\"");
  EXPECT_EQ(error(R"("mesh":{"file":"link.obj"})"), at + "must lie below the scene's folder; \"link.obj\" leads out");
  EXPECT_EQ(error(R"("mesh":{"file":"none.obj"})"), at + "there is no file \"none.obj\" in the scene's folder");
  EXPECT_EQ(error_of(scene_of_shape(R"("mesh":{"file":"a.obj"})")),
            at + "can't be named by a scene that isn't in a folder itself");
}

TEST_F(SceneFolder, errors_name_the_place_in_the_scene_and_the_line_in_the_file) {
  const std::string got = error(R"("hull":{"file":"bad.obj"})");
  EXPECT_TRUE(got.starts_with("f: /bodies/0/shapes/0/hull/file: ")) << got;
  EXPECT_TRUE(got.ends_with("bad.obj:2: a vertex must have three numbers")) << got;
  EXPECT_EQ(error(R"("hull":{"file":"rocks/tetrahedron.obj","scale":0})"),
            "f: /bodies/0/shapes/0/hull/scale: must be over 0");
  const std::string large = error(R"("hull":{"file":"rocks/tetrahedron.obj","scale":1e38})");
  EXPECT_TRUE(large.starts_with("f: /bodies/0/shapes/0/hull")) << large;
  EXPECT_EQ(error(R"("hull":{"file":"rocks/tetrahedron.obj","points":[]})"),
            "f: /bodies/0/shapes/0/hull: must have one of points and file, has both");
}

TEST(SceneShapes, are_refused_by_place) {
  const auto error = [](const std::string& shape) { return error_of(scene_of_shape(shape)); };
  const std::string at = "f: /bodies/0/shapes/0/";
  EXPECT_EQ(error(R"("hull":{"points":[[0,0,0],[1,0,0],[0,1]]})"), at + "hull/points/2: must have 3 numbers, has 2");
  EXPECT_EQ(error(R"("hull":{"points":[[0,0,0],[1,0,0],[0,1,0],7]})"),
            at + "hull/points/3: must be an array, is a number");
  EXPECT_EQ(error(R"("hull":{"points":[[0,0,0],[1,0,0],[0,1,0]]})"),
            at + "hull/points: convex hull: must be of 4 to 134217728 points, is of 3");
  EXPECT_EQ(error(R"("hull":{"points":"x"})"), at + "hull/points: must be an array, is a string");
  EXPECT_EQ(error(R"("hull":{})"), at + "hull/points: is required, is missing");
  EXPECT_EQ(error(R"("mesh":{"vertices":[[0,0,0],[1,0,0],[0,1,0]],"triangles":[[0,1,2],[0,1,-1]]})"),
            at + "mesh/triangles/1/2: must be the number of a vertex, from 0, is \"-1\"");
  EXPECT_EQ(error(R"("mesh":{"vertices":[[0,0,0],[1,0,0],[0,1,0]],"triangles":[[0,1,2147483648]]})"),
            at + "mesh: triangle mesh: triangle 0 must be of vertices 0 to 2, has a corner at vertex 2147483648");
  EXPECT_EQ(error(R"("height_field":{"columns":2,"rows":2,"spacing":1,"heights":[0,0,0,null]})"),
            at + "height_field/heights/3: must be a number, is null");
  EXPECT_EQ(error(R"("height_field":{"columns":-2,"rows":2,"spacing":1,"heights":[0,0,0,0]})"),
            at + "height_field/columns: must be at least 2, is -2");
  EXPECT_EQ(error(R"("tube":{"outer_radius":1,"inner_radius":1,"half_height":1})"),
            at + "tube/outer_radius: must be over inner_radius (1), is 1");
  EXPECT_EQ(error(R"("rounded_box":{"half_extents":[1,0.5,1],"radius":0.5})"),
            at + "rounded_box/half_extents/1: must be over radius (0.5), is 0.5");
  EXPECT_EQ(error_of(scene_of(R"("type":"dynamic","mass":1,"shapes":[{"height_field":
                {"columns":2,"rows":2,"spacing":1,"heights":[0,0,0,0]}}])")),
            at + "height_field: must be on a static or kinematic body; a dynamic one may be made of hulls instead");
}

TEST(SceneShapes, have_caps) {
  std::string points = "[0,0,0]";
  for (int k = 0; k < 100; ++k) points += ",[0,0,1]";
  EXPECT_EQ(error_of(scene_of_shape(R"("hull":{"points":[)" + points + "]}"), {.shape_numbers = 100}),
            "f: /bodies/0/shapes/0/hull/points/33: more than 100 numbers in hulls, meshes, height fields, point "
            "masses, starts, particles and fields in all");
  // a long list elsewhere is none of these
  EXPECT_EQ(error_of(scene_of_shape(R"("box":{"half_extents":[)" + points + "]}")),
            "f: /bodies/0/shapes/0/box/half_extents/16: too many elements");
}

TEST(SceneInertia, is_a_tensor_or_moments_and_has_points_beside_it) {
  const Scene scene = parse_scene(
      scene_of(R"("type":"dynamic","mass":10,"inertia":[[3,0.5,0],[0.5,3,-0.25],[0,-0.25,2]],"centre_of_mass":[0,1,0],
                  "point_masses":[{"mass":2,"position":[1,0,0]}],"shapes":[{"cone":{"radius":1,"half_height":2}}])"),
      "f");
  const Body& body = scene.bodies()[0];
  EXPECT_EQ(*body.inertia, (Inertia{{3, 3, 2}, {0.5f, 0, -0.25f}}));
  EXPECT_EQ(*body.centre_of_mass, (Vec3{0, 1, 0}));
  EXPECT_EQ(body.point_masses, (std::vector<PointMass>{{2, {1, 0, 0}}}));
}

TEST(SceneInertia, is_mended_where_that_is_asked_for_and_told) {
  const auto with = [](const std::string& inertia) {
    return scene_of(R"("type":"dynamic","mass":1,"inertia":)" + inertia + R"(,"shapes":[{"sphere":{"radius":1}}])");
  };
  const std::string skew = with("[[2,0.5,0],[0.25,2,0],[0,0,2]]"), long_one = with("[1,1,5]");
  EXPECT_EQ(error_of(skew), "f: /bodies/0/inertia: must be symmetric, has xy, yx = 0.5 and 0.25");
  EXPECT_EQ(error_of(long_one),
            "f: /bodies/0/inertia: must have no moment above the sum of the other two, is (1, 1, 5)");
  std::vector<std::string> repairs;
  const Scene scene = parse_scene(skew, "f", {}, {.repairs = &repairs});
  EXPECT_EQ(scene.bodies()[0].inertia->products.x, 0.375f);
  EXPECT_EQ(parse_scene(long_one, "f", {}, {.repairs = &repairs}).bodies()[0].inertia->moments, (Vec3{2, 2, 4}));
  EXPECT_EQ(repairs, (std::vector<std::string>{
                         "f: /bodies/0/inertia: must be symmetric, has xy, yx = 0.5 and 0.25; took 0.375",
                         "f: /bodies/0/inertia: must have no moment above the sum of the other two, is (1, 1, 5); took "
                         "[[2, 0, 0], [0, 2, 0], [0, 0, 4]]"}));
  EXPECT_NE(error_of(with("[0,0,-1]"), {}, {.repairs = &repairs}), "nothing thrown");
}

}  // namespace
}  // namespace cairn::scene_file_test
