// The primitives of the stages on a CPU: sort, scan and for_each, by number of items and threads. Items per second.

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "src/exec/cpu_exec.h"

namespace cairn::exec {
namespace {

std::vector<std::uint32_t> random_words(std::size_t n) {
  std::mt19937 next(1);
  std::vector<std::uint32_t> words(n);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(next());
  return words;
}

void count_items(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["threads"] = static_cast<double>(state.range(1));
}

// shapes by grid cell, as in `bound`
void sort_32_bits(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  CpuExec exec(static_cast<int>(state.range(1)));
  const std::vector<std::uint32_t> keys = random_words(n);
  std::vector<std::uint32_t> sorted(n), order(n);
  for (auto _ : state) {
    exec.sort(keys.data(), sorted.data(), order.data(), n, 32);
    benchmark::DoNotOptimize(order.data());
    benchmark::ClobberMemory();
  }
  count_items(state);
}

// pairs by the slots of both shapes, as in `pair`
void sort_64_bits(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  CpuExec exec(static_cast<int>(state.range(1)));
  const std::vector<std::uint32_t> words = random_words(2 * std::size_t{n});
  std::vector<std::uint64_t> keys(n), sorted(n);
  // slots of a scene with as many shapes as pairs
  for (std::uint32_t i = 0; i < n; ++i) keys[i] = std::uint64_t{words[2 * i] % n} << 32 | words[2 * i + 1] % n;
  for (auto _ : state) {
    exec.sort(keys.data(), sorted.data(), &n, n, std::bit_width(n));
    benchmark::DoNotOptimize(sorted.data());
    benchmark::ClobberMemory();
  }
  count_items(state);
}

void scan(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  CpuExec exec(static_cast<int>(state.range(1)));
  std::vector<std::uint32_t> data(n, 0);
  std::uint32_t total = 0;
  // zeros stay zeros, so that every iteration scans the same
  for (auto _ : state) {
    exec.exclusive_scan(data.data(), n, &total);
    benchmark::DoNotOptimize(total);
    benchmark::ClobberMemory();
  }
  count_items(state);
}

// the min work of an item: the cost of a launch
void for_each(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  CpuExec exec(static_cast<int>(state.range(1)));
  std::vector<std::uint32_t> data(n, 0);
  for (auto _ : state) {
    exec.for_each(n, [d = data.data()](std::uint32_t i) { d[i] += i; });
    benchmark::ClobberMemory();
  }
  count_items(state);
}

void sizes_and_threads(benchmark::internal::Benchmark* b) {
  b->ArgNames({"n", "threads"})->ArgsProduct({{256, 10'000, 1'000'000}, {1, 2}})->UseRealTime();
}

BENCHMARK(sort_32_bits)->Apply(sizes_and_threads);
BENCHMARK(sort_64_bits)->Apply(sizes_and_threads);
BENCHMARK(scan)->Apply(sizes_and_threads);
BENCHMARK(for_each)->Apply(sizes_and_threads);

}  // namespace
}  // namespace cairn::exec
