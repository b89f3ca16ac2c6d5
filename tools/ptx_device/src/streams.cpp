// Streams, events and graphs. Work is done when it is enqueued, or with PTX_DEVICE_LATE when the host waits for it: a
// program that reads too early, or overwrites the source of a pending copy, then gets wrong data.

#include <algorithm>
#include <chrono>
#include <unordered_set>

#include "options.h"
#include "runtime.h"

namespace ptxdev {
namespace {

std::unordered_set<CUstream_st*>& all_streams() {
  static auto* all = new std::unordered_set<CUstream_st*>;
  return *all;
}
std::uint64_t graphs = 0;          // [1] alive, executable or not
std::uint64_t thread_streams = 0;  // [1] of threads, which are never released
CUstream_st legacy_stream;
thread_local CUstream_st* per_thread = nullptr;

std::unordered_set<CUevent_st*>& all_events() {
  static auto* all = new std::unordered_set<CUevent_st*>;
  return *all;
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

bool blocking(const CUstream_st& s) { return (s.flags & cudaStreamNonBlocking) == 0; }

cudaError_t put(CUstream_st& stream, Work work) {
  if (!options().late) {
    work();
    ++stream.enqueued;
    ++stream.done;
    return sticky();
  }
  // the default stream and those that aren't non-blocking wait for each other
  if (&stream == &legacy_stream) {
    for (CUstream_st* s : all_streams()) {
      if (blocking(*s)) drain(*s);
    }
  } else if (blocking(stream)) {
    drain(legacy_stream);
  }
  stream.queue.push_back(std::move(work));
  ++stream.enqueued;
  return sticky();
}

}  // namespace

CUstream_st* stream_of(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &legacy_stream;
  if (handle == cudaStreamPerThread) {
    if (per_thread == nullptr) {
      per_thread = new CUstream_st;
      ++thread_streams;
      all_streams().insert(per_thread);
    }
    return per_thread;
  }
  return all_streams().count(handle) != 0 ? handle : nullptr;
}

cudaError_t enqueue(cudaStream_t handle, const char* call, Work work) {
  CUstream_st* stream = stream_of(handle);
  if (stream == nullptr) return refuse(cudaErrorInvalidResourceHandle, call, "no such stream");
  if (stream->capture) {
    stream->capture->work.push_back(std::move(work));
    return cudaSuccess;
  }
  if (stream == &legacy_stream) {
    for (CUstream_st* s : all_streams()) {
      if (s->capture && blocking(*s)) {
        s->capture->broken = true;
        return refuse(cudaErrorStreamCaptureImplicit, call,
                      "the default stream is used while a blocking stream is captured");
      }
    }
  }
  return told(put(*stream, std::move(work)));
}

void drain_to(CUstream_st& stream, std::uint64_t done) {
  while (stream.done < done && !stream.queue.empty()) {
    const Work work = std::move(stream.queue.front());
    stream.queue.pop_front();
    work();
    ++stream.done;
  }
}
void drain(CUstream_st& stream) { drain_to(stream, stream.enqueued); }
void drain_all() {
  drain(legacy_stream);
  const std::vector<CUstream_st*> streams(all_streams().begin(), all_streams().end());
  for (CUstream_st* s : streams) drain(*s);
}
void drain_blocking() {
  drain(legacy_stream);
  const std::vector<CUstream_st*> streams(all_streams().begin(), all_streams().end());
  for (CUstream_st* s : streams) {
    if (blocking(*s)) drain(*s);
  }
}

std::uint64_t alive_objects() { return all_streams().size() - thread_streams + all_events().size() + graphs; }

cudaError_t forbid_in_capture(const char* call) {
  for (CUstream_st* s : all_streams()) {
    if (!s->capture || s->capture->mode == cudaStreamCaptureModeRelaxed) continue;
    const bool mine = s->capture->thread == std::this_thread::get_id();
    if (s->capture->mode == cudaStreamCaptureModeThreadLocal && !mine) continue;
    s->capture->broken = true;
    return refuse(cudaErrorStreamCaptureUnsupported, call, "not while a stream is captured");
  }
  return cudaSuccess;
}

}  // namespace ptxdev

using namespace ptxdev;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const Lock lock(api_mutex());
  if (sticky() != cudaSuccess) return told(sticky());
  if (finds_no_room()) return told(cudaErrorMemoryAllocation);
  auto* made = new CUstream_st;
  made->flags = flags;
  all_streams().insert(made);
  *stream = made;
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  const Lock lock(api_mutex());
  CUstream_st* stream = stream_of(handle);
  if (stream == nullptr || stream == &legacy_stream)
    return refuse(cudaErrorInvalidResourceHandle, "cudaStreamDestroy", "no such stream");
  drain(*stream);
  all_streams().erase(stream);
  delete stream;
  return told(sticky());
}

/// Waits on and queries of a stream that doesn't exist, or is captured, are refused; they break the capture.
static cudaError_t refuse_wait(CUstream_st* stream, const char* call) {
  if (stream == nullptr) return refuse(cudaErrorInvalidResourceHandle, call, "no such stream");
  if (!stream->capture) return cudaSuccess;
  stream->capture->broken = true;
  return refuse(cudaErrorStreamCaptureUnsupported, call, "the stream is captured");
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  const Lock lock(api_mutex());
  CUstream_st* stream = stream_of(handle);
  if (const cudaError_t error = refuse_wait(stream, "cudaStreamSynchronize"); error != cudaSuccess) return error;
  if (const cudaError_t error = forbid_in_capture("cudaStreamSynchronize");
      stream == &legacy_stream && error != cudaSuccess)
    return error;
  stream == &legacy_stream ? drain_blocking() : drain(*stream);
  return told(sticky());
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  const Lock lock(api_mutex());
  CUstream_st* stream = stream_of(handle);
  if (const cudaError_t error = refuse_wait(stream, "cudaStreamQuery"); error != cudaSuccess) return error;
  if (stream->queue.empty()) return told(sticky());
  // a program that polls makes the work proceed
  drain_to(*stream, stream->done + 1);
  return cudaErrorNotReady;
}

cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
  const Lock lock(api_mutex());
  CUstream_st* stream = stream_of(handle);
  if (stream == nullptr) return told(cudaErrorInvalidResourceHandle);
  *flags = stream->flags;
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) {
  *priority = 0;
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
  const Lock lock(api_mutex());
  CUstream_st* stream = stream_of(handle);
  if (stream == nullptr || all_events().count(event) == 0)
    return refuse(cudaErrorInvalidResourceHandle, "cudaStreamWaitEvent", "no such stream or event");
  if (event->capture) {
    stream->capture = event->capture;  // one of the orders that the graph allows
    return cudaSuccess;
  }
  CUstream_st* other = event->stream;
  const std::uint64_t after = event->after;
  if (other == nullptr) return cudaSuccess;
  return enqueue(handle, "cudaStreamWaitEvent", [other, after] {
    if (other == &legacy_stream || all_streams().count(other) != 0) drain_to(*other, after);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const Lock lock(api_mutex());
  return enqueue(stream, "cudaLaunchHostFunc", [function, data] { function(data); });
}

// ---- capture ----

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  const Lock lock(api_mutex());
  CUstream_st* stream = stream_of(handle);
  if (stream == nullptr) return refuse(cudaErrorInvalidResourceHandle, "cudaStreamIsCapturing", "no such stream");
  if (stream == &legacy_stream) {
    for (CUstream_st* s : all_streams()) {
      if (s->capture && blocking(*s)) return told(cudaErrorStreamCaptureImplicit);
    }
  }
  *status = !stream->capture          ? cudaStreamCaptureStatusNone
            : stream->capture->broken ? cudaStreamCaptureStatusInvalidated
                                      : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t*, const cudaGraphNode_t**, const cudaGraphEdgeData**, std::size_t*) {
  const cudaError_t error = cudaStreamIsCapturing(handle, status);
  if (error == cudaSuccess && id != nullptr && *status != cudaStreamCaptureStatusNone)
    *id = stream_of(handle)->capture->id;
  return error;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  thread_local cudaStreamCaptureMode now = cudaStreamCaptureModeGlobal;
  std::swap(now, *mode);
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  const Lock lock(api_mutex());
  CUstream_st* stream = stream_of(handle);
  if (stream == nullptr) return refuse(cudaErrorInvalidResourceHandle, "cudaStreamBeginCapture", "no such stream");
  if (stream == &legacy_stream)
    return refuse(cudaErrorStreamCaptureUnsupported, "cudaStreamBeginCapture", "the default stream");
  if (stream->capture) return refuse(cudaErrorIllegalState, "cudaStreamBeginCapture", "the stream is captured already");
  static unsigned long long ids = 0;
  stream->capture = std::make_shared<Capture>();
  stream->capture->mode = mode;
  stream->capture->thread = std::this_thread::get_id();
  stream->capture->id = ++ids;
  stream->origin = true;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  const Lock lock(api_mutex());
  *graph = nullptr;
  CUstream_st* stream = stream_of(handle);
  if (stream == nullptr || !stream->capture || !stream->origin) {
    return refuse(cudaErrorIllegalState, "cudaStreamEndCapture", "the stream isn't captured");
  }
  const std::shared_ptr<Capture> capture = stream->capture;
  for (CUstream_st* s : all_streams()) {
    if (s->capture == capture) s->capture.reset();
  }
  for (CUevent_st* e : all_events()) {
    if (e->capture == capture) e->capture.reset();
  }
  stream->origin = false;
  if (capture->broken) return told(cudaErrorStreamCaptureInvalidated);
  *graph = new CUgraph_st{std::move(capture->work)};
  ++graphs;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  const Lock lock(api_mutex());
  if (graph == nullptr) return told(cudaErrorInvalidValue);
  if (finds_no_room()) return told(cudaErrorMemoryAllocation);
  *executable = new CUgraphExec_st{graph->work};
  ++graphs;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  const Lock lock(api_mutex());
  if (executable == nullptr) return told(cudaErrorInvalidValue);
  if (sticky() != cudaSuccess) return told(sticky());
  return enqueue(stream, "cudaGraphLaunch", [work = executable->work] {
    for (const Work& w : work) w();
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const Lock lock(api_mutex());
  if (graph != nullptr) --graphs;
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  const Lock lock(api_mutex());
  if (executable != nullptr) --graphs;
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, std::size_t* count) {
  *count = graph->work.size();
  return cudaSuccess;
}

// ---- events ----

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  const Lock lock(api_mutex());
  if (finds_no_room()) return told(cudaErrorMemoryAllocation);
  *event = new CUevent_st;
  all_events().insert(*event);
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Lock lock(api_mutex());
  all_events().erase(event);
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle, unsigned) {
  const Lock lock(api_mutex());
  CUstream_st* stream = stream_of(handle);
  if (stream == nullptr || all_events().count(event) == 0)
    return refuse(cudaErrorInvalidResourceHandle, "cudaEventRecord", "no such stream or event");
  event->capture = stream->capture;
  event->stream = stream;
  event->after = stream->enqueued;
  event->time = seconds();
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Lock lock(api_mutex());
  if (event->stream != nullptr) drain_to(*event->stream, event->after);
  return told(sticky());
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const Lock lock(api_mutex());
  if (event->stream == nullptr || event->stream->done >= event->after) return told(sticky());
  drain_to(*event->stream, event->stream->done + 1);
  return cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds = static_cast<float>((to->time - from->time) * 1e3);
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  const Lock lock(api_mutex());
  if (const cudaError_t error = forbid_in_capture("cudaDeviceSynchronize"); error != cudaSuccess) return error;
  drain_all();
  return told(sticky());
}
}
