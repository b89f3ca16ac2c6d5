#pragma once
// Operations of a processor for the stages, on a CUDA device: CpuExec's names (src/exec/cpu_exec.h), with the same
// results. Everything is enqueued on one stream. Nothing allocates, and nothing waits unless there is an observer, so
// that a step can be captured in a graph.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <nvtx3/nvToolsExt.h>

#include "cairn/report.h"
#include "src/exec/cuda_kernels.cuh"
#include "src/exec/cuda_memory.cuh"
#include "src/exec/observer.h"

namespace cairn::exec {

class CudaExec {
 public:
  static constexpr bool kOnlyContacts = false;
  static constexpr bool kKeepsCandidates = false;

  CudaExec(const CudaStream& stream, CudaMemory& memory);
  ~CudaExec();
  CudaExec(const CudaExec&) = delete;
  CudaExec& operator=(const CudaExec&) = delete;

  /// Between begin_measure and end_measure, calls enqueue nothing and only record the scratch memory that they need.
  /// end_measure returns whether it fits. If not, `reserve` allocates it, and graphs captured before must not be
  /// launched any more.
  void begin_measure();
  bool end_measure();
  void reserve();
  /// Max row slots of a sweep; affects speed only.
  void expect_rows(std::uint32_t capacity) { row_capacity_ = std::max(capacity, 1u); }

  void guard(const std::uint32_t* flag) { guard_ = flag; }
  void observe(StepObserver* observer) { observer_ = observer; }

  /// Opens the stage's range for profilers; `mark` closes it. With an observer the range covers the stage's work on the
  /// device, since the host waits for it; otherwise the time of enqueuing.
  void enter(Stage stage) {
    if (!measuring_) nvtxRangePushA(stage_name(stage).data());  // names are literals: a zero ends them
  }
  void mark(Stage stage) {
    if (measuring_) return;
    if (observer_ != nullptr) stream_.wait();
    nvtxRangePop();
    if (observer_ != nullptr) observer_->after(stage);
  }

  template <class F>
  void for_each(std::uint32_t n, const F& f) {
    for_each(nullptr, n, f);
  }
  template <class F>
  void for_each(const std::uint32_t* count, std::uint32_t capacity, const F& f) {
    if constexpr (kernels::GoesOwnWays<F>) {
      // twice as many blocks: at a million bodies a tenth faster
      constexpr std::uint32_t kOften = 2;
      launch_often(own_ways_kernel<F>, kOften, kColorThreads,
                   std::min(capacity, kOften * resident_blocks_ * kColorThreads / kWarp) * kWarp, guard_, count,
                   capacity, f);
    } else {
      launch(for_each_kernel<F>, kThreads, capacity, guard_, count, capacity, f);
    }
  }

  /// In small blocks, to spread over the multiprocessors.
  template <class F>
  void each_worker(std::uint32_t n, const F& f) {
    launch(for_each_kernel<F>, kColorThreads, n, guard_, nullptr, n, f);
  }

  template <class F>
  void single(const F& f) {
    launch(single_kernel<F>, 1, 1, guard_, f);
  }

  void exclusive_scan(std::uint32_t* data, std::uint32_t n, std::uint32_t* total) {
    exclusive_scan(data, nullptr, n, total);
  }
  void exclusive_scan(std::uint32_t* data, const std::uint32_t* count, std::uint32_t capacity, std::uint32_t* total);

  void sort(const std::uint32_t* key, std::uint32_t* sorted_key, std::uint32_t* order, std::uint32_t n, int bits) {
    sort(key, sorted_key, order, nullptr, n, bits);
  }
  void sort(const std::uint32_t* key, std::uint32_t* sorted_key, std::uint32_t* order, const std::uint32_t* count,
            std::uint32_t capacity, int bits);
  void sort(const std::uint64_t* key, std::uint64_t* sorted_key, const std::uint32_t* count, std::uint32_t capacity,
            int bits);

  template <class Key>
  void find_begins(const std::uint32_t* sorted, const std::uint32_t* count, std::uint32_t capacity, const Key& key,
                   std::uint32_t last, std::uint32_t* begin) {
    for_each(last + 1, LowerBound<Key>{sorted, count, capacity, key, begin});
  }
  void find_begins(const std::uint32_t* sorted, std::uint32_t n, std::uint32_t last, std::uint32_t* begin) {
    find_begins(sorted, nullptr, n, kernels::AsItIs{}, last, begin);
  }

  /// Only `take` may change *done. Some rounds run over the whole grid, the rest in one block; this split changes no
  /// result.
  template <class Bid, class Take, class Clear>
  void rounds(const std::uint32_t* count, std::uint32_t capacity, bool few, const std::uint32_t* done, const Bid& bid,
              const Take& take, const Clear& clear) {
    const int launches = capacity > kLargeCapacity ? kLargeRoundLaunches : few ? 1 : kRoundLaunches;
    for (int round = 0; round < launches; ++round) {
      launch(bid_kernel<Bid>, kThreads, capacity, guard_, count, capacity, done, idle_, bid);
      launch(for_each_kernel<Take>, kThreads, capacity, idle_, count, capacity, take);
      launch(for_each_kernel<Clear>, kThreads, capacity, idle_, count, capacity, clear);
    }
    launch(rounds_tail_kernel<Bid, Take, Clear>, kRoundThreads, 1, guard_, count, capacity, done, bid, take, clear);
  }

  template <class F>
  void each_row(const kernels::Parts& parts, std::uint32_t capacity, const F& f) {
    for_each(&parts.color_begin[parts.bands()], capacity, f);
  }

  /// One block a group.
  template <class F>
  void each_group(const std::uint32_t* first, const std::uint32_t* last, std::uint32_t capacity, const F& f) {
    launch(group_kernel<F>, kGroupThreads, std::min(capacity, resident_blocks_) * kGroupThreads, guard_, first, last,
           f);
  }

  // ---- the motion: the calls below treat part 0 only ----

  std::uint32_t part() const { return 0; }

  template <class F>
  void each_body(const kernels::Parts& parts, const F& f) {
    const kernels::EachOf<F> each{parts.body, f};
    if constexpr (kernels::TakesTeams<F>) {
      launch(shared_kernel<kernels::EachOf<F>>, kColorThreads, threads_for(parts.large, f), guard_, parts.large, each);
    } else {
      for_each(parts.large, each);
    }
  }
  template <class F>
  void each_run(const kernels::Parts& parts, const F& f) {
    const kernels::EachRun<F, BlockTeam::kRunBodies> runs{parts.body, parts.large, f};
    for_each(runs.count(), runs);
  }

  template <class F>
  void each_island(const kernels::Parts& parts, const std::uint32_t* number, const F& f) {
    each_group(number, number + parts.large, parts.large, f);
  }

  /// Over at most `capacity` slots, which affects speed only. The first colours of a class have a launch each. One
  /// block takes the rest, and continues through the next class if that has no such colours.
  template <class F>
  void sweep(const kernels::Parts& parts, std::uint32_t capacity, const F& f) {
    const bool large = capacity > kLargeCapacity;
    std::uint32_t next = 0;  // the first colour not yet taken
    const auto rest_until = [&](std::uint32_t end) {
      if (next < end) launch(colors_tail_kernel<F>, kTailThreads, 1, guard_, parts, next, end, f);
      next = end;
    };
    for (std::uint32_t color_class = 0; color_class < 2; ++color_class) {
      const std::uint32_t first = color_class * kernels::kColorsPerClass, colors = parts.colors[color_class];
      const std::uint32_t wide = std::min(colors, std::max(parts.wide[color_class], large ? kLeastLargeWide : 0u));
      if (wide != 0) rest_until(first);
      for (std::uint32_t color = first; color < first + wide; ++color) {
        launch(color_kernel<F>, kColorThreads, threads_for(capacity, f), guard_, parts, color, f);
        next = color + 1;
      }
      if (next == first + colors) next = first + kernels::kColorsPerClass;
    }
    rest_until(kernels::kColorCount);
  }

  /// The usual rounds run over the whole grid, and check on the device whether there is work; one block does the rest.
  template <class F>
  void sweep_rounds(const kernels::Parts& parts, std::uint32_t capacity, std::uint32_t usual, F f) {
    if (capacity > kLargeCapacity && usual != 0) usual = std::max(usual, kLargeUsualRounds);
    for (usual = std::min(usual, f.rounds.end - f.rounds.begin); usual != 0; --usual, ++f.rounds.round) {
      sweep(parts, capacity, f);
    }
    if (f.rounds.round == f.rounds.end) return;
    launch(rounds_of_rows_kernel<F>, kTailThreads, 1, guard_, parts, capacity, f);
  }

  /// f(i) for every i of [begin[c], begin[c + 1]), colour by colour; items of the last entry, which have no colour, one
  /// at a time.
  template <class F>
  void each_color(const std::uint32_t* begin, const F& f) {
    for (std::uint32_t color = 0; color < kernels::kMaxWide[0]; ++color) {
      launch(range_kernel<F>, kColorThreads, row_capacity_, guard_, begin + color, f);
    }
    launch(ranges_tail_kernel<F>, kTailThreads, 1, guard_, begin + kernels::kMaxWide[0],
           kernels::kMaskColors - kernels::kMaxWide[0], f);
  }

  template <class F>
  void rows(const kernels::Parts& parts, std::uint32_t capacity, const F& f) {
    for_each(&parts.color_row[kernels::kColorCount], capacity, EachRow<F>{f});
  }

  /// One block a part. A part with more than contacts needs more registers than there are, and takes several times as
  /// long.
  template <class F>
  void each_part(const kernels::Parts& parts, bool only_contacts, const F& f) {
    enter(Stage::kMove);
    only_contacts ? launch_parts<true>(parts, f) : launch_parts<false>(parts, f);
    mark(Stage::kMove);
  }

 private:
  // above so many pairs or rows, one block takes longer than launches that may have no work
  static constexpr std::uint32_t kLargeCapacity = 65536;
  // rounds over the whole grid: an incremental step needs 1 to 2, one that colours all contacts from scratch many more
  static constexpr int kRoundLaunches = 6, kLargeRoundLaunches = 24;
  static constexpr std::uint32_t kLargeUsualRounds = 2;
  // wide colours of a class if more rows than expected may come at once
  static constexpr std::uint32_t kLeastLargeWide = 4;

  /// [1] Threads to launch for so many rows or items.
  template <class F>
  std::uint32_t threads_for(std::uint32_t items, const F& f) const {
    return std::min(items, resident_blocks_ * kThreads) * threads_per_item(f);
  }

  /// Defined in src/exec/cuda_parts.cuh, for src/move_cuda.cu and src/move_contacts_cuda.cu.
  template <bool kOnlyContacts, class F>
  void launch_parts(const kernels::Parts& parts, const F& f);

  /// Enqueues a kernel over `items` items. More blocks of kThreads threads than the device holds would cost more time
  /// to start and end than they save. launch_often allows `often` times as many.
  template <class... Params, class... Args>
  void launch(void (*kernel)(Params...), std::uint32_t threads, std::uint32_t items, const Args&... args) {
    launch_often(kernel, 1, threads, items, args...);
  }
  template <class... Params, class... Args>
  void launch_often(void (*kernel)(Params...), std::uint32_t often, std::uint32_t threads, std::uint32_t items,
                    const Args&... args) {
    static_assert((std::is_trivially_copyable_v<Args> && ...), "a functor is copied to the device byte by byte");
    if (items == 0) return;
    if (measuring_) {
      load(reinterpret_cast<const void*>(kernel));
      return;
    }
    const std::uint32_t blocks = (items - 1) / threads + 1;
    kernel<<<std::min(blocks, often * resident_blocks_), threads, 0, stream_.get()>>>(args...);
    check(cudaGetLastError(), "kernel launch");
  }

  /// Loads the kernel's code to the device; its first launch would do that otherwise, perhaps inside a capture.
  void load(const void* kernel);

  template <class Key>
  Key* keys(int which) const;
  std::uint32_t* values(int which) const;
  void* temporary() const;
  void want(std::uint32_t items, std::size_t temporary_bytes);

  const CudaStream& stream_;
  CudaMemory& memory_;
  const std::uint32_t* guard_{nullptr};
  StepObserver* observer_{nullptr};
  std::uint32_t resident_blocks_{0};  ///< [1] of kThreads threads
  std::uint32_t row_capacity_{1};
  std::uint32_t* idle_{nullptr};  ///< [1] 1 while a round has nothing to do
  bool measuring_{false};

  // scratch for sorts and scans: two arrays of keys, two of values, and CUB's memory
  struct Scratch {
    std::size_t items{0};            ///< [1] of each array
    std::size_t temporary_bytes{0};  ///< [B] for CUB
  };
  unsigned char* scratch_{nullptr};
  Scratch has_, wanted_;
};

}  // namespace cairn::exec
