// Every kind of shape through the C interface, there and back.

#include <variant>
#include <vector>

#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

const std::vector<float> kPoints{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

TEST(CApiShapes, of_every_kind_reach_the_scene) {
  const std::uint32_t triangles[]{0, 1, 2, 0, 2, 3, 1, 1, 2};
  const float heights[]{0, 1, 2, 3, 4, 5};
  cairn_solid* const solids[]{value_of(cairn_hull_create, kPoints.data(), 4),
                              value_of(cairn_mesh_create, kPoints.data(), 4, triangles, 3),
                              value_of(cairn_height_field_create, 3, 2, 0.5f, heights, 6)};
  std::vector<cairn_shape> shapes;
  for (std::int32_t kind = CAIRN_SPHERE; kind <= CAIRN_HEIGHT_FIELD; ++kind) {
    cairn_shape s = init(cairn_shape_init);
    s.kind = kind;
    s.size[0] = 0.75f;
    s.size[1] = 0.5f;
    s.size[2] = 0.25f;
    if (kind >= CAIRN_HULL) s.solid = solids[kind - CAIRN_HULL];
    shapes.push_back(s);
  }
  cairn_body body = body_of("all", shapes.data(), shapes.size());
  body.type = CAIRN_STATIC;
  cairn_scene* const scene = value_of(cairn_scene_create);
  ASSERT_EQ(cairn_scene_add_body(scene, &body, nullptr), CAIRN_OK) << cairn_last_error();
  for (cairn_solid* solid : solids) cairn_solid_destroy(solid);

  const Scene read = parse_scene(text_of(scene), "written");
  const std::vector<Shape>& got = read.bodies()[0].shapes;
  ASSERT_EQ(got.size(), shapes.size());
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k].geometry.index(), k);
  EXPECT_EQ(std::get<Tube>(got[CAIRN_TUBE].geometry), (Tube{0.75f, 0.5f, 0.25f}));
  EXPECT_EQ(std::get<Cone>(got[CAIRN_CONE].geometry), (Cone{0.75f, 0.5f}));
  EXPECT_EQ(std::get<RoundedBox>(got[CAIRN_ROUNDED_BOX].geometry), (RoundedBox{{0.75f, 0.5f, 0.25f}, 0.05f}));
  EXPECT_EQ(std::get<ConvexHull>(got[CAIRN_HULL].geometry).vertices().size(), 4u);
  EXPECT_EQ(std::get<HeightField>(got[CAIRN_HEIGHT_FIELD].geometry).columns(), 3u);
  cairn_scene_destroy(scene);
}

TEST(CApiShapes, solids_tell_what_they_hold) {
  const std::uint32_t triangles[]{0, 1, 2, 1, 1, 2};
  cairn_solid* const hull = value_of(cairn_hull_create, kPoints.data(), 4);
  cairn_solid* const mesh = value_of(cairn_mesh_create, kPoints.data(), 4, triangles, 2);
  cairn_solid* const field = value_of(cairn_height_field_create, 2, 2, 0.5f, kPoints.data(), 4);
  std::size_t count = 0;
  std::vector<float> numbers(12, -1);
  EXPECT_EQ(value_of(cairn_solid_kind, hull), CAIRN_HULL);
  EXPECT_EQ(value_of(cairn_solid_vertices, hull, numbers.data(), 3), 4u);
  EXPECT_EQ(numbers[0], -1) << "there was too little room";
  ASSERT_EQ(cairn_solid_vertices(hull, numbers.data(), 4, &count), CAIRN_OK);
  EXPECT_EQ(numbers, kPoints);
  std::uint32_t corners[3]{};
  EXPECT_EQ(value_of(cairn_solid_triangles, mesh, corners, 1), 1u);
  EXPECT_EQ(corners[2], 2u);
  std::uint32_t columns = 0, rows = 0;
  float spacing = 0;
  ASSERT_EQ(cairn_solid_heights(field, &columns, &rows, &spacing, nullptr, 0, &count), CAIRN_OK);
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(spacing, 0.5f);
  EXPECT_TRUE(fails(cairn_solid_triangles(hull, nullptr, 0, &count), "solid must be a mesh"));
  EXPECT_TRUE(fails(cairn_solid_vertices(field, nullptr, 0, &count), "a hull or a mesh"));
  for (cairn_solid* solid : {hull, mesh, field}) cairn_solid_destroy(solid);
}

TEST(CApiShapes, that_are_wrong_are_refused) {
  cairn_solid* none = nullptr;
  EXPECT_TRUE(fails(cairn_hull_create(kPoints.data(), 3, &none), "is of 3"));
  const std::uint32_t far[]{0, 1, 1u << 31};
  EXPECT_TRUE(fails(cairn_mesh_create(kPoints.data(), 4, far, 1, &none), "vertex 2147483648"));
  EXPECT_TRUE(fails(cairn_hull_create(kPoints.data(), SIZE_MAX / 2, &none), "there can't be"));
  EXPECT_TRUE(fails(cairn_solid_load("none.obj", CAIRN_MESH, 1, &none), "none.obj"));
  EXPECT_TRUE(fails(cairn_solid_load("none.obj", CAIRN_BOX, 1, &none), "CAIRN_HULL"));
  cairn_solid* const hull = value_of(cairn_hull_create, kPoints.data(), 4);
  cairn_scene* const scene = value_of(cairn_scene_create);
  cairn_shape shape = init(cairn_shape_init);
  shape.kind = CAIRN_MESH;
  const cairn_body body = body_of("a", &shape);
  EXPECT_TRUE(fails(cairn_scene_add_body(scene, &body, nullptr), "cairn_shape.solid"));
  shape.solid = hull;
  EXPECT_TRUE(fails(cairn_scene_add_body(scene, &body, nullptr), "of the shape's kind, 11"));
  cairn_scene_destroy(scene);
  cairn_solid_destroy(hull);
}

TEST(CApiShapes, bodies_have_a_tensor_a_centre_and_point_masses) {
  const cairn_point_mass points[]{{1, {1, 2, 3}}, {2, {0, 0, 1}}};
  cairn_scene* const scene = value_of(cairn_scene_create);
  const cairn_shape shape = init(cairn_shape_init);
  cairn_body body = body_of("a", &shape);
  body.mass = 10;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 3;
  body.inertia_products[1] = 0.5f;
  body.has_centre_of_mass = 1;
  body.centre_of_mass[2] = 0.25f;
  body.point_masses = points;
  body.point_mass_count = 2;
  body.fixed_rotation = 1;
  body.bullet = 1;
  body.has_color = 1;  // black, which isn't none
  ASSERT_EQ(cairn_scene_add_body(scene, &body, nullptr), CAIRN_OK) << cairn_last_error();
  const cairn_scene* const scenes[]{scene};
  cairn_world* const world = value_of(cairn_world_create, scenes, 1, nullptr);
  cairn_handle handle{};
  ASSERT_EQ(cairn_world_bodies(world, 0, &handle, 1), CAIRN_OK);
  cairn_body got = init(cairn_body_init);
  ASSERT_EQ(cairn_body_describe(world, handle, 0, &got, nullptr, 0), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(got.inertia_products[1], 0.5f);
  EXPECT_EQ(got.has_centre_of_mass, 1);
  EXPECT_EQ(got.centre_of_mass[2], 0.25f);
  EXPECT_EQ(got.point_mass_count, 2u);
  EXPECT_EQ(got.fixed_rotation, 1);
  EXPECT_EQ(got.bullet, 1);
  EXPECT_EQ(got.has_color, 1);
  EXPECT_EQ(got.color[0], 0);
  std::vector<cairn_point_mass> back(2);
  EXPECT_EQ(value_of(cairn_body_point_masses, world, handle, 0, back.data(), 2), 2u);
  EXPECT_EQ(back[0].position[1], 2);
  cairn_solid* solid = nullptr;
  EXPECT_TRUE(fails(cairn_solid_of_body(world, handle, 0, 0, &solid), "no hull"));
  EXPECT_TRUE(fails(cairn_solid_of_body(world, handle, 0, 1, &solid), "below 1"));
  cairn_world_destroy(world);
  cairn_scene_destroy(scene);
}

}  // namespace
}  // namespace cairn::c_api_test
