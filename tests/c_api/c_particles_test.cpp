// Sets of particles through the C interface: there and back, with the bits of C++, and what is refused.

#include <algorithm>

#include "cairn/world_particles.h"
#include "tests/c_api/in_c.h"
#include "tests/c_api/particles_in_c.h"
#include "tests/fluids/tanks.h"
#include "tests/particles/sets.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT
using particles_test::Block;
using particles_test::cube;
using particles_test::lattice;
using particles_test::Rope;
using particles_test::sheet;

/// A floor and a crate at (3, 0, 1.3), body 1.
Scene ground() {
  Scene scene = scene_of({plane()});
  StepParams params;
  params.substeps = 4;
  params.particle_iterations = 2;
  params.fluid_iterations = 2;
  scene.set_params(params);
  EXPECT_EQ(scene.add_material({.name = "ice", .density = 900, .friction = 0}), 1u);
  Body crate = body("crate", Box{{0.2f, 0.2f, 0.2f}}, {3, 0, 1.3});
  crate.mass = 2.0f;
  scene.add_body(crate);
  return scene;
}

/// A rope that holds the crate.
ParticleSet rope() {
  ParticleSet made = Rope{.particles = 10, .length = 1}.set();
  for (Vec3d& p : made.positions) p = {3, 0, p.z + 2.5};
  made.constraints[0].unilateral = true;
  made.attachments = {{10, 1, {1e-6f, 0.5f, 0, 1e4f}}};
  return made;
}

/// What the contract of each member is tried by.
std::vector<std::vector<ParticleSet>> sets() {
  ParticleSet cloth = sheet(8, 0.1, 0.5, {1e-5f, 0.1f, 0, 8}, {0.1f, 0.01f, 0});
  cloth.fixed = {0, 7};
  cloth.velocities.assign(64, {0, 0, -3});
  cloth.filter = {2, 5, -1};
  cloth.material = 1;
  ParticleSet jelly = Block{.nx = 2, .ny = 2, .nz = 2, .damping = 0.01f}.set();
  for (Vec3d& p : jelly.positions) p.z += 0.045;
  ParticleSet water = fluids_test::block(4, 4, 6, {0, 0, 0.01}, {.viscosity = 2, .surface_tension = 0.07f});
  ParticleSet oil = fluids_test::block(3, 3, 3, {1, 0, 0.01}, {.density = 900});
  oil.name = "oil";
  ParticleSet loose{.name = "dust", .positions = {{0, 0, 1}, {0.5, 0, 1}}, .mass = 0.1f, .radius = 0.02f};
  loose.linear_damping = 0.5f;
  ParticleSet plain = cube({-2, 0, 0.06}, {0, 0, 0.5f}, {0, 0, 0.3f});
  plain.name = "plain";
  return {{rope()},
          {cloth},
          {cube({0, 0, 0.06}, {1e-4f, 1, 0}, {1e-7f, 0, 0}), plain},
          {jelly},
          {lattice(3, 0.2, {0, 0, 0.1}, {1e-5f, 0, 0}, false)},
          {water, oil},
          {loose, rope()}};
}

class Pair {
 public:
  explicit Pair(const std::vector<ParticleSet>& sets) : c(ground(), 1), scene_(ground()) {
    std::uint32_t at = 0;
    for (const ParticleSet& set : sets) {
      EXPECT_EQ(value_of(cairn_scene_add_particles, c.scene, SetInC(set).get()), at);
      scene_.add_particles(set);
      EXPECT_EQ(value_of(cairn_scene_particles_body, c.scene, at++), scene_.particles().back().first_body);
    }
    c.make_world();
    world.emplace(scene_, cpu(1));
  }
  const Scene& scene() const { return scene_; }
  Fixture c;
  std::optional<World> world;

 private:
  Scene scene_;
};

/// All figures of a set are those of C++.
void expect_same_figures(const cairn_world* c, cairn_handle set, const World& world, ParticlesHandle of) {
  EXPECT_EQ(list_of(cairn_particles_constraint_forces, c, set), world.particles().constraint_forces(of));
  EXPECT_EQ(list_of(cairn_particles_constraint_residuals, c, set), world.particles().constraint_residuals(of));
  EXPECT_EQ(list_of(cairn_particles_pressures, c, set), world.particles().pressures(of));
  EXPECT_EQ(list_of(cairn_particles_densities, c, set), world.particles().densities(of));
  EXPECT_EQ(list_of(cairn_particles_broken_constraints, c, set), world.particles().broken_constraints(of));
  const std::vector<BodyHandle> bodies = world.bodies(of);
  std::vector<cairn_handle> in_c(bodies.size());
  ASSERT_EQ(cairn_particles_bodies(c, set, in_c.data(), in_c.size()), CAIRN_OK) << cairn_last_error();
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(in_c[i].index, bodies[i].index) << i;
}

TEST(CApiParticles, move_with_the_bits_of_cpp_and_tell_the_same_figures) {
  std::size_t broken = 0, with_forces = 0, with_pressures = 0;
  for (const std::vector<ParticleSet>& given : sets()) {
    Pair pair(given);
    World& world = *pair.world;
    const std::string& name = given[0].name;
    EXPECT_TRUE(pair.c.goes_on_as(world, 30)) << name;
    EXPECT_EQ(world.report().status, 0u) << name;
    const std::vector<cairn_handle> all = pair.c.particles();
    ASSERT_EQ(all.size(), given.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const ParticlesHandle of = world.particles().list()[i];
      expect_same_figures(pair.c.world, all[i], world, of);
      broken += static_cast<std::size_t>(std::ranges::count(world.particles().broken_constraints(of), 1));
      with_forces += std::ranges::any_of(world.particles().constraint_forces(of), [](float f) { return f != 0; });
      with_pressures += std::ranges::any_of(world.particles().pressures(of), [](float p) { return p > 0; });
    }
    EXPECT_EQ(value_of(cairn_world_get_report, pair.c.world).broken_constraints, world.report().broken_constraints)
        << name;
    for (const std::uint32_t index : {0u, CAIRN_ALL_WORLDS}) {
      const cairn_constraint_residual residual = value_of(cairn_world_constraint_residual, pair.c.world, index);
      const ConstraintResidual want = world.particles().constraint_residual();
      EXPECT_EQ(residual.max, want.max) << name;
      EXPECT_EQ(residual.mean, want.mean) << name;
      EXPECT_EQ(residual.constraints, want.constraints) << name;
    }
  }
  // what was compared wasn't all 0
  EXPECT_GT(broken, 0u);
  EXPECT_GE(with_forces, 5u);
  EXPECT_GE(with_pressures, 1u);
}

TEST(CApiParticles, are_described_as_they_were_added_and_can_be_added_by_that) {
  for (const std::vector<ParticleSet>& given : sets()) {
    Pair pair(given);
    Fixture copy(ground(), 1);
    for (const ParticleSet& of : given) {
      const cairn_handle set = value_of(cairn_world_find_particles, pair.c.world, 0, of.name.c_str());
      auto told = init(cairn_particle_set_init);
      ASSERT_EQ(cairn_particles_describe(pair.c.world, set, &told, nullptr, 0, nullptr, 0), CAIRN_OK);
      EXPECT_EQ(told.constraints, nullptr);
      EXPECT_EQ(told.attachments, nullptr);
      ASSERT_EQ(told.constraint_count, of.constraints.size());
      ASSERT_EQ(told.attachment_count, of.attachments.size());
      std::vector<cairn_constraint_group> groups(told.constraint_count, init(cairn_constraint_group_init));
      std::vector<cairn_attachment> attachments(told.attachment_count, init(cairn_attachment_init));
      ASSERT_EQ(cairn_particles_describe(pair.c.world, set, &told, groups.data(), groups.size(), attachments.data(),
                                         attachments.size()),
                CAIRN_OK)
          << cairn_last_error();
      const std::uint32_t index = value_of(cairn_scene_add_particles, copy.scene, &told);
      EXPECT_EQ(value_of(cairn_scene_find_particles, copy.scene, of.name.c_str()), index);
    }
    // the scenes' texts have every member, and floats to the last bit
    EXPECT_EQ(text_of(copy.scene), scene_to_json(pair.scene()));
    EXPECT_EQ(text_of(copy.scene), text_of(pair.c.scene));
  }
}

TEST(CApiParticles, of_a_program_in_c_move_as_in_cpp) {
  ParticleSet made{.name = "rope", .mass = 0.05f, .radius = 0.02f, .fixed = {0}};
  made.constraints = {{.law = {.compliance = 1e-5f}}};
  for (std::uint32_t i = 0; i < 12; ++i) {
    made.positions.push_back({0, 0, 2 - 0.1 * i});
    if (i > 0) made.constraints[0].particles.insert(made.constraints[0].particles.end(), {i - 1, i});
  }
  Scene scene;
  scene.add_particles(made);
  scene.add_field({fields::Wind{.velocity = {4, 0, 0}, .linear = 0.02}, {}});
  World world(scene, cpu(1));
  run(world, 30);
  EXPECT_EQ(rope_hash_in_c(12, 30), world.state_hash());
}

TEST(CApiParticles, come_and_go_as_in_cpp) {
  Pair pair({rope()});
  World& world = *pair.world;
  cairn_world* const c = pair.c.world;
  EXPECT_TRUE(pair.c.goes_on_as(world, 5));
  ParticleSet second = rope();
  second.name = "second";
  for (Vec3d& p : second.positions) p.x += 0.1;
  const ParticlesHandle h = world.particles().add(second);
  const cairn_handle added = value_of(cairn_world_add_particles, c, 0, SetInC(second).get());
  EXPECT_EQ(added.index, h.index);
  EXPECT_EQ(added.generation, h.generation);
  EXPECT_TRUE(pair.c.goes_on_as(world, 10));
  expect_same_figures(c, added, world, h);
  // a particle of it goes: its handle is null, its forces are 0
  std::vector<cairn_handle> bodies(11);
  ASSERT_EQ(cairn_particles_bodies(c, added, bodies.data(), 11), CAIRN_OK);
  ASSERT_EQ(cairn_body_remove(c, bodies[4]), CAIRN_OK) << cairn_last_error();
  world.remove_body(world.bodies(h)[4]);
  EXPECT_TRUE(pair.c.goes_on_as(world, 10));
  expect_same_figures(c, added, world, h);
  ASSERT_EQ(cairn_particles_bodies(c, added, bodies.data(), 11), CAIRN_OK);
  EXPECT_EQ(bodies[4].index, 0u);
  const cairn_handle first = value_of(cairn_world_find_particles, c, 0, "rope");
  ASSERT_EQ(cairn_particles_remove(c, first), CAIRN_OK);
  world.particles().remove(world.particles().list()[0]);
  EXPECT_TRUE(pair.c.goes_on_as(world, 10));
  EXPECT_EQ(value_of(cairn_particles_alive, c, first), 0);
  EXPECT_EQ(value_of(cairn_particles_alive, c, added), 1);
  EXPECT_TRUE(fails(cairn_particles_remove(c, first), "stale"));
  std::size_t n = 7;
  EXPECT_TRUE(fails(cairn_particles_pressures(c, first, nullptr, 0, &n), "stale"));
  EXPECT_EQ(n, 7u);
}

TEST(CApiParticles, that_cant_be_are_refused_by_name_and_change_nothing) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const ParticleSet good = rope();
  const ParticleSet wet = fluids_test::block(2, 2, 2);
  Fixture c(ground(), 1);
  const std::uint64_t before = c.hash();
  const auto refused_with = [&](const char* word, const ParticleSet& of, auto change) {
    SetInC bad(of);
    change(bad);
    EXPECT_TRUE(fails(cairn_scene_add_particles(c.scene, &bad.set, nullptr), word));
    EXPECT_TRUE(fails(cairn_world_add_particles(c.world, 0, &bad.set, nullptr), word));
  };
  // pointers and counts
  refused_with("cairn_particle_set.name must not be null", good, [](SetInC& s) { s.set.name = nullptr; });
  refused_with("cairn_particle_set.positions must not be null", good, [](SetInC& s) { s.set.positions = nullptr; });
  refused_with("cairn_particle_set.fixed must not be null", good, [](SetInC& s) { s.set.fixed = nullptr; });
  refused_with("cairn_particle_set.constraints must not be null", good, [](SetInC& s) { s.set.constraints = nullptr; });
  refused_with("cairn_particle_set.attachments must not be null", good, [](SetInC& s) { s.set.attachments = nullptr; });
  refused_with("cairn_particle_set.constraints[0].particles must not be null", good,
               [](SetInC& s) { s.groups[0].particles = nullptr; });
  refused_with("cairn_particle_set.constraints[0].rest must not be null", good,
               [](SetInC& s) { s.groups[0].rest = nullptr; });
  refused_with("cairn_constraint_group.struct_size", good, [](SetInC& s) { s.groups[0].struct_size = 0; });
  refused_with("cairn_attachment.struct_size", good, [](SetInC& s) { s.attachments[0].struct_size = 7; });
  refused_with("positions must have at least one", good, [](SetInC& s) {
    s.set.particle_count = s.set.fixed_count = s.set.constraint_count = s.set.attachment_count = 0;
  });
  // kinds and indices
  refused_with("cairn_particle_set.constraints[0].kind must be between 0 and 4, is 5", good,
               [](SetInC& s) { s.groups[0].kind = 5; });
  refused_with("cairn_particle_set.constraints[0].kind must be between 0 and 4, is -1", good,
               [](SetInC& s) { s.groups[0].kind = -1; });
  refused_with("unilateral must be false but for stretch", good, [](SetInC& s) {
    s.groups[0].kind = CAIRN_CONSTRAINT_BEND;
    s.groups[0].rest_count = 0;
  });
  refused_with("particles must be 2 for each constraint", good, [](SetInC& s) { --s.groups[0].particle_count; });
  refused_with("rest must be one for each constraint", good, [](SetInC& s) { --s.groups[0].rest_count; });
  const std::uint32_t far[1] = {11};
  refused_with("fixed must be the index of a particle (there are 11), is 11", good,
               [&](SetInC& s) { s.set.fixed = far; });
  refused_with("particle must be the index of a particle", good, [](SetInC& s) { s.attachments[0].particle = 11; });
  refused_with("body", good, [](SetInC& s) { s.attachments[0].body = 77; });
  refused_with("material", good, [](SetInC& s) { s.set.material = 5; });
  refused_with("cluster", good, [](SetInC& s) { s.groups[0].cluster = 3; });
  // numbers
  const double hole[33] = {0, 0, 0, std::numeric_limits<double>::quiet_NaN()};
  refused_with("\"rope/1\": position.x must be finite", good, [&](SetInC& s) { s.set.positions = hole; });
  refused_with("mass", good, [&](SetInC& s) { s.set.mass = nan; });
  refused_with("radius", good, [&](SetInC& s) { s.set.radius = -1; });
  refused_with("compliance", good, [&](SetInC& s) { s.groups[0].compliance = nan; });
  refused_with("breaking_force", good, [&](SetInC& s) { s.attachments[0].breaking_force = nan; });
  refused_with("linear_damping", good, [&](SetInC& s) { s.set.linear_damping = nan; });
  refused_with("spacing", wet, [&](SetInC& s) { s.set.spacing = nan; });
  refused_with("viscosity", wet, [&](SetInC& s) { s.set.viscosity = -1; });
  const std::vector<float> masses(8, 1.0f);
  refused_with("masses must be none in a fluid", wet, [&](SetInC& s) { s.set.masses = masses.data(); });

  std::uint32_t count = 7;
  EXPECT_EQ(value_of(cairn_scene_particles_count, c.scene), 0u);
  EXPECT_EQ(c.particles().size(), 0u);
  EXPECT_EQ(c.bodies().size(), 2u);
  EXPECT_EQ(c.hash(), before);

  cairn_handle set{9, 9};
  EXPECT_TRUE(fails(cairn_scene_find_particles(c.scene, "rope", &count), "the scene has none"));
  EXPECT_TRUE(fails(cairn_scene_particles_body(c.scene, 0, &count), "set 0"));
  EXPECT_TRUE(fails(cairn_world_find_particles(c.world, 0, "rope", &set), "the world has none"));
  EXPECT_TRUE(fails(cairn_world_particles(c.world, 0, &set, 1), "count must be 0, is 1"));
  EXPECT_TRUE(fails(cairn_world_particles(c.world, 1, &set, 0), "world 1"));
  EXPECT_TRUE(fails(cairn_world_add_particles(c.world, 1, SetInC(good).get(), &set), "world 1"));
  EXPECT_EQ(set.index, 9u);
  ASSERT_EQ(cairn_world_add_particles(c.world, 0, SetInC(good).get(), &set), CAIRN_OK) << cairn_last_error();
  EXPECT_TRUE(fails(cairn_world_add_particles(c.world, 0, SetInC(good).get(), nullptr), "name is taken"));
  // room for fewer than all, and structs of a size that isn't one, are left as they are
  auto told = init(cairn_particle_set_init);
  told.name = "as it was";
  auto group = init(cairn_constraint_group_init);
  group.struct_size = 5;
  EXPECT_TRUE(fails(cairn_particles_describe(c.world, set, &told, &group, 1, nullptr, 0),
                    "cairn_constraint_group.struct_size"));
  EXPECT_STREQ(told.name, "as it was");
  ParticleSet hung = good;
  hung.name = "hung";
  hung.constraints.push_back(hung.constraints[0]);
  const cairn_handle other = value_of(cairn_world_add_particles, c.world, 0, SetInC(hung).get());
  group = init(cairn_constraint_group_init);
  ASSERT_EQ(cairn_particles_describe(c.world, other, &told, &group, 1, nullptr, 0), CAIRN_OK);
  EXPECT_EQ(told.constraint_count, 2u);
  EXPECT_EQ(told.constraints, nullptr);
  EXPECT_EQ(group.particle_count, 0u);
  float forces[3] = {nan, nan, nan};
  EXPECT_EQ(value_of(cairn_particles_constraint_forces, c.world, set, forces, 3), 11u);
  EXPECT_TRUE(std::isnan(forces[0]));
}

TEST(CApiParticles, that_are_too_stiff_are_warned_of) {
  ParticleSet stiff = Rope{.particles = 200, .length = 10, .law = {}}.set();
  Scene scene;
  StepParams params;
  params.substeps = 1;
  params.particle_iterations = 1;
  scene.set_params(params);
  Fixture c(scene, 1);
  EXPECT_EQ(value_of(cairn_scene_constraint_warnings, c.scene, nullptr, 0), 0u);
  stiff.constraints[0].law = {1e-6f, 0, 0};
  scene.add_particles(stiff);
  ASSERT_EQ(cairn_scene_add_particles(c.scene, SetInC(stiff).get(), nullptr), CAIRN_OK);
  const std::vector<std::string> want = constraint_warnings(scene);
  ASSERT_EQ(want.size(), 1u);
  EXPECT_EQ(want[0].find('\n'), std::string::npos);
  std::size_t length = value_of(cairn_scene_constraint_warnings, c.scene, nullptr, 0);
  std::string text(length + 1, 'x');
  ASSERT_EQ(cairn_scene_constraint_warnings(c.scene, text.data(), length, &length), CAIRN_OK);
  EXPECT_EQ(text[0], 'x') << "there was no room for the 0";
  ASSERT_EQ(cairn_scene_constraint_warnings(c.scene, text.data(), text.size(), &length), CAIRN_OK);
  text.pop_back();
  EXPECT_EQ(text, want[0] + "\n");
}

}  // namespace
}  // namespace cairn::c_api_test
