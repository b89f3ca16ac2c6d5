// Scales of worlds and bodies, and their random numbers.

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/scale/scale.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

void refuse(const std::string& what, const std::optional<rules::Fault>& fault) {
  if (fault) throw InvalidArgument(what + ": " + fault->field + " " + fault->rule);
}

struct ScaledGeometry {
  float by;
  Geometry operator()(Sphere s) const { return Sphere{s.radius * by}; }
  Geometry operator()(Box b) const {
    return Box{{b.half_extents.x * by, b.half_extents.y * by, b.half_extents.z * by}};
  }
  Geometry operator()(Capsule c) const { return Capsule{c.radius * by, c.half_height * by}; }
  Geometry operator()(Plane p) const { return p; }
};

}  // namespace

std::array<std::uint32_t, 4> philox4x32(const std::array<std::uint32_t, 4>& counter,
                                        const std::array<std::uint32_t, 2>& key) {
  const kernels::Random4 r = kernels::philox({counter[0], counter[1], counter[2], counter[3]}, key[0], key[1]);
  return {r.x, r.y, r.z, r.w};
}

std::array<float, 4> random_uniforms(std::uint64_t seed, std::uint32_t episode, RandomStream stream,
                                     std::uint32_t index) {
  const kernels::Uniform4 u = kernels::uniforms(seed, episode, stream, index);
  return {u.x, u.y, u.z, u.w};
}

void World::Impl::begin_scales() {
  synchronise();
  const exec::ExactFloats exact;
  // room first, here and for the job that comes, so that running out of memory changes nothing
  arrays.masks.reserve(worlds.size());
  context(params.dt);
  if (scaled) return;
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
  for (const BodySlot& slot : slots) ids.push_back(slot.id);
  const std::vector<BodyScales> own(slots.size());
  memory.upload(to.id, ids.data(), ids.size() * sizeof(ids[0]));
  memory.upload(to.own, own.data(), own.size() * sizeof(own[0]));
  memory.copy(arrays.shape_bases.view().geometry, arrays.shapes.view().geometry,
              std::size_t{shape_slots} * sizeof(kernels::ShapeGeometry));
  scaled = true;
  upload_materials();
}

void World::Impl::enqueue(const ScaleJob& job) {
  scale({.chosen = arrays.masks.data() + job.mask * worlds.size(),
         .from = job.draws ? ScaleContext::From::kDrawn : ScaleContext::From::kThere,
         .ranges = job.ranges,
         .fresh = job.fresh});
}

void World::Impl::scale(const ScaleContext& what) {
  ScaleContext c = what;
  c.bodies = arrays.body_bases.view();
  c.shapes = arrays.shape_bases.view();
  c.material_bases = arrays.material_bases.view();
  c.materials = arrays.materials.data();
  c.material_count = static_cast<std::uint32_t>(materials.size());
  backend->scale(context(params.dt), c);
  scales_known = frames_known = false;
}

void World::Impl::rescale(std::uint32_t world, bool fresh) {
  if (!scaled) return;
  std::vector<std::uint8_t> chosen(worlds.size(), 0);
  chosen[world] = 1;
  take(ScaleJob{keep_mask(chosen), {}, false, fresh});
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

std::uint64_t World::seed(std::uint32_t world) const {
  impl_->world_at(world);
  return impl_->read(impl_->arrays.worlds.view().seed + world, 1)[0];
}

void World::set_seed(std::uint64_t seed, std::uint32_t world) {
  impl_->world_at(world);
  impl_->synchronise();
  impl_->memory.upload(impl_->arrays.worlds.view().seed + world, &seed, sizeof seed);
  impl_->note<&World::set_seed>(seed, world);
}

Scales World::scales(std::uint32_t world) const {
  impl_->world_at(world);
  impl_->synchronise();
  return impl_->read(impl_->arrays.worlds.view().scales + world, 1)[0];
}

void World::set_scales(const Scales& scales, std::uint32_t world) {
  impl_->world_at(world);
  refuse("set_scales", rules::find_fault(scales));
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
  const BodySlot& slot = impl_->slots[at];
  if (slot.body.type != BodyType::kDynamic)
    throw InvalidArgument(label(slot.body) + ": scales are of dynamic bodies, and this one isn't");
  refuse(label(slot.body), rules::find_fault(scales));
  impl_->begin_scales();
  impl_->wake_touched(at, true);
  impl_->memory.upload(impl_->arrays.body_bases.view().own + at, &scales, sizeof scales);
  impl_->rescale(slot.world, false);
  impl_->note<recording::kSetBodyScales>(scales, body);
}

void World::randomise(std::span<const std::uint8_t> chosen, const Randomisation& ranges) {
  impl_->check_mask("randomise", chosen);
  refuse("randomise", rules::find_fault(ranges));
  impl_->begin_scales();
  impl_->take(ScaleJob{impl_->keep_mask(chosen), ranges, true, true});
  impl_->note<&World::randomise>(chosen, ranges);
}

Body World::scaled_description(BodyHandle body) const {
  const exec::ExactFloats exact;
  const std::uint32_t at = impl_->slot_of(body);
  const BodySlot& slot = impl_->slots[at];
  Body made = slot.body;
  const BodyScales by = impl_->scales_at(at);
  if (by == BodyScales{}) return made;
  for (Shape& shape : made.shapes) {
    shape.geometry = std::visit(ScaledGeometry{by.size}, shape.geometry);
    shape.position = {shape.position.x * by.size, shape.position.y * by.size, shape.position.z * by.size};
  }
  const double size = by.size, mass = by.mass * (size * size * size), turning = mass * (size * size);
  made.mass = static_cast<float>(slot.mass.mass * mass);
  made.density.reset();
  if (made.inertia) {
    const Vec3 m = made.inertia->moments;
    made.inertia->moments = {static_cast<float>(m.x * turning), static_cast<float>(m.y * turning),
                             static_cast<float>(m.z * turning)};
  }
  return made;
}

}  // namespace cairn
