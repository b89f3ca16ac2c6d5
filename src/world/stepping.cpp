// Steps: enqueued, waited for, taken again where they ran out of room, and recorded in graphs of the user's.

#include <algorithm>

#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

// growth of cached impulses from one step to a longer one
constexpr float kMostWarmScale = 4.0f;
// steps that may be in flight before the host looks whether one of them overflowed
constexpr std::size_t kMostPending = 64;

std::uint32_t with_slack(std::uint32_t needed) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{needed} + needed / 4, ~std::uint32_t{0}));
}

}  // namespace

void World::Impl::set_parts() {
  if (parts_known) return;
  std::vector<std::span<const std::uint32_t>> slots_of;
  for (const WorldSlot& world : worlds) slots_of.emplace_back(world.body_slots);
  arrays.set_parts(list_parts(slots_of, options.tuning));
  parts_known = true;
}

StepContext World::Impl::context(float dt) {
  set_parts();
  StepParams stepped = params;
  stepped.dt = dt;
  StepContext s = arrays.context(stepped, {.worlds = static_cast<std::uint32_t>(worlds.size()),
                                           .bodies = static_cast<std::uint32_t>(slots.size()),
                                           .shapes = shape_slots});
  kernels::StepConstants& k = s.constants;
  // impulses that pushed overlap out don't grow with the step, so a much longer one starts with less than its share
  if (last_h > 0.0f && last_h != k.h) k.warm_scale = std::min(k.h / last_h, kMostWarmScale);
  k.parity = next_parity();
  s.mirrored = options.capturable;
  s.restitution = std::any_of(materials.begin(), materials.end(), [](const auto& m) { return m.restitution > 0; });
  s.rolling = std::any_of(materials.begin(), materials.end(), [](const auto& m) { return m.rolling_friction > 0; });
  return s;
}

void World::Impl::enqueue(float dt) {
  const StepContext s = context(dt);
  if (options.timings || options.trace) {
    stage_ms = {};
    stage_hash = {};
    marks.clear();
    StageObserver observer(*this, s);
    backend->step(s, &observer);
  } else {
    backend->step(s, nullptr);
  }
  last_h = s.constants.h;
  time += dt;
  steps += 1;
}

/// Enqueues a step and remembers what was before it. One that can't be enqueued leaves nothing behind.
void World::Impl::take(float dt) {
  const PendingStep before{dt, time, last_h};
  pending.reserve(pending.size() + 1);
  enqueue(dt);
  pending.push_back(before);
}

void World::Impl::step(float dt) {
  StepParams checked = params;
  checked.dt = dt;
  validate(checked);
  const exec::ExactFloats exact;
  if (capturing()) {
    record(dt);
    return;
  }
  take(dt);
  const bool waits = options.device.kind == Device::Kind::kCpu || options.timings || options.trace;
  if (waits || pending.size() >= kMostPending) synchronise();
}

bool World::Impl::capturing() {
  if (!backend->capturing()) return false;
  if (!options.capturable) {
    throw InvalidArgument("WorldOptions::stream is being captured in a graph, and WorldOptions::capturable is false");
  }
  if (options.timings || options.trace) {
    throw InvalidArgument("WorldOptions::timings and ::trace wait, which a stream can't that is being captured");
  }
  if (!pending.empty()) {
    throw InvalidArgument("steps are in flight that may need more room: call wait() before the capture");
  }
  return true;
}

void World::Impl::record(float dt) {
  StepContext s = context(dt);
  if (s.constants.h != last_h) {
    throw InvalidArgument("a step that is captured must be as long as the one before it, with as many substeps: take "
                          "one before the capture");
  }
  backend->step(s, nullptr);
  recorded = true;
}

void World::Impl::follow_device() {
  const kernels::StepState now = arrays.state.get(0);
  status |= now.status;
  steps = now.steps;
  time = now.time;
  high_water.pairs = std::max(high_water.pairs, now.pairs_needed);
  pending.clear();
  if (now.overflow == 0) return;
  const std::uint32_t zero = 0;
  memory.upload(&arrays.state.data()->overflow, &zero, sizeof zero);
  // the next step outside a graph may make room
  recorded = false;
  status |= kStatusOverflow;
  const bool more_pairs = now.pairs_needed > arrays.work.capacity();
  if (!more_pairs) sleep_again();
  throw CapacityError("a step needs more room than there is while a graph holds addresses: " +
                      std::to_string(more_pairs ? now.pairs_needed : now.row_count) +
                      (more_pairs ? " pairs of shapes" : " rows") + "; it was not taken, nor was what came after it");
}

void World::Impl::synchronise() {
  backend->wait();
  if (recorded) {
    follow_device();
    return;
  }
  while (!pending.empty()) {
    const kernels::StepState now = arrays.state.get(0);
    status |= now.status;
    const std::uint64_t missing = steps - now.steps;
    high_water.pairs = std::max(high_water.pairs, now.pairs_needed);
    if (missing == 0) break;
    // a step found more pairs or rows than there was room for, and it and all later ones left the state alone: make
    // room and take them again
    const std::vector<PendingStep> again(pending.end() - static_cast<std::ptrdiff_t>(missing), pending.end());
    steps = now.steps;
    time = again.front().time;
    last_h = again.front().last_h;
    const std::uint32_t zero = 0;
    memory.upload(&arrays.state.data()->overflow, &zero, sizeof zero);
    pending.clear();
    const bool more_pairs = now.pairs_needed > arrays.work.capacity();
    if (more_pairs && options.capacity.fixed && options.capacity.pairs != 0) {
      status |= kStatusOverflow;
      throw CapacityError("Capacity::pairs is fixed at " + std::to_string(arrays.work.capacity()) +
                          ", and the step needs " + std::to_string(now.pairs_needed) + "; the step was not taken");
    }
    if (now.pairs_wrapped != 0)
      throw CapacityError("a step needs more than 4294967295 pairs of shapes; the step was not taken");
    if (more_pairs) {
      arrays.reserve_pairs(with_slack(now.pairs_needed));
    } else {
      arrays.reserve_rows(with_slack(now.row_count));
      sleep_again();
    }
    for (const PendingStep& step : again) take(step.dt);
    backend->wait();
  }
  pending.clear();
}

void World::wait() const { impl_->synchronise(); }

void World::step() { step(impl_->params.dt); }
void World::step(float dt) {
  impl_->step(dt);
  record_step(dt);
}

}  // namespace cairn
