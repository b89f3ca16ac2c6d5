#pragma once
// Common to the parts of the runtime library.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include "block.h"
#include "module.h"

namespace ptxdev {

/// One call at a time.
std::recursive_mutex& api_mutex();
using Lock = std::lock_guard<std::recursive_mutex>;

/// Stores an error for cudaGetLastError and returns it.
cudaError_t told(cudaError_t error);
/// The first fault of a kernel: every call fails with it from then on.
cudaError_t sticky();
/// Prints a fault and makes it sticky.
void fail(cudaError_t error, const std::string& what);
/// A call that a correct program wouldn't make: printed, but not sticky.
cudaError_t refuse(cudaError_t error, const char* call, const std::string& what);

/// True for an allocation that must fail: every call that takes memory asks first.
bool finds_no_room();

// ---- the program's device code ----

Kernel* kernel_of(const void* host_function);
/// The address of a variable and its size; false where there is none.
bool variable_of(const void* host_variable, std::uint64_t& address, std::uint64_t& bytes);
int ptx_version(const Kernel& kernel);  ///< 90 for sm_90

// ---- streams ----

using Work = std::function<void()>;

struct Capture {
  std::vector<Work> work;
  cudaStreamCaptureMode mode{cudaStreamCaptureModeGlobal};
  std::thread::id thread;
  bool broken{false};
  unsigned long long id{0};
};

}  // namespace ptxdev

// types that the header leaves incomplete
struct CUstream_st {
  unsigned flags{0};
  std::deque<ptxdev::Work> queue;
  std::uint64_t enqueued{0}, done{0};
  std::shared_ptr<ptxdev::Capture> capture;
  bool origin{false};
};
struct CUevent_st {
  CUstream_st* stream{nullptr};
  std::uint64_t after{0};  ///< works of the stream that it waits for
  std::shared_ptr<ptxdev::Capture> capture;
  double time{0};  ///< [s]
};
struct CUgraph_st {
  std::vector<ptxdev::Work> work;
};
struct CUgraphExec_st {
  std::vector<ptxdev::Work> work;
};

namespace ptxdev {

/// The stream of a handle; null for an unknown one.
CUstream_st* stream_of(cudaStream_t handle);
/// Does the work now, or adds it to the stream's queue, or to the graph in capture.
cudaError_t enqueue(cudaStream_t handle, const char* call, Work work);
void drain(CUstream_st& stream);
void drain_to(CUstream_st& stream, std::uint64_t done);
void drain_all();
/// Does the work that the default stream waits for.
void drain_blocking();
/// [1] Streams, events and graphs that weren't released.
std::uint64_t alive_objects();
/// Returns an error while the calling thread captures, for calls that a capture forbids.
cudaError_t forbid_in_capture(const char* call);

cudaError_t launch_kernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                          cudaStream_t stream);

}  // namespace ptxdev
