// What bodies are joined by, and what else acts on them, while they are switched off.

#include <cmath>

#include "cairn/muscle.h"
#include "cairn/picture.h"
#include "cairn/virtual_force.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "tests/articulations/models.h"
#include "tests/hertz/hertz_scenes.h"
#include "tests/joints/joint_scenes.h"
#include "tests/particles/sets.h"
#include "tests/support/builders.h"
#include "tests/support/variants.h"
#include "tests/world/switched_off.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;

TEST(EnabledJoints, a_partner_falls_freely_and_is_held_again) {
  for (const Variant& variant : kVariants) {
    const JointKind kinds[] = {BallJoint{}, HingeJoint{}, FixedJoint{}, DistanceJoint{0, 0.2f}};
    for (const JointKind& kind : kinds) {
      Scene scene = joints_test::chain(3, 0.2f, 1, {}, kind);
      if (!solvers_of(scene).empty() && !traits_of(variant.change({}).solver).joints) continue;
      SCOPED_TRACE(std::string(variant.name) + ", kind " + std::to_string(kind.index()));
      World world = world_of(scene, variant, cpu());
      const std::vector<BodyHandle> b = world.bodies();
      const std::vector<JointHandle> joints = world.joints();
      run(world, 30);
      ASSERT_GT(length(world.state(joints[1]).force), 10);
      world.set_enabled(b[1], false);
      EXPECT_EQ(length(world.state(joints[1]).force), 0);
      const BodyState last = world.state(b[2]), middle = world.state(b[1]);
      run(world, 8);
      EXPECT_NEAR(world.state(b[2]).position.z, fallen(world, last, 8), fall_rounding(world, last, 8).place);
      EXPECT_EQ(world.state(b[1]), middle);
      // the upper one still hangs, and bears itself alone
      EXPECT_NEAR(length(world.state(joints[0]).force), kG, 0.3);
      EXPECT_EQ(length(world.state(joints[1]).force), 0);
      EXPECT_EQ(length(world.state(joints[2]).force), 0);
      world.set_enabled(b[1], true);
      run(world, 240);
      // a chain again, which swings: what its first joint bears is its weight and what its momentum changes by
      const auto momentum = [&] {
        double sum = 0;
        for (const BodyHandle body : b) sum += static_cast<double>(world.state(body).linear_velocity.z);
        return sum;
      };
      const double before = momentum();
      double impulse = 0;
      for (int i = 0; i < 120; ++i) {
        world.step();
        impulse += static_cast<double>(world.state(joints[0]).force.z * world.params().dt);
        const BodyState upper = world.state(b[1]), lower = world.state(b[2]);
        const double reach = std::holds_alternative<DistanceJoint>(kind) ? 0.4 : 0.2;
        EXPECT_LT(length(upper.position - lower.position), reach + 0.01);
      }
      const double weight = 3 * kG * 120 * static_cast<double>(world.params().dt);
      EXPECT_NEAR(impulse, weight + momentum() - before, 0.01 * weight);
      EXPECT_TRUE(sound(world));
    }
  }
}

TEST(EnabledJoints, one_that_starts_off_holds_once_it_is_on) {
  Scene scene = scene_of({off(box("post", {0, 0, 5})), box("hangs", {0, 0, 3.8})});
  scene.add_joint({.name = "to the world", .body_b = 0, .frame_a = {{0, 0, 5}, {}}, .kind = FixedJoint{}});
  scene.add_joint(
      {.name = "ball", .body_a = 0, .body_b = 1, .frame_a = {{0, 0, -0.6}, {}}, .frame_b = {{0, 0, 0.6}, {}}});
  World world(scene, cpu());
  const std::vector<BodyHandle> b = world.bodies();
  const BodyState start = world.state(b[1]);
  run(world, 20);
  EXPECT_NEAR(world.state(b[1]).position.z, fallen(world, start, 20), fall_rounding(world, start, 20).place);
  world.set_pose(b[1], {0, 0, 3.8}, {});
  world.set_velocity(b[1], {}, {});
  world.set_enabled(b[0], true);
  run(world, 120);
  EXPECT_NEAR(world.state(b[1]).position.z, 3.8, 0.01);
  EXPECT_NEAR(length(world.state(world.joints()[0]).force), 2000 * kG, 20 * kG);
}

TEST(EnabledJoints, gears_that_follow_what_holds_nothing_hold_nothing) {
  // two wheels on axles in the world, geared 1 : -1; and the axle of one is let go
  Scene scene;
  scene.set_gravity({0, 0, 0});
  for (int i = 0; i < 2; ++i) {
    Body wheel = body("wheel" + std::to_string(i), Sphere{0.3f}, {2.0 * i, 0, 0});
    scene.add_body(wheel);
    scene.add_joint({.name = "axle" + std::to_string(i),
                     .body_b = static_cast<std::uint32_t>(i),
                     .frame_a = {{2.0 * i, 0, 0}, {}},
                     .kind = HingeJoint{}});
  }
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 1, .ratio_a = 1, .ratio_b = 1}});
  World world(scene, cpu());
  const std::vector<BodyHandle> b = world.bodies();
  world.set_velocity(b[0], {}, {1, 0, 0});
  run(world, 30);
  EXPECT_NEAR(world.state(b[1]).angular_velocity.x, -world.state(b[0]).angular_velocity.x, 0.01);
  world.set_enabled(b[0], false);
  world.set_velocity(b[1], {}, {2, 0, 0});
  run(world, 30);
  EXPECT_NEAR(world.state(b[1]).angular_velocity.x, 2, 1e-4);
  world.set_velocity(b[1], {}, {});
  world.set_velocity(b[0], {}, {1, 0, 0});
  world.set_enabled(b[0], true);
  run(world, 30);
  EXPECT_NEAR(world.state(b[1]).angular_velocity.x, -world.state(b[0]).angular_velocity.x, 0.01);
  EXPECT_LT(world.state(b[1]).angular_velocity.x, -0.1f);
}

TEST(EnabledJoints, partners_that_sleep_wake) {
  Scene scene = joints_test::chain(3, 0.2f, 1, with_sleeping(), BallJoint{});
  World world(scene, cpu());
  const std::vector<BodyHandle> b = world.bodies();
  for (int i = 0; i < 900 && world.report().asleep < 3; ++i) world.step();
  ASSERT_EQ(world.report().asleep, 3u);
  world.set_enabled(b[1], false);
  for (const BodyHandle body : b) EXPECT_FALSE(world.asleep(body));
  const double before = world.state(b[2]).position.z;
  run(world, 10);
  EXPECT_LT(world.state(b[2]).position.z, before - 0.1);
  for (int i = 0; i < 900 && !world.asleep(b[0]); ++i) world.step();
  ASSERT_TRUE(world.asleep(b[0]));
  world.set_enabled(b[1], true);
  EXPECT_FALSE(world.asleep(b[0]));
}

// A heavy rotor that a gear holds: the kinematic wheel that it follows stands between it and the body that is switched.
TEST(EnabledJoints, what_a_gear_held_wakes_when_it_lets_go) {
  Scene scene;
  scene.set_params(with_sleeping());
  scene.set_gravity({0, 0, 0});
  scene.add_body(body("driver", Sphere{0.3f}, {0, 0, 0}));
  scene.add_body(body("wheel", Sphere{0.3f}, {2, 0, 0}, BodyType::kKinematic));
  scene.add_body(body("rotor", Sphere{0.3f}, {4, 0, 0}));
  scene.add_joint({.name = "a", .body_a = 0, .body_b = 1, .frame_a = {{2, 0, 0}, {}}, .kind = HingeJoint{}});
  scene.add_joint({.name = "b", .body_a = 1, .body_b = 2, .frame_a = {{2, 0, 0}, {}}, .kind = HingeJoint{}});
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 1, .ratio_a = 1, .ratio_b = 1}});
  World world(scene, cpu());
  const std::vector<BodyHandle> b = world.bodies();
  for (int i = 0; i < 300 && !world.asleep(b[2]); ++i) world.step();
  ASSERT_TRUE(world.asleep(b[2]));
  world.set_enabled(b[0], false);
  EXPECT_FALSE(world.asleep(b[2]));
}

TEST(EnabledJoints, of_articulations_let_go_too) {
  // a pendulum of one link holds a box by a joint
  Scene scene;
  Articulation arm{.name = "arm"};
  arm.links.push_back({.name = "link", .mass = 5, .inertia = {.moments = {1, 1, 1}}});
  arm.links[0].joint.kind = ArticulationJointKind::kRevolute;
  arm.links[0].shapes = {shape(Sphere{0.1f})};
  scene.add_articulation(arm);
  const std::uint32_t load = scene.add_body(body("load", Box{{0.1f, 0.1f, 0.1f}}, {0, 0, -0.5}));
  scene.add_joint(
      {.name = "holds", .body_a = 0, .body_b = load, .frame_a = {{0, 0, -0.25}, {}}, .frame_b = {{0, 0, 0.25}, {}}});
  World world(scene, cpu());
  const BodyHandle body = world.bodies()[load], link = world.bodies()[0];
  run(world, 10);
  world.set_enabled(body, false);
  const BodyState there = world.state(body);
  run(world, 10);
  EXPECT_EQ(world.state(body), there);
  world.set_enabled(body, true);
  run(world, 60);
  EXPECT_GT(world.state(body).position.z, -0.6);
  EXPECT_TRUE(refused(world, [&] { world.set_enabled(link, false); }, {"set_enabled", "link", "articulation"}));
  EXPECT_TRUE(world.description(link).enabled);
}

TEST(EnabledFields, see_nothing_of_it) {
  // three masses pull each other; one of them goes: the others are those of a World of two
  const auto mass = [](const char* name, double x, bool enabled) {
    Body made = ball(name, {x, 0, 0}, 0.1f);
    made.mass = 10.0f;
    made.enabled = enabled;
    return made;
  };
  for (const bool listed : {false, true}) {
    const auto make = [&](int bodies, bool enabled) {
      Scene scene;
      scene.set_gravity({0, 0, 0});
      scene.add_body(mass("a", 0, true));
      scene.add_body(mass("b", 2, true));
      if (bodies == 3) scene.add_body(mass("c", 5, enabled));
      std::optional<std::vector<std::uint32_t>> ids;
      if (listed) ids = bodies == 3 ? std::vector<std::uint32_t>{0, 1, 2} : std::vector<std::uint32_t>{0, 1};
      scene.add_field({fields::PairGravity{.constant = 0.1}, ids});
      fields::Springs springs{{{0, 1, 3, 0.1, 1.5}}};
      if (bodies == 3) springs.springs.push_back({1, 2, 50, 0, 1});
      scene.add_field({springs, {}});
      return World(scene, cpu());
    };
    World two = make(2, true), three = make(3, false), later = make(3, true);
    later.set_enabled(later.bodies()[2], false);
    for (int i = 0; i < 60; ++i) {
      for (World* world : {&two, &three, &later}) world->step();
      for (std::size_t k = 0; k < 2; ++k) {
        ASSERT_EQ(states(three)[k], states(two)[k]) << i;
        ASSERT_EQ(states(later)[k], states(two)[k]) << i;
      }
    }
    EXPECT_EQ(three.state(three.bodies()[2]).position.x, 5);
    // on again it pulls, and is pulled
    three.set_enabled(three.bodies()[2], true);
    run(three, 5);
    EXPECT_LT(three.state(three.bodies()[2]).position.x, 5);
    EXPECT_GT(three.state(three.bodies()[1]).linear_velocity.x, two.state(two.bodies()[1]).linear_velocity.x);
  }
}

TEST(EnabledParticles, stay_and_what_they_are_attached_to_may_go) {
  for (const particles_test::Method& method : particles_test::kMethods) {
    SCOPED_TRACE(method.name);
    // a rope hangs from a crate that a joint holds; while the crate is off the rope falls freely
    Scene scene;
    scene.set_params(particles_test::params_of(method, 4, 4));
    Body crate = body("crate", Box{{0.2f, 0.2f, 0.2f}}, {0, 0, 0.2}, BodyType::kStatic);
    const std::uint32_t held = scene.add_body(crate);
    ParticleSet rope = particles_test::Rope{.particles = 4, .length = 1}.set();
    rope.fixed.clear();
    rope.linear_damping = 0;
    rope.attachments = {{.particle = 0, .body = held, .law = {1e-6f, 0, 0}}};
    scene.add_particles(rope);
    World world(scene, cpu());
    const std::vector<BodyHandle> particles = world.bodies(world.particles().list()[0]);
    const BodyHandle at = world.bodies()[0];
    run(world, 20);
    const double hung = world.state(particles[4]).position.z;
    ASSERT_GT(world.particles().constraint_forces(world.particles().list()[0])[4], 0.5f);
    world.set_enabled(at, false);
    EXPECT_EQ(world.particles().constraint_forces(world.particles().list()[0])[4], 0.0f);
    const BodyState top = world.state(particles[0]);
    double momentum = 0;
    for (const BodyHandle p : particles) momentum += static_cast<double>(world.state(p).linear_velocity.z) / 5;
    run(world, 6);
    EXPECT_EQ(world.particles().constraint_forces(world.particles().list()[0])[4], 0.0f);
    // the mean of what falls together falls freely
    double after = 0;
    for (const BodyHandle p : particles) after += static_cast<double>(world.state(p).linear_velocity.z) / 5;
    EXPECT_NEAR(after, momentum - kG * 6 * static_cast<double>(world.params().dt), 1e-4);
    EXPECT_LT(world.state(particles[0]).position.z, top.position.z);
    world.set_enabled(at, true);
    run(world, steps_in(world, 6));
    EXPECT_NEAR(world.state(particles[0]).position.z, 0, 0.02);
    EXPECT_GT(world.state(particles[4]).position.z, hung - 0.5);
    EXPECT_TRUE(refused(world, [&] { world.set_enabled(particles[2], false); }, {"set_enabled", "particle", "rope"}));
    Body described = world.description(particles[2]);
    described.enabled = false;
    EXPECT_TRUE(refused(world, [&] { world.set_body(particles[2], described); }, {"set_body", "particle", "rope"}));
  }
}

TEST(EnabledParticles, an_attachment_that_broke_is_mended_by_a_reset_whether_its_body_is_on_or_off) {
  Scene scene;
  StepParams params;
  params.particle_iterations = 4;
  scene.set_params(params);
  const std::uint32_t held = scene.add_body(body("crate", Box{{0.2f, 0.2f, 0.2f}}, {0, 0, 0.2}, BodyType::kStatic));
  ParticleSet rope = particles_test::Rope{.particles = 4, .length = 1, .mass = 1}.set();
  rope.fixed.clear();
  rope.attachments = {{.particle = 0, .body = held, .law = {1e-6f, 0, 0, 5}}};
  scene.add_particles(rope);
  World world(scene, cpu());
  run(world, 20);
  ASSERT_EQ(world.report().broken_constraints, 1u);
  world.set_enabled(world.bodies()[0], false);
  run(world, 2);
  EXPECT_EQ(world.particles().broken_constraints(world.particles().list()[0])[4], 1);
  world.reset();
  EXPECT_EQ(world.particles().broken_constraints(world.particles().list()[0])[4], 0);
}

TEST(EnabledGrains, a_sphere_and_what_is_no_sphere) {
  Scene scene = hertz_test::heap(hertz_test::elastic(2e-5, 25));
  World world(scene, cpu());
  const BodyHandle grain = world.bodies().back();
  run(world, 5);
  world.set_enabled(grain, false);
  const BodyState there = world.state(grain);
  run(world, 20);
  EXPECT_EQ(world.state(grain), there);
  world.set_enabled(grain, true);
  run(world, 20);
  EXPECT_NE(world.state(grain), there);
  // what is off needs no moduli
  world.add_body(off(box("box", {0, 0, 50})));
  run(world, 1);
  world.set_enabled(*world.find_body("box"), true);
  EXPECT_TRUE(refused(world, [&] { world.step(); }, {"box", "sphere"}));
}

TEST(EnabledOthers, drags_and_pictures_pass_it_over) {
  World world(scene_of({plane(), box("box", {0, 0, 3})}), cpu());
  const BodyHandle at = world.bodies()[1];
  const Image there = render(world, {.width = 64, .height = 48});
  world.set_enabled(at, false);
  EXPECT_NE(render(world, {.width = 64, .height = 48}).rgb, there.rgb);
  EXPECT_FALSE(Drag::pick(world, {.origin = {0, 0, 9}}).has_value());
  EXPECT_TRUE(refused(world, [&] { Drag(world, at, {0, 0, 3}); }, {"box", "switched off"}));
  world.set_enabled(at, true);
  Drag drag(world, at, {0, 0, 3});
  drag.move({0, 0, 6});
  run(world, 5);
  world.set_enabled(at, false);
  const BodyState there_now = world.state(at);
  run(world, 5);
  EXPECT_EQ(world.state(at), there_now);
  EXPECT_FALSE(drag.over());
  world.set_enabled(at, true);
  run(world, 200);
  EXPECT_NEAR(world.state(at).position.z, 6, 0.1);
}

TEST(EnabledOthers, muscles_and_efforts_leave_it_and_its_partners_alone) {
  Scene scene = scene_of({plane(), box("off", {0, 0, 0.5}), box("held", {2, 0, 0.5})}, with_sleeping());
  scene.add_joint({.name = "slide", .body_a = 1, .body_b = 2, .frame_a = {{2, 0, 0}, {}}, .kind = SliderJoint{}});
  World world(scene, cpu());
  const std::vector<BodyHandle> b = {world.bodies()[1], world.bodies()[2]};
  Muscle muscle(world, {{b[0], {0.85, 0, 0}}, {b[1], {-0.85, 0, 0}}}, {});
  world.set_enabled(b[0], false);
  const JointEffort effort{.joint = world.joints()[0], .effort = {10, 0, 0, 0, 0, 0}};
  for (int i = 0; i < 300 && !world.asleep(b[1]); ++i) {
    muscle.act(1, world.params().dt);
    EXPECT_EQ(muscle.force(), 0);
    exert(world, {&effort, 1});
    world.step();
  }
  EXPECT_TRUE(world.asleep(b[1]));
  EXPECT_NEAR(world.state(b[1]).position.x, 2, 1e-5);
  JointEffort bad = effort;
  bad.effort[1] = std::nan("");
  EXPECT_TRUE(refused(world, [&] { exert(world, {&bad, 1}); }, {"exert", "slide", "finite"}));
  muscle.act(1, world.params().dt);
  world.set_enabled(b[0], true);
  muscle.act(1, world.params().dt);
  EXPECT_GT(muscle.force(), 0);
}

TEST(EnabledOthers, randomise_draws_for_it_as_for_others) {
  World world(scene_of({plane(), off(box("box", {0, 0, 3}))}), cpu());
  const BodyHandle at = world.bodies()[1];
  const std::uint8_t all[] = {1};
  world.scales().randomise(all, {.body_size = {0.5f, 0.6f}, .position = {0.1f, 0.1f, 0}});
  const double size = static_cast<double>(world.scales().get(at).size);
  EXPECT_LT(size, 0.61);
  run(world, 3);
  world.set_enabled(at, true);
  run(world, 120);
  EXPECT_NEAR(world.state(at).position.z, 0.5 * size, 0.02);
}

}  // namespace
}  // namespace cairn::world_test
