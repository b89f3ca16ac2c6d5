// Sets of particles in scene files.

#include "tests/particles/sets.h"

namespace cairn::particles_test {
namespace {

TEST(ConstraintFile, gives_back_the_scene_that_was_written) {
  Scene scene;
  scene.add_material({.name = "floor"});
  scene.add_material({.name = "cotton", .friction = 0.3f});
  scene.add_body(test::plane());
  ParticleSet cloth = sheet(4, 0.1, 1, {1e-5f, 0.1f, 0}, {0.2f, 0, 0});
  cloth.material = 1;
  cloth.filter.group = -3;
  cloth.velocities.assign(16, {0, 0.5f, 0});
  cloth.masses.assign(16, 0.02f);
  cloth.masses[3] = 0.5f;
  scene.add_particles(cloth);
  // bodies on both sides of it, and what it is attached to before
  const std::uint32_t crate = scene.add_body(test::box("crate", {3, 0, 2}));
  ParticleSet rope = Rope{.particles = 3}.set();
  rope.attachments = {{3, crate, {1e-6f, 1, 0}}};
  rope.constraints.push_back({.law = {0, 0, 0.5f}, .particles = {0, 2}});
  scene.add_particles(rope);
  scene.add_body(test::box("last", {6, 0, 2}));
  scene.ignore(0, scene.find_body("rope/1").value());
  scene.set_params({.particle_iterations = 7});

  const std::string text = scene_to_json(scene);
  const Scene read = parse_scene(text, "here");
  EXPECT_EQ(read.particles(), scene.particles());
  EXPECT_EQ(read.bodies(), scene.bodies());
  EXPECT_EQ(read.ignored().size(), scene.ignored().size());
  EXPECT_EQ(read.params(), scene.params());
  EXPECT_EQ(scene_to_json(read), text);
  World a(scene, test::cpu()), b(read, test::cpu());
  EXPECT_EQ(test::hashes_of(a, 30), test::hashes_of(b, 30));
}

TEST(ConstraintFile, names_the_place_of_what_it_refuses) {
  const auto message = [](const std::string& particles) {
    const std::string text = R"({"cairn": 1, "bodies": [], "particles": [)" + particles + "]}";
    return test::refusal_of<SceneFileError>([&] { (void)parse_scene(text, "f"); });
  };
  const std::string two = R"("name": "r", "positions": [[0, 0, 0], [1, 0, 0]])";
  EXPECT_EQ(message("{" + two + "}"), "");
  EXPECT_EQ(message(R"({"name": "r"})"), "f: /particles/0/positions: is required, is missing");
  EXPECT_EQ(message("{" + two + R"(, "constraints": [{"kind": "stretch", "particles": [[0, 2]]}]})"),
            "f: /particles/0/constraints/0/particles/0/1: must be the index of a particle (there are 2), is 2");
  EXPECT_EQ(message("{" + two + R"(, "constraints": [{"kind": "bend", "particles": [[0, 1]]}]})"),
            "f: /particles/0/constraints/0/particles: must be 4 particles each, are 2");
  EXPECT_EQ(message("{" + two + R"(, "constraints": [{"kind": "stretch", "particles": [[0, 1], [0]]}]})"),
            "f: /particles/0/constraints/0/particles/1: must be as many particles as in the first");
  EXPECT_EQ(message("{" + two + R"(, "constraints": [{"kind": "stretch", "particles": [0, 1]}]})"),
            "f: /particles/0/constraints/0/particles/0: must be an array, is a number");
  EXPECT_EQ(message("{" + two + R"(, "constraints": [{"kind": "rope", "particles": []}]})"),
            "f: /particles/0/constraints/0/kind: must be one of stretch, bend, volume, shape, elastic, is \"rope\"");
  EXPECT_EQ(message("{" + two + R"(, "attachments": [{"particle": 0, "body": "no"}]})"),
            "f: /particles/0/attachments/0/body: no body before these particles is named \"no\"");
  EXPECT_EQ(message("{" + two + R"(, "mass": 0})"), "f: /particles/0/mass: must be over 0, is 0");
  EXPECT_EQ(message("{" + two + "}, {" + two + "}"),
            "f: /particles/1/name: must be unique, /particles/0 has it too: \"r\"");
  EXPECT_EQ(message("{" + two + R"(, "first_body": 5})"),
            "f: /particles/0/first_body: must be between 0 and 0, how many bodies may stand before, is 5");
  EXPECT_EQ(message("{" + two + R"(, "velocities": [[0, 0, 0]]})"),
            "f: /particles/0/velocities: must be one for each particle, or none");
}

}  // namespace
}  // namespace cairn::particles_test
