// Force fields through the C interface: there and back, with the bits of C++, and what is refused.

#include <limits>
#include <set>

#include "tests/c_api/c_api.h"
#include "tests/fields/bodies.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

/// A field as C describes it.
struct FieldInC {
  explicit FieldInC(const SceneField& of) : field(init(cairn_field_init)) {
    field.kind = static_cast<std::int32_t>(of.law.index());
    std::visit([this](const auto& law) { copy_members(field, law); }, of.law);
    if (const auto* of_springs = std::get_if<fields::Springs>(&of.law)) {
      for (const fields::Spring& spring : of_springs->springs) {
        springs.push_back(init(cairn_spring_init));
        copy_members(springs.back(), spring);
      }
    }
    if (of.bodies) {
      bodies = *of.bodies;
      field.has_bodies = 1;
      field.body_count = static_cast<std::uint32_t>(bodies.size());
    }
    hold();
  }
  FieldInC(const FieldInC& other) : field(other.field), bodies(other.bodies), springs(other.springs) { hold(); }
  FieldInC& operator=(const FieldInC&) = delete;
  const cairn_field* get() const { return &field; }
  void hold() {
    field.bodies = bodies.data();
    field.springs = springs.data();
    field.spring_count = static_cast<std::uint32_t>(springs.size());
  }

  cairn_field field;
  std::vector<std::uint32_t> bodies;
  std::vector<cairn_spring> springs;
};

/// Each law alone, a law on a list, on an empty one, and all at once.
std::vector<std::vector<SceneField>> lists() {
  std::vector<std::vector<SceneField>> all;
  std::vector<SceneField> together;
  for (fields::Any law : ready_made()) {
    // few bodies: a tree that isn't opened this far gives what pairs do
    if (auto* pull = std::get_if<fields::PairGravity>(&law); pull != nullptr && pull->tree_above == 10)
      pull->opening_angle = 0.9;
    all.push_back({{law, {}}});
    together.push_back({law, {}});
  }
  auto drifting = std::get<fields::CurlNoise>(ready_made()[9]);
  drifting.drift = {0.3, 0.1, 0};
  all.push_back({{drifting, {{3, 1, 2}}}, {fields::Gravity{{1, 2, 3}}, {std::vector<std::uint32_t>{}}}});
  all.push_back(together);
  return all;
}

/// As C tells of them, with springs.
std::vector<FieldInC> told_by(const cairn_world* world) {
  std::vector<cairn_field> fields(value_of(cairn_world_fields, world, 0, nullptr, 0), init(cairn_field_init));
  EXPECT_EQ(value_of(cairn_world_fields, world, 0, fields.data(), fields.size()), fields.size());
  std::vector<FieldInC> all;
  for (std::uint32_t i = 0; i < fields.size(); ++i) {
    FieldInC one{SceneField{}};
    one.field = fields[i];
    EXPECT_EQ(fields[i].springs, nullptr);
    if (fields[i].has_bodies != 0) one.bodies.assign(fields[i].bodies, fields[i].bodies + fields[i].body_count);
    if (fields[i].kind == CAIRN_SPRINGS_FIELD) {
      one.springs.assign(fields[i].spring_count, init(cairn_spring_init));
      EXPECT_EQ(value_of(cairn_world_springs, world, 0, i, one.springs.data(), one.springs.size()), one.springs.size());
    }
    one.hold();
    all.push_back(one);
  }
  return all;
}

void expect_same(const FieldInC& got, const FieldInC& want) {
  cairn_field a = got.field, b = want.field;
  a.bodies = b.bodies = nullptr;
  a.springs = b.springs = nullptr;
  EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << "kind " << want.field.kind;
  EXPECT_EQ(got.bodies, want.bodies);
  ASSERT_EQ(got.springs.size(), want.springs.size());
  for (std::size_t i = 0; i < got.springs.size(); ++i)
    EXPECT_EQ(std::memcmp(&got.springs[i], &want.springs[i], sizeof(cairn_spring)), 0) << i;
}

TEST(CApiFields, of_scenes_and_worlds_push_with_the_bits_of_cpp) {
  const Scene bare = cloud(30);
  Fixture calm(bare, 1);
  calm.step(30);
  std::set<std::uint64_t> hashes{calm.hash()};
  for (const std::vector<SceneField>& list : lists()) {
    Scene scene = bare;
    Fixture given(bare, 1), set(bare, 1);
    std::vector<cairn_field> structs;
    std::vector<FieldInC> kept;
    for (const SceneField& field : list) kept.emplace_back(field);
    for (std::size_t i = 0; i < list.size(); ++i) {
      scene.add_field(list[i]);
      EXPECT_EQ(value_of(cairn_scene_add_field, given.scene, kept[i].get()), i);
      structs.push_back(kept[i].field);
    }
    EXPECT_EQ(value_of(cairn_scene_field_count, given.scene), list.size());
    given.make_world();
    ASSERT_EQ(cairn_world_set_fields(set.world, 0, structs.data(), structs.size()), CAIRN_OK) << cairn_last_error();

    World world(scene, cpu(1));
    EXPECT_TRUE(given.goes_on_as(world, 30)) << "law " << list[0].law.index();
    set.step(30);
    EXPECT_EQ(set.hash(), world.state_hash()) << "law " << list[0].law.index();
    EXPECT_EQ(world.report().status, 0u);
    hashes.insert(world.state_hash());

    const std::vector<FieldInC> told = told_by(set.world);
    ASSERT_EQ(told.size(), list.size());
    for (std::size_t i = 0; i < list.size(); ++i) expect_same(told[i], FieldInC(world.fields()[i]));
    // what was told may be set again
    structs.clear();
    for (const FieldInC& one : told) structs.push_back(one.field);
    ASSERT_EQ(cairn_world_set_fields(set.world, 0, structs.data(), structs.size()), CAIRN_OK) << cairn_last_error();
    world.set_fields(world.fields());
    EXPECT_TRUE(set.goes_on_as(world, 5));
  }
  EXPECT_EQ(hashes.size(), lists().size() + 1) << "each list did something else";
}

TEST(CApiFields, of_each_world_are_its_own_and_lose_what_is_removed) {
  Fixture c(cloud(20), 2);
  const auto law = ready_made()[4];
  const FieldInC springs({law, {}}), wind({fields::Wind{}, {{4, 5, 6}}});
  const cairn_field both[2] = {springs.field, wind.field};
  ASSERT_EQ(cairn_world_set_fields(c.world, 1, both, 2), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(value_of(cairn_world_fields, c.world, 0, nullptr, 0), 0u);
  ASSERT_EQ(cairn_body_remove(c.world, c.bodies(1)[5]), CAIRN_OK);
  cairn_field told[2] = {init(cairn_field_init), init(cairn_field_init)};
  EXPECT_EQ(value_of(cairn_world_fields, c.world, 1, told, 2), 2u);
  EXPECT_EQ(told[0].spring_count, 17u);
  // room for fewer than all is left as it is
  cairn_field one = init(cairn_field_init);
  cairn_spring two[2] = {init(cairn_spring_init), init(cairn_spring_init)};
  EXPECT_EQ(value_of(cairn_world_fields, c.world, 1, &one, 1), 2u);
  EXPECT_EQ(one.kind, CAIRN_GRAVITY_FIELD);
  EXPECT_EQ(value_of(cairn_world_springs, c.world, 1, 0, two, 2), 17u);
  EXPECT_EQ(two[0].stiffness, 1);
  ASSERT_EQ(told[1].body_count, 2u);
  EXPECT_EQ(told[1].bodies[0], 4u);
  EXPECT_EQ(told[1].bodies[1], 6u);
  ASSERT_EQ(cairn_world_set_fields(c.world, 1, nullptr, 0), CAIRN_OK);
  EXPECT_EQ(value_of(cairn_world_fields, c.world, 1, nullptr, 0), 0u);
}

TEST(CApiFields, that_cant_be_are_refused_by_name_and_change_nothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Scene scene = cloud(8);
  scene.add_body(plane());
  const SceneField old{fields::LinearDrag{0.25}, {}};
  scene.add_field(old);
  Fixture c(scene, 1);
  const std::uint64_t before = c.hash();
  const auto refused_with = [&](const char* of_scene, const char* of_world, const SceneField& of, auto change) {
    FieldInC bad(of);
    change(bad);
    EXPECT_TRUE(fails(cairn_scene_add_field(c.scene, bad.get(), nullptr), of_scene));
    const cairn_field two[2] = {FieldInC(old).field, bad.field};
    EXPECT_TRUE(fails(cairn_world_set_fields(c.world, 0, two, 2), of_world));
  };
  const SceneField wind{fields::Wind{}, {{2, 1}}};
  const SceneField springs{fields::Springs{{{0, 1}, {1, 2}}}, {}};
  refused_with("cairn_field.kind must be between 0 and 8, is 9", "fields[1].kind must be between 0 and 8, is 9", wind,
               [](FieldInC& f) { f.field.kind = CAIRN_FIELD_KIND_COUNT; });
  refused_with("cairn_field.kind must be between 0 and 8, is -1", "fields[1].kind", wind,
               [](FieldInC& f) { f.field.kind = -1; });
  refused_with("cairn_field.bodies must not be null", "fields[1].bodies must not be null", wind,
               [](FieldInC& f) { f.field.bodies = nullptr; });
  refused_with("cairn_field.body_count must be 0 where has_bodies is 0, is 2", "fields[1].body_count", wind,
               [](FieldInC& f) { f.field.has_bodies = 0; });
  refused_with("cairn_field.springs must not be null", "fields[1].springs must not be null", springs,
               [](FieldInC& f) { f.field.springs = nullptr; });
  refused_with("in element 1", "in element 1", springs,
               [](FieldInC& f) { f.springs[1].struct_size = offsetof(cairn_spring, rest_length); });
  refused_with("cairn_field.struct_size", "cairn_field.struct_size", wind,
               [](FieldInC& f) { f.field.struct_size = 1; });
  refused_with("there is no body 9", "there is no body 9", wind, [](FieldInC& f) { f.bodies[0] = 9; });
  refused_with("once each", "once each", wind, [](FieldInC& f) { f.bodies[0] = f.bodies[1]; });
  refused_with("must have a mass", "field 1 (Wind): bodies must have a mass", wind,
               [](FieldInC& f) { f.bodies[0] = 8; });
  refused_with("there is no body 90", "springs[1].b", springs, [](FieldInC& f) { f.springs[1].b = 90; });
  refused_with("another particle", "another particle", springs, [](FieldInC& f) { f.springs[1].b = 1; });
  refused_with("must be left out of springs", "must be left out of springs", springs,
               [](FieldInC& f) { f.field.has_bodies = 1; });
  refused_with("gust_rate", "field 1 (Wind): gust_rate", wind, [&](FieldInC& f) { f.field.gust_rate = nan; });
  refused_with("velocity", "velocity", wind, [&](FieldInC& f) { f.field.velocity[1] = nan; });
  refused_with("linear", "linear", wind, [](FieldInC& f) { f.field.linear = -1; });
  refused_with("octaves", "octaves", {fields::CurlNoise{}, {}}, [](FieldInC& f) { f.field.octaves = 9; });
  refused_with("separation_radius", "separation_radius", {fields::Boids{}, {}},
               [](FieldInC& f) { f.field.separation_radius = 2; });
  const std::vector<cairn_field> many(1025, FieldInC(old).field);
  EXPECT_TRUE(fails(cairn_world_set_fields(c.world, 0, many.data(), many.size()), "1024"));

  // what members of other kinds hold is passed over
  FieldInC gravity({fields::Gravity{}, {}});
  gravity.field.cut_off = nan;
  Fixture other(cloud(2), 1);
  EXPECT_EQ(cairn_scene_add_field(other.scene, gravity.get(), nullptr), CAIRN_OK) << cairn_last_error();

  EXPECT_EQ(value_of(cairn_scene_field_count, c.scene), 1u);
  const std::vector<FieldInC> told = told_by(c.world);
  ASSERT_EQ(told.size(), 1u);
  expect_same(told[0], FieldInC(old));
  EXPECT_EQ(c.hash(), before);
  std::size_t n = 99;
  auto field = init(cairn_field_init);
  auto spring = init(cairn_spring_init);
  EXPECT_TRUE(fails(cairn_world_fields(c.world, 1, &field, 1, &n), "world 1"));
  EXPECT_TRUE(fails(cairn_world_springs(c.world, 0, 0, &spring, 1, &n), "must be of springs"));
  EXPECT_TRUE(fails(cairn_world_springs(c.world, 0, 1, &spring, 1, &n), "the world has 1"));
  field.struct_size = 2;
  EXPECT_TRUE(fails(cairn_world_fields(c.world, 0, &field, 1, &n), "cairn_field.struct_size"));
  EXPECT_EQ(n, 99u);
}

}  // namespace
}  // namespace cairn::c_api_test
