#include "tests/memory/rig.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "cairn/errors.h"
#include "src/exec/cpu_exec.h"
#include "src/exec/exact_floats.h"
#include "src/exec/host_backend.h"

namespace {

// negative: the heap never fails
thread_local int heap_allowed = -1, heap_taken = 0;
thread_local bool heap_stays_full = false, heap_failed = false;

void* heap(std::size_t bytes, std::size_t align) {
  if (heap_allowed == 0) {
    heap_failed = true;
    if (!heap_stays_full) heap_allowed = -1;
    throw std::bad_alloc();
  }
  if (heap_allowed > 0) --heap_allowed;
  void* data = std::aligned_alloc(align, (bytes + align) / align * align);
  if (data == nullptr) throw std::bad_alloc();
  return data;
}

}  // namespace

// the whole program's
void* operator new(std::size_t bytes) { return heap(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t align) { return heap(bytes, static_cast<std::size_t>(align)); }
// a sanitizer has its own, in place of those that call the above
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return heap(bytes, alignof(std::max_align_t));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* data) noexcept { std::free(data); }
void operator delete(void* data, const std::nothrow_t&) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }
void operator delete(void* data, std::align_val_t) noexcept { std::free(data); }
void operator delete(void* data, std::size_t, std::align_val_t) noexcept { std::free(data); }

namespace cairn {
namespace testing_support {

void* TestMemory::allocate(std::size_t bytes, kernels::Life life) {
  const int left = allowed--;
  if (left == 0 || (left < 0 && stays_full)) throw CapacityError("out of memory: " + std::to_string(bytes) + " bytes");
  void* data = memory_.allocate(bytes);
  if (bytes != 0) std::memset(data, 0xff, bytes);
  try {
    live.insert(data);
    if (life == kernels::Life::kScratch) scratch_.insert(decltype(scratch_)::value_type(data, bytes));
  } catch (...) {
    release(data);
    throw;
  }
  return data;
}

void TestMemory::release(void* data) noexcept {
  if (data != nullptr) live.erase(data);
  scratch_.erase(data);
  memory_.release(data);
}

void TestMemory::poison_scratch() const {
  for (const auto& [data, bytes] : scratch_) std::memset(data, 0xff, bytes);
}

ShortHeap::ShortHeap(int allowed, bool stays_full) : allowed_(allowed) {
  heap_allowed = allowed;
  heap_stays_full = stays_full;
  heap_failed = false;
}
ShortHeap::~ShortHeap() {
  heap_taken = allowed_ - heap_allowed;
  heap_allowed = -1;
}
bool ShortHeap::failed() { return heap_failed; }
int ShortHeap::taken() { return heap_taken; }

}  // namespace testing_support

namespace exec {
namespace {

using testing_support::TestMemory;

template <class T>
void poison(T* data, std::size_t begin, std::size_t end) {
  if (begin < end) std::memset(static_cast<void*>(data + begin), 0xff, (end - begin) * sizeof(T));
}
template <class T>
void poison(const kernels::StridedArray<T>& array, std::size_t begin, std::size_t end) {
  if (begin < end) std::memset(static_cast<void*>(&array[begin]), 0xff, (end - begin) * array.bytes);
}

/// The pairs that this step makes, and what the last one's don't use.
void poison_pairs(const StepContext& s) {
  const std::uint32_t now = s.constants.parity, last = now ^ 1u;
  for (const std::uint32_t parity : {now, last}) {
    kernels::each_array(s.pairs[parity], [&](const auto& array, const auto&) {
      poison(array, parity == now ? 0 : s.state->pair_count[last], s.constants.pair_capacity);
    });
  }
}

class TestBackend final : public Backend {
 public:
  explicit TestBackend(int threads) : TestBackend(threads, std::make_unique<TestMemory>()) {}
  Memory& memory() override { return host_.memory(); }
  void step(const StepContext& context, StepObserver* observer) override {
    if (TestMemory::poisons_scratch) {
      memory_.poison_scratch();
      poison_pairs(context);
    }
    host_.step(context, observer);
  }
  void run(const StepContext& context, const Task& task) override { host_.run(context, task); }
  void articulate(const ArticulateContext& context) override { host_.articulate(context); }
  void wait() override { host_.wait(); }

 private:
  TestBackend(int threads, std::unique_ptr<TestMemory> memory) : memory_(*memory), host_(threads, std::move(memory)) {}

  TestMemory& memory_;
  HostBackend<CpuExec> host_;
};

}  // namespace

// takes the place of the library's in this program
std::unique_ptr<Backend> make_cpu_backend(int threads) { return std::make_unique<TestBackend>(threads); }

}  // namespace exec
}  // namespace cairn
