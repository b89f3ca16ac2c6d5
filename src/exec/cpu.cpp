#include "src/exec/cpu.h"

#include <array>
#include <utility>

namespace cairn::exec {
namespace {

constexpr std::uint32_t kBlock = 4096;  // items of a scan or sort block
constexpr int kDigitBits = 8;
constexpr std::uint32_t kDigits = 1u << kDigitBits;

std::uint32_t blocks_of(std::uint32_t n) { return (n + kBlock - 1) / kBlock; }

}  // namespace

void CpuExec::exclusive_scan(std::uint32_t* data, std::uint32_t n, std::uint32_t* total) {
  if (skip()) return;
  const std::uint32_t blocks = blocks_of(n);
  histogram_.assign(blocks + 1, 0);
  pool_.run(blocks, 1, [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t b = first; b < last; ++b) {
      std::uint32_t sum = 0;
      for (std::uint32_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); ++i) sum += data[i];
      histogram_[b] = sum;
    }
  });
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b <= blocks; ++b) sum += std::exchange(histogram_[b], sum);
  pool_.run(blocks, 1, [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t b = first; b < last; ++b) {
      std::uint32_t running = histogram_[b];
      for (std::uint32_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); ++i) running += std::exchange(data[i], running);
    }
  });
  *total = sum;
}

// least significant digit first: per digit a histogram a block, one scan over (digit, block), and a stable scatter
template <class Key, class Value>
void CpuExec::radix_sort(const Key* key, Key* sorted_key, Value* order, std::uint32_t n, int bits) {
  constexpr bool kHasValues = !std::is_same_v<Value, void>;
  const std::uint32_t blocks = blocks_of(n);
  key_scratch_.resize(n);
  if constexpr (kHasValues) value_scratch_.resize(n);
  Key* scratch = reinterpret_cast<Key*>(key_scratch_.data());
  const Key* from = key;
  const std::uint32_t* values_from = nullptr;  // null stands for 0, 1, 2, ...

  // digits in which all keys agree need no pass
  Key differing = 0;
  for (std::uint32_t i = 1; i < n; ++i) differing |= key[i] ^ key[0];
  // and the last digit may be short of bits
  const auto mask_of = [&](int shift) { return (1u << std::min(kDigitBits, bits - shift)) - 1; };
  std::array<int, 64 / kDigitBits> shifts;
  std::size_t passes = 0;
  for (int shift = 0; shift < bits; shift += kDigitBits) {
    if ((static_cast<std::uint64_t>(differing) >> shift & mask_of(shift)) != 0) shifts[passes++] = shift;
  }
  // the last pass must end in the output
  bool to_output = passes % 2 == 1;

  for (std::size_t pass = 0; pass < passes; ++pass) {
    const int shift = shifts[pass];
    Key* to = to_output ? sorted_key : scratch;
    histogram_.assign(static_cast<std::size_t>(blocks) * kDigits, 0);
    const std::uint32_t mask = mask_of(shift);
    const auto digit_of = [&](Key k) { return static_cast<std::uint32_t>(k >> shift) & mask; };
    pool_.run(blocks, 1, [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t b = first; b < last; ++b) {
        std::uint32_t* counts = &histogram_[static_cast<std::size_t>(b) * kDigits];
        for (std::uint32_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); ++i) ++counts[digit_of(from[i])];
      }
    });
    std::uint32_t sum = 0;
    for (std::uint32_t d = 0; d < kDigits; ++d) {
      for (std::uint32_t b = 0; b < blocks; ++b) sum += std::exchange(histogram_[static_cast<std::size_t>(b) * kDigits + d], sum);
    }
    pool_.run(blocks, 1, [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t b = first; b < last; ++b) {
        std::uint32_t* offsets = &histogram_[static_cast<std::size_t>(b) * kDigits];
        for (std::uint32_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); ++i) {
          const std::uint32_t at = offsets[digit_of(from[i])]++;
          to[at] = from[i];
          if constexpr (kHasValues) {
            std::uint32_t* values_to = to_output ? order : value_scratch_.data();
            values_to[at] = values_from != nullptr ? values_from[i] : i;
          }
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

void CpuExec::sort(const std::uint32_t* key, std::uint32_t* sorted_key, std::uint32_t* order, std::uint32_t n, int bits) {
  if (!skip()) radix_sort(key, sorted_key, order, n, bits);
}

void CpuExec::sort(const std::uint64_t* key, std::uint64_t* sorted_key, const std::uint32_t* count, std::uint32_t capacity) {
  if (!skip()) radix_sort<std::uint64_t, void>(key, sorted_key, nullptr, std::min(*count, capacity), 64);
}

}  // namespace cairn::exec
