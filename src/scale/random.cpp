// Random numbers, and the seeds of worlds.

#include "kernels/scale/scale.h"
#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {

std::array<std::uint32_t, 4> philox4x32(const std::array<std::uint32_t, 4>& counter,
                                        const std::array<std::uint32_t, 2>& key) {
  const kernels::Random4 r = kernels::philox({counter[0], counter[1], counter[2], counter[3]}, key[0], key[1]);
  return {r.x, r.y, r.z, r.w};
}

std::array<float, 4> random_uniforms(std::uint64_t seed, std::uint32_t episode, RandomStream stream,
                                     std::uint32_t index) {
  const kernels::Uniform4 u = kernels::uniforms(seed, episode, stream, index);
  return {u.x, u.y, u.z, u.w};
}

std::uint64_t WorldScales::seed(std::uint32_t world) const {
  return world_.call([&]() -> std::uint64_t {
    world_.world_at(world);
    return world_.memory.get(world_.arrays.worlds.view().seed + world);
  });
}

void WorldScales::set_seed(std::uint64_t seed, std::uint32_t world) {
  world_.call([&] {
    world_.world_at(world);
    world_.synchronise();
    world_.memory.put(world_.arrays.worlds.view().seed + world, seed);
    world_.note<&WorldScales::set_seed>(seed, world);
  });
}

}  // namespace cairn
