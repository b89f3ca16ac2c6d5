#include "src/exec/cpu_exec.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace cairn::exec {
namespace {

// blocks of a scan or sort: one a thread, so that a thread sums values that it wrote in the loop before; several for
// many items
constexpr std::uint32_t kMinBlock = 1024, kMaxBlock = 16384;
constexpr int kDigitBits = 8;
// [1] candidates a shape, unless there is room for more pairs: more aren't worth their tests
constexpr std::size_t kMaxCandidates = 16;
// steps until they are tried again
constexpr std::uint32_t kWaitSteps = 64;
constexpr std::uint32_t kDigits = 1u << kDigitBits;

/// Items of a block. Blocks change the order of the work, never the result.
std::uint32_t block_of(std::uint32_t n, int threads) {
  const std::uint32_t each = (n + static_cast<std::uint32_t>(threads) - 1) / static_cast<std::uint32_t>(threads);
  return std::clamp(each, kMinBlock, kMaxBlock);
}

}  // namespace

void CpuExec::reserve(std::size_t items) {
  key_scratch_.reserve(items);
  value_scratch_.reserve(items);
  histogram_.reserve((items / kMinBlock + 2) * kDigits);
}

void CpuExec::reserve_candidates(std::size_t shapes, std::size_t worlds, std::size_t room) noexcept {
  if (shapes < kept_.shapes || worlds < kept_.worlds) {
    // entries past the new ends won't be compared, and may come back with other content
    const kernels::PairCandidates of = candidates();
    std::fill_n(of.shape, kept_.of_shapes.size(), kernels::CandidateShape{});
    std::fill_n(of.world_flags, kept_.of_worlds.size(), 0u);
    kept_.counts.candidates = 0;
  }
  kept_.shapes = shapes;
  kept_.worlds = worlds;
  const std::size_t wanted = kept_.counts.wanted + kept_.counts.wanted / 4,
                    most = std::max(room, kMaxCandidates * shapes);
  kept_.hopeless = kept_.counts.wanted > most;
  // while much falls fast there are many, later not
  if (kept_.hopeless && ++kept_.waited % kWaitSteps == 0) kept_.counts.wanted = 0;
  const std::size_t n = std::max(room, std::min(wanted, most));
  try {
    kept_.of_blocks.grow(kernels::CandidateMotion::blocks(static_cast<std::uint32_t>(shapes)));
    kept_.of_keys.grow(n);
    reserve(n);
    kept_.of_shapes.grow(shapes);
    kept_.of_worlds.grow(worlds);
  } catch (const std::bad_alloc&) {
    kept_ = {};
  }
}

kernels::PairCandidates CpuExec::candidates() {
  return {kept_.of_shapes.table(),
          kept_.of_blocks.table(),
          kept_.of_worlds.table(),
          kept_.of_keys.table(),
          static_cast<std::uint32_t>(kept_.of_keys.size()),
          &kept_.counts};
}

void CpuExec::exclusive_scan(std::uint32_t* data, std::uint32_t n, std::uint32_t* total) {
  if (skip()) return;
  const std::uint32_t block = block_of(n, pool_.threads());
  const std::uint32_t blocks = (n + block - 1) / block;
  if (blocks <= 1) {
    std::uint32_t running = 0;
    for (std::uint32_t i = 0; i < n; ++i) running += std::exchange(data[i], running);
    *total = running;
    return;
  }
  histogram_.assign(blocks + 1, 0);
  each_worker(blocks, [&](std::uint32_t b) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = b * block; i < std::min(n, (b + 1) * block); ++i) sum += data[i];
    histogram_[b] = sum;
  });
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b <= blocks; ++b) sum += std::exchange(histogram_[b], sum);
  each_worker(blocks, [&](std::uint32_t b) {
    std::uint32_t running = histogram_[b];
    for (std::uint32_t i = b * block; i < std::min(n, (b + 1) * block); ++i) running += std::exchange(data[i], running);
  });
  *total = sum;
}

namespace {

/// [1] So few items are sorted by insertion, in less time than counting digits takes.
constexpr std::uint32_t kFewItems = 32;

/// A stable sort of few keys by the bits of a mask; also writes the items' numbers if `order` is given.
template <class Key, class Value>
void insertion_sort(const Key* key, Key* sorted_key, Value* order, std::uint32_t n, Key mask) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const Key wanted = key[i];
    std::uint32_t at = i;
    for (; at > 0 && (sorted_key[at - 1] & mask) > (wanted & mask); --at) {
      sorted_key[at] = sorted_key[at - 1];
      if constexpr (!std::is_same_v<Value, void>) order[at] = order[at - 1];
    }
    sorted_key[at] = wanted;
    if constexpr (!std::is_same_v<Value, void>) order[at] = i;
  }
}

}  // namespace

// least significant digit first: per digit a histogram per block, one scan over (digit, block), and a stable scatter
template <class Key, class Value>
void CpuExec::radix_sort(const Key* key, Key* sorted_key, Value* order, std::uint32_t n, int bits) {
  constexpr bool kHasValues = !std::is_same_v<Value, void>;
  if (n <= kFewItems) {
    const std::uint64_t half = (std::uint64_t{1} << bits) - 1;
    insertion_sort(key, sorted_key, order, n, static_cast<Key>(half << 32 | half));
    return;
  }
  const std::uint32_t block = block_of(n, pool_.threads());
  const std::uint32_t blocks = (n + block - 1) / block;
  key_scratch_.resize(n);
  if constexpr (kHasValues) value_scratch_.resize(n);
  Key* scratch = reinterpret_cast<Key*>(key_scratch_.data());
  const Key* from = key;
  const std::uint32_t* values_from = nullptr;  // null stands for 0, 1, 2, ...

  struct Digit {
    int shift;
    std::uint32_t mask;
  };
  std::array<Digit, sizeof(Key)> digits;
  std::size_t passes = 0;
  for (int half = 0; half < static_cast<int>(sizeof(Key)) * 8; half += 32) {
    // the last digit may have fewer bits
    for (int shift = 0; shift < bits; shift += kDigitBits)
      digits[passes++] = {half + shift, (1u << std::min(kDigitBits, bits - shift)) - 1};
  }
  // the last pass must end in the output
  bool to_output = passes % 2 == 1;

  for (std::size_t pass = 0; pass < passes; ++pass) {
    const auto [shift, mask] = digits[pass];
    Key* to = to_output ? sorted_key : scratch;
    histogram_.assign(static_cast<std::size_t>(blocks) * kDigits, 0);
    const auto digit_of = [shift = shift, mask = mask](Key k) { return static_cast<std::uint32_t>(k >> shift) & mask; };
    each_worker(blocks, [&](std::uint32_t b) {
      std::uint32_t* counts = &histogram_[static_cast<std::size_t>(b) * kDigits];
      for (std::uint32_t i = b * block; i < std::min(n, (b + 1) * block); ++i) ++counts[digit_of(from[i])];
    });
    std::uint32_t sum = 0;
    for (std::uint32_t d = 0; d < kDigits; ++d) {
      for (std::uint32_t b = 0; b < blocks; ++b)
        sum += std::exchange(histogram_[static_cast<std::size_t>(b) * kDigits + d], sum);
    }
    each_worker(blocks, [&](std::uint32_t b) {
      std::uint32_t* offsets = &histogram_[static_cast<std::size_t>(b) * kDigits];
      for (std::uint32_t i = b * block; i < std::min(n, (b + 1) * block); ++i) {
        const std::uint32_t at = offsets[digit_of(from[i])]++;
        to[at] = from[i];
        if constexpr (kHasValues) {
          std::uint32_t* values_to = to_output ? order : value_scratch_.data();
          values_to[at] = values_from != nullptr ? values_from[i] : i;
        }
      }
    });
    from = to;
    if constexpr (kHasValues) values_from = to_output ? order : value_scratch_.data();
    to_output = !to_output;
  }
  if (passes == 0) {
    std::copy(key, key + n, sorted_key);
    if constexpr (kHasValues) {
      for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
    }
  }
}

void CpuExec::sort(const std::uint32_t* key, std::uint32_t* sorted_key, std::uint32_t* order, std::uint32_t n,
                   int bits) {
  if (!skip()) radix_sort(key, sorted_key, order, n, bits);
}

void CpuExec::sort(const std::uint64_t* key, std::uint64_t* sorted_key, const std::uint32_t* count,
                   std::uint32_t capacity, int bits) {
  if (!skip()) radix_sort<std::uint64_t, void>(key, sorted_key, nullptr, std::min(*count, capacity), bits);
}

}  // namespace cairn::exec
