// Steps: enqueuing, waiting, repeating after running out of capacity, and capture in the user's graphs.

#include <algorithm>

#include "kernels/collide/cold.h"
#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

// growth of cached impulses from one step to a longer one
constexpr float kMaxWarmScale = 4.0f;
// max jobs in flight before the host checks for overflow
constexpr std::size_t kMaxPending = 64;

std::size_t with_slack(std::uint32_t needed) {
  return std::max(std::min(std::size_t{needed} + needed / 8, kMaxSlots), std::size_t{needed});
}

}  // namespace

void World::Impl::set_parts() {
  if (parts_known) return;
  arrays.expected = {.cold_steps = kernels::kColdSteps};
  std::vector<std::span<const std::uint32_t>> slots_of;
  for (const WorldSlot& world : worlds) slots_of.emplace_back(world.body_slots);
  PartLists lists =
      list_parts(slots_of, !joints.slots.empty() || !articulations.store.empty(), options.tuning, options.device);
  arrays.set_parts(lists);
  part_of_world = std::move(lists.of_world);
  has(parts_known);
  forget_orders();
}

void World::Impl::forget_orders() {
  for (Feature* feature : features) feature->known = false;
}

void World::Impl::set_masses() {
  if (masses_known) return;
  masses.restart(worlds.size());
  for (const BodySlot& slot : slots) masses.take(slot);
  masses_known = true;
}

StepContext World::Impl::context(float dt, bool of_step) {
  set_parts();
  set_masses();
  for (Feature* feature : features) {
    if (!feature->known) feature->order();
  }
  StepParams stepped = params;
  stepped.dt = dt;
  StepContext s = arrays.context(stepped, {.worlds = static_cast<std::uint32_t>(worlds.size()),
                                           .bodies = static_cast<std::uint32_t>(slots.size()),
                                           .shapes = shape_slots,
                                           .mass_ratio = masses.ratio(),
                                           .parity = next_parity(),
                                           .of_step = of_step});
  kernels::StepConstants& k = s.constants;
  // impulses of depenetration don't grow with the step, so a much longer step starts with less than its share
  if (last_h > 0.0f && last_h != k.h) k.warm_scale = std::min(k.h / last_h, kMaxWarmScale);
  s.surfaces = {arrays.surface_first.data(), arrays.surface_shape.data(), static_cast<std::uint32_t>(surfaces.size())};
  s.mirrored = options.capturable;
  const auto some = [&](const auto& does) { return std::any_of(materials.begin(), materials.end(), does); };
  s.restitution = may_do.bounce || some([](const auto& m) { return m.restitution > 0; });
  // the law of elastic spheres bounces by itself, and rotates bodies with the data of rolling rows
  s.restitution = s.restitution && !s.solver.elastic;
  s.rolling = s.solver.elastic || may_do.resist_rolling || some([](const auto& m) { return m.rolling_friction > 0; });
  k.belts = may_do.move || some([](const auto& m) { return !(m.surface_velocity == Vec3{}); });
  if (k.belts) {
    upload_frames();
    s.belts = {s.materials, arrays.frames.view().axes};
  }
  for (Feature* feature : features) feature->show(s, of_step);
  return s;
}

void World::Impl::enqueue(const StepJob& job) {
  const StepContext s = context(job.dt, true);
  if (options.timings || options.trace) {
    StageObserver observer(*this, s);
    launch().step(s, &observer);
  } else {
    launch().step(s, nullptr);
  }
  if (arrays.expected.cold_steps != 0) arrays.expected.cold_steps -= 1;
  last_h = s.constants.h;
  time += job.dt;
  steps += 1;
}

/// Enqueues a job and records the state before it. If enqueuing fails, nothing remains.
void World::Impl::take(const Job& job) {
  const PendingJob before{job, time, last_h};
  pending.reserve(pending.size() + 1);
  std::visit([this](const auto& j) { enqueue(j); }, job);
  pending.push_back(before);
  const bool waits = options.device.kind == Device::Kind::kCpu || options.timings || options.trace;
  if (waits || pending.size() >= kMaxPending) synchronise();
}

void World::Impl::check_solver(float dt) {
  for (const Feature* feature : features) feature->check(params);
  if (traits_of(params.solver).elastic) check_grains(dt);
}

void World::Impl::step(float dt) {
  StepParams checked = params;
  checked.dt = dt;
  validate(checked);
  check_solver(dt);
  if (capturing()) {
    capture_step(dt);
  } else {
    take(StepJob{dt});
  }
}

bool World::Impl::capturing() {
  if (!backend->capturing()) return false;
  if (!options.capturable) {
    throw InvalidArgument("WorldOptions::stream is being captured in a graph, and WorldOptions::capturable is false");
  }
  if (options.timings || options.trace) {
    throw InvalidArgument("WorldOptions::timings and ::trace wait, which a stream can't that is being captured");
  }
  if (log != nullptr) {
    throw InvalidArgument("a recording is under way, which can't note the steps of a graph: call stop_recording first");
  }
  if (!pending.empty()) {
    throw InvalidArgument("steps are in flight that may need more room: call wait() before the capture");
  }
  return true;
}

void World::Impl::capture_step(float dt) {
  // a graph may be launched in any state of the world
  arrays.expected = {};
  StepContext s = context(dt, true);
  if (s.constants.h != last_h) {
    throw InvalidArgument(
        "a step that is captured must be as long as the one before it, with as many substeps: take "
        "one before the capture");
  }
  launch().step(s, nullptr);
  captured = true;
}

void World::Impl::clear_overflow() {
  const std::uint32_t none = 0;
  kernels::StepState* const state = arrays.state.data();
  memory.write_now(&state->overflow, &none, sizeof none);
  // manifolds of the step that wasn't taken lie where the last step's rows were
  memory.write_now(&state->row_count, &none, sizeof none);
}

void World::Impl::follow_device() {
  const kernels::StepState now = arrays.state.get(0);
  status |= now.status;
  steps = now.steps;
  time = now.time;
  last_h = now.last_h;
  pending.clear();
  pending_masks = 0;
  if (now.overflow == 0) return;
  clear_overflow();
  // the next step outside a graph may grow capacities
  captured = false;
  status |= kStatusOverflow;
  const bool more_pairs = now.pairs_needed > arrays.work.capacity();
  const bool more_near = !more_pairs && now.neighbour_needed > particles.fluids.neighbour_capacity();
  if (!more_pairs && !more_near) sleep_again();
  const bool more_rows = now.row_count > arrays.row_slots();
  const std::string needed = more_pairs  ? std::to_string(now.pairs_needed) + " pairs of shapes"
                             : more_near ? std::to_string(now.neighbour_needed) + " neighbours in fluids"
                             : more_rows
                                 ? std::to_string(now.row_count) + " rows"
                                 : std::to_string(now.direct_places) + " bodies that are solved directly, with " +
                                       std::to_string(now.direct_rows) + " rows";
  throw CapacityError("a step needs more room than there is while a graph holds addresses: " + needed +
                      "; it was not taken, nor was what came after it");
}

void World::Impl::synchronise() {
  backend->wait();
  if (captured) {
    follow_device();
    return;
  }
  while (!pending.empty()) {
    const kernels::StepState now = arrays.state.get(0);
    status |= now.status;
    // a graph captured before capacities grew may have been launched since, against the docs
    if (now.steps > steps) steps = now.steps;
    const std::uint64_t missing = steps - now.steps;
    if (missing == 0) {
      if (std::holds_alternative<StepJob>(pending.back().job)) arrays.expect(now);
      break;
    }
    // a step exceeded the capacity of pairs or rows, and it and all later jobs left the state unchanged: grow the
    // capacity and repeat them
    const auto is_step = [](const PendingJob& p) { return std::holds_alternative<StepJob>(p.job); };
    auto first = pending.end();
    for (std::uint64_t n = 0; n < missing;) n += is_step(*--first) ? 1 : 0;
    pending.erase(pending.begin(), first);
    steps = now.steps;
    time = pending.front().time;
    last_h = pending.front().last_h;
    clear_overflow();
    std::size_t taken = 0;
    try {
      make_room(now);
      for (PendingJob& p : pending) {
        p.time = time;
        p.last_h = last_h;
        std::visit([this](const auto& j) { enqueue(j); }, p.job);
        ++taken;
      }
    } catch (...) {
      pending.resize(taken, pending.front());
      throw;
    }
    backend->wait();
  }
  pending.clear();
  pending_masks = 0;
}

/// Grows the capacity that a step exceeded: of pairs, neighbours in fluids, rows, or directly solved islands.
void World::Impl::make_room(const kernels::StepState& now) {
  const bool more_pairs = now.pairs_needed > arrays.work.capacity();
  const bool more_near = !more_pairs && now.neighbour_needed > particles.fluids.neighbour_capacity();
  if (more_near) {
    if (now.neighbour_wrapped != 0) {
      throw CapacityError("a step needs more than 4294967295 neighbours in fluids; the step was not taken");
    }
    particles.fluids.reserve_near(with_slack(now.neighbour_needed));
    return;
  }
  // rows are counted after the step has woken touched bodies
  if (!more_pairs) sleep_again();
  if (more_pairs && options.capacity.on_overflow == OnOverflow::kError && options.capacity.pairs != 0) {
    status |= kStatusOverflow;
    throw CapacityError("Capacity::pairs is fixed at " + std::to_string(arrays.work.capacity()) +
                        ", and the step needs " + std::to_string(now.pairs_needed) + "; the step was not taken");
  }
  if (now.pairs_wrapped != 0)
    throw CapacityError("a step needs more than 4294967295 pairs of shapes; the step was not taken");
  if (more_pairs) {
    arrays.reserve_pairs(with_slack(now.pairs_needed));
  } else if (now.row_count > arrays.row_slots()) {
    arrays.reserve_rows(with_slack(now.row_count));
  } else {
    arrays.reserve_direct(with_slack(now.direct_places), with_slack(now.direct_rows));
  }
}

void World::wait() const {
  impl_->call([&] { impl_->synchronise(); });
}

void World::step() {
  impl_->call([&] { step(impl_->params.dt); });
}
void World::step(float dt) {
  impl_->call([&] {
    impl_->note_step(dt);
    impl_->step(dt);
  });
}

}  // namespace cairn
