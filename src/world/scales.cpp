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

void World::Impl::reserve_scaling() {
  synchronise();
  arrays.masks.reserve(worlds.size());
  context(params.dt);
}

void World::Impl::reserve_scaling(std::span<const Addition> additions, const Counts& then) {
  arrays.masks.reserve(worlds.size());
  arrays.body_bases.reserve(arrays.bodies.capacity());
  arrays.shape_bases.reserve(arrays.shapes.capacity());
  // for the parts only how many bodies a world has matters
  std::vector<std::size_t> sizes;
  for (const WorldSlot& world : worlds) sizes.push_back(world.body_slots.size());
  for (const Addition& addition : additions) {
    const std::size_t reused = worlds[addition.world].free_bodies.size();
    sizes[addition.world] += addition.bodies.size() - std::min(reused, addition.bodies.size());
  }
  const std::vector<std::uint32_t> any(then.bodies);
  std::vector<std::span<const std::uint32_t>> slots_of;
  for (const std::size_t size : sizes) slots_of.emplace_back(any.data(), size);
  const PartLists lists = list_parts(slots_of, options.tuning);
  arrays.set_parts(lists);
  if (living_joints != 0) arrays.set_joints(order_joints(joint_edges(joint_models(), lists.of_world), lists.count));
  arrays.context(params, then);
}

void World::Impl::begin_scales() {
  // room first, here and for what follows, so that running out of memory changes nothing
  reserve_scaling();
  if (scaled) return;
  const exec::ExactFloats exact;
  arrays.body_bases.reserve(arrays.bodies.capacity());
  arrays.shape_bases.reserve(arrays.shapes.capacity());
  arrays.material_bases.reserve(materials.size());
  const kernels::Bodies& b = arrays.bodies.view();
  const kernels::BodyBases& to = arrays.body_bases.view();
  memory.copy(to.inv_mass, b.inv_mass, slots.size() * sizeof(*b.inv_mass));
  memory.copy(to.inertia, b.inertia, slots.size() * sizeof(*b.inertia));
  memory.copy(to.radius, b.radius, slots.size() * sizeof(*b.radius));
  memory.copy(to.least_extent, b.least_extent, slots.size() * sizeof(*b.least_extent));
  std::vector<std::uint32_t> ids;
  std::vector<Vec3d> centres;
  for (const BodySlot& slot : slots) {
    ids.push_back(slot.id);
    centres.push_back(slot.mass.centre_of_mass);
  }
  const std::vector<BodyScales> own(slots.size());
  memory.upload(to.id, ids.data(), ids.size() * sizeof(ids[0]));
  memory.upload(to.centre, centres.data(), centres.size() * sizeof(centres[0]));
  memory.upload(to.own, own.data(), own.size() * sizeof(own[0]));
  memory.copy(arrays.shape_bases.view().geometry, arrays.shapes.view().geometry,
              std::size_t{shape_slots} * sizeof(kernels::ShapeGeometry));
  scaled = true;
  upload_materials();
}

void World::Impl::enqueue(const ScaleJob& job) {
  scale({.chosen = arrays.masks.data() + job.mask * worlds.size(),
         .fresh = true,
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
  backend->scale(context(params.dt), c);
  scales_known = false;
}

void World::Impl::rescale(std::uint32_t world, bool fresh) {
  if (!scaled) return;
  std::vector<std::uint8_t> chosen(worlds.size(), 0);
  chosen[world] = 1;
  memory.upload(arrays.masks.data(), chosen.data(), chosen.size());
  scale({.chosen = arrays.masks.data(), .fresh = fresh});
}

namespace {

/// Throws InvalidArgument unless a body bears every scale between two.
void check_bears(const char* call, const BodySlot& slot, const BodyScales& least, const BodyScales& most) {
  const BodyRecord r = record_of(slot, {}, 1);
  const auto bears = [&](const BodyScales& by) {
    return kernels::bears(by, r.inv_mass, r.inertia, r.radius, r.least_extent);
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
      e.least_inv_mass = std::min(e.least_inv_mass, r.inv_mass);
      e.most_inv_mass = std::max(e.most_inv_mass, r.inv_mass);
      e.least_moment = std::min({e.least_moment, r.inertia.x, r.inertia.y, r.inertia.z});
      e.most_moment = std::max({e.most_moment, r.inertia.x, r.inertia.y, r.inertia.z});
      e.least_extent = std::min(e.least_extent, r.least_extent);
      e.most_radius = std::max(e.most_radius, r.radius);
    });
    extremes_known = true;
  }
  const Extremes& e = extremes;
  const Vec3 light{e.least_moment, e.least_moment, e.least_moment}, heavy{e.most_moment, e.most_moment, e.most_moment};
  return kernels::bears(least, e.most_inv_mass, light, e.most_radius, e.least_extent) &&
         kernels::bears(most, e.least_inv_mass, heavy, e.most_radius, e.least_extent);
}

void World::Impl::check_scaled(const char* call, const Body& body, std::uint32_t world,
                               const std::vector<Material>& stuff, std::optional<std::uint32_t> slot) {
  if (!scaled || body.type != BodyType::kDynamic) return;
  synchronise();
  const Scales of_world = read(arrays.worlds.view().scales + world, 1)[0];
  const BodyScales own = slot ? read(arrays.body_bases.view().own + *slot, 1)[0] : BodyScales{};
  const BodyScales by = kernels::total_scales(of_world, own);
  BodySlot probe;
  probe.body = body;
  probe.weigh(stuff);
  check_bears(call, probe, by, by);
}

std::vector<BodyScales> World::Impl::own_scales() {
  return scaled ? read(arrays.body_bases.view().own, slots.size()) : std::vector<BodyScales>(slots.size());
}

BodyScales World::Impl::scales_at(std::uint32_t slot) {
  if (!scaled || slots[slot].body.type != BodyType::kDynamic) return {};
  if (!scales_known) {
    synchronise();
    const std::vector<BodyScales> own = read(arrays.body_bases.view().own, slots.size());
    const std::vector<Scales> of_world = read(arrays.worlds.view().scales, worlds.size());
    known_scales.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i)
      known_scales[i] = kernels::total_scales(of_world[slots[i].world], own[i]);
    scales_known = true;
  }
  return known_scales[slot];
}

Scales World::scales(std::uint32_t world) const {
  impl_->world_at(world);
  impl_->synchronise();
  return impl_->read(impl_->arrays.worlds.view().scales + world, 1)[0];
}

void World::set_scales(const Scales& scales, std::uint32_t world) {
  impl_->world_at(world);
  refuse("set_scales", rules::find_fault(scales));
  if (scales.size != 1 || scales.mass != 1) impl_->refuse_articulations("set_scales: size and mass", world);
  if (scales.size != 1) impl_->refuse_strains("set_scales: size", world);
  impl_->synchronise();
  const std::vector<BodyScales> own = impl_->own_scales();
  impl_->each_body(world, [&](std::uint32_t at) {
    const BodyScales by = kernels::total_scales(scales, own[at]);
    if (impl_->slots[at].body.type == BodyType::kDynamic) check_bears("set_scales", impl_->slots[at], by, by);
  });
  impl_->begin_scales();
  impl_->memory.upload(impl_->arrays.worlds.view().scales + world, &scales, sizeof scales);
  impl_->rescale(world, true);
  impl_->note<recording::kSetScales>(scales, world);
}

BodyScales World::scales(BodyHandle body) const {
  const std::uint32_t at = impl_->slot_of(body);
  if (!impl_->scaled) return {};
  impl_->synchronise();
  return impl_->read(impl_->arrays.body_bases.view().own + at, 1)[0];
}

void World::set_scales(const BodyScales& scales, BodyHandle body) {
  const std::uint32_t at = impl_->slot_of(body);
  impl_->refuse_link("set_scales", at);
  const BodySlot& slot = impl_->slots[at];
  if (slot.body.type != BodyType::kDynamic)
    throw InvalidArgument(label(slot.body) + ": scales are of dynamic bodies, and this one isn't");
  refuse(label(slot.body), rules::find_fault(scales));
  if (scales.size != 1) impl_->refuse_strains("set_scales: size", slot.world);
  const BodyScales by = kernels::total_scales(this->scales(slot.world), scales);
  check_bears("set_scales", slot, by, by);
  impl_->begin_scales();
  impl_->wake_touched(at, true);
  impl_->memory.upload(impl_->arrays.body_bases.view().own + at, &scales, sizeof scales);
  impl_->rescale(slot.world, false);
  impl_->note<recording::kSetBodyScales>(scales, body);
}

void World::randomise(std::span<const std::uint8_t> chosen, const Randomisation& ranges) {
  impl_->check_mask("randomise", chosen);
  refuse("randomise", rules::find_fault(ranges));
  if (ranges.size != Range{} || ranges.mass != Range{}) {
    for (std::uint32_t w = 0; w < chosen.size(); ++w) {
      if (chosen[w] != 0) impl_->refuse_articulations("randomise: size and mass", w);
    }
  }
  if (ranges.size != Range{} || ranges.body_size != Range{}) {
    for (std::uint32_t w = 0; w < chosen.size(); ++w) {
      if (chosen[w] != 0) impl_->refuse_strains("randomise: size", w);
    }
  }
  const BodyScales least{ranges.size.low * ranges.body_size.low, ranges.mass.low * ranges.body_mass.low};
  const BodyScales most{ranges.size.high * ranges.body_size.high, ranges.mass.high * ranges.body_mass.high};
  if (!impl_->all_bear(least, most)) {
    impl_->each_body([&](std::uint32_t at) {
      const BodySlot& slot = impl_->slots[at];
      if (chosen[slot.world] != 0 && slot.body.type == BodyType::kDynamic) check_bears("randomise", slot, least, most);
    });
  }
  if (!impl_->scaled) impl_->begin_scales();
  impl_->take(ScaleJob{impl_->keep_mask(chosen), ranges});
  impl_->note<&World::randomise>(chosen, ranges);
}

}  // namespace cairn
