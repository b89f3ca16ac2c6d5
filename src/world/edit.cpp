// Bodies and their shapes: uploading, removing and changing them.

#include <algorithm>

#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {

using kernels::ShapeGeometry;

void World::Impl::upload(std::uint32_t first, std::span<const BodyRecord> records) {
  const kernels::Bodies& b = arrays.bodies.view();
  const auto put = [&](auto* field, auto get) { put_each(field + first, records, get); };
  const auto slot_of = [&](const BodyRecord& r) -> const BodySlot& { return slots[worlds[r.world].body_slots[r.id]]; };
  // bodies added to a frozen world, or changed there, are frozen too
  const std::vector<std::uint32_t> status_of = read(arrays.worlds.view().status, worlds.size());
  put(b.flags, [&](const BodyRecord& r) {
    return r.flags | (slot_of(r).ignores != 0 ? std::uint32_t{kernels::kBodyIgnores} : 0) |
           (status_of[r.world] != 0 ? std::uint32_t{kernels::kBodyFrozen} : 0);
  });
  put(b.world, &BodyRecord::world);
  put(b.id, &BodyRecord::id);
  put(b.generation, [&](const BodyRecord& r) { return slot_of(r).generation; });
  put_motions(b, put);
  put(b.w_known, [](const BodyRecord&) { return kernels::unknown_velocity(); });
  put(b.linear_damping, [&](const BodyRecord& r) { return slot_of(r).body.linear_damping; });
  put(b.angular_damping, [&](const BodyRecord& r) { return slot_of(r).body.angular_damping; });
  put(b.gravity_scale, [&](const BodyRecord& r) { return slot_of(r).body.gravity_scale; });
  // the properties that scales change
  const auto put_base = [&](const auto& to) {
    put(to.inv_mass, &BodyRecord::inv_mass);
    put(to.inertia, &BodyRecord::inertia);
    put(to.radius, &BodyRecord::radius);
    put(to.min_extent, &BodyRecord::min_extent);
  };
  put_base(b);
  scales.forget_derived();
  for (const BodyRecord& r : records) {
    if (masses_known) masses.take(slot_of(r));
  }
  if (!scales.begun()) return;
  put_base(arrays.body_bases.view());
  put(arrays.body_bases.view().centre, &BodyRecord::centre);
}

void World::Impl::upload_shapes(std::uint32_t at) {
  const kernels::Shapes& s = arrays.shapes.view();
  const BodySlot& slot = slots[at];
  const std::vector<shape::Part> parts = shape::parts_of(slot.body);
  for (std::size_t i = 0; i < slot.shapes.size(); ++i) {
    const std::uint32_t shape = slot.shapes[i];
    const Shape& described = parts[i].shape;
    const ShapeGeometry g = geometry(described, slot, shape);
    memory.put(s.geometry + shape, g);
    memory.put(s.filter + shape, filter_of(described, parts[i].of));
    if (scales.begun()) memory.put(arrays.shape_bases.view().geometry + shape, g);
    memory.put(s.body + shape, at);
    memory.put(s.material + shape, worlds[slot.world].material_slots[described.material]);
  }
}

ShapeGeometry World::Impl::geometry(const Shape& part, const BodySlot& owner, std::uint32_t shape) const {
  ShapeGeometry g = geometry_of(part, owner);
  g.data = arrays.solids.index_of(part.geometry);
  if (kernels::is_surface(g.kind)) g.first = surface_of(shape).first;
  return g;
}

void World::Impl::upload_shape_counts(std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint32_t> counts;
  for (std::uint32_t w = first; w < first + count; ++w)
    counts.push_back(static_cast<std::uint32_t>(worlds[w].shape_slots.size()));
  memory.put(arrays.worlds.view().shape_count + first, counts);
}

void World::Impl::remove_body(std::uint32_t at) {
  wake_touched(at, true);
  frames_known = grains_known = false;
  for (Feature* feature : features) feature->forget(at);
  BodySlot& slot = slots[at];
  WorldSlot& world = worlds[slot.world];
  const kernels::Shapes& s = arrays.shapes.view();
  for (const std::uint32_t shape : slot.shapes) {
    memory.put(s.body + shape, kernels::kNone);
    memory.push(world.free_shapes, memory.get(s.id + shape));
  }
  if (planes_of(slot.body) != 0) remove_planes(world, slot.shapes);
  if (surfaces_of(slot.body) != 0) remove_surfaces(slot.shapes);
  memory.clear(arrays.bodies.view().flags + at);
  living -= 1;
  memory.replace(world.living, world.living - 1);
  living_shapes -= static_cast<std::uint32_t>(slot.shapes.size());
  living_planes -= static_cast<std::uint32_t>(planes_of(slot.body));
  memory.keep(slot);
  slot.alive = false;
  slot.shapes.clear();
  slot.body = {};
  memory.push(world.free_bodies, slot.id);
}

void World::Impl::rebuild(std::span<const std::uint32_t> changed, std::span<const BodyState> states) {
  if (changed.empty()) return;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const std::uint32_t at = changed[i];
    BodySlot& slot = slots[at];
    const MassProperties before = slot.mass;
    memory.keep(slot.mass);
    slot.compute_mass(worlds[slot.world].materials);
    // anchors are relative to the centre of mass
    if (slot.mass.centre_of_mass != before.centre_of_mass || !(slot.mass.axes == before.axes)) wake_touched(at, true);
    // the velocity is that of the centre of mass, at its new place
    BodyState moved = states[i];
    const float size = scales.of(at).size;
    moved.linear_velocity = slot.velocity_at_centre(before, moved, size);
    const BodyRecord record = record_of(slot, moved, size);
    upload(at, std::span(&record, 1));
    memory.clear(arrays.bodies.view().quiet_time + at);
    upload_shapes(at);
  }
  starts_known = frames_known = grains_known = false;
  forget_orders();
  scales.rescale(slots[changed[0]].world, Rescale::kThere);
}

void World::remove_body(BodyHandle body) {
  impl_->call([&] {
    impl_->articulations.refuse_part("remove_body", impl_->slot_of(body));
    impl_->remove_body(impl_->slot_of(body));
    impl_->note<&World::remove_body>(body);
  });
}

void World::set_mass(BodyHandle body, float mass) {
  impl_->call([&] {
    impl_->articulations.refuse_link("set_mass", impl_->slot_of(body));
    const std::uint32_t at = impl_->slot_of(body);
    Body changed = impl_->slots[at].body;
    if (changed.inertia && changed.mass) {
      const float scale = mass / *changed.mass;
      for (Vec3* v : {&changed.inertia->moments, &changed.inertia->products})
        *v = {v->x * scale, v->y * scale, v->z * scale};
    }
    // bodies that aren't dynamic have no mass yet
    const double before = impl_->slots[at].mass.mass;
    const double share = before > 0 ? mass / before : (changed.mass ? mass / double{*changed.mass} : 1);
    for (PointMass& point : changed.point_masses) point.mass = static_cast<float>(share * point.mass);
    changed.mass = mass;
    const std::uint32_t world = impl_->slots[at].world;
    validate(changed, impl_->worlds[world].materials, label(changed));
    impl_->scales.check_body("set_mass", changed, world, impl_->worlds[world].materials, at);
    const BodyState now = state(body);
    impl_->wake(at);
    impl_->memory.replace(impl_->slots[at].body, std::move(changed));
    impl_->rebuild({&at, 1}, {&now, 1});
    impl_->note<&World::set_mass>(body, mass);
  });
}

void World::set_body(BodyHandle body, const Body& description) {
  impl_->call([&] {
    const std::uint32_t at = impl_->slot_of(body);
    impl_->articulations.refuse_link("set_body", at);
    const Body& now = impl_->slots[at].body;
    const std::uint32_t world = impl_->slots[at].world;
    Body changed = rules::made_unit(description);
    changed.position = now.position;
    changed.orientation = now.orientation;
    changed.linear_velocity = now.linear_velocity;
    changed.angular_velocity = now.angular_velocity;
    BodyState state = this->state(body);
    if (changed.type == BodyType::kStatic) state.linear_velocity = changed.linear_velocity = {};
    if (changed.type == BodyType::kStatic || (changed.type == BodyType::kDynamic && changed.fixed_rotation))
      state.angular_velocity = changed.angular_velocity = {};
    const auto same_place = [](const Shape& a, const Shape& b) {
      return a.geometry == b.geometry && a.position == b.position && a.orientation == b.orientation &&
             a.sensor == b.sensor;
    };
    if (!std::ranges::equal(changed.shapes, now.shapes, same_place))
      throw InvalidArgument("set_body: " + label(now) + ": its shapes must stay");
    const bool switched = changed.enabled != now.enabled;
    if (switched) impl_->check_switched("set_body", at);
    if (changed.name != now.name) impl_->refuse_taken({&changed, 1}, world);
    validate(changed, impl_->worlds[world].materials, label(changed));
    impl_->scales.check_body("set_body", changed, world, impl_->worlds[world].materials, at);
    impl_->synchronise();
    impl_->arrays.reserve_points(contact_points(changed), impl_->next_parity() ^ 1u);
    impl_->wake_touched(at, changed.type != now.type || switched);
    impl_->filters.count(now, -1);
    impl_->filters.count(changed, 1);
    impl_->memory.replace(impl_->slots[at].body, std::move(changed));
    if (switched) impl_->forget_enabled(at);
    impl_->rebuild({&at, 1}, {&state, 1});
    if (switched) impl_->clear_readings(at);
    impl_->note<&World::set_body>(body, description);
  });
}

void World::set_type(BodyHandle body, BodyType type) {
  impl_->call([&] {
    impl_->articulations.refuse_link("set_type", impl_->slot_of(body));
    const std::uint32_t at = impl_->slot_of(body);
    Body changed = impl_->slots[at].body;
    BodyState now = state(body);
    changed.type = type;
    if (type == BodyType::kStatic) {
      changed.linear_velocity = changed.angular_velocity = {};
      now.linear_velocity = now.angular_velocity = {};
    }
    const std::uint32_t world = impl_->slots[at].world;
    validate(changed, impl_->worlds[world].materials, label(changed));
    impl_->scales.check_body("set_type", changed, world, impl_->worlds[world].materials, at);
    impl_->synchronise();
    impl_->arrays.reserve_points(contact_points(changed), impl_->next_parity() ^ 1u);
    impl_->wake_touched(at, true);
    impl_->memory.replace(impl_->slots[at].body, std::move(changed));
    impl_->rebuild({&at, 1}, {&now, 1});
    impl_->note<&World::set_type>(body, type);
  });
}

}  // namespace cairn
