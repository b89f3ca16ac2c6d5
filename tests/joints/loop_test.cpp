// Loops of joints, which are solved with the trees that they are on.

#include <algorithm>
#include <set>

#include "kernels/common/contact_rows.h"
#include "src/joints/joint_order.h"
#include "tests/joints/joint_scenes.h"
#include "tests/support/random.h"

namespace cairn::joints_test {
namespace {

constexpr double kSpread = 0.6, kApex = 0.8;  // [m] of legs 1 m long

/// A load on two legs of 1 kg, all of them hinged: five rows too many, of which some say the same.
Scene frame(float load, const StepParams& params) {
  Scene scene = scene_of({}, params);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const double side = i == 0 ? -1 : 1, lean = -side * std::atan2(kSpread, kApex);
    Body leg = block("leg " + std::to_string(i), {side * kSpread / 2, 0, kApex / 2}, {0.03f, 0.03f, 0.4f}, 1);
    leg.orientation = {0, static_cast<float>(std::sin(lean / 2)), 0, static_cast<float>(std::cos(lean / 2))};
    scene.add_body(leg);
  }
  scene.add_body(block("load", {0, 0, kApex}, {0.2f, 0.2f, 0.2f}, load));
  for (std::uint32_t i = 0; i < 2; ++i) {
    const double side = i == 0 ? -1 : 1;
    scene.add_joint({.name = "foot " + std::to_string(i),
                     .body_b = i,
                     .frame_a = {{side * kSpread, 0, 0}, x_to_y()},
                     .frame_b = {{0, 0, -0.5}, x_to_y()},
                     .kind = HingeJoint{}});
    scene.add_joint({.name = "top " + std::to_string(i),
                     .body_a = i,
                     .body_b = 2,
                     .frame_a = {{0, 0, 0.5}, x_to_y()},
                     .frame_b = {{}, x_to_y()},
                     .kind = HingeJoint{}});
  }
  return scene;
}

TEST(Loops, bear_loads_far_above_their_mass) {
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kXpbd}) {
    for (const int substeps : {2, 6, 24}) {
      for (const float load : {10.0f, 1000.0f, 10000.0f}) {
        // what gives way by 0.2 m before it stands swings for long
        if (substeps == 2 && load > 1000) continue;
        World world(frame(load, params_of(solver, substeps)));
        run(world, 5);
        const double weight = static_cast<double>(load) * kG;
        const BodyState s = world.state(world.bodies()[2]);
        // a leg bears half the weight by cos(lean) = 0.8; a rod's inverse mass at its end is 1 + (1/2)^2 / (1/12)
        EXPECT_LE(std::hypot(s.position.x, s.position.z - kApex), give_of(weight / 2 / kApex, 4, world))
            << substeps << ", " << load;
        // which leg bears what depends on where the load is, to first order
        const double lift = static_cast<double>(world.state(world.joints()[1]).force.z) +
                            static_cast<double>(world.state(world.joints()[3]).force.z);
        EXPECT_NEAR(lift, weight, 1e-3 * weight) << substeps << ", " << load;
        EXPECT_LE(length_of(s.linear_velocity), 1e-3) << substeps << ", " << load;
      }
    }
  }
}

TEST(Loops, are_one_tree_up_to_a_number_of_rows_and_trees_of_their_own_beyond) {
  // rings at one hub: a joint of each closes it
  for (const std::uint32_t rings : {1u, 12u, 13u}) {
    std::vector<JointEdge> edges;
    for (std::uint32_t r = 0; r < rings; ++r) {
      const std::uint32_t b = 1 + 2 * r;
      for (const auto& [from, to] : {std::pair{0u, b}, {b, b + 1}, {b + 1, 0u}}) {
        edges.push_back({static_cast<std::uint32_t>(edges.size()), 0, from, to, {.all = 5, .locked = 5}});
      }
    }
    const JointOrder order = order_joints(edges, 1);
    std::uint32_t at_once = 0, alone = 0;
    for (const kernels::JointTree& tree : order.trees) {
      at_once += tree.end - tree.loops;
      alone += tree.closes;
    }
    const bool fits = 5 * rings <= kernels::kMaxLoopRows;
    EXPECT_EQ(at_once, fits ? rings : 0) << rings;
    EXPECT_EQ(alone, fits ? 0 : rings) << rings;
    EXPECT_EQ(order.matrix, fits ? 5 * rings * (5 * rings + 1) / 2 : 0) << rings;
  }
}

// an articulation of which link 101 stands for all
TEST(Loops, joints_on_links_are_solved_with_all_that_they_hold_and_alone_where_that_is_too_much) {
  constexpr JointRowCount kRows{.all = 5, .locked = 5};
  const auto on = [&](std::vector<JointEdge>& edges, std::uint32_t link, std::uint32_t body) {
    edges.push_back({static_cast<std::uint32_t>(edges.size()), 0, 101, body, kRows, link});
  };
  std::vector<JointEdge> few;
  for (const std::uint32_t b : {0u, 1u}) few.push_back({b, 0, b, b + 1, kRows});
  on(few, 101, 0);
  on(few, 103, 2);
  on(few, 103, kernels::kNone);
  const JointOrder order = order_joints(few, 1);
  const auto used = [](const kernels::JointTree& tree) { return tree.begin != tree.end; };
  ASSERT_EQ(std::ranges::count_if(order.trees, used), 1);
  const kernels::JointTree& tree = *std::ranges::find_if(order.trees, used);
  EXPECT_EQ(tree.links - tree.begin, 3u);
  EXPECT_EQ(tree.loops - tree.links, 2u);
  EXPECT_EQ(tree.end - tree.loops, 3u);
  EXPECT_EQ(tree.linked, 1u);
  EXPECT_EQ(order.nodes[tree.links].body, 101u);
  EXPECT_EQ(order.nodes[tree.links + 1].body, 103u);
  EXPECT_EQ(order.nodes[tree.end - 1].child, tree.links + 1);
  EXPECT_EQ(order.matrix, 2 * 15 * 16 / 2u);

  std::vector<JointEdge> many;
  for (std::uint32_t b = 0; b < 14; b += 2) {
    many.push_back({static_cast<std::uint32_t>(many.size()), 0, b, b + 1, kRows});
    on(many, 101 + b, b);
    on(many, 101 + b, b + 1);
  }
  std::uint32_t alone = 0, trees = 0;
  const JointOrder apart = order_joints(many, 1);
  std::set<std::uint32_t> colors;
  for (std::uint32_t color = 0; color < kernels::kColorCount; ++color) {
    for (std::uint32_t t = apart.color_row[color]; t < apart.color_row[color + 1]; ++t) {
      const kernels::JointTree& of = apart.trees[t];
      if (!used(of)) continue;
      EXPECT_EQ(of.linked, of.closes);
      (of.linked != 0 ? alone : trees) += 1;
      if (of.linked == 0) continue;
      EXPECT_TRUE(colors.insert(color).second) << "two push one articulation";
      EXPECT_EQ(of.links - of.begin, 1u);
      EXPECT_EQ(of.loops - of.links, 1u);
    }
  }
  EXPECT_EQ(alone, 14u);
  EXPECT_EQ(trees, 7u);
}

/// Nets of blocks with more joints than their trees need, drawn at random.
Scene net(std::uint64_t seed, const StepParams& params) {
  testing_support::Random random(seed);
  Scene scene = scene_of({}, params);
  const std::uint32_t bodies = 3 + random.below(10);
  for (std::uint32_t i = 0; i < bodies; ++i) {
    scene.add_body(block("block " + std::to_string(i), {0.4 * (i % 4), 0.4 * (i / 4), 0.1 * i}, {0.1f, 0.15f, 0.06f},
                         static_cast<float>(std::pow(10, random.within(-0.5, 0.5)))));
  }
  const std::uint32_t joints = bodies + 1 + random.below(bodies);
  for (std::uint32_t j = 0; j < joints; ++j) {
    const std::uint32_t b = j < bodies ? j : random.below(bodies);
    std::uint32_t a = b == 0 ? kWorldBody : random.below(j < bodies ? b : bodies);
    if (a == b) a = kWorldBody;
    const Vec3d to = scene.bodies()[b].position, from = a == kWorldBody ? Vec3d{} : scene.bodies()[a].position;
    const Vec3d off = random.vec(0.4), at{to.x + off.x, to.y + off.y, to.z + off.z};
    const JointKind kinds[] = {FixedJoint{}, BallJoint{}, HingeJoint{JointAxis::limited(-0.5f, 0.5f)},
                               SliderJoint{JointAxis::limited(-0.2f, 0.2f)}, UniversalJoint{}};
    Joint joint{.name = "joint " + std::to_string(j), .body_a = a, .body_b = b};
    joint.frame_a = {{at.x - from.x, at.y - from.y, at.z - from.z}, {}};
    joint.frame_b = {{at.x - to.x, at.y - to.y, at.z - to.z}, {}};
    joint.kind = kinds[random.below(5)];
    scene.add_joint(joint);
  }
  return scene;
}

TEST(Loops, of_random_nets_keep_their_energy_bounded) {
  for (const SolverKind solver : kJointSolvers) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      World world(net(seed, params_of(solver, 6)));
      const double most = largest_over(world, 180, [&] { return fastest(world); });
      EXPECT_EQ(world.report().status, 0u) << seed << ", solver " << static_cast<int>(solver);
      // nothing falls by more than the net is wide, some 3 m, and slings what is light by some multiple of its speed
      EXPECT_LE(most, 3 * std::sqrt(2 * kG * 3)) << seed << ", solver " << static_cast<int>(solver);
    }
  }
}

}  // namespace
}  // namespace cairn::joints_test
