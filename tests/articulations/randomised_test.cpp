// Articulations whose links have scales and whose joints are set or drawn: they go as if they were described so.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "cairn/device_arrays.h"
#include "cairn/world_scales.h"
#include "tests/articulations/robots.h"
#include "tests/interop/arrays.h"

namespace cairn::articulations_test {
namespace {

using test::cpu;
using test::HostArray;
using test::run;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr ArticulationJoint kLeg{.damping = 0.2, .drive_stiffness = 200, .drive_damping = 5, .drive_max_force = 20};
constexpr ArticulationJoint kOther{.armature = 0.01,
                                   .damping = 0.1,
                                   .friction = 0.3,
                                   .lower = -0.2,
                                   .upper = 0.3,
                                   .min_rate = -3,
                                   .max_rate = 2,
                                   .spring_stiffness = 20,
                                   .spring_rest = 0.1,
                                   .drive_stiffness = 100,
                                   .drive_damping = 3,
                                   .drive_max_force = 10,
                                   .drive_min_force = -6};

Scene robot(const std::function<void(Articulation&)>& edit = {}, const ArticulationJoint& leg = kLeg) {
  Articulation made = table(8, 0.5, leg);
  if (edit) edit(made);
  return on_floor(made, standing(0.5));
}
BodyHandle link_of(const World& world, std::size_t link, std::uint32_t w = 0) {
  return world.bodies(robot_of(world, w))[link];
}
void set_legs(World& world, const ArticulationJoint& joint, std::uint32_t w = 0) {
  for (std::uint32_t link = 1; link < 5; ++link) {
    ArticulationJoint to = joint;
    to.kind = ArticulationJointKind::kRevolute;
    world.articulations().set_joint(robot_of(world, w), link, to);
  }
}

TEST(Randomised, joints_that_are_set_act_as_if_they_were_described_so) {
  World set(robot(), cpu()), described(robot({}, kOther), cpu()), batch = World::copies(robot(), 3, cpu(2));
  set_legs(set, kOther);
  set_legs(batch, kOther, 1);
  for (std::uint32_t link = 0; link < 5; ++link) {
    EXPECT_EQ(set.articulations().joint(robot_of(set), link),
              described.description(robot_of(described)).links[link].joint);
  }
  World as_it_was(robot(), cpu());
  for (World* world : {&set, &described, &batch, &as_it_was}) run(*world, 120);
  EXPECT_EQ(set.state_hash(), described.state_hash());
  EXPECT_EQ(batch.state_hashes(), (std::vector{as_it_was.state_hash(), set.state_hash(), as_it_was.state_hash()}));
  EXPECT_NE(set.state_hash(), as_it_was.state_hash());
  test::expect_to_go_on_restored(set, 30);
  // a reset leaves them
  set.reset();
  described.reset();
  run(set, 60);
  run(described, 60);
  EXPECT_EQ(set.state_hash(), described.state_hash());
}

TEST(Randomised, joints_are_refused_by_name) {
  World world(robot(), cpu());
  const auto why = [&](std::uint32_t link, ArticulationJoint joint) {
    return refusal_of([&] { world.articulations().set_joint(robot_of(world), link, joint); });
  };
  EXPECT_NE(why(9, {}).find("there is no link 9"), std::string::npos);
  EXPECT_NE(why(1, {.kind = ArticulationJointKind::kPrismatic}).find("its joint stays revolute"), std::string::npos);
  EXPECT_NE(why(1, {.kind = ArticulationJointKind::kRevolute, .damping = -1}).find("damping"), std::string::npos);
  EXPECT_NE(why(1, {.kind = ArticulationJointKind::kRevolute, .lower = 1, .upper = 0}).find("lower"),
            std::string::npos);
  EXPECT_NE(why(0, {.kind = ArticulationJointKind::kFree, .friction = 1}).find("friction"), std::string::npos);
  EXPECT_EQ(world.state_hash(), World(robot(), cpu()).state_hash());
}

TEST(Randomised, arrays_say_and_set_what_joints_have) {
  World by_host = World::copies(robot(), 3, cpu(2)), by_arrays = World::copies(robot(), 3, cpu(2));
  set_legs(by_host, kOther, 2);
  const ArticulationRows rows = by_host.arrays().articulation_rows();
  HostArray<double> damping(rows.rows, rows.rates), lower(rows.rows, rows.rates), upper(rows.rows, rows.rates);
  HostArray<float> force(rows.rows, rows.rates), armature(rows.rows, rows.rates);
  by_host.arrays().get_articulation_joints(
      {.armature = armature.view(), .damping = damping.view(), .lower = lower.view(), .drive_max_force = force.view()});
  for (std::uint32_t w = 0; w < 3; ++w) {
    for (std::size_t d = 0; d < rows.rates; ++d) {
      const ArticulationJoint& of = w == 2 ? kOther : kLeg;
      EXPECT_EQ(damping.at(w, d), d < 6 ? 0 : of.damping);
      EXPECT_EQ(armature.at(w, d), d < 6 ? 0 : static_cast<float>(of.armature));
      EXPECT_EQ(lower.at(w, d), d < 6 ? -kInfinity : of.lower);
      EXPECT_EQ(force.at(w, d), d < 6 ? kInfinity : of.drive_max_force);
    }
  }
  const auto set = [&](const std::vector<std::uint8_t>& mask) {
    by_arrays.arrays().set_articulation_joints(
        {.damping = damping.view(), .lower = lower.view(), .upper = upper.view(), .drive_max_force = force.view()},
        mask.data());
  };
  for (std::uint32_t w = 0; w < 3; ++w) {
    for (std::size_t d = 6; d < rows.rates; ++d) {
      damping.at(w, d) = 0.1 * static_cast<double>(w + 1);
      lower.at(w, d) = -0.1;
      upper.at(w, d) = 0.4;
      force.at(w, d) = 12;
    }
    for (std::size_t d = 0; d < 6; ++d) upper.at(w, d) = kInfinity;
  }
  set({1, 1, 0});
  for (std::uint32_t w = 0; w < 2; ++w) {
    set_legs(by_host,
             {.damping = 0.1 * static_cast<double>(w + 1),
              .lower = -0.1,
              .upper = 0.4,
              .drive_stiffness = 200,
              .drive_damping = 5,
              .drive_max_force = 12},
             w);
  }
  set_legs(by_arrays, kOther, 2);
  for (std::uint32_t w = 0; w < 3; ++w) {
    EXPECT_EQ(by_arrays.articulations().joint(robot_of(by_arrays, w), 3),
              by_host.articulations().joint(robot_of(by_host, w), 3));
  }
  run(by_host, 60);
  run(by_arrays, 60);
  EXPECT_EQ(by_arrays.state_hashes(), by_host.state_hashes());
  // what no joint may have: a world is refused as a whole, and frozen
  const double bad[]{-1, std::nan(""), kInfinity, 1e13};
  for (const double value : bad) {
    World world = World::copies(robot(), 3, cpu());
    damping.at(1, 7) = value;
    damping.at(1, 8) = 0.25;
    world.arrays().set_articulation_joints({.damping = damping.view()});
    EXPECT_EQ(world.report(1).status, std::uint32_t{kStatusOutOfBounds}) << value;
    EXPECT_EQ(world.articulations().joint(robot_of(world, 1), 3).damping, kLeg.damping);
    EXPECT_EQ(world.report(0).status | world.report(2).status, 0u);
    EXPECT_EQ(world.articulations().joint(robot_of(world, 2), 3).damping, damping.at(2, 8));
  }
  World world = World::copies(robot(), 3, cpu());
  lower.at(0, 7) = 0.5;
  world.arrays().set_articulation_joints({.lower = lower.view(), .upper = upper.view()});
  EXPECT_EQ(world.report(0).status, std::uint32_t{kStatusOutOfBounds}) << "lower over upper";
  EXPECT_EQ(world.report(1).status, 0u);
}

TEST(Randomised, a_massless_link_keeps_an_armature) {
  Articulation made{.name = "arm"};
  made.links = {{.name = "ring", .joint = {.kind = ArticulationJointKind::kRevolute, .armature = 0.1}},
                {.name = "rod",
                 .parent = 0,
                 .joint = {.kind = ArticulationJointKind::kRevolute},
                 .mass = 1,
                 .inertia = {{1, 1, 1}},
                 .shapes = {test::shape(Sphere{0.1f})}}};
  World world(scene_with(made), cpu());
  const auto set = [&](double armature) {
    world.articulations().set_joint(robot_of(world), 0,
                                    {.kind = ArticulationJointKind::kRevolute, .armature = armature});
  };
  set(0.2);
  EXPECT_NE(refusal_of([&] { set(0); }).find("armature"), std::string::npos);
  HostArray<double> armature(1, 2);
  armature.at(0, 0) = 0.3;
  world.arrays().set_articulation_joints({.armature = armature.view()});
  EXPECT_EQ(world.report().status, 0u);
  armature.at(0, 0) = 0;
  world.arrays().set_articulation_joints({.armature = armature.view()});
  EXPECT_EQ(world.report().status, std::uint32_t{kStatusOutOfBounds});
  EXPECT_EQ(world.articulations().joint(robot_of(world), 0).armature, 0.3);
}

/// Twice as large, at a scale of mass, with powers of two: no product is rounded.
void enlarge(ArticulationLink& link, float parent, float size, double mass, float inertia) {
  const double s = size;
  link.mass *= mass * s * s * s;
  const auto moment = static_cast<float>(mass * s * s * s * s * s) * inertia;
  for (Vec3* of : {&link.inertia.moments, &link.inertia.products})
    *of = {of->x * moment, of->y * moment, of->z * moment};
  link.centre_of_mass = {s * link.centre_of_mass.x, s * link.centre_of_mass.y, s * link.centre_of_mass.z};
  Vec3d &in_parent = link.frame_in_parent.position, &in_link = link.frame_in_link.position;
  const double p = parent;
  in_parent = {p * in_parent.x, p * in_parent.y, p * in_parent.z};
  in_link = {s * in_link.x, s * in_link.y, s * in_link.z};
  for (Shape& shape : link.shapes) {
    Box& box = std::get<Box>(shape.geometry);
    box.half_extents = {size * box.half_extents.x, size * box.half_extents.y, size * box.half_extents.z};
  }
}

TEST(Randomised, links_with_scales_go_as_if_they_were_described_so) {
  const Scene scaled = robot();
  const BodyScales base{2, 0.5f, 1}, leg{1, 4, 0.5f};
  World world(scaled, cpu()), other(robot([&](Articulation&of) {
                                      enlarge(of.links[0], 1, base.size, base.mass, base.inertia);
                                      for (std::size_t i = 1; i < 5; ++i)
                                        enlarge(of.links[i], base.size, leg.size, leg.mass, leg.inertia);
                                    }),
                                    cpu());
  World batch = World::copies(scaled, 3, cpu(2)), by_arrays = World::copies(scaled, 3, cpu());
  for (std::size_t link = 0; link < 5; ++link) {
    world.scales().set(link == 0 ? base : leg, link_of(world, link));
    batch.scales().set(link == 0 ? base : leg, link_of(batch, link, 1));
  }
  HostArray<float> rows(by_arrays.body_count(), 3);
  for (std::size_t r = 0; r < by_arrays.body_count(); ++r) {
    const BodyScales by = r % 6 == 1 ? base : (r % 6 == 0 ? BodyScales{} : leg);
    rows.at(r, 0) = by.size;
    rows.at(r, 1) = by.mass;
    rows.at(r, 2) = by.inertia;
  }
  by_arrays.arrays().set_scales({.body = rows.view()});
  EXPECT_EQ(by_arrays.report().status, 0u);
  // to the rounding of a described link's pose
  const auto same_place = [&] {
    for (std::size_t link = 0; link < 5; ++link) {
      const BodyState a = world.state(link_of(world, link)), b = other.state(link_of(other, link));
      EXPECT_NEAR(a.position.x, b.position.x, 1e-7);
      EXPECT_NEAR(a.position.y, b.position.y, 1e-7);
      EXPECT_NEAR(a.position.z, b.position.z, 1e-7);
      EXPECT_EQ(a.linear_velocity, b.linear_velocity);
    }
  };
  same_place();
  for (World* each : {&world, &other, &batch, &by_arrays}) run(*each, 120);
  EXPECT_EQ(world.state_hash(), other.state_hash());
  EXPECT_EQ(world.state(robot_of(world)), other.state(robot_of(other)));
  const World as_it_was = [&] {
    World made(scaled, cpu());
    run(made, 120);
    return made;
  }();
  EXPECT_EQ(batch.state_hashes(), (std::vector{as_it_was.state_hash(), world.state_hash(), as_it_was.state_hash()}));
  EXPECT_EQ(by_arrays.state_hashes(), std::vector(3, world.state_hash()));
  const MassProperties a = world.mass_properties(link_of(world, 2)), b = other.mass_properties(link_of(other, 2));
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.moments.x, b.moments.x);
  // through snapshots, and when others come and go
  test::expect_to_go_on_restored(world, 30);
  run(other, 30);
  EXPECT_EQ(world.state_hash(), other.state_hash());
  for (World* each : {&world, &other}) {
    const ArticulationHandle more =
        each->articulations().add(snake("snake", 3, 0.1, 1), {{5, 0, 1, 0, 0, 0, 1, 0, 0}, {}});
    run(*each, 10);
    each->articulations().remove(more);
    run(*each, 10);
  }
  EXPECT_EQ(world.state(robot_of(world)), other.state(robot_of(other)));
  // and resets
  world.reset();
  other.reset();
  same_place();
  for (World* each : {&world, &other}) run(*each, 60);
  EXPECT_EQ(world.state(robot_of(world)), other.state(robot_of(other)));
  // back to what was described
  for (std::size_t link = 0; link < 5; ++link) world.scales().set(BodyScales{}, link_of(world, link));
  world.reset();
  run(world, 120);
  EXPECT_EQ(world.state(robot_of(world)), as_it_was.state(robot_of(as_it_was)));
}

TEST(Randomised, a_world_of_another_size_and_mass_has_links_of_that_size_and_mass) {
  World world(robot(), cpu()), other(robot([](Articulation&of) {
                                       for (ArticulationLink& link : of.links) enlarge(link, 2, 2, 0.25, 1);
                                       of.links[0].frame_in_parent.position = {};
                                     }),
                                     cpu());
  world.scales().set(Scales{.size = 2, .mass = 0.25f}, 0);
  for (World* each : {&world, &other}) run(*each, 120);
  EXPECT_EQ(world.state(robot_of(world)), other.state(robot_of(other)));
  EXPECT_EQ(world.state_hash(), other.state_hash());
  EXPECT_GT(other.state(robot_of(other)).q[2], 0.6) << "it stands on legs of twice the length";
}

TEST(Randomised, states_that_are_set_put_scaled_links_where_arrays_put_them) {
  World by_host(robot(), cpu()), by_arrays(robot(), cpu());
  const ArticulationState to{{0.5, 0, 0.9, 0, 0.1, 0, 1, 0.1, -0.1, 0.2, 0}, std::vector<double>(10, 0.1)};
  HostArray<double> q(1, 11), v(1, 10);
  std::copy(to.q.begin(), to.q.end(), q.data.begin());
  std::copy(to.v.begin(), to.v.end(), v.data.begin());
  for (World* each : {&by_host, &by_arrays}) {
    each->scales().set(BodyScales{2, 0.5f, 1}, link_of(*each, 0));
    each->scales().set(Scales{.mass = 2}, 0);
  }
  by_host.set_state(robot_of(by_host), to);
  by_arrays.arrays().set_articulations({.q = q.view(), .v = v.view()});
  EXPECT_EQ(by_host.state_hash(), by_arrays.state_hash());
  World read(Snapshot::from_bytes(by_host.snapshot().to_bytes(), "here"), cpu());
  for (World* each : {&by_host, &by_arrays, &read}) run(*each, 30);
  EXPECT_EQ(by_host.state_hash(), by_arrays.state_hash());
  EXPECT_EQ(by_host.state_hash(), read.state_hash());
}

TEST(Randomised, a_link_that_a_scale_moves_leaves_what_it_touched) {
  // a foot at the end of an arm lies on a block; the arm grows, and the foot is past the block
  Articulation arm{.name = "arm"};
  arm.links = {on(block("arm", {0.5f, 0.1f, 0.1f}, 1), kWorldLink, {0, 0, 1}, {-0.5, 0, 0}, kAlongY,
                  ArticulationJointKind::kRevolute),
               on(block("foot", {0.1f, 0.1f, 0.1f}, 1), 0, {0.6, 0, 0}, {}, kAlongY, ArticulationJointKind::kRevolute)};
  Scene scene;
  Body under = test::body("block", Box{{0.2f, 0.2f, 0.1f}}, {1.1, 0, 0.8});
  under.type = BodyType::kStatic;
  scene.add_body(under);
  scene.add_articulation(arm);
  World world(scene, cpu());
  run(world, 10);
  ASSERT_FALSE(world.contacts().empty());
  world.scales().set(BodyScales{.size = 2}, link_of(world, 0));
  EXPECT_TRUE(world.contacts().empty());
}

TEST(Randomised, a_torque_turns_a_link_by_its_scaled_inertia) {
  // a balanced wheel on an axle: rate = torque t / (I inertia mass size^5)
  const Articulation wheel{
      "wheel",
      {on(block("wheel", {0.1f, 0.2f, 0.2f}, 3), kWorldLink, {0, 0, 1}, {}, {}, ArticulationJointKind::kRevolute)}};
  World world = World::copies(scene_with(wheel), 4, cpu());
  const BodyScales scales[]{{}, {.mass = 3}, {.inertia = 0.3f}, {.size = 1.3f, .mass = 0.7f, .inertia = 2}};
  const std::vector<double> torque{0.5};
  for (std::uint32_t w = 0; w < 4; ++w) {
    world.scales().set(scales[w], link_of(world, 0, w));
    world.articulations().set_forces(robot_of(world, w), torque);
  }
  run(world, 30);
  for (std::uint32_t w = 0; w < 4; ++w) {
    const BodyScales& s = scales[w];
    const double inertia =
        double{wheel.links[0].inertia.moments.x} * double{s.mass} * double{s.inertia} * std::pow(double{s.size}, 5);
    EXPECT_NEAR(world.state(robot_of(world, w)).v[0], 0.5 * 0.5 / inertia, 1e-6 * 0.25 / inertia) << w;
  }
}

TEST(Randomised, draws_are_within_their_ranges_and_each_worlds_own) {
  const Randomisation ranges{.body_mass = {0.5f, 2},
                             .body_inertia = {0.8f, 1.2f},
                             .joint_armature = {1, 2},
                             .joint_damping = {0.5f, 1.5f},
                             .joint_limits = {0.8f, 1},
                             .drive_stiffness = {0.7f, 1.3f},
                             .drive_force = {0.5f, 1}};
  World batch = World::copies(robot({}, kOther), 4, cpu(2)), alone(robot({}, kOther), cpu());
  for (std::uint32_t w = 0; w < 4; ++w) batch.scales().set_seed(w == 3 ? 1 : w, w);
  alone.scales().set_seed(1, 0);
  batch.scales().randomise(std::vector<std::uint8_t>{1, 1, 0, 1}, ranges);
  alone.scales().randomise(std::vector<std::uint8_t>{1}, ranges);
  std::vector<double> seen;
  for (const std::uint32_t w : {0u, 1u, 3u}) {
    for (std::uint32_t link = 1; link < 5; ++link) {
      const ArticulationJoint j = batch.articulations().joint(robot_of(batch, w), link);
      const auto within = [&](double value, double of, const Range& range) {
        EXPECT_GE(value / of, double{range.low} * (1 - 1e-7));
        EXPECT_LE(value / of, double{range.high} * (1 + 1e-7));
      };
      within(j.armature, kOther.armature, ranges.joint_armature);
      within(j.damping, kOther.damping, ranges.joint_damping);
      within(j.lower, kOther.lower, ranges.joint_limits);
      EXPECT_NEAR(j.lower / kOther.lower, j.upper / kOther.upper, 1e-12);
      within(j.drive_stiffness, kOther.drive_stiffness, ranges.drive_stiffness);
      within(j.drive_max_force, kOther.drive_max_force, ranges.drive_force);
      EXPECT_NEAR(j.drive_min_force / kOther.drive_min_force, j.drive_max_force / kOther.drive_max_force, 1e-12);
      EXPECT_EQ(j.friction, kOther.friction);
      EXPECT_EQ(j.max_rate, kOther.max_rate);
      const BodyScales own = batch.scales().get(link_of(batch, link, w));
      within(double{own.mass}, 1, ranges.body_mass);
      within(double{own.inertia}, 1, ranges.body_inertia);
      for (const double value : {j.armature, j.damping, j.lower, j.drive_stiffness}) seen.push_back(value);
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_GE(std::unique(seen.begin(), seen.end()) - seen.begin(), 4 * 4 * 2) << "worlds 1 and 3 have the same seed";
  const ArticulationJoint same = batch.articulations().joint(robot_of(batch, 1), 2);
  EXPECT_EQ(same, batch.articulations().joint(robot_of(batch, 3), 2));
  EXPECT_EQ(same, alone.articulations().joint(robot_of(alone), 2));
  EXPECT_EQ(batch.articulations().joint(robot_of(batch, 2), 2), batch.description(robot_of(batch, 2)).links[2].joint)
      << "wasn't chosen";
  run(batch, 60);
  run(alone, 60);
  EXPECT_EQ(batch.report().status, 0u);
  EXPECT_EQ(batch.state_hashes()[1], alone.state_hash());
  EXPECT_EQ(batch.state_hashes()[3], alone.state_hash());
  // ranges of 1 leave what is there
  ArticulationJoint set = same;
  set.friction = 0.7;
  batch.articulations().set_joint(robot_of(batch, 1), 2, set);
  batch.scales().randomise(std::vector<std::uint8_t>{0, 1, 0, 0}, {.joint_damping = {0.5f, 1.5f}});
  const ArticulationJoint now = batch.articulations().joint(robot_of(batch, 1), 2);
  EXPECT_EQ(now.friction, 0.7);
  EXPECT_EQ(now.drive_stiffness, same.drive_stiffness);
}

TEST(Randomised, draws_that_no_joint_may_have_are_refused) {
  World world(robot({}, {.damping = 1e11, .drive_stiffness = 1}), cpu());
  const std::vector<std::uint8_t> mask{1};
  EXPECT_NE(refusal_of([&] {
              world.scales().randomise(mask, {.joint_damping = {1, 100}});
            }).find("articulation \"table\""),
            std::string::npos);
  world.scales().randomise(mask, {.joint_damping = {0.5f, 1}});
}

TEST(Randomised, Gpu_gives_the_bits_of_the_cpu) {
  const std::vector<DeviceInfo> all = devices();
  if (all.size() < 2) GTEST_SKIP() << "no CUDA device";
  std::vector<std::vector<std::uint64_t>> hashes;
  for (const Device& device : {Device::cpu(2), all.back().device}) {
    WorldOptions options;
    options.device = device;
    World world = World::copies(tables_and_rod(), 3, options);
    for (std::uint32_t w = 0; w < 3; ++w) world.scales().set_seed(w + 1, w);
    std::vector<std::uint64_t> of;
    for (int episode = 0; episode < 2; ++episode) {
      world.scales().randomise(std::vector<std::uint8_t>{1, 1, 0}, {.size = {0.9f, 1.1f},
                                                                    .body_size = {0.95f, 1.05f},
                                                                    .body_mass = {0.5f, 2},
                                                                    .body_inertia = {0.8f, 1.2f},
                                                                    .joint_damping = {0.5f, 1.5f},
                                                                    .drive_stiffness = {0.7f, 1.3f},
                                                                    .drive_force = {0.5f, 1}});
      run(world, 6);
      for (const std::uint64_t hash : world.state_hashes()) of.push_back(hash);
      world.reset(std::vector<std::uint8_t>{0, 1, 1});
    }
    run(world, 3);
    for (const std::uint64_t hash : world.state_hashes()) of.push_back(hash);
    hashes.push_back(of);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace cairn::articulations_test
