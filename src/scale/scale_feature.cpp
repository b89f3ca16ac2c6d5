#include "src/scale/scale_feature.h"

#include <algorithm>
#include <string>

#include "kernels/scale/scale.h"
#include "src/exec/exact_floats.h"
#include "src/scene/rules.h"
#include "src/snapshot/capture.h"
#include "src/snapshot/image_check.h"
#include "src/snapshot/restore.h"
#include "src/world/impl.h"
#include "src/world/parts.h"

namespace cairn {
namespace {

bool bears(const BodyRecord& r, const BodyScales& by) {
  return kernels::bears(by, r.inv_mass, r.inertia, r.radius, r.min_extent);
}

/// Throws InvalidArgument unless a body can have every scale between two.
void check_bears(const char* call, const BodySlot& slot, const BodyScales& least, const BodyScales& most) {
  const BodyRecord r = record_of(slot, {}, 1);
  if (bears(r, least) && bears(r, most)) return;
  throw InvalidArgument(std::string(call) + ": " + label(slot.body) +
                        " could have a mass or moment of inertia out of 1e-37 to 1e37, or a size out of 1e-6 to 4e6 m");
}

/// Some scale of the image's worlds isn't 1.
bool brings_scales(const snapshot::Restore& from) {
  return std::any_of(from.placements.begin(), from.placements.end(), [&](const snapshot::Placement& p) {
    const auto first = from.image.bodies.begin() + static_cast<std::ptrdiff_t>(p.ranges.bodies.first);
    return !(from.image.world_columns.view().scales[p.from] == Scales{}) ||
           std::any_of(first, first + static_cast<std::ptrdiff_t>(p.ranges.bodies.size()),
                       [](const snapshot::BodyPart& body) { return !(body.scales == BodyScales{}); });
  });
}

}  // namespace

void ScaleFeature::show(StepContext& step, bool) {
  if (begun_) step.own_scales = world_.arrays.body_bases.view().own;
}

void ScaleFeature::begin() {
  world_.synchronise();
  if (begun_) return;
  world_.pull_materials();
  Arrays& arrays = world_.arrays;
  const std::vector<BodySlot>& slots = world_.slots;
  reserve();
  arrays.material_bases.reserve(world_.materials.size());
  const kernels::Bodies& b = arrays.bodies.view();
  const kernels::BodyBases& to = arrays.body_bases.view();
  world_.memory.copy(to.inv_mass, b.inv_mass, slots.size() * sizeof(*b.inv_mass));
  world_.memory.copy(to.inertia, b.inertia, slots.size() * sizeof(*b.inertia));
  world_.memory.copy(to.radius, b.radius, slots.size() * sizeof(*b.radius));
  world_.memory.copy(to.min_extent, b.min_extent, slots.size() * sizeof(*b.min_extent));
  std::vector<std::uint32_t> ids;
  std::vector<Vec3d> centres;
  for (const BodySlot& slot : slots) {
    ids.push_back(slot.id);
    centres.push_back(slot.mass.centre_of_mass);
  }
  const std::vector<BodyScales> ones(slots.size());
  const std::vector<std::uint32_t> owners = world_.material_owners();
  // nothing reads them before this ends, so it doesn't matter whether the scaling call succeeds
  const auto fill = [this](auto* field, const auto& values) {
    world_.memory.write_now(field, values.data(), values.size() * sizeof(values[0]));
  };
  fill(to.id, ids);
  fill(to.centre, centres);
  fill(to.own, ones);
  fill(arrays.material_bases.view().material, world_.materials);
  fill(arrays.material_bases.view().world, owners);
  world_.memory.copy(arrays.shape_bases.view().geometry, arrays.shapes.view().geometry,
                     std::size_t{world_.shape_slots} * sizeof(kernels::ShapeGeometry));
  // later calls must not make graphs stale
  if (world_.options.capturable) world_.masses.take_any_own();
  begun_ = true;
}

void ScaleFeature::reserve() {
  world_.arrays.body_bases.reserve(world_.arrays.bodies.capacity());
  world_.arrays.shape_bases.reserve(world_.arrays.shapes.capacity());
}

Scales ScaleFeature::of_world(std::uint32_t world) const {
  world_.synchronise();
  return world_.memory.get(world_.arrays.worlds.view().scales + world);
}

void ScaleFeature::set(const Scales& scales, std::uint32_t world) {
  world_.synchronise();
  const std::vector<BodyScales> bodies = own();
  world_.each_body(world, [&](std::uint32_t at) {
    const BodyScales by = kernels::total_scales(scales, bodies[at]);
    if (world_.slots[at].body.type == BodyType::kDynamic) check_bears("scales", world_.slots[at], by, by);
  });
  begin();
  world_.memory.put(world_.arrays.worlds.view().scales + world, scales);
  rescale(world, Rescale::kFresh);
  known_of_ = false;
}

void ScaleFeature::set(const BodyScales& scales, std::uint32_t at) {
  const BodySlot& slot = world_.slots[at];
  const BodyScales by = kernels::total_scales(of_world(slot.world), scales);
  check_bears("scales", slot, by, by);
  begin();
  world_.wake_touched(at, true);
  // links behind it move as well
  if (slot.link) world_.articulations.wake_links_with(at);
  world_.memory.put(world_.arrays.body_bases.view().own + at, scales);
  world_.masses.take_own(scales, scales);
  known_of_ = false;
  rescale(slot.world, Rescale::kNew);
}

void ScaleFeature::run(const ScaleContext& what) {
  ScaleContext c = what;
  c.bodies = world_.arrays.body_bases.view();
  c.shapes = world_.arrays.shape_bases.view();
  c.material_bases = world_.arrays.material_bases.view();
  c.materials = world_.arrays.materials.data();
  c.material_count = static_cast<std::uint32_t>(world_.materials.size());
  if (world_.frames_known) c.frames = world_.arrays.frames.view();
  const StepContext s = world_.context(world_.params.dt);
  world_.launch().run(s, c);
  known_of_ = false;
}

void ScaleFeature::rescale(std::uint32_t world, Rescale how) {
  if (!begun_) return;
  Rescale& before = world_.worlds[world].rescales;
  world_.memory.replace(before, std::max(before, how));
  due = true;
}

void ScaleFeature::apply() {
  world_.synchronise();
  exec::Buffer<std::uint8_t>& masks = world_.arrays.masks;
  masks.reserve(world_.worlds.size());
  for (const Rescale how : {Rescale::kLinks, Rescale::kThere, Rescale::kNew, Rescale::kFresh}) {
    std::vector<std::uint8_t> chosen;
    for (const WorldSlot& world : world_.worlds) chosen.push_back(world.rescales == how ? 1 : 0);
    if (std::ranges::count(chosen, 1) == 0) continue;
    world_.memory.put(masks.data(), chosen);
    run({.chosen = masks.data(), .how = how});
  }
  for (WorldSlot& world : world_.worlds) world.rescales = Rescale::kNo;
  due = false;
}

void ScaleFeature::forget_derived() noexcept { known_of_ = extremes_known_ = false; }

BodyScales ScaleFeature::of(std::uint32_t slot) {
  if (!begun_ || world_.slots[slot].body.type != BodyType::kDynamic) return {};
  if (!known_of_) {
    world_.synchronise();
    const std::vector<BodyScales> bodies = own();
    const std::vector<Scales> worlds = world_.read(world_.arrays.worlds.view().scales, world_.worlds.size());
    of_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
      of_[i] = kernels::total_scales(worlds[world_.slots[i].world], bodies[i]);
    known_of_ = true;
  }
  return of_[slot];
}

std::vector<BodyScales> ScaleFeature::own() const {
  const std::size_t n = world_.slots.size();
  return begun_ ? world_.read(world_.arrays.body_bases.view().own, n) : std::vector<BodyScales>(n);
}

BodyScales ScaleFeature::own(std::uint32_t slot) const {
  if (!begun_) return {};
  world_.synchronise();
  return world_.memory.get(world_.arrays.body_bases.view().own + slot);
}

void ScaleFeature::check_body(const char* call, const Body& body, std::uint32_t world,
                              const std::vector<Material>& stuff, std::optional<std::uint32_t> slot) const {
  if (!begun_ || body.type != BodyType::kDynamic) return;
  const BodyScales by = kernels::total_scales(of_world(world), slot ? own(*slot) : BodyScales{});
  BodySlot probe;
  probe.body = body;
  probe.compute_mass(stuff);
  check_bears(call, probe, by, by);
}

void ScaleFeature::check_draws(std::span<const std::uint8_t> chosen, const Randomisation& ranges) {
  const BodyScales least{ranges.size.low * ranges.body_size.low, ranges.mass.low * ranges.body_mass.low,
                         ranges.body_inertia.low};
  const BodyScales most{ranges.size.high * ranges.body_size.high, ranges.mass.high * ranges.body_mass.high,
                        ranges.body_inertia.high};
  if (all_bear(least, most)) return;
  world_.each_body([&](std::uint32_t at) {
    const BodySlot& slot = world_.slots[at];
    if (chosen[slot.world] == 0 || slot.body.type != BodyType::kDynamic) return;
    check_bears("randomise", slot, least, most);
  });
}

bool ScaleFeature::all_bear(const BodyScales& least, const BodyScales& most) {
  if (!extremes_known_) {
    extremes_ = {};
    world_.each_body([&](std::uint32_t at) {
      if (world_.slots[at].body.type != BodyType::kDynamic) return;
      const BodyRecord r = record_of(world_.slots[at], {}, 1);
      Extremes& e = extremes_;
      e.min_inv_mass = std::min(e.min_inv_mass, r.inv_mass);
      e.max_inv_mass = std::max(e.max_inv_mass, r.inv_mass);
      e.min_moment = std::min({e.min_moment, r.inertia.x, r.inertia.y, r.inertia.z});
      e.max_moment = std::max({e.max_moment, r.inertia.x, r.inertia.y, r.inertia.z});
      e.min_extent = std::min(e.min_extent, r.min_extent);
      e.max_radius = std::max(e.max_radius, r.radius);
    });
    extremes_known_ = true;
  }
  const Extremes& e = extremes_;
  const Vec3 light{e.min_moment, e.min_moment, e.min_moment}, heavy{e.max_moment, e.max_moment, e.max_moment};
  return kernels::bears(least, e.max_inv_mass, light, e.max_radius, e.min_extent) &&
         kernels::bears(most, e.min_inv_mass, heavy, e.max_radius, e.min_extent);
}

void ScaleFeature::capture(snapshot::Capture& to) {
  const std::vector<BodyScales> bodies = own();
  for (std::size_t i = 0; i < to.image.bodies.size(); ++i) {
    if (to.image.bodies[i].alive) to.image.bodies[i].scales = bodies[to.image.body_slots[i]];
  }
}

void ScaleFeature::plan(snapshot::Restore& from) {
  planned_ = (begun_ && !from.whole) || brings_scales(from);
  // remaining worlds get bases too
  if (planned_ && !from.whole) begin();
}

void ScaleFeature::become(snapshot::Restore& from) {
  world_.memory.replace(begun_, planned_);
  forget_derived();
  if (!begun_) return;
  // `arrays` grew after `plan`
  reserve();
  world_.arrays.material_bases.reserve(world_.arrays.materials.capacity());
  world_.masses.take_any_own();
  place_bases(from);
}

void ScaleFeature::check_image(snapshot::ImageCheck& of) {
  for (const snapshot::WorldCheck& world : of.worlds) {
    const Scales& of_world = of.image.world_columns.view().scales[world.index];
    world.refuse_fault(rules::find_fault(of_world), "scales");
    for (std::uint32_t id = 0; id < world.part.bodies; ++id) {
      const snapshot::BodyPart& body = world.body(id);
      if (!body.alive) {
        world.require(body.scales == BodyScales{}, "a body that was removed has scales");
        continue;
      }
      world.refuse_fault(rules::find_fault(body.scales), "a body's scales");
      const BodyScales by = kernels::total_scales(of_world, body.scales);
      if (body.body.type != BodyType::kDynamic || by == BodyScales{}) continue;
      BodySlot slot;
      slot.body = body.body;
      slot.mass = body.mass;
      world.require(bears(record_of(slot, {}, 1), by), "scales that a body can't bear");
    }
  }
}

/// Bases of the image's bodies at scales of 1, from their descriptions.
void ScaleFeature::place_bases(const snapshot::Restore& from) {
  using snapshot::Placement;
  const kernels::BodyBases& to = world_.arrays.body_bases.view();
  const auto place_bodies = [&](auto* field, auto value) { from.place(field, &Placement::body_slots, value); };
  const auto had = [&](const Placement& p, std::uint32_t id) {
    return id < p.ranges.bodies.size() && from.image.bodies[p.ranges.bodies.first + id].alive;
  };
  const auto place_from_record = [&](auto* field, auto member) {
    place_bodies(field, [&](const Placement& p, std::uint32_t id, const auto&) {
      return (had(p, id) ? record_of(world_.slots[p.body_slots[id]], {}, 1) : BodyRecord{}).*member;
    });
  };
  place_bodies(to.id, [](const Placement&, std::uint32_t id, std::uint32_t) { return id; });
  place_bodies(to.own, [&](const Placement& p, std::uint32_t id, const BodyScales&) {
    return had(p, id) ? from.image.bodies[p.ranges.bodies.first + id].scales : BodyScales{};
  });
  place_from_record(to.inv_mass, &BodyRecord::inv_mass);
  place_from_record(to.inertia, &BodyRecord::inertia);
  place_from_record(to.radius, &BodyRecord::radius);
  place_from_record(to.centre, &BodyRecord::centre);
  place_from_record(to.min_extent, &BodyRecord::min_extent);
  from.place_parts(world_.arrays.shape_bases.view().geometry,
                   [&](const snapshot::PlacedPart& of, const auto&) { return from.geometry_of_part(of); });
}

}  // namespace cairn
