#pragma once
// A Backend of CPU memory and a processor that runs on the host.

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "cairn/errors.h"
#include "src/articulations/articulate_context.h"
#include "src/exec/backend.h"
#include "src/exec/cpu_exec.h"
#include "src/exec/cpu_memory.h"
#include "src/exec/exact_floats.h"
#include "src/step.inl"
#include "src/step_groups.h"

namespace cairn {

extern template void articulate<exec::CpuExec>(exec::CpuExec&, const ArticulateContext&);
CAIRN_STEP_COLLIDE(extern, exec::CpuExec)
CAIRN_STEP_QUERIES(extern, exec::CpuExec)
CAIRN_STEP_MOTION(CAIRN_STEP_SOFT_STEP, extern)
CAIRN_STEP_MOTION(CAIRN_STEP_OTHER_SOLVERS, extern)
CAIRN_STEP_MOTION(CAIRN_STEP_JOINTS, extern)
CAIRN_STEP_MOTION(CAIRN_STEP_ARTICULATIONS, extern)
CAIRN_STEP_MOTION(CAIRN_STEP_PARTICLES, extern)

namespace exec {

template <class Exec>
class HostBackend final : public Backend {
 public:
  explicit HostBackend(int threads, std::unique_ptr<Memory> memory = std::make_unique<CpuMemory>())
      : memory_(std::move(memory)), exec_(threads) {}
  Memory& memory() override { return *memory_; }
  void step(const StepContext& context, StepObserver* observer) override {
    const ExactFloats exact;
    exec_.observe(observer);
    const kernels::StepConstants& k = context.constants;
    const std::size_t ends = context.solver.gathers_ends ? 2 * std::size_t{context.row_capacity} : 0;
    try {
      const std::size_t bands = std::size_t{context.parts.bands()} + 1;
      const std::size_t in_fields = context.fields == nullptr ? 0 : context.fields->sorted;
      exec_.reserve(std::max({std::size_t{k.shape_count}, std::size_t{k.body_count}, std::size_t{k.pair_capacity}, ends,
                              bands, in_fields}));
      if (may_keep_pairs(context)) exec_.reserve_candidates(k.shape_count, k.world_count, k.pair_capacity);
      cairn::step(exec_, context);
    } catch (const std::bad_alloc&) {
      throw CapacityError("out of memory: the CPU has no room to sort in; the step was not taken");
    }
  }
  void run(const StepContext& context, const Task& task) override {
    const ExactFloats exact;
    exec_.observe(nullptr);
    const auto* const query = std::get_if<QueryContext>(&task);
    try {
      if (query != nullptr) exec_.reserve(query->scene.shape_count);
      cairn::run(exec_, context, task);
    } catch (const std::bad_alloc&) {
      if (query == nullptr) throw;
      throw CapacityError("out of memory: the CPU has no room to sort in; nothing was asked");
    }
  }
  void articulate(const ArticulateContext& context) override {
    const ExactFloats exact;
    exec_.observe(nullptr);
    CpuExec& cpu = exec_;
    cairn::articulate(cpu, context);
  }
  void wait() override {}

 private:
  std::unique_ptr<Memory> memory_;
  Exec exec_;
};

}  // namespace exec
}  // namespace cairn
