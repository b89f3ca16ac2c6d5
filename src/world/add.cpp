// Adding bodies to a World: first memory for all of them, then their slots.

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {

/// Numbers are given only once: remaining contacts of a removed surface must not be taken for another's.
void check_triangles(std::uint64_t next) {
  if (next < kernels::kNone) return;
  throw CapacityError("triangles of surfaces: a World gives " +
                      std::to_string(kernels::kNone - kernels::kFirstTriangle) +
                      " numbers in its life, those of surfaces that were removed too, and they have run out");
}

void World::Impl::check_fixed(const char* what, std::uint32_t fixed, std::size_t needed) const {
  check_slots(what, needed);
  if (options.capacity.on_overflow == OnOverflow::kGrow || fixed == 0 || needed <= fixed) return;
  throw CapacityError(std::string("Capacity::") + what + " is fixed at " + std::to_string(fixed) +
                      ", and the world would need " + std::to_string(needed) + "; nothing was added");
}

void World::Impl::make_room_for(std::span<const Addition> additions) {
  std::size_t new_slots = 0, new_shape_slots = 0, new_planes = 0, new_surfaces = 0;
  std::uint64_t new_triangles = 0;
  for (const Addition& addition : additions) {
    const WorldSlot& world = worlds[addition.world];
    std::size_t new_shapes = 0;
    for (const Body& body : addition.bodies) {
      new_shapes += shape::part_count(body);
      new_planes += planes_of(body);
      new_surfaces += surfaces_of(body);
      for (const Shape& shape : body.shapes) new_triangles += triangles_of(shape.geometry);
    }
    // a world's free slots are free for that world only
    new_slots += addition.bodies.size() - std::min(world.free_bodies.size(), addition.bodies.size());
    new_shape_slots += new_shapes - std::min(world.free_shapes.size(), new_shapes);
  }
  check_fixed("bodies", options.capacity.bodies, slots.size() + new_slots);
  check_fixed("shapes", options.capacity.shapes, shape_slots + new_shape_slots);
  check_triangles(next_triangle + new_triangles);
  const auto room = [&](auto& table, std::size_t used, std::size_t more, std::size_t spare) {
    if (used + more + spare > table.capacity())
      table.reserve(used + more + spare + (used == 0 ? 0 : (used + more) / 2));
  };
  room(arrays.bodies, slots.size(), new_slots, 1);
  room(arrays.shapes, shape_slots, new_shape_slots, 0);
  arrays.planes.reserve(living_planes + new_planes);
  arrays.surface_first.reserve(surfaces.size() + new_surfaces);
  arrays.surface_shape.reserve(surfaces.size() + new_surfaces);
  for (const Addition& addition : additions) {
    for (const Body& body : addition.bodies) {
      arrays.reserve_points(contact_points(body), next_parity() ^ 1u);
      for (const shape::Part& part : shape::parts_of(body)) arrays.take(part.shape.geometry);
    }
  }
  // so that registered elements don't move
  if (slots.size() + new_slots > slots.capacity()) slots.reserve(slots.size() + new_slots + slots.size() / 2);
  if (scales.begun()) scales.reserve();
}

/// Gives bodies their slots, and uploads their device data in as few pieces as their slots allow.
struct World::Impl::Adding {
  Impl& to;
  const std::uint32_t first_shape{to.shape_slots};  ///< [1] slot of the first new one
  std::uint32_t first_body{0};                      ///< [1] slot of the first of `bodies`
  std::vector<BodyRecord> bodies;                   ///< of neighbouring slots, not uploaded yet
  std::vector<kernels::ShapeGeometry> geometry;     ///< these five: of new shape slots
  std::vector<kernels::ShapeFilter> filter;
  std::vector<std::uint32_t> owner, material, shape_id;

  BodyHandle add(std::uint32_t index, const Body& body);
  void add_shapes(WorldSlot& world, std::uint32_t at);
  void upload_bodies();
  void upload_shapes() const;
};

BodyHandle World::Impl::Adding::add(std::uint32_t index, const Body& body) {
  WorldSlot& world = to.worlds[index];
  std::uint32_t id = static_cast<std::uint32_t>(world.body_slots.size());
  if (world.free_bodies.empty()) {
    to.memory.push(world.body_slots, static_cast<std::uint32_t>(to.slots.size()));
    to.memory.push(to.slots, {});
  } else {
    id = to.memory.pop(world.free_bodies);
  }
  const std::uint32_t at = world.body_slots[id];
  BodySlot& slot = to.slots[at];
  to.memory.keep(slot);
  slot.world = index;
  slot.id = id;
  slot.generation += 1;
  slot.alive = true;
  slot.body = body;
  slot.compute_mass(world.materials);
  if (bodies.empty() || at != first_body + bodies.size()) {
    upload_bodies();
    first_body = at;
  }
  bodies.push_back(record_of(slot, slot.start(), 1));
  add_shapes(world, at);
  to.memory.replace(world.living, world.living + 1);
  to.living += 1;
  to.living_shapes += static_cast<std::uint32_t>(slot.shapes.size());
  to.living_planes += static_cast<std::uint32_t>(planes_of(body));
  to.filters.count(body, 1);
  return {at + 1, slot.generation};
}

void World::Impl::Adding::add_shapes(WorldSlot& world, std::uint32_t at) {
  BodySlot& slot = to.slots[at];
  slot.shapes.clear();
  bool one_by_one = false;
  for (const auto& [of, shape] : shape::parts_of(slot.body)) {
    const bool fresh = world.free_shapes.empty();
    if (fresh) {
      slot.shapes.push_back(to.shape_slots);
      shape_id.push_back(static_cast<std::uint32_t>(world.shape_slots.size()));
      to.memory.push(world.shape_slots, to.shape_slots);
      to.shape_slots += 1;
    } else {
      slot.shapes.push_back(world.shape_slots[to.memory.pop(world.free_shapes)]);
      one_by_one = true;
    }
    const std::uint32_t shape_slot = slot.shapes.back();
    if (std::holds_alternative<Plane>(shape.geometry)) to.memory.push(world.plane_slots, shape_slot);
    if (const std::uint32_t triangles = triangles_of(shape.geometry)) to.number_surface(shape_slot, triangles);
    if (!fresh) continue;
    geometry.push_back(to.geometry(shape, slot, shape_slot));
    filter.push_back(filter_of(shape, of));
    owner.push_back(at);
    material.push_back(world.material_slots[shape.material]);
  }
  if (one_by_one) to.upload_shapes(at);
}

void World::Impl::Adding::upload_bodies() {
  if (bodies.empty()) return;
  to.upload(first_body, bodies);
  exec::start_entries(to.memory, to.arrays.bodies.view(), first_body, bodies.size());
  if (to.scales.begun()) {
    std::vector<std::uint32_t> ids;
    for (const BodyRecord& body : bodies) ids.push_back(body.id);
    to.memory.put(to.arrays.body_bases.view().own + first_body, std::vector<BodyScales>(bodies.size()));
    to.memory.put(to.arrays.body_bases.view().id + first_body, ids);
  }
  bodies.clear();
}

void World::Impl::Adding::upload_shapes() const {
  if (geometry.empty()) return;
  const kernels::Shapes& s = to.arrays.shapes.view();
  const auto put = [&](auto* field, const auto& values) { to.memory.put(field + first_shape, values); };
  put(s.geometry, geometry);
  put(s.filter, filter);
  if (to.scales.begun()) put(to.arrays.shape_bases.view().geometry, geometry);
  put(s.body, owner);
  put(s.id, shape_id);
  put(s.material, material);
}

void World::Impl::add_bodies(std::span<const Addition> additions, std::vector<BodyHandle>* handles) {
  synchronise();
  starts_known = parts_known = frames_known = grains_known = false;
  forget_orders();
  // so that running out of memory changes nothing
  make_room_for(additions);
  Adding adding{*this};
  for (const Addition& addition : additions) {
    for (const Body& body : addition.bodies) {
      const BodyHandle handle = adding.add(addition.world, body);
      if (handles != nullptr) handles->push_back(handle);
    }
  }
  adding.upload_bodies();
  adding.upload_shapes();
  upload_surfaces();
  if (additions.size() == 1) {
    upload_shape_counts(additions[0].world, 1);
  } else {
    upload_shape_counts(0, static_cast<std::uint32_t>(worlds.size()));
  }
  for (const Addition& addition : additions) scales.rescale(addition.world, Rescale::kThere);
  memory.keep(high_water);
  high_water.bodies = std::max(high_water.bodies, living);
  high_water.shapes = std::max(high_water.shapes, living_shapes);
}

void World::Impl::refuse_taken(std::span<const Body> bodies, std::uint32_t world) const {
  std::unordered_set<std::string_view> names;
  const auto taken = [](const Body& body) { throw InvalidArgument(label(body) + ": the name is taken"); };
  for (const Body& body : bodies) {
    if (!body.name.empty() && !names.insert(body.name).second) taken(body);
  }
  if (names.empty()) return;
  each_body(world, [&](std::uint32_t at) {
    if (names.contains(slots[at].body.name)) taken(slots[at].body);
  });
}

void World::Impl::check_group(const char* call, std::span<const Body> bodies, std::uint32_t world) {
  const std::vector<Material>& stuff = worlds[world].materials;
  for (const Body& body : bodies) {
    validate(body, stuff, label(body));
    scales.check_body(call, body, world, stuff, std::nullopt);
  }
  refuse_taken(bodies, world);
}

std::vector<std::uint32_t> World::Impl::add_group(std::uint32_t world, std::span<const Body> bodies,
                                                  std::span<const BodyPair> ignored) {
  std::vector<Body> unit;
  for (const Body& body : bodies) unit.push_back(rules::made_unit(body));
  std::vector<BodyHandle> handles;
  const Addition addition{world, unit};
  add_bodies(std::span(&addition, 1), &handles);
  std::vector<std::uint32_t> at;
  bool planes = false;
  for (const BodyHandle& handle : handles) {
    at.push_back(handle.index - 1);
    planes = planes || planes_of(slots[at.back()].body) != 0;
  }
  if (planes) upload_planes();
  std::vector<std::uint64_t> pairs;
  for (const BodyPair& pair : ignored) {
    const std::uint32_t a = slots[at[pair.a]].id, b = slots[at[pair.b]].id;
    pairs.push_back(std::uint64_t{std::min(a, b)} << 32 | std::max(a, b));
  }
  filters.ignore(world, pairs, true);
  return at;
}

BodyHandle World::add_body(const Body& body, std::uint32_t world) {
  return impl_->call([&]() -> BodyHandle {
    impl_->world_at(world);
    impl_->check_group("add_body", {&body, 1}, world);
    const std::uint32_t at = impl_->add_group(world, {&body, 1}, {})[0];
    impl_->note<&World::add_body>(body, world);
    return {at + 1, impl_->slots[at].generation};
  });
}

}  // namespace cairn
