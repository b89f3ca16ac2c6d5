#pragma once

#include <new>
#include <string>

#include "cairn/device.h"
#include "cairn/errors.h"
#include "cairn/field.h"
#include "src/exec/cpu_exec.h"
#include "src/exec/cpu_memory.h"
#include "src/exec/exact_floats.h"

namespace cairn::ode {

/// The CPU, for fields of particles.
class CpuProcessor {
 public:
  explicit CpuProcessor(const Device& device, void* /*stream*/ = nullptr) : exec_(device.threads) {}

  exec::Memory& memory() { return memory_; }
  exec::CpuExec& exec() { return exec_; }

  /// Floating-point state during a computation.
  struct Scope {
    explicit Scope(const CpuProcessor&) {}
    exec::ExactFloats exact;
  };

  template <class T>
  std::string refusal(const FieldCode<T>&) const {
    return {};
  }

  /// Allocates so that f(exec), which sorts `items`, can run later without allocating.
  template <class F>
  void make_room(std::size_t items, const F&) {
    try {
      exec_.reserve(items);
    } catch (const std::bad_alloc&) {
      throw CapacityError("out of memory: the CPU has no room to sort " + std::to_string(items) + " particles");
    }
  }

  template <class T>
  void run(const FieldCode<T>& code, const void* functor, const FieldJob<T>& job) {
    // one call for a block of particles: fewer calls than particles, and enough blocks for the threads to share
    constexpr std::uint32_t kBlock = 64;
    const std::uint32_t n = job.at.count;
    exec_.each_worker(n / kBlock + (n % kBlock != 0 ? 1 : 0),
                      [&](std::uint32_t b) { code.range(functor, job, b * kBlock, std::min(n, b * kBlock + kBlock)); });
  }

 private:
  exec::CpuMemory memory_;
  exec::CpuExec exec_;
};

}  // namespace cairn::ode
