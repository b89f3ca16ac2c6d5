// Trees of joints of all kinds, drawn at random.

#include "tests/joints/joint_scenes.h"
#include "tests/support/random.h"

namespace cairn::joints_test {
namespace {

class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : random_(seed) {}

  /// A tree of 3 to 14 blocks, each joined to another or to the world.
  Scene scene(const StepParams& params) {
    Scene scene = scene_of({}, params);
    const std::uint32_t bodies = 3 + below(12);
    for (std::uint32_t i = 0; i < bodies; ++i) {
      scene.add_body(block("block " + std::to_string(i), {0.4 * (i % 4), 0.4 * (i / 4), 0.1 * i},
                           {within(0.05, 0.2), within(0.05, 0.2), within(0.05, 0.2)},
                           static_cast<float>(std::pow(10, between(-0.5, 0.5)))));
    }
    for (std::uint32_t b = 0; b < bodies; ++b) {
      const std::uint32_t a = b == 0 || below(4) == 0 ? kWorldBody : below(b);
      const Vec3d from = a == kWorldBody ? Vec3d{} : scene.bodies()[a].position, to = scene.bodies()[b].position;
      const Vec3d at{to.x + between(-0.4, 0.4), to.y + between(-0.4, 0.4), to.z + between(-0.4, 0.4)};
      const Quat turned = turn();
      Joint joint{.name = "joint " + std::to_string(b), .body_a = a, .body_b = b, .kind = kind()};
      joint.frame_a = {{at.x - from.x, at.y - from.y, at.z - from.z}, turned};
      joint.frame_b = {{at.x - to.x, at.y - to.y, at.z - to.z}, turned};
      if (std::holds_alternative<DistanceJoint>(joint.kind)) joint.frame_b.position.x += 0.5;
      scene.add_joint(joint);
    }
    return scene;
  }

 private:
  double between(double low, double high) { return random_.within(low, high); }
  float within(double low, double high) { return static_cast<float>(between(low, high)); }
  std::uint32_t below(std::uint32_t n) { return random_.below(n); }
  Quat turn() {
    const double a = between(-1, 1), b = between(-1, 1), c = between(-1, 1), d = between(-1, 1);
    const double l = std::sqrt(a * a + b * b + c * c + d * d) + 1e-9;
    return {static_cast<float>(a / l), static_cast<float>(b / l), static_cast<float>(c / l), static_cast<float>(d / l)};
  }

  JointAxis axis(double reach) {
    JointAxis a;
    switch (below(3)) {
      case 0:
        return a;
      case 1:
        a = JointAxis::locked();
        break;
      default:
        a = JointAxis::limited(within(-reach, 0), within(0, reach));
    }
    if (below(3) == 0) {
      a.compliance = static_cast<float>(std::pow(10, between(-6, -1)));
      if (below(2) == 0) a.damping = static_cast<float>(std::pow(10, between(-3, 3)));
    }
    return a;
  }
  /// Never free: what falls along a slider for seconds holds a block of 0.1 m by an arm of 50 m.
  JointAxis shift() {
    const JointAxis a = axis(0.3);
    return a.mode == JointAxis::Mode::kFree ? JointAxis::limited(-0.5f, 0.5f) : a;
  }
  JointAxis angle() { return axis(1.5); }

  JointKind kind() {
    switch (below(11)) {
      case 0:
        return FixedJoint{};
      // a twist has a pole where its body has swung by half a turn
      case 1:
        return below(2) == 0 ? BallJoint{} : BallJoint{.cone = within(0.1, 1.5), .twist = angle()};
      case 2:
        return HingeJoint{angle()};
      case 3:
        return SliderJoint{shift()};
      case 4:
        return ScrewJoint{within(0.01, 0.2), angle()};
      case 5:
        return CylindricalJoint{shift(), angle()};
      case 6:
        return PlanarJoint{shift(), shift(), angle()};
      case 7:
        return UniversalJoint{angle(), angle()};
      case 8:
        return WheelJoint{shift(), angle(), angle()};
      case 9: {
        if (below(3) == 0) return ParallelJoint{shift(), {}, {}, angle()};
        const JointAxis lock = JointAxis::locked();
        return GeneralJoint{{shift(), shift(), shift(), angle(), lock, lock}};
      }
      default:
        return DistanceJoint{0.5f, below(2) == 0 ? 0.5f : 0.8f};
    }
  }

  testing_support::Random random_;
};

TEST(Trees, of_all_kinds_of_joints_keep_their_energy_bounded) {
  for (const SolverKind solver : kJointSolvers) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      World world(Drawn(seed).scene(params_of(solver, 6)));
      // gravity's work on any body is at most that of all on the lightest of them: 14 blocks of a mass ratio of 10
      const double faster = largest_over(world, 300, [&] {
        const double fall = kG * static_cast<double>(world.report().steps) / 60.0;
        return fastest(world) - std::sqrt(14 * 10) * fall;
      });
      EXPECT_EQ(world.report().status, 0u) << seed << ", solver " << static_cast<int>(solver);
      EXPECT_LE(faster, 1) << seed << ", solver " << static_cast<int>(solver);
    }
  }
}

TEST(Trees, have_the_same_bits_in_any_thread_and_part) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Scene scene = Drawn(seed).scene(params_of(SolverKind::kSoftStep, 4));
    World alone(scene, {.device = Device::cpu(1)});
    World threads = World::copies(scene, 3, {.device = Device::cpu(3), .tuning = {.small_world = 0}});
    run(alone, 1);
    run(threads, 1);
    for (const std::uint64_t hash : threads.state_hashes()) EXPECT_EQ(hash, alone.state_hashes()[0]) << seed;
  }
}

}  // namespace
}  // namespace cairn::joints_test
