// Scales of worlds and bodies, drawn and given.

#include <cmath>

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::scale_test {
namespace {

using namespace testing_support;
using testing_support::shape;  // not the namespace

/// Boxes, balls and capsules that hang over a floor and over each other, `size` times as large and `mass` times as
/// heavy at that.
Scene hanging(float size = 1, float mass = 1, float friction = 0.6f, float restitution = 0.25f) {
  Scene scene;
  scene.add_material({.name = "stuff", .friction = friction, .restitution = restitution});
  scene.add_body(plane());
  const auto add = [&](const std::string& name, const Geometry& geometry, Vec3d at) {
    Body made = body(name, geometry, at);
    made.density = kDensity * mass;
    scene.add_body(made);
  };
  for (int i = 0; i < 4; ++i) {
    const double z = 1.5 + 4.5 * i;
    const std::string number = std::to_string(i);
    add("box" + number, Box{{0.5f * size, 0.25f * size, 0.5f * size}}, {0, 0, z});
    add("ball" + number, Sphere{0.5f * size}, {0.25, 0, z + 1.5});
    add("capsule" + number, Capsule{0.25f * size, 0.25f * size}, {0, 0.25, z + 3});
  }
  return scene;
}

/// Two balls on a rod of which one is large: neither the centre of mass nor the axes are the body's own.
Body club(Vec3d at) {
  Body made = ball("club", at);
  made.shapes = {shape(Sphere{0.5f}, {1, 0.5f, 0}), shape(Sphere{0.25f}, {-1, 0, 0.5f})};
  made.orientation = {0.5f, 0.5f, 0.5f, 0.5f};
  return made;
}

std::uint64_t after(World& world, int steps) {
  run(world, steps);
  return world.state_hash();
}

// powers of two, so that scaling rounds nothing
TEST(Scales, of_a_world_give_the_bits_of_a_world_that_is_described_so) {
  World scaled(hanging(), cpu()), described(hanging(2, 4, 0.3f, 0.125f), cpu());
  scaled.scales().set({.size = 2, .mass = 4, .friction = 0.5f, .restitution = 0.5f}, 0);
  EXPECT_EQ(scaled.scales().get(), (Scales{2, 4, 0.5f, 0.5f}));
  EXPECT_EQ(after(scaled, 150), after(described, 150));
  EXPECT_EQ(scaled.contacts().size(), described.contacts().size());
  // and back
  World plain(hanging(), cpu());
  scaled.scales().set({}, 0);
  scaled.reset();
  EXPECT_EQ(after(scaled, 150), after(plain, 150));
}

TEST(Scales, of_bodies_and_their_world_multiply) {
  World both(hanging(), cpu()), one(hanging(), cpu());
  both.scales().set({.size = 0.5f, .mass = 2}, 0);
  for (const BodyHandle b : both.bodies()) {
    if (both.description(b).type == BodyType::kDynamic) both.scales().set({.size = 4, .mass = 0.25f}, b);
  }
  one.scales().set({.size = 2, .mass = 0.5f}, 0);
  EXPECT_EQ(both.scales().get(both.bodies()[1]), (BodyScales{4, 0.25f}));
  EXPECT_EQ(both.scales().get(both.bodies()[0]), BodyScales{}) << "static";
  EXPECT_EQ(after(both, 100), after(one, 100));
}

TEST(Scales, before_edits_and_after_them_are_the_same) {
  const auto edit = [](World& world) {
    const auto all = world.bodies(1);
    world.set_mass(all[2], 700);
    world.set_type(all[3], BodyType::kKinematic);
    world.remove_body(all[4]);
    world.add_body(box("late", {3, 0, 2}), 1);
    world.add_body(club({-5, 0, 3}), 1);
    world.set_material(0, {.name = "stuff", .friction = 0.4f, .restitution = 0.1f}, 1);
    world.add_material({.name = "ice", .friction = 0.1f}, 1);
    world.set_material(world.bodies(1)[6], 1);
  };
  const Scales scales{1.25f, 0.7f, 0.9f, 0.3f};
  World first = World::copies(hanging(), 3, cpu()), last = World::copies(hanging(), 3, cpu());
  first.scales().set(scales, 1);
  edit(first);
  edit(last);
  last.scales().set(scales, 1);
  run(first, 60);
  run(last, 60);
  EXPECT_EQ(first.state_hashes(), last.state_hashes());
  for (std::size_t i = 0; i < first.bodies(1).size(); ++i) {
    EXPECT_EQ(first.scales().description(first.bodies(1)[i]), last.scales().description(last.bodies(1)[i])) << i;
  }
}

TEST(Scales, keep_the_centre_of_mass_and_change_mass_and_inertia_by_the_law) {
  World world(afloat({club({1, 2, 3})}), cpu());
  const BodyHandle body = world.bodies()[0];
  const auto centre = [&] {
    const BodyState s = world.state(body);
    // turned by 120 degrees about (1, 1, 1): x to y, y to z, z to x
    const Vec3d c = mass_properties(world.scales().description(body), world.materials()).centre_of_mass;
    return Vec3d{s.position.x + c.z, s.position.y + c.x, s.position.z + c.y};
  };
  const MassProperties before = mass_properties(world.scales().description(body), world.materials());
  const Vec3d at = centre();
  world.scales().set({.size = 1.5f, .mass = 0.75f}, 0);
  const MassProperties now = mass_properties(world.scales().description(body), world.materials());
  // lengths and densities were rounded to float once
  const double mass = 0.75 * 1.5 * 1.5 * 1.5, turning = mass * 1.5 * 1.5, slack = 8 * 0x1p-24;
  EXPECT_NEAR(now.mass, before.mass * mass, slack * now.mass);
  EXPECT_NEAR(now.moments.x, before.moments.x * turning, slack * now.moments.x);
  EXPECT_NEAR(now.moments.z, before.moments.z * turning, slack * now.moments.z);
  // positions of a few metres in double, offsets in float
  EXPECT_LT(length(centre() - at), 8 * 0x1p-24);
  // a state that is read and written stays, but for what turning the centre's offset rounds
  const BodyState s = world.state(body);
  world.set_state(body, s);
  EXPECT_LT(length(world.state(body).position - s.position), 8 * 0x1p-24);
  // v = F t / m, in float
  world.add_force(body, {1000, 0, 0});
  world.step();
  EXPECT_NEAR(world.state(body).linear_velocity.x, 1000.0 / 60 / now.mass, 16 * slack * 1000 / 60 / now.mass);
}

TEST(Scales, end_the_contacts_of_their_world_and_wake_it) {
  World world = World::copies(tower(3, with_sleeping()), 2, cpu());
  run(world, 120);
  ASSERT_EQ(world.report().asleep, 6u);
  ASSERT_EQ(world.contacts().size(), 6u);
  world.scales().set({.mass = 2}, 1);
  EXPECT_FALSE(world.asleep(world.bodies(1)[1]));
  EXPECT_TRUE(world.asleep(world.bodies(0)[1]));
  EXPECT_EQ(world.contacts().size(), 3u);
  run(world, 60);
  EXPECT_NEAR(world.state(world.bodies(1)[3]).position.z, 2.5, 0.01);
}

TEST(Scales, refuse_a_new_or_changed_body_that_would_not_bear_them) {
  Scene scene = hanging();
  scene.add_material({.name = "dense", .density = 1});
  scene.add_body({.name = "of dense", .position = {8, 0, 2}, .shapes = {shape(Sphere{}, {}, {}, 1)}});
  World world(scene, cpu());
  world.scales().set({.mass = 1e6f}, 0);
  const BodyHandle body = world.bodies()[1], dense = world.bodies().back();
  const std::uint64_t before = world.state_hash();
  // 1e32 kg would be 1e38, which no float's inverse has
  const std::initializer_list<const char*> words{"could have a mass", "1e37"};
  EXPECT_TRUE(refused(
      world, [&] { world.set_mass(body, 1e32f); }, words));
  const Body heavy = of_mass(1e32f, ball("heavy", {9, 9, 9}));
  EXPECT_TRUE(refused(
      world, [&] { world.add_body(heavy); }, words));
  Material denser = scene.materials()[1];
  denser.density = 1e32f;
  EXPECT_TRUE(refused(
      world, [&] { world.set_material(1, denser, 0); }, words));
  EXPECT_EQ(world.state_hash(), before);
  EXPECT_EQ(world.description(body).mass, scene.bodies()[1].mass);
  world.set_mass(body, 1e30f);
  world.scales().set({}, 0);
  world.set_mass(body, 1e32f);
  world.set_material(1, denser, 0);
  world.add_body(heavy);
  EXPECT_TRUE(world.alive(dense));
}

TEST(Randomise, draws_what_the_documented_function_gives) {
  const Randomisation r{.size = {0.5f, 1.5f},
                        .mass = {1, 3},
                        .friction = {0, 2},
                        .restitution = {0.25f, 0.5f},
                        .body_size = {0.75f, 1},
                        .body_mass = {2, 2}};
  World world = World::copies(hanging(), 3, cpu());
  world.scales().set_seed(0x123456789abcdefull, 1);
  EXPECT_EQ(world.scales().seed(1), 0x123456789abcdefull);
  EXPECT_EQ(world.scales().seed(2), 0u);
  for (std::uint32_t episode = 1; episode < 4; ++episode) {
    world.reset(1);
    world.scales().randomise(std::vector<std::uint8_t>{0, 1, 0}, r);
    const auto u = random_uniforms(world.scales().seed(1), episode, RandomStream::kWorld, 0);
    const Scales s = world.scales().get(1);
    // u is a multiple of 2^-24, and the ranges are short enough for one rounding
    EXPECT_EQ(s.size, 0.5f + u[0]);
    EXPECT_EQ(s.mass, static_cast<float>(1 + 2 * double{u[1]}));
    EXPECT_EQ(s.friction, 2 * u[2]);
    EXPECT_EQ(s.restitution, 0.25f + 0.25f * u[3]);
    EXPECT_EQ(world.scales().get(0), Scales{});
    for (const std::uint32_t id : {1u, 7u}) {
      const BodyScales own = world.scales().get(world.bodies(1)[id]);
      EXPECT_EQ(own.size, 0.75f + 0.25f * random_uniforms(world.scales().seed(1), episode, RandomStream::kBody, id)[0]);
      EXPECT_EQ(own.mass, 2);
    }
  }
}

TEST(Randomise, moves_bodies_within_what_was_given_and_by_draws_of_their_own) {
  World world = World::copies(hanging(), 2, cpu());
  const Randomisation r{.position = {0.5f, 0, 0.25f}, .linear_velocity = {0, 3, 0}, .angular_velocity = {0, 0, 2}};
  world.scales().set_seed(9, 1);
  const auto before = states(world);
  world.scales().randomise(std::vector<std::uint8_t>{1, 1}, r);
  const auto now = states(world);
  double farthest = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Vec3d moved = now[i].position - before[i].position;
    EXPECT_LE(std::abs(moved.x), 0.5);
    EXPECT_EQ(moved.y, 0);
    EXPECT_LE(std::abs(moved.z), 0.25);
    EXPECT_LE(std::abs(now[i].linear_velocity.y), 3);
    EXPECT_LE(std::abs(now[i].angular_velocity.z), 2);
    farthest = std::max(farthest, std::abs(moved.x));
  }
  EXPECT_GT(farthest, 0.4);
  EXPECT_EQ(now[0], before[0]) << "the floor";
  EXPECT_NE(now[1].linear_velocity, now[2].linear_velocity);
  EXPECT_NE(now[1].linear_velocity, now[1 + now.size() / 2].linear_velocity) << "the other seed";
}

TEST(Randomise, gives_a_world_in_a_batch_the_bits_that_it_has_alone) {
  const Randomisation r{.size = {0.8f, 1.1f},
                        .mass = {0.5f, 2},
                        .friction = {0.5f, 1.5f},
                        .restitution = {0, 1},
                        .body_size = {0.9f, 1},
                        .body_mass = {0.9f, 1.1f},
                        .position = {0.1f, 0.1f, 0},
                        .linear_velocity = {1, 1, 1},
                        .angular_velocity = {1, 1, 1}};
  Scene more = hanging();
  more.add_body(club({4, 0, 2}));
  const std::vector<Scene> scenes{hanging(), more, scenes::make("tower:height=5", 1), hanging()};
  const auto resets = [](std::uint32_t w, int step) { return step % (7 + static_cast<int>(w)) == 3; };
  World all(scenes, cpu(2));
  for (std::uint32_t w = 0; w < 4; ++w) all.scales().set_seed(100 + w % 3, w);
  for (int step = 0; step < 60; ++step) {
    std::vector<std::uint8_t> chosen(4);
    for (std::uint32_t w = 0; w < 4; ++w) chosen[w] = resets(w, step);
    all.reset(chosen);
    all.scales().randomise(chosen, r);
    all.step();
  }
  for (std::uint32_t w = 0; w < 4; ++w) {
    World one(scenes[w], cpu());
    one.scales().set_seed(100 + w % 3, 0);
    for (int step = 0; step < 60; ++step) {
      if (resets(w, step)) {
        one.reset();
        one.scales().randomise(std::vector<std::uint8_t>{1}, r);
      }
      one.step();
    }
    EXPECT_EQ(all.state_hashes()[w], one.state_hash()) << w;
    EXPECT_EQ(all.scales().get(w), one.scales().get()) << w;
  }
  EXPECT_EQ(all.report().status, 0u);
}

TEST(Randomise, refuses_what_is_out_of_range) {
  World world(hanging(), cpu());
  const std::vector<std::uint8_t> all{1};
  const auto refuses = [&](const Randomisation& r, std::initializer_list<const char*> words) {
    EXPECT_TRUE(refused(
        world, [&] { world.scales().randomise(all, r); }, words));
  };
  refuses({.size = {2, 1}}, {"randomise", "size.high", "at least 2", "1"});
  refuses({.mass = {0, 1}}, {"mass.low", "1e-6"});
  refuses({.position = {-1, 0, 0}}, {"position.x"});
  EXPECT_THROW(world.scales().randomise(std::vector<std::uint8_t>{1, 1}, {}), InvalidArgument);
  EXPECT_TRUE(refused(world, [&] { world.scales().set({.size = 1000}, 0); }, {"size", "100", "1000"}));
  EXPECT_TRUE(refused(world, [&] { world.scales().set(BodyScales{}, world.bodies()[0]); }, {"floor", "dynamic"}));
  EXPECT_THROW(world.scales().set(Scales{}, 1), InvalidArgument);
  EXPECT_THROW(world.scales().seed(1), InvalidArgument);
}

TEST(Origin, of_a_world_is_kept_and_touches_nothing) {
  World world = World::copies(hanging(), 2, cpu()), plain = World::copies(hanging(), 2, cpu());
  world.set_origin({10, 20, 1e9}, 1);
  EXPECT_EQ(world.origin(1), (Vec3d{10, 20, 1e9}));
  EXPECT_EQ(world.origin(), Vec3d{});
  EXPECT_EQ(after(world, 30), after(plain, 30));
  EXPECT_EQ(states(world), states(plain));
  EXPECT_THROW(world.set_origin({0, NAN, 0}, 0), InvalidArgument);
}

}  // namespace
}  // namespace cairn::scale_test
