// The memory of worlds, computed before any is allocated.

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "cairn/world.h"
#include "src/articulations/articulation_store.h"
#include "src/exec/out_of_memory.h"
#include "src/fields/field_store.h"
#include "src/fluids/fluid_store.h"
#include "src/joints/compile_joint.h"
#include "src/joints/joint_store.h"
#include "src/particles/constraint_store.h"
#include "src/shape/shape_parts.h"
#include "src/world/arrays.h"
#include "src/world/masses.h"

namespace cairn {
namespace {

/// Memory that doesn't exist: addresses that nobody reads or writes, each given once.
class NoMemory final : public exec::Memory {
 public:
  void* allocate(std::size_t bytes) override {
    void* const data = reinterpret_cast<void*>(next_);
    next_ += (bytes / kAlignment + 1) * kAlignment;
    return data;
  }
  void release(void*) noexcept override {}
  void upload(void*, const void*, std::size_t) override {}
  void post(void*, const void*, std::size_t) override {}
  void download(void*, const void*, std::size_t) override {}
  void copy(void*, const void*, std::size_t) override {}
  void zero(void*, std::size_t) override {}
  std::shared_ptr<const void> keep() override { return nullptr; }

 private:
  static constexpr std::uintptr_t kAlignment = 256;
  std::uintptr_t next_{kAlignment};
};

/// Joints of so many copies of a scene, in the order of JointFeature.
JointOrder order_of(const Scene& scene, const ArticulationStore& articulations,
                    const std::vector<std::uint32_t>& part_of_world, std::uint32_t parts) {
  std::vector<JointEdge> edges;
  std::uint32_t bodies = 0;
  for (const std::uint32_t part : part_of_world) {
    const auto pushed = [&](std::uint32_t body) {
      const bool moves = body != kWorldBody && scene.bodies()[body].type == BodyType::kDynamic;
      return moves ? articulations.owner_of(bodies + body) : kernels::kNone;
    };
    const auto link = [&](std::uint32_t body) {
      return body != kWorldBody && articulations.is_link(bodies + body) ? bodies + body : kernels::kNone;
    };
    for (const Joint& joint : scene.joints()) {
      const auto joint_at = [&](std::uint32_t i) -> const Joint& { return scene.joints()[i]; };
      if (is_off(joint, joint_at, [&](std::uint32_t i) { return scene.bodies()[i].enabled; })) continue;
      const auto [a, b] = acted_on(joint, joint_at);
      edges.push_back({static_cast<std::uint32_t>(edges.size()), part, pushed(a), pushed(b), rows_of(model_of(joint)),
                       link(a), link(b)});
    }
    bodies += static_cast<std::uint32_t>(scene.bodies().size());
  }
  return order_joints(edges, parts);
}

void take_in(ArticulationStore& articulations, const std::vector<const Scene*>& scenes) {
  if (scenes[0]->articulations().empty()) return;
  std::vector<std::vector<std::uint32_t>> slots_of;
  std::uint32_t slots = 0;
  for (const Scene* scene : scenes) {
    std::vector<std::uint32_t>& of = slots_of.emplace_back();
    for (std::size_t i = 0; i < scene->bodies().size(); ++i) of.push_back(slots++);
  }
  std::vector<const std::vector<std::uint32_t>*> of_worlds;
  for (const auto& of : slots_of) of_worlds.push_back(&of);
  articulations.become(ArticulationTables(articulation_slots(scenes, of_worlds)), std::vector<BodySlot>(slots));
}

/// The bodies of so many copies of a scene, with the members that stores need for counting.
std::vector<BodySlot> slots_for(const Scene& scene, std::uint32_t worlds) {
  std::vector<BodySlot> bodies;
  for (std::uint32_t w = 0; w < worlds; ++w) {
    for (const Body& body : scene.bodies()) {
      BodySlot& slot = bodies.emplace_back();
      slot.world = w;
      slot.alive = true;
      slot.body.type = body.type;
      slot.body.enabled = body.enabled;
    }
  }
  return bodies;
}

/// The sets of so many copies of a scene.
std::vector<ParticlesSlot> sets_of(const Scene& scene, std::uint32_t worlds) {
  std::vector<ParticlesSlot> sets;
  for (std::uint32_t w = 0; w < worlds; ++w) {
    const auto first = static_cast<std::uint32_t>(w * scene.bodies().size());
    for (const SceneParticles& of : scene.particles()) {
      ParticlesSlot& slot = sets.emplace_back();
      slot.world = w;
      slot.of = std::shared_ptr<const ParticleSet>(std::shared_ptr<const ParticleSet>(), &of.description);
      for (std::uint32_t i = 0; i < of.description.positions.size(); ++i) {
        slot.bodies.push_back(first + of.first_body + i);
      }
      for (const Attachment& a : of.description.attachments) slot.held_by.push_back(first + a.body);
      slot.anchors.resize(of.description.attachments.size());
    }
  }
  return sets;
}

/// The particles of so many copies of a scene, and their constraints.
void take_in(ConstraintStore& constraints, FluidStore& fluids, const Scene& scene, const PartLists& parts) {
  if (scene.particles().empty()) return;
  const auto worlds = static_cast<std::uint32_t>(parts.of_world.size());
  const std::vector<BodySlot> bodies = slots_for(scene, worlds);
  constraints.take(sets_of(scene, worlds));
  if (!constraints.empty()) constraints.set_order(bodies, parts.of_world, parts.count);
  fluids.set(constraints.all(), bodies.size(), parts.of_world, parts.count);
}

/// The fields of so many copies of a scene.
void take_in(FieldStore& fields, const Scene& scene, std::uint32_t worlds) {
  if (scene.fields().empty()) return;
  const auto count = static_cast<std::uint32_t>(scene.bodies().size());
  std::vector<std::vector<std::uint32_t>> slots(worlds, std::vector<std::uint32_t>(count));
  std::vector<FieldWorld> all;
  for (std::uint32_t w = 0; w < worlds; ++w) {
    std::iota(slots[w].begin(), slots[w].end(), w * count);
    all.push_back({w, scene.fields(), slots[w]});
  }
  fields.set(all, slots_for(scene, worlds), [](std::uint32_t) { return 1.0; });
}

std::vector<std::string> find_warnings(const Scene& scene) {
  std::vector<std::string> warnings;
  if (scene.particles().empty()) return warnings;
  NoMemory no_memory;
  exec::Journal none(no_memory);
  ConstraintStore constraints(none);
  std::vector<BodySlot> bodies = slots_for(scene, 1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].body = scene.bodies()[i];
    bodies[i].compute_mass(scene.materials());
  }
  constraints.take(sets_of(scene, 1));
  if (constraints.empty()) return warnings;
  constraints.set_order(bodies, std::vector<std::uint32_t>{0}, 1);
  const std::vector<std::vector<ConstraintNeed>> needs = constraints.needs(scene.params().sweep);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    std::ranges::copy(warnings_of(scene.particles()[i].description, needs[i], scene.params()),
                      std::back_inserter(warnings));
  }
  return warnings;
}

/// MassRanges::ratio of a World of the scene.
double mass_ratio_of(const Scene& scene) {
  std::vector<BodySlot> bodies = slots_for(scene, 1);
  for (const SceneArticulation& of : scene.articulations()) {
    for (const std::uint32_t at : of.bodies) {
      if (at != kNoLinkBody) bodies[at].link = true;
    }
  }
  MassRanges masses;
  masses.restart(1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].body = scene.bodies()[i];
    bodies[i].compute_mass(scene.materials());
    masses.take(bodies[i]);
  }
  return masses.ratio();
}

bool surface_moves(const Material& material) { return !(material.surface_velocity == Vec3{}); }

std::uint64_t count_bytes(const Scene& scene, std::uint32_t worlds, const WorldOptions& options) {
  check_world_count(worlds);
  NoMemory no_memory;
  exec::Journal none(no_memory);
  Arrays arrays(none);
  arrays.contact_events = options.contact_events;
  arrays.workers = max_workers(options.device);
  const std::vector<const Scene*> scenes(worlds, &scene);
  const Room filled = room_for(scenes, {});
  arrays.reserve(room_for(scenes, options.capacity));
  if (std::ranges::any_of(scene.materials(), &surface_moves)) arrays.reserve_frames(worlds);
  // only the number of a world's bodies matters, not their slots
  for (const Body& body : scene.bodies()) {
    for (const shape::Part& part : shape::parts_of(body)) arrays.take(part.shape.geometry);
  }
  const std::vector<std::uint32_t> slots(scene.bodies().size());
  const std::vector<std::span<const std::uint32_t>> slots_of(worlds, slots);
  Tuning tuning = options.tuning;
  if (options.trace) tuning.small_world = 0;
  const PartLists parts =
      list_parts(slots_of, !scene.joints().empty() || !scene.articulations().empty(), tuning, options.device);
  arrays.set_parts(parts);
  ArticulationStore articulations(none);
  take_in(articulations, scenes);
  JointStore joints(none);
  if (!scene.joints().empty()) {
    joints.reserve(scene.joints().size() * worlds);
    joints.set_rows(std::vector<std::uint32_t>(scene.joints().size() * worlds));
    joints.set_order(order_of(scene, articulations, parts.of_world, parts.count));
  }
  ConstraintStore constraints(none);
  FluidStore fluids(none);
  take_in(constraints, fluids, scene, parts);
  FieldStore fields(none);
  take_in(fields, scene, worlds);
  StepContext step = arrays.context(scene.params(), {.worlds = worlds,
                                                     .bodies = static_cast<std::uint32_t>(filled.bodies),
                                                     .shapes = static_cast<std::uint32_t>(filled.shapes),
                                                     .mass_ratio = mass_ratio_of(scene)});
  articulations.show(step, static_cast<std::uint32_t>(filled.bodies), parts.of_world);
  fluids.show(step, static_cast<std::uint32_t>(scene.params().fluid_iterations));
  return none.held();
}

}  // namespace

std::vector<std::string> constraint_warnings(const Scene& scene) {
  return with_heap([&] { return find_warnings(scene); });
}

std::uint64_t estimate_memory(const Scene& scene, std::uint32_t worlds, const WorldOptions& options) {
  return with_heap([&] { return count_bytes(scene, worlds, options); });
}

}  // namespace cairn
