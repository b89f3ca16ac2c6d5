// Places of an image's data in a World.

#include "src/snapshot/restore.h"

namespace cairn::snapshot {

using kernels::kNone;

void Restore::place_on_host() {
  for (const Placement& p : placements) {
    const WorldPart& part = image.worlds[p.from];
    WorldSlot& to = world.worlds[p.to];
    if (!whole) world.memory.keep(to);
    to.origin = part.origin;
    to.params = part.params;
    to.limits = image.world_columns.view().limits[p.from];
    to.materials = part.materials;
    to.material_slots = p.material_slots;
    to.body_slots = p.body_slots;
    to.shape_slots = p.shape_slots;
    to.free_bodies = free_ids(part.bodies, p.body_slots.size(), part.free_bodies);
    to.free_shapes = free_ids(part.shapes, p.shape_slots.size(), part.free_shapes);
    to.plane_slots.clear();
    for (const std::uint32_t plane : part.planes) to.plane_slots.push_back(p.shape_slots[plane]);
    to.living = part.bodies - static_cast<std::uint32_t>(part.free_bodies.size());
    for (std::size_t i = 0; i < p.material_slots.size(); ++i) {
      world.materials[p.material_slots[i]] =
          i < part.contact_materials.size() ? part.contact_materials[i] : kernels::ContactMaterial{};
    }
    for (std::uint32_t id = 0; id < p.body_slots.size(); ++id) {
      BodySlot& slot = world.slots[p.body_slots[id]];
      if (!whole) world.memory.keep(slot);
      slot.world = p.to;
      slot.id = id;
      slot.shapes.clear();
      slot.joints.clear();
      slot.ignores = 0;
      if (id >= part.bodies) {
        slot.alive = false;
        slot.body = {};
        continue;
      }
      const BodyPart& body = image.bodies[p.ranges.bodies.first + id];
      slot.generation = body.generation;
      slot.alive = body.alive;
      slot.body = body.body;
      slot.mass = body.mass;
      for (const std::uint32_t shape : body.shapes) slot.shapes.push_back(p.shape_slots[shape]);
    }
  }
  world.living = world.living_shapes = world.living_planes = 0;
  for (const WorldSlot& each : world.worlds) {
    world.living += each.living;
    world.living_planes += static_cast<std::uint32_t>(each.plane_slots.size());
  }
  for (const BodySlot& slot : world.slots) world.living_shapes += static_cast<std::uint32_t>(slot.shapes.size());
  world.starts_known = world.parts_known = world.frames_known = false;
  world.grains_known = world.masses_known = world.material_rows_known = false;
  world.index_step = ~std::uint64_t{0};
}

template <class View>
void Restore::place_columns(const View& to, const Columns<View>& from, std::vector<std::uint32_t> Placement::*slots,
                            IndexRange Image::Ranges::*range) const {
  Columns<View>::each_pair(to, from.view(), [&](auto* field, const auto* column) {
    place(field, slots, [&](const Placement& p, std::uint32_t id, const auto& present) {
      const IndexRange in_image = p.ranges.*range;
      return id < in_image.size() ? column[in_image.first + id] : present;
    });
  });
}

void Restore::place_on_device() {
  const kernels::Worlds& w = world.arrays.worlds.view();
  const kernels::Bodies& b = world.arrays.bodies.view();
  const kernels::Shapes& s = world.arrays.shapes.view();

  const auto place_worlds = [&](auto* field, auto value) {
    rewrite(world.memory, field, {0, world.worlds.size()}, [&](auto at) {
      for (const Placement& p : placements) at(p.to) = value(p, at(p.to));
    });
  };
  Columns<kernels::Worlds>::each_pair(w, image.world_columns.view(), [&](auto* field, const auto* column) {
    place_worlds(field, [&](const Placement& p, const auto&) { return column[p.from]; });
  });
  place_worlds(w.params,
               [&](const Placement& p, const auto&) { return kernels::world_params(world.worlds[p.to].params); });
  place_worlds(w.first_bad, [](const Placement& p, std::uint32_t bad) { return bad != 0 ? ~p.body_slots[~bad] : 0; });

  place_columns(b, image.body_columns, &Placement::body_slots, &Image::Ranges::bodies);
  // other fields of a slot, with zeros where the image has no body
  const auto place_bodies = [&](std::uint32_t* field, auto value) { place(field, &Placement::body_slots, value); };
  const auto had = [](const Placement& p, std::uint32_t id) { return id < p.ranges.bodies.size(); };
  place_bodies(b.world, [](const Placement& p, std::uint32_t, std::uint32_t) { return p.to; });
  place_bodies(b.id, [](const Placement&, std::uint32_t id, std::uint32_t) { return id; });
  place_bodies(b.generation, [&](const Placement& p, std::uint32_t id, std::uint32_t) {
    return world.slots[p.body_slots[id]].generation;
  });
  // clears the value of a discarded step
  place_bodies(b.wake, [](const Placement&, std::uint32_t, std::uint32_t) { return 0u; });
  place_bodies(b.island, [&](const Placement& p, std::uint32_t id, std::uint32_t island) {
    return had(p, id) ? p.body_slots[island] : 0;
  });
  place_bodies(b.flags,
               [&](const Placement& p, std::uint32_t id, std::uint32_t flags) { return had(p, id) ? flags : 0; });

  place_columns(s, image.shape_columns, &Placement::shape_slots, &Image::Ranges::shapes);
  const auto place_shapes = [&](std::uint32_t* field, auto value) { place(field, &Placement::shape_slots, value); };
  place_shapes(s.id, [](const Placement&, std::uint32_t id, std::uint32_t) { return id; });
  for (std::uint32_t* const field : {s.body, s.material}) {
    place_shapes(field, [](const Placement&, std::uint32_t, std::uint32_t) { return kNone; });
  }
  place_parts(s.body, [](const PlacedPart& of, std::uint32_t) { return of.body; });
  place_parts(s.material,
              [](const PlacedPart& of, std::uint32_t) { return of.placement.material_slots[of.part.shape.material]; });
  place_parts(s.filter, [](const PlacedPart& of, const auto&) { return filter_of(of.part.shape, of.part.of); });
  // the World's hull, mesh or height field of each shape, and the numbers of its triangles
  place_parts(s.geometry, [&](const PlacedPart& of, kernels::ShapeGeometry present) {
    const kernels::ShapeGeometry described = geometry_of_part(of);
    present.data = described.data;
    present.first = described.first;
    return present;
  });
  world.upload_planes();
  world.upload_surfaces();
  world.upload_shape_counts(0, static_cast<std::uint32_t>(world.worlds.size()));
}

kernels::ShapeGeometry Restore::geometry_of_part(const PlacedPart& of) const {
  return world.geometry(of.part.shape, world.slots[of.body], of.shape);
}

}  // namespace cairn::snapshot
