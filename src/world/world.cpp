// Life of a world, and what all of it hangs on.

#include "src/exec/thread_pool.h"
#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

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

World::Impl::Impl(const snapshot::Image& image, const WorldOptions& o)
    : options(resolved(o)), backend(make_backend(options)), memory(backend->memory()), arrays(memory) {
  restore(image);
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
