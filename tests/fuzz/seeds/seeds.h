#pragma once
// What the fuzzers of binary files start from, made by the code that they are built with: a file in git would be of an
// older format as soon as the format changes, and be refused at its first byte.

#include <string>
#include <utility>
#include <vector>

#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "src/recording/log.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/starts.h"

namespace cairn::fuzz {

struct Seed {
  std::string name;
  std::string bytes;
};

/// Inputs of fuzz_snapshot.
inline std::vector<Seed> snapshot_seeds() {
  std::vector<Seed> seeds;
  for (std::uint8_t which = 0; which < kStarts; ++which) {
    World world(start(which).snapshot, {.device = Device::cpu(1), .contact_events = true});
    const std::string number = std::to_string(which);
    seeds.push_back({"start" + number + ".sections", sections_of_snapshot(world.snapshot())});
    seeds.push_back({"start" + number + ".file", "F" + world.snapshot().to_bytes()});
    // what a world may have beside: scales, materials, pairs that ignore each other, slots that are free, touches
    world.add_material({.name = "other", .density = 500});
    const bool robots = !world.articulations().list(0).empty() || !world.particles().list(0).empty();
    world.scales().set(robots ? Scales{.friction = 0.5f} : Scales{.size = 1.25f, .mass = 2}, 0);
    if (world.body_count(0) > 2) {
      world.ignore(world.bodies(0)[0], world.bodies(0)[1]);
      if (!robots) world.remove_body(world.bodies(0).back());
    }
    world.step();
    seeds.push_back({"edited" + number + ".sections", sections_of_snapshot(world.snapshot())});
  }
  return seeds;
}

/// A hull, to be added.
inline Body added_body(Vec3d at) {
  const std::vector<Vec3> points{{-0.5f, -0.5f, 0}, {0.5f, -0.5f, 0}, {0, 0.5f, 0}, {0, 0, 0.5f}, {0, 0, -0.5f}};
  return {.name = "added", .position = at, .shapes = {{.geometry = ConvexHull(points)}}, .density = 1000.0f};
}

/// Calls of each kind, a topic a seed.
inline void make_calls(std::size_t topic, World& world) {
  const std::vector<BodyHandle> bodies = world.bodies(0);
  const BodyHandle first = bodies.front(), last = bodies.back();
  std::vector<BodyState> states(world.body_count(0));
  const std::vector<std::uint8_t> mask(world.world_count(), 1);
  switch (topic) {
    case 0:
      world.step(0.01f);
      break;
    case 1:
      world.add_body(added_body({0, 0, 4}), 0);
      world.remove_body(last);
      world.step();
      world.set_type(world.bodies(0).back(), BodyType::kKinematic);
      world.set_enabled(world.bodies(0).back(), false);
      break;
    case 2:
      world.add_material({.name = "other", .density = 700, .friction = 0.25f}, 0);
      world.set_material(last, 1);
      world.set_material(1, {.name = "third", .density = 900, .restitution = 0.5f}, 0);
      break;
    case 3: {
      StepParams params = world.params(0);
      params.substeps = 3;
      world.set_params(params);
      world.set_gravity({0, 1, -9}, 0);
      world.set_limits(WorldLimits{}, 0);
      break;
    }
    case 4:
      world.read_states(0, states);
      for (BodyState& state : states) state.position.z += 0.125;
      world.write_states(0, states);
      world.set_velocity(last, {0, 0, 1}, {0.5f, 0, 0});
      world.wake(last);
      break;
    case 5:
      world.add_force(last, {0, 50, 0});
      world.add_force(last, {0, 0, 50}, {0, 0, 1});
      world.add_torque(last, {0, 0, 5});
      world.set_mass(last, 300);
      break;
    case 6:
      world.scales().set_seed(7, 0);
      world.scales().set({.size = 1.5f, .mass = 2}, 0);
      world.scales().set({.size = 0.75f}, last);
      world.scales().randomise(mask, {.size = {0.5f, 2}, .position = {0.125f, 0.125f, 0}});
      world.set_origin({1, 2, 3}, 0);
      break;
    case 7:
      world.ignore(first, last);
      world.set_filter(last, {.category = 2, .mask = 5, .group = -1});
      world.clear_status();
      break;
    case 8:
      world.reset(mask);
      break;
    case 9:
      world.restore(world.snapshot(), 0, mask);
      world.restore(world.snapshot());
      break;
    case 10: {
      Joint joint{.name = "added", .body_a = world.index_of(last)};
      joint.frame_b.position = {0, 0, 2};
      joint.kind = HingeJoint{.turn = {.mode = JointAxis::Mode::kLimited, .lower = -1, .upper = 1}};
      const JointHandle held = world.add_joint(joint, 0);
      world.step();
      world.set_drive(held, {.stiffness = 10, .damping = 1, .target = 0.5f, .max_force = 100});
      world.step();
      world.remove_joint(world.joints(0).front());
      break;
    }
    case 11:
      world.set_fields({{.law = fields::LinearDrag{.coefficient = 2}, .bodies = {}},
                        {.law = fields::Wind{.velocity = {1, 0, 0}, .linear = 3}, .bodies = {}}},
                       0);
      world.step();
      world.set_fields({}, 0);
      break;
    default:
      for (const ArticulationHandle robot : world.articulations().list(0)) {
        const ArticulationState there = world.state(robot);
        world.set_state(robot, there);
        world.articulations().set_forces(robot, std::vector<double>(there.v.size(), 0.5));
        world.articulations().set_targets(robot, there);
      }
      break;
  }
  world.step();
}
inline constexpr std::size_t kTopics = 12, kArticulated = 12;

/// What was recorded of a world from its start, and what calls are in it as an input of fuzz_recording takes them.
struct Recorded {
  Recording made;
  std::string calls;
};
inline Recorded record(std::uint8_t which, std::size_t topic) {
  World world(start(which).snapshot, {.device = Device::cpu(1)});
  world.start_recording();
  make_calls(topic, world);
  Recording made = world.stop_recording();
  file::Writer writer;
  for (recording::Command command : recording::Log::of(made).commands) {
    // an input names its snapshots by number
    std::visit(
        [&](auto& c) {
          using C = std::remove_cvref_t<decltype(c)>;
          if constexpr (std::same_as<C, recording::Call<recording::kRestore>> ||
                        std::same_as<C, recording::Call<recording::kRestoreAll>>)
            std::get<0>(c.arguments).bytes = std::string(1, static_cast<char>(which));
        },
        command);
    writer(command);
  }
  return {std::move(made), writer.take()};
}

/// Inputs of fuzz_recording.
inline std::vector<Seed> recording_seeds() {
  std::vector<Seed> seeds;
  const auto add = [&](std::size_t topic, std::uint8_t which, const std::string& start) {
    seeds.push_back({"topic" + std::to_string(topic) + "." + start,
                     std::string(1, static_cast<char>(which)) + record(which, topic).calls});
  };
  for (std::size_t topic = 0; topic < kTopics; ++topic) {
    for (const std::uint8_t which : {std::uint8_t{0}, kSolids}) add(topic, which, "start" + std::to_string(which));
  }
  for (const std::size_t topic : {std::size_t{0}, kTopics - 1, kArticulated}) add(topic, kRobots, "robots");
  // joints, constraints of particles, fluids
  for (const std::uint8_t which : {std::uint8_t{6}, std::uint8_t{7}, std::uint8_t{8}, std::uint8_t{9}}) {
    for (const std::size_t topic : {std::size_t{0}, std::size_t{8}, std::size_t{9}, std::size_t{11}})
      add(topic, which, "start" + std::to_string(which));
  }
  const std::string file = record(kSolids, 1).made.to_bytes();
  seeds.push_back({"whole.file", "F" + file});
  const std::vector<std::string> sections =
      file::unpack(recording::kKind, recording::kSections, file::input_of(file), "seed", SnapshotLimits{}.bytes);
  seeds.push_back({"whole.log", std::string("L") + static_cast<char>(kSolids) + sections[1]});
  return seeds;
}

}  // namespace cairn::fuzz
