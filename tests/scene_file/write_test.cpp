// What is written reads back equal, bit for bit; and the schema knows the same keys as the reader.

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/scene/camera_rules.h"
#include "src/scene/field_rules.h"
#include "tests/scene_file/draw.h"
#include "tests/scene_file/round_trip.h"
#include "tests/scene_file/schema.h"

namespace cairn::scene_file_test {
namespace {

Geometry draw_newer(Draw& draw, BodyType type) {
  const float size = draw.scaled(100);
  const auto points = [&](std::uint64_t n) {
    std::vector<Vec3> list;
    for (; n > 0; --n) list.push_back(draw.within(10));
    return list;
  };
  switch (draw.below(type == BodyType::kDynamic ? 7 : 9)) {
    case 0:
      return Cylinder{draw.scaled(100), draw.scaled(100)};
    case 1:
      return Cone{draw.scaled(100), draw.scaled(100)};
    case 2:
      return TaperedCylinder{draw.scaled(100), draw.scaled(100), draw.scaled(100)};
    case 3:
      return Tube{size * 1.5f, size, draw.scaled(100)};
    case 4:
      return Ellipsoid{draw.scaled3(100)};
    case 5:
      return RoundedBox{{size * 1.5f, size * 2, size * 3}, size};
    case 6:
      return ConvexHull(points(4 + draw.below(30)));
    case 7: {
      std::vector<TriangleMesh::Triangle> triangles{{0, 1, 2}, {3, 1, 3}};
      for (std::uint64_t n = draw.below(20); n > 0; --n) {
        const auto corner = [&] { return static_cast<std::uint32_t>(draw.below(10)); };
        triangles.push_back({corner(), corner(), corner()});
      }
      std::vector<Vec3> vertices = points(10);
      // one on the edge of two others
      const Vec3 &a = vertices[0], &b = vertices[1];
      vertices.push_back({0.5f * (a.x + b.x), 0.5f * (a.y + b.y), 0.5f * (a.z + b.z)});
      triangles.push_back({0, 10, 1});
      triangles.push_back({2, 10, 1});
      return TriangleMesh(vertices, triangles);
    }
    default: {
      std::vector<float> heights;
      for (int k = 0; k < 12; ++k) heights.push_back(draw.signed_within(10));
      return HeightField(4, 3, size, heights);
    }
  }
}

Shape draw_shape(Draw& draw, BodyType type, std::uint32_t materials) {
  Shape shape;
  switch (draw.below(type == BodyType::kStatic ? 5 : 4)) {
    case 0:
      shape.geometry = Sphere{draw.scaled(100)};
      break;
    case 1:
      shape.geometry = Box{draw.scaled3(100)};
      break;
    case 2:
      shape.geometry = Capsule{draw.scaled(100), draw.scaled(100)};
      break;
    case 3:
      shape.geometry = draw_newer(draw, type);
      break;
    default:
      shape.geometry = Plane{draw.scaled3(1e9), draw.signed_within(1e7)};
  }
  if (draw.coin()) shape.position = draw.within(100);
  if (draw.coin()) shape.orientation = {draw.signed_within(1), draw.signed_within(1), -0.0f, draw.scaled(9)};
  shape.material = static_cast<std::uint32_t>(draw.below(materials));
  return shape;
}

Scene draw_scene(std::uint64_t seed) {
  Draw draw(seed);
  Scene scene;
  scene.name = draw_name(draw, seed);
  scene.set_gravity(draw.any3());
  const auto materials = static_cast<std::uint32_t>(1 + draw.below(4));
  for (std::uint32_t k = 0; k < materials; ++k) {
    scene.add_material({.name = draw_name(draw, k),
                        .density = draw.scaled(1e4),
                        .friction = std::min(std::abs(draw.any()), 1e6f),
                        .restitution = std::abs(draw.signed_within(1)),
                        .rolling_friction = draw.scaled(10),
                        .young_modulus = draw.coin() ? std::clamp(draw.scaled(1e12), 1.0f, 1e13f) : 0.0f,
                        .poisson_ratio = 0.5f * std::abs(draw.signed_within(1)),
                        .surface_velocity = draw.coin() ? draw.within(1e4) : Vec3{}});
  }
  for (std::uint64_t k = draw.below(6); k > 0; --k) {
    Body body;
    body.name = draw_name(draw, k);
    body.type = static_cast<BodyType>(draw.below(3));
    body.position = {draw.real_within(1e7), draw.real_within(1), draw.real_within(1e-300)};
    body.orientation = {draw.signed_within(1), draw.signed_within(1), draw.signed_within(1), draw.scaled(100)};
    if (body.type != BodyType::kStatic) body.linear_velocity = draw.any3();
    if (body.type != BodyType::kStatic && draw.coin()) body.angular_velocity = {-0.0f, 0, draw.signed_within(100)};
    for (std::uint64_t s = 1 + draw.below(3); s > 0; --s) body.shapes.push_back(draw_shape(draw, body.type, materials));
    if (draw.coin()) body.mass = draw.scaled(1e6);
    if (draw.coin()) body.density = draw.scaled(1e6);
    if (body.mass && draw.coin()) body.inertia = Inertia{{draw.scaled(1.4), draw.scaled(1.4), draw.scaled(1.4)}};
    if (body.inertia && draw.coin()) body.inertia->products = {0.01f, -0.02f, draw.signed_within(0.01)};
    if (body.inertia && draw.coin()) body.centre_of_mass = draw.within(10);
    for (std::uint64_t p = draw.below(20); body.mass && p > 15; --p)
      body.point_masses.push_back({.mass = *body.mass / 16, .position = draw.within(10)});
    if (draw.coin()) body.linear_damping = draw.scaled(1e9);
    if (draw.coin()) body.angular_damping = draw.scaled(1e9);
    if (draw.coin()) body.color = Vec3{0, 1, std::abs(draw.signed_within(1))};
    scene.add_body(body);
  }
  StepParams params;
  params.solver = static_cast<SolverKind>(draw.below(5));
  params.sweep = params.solver == SolverKind::kXpbd && draw.coin() ? SweepKind::kJacobi : SweepKind::kGaussSeidel;
  params.substeps = static_cast<int>(1 + draw.below(1000));
  params.dt = std::clamp(draw.scaled(1e6), 1e-7f * static_cast<float>(params.substeps), 1.0f);
  params.contact_frequency_ratio = std::min(draw.scaled(1e6), 0.25f);
  params.max_depenetration_speed = draw.scaled(1e30);
  params.direct_bodies = static_cast<int>(draw.below(257));
  params.direct_mass_ratio = 1.0f + static_cast<float>(draw.below(1000));
  params.residual_target = draw.scaled(1e30);
  params.friction_mix = static_cast<MixRule>(draw.below(4));
  params.restitution_mix = static_cast<MixRule>(draw.below(4));
  params.rolling_mix = static_cast<MixRule>(draw.below(4));
  params.sleeping = draw.coin();
  scene.set_params(params);
  if (draw.coin()) {
    WorldLimits limits;
    limits.lower = draw.within(1);
    limits.upper = {1 + draw.scaled(1e5), 1e7f, 1 + draw.scaled(10)};
    limits.speed = std::min(draw.scaled(1e6), 1e5f);
    limits.angular_speed = std::min(draw.scaled(1e12), 1e11f);
    scene.set_limits(limits);
  }
  return scene;
}

TEST(SceneToJson, reads_back_equal_for_random_scenes) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Scene scene = draw_scene(seed);
    ASSERT_TRUE(reads_back(scene));
  }
}

TEST(SceneToJson, refuses_a_name_that_is_not_utf8) {
  Scene scene;
  scene.name = "\xFF";
  EXPECT_THROW(scene_to_json(scene), InvalidArgument);
}

TEST(Schema, has_the_caps_of_the_program) {
  const nlohmann::json lists = read_schema().at("properties");
  EXPECT_EQ(lists.at("bodies").at("maxItems"), SceneFileLimits{}.bodies);
  EXPECT_EQ(lists.at("materials").at("maxItems"), SceneFileLimits{}.materials);
  EXPECT_EQ(lists.at("joints").at("maxItems"), SceneFileLimits{}.joints);
  EXPECT_EQ(lists.at("articulations").at("maxItems"), SceneFileLimits{}.links);
  EXPECT_EQ(lists.at("fields").at("maxItems"), rules::kMaxFields);
  EXPECT_EQ(lists.at("cameras").at("maxItems"), rules::kMaxCameras);
}

}  // namespace
}  // namespace cairn::scene_file_test
