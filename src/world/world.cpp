// Life of a world, and the step.

#include <algorithm>
#include <cmath>
#include <new>

#include "src/exec/exact_floats.h"
#include "src/exec/thread_pool.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

// growth of cached impulses from one step to a longer one
constexpr float kMostWarmScale = 4.0f;
// jobs that may be in flight before the host looks whether a step overflowed
constexpr std::size_t kMostPending = 64;

/// Options with the thread count that 0 stands for.
WorldOptions resolved(WorldOptions o) {
  if (o.device.kind == Device::Kind::kCpu && o.device.threads == 0) {
    o.device.threads = exec::ThreadPool::hardware_threads();
  }
  o.tuning = resolved(o.tuning, o.device);
  // a trace tells stages apart
  if (o.trace) o.tuning.small_world = 0;
  return o;
}

std::unique_ptr<exec::Backend> make_backend(const WorldOptions& o) {
  if (o.device.kind == Device::Kind::kCuda) return exec::make_cuda_backend(o.device.index, o.stream);
  if (o.stream != nullptr) {
    throw InvalidArgument("WorldOptions::stream must be null unless the device is a CUDA one, and it is " +
                          o.device.name());
  }
  return exec::make_cpu_backend(o.device.threads);
}

std::size_t with_slack(std::uint32_t needed) {
  return std::max(std::min(std::size_t{needed} + needed / 4, kMostSlots), std::size_t{needed});
}

std::vector<const Scene*> pointers_to(std::span<const Scene> scenes) {
  std::vector<const Scene*> pointers;
  for (const Scene& scene : scenes) pointers.push_back(&scene);
  return pointers;
}

/// True where parameters differ in nothing but what is each world's own.
bool share(StepParams a, const StepParams& b) {
  a.restitution_threshold = b.restitution_threshold;
  a.recycle_tolerance = b.recycle_tolerance;
  a.sleep_speed = b.sleep_speed;
  a.sleep_time = b.sleep_time;
  a.friction_mix = b.friction_mix;
  a.restitution_mix = b.restitution_mix;
  a.rolling_mix = b.rolling_mix;
  return a == b;
}

constexpr const char* kShared =
    "; worlds of a batch share solver, sweep, substeps, dt, contact_frequency, contact_damping_ratio, push_out_speed "
    "and sleeping";

/// The parameters that the worlds of a batch share.
StepParams shared_params(std::span<const Scene* const> scenes) {
  check_world_count(scenes.size());
  for (std::size_t i = 1; i < scenes.size(); ++i) {
    if (!share(scenes[i]->params(), scenes[0]->params())) {
      throw InvalidArgument("scene " + std::to_string(i) + " (\"" + scenes[i]->name +
                            "\"): its StepParams differ from those of scene 0" + kShared);
    }
  }
  return scenes[0]->params();
}

}  // namespace

World::Impl::Impl(std::span<const Scene* const> scenes, const WorldOptions& o)
    : options(resolved(o)),
      params(shared_params(scenes)),
      backend(make_backend(options)),
      memory(backend->memory()),
      arrays(memory) {
  const Room room = room_for(scenes, o.capacity);
  arrays.reserve(room);
  slots.reserve(room.bodies);

  std::vector<Vec3> gravity;
  std::vector<Limits> limits;
  std::vector<kernels::WorldParams> own_params;
  for (const Scene* scene : scenes) {
    WorldSlot& world = worlds.emplace_back();
    world.gravity = scene->gravity();
    world.limits = scene->limits();
    gravity.push_back(world.gravity);
    limits.push_back(world.limits);
    world.params = scene->params();
    own_params.push_back(kernels::world_params(world.params));
    for (const Material& material : scene->materials()) add_material(world, material);
    if (world.materials.empty()) add_material(world, rules::default_material());
  }
  memory.upload(arrays.worlds.view().gravity, gravity.data(), gravity.size() * sizeof(Vec3));
  memory.upload(arrays.worlds.view().limits, limits.data(), limits.size() * sizeof(Limits));
  memory.upload(arrays.worlds.view().params, own_params.data(), own_params.size() * sizeof(own_params[0]));
  const kernels::Worlds& view = arrays.worlds.view();
  memory.zero(view.steps, worlds.size() * sizeof(*view.steps));
  memory.zero(view.time, worlds.size() * sizeof(*view.time));
  memory.zero(view.status, worlds.size() * sizeof(*view.status));
  memory.zero(view.first_bad, worlds.size() * sizeof(*view.first_bad));
  memory.zero(view.seed, worlds.size() * sizeof(*view.seed));
  memory.zero(view.episode, worlds.size() * sizeof(*view.episode));
  const std::vector<Scales> scales(worlds.size());
  memory.upload(view.scales, scales.data(), scales.size() * sizeof(Scales));
  upload_materials();
  std::vector<Addition> additions;
  for (std::uint32_t w = 0; w < worlds.size(); ++w) additions.push_back({w, scenes[w]->bodies()});
  add_bodies(additions, nullptr);
  upload_planes();
}

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

void World::Impl::enqueue(const StepJob& job) {
  const StepContext s = context(job.dt);
  if (options.timings || options.trace) {
    stage_ms = {};
    stage_hash = {};
    StageObserver observer(*this, s);
    backend->step(s, &observer);
  } else {
    backend->step(s, nullptr);
  }
  last_h = s.constants.h;
  time += job.dt;
  steps += 1;
}

/// Enqueues a job and remembers what was before it. One that can't be enqueued leaves nothing behind.
void World::Impl::take(const Job& job) {
  const PendingJob before{job, time, last_h};
  pending.reserve(pending.size() + 1);
  std::visit([this](const auto& j) { enqueue(j); }, job);
  pending.push_back(before);
  const bool waits = options.device.kind == Device::Kind::kCpu || options.timings || options.trace;
  if (waits || pending.size() >= kMostPending) synchronise();
}

void World::Impl::step(float dt) {
  const exec::ExactFloats exact;
  try {
    StepParams checked = params;
    checked.dt = dt;
    validate(checked);
    if (capturing()) {
      record(dt);
    } else {
      take(StepJob{dt});
    }
  } catch (const std::bad_alloc&) {
    throw CapacityError("out of memory: the host has no room for the step; it was not taken");
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
  pending.clear();
  pending_masks = 0;
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
    if (missing == 0) break;
    // a step found more pairs or rows than there was room for, and it and all later jobs left the state alone: make
    // room and take them again
    const auto is_step = [](const PendingJob& p) { return std::holds_alternative<StepJob>(p.job); };
    auto first = pending.end();
    for (std::uint64_t n = 0; n < missing;) n += is_step(*--first) ? 1 : 0;
    pending.erase(pending.begin(), first);
    steps = now.steps;
    time = pending.front().time;
    last_h = pending.front().last_h;
    memory.zero(&arrays.state.data()->overflow, sizeof(std::uint32_t));
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

/// For pairs or rows, after a step that needed more than there was.
void World::Impl::make_room(const kernels::StepState& now) {
  const bool more_pairs = now.pairs_needed > arrays.work.capacity();
  // rows are counted after the step has woken what was touched
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
  } else {
    arrays.reserve_rows(with_slack(now.row_count));
  }
}

World::World(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
World::World(const Scene& scene, const WorldOptions& options)
    : World(std::make_unique<Impl>(std::vector<const Scene*>{&scene}, options)) {}
World::World(std::span<const Scene> scenes, const WorldOptions& options)
    : World(std::make_unique<Impl>(pointers_to(scenes), options)) {}
World World::copies(const Scene& scene, std::uint32_t count, const WorldOptions& options) {
  check_world_count(count);
  return World(std::make_unique<Impl>(std::vector<const Scene*>(count, &scene), options));
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::wait() const { impl_->synchronise(); }

void World::step() { impl_->step(impl_->params.dt); }
void World::step(float dt) { impl_->step(dt); }

const StepParams& World::params(std::uint32_t world) const { return impl_->world_at(world).params; }

void World::set_params(const StepParams& params) {
  validate(params);
  impl_->synchronise();
  const std::vector<kernels::WorldParams> own(impl_->worlds.size(), kernels::world_params(params));
  impl_->memory.upload(impl_->arrays.worlds.view().params, own.data(), own.size() * sizeof(own[0]));
  impl_->params = params;
  for (WorldSlot& world : impl_->worlds) world.params = params;
  // what rests may not rest under the new ones, and with sleeping off nobody would wake it
  impl_->wake_all();
}

void World::set_params(const StepParams& params, std::uint32_t world) {
  impl_->world_at(world);
  validate(params);
  if (!share(params, impl_->params)) {
    throw InvalidArgument("world " + std::to_string(world) + ": its StepParams would differ from the others'" +
                          kShared);
  }
  impl_->synchronise();
  const kernels::WorldParams own = kernels::world_params(params);
  impl_->memory.upload(impl_->arrays.worlds.view().params + world, &own, sizeof own);
  impl_->worlds[world].params = params;
  impl_->wake_all(world);
}

Vec3 World::gravity(std::uint32_t world) const { return impl_->world_at(world).gravity; }

void World::set_gravity(Vec3 gravity, std::uint32_t world) {
  impl_->world_at(world);
  if (const auto fault = rules::find_fault(gravity))
    throw InvalidArgument("gravity " + fault->field + " " + fault->rule);
  impl_->synchronise();
  impl_->worlds[world].gravity = gravity;
  impl_->memory.upload(impl_->arrays.worlds.view().gravity + world, &gravity, sizeof gravity);
  impl_->wake_all(world);
}

Vec3d World::origin(std::uint32_t world) const { return impl_->world_at(world).origin; }

void World::set_origin(Vec3d origin, std::uint32_t world) {
  impl_->world_at(world);
  if (!std::isfinite(origin.x) || !std::isfinite(origin.y) || !std::isfinite(origin.z))
    throw InvalidArgument("origin of world " + std::to_string(world) + " must be finite");
  impl_->worlds[world].origin = origin;
}

const Limits& World::limits(std::uint32_t world) const { return impl_->world_at(world).limits; }

void World::set_limits(const Limits& limits) {
  validate(limits);
  impl_->synchronise();
  const std::vector<Limits> all(impl_->worlds.size(), limits);
  impl_->memory.upload(impl_->arrays.worlds.view().limits, all.data(), all.size() * sizeof(Limits));
  for (WorldSlot& world : impl_->worlds) world.limits = limits;
}

void World::set_limits(const Limits& limits, std::uint32_t world) {
  impl_->world_at(world);
  validate(limits);
  impl_->synchronise();
  impl_->memory.upload(impl_->arrays.worlds.view().limits + world, &limits, sizeof limits);
  impl_->worlds[world].limits = limits;
}

void World::set_timings(bool on) {
  impl_->synchronise();
  impl_->options.timings = on;
  impl_->stage_ms = {};
}

const Device& World::device() const { return impl_->options.device; }

}  // namespace cairn
