// Bodies and their shapes: adding, removing, changing.

#include <algorithm>

#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {

using kernels::ShapeGeometry;

std::uint32_t World::Impl::slot_of(BodyHandle handle) const {
  const std::uint32_t slot = handle.index - 1;
  if (handle.index == 0 || slot >= slots.size() || !slots[slot].alive || slots[slot].generation != handle.generation) {
    throw InvalidArgument("body handle {" + std::to_string(handle.index) + ", " + std::to_string(handle.generation) +
                          "} is null or stale: its body was removed");
  }
  return slot;
}

void World::Impl::upload(std::uint32_t first, std::span<const BodyRecord> records) {
  const kernels::Bodies& b = arrays.bodies.view();
  const auto put = [&](auto* field, auto get) {
    std::vector<std::remove_pointer_t<decltype(field)>> values;
    values.reserve(records.size());
    for (const BodyRecord& r : records) values.push_back(get(r));
    memory.upload(field + first, values.data(), values.size() * sizeof(values[0]));
  };
  put(b.flags, [](const BodyRecord& r) { return r.flags; });
  put(b.world, [](const BodyRecord& r) { return r.world; });
  put(b.id, [](const BodyRecord& r) { return r.id; });
  put(b.x, [](const BodyRecord& r) { return r.x; });
  put(b.x_low, [](const BodyRecord& r) { return r.x_low; });
  put(b.q, [](const BodyRecord& r) { return r.q; });
  put(b.v, [](const BodyRecord& r) { return r.v; });
  put(b.w, [](const BodyRecord& r) { return r.w; });
  put(b.w_known, [](const BodyRecord&) { return kernels::unknown_velocity(); });
  put(b.inv_mass, [](const BodyRecord& r) { return r.inv_mass; });
  put(b.inertia, [](const BodyRecord& r) { return r.inertia; });
  put(b.linear_damping, [](const BodyRecord& r) { return r.linear_damping; });
  put(b.angular_damping, [](const BodyRecord& r) { return r.angular_damping; });
  put(b.radius, [](const BodyRecord& r) { return r.radius; });
  put(b.least_extent, [](const BodyRecord& r) { return r.least_extent; });
  memory.zero(b.quiet_time + first, records.size() * sizeof(float));
  extremes_known = false;
  if (!scaled) return;
  const kernels::BodyBases& base = arrays.body_bases.view();
  put(base.inv_mass, [](const BodyRecord& r) { return r.inv_mass; });
  put(base.inertia, [](const BodyRecord& r) { return r.inertia; });
  put(base.radius, [](const BodyRecord& r) { return r.radius; });
  put(base.least_extent, [](const BodyRecord& r) { return r.least_extent; });
  put(base.centre, [](const BodyRecord& r) { return r.centre; });
  scales_known = false;
}

void World::Impl::upload_shapes(std::uint32_t at) {
  const kernels::Shapes& s = arrays.shapes.view();
  const BodySlot& slot = slots[at];
  for (std::size_t i = 0; i < slot.shapes.size(); ++i) {
    const std::uint32_t shape = slot.shapes[i];
    const ShapeGeometry g = geometry_of(slot.body.shapes[i], slot);
    memory.upload(s.geometry + shape, &g, sizeof g);
    if (scaled) memory.upload(arrays.shape_bases.view().geometry + shape, &g, sizeof g);
    memory.upload(s.body + shape, &at, sizeof at);
    memory.upload(s.material + shape, &worlds[slot.world].material_slots[slot.body.shapes[i].material],
                  sizeof(std::uint32_t));
  }
}

void World::Impl::upload_planes() {
  std::vector<std::uint32_t> planes, begin{0};
  for (const WorldSlot& world : worlds) {
    planes.insert(planes.end(), world.plane_slots.begin(), world.plane_slots.end());
    begin.push_back(static_cast<std::uint32_t>(planes.size()));
  }
  if (!planes.empty()) memory.upload(arrays.planes.data(), planes.data(), planes.size() * sizeof(planes[0]));
  memory.upload(arrays.worlds.view().plane_begin, begin.data(), begin.size() * sizeof(begin[0]));
}

const WorldSlot& World::Impl::world_at(std::uint32_t world) const {
  if (world >= worlds.size()) {
    throw InvalidArgument("world " + std::to_string(world) + ": there are " + std::to_string(worlds.size()));
  }
  return worlds[world];
}

void World::Impl::check_fixed(const char* what, std::uint32_t fixed, std::size_t needed) const {
  check_slots(what, needed);
  if (options.capacity.on_overflow == OnOverflow::kGrow || fixed == 0 || needed <= fixed) return;
  throw CapacityError(std::string("Capacity::") + what + " is fixed at " + std::to_string(fixed) +
                      ", and the world would need " + std::to_string(needed) + "; nothing was added");
}

void World::Impl::add_bodies(std::span<const Addition> additions, std::vector<BodyHandle>* handles) {
  const exec::ExactFloats exact;
  synchronise();
  starts_known = parts_known = frames_known = false;
  std::size_t new_slots = 0, new_shape_slots = 0, new_planes = 0;
  for (const Addition& addition : additions) {
    const WorldSlot& world = worlds[addition.world];
    std::size_t new_shapes = 0;
    for (const Body& body : addition.bodies) {
      new_shapes += body.shapes.size();
      new_planes += planes_of(body);
    }
    // what a world had before is free for that world alone
    new_slots += addition.bodies.size() - std::min(world.free_bodies.size(), addition.bodies.size());
    new_shape_slots += new_shapes - std::min(world.free_shapes.size(), new_shapes);
  }
  check_fixed("bodies", options.capacity.bodies, slots.size() + new_slots);
  check_fixed("shapes", options.capacity.shapes, shape_slots + new_shape_slots);
  // room first, so that running out of memory changes nothing
  const auto room = [&](auto& table, std::size_t used, std::size_t more, std::size_t spare) {
    if (used + more + spare > table.capacity())
      table.reserve(used + more + spare + (used == 0 ? 0 : (used + more) / 2));
  };
  room(arrays.bodies, slots.size(), new_slots, 1);
  room(arrays.shapes, shape_slots, new_shape_slots, 0);
  arrays.planes.reserve(living_planes + new_planes);
  if (scaled) {
    reserve_scaling(additions, {.worlds = static_cast<std::uint32_t>(worlds.size()),
                                .bodies = static_cast<std::uint32_t>(slots.size() + new_slots),
                                .shapes = static_cast<std::uint32_t>(shape_slots + new_shape_slots)});
  }

  std::uint32_t run_first = 0;
  std::vector<BodyRecord> run;
  const auto flush = [&] {
    if (run.empty()) return;
    upload(run_first, run);
    // a removed body may have left a load in the slot
    memory.zero(arrays.bodies.view().force + run_first, run.size() * sizeof(Vec3));
    memory.zero(arrays.bodies.view().torque + run_first, run.size() * sizeof(Vec3));
    for (std::uint32_t at = run_first; scaled && at < run_first + run.size(); ++at) {
      const BodyScales own;
      memory.upload(arrays.body_bases.view().own + at, &own, sizeof own);
      memory.upload(arrays.body_bases.view().id + at, &slots[at].id, sizeof slots[at].id);
    }
    run.clear();
  };
  std::vector<ShapeGeometry> geometry;
  std::vector<std::uint32_t> owner, material, shape_id;
  const std::uint32_t first_shape = shape_slots;
  const auto add = [&](std::uint32_t index, const Body& body) {
    WorldSlot& world = worlds[index];
    std::uint32_t id = static_cast<std::uint32_t>(world.body_slots.size());
    if (world.free_bodies.empty()) {
      world.body_slots.push_back(static_cast<std::uint32_t>(slots.size()));
      slots.emplace_back();
    } else {
      id = world.free_bodies.back();
      world.free_bodies.pop_back();
    }
    const std::uint32_t at = world.body_slots[id];
    BodySlot& slot = slots[at];
    slot.world = index;
    slot.id = id;
    slot.generation += 1;
    slot.alive = true;
    slot.body = body;
    slot.weigh(world.materials);
    if (run.empty() || at != run_first + run.size()) {
      flush();
      run_first = at;
    }
    run.push_back(record_of(slot, {body.position, body.orientation, body.linear_velocity, body.angular_velocity}, 1));
    slot.shapes.clear();
    bool one_by_one = false;
    for (const Shape& shape : body.shapes) {
      if (world.free_shapes.empty()) {
        slot.shapes.push_back(shape_slots);
        shape_id.push_back(static_cast<std::uint32_t>(world.shape_slots.size()));
        world.shape_slots.push_back(shape_slots++);
        geometry.push_back(geometry_of(shape, slot));
        owner.push_back(at);
        material.push_back(world.material_slots[shape.material]);
      } else {
        slot.shapes.push_back(world.shape_slots[world.free_shapes.back()]);
        world.free_shapes.pop_back();
        one_by_one = true;
      }
    }
    if (one_by_one) upload_shapes(at);
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
      if (std::holds_alternative<Plane>(body.shapes[i].geometry)) world.plane_slots.push_back(slot.shapes[i]);
    }
    world.living += 1;
    living += 1;
    living_shapes += static_cast<std::uint32_t>(body.shapes.size());
    living_planes += static_cast<std::uint32_t>(planes_of(body));
    if (handles != nullptr) handles->push_back({at + 1, slot.generation});
  };
  for (const Addition& addition : additions) {
    for (const Body& body : addition.bodies) add(addition.world, body);
  }
  flush();
  if (!geometry.empty()) {
    const kernels::Shapes& s = arrays.shapes.view();
    memory.upload(s.geometry + first_shape, geometry.data(), geometry.size() * sizeof(geometry[0]));
    if (scaled) {
      memory.upload(arrays.shape_bases.view().geometry + first_shape, geometry.data(),
                    geometry.size() * sizeof(geometry[0]));
    }
    memory.upload(s.body + first_shape, owner.data(), owner.size() * sizeof(owner[0]));
    memory.upload(s.id + first_shape, shape_id.data(), shape_id.size() * sizeof(shape_id[0]));
    memory.upload(s.material + first_shape, material.data(), material.size() * sizeof(material[0]));
  }
  for (const Addition& addition : additions) rescale(addition.world, false);
  high_water.bodies = std::max(high_water.bodies, living);
  high_water.shapes = std::max(high_water.shapes, living_shapes);
}

void World::Impl::remove_body(std::uint32_t at) {
  wake_touched(at, true);
  frames_known = false;
  BodySlot& slot = slots[at];
  WorldSlot& world = worlds[slot.world];
  const kernels::Shapes& s = arrays.shapes.view();
  for (const std::uint32_t shape : slot.shapes) {
    memory.upload(s.body + shape, &kernels::kNone, sizeof kernels::kNone);
    std::uint32_t id = 0;
    memory.download(&id, s.id + shape, sizeof id);
    world.free_shapes.push_back(id);
    std::erase(world.plane_slots, shape);
  }
  if (planes_of(slot.body) != 0) upload_planes();
  const std::uint32_t dead = 0;
  memory.upload(arrays.bodies.view().flags + at, &dead, sizeof dead);
  living -= 1;
  world.living -= 1;
  living_shapes -= static_cast<std::uint32_t>(slot.shapes.size());
  living_planes -= static_cast<std::uint32_t>(planes_of(slot.body));
  slot.alive = false;
  slot.shapes.clear();
  slot.body = {};
  world.free_bodies.push_back(slot.id);
}

void World::Impl::rebuild(std::span<const std::uint32_t> changed, std::span<const BodyState> states) {
  const exec::ExactFloats exact;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const std::uint32_t at = changed[i];
    BodySlot& slot = slots[at];
    const MassProperties before = slot.mass;
    slot.weigh(worlds[slot.world].materials);
    // anchors are relative to the centre of mass
    if (slot.mass.centre_of_mass != before.centre_of_mass || !(slot.mass.axes == before.axes)) wake_touched(at, true);
    // the velocity is that of the centre of mass, wherever that is now
    BodyState moved = states[i];
    const float size = scales_at(at).size;
    moved.linear_velocity = slot.velocity_at_centre(before, moved, size);
    const BodyRecord record = record_of(slot, moved, size);
    upload(at, std::span(&record, 1));
    upload_shapes(at);
  }
  starts_known = frames_known = false;
  if (!changed.empty()) rescale(slots[changed[0]].world, false);
}

std::uint32_t World::world_count() const { return static_cast<std::uint32_t>(impl_->worlds.size()); }
std::uint32_t World::world_of(BodyHandle body) const { return impl_->slots[impl_->slot_of(body)].world; }

std::vector<BodyHandle> World::bodies() const {
  std::vector<BodyHandle> handles;
  handles.reserve(impl_->living);
  impl_->each_body([&](std::uint32_t at) { handles.push_back({at + 1, impl_->slots[at].generation}); });
  return handles;
}

std::vector<BodyHandle> World::bodies(std::uint32_t world) const {
  std::vector<BodyHandle> handles;
  handles.reserve(impl_->world_at(world).living);
  impl_->each_body(world, [&](std::uint32_t at) { handles.push_back({at + 1, impl_->slots[at].generation}); });
  return handles;
}

std::uint32_t World::body_count() const { return impl_->living; }
std::uint32_t World::body_count(std::uint32_t world) const { return impl_->world_at(world).living; }

bool World::alive(BodyHandle body) const {
  return body.index != 0 && body.index <= impl_->slots.size() && impl_->slots[body.index - 1].alive &&
         impl_->slots[body.index - 1].generation == body.generation;
}

const Body& World::description(BodyHandle body) const { return impl_->slots[impl_->slot_of(body)].body; }

BodyHandle World::add_body(const Body& body, std::uint32_t world) {
  const exec::ExactFloats exact;
  validate(body, impl_->world_at(world).materials, label(body));
  impl_->each_body(world, [&](std::uint32_t at) {
    if (impl_->slots[at].body.name == body.name) throw InvalidArgument(label(body) + ": the name is taken");
  });
  std::vector<BodyHandle> handles;
  const Body unit = rules::made_unit(body);
  const Addition addition{world, std::span(&unit, 1)};
  impl_->add_bodies(std::span(&addition, 1), &handles);
  if (planes_of(body) != 0) impl_->upload_planes();
  impl_->note<&World::add_body>(body, world);
  return handles[0];
}

void World::remove_body(BodyHandle body) {
  impl_->remove_body(impl_->slot_of(body));
  impl_->note<&World::remove_body>(body);
}

void World::set_mass(BodyHandle body, float mass) {
  const exec::ExactFloats exact;
  const std::uint32_t at = impl_->slot_of(body);
  Body changed = impl_->slots[at].body;
  if (changed.inertia && changed.mass) {
    const float scale = mass / *changed.mass;
    changed.inertia->moments = {changed.inertia->moments.x * scale, changed.inertia->moments.y * scale,
                                changed.inertia->moments.z * scale};
  }
  changed.mass = mass;
  validate(changed, impl_->worlds[impl_->slots[at].world].materials, label(changed));
  const BodyState now = state(body);
  if (impl_->scaled) impl_->reserve_scaling();
  impl_->wake(at);
  impl_->slots[at].body = changed;
  impl_->rebuild({&at, 1}, {&now, 1});
  impl_->note<&World::set_mass>(body, mass);
}

void World::set_type(BodyHandle body, BodyType type) {
  const std::uint32_t at = impl_->slot_of(body);
  Body changed = impl_->slots[at].body;
  BodyState now = state(body);
  changed.type = type;
  if (type == BodyType::kStatic) {
    changed.linear_velocity = changed.angular_velocity = {};
    now.linear_velocity = now.angular_velocity = {};
  }
  validate(changed, impl_->worlds[impl_->slots[at].world].materials, label(changed));
  if (impl_->scaled) impl_->reserve_scaling();
  impl_->wake_touched(at, true);
  impl_->slots[at].body = changed;
  impl_->rebuild({&at, 1}, {&now, 1});
  impl_->note<&World::set_type>(body, type);
}

}  // namespace cairn
