// Fields of scenes that change, are kept and are refused.

#include "tests/fields/bodies.h"
#include "tests/fields/user_field.h"

namespace cairn::fields_test {
namespace {

using namespace testing_support;

TEST(SceneFields, can_be_changed_and_lose_bodies) {
  Scene scene = afloat({ball("a", {0, 0, 0}), ball("b", {3, 0, 0}), ball("c", {6, 0, 0})});
  scene.add_field({fields::Springs{{{0, 1, 100, 0, 1}, {1, 2, 100, 0, 1}}}, {}});
  scene.add_field({fields::Gravity{{0, 1, 0}}, {{0, 2}}});
  World world(scene, cpu());
  const std::vector<BodyHandle> bodies = world.bodies();
  world.step();
  EXPECT_GT(field_forces(world)[0].x, 0);
  world.remove_body(bodies[1]);
  EXPECT_TRUE(std::get<fields::Springs>(world.fields()[0].law).springs.empty());
  world.step();
  EXPECT_EQ(field_forces(world)[0].x, 0) << "no spring is left";
  EXPECT_GT(field_forces(world)[0].y, 0);
  world.remove_body(bodies[0]);
  // takes its place, and not its part in lists
  const BodyHandle d = world.add_body(ball("d", {0, 5, 0}));
  EXPECT_EQ(world.index_of(d), 0u);
  EXPECT_EQ(world.fields()[1].bodies, (std::vector<std::uint32_t>{2}));
  world.step();
  EXPECT_EQ(field_forces(world)[0], (Vec3{0, 0, 0}));
  world.set_fields({{fields::Gravity{{0, 0, 3}}, {}}});
  world.step();
  EXPECT_GT(field_forces(world)[0].z, 0);
  EXPECT_EQ(field_forces(world)[2].y, 0);
  world.set_fields({});
  EXPECT_TRUE(world.fields().empty());
  const std::uint64_t before = world.state_hash();
  EXPECT_EQ(field_forces(world)[0], (Vec3{0, 0, 0}));
  world.step();
  EXPECT_NE(world.state_hash(), before) << "they drift on";
  EXPECT_EQ(world.report().status, 0u);
}

// A kinematic end of a spring pulls and isn't pulled; one that becomes dynamic joins what is on all of them.
TEST(SceneFields, see_what_is_not_dynamic_where_they_name_it) {
  Scene scene = afloat({body("anchor", Sphere{}, {0, 0, 0}, BodyType::kKinematic), ball("ball", {3, 0, 0})});
  scene.add_field({fields::Springs{{{0, 1, 100, 0, 1}}}, {}});
  scene.add_field({fields::PairGravity{.constant = 1e-3}, {{0, 1}}});
  scene.add_field({fields::Gravity{{0, 0, -1}}, {}});
  World world(scene, cpu());
  const double m = world.mass_properties(world.bodies()[1]).mass, want = 100 * 2 + 1e-3 * m * m / 9;
  world.step();
  EXPECT_EQ(field_forces(world)[0], (Vec3{0, 0, 0}));
  EXPECT_NEAR(double{field_forces(world)[1].x}, -want, 4 * 0x1p-24 * want);
  EXPECT_EQ(states(world)[0].position, (Vec3d{0, 0, 0}));
  world.set_type(world.bodies()[0], BodyType::kDynamic);
  world.step();
  EXPECT_GT(field_forces(world)[0].x, 0);
  EXPECT_LT(field_forces(world)[0].z, 0);
}

// Worlds with fields and worlds without take each other's places.
TEST(SceneFields, come_and_go_with_a_restored_world) {
  Scene windy = tower(2, with_sleeping());
  windy.add_field({fields::Wind{.velocity = {3, 0, 0}}, {}});
  const std::vector<Scene> scenes{windy, tower(2, with_sleeping())};
  World world(scenes, cpu());
  run(world, 200);
  ASSERT_EQ(world.report().asleep, 4u);
  const Snapshot kept = Snapshot::from_bytes(world.snapshot().to_bytes(), "bytes");
  World one = World::copies(kept, 1, cpu(), 0), other = World::copies(kept, 1, cpu(), 1), swapped(kept, cpu());
  swapped.restore(kept, 0, 1);
  swapped.restore(kept, 1, 0);
  EXPECT_TRUE(swapped.fields(0).empty());
  const auto push = [](World& to, std::uint32_t of) { to.set_velocity(to.bodies(of)[2], {0.5f, 0, 0}, {}); };
  push(one, 0);
  push(other, 0);
  push(swapped, 0);
  push(swapped, 1);
  for (World* each : {&one, &other, &swapped}) run(*each, 20);
  EXPECT_EQ(swapped.state_hashes(), (std::vector{other.state_hash(), one.state_hash()}));
  EXPECT_EQ(field_forces(swapped)[1], (Vec3{0, 0, 0}));
}

// A snapshot is good whatever became of the materials of what fields name.
TEST(SceneFields, are_read_from_snapshots_of_bodies_that_lost_their_mass) {
  Scene scene;
  scene.add_material({.name = "stone", .density = 1000});
  scene.add_body({.name = "block", .type = BodyType::kStatic, .position = {0, 0, 5}, .shapes = {{Box{}}}});
  scene.add_body(box("moon", {4, 0, 5}));
  scene.add_field({fields::PairGravity{.constant = 1e-3, .tree_above = 1}, {{0, 1}}});
  World world(scene, cpu());
  world.step();
  const float pull = field_forces(world)[1].x;
  EXPECT_LT(pull, 0);
  world.set_material(0, {.name = "stone"});
  world.step();
  EXPECT_EQ(field_forces(world)[1].x, 0) << "what has no mass pulls nothing";
  World again(Snapshot::from_bytes(world.snapshot().to_bytes(), "bytes"), cpu());
  run(world, 2);
  run(again, 2);
  EXPECT_EQ(again.state_hash(), world.state_hash());
  EXPECT_EQ(again.report().status, 0u);
}

TEST(SceneFields, freeze_their_world_where_they_are_not_finite) {
  Scene scene = scene_of({ball("a", {0, 0, 0}), ball("b", {3, 0, 0})});
  scene.add_field({fields::Gravity{{1e300, 0, 0}}, {{1}}});
  World batch(std::vector<Scene>{scene, tower(1)}, cpu());
  const std::vector<BodyState> before = states(batch);
  run(batch, 2);
  EXPECT_EQ(batch.report(0).status, kStatusNonFinite);
  EXPECT_EQ(batch.report(1).status, 0u);
  EXPECT_EQ(states(batch)[0].position, before[0].position);
  // what is no longer dynamic has no such force
  batch.set_type(batch.bodies(0)[1], BodyType::kKinematic);
  batch.clear_status();
  run(batch, 2);
  EXPECT_EQ(batch.report(0).status, 0u);
  EXPECT_EQ(field_forces(batch)[1], (Vec3{0, 0, 0}));
  World alone(tower(1), cpu());
  run(alone, 4);
  EXPECT_EQ(batch.state_hashes()[1], alone.state_hash());
}

TEST(SceneFields, blow_as_the_document_says) {
  Scene scene = scene_of({ball("other", {9, 0, 0}), ball("crate", {0, 0, 0})});
  scene.add_particles({.name = "cloth", .positions = {{3, 0, 0}, {4, 0, 0}}});
  let_blow(scene, 1);
  World world(scene, cpu());
  world.step();
  const std::vector<Vec3> f = field_forces(world);
  EXPECT_EQ(f[0], (Vec3{0, 0, 0}));
  for (const std::size_t i : {1u, 2u, 3u}) EXPECT_NEAR(double{f[i].x}, 0.02 * 8, 0x1p-24 * 0.16);
  calm(world);
  EXPECT_TRUE(world.fields().empty());
}

TEST(SceneFields, are_refused_by_name) {
  World world(scene_of({plane(), ball("a", {0, 0, 1}), ball("b", {3, 0, 1})}), cpu());
  const auto set = [&](SceneField field) {
    return [&world, field] { world.set_fields({{fields::Gravity{}, {}}, field}); };
  };
  EXPECT_TRUE(refused(world, set({fields::LinearDrag{-1}, {}}),
                      {"field 1 (LinearDrag): coefficient must be at least 0, is -1"}));
  EXPECT_TRUE(refused(world, set({fields::Gravity{}, {{1, 1}}}), {"bodies must be there once each, body 1"}));
  EXPECT_TRUE(refused(world, set({fields::Gravity{}, {{3}}}), {"bodies must be a body, there is no body 3"}));
  EXPECT_TRUE(refused(world, set({fields::Gravity{}, {{0}}}), {"must have a mass", "\"floor\""}));
  EXPECT_TRUE(refused(world, set({fields::Springs{{{1, 7, 1, 0, 0}}}, {}}), {"springs[0].b must be a body"}));
  EXPECT_TRUE(refused(world, set({fields::Springs{{{1, 1, 1, 0, 0}}}, {}}), {"springs[0].b must be another"}));
  EXPECT_TRUE(refused(world, set({fields::Springs{}, {{1, 2}}}), {"bodies must be left out of springs"}));
  EXPECT_TRUE(refused(world,
                      [&] {
                        world.set_fields(std::vector<SceneField>(1025, {fields::Gravity{}, {}}));
                      },
                      {"at most 1024 fields"}));
  EXPECT_TRUE(refused(world, [&] { world.set_fields({}, 1); }, {"world"}));
  world.remove_body(world.bodies()[2]);
  EXPECT_TRUE(refused(world, set({fields::Gravity{}, {{2}}}), {"there is no body 2"}));
  EXPECT_TRUE(world.fields().empty());
}

}  // namespace
}  // namespace cairn::fields_test
