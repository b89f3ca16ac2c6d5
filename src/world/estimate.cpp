// The memory that worlds will take, told before any is.

#include <numeric>
#include <vector>

#include "cairn/world.h"
#include "src/joint/lower.h"
#include "src/shape/parts.h"
#include "src/world/arrays.h"
#include "src/world/articulations.h"
#include "src/world/field_store.h"
#include "src/world/fluids.h"
#include "src/world/strains.h"

namespace cairn {
namespace {

/// Gives nothing: the arrays count what they ask for.
class NoMemory final : public exec::Memory {
 public:
  void* allocate(std::size_t) override { return nullptr; }
  void release(void*) noexcept override {}
  void upload(void*, const void*, std::size_t) override {}
  void post(void*, const void*, std::size_t) override {}
  void download(void*, const void*, std::size_t) override {}
  void copy(void*, const void*, std::size_t) override {}
  void zero(void*, std::size_t) override {}
};

/// Joints of so many copies of a scene, as World::Impl::set_joints orders them.
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
      const auto [a, b] = acted_on(joint, [&](std::uint32_t i) -> const Joint& { return scene.joints()[i]; });
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

/// The bodies of so many copies of a scene, as far as stores ask for them.
std::vector<BodySlot> slots_for(const Scene& scene, std::uint32_t worlds) {
  std::vector<BodySlot> bodies;
  for (std::uint32_t w = 0; w < worlds; ++w) {
    for (const Body& body : scene.bodies()) {
      BodySlot& slot = bodies.emplace_back();
      slot.world = w;
      slot.alive = true;
      slot.body.type = body.type;
    }
  }
  return bodies;
}

/// The particles of so many copies of a scene, and their constraints.
void take_in(StrainStore& strains, FluidStore& fluids, const Scene& scene, const PartLists& parts) {
  if (scene.particles().empty()) return;
  const auto worlds = static_cast<std::uint32_t>(parts.of_world.size());
  const std::vector<BodySlot> bodies = slots_for(scene, worlds);
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
  strains.take(std::move(sets));
  if (!strains.empty()) strains.set_order(bodies, parts.of_world, parts.count);
  fluids.set(strains.all(), bodies.size(), parts.of_world, parts.count);
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

}  // namespace

std::uint64_t estimate_memory(const Scene& scene, std::uint32_t worlds, const WorldOptions& options) {
  check_world_count(worlds);
  NoMemory none;
  Arrays arrays(none);
  arrays.touching = options.touches;
  arrays.workers = most_workers(options.device);
  const std::vector<const Scene*> scenes(worlds, &scene);
  const Room filled = room_for(scenes, {});
  arrays.reserve(room_for(scenes, options.capacity));
  // only how many bodies a world has matters, not where
  for (const Body& body : scene.bodies()) {
    for (const shape::Part& part : shape::parts_of(body)) arrays.take(part.shape.geometry);
  }
  const std::vector<std::uint32_t> slots(scene.bodies().size());
  const std::vector<std::span<const std::uint32_t>> slots_of(worlds, slots);
  const PartLists parts = list_parts(slots_of, resolved(options.tuning, options.device));
  arrays.set_parts(parts);
  ArticulationStore articulations(none);
  take_in(articulations, scenes);
  if (!scene.joints().empty()) {
    arrays.joints.reserve(scene.joints().size() * worlds);
    arrays.set_joints(order_of(scene, articulations, parts.of_world, parts.count));
  }
  StrainStore strains(none);
  FluidStore fluids(none);
  take_in(strains, fluids, scene, parts);
  FieldStore fields(none);
  take_in(fields, scene, worlds);
  StepContext step = arrays.context(scene.params(), {.worlds = worlds,
                                                     .bodies = static_cast<std::uint32_t>(filled.bodies),
                                                     .shapes = static_cast<std::uint32_t>(filled.shapes)});
  articulations.show(step, static_cast<std::uint32_t>(filled.bodies), parts.of_world);
  fluids.show(step, static_cast<std::uint32_t>(scene.params().fluid_sweeps));
  return arrays.bytes() + articulations.bytes() + strains.bytes() + fluids.bytes() + fields.bytes();
}

}  // namespace cairn
