// The picture on a CUDA device against the CPU's: the same functor, the same bits.

#include <vector>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "scenes/builtin.h"
#include "src/picture/view.h"

namespace cairn::picture_test {
namespace {

constexpr int kWidth = 160, kHeight = 90;  // [1] pixels

template <class F>
__global__ void each_pixel(F functor, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) functor(i);
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
  std::uint32_t samples = 0;
  for (const char* scene_name : {"rain:count=60", "wall:base=6", "slope", "spinner", "shapes", "four_bar", "wheel_drop",
                                 "cloth", "dam_break:side=6"}) {
    const Scene scene = scenes::make(scene_name, 1);
    samples = samples % 4 + 1;
    std::vector<BodyState> states;
    for (const Body& b : scene.bodies()) states.push_back({b.position, b.orientation, {}, {}});
    std::vector<picture::Skin> skins;
    for (const SceneParticles& set : scene.particles()) {
      std::vector<std::optional<picture::Double3>> at;
      for (const Vec3d& x : set.description.positions) at.push_back(picture::Double3{x.x, x.y, x.z});
      skins.push_back(set.description.fluid ? picture::surface_of(*set.description.fluid, at)
                                            : picture::skin_of(set.description, 0.01, at, {}));
      for (std::uint32_t& particle : skins.back().covered) particle += set.first_body;
    }
    const auto view = picture::make_view({scene.bodies(), states, {0, 0, 1}, scene.joints(), skins},
                                         {.width = kWidth, .height = kHeight});
    const auto geometry = [](const auto& shapes, const auto& nodes, const auto& planes, const auto& faces) {
      return kernels::PictureGeometry{shapes.data(),
                                      nodes.data(),
                                      planes.data(),
                                      static_cast<std::uint32_t>(shapes.size()),
                                      static_cast<std::uint32_t>(planes.size()),
                                      faces.data()};
    };
    const std::vector<kernels::PicturePlane> none;
    std::vector<std::uint8_t> cpu(3u * kWidth * kHeight), rgb(cpu.size(), 0xff);
    std::vector<kernels::PixelLight> pixels(std::size_t{kWidth} * kHeight);
    kernels::TracePixel draw{.scene = geometry(view.shapes, view.nodes, view.planes, view.faces),
                             .marks = geometry(view.marks, view.mark_nodes, none, none),
                             .glass = geometry(view.glass, view.glass_nodes, none, view.faces),
                             .pixels = pixels.data()};
    draw.camera = view.camera;
    draw.light = view.light;
    draw.width = kWidth;
    draw.height = kHeight;
    draw.samples = samples;
    kernels::ShowPixel show{draw, samples == 3, cpu.data()};
    for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) draw(i);
    for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) show(i);
    draw.scene.shapes = to_device(view.shapes);
    draw.scene.nodes = to_device(view.nodes);
    draw.scene.planes = to_device(view.planes);
    draw.scene.faces = to_device(view.faces);
    draw.marks.shapes = to_device(view.marks);
    draw.marks.nodes = to_device(view.mark_nodes);
    draw.glass.shapes = to_device(view.glass);
    draw.glass.nodes = to_device(view.glass_nodes);
    draw.glass.faces = draw.scene.faces;
    draw.pixels = to_device(std::vector<kernels::PixelLight>(pixels.size()));
    show.first_pass = draw;
    show.rgb = to_device(rgb);
    each_pixel<<<(kWidth * kHeight + 127) / 128, 128>>>(draw, kWidth * kHeight);
    each_pixel<<<(kWidth * kHeight + 127) / 128, 128>>>(show, kWidth * kHeight);
    ASSERT_EQ(cudaMemcpy(rgb.data(), show.rgb, rgb.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(rgb, cpu) << scene_name;
    for (const void* array : {static_cast<const void*>(draw.scene.shapes), static_cast<const void*>(draw.scene.nodes),
                              static_cast<const void*>(draw.scene.planes), static_cast<const void*>(draw.scene.faces),
                              static_cast<const void*>(draw.glass.shapes), static_cast<const void*>(draw.glass.nodes),
                              static_cast<const void*>(draw.marks.shapes), static_cast<const void*>(draw.marks.nodes),
                              static_cast<const void*>(draw.pixels), static_cast<const void*>(show.rgb)}) {
      cudaFree(const_cast<void*>(array));
    }
  }
}

}  // namespace
}  // namespace cairn::picture_test
