#include "tests/memory/calls.h"

#include <memory>

#include "cairn/device_arrays.h"
#include "cairn/queries.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "tests/memory/call_arrays.h"

namespace cairn::testing_support {
namespace {

template <class T>
const T& pick(const std::vector<T>& of, std::uint32_t i) {
  if (of.empty()) throw InvalidArgument("there is none");
  return of[i % of.size()];
}
/// The default one, where there are any.
void* stream_of(const World& w) {
  return reinterpret_cast<void*>(w.device().kind == Device::Kind::kCuda ? std::uintptr_t{1} : 0);
}
std::uint32_t world_in(const World& w, std::uint32_t i) { return i % w.world_count(); }
BodyHandle body_in(const World& w, std::uint32_t i) { return pick(w.bodies(world_in(w, i)), i / 2 + 1); }
std::size_t joint_count(const World& w) {
  std::size_t count = 0;
  for (std::uint32_t k = 0; k < w.world_count(); ++k) count += w.joints(k).size();
  return count;
}
std::size_t material_count(const World& w) {
  std::size_t count = 0;
  for (std::uint32_t k = 0; k < w.world_count(); ++k) count += w.materials(k).size();
  return count;
}
JointHandle joint_in(const World& w, std::uint32_t i) { return pick(w.joints(world_in(w, i)), i / 2); }
ArticulationHandle arm_in(const World& w, std::uint32_t i) { return pick(w.articulations().list(world_in(w, i)), i); }
ParticlesHandle set_in(const World& w, std::uint32_t i) { return pick(w.particles().list(world_in(w, i)), i / 2); }

/// What reads gives what it gave when there was memory: the caller looks at the World alone.
template <class F>
Ready reads(F f) {
  return [f] { (void)f(); };
}

using ArrayQuery = void (Queries::*)(const QueryArrays&, const HitArrays&, const ShapeQuery&) const;
template <ArrayQuery kQuery>
Ready ask_rows(World& w, std::uint32_t i) {
  auto asked = std::make_shared<Asked>(w.device());
  ShapeQuery like{.geometry =
                      i % 2 == 0 ? Geometry{Sphere{0.3f}}
                                 : Geometry{ConvexHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})}};
  like.world = world_in(w, i);
  return [&w, asked, from = asked->from(), to = asked->to(), like] { (w.queries().*kQuery)(from, to, like); };
}

std::vector<RayQuery> rays(const World& w, std::uint32_t i) {
  return {{.origin = {0.1, 0.1, 9}, .world = world_in(w, i)}, {.origin = {3, 0.1, 9}, .world = world_in(w, i)}};
}
std::vector<ShapeQuery> shapes(const World& w, std::uint32_t i) {
  return {{.geometry = Sphere{0.5f}, .position = {0, 0, 4}, .world = world_in(w, i)},
          {.geometry = ConvexHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
           .position = {0, 0.2, 2},
           .world = world_in(w, i)}};
}

std::vector<std::uint8_t> some_of(const World& w, std::uint32_t i) {
  std::vector<std::uint8_t> mask(w.world_count(), 0);
  mask[i % mask.size()] = 1;
  return mask;
}
std::shared_ptr<std::vector<std::uint8_t>> mask_of(const World& w, std::uint32_t i) {
  return std::make_shared<std::vector<std::uint8_t>>(some_of(w, i));
}
/// The same where the World lives.
std::shared_ptr<Placed<std::uint8_t>> placed_mask_of(const World& w, std::uint32_t i) {
  return std::make_shared<Placed<std::uint8_t>>(some_of(w, i), w.device());
}

Body new_body(const World& w, std::uint32_t i) {
  std::string name = "a new body whose name takes a block of the heap ";
  for (const BodyHandle b : w.bodies(world_in(w, i))) {
    if (w.description(b).name == name + std::to_string(i)) name += "again ";
  }
  name += std::to_string(i);
  const Vec3d at{-3.0 + i % 5, 4, 1.5};
  switch (i / 2 % 5) {
    case 0:
      return box(name, at);
    case 1:
      return body(
          name,
          ConvexHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1 + 0.01f * static_cast<float>(i)}}),
          at);
    case 2:
      return plane(name, {0, 0, -1}, -50);
    case 3:
      return body(name, HeightField(3, 3, 1, std::vector<float>(9, 0.5f)), {0, 0, -2}, BodyType::kStatic);
    default:
      break;
  }
  Body two = ball(name, at);
  two.shapes.push_back(shape(Box{{0.2f, 0.2f, 0.2f}}, {0.5f, 0, 0}));
  two.shapes[1].filter.group = 3;
  two.shapes[1].sensor = i % 3 == 0;
  return two;
}

Snapshot other_state(World& w, std::uint32_t i) {
  // with more of some things, and less of others
  World other(w.snapshot(), cpu());
  other.step();
  try {
    if (i % 3 != 1) other.add_body(new_body(other, 2 * i), world_in(other, i));
    if (i % 3 != 0) other.remove_body(body_in(other, i + 2));
  } catch (const InvalidArgument&) {
  }
  return other.snapshot();
}

}  // namespace

const std::vector<WorldCall>& world_calls() {
  static const std::vector<WorldCall> calls{
      {"step", [](World& w, std::uint32_t) { return Ready([&w] { w.step(); }); }},
      {"step", [](World& w, std::uint32_t) { return Ready([&w] { w.step(1.0f / 100); }); }},
      {"reset", [](World& w, std::uint32_t) { return Ready([&w] { w.reset(); }); }},
      {"reset", [](World& w, std::uint32_t i) { return Ready([&w, at = world_in(w, i)] { w.reset(at); }); }},
      {"reset", [](World& w, std::uint32_t i) { return Ready([&w, mask = mask_of(w, i)] { w.reset(*mask); }); }},
      {"snapshot", [](World& w, std::uint32_t) { return reads([&w] { return w.snapshot(); }); }},
      {"snapshot", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.snapshot(world_in(w, i)); }); }},
      {"restore", [](World& w, std::uint32_t i) { return Ready([&w, to = other_state(w, i)] { w.restore(to); }); }},
      {"restore", [](World& w, std::uint32_t i) {
         return Ready([&w, to = other_state(w, i), at = world_in(w, i)] { w.restore(to, at, at); });
       }},
      {"restore", [](World& w, std::uint32_t i) {
         return Ready([&w, to = other_state(w, i), mask = mask_of(w, i)] { w.restore(to, 0, *mask); });
       }},
      {"start_recording", [](World& w, std::uint32_t) { return Ready([&w] { w.start_recording(); }); }},
      {"stop_recording", [](World& w, std::uint32_t) { return reads([&w] { return w.stop_recording(); }); }},
      {"params", [](World& w, std::uint32_t i) { return reads([&w, i] { return &w.params(world_in(w, i)); }); }},
      {"set_params", [](World& w, std::uint32_t i) {
         StepParams p = w.params();
         p.sleeping = !p.sleeping;
         p.substeps = 4 + static_cast<int>(i % 3);
         return Ready([&w, p] { w.set_params(p); });
       }},
      {"set_params", [](World& w, std::uint32_t i) {
         StepParams p = w.params(world_in(w, i));
         p.friction_mix = i % 3 == 0 ? MixRule::kMin : MixRule::kMax;
         return Ready([&w, p, at = world_in(w, i)] { w.set_params(p, at); });
       }},
      {"gravity", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.gravity(world_in(w, i)); }); }},
      {"set_gravity", [](World& w, std::uint32_t i) {
         return Ready([&w, at = world_in(w, i), i] { w.set_gravity({0.1f * static_cast<float>(i % 7), 0, -9}, at); });
       }},
      {"limits", [](World& w, std::uint32_t i) { return reads([&w, i] { return &w.limits(world_in(w, i)); }); }},
      {"set_limits", [](World& w, std::uint32_t) { return Ready([&w] { w.set_limits({.speed = 300}); }); }},
      {"set_limits", [](World& w, std::uint32_t i) {
         return Ready([&w, at = world_in(w, i)] { w.set_limits({.speed = 200}, at); });
       }},
      {"fields", [](World& w, std::uint32_t i) { return reads([&w, i] { return &w.fields(world_in(w, i)); }); }},
      {"set_fields", [](World& w, std::uint32_t i) {
         std::vector<SceneField> fields;
         const std::uint32_t a = w.index_of(body_in(w, 2)), b = w.index_of(body_in(w, 4));
         if (i % 3 != 0) fields.push_back({fields::Wind{.velocity = {3, 0, 0}, .linear = 2}, {}});
         if (i % 3 != 1 && a != b) fields.push_back({fields::Springs{{{a, b, 10, 0, 1}}}, {}});
         if (i % 3 != 2) fields.push_back({fields::PairGravity{.constant = 1e-4, .softening = 0.1}, {{b}}});
         return Ready([&w, fields] { w.set_fields(fields, 0); });
       }},
      {"device", [](World& w, std::uint32_t) { return reads([&w] { return &w.device(); }); }},
      {"world_count", [](World& w, std::uint32_t) { return reads([&w] { return w.world_count(); }); }},
      {"world_of", [](World& w, std::uint32_t i) { return reads([&w, b = body_in(w, i)] { return w.world_of(b); }); }},
      {"bodies", [](World& w, std::uint32_t) { return reads([&w] { return w.bodies(); }); }},
      {"bodies", [](World& w, std::uint32_t i) { return reads([&w, at = world_in(w, i)] { return w.bodies(at); }); }},
      {"body_at", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.body_at(i, 0); }); }},
      {"body_count", [](World& w, std::uint32_t) { return reads([&w] { return w.body_count(); }); }},
      {"body_count", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.body_count(world_in(w, i)); }); }},
      {"find_body", [](World& w, std::uint32_t i) {
         return reads([&w, name = w.description(body_in(w, i)).name, at = world_in(w, i)] {
           return w.find_body(name, at);
         });
       }},
      {"find_joint", [](World& w, std::uint32_t i) {
         return reads([&w, name = w.description(joint_in(w, i)).name, at = world_in(w, i)] {
           return w.find_joint(name, at);
         });
       }},
      {"articulations.find", [](World& w, std::uint32_t i) {
         return reads([&w, name = w.description(arm_in(w, i)).name, at = world_in(w, i)] {
           return w.articulations().find(name, at);
         });
       }},
      {"particles.find", [](World& w, std::uint32_t i) {
         return reads([&w, name = w.description(set_in(w, i)).name, at = world_in(w, i)] {
           return w.particles().find(name, at);
         });
       }},
      {"alive", [](World& w, std::uint32_t i) { return reads([&w, b = body_in(w, i)] { return w.alive(b); }); }},
      {"description", [](World& w, std::uint32_t i) {
         return reads([&w, b = body_in(w, i)] { return &w.description(b); });
       }},
      {"add_body", [](World& w, std::uint32_t i) {
         return reads([&w, b = new_body(w, i), at = world_in(w, i)] { return w.add_body(b, at); });
       }},
      {"remove_body", [](World& w, std::uint32_t i) { return Ready([&w, b = body_in(w, i)] { w.remove_body(b); }); }},
      {"add_joint", [](World& w, std::uint32_t i) {
         const std::vector<BodyHandle> bodies = w.bodies(world_in(w, i));
         Joint joint{.name = "a new joint whose name takes a block of the heap " + std::to_string(i) +
                             std::to_string(w.joints(world_in(w, i)).size()),
                     .body_a = w.index_of(pick(bodies, i)), .body_b = w.index_of(pick(bodies, i + 1 + i % 2))};
         const std::vector<JointHandle> joints = w.joints(world_in(w, i));
         joint.kind = i % 3 == 0 ? JointKind{BallJoint{}} : JointKind{HingeJoint{}};
         if (i % 4 == 1 && joints.size() > 1) {
           joint.kind = GearJoint{w.index_of(joints[0]), w.index_of(joints[1])};
           joint.body_a = joint.body_b = kWorldBody;
         }
         return reads([&w, joint, at = world_in(w, i)] { return w.add_joint(joint, at); });
       }},
      {"remove_joint", [](World& w, std::uint32_t i) {
         return Ready([&w, j = joint_in(w, i)] { w.remove_joint(j); });
       }},
      {"joints", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.joints(world_in(w, i)); }); }},
      {"alive", [](World& w, std::uint32_t i) {
         return reads([&w, j = joint_in(w, i)] { return w.alive(j); });
       }},
      {"index_of", [](World& w, std::uint32_t i) { return reads([&w, j = joint_in(w, i)] { return w.index_of(j); }); }},
      {"index_of", [](World& w, std::uint32_t i) { return reads([&w, b = body_in(w, i)] { return w.index_of(b); }); }},
      {"description", [](World& w, std::uint32_t i) {
         return reads([&w, j = joint_in(w, i)] { return &w.description(j); });
       }},
      {"state", [](World& w, std::uint32_t i) {
         return reads([&w, j = joint_in(w, i)] { return w.state(j); });
       }},
      {"anchors", [](World& w, std::uint32_t i) {
         return reads([&w, j = joint_in(w, i)] { return w.anchors(j); });
       }},
      {"set_drive", [](World& w, std::uint32_t i) {
         const JointDrive drive{.damping = 1, .rate = 1, .max_force = i % 3 == 0 ? 0.0f : 5.0f};
         return Ready([&w, j = joint_in(w, i), drive] { w.set_drive(j, drive); });
       }},
      {"set_drive", [](World& w, std::uint32_t i) {
         const JointDrive drive{.damping = 2, .rate = -1, .max_force = 3};
         return Ready([&w, j = joint_in(w, i), drive] { w.set_drive(j, JointDof::kTwist, drive); });
       }},
      {"set_joint", [](World& w, std::uint32_t i) {
         Joint joint = w.description(joint_in(w, i));
         joint.frame_a.position.x += 0.01;
         joint.breaking_force = 1e5f;
         return Ready([&w, j = joint_in(w, i), joint] { w.set_joint(j, joint); });
       }},
      {"drive", [](World& w, std::uint32_t i) {
         return reads([&w, j = joint_in(w, i)] { return w.drive(j, JointDof::kTwist); });
       }},
      {"articulations.list", [](World& w, std::uint32_t i) {
         return reads([&w, i] { return w.articulations().list(world_in(w, i)); });
       }},
      {"description", [](World& w, std::uint32_t i) {
         return reads([&w, a = arm_in(w, i)] { return &w.description(a); });
       }},
      {"bodies", [](World& w, std::uint32_t i) {
         return reads([&w, a = arm_in(w, i)] { return w.bodies(a)[0]; });
       }},
      {"state", [](World& w, std::uint32_t i) {
         return reads([&w, a = arm_in(w, i)] { return w.state(a); });
       }},
      {"set_state", [](World& w, std::uint32_t i) {
         ArticulationState s = w.state(arm_in(w, i));
         for (double& q : s.q) q += 0.1;
         return Ready([&w, a = arm_in(w, i), s] { w.set_state(a, s); });
       }},
      {"articulations.set_forces", [](World& w, std::uint32_t i) {
         const std::vector<double> forces(w.state(arm_in(w, i)).v.size(), 0.5 + i % 3);
         return Ready([&w, a = arm_in(w, i), forces] { w.articulations().set_forces(a, forces); });
       }},
      {"articulations.set_targets", [](World& w, std::uint32_t i) {
         ArticulationState s = w.state(arm_in(w, i));
         for (double& q : s.q) q += 0.2;
         return Ready([&w, a = arm_in(w, i), s] { w.articulations().set_targets(a, s); });
       }},
      {"articulations.joint", [](World& w, std::uint32_t i) {
         return reads([&w, a = arm_in(w, i)] { return w.articulations().joint(a, 0); });
       }},
      {"articulations.set_joint", [](World& w, std::uint32_t i) {
         ArticulationJoint joint = w.articulations().joint(arm_in(w, i), 0);
         joint.damping = 0.5 + i % 3;
         return Ready([&w, a = arm_in(w, i), joint] { w.articulations().set_joint(a, 0, joint); });
       }},
      {"alive", [](World& w, std::uint32_t i) { return reads([&w, a = arm_in(w, i)] { return w.alive(a); }); }},
      {"articulations.add", [](World& w, std::uint32_t i) {
         Articulation arm = w.description(arm_in(w, i));
         arm.name = "spare " + std::to_string(i);
         return reads([&w, arm, at = world_in(w, i)] { return w.articulations().add(arm, {}, at); });
       }},
      {"articulations.remove", [](World& w, std::uint32_t i) {
         return Ready([&w, a = arm_in(w, i)] { w.articulations().remove(a); });
       }},
      {"alive", [](World& w, std::uint32_t i) { return reads([&w, s = set_in(w, i)] { return w.alive(s); }); }},
      {"particles.add", [](World& w, std::uint32_t i) {
         ParticleSet set = w.description(set_in(w, i));
         set.name = "spare " + std::to_string(i);
         for (Attachment& a : set.attachments) a.body = w.index_of(body_in(w, i));
         return reads([&w, set, at = world_in(w, i)] { return w.particles().add(set, at); });
       }},
      {"particles.remove", [](World& w, std::uint32_t i) {
         return Ready([&w, s = set_in(w, i)] { w.particles().remove(s); });
       }},
      {"particles.list", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.particles().list(world_in(w, i)); }); }},
      {"description", [](World& w, std::uint32_t i) {
         return reads([&w, s = set_in(w, i)] { return &w.description(s); });
       }},
      {"bodies", [](World& w, std::uint32_t i) {
         return reads([&w, s = set_in(w, i)] { return w.bodies(s); });
       }},
      {"particles.constraint_forces", [](World& w, std::uint32_t i) {
         return reads([&w, s = set_in(w, i)] { return w.particles().constraint_forces(s); });
       }},
      {"particles.constraint_residuals", [](World& w, std::uint32_t i) {
         return reads([&w, s = set_in(w, i)] { return w.particles().constraint_residuals(s); });
       }},
      {"particles.constraint_residual", [](World& w, std::uint32_t) { return reads([&w] { return w.particles().constraint_residual(); }); }},
      {"particles.constraint_residual", [](World& w, std::uint32_t i) {
         return reads([&w, i] { return w.particles().constraint_residual(world_in(w, i)); });
       }},
      {"particles.broken_constraints", [](World& w, std::uint32_t i) {
         return reads([&w, s = set_in(w, i)] { return w.particles().broken_constraints(s); });
       }},
      {"particles.pressures", [](World& w, std::uint32_t i) { return reads([&w, s = set_in(w, i)] { return w.particles().pressures(s); }); }},
      {"particles.densities", [](World& w, std::uint32_t i) { return reads([&w, s = set_in(w, i)] { return w.particles().densities(s); }); }},
      {"add_material", [](World& w, std::uint32_t i) {
         const Material m{.name = "a new material with a long name " + std::to_string(i) +
                                  std::to_string(w.materials(world_in(w, i)).size()), .density = 900};
         return reads([&w, m, at = world_in(w, i)] { return w.add_material(m, at); });
       }},
      {"set_material", [](World& w, std::uint32_t i) {
         const Material m{.name = "ice", .density = 700.0f + static_cast<float>(i % 9), .friction = 0.1f,
                          .restitution = i % 2 == 0 ? 0.0f : 0.2f,
                          .surface_velocity = {i % 4 < 2 ? 0.0f : 0.5f, 0, 0}};
         return Ready([&w, m, at = world_in(w, i)] { w.set_material(0, m, at); });
       }},
      {"materials", [](World& w, std::uint32_t i) { return reads([&w, i] { return &w.materials(world_in(w, i)); }); }},
      {"scales.seed", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.scales().seed(world_in(w, i)); }); }},
      {"scales.set_seed", [](World& w, std::uint32_t i) { return Ready([&w, i] { w.scales().set_seed(i, world_in(w, i)); }); }},
      {"scales.get", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.scales().get(world_in(w, i)); }); }},
      {"scales.get", [](World& w, std::uint32_t i) { return reads([&w, b = body_in(w, i)] { return w.scales().get(b); }); }},
      {"scales.set", [](World& w, std::uint32_t i) {
         const Scales by{.size = i % 2 == 0 ? 1.0f : 0.9f, .mass = i % 3 == 0 ? 1.0f : 2.0f, .friction = 0.5f};
         return Ready([&w, by, at = world_in(w, i)] { w.scales().set(by, at); });
       }},
      {"scales.set", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i)] { w.scales().set(BodyScales{.mass = 1.5f}, b); });
       }},
      {"scales.description", [](World& w, std::uint32_t i) {
         return reads([&w, b = body_in(w, i)] { return w.scales().description(b); });
       }},
      {"scales.randomise", [](World& w, std::uint32_t i) {
         Randomisation ranges{.friction = {0.5f, 1}, .position = {0, 0, 0.01f}};
         if (i % 2 == 0) ranges.body_mass = {1, 2};
         return Ready([&w, mask = mask_of(w, i), ranges] { w.scales().randomise(*mask, ranges); });
       }},
      {"origin", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.origin(world_in(w, i)); }); }},
      {"set_origin", [](World& w, std::uint32_t i) {
         return Ready([&w, i] { w.set_origin({1.0 * i, 2, 3}, world_in(w, i)); });
       }},
      {"state", [](World& w, std::uint32_t i) { return reads([&w, b = body_in(w, i)] { return w.state(b); }); }},
      {"set_state", [](World& w, std::uint32_t i) {
         BodyState s = w.state(body_in(w, i));
         s.position.z += 1;
         s.linear_velocity = w.description(body_in(w, i)).type == BodyType::kDynamic ? Vec3{0.5f, 0, 0} : Vec3{};
         return Ready([&w, b = body_in(w, i), s] { w.set_state(b, s); });
       }},
      {"set_pose", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i), i] { w.set_pose(b, {2, 2.0 + i % 5, 3}, {}); });
       }},
      {"set_velocity", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i)] { w.set_velocity(b, {0, 0, 1}, {1, 0, 0}); });
       }},
      {"move_to", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i)] { w.move_to(b, {0, 0, 5}, {}, 0.1f); });
       }},
      {"mass_properties", [](World& w, std::uint32_t i) {
         return reads([&w, b = body_in(w, i)] { return w.mass_properties(b); });
       }},
      {"set_mass", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i), i] { w.set_mass(b, 5.0f + static_cast<float>(i % 5)); });
       }},
      {"set_material", [](World& w, std::uint32_t i) {
         const auto m = static_cast<std::uint32_t>(w.materials(world_in(w, i)).size() - 1);
         return Ready([&w, b = body_in(w, i), m] { w.set_material(b, m); });
       }},
      {"set_body", [](World& w, std::uint32_t i) {
         Body body = w.description(body_in(w, i));
         body.name += " again";
         body.linear_damping = 0.5f;
         body.gravity_scale = 0.25f;
         for (Shape& shape : body.shapes) shape.filter.group = -3;
         return Ready([&w, b = body_in(w, i), body] { w.set_body(b, body); });
       }},
      {"set_type", [](World& w, std::uint32_t i) {
         const BodyHandle b = body_in(w, i);
         const BodyType type = w.description(b).type == BodyType::kDynamic
                                   ? (i % 2 == 0 ? BodyType::kKinematic : BodyType::kStatic) : BodyType::kDynamic;
         return Ready([&w, b, type] { w.set_type(b, type); });
       }},
      {"set_enabled", [](World& w, std::uint32_t i) {
         const BodyHandle b = body_in(w, i);
         return Ready([&w, b, on = !w.description(b).enabled] { w.set_enabled(b, on); });
       }},
      {"set_filter", [](World& w, std::uint32_t i) {
         const Filter filter{.group = static_cast<int>(i % 3)};
         return Ready([&w, b = body_in(w, i), filter] { w.set_filter(b, filter); });
       }},
      {"ignore", [](World& w, std::uint32_t i) {
         const BodyHandle a = pick(w.bodies(world_in(w, i)), i), b = pick(w.bodies(world_in(w, i)), i + 1);
         return Ready([&w, a, b, on = !w.ignored(a, b)] { w.ignore(a, b, on); });
       }},
      {"ignored", [](World& w, std::uint32_t i) {
         return reads([&w, a = body_in(w, i), b = body_in(w, i + 2)] { return w.ignored(a, b); });
       }},
      {"wake", [](World& w, std::uint32_t i) { return Ready([&w, b = body_in(w, i)] { w.wake(b); }); }},
      {"asleep", [](World& w, std::uint32_t i) { return reads([&w, b = body_in(w, i)] { return w.asleep(b); }); }},
      {"read_states", [](World& w, std::uint32_t) {
         auto to = std::make_shared<std::vector<BodyState>>(w.body_count());
         return Ready([&w, to] { w.read_states(*to); });
       }},
      {"write_states", [](World& w, std::uint32_t i) {
         std::vector<BodyState> all = states(w);
         all[i % all.size()].position.z += 0.5;
         return Ready([&w, all] { w.write_states(all); });
       }},
      {"read_states", [](World& w, std::uint32_t i) {
         auto to = std::make_shared<std::vector<BodyState>>(w.body_count(world_in(w, i)));
         return Ready([&w, to, at = world_in(w, i)] { w.read_states(at, *to); });
       }},
      {"write_states", [](World& w, std::uint32_t i) {
         std::vector<BodyState> all(w.body_count(world_in(w, i)));
         w.read_states(world_in(w, i), all);
         all[i % all.size()].position.y += 0.5;
         return Ready([&w, all, at = world_in(w, i)] { w.write_states(at, all); });
       }},
      {"add_force", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i)] { w.add_force(b, {30, 0, 0}); });
       }},
      {"add_force", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i)] { w.add_force(b, {30, 0, 0}, {0, 0, 3}); });
       }},
      {"add_torque", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i)] { w.add_torque(b, {0, 3, 0}); });
       }},
      {"add_impulse", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i)] { w.add_impulse(b, {0.1f, 0, 0}); });
       }},
      {"add_impulse", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i)] { w.add_impulse(b, {0, 0.1f, 0}, {0, 0, 1}); });
       }},
      {"add_angular_impulse", [](World& w, std::uint32_t i) {
         return Ready([&w, b = body_in(w, i)] { w.add_angular_impulse(b, {0, 0, 0.01f}); });
       }},
      {"report", [](World& w, std::uint32_t) { return reads([&w] { return w.report(); }); }},
      {"report", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.report(world_in(w, i)); }); }},
      {"reports", [](World& w, std::uint32_t) { return reads([&w] { return w.reports(); }); }},
      {"clear_status", [](World& w, std::uint32_t) { return Ready([&w] { w.clear_status(); }); }},
      {"contacts", [](World& w, std::uint32_t) { return reads([&w] { return w.contacts(); }); }},
      {"contact_events", [](World& w, std::uint32_t) { return reads([&w] { return w.contact_events(); }); }},
      {"contact_events", [](World& w, std::uint32_t i) {
         return reads([&w, i] { return w.contact_events(world_in(w, i)); });
       }},
      {"residual", [](World& w, std::uint32_t) { return reads([&w] { return w.residual(); }); }},
      {"residual", [](World& w, std::uint32_t i) { return reads([&w, i] { return w.residual(world_in(w, i)); }); }},
      {"residuals", [](World& w, std::uint32_t) { return reads([&w] { return w.residuals(); }); }},
      {"queries.cast_rays", [](World& w, std::uint32_t i) {
         return reads([&w, q = rays(w, i)] { return w.queries().cast_rays(q); });
       }},
      {"queries.cast_rays_all", [](World& w, std::uint32_t i) {
         return reads([&w, q = rays(w, i)] { return w.queries().cast_rays_all(q); });
       }},
      {"queries.cast_shapes", [](World& w, std::uint32_t i) {
         return reads([&w, q = shapes(w, i)] { return w.queries().cast_shapes(q); });
       }},
      {"queries.cast_shapes_all", [](World& w, std::uint32_t i) {
         return reads([&w, q = shapes(w, i)] { return w.queries().cast_shapes_all(q); });
       }},
      {"queries.overlaps", [](World& w, std::uint32_t i) {
         return reads([&w, q = shapes(w, i)] { return w.queries().overlaps(q); });
       }},
      {"queries.closest", [](World& w, std::uint32_t i) {
         return reads([&w, q = shapes(w, i)] { return w.queries().closest(q); });
       }},
      {"queries.closest_all", [](World& w, std::uint32_t i) {
         return reads([&w, q = shapes(w, i)] { return w.queries().closest_all(q); });
       }},
      {"queries.cast_rays", [](World& w, std::uint32_t i) {
         auto asked = std::make_shared<Asked>(w.device());
         const RayQuery like{.world = world_in(w, i)};
         return Ready([&w, asked, from = asked->from(), to = asked->to(), like] {
           w.queries().cast_rays(from, to, like);
         });
       }},
      {"queries.cast_shapes", ask_rows<&Queries::cast_shapes>},
      {"queries.overlaps", ask_rows<&Queries::overlaps>},
      {"queries.closest", ask_rows<&Queries::closest>},
      {"queries.set_brute", [](World& w, std::uint32_t i) {
         return Ready([&w, i] { w.queries().set_brute(i % 2 == 0); });
       }},
      {"wait", [](World& w, std::uint32_t) { return Ready([&w] { w.wait(); }); }},
      {"arrays.list", [](World& w, std::uint32_t) { return reads([&w] { return w.arrays().list(); }); }},
      {"arrays.get", [](World& w, std::uint32_t) { return reads([&w] { return w.arrays().get("gravity"); }); }},
      {"arrays.keep", [](World& w, std::uint32_t) { return reads([&w] { return w.arrays().keep(); }); }},
      {"arrays.stream", [](World& w, std::uint32_t) { return reads([&w] { return w.arrays().stream(); }); }},
      {"arrays.wait_stream", [](World& w, std::uint32_t) {
         return Ready([&w] { w.arrays().wait_stream(stream_of(w)); });
       }},
      {"arrays.stream_waits", [](World& w, std::uint32_t) {
         return Ready([&w] { w.arrays().stream_waits(stream_of(w)); });
       }},
      {"arrays.written", [](World& w, std::uint32_t i) {
         return Ready([&w, mask = placed_mask_of(w, i), i] {
           w.arrays().written(i % 2 == 0 ? Written::kPoses : Written::kLoads, i % 3 == 0 ? nullptr : mask->data());
         });
       }},
      {"arrays.get_states", [](World& w, std::uint32_t i) {
         auto to = std::make_shared<StatesOfAll>(w);
         return Ready(
             [&w, to, views = to->views(), mask = placed_mask_of(w, i)] {
               w.arrays().get_states(views, mask->data());
             });
       }},
      {"arrays.set_states", [](World& w, std::uint32_t i) {
         auto from = std::make_shared<StatesOfAll>(w);
         return Ready(
             [&w, from, views = from->views(), mask = placed_mask_of(w, i)] {
               w.arrays().set_states(views, mask->data());
             });
       }},
      {"arrays.move_to", [](World& w, std::uint32_t i) {
         auto to = std::make_shared<StatesOfAll>(w);
         return Ready([&w, to, views = to->views(), mask = placed_mask_of(w, i)] {
           w.arrays().move_to({.position = views.position, .orientation = views.orientation}, 0.01f, mask->data());
         });
       }},
      {"arrays.articulation_rows", [](World& w, std::uint32_t) {
         return reads([&w] { return w.arrays().articulation_rows(); });
       }},
      {"arrays.get_articulations", [](World& w, std::uint32_t) {
         auto to = std::make_shared<ArmArrays>(w);
         return Ready([&w, to, views = to->views()] { w.arrays().get_articulations(views); });
       }},
      {"arrays.set_articulations", [](World& w, std::uint32_t) {
         auto from = std::make_shared<ArmArrays>(w);
         return Ready([&w, from, views = from->views()] { w.arrays().set_articulations(views); });
       }},
      {"arrays.get_articulation_joints", [](World& w, std::uint32_t) {
         auto to = std::make_shared<ArmArrays>(w);
         return Ready([&w, to, views = to->joints()] { w.arrays().get_articulation_joints(views); });
       }},
      {"arrays.set_articulation_joints", [](World& w, std::uint32_t) {
         auto from = std::make_shared<ArmArrays>(w);
         return Ready([&w, from, views = from->joints()] { w.arrays().set_articulation_joints(views); });
       }},
      {"arrays.get_joints", [](World& w, std::uint32_t) {
         auto to = std::make_shared<Placed<double>>(std::vector<double>(6 * joint_count(w)), w.device());
         return Ready([&w, to, view = to->view(6)] { w.arrays().get_joints({.coordinate = view}); });
       }},
      {"arrays.set_joints", [](World& w, std::uint32_t i) {
         auto from = std::make_shared<Placed<double>>(std::vector<double>(6 * joint_count(w), 0.1), w.device());
         return Ready([&w, from, view = from->view(6), mask = placed_mask_of(w, i)] {
           w.arrays().set_joints({.drive_target = view}, mask->data());
         });
       }},
      {"arrays.get_materials", [](World& w, std::uint32_t) {
         auto to = std::make_shared<Placed<double>>(std::vector<double>(material_count(w)), w.device());
         return Ready([&w, to, view = to->view()] { w.arrays().get_materials({.friction = view}); });
       }},
      {"arrays.set_materials", [](World& w, std::uint32_t i) {
         auto from = std::make_shared<Placed<double>>(std::vector<double>(material_count(w), 0.3), w.device());
         return Ready([&w, from, view = from->view(), mask = placed_mask_of(w, i)] {
           w.arrays().set_materials({.friction = view, .restitution = view}, mask->data());
         });
       }},
      {"arrays.reset", [](World& w, std::uint32_t i) {
         return Ready([&w, mask = placed_mask_of(w, i)] { w.arrays().reset(mask->data()); });
       }},
      {"arrays.set_scales", [](World& w, std::uint32_t) {
         std::vector<double> scales;
         for (std::uint32_t k = 0; k < w.world_count(); ++k) scales.insert(scales.end(), {0.95, 1.5, 0.9, 1});
         auto by = std::make_shared<Placed<double>>(scales, w.device());
         return Ready([&w, by, view = by->view(4)] { w.arrays().set_scales({.world = view}); });
       }},
      {"state_hash", [](World& w, std::uint32_t) { return reads([&w] { return w.state_hash(); }); }},
      {"state_hashes", [](World& w, std::uint32_t) { return reads([&w] { return w.state_hashes(); }); }},
      {"set_timings", [](World& w, std::uint32_t i) { return Ready([&w, i] { w.set_timings(i % 2 == 0); }); }},
      {"memory_bytes", [](World& w, std::uint32_t) { return reads([&w] { return w.memory_bytes(); }); }},
  };
  return calls;
}

}  // namespace cairn::testing_support
