#pragma once
// The kernels of CudaExec. All are grid-stride, so that the size of a launch affects speed only, and all do nothing
// while the guard is up. Only a launch of one thread raises a guard, so that all threads of a launch see the same
// value. Functors are __grid_constant__: otherwise each thread makes its own copy where a function that isn't inlined
// takes them.
//
// Blocks of a launch never wait for each other. Work in several passes is either several launches, in the stream's
// order, or one block, whose __syncthreads also orders its accesses to global memory (the tails and teams below). Only
// CUB looks back between blocks. kernels/common/atomic.h has the rest.

#include <algorithm>
#include <cstdint>

#include "kernels/common/atomic.h"
#include "kernels/common/items.h"
#include "kernels/common/state.h"
#include "kernels/common/team.h"
#include "src/exec/part_exec.h"

namespace cairn::exec {

inline constexpr std::uint32_t kWarp = 32;
inline constexpr std::uint32_t kThreads = 256;  // of a block, for most kernels
inline constexpr std::uint32_t kColorThreads =
    64;  // a colour is short: small blocks spread it over more multiprocessors
inline constexpr std::uint32_t kTailThreads = 256;   // of the one block that takes the last colours
inline constexpr std::uint32_t kGroupThreads = 128;  // of the block that takes a group
// of the block that takes a part: a part of contacts only, and one that may have anything else
inline constexpr std::uint32_t kContactPartThreads = 64, kPartThreads = 128;
inline constexpr std::uint32_t kRoundThreads = 512;  // of the one block that takes the last rounds

__device__ inline bool is_up(const std::uint32_t* guard) { return guard != nullptr && *guard != 0; }

/// Items of a launch: the device's count, if there is one, or the host's number.
__device__ inline std::uint32_t items_of(const std::uint32_t* count, std::uint32_t capacity) {
  return count == nullptr || *count > capacity ? capacity : *count;
}

/// begin[k] = the first item i with key(sorted[i]) >= k, else the number of items. One thread a key: with one thread a
/// run of keys without items, that thread would walk on while all others wait.
template <class Key>
struct LowerBound {
  const std::uint32_t* sorted;
  const std::uint32_t* count;
  std::uint32_t capacity;
  Key key;
  std::uint32_t* begin;
  __device__ void operator()(std::uint32_t k) const {
    std::uint32_t first = 0, items = items_of(count, capacity);
    while (items != 0) {
      const std::uint32_t half = items / 2;
      const bool below = key(sorted[first + half]) < k;
      first = below ? first + half + 1 : first;
      items = below ? items - half - 1 : half;
    }
    begin[k] = first;
  }
};

/// f(i) for the items of the calling thread. 64 bits, since i + stride may pass 2^32.
template <class F>
__device__ void for_each_in_grid(std::uint32_t n, const F& f) {
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    f(static_cast<std::uint32_t>(i));
  }
}

template <class F>
__global__ void __launch_bounds__(kThreads) for_each_kernel(const std::uint32_t* guard, const std::uint32_t* count,
                                                            std::uint32_t capacity, const __grid_constant__ F f) {
  if (is_up(guard)) return;
  for_each_in_grid(items_of(count, capacity), f);
}

/// A warp takes a few consecutive items, as few as the number of warps allows: diverged lanes take turns, and each
/// waits for the others' reads.
template <class F>
__global__ void __launch_bounds__(kColorThreads) own_ways_kernel(const std::uint32_t* guard, const std::uint32_t* count,
                                                                 std::uint32_t capacity, const __grid_constant__ F f) {
  if (is_up(guard)) return;
  const std::uint32_t n = items_of(count, capacity), warps = gridDim.x * (blockDim.x / kWarp);
  const std::uint32_t each = n / warps + (n % warps != 0 ? 1 : 0);
  const std::uint64_t begin = std::uint64_t{each} * (threadIdx.x / kWarp * gridDim.x + blockIdx.x);
  const std::uint64_t end = begin + each < n ? begin + each : n;
  for (std::uint64_t i = begin + threadIdx.x % kWarp; i < end; i += kWarp) f(static_cast<std::uint32_t>(i));
}

template <class F>
__global__ void single_kernel(const std::uint32_t* guard, const __grid_constant__ F f) {
  if (!is_up(guard)) f();
}

/// The first phase of a round. Decides whether the round takes place: *idle is the guard of `take` and `clear`, since
/// *done changes while they run.
template <class Bid>
__global__ void __launch_bounds__(kThreads)
    bid_kernel(const std::uint32_t* guard, const std::uint32_t* count, std::uint32_t capacity,
               const std::uint32_t* done, std::uint32_t* idle, const __grid_constant__ Bid bid) {
  const bool over = is_up(guard) || *done >= *count;
  if (blockIdx.x == 0 && threadIdx.x == 0) *idle = over ? 1u : 0u;
  if (!over) for_each_in_grid(items_of(count, capacity), bid);
}

/// The remaining rounds, in one block. No thread reads *done between the barrier before `take` and the one after it, so
/// that all threads leave the loop together.
template <class Bid, class Take, class Clear>
__global__ void __launch_bounds__(kRoundThreads)
    rounds_tail_kernel(const std::uint32_t* guard, const std::uint32_t* count, std::uint32_t capacity,
                       const std::uint32_t* done, const __grid_constant__ Bid bid, const __grid_constant__ Take take,
                       const __grid_constant__ Clear clear) {
  if (is_up(guard)) return;
  const std::uint32_t wanted = *count;
  const std::uint32_t n = items_of(count, capacity);
  while (kernels::atomic_load(done) < wanted) {
    for_each_in_grid(n, bid);
    __syncthreads();
    for_each_in_grid(n, take);
    __syncthreads();
    for_each_in_grid(n, clear);
    __syncthreads();
  }
}

/// The lanes of a warp that share one item (kernels/common/team.h). A warp has at most one item at a time.
struct WarpTeam {
  static constexpr unsigned kLanes = 0xffffffffu;
  static constexpr std::uint32_t kMaxWarps = 8;  ///< [1] of a block that has teams
  static_assert(std::max({kTailThreads, kPartThreads, kGroupThreads, kColorThreads}) <= kMaxWarps * kWarp);

  __device__ static std::uint32_t lane() { return threadIdx.x % kWarp; }
  template <class F>
  __device__ void each(std::uint32_t n, const F& f) const {
    for (std::uint32_t i = lane(); i < n; i += kWarp) f(i);
    __syncwarp();
  }
  template <std::uint32_t kCount, class F>
  __device__ void each_slice(const F& f) const {
    if (lane() < kCount) f(kernels::Slice<1>{lane()});
    __syncwarp();
  }
  template <std::uint32_t kCount, class F>
  __device__ void each_sliced(std::uint32_t n, const F& f) const {
    each(n * kCount, [&](std::uint32_t i) { f(i / kCount, kernels::Slice<1>{i % kCount}); });
  }
  template <class Make, class Take>
  __device__ void in_turn(std::uint32_t n, const Make& make, const Take& take) const {
    for (std::uint32_t first = 0; first < n; first += kWarp) {
      const std::uint32_t i = first + lane();
      decltype(make(i)) made{};
      if (i < n) made = make(i);
      for (std::uint32_t of = 0; of < kWarp && first + of < n; ++of) {
        if (lane() == of) take(i, made);
        __syncwarp();
      }
    }
  }
  template <class F>
  __device__ void down(const kernels::Levels& tree, const F& f) const {
    for (std::uint32_t d = 0; d < tree.depths; ++d) level(tree, d, f);
  }
  template <std::uint32_t kCount, class F>
  __device__ void down_sliced(const kernels::Levels& tree, const F& f) const {
    for (std::uint32_t d = 0; d < tree.depths; ++d) {
      const std::uint32_t* const node = tree.node + tree.begin[d];
      each_sliced<kCount>(tree.begin[d + 1] - tree.begin[d],
                          [&](std::uint32_t i, const auto& slice) { f(node[i], slice); });
    }
  }
  template <class F>
  __device__ void up(const kernels::Levels& tree, const F& f) const {
    for (std::uint32_t d = tree.depths; d-- > 0;) level(tree, d, f);
  }
  template <std::uint32_t kMaxCalls, class F>
  __device__ double sum(std::uint32_t n, const F& f) const {
    double sum = 0;
    for (std::uint32_t first = 0; first < n; first += kWarp) {
      double a[kMaxCalls], b[kMaxCalls];
      std::uint32_t count = 0;
      if (first + lane() < n) {
        f(first + lane(), [&](double x, double y) {
          a[count] = x;
          b[count++] = y;
        });
      }
      for (std::uint32_t of = 0; of < kWarp && first + of < n; ++of) {
        const std::uint32_t products = __shfl_sync(kLanes, count, static_cast<int>(of));
#pragma unroll
        for (std::uint32_t k = 0; k < kMaxCalls; ++k) {
          const double x = __shfl_sync(kLanes, a[k], static_cast<int>(of));
          const double y = __shfl_sync(kLanes, b[k], static_cast<int>(of));
          if (k < products) sum = kernels::fma(x, y, sum);
        }
      }
    }
    __syncwarp();
    return sum;
  }
  template <class F>
  __device__ bool all(std::uint32_t n, const F& f) const {
    bool all = true;
    for (std::uint32_t i = lane(); i < n && all; i += kWarp) all = f(i);
    __syncwarp();
    return __all_sync(kLanes, all) != 0;
  }
  template <std::uint32_t kMax, class Of, class Make, class F>
  __device__ void each_of(std::uint32_t n, const Of& of, const Make& make, const F& f) const {
    for (std::uint32_t i = lane(); i < n * kMax; i += kWarp) {
      if (i % kMax < of(i / kMax)) f(i / kMax, i % kMax, make(i / kMax));
    }
    __syncwarp();
  }
  template <class F>
  __device__ void each_below(std::uint32_t n, const F& f) const {
    const std::uint32_t e = lane(), i = (e >= 1) + (e >= 3) + (e >= 6) + (e >= 10) + (e >= 15);
    if (i < n && e < 21) f(i, e - i * (i + 1) / 2);
    __syncwarp();
  }
  template <class Is>
  __device__ std::uint32_t pick(std::uint32_t n, const Is& is, std::uint32_t* of) const {
    const bool mine = lane() < n && is(lane());
    const unsigned picked = __ballot_sync(kLanes, mine);
    if (mine) of[__popc(picked & ((1u << lane()) - 1))] = lane();
    __syncwarp();
    return static_cast<std::uint32_t>(__popc(picked));
  }
  template <class F>
  __device__ void one(const F& f) const {
    if (lane() == 0) f();
    __syncwarp();
  }
  template <class F>
  __device__ auto ask(const F& f) const {
    decltype(f()) said{};
    if (lane() == 0) said = f();
    __syncwarp();
    return static_cast<decltype(f())>(__shfl_sync(kLanes, said, 0));
  }
  __device__ bool any(bool x) const { return __any_sync(kLanes, x) != 0; }
  template <class S>
  __device__ S& shared(S&) const {
    __shared__ S of_warp[kMaxWarps];
    return of_warp[threadIdx.x / kWarp];
  }

 private:
  template <class F>
  __device__ void level(const kernels::Levels& tree, std::uint32_t depth, const F& f) const {
    const std::uint32_t* const node = tree.node + tree.begin[depth];
    each(tree.begin[depth + 1] - tree.begin[depth], [&](std::uint32_t i) { f(node[i]); });
  }
};

/// [1] Threads that share a row, or an item.
template <class F>
__host__ __device__ std::uint32_t threads_per_item(const F& f) {
  if constexpr (kernels::TakesTeams<F>) return f.wants_teams() ? kWarp : 1;
  return 1;
}
/// The calling thread's share of n items of a functor from `begin` on: it is thread `at` of `threads`. alone(i) does an
/// item that isn't shared.
template <class F, class Alone>
__device__ void each_shared(std::uint32_t begin, std::uint32_t n, std::uint64_t at, std::uint64_t threads, const F& f,
                            const Alone& alone) {
  const std::uint32_t share = threads_per_item(f);
  for (std::uint64_t i = at / share; i < n; i += threads / share) {
    const auto item = static_cast<std::uint32_t>(begin + i);
    if constexpr (kernels::TakesTeams<F>) {
      if (share != 1) {
        f.work(WarpTeam{}, item);
        continue;
      }
    }
    alone(item);
  }
}
/// The same for rows.
template <class F>
__device__ void each_row(std::uint32_t begin, std::uint32_t n, std::uint64_t at, std::uint64_t threads, const F& f) {
  each_shared(begin, n, at, threads, f, [&](std::uint32_t slot) { f.template row<float>(slot); });
}
/// The same by the whole grid.
template <class F>
__device__ void each_row_in_grid(std::uint32_t begin, std::uint32_t n, const F& f) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x;
  each_row(begin, n, first + threadIdx.x, std::uint64_t{gridDim.x} * blockDim.x, f);
}

/// Items that teams may share.
template <class F>
__global__ void __launch_bounds__(kColorThreads)
    shared_kernel(const std::uint32_t* guard, std::uint32_t n, const __grid_constant__ F f) {
  if (is_up(guard)) return;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x;
  each_shared(0, n, first + threadIdx.x, std::uint64_t{gridDim.x} * blockDim.x, f, f);
}

/// The rows of one colour.
template <class F>
__global__ void __launch_bounds__(kColorThreads)
    color_kernel(const std::uint32_t* guard, const __grid_constant__ kernels::Parts parts, std::uint32_t color,
                 const __grid_constant__ F f) {
  if (is_up(guard)) return;
  const std::uint32_t begin = parts.color_row[color];
  each_row_in_grid(begin, parts.color_row[color + 1] - begin, f);
}

/// The colours of [begin, end) one after the other in one block: at most to the end of the second class. Rows without a
/// colour run one by one.
template <class F>
__global__ void __launch_bounds__(kTailThreads)
    colors_tail_kernel(const std::uint32_t* guard, const __grid_constant__ kernels::Parts parts, std::uint32_t begin,
                       std::uint32_t end, const __grid_constant__ F f) {
  if (is_up(guard)) return;
  __shared__ std::uint32_t row[kernels::kColorCount + 1];
  for (std::uint32_t c = begin + threadIdx.x; c <= end; c += blockDim.x) row[c] = parts.color_row[c];
  __syncthreads();
  if (row[begin] == row[end]) return;
  for (std::uint32_t c = begin; c < end; ++c) {
    const std::uint32_t overflow = c / kernels::kColorsPerClass * kernels::kColorsPerClass + kernels::kMaskColors;
    // low colours are filled first, so most high ones are empty
    if (row[c] == row[overflow]) c = overflow;
    if (row[c] == row[c + 1]) continue;
    if (c != overflow) {
      each_row_in_grid(row[c], row[c + 1] - row[c], f);
    } else if (threadIdx.x == 0) {
      const std::uint32_t rows = parts.color_begin[c + 1] - parts.color_begin[c];
      for (std::uint32_t r = 0; r < rows; ++r) f.template row<float>(row[c] + r);
    }
    __syncthreads();
  }
}

/// f(i) for i of [begin[0], begin[1]).
template <class F>
__global__ void __launch_bounds__(kColorThreads)
    range_kernel(const std::uint32_t* guard, const std::uint32_t* begin, const __grid_constant__ F f) {
  if (is_up(guard)) return;
  const std::uint32_t first = begin[0];
  for_each_in_grid(begin[1] - first, [&](std::uint32_t i) { f(first + i); });
}

/// f(i) for the remaining ranges, one after the other in one block; then for the range after them, one by one.
template <class F>
__global__ void __launch_bounds__(kTailThreads)
    ranges_tail_kernel(const std::uint32_t* guard, const std::uint32_t* begin, std::uint32_t ranges,
                       const __grid_constant__ F f) {
  if (is_up(guard)) return;
  for (std::uint32_t c = 0; c < ranges; ++c) {
    const std::uint32_t first = begin[c], n = begin[c + 1] - first;
    if (n == 0) continue;
    for_each_in_grid(n, [&](std::uint32_t i) { f(first + i); });
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  for (std::uint32_t i = begin[ranges]; i < begin[ranges + 1]; ++i) f(i);
}

/// A row functor as a functor of single rows.
template <class F>
struct EachRow {
  F f;
  __device__ void operator()(std::uint32_t slot) const { f.template row<float>(slot); }
};

/// A block of threads (see PartExec). Work of a single thread is a call: rows without a colour are rare, and the kernel
/// contains a pass's code only once.
struct BlockTeam {
  static constexpr std::uint32_t kRunBodies = 4;  ///< [1] as CpuTeam's

  template <class F>
  __device__ void each(std::uint32_t n, const F& f) const {
    if constexpr (kernels::TakesTeams<F>) {
      each_shared(0, n, threadIdx.x, blockDim.x, f, f);
    } else {
      for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) f(i);
    }
    __syncthreads();
  }
  template <class F>
  __device__ void rows(std::uint32_t begin, std::uint32_t end, const F& f) const {
    each_row(begin, end - begin, threadIdx.x, blockDim.x, f);
    __syncthreads();
  }
  template <class F>
  __device__ __noinline__ void one(const F& f) const {
    if (threadIdx.x == 0) f();
    __syncthreads();
  }
};

/// f(team, i) for i of [*first, *last), a block each.
template <class F>
__global__ void __launch_bounds__(kGroupThreads) group_kernel(const std::uint32_t* guard, const std::uint32_t* first,
                                                              const std::uint32_t* last, const __grid_constant__ F f) {
  if (is_up(guard)) return;
  for (std::uint32_t i = *first + blockIdx.x; i < *last; i += gridDim.x) f(BlockTeam{}, i);
}

/// The remaining rounds of part 0, by one block.
template <class F>
__global__ void __launch_bounds__(kTailThreads)
    rounds_of_rows_kernel(const std::uint32_t* guard, const __grid_constant__ kernels::Parts parts,
                          std::uint32_t capacity, const __grid_constant__ F f) {
  if (is_up(guard)) return;
  PartExec<BlockTeam> part(BlockTeam{}, 0);
  kernels::sweep_until_over(part, parts, capacity, f);
}

}  // namespace cairn::exec
