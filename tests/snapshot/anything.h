#pragma once
// Random worlds with something of every feature, and edits of every kind: what snapshots are tried with.

#include <memory>
#include <random>

#include "tests/snapshot/runs.h"

namespace cairn::testing_support {

inline constexpr const char* kAnything[] = {
    "tower:height=3",
    "pile:count=5",
    "rain:count=6",
    "spinner",
    "hulls:count=3,vertices=8",
    "shapes",
    "ragdolls:count=1",
    "chain:links=4",
    "four_bar",
    "gear_train",
    "wheel_drop",
    "quadrupeds:count=1",
    "rope:segments=4",
    "flag:rows=4",
    "cloth:side=4,boxes=1,breaking_force=3",
    "jelly:count=1,cells=1",
    "jelly:count=1,cells=2,cluster=1",
    "dam_break:side=3,boxes=1",
    "grains:count=12",
};

/// One to three of these, all solved by the same solver; null where that can't solve them.
inline std::unique_ptr<World> anything(std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<Scene> scenes;
  for (std::size_t i = 1 + pick(3); i != 0; --i) {
    scenes.push_back(scenes::make(kAnything[pick(std::size(kAnything))], 1));
  }
  StepParams params = scenes[0].params();
  if (pick(2) == 0) params.solver = static_cast<SolverKind>(pick(5));
  params.substeps = 1 + static_cast<int>(pick(3));
  if (pick(2) == 0) params = sleepy(params);
  WorldOptions options = cpu(1 + static_cast<int>(pick(2)));
  options.contact_events = pick(2) == 0;
  try {
    for (Scene& scene : scenes) scene.set_params(params);
    auto world = std::make_unique<World>(scenes, options);
    world->step();
    return world;
  } catch (const InvalidArgument&) {
    return nullptr;
  }
}

/// A step, unless the solver can't do what the world has by now.
inline void try_step(World& world) {
  try {
    world.step();
  } catch (const InvalidArgument&) {
  }
}

/// One random edit. Most of what a world refuses is tried too, and must leave it as it was.
inline void edit_anything(World& world, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  const std::uint32_t in = pick(world.world_count());
  const std::vector<BodyHandle> bodies = world.bodies(in);
  const std::vector<JointHandle> joints = world.joints(in);
  if (bodies.empty()) return;
  const BodyHandle body = bodies[pick(bodies.size())], other = bodies[pick(bodies.size())];
  const std::function<void()> edits[] = {
      [&] {
        Joint joint{.name = "joint" + std::to_string(random()), .body_a = world.index_of(body), .body_b = kWorldBody};
        if (pick(2) == 0 && !(other == body)) joint.body_b = world.index_of(other);
        joint.frame_b.position = {0, 0, 1};
        if (pick(2) == 0) joint.kind = HingeJoint{};
        world.add_joint(joint, in);
      },
      [&] {
        if (!joints.empty()) world.remove_joint(joints[pick(joints.size())]);
      },
      [&] { world.remove_body(body); },
      [&] { world.ignore(body, other, pick(3) != 0); },
      [&] { world.set_filter(body, {.category = 1u << pick(3), .mask = 1u + pick(7)}); },
      // beyond its limits: frozen by the next step
      [&] {
        world.set_velocity(body, {2e5f, 0, 0}, {});
      },
      [&] { world.set_limits({.speed = 0.01f}, in); },
      [&] {
        world.set_limits(WorldLimits{});
        world.clear_status();
      },
      [&] { world.set_fields({{.law = fields::LinearDrag{.coefficient = 0.5f}, .bodies = {}}}, in); },
      [&] { world.set_fields({}, in); },
      [&] { world.wake(body); },
      [&] { world.restore(world.snapshot(in), 0, pick(world.world_count())); },
      [&] { world.restore(world.snapshot()); },
      [&] { world.set_type(body, static_cast<BodyType>(pick(3))); },
      [&] {
        Body made = box("beside" + std::to_string(random()), world.state(body).position);
        made.position.x += 0.9;
        made.type = static_cast<BodyType>(pick(3));
        world.add_body(made, in);
      },
      [&] { world.set_enabled(body, pick(2) == 0); },
  };
  const std::uint32_t kind = pick(20);
  try {
    if (kind < std::size(edits)) {
      edits[kind]();
      return;
    }
    for (std::uint32_t w = 0; w < world.world_count(); ++w) {
      if (world.body_count(w) == 0) return;
    }
    edit(world, random);
  } catch (const InvalidArgument&) {
  }
}

}  // namespace cairn::testing_support
