#pragma once
// A stream and a graph of the user's.

#include <cuda_runtime_api.h>

#include "tests/parity_gpu/parity.h"
#include "tests/parity_gpu/short_device.h"
#include "tests/support/placed.h"

namespace cairn::parity {

inline void ok(cudaError_t error) { ASSERT_EQ(error, cudaSuccess) << cudaGetErrorString(error); }

/// Has a stream. What a test takes of the device it must give back, where the device can tell, and no error may be
/// left.
class GpuOnStream : public GpuParity {
 protected:
  void SetUp() override {
    GpuParity::SetUp();
    if (IsSkipped()) return;
    testing_support::users_memory(gpu);
    if (ShortDevice::available()) alive = ShortDevice::alive();
    ok(cudaSetDevice(gpu.index));
    ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  void TearDown() override {
    if (stream == nullptr) return;
    if (executable != nullptr) ok(cudaGraphExecDestroy(executable));
    ok(cudaStreamDestroy(stream));
    ok(cudaGetLastError());
    if (!ShortDevice::available()) return;
    EXPECT_EQ(ShortDevice::alive(), alive) << "something wasn't given back";
  }
  WorldOptions on_stream(bool capturable) const {
    WorldOptions options = on(gpu);
    options.stream = stream;
    options.capturable = capturable;
    return options;
  }
  /// Makes a graph of what f enqueues on the stream.
  template <class F>
  void capture(const F& f) {
    cudaGraph_t graph = nullptr;
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    try {
      f();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "thrown while the stream was captured: " << error.what();
    }
    ok(cudaStreamEndCapture(stream, &graph));
    ASSERT_NE(graph, nullptr);
    ok(cudaGraphGetNodes(graph, nullptr, &nodes));
    if (executable != nullptr) ok(cudaGraphExecDestroy(executable));
    ok(cudaGraphInstantiate(&executable, graph, 0));
    ok(cudaGraphDestroy(graph));
  }
  void launch(int times) {
    for (int i = 0; i < times; ++i) ok(cudaGraphLaunch(executable, stream));
  }

  cudaStream_t stream{nullptr};
  cudaGraphExec_t executable{nullptr};
  std::size_t nodes{0};  ///< [1] of the graph
  unsigned long long alive{0};
};

}  // namespace cairn::parity
