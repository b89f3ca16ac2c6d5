// What lies on a floor or a terrain of 10 km, far from the floor's own origin, rests there as it does at the origin.

#include "tests/verify/solids.h"

namespace cairn::verify {
namespace {

constexpr double kFar = 5000;    // [m]
constexpr double kOut = 4949.7;  // [m] along x and y: 7 km from the floor's middle

enum class Floor { kPlane, kBox, kFineMesh, kCoarseMesh, kField, kHull };
const char* name_of(Floor floor) {
  constexpr const char* kNames[] = {"plane", "box", "mesh", "mesh of two triangles", "height field", "hull"};
  return kNames[static_cast<int>(floor)];
}

Geometry geometry_of(Floor floor) {
  constexpr auto kSize = static_cast<float>(kFar);
  switch (floor) {
    case Floor::kPlane:
      return Plane{};
    case Floor::kBox:
      return Box{{kSize, kSize, 1}};
    case Floor::kFineMesh:
      return flat_mesh(50, kSize / 25);
    case Floor::kCoarseMesh:
      return flat_mesh(1, 2 * kSize);
    case Floor::kField:
      return HeightField(101, 101, kSize / 50, std::vector<float>(101 * 101, 0.0f));
    case Floor::kHull:
      break;
  }
  std::vector<Vec3> corners;
  for (const float z : {-1.0f, 1.0f}) {
    for (const float x : {-kSize, kSize}) {
      for (const float y : {-kSize, kSize}) corners.push_back({x, y, z});
    }
  }
  return ConvexHull(corners);
}

/// [m] Of its surface over its origin.
double top_of(Floor floor) { return floor == Floor::kBox || floor == Floor::kHull ? 1 : 0; }

std::vector<Geometry> solids() {
  return {Box{{0.1f, 0.1f, 0.1f}}, Sphere{0.1f}, Cylinder{0.1f, 0.1f}, prism(7, 0.1f, 0.1f)};
}

/// A floor that leans, in gravity that leans as much, with one solid after the other on it, 7 km out. `first`: the
/// floor is the first body, else the last.
void expect_far_rest(Floor floor, double lean, bool first) {
  SCOPED_TRACE(std::string(name_of(floor)) + ", leaning by " + std::to_string(lean) + (first ? "" : ", the last body"));
  const ref::Quat turn = ref::rotation({0.6 * lean, 0.8 * lean, 0});
  const Quat q = narrow(turn);
  const auto world_of = [&](ref::Vec3 p) { return rotate(turn, p); };
  Trial trial;
  const ref::Vec3 down = world_of({0, 0, -kG});
  trial.scene.set_gravity(narrow(down));
  const auto add_floor = [&] {
    const double corner = floor == Floor::kField ? -kFar : 0;
    const ref::Vec3 x = world_of({corner, corner, -top_of(floor)});
    trial.add(geometry_of(floor), {x.x, x.y, x.z}, q, BodyType::kStatic);
  };
  if (first) add_floor();
  for (std::size_t k = 0; k < solids().size(); ++k) {
    const ref::Vec3 x = world_of({kOut + 0.71 * static_cast<double>(k), kOut, 0.1});
    trial.add(solids()[k], {x.x, x.y, x.z}, q);
  }
  if (!first) add_floor();
  trial.expect_rest(3, 10, 0.1);
  for (std::uint32_t k = 0; k < solids().size(); ++k) {
    const std::uint32_t body = k + (first ? 1u : 0u);
    const ref::Vec3 at = rotate(conjugate(turn), trial.x(body));
    EXPECT_NEAR(at.z, 0.1, Trial::kDeep) << "body " << body;
  }
}

TEST(Far, solids_rest_7_km_from_the_origin_of_what_they_lie_on) {
  for (const Floor floor :
       {Floor::kPlane, Floor::kBox, Floor::kFineMesh, Floor::kCoarseMesh, Floor::kField, Floor::kHull}) {
    for (const double lean : {0.0, 0.3}) {
      for (const bool first : {true, false}) expect_far_rest(floor, lean, first);
    }
  }
}

TEST(Far, contacts_are_reported_where_they_are) {
  for (const bool first : {true, false}) {
    Trial trial;
    if (first) trial.add(geometry_of(Floor::kBox), {0, 0, -1}, {}, BodyType::kStatic);
    trial.add(Box{{0.1f, 0.1f, 0.1f}}, {kOut, kOut, 0.1});
    if (!first) trial.add(geometry_of(Floor::kBox), {0, 0, -1}, {}, BodyType::kStatic);
    trial.run(1);
    const std::vector<Contact> contacts = trial.world().contacts();
    ASSERT_EQ(contacts.size(), 1u);
    ASSERT_EQ(contacts[0].count, 4);
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(std::abs(contacts[0].points[j].position.x - kOut), 0.1, 1e-3);
      EXPECT_NEAR(std::abs(contacts[0].points[j].position.y - kOut), 0.1, 1e-3);
      EXPECT_NEAR(contacts[0].points[j].position.z, 0, 1e-3);
    }
  }
}

}  // namespace
}  // namespace cairn::verify
