// The CPU makes the rows of eight joints at once. Whatever is beside it, a joint does as in a World of its own.

#include <cstring>
#include <random>

#include "cairn/world.h"
#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

constexpr std::uint32_t kWorlds = 48;

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : random_(seed) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  float within(float most) { return most * (static_cast<float>(below(2001)) / 1000.0f - 1.0f); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

  /// Free or limited, some with friction, some driven towards a place, at a rate or with a force.
  JointAxis axis() {
    JointAxis axis;
    if (one_in(2)) axis = JointAxis::limited(-0.2f - within(0.1f), 0.2f);
    if (one_in(4)) axis.friction = 0.3f;
    if (axis.mode == JointAxis::Mode::kLimited && one_in(3)) axis.compliance = 1e-3f, axis.damping = 2;
    if (one_in(3)) axis.drive = {.stiffness = 20, .damping = 1, .target = within(0.3f), .max_force = 30};
    if (one_in(6)) axis.drive = {.rate = within(2), .max_force = 5};
    if (one_in(6)) axis.drive = {.force = within(3), .max_force = 2};
    return axis;
  }
  JointKind kind(std::uint32_t which) {
    switch (which) {
      case 0:
        return FixedJoint{};
      case 1:
        return BallJoint{.cone = one_in(2) ? 0.4f : std::numeric_limits<float>::infinity(),
                         .swing_friction = one_in(3) ? 0.3f : 0.0f,
                         .twist = axis()};
      case 2:
        return HingeJoint{axis()};
      case 3:
        return ScrewJoint{0.05f, axis()};
      case 4:
        return UniversalJoint{axis(), axis()};
      case 5:
        return WheelJoint{.suspension = axis(), .axle = axis()};
      case 6:
        return DistanceJoint{0.1f, 0.4f, 1e-3f, 1};
      case 7:
        return PulleyJoint{
            .ground_a = {-0.2, 0, 2}, .ground_b = {0.2, 0, 2}, .ratio = 1 + within(0.5f), .max_length = 4};
      default:
        return GeneralJoint{{axis(), axis(), JointAxis::locked(), axis(), axis(), JointAxis::locked()}};
    }
  }
  Quat turn() {
    const float most = one_in(8) ? 3.0f : 0.4f;
    const Quat q{within(most), within(most), within(most), 1.5f};
    const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x / length, q.y / length, q.z / length, q.w / length};
  }

 private:
  std::mt19937 random_;
};

/// Two blocks and a joint of a kind, which may hold one of them to the world, to what moves by itself or stands, or to
/// itself. Straight, all of them lie along the axes, and are at rest.
Scene pair_of(Draw& draw, std::uint32_t kind, bool straight, SolverKind solver) {
  Body a = block("a", {-0.2, 0, 1}, {0.1f, 0.06f, 0.04f}, 2), b = block("b", {0.2, 0, 1}, {0.05f, 0.06f, 0.08f}, 1);
  if (!straight) {
    a.orientation = draw.turn();
    b.orientation = draw.turn();
    b.linear_velocity = {draw.within(1), draw.within(1), 0};
    b.angular_velocity = {draw.within(3), draw.within(3), draw.within(3)};
  }
  if (draw.one_in(6)) a.type = BodyType::kStatic;
  if (draw.one_in(6)) {
    a.type = BodyType::kKinematic;
    a.angular_velocity = {0, 0, 1};
  }
  Scene scene = scene_of({a, b}, params_of(solver, 4));
  if (straight) scene.set_gravity({0, 0, 0});
  Joint joint{.name = "joint", .body_a = draw.one_in(5) ? kWorldBody : 0, .body_b = 1, .kind = draw.kind(kind)};
  joint.frame_a.position = {joint.body_a == kWorldBody ? 0.05 : 0.2, 0, joint.body_a == kWorldBody ? 1.0 : 0.0};
  joint.frame_b.position = {-0.2, 0, 0};
  if (!straight) {
    joint.frame_a.orientation = draw.turn();
    joint.frame_b.orientation = draw.turn();
  }
  scene.add_joint(joint);
  return scene;
}

/// Bytes, since -0 equals 0.
bool same_bytes(const JointState& a, const JointState& b) {
  return std::memcmp(&a.coordinates, &b.coordinates, sizeof a.coordinates) == 0 &&
         std::memcmp(&a.force, &b.force, sizeof a.force) == 0 &&
         std::memcmp(&a.torque, &b.torque, sizeof a.torque) == 0 && a.broken == b.broken;
}

/// That each world of a batch does as by itself. The batch's status.
std::uint32_t expect_alike(const std::vector<Scene>& scenes, int steps) {
  World batch(scenes, testing_support::cpu(1));
  testing_support::run(batch, steps);
  const std::vector<std::uint64_t> hashes = batch.state_hashes();
  for (std::uint32_t w = 0; w < kWorlds; ++w) {
    World alone(scenes[w], testing_support::cpu(1));
    testing_support::run(alone, steps);
    EXPECT_EQ(hashes[w], alone.state_hashes()[0]) << "world " << w;
    EXPECT_TRUE(same_bytes(batch.state(batch.joints(w)[0]), alone.state(alone.joints()[0]))) << "world " << w;
  }
  return batch.report().status;
}

class EightJoints : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, EightJoints, testing::Values(SolverKind::kSoftStep, SolverKind::kSequentialImpulse),
                         name_of_solver);

TEST_P(EightJoints, do_as_each_by_itself) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    Draw draw(seed);
    // a few kinds, so that eight in a row have some alike; the last seeds have one
    const std::uint32_t kinds = seed < 5 ? 4 : 1, first = draw.below(9);
    const bool straight = seed % 3 == 0;
    std::vector<Scene> scenes;
    for (std::uint32_t w = 0; w < kWorlds; ++w) {
      scenes.push_back(pair_of(draw, (first + draw.below(kinds)) % 9, straight, GetParam()));
    }
    SCOPED_TRACE(seed);
    EXPECT_EQ(expect_alike(scenes, 40), 0u);
  }
}

// coordinates of what lies along the axes are zeros, which have a sign
TEST_P(EightJoints, that_are_straight_tell_the_same_zeros) {
  for (const std::uint32_t kind : {0u, 2u, 4u, 5u}) {
    Draw draw(kind + 1);
    std::vector<Scene> scenes;
    for (std::uint32_t w = 0; w < kWorlds; ++w) scenes.push_back(pair_of(draw, kind, true, GetParam()));
    SCOPED_TRACE(kind);
    expect_alike(scenes, 1);
  }
}

}  // namespace
}  // namespace cairn::joints_test
