// Random materials, shapes and bodies.

#include "tests/mixed/mixed.h"

namespace cairn::mixed {
namespace {

Geometry random_hull(Dice& dice, float size) {
  std::vector<Vec3> points;
  for (int i = dice.whole(5, 9); i > 0; --i) points.push_back(dice.vector(size));
  try {
    return ConvexHull(points);
  } catch (const InvalidArgument&) {
    return Box{{size, 0.5f * size, size}};  // they span no volume
  }
}

Geometry random_mesh(Dice& dice, float size) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 9; ++i) {
    const auto at = [&](int k) { return 2 * size * static_cast<float>(k - 1); };
    corners.push_back({at(i % 3), at(i / 3), dice.number(-0.25, 0.25)});
  }
  std::vector<TriangleMesh::Triangle> triangles;
  for (std::uint32_t c : {0u, 1u, 3u, 4u}) {
    triangles.push_back({c, c + 1, c + 4});
    if (!dice.chance(0.1)) triangles.push_back({c, c + 4, c + 3});
  }
  return TriangleMesh(corners, triangles);
}

Geometry random_field_of_heights(Dice& dice, float size) {
  std::vector<float> heights;
  for (int i = 0; i < 12; ++i) heights.push_back(dice.number(-0.2, 0.2));
  return HeightField(4, 3, 2 * size, heights);
}

Geometry random_geometry(Dice& dice, BodyType type) {
  const float s = dice.number(0.1, 0.4), t = dice.number(0.1, 0.4);
  switch (dice.below(type == BodyType::kDynamic ? 10 : 13)) {
    case 0:
      return Sphere{s};
    case 1:
      return Box{{s, t, dice.number(0.1, 0.4)}};
    case 2:
      return Capsule{s, t};
    case 3:
      return Cylinder{s, t};
    case 4:
      return Cone{s, t};
    case 5:
      return TaperedCylinder{s, 0.5f * s, t};
    case 6:
      return dice.chance(0.3) ? Geometry(Tube{s, 0.5f * s, t}) : Geometry(Box{{s, s, s}});
    case 7:
      return Ellipsoid{{s, t, dice.number(0.1, 0.4)}};
    case 8:
      return RoundedBox{{s, t, dice.number(0.1, 0.4)}, 0.05f};
    case 9:
      return random_hull(dice, s);
    case 10:
      return type == BodyType::kStatic ? Geometry(Plane{{dice.number(-0.3, 0.3), 0, 1}, 0}) : Geometry(Box{});
    case 11:
      return random_mesh(dice, s);
    default:
      return random_field_of_heights(dice, s);
  }
}

Filter random_filter(Dice& dice) {
  return {dice.of({1u, 2u, 3u}), dice.of({~0u, 1u, 2u, 5u}), dice.of({0, 0, 1, -1, -2})};
}

}  // namespace

Material random_material(Dice& dice, const std::string& name, const StepParams& shared) {
  Material made{.name = name, .density = dice.number(200, 3000), .friction = dice.number(0, 1.5)};
  if (dice.chance(0.2)) made.restitution = dice.number(0, 1);
  if (dice.chance(0.2)) made.rolling_friction = dice.number(0, 0.1);
  if (shared.solver == SolverKind::kHertzMindlin || dice.chance(0.1)) {
    // soft enough for steps of a millisecond (rayleigh_time)
    made.young_modulus = dice.number(1e5, 1e6);
    made.poisson_ratio = dice.number(0, 0.45);
  }
  if (dice.chance(0.15)) made.surface_velocity = {dice.number(-2, 2), dice.number(-2, 2), dice.number(-1, 1)};
  return made;
}

std::vector<Shape> random_shapes(Dice& dice, const WorldPlan& plan, BodyType type, int most) {
  const bool spheres = plan.own.solver == SolverKind::kHertzMindlin && type == BodyType::kDynamic;
  std::vector<Shape> shapes;
  for (int n = dice.chance(0.7) ? 1 : dice.whole(1, most); n > 0; --n) {
    Shape& made = shapes.emplace_back();
    made.geometry =
        spheres || plan.style == "balls" ? Geometry(Sphere{dice.number(0.1, 0.3)}) : random_geometry(dice, type);
    if (!shapes.empty() && dice.chance(0.4)) {
      made.position = dice.vector(0.3);
      made.orientation = dice.turn();
    }
    made.material = dice.below(plan.materials.size());
    if (dice.chance(0.1)) made.filter = random_filter(dice);
    made.sensor = dice.chance(0.05);
  }
  return shapes;
}

Body random_body(Dice& dice, const std::string& name, const WorldPlan& plan, const Scene& around) {
  Body made{.name = name};
  if (dice.chance(0.25)) made.type = dice.of({BodyType::kStatic, BodyType::kKinematic});
  made.shapes = random_shapes(dice, plan, made.type, 4);
  made.position = dice.place(1);
  made.position.z += 1;
  // some start in touch, or deep in each other
  if (!around.bodies().empty() && dice.chance(0.3)) {
    const Vec3d near = dice.of(around.bodies()).position;
    made.position = {near.x + dice.number(-0.2, 0.2), near.y, near.z + dice.number(0, 0.5)};
  }
  made.orientation = dice.turn();
  if (made.type != BodyType::kStatic && dice.chance(0.5)) {
    made.linear_velocity = dice.vector(dice.chance(0.15) ? 60 : 4);
    made.angular_velocity = dice.vector(dice.chance(0.15) ? 60 : 4);
  }
  if (dice.chance(0.3)) made.mass = dice.number(0.1, 50);
  if (dice.chance(0.2)) made.density = dice.number(100, 4000);
  if (dice.chance(0.15)) made.linear_damping = dice.number(0, 2);
  if (dice.chance(0.15)) made.angular_damping = dice.number(0, 2);
  if (made.mass && dice.chance(0.2)) {
    const float i = dice.number(0.5, 2);
    made.inertia = Inertia{{i, 1.25f * i, 1.5f * i}, {0.125f * i, 0, 0}};
    if (dice.chance(0.5)) made.centre_of_mass = dice.vector(0.1);
  }
  if (dice.chance(0.1)) made.point_masses.push_back({dice.number(0.1, 1), dice.vector(0.3)});
  made.bullet = dice.chance(0.1);
  made.fixed_rotation = dice.chance(0.05);
  if (made.fixed_rotation) made.angular_velocity = {};
  if (dice.chance(0.1)) made.gravity_scale = dice.number(-0.5, 2);
  made.enabled = dice.chance(0.95);
  return made;
}

WorldLimits random_limits(Dice& dice) {
  WorldLimits limits;
  if (dice.chance(0.5)) {
    const float side = dice.number(1.5, 6);
    limits.lower = {-side, -side, -side};
    limits.upper = {side, side, side};
  }
  if (dice.chance(0.5)) limits.speed = dice.number(5, 50);
  if (dice.chance(0.3)) limits.angular_speed = dice.number(10, 100);
  return limits;
}

}  // namespace cairn::mixed
