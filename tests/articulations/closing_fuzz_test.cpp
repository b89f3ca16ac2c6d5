// Random articulations with random joints of the World on their links: redundant, contradicting, at the ends of their
// reach. And the same bits everywhere.

#include <algorithm>

#include <gtest/gtest.h>

#include "cairn/scene_file.h"
#include "kernels/common/vec.h"
#include "scenes/builtin.h"
#include "tests/articulations/closed.h"
#include "tests/articulations/models.h"
#include "tests/support/long_run.h"

namespace cairn::articulations_test {
namespace {

/// [m, rad] By which a joint's two frames are off at the start.
constexpr double kApart = 0.05;

class Draw {
 public:
  Draw(std::uint64_t seed, SolverKind solver) : random_(seed * 7919) {
    // sequential impulses take a step in one, and whips turn by more than half a turn in a 60th of a second
    StepParams params = solved_by(solver);
    if (solver == SolverKind::kSequentialImpulse) params.dt = 1.0f / 240;
    scene.set_params(params);
    const std::uint32_t count = 1 + random_.below(2);
    for (std::uint32_t i = 0; i < count; ++i) add_tree(seed * 10 + i, i);
    for (int i = 0; i < 2; ++i) {
      Body body = test::body("free" + std::to_string(i), Box{{0.1f, 0.1f, 0.1f}}, {1.0 * i, 0.5, 0.2});
      body.density = 500;
      bodies_.push_back(scene.add_body(body));
    }
    // joints alone
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      for (std::size_t k = i + 1; k < bodies_.size(); ++k) scene.ignore(bodies_[i], bodies_[k]);
    }
    const std::uint32_t joints = 1 + random_.below(5);
    for (std::uint32_t i = 0; i < joints; ++i) add_joint(i);
  }
  Scene scene;

 private:
  void add_tree(std::uint64_t seed, std::uint32_t index) {
    Articulation tree = random_tree(3 + random_.below(8), seed, random_.below(2) != 0, 0.0, 0.05);
    tree.name = "tree" + std::to_string(index);
    if (tree.links[0].joint.kind == Kind::kFixed) tree.links[0].joint.kind = Kind::kRevolute;
    for (ArticulationLink& link : tree.links) {
      const Vec3 centre = kernels::narrow(link.centre_of_mass);
      link.shapes = {test::shape(Box{{0.05f, 0.05f, 0.05f}}, centre)};
      ArticulationJoint& j = link.joint;
      if (j.kind == Kind::kFixed || j.kind == Kind::kFree) continue;
      if (random_.below(3) == 0) j.friction = 0.5;
      if (random_.below(3) == 0 && j.kind != Kind::kBall) {
        j.lower = -0.7;
        j.upper = 0.8;
      }
      if (random_.below(3) != 0) continue;
      j.drive_stiffness = 200;
      j.drive_damping = 5;
      if (random_.below(2) == 0) j.drive_max_force = 10;
    }
    const std::uint32_t at = scene.add_articulation(tree);
    for (const std::uint32_t body : scene.articulations()[at].bodies) bodies_.push_back(body);
  }

  JointKind kind() {
    HingeJoint hinge;
    hinge.turn = JointAxis::limited(-0.5f, 0.5f);
    hinge.turn.friction = 1;
    hinge.turn.drive = {.damping = std::numeric_limits<float>::infinity(), .rate = 3, .max_force = 20};
    const JointKind all[] = {
        FixedJoint{},  BallJoint{},      BallJoint{0.5f},      HingeJoint{},
        hinge,         SliderJoint{},    ScrewJoint{0.5f, {}}, CylindricalJoint{},
        PlanarJoint{}, UniversalJoint{}, WheelJoint{},         DistanceJoint{.min_length = 0, .max_length = 0.02f}};
    return all[random_.below(std::size(all))];
  }

  void add_joint(std::uint32_t index) {
    using namespace kernels;
    Joint joint{.name = "joint" + std::to_string(index)};
    joint.body_a = random_.below(3) == 0 ? kWorldBody : any();
    do joint.body_b = any();
    while (joint.body_b == joint.body_a);
    joint.kind = kind();
    const Body& b = scene.bodies()[joint.body_b];
    joint.frame_b.position = random_.vec(0.3);
    const double apart = random_.below(2) == 0 ? 0 : kApart;
    Vec3d x{0, 0, 0};
    Quatd q{0, 0, 0, 1};
    if (joint.body_a != kWorldBody) {
      x = scene.bodies()[joint.body_a].position;
      q = widen(scene.bodies()[joint.body_a].orientation);
    }
    const Quatd back{-q.x, -q.y, -q.z, q.w};
    const Vec3d anchor = b.position + rotate(widen(b.orientation), joint.frame_b.position) + random_.vec(apart);
    joint.frame_a.position = rotate(back, anchor - x);
    const Vec3d turn = random_.vec(apart);
    joint.frame_a.orientation = narrow(back * (widen(b.orientation) * Quatd{turn.x, turn.y, turn.z, 1}));
    scene.add_joint(joint);
  }
  std::uint32_t any() { return bodies_[random_.below(static_cast<std::uint32_t>(bodies_.size()))]; }

  Random random_;
  std::vector<std::uint32_t> bodies_;
};

class ClosingFuzz : public testing::TestWithParam<SolverKind> {};

// 2.5 s of falling make 24.5 m/s, and a whip's end goes some times faster.
TEST_P(ClosingFuzz, random_loops_stay_finite_and_throw_nothing) {
  const std::uint64_t seeds = testing_support::is_long() ? 200 : 60;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    World world(Draw(seed, GetParam()).scene);
    double fastest = 0;
    const auto steps = static_cast<int>(std::lround(2.5 / static_cast<double>(world.params().dt)));
    for (int i = 0; i < steps; ++i) {
      world.step();
      ASSERT_EQ(world.report().status & kStatusNonFinite, 0u) << "seed " << seed << ", step " << i;
      for (const BodyHandle body : world.bodies()) {
        const BodyState s = world.state(body);
        ASSERT_TRUE(test::finite(s)) << "seed " << seed;
        fastest = std::max(fastest, test::length(s.linear_velocity));
      }
      for (const JointHandle joint : world.joints()) {
        ASSERT_TRUE(std::isfinite(world.state(joint).force.x)) << "seed " << seed;
      }
    }
    EXPECT_LT(fastest, 100) << "seed " << seed;
    EXPECT_EQ(world.report().status, 0u) << "seed " << seed;
  }
}

TEST_P(ClosingFuzz, random_loops_have_the_same_bits_in_any_thread_and_batch) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Scene scene = Draw(seed, GetParam()).scene;
    World alone(scene, test::cpu(1));
    test::run(alone, 60);
    for (const int threads : {2, 3, 5}) {
      World world(scene, test::cpu(threads));
      test::run(world, 60);
      EXPECT_EQ(world.state_hash(), alone.state_hash()) << threads << " threads, seed " << seed;
    }
    for (const std::uint32_t small : {0u, 4096u}) {
      WorldOptions options = test::cpu(3);
      options.tuning.small_world = small;
      World batch = World::copies(scene, 3, options);
      test::run(batch, 60);
      for (const std::uint64_t hash : batch.state_hashes()) EXPECT_EQ(hash, alone.state_hash()) << "seed " << seed;
    }
  }
}

TEST_P(ClosingFuzz, a_scene_that_is_written_and_read_has_the_same_bits) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Scene scene = Draw(seed, GetParam()).scene;
    World world(scene), read(parse_scene(scene_to_json(scene), "f"));
    test::run(world, 30);
    test::run(read, 30);
    EXPECT_EQ(world.joints().size(), read.joints().size());
    EXPECT_EQ(world.state_hash(), read.state_hash()) << "seed " << seed;
  }
}

TEST_P(ClosingFuzz, a_reset_is_a_new_start_and_memory_is_told) {
  const Scene scene = Draw(5, GetParam()).scene;
  World world(scene), fresh(scene);
  world.step();
  EXPECT_EQ(estimate_memory(scene, 1), world.memory_bytes());
  test::run(world, 50);
  world.reset();
  test::run(world, 50);
  test::run(fresh, 50);
  EXPECT_EQ(world.state_hash(), fresh.state_hash());
}

// a joint that comes and goes, in a World that had none
TEST_P(ClosingFuzz, joints_on_links_come_and_go) {
  const FourBar bars;
  Scene scene;
  scene.set_params(solved_by(GetParam()));
  scene.add_articulation(bars.open(), bars.start());
  World world(scene), open(scene);
  const JointHandle pin = world.add_joint(bars.closing(2));
  test::run(world, 30);
  EXPECT_LT(gap_of(world, pin), 0.03);
  world.remove_joint(pin);
  World twin(scene);
  twin.set_state(twin.articulations()[0], world.state(world.articulations()[0]));
  test::run(world, 10);
  test::run(twin, 10);
  EXPECT_EQ(world.state(world.articulations()[0]).q, twin.state(twin.articulations()[0]).q);
}

// what a world without such joints tells of its bodies and joints doesn't hang on a world beside it that has some
TEST_P(ClosingFuzz, joints_on_links_of_another_world_change_no_bit) {
  for (const char* const spec : {"ragdolls:count=2", "quadrupeds", "four_bar"}) {
    Scene plain = scenes::make(spec, 1);
    StepParams params = plain.params();
    params.solver = GetParam();
    plain.set_params(params);
    const FourBar bars;
    Scene closed;
    closed.set_params(params);
    closed.add_articulation(bars.open(), bars.start());
    closed.add_joint(bars.closing(2));
    World alone(plain);
    World beside(std::vector<Scene>{plain, closed});
    for (int i = 0; i < 60; ++i) {
      alone.step();
      beside.step();
      ASSERT_EQ(alone.state_hash(), beside.state_hashes()[0]) << spec << ", step " << i;
      const std::vector<JointHandle> a = alone.joints(), b = beside.joints(0);
      for (std::size_t j = 0; j < a.size(); ++j) {
        const JointState s = alone.state(a[j]), t = beside.state(b[j]);
        ASSERT_EQ(s.coordinates, t.coordinates) << spec << ", step " << i << ", joint " << j;
        ASSERT_EQ(s.force, t.force) << spec << ", step " << i << ", joint " << j;
        ASSERT_EQ(s.torque, t.torque) << spec << ", step " << i << ", joint " << j;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, ClosingFuzz,
                         testing::Values(SolverKind::kSoftStep, SolverKind::kXpbd, SolverKind::kSequentialImpulse));

}  // namespace
}  // namespace cairn::articulations_test
