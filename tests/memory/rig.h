#pragma once
// A CPU of this program's own: its memory fails when it is told to and holds nothing but NaN when it is new, and the
// host's heap fails too.

#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "src/exec/cpu_memory.h"

namespace cairn::testing_support {

/// Filled with bytes 0xff: NaN as a float, kNone as an index.
class TestMemory final : public exec::Memory {
 public:
  static inline int allowed{1 << 30};         ///< [1] allocations until one fails
  static inline bool stays_full{true};        ///< then all later ones fail, too
  static inline std::set<void*> live;         ///< what wasn't given back, of all Worlds
  static inline bool poisons_scratch{false};  ///< before each step, what no step may read before it writes it

  void* allocate(std::size_t bytes, kernels::Life life = kernels::Life::kDerived) override;
  void release(void* data) noexcept override;
  void upload(void* device, const void* host, std::size_t bytes) override { memory_.upload(device, host, bytes); }
  void post(void* device, const void* host, std::size_t bytes) override { memory_.post(device, host, bytes); }
  void download(void* host, const void* device, std::size_t bytes) override { memory_.download(host, device, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override { memory_.copy(to, from, bytes); }
  void zero(void* data, std::size_t bytes) override { memory_.zero(data, bytes); }
  std::shared_ptr<const void> keep() override { return memory_.keep(); }
  void poison_scratch() const;

 private:
  exec::CpuMemory memory_;
  std::map<void*, std::size_t> scratch_;  ///< [B] of arrays that a step writes before it reads them
};

/// The heap gives `allowed` blocks, and throws std::bad_alloc instead of the next, unless this goes out of scope first.
/// After that there is room again, or if it `stays_full` not before this goes out of scope.
class ShortHeap {
 public:
  explicit ShortHeap(int allowed, bool stays_full = false);
  ~ShortHeap();
  static bool failed();  ///< under the last of these
  static int taken();    ///< [1] blocks, under the last of these, if none failed
  ShortHeap(const ShortHeap&) = delete;
  ShortHeap& operator=(const ShortHeap&) = delete;

 private:
  int allowed_;  ///< [1]
};

/// The same of the memory of this program's CPU, which throws CapacityError.
class ShortMemory {
 public:
  explicit ShortMemory(int allowed, bool stays_full = false) {
    TestMemory::allowed = allowed;
    TestMemory::stays_full = stays_full;
  }
  ~ShortMemory() {
    left_ = std::exchange(TestMemory::allowed, 1 << 30);
    TestMemory::stays_full = true;
  }
  static bool failed() { return left_ < 0; }
  ShortMemory(const ShortMemory&) = delete;
  ShortMemory& operator=(const ShortMemory&) = delete;

 private:
  static inline int left_{0};  ///< [1] allocations, under the last of these; below 0 if one failed
};

}  // namespace cairn::testing_support
