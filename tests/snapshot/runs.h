#pragma once
// Worlds with something of everything in them, edits, and what a World tells of itself step by step.

#include <functional>
#include <random>

#include "scenes/builtin.h"
#include "tests/support/builders.h"
#include "tests/support/variants.h"

namespace cairn::testing_support {

inline constexpr const char* kMixed[] = {"pile:count=40", "spinner", "tower:height=5", "rain:count=25", "wall:base=4"};

/// Scenes of several kinds and sizes, solved as the variant says; every other one bounces and resists rolling.
inline std::vector<Scene> mixed_scenes(const Variant& variant) {
  std::vector<Scene> all;
  for (const char* spec : kMixed) {
    const Scene from = scenes::make(spec, kSeed + all.size());
    Scene scene = with_materials(from, variant.lively && all.size() % 2 == 0);
    scene.name = spec;
    scene.set_params(variant.change(from.params()));
    scene.set_gravity({0.1f * static_cast<float>(all.size()), 0, -9.81f});
    all.push_back(std::move(scene));
  }
  return all;
}

inline constexpr int kBefore = 40, kAfter = 30;  ///< [1] steps before and after a snapshot

/// A snapshot or a recording as its file has it.
template <class T>
T through_bytes(const T& made) {
  return T::from_bytes(made.to_bytes(), "bytes");
}

/// What a step left: hashes of the state and of each stage, and the counts of the report.
struct Told {
  std::vector<std::uint64_t> worlds;
  std::array<std::uint64_t, kStageCount> stages;
  std::vector<std::uint64_t> counts;
  friend bool operator==(const Told&, const Told&) = default;
  friend void PrintTo(const Told& t, std::ostream* out) {
    *out << std::hex << "worlds " << testing::PrintToString(t.worlds) << ", stages " << testing::PrintToString(t.stages)
         << std::dec << ", counts " << testing::PrintToString(t.counts);
  }
};
inline Told told(const World& world) {
  const StepReport r = world.report();
  Told t{world.state_hashes(),
         r.stage_hash,
         {r.status, r.steps, r.bodies, r.shapes, r.pairs, r.manifolds, r.points, r.colors, r.recycled, r.asleep}};
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    const WorldReport own = world.report(w);
    t.counts.insert(t.counts.end(), {own.status, own.first_bad.index, own.first_bad.generation, own.steps, own.bodies});
  }
  return t;
}

inline std::vector<Told> steps_of(World& world, int steps) {
  std::vector<Told> all;
  for (int i = 0; i < steps; ++i) {
    world.step();
    all.push_back(told(world));
  }
  return all;
}

inline WorldOptions traced(int threads = 1) { return {.device = Device::cpu(threads), .trace = true}; }

/// One random edit of one of the world's worlds: the same one for the same numbers and the same state.
inline void edit(World& world, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  const auto number = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() % 4096) / 4096.0f;
  };
  const std::uint32_t in = pick(world.world_count());
  const std::vector<BodyHandle> all = world.bodies(in);
  const BodyHandle body = all[pick(all.size())];
  const bool dynamic = world.description(body).type == BodyType::kDynamic;
  const Vec3 push{number(-50, 50), number(-50, 50), number(0, 50)};
  const std::function<void()> edits[] = {
      [&] {
        if (dynamic && all.size() > 3) world.remove_body(body);
      },
      [&] {
        Body made = box("new" + std::to_string(random()), {number(-2, 2), number(-2, 2), number(1, 6)});
        made.shapes.push_back(shape(Sphere{0.4f}, {0.6f, 0.1f, 0}));
        made.shapes[0].material = pick(world.materials(in).size());
        world.add_body(made, in);
      },
      [&] { world.add_material({.name = "m" + std::to_string(random()), .density = 500, .friction = 0.3f}, in); },
      [&] {
        Material changed = world.materials(in)[0];
        changed.density = number(500, 2000);
        changed.friction = number(0.1f, 0.8f);
        world.set_material(0, changed, in);
      },
      [&] {
        world.set_gravity({0, number(-1, 1), -9}, in);
      },
      [&] { world.add_force(body, push); },
      [&] { world.add_torque(body, push); },
      [&] { world.add_force(body, push, world.state(body).position); },
      [&] {
        if (dynamic) world.set_velocity(body, {number(-1, 1), 0, number(0, 2)}, {number(-1, 1), 0, 1});
      },
      [&] {
        if (dynamic) world.set_pose(body, {number(-3, 3), number(-3, 3), number(2, 8)}, {0.1f, 0, 0, 1});
      },
      [&] {
        if (dynamic) world.set_mass(body, number(100, 900));
      },
      [&] { world.set_material(body, pick(world.materials(in).size())); },
      [&] {
        if (dynamic) world.set_type(body, BodyType::kKinematic);
      },
      [&] {
        StepParams own = world.params(in);
        own.restitution_threshold = number(0.2f, 2);
        own.friction_mix = pick(2) == 0 ? MixRule::kMin : MixRule::kGeometricMean;
        world.set_params(own, in);
      },
      [&] { world.scales().set_seed(random(), in); },
      [&] {
        world.scales().set({number(0.8f, 1.2f), number(0.5f, 2), number(0.5f, 2), number(0, 1)}, in);
      },
      [&] {
        if (dynamic) world.scales().set(BodyScales{number(0.8f, 1.2f), number(0.5f, 2)}, body);
      },
      [&] {
        std::vector<std::uint8_t> chosen(world.world_count(), 0);
        chosen[in] = chosen[pick(chosen.size())] = 1;
        world.scales().randomise(chosen, {.size = {0.9f, 1.1f}, .body_mass = {0.5f, 2}, .position = {0.01f, 0.01f, 0}});
      },
      [&] {
        world.set_origin({number(-9, 9), 0, 1}, in);
      },
      [&] { world.reset(in); },
  };
  edits[pick(std::size(edits))]();
}

}  // namespace cairn::testing_support
