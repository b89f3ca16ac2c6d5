#include "tests/memory/rig.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "cairn/errors.h"
#include "kernels/collide/epa.h"
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

void* TestMemory::allocate(std::size_t bytes) {
  const int left = allowed--;
  if (left == 0 || (left < 0 && stays_full)) throw CapacityError("out of memory: " + std::to_string(bytes) + " bytes");
  void* data = memory_.allocate(bytes);
  if (bytes != 0) std::memset(data, 0xff, bytes);
  live.insert(data);
  return data;
}

void TestMemory::release(void* data) noexcept {
  if (data != nullptr) live.erase(data);
  memory_.release(data);
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

/// The arrays of a table that a step computes before it reads them, where there are any.
template <class View>
void poison_step(const View& view, std::size_t n) {
  kernels::each_array(view, [&](const auto& array, const auto& row) {
    if constexpr (std::remove_cvref_t<decltype(row)>::life == kernels::Life::kScratch) {
      if (array != nullptr) poison(array, 0, n);
    }
  });
}

/// Everything that a step computes before it reads it.
void poison_scratch(const StepContext& s) {
  const kernels::StepConstants& k = s.constants;
  const auto all = [](std::size_t n, auto*... fields) { (poison(fields, 0, n), ...); };
  // of bodies there is one more than there are, for lanes without one
  poison_step(s.bodies, std::size_t{k.body_count} + 1);
  poison_step(s.shapes, k.shape_count);
  poison_step(s.worlds, k.world_count);
  const std::uint32_t last = k.parity ^ 1u;
  poison(s.pairs[k.parity].key, 0, k.pair_capacity);
  poison(s.pairs[k.parity].shape_b, 0, k.pair_capacity);
  poison(s.pairs[k.parity].triangle, 0, k.pair_capacity);
  poison(s.pairs[k.parity].manifold, 0, k.pair_capacity);
  poison(s.pairs[last].key, s.state->pair_count[last], k.pair_capacity);
  poison(s.pairs[last].manifold, s.state->pair_count[last], k.pair_capacity);
  poison_step(s.work, k.pair_capacity);
  poison(s.workers.epa, 0, s.workers.count);
  poison(s.rows, 0, s.row_capacity / kernels::kRowLanes);
  poison(s.hertz, 0, s.hertz == nullptr ? 0 : s.row_capacity / kernels::kRowLanes);
  poison_step(s.row_ends, 2 * std::size_t{s.row_capacity});
  poison_step(s.body_ends, std::size_t{k.body_count} + 1);
  if (s.solver.colors_bodies) {
    poison_step(s.body_colors, std::size_t{k.body_count} + 1);
    poison(s.body_color_begin, 0, std::size_t{s.parts.count} * kernels::kBodyColors + 1);
  }
  if (s.direct.max_bodies != 0) {
    poison_step(s.direct.bodies, std::size_t{k.body_count} + 1);
    poison_step(s.direct.places, s.direct.place_capacity);
    poison(s.direct.rows.at, 0, s.direct.row_capacity);
    poison(s.direct.end, 0, 2 * std::size_t{k.pair_capacity});
  }
  if (s.fluids.count != 0) {
    poison_step(s.fluids.at, s.fluids.count);
    poison_step(s.fluids.walls, k.pair_capacity);
  }
  all(std::size_t{s.parts.bands()} + 1, s.parts.color_begin, s.parts.color_row);
  all(s.parts.count, s.parts.last_round, s.parts.repeats);
  poison(s.bucket_begin, 0, std::size_t{k.bucket_count} + 3);
}

class TestBackend final : public Backend {
 public:
  explicit TestBackend(int threads) : host_(threads, std::make_unique<TestMemory>()) {}
  Memory& memory() override { return host_.memory(); }
  void step(const StepContext& context, StepObserver* observer) override {
    if (TestMemory::poisons_scratch) poison_scratch(context);
    host_.step(context, observer);
  }
  void run(const StepContext& context, const Task& task) override { host_.run(context, task); }
  void articulate(const ArticulateContext& context) override { host_.articulate(context); }
  void wait() override { host_.wait(); }

 private:
  HostBackend<CpuExec> host_;
};

}  // namespace

// takes the place of the library's in this program
std::unique_ptr<Backend> make_cpu_backend(int threads) { return std::make_unique<TestBackend>(threads); }

}  // namespace exec
}  // namespace cairn
