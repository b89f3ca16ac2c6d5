// Random joints, articulations and fields.

#include <algorithm>
#include <cmath>

#include "kernels/common/frame.h"
#include "tests/mixed/mixed.h"

namespace cairn::mixed {
namespace {

JointAxis random_axis(Dice& dice, float reach) {
  JointAxis axis;
  if (dice.chance(0.3)) {
    axis = {.mode = JointAxis::Mode::kLimited, .lower = -dice.number(0, reach), .upper = dice.number(0, reach)};
  }
  if (dice.chance(0.1)) return JointAxis::locked(dice.chance(0.5) ? 0 : dice.number(1e-5, 1e-3));
  if (axis.mode == JointAxis::Mode::kLimited && dice.chance(0.3)) {
    axis.compliance = dice.number(1e-5, 1e-2);
    axis.damping = dice.number(0, 10);
  }
  if (dice.chance(0.2)) axis.friction = dice.number(0, 10);
  if (dice.chance(0.3)) axis.drive = random_drive(dice);
  return axis;
}

JointKind random_kind(Dice& dice) {
  const float pi = 3;
  switch (dice.below(12)) {
    case 0:
      return FixedJoint{};
    case 1:
      return BallJoint{.cone = dice.chance(0.5) ? INFINITY : dice.number(0.1, 1.5),
                       .swing_friction = dice.chance(0.3) ? dice.number(0, 5) : 0.0f,
                       .twist = random_axis(dice, 1)};
    case 2:
      return HingeJoint{random_axis(dice, pi)};
    case 3:
      return SliderJoint{random_axis(dice, 0.5)};
    case 4:
      return ScrewJoint{dice.of({0.05f, -0.1f}), random_axis(dice, pi)};
    case 5:
      return CylindricalJoint{random_axis(dice, 0.5), random_axis(dice, pi)};
    case 6:
      return PlanarJoint{random_axis(dice, 0.5f), random_axis(dice, 0.5f), random_axis(dice, pi)};
    case 7:
      return UniversalJoint{random_axis(dice, 1), random_axis(dice, 1)};
    case 8:
      return WheelJoint{random_axis(dice, 0.2f), random_axis(dice, 0.5f), random_axis(dice, pi)};
    case 9: {
      if (dice.chance(0.3)) return ParallelJoint{.turn = random_axis(dice, 1)};
      GeneralJoint general;
      for (std::size_t i = 0; i < kJointDofs; ++i) {
        general.axes[i] = dice.chance(0.5) ? JointAxis::locked() : random_axis(dice, i < 3 ? 0.5f : 1.0f);
      }
      return general;
    }
    case 10: {
      const float longest = dice.number(0.1, 1.5);
      DistanceJoint rod{dice.of({0.0f, 0.5f * longest, longest}), longest};
      if (dice.chance(0.3)) rod.compliance = dice.number(1e-4, 1e-2);
      return rod;
    }
    default: {
      PulleyJoint pulley{dice.place(1), dice.place(1), dice.of({1.0f, 0.5f, 2.0f}), 0, dice.number(0.5, 6)};
      pulley.ground_a.z += 3;
      pulley.ground_b.z += 3;
      return pulley;
    }
  }
}

/// The frame of a body at a place and turn of the world.
JointFrame frame_at(const Body* body, Vec3d place, Quat turn) {
  if (body == nullptr) return {place, turn};
  const QuatT<double> back = kernels::conjugate(kernels::widen(body->orientation));
  return {kernels::turn(back, kernels::operator-(place, body->position)),
          kernels::narrow(kernels::times(back, kernels::widen(turn)))};
}

}  // namespace

JointDrive random_drive(Dice& dice) {
  JointDrive drive{.stiffness = dice.number(0, 200), .damping = dice.number(0, 20), .target = dice.number(-1, 1)};
  if (dice.chance(0.3)) drive.rate = dice.number(-3, 3);
  if (dice.chance(0.2)) {
    drive.damping = INFINITY;
    drive.stiffness = 0;
  }
  if (dice.chance(0.3)) drive.force = dice.number(-5, 5);
  drive.max_force = dice.of({0.0f, 5.0f, 50.0f, INFINITY});
  return drive;
}

std::optional<Joint> joint_of(const PlannedJoint& planned, const IndexOf& joint, const IndexOf& body) {
  Joint made = planned.joint;
  if (auto* gear = std::get_if<GearJoint>(&made.kind)) {
    const auto a = joint(planned.a), b = joint(planned.b);
    if (!a || !b) return std::nullopt;
    gear->joint_a = *a;
    gear->joint_b = *b;
    return made;
  }
  const auto a = body(planned.a), b = body(planned.b);
  if ((!a && !planned.a.empty()) || (!b && !planned.b.empty())) return std::nullopt;
  made.body_a = a.value_or(kWorldBody);
  made.body_b = b.value_or(kWorldBody);
  return made;
}

PlannedJoint random_joint(Dice& dice, const std::string& name, const std::vector<PlannedJoint>& others,
                          const Scene& around) {
  PlannedJoint made;
  made.joint.name = name;
  const auto turns = [](const PlannedJoint& j) {
    return std::holds_alternative<HingeJoint>(j.joint.kind) || std::holds_alternative<SliderJoint>(j.joint.kind) ||
           std::holds_alternative<CylindricalJoint>(j.joint.kind);
  };
  std::vector<std::string> wheels;
  for (const PlannedJoint& other : others) {
    if (turns(other)) wheels.push_back(other.joint.name);
  }
  if (wheels.size() > 1 && dice.chance(0.6)) {
    made.joint.kind = GearJoint{.ratio_a = dice.of({1.0f, 2.0f, 0.25f}), .ratio_b = dice.of({1.0f, -1.0f, 0.5f})};
    made.a = dice.of(wheels);
    made.b = dice.of(wheels);
    return made;
  }
  made.joint.kind = random_kind(dice);
  made.a = dice.chance(0.2) ? "" : any_body(dice, around);
  made.b = dice.chance(0.1) ? "" : any_body(dice, around);
  const auto find = [&](const std::string& body) -> const Body* {
    const auto at = body.empty() ? std::nullopt : around.find_body(body);
    return at ? &around.bodies()[*at] : nullptr;
  };
  const Body *a = find(made.a), *b = find(made.b);
  const Vec3d near = b != nullptr ? b->position : (a != nullptr ? a->position : Vec3d{0, 0, 1});
  const Vec3d off = dice.place(0.3);
  const Vec3d place = kernels::operator+(near, off);
  const Quat turn = kernels::unit(dice.turn());
  made.joint.frame_a = frame_at(a, place, turn);
  made.joint.frame_b = frame_at(b, place, turn);
  // some start apart
  if (dice.chance(0.3)) made.joint.frame_b.position.x += dice.number(-0.1, 0.1);
  made.joint.collide = dice.chance(0.3);
  if (dice.chance(0.15)) made.joint.breaking_force = dice.number(1, 500);
  if (dice.chance(0.1)) made.joint.breaking_torque = dice.number(1, 100);
  return made;
}

PlannedRobot random_robot(Dice& dice, const std::string& name, const WorldPlan& plan) {
  using Kind = ArticulationJointKind;
  PlannedRobot made;
  made.robot.name = name;
  for (int i = 0, count = dice.whole(1, 5); i < count; ++i) {
    ArticulationLink& link = made.robot.links.emplace_back();
    link.name = "l" + std::to_string(i);
    link.parent = i == 0 ? kWorldLink : dice.below(static_cast<std::size_t>(i));
    ArticulationJoint& joint = link.joint;
    joint.kind = dice.of({Kind::kRevolute, Kind::kRevolute, Kind::kPrismatic, Kind::kBall, Kind::kFixed});
    if (i == 0) joint.kind = dice.of({Kind::kFree, Kind::kRevolute, Kind::kFixed, Kind::kBall});
    link.frame_in_parent = {dice.place(0.4), dice.turn()};
    if (i == 0) link.frame_in_parent.position.z += 1;
    link.frame_in_link = {dice.place(0.2), dice.turn()};
    link.mass = dice.number(0.3, 4);
    if (dice.chance(0.4)) link.centre_of_mass = dice.place(0.1);
    const float m = dice.number(0.04, 0.1);
    link.inertia.moments = {m, 1.125f * m, 1.25f * m};
    if (dice.chance(0.8)) link.shapes = random_shapes(dice, plan, BodyType::kDynamic, 2);
    if (joint.kind == Kind::kFixed) continue;
    if (dice.chance(0.3)) joint.armature = dice.number(0, 0.1);
    if (dice.chance(0.3)) joint.damping = dice.number(0, 2);
    if (joint.kind == Kind::kFree) continue;
    if (dice.chance(0.2)) joint.friction = dice.number(0, 1);
    if (dice.chance(0.3)) {
      joint.drive_stiffness = dice.number(0, 100);
      joint.drive_damping = dice.number(0, 5);
      joint.drive_max_force = dice.of({1.0, 50.0, static_cast<double>(INFINITY)});
    }
    if (joint.kind == Kind::kBall || !dice.chance(0.3)) continue;
    joint.lower = -static_cast<double>(dice.number(0, 1));
    joint.upper = dice.number(0, 1);
  }
  return made;
}

std::optional<SceneField> field_of(const PlannedField& planned, const IndexOf& body) {
  SceneField made{.law = planned.law};
  if (planned.bodies) {
    made.bodies.emplace();
    for (const std::string& name : *planned.bodies) {
      if (const auto at = body(name)) made.bodies->push_back(*at);
    }
  }
  for (std::size_t i = 0; i < planned.ends.size(); ++i) {
    const auto a = body(planned.ends[i].first), b = body(planned.ends[i].second);
    if (!a || !b) return std::nullopt;
    fields::Spring& spring = std::get<fields::Springs>(made.law).springs[i];
    spring.a = *a;
    spring.b = *b;
  }
  return made;
}

PlannedField random_field(Dice& dice, const Scene& around) {
  PlannedField made;
  const auto seen = [&] {
    std::vector<std::string> names;
    for (const Body& body : around.bodies()) {
      if (dice.chance(0.5)) names.push_back(body.name);
    }
    return names;
  };
  if (dice.chance(0.4)) made.bodies = seen();
  const auto some = [&](double most) { return static_cast<double>(dice.number(0, most)); };
  switch (dice.below(9)) {
    case 0:
      made.law = fields::Gravity{dice.place(5)};
      break;
    case 1:
      made.law = fields::LinearDrag{some(2)};
      break;
    case 2:
      made.law = fields::QuadraticDrag{some(2)};
      break;
    case 3:
      made.law = fields::Wind{dice.place(5), some(2), some(1), dice.place(2), some(20)};
      break;
    case 4: {
      made.bodies.reset();
      fields::Springs springs;
      for (int i = dice.whole(1, 3); i > 0; --i) {
        made.ends.push_back({any_body(dice, around), any_body(dice, around)});
        springs.springs.push_back({.stiffness = some(200), .damping = some(5), .rest_length = some(1)});
      }
      made.law = springs;
      break;
    }
    case 5:
      made.law = fields::LennardJones{some(1), 0.2 + some(0.3), 0.5 + some(2)};
      break;
    case 6:
      made.law = fields::PairGravity{some(1), 0.1 + some(0.3), dice.of({2u, 10000u}), some(0.8)};
      break;
    case 7:
      made.law = fields::Boids{1 + some(1), 0.5, some(2), some(2), some(2), some(3), some(1)};
      break;
    default:
      made.law = fields::CurlNoise{some(3), some(3), 0.3 + some(1), 2, dice.below(5), dice.place(1)};
      break;
  }
  return made;
}

}  // namespace cairn::mixed
