// Life of a world, and the step.

#include <algorithm>

#include "src/exec/exact_floats.h"
#include "src/exec/thread_pool.h"
#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

// growth of cached impulses from one step to a longer one
constexpr float kMostWarmScale = 4.0f;
// steps that may be in flight before the host looks whether one of them overflowed
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

std::uint32_t with_slack(std::uint32_t needed) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{needed} + needed / 4, ~std::uint32_t{0}));
}

std::vector<const Scene*> pointers_to(std::span<const Scene> scenes) {
  std::vector<const Scene*> pointers;
  for (const Scene& scene : scenes) pointers.push_back(&scene);
  return pointers;
}

/// The parameters that the worlds of a batch share.
StepParams shared_params(std::span<const Scene* const> scenes) {
  check_world_count(scenes.size());
  for (std::size_t i = 1; i < scenes.size(); ++i) {
    if (!(scenes[i]->params() == scenes[0]->params())) {
      throw InvalidArgument("scene " + std::to_string(i) + " (\"" + scenes[i]->name +
                            "\"): its StepParams differ from those of scene 0; worlds of a batch share them");
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
  for (const Scene* scene : scenes) {
    WorldSlot& world = worlds.emplace_back();
    world.gravity = scene->gravity();
    world.limits = scene->limits();
    gravity.push_back(world.gravity);
    limits.push_back(world.limits);
    for (const Material& material : scene->materials()) add_material(world, material);
    if (world.materials.empty()) add_material(world, rules::default_material());
  }
  memory.upload(arrays.worlds.view().gravity, gravity.data(), gravity.size() * sizeof(Vec3));
  memory.upload(arrays.worlds.view().limits, limits.data(), limits.size() * sizeof(Limits));
  upload_materials();
  for (std::uint32_t w = 0; w < worlds.size(); ++w) add_bodies(w, scenes[w]->bodies(), nullptr);
  upload_planes();
}

void World::Impl::set_parts() {
  if (parts_known) return;
  std::vector<std::span<const std::uint32_t>> slots_of;
  for (const WorldSlot& world : worlds) slots_of.emplace_back(world.body_slots);
  arrays.set_parts(list_parts(slots_of, options.tuning));
  parts_known = true;
}

World::Impl::Impl(const snapshot::Image& image, const WorldOptions& o)
    : options(resolved(o)), backend(make_backend(options)), memory(backend->memory()), arrays(memory) {
  restore(image);
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

void World::step() { step(impl_->params.dt); }
void World::step(float dt) {
  impl_->step(dt);
  record_step(dt);
}

const StepParams& World::params() const { return impl_->params; }

void World::set_params(const StepParams& params) {
  validate(params);
  impl_->synchronise();
  impl_->params = params;
  // what rests may not rest under the new ones, and with sleeping off nobody would wake it
  impl_->wake_all();
  impl_->note<&World::set_params>(params);
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
  impl_->note<&World::set_gravity>(gravity, world);
}

const Limits& World::limits(std::uint32_t world) const { return impl_->world_at(world).limits; }

void World::set_limits(const Limits& limits) {
  validate(limits);
  impl_->synchronise();
  const std::vector<Limits> all(impl_->worlds.size(), limits);
  impl_->memory.upload(impl_->arrays.worlds.view().limits, all.data(), all.size() * sizeof(Limits));
  for (WorldSlot& world : impl_->worlds) world.limits = limits;
  impl_->note<recording::kSetAllLimits>(limits);
}

void World::set_limits(const Limits& limits, std::uint32_t world) {
  impl_->world_at(world);
  validate(limits);
  impl_->synchronise();
  impl_->memory.upload(impl_->arrays.worlds.view().limits + world, &limits, sizeof limits);
  impl_->worlds[world].limits = limits;
  impl_->note<recording::kSetLimits>(limits, world);
}

void World::set_timings(bool on) {
  impl_->synchronise();
  impl_->options.timings = on;
  impl_->stage_ms = {};
}

const Device& World::device() const { return impl_->options.device; }

}  // namespace cairn
