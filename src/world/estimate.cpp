// The memory that worlds will take, told before any is.

#include <vector>

#include "cairn/world.h"
#include "src/world/arrays.h"

namespace cairn {
namespace {

/// Gives nothing: the arrays count what they ask for.
class NoMemory final : public exec::Memory {
 public:
  void* allocate(std::size_t) override { return nullptr; }
  void release(void*) noexcept override {}
  void upload(void*, const void*, std::size_t) override {}
  void download(void*, const void*, std::size_t) override {}
  void copy(void*, const void*, std::size_t) override {}
  void zero(void*, std::size_t) override {}
};

}  // namespace

std::uint64_t estimate_memory(const Scene& scene, std::uint32_t worlds, const Capacity& capacity) {
  check_world_count(worlds);
  NoMemory none;
  Arrays arrays(none);
  const std::vector<const Scene*> scenes(worlds, &scene);
  const Room filled = room_for(scenes, {});
  arrays.reserve(room_for(scenes, capacity));
  arrays.context(scene.params(), {.worlds = worlds,
                                  .bodies = static_cast<std::uint32_t>(filled.bodies),
                                  .shapes = static_cast<std::uint32_t>(filled.shapes)});
  return arrays.bytes();
}

}  // namespace cairn
