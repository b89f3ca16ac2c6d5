// The picture on a CUDA device against the CPU's: the same functor, the same bits.

#include <vector>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "scenes/builtin.h"
#include "src/picture/view.h"

namespace cairn {
namespace {

constexpr int kWidth = 160, kHeight = 90;  // [1] pixels

__global__ void draw_pixels(kernels::DrawPixel draw, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) draw(i);
}

template <class T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  EXPECT_EQ(cudaMalloc(&device, sizeof(T) * (host.size() + 1)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host.data(), sizeof(T) * host.size(), cudaMemcpyHostToDevice), cudaSuccess);
  return device;
}

TEST(PictureGpu, has_the_bits_of_the_cpu) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no CUDA device";
  for (const char* scene_name :
       {"rain:count=60", "wall:base=6", "slope", "spinner", "shapes", "four_bar", "wheel_drop"}) {
    const Scene scene = scenes::make(scene_name, 1);
    std::vector<BodyState> states;
    for (const Body& b : scene.bodies()) states.push_back({b.position, b.orientation, {}, {}});
    const Image cpu =
        render(scene.bodies(), states, {0, 0, 1}, {.width = kWidth, .height = kHeight, .samples = 2}, scene.joints());

    const auto view =
        picture::make_view(scene.bodies(), states, {0, 0, 1}, static_cast<double>(kWidth) / kHeight, scene.joints());
    std::vector<std::uint8_t> rgb(cpu.rgb.size(), 0xff);
    kernels::DrawPixel draw{};
    draw.scene = {to_device(view.shapes),
                  to_device(view.nodes),
                  to_device(view.planes),
                  static_cast<std::uint32_t>(view.shapes.size()),
                  static_cast<std::uint32_t>(view.planes.size()),
                  to_device(view.faces)};
    draw.camera = view.camera;
    draw.light = view.light;
    draw.marks = {to_device(view.marks), to_device(view.mark_nodes), nullptr,
                  static_cast<std::uint32_t>(view.marks.size()), 0};
    draw.glass = to_device(view.glass);
    draw.glass_count = static_cast<std::uint32_t>(view.glass.size());
    draw.width = kWidth;
    draw.height = kHeight;
    draw.samples = 2;
    draw.rgb = to_device(rgb);
    draw_pixels<<<(kWidth * kHeight + 127) / 128, 128>>>(draw, kWidth * kHeight);
    ASSERT_EQ(cudaMemcpy(rgb.data(), draw.rgb, rgb.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(rgb, cpu.rgb) << scene_name;
    for (const void* array : {static_cast<const void*>(draw.scene.shapes), static_cast<const void*>(draw.scene.nodes),
                              static_cast<const void*>(draw.scene.planes), static_cast<const void*>(draw.scene.faces),
                              static_cast<const void*>(draw.glass), static_cast<const void*>(draw.marks.shapes),
                              static_cast<const void*>(draw.marks.nodes), static_cast<const void*>(draw.rgb)}) {
      cudaFree(const_cast<void*>(array));
    }
  }
}

}  // namespace
}  // namespace cairn
