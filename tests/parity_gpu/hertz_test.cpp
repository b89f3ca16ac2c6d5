// Elastic spheres: the same bits on CPU and CUDA, in worlds alone and in a batch.

#include "tests/hertz/hertz_scenes.h"
#include "tests/parity_gpu/parity.h"

namespace cairn::parity {
namespace {

class GpuGrains : public GpuParity {};

TEST_F(GpuGrains, have_the_same_bits_as_on_the_cpu) {
  for (const std::uint32_t small : {0u, 4096u}) {
    WorldOptions cpu_options = on(Device::cpu()), gpu_options = on(gpu);
    cpu_options.tuning.small_world = gpu_options.tuning.small_world = small;
    const Scene scene = hertz_test::heap(hertz_test::elastic(2e-5, 25));
    World cpu = World::copies(scene, 2, cpu_options), cuda = World::copies(scene, 2, gpu_options);
    for (int step = 0; step < 120; ++step) {
      step_both(cpu, cuda, 1);
      if (step % 10 == 0) {
        ASSERT_TRUE(alike(cpu, cuda)) << "step " << step << ", small worlds up to " << small;
      }
    }
    EXPECT_GT(cpu.report().manifolds, 10u);
  }
}

}  // namespace
}  // namespace cairn::parity
