// Bodies, shapes and materials: adding, removing, changing.

#include <algorithm>

#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

using kernels::BodyFlag;
using kernels::ShapeGeometry;

std::string body_label(const Body& body) { return "body \"" + body.name + "\""; }

}  // namespace

std::uint32_t World::Impl::slot_of(BodyHandle handle) const {
  const std::uint32_t slot = handle.index - 1;
  if (handle.index == 0 || slot >= slots.size() || !slots[slot].alive || slots[slot].generation != handle.generation) {
    throw InvalidArgument("body handle {" + std::to_string(handle.index) + ", " + std::to_string(handle.generation) +
                          "} is null or stale: its body was removed");
  }
  return slot;
}

void World::Impl::upload(std::uint32_t first, std::span<const BodyRecord> records) {
  const kernels::Bodies& b = bodies.view();
  const auto put = [&](auto* field, auto get) {
    std::vector<std::remove_pointer_t<decltype(field)>> values;
    values.reserve(records.size());
    for (const BodyRecord& r : records) values.push_back(get(r));
    memory.upload(field + first, values.data(), values.size() * sizeof(values[0]));
  };
  put(b.flags, [](const BodyRecord& r) { return r.flags; });
  put(b.x, [](const BodyRecord& r) { return r.x; });
  put(b.x_low, [](const BodyRecord& r) { return r.x_low; });
  put(b.q, [](const BodyRecord& r) { return r.q; });
  put(b.v, [](const BodyRecord& r) { return r.v; });
  put(b.w, [](const BodyRecord& r) { return r.w; });
  put(b.w_known, [](const BodyRecord&) { return kUnknown; });
  put(b.inv_mass, [](const BodyRecord& r) { return r.inv_mass; });
  put(b.inertia, [](const BodyRecord& r) { return r.inertia; });
  put(b.linear_damping, [](const BodyRecord& r) { return r.linear_damping; });
  put(b.angular_damping, [](const BodyRecord& r) { return r.angular_damping; });
  put(b.radius, [](const BodyRecord& r) { return r.radius; });
  put(b.least_extent, [](const BodyRecord& r) { return r.least_extent; });
  memory.zero(b.quiet_time + first, records.size() * sizeof(float));
}

void World::Impl::add_bodies(std::span<const Body> added, std::vector<BodyHandle>* handles) {
  synchronise();
  std::size_t new_shapes = 0, new_planes = 0;
  for (const Body& body : added) {
    new_shapes += body.shapes.size();
    for (const Shape& shape : body.shapes) new_planes += std::holds_alternative<Plane>(shape.geometry) ? 1 : 0;
  }
  const auto check_fixed = [&](const char* what, std::uint32_t fixed, std::size_t needed) {
    if (!options.capacity.fixed || fixed == 0 || needed <= fixed) return;
    throw CapacityError(std::string("Capacity::") + what + " is fixed at " + std::to_string(fixed) + ", and the world would need " +
                        std::to_string(needed) + "; nothing was added");
  };
  check_fixed("bodies", options.capacity.bodies, living + added.size());
  check_fixed("shapes", options.capacity.shapes, living_shapes + new_shapes);
  // room first, so that running out of memory changes nothing
  const auto room = [&](auto& table, std::size_t used, std::size_t more, std::size_t spare) {
    if (used + more + spare > table.capacity()) table.reserve(used + more + spare + (used == 0 ? 0 : (used + more) / 2));
  };
  const std::size_t reused = std::min(free_slots.size(), added.size());
  room(bodies, slots.size(), added.size() - reused, 1);
  room(shapes, shape_slots, new_shapes - std::min(free_shapes.size(), new_shapes), 0);
  planes.reserve(plane_slots.size() + new_planes);

  std::uint32_t run_first = 0;
  std::vector<BodyRecord> run;
  const auto flush = [&] {
    if (run.empty()) return;
    upload(run_first, run);
    // a removed body may have left a load in the slot
    memory.zero(bodies.view().force + run_first, run.size() * sizeof(Vec3));
    memory.zero(bodies.view().torque + run_first, run.size() * sizeof(Vec3));
    run.clear();
  };
  std::vector<ShapeGeometry> geometry;
  std::vector<std::uint32_t> owner, material;
  const std::uint32_t first_shape = shape_slots;
  for (const Body& body : added) {
    std::uint32_t at = static_cast<std::uint32_t>(slots.size());
    if (free_slots.empty()) {
      slots.emplace_back();
    } else {
      at = free_slots.back();
      free_slots.pop_back();
    }
    BodySlot& slot = slots[at];
    slot.generation += 1;
    slot.alive = true;
    slot.body = body;
    names.insert(body.name);
    slot.weigh(materials);
    if (run.empty() || at != run_first + run.size()) {
      flush();
      run_first = at;
    }
    run.push_back(record_of(slot, {body.position, body.orientation, body.linear_velocity, body.angular_velocity}));
    slot.shapes.clear();
    bool one_by_one = false;
    for (const Shape& shape : body.shapes) {
      if (free_shapes.empty()) {
        slot.shapes.push_back(shape_slots++);
        geometry.push_back(geometry_of(shape, slot));
        owner.push_back(at);
        material.push_back(shape.material);
      } else {
        slot.shapes.push_back(free_shapes.back());
        free_shapes.pop_back();
        one_by_one = true;
      }
    }
    if (one_by_one) upload_shapes(at);
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
      if (std::holds_alternative<Plane>(body.shapes[i].geometry)) plane_slots.push_back(slot.shapes[i]);
    }
    living += 1;
    living_shapes += static_cast<std::uint32_t>(body.shapes.size());
    if (handles != nullptr) handles->push_back({at + 1, slot.generation});
  }
  flush();
  if (!geometry.empty()) {
    const kernels::Shapes& s = shapes.view();
    memory.upload(s.geometry + first_shape, geometry.data(), geometry.size() * sizeof(geometry[0]));
    memory.upload(s.body + first_shape, owner.data(), owner.size() * sizeof(owner[0]));
    memory.upload(s.material + first_shape, material.data(), material.size() * sizeof(material[0]));
  }
  upload_planes();
  high_water.bodies = std::max(high_water.bodies, living);
  high_water.shapes = std::max(high_water.shapes, living_shapes);
}

void World::Impl::upload_shapes(std::uint32_t at) {
  const kernels::Shapes& s = shapes.view();
  const BodySlot& slot = slots[at];
  for (std::size_t i = 0; i < slot.shapes.size(); ++i) {
    const std::uint32_t shape = slot.shapes[i];
    const ShapeGeometry g = geometry_of(slot.body.shapes[i], slot);
    memory.upload(s.geometry + shape, &g, sizeof g);
    memory.upload(s.body + shape, &at, sizeof at);
    memory.upload(s.material + shape, &slot.body.shapes[i].material, sizeof(std::uint32_t));
  }
}

void World::Impl::upload_planes() {
  if (!plane_slots.empty()) memory.upload(planes.data(), plane_slots.data(), plane_slots.size() * sizeof(std::uint32_t));
}

void World::Impl::upload_materials() {
  std::vector<kernels::ContactMaterial> table;
  for (const Material& m : materials) table.push_back({m.friction, m.restitution, m.rolling_friction});
  memory.upload(material_table.data(), table.data(), table.size() * sizeof(table[0]));
}

void World::Impl::check_material_name(const Material& material, std::size_t index) const {
  for (std::size_t i = 0; i < materials.size(); ++i) {
    if (i != index && materials[i].name == material.name) throw InvalidArgument("material \"" + material.name + "\": the name is taken");
  }
}

std::vector<std::uint32_t> World::Impl::weighed_by(std::uint32_t material) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    const Body& body = slots[i].body;
    if (!slots[i].alive || body.type != BodyType::kDynamic || body.density) continue;
    if (std::any_of(body.shapes.begin(), body.shapes.end(), [&](const Shape& s) { return s.material == material; })) found.push_back(i);
  }
  return found;
}

void World::Impl::remove_body(std::uint32_t at) {
  wake_touched(at, true);
  BodySlot& slot = slots[at];
  const kernels::Shapes& s = shapes.view();
  for (const std::uint32_t shape : slot.shapes) {
    memory.upload(s.body + shape, &kernels::kNone, sizeof kernels::kNone);
    free_shapes.push_back(shape);
    std::erase(plane_slots, shape);
  }
  upload_planes();
  const std::uint32_t dead = 0;
  memory.upload(bodies.view().flags + at, &dead, sizeof dead);
  living -= 1;
  living_shapes -= static_cast<std::uint32_t>(slot.shapes.size());
  slot.alive = false;
  slot.shapes.clear();
  names.erase(slot.body.name);
  slot.body = {};
  free_slots.push_back(at);
}

void World::Impl::rebuild(std::uint32_t at, const BodyState& now) {
  BodySlot& slot = slots[at];
  const MassProperties before = slot.mass;
  slot.weigh(materials);
  // anchors are relative to the centre of mass
  if (slot.mass.centre_of_mass != before.centre_of_mass || !(slot.mass.axes == before.axes)) wake_touched(at, true);
  // the velocity is that of the centre of mass, wherever that is now
  BodyState moved = now;
  moved.linear_velocity = slot.velocity_at_centre(before, now);
  const BodyRecord record = record_of(slot, moved);
  upload(at, std::span(&record, 1));
  upload_shapes(at);
}

void World::Impl::index_contacts() {
  const std::uint32_t last = next_parity() ^ 1u;
  if (index_step == steps && index_begin.size() == std::size_t{shape_slots} + 1) return;
  index_key = read(pairs[last].view().key, state.get(0).pair_count[last]);
  index_begin.assign(std::size_t{shape_slots} + 1, 0);
  const auto each_end = [&](auto f) {
    for (std::uint32_t p = 0; p < index_key.size(); ++p) {
      f(static_cast<std::uint32_t>(index_key[p] >> 32), p);
      f(static_cast<std::uint32_t>(index_key[p]), p);
    }
  };
  each_end([&](std::uint32_t shape, std::uint32_t) { ++index_begin[shape + 1]; });
  for (std::size_t i = 1; i < index_begin.size(); ++i) index_begin[i] += index_begin[i - 1];
  index_pair.resize(index_begin.back());
  std::vector<std::uint32_t> next(index_begin.begin(), index_begin.end() - 1);
  each_end([&](std::uint32_t shape, std::uint32_t p) { index_pair[next[shape]++] = p; });
  index_step = steps;
}

void World::Impl::wake_touched(std::uint32_t at, bool drop) {
  synchronise();
  wake(at);
  index_contacts();
  kernels::Manifold* manifolds = pairs[next_parity() ^ 1u].view().manifold;
  const std::uint32_t none = 0;
  for (const std::uint32_t shape : slots[at].shapes) {
    for (std::uint32_t i = index_begin[shape]; i < index_begin[shape + 1]; ++i) {
      const std::uint32_t pair = index_pair[i];
      std::uint32_t count = 0;
      memory.download(&count, &manifolds[pair].count, sizeof count);
      if (count == 0) continue;
      if (drop) memory.upload(&manifolds[pair].count, &none, sizeof none);
      const std::uint32_t a = static_cast<std::uint32_t>(index_key[pair] >> 32), b = static_cast<std::uint32_t>(index_key[pair]);
      std::uint32_t other = 0;
      memory.download(&other, shapes.view().body + (a == shape ? b : a), sizeof other);
      if (other != kernels::kNone) wake(other);
    }
  }
}

void World::Impl::drop_all_contacts() {
  synchronise();
  const std::uint32_t none = 0;
  memory.upload(&state.data()->pair_count[next_parity() ^ 1u], &none, sizeof none);
  index_step = ~std::uint64_t{0};
  wake_all();
}

void World::Impl::wake(std::uint32_t at) {
  const kernels::Bodies& b = bodies.view();
  std::uint32_t flags = 0, island = 0;
  memory.download(&flags, b.flags + at, sizeof flags);
  if ((flags & BodyFlag::kBodyAsleep) == 0) {
    const float zero = 0;
    memory.upload(b.quiet_time + at, &zero, sizeof zero);
    return;
  }
  memory.download(&island, b.island + at, sizeof island);
  std::vector<std::uint32_t> all_flags = read(b.flags, slots.size());
  const std::vector<std::uint32_t> islands = read(b.island, slots.size());
  std::vector<float> quiet = read(b.quiet_time, slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if ((all_flags[i] & BodyFlag::kBodyAsleep) == 0 || islands[i] != island) continue;
    all_flags[i] &= ~std::uint32_t{BodyFlag::kBodyAsleep};
    quiet[i] = 0;
  }
  memory.upload(b.flags, all_flags.data(), all_flags.size() * sizeof(all_flags[0]));
  memory.upload(b.quiet_time, quiet.data(), quiet.size() * sizeof(quiet[0]));
}

void World::Impl::wake_all() {
  if (slots.empty()) return;
  const kernels::Bodies& b = bodies.view();
  std::vector<std::uint32_t> flags = read(b.flags, slots.size());
  for (std::uint32_t& f : flags) f &= ~std::uint32_t{BodyFlag::kBodyAsleep};
  memory.upload(b.flags, flags.data(), flags.size() * sizeof(flags[0]));
  memory.zero(b.quiet_time, slots.size() * sizeof(float));
}

std::vector<BodyHandle> World::bodies() const {
  std::vector<BodyHandle> handles;
  handles.reserve(impl_->living);
  for (std::uint32_t i = 0; i < impl_->slots.size(); ++i) {
    if (impl_->slots[i].alive) handles.push_back({i + 1, impl_->slots[i].generation});
  }
  return handles;
}

std::uint32_t World::body_count() const { return impl_->living; }

bool World::alive(BodyHandle body) const {
  return body.index != 0 && body.index <= impl_->slots.size() && impl_->slots[body.index - 1].alive &&
         impl_->slots[body.index - 1].generation == body.generation;
}

const Body& World::description(BodyHandle body) const { return impl_->slots[impl_->slot_of(body)].body; }

BodyHandle World::add_body(const Body& body) {
  validate(body, impl_->materials, body_label(body));
  if (impl_->names.contains(body.name)) throw InvalidArgument(body_label(body) + ": the name is taken");
  std::vector<BodyHandle> handles;
  const Body unit = rules::made_unit(body);
  impl_->add_bodies(std::span(&unit, 1), &handles);
  return handles[0];
}

void World::remove_body(BodyHandle body) { impl_->remove_body(impl_->slot_of(body)); }

const std::vector<Material>& World::materials() const { return impl_->materials; }

std::uint32_t World::add_material(const Material& material) {
  validate(material, "material \"" + material.name + "\"");
  impl_->check_material_name(material, impl_->materials.size());
  impl_->synchronise();
  impl_->material_table.reserve(impl_->materials.size() + 1);
  impl_->materials.push_back(material);
  impl_->upload_materials();
  return static_cast<std::uint32_t>(impl_->materials.size() - 1);
}

void World::set_material(std::uint32_t index, const Material& material) {
  if (index >= impl_->materials.size()) {
    throw InvalidArgument("material index " + std::to_string(index) + ": there are " + std::to_string(impl_->materials.size()));
  }
  validate(material, "material \"" + material.name + "\"");
  impl_->check_material_name(material, index);
  // bodies whose weight hangs on the material's density are weighed anew
  std::vector<std::uint32_t> changed;
  if (material.density != impl_->materials[index].density) changed = impl_->weighed_by(index);
  std::vector<Material> materials = impl_->materials;
  materials[index] = material;
  std::vector<BodyState> states;
  for (const std::uint32_t at : changed) {
    const Body& body = impl_->slots[at].body;
    validate(body, materials, body_label(body));
    states.push_back(state({at + 1, impl_->slots[at].generation}));
  }
  impl_->synchronise();
  impl_->materials = std::move(materials);
  impl_->upload_materials();
  impl_->wake_all();
  for (std::size_t i = 0; i < changed.size(); ++i) impl_->rebuild(changed[i], states[i]);
}

void World::set_mass(BodyHandle body, float mass) {
  const std::uint32_t at = impl_->slot_of(body);
  Body changed = impl_->slots[at].body;
  if (changed.inertia && changed.mass) {
    const float scale = mass / *changed.mass;
    changed.inertia->moments = {changed.inertia->moments.x * scale, changed.inertia->moments.y * scale,
                                changed.inertia->moments.z * scale};
  }
  changed.mass = mass;
  validate(changed, impl_->materials, body_label(changed));
  const BodyState now = state(body);
  impl_->wake(at);
  impl_->slots[at].body = changed;
  impl_->rebuild(at, now);
}

void World::set_body_material(BodyHandle body, std::uint32_t material) {
  const std::uint32_t at = impl_->slot_of(body);
  BodySlot& slot = impl_->slots[at];
  Body changed = slot.body;
  // the mass stays what it was
  if (changed.type == BodyType::kDynamic && !changed.mass) changed.mass = static_cast<float>(slot.mass.mass);
  for (Shape& shape : changed.shapes) shape.material = material;
  validate(changed, impl_->materials, body_label(changed));
  const BodyState now = state(body);
  // what lay still by friction may no longer
  impl_->wake_touched(at, false);
  slot.body = changed;
  impl_->rebuild(at, now);
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
  validate(changed, impl_->materials, body_label(changed));
  impl_->wake_touched(at, true);
  impl_->slots[at].body = changed;
  impl_->rebuild(at, now);
}

void World::wake(BodyHandle body) {
  const std::uint32_t at = impl_->slot_of(body);
  impl_->synchronise();
  impl_->wake(at);
}

bool World::asleep(BodyHandle body) const {
  const std::uint32_t at = impl_->slot_of(body);
  impl_->synchronise();
  std::uint32_t flags = 0;
  impl_->memory.download(&flags, impl_->bodies.view().flags + at, sizeof flags);
  return (flags & BodyFlag::kBodyAsleep) != 0;
}

}  // namespace cairn
