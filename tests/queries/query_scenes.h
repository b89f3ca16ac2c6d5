#pragma once
// Scenes with shapes of every kind, and questions about them.

#include <random>

#include "tests/support/builders.h"
#include "tests/support/grid_mesh.h"

namespace cairn::testing_support {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  float operator()(float low, float high) { return low + (high - low) * static_cast<float>(engine_() >> 8) * 0x1p-24f; }
  Vec3 vector(float size) { return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}; }
  Vec3d place(float size) {
    const Vec3 v = vector(size);
    return {v.x, v.y, v.z};
  }
  Quat turn() { return {(*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1)}; }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }

 private:
  std::mt19937 engine_;
};

inline ConvexHull some_hull(Dice& dice, float size) {
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.push_back(dice.vector(size));
  return ConvexHull(points);
}

inline TriangleMesh bumpy_mesh(Dice& dice, float size) {
  return grid_mesh(7, 7, [&](std::uint32_t i, std::uint32_t j) {
    return Vec3{size * static_cast<float>(i), size * static_cast<float>(j), dice(-size, size)};
  });
}

inline HeightField bumpy_field(Dice& dice, float size) {
  std::vector<float> heights;
  for (int i = 0; i < 9 * 6; ++i) heights.push_back(dice(-size, size));
  return HeightField(9, 6, size, heights);
}

/// A convex geometry of kind 0..8.
inline Geometry convex_geometry(Dice& dice, std::uint32_t kind, float size) {
  const auto length = [&] { return size * dice(0.3f, 1); };
  switch (kind) {
    case 0:
      return Sphere{length()};
    case 1:
      return Box{{length(), length(), length()}};
    case 2:
      return Capsule{length(), length()};
    case 3:
      return Cylinder{length(), length()};
    case 4:
      return Cone{length(), length()};
    case 5:
      return TaperedCylinder{length(), length(), length()};
    case 6:
      return Ellipsoid{{length(), length(), length()}};
    case 7:
      return RoundedBox{{length(), length(), length()}, 0.2f * size};
    default:
      return some_hull(dice, size);
  }
}
inline constexpr std::uint32_t kConvexKinds = 9;

/// Bodies of all kinds in a cube of so many metres a side, with filters and sensors among them.
inline Scene all_kinds(std::uint32_t seed, int count, float side, Vec3d at = {}) {
  Dice dice(seed);
  Scene scene = afloat({});
  const auto add = [&](Geometry geometry, BodyType type) {
    Body made = body("b" + std::to_string(scene.bodies().size()), std::move(geometry), dice.place(side / 2), type);
    made.position = {made.position.x + at.x, made.position.y + at.y, made.position.z + at.z};
    made.orientation = dice.turn();
    made.shapes[0].filter.category = 1u << dice.below(4);
    made.shapes[0].sensor = type != BodyType::kDynamic && dice.below(8) == 0;
    scene.add_body(made);
  };
  for (int i = 0; i < count; ++i) {
    const auto kind = static_cast<std::uint32_t>(i) % (kConvexKinds + 4);
    if (kind < kConvexKinds) {
      add(convex_geometry(dice, kind, 0.5f), i % 3 == 0 ? BodyType::kStatic : BodyType::kDynamic);
    } else if (kind == kConvexKinds) {
      add(bumpy_mesh(dice, 0.3f), BodyType::kStatic);
    } else if (kind == kConvexKinds + 1) {
      add(bumpy_field(dice, 0.3f), BodyType::kStatic);
    } else if (kind == kConvexKinds + 2) {
      add(Tube{0.6f, 0.4f, 0.5f}, BodyType::kDynamic);
    } else {
      // a compound
      Body made = body("b" + std::to_string(scene.bodies().size()), Sphere{0.3f}, dice.place(side / 2));
      made.position = {made.position.x + at.x, made.position.y + at.y, made.position.z + at.z};
      made.shapes.push_back({.geometry = convex_geometry(dice, dice.below(kConvexKinds), 0.4f),
                             .position = dice.vector(0.5f),
                             .orientation = dice.turn()});
      scene.add_body(made);
    }
  }
  for (int i = 0; i < 2; ++i) {
    Body made = plane("plane" + std::to_string(i), dice.vector(1), -0.6f * side);
    made.position = at;
    scene.add_body(made);
  }
  return scene;
}

struct Questions {
  std::vector<RayQuery> rays;
  std::vector<ShapeQuery> shapes;
};
inline Questions questions(std::uint32_t seed, int count, float side, std::uint32_t world = 0, Vec3d at = {}) {
  Dice dice(seed);
  Questions q;
  const auto place = [&] {
    const Vec3d p = dice.place(0.7f * side);
    return Vec3d{p.x + at.x, p.y + at.y, p.z + at.z};
  };
  for (int i = 0; i < count; ++i) {
    QueryFilter only;
    if (i % 4 == 1) only.filter.mask = 1u << dice.below(4) | 1u;
    only.sensors = i % 5 == 2;
    Vec3 direction = dice.vector(1);
    // along the axes, too
    if (i % 7 == 3) direction = {0, 0, -1};
    if (i % 7 == 5) direction = {0, 2, 0};
    q.rays.push_back({place(), direction, i % 3 == 0 ? 1e8f : dice(0, side), world, only});
    q.shapes.push_back({convex_geometry(dice, static_cast<std::uint32_t>(i) % kConvexKinds, dice(0.1f, 1)), place(),
                        dice.turn(), direction, dice(0, side / 2), world, only});
    if (i % 11 == 4) q.shapes.back().geometry = Sphere{0};
  }
  return q;
}

/// All that a World answers.
struct Answers {
  std::vector<QueryHit> rays, casts, closest;
  QueryHits all_rays, all_casts, overlaps, all_closest;
  friend bool operator==(const Answers&, const Answers&) = default;
};
inline Answers answers(const World& world, const Questions& q) {
  return {world.queries().cast_rays(q.rays),         world.queries().cast_shapes(q.shapes),
          world.queries().closest(q.shapes),         world.queries().cast_rays_all(q.rays),
          world.queries().cast_shapes_all(q.shapes), world.queries().overlaps(q.shapes),
          world.queries().closest_all(q.shapes)};
}

}  // namespace cairn::testing_support
