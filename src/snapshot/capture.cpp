// World -> image.

#include "src/snapshot/capture.h"

#include "src/exec/exact_floats.h"
#include "src/snapshot/unread.h"
#include "src/world/impl.h"

namespace cairn {

using kernels::kNone;

namespace {

template <class View>
void gather(exec::Memory& memory, const View& table, const std::vector<std::uint32_t>& slots,
            snapshot::Columns<View>& to) {
  to.resize(slots.size());
  snapshot::Columns<View>::each_pair(
      to.view(), table, [&](auto& into, auto& field) { snapshot::gather(memory, field, slots, &into[0]); });
}

/// The inverse of lists of slots: ids by slot, kNone for slots that aren't in one.
std::vector<std::uint32_t> ids_of(const std::vector<std::vector<std::uint32_t>>& slots, std::size_t count) {
  std::vector<std::uint32_t> ids(count, kNone);
  for (const auto& world : slots) {
    for (std::uint32_t id = 0; id < world.size(); ++id) ids[world[id]] = id;
  }
  return ids;
}

}  // namespace

snapshot::Image World::Impl::image_of(std::uint32_t first, std::uint32_t count) {
  synchronise();
  pull_materials();
  const std::uint32_t parity = next_parity() ^ 1u;
  const kernels::StepState state = arrays.state.get(0);

  snapshot::Image image;
  image.batch.params = params;
  image.batch.steps = steps;
  image.batch.time = time;
  image.batch.last_h = last_h;
  image.batch.status = status | state.status;
  image.batch.high_water = high_water;
  image.batch.high_water.pairs = state.max_pairs;
  image.batch.high_water.rows = state.max_rows;
  image.batch.counts = state.taken;

  std::vector<std::uint32_t> world_of_shape(shape_slots, kNone);
  for (std::uint32_t w = 0; w < count; ++w) {
    for (const std::uint32_t shape : worlds[first + w].shape_slots) world_of_shape[shape] = w;
  }
  std::vector<std::uint32_t> world_slots;
  std::vector<std::vector<std::uint32_t>> body_slots, shape_slots_of;
  for (std::uint32_t w = first; w < first + count; ++w) {
    const WorldSlot& of = worlds[w];
    // a new member doesn't compile here until its place is decided: those not used below belong to a feature, or are
    // derived
    [[maybe_unused]] const auto& [own_origin, own_params, own_limits, own_materials, material_slots, own_bodies,
                                  own_shapes, free_bodies, free_shapes, plane_slots, ignored, joints, free_joints,
                                  own_fields, alive, rescales] = of;
    // gravity and limits are saved with the device's arrays
    snapshot::WorldPart& part = image.worlds.emplace_back();
    part.bodies = static_cast<std::uint32_t>(of.body_slots.size());
    part.shapes = static_cast<std::uint32_t>(of.shape_slots.size());
    part.origin = of.origin;
    part.params = of.params;
    part.materials = of.materials;
    // slots of former materials may follow
    for (std::size_t i = 0; i < of.materials.size(); ++i)
      part.contact_materials.push_back(materials[of.material_slots[i]]);
    part.free_bodies = of.free_bodies;
    part.free_shapes = of.free_shapes;
    part.planes = of.plane_slots;
    for (const SurfaceSlot& surface : surfaces) {
      if (world_of_shape[surface.shape] == w - first) part.surfaces.push_back({surface.shape, surface.count});
    }
    world_slots.push_back(w);
    body_slots.push_back(of.body_slots);
    shape_slots_of.push_back(of.shape_slots);
    image.body_slots.insert(image.body_slots.end(), of.body_slots.begin(), of.body_slots.end());
    image.shape_slots.insert(image.shape_slots.end(), of.shape_slots.begin(), of.shape_slots.end());
  }
  const std::vector<std::uint32_t> body_id = ids_of(body_slots, slots.size());
  const std::vector<std::uint32_t> shape_id = ids_of(shape_slots_of, shape_slots);
  for (snapshot::WorldPart& part : image.worlds) {
    for (std::uint32_t& plane : part.planes) plane = shape_id[plane];
    for (snapshot::SurfacePart& surface : part.surfaces) surface.shape = shape_id[surface.shape];
  }
  for (const std::uint32_t at : image.body_slots) {
    const auto& [world, id, generation, alive, ignores, joints, link, body, shapes, mass] = slots[at];
    // world and id are the place in the image; ignores and joints are derived
    image.bodies.push_back({generation, alive, body, shapes, mass});
    for (std::uint32_t& shape : image.bodies.back().shapes) shape = shape_id[shape];
  }

  snapshot::KeyMap in_image{surface_numbers(), shape_id, std::vector<std::uint32_t>(shape_slots, 0)};
  for (std::uint32_t w = 0; w < count; ++w) {
    const snapshot::ImageSurfaces of_world(image.worlds[w]);
    for (std::size_t s = 0; s < of_world.shape.size(); ++s) {
      in_image.first[shape_slots_of[w][of_world.shape[s]]] = of_world.first[s];
    }
  }
  snapshot::Capture to{image, first, body_id, in_image};
  for (Feature* feature : features) feature->capture(to);
  gather(memory, arrays.worlds.view(), world_slots, image.world_columns);
  for (std::uint32_t w = 0; w < count; ++w) {
    std::uint32_t& bad = image.world_columns.view().first_bad[w];
    if (bad != 0) bad = ~body_id[~bad];
  }
  gather(memory, arrays.bodies.view(), image.body_slots, image.body_columns);
  for (std::size_t i = 0; i < image.bodies.size(); ++i) {
    std::uint32_t& island = image.body_columns.view().island[i];
    // the islands of awake bodies have no meaning
    island = (image.body_columns.view().flags[i] & kernels::kBodyAsleep) != 0 ? body_id[island] : 0;
  }
  gather(memory, arrays.shapes.view(), image.shape_slots, image.shape_columns);

  // pairs are in the order of slots: all worlds' mixed, but each world's in the order of its ids
  const kernels::Pairs& pairs = arrays.pairs[parity].view();
  const std::vector<std::uint64_t> keys = read(pairs.key, state.pair_count[parity]);
  // contacts with a surface that was removed since have ended, and the image has no number for it
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
  gather(memory, pairs, pair_slots, image.pair_columns);
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
