// Life of a world, and the step.

#include <algorithm>
#include <bit>
#include <thread>

#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

// colours live for this many steps; then all contacts are coloured anew, so that colours don't pile up
constexpr std::uint64_t kRecolorPeriod = 256;
// growth of cached impulses from one step to a longer one
constexpr float kMostWarmScale = 4.0f;
// steps that may be in flight before the host looks whether one of them overflowed
constexpr std::size_t kMostPending = 64;

/// Options with the thread count that 0 stands for.
WorldOptions resolved(WorldOptions o) {
  if (o.device.kind == Device::Kind::kCpu && o.device.threads == 0) {
    o.device.threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 256u));
  }
  return o;
}

std::unique_ptr<exec::Backend> make_backend(const Device& device) {
  if (device.kind == Device::Kind::kCuda) return exec::make_cuda_backend(device.index);
  return exec::make_cpu_backend(device.threads);
}

std::uint32_t with_slack(std::uint32_t needed) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{needed} + needed / 4, ~std::uint32_t{0}));
}

}  // namespace

World::Impl::Impl(const Scene& scene, const WorldOptions& o)
    : options(resolved(o)),
      backend(make_backend(options.device)),
      memory(backend->memory()),
      params(scene.params()),
      gravity(scene.gravity()),
      materials(scene.materials()),
      bodies(memory),
      shapes(memory),
      pairs{exec::Table<kernels::Pairs>(memory), exec::Table<kernels::Pairs>(memory)},
      work(memory),
      rows(memory),
      row_ends(memory),
      body_ends(memory),
      material_table(memory),
      planes(memory),
      bucket_begin(memory),
      state(memory) {
  state.reserve(1);
  if (materials.empty()) materials.push_back(rules::default_material());
  material_table.reserve(materials.size());
  upload_materials();
  bodies.reserve(std::size_t{o.capacity.bodies} + 1);
  shapes.reserve(o.capacity.shapes);
  add_bodies(scene.bodies(), nullptr);
  grow_pairs(o.capacity.pairs != 0 ? o.capacity.pairs : 4 * shape_slots + 64);
}

StepContext World::Impl::context(float dt) {
  StepContext s;
  kernels::StepConstants& k = s.constants;
  const float h = dt / static_cast<float>(params.substeps);
  k.dt = dt;
  k.h = h;
  k.inv_h = 1.0f / h;
  k.gravity = gravity;
  // soft constraint of natural frequency f = contact_frequency / h (Catto 2011)
  const float h_omega = 6.28318531f * params.contact_frequency;
  const float a1 = 2.0f * params.contact_damping_ratio + h_omega;
  const float a2 = h_omega * a1;
  k.impulse_scale = 1.0f / (1.0f + a2);
  k.mass_scale = a2 * k.impulse_scale;
  k.bias_rate = (h_omega / a1) * k.inv_h;
  k.push_out_speed = params.push_out_speed;
  k.restitution_threshold = params.restitution_threshold;
  k.recycle_tolerance = params.recycle_tolerance;
  // impulses that pushed overlap out don't grow with the step, so a much longer one starts with less than its share
  k.warm_scale = last_h > 0.0f && last_h != h ? std::min(h / last_h, kMostWarmScale) : 1.0f;
  k.sleep_speed = params.sleep_speed;
  k.sleep_time = params.sleep_time;
  k.friction_mix = params.friction_mix;
  k.restitution_mix = params.restitution_mix;
  k.rolling_mix = params.rolling_mix;
  k.body_count = static_cast<std::uint32_t>(slots.size());
  k.shape_count = shape_slots;
  k.plane_count = static_cast<std::uint32_t>(plane_slots.size());
  k.bucket_count = std::max(16u, std::bit_ceil(2 * shape_slots));
  k.pair_capacity = static_cast<std::uint32_t>(work.capacity());
  k.parity = next_parity();
  k.recolor = steps != 0 && steps % kRecolorPeriod == 0 ? 1 : 0;
  s.bodies = bodies.view();
  s.shapes = shapes.view();
  s.pairs[0] = pairs[0].view();
  s.pairs[1] = pairs[1].view();
  s.work = work.view();
  s.rows = rows.data();
  s.row_capacity = static_cast<std::uint32_t>(rows.capacity()) * kernels::kRowLanes;
  if (params.solver == SolverKind::kXpbd && params.sweep == SweepKind::kJacobi) {
    row_ends.reserve(2 * std::size_t{s.row_capacity});
    body_ends.reserve(bodies.capacity());
    s.row_ends = row_ends.view();
    s.body_ends = body_ends.view();
  }
  s.materials = material_table.data();
  s.planes = planes.data();
  bucket_begin.reserve(std::size_t{k.bucket_count} + 3);
  s.bucket_begin = bucket_begin.data();
  s.state = state.data();
  s.solver = params.solver;
  s.sweep = params.sweep;
  s.substeps = params.substeps;
  s.restitution = std::any_of(materials.begin(), materials.end(), [](const Material& m) { return m.restitution > 0; });
  s.rolling = std::any_of(materials.begin(), materials.end(), [](const Material& m) { return m.rolling_friction > 0; });
  s.sleeping = params.sleeping;
  return s;
}

void World::Impl::grow_pairs(std::uint32_t needed) {
  const std::size_t n = std::max<std::size_t>(needed, 1);
  for (auto& table : pairs) table.reserve(n);
  const std::size_t row_slots = n + std::size_t{kernels::kColorCount} * (kernels::kRowAlign - 1);
  rows.reserve((row_slots + kernels::kRowLanes - 1) / kernels::kRowLanes);
  // last, since its size is the capacity that counts
  work.reserve(n);
}

void World::Impl::enqueue(float dt) {
  const StepContext s = context(dt);
  if (options.timings || options.trace) {
    stage_ms = {};
    stage_hash = {};
    StageObserver observer(*this, s);
    backend->step(s, &observer);
  } else {
    backend->step(s, nullptr);
  }
  last_h = s.constants.h;
  time += dt;
  steps += 1;
}

void World::Impl::step(float dt) {
  StepParams checked = params;
  checked.dt = dt;
  validate(checked);
  pending.push_back({dt, time, last_h});
  enqueue(dt);
  const bool waits = options.device.kind == Device::Kind::kCpu || options.timings || options.trace;
  if (waits || pending.size() >= kMostPending) synchronise();
}

void World::Impl::synchronise() {
  backend->wait();
  while (!pending.empty()) {
    const kernels::StepState now = state.get(0);
    status |= now.status;
    const std::uint64_t missing = steps - now.steps;
    high_water.pairs = std::max(high_water.pairs, now.pairs_needed);
    if (missing == 0) break;
    // a step found more pairs than there was room for, and it and all later ones left the state alone: make room and take them again
    const std::vector<PendingStep> again(pending.end() - static_cast<std::ptrdiff_t>(missing), pending.end());
    steps = now.steps;
    time = again.front().time;
    last_h = again.front().last_h;
    const std::uint32_t zero = 0;
    memory.upload(&state.data()->overflow, &zero, sizeof zero);
    pending.clear();
    if (options.capacity.fixed) {
      status |= kStatusOverflow;
      throw CapacityError("Capacity::pairs is fixed at " + std::to_string(work.capacity()) + ", and the step needs " +
                          std::to_string(now.pairs_needed) + "; the step was not taken");
    }
    if (now.pairs_wrapped != 0)
      throw CapacityError("a step needs more than 4294967295 pairs of shapes; the step was not taken");
    grow_pairs(with_slack(now.pairs_needed));
    for (const PendingStep& step : again) {
      pending.push_back({step.dt, time, last_h});
      enqueue(step.dt);
    }
    backend->wait();
  }
  pending.clear();
}

World::World(const Scene& scene, const WorldOptions& options) : impl_(std::make_unique<Impl>(scene, options)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::step() { impl_->step(impl_->params.dt); }
void World::step(float dt) { impl_->step(dt); }

const StepParams& World::params() const { return impl_->params; }

void World::set_params(const StepParams& params) {
  validate(params);
  impl_->synchronise();
  impl_->params = params;
  // what rests may not rest under the new ones, and with sleeping off nobody would wake it
  impl_->wake_all();
}

Vec3 World::gravity() const { return impl_->gravity; }

void World::set_gravity(Vec3 gravity) {
  if (const auto fault = rules::find_fault(gravity))
    throw InvalidArgument("gravity " + fault->field + " " + fault->rule);
  impl_->synchronise();
  impl_->gravity = gravity;
  impl_->wake_all();
}

const Device& World::device() const { return impl_->options.device; }

}  // namespace cairn
