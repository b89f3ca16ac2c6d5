// OBJ and STL files, sound and hostile.

#include "cairn/mesh_file.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "tests/support/refusal.h"

namespace cairn::mesh_file_test {
namespace {

using testing_support::refusal_of;

std::string obj_error(const std::string& text, const MeshFileLimits& limits = {}) {
  return refusal_of([&] { parse_obj(text, "f.obj", limits); });
}

std::string stl_error(const std::string& bytes, const MeshFileLimits& limits = {}) {
  return refusal_of([&] { parse_stl(bytes, "f.stl", limits); });
}

std::string binary_stl(const std::vector<std::array<float, 9>>& triangles) {
  std::string out(80, ' ');
  const auto add = [&](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(static_cast<std::uint32_t>(triangles.size()));
  for (const auto& t : triangles) {
    for (int k = 0; k < 3; ++k) add(0.0f);
    for (const float x : t) add(x);
    add(std::uint16_t{0});
  }
  return out;
}

const std::string kTextStl =
    "solid a thing\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1e0 0.5\n"
    "  endloop\n endfacet\nendsolid a thing\n";

TEST(Obj, has_vertices_and_faces_of_any_notation) {
  const Surface s = parse_obj(
      "# a comment\nmtllib a.mtl\r\no thing\nv 0 0 0\nv 1 0 0 1 0.5 0.5\nv +1.5e0 1 -0.25 # here\nv 0 1 0\n"
      "vt 0 0\nvn 0 0 1\n"
      "usemtl m\ns off\nf 1/1/1 2/1/1 3/1/1\nf -4 -2//1 -1//1\nf 1 2 3 4\nl 1 2\n",
      "f.obj");
  ASSERT_EQ(s.vertices.size(), 4u);
  EXPECT_EQ(s.vertices[2], (Vec3{1.5f, 1, -0.25f}));
  using T = TriangleMesh::Triangle;
  EXPECT_EQ(s.triangles, (std::vector<T>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}}));
}

TEST(Obj, rounds_numbers_to_the_nearest) {
  const Surface s = parse_obj("v 0.1 16777217 1e-60\nv 3.4028235e38 1.17549435e-38 1e-45\nv 0 0 0\nf 1 2 3\n", "f.obj");
  EXPECT_EQ(s.vertices[0], (Vec3{0.1f, 16777216.0f, 0}));
  EXPECT_EQ(s.vertices[1], (Vec3{std::numeric_limits<float>::max(), std::numeric_limits<float>::min(), 1e-45f}));
}

TEST(Obj, faces_may_stand_before_their_vertices) {
  EXPECT_EQ(parse_obj("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", "f.obj").triangles.size(), 1u);
}

TEST(Obj, faces_that_are_bent_in_are_cut_from_the_corner_that_sees_all) {
  const std::string v = "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\n";
  using T = TriangleMesh::Triangle;
  const std::vector<T> want{{2, 3, 0}, {2, 0, 1}};
  EXPECT_EQ(parse_obj(v + "f 2 3 4 1\n", "f.obj").triangles, want);
  EXPECT_EQ(parse_obj(v + "f 1 2 3 4\n", "f.obj").triangles, (std::vector<T>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Obj, errors_name_file_and_line) {
  const std::string v = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(obj_error("v 0 0\n"), "f.obj:1: a vertex must have three numbers");
  EXPECT_EQ(obj_error("\n\nv 0 x 0\n"), "f.obj:3: must be a number, is \"x\"");
  EXPECT_EQ(obj_error("v 0 1.0.0 0\n"), "f.obj:1: must be a number, is \"1.0.0\"");
  EXPECT_EQ(obj_error("v 0 nan 0\n"), "f.obj:1: must be a number that float32 can hold, is \"nan\"");
  EXPECT_EQ(obj_error("v 0 1e39 0\n"), "f.obj:1: must be a number that float32 can hold, is \"1e39\"");
  EXPECT_EQ(obj_error("v 0 -1e999 0\n"), "f.obj:1: must be a number that float32 can hold, is \"-1e999\"");
  EXPECT_EQ(obj_error(v + "f 1 2\n"), "f.obj:4: a face must have three corners at least");
  EXPECT_EQ(obj_error(v + "f 1 2 0\n"), "f.obj:4: there is no vertex \"0\"");
  EXPECT_EQ(obj_error(v + "f 1 2 -4\n"), "f.obj:4: there is no vertex \"-4\"");
  EXPECT_EQ(obj_error(v + "f 1 2 4\n"), "f.obj:4: a face has vertex 4, and there are 3");
  EXPECT_EQ(obj_error(v + "f 1 2 2147483648\n"), "f.obj:4: a face has vertex 2147483648, and there are 3");
  EXPECT_EQ(obj_error(v + "f 1 2 99999999999999999999\n"),
            "f.obj:4: a corner must be a whole number that isn't too large, is \"99999999999999999999\"");
  EXPECT_EQ(obj_error(v + "f 1 2 3/1/1/1\n"), "f.obj:4: a corner must be of three numbers at most, is \"3/1/1/1\"");
  EXPECT_EQ(obj_error(v + "f 1 2 \\\n3\n"), "f.obj:4: a line that goes on in the next isn't read");
  EXPECT_EQ(obj_error(v + "curv2 1 2\n"), "f.obj:4: only polygons are read, not \"curv2\"");
  // a comb, of which no corner sees all teeth
  EXPECT_EQ(obj_error("v 0 0 0\nv 6 0 0\nv 6 3 0\nv 5 .5 0\nv 4 3 0\nv 3 .5 0\nv 2 3 0\nv 1 .5 0\nv 0 3 0\n"
                      "f 1 2 3 4 5 6 7 8 9\n"),
            "f.obj:10: a face that is bent in so much must be cut into triangles");
}

TEST(Obj, cut_anywhere_is_an_error_or_a_shorter_surface_and_never_a_crash) {
  const std::string text = "# a square\nv 0 0 0\nv 1 0 .5\nv 1 1 0\nv 0 1 -1e-3\nvt 0 0\nf 1/1 2/1 3/1\nf 1 3 -1\n";
  EXPECT_EQ(obj_error(text), "");
  std::size_t good = 0;
  for (std::size_t n = 0; n < text.size(); ++n) {
    if (!obj_error(text.substr(0, n)).empty()) continue;
    const Surface surface = parse_obj(text.substr(0, n), "f.obj");
    EXPECT_LE(surface.triangles.size(), 2u);
    ++good;
  }
  EXPECT_LT(good, text.size()) << "some cuts are within a face or a number";
}

TEST(Obj, caps_come_before_memory) {
  std::string text;
  for (int k = 0; k < 100; ++k) text += "v 0 0 0\n";
  EXPECT_EQ(obj_error(text, {.vertices = 99}), "f.obj:100: more than 99 vertices");
  EXPECT_EQ(obj_error(text, {.bytes = 10}), "f.obj: more than 10 bytes");
  EXPECT_EQ(obj_error("f 1 2 3\nf 1 2 3\n", {.triangles = 1}), "f.obj:2: more than 1 triangles");
}

TEST(Stl, of_text_and_binary_give_the_same) {
  const Surface text = parse_stl(kTextStl, "f.stl");
  const Surface binary = parse_stl(binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0.5f}}), "f.stl");
  EXPECT_EQ(text.vertices, binary.vertices);
  EXPECT_EQ(text.triangles, binary.triangles);
  EXPECT_EQ(parse_stl(kTextStl + kTextStl, "f.stl").triangles.size(), 2u);
  EXPECT_TRUE(parse_stl(binary_stl({}), "f.stl").triangles.empty());
}

TEST(Stl, errors_name_file_and_line_or_triangle) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(stl_error(binary_stl({{}, {0, 0, 0, 1, 0, 0, 0, kNan, 0.5f}})),
            "f.stl: triangle 1 has a corner that isn't finite");
  std::string cut = binary_stl({{}, {}});
  cut.pop_back();
  EXPECT_EQ(stl_error(cut), "f.stl: says that it has 2 triangles, which take 184 bytes, and is 183 bytes long");
  std::string lies = binary_stl({});
  const std::uint32_t many = 1u << 31;
  std::memcpy(lies.data() + 80, &many, sizeof many);
  EXPECT_EQ(stl_error(lies),
            "f.stl: says that it has 2147483648 triangles, which take 107374182484 bytes, and is 84 bytes long");
  EXPECT_EQ(stl_error(""), "f.stl: is too short for an STL file, and has no word solid at its front");
  EXPECT_EQ(stl_error("solid\nfacet normal 0 0 1 outer loop vertex 0 0 zero"),
            "f.stl:2: must be a number, is \"zero\"");
  EXPECT_EQ(stl_error("solid\nfacet normal 0 0 1\nouter loop vertex 0 0"), "f.stl:3: ends where a number must be");
  EXPECT_EQ(stl_error("solid\nfacet normal 0 0 1\nouter ring"), "f.stl:3: must go on with loop, has \"ring\"");
  EXPECT_EQ(stl_error("solid\n"), "f.stl:1: must go on with facet or endsolid, ends");
  EXPECT_EQ(stl_error(kTextStl, {.triangles = 0}), "f.stl:2: more than 0 triangles");
}

TEST(Stl, cut_anywhere_is_an_error_or_a_shorter_surface_and_never_a_crash) {
  const std::string binary = binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0.5f}, {1, 2, 3, 4, 5, 6, 7, 8, 9}});
  for (std::size_t n = 0; n < binary.size(); ++n) EXPECT_NE(stl_error(binary.substr(0, n)), "") << n;
  for (std::size_t n = 0; n + 18 < kTextStl.size(); ++n) EXPECT_NE(stl_error(kTextStl.substr(0, n)), "") << n;
}

TEST(MeshFile, is_told_by_its_name_and_must_be_a_file) {
  const auto why = [](const std::filesystem::path& file) { return refusal_of([&] { load_surface(file); }); };
  const auto folder = std::filesystem::temp_directory_path() / "cairn_mesh_file_test";
  std::filesystem::create_directories(folder / "d.obj");
  std::ofstream(folder / "a.STL", std::ios::binary) << kTextStl;
  EXPECT_EQ(load_surface(folder / "a.STL").triangles.size(), 1u);
  EXPECT_NE(why(folder / "a.ply").find("must be named .obj or .stl"), std::string::npos);
  EXPECT_NE(why(folder / "none.obj").find("is no file that can be read"), std::string::npos);
  EXPECT_NE(why(folder / "d.obj").find("is no file that can be read"), std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cairn::mesh_file_test
