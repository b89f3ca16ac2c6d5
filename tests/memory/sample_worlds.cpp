#include "tests/memory/sample_worlds.h"

#include "cairn/device_arrays.h"
#include "cairn/world_scales.h"
#include "tests/support/builders.h"

namespace cairn::testing_support {

Scene furnished(SolverKind solver) {
  Scene scene;
  StepParams params;
  params.solver = solver;
  params.substeps = 4;
  scene.set_params(params);
  scene.add_material({.name = "ice", .density = 800, .friction = 0.2f});
  scene.add_material({.name = "felt", .density = 300, .rolling_friction = 0.01f});
  scene.add_body(plane());
  for (int i = 0; i < 3; ++i)
    scene.add_body(box("a box whose name takes a block of the heap " + std::to_string(i), {0, 0, 0.5 + i}));
  Body heavy = ball("a ball weighed by its material", {2, 0, 0.5});
  heavy.density.reset();
  heavy.shapes.push_back(shape(Box{{0.2f, 0.2f, 0.2f}}, {0.5f, 0, 0}, {}, 1));
  scene.add_body(heavy);
  scene.add_body(body("hull", ConvexHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), {-2, 0, 0}));
  scene.add_body(box("lift", {4, 0, 0.5}, BodyType::kKinematic));
  scene.ignore(4, 5);
  if (solver != SolverKind::kAvbd) {
    const JointFrame top{{0, 0, 0.5}, {}}, bottom{{0, 0, -0.5}, {}};
    for (std::uint32_t i = 1; i < 3; ++i) {
      scene.add_joint({.name = "a hinge whose name takes a block of the heap " + std::to_string(i),
                       .body_a = i,
                       .body_b = i + 1,
                       .frame_a = top,
                       .frame_b = bottom,
                       .kind = HingeJoint{}});
    }
    Joint gear{.name = "gear", .kind = GearJoint{0, 1}};
    scene.add_joint(gear);
  }
  return scene;
}

Scene furnished_with_arm() {
  Scene scene = furnished();
  Articulation arm{.name = "arm"};
  for (std::uint32_t i = 0; i < 2; ++i) {
    ArticulationLink link{.name = "link " + std::to_string(i), .parent = i == 0 ? kWorldLink : 0};
    link.frame_in_parent.position = i == 0 ? Vec3d{6, 0, 3} : Vec3d{0.5, 0, 0};
    link.frame_in_link.position = {-0.5, 0, 0};
    link.joint.kind = ArticulationJointKind::kRevolute;
    link.joint.drive_stiffness = 1;
    link.mass = 1;
    link.inertia = {.moments = {0.1f, 0.1f, 0.1f}};
    link.shapes = {shape(Box{{0.4f, 0.1f, 0.1f}})};
    arm.links.push_back(link);
  }
  scene.add_articulation(arm);
  return scene;
}

Scene furnished_with_particles() {
  Scene scene = furnished();
  ParticleSet rope{.name = "rope", .positions = {{0, 3, 2}, {0.3, 3, 2}, {0.6, 3, 2}, {0.9, 3, 2}}, .fixed = {0}};
  rope.constraints = {{.law = {.breaking_force = 1000}, .particles = {0, 1, 1, 2, 2, 3}}};
  scene.add_particles(rope);
  ParticleSet jelly{.name = "jelly", .positions = {{0, 5, 1}, {0.3, 5, 1}, {0, 5.3, 1}, {0, 5, 1.3}}};
  jelly.constraints = {{.kind = ConstraintKind::kShape, .particles = {0, 1, 2, 3}, .cluster = 4}};
  jelly.attachments = {{.particle = 0, .body = 6}};
  scene.add_particles(jelly);
  ParticleSet water{
      .name = "water", .positions = {{2, 3, 2}, {2.05, 3, 2}, {2, 3.05, 2}, {2, 3, 2.05}}, .radius = 0.0125f};
  water.fluid = Fluid{.viscosity = 0.01f};
  scene.add_particles(water);
  scene.add_field({fields::Wind{.velocity = {1, 0, 0}, .linear = 0.5}, {}});
  scene.add_field({fields::Springs{{{1, 4, 10, 0, 2}}}, {}});
  return scene;
}

namespace {

/// Steps that are in flight could still find no room.
World after(World world, int steps = 5) {
  run(world, steps);
  world.wait();
  return world;
}
/// With room for almost nothing.
WorldOptions tiny(WorldOptions o) {
  o.capacity = {.bodies = 1, .shapes = 1, .pairs = 1};
  o.contact_events = true;
  return o;
}

}  // namespace

const std::vector<SampleWorld>& sample_worlds() {
  const auto solved_by = [](SolverKind solver) {
    return [solver](const WorldOptions& o) { return after(World(furnished(solver), tiny(o))); };
  };
  static const std::vector<SampleWorld> samples{
      {"soft_step", solved_by(SolverKind::kSoftStep)},
      {"xpbd", solved_by(SolverKind::kXpbd)},
      {"avbd", solved_by(SolverKind::kAvbd)},
      {"sequential_impulse", solved_by(SolverKind::kSequentialImpulse)},
      {"young", [](const WorldOptions& o) { return World(furnished(), tiny(o)); }},
      {"articulated", [](const WorldOptions& o) { return after(World(furnished_with_arm(), tiny(o))); }},
      {"particles", [](const WorldOptions& o) { return after(World(furnished_with_particles(), tiny(o))); }},
      {"scaled_batch",
       [](const WorldOptions& o) {
         World w = World::copies(furnished(), 2, tiny(o));
         w.scales().set({.size = 0.9f, .mass = 2}, 1);
         w.scales().set(BodyScales{.size = 1.1f}, w.bodies(0)[2]);
         w.arrays().list();
         return after(std::move(w));
       }},
      {"restored_batch",
       [](const WorldOptions& o) {
         World w = World::copies(furnished_with_arm(), 2, tiny(o));
         w.remove_body(w.bodies(1)[5]);
         w.step();
         return World(w.snapshot(), tiny(o));
       }},
      {"asleep",
       [](const WorldOptions& o) {
         Scene scene = furnished();
         StepParams p = scene.params();
         p.sleeping = true;
         p.sleep_time = 0.05f;
         p.sleep_speed = 1;
         scene.set_params(p);
         return after(World(scene, tiny(o)), 20);
       }},
      {"recorded",
       [](const WorldOptions& o) {
         World w = after(World(furnished(), tiny(o)));
         w.start_recording();
         return after(std::move(w), 2);
       }},
      {"traced",
       [](const WorldOptions& o) {
         WorldOptions traced = tiny(o);
         traced.trace = true;
         World w = after(World(furnished_with_arm(), traced));
         w.start_recording();
         return w;
       }},
  };
  return samples;
}

}  // namespace cairn::testing_support
