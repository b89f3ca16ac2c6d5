// Joints: of all kinds, driven, geared, breaking, changed and removed.

#include <algorithm>

#include "cairn/device_arrays.h"
#include "tests/contract/contract.h"
#include "tests/joints/joint_scenes.h"

namespace cairn::contract {
namespace {

using joints_test::block;

/// Chains of all sorts over a floor, with boxes that fall among them.
Scene chains() {
  Scene scene;
  scene.set_params(joints_test::params_of(SolverKind::kSoftStep, 6));
  Body floor = block("floor", {0, 0, -0.5}, {10, 10, 0.5f}, 1);
  floor.type = BodyType::kStatic;
  floor.mass.reset();
  scene.add_body(floor);
  const std::vector<JointKind> kinds{
      BallJoint{},      HingeJoint{},           BallJoint{.cone = 0.6f},
      UniversalJoint{}, DistanceJoint{0, 0.3f}, SliderJoint{JointAxis::limited(-0.1f, 0.1f)}};
  for (std::uint32_t c = 0; c < 4; ++c) {
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::string name = std::to_string(c) + "." + std::to_string(i);
      const std::uint32_t body = scene.add_body(block("link " + name, {0.3 * i, 0.5 * c, 1.5 + 0.1 * c},
                                                      {0.1f, 0.05f, 0.04f}, 1 + 0.1f * static_cast<float>(i)));
      Joint joint{.name = "joint " + name,
                  .body_a = i == 0 ? kWorldBody : body - 1,
                  .body_b = body,
                  .kind = kinds[(c + i) % kinds.size()]};
      joint.frame_a.position = i == 0 ? Vec3d{-0.15, 0.5 * c, 1.5 + 0.1 * c} : Vec3d{0.15, 0, 0};
      joint.frame_b.position = {-0.15, 0, 0};
      scene.add_joint(joint);
    }
  }
  for (int i = 0; i < 20; ++i) {
    scene.add_body(
        block("box " + std::to_string(i), {0.12 * i, 0.1 * (i % 9), 2.5 + 0.2 * i}, {0.08f, 0.08f, 0.08f}, 1));
  }
  return scene;
}

/// A chain with a drive, a spring, a gear and a joint that breaks in the first steps, above a box that it swings into.
Scene machine() {
  Scene scene = joints_test::chain(4, 0.2f, 3, joints_test::params_of(SolverKind::kSoftStep, 6),
                                   HingeJoint{{.drive = {.damping = 1, .rate = 3, .max_force = 5}}});
  scene.add_body(block("spring", {1, 0, 0}, {0.1f, 0.1f, 0.1f}, 1));
  scene.add_joint(
      {.name = "spring", .body_b = 4, .frame_a = {{1, 0, 0.5}, {}}, .kind = DistanceJoint{0.3f, 0.3f, 0.01f, 1}});
  scene.add_body(block("falls", {2, 0, 0}, {0.1f, 0.1f, 0.1f}, 5));
  scene.add_joint(
      {.name = "weak", .body_b = 5, .frame_a = {{2, 0, 0}, {}}, .kind = FixedJoint{}, .breaking_force = 20});
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 2, .ratio_a = 1, .ratio_b = 2}});
  scene.add_body(block("in the way", {0.3, 0, -0.8}, {0.1f, 0.1f, 0.1f}, 1));
  return scene;
}

/// Leaves a slot that is free, and one that was used twice; and drives what is left.
void rebuild(World& world, std::uint32_t in, int step) {
  const std::vector<JointHandle> joints = world.joints(in);
  if (step == 0) {
    world.remove_joint(joints[1]);
    const std::uint32_t upper = world.index_of(*world.find_body("link 0", in)),
                        lower = world.index_of(*world.find_body("link 1", in));
    world.add_joint({.name = "again",
                     .body_a = upper,
                     .body_b = lower,
                     .frame_a = {{0, 0, -0.1}, {}},
                     .frame_b = {{0, 0, 0.1}, {}},
                     .kind = BallJoint{}},
                    in);
    world.remove_joint(joints[3]);
  }
  if (step == 15) {
    world.add_joint({.name = "rope",
                     .body_a = world.index_of(*world.find_body("link 3", in)),
                     .body_b = world.index_of(*world.find_body("spring", in)),
                     .kind = DistanceJoint{0, 0.9f}},
                    in);
    world.set_drive(*world.find_joint("joint 0", in), {.stiffness = 30, .damping = 2, .target = 0.5f, .max_force = 50});
    world.set_drive(*world.find_joint("joint 2", in), JointDof::kTwist, {});
  }
  if (step == 45) world.remove_joint(*world.find_joint("rope", in));
}

/// A rod of 1 m that hangs from a hinge about y and is let go level.
Scene pendulum() {
  Scene scene;
  scene.set_params(joints_test::params_of(SolverKind::kSoftStep, 8));
  scene.add_body(block("rod", {0.5, 0, 0}, {0.5f, 0.02f, 0.02f}, 1));
  Joint hinge{.name = "hinge", .body_b = 0, .kind = HingeJoint{}};
  hinge.frame_a = {{0, 0, 0}, joints_test::x_to_y()};
  hinge.frame_b = {{-0.5, 0, 0}, joints_test::x_to_y()};
  scene.add_joint(hinge);
  return scene;
}
void limit(World& world, std::uint32_t in, int step) {
  if (step != 12) return;
  Joint joint = world.description(world.joints(in)[0]);
  joint.name = "door";
  joint.frame_b.position.x -= 0.05;
  std::get<HingeJoint>(joint.kind).turn = JointAxis::limited(-0.8f, 0.8f);
  world.set_joint(world.joints(in)[0], joint);
}

/// Drives of one world's ball joints, by arrays with rows of all worlds; the mask leaves out what those of others say.
void drive_by_arrays(World& world, std::uint32_t in, int step) {
  if (step == 0) {
    for (const JointHandle joint : world.joints(in)) {
      if (std::holds_alternative<BallJoint>(world.description(joint).kind))
        world.set_drive(joint, {.stiffness = 20, .damping = 1, .max_force = 40});
    }
  }
  if (step % 10 != 5) return;
  const auto [rows, first] = rows_of(world, in, [&](std::uint32_t w) { return world.joints(w).size(); });
  std::vector<double> targets(6 * rows, 9), gains(6 * rows, -1);
  for (std::size_t i = 0; i < 6 * world.joints(in).size(); ++i) {
    targets[6 * first + i] = 0.1 * static_cast<double>((i + static_cast<std::size_t>(step)) % 7);
    gains[6 * first + i] = 15 + static_cast<double>(i % 4);
  }
  const auto count = static_cast<std::int64_t>(rows);
  world.arrays().set_joints({.drive_target = view(targets, count, 6), .drive_stiffness = view(gains, count, 6)},
                            only(world, in).data());
}

/// The machine with a link, and what a joint breaks off, switched off.
Scene starts_off() {
  const Scene from = machine();
  Scene scene;
  scene.set_params(from.params());
  for (Body body : from.bodies()) {
    body.enabled = body.name != "link 1" && body.name != "falls";
    scene.add_body(body);
  }
  for (const Joint& joint : from.joints()) scene.add_joint(joint);
  return scene;
}
/// Links, ends of gears and of breaking joints go and come back.
void switch_links(World& world, std::uint32_t in, int step) {
  const auto set = [&](const char* name, bool on) { world.set_enabled(*world.find_body(name, in), on); };
  if (step == 3) set("link 1", false);
  if (step == 7) set("spring", false);
  if (step == 10) set("link 3", false);
  if (step == 14) set("link 1", true);
  if (step == 18) {
    const std::uint32_t to = world.index_of(*world.find_body("link 3", in));
    world.add_joint({.name = "late", .body_b = to, .frame_a = {{0, 0, -0.5}, {}}, .kind = DistanceJoint{0, 0.5f}}, in);
  }
  if (step == 25) set("link 3", true);
  if (step == 30) set("spring", true);
}

}  // namespace

std::vector<SceneRow> joint_rows() {
  return {
      {.name = "chains", .make = chains, .steps = 30},
      {.name = "machine",
       .make = machine,
       .edit = rebuild,
       .happened =
           [](const World& world) {
             return std::ranges::any_of(world.joints(), [&](JointHandle j) { return world.state(j).broken; });
           }},
      {.name = "switched_machine", .make = machine, .edit = switch_links},
      {.name = "starts_switched_off",
       .make = starts_off,
       .steps = 30,
       .edit =
           [](World& world, std::uint32_t in, int step) {
             if (step == 12) world.set_enabled(world.bodies(in)[1], true);
           }},
      {.name = "chains_driven_by_arrays",
       .make = chains,
       .steps = 30,
       .edit = drive_by_arrays,
       .happened =
           [](const World& world) {
             return std::ranges::any_of(world.joints(), [&](JointHandle j) {
               const auto* ball = std::get_if<BallJoint>(&world.description(j).kind);
               return ball != nullptr && ball->twist.drive.stiffness > 15;
             });
           }},
      {.name = "changed_hinge", .make = pendulum, .steps = 50, .edit = limit},
  };
}

}  // namespace cairn::contract
