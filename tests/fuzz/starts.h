#pragma once
// The worlds that fuzzed recordings start from, and seeds are made of.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/world.h"
#include "scenes/builtin.h"

namespace cairn::fuzz {

/// [1] How many there are, and which has a hull, a mesh and a height field, and which articulations.
inline constexpr std::uint8_t kStarts = 10, kSolids = 4, kRobots = 5;

/// A world that recordings start from.
struct Start {
  Snapshot snapshot;
  std::string bytes;  ///< of the snapshot
  std::uint64_t hash;
};

/// A hull, a tube and a cylinder over a mesh and a height field, as small as can be.
inline Scene solids_scene() {
  Scene scene;
  scene.add_material({.name = "stuff"});
  const auto add = [&](const char* name, Geometry geometry, Vec3d at, BodyType type) {
    Body body{.name = name, .type = type, .position = at, .shapes = {{.geometry = std::move(geometry)}}};
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

/// A floating base with a driven leg that rubs and has limits, on the floor, and an arm without end on the world.
inline Scene robots_scene() {
  Scene scene;
  scene.add_body({.name = "floor", .type = BodyType::kStatic, .shapes = {{.geometry = Plane{}}}});
  const auto link = [](const char* name, std::uint32_t parent, ArticulationJointKind kind, Vec3d at) {
    ArticulationLink made{.name = name, .parent = parent, .mass = 1, .inertia = {.moments = {0.01f, 0.02f, 0.02f}}};
    made.joint.kind = kind;
    made.frame_in_parent.position = at;
    made.shapes.push_back({.geometry = Box{{0.25f, 0.125f, 0.125f}}});
    return made;
  };
  Articulation walker{.name = "walker"};
  walker.links = {link("base", kWorldLink, ArticulationJointKind::kFree, {}),
                  link("leg", 0, ArticulationJointKind::kRevolute, {0.5, 0, -0.125})};
  ArticulationJoint& knee = walker.links[1].joint;
  knee.friction = 0.125;
  knee.lower = -1;
  knee.upper = 1;
  knee.drive_stiffness = 50;
  knee.drive_damping = 1;
  knee.drive_max_force = 4;
  scene.add_articulation(walker, {{0, 0, 0.5, 0, 0, 0, 1, 0.25}, {}});
  Articulation arm{.name = "arm"};
  arm.links = {link("post", kWorldLink, ArticulationJointKind::kFixed, {2, 0, 1}),
               link("ball", 0, ArticulationJointKind::kBall, {0.5, 0, 0})};
  scene.add_articulation(arm);
  return scene;
}

inline World started(const char* spec, std::uint32_t copies, SolverKind solver) {
  const std::string_view name(spec);
  Scene scene = name == "solids" ? solids_scene() : name == "robots" ? robots_scene() : scenes::make(spec, 1);
  StepParams params = scene.params();
  params.solver = solver;
  params.substeps = 2;
  params.particle_iterations = params.fluid_iterations = 1;
  params.sleeping = copies > 1;
  scene.set_params(params);
  World world = World::copies(scene, copies, {.device = Device::cpu(1), .contact_events = copies > 1});
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
    add(started("robots", 2, SolverKind::kSoftStep));
    add(started("chain:links=3", 1, SolverKind::kSoftStep));
    add(started("gear_train", 1, SolverKind::kXpbd));
    add(started("cloth:side=3,boxes=1,breaking_force=2", 2, SolverKind::kXpbd));
    add(started("dam_break:side=2,boxes=1", 1, SolverKind::kSoftStep));
    return made;
  }();
  return all[which % all.size()];
}

}  // namespace cairn::fuzz
