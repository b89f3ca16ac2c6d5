// The order of joints in the solver, where many close loops on one body.

#include "src/joints/joint_order.h"

#include <algorithm>
#include <set>

#include "kernels/common/contact_rows.h"
#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

/// Hubs that turn, each with so many balls, which two joints each hold: one of the two closes a loop, and all push the
/// hub.
Scene stars(int hubs, int spokes, SolverKind solver) {
  Scene scene = scene_of({}, params_of(solver, 2));
  for (int h = 0; h < hubs; ++h) {
    const Body hub = block("hub " + std::to_string(h), {10.0 * h, 0, 0}, {0.5f, 0.5f, 0.1f}, 1);
    const std::uint32_t a = scene.add_body(moving(hub, {}, {0, 0, 1}));
    for (int i = 0; i < spokes; ++i) {
      const double t = 2 * std::numbers::pi * i / spokes, c = std::cos(t), s = std::sin(t);
      const std::string name = std::to_string(h) + "." + std::to_string(i);
      const std::uint32_t b = scene.add_body(sphere("ball " + name, {10.0 * h + 1.5 * c, 1.5 * s, 0}, 0.02f));
      for (int k = 0; k < 2; ++k) {
        Joint joint{.name = "joint " + name + "." + std::to_string(k), .body_a = a, .body_b = b, .kind = BallJoint{}};
        joint.frame_a.position = {c, s, 0.1 * k};
        // no two of a hub agree, so that the order in which they push it shows
        joint.frame_b.position = {-0.5 * c, -0.5 * s, 0.1 * k + 0.003 * i * k / spokes};
        scene.add_joint(joint);
      }
    }
  }
  return scene;
}

/// [1] one below the colours of a mask, all of them, one more, and many more
constexpr int kClosers[] = {63, 64, 65, 80};

TEST(JointOrder, lets_no_two_joints_of_a_colour_push_one_body_and_has_trees_last) {
  for (const int closers : kClosers) {
    std::vector<JointEdge> edges;
    for (std::uint32_t i = 0; i < 2 * static_cast<std::uint32_t>(closers); ++i) {
      edges.push_back({i, 0, 0, 1 + i / 2, {.all = 3, .locked = 3}});
    }
    const JointOrder order = order_joints(edges, 1);
    std::uint32_t last_closer = 0, first_tree = kernels::kColorCount, trees = 0, closing = 0;
    for (std::uint32_t color = 0; color < kernels::kColorCount; ++color) {
      std::set<std::uint32_t> pushed;
      for (std::uint32_t t = order.color_row[color]; t < order.color_row[color + 1]; ++t) {
        const kernels::JointTree& tree = order.trees[t];
        if (tree.begin == tree.end) continue;
        (tree.closes != 0 ? closing : trees) += 1;
        if (tree.closes != 0) last_closer = color;
        if (tree.closes == 0) first_tree = std::min(first_tree, color);
        // what has no colour goes one at a time
        if (color % kernels::kColorsPerClass == kernels::kMaskColors) continue;
        for (std::uint32_t n = tree.begin; n < tree.end; ++n) {
          EXPECT_TRUE(pushed.insert(order.nodes[n].body).second) << closers << " closers, colour " << color;
        }
      }
    }
    EXPECT_EQ(closing, static_cast<std::uint32_t>(closers));
    EXPECT_EQ(trees, 1u);
    EXPECT_LT(last_closer, first_tree) << closers;
  }
}

// Links 10, 11 of an articulation whose slot is 10, 20 of another; 1 and 2 are bodies.
TEST(JointOrder, knows_where_joints_on_links_close_no_loop) {
  constexpr std::uint32_t none = kernels::kNone;
  const auto edge = [](std::uint32_t i, std::uint32_t a, std::uint32_t link_a, std::uint32_t b, std::uint32_t link_b) {
    return JointEdge{i, 0, a, b, {.all = 6, .locked = 6}, link_a, link_b};
  };
  const auto is_consistent = [](std::vector<JointEdge> edges, bool stands) {
    for (JointEdge& e : edges) {
      if (stands && e.body_a == 10) e.floats_a = false;
      if (stands && e.body_b == 10) e.floats_b = false;
    }
    const JointOrder order = order_joints(edges, 1);
    const auto linked = std::ranges::find(order.trees, 1u, &kernels::JointTree::linked);
    EXPECT_EQ(std::ranges::count(order.trees, 1u, &kernels::JointTree::linked), 1);
    return linked->consistent != 0;
  };
  const JointEdge on_world = edge(0, none, none, 10, 10), between = edge(1, 10, 11, 20, 20),
                  body = edge(2, 20, 20, 1, none), body_on_world = edge(3, none, none, 1, none),
                  again = edge(4, 10, 10, 20, 20), own = edge(5, 10, 10, 10, 11), two = edge(6, 1, none, 2, none),
                  back = edge(7, 2, none, 10, 11);
  // a row of them, tied to the world at one end, or standing on it
  EXPECT_TRUE(is_consistent({on_world, between, body, two}, false));
  EXPECT_TRUE(is_consistent({between, body, two}, true));
  EXPECT_TRUE(is_consistent({between, body, body_on_world}, false));
  // tied to the world at both ends, twice to each other, to itself, and by bodies that a joint holds together
  EXPECT_FALSE(is_consistent({on_world, between, body, body_on_world}, false));
  EXPECT_FALSE(is_consistent({on_world, between}, true));
  EXPECT_FALSE(is_consistent({between, body, body_on_world}, true));
  EXPECT_FALSE(is_consistent({between, again}, false));
  EXPECT_FALSE(is_consistent({own, between}, false));
  EXPECT_FALSE(is_consistent({between, body, two, back}, false));
}

class JointOrders : public testing::TestWithParam<SolverKind> {};

TEST_P(JointOrders, with_many_loops_on_a_body_have_the_same_bits_in_any_thread_and_batch) {
  for (const int closers : kClosers) {
    const Scene scene = stars(64, closers, GetParam());
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 3, 4}) {
      World world(scene, {.device = Device::cpu(threads), .tuning = {.small_world = 0}});
      for (int i = 0; i < 2; ++i) world.step();
      EXPECT_EQ(world.report().status, 0u) << closers;
      if (first == 0) first = world.state_hashes()[0];
      EXPECT_EQ(world.state_hashes()[0], first) << closers << " closers, " << threads << " threads";
    }
    const Scene one = stars(1, closers, GetParam());
    World alone(one, {.device = Device::cpu(1)});
    for (int i = 0; i < 2; ++i) alone.step();
    for (const std::uint32_t small : {0u, 128u}) {
      World batch = World::copies(one, 64, {.device = Device::cpu(3), .tuning = {.small_world = small}});
      for (int i = 0; i < 2; ++i) batch.step();
      for (const std::uint64_t hash : batch.state_hashes()) {
        EXPECT_EQ(hash, alone.state_hashes()[0]) << closers << " closers, small " << small;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, JointOrders, testing::ValuesIn(kJointSolvers), name_of_solver);

}  // namespace
}  // namespace cairn::joints_test
