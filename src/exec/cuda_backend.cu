#include <algorithm>
#include <utility>
#include <vector>

#include "cairn/errors.h"
#include "src/articulations/articulate_context.h"
#include "src/exec/backend.h"
#include "src/exec/cuda_exec.cuh"

namespace cairn {

// in src/step_cuda.cu
extern template void step<exec::CudaExec>(exec::CudaExec&, const StepContext&);
extern template void run<exec::CudaExec>(exec::CudaExec&, const StepContext&, const Task&);
// in src/articulations/articulate_cuda.cu
extern template void articulate<exec::CudaExec>(exec::CudaExec&, const ArticulateContext&);

namespace exec {
namespace {

/// A step seen before. The first time it is launched kernel by kernel, the second time it is captured: a context that
/// occurs once (while capacities grow, or if dt changes every time) isn't worth a graph.
struct CapturedStep {
  StepContext context;
  cudaGraphExec_t graph{nullptr};

  explicit CapturedStep(const StepContext& of) : context(of) {}
  CapturedStep(CapturedStep&& other) noexcept : context(other.context), graph(std::exchange(other.graph, nullptr)) {}
  CapturedStep& operator=(CapturedStep&& other) noexcept {
    context = other.context;
    std::swap(graph, other.graph);
    return *this;
  }
  // a running graph is freed when it completes
  ~CapturedStep() {
    if (graph != nullptr) cudaGraphExecDestroy(graph);
  }
};

class CudaBackend final : public Backend {
 public:
  CudaBackend(int device, void* stream) : stream_(device, stream), memory_(stream_), exec_(stream_, memory_) {}

  Memory& memory() override { return memory_; }
  void wait() override {
    stream_.wait();
    memory_.settle();
  }
  bool capturing() override { return stream_.capturing(); }
  void* stream() override { return stream_.get(); }
  void wait_stream(void* other, bool into_capture) override {
    stream_.order(static_cast<cudaStream_t>(other), stream_.get(), into_capture);
  }
  void stream_waits(void* other) override { stream_.order(stream_.get(), static_cast<cudaStream_t>(other), false); }

  void step(const StepContext& context, StepObserver* observer) override {
    const OnDevice on(stream_.device());
    const auto taken = [&] { take(context, observer); };
    if (observer != nullptr) {
      prepare(taken);
      taken();
      return;
    }
    if (stream_.capturing()) {
      if (!fits(taken)) {
        throw CapacityError(
            "a step can't make room while it is captured: take one of the same kind before the capture");
      }
      taken();
      return;
    }
    const auto known =
        std::find_if(steps_.begin(), steps_.end(), [&](const CapturedStep& s) { return s.context == context; });
    if (known == steps_.end()) {
      prepare(taken);
      taken();
      if (steps_.size() == kMaxGraphs) steps_.erase(steps_.begin());
      steps_.emplace_back(context);
      return;
    }
    // the least recently used is replaced first
    std::rotate(known, known + 1, steps_.end());
    CapturedStep& captured = steps_.back();
    if (captured.graph == nullptr) captured.graph = capture(context);
    check(cudaGraphLaunch(captured.graph, stream_.get()), "cudaGraphLaunch");
  }

  void run(const StepContext& context, const Task& task) override {
    const OnDevice on(stream_.device());
    exec_.observe(nullptr);
    const auto runs = [&] { cairn::run(exec_, context, task); };
    // of these tasks, only queries sort
    if (std::holds_alternative<QueryContext>(task)) prepare(runs);
    runs();
  }

  void articulate(const ArticulateContext& context) override {
    const OnDevice on(stream_.device());
    exec_.guard(nullptr);
    exec_.observe(nullptr);
    cairn::articulate(exec_, context);
  }

 private:
  // the parity of the pair tables makes two variants of every step, and the widths of its colours some more
  static constexpr std::size_t kMaxGraphs = 16;

  /// Loads the code of a step or task, and returns whether the scratch memory for its sorts suffices.
  template <class F>
  bool fits(const F& work) {
    exec_.begin_measure();
    work();
    return exec_.end_measure();
  }

  /// Ensures that it will neither allocate nor load code.
  template <class F>
  void prepare(const F& work) {
    if (fits(work)) return;
    steps_.clear();
    exec_.reserve();
  }

  void take(const StepContext& context, StepObserver* observer) {
    exec_.observe(observer);
    exec_.expect_rows(context.row_capacity);
    cairn::step(exec_, context);
  }

  cudaGraphExec_t capture(const StepContext& context) {
    stream_.begin_graph();
    try {
      take(context, nullptr);
    } catch (...) {
      cudaGraph_t broken = nullptr;
      if (stream_.end_graph(&broken) == cudaSuccess) cudaGraphDestroy(broken);
      throw;
    }
    cudaGraph_t graph = nullptr;
    check_made(stream_.end_graph(&graph), "the capture of a step");
    cudaGraphExec_t executable = nullptr;
    const cudaError_t error = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    check_made(error, "cudaGraphInstantiate");
    return executable;
  }

  // in this order: later members use earlier ones
  CudaStream stream_;
  CudaMemory memory_;
  CudaExec exec_;
  std::vector<CapturedStep> steps_;  ///< least recently used first
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int index, void* stream) {
  check_usable(index);
  return std::make_unique<CudaBackend>(index, stream);
}

}  // namespace exec
}  // namespace cairn
