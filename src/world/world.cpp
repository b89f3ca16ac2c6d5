// Construction of worlds, and their shared parameters.

#include <cmath>

#include "src/exec/exact_floats.h"
#include "src/exec/thread_pool.h"
#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

/// Options with the thread count for 0 filled in.
WorldOptions resolved(WorldOptions o) {
  if (o.device.kind == Device::Kind::kCpu && o.device.threads == 0) {
    o.device.threads = exec::ThreadPool::hardware_threads();
  }
  // a trace needs separate stages
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

std::vector<const Scene*> pointers_to(std::span<const Scene> scenes) {
  std::vector<const Scene*> pointers;
  for (const Scene& scene : scenes) pointers.push_back(&scene);
  return pointers;
}

/// The parameters that the worlds of a batch share.
StepParams shared_params(std::span<const Scene* const> scenes) {
  check_world_count(scenes.size());
  for (std::size_t i = 1; i < scenes.size(); ++i) {
    if (!rules::shared_alike(scenes[i]->params(), scenes[0]->params())) {
      throw InvalidArgument("scene " + std::to_string(i) + " (\"" + scenes[i]->name +
                            "\"): its StepParams differ from those of scene 0" + rules::shared_params());
    }
  }
  return scenes[0]->params();
}

}  // namespace

Feature::Feature(Impl& of) : world_(of) { of.features.push_back(this); }

World::Impl::Impl(std::span<const Scene* const> scenes, const WorldOptions& o)
    : options(resolved(o)),
      params(shared_params(scenes)),
      backend(make_backend(options)),
      memory(backend->memory()),
      arrays(memory),
      query_store(memory) {
  arrays.choose(options);
  const Room room = room_for(scenes, o.capacity);
  arrays.reserve(room);
  slots.reserve(room.bodies);

  std::vector<Vec3> gravity;
  std::vector<WorldLimits> limits;
  std::vector<kernels::WorldParams> own_params;
  for (const Scene* scene : scenes) {
    WorldSlot& world = worlds.emplace_back();
    world.limits = scene->limits();
    gravity.push_back(scene->gravity());
    limits.push_back(world.limits);
    world.params = scene->params();
    own_params.push_back(kernels::world_params(world.params));
    for (const Material& material : scene->materials()) add_material(world, material);
    if (world.materials.empty()) add_material(world, rules::default_material());
  }
  const kernels::Worlds& view = arrays.worlds.view();
  memory.put(view.gravity, gravity);
  memory.put(view.limits, limits);
  memory.put(view.params, own_params);
  memory.put(view.scales, std::vector<Scales>(worlds.size()));
  exec::start_entries(memory, view, 0, worlds.size());
  memory.clear(view.seed, worlds.size());
  memory.clear(view.episode, worlds.size());
  upload_materials();
  std::vector<Addition> additions;
  for (std::uint32_t w = 0; w < worlds.size(); ++w) additions.push_back({w, scenes[w]->bodies()});
  add_bodies(additions, nullptr);
  upload_planes();
  for (Feature* feature : features) feature->take(scenes);
  if (traits_of(params.solver).elastic) check_solver(params.dt);
}

World::Impl::Impl(const snapshot::Image& image, const WorldOptions& o)
    : options(resolved(o)),
      backend(make_backend(options)),
      memory(backend->memory()),
      arrays(memory),
      query_store(memory) {
  arrays.choose(options);
  restore(image);
}

World::World(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
World::World(const Scene& scene, const WorldOptions& options)
    : World(with_heap([&] { return std::make_unique<Impl>(std::vector<const Scene*>{&scene}, options); })) {}
World::World(std::span<const Scene> scenes, const WorldOptions& options)
    : World(with_heap([&] { return std::make_unique<Impl>(pointers_to(scenes), options); })) {}
World World::copies(const Scene& scene, std::uint32_t count, const WorldOptions& options) {
  return with_heap([&] {
    check_world_count(count);
    return World(std::make_unique<Impl>(std::vector<const Scene*>(count, &scene), options));
  });
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const StepParams& World::params(std::uint32_t world) const {
  return impl_->call([&]() -> const StepParams& { return impl_->world_at(world).params; });
}

void World::set_params(const StepParams& params) {
  impl_->call([&] {
    validate(params);
    impl_->synchronise();
    const std::vector<kernels::WorldParams> own(impl_->worlds.size(), kernels::world_params(params));
    impl_->memory.put(impl_->arrays.worlds.view().params, own);
    impl_->memory.replace(impl_->params, params);
    for (WorldSlot& world : impl_->worlds) impl_->memory.replace(world.params, params);
    // a resting island may move under the new ones, and with sleeping off nothing else would wake it
    impl_->wake_all();
    impl_->note<recording::kSetAllParams>(params);
  });
}

void World::set_params(const StepParams& params, std::uint32_t world) {
  impl_->call([&] {
    impl_->world_at(world);
    validate(params);
    if (!rules::shared_alike(params, impl_->params)) {
      throw InvalidArgument("world " + std::to_string(world) + ": its StepParams would differ from the others'" +
                            rules::shared_params());
    }
    impl_->synchronise();
    impl_->memory.put(impl_->arrays.worlds.view().params + world, kernels::world_params(params));
    impl_->memory.replace(impl_->worlds[world].params, params);
    impl_->wake_all(world);
    impl_->note<recording::kSetParams>(params, world);
  });
}

Vec3 World::gravity(std::uint32_t world) const {
  return impl_->call([&]() -> Vec3 {
    impl_->world_at(world);
    impl_->synchronise();
    return impl_->memory.get(impl_->arrays.worlds.view().gravity + world);
  });
}

void World::set_gravity(Vec3 gravity, std::uint32_t world) {
  impl_->call([&] {
    impl_->world_at(world);
    if (const auto fault = rules::find_fault(gravity))
      throw InvalidArgument("gravity " + fault->field + " " + fault->rule);
    impl_->synchronise();
    impl_->memory.put(impl_->arrays.worlds.view().gravity + world, gravity);
    impl_->wake_all(world);
    impl_->note<&World::set_gravity>(gravity, world);
  });
}

Vec3d World::origin(std::uint32_t world) const {
  return impl_->call([&]() -> Vec3d { return impl_->world_at(world).origin; });
}

void World::set_origin(Vec3d origin, std::uint32_t world) {
  impl_->call([&] {
    impl_->world_at(world);
    if (!std::isfinite(origin.x) || !std::isfinite(origin.y) || !std::isfinite(origin.z))
      throw InvalidArgument("origin of world " + std::to_string(world) + " must be finite");
    impl_->memory.replace(impl_->worlds[world].origin, origin);
    impl_->note<&World::set_origin>(origin, world);
  });
}

const WorldLimits& World::limits(std::uint32_t world) const {
  return impl_->call([&]() -> const WorldLimits& { return impl_->world_at(world).limits; });
}

void World::set_limits(const WorldLimits& limits) {
  impl_->call([&] {
    validate(limits);
    impl_->synchronise();
    const std::vector<WorldLimits> all(impl_->worlds.size(), limits);
    impl_->memory.put(impl_->arrays.worlds.view().limits, all);
    for (WorldSlot& world : impl_->worlds) impl_->memory.replace(world.limits, limits);
    impl_->note<recording::kSetAllLimits>(limits);
  });
}

void World::set_limits(const WorldLimits& limits, std::uint32_t world) {
  impl_->call([&] {
    impl_->world_at(world);
    validate(limits);
    impl_->synchronise();
    impl_->memory.put(impl_->arrays.worlds.view().limits + world, limits);
    impl_->memory.replace(impl_->worlds[world].limits, limits);
    impl_->note<recording::kSetLimits>(limits, world);
  });
}

void World::set_timings(bool on) {
  impl_->call([&] {
    impl_->synchronise();
    impl_->options.timings = on;
    impl_->stage_ms = {};
  });
}

const Device& World::device() const { return impl_->options.device; }

Queries& World::queries() { return impl_->queries; }
const Queries& World::queries() const { return impl_->queries; }
WorldArticulations& World::articulations() { return impl_->world_articulations; }
const WorldArticulations& World::articulations() const { return impl_->world_articulations; }
WorldParticles& World::particles() { return impl_->world_particles; }
const WorldParticles& World::particles() const { return impl_->world_particles; }
WorldScales& World::scales() { return impl_->world_scales; }
const WorldScales& World::scales() const { return impl_->world_scales; }
DeviceArrays& World::arrays() { return impl_->device_arrays; }
const DeviceArrays& World::arrays() const { return impl_->device_arrays; }

}  // namespace cairn
