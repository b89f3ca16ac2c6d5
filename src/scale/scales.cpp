// Scales of worlds and bodies.

#include <algorithm>
#include <string>

#include "kernels/scale/scale.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"
#include "src/world/parts.h"

namespace cairn {
namespace {

void refuse(const std::string& what, const std::optional<rules::Fault>& fault) {
  if (fault) throw InvalidArgument(what + ": " + fault->field + " " + fault->rule);
}

}  // namespace

void World::Impl::begin_scales() {
  synchronise();
  if (scaled) return;
  pull_materials();
  arrays.body_bases.reserve(arrays.bodies.capacity());
  arrays.shape_bases.reserve(arrays.shapes.capacity());
  arrays.material_bases.reserve(materials.size());
  const kernels::Bodies& b = arrays.bodies.view();
  const kernels::BodyBases& to = arrays.body_bases.view();
  memory.copy(to.inv_mass, b.inv_mass, slots.size() * sizeof(*b.inv_mass));
  memory.copy(to.inertia, b.inertia, slots.size() * sizeof(*b.inertia));
  memory.copy(to.radius, b.radius, slots.size() * sizeof(*b.radius));
  memory.copy(to.min_extent, b.min_extent, slots.size() * sizeof(*b.min_extent));
  std::vector<std::uint32_t> ids;
  std::vector<Vec3d> centres;
  for (const BodySlot& slot : slots) {
    ids.push_back(slot.id);
    centres.push_back(slot.mass.centre_of_mass);
  }
  const std::vector<BodyScales> own(slots.size());
  const std::vector<std::uint32_t> owners = material_owners();
  // nothing reads them before this ends, so it doesn't matter whether the scaling call succeeds
  const auto fill = [this](auto* field, const auto& values) {
    memory.write_now(field, values.data(), values.size() * sizeof(values[0]));
  };
  fill(to.id, ids);
  fill(to.centre, centres);
  fill(to.own, own);
  fill(arrays.material_bases.view().material, materials);
  fill(arrays.material_bases.view().world, owners);
  memory.copy(arrays.shape_bases.view().geometry, arrays.shapes.view().geometry,
              std::size_t{shape_slots} * sizeof(kernels::ShapeGeometry));
  // later calls must not make graphs stale
  if (options.capturable) masses.take_any_own();
  scaled = true;
}

void World::Impl::enqueue(const ScaleJob& job) {
  scale({.chosen = arrays.masks.data() + job.mask * worlds.size(),
         .how = Rescale::kFresh,
         .from = ScaleContext::From::kDrawn,
         .ranges = job.ranges});
}

void World::Impl::scale(const ScaleContext& what) {
  ScaleContext c = what;
  c.bodies = arrays.body_bases.view();
  c.shapes = arrays.shape_bases.view();
  c.material_bases = arrays.material_bases.view();
  c.materials = arrays.materials.data();
  c.material_count = static_cast<std::uint32_t>(materials.size());
  if (frames_known) c.frames = arrays.frames.view();
  const StepContext s = context(params.dt);
  launch().run(s, c);
  scales_known = false;
}

void World::Impl::rescale(std::uint32_t world, Rescale how) {
  if (!scaled) return;
  WorldSlot& of = worlds[world];
  memory.replace(of.rescales, std::max(of.rescales, how));
  scales_due = true;
}

void World::Impl::apply_scales() {
  synchronise();
  arrays.masks.reserve(worlds.size());
  for (const Rescale how : {Rescale::kLinks, Rescale::kThere, Rescale::kNew, Rescale::kFresh}) {
    std::vector<std::uint8_t> chosen;
    for (const WorldSlot& world : worlds) chosen.push_back(world.rescales == how ? 1 : 0);
    if (std::ranges::count(chosen, 1) == 0) continue;
    memory.put(arrays.masks.data(), chosen);
    scale({.chosen = arrays.masks.data(), .how = how});
  }
  for (WorldSlot& world : worlds) world.rescales = Rescale::kNo;
  scales_due = false;
}

namespace {

/// Throws InvalidArgument unless a body can have every scale between two.
void check_bears(const char* call, const BodySlot& slot, const BodyScales& least, const BodyScales& most) {
  const BodyRecord r = record_of(slot, {}, 1);
  const auto bears = [&](const BodyScales& by) {
    return kernels::bears(by, r.inv_mass, r.inertia, r.radius, r.min_extent);
  };
  if (bears(least) && bears(most)) return;
  throw InvalidArgument(std::string(call) + ": " + label(slot.body) +
                        " could have a mass or moment of inertia out of 1e-37 to 1e37, or a size out of 1e-6 to 4e6 m");
}

}  // namespace

bool World::Impl::all_bear(const BodyScales& least, const BodyScales& most) {
  if (!extremes_known) {
    extremes = {};
    each_body([&](std::uint32_t at) {
      if (slots[at].body.type != BodyType::kDynamic) return;
      const BodyRecord r = record_of(slots[at], {}, 1);
      Extremes& e = extremes;
      e.min_inv_mass = std::min(e.min_inv_mass, r.inv_mass);
      e.max_inv_mass = std::max(e.max_inv_mass, r.inv_mass);
      e.min_moment = std::min({e.min_moment, r.inertia.x, r.inertia.y, r.inertia.z});
      e.max_moment = std::max({e.max_moment, r.inertia.x, r.inertia.y, r.inertia.z});
      e.min_extent = std::min(e.min_extent, r.min_extent);
      e.max_radius = std::max(e.max_radius, r.radius);
    });
    extremes_known = true;
  }
  const Extremes& e = extremes;
  const Vec3 light{e.min_moment, e.min_moment, e.min_moment}, heavy{e.max_moment, e.max_moment, e.max_moment};
  return kernels::bears(least, e.max_inv_mass, light, e.max_radius, e.min_extent) &&
         kernels::bears(most, e.min_inv_mass, heavy, e.max_radius, e.min_extent);
}

void World::Impl::check_scaled(const char* call, const Body& body, std::uint32_t world,
                               const std::vector<Material>& stuff, std::optional<std::uint32_t> slot) {
  if (!scaled || body.type != BodyType::kDynamic) return;
  synchronise();
  const Scales of_world = memory.get(arrays.worlds.view().scales + world);
  const BodyScales own = slot ? memory.get(arrays.body_bases.view().own + *slot) : BodyScales{};
  const BodyScales by = kernels::total_scales(of_world, own);
  BodySlot probe;
  probe.body = body;
  probe.compute_mass(stuff);
  check_bears(call, probe, by, by);
}

std::vector<BodyScales> World::Impl::own_scales() {
  return scaled ? read(arrays.body_bases.view().own, slots.size()) : std::vector<BodyScales>(slots.size());
}

BodyScales World::Impl::scales_at(std::uint32_t slot) {
  if (!scaled || slots[slot].body.type != BodyType::kDynamic) return {};
  if (!scales_known) {
    synchronise();
    const std::vector<BodyScales> own = own_scales();
    const std::vector<Scales> of_world = read(arrays.worlds.view().scales, worlds.size());
    known_scales.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i)
      known_scales[i] = kernels::total_scales(of_world[slots[i].world], own[i]);
    scales_known = true;
  }
  return known_scales[slot];
}

Scales WorldScales::get(std::uint32_t world) const {
  return world_.call([&]() -> Scales {
    world_.world_at(world);
    world_.synchronise();
    return world_.memory.get(world_.arrays.worlds.view().scales + world);
  });
}

void WorldScales::set(const Scales& scales, std::uint32_t world) {
  world_.call([&] {
    world_.world_at(world);
    refuse("scales", rules::find_fault(scales));
    if (scales.size != 1) world_.particles.refuse("scales of size", world);
    world_.synchronise();
    const std::vector<BodyScales> own = world_.own_scales();
    world_.each_body(world, [&](std::uint32_t at) {
      const BodyScales by = kernels::total_scales(scales, own[at]);
      if (world_.slots[at].body.type == BodyType::kDynamic) check_bears("scales", world_.slots[at], by, by);
    });
    world_.begin_scales();
    world_.memory.put(world_.arrays.worlds.view().scales + world, scales);
    world_.rescale(world, Rescale::kFresh);
    world_.scales_known = false;
    world_.note<recording::kSetScales>(scales, world);
  });
}

BodyScales WorldScales::get(BodyHandle body) const {
  return world_.call([&]() -> BodyScales {
    const std::uint32_t at = world_.slot_of(body);
    if (!world_.scaled) return {};
    world_.synchronise();
    return world_.memory.get(world_.arrays.body_bases.view().own + at);
  });
}

void WorldScales::set(const BodyScales& scales, BodyHandle body) {
  world_.call([&] {
    const std::uint32_t at = world_.slot_of(body);
    const BodySlot& slot = world_.slots[at];
    if (slot.body.type != BodyType::kDynamic)
      throw InvalidArgument(label(slot.body) + ": scales are of dynamic bodies, and this one isn't");
    refuse(label(slot.body), rules::find_fault(scales));
    if (scales.size != 1) world_.particles.refuse("scales of size", slot.world);
    const BodyScales by = kernels::total_scales(get(slot.world), scales);
    check_bears("scales", slot, by, by);
    world_.begin_scales();
    world_.wake_touched(at, true);
    // links behind it move as well
    if (slot.link) world_.articulations.wake_links_with(at);
    world_.memory.put(world_.arrays.body_bases.view().own + at, scales);
    world_.masses.take_own(scales, scales);
    world_.scales_known = false;
    world_.rescale(slot.world, Rescale::kNew);
    world_.note<recording::kSetBodyScales>(scales, body);
  });
}

void WorldScales::randomise(std::span<const std::uint8_t> chosen, const Randomisation& ranges) {
  world_.call([&] {
    world_.check_mask("randomise", chosen);
    refuse("randomise", rules::find_fault(ranges));
    world_.articulations.check_draws(chosen, ranges);
    if (ranges.size != Range{} || ranges.body_size != Range{}) {
      for (std::uint32_t w = 0; w < chosen.size(); ++w) {
        if (chosen[w] != 0) world_.particles.refuse("randomise: size", w);
      }
    }
    const BodyScales least{ranges.size.low * ranges.body_size.low, ranges.mass.low * ranges.body_mass.low,
                           ranges.body_inertia.low};
    const BodyScales most{ranges.size.high * ranges.body_size.high, ranges.mass.high * ranges.body_mass.high,
                          ranges.body_inertia.high};
    if (!world_.all_bear(least, most)) {
      world_.each_body([&](std::uint32_t at) {
        const BodySlot& slot = world_.slots[at];
        if (chosen[slot.world] == 0 || slot.body.type != BodyType::kDynamic) return;
        check_bears("randomise", slot, least, most);
      });
    }
    if (!world_.scaled) world_.begin_scales();
    world_.masses.take_own({.size = ranges.body_size.low, .mass = ranges.body_mass.low},
                           {.size = ranges.body_size.high, .mass = ranges.body_mass.high});
    world_.note<&WorldScales::randomise>(chosen, ranges);
    world_.take(ScaleJob{world_.keep_mask(chosen), ranges});
  });
}

}  // namespace cairn
