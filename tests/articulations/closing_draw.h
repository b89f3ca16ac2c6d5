#pragma once
// Random articulations with random joints of the World on their links.

#include <string>
#include <vector>

#include "kernels/common/vec.h"
#include "tests/articulations/models.h"
#include "tests/articulations/robots.h"

namespace cairn::articulations_test {

/// [m, rad] By which a joint's two frames are off at the start.
inline constexpr double kApart = 0.05;

/// Random trees, bodies beside them, and joints between any of them.
class Closed {
 public:
  Closed(std::uint64_t seed, SolverKind solver) : random_(seed * 7919) {
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
  std::uint32_t any() { return bodies_[random_.below(bodies_.size())]; }

  Random random_;
  std::vector<std::uint32_t> bodies_;
};

}  // namespace cairn::articulations_test
