#pragma once
// The worlds that fuzzed recordings start from, and seeds are made of.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/world.h"
#include "scenes/builtin.h"

namespace cairn::fuzz {

/// [1] How many there are, and which has a hull, a mesh and a height field.
inline constexpr std::uint8_t kStarts = 5, kSolids = 4;

/// A world that recordings start from.
struct Start {
  Snapshot snapshot;
  std::string bytes;   ///< of the snapshot
  std::uint64_t hash;
};

/// A hull, a tube and a cylinder over a mesh and a height field, as small as can be.
inline Scene solids_scene() {
  Scene scene;
  scene.add_material({.name = "stuff"});
  const auto add = [&](const char* name, Geometry geometry, Vec3d at, BodyType type) {
    Body body;
    body.name = name;
    body.type = type;
    body.position = at;
    body.shapes.push_back({.geometry = std::move(geometry)});
    if (type == BodyType::kDynamic) body.density = 1000;
    scene.add_body(body);
  };
  const std::vector<Vec3> corners{{-2, -2, 0}, {2, -2, 0}, {2, 2, 0.25f}, {-2, 2, 0}};
  const std::vector<TriangleMesh::Triangle> triangles{{0, 1, 2}, {0, 2, 3}};
  add("mesh", TriangleMesh(corners, triangles), {}, BodyType::kStatic);
  add("field", HeightField(3, 2, 2, std::vector<float>{0, 0.25f, 0, 0, 0, 0.25f}), {3, 0, 0}, BodyType::kKinematic);
  const std::vector<Vec3> wedge{{-0.5f, -0.5f, -0.25f}, {0.5f, -0.5f, -0.25f}, {0, 0.5f, -0.25f}, {0, 0, 0.5f}};
  add("hull", ConvexHull(wedge), {0, 0, 0.5}, BodyType::kDynamic);
  add("tube", Tube{0.5f, 0.25f, 0.25f}, {4, 1, 0.6}, BodyType::kDynamic);
  add("cylinder", Cylinder{0.25f, 0.25f}, {-1, 1, 0.5}, BodyType::kDynamic);
  return scene;
}

inline World started(const char* spec, std::uint32_t copies, SolverKind solver) {
  Scene scene = std::string_view(spec) == "solids" ? solids_scene() : scenes::make(spec, 1);
  StepParams params = scene.params();
  params.solver = solver;
  params.substeps = 2;
  params.sleeping = copies > 1;
  scene.set_params(params);
  World world = World::copies(scene, copies, {.device = Device::cpu(1)});
  for (int i = 0; i < 3; ++i) world.step();
  return world;
}

inline const Start& start(std::uint8_t which) {
  static const std::vector<Start> all = [] {
    std::vector<Start> made;
    const auto add = [&](const World& world) {
      made.push_back({world.snapshot(), world.snapshot().to_bytes(), world.state_hash()});
    };
    add(started("tower:height=2", 2, SolverKind::kSoftStep));
    add(started("pile:count=4", 1, SolverKind::kXpbd));
    add(started("spinner", 3, SolverKind::kAvbd));
    add(started("rain:count=3", 1, SolverKind::kSequentialImpulse));
    add(started("solids", 2, SolverKind::kSoftStep));
    return made;
  }();
  return all[which % all.size()];
}

}  // namespace cairn::fuzz
