// World -> image.

#include <algorithm>
#include <unordered_map>

#include "src/exec/exact_floats.h"
#include "src/snapshot/unread.h"
#include "src/world/impl.h"

namespace cairn {

using kernels::kNone;

namespace {

/// Downloads the elements of a field at these slots.
template <class Field, class T>
void gather(exec::Memory& memory, Field field, const std::vector<std::uint32_t>& slots, T* to) {
  if (slots.empty()) return;
  const auto [low, high] = std::minmax_element(slots.begin(), slots.end());
  exec::point_to(field, &field[*low]);
  const std::vector<T> found = exec::read(memory, field, *high - *low + std::size_t{1});
  for (std::size_t i = 0; i < slots.size(); ++i) to[i] = found[slots[i] - *low];
}

template <class View>
void gather(exec::Memory& memory, const View& table, const std::vector<std::uint32_t>& slots,
            snapshot::Columns<View>& to) {
  to.resize(slots.size());
  snapshot::Columns<View>::each_pair(to.view(), table,
                                     [&](auto& into, auto& field) { gather(memory, field, slots, &into[0]); });
}

/// The other way of a list of slots: ids by slot, kNone for those that aren't in it.
std::vector<std::uint32_t> ids_of(const std::vector<std::vector<std::uint32_t>>& slots, std::size_t count) {
  std::vector<std::uint32_t> ids(count, kNone);
  for (const auto& world : slots) {
    for (std::uint32_t id = 0; id < world.size(); ++id) ids[world[id]] = id;
  }
  return ids;
}

}  // namespace

void World::Impl::capture_joints(const std::vector<std::uint32_t>& slots_of_world,
                                 std::vector<snapshot::JointPart>& to) const {
  std::vector<kernels::JointMemory> memories(slots_of_world.size());
  std::vector<kernels::JointResult> results(slots_of_world.size());
  gather(memory, arrays.joints.view().memory, slots_of_world, memories.data());
  gather(memory, arrays.joints.view().result, slots_of_world, results.data());
  for (std::size_t id = 0; id < slots_of_world.size(); ++id) {
    const auto& [world, own_id, generation, alive, joint, followers] = joint_slots[slots_of_world[id]];
    // world and id are told by the place in the image, followers by the gears
    to.push_back({slots_of_world[id], generation, alive, joint, memories[id], results[id]});
  }
}

void World::Impl::capture_articulations(snapshot::Image& image, std::uint32_t first) const {
  const std::vector<ArticulationMotion> motions = articulations.motions();
  std::unordered_map<const SceneArticulation*, std::uint32_t> number_of;
  for (std::uint32_t w = 0; w < image.worlds.size(); ++w) {
    for (const std::uint32_t at : articulations.slots_of(first + w)) {
      const auto& [world, bodies, of, kind, lane] = articulations.all()[at];
      // world is told by the place in the image; bodies, kind and lane follow
      std::uint32_t number = kNone;
      if (of != nullptr) {
        const auto next = static_cast<std::uint32_t>(image.articulations.size());
        number = number_of.emplace(of.get(), next).first->second;
        if (number == next) image.articulations.push_back(of);
      }
      image.worlds[w].articulations.push_back({at, number, motions[at]});
    }
  }
}

void World::Impl::capture_particles(snapshot::Image& image, std::uint32_t first,
                                    const std::vector<std::uint32_t>& body_id) const {
  std::unordered_map<const ParticleSet*, std::uint32_t> number_of;
  const auto ids = [&](std::vector<std::uint32_t> of) {
    for (std::uint32_t& at : of) at = at == kNone ? kNone : body_id[at];
    return of;
  };
  const std::vector<std::uint32_t> broken = constraints.read_broken();
  for (const ParticlesSlot& slot : constraints.all()) {
    // `first` of a slot follows
    if (slot.world < first || slot.world - first >= image.worlds.size()) continue;
    const auto next = static_cast<std::uint32_t>(image.particles.size());
    const std::uint32_t number = number_of.emplace(slot.of.get(), next).first->second;
    if (number == next) image.particles.push_back(slot.of);
    image.worlds[slot.world - first].particles.push_back(
        {number, ids(slot.bodies), ids(slot.held_by), slot.anchors, constraints.broken(slot, broken)});
  }
}

snapshot::Image World::Impl::image_of(std::uint32_t first, std::uint32_t count) {
  synchronise();
  // all that a world is, by name: what is added to it doesn't compile here until it is said below where it goes
  auto& [of_options, of_params, of_backend, of_memory, of_worlds, of_materials, of_slots, of_living, of_shape_slots,
         of_living_shapes, of_living_planes, of_living_filters, of_living_sensors, of_ignored_pairs, of_surfaces,
         of_next_triangle, of_joint_slots, of_living_joints, of_gears, of_arrays, of_articulations, of_constraints,
         of_fluids, of_fields, of_query_store, of_brute_queries, of_starts_known, of_parts_known, of_joints_known,
         of_constraints_known, of_fields_known, of_grains_known, of_rayleigh, of_rayleigh_of, of_part_of_world,
         of_frames_known, of_captured, of_scaled, of_scales_due, of_scales_known, of_known_scales, of_extremes_known,
         of_extremes, of_masses_known, of_masses, of_steps, of_pending, of_pending_masks, of_time, of_last_h, of_status,
         of_high_water, of_stage_ms, of_stage_hash, of_marks, of_log, of_log_due, of_in_call, of_index_step,
         of_index_begin, of_index_pair, of_index_key] = *this;
  // left out: joint_slots are kept with each world, gears follow; next_triangle, for numbers begin again; options,
  // backend, memory, brute_queries and the user's graph, of which `captured` tells, are the machine's; query_store,
  // fluids, fields, living*, ignored_pairs, *_known, known_*, rayleigh*, extremes, masses and index* follow; nothing is
  // pending nor due, for a call begins with that; stage_* and marks tell of how the last step was watched, and the log
  // of what was recorded
  auto [device_worlds, device_bodies, device_shapes, device_pairs] = snapshot::lasting_tables(of_arrays);
  const std::uint32_t parity = next_parity() ^ 1u;
  const kernels::StepState state = of_arrays.state.get(0);

  snapshot::Image image;
  image.batch.params = of_params;
  image.batch.steps = of_steps;
  image.batch.time = of_time;
  image.batch.last_h = of_last_h;
  image.batch.status = of_status | state.status;
  image.batch.high_water = of_high_water;
  image.batch.high_water.pairs = state.max_pairs;
  image.batch.high_water.rows = state.max_rows;
  image.batch.counts = state.taken;

  std::vector<std::uint32_t> world_of_shape(of_shape_slots, kNone);
  for (std::uint32_t w = 0; w < count; ++w) {
    for (const std::uint32_t shape : of_worlds[first + w].shape_slots) world_of_shape[shape] = w;
  }
  std::vector<std::uint32_t> world_slots;
  std::vector<std::vector<std::uint32_t>> body_slots, shape_slots_of;
  for (std::uint32_t w = first; w < first + count; ++w) {
    const auto& [gravity, origin, own_params, limits, materials_of, material_slots, bodies, shapes, free_bodies,
                 free_shapes, plane_slots, ignored, joints, free_joints, fields_of, alive, rescales, freshly] =
        of_worlds[w];
    // gravity and limits are kept with the device's arrays, and alive follows
    snapshot::WorldPart& part = image.worlds.emplace_back();
    part.bodies = static_cast<std::uint32_t>(bodies.size());
    part.shapes = static_cast<std::uint32_t>(shapes.size());
    part.origin = origin;
    part.params = own_params;
    part.materials = materials_of;
    for (std::size_t i = 0; i < materials_of.size(); ++i)
      part.contact_materials.push_back(of_materials[material_slots[i]]);
    part.free_bodies = free_bodies;
    part.free_shapes = free_shapes;
    part.planes = plane_slots;
    part.ignored = ignored;
    part.free_joints = free_joints;
    part.fields = fields_of;
    capture_joints(joints, part.joints);
    for (const SurfaceSlot& surface : of_surfaces) {
      if (world_of_shape[surface.shape] == w - first) part.surfaces.push_back({surface.shape, surface.count});
    }
    world_slots.push_back(w);
    body_slots.push_back(bodies);
    shape_slots_of.push_back(shapes);
    image.body_slots.insert(image.body_slots.end(), bodies.begin(), bodies.end());
    image.shape_slots.insert(image.shape_slots.end(), shapes.begin(), shapes.end());
  }
  capture_articulations(image, first);
  const std::vector<std::uint32_t> body_id = ids_of(body_slots, of_slots.size());
  capture_particles(image, first, body_id);
  const std::vector<std::uint32_t> shape_id = ids_of(shape_slots_of, of_shape_slots);
  for (snapshot::WorldPart& part : image.worlds) {
    for (std::uint32_t& plane : part.planes) plane = shape_id[plane];
    for (snapshot::SurfacePart& surface : part.surfaces) surface.shape = shape_id[surface.shape];
  }
  const std::vector<BodyScales> scales =
      of_scaled ? read(of_arrays.body_bases.view().own, of_slots.size()) : std::vector<BodyScales>(of_slots.size());
  for (const std::uint32_t at : image.body_slots) {
    const auto& [world, id, generation, alive, ignores, joints, link, body, shapes, mass] = of_slots[at];
    // world and id are told by the place in the image, and ignores and joints follow
    image.bodies.push_back({generation, alive, body, shapes, mass, alive ? scales[at] : BodyScales{}});
    for (std::uint32_t& shape : image.bodies.back().shapes) shape = shape_id[shape];
  }

  std::vector<std::uint32_t> numbers, surface_shapes, number_in_image(of_shape_slots, 0);
  for (const SurfaceSlot& surface : of_surfaces) {
    numbers.push_back(surface.first);
    surface_shapes.push_back(surface.shape);
  }
  const auto surface_count = static_cast<std::uint32_t>(numbers.size());
  for (std::uint32_t w = 0; w < count; ++w) {
    const snapshot::ImageSurfaces of_world(image.worlds[w]);
    for (std::uint32_t s = 0; s < of_world.view().count; ++s)
      number_in_image[shape_slots_of[w][of_world.view().shape[s]]] = of_world.view().first[s];
  }
  // ids, or an image's numbers of triangles, in the place of slots
  const auto in_image = [&](std::uint64_t key) {
    const kernels::PairShapes pair = kernels::shapes_of(key, {numbers.data(), surface_shapes.data(), surface_count});
    const bool on_triangle = (key & 0xffffffffu) >= kernels::kFirstTriangle;
    const std::uint32_t b = on_triangle ? number_in_image[pair.b] + pair.triangle : shape_id[pair.b];
    return std::uint64_t{shape_id[pair.a]} << 32 | b;
  };
  if (of_arrays.contact_events) capture_events(image, first, body_id, in_image);
  gather(of_memory, device_worlds.view(), world_slots, image.world_columns);
  for (std::uint32_t w = 0; w < count; ++w) {
    std::uint32_t& bad = image.world_columns.view().first_bad[w];
    if (bad != 0) bad = ~body_id[~bad];
  }
  gather(of_memory, device_bodies.view(), image.body_slots, image.body_columns);
  for (std::size_t i = 0; i < image.bodies.size(); ++i) {
    std::uint32_t& island = image.body_columns.view().island[i];
    // of what is awake it is whatever it was
    island = (image.body_columns.view().flags[i] & kernels::kBodyAsleep) != 0 ? body_id[island] : 0;
  }
  gather(of_memory, device_shapes.view(), image.shape_slots, image.shape_columns);

  // pairs go by slot: all worlds' among each other, but each world's in the order of its ids
  const kernels::Pairs& pairs = device_pairs[parity].view();
  const std::vector<std::uint64_t> keys = read(pairs.key, state.pair_count[parity]);
  // contacts with a surface that was removed since have ended, and an image has no number for it
  const auto world_of = [&](std::uint64_t key) { return has_surface_of(key) ? world_of_shape[key >> 32] : kNone; };
  for (const std::uint64_t key : keys) {
    if (world_of(key) != kNone) image.worlds[world_of(key)].pairs += 1;
  }
  const std::vector<snapshot::Image::Ranges> ranges = image.ranges();
  std::vector<std::size_t> next;
  for (const auto& range : ranges) next.push_back(range.pairs.first);
  std::vector<std::uint32_t> pair_slots(ranges.back().pairs.last);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t w = world_of(keys[i]);
    if (w != kNone) pair_slots[next[w]++] = i;
  }
  gather(of_memory, pairs, pair_slots, image.pair_columns);
  for (std::size_t i = 0; i < pair_slots.size(); ++i) {
    std::uint64_t& key = image.pair_columns.view().key[i];
    key = in_image(key);
  }
  snapshot::each_unread(image, [](std::size_t, const char*, std::size_t, const char*, auto& value) { value = {}; });
  return image;
}

Snapshot World::snapshot() const {
  return impl_->call(
      [&]() -> Snapshot { return Snapshot(impl_->image_of(0, static_cast<std::uint32_t>(impl_->worlds.size()))); });
}

Snapshot World::snapshot(std::uint32_t world) const {
  return impl_->call([&]() -> Snapshot {
    impl_->world_at(world);
    return Snapshot(snapshot::copies_of(impl_->image_of(world, 1), 0, 1));
  });
}

}  // namespace cairn
