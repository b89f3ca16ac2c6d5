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
  world.starts_known = world.parts_known = world.frames_known = world.scales_known = world.extremes_known = false;
  world.grains_known = world.masses_known = world.material_rows_known = false;
  if (world.scaled) world.masses.take_any_own();
  world.index_step = ~std::uint64_t{0};
}

void Restore::place_on_device() {
  const kernels::Worlds& w = world.arrays.worlds.view();
  const kernels::Bodies& b = world.arrays.bodies.view();
  const kernels::Shapes& s = world.arrays.shapes.view();

  Columns<kernels::Worlds>::each_pair(w, image.world_columns.view(), [&](auto* field, const auto* column) {
    rewrite(world.memory, field, {0, world.worlds.size()}, [&](auto at) {
      for (const Placement& p : placements) at(p.to) = column[p.from];
    });
  });
  rewrite(world.memory, w.params, {0, world.worlds.size()}, [&](auto at) {
    for (const Placement& p : placements) at(p.to) = kernels::world_params(world.worlds[p.to].params);
  });
  rewrite(world.memory, w.first_bad, {0, world.worlds.size()}, [&](auto at) {
    for (const Placement& p : placements) {
      if (at(p.to) != 0) at(p.to) = ~p.body_slots[~at(p.to)];
    }
  });

  const IndexRange bodies = range_of(placements, &Placement::body_slots);
  Columns<kernels::Bodies>::each_pair(b, image.body_columns.view(), [&](auto* field, const auto* column) {
    rewrite(world.memory, field, bodies, [&](auto at) {
      for (const Placement& p : placements) {
        const IndexRange from = p.ranges.bodies;
        for (std::size_t id = 0; id < from.size(); ++id) at(p.body_slots[id]) = column[from.first + id];
      }
    });
  });
  // other fields of a slot: its world, and zeros where the image has no body
  const auto each_slot = [&](std::uint32_t* field, auto value) {
    rewrite(world.memory, field, bodies, [&](auto at) {
      for (const Placement& p : placements) {
        for (std::size_t id = 0; id < p.body_slots.size(); ++id) {
          std::uint32_t& old = at(p.body_slots[id]);
          old = value(p, id < p.ranges.bodies.size(), old);
        }
      }
    });
  };
  each_slot(b.world, [](const Placement& p, bool, std::uint32_t) { return p.to; });
  // clears the value of a discarded step
  each_slot(b.wake, [](const Placement&, bool, std::uint32_t) { return 0u; });
  each_slot(b.island, [](const Placement& p, bool had, std::uint32_t id) { return had ? p.body_slots[id] : 0; });
  each_slot(b.flags, [](const Placement&, bool had, std::uint32_t flags) { return had ? flags : 0; });

  const IndexRange shapes = range_of(placements, &Placement::shape_slots);
  Columns<kernels::Shapes>::each_pair(s, image.shape_columns.view(), [&](auto* field, const auto* column) {
    rewrite(world.memory, field, shapes, [&](auto at) {
      for (const Placement& p : placements) {
        const IndexRange from = p.ranges.shapes;
        for (std::size_t id = 0; id < from.size(); ++id) at(p.shape_slots[id]) = column[from.first + id];
      }
    });
  });
  // the World's hull, mesh or height field of each shape, and the numbers of its triangles
  const auto refer = [&](auto at) {
    for (const Placement& p : placements) {
      for (const std::uint32_t body : p.body_slots) {
        const BodySlot& slot = world.slots[body];
        const std::vector<shape::Part> parts = shape::parts_of(slot.body);
        for (std::size_t i = 0; i < slot.shapes.size(); ++i) {
          const kernels::ShapeGeometry g = world.geometry(parts[i].shape, slot, slot.shapes[i]);
          at(slot.shapes[i]).data = g.data;
          at(slot.shapes[i]).first = g.first;
        }
      }
    }
  };
  rewrite(world.memory, s.geometry, shapes, refer);
  const auto number = [&](std::uint32_t* field, IndexRange range, std::vector<std::uint32_t> Placement::*slots) {
    rewrite(world.memory, field, range, [&](auto at) {
      for (const Placement& p : placements) {
        for (std::uint32_t id = 0; id < (p.*slots).size(); ++id) at((p.*slots)[id]) = id;
      }
    });
  };
  number(b.id, bodies, &Placement::body_slots);
  rewrite(world.memory, b.generation, bodies, [&](auto at) {
    for (const Placement& p : placements) {
      for (const std::uint32_t slot : p.body_slots) at(slot) = world.slots[slot].generation;
    }
  });
  number(s.id, shapes, &Placement::shape_slots);
  const auto each_shape = [&](std::uint32_t* field, auto value) {
    rewrite(world.memory, field, shapes, [&](auto at) {
      for (const Placement& p : placements) {
        for (const std::uint32_t slot : p.shape_slots) at(slot) = kNone;
        for (const std::uint32_t body : p.body_slots) {
          const std::vector<shape::Part> parts = shape::parts_of(world.slots[body].body);
          for (std::size_t i = 0; i < world.slots[body].shapes.size(); ++i)
            at(world.slots[body].shapes[i]) = value(p, body, parts[i].shape);
        }
      }
    });
  };
  each_shape(s.body, [](const Placement&, std::uint32_t body, const Shape&) { return body; });
  each_shape(s.material,
             [](const Placement& p, std::uint32_t, const Shape& shape) { return p.material_slots[shape.material]; });
  rewrite(world.memory, s.filter, shapes, [&](auto at) {
    for (const Placement& p : placements) {
      for (const std::uint32_t body : p.body_slots) {
        const BodySlot& slot = world.slots[body];
        const std::vector<shape::Part> parts = shape::parts_of(slot.body);
        for (std::size_t i = 0; i < slot.shapes.size(); ++i)
          at(slot.shapes[i]) = filter_of(parts[i].shape, parts[i].of);
      }
    }
  });
  world.upload_planes();
  world.upload_surfaces();
  world.upload_shape_counts(0, static_cast<std::uint32_t>(world.worlds.size()));
  if (world.scaled) place_bases();
  world.upload_materials();
}

/// Bases of the image's bodies at scales of 1, from their descriptions.
void Restore::place_bases() {
  const kernels::BodyBases& to = world.arrays.body_bases.view();
  const IndexRange bodies = range_of(placements, &Placement::body_slots);
  const auto each_body = [&](auto* field, auto value) {
    rewrite(world.memory, field, bodies, [&](auto at) {
      for (const Placement& p : placements) {
        for (std::uint32_t id = 0; id < p.body_slots.size(); ++id) {
          const std::size_t in_image = p.ranges.bodies.first + id;
          const bool had = id < p.ranges.bodies.size() && image.bodies[in_image].alive;
          const BodySlot& slot = world.slots[p.body_slots[id]];
          at(p.body_slots[id]) = value(had ? record_of(slot, {}, 1) : BodyRecord{}, id,
                                       had ? image.bodies[in_image].scales : BodyScales{});
        }
      }
    });
  };
  each_body(to.id, [](const BodyRecord&, std::uint32_t id, BodyScales) { return id; });
  each_body(to.own, [](const BodyRecord&, std::uint32_t, BodyScales own) { return own; });
  each_body(to.inv_mass, [](const BodyRecord& r, std::uint32_t, BodyScales) { return r.inv_mass; });
  each_body(to.inertia, [](const BodyRecord& r, std::uint32_t, BodyScales) { return r.inertia; });
  each_body(to.radius, [](const BodyRecord& r, std::uint32_t, BodyScales) { return r.radius; });
  each_body(to.centre, [](const BodyRecord& r, std::uint32_t, BodyScales) { return r.centre; });
  each_body(to.min_extent, [](const BodyRecord& r, std::uint32_t, BodyScales) { return r.min_extent; });

  const IndexRange shapes = range_of(placements, &Placement::shape_slots);
  rewrite(world.memory, world.arrays.shape_bases.view().geometry, shapes, [&](auto at) {
    for (const Placement& p : placements) {
      for (const std::uint32_t body : p.body_slots) {
        const BodySlot& slot = world.slots[body];
        const std::vector<shape::Part> parts = shape::parts_of(slot.body);
        for (std::size_t i = 0; i < slot.shapes.size(); ++i)
          at(slot.shapes[i]) = world.geometry(parts[i].shape, slot, slot.shapes[i]);
      }
    }
  });
}

}  // namespace cairn::snapshot
