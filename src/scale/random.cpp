// Random numbers.

#include "cairn/random.h"

#include "kernels/scale/scale.h"

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

}  // namespace cairn
