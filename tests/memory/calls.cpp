#include "tests/memory/calls.h"

#include <memory>
#include <string>
#include <tuple>

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
JointHandle joint_in(const World& w, std::uint32_t i) { return pick(w.joints(world_in(w, i)), i / 2); }
ArticulationHandle arm_in(const World& w, std::uint32_t i) { return pick(w.articulations().list(world_in(w, i)), i); }
ParticlesHandle set_in(const World& w, std::uint32_t i) { return pick(w.particles().list(world_in(w, i)), i / 2); }

std::uint32_t number(const World&, std::uint32_t i) { return i; }
template <auto kThingIn>
std::string name_in(const World& w, std::uint32_t i) {
  return w.description(kThingIn(w, i)).name;
}

/// What reads gives what it gave when there was memory: the caller looks at the World alone.
template <class F>
Ready reads(F f) {
  return [f] { (void)f(); };
}
/// Such a call of f with what is chosen for a world.
template <class F, class... Choose>
auto call(F f, Choose... choose) {
  return [=](World& w, [[maybe_unused]] std::uint32_t i) {
    return reads([&w, f, chosen = std::make_tuple(choose(w, i)...)] {
      return std::apply([&](const auto&... each) { return f(w, each...); }, chosen);
    });
  };
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

/// Arrays for all of a World.
template <class Arrays>
std::shared_ptr<Arrays> arrays_of(const World& w, std::uint32_t) {
  return std::make_shared<Arrays>(w);
}
std::shared_ptr<Placed<double>> drives_of(const World& w, std::uint32_t) {
  std::vector<double> targets;
  for (std::uint32_t k = 0; k < w.world_count(); ++k) targets.resize(targets.size() + 6 * w.joints(k).size(), 0.1);
  return std::make_shared<Placed<double>>(targets, w.device());
}
std::shared_ptr<Placed<double>> frictions_of(const World& w, std::uint32_t) {
  std::vector<double> frictions;
  for (std::uint32_t k = 0; k < w.world_count(); ++k) frictions.resize(frictions.size() + w.materials(k).size(), 0.3);
  return std::make_shared<Placed<double>>(frictions, w.device());
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
      {"step", call([](World& w) { w.step(); })},
      {"step", call([](World& w) { w.step(1.0f / 100); })},
      {"reset", call([](World& w) { w.reset(); })},
      {"reset", call([](World& w, auto at) { w.reset(at); }, world_in)},
      {"reset", call([](World& w, const auto& mask) { w.reset(*mask); }, mask_of)},
      {"snapshot", call([](World& w) { return w.snapshot(); })},
      {"snapshot", call([](World& w, auto at) { return w.snapshot(at); }, world_in)},
      {"restore", call([](World& w, const auto& to) { w.restore(to); }, other_state)},
      {"restore", call([](World& w, const auto& to, auto at) { w.restore(to, at, at); }, other_state, world_in)},
      {"restore", call([](World& w, const auto& to, const auto& mask) { w.restore(to, 0, *mask); },
                       other_state, mask_of)},
      {"start_recording", call([](World& w) { w.start_recording(); })},
      {"stop_recording", call([](World& w) { return w.stop_recording(); })},
      {"params", call([](World& w, auto at) { return &w.params(at); }, world_in)},
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
      {"gravity", call([](World& w, auto at) { return w.gravity(at); }, world_in)},
      {"set_gravity", call([](World& w, auto at, auto i) {
                             w.set_gravity({0.1f * static_cast<float>(i % 7), 0, -9}, at);
                           }, world_in, number)},
      {"limits", call([](World& w, auto at) { return &w.limits(at); }, world_in)},
      {"set_limits", call([](World& w) { w.set_limits({.speed = 300}); })},
      {"set_limits", call([](World& w, auto at) { w.set_limits({.speed = 200}, at); }, world_in)},
      {"fields", call([](World& w, auto at) { return &w.fields(at); }, world_in)},
      {"set_fields", [](World& w, std::uint32_t i) {
         std::vector<SceneField> fields;
         const std::uint32_t a = w.index_of(body_in(w, 2)), b = w.index_of(body_in(w, 4));
         if (i % 3 != 0) fields.push_back({fields::Wind{.velocity = {3, 0, 0}, .linear = 2}, {}});
         if (i % 3 != 1 && a != b) fields.push_back({fields::Springs{{{a, b, 10, 0, 1}}}, {}});
         if (i % 3 != 2) fields.push_back({fields::PairGravity{.constant = 1e-4, .softening = 0.1}, {{b}}});
         return Ready([&w, fields] { w.set_fields(fields, 0); });
       }},
      {"device", call([](World& w) { return &w.device(); })},
      {"world_count", call([](World& w) { return w.world_count(); })},
      {"world_of", call([](World& w, auto b) { return w.world_of(b); }, body_in)},
      {"bodies", call([](World& w) { return w.bodies(); })},
      {"bodies", call([](World& w, auto at) { return w.bodies(at); }, world_in)},
      {"body_at", call([](World& w, auto i) { return w.body_at(i, 0); }, number)},
      {"body_count", call([](World& w) { return w.body_count(); })},
      {"body_count", call([](World& w, auto at) { return w.body_count(at); }, world_in)},
      {"find_body", call([](World& w, const auto& name, auto at) { return w.find_body(name, at); },
                         name_in<body_in>, world_in)},
      {"find_joint", call([](World& w, const auto& name, auto at) { return w.find_joint(name, at); },
                          name_in<joint_in>, world_in)},
      {"articulations.find", call([](World& w, const auto& name, auto at) { return w.articulations().find(name, at); },
                                  name_in<arm_in>, world_in)},
      {"particles.find", call([](World& w, const auto& name, auto at) { return w.particles().find(name, at); },
                              name_in<set_in>, world_in)},
      {"alive", call([](World& w, auto b) { return w.alive(b); }, body_in)},
      {"description", call([](World& w, auto b) { return &w.description(b); }, body_in)},
      {"add_body", call([](World& w, const auto& b, auto at) { return w.add_body(b, at); }, new_body, world_in)},
      {"remove_body", call([](World& w, auto b) { w.remove_body(b); }, body_in)},
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
      {"remove_joint", call([](World& w, auto j) { w.remove_joint(j); }, joint_in)},
      {"joints", call([](World& w, auto at) { return w.joints(at); }, world_in)},
      {"alive", call([](World& w, auto j) { return w.alive(j); }, joint_in)},
      {"index_of", call([](World& w, auto j) { return w.index_of(j); }, joint_in)},
      {"index_of", call([](World& w, auto b) { return w.index_of(b); }, body_in)},
      {"description", call([](World& w, auto j) { return &w.description(j); }, joint_in)},
      {"state", call([](World& w, auto j) { return w.state(j); }, joint_in)},
      {"anchors", call([](World& w, auto j) { return w.anchors(j); }, joint_in)},
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
      {"drive", call([](World& w, auto j) { return w.drive(j, JointDof::kTwist); }, joint_in)},
      {"articulations.list", call([](World& w, auto at) { return w.articulations().list(at); }, world_in)},
      {"description", call([](World& w, auto a) { return &w.description(a); }, arm_in)},
      {"bodies", call([](World& w, auto a) { return w.bodies(a)[0]; }, arm_in)},
      {"state", call([](World& w, auto a) { return w.state(a); }, arm_in)},
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
      {"articulations.joint", call([](World& w, auto a) { return w.articulations().joint(a, 0); }, arm_in)},
      {"articulations.set_joint", [](World& w, std::uint32_t i) {
         ArticulationJoint joint = w.articulations().joint(arm_in(w, i), 0);
         joint.damping = 0.5 + i % 3;
         return Ready([&w, a = arm_in(w, i), joint] { w.articulations().set_joint(a, 0, joint); });
       }},
      {"alive", call([](World& w, auto a) { return w.alive(a); }, arm_in)},
      {"articulations.add", [](World& w, std::uint32_t i) {
         Articulation arm = w.description(arm_in(w, i));
         arm.name = "spare " + std::to_string(i);
         return reads([&w, arm, at = world_in(w, i)] { return w.articulations().add(arm, {}, at); });
       }},
      {"articulations.remove", call([](World& w, auto a) { w.articulations().remove(a); }, arm_in)},
      {"alive", call([](World& w, auto s) { return w.alive(s); }, set_in)},
      {"particles.add", [](World& w, std::uint32_t i) {
         ParticleSet set = w.description(set_in(w, i));
         set.name = "spare " + std::to_string(i);
         for (Attachment& a : set.attachments) a.body = w.index_of(body_in(w, i));
         return reads([&w, set, at = world_in(w, i)] { return w.particles().add(set, at); });
       }},
      {"particles.remove", call([](World& w, auto s) { w.particles().remove(s); }, set_in)},
      {"particles.list", call([](World& w, auto at) { return w.particles().list(at); }, world_in)},
      {"description", call([](World& w, auto s) { return &w.description(s); }, set_in)},
      {"bodies", call([](World& w, auto s) { return w.bodies(s); }, set_in)},
      {"particles.constraint_forces", call([](World& w, auto s) { return w.particles().constraint_forces(s); },
                                           set_in)},
      {"particles.constraint_residuals", call([](World& w, auto s) { return w.particles().constraint_residuals(s); },
                                              set_in)},
      {"particles.constraint_residual", call([](World& w) { return w.particles().constraint_residual(); })},
      {"particles.constraint_residual", call([](World& w, auto at) { return w.particles().constraint_residual(at); },
                                             world_in)},
      {"particles.broken_constraints", call([](World& w, auto s) { return w.particles().broken_constraints(s); },
                                            set_in)},
      {"particles.pressures", call([](World& w, auto s) { return w.particles().pressures(s); }, set_in)},
      {"particles.densities", call([](World& w, auto s) { return w.particles().densities(s); }, set_in)},
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
      {"materials", call([](World& w, auto at) { return &w.materials(at); }, world_in)},
      {"scales.seed", call([](World& w, auto at) { return w.scales().seed(at); }, world_in)},
      {"scales.set_seed", call([](World& w, auto at, auto i) { w.scales().set_seed(i, at); }, world_in, number)},
      {"scales.get", call([](World& w, auto at) { return w.scales().get(at); }, world_in)},
      {"scales.get", call([](World& w, auto b) { return w.scales().get(b); }, body_in)},
      {"scales.set", [](World& w, std::uint32_t i) {
         const Scales by{.size = i % 2 == 0 ? 1.0f : 0.9f, .mass = i % 3 == 0 ? 1.0f : 2.0f, .friction = 0.5f};
         return Ready([&w, by, at = world_in(w, i)] { w.scales().set(by, at); });
       }},
      {"scales.set", call([](World& w, auto b) { w.scales().set(BodyScales{.mass = 1.5f}, b); }, body_in)},
      {"scales.description", call([](World& w, auto b) { return w.scales().description(b); }, body_in)},
      {"scales.randomise", [](World& w, std::uint32_t i) {
         Randomisation ranges{.friction = {0.5f, 1}, .position = {0, 0, 0.01f}};
         if (i % 2 == 0) ranges.body_mass = {1, 2};
         return Ready([&w, mask = mask_of(w, i), ranges] { w.scales().randomise(*mask, ranges); });
       }},
      {"origin", call([](World& w, auto at) { return w.origin(at); }, world_in)},
      {"set_origin", call([](World& w, auto at, auto i) { w.set_origin({1.0 * i, 2, 3}, at); }, world_in, number)},
      {"state", call([](World& w, auto b) { return w.state(b); }, body_in)},
      {"set_state", [](World& w, std::uint32_t i) {
         BodyState s = w.state(body_in(w, i));
         s.position.z += 1;
         s.linear_velocity = w.description(body_in(w, i)).type == BodyType::kDynamic ? Vec3{0.5f, 0, 0} : Vec3{};
         return Ready([&w, b = body_in(w, i), s] { w.set_state(b, s); });
       }},
      {"set_pose", call([](World& w, auto b, auto i) { w.set_pose(b, {2, 2.0 + i % 5, 3}, {}); }, body_in, number)},
      {"set_velocity", call([](World& w, auto b) { w.set_velocity(b, {0, 0, 1}, {1, 0, 0}); }, body_in)},
      {"move_to", call([](World& w, auto b) { w.move_to(b, {0, 0, 5}, {}, 0.1f); }, body_in)},
      {"mass_properties", call([](World& w, auto b) { return w.mass_properties(b); }, body_in)},
      {"set_mass", call([](World& w, auto b, auto i) { w.set_mass(b, 5.0f + static_cast<float>(i % 5)); },
                        body_in, number)},
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
      {"wake", call([](World& w, auto b) { w.wake(b); }, body_in)},
      {"asleep", call([](World& w, auto b) { return w.asleep(b); }, body_in)},
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
      {"add_force", call([](World& w, auto b) { w.add_force(b, {30, 0, 0}); }, body_in)},
      {"add_force", call([](World& w, auto b) { w.add_force(b, {30, 0, 0}, {0, 0, 3}); }, body_in)},
      {"add_torque", call([](World& w, auto b) { w.add_torque(b, {0, 3, 0}); }, body_in)},
      {"add_impulse", call([](World& w, auto b) { w.add_impulse(b, {0.1f, 0, 0}); }, body_in)},
      {"add_impulse", call([](World& w, auto b) { w.add_impulse(b, {0, 0.1f, 0}, {0, 0, 1}); }, body_in)},
      {"add_angular_impulse", call([](World& w, auto b) { w.add_angular_impulse(b, {0, 0, 0.01f}); }, body_in)},
      {"report", call([](World& w) { return w.report(); })},
      {"report", call([](World& w, auto at) { return w.report(at); }, world_in)},
      {"reports", call([](World& w) { return w.reports(); })},
      {"clear_status", call([](World& w) { w.clear_status(); })},
      {"contacts", call([](World& w) { return w.contacts(); })},
      {"contact_events", call([](World& w) { return w.contact_events(); })},
      {"contact_events", call([](World& w, auto at) { return w.contact_events(at); }, world_in)},
      {"residual", call([](World& w) { return w.residual(); })},
      {"residual", call([](World& w, auto at) { return w.residual(at); }, world_in)},
      {"residuals", call([](World& w) { return w.residuals(); })},
      {"queries.cast_rays", call([](World& w, const auto& q) { return w.queries().cast_rays(q); }, rays)},
      {"queries.cast_rays_all", call([](World& w, const auto& q) { return w.queries().cast_rays_all(q); }, rays)},
      {"queries.cast_shapes", call([](World& w, const auto& q) { return w.queries().cast_shapes(q); }, shapes)},
      {"queries.cast_shapes_all", call([](World& w, const auto& q) { return w.queries().cast_shapes_all(q); }, shapes)},
      {"queries.overlaps", call([](World& w, const auto& q) { return w.queries().overlaps(q); }, shapes)},
      {"queries.closest", call([](World& w, const auto& q) { return w.queries().closest(q); }, shapes)},
      {"queries.closest_all", call([](World& w, const auto& q) { return w.queries().closest_all(q); }, shapes)},
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
      {"queries.set_brute", call([](World& w, auto i) { w.queries().set_brute(i % 2 == 0); }, number)},
      {"wait", call([](World& w) { w.wait(); })},
      {"arrays.list", call([](World& w) { return w.arrays().list(); })},
      {"arrays.get", call([](World& w) { return w.arrays().get("gravity"); })},
      {"arrays.keep", call([](World& w) { return w.arrays().keep(); })},
      {"arrays.stream", call([](World& w) { return w.arrays().stream(); })},
      {"arrays.wait_stream", call([](World& w) { w.arrays().wait_stream(stream_of(w)); })},
      {"arrays.stream_waits", call([](World& w) { w.arrays().stream_waits(stream_of(w)); })},
      {"arrays.written", call([](World& w, const auto& mask, auto i) {
                                w.arrays().written(i % 2 == 0 ? Written::kPoses : Written::kLoads,
                                                   i % 3 == 0 ? nullptr : mask->data());
                              }, placed_mask_of, number)},
      {"arrays.get_states", call([](World& w, const auto& to, const auto& mask) {
                                   w.arrays().get_states(to->views(), mask->data());
                                 }, arrays_of<StatesOfAll>, placed_mask_of)},
      {"arrays.set_states", call([](World& w, const auto& from, const auto& mask) {
                                   w.arrays().set_states(from->views(), mask->data());
                                 }, arrays_of<StatesOfAll>, placed_mask_of)},
      {"arrays.move_to", call([](World& w, const auto& to, const auto& mask) {
                                w.arrays().move_to({.position = to->x.view(3), .orientation = to->q.view(4)}, 0.01f,
                                                   mask->data());
                              }, arrays_of<StatesOfAll>, placed_mask_of)},
      {"arrays.articulation_rows", call([](World& w) { return w.arrays().articulation_rows(); })},
      {"arrays.get_articulations", call([](World& w, const auto& to) { w.arrays().get_articulations(to->views()); },
                                        arrays_of<ArmArrays>)},
      {"arrays.set_articulations", call([](World& w, const auto& to) { w.arrays().set_articulations(to->views()); },
                                        arrays_of<ArmArrays>)},
      {"arrays.get_articulation_joints", call([](World& w, const auto& to) {
                                                w.arrays().get_articulation_joints(to->joints());
                                              }, arrays_of<ArmArrays>)},
      {"arrays.set_articulation_joints", call([](World& w, const auto& to) {
                                                w.arrays().set_articulation_joints(to->joints());
                                              }, arrays_of<ArmArrays>)},
      {"arrays.get_joints", call([](World& w, const auto& to) { w.arrays().get_joints({.coordinate = to->view(6)}); },
                                 drives_of)},
      {"arrays.set_joints", call([](World& w, const auto& to, const auto& mask) {
                                   w.arrays().set_joints({.drive_target = to->view(6)}, mask->data());
                                 }, drives_of, placed_mask_of)},
      {"arrays.get_materials", call([](World& w, const auto& to) {
                                      w.arrays().get_materials({.friction = to->view()});
                                    }, frictions_of)},
      {"arrays.set_materials", call([](World& w, const auto& to, const auto& mask) {
                                      w.arrays().set_materials({.friction = to->view(), .restitution = to->view()},
                                                               mask->data());
                                    }, frictions_of, placed_mask_of)},
      {"arrays.reset", call([](World& w, const auto& mask) { w.arrays().reset(mask->data()); }, placed_mask_of)},
      {"arrays.set_scales", [](World& w, std::uint32_t) {
         std::vector<double> scales;
         for (std::uint32_t k = 0; k < w.world_count(); ++k) scales.insert(scales.end(), {0.95, 1.5, 0.9, 1});
         auto by = std::make_shared<Placed<double>>(scales, w.device());
         return Ready([&w, by, view = by->view(4)] { w.arrays().set_scales({.world = view}); });
       }},
      {"state_hash", call([](World& w) { return w.state_hash(); })},
      {"state_hashes", call([](World& w) { return w.state_hashes(); })},
      {"set_timings", call([](World& w, auto i) { w.set_timings(i % 2 == 0); }, number)},
      {"memory_bytes", call([](World& w) { return w.memory_bytes(); })},
  };
  return calls;
}

}  // namespace cairn::testing_support
