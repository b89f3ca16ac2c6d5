// The memory that worlds will take, told before any is.

#include <algorithm>

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
  const Scene* one = &scene;
  // rooms add up, but for what a capacity asks for all worlds together
  Room room = room_for({&one, 1}, {});
  room.worlds = worlds;
  for (std::size_t* n : {&room.bodies, &room.shapes, &room.planes, &room.materials}) *n *= worlds;
  room.pairs = capacity.pairs != 0 ? capacity.pairs : 4 * room.shapes + 64;
  const Counts counts{.worlds = worlds,
                      .bodies = static_cast<std::uint32_t>(room.bodies),
                      .shapes = static_cast<std::uint32_t>(room.shapes)};
  room.bodies = std::max<std::size_t>(room.bodies, capacity.bodies);
  room.shapes = std::max<std::size_t>(room.shapes, capacity.shapes);
  arrays.reserve(room);
  arrays.context(scene.params(), counts);
  return arrays.bytes();
}

}  // namespace cairn
