// Image -> world.

#include "src/snapshot/restore.h"

#include <algorithm>

#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/scene/text.h"

namespace cairn::snapshot {

void Restore::become_batch() {
  const BatchPart& batch = image.batch;
  exec::Journal& journal = world.memory;
  journal.replace(world.params, batch.params);
  journal.replace(world.steps, batch.steps);
  journal.replace(world.time, batch.time);
  journal.replace(world.last_h, batch.last_h);
  journal.replace(world.status, batch.status);
  journal.replace(world.high_water, batch.high_water);
  journal.replace(world.stage_ms, {});
  journal.replace(world.stage_hash, {});
  journal.replace(world.marks, {});
  journal.replace(world.worlds, std::vector<WorldSlot>(image.worlds.size()));
  journal.replace(world.slots, {});
  journal.replace(world.materials, {});
  // a captured call may write them again
  journal.replace(world.materials_newer, world.captured && world.materials_newer);
  if (!world.options.capturable) journal.replace(world.may_do, {});
  kernels::StepState state{};
  state.status = batch.status;
  state.max_pairs = batch.high_water.pairs;
  state.max_rows = batch.high_water.rows;
  state.steps = batch.steps;
  state.time = batch.time;
  state.last_h = batch.last_h;
  state.taken = batch.counts;
  world.memory.put(world.arrays.state.data(), state);
}

std::vector<bool> Restore::replaced() const {
  std::vector<bool> of_worlds(whole ? image.worlds.size() : world.worlds.size(), false);
  for (const Placement& p : placements) of_worlds[p.to] = true;
  return of_worlds;
}

void Restore::run() {
  world.arrays.expected = {};
  if (!whole) world.pull_materials();
  bodies = whole ? image.body_slots.size() : world.slots.size();
  shapes = whole ? image.shape_slots.size() : world.shape_slots;
  std::size_t materials = whole ? 0 : world.materials.size(), planes = whole ? 0 : world.living_planes;
  for (Placement& p : placements) {
    const WorldPart& part = image.worlds[p.from];
    extend(p.body_slots, part.bodies, bodies);
    extend(p.shape_slots, part.shapes, shapes);
    extend(p.material_slots, part.materials.size(), materials);
    planes += part.planes.size();
  }
  number_surfaces();
  std::vector<SurfaceSlot> surfaces = merged_surfaces();
  std::vector<kernels::Manifold> manifolds;
  const std::vector<std::uint64_t> keys = merged_pairs(manifolds);
  std::uint32_t points = 1;
  for (const Placement& p : placements) {
    for (std::size_t b = p.ranges.bodies.first; b < p.ranges.bodies.last; ++b)
      points = std::max(points, contact_points(image.bodies[b].body));
  }
  // the file's contacts may have more points than its bodies would give
  for (const kernels::Manifold& m : manifolds) points = m.count > 1 ? kernels::kManifoldPoints : points;
  const Capacity& capacity = world.options.capacity;
  world.check_fixed("bodies", capacity.bodies, bodies);
  world.check_fixed("shapes", capacity.shapes, shapes);
  world.check_fixed("pairs", capacity.pairs, keys.size());
  pairs = std::max<std::size_t>(keys.size(), capacity.pairs != 0 ? capacity.pairs : first_pairs(shapes, points));
  for (Feature* feature : world.features) feature->plan(*this);
  world.arrays.reserve({.worlds = whole ? image.worlds.size() : world.worlds.size(),
                        .bodies = std::max<std::size_t>(bodies, capacity.bodies),
                        .shapes = std::max<std::size_t>(shapes, capacity.shapes),
                        .planes = planes,
                        .surfaces = surfaces.size(),
                        .materials = materials,
                        .pairs = pairs,
                        .points = points,
                        .last_parity = world.next_parity() ^ 1u});
  for (const Placement& p : placements) {
    for (std::size_t b = p.ranges.bodies.first; b < p.ranges.bodies.last; ++b) {
      for (const shape::Part& part : shape::parts_of(image.bodies[b].body)) world.arrays.take(part.shape.geometry);
    }
  }

  if (whole) become_batch();
  // so that registered elements don't move
  world.slots.reserve(bodies);
  // rows are of the last step, and those of these worlds are void
  world.memory.clear(&world.arrays.state.data()->row_count);
  world.memory.resizes(world.slots);
  world.slots.resize(bodies);
  world.shape_slots = static_cast<std::uint32_t>(shapes);
  world.memory.keep(world.materials);
  world.materials.resize(materials);
  // numbers of removed surfaces aren't reused
  if (whole) world.next_triangle = kernels::kFirstTriangle;
  if (!surfaces.empty()) {
    world.next_triangle = std::max(world.next_triangle, std::uint64_t{surfaces.back().first} + surfaces.back().count);
  }
  world.memory.replace(world.surfaces, std::move(surfaces));
  place_on_host();
  place_on_device();
  for (Feature* feature : world.features) feature->become(*this);
  // with the scales of their worlds
  world.upload_materials();
  const std::uint32_t last = world.next_parity() ^ 1u;
  const kernels::Pairs& table = world.arrays.pairs[last].view();
  const SurfaceNumbers numbers = world.surface_numbers();
  std::vector<std::uint32_t> shape_b, triangle;
  for (const std::uint64_t key : keys) {
    const kernels::PairShapes pair = kernels::shapes_of(key, numbers.view());
    shape_b.push_back(pair.b);
    triangle.push_back(pair.triangle);
  }
  world.memory.put(table.shape_b, shape_b);
  world.memory.put(table.triangle, triangle);
  world.memory.put(table.key, keys);
  exec::write(world.memory, table.manifold, manifolds);
  world.memory.put(&world.arrays.state.data()->pair_count[last], static_cast<std::uint32_t>(keys.size()));
}

}  // namespace cairn::snapshot

namespace cairn {

using snapshot::Placement;

void World::Impl::restore(const snapshot::Image& image) {
  synchronise();
  std::vector<Placement> placements;
  const std::vector<snapshot::Image::Ranges> ranges = image.ranges();
  const auto slice = [](const std::vector<std::uint32_t>& all, IndexRange range) {
    return std::vector<std::uint32_t>(all.begin() + static_cast<std::ptrdiff_t>(range.first),
                                      all.begin() + static_cast<std::ptrdiff_t>(range.last));
  };
  for (std::uint32_t w = 0; w < ranges.size(); ++w) {
    Placement& p = placements.emplace_back(Placement{.from = w, .to = w, .ranges = ranges[w]});
    p.body_slots = slice(image.body_slots, ranges[w].bodies);
    p.shape_slots = slice(image.shape_slots, ranges[w].shapes);
  }
  snapshot::Restore{*this, image, std::move(placements), true}.run();
}

void World::Impl::restore(const snapshot::Image& image, std::uint32_t from, std::span<const std::uint8_t> chosen) {
  synchronise();
  if (!rules::shared_alike(image.batch.params, params)) {
    throw InvalidArgument(std::string("restore: the snapshot's StepParams differ from the World's") +
                          rules::shared_params());
  }
  const snapshot::Image::Ranges ranges = image.ranges()[from];
  const kernels::Manifold* manifolds = image.pair_columns.view().manifold.first;
  const bool carries =
      !image.worlds[from].joints.empty() || std::any_of(manifolds + ranges.pairs.first, manifolds + ranges.pairs.last,
                                                        [](const kernels::Manifold& m) { return m.count != 0; });
  // before its first step a World has no contacts with another substep length
  if (carries && image.batch.last_h != 0 && last_h != 0 && last_h != image.batch.last_h) {
    throw InvalidArgument("restore: the snapshot's last step had substeps of " + rules::digits(image.batch.last_h) +
                          " s, the World's of " + rules::digits(last_h) +
                          " s; the worlds of a batch share what contacts and joints start from");
  }
  snapshot::Restore restore{*this, image, {}, false};
  for (std::uint32_t w = 0; w < worlds.size(); ++w) {
    if (chosen[w] == 0) continue;
    restore.placements.push_back(
        {from, w, ranges, worlds[w].body_slots, worlds[w].shape_slots, worlds[w].material_slots, {}});
  }
  if (restore.placements.empty()) return;
  restore.run();
  if (carries && image.batch.last_h != 0) {
    memory.replace(last_h, image.batch.last_h);
    memory.put(&arrays.state.data()->last_h, last_h);
  }
  memory.keep(high_water);
  high_water.bodies = std::max(high_water.bodies, living);
  high_water.shapes = std::max(high_water.shapes, living_shapes);
  memory.replace(status, status | image.world_columns.view().status[from]);
}

World::World(const Snapshot& snapshot, const WorldOptions& options)
    : World(with_heap([&] { return std::make_unique<Impl>(*snapshot.image_, options); })) {}

World World::copies(const Snapshot& snapshot, std::uint32_t count, const WorldOptions& options, std::uint32_t world) {
  return with_heap([&] {
    check_world_count(count);
    snapshot.body_count(world);
    return World(std::make_unique<Impl>(snapshot::copies_of(*snapshot.image_, world, count), options));
  });
}

void World::restore(const Snapshot& snapshot) {
  impl_->call([&] {
    impl_->restore(*snapshot.image_);
    impl_->note<recording::kRestoreAll>(snapshot);
  });
}

void World::restore(const Snapshot& snapshot, std::uint32_t from, std::uint32_t into) {
  impl_->call([&] {
    impl_->world_at(into);
    std::vector<std::uint8_t> chosen(impl_->worlds.size(), 0);
    chosen[into] = 1;
    restore(snapshot, from, chosen);
  });
}

void World::restore(const Snapshot& snapshot, std::uint32_t from, std::span<const std::uint8_t> chosen) {
  impl_->call([&] {
    snapshot.body_count(from);
    impl_->check_mask("restore", chosen);
    impl_->restore(*snapshot.image_, from, chosen);
    impl_->note<recording::kRestore>(snapshot, from, chosen);
  });
}

}  // namespace cairn
