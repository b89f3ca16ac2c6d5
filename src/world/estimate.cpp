// The memory of worlds, computed before any is allocated.

#include <cstring>
#include <iterator>

#include "src/world/impl.h"

namespace cairn {
namespace {

/// Memory that doesn't exist: addresses that nobody reads or writes, each given once. Its values are 0.
class NoMemory final : public exec::Memory {
 public:
  void* allocate(std::size_t bytes) override {
    void* const data = reinterpret_cast<void*>(next_);
    next_ += (bytes / kAlignment + 1) * kAlignment;
    return data;
  }
  void release(void*) noexcept override {}
  void upload(void*, const void*, std::size_t) override {}
  void post(void*, const void*, std::size_t) override {}
  void download(void* host, const void*, std::size_t bytes) override { std::memset(host, 0, bytes); }
  void copy(void*, const void*, std::size_t) override {}
  void zero(void*, std::size_t) override {}
  std::shared_ptr<const void> keep() override { return nullptr; }

 private:
  static constexpr std::uintptr_t kAlignment = 256;
  std::uintptr_t next_{kAlignment};
};

/// A processor that does nothing.
class NoBackend final : public exec::Backend {
 public:
  exec::Memory& memory() override { return memory_; }
  void step(const StepContext&, exec::StepObserver*) override {}
  void run(const StepContext&, const Task&) override {}
  void articulate(const ArticulateContext&) override {}
  void wait() override {}

 private:
  NoMemory memory_;
};

/// So many copies of a scene, without memory, ready for their first step.
std::unique_ptr<Feature::Impl> worlds_of(const Scene& scene, std::uint32_t count, const WorldOptions& options) {
  check_world_count(count);
  const std::vector<const Scene*> scenes(count, &scene);
  auto world = std::make_unique<Feature::Impl>(scenes, options, std::make_unique<NoBackend>());
  world->context(scene.params().dt, true);
  return world;
}

std::vector<std::string> find_warnings(const Scene& scene) {
  std::vector<std::string> warnings;
  if (scene.particles().empty()) return warnings;
  const std::unique_ptr<Feature::Impl> world = worlds_of(scene, 1, {});
  if (world->particles.constraints.empty()) return warnings;
  const std::vector<std::vector<ConstraintNeed>> needs = world->particles.constraints.needs(scene.params().sweep);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    std::ranges::copy(warnings_of(scene.particles()[i].description, needs[i], scene.params()),
                      std::back_inserter(warnings));
  }
  return warnings;
}

}  // namespace

std::vector<std::string> constraint_warnings(const Scene& scene) {
  return with_heap([&] { return find_warnings(scene); });
}

std::uint64_t estimate_memory(const Scene& scene, std::uint32_t worlds, const WorldOptions& options) {
  return with_heap([&] { return worlds_of(scene, worlds, options)->memory.held(); });
}

}  // namespace cairn
