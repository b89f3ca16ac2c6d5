// Articulations through the C interface: there and back, driven, and what is refused.

#include "tests/articulations/robots.h"
#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

/// An articulation as C describes it; the strings are those of `of`.
struct InC {
  explicit InC(const Articulation& of) {
    shapes.reserve(of.links.size());
    for (const ArticulationLink& from : of.links) {
      auto link = init(cairn_link_init);
      link.name = from.name.c_str();
      copy_members(link, from);
      copy_members(link, from.joint);
      link.joint = static_cast<std::int32_t>(from.joint.kind);
      const auto frame = [](const JointFrame& f, double* position, float* orientation) {
        std::copy_n(&f.position.x, 3, position);
        std::copy_n(&f.orientation.x, 4, orientation);
      };
      frame(from.frame_in_parent, link.position_in_parent, link.orientation_in_parent);
      frame(from.frame_in_link, link.position_in_link, link.orientation_in_link);
      std::copy_n(&from.inertia.moments.x, 3, link.inertia);
      // all links of these tests are one box
      auto made = init(cairn_shape_init);
      std::copy_n(&std::get<Box>(from.shapes[0].geometry).half_extents.x, 3, made.size);
      shapes.push_back(made);
      link.shapes = &shapes.back();
      link.shape_count = 1;
      links.push_back(link);
    }
    articulation = init(cairn_articulation_init);
    articulation.name = of.name.c_str();
    articulation.links = links.data();
    articulation.link_count = static_cast<std::uint32_t>(links.size());
    terms.reserve(of.couplings.size());
    for (const ArticulationCoupling& from : of.couplings) {
      std::vector<cairn_coupling_term>& to = terms.emplace_back();
      for (const CouplingTerm& term : from.terms) {
        to.push_back(init(cairn_coupling_term_init));
        copy_members(to.back(), term);
      }
      auto coupling = init(cairn_coupling_init);
      coupling.name = from.name.c_str();
      coupling.terms = to.data();
      coupling.term_count = static_cast<std::uint32_t>(to.size());
      copy_members(coupling, from);
      couplings.push_back(coupling);
    }
    articulation.couplings = couplings.data();
    articulation.coupling_count = static_cast<std::uint32_t>(couplings.size());
  }
  std::vector<cairn_shape> shapes;
  std::vector<cairn_link> links;
  std::vector<std::vector<cairn_coupling_term>> terms;
  std::vector<cairn_coupling> couplings;
  cairn_articulation articulation;
};

TEST(CApiArticulations, move_with_the_bits_of_cpp_and_tell_of_themselves) {
  Articulation table = articulations_test::table(10, 0.5,
                                                 {.armature = 0.01,
                                                  .friction = 0.1,
                                                  .lower = -1,
                                                  .upper = 1,
                                                  .max_rate = 9,
                                                  .spring_stiffness = 1,
                                                  .spring_rest = 0.1,
                                                  .drive_stiffness = 200,
                                                  .drive_damping = 5,
                                                  .drive_max_force = 40,
                                                  .drive_min_force = -30});
  table.couplings = {{.name = "mimic", .terms = {{1, 1}, {2, -1}}, .lower = 0, .upper = 0},
                     {.name = "tendon", .terms = {{3, 0.5}, {4, 0.5}}, .drive_stiffness = 9, .drive_damping = 1}};
  const ArticulationState start{{0, 0, 0.41, 0, 0, 0, 1, 0.1, 0.1, -0.1, -0.1}, std::vector<double>(10, 0.0)};
  const Scene floor = scene_of({plane()});
  Scene scene = floor;
  scene.add_articulation(table, start);
  World world(scene, cpu());
  const ArticulationHandle h = world.articulations().list()[0];

  Fixture c(floor, 1);
  const InC described(table);
  EXPECT_EQ(
      value_of(cairn_scene_add_articulation, c.scene, &described.articulation, start.q.data(), 11, start.v.data(), 10),
      0u);
  EXPECT_EQ(value_of(cairn_scene_find_articulation, c.scene, "table"), 0u);
  EXPECT_EQ(value_of(cairn_scene_articulation_count, c.scene), 1u);
  c.make_world();
  ASSERT_EQ(c.articulations().size(), 1u);
  const cairn_handle robot = c.articulations()[0];

  // what it is
  const cairn_articulation whole = value_of(cairn_articulation_describe, c.world, robot);
  EXPECT_STREQ(whole.name, "table");
  ASSERT_EQ(whole.link_count, 5u);
  for (std::uint32_t i = 0; i < 5; ++i) {
    auto link = init(cairn_link_init);
    ASSERT_EQ(cairn_link_describe(c.world, robot, i, &link), CAIRN_OK);
    EXPECT_STREQ(link.name, described.links[i].name);
    EXPECT_EQ(link.shapes, nullptr);
    link.name = described.links[i].name;
    link.shapes = described.links[i].shapes;
    EXPECT_EQ(std::memcmp(&link, &described.links[i], sizeof link), 0) << i;
    EXPECT_EQ(value_of(cairn_link_body, c.world, robot, i).index, world.bodies(h)[i].index);
  }
  ASSERT_EQ(whole.coupling_count, 2u);
  for (std::uint32_t i = 0; i < 2; ++i) {
    auto coupling = init(cairn_coupling_init);
    ASSERT_EQ(cairn_coupling_describe(c.world, robot, i, &coupling), CAIRN_OK);
    EXPECT_STREQ(coupling.name, described.couplings[i].name);
    ASSERT_EQ(coupling.term_count, 2u);
    coupling.name = described.couplings[i].name;
    coupling.terms = described.couplings[i].terms;
    EXPECT_EQ(std::memcmp(&coupling, &described.couplings[i], sizeof coupling), 0) << i;
    for (std::uint32_t t = 0; t < 2; ++t) {
      const cairn_coupling_term term = value_of(cairn_coupling_term_describe, c.world, robot, i, t);
      EXPECT_EQ(term.link, described.terms[i][t].link);
      EXPECT_EQ(term.coefficient, described.terms[i][t].coefficient);
    }
    auto term = init(cairn_coupling_term_init);
    EXPECT_TRUE(fails(cairn_coupling_term_describe(c.world, robot, i, 2, &term), "no term 2"));
  }
  auto none = init(cairn_coupling_init);
  EXPECT_TRUE(fails(cairn_coupling_describe(c.world, robot, 2, &none), "no coupling 2"));
  std::uint32_t coordinates = 0, rates = 0;
  ASSERT_EQ(cairn_articulation_size(c.world, robot, &coordinates, &rates), CAIRN_OK);
  EXPECT_EQ(coordinates, 11u);
  EXPECT_EQ(rates, 10u);
  ASSERT_EQ(cairn_link_place(c.world, robot, 2, &coordinates, &rates), CAIRN_OK);
  EXPECT_EQ(coordinates, 8u);
  EXPECT_EQ(rates, 7u);

  // what it does
  std::vector<double> q(11), v(10), forces(10, 0.25);
  ArticulationState there = start;
  there.q[2] = 0.6;
  there.v[9] = 0.5;
  const ArticulationState to{{0, 0, 0.4, 0, 0, 0, 1, 0.3, 0.3, 0.3, 0.3}, std::vector<double>(10, 0.1)};
  world.set_state(h, there);
  world.articulations().set_forces(h, forces);
  world.articulations().set_targets(h, to);
  ASSERT_EQ(cairn_articulation_set_state(c.world, robot, there.q.data(), 11, there.v.data(), 10), CAIRN_OK);
  EXPECT_EQ(value_of(cairn_world_find_articulation, c.world, 0, "table").index, robot.index);
  ASSERT_EQ(cairn_articulation_set_forces(c.world, robot, forces.data(), 10), CAIRN_OK);
  ASSERT_EQ(cairn_articulation_set_targets(c.world, robot, to.q.data(), 11, to.v.data(), 10), CAIRN_OK);
  EXPECT_TRUE(c.goes_on_as(world, 60));
  ASSERT_EQ(cairn_articulation_state(c.world, robot, q.data(), 11, v.data(), 10), CAIRN_OK);
  EXPECT_EQ((ArticulationState{q, v}), world.state(h));
}

TEST(CApiArticulations, that_cant_be_are_refused_by_name) {
  Scene scene;
  scene.add_articulation(hinged());
  Fixture c(scene, 1);
  const Articulation arm = hinged();
  const auto refused_with = [&](const char* word, auto change) {
    InC bad(arm);
    bad.articulation.name = "bad";
    change(bad);
    EXPECT_TRUE(fails(cairn_scene_add_articulation(c.scene, &bad.articulation, nullptr, 0, nullptr, 0, nullptr), word));
  };
  refused_with("cairn_link.joint", [](InC& bad) { bad.links[0].joint = 5; });
  refused_with("cairn_link.name", [](InC& bad) { bad.links[0].name = nullptr; });
  refused_with("cairn_articulation.couplings", [](InC& bad) { bad.articulation.coupling_count = 1; });
  refused_with("cairn_link.shapes", [](InC& bad) { bad.links[0].shapes = nullptr; });
  refused_with("cairn_articulation.links", [](InC& bad) { bad.articulation.links = nullptr; });
  refused_with("cairn_articulation.name", [](InC& bad) { bad.articulation.name = nullptr; });
  refused_with("links must not be empty", [](InC& bad) { bad.articulation.link_count = 0; });
  refused_with("link \"rod\" (number 0): mass", [](InC& bad) { bad.links[0].mass = -1; });
  refused_with("name must be unique", [](InC& bad) { bad.articulation.name = "arm"; });
  refused_with("struct_size", [](InC& bad) { bad.links[0].struct_size = 0; });
  InC other(arm);
  other.articulation.name = "other";
  const double q[2] = {};
  EXPECT_TRUE(fails(cairn_scene_add_articulation(c.scene, &other.articulation, q, 2, nullptr, 0, nullptr),
                    "must be 1 numbers"));
  EXPECT_EQ(value_of(cairn_scene_articulation_count, c.scene), 1u);

  const cairn_handle robot = c.articulations()[0];
  cairn_handle body{};
  EXPECT_TRUE(fails(cairn_articulation_set_forces(c.world, robot, q, 2), "arm"));
  EXPECT_TRUE(fails(cairn_link_body(c.world, robot, 1, &body), "no link 1"));
  EXPECT_TRUE(fails(cairn_link_body(c.world, {2, 0}, 0, &body), "handle {2, 0}"));
  EXPECT_TRUE(fails(cairn_link_body(c.world, {1, 2}, 0, &body), "stale"));
  EXPECT_TRUE(fails(cairn_world_articulations(c.world, 0, &body, 2), "articulations"));

  // one more, and no more
  const cairn_handle more =
      value_of(cairn_world_add_articulation, c.world, 0, &other.articulation, nullptr, 0, nullptr, 0);
  EXPECT_EQ(c.articulations().size(), 2u);
  ASSERT_EQ(cairn_articulation_remove(c.world, more), CAIRN_OK);
  EXPECT_EQ(value_of(cairn_articulation_alive, c.world, more), 0);
  EXPECT_TRUE(fails(cairn_articulation_remove(c.world, more), "stale"));
  auto link = init(cairn_link_init);
  EXPECT_TRUE(fails(cairn_link_describe(c.world, robot, 1, &link), "no link 1"));
  std::uint32_t at = 0;
  EXPECT_TRUE(fails(cairn_link_place(c.world, robot, 1, &at, &at), "no link 1"));
}

}  // namespace
}  // namespace cairn::c_api_test
