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

std::uint64_t World::seed(std::uint32_t world) const {
  return impl_->call([&]() -> std::uint64_t {
    impl_->world_at(world);
    return impl_->read(impl_->arrays.worlds.view().seed + world, 1)[0];
  });
}

void World::set_seed(std::uint64_t seed, std::uint32_t world) {
  impl_->call([&] {
    impl_->world_at(world);
    impl_->synchronise();
    impl_->memory.upload(impl_->arrays.worlds.view().seed + world, &seed, sizeof seed);
    impl_->note<&World::set_seed>(seed, world);
  });
}

}  // namespace cairn
