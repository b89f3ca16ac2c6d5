// Sets of particles: constraints that hold and break, shapes, elastic solids, fluids.

#include "cairn/world_particles.h"
#include "tests/contract/contract.h"
#include "tests/fluids/tanks.h"
#include "tests/memory/sample_worlds.h"
#include "tests/particles/sets.h"

namespace cairn::contract {
namespace {

namespace test = testing_support;
using particles_test::Block;
using particles_test::cube;
using particles_test::Rope;
using particles_test::sheet;

Scene solved(int substeps, int sweeps) {
  Scene scene;
  StepParams params;
  params.substeps = substeps;
  params.particle_iterations = sweeps;
  params.fluid_iterations = 2;
  scene.set_params(params);
  return scene;
}
Scene on_floor(int substeps, int sweeps) {
  Scene scene = solved(substeps, sweeps);
  scene.add_body(test::plane());
  return scene;
}
ParticleSet hung_rope() {
  ParticleSet rope = Rope{.particles = 10, .length = 1}.set();
  for (Vec3d& p : rope.positions) p = {3, 0, p.z + 2.5};
  return rope;
}

/// A sheet that falls on a box, a cube beside it, and a rope that holds a crate.
Scene cloth_and_crate() {
  Scene scene = on_floor(4, 2);
  scene.add_body(test::box("box", {0, 0, 0.5}));
  Body crate = test::body("crate", Box{{0.2f, 0.2f, 0.2f}}, {3, 0, 1.3});
  crate.mass = 2.0f;
  const std::uint32_t held = scene.add_body(crate);
  scene.add_particles(sheet(12, 0.15, 1.06, {1e-5f, 0.1f, 0}, {0.1f, 0.01f, 0}));
  scene.add_particles(cube({-2, 0, 0.06}, {1e-4f, 1, 0}, {1e-7f, 0, 0}));
  ParticleSet rope = hung_rope();
  rope.attachments = {{10, held, {1e-6f, 0, 0}}};
  scene.add_particles(rope);
  return scene;
}

/// A sheet held by its corners that a heavy box falls through, and a jelly of springs that falls on the floor.
Scene breaking_cloth() {
  Scene scene = on_floor(4, 2);
  Body box = test::body("box", Box{{0.3f, 0.3f, 0.3f}}, {0, 0, 2});
  box.mass = 20.0f;
  scene.add_body(box);
  const ConstraintLaw weak{1e-5f, 0.1f, 0, 60};
  ParticleSet cloth = sheet(9, 0.2, 1.6, weak, {0.1f, 0.01f, 0});
  cloth.fixed = {0, 8, 72, 80};
  scene.add_particles(cloth);
  scene.add_particles(cube({3, 0, 0.5}, {1e-4f, 1, 0, 40}, {1e-7f, 0, 0}));
  return scene;
}

/// A block that falls on a floor at the sweeps that it takes by itself, and a rope beside it.
Scene elastic() {
  Scene scene = on_floor(4, 0);
  ParticleSet soft = Block{.nx = 2, .ny = 2, .nz = 2, .damping = 0.01f}.set();
  for (Vec3d& p : soft.positions) p.z += 0.045;
  scene.add_particles(soft);
  scene.add_particles(hung_rope());
  return scene;
}
/// One that takes more sweeps.
Scene stiff() {
  Scene scene = elastic();
  ParticleSet other = Block{.young_modulus = 1e8f}.set();
  other.name = "other";
  for (Vec3d& p : other.positions) p.x += 6;
  scene.add_particles(other);
  return scene;
}

/// A block that hangs by a fixed corner, one that falls on it, and one of springs beside.
Scene shapes() {
  Scene scene = on_floor(4, 2);
  ParticleSet hung = particles_test::lattice(3, 0.2, {0, 0, 0.8}, {1e-5f, 5, 0}, false);
  hung.fixed = {18};
  scene.add_particles(hung);
  ParticleSet fell = particles_test::lattice(3, 0.2, {0.1, 0.05, 1.42}, {1e-4f, 5, 0}, true);
  fell.name = "fell";
  scene.add_particles(fell);
  ParticleSet both = cube({2, 0, 0.06}, {1e-4f, 1, 0}, {1e-7f, 0, 0});
  const ConstraintGroup shape{
      .kind = ConstraintKind::kShape, .law = {1e-4f, 1, 0}, .particles = {0, 1, 2, 3, 4}, .cluster = 5};
  both.constraints.push_back(shape);
  scene.add_particles(both);
  return scene;
}

/// A column that falls apart in a tank, onto a box; and oil beside it, which rubs and clings.
Scene fluids() {
  Scene scene = solved(4, 1);
  fluids_test::add_tank(scene, 0.6, 0.3);
  Body box = test::body("box", Box{{0.06f, 0.06f, 0.06f}}, {0.42, 0.15, 0.07});
  box.density = 400.0f;
  scene.add_body(box);
  scene.add_particles(fluids_test::block(5, 6, 6));
  ParticleSet oil =
      fluids_test::block(2, 3, 2, {0.4, 0.1, 0.25}, {.density = 800, .viscosity = 20, .surface_tension = 0.5f});
  oil.name = "oil";
  oil.velocities.assign(oil.positions.size(), {-1, 0, 0});
  scene.add_particles(oil);
  return scene;
}

/// What holds a particle goes with it.
void remove_a_particle(World& world, std::uint32_t in, int step) {
  if (step == 0) world.remove_body(world.bodies(world.particles().list(in)[0])[5]);
}
void remove_and_weigh(World& world, std::uint32_t in, int step) {
  remove_a_particle(world, in, step);
  if (step == 0) world.set_mass(world.bodies(world.particles().list(in)[1])[3], 0.5f);
}

/// A set goes, one of another size takes its place, tied to where a body is by then, and one more comes.
void sets_come_and_go(World& world, std::uint32_t in, int step) {
  if (step == 3) world.particles().remove(world.particles().list(in)[0]);
  if (step == 5) {
    ParticleSet tied = hung_rope();
    tied.name = "tied";
    tied.fixed.clear();
    const BodyHandle to = world.body_at(1, in);
    const Vec3d at = world.state(to).position;
    for (Vec3d& p : tied.positions) p = {p.x + at.x, p.y + at.y, p.z + at.z + 1};
    tied.attachments = {{.particle = 0, .body = world.index_of(to)}};
    world.particles().add(tied, in);
  }
  if (step != 9) return;
  ParticleSet late = cube({5, 0, 1}, {1e-4f, 1, 0}, {1e-7f, 0, 0});
  late.name = "late";
  world.particles().add(late, in);
}

/// What a rope holds goes and comes back, and what a sheet lies on.
void switch_crate(World& world, std::uint32_t in, int step) {
  if (step == 4 || step == 12) world.set_enabled(*world.find_body("crate", in), step == 12);
  if (step == 6 || step == 15) world.set_enabled(*world.find_body("box", in), step == 15);
}

}  // namespace

std::vector<SceneRow> particle_rows() {
  return {
      {.name = "sets_come_and_go", .make = cloth_and_crate, .steps = 20, .edit = sets_come_and_go},
      {.name = "cloth_and_crate", .make = cloth_and_crate, .steps = 20, .edit = remove_a_particle},
      {.name = "switched_crate", .make = cloth_and_crate, .steps = 24, .edit = switch_crate},
      {.name = "breaking_cloth",
       .make = breaking_cloth,
       .steps = 50,
       .happened = [](const World& world) { return world.report().broken_constraints != 0; }},
      {.name = "elastic", .make = elastic, .steps = 14, .edit = remove_and_weigh},
      {.name = "stiff", .make = stiff, .steps = 8},
      {.name = "clusters", .make = shapes, .steps = 40, .edit = remove_a_particle},
      {.name = "water_and_oil", .make = fluids, .steps = 14, .edit = remove_a_particle},
      {.name = "furnished_with_particles", .make = [] { return test::furnished_with_particles(); }, .steps = 40},
  };
}

}  // namespace cairn::contract
