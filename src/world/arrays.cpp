#include "src/world/arrays.h"

#include <algorithm>
#include <bit>
#include <string>

#include "kernels/collide/epa.h"
#include "kernels/pair/candidates.h"
#include "src/exec/thread_pool.h"
#include "src/shape/shape_parts.h"
#include "src/solve/softness.h"
#include "src/world/frame.h"

namespace cairn {

static_assert(kMaxSlots <= std::size_t{1} << kernels::CandidateShape::kWorldAt);

Arrays::Arrays(exec::Journal& in) : memory(in) { state.assign_zeros(1); }

std::uint32_t max_workers(const Device& device) {
  // threads that 128 multiprocessors hold of a kernel with 255 registers
  constexpr std::uint32_t kOnCuda = 32768;
  // a single thread keeps its polytope in the first-level cache; of several, idle ones help others
  constexpr std::uint32_t kOfThread = 4;
  if (device.kind == Device::Kind::kCuda) return kOnCuda;
  const int threads = device.threads != 0 ? device.threads : exec::ThreadPool::hardware_threads();
  return threads == 1 ? 1 : kOfThread * static_cast<std::uint32_t>(threads);
}

/// [1] Max contacts that get their colours in one block of threads.
constexpr std::uint32_t kFewEdges = 1024;
// [1] bodies of large worlds up to which one block takes repeated rows faster than launches over the grid
constexpr std::uint32_t kManyBodies = 16384;

std::size_t first_pairs(std::size_t shapes, std::uint32_t points) {
  // a ball in a packing has some six neighbours, and a pair has two balls; a box in a wall has four
  return std::min((points == 1 ? 3 : 2) * shapes + 64, kMaxSlots);
}

Room room_for(std::span<const Scene* const> scenes, const Capacity& capacity) {
  Room room{.worlds = scenes.size(), .pairs = capacity.pairs, .points = 1};
  // copies of a scene are counted once
  for (auto first = scenes.begin(); first != scenes.end();) {
    const Scene& scene = **first;
    const auto next = std::find_if(first, scenes.end(), [&](const Scene* other) { return other != &scene; });
    const auto copies = static_cast<std::size_t>(next - first);
    first = next;
    // a scene without materials gets one
    room.materials += copies * std::max<std::size_t>(scene.materials().size(), 1);
    room.bodies += copies * scene.bodies().size();
    room.ignored += copies * (scene.ignored().size() + scene.joints().size());
    for (const Body& body : scene.bodies()) {
      room.shapes += copies * shape::part_count(body);
      room.surfaces += copies * surfaces_of(body);
      room.planes += copies * planes_of(body);
      room.points = std::max(room.points, contact_points(body));
    }
  }
  if (room.pairs == 0) room.pairs = first_pairs(room.shapes, room.points);
  room.bodies = std::max<std::size_t>(room.bodies, capacity.bodies);
  room.shapes = std::max<std::size_t>(room.shapes, capacity.shapes);
  check_slots("bodies", room.bodies);
  check_slots("shapes", room.shapes);
  return room;
}

void check_slots(const char* what, std::size_t needed) {
  if (needed <= kMaxSlots) return;
  throw CapacityError(std::string(what) + ": a World has room for " + std::to_string(kMaxSlots) +
                      " at most, and would need " + std::to_string(needed));
}

void check_world_count(std::size_t worlds) {
  if (worlds != 0 && worlds <= kernels::kMaxWorlds) return;
  throw InvalidArgument("a World takes 1 to " + std::to_string(kernels::kMaxWorlds) + " worlds, was given " +
                        std::to_string(worlds));
}

std::size_t planes_of(const Body& body) {
  return static_cast<std::size_t>(std::count_if(body.shapes.begin(), body.shapes.end(), [](const Shape& s) {
    return std::holds_alternative<Plane>(s.geometry);
  }));
}

std::size_t surfaces_of(const Body& body) {
  return static_cast<std::size_t>(std::count_if(body.shapes.begin(), body.shapes.end(),
                                                [](const Shape& s) { return triangles_of(s.geometry) != 0; }));
}

std::uint32_t contact_points(const Body& body) {
  const bool one = std::all_of(body.shapes.begin(), body.shapes.end(), [&](const Shape& s) {
    const auto is = [&]<class... G>() { return (std::holds_alternative<G>(s.geometry) || ...); };
    return is.operator()<Sphere>() || (body.type == BodyType::kStatic && is.operator()<Plane, Box, Capsule>());
  });
  return one ? 1 : kernels::kManifoldPoints;
}

void Arrays::choose(const WorldOptions& options) {
  contact_events = options.contact_events;
  workers = max_workers(options.device);
  // a captured graph holds addresses and works on one table; the other gets the step's pairs at its end
  own_rows = options.capturable;
  rows_of_all_pairs = options.capturable || options.capacity.pairs != 0;
}

void Arrays::reserve(const Room& room) {
  worlds.reserve(room.worlds + 1);
  bodies.reserve(room.bodies + 1);
  shapes.reserve(room.shapes);
  planes.reserve(room.planes);
  surface_first.reserve(room.surfaces);
  surface_shape.reserve(room.surfaces);
  materials.reserve(room.materials);
  ignored.reserve(room.ignored);
  reserve_points(room.points, room.last_parity);
  reserve_pairs(room.pairs);
}

void Arrays::reserve_points(std::uint32_t needed, std::uint32_t last) {
  if (needed <= points) return;
  const std::uint32_t of_manifold = kernels::bytes_of_manifold(needed), of_rows = kernels::bytes_of_rows(needed);
  const std::size_t blocks = row_slots() / kernels::kRowLanes;
  std::vector<std::byte> kept;
  if (own_rows) {
    row_blocks.widen(of_rows);
  } else {
    kept = exec::packed(exec::read(memory, rows(last), blocks), of_rows);
    for (auto& table : pairs) table.reserve((kept.size() + of_manifold - 1) / of_manifold);
  }
  // the last to change, so that nothing fails afterwards, is the table in which the last step's rows are
  pairs[last].widen(&kernels::Pairs::manifold, of_manifold);
  pairs[last ^ 1u].widen(&kernels::Pairs::manifold, of_manifold);
  points = needed;
  if (!kept.empty()) memory.write_now(rows(last).first, kept.data(), kept.size());
}

kernels::Rows Arrays::rows(std::uint32_t parity) const {
  if (own_rows) return row_blocks.view();
  void* const data = exec::data_of(pairs[parity ^ 1u].view().manifold);
  return {static_cast<kernels::RowBlock*>(data), kernels::bytes_of_rows(points)};
}

std::size_t Arrays::row_slots() const {
  const std::size_t pairs_held = std::min(pairs[0].capacity(), pairs[1].capacity());
  const std::size_t blocks = own_rows
                                 ? row_blocks.capacity()
                                 : pairs_held * kernels::bytes_of_manifold(points) / kernels::bytes_of_rows(points);
  return blocks * kernels::kRowLanes;
}

namespace {

/// Padding of the colours of a part.
constexpr std::size_t kMaxPadding = std::size_t{kernels::kColorCount} * (kernels::kRowAlign - 1);

/// [1] Initial capacity of a World for bodies in directly solved islands, and for their row slots, before any are
/// counted.
constexpr std::size_t kFirstDirectPlaces = 1024, kFirstDirectRows = kMaxPadding + 4 * kFirstDirectPlaces;

/// Padding of a part, as long as few of its colours have rows.
constexpr std::size_t kLikelyPadding = 4 * (kernels::kRowAlign - 1);

/// Row slots for so many pairs in so many parts. In one part they always suffice. With more, each colour of each part
/// may end in padding; few colours do, so padding is added when it occurs.
std::size_t contact_rows_of(std::size_t pairs, std::uint32_t parts) {
  return pairs + kMaxPadding + (parts - 1) * kLikelyPadding;
}
/// The same where no step has told how many there are: of some pairs, shapes don't touch.
std::size_t first_rows_of(std::size_t pairs, std::uint32_t parts) { return 3 * pairs / 4 + parts * kLikelyPadding; }

}  // namespace

void Arrays::reserve_direct(std::size_t places, std::size_t row_slots) {
  direct_places.reserve(places);
  direct_rows.reserve(row_slots);
}

void Arrays::reserve_pairs(std::size_t n) {
  check_slots("pairs of shapes", n);
  for (auto& table : pairs) table.reserve(n);
  if (contact_events) reserve_events(n);
  // last, since its size is the decisive capacity
  work.reserve(n);
}

void Arrays::reserve_frames(std::size_t in_worlds) {
  frames.reserve(bodies.capacity());
  row_begin.reserve(in_worlds + 1);
  refused.reserve(in_worlds);
}

void Arrays::reserve_events(std::size_t n) {
  for (auto& table : events) table.reserve(n);
  ended.reserve(n);
  if (event_counts.capacity() != 0) return;
  event_counts.assign_zeros(1);
}

void Arrays::reserve_rows(std::size_t slots) {
  const std::size_t blocks = (slots + kernels::kRowLanes - 1) / kernels::kRowLanes;
  if (own_rows) {
    row_blocks.reserve(blocks);
    return;
  }
  const std::size_t bytes = blocks * kernels::bytes_of_rows(points), of_pair = kernels::bytes_of_manifold(points);
  for (auto& table : pairs) table.reserve((bytes + of_pair - 1) / of_pair);
}

void Arrays::set_parts(const PartLists& lists) {
  // one more part, for islands that are solved directly
  const std::size_t parts = std::size_t{lists.count} + 1, bands = parts * kernels::kColorCount;
  part_of_world.reserve(worlds.capacity());
  part_begin.reserve(lists.body_begin.size());
  part_body.reserve(lists.body.size());
  color_begin.reserve(bands + 1);
  color_row.reserve(bands + 1 + 2 * parts);
  memory.put(part_of_world.data(), lists.of_world);
  memory.put(part_begin.data(), lists.body_begin);
  memory.put(part_body.data(), lists.body);
  part_count = lists.count;
  large = lists.body_begin.size() > 1 ? lists.body_begin[1] : 0;
}

void Arrays::take(const Geometry& geometry) {
  solids.add(geometry);
  pair_classes |= kernels::classes_of(kind_of(geometry));
}

void Arrays::set_pair_classes(StepContext& context, std::uint32_t classes) {
  using kernels::PairClass;
  context.pair_classes = classes;
  context.workers = {};
  if ((classes & (bit_of(PairClass::kConvex) | bit_of(PairClass::kTriangle))) == 0) return;
  const std::uint32_t count = std::min(context.constants.pair_capacity, workers);
  polytopes.reserve(count);
  context.workers = {polytopes.data(), count};
}

void Arrays::set_buckets(StepContext& context, std::uint32_t count) {
  context.constants.bucket_count = count;
  bucket_begin.reserve(std::size_t{count} + 3);
  context.bucket_begin = bucket_begin.data();
}

void Arrays::expect(const kernels::StepState& taken) {
  for (int i : {0, 1}) {
    // in multiples of four, and the max of two steps, so that a moving world has few kinds of steps
    const std::uint32_t now = std::min((taken.wide_colors[i] + 3) / 4 * 4, kernels::kMaxWide[i]);
    expected.wide[i] = std::max(now, expected.seen[i]);
    expected.seen[i] = now;
  }
  expected.few_edges = taken.edge_count <= kFewEdges;
}

StepContext Arrays::context(const StepParams& params, const Counts& counts) {
  StepContext s;
  // sequential impulses take one substep, and as many passes over their rows as others take substeps
  s.solver = traits_of(params.solver);
  s.substeps = substeps_of(params);
  s.passes = s.solver.whole ? params.substeps : 1;
  kernels::StepConstants& k = s.constants;
  k.dt = params.dt;
  k.h = params.dt / static_cast<float>(s.substeps);
  k.inv_h = 1.0f / k.h;
  k.soft_contacts = s.solver.soft_contacts;
  set_softness(k, s.solver, params);
  k.max_depenetration_speed = params.max_depenetration_speed;
  k.residual_target = params.residual_target;
  s.joint_softness = joint_softness(s.solver, k);
  // at rest, a substep's fall under gravity is an approach, too
  k.falls = 2.0f;
  k.warm_scale = 1.0f;
  k.world_count = counts.worlds;
  k.body_count = counts.bodies;
  k.shape_count = counts.shapes;
  k.pair_capacity = static_cast<std::uint32_t>(work.capacity());
  s.worlds = worlds.view();
  s.bodies = bodies.view();
  s.shapes = shapes.view();
  s.work = work.view();
  if (contact_events) s.events = {{events[0].view(), events[1].view()}, ended.view(), event_counts.data()};
  const bool direct_islands =
      k.soft_contacts && params.direct_bodies != 0 && counts.mass_ratio >= params.direct_mass_ratio;
  const std::uint32_t parts = part_count + (direct_islands ? 1 : 0);
  s.parts = {.count = parts,
             .swept = part_count,
             .large = part_count == 1 ? counts.bodies : large,
             .of_world = part_of_world.data(),
             .body_begin = part_begin.data(),
             .body = part_count == 1 ? nullptr : part_body.data(),
             .color_begin = color_begin.data(),
             .color_row = color_row.data(),
             .last_round = color_row.data() + std::size_t{parts} * kernels::kColorCount + 1,
             .repeats = color_row.data() + std::size_t{parts} * (kernels::kColorCount + 1) + 1,
             .colors = {kernels::kColorsPerClass, kernels::kColorsPerClass},
             .wide = {expected.wide[0], expected.wide[1]}};
  // before the pairs are shown, since rows may lie there
  if (counts.of_step) {
    // the part of directly solved islands also ends each colour in padding
    const std::size_t all = contact_rows_of(work.capacity(), part_count) + (direct_islands ? kMaxPadding : 0);
    reserve_rows(rows_of_all_pairs ? all : first_rows_of(work.capacity(), part_count));
  }
  k.parity = counts.parity;
  s.pairs[0] = pairs[0].view();
  s.pairs[1] = pairs[1].view();
  s.rows = rows(k.parity);
  s.row_capacity = static_cast<std::uint32_t>(row_slots());
  s.few_edges = expected.few_edges;
  s.many_repeats = expected.cold_steps != 0 && s.parts.large > kManyBodies;
  if (s.solver.elastic) {
    hertz.reserve(s.row_capacity / kernels::kRowLanes);
    s.hertz = hertz.data();
  }
  if (s.solver.gathers_ends) {
    row_ends.reserve(2 * std::size_t{s.row_capacity});
    body_ends.reserve(bodies.capacity());
    s.row_ends = row_ends.view();
    s.body_ends = body_ends.view();
  }
  if (direct_islands) {
    direct.reserve(bodies.capacity());
    direct_ends.reserve(2 * std::size_t{k.pair_capacity});
    reserve_direct(std::min<std::size_t>(counts.bodies, kFirstDirectPlaces),
                   std::min<std::size_t>(s.row_capacity, kFirstDirectRows));
    s.direct = {.max_bodies = static_cast<std::uint32_t>(params.direct_bodies),
                .mass_ratio = params.direct_mass_ratio,
                .bodies = direct.view(),
                .places = direct_places.view(),
                .rows = {direct_rows.data(), color_row.data() + kernels::Parts::band_of(part_count, 0)},
                .place_capacity = static_cast<std::uint32_t>(direct_places.capacity()),
                .row_capacity = static_cast<std::uint32_t>(direct_rows.capacity()),
                .end = direct_ends.data()};
  }
  if (s.solver.colors_bodies) {
    body_colors.reserve(bodies.capacity());
    s.body_colors = body_colors.view();
    body_color_begin.reserve(std::size_t{part_count} * kernels::kBodyColors + 1);
    s.body_color_begin = body_color_begin.data();
  }
  s.materials = materials.data();
  s.solids = solids.view();
  s.planes = planes.data();
  set_pair_classes(s, pair_classes);
  set_buckets(s, std::max(16u, std::bit_ceil(2 * counts.shapes)));
  s.state = state.data();
  s.sweep = params.sweep;
  s.ccd = params.ccd;
  s.sleeping = params.sleeping;
  return s;
}

}  // namespace cairn
