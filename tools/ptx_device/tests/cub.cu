// CUB's sorts, scans, selections and reductions against the host, at sizes about the borders of its tiles.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <numeric>
#include <random>
#include <vector>

#define REQUIRE(what)                                                    \
  do {                                                                   \
    if (!(what)) {                                                       \
      std::printf("%s:%d: %s (n = %d)\n", __FILE__, __LINE__, #what, n); \
      std::exit(1);                                                      \
    }                                                                    \
  } while (false)

template <class T>
T* on_device(const std::vector<T>& v) {
  T* p = nullptr;
  cudaMalloc(&p, std::max<std::size_t>(v.size(), 1) * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T>
std::vector<T> on_host(const T* p, std::size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}

template <class F>
void with_storage(int n, const F& f) {
  std::size_t bytes = 0;
  REQUIRE(f(nullptr, bytes) == cudaSuccess);
  void* storage = nullptr;
  REQUIRE(cudaMalloc(&storage, bytes) == cudaSuccess);
  REQUIRE(f(storage, bytes) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  cudaFree(storage);
}

struct Odd {
  __host__ __device__ bool operator()(std::uint32_t v) const { return v % 2 == 1; }
};

void check(int n, int bits) {
  std::mt19937 random(static_cast<unsigned>(n) * 7 + bits);
  std::vector<std::uint32_t> keys(static_cast<std::size_t>(n)), order(keys.size());
  for (auto& k : keys) k = random() >> (32 - bits);
  std::iota(order.begin(), order.end(), 0u);
  std::uint32_t *k0 = on_device(keys), *k1 = on_device(keys), *v0 = on_device(order), *v1 = on_device(order);
  cub::DoubleBuffer<std::uint32_t> key_buffer(k0, k1), value_buffer(v0, v1);
  with_storage(n, [&](void* s, std::size_t& b) {
    return cub::DeviceRadixSort::SortPairs(s, b, key_buffer, value_buffer, n, 0, bits);
  });
  std::vector<std::uint32_t> expected = order;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  REQUIRE(on_host(value_buffer.Current(), keys.size()) == expected);

  std::vector<std::uint64_t> wide(keys.size());
  for (auto& k : wide) k = (static_cast<std::uint64_t>(random()) << 32) | random();
  std::uint64_t *w0 = on_device(wide), *w1 = on_device(wide);
  cub::DoubleBuffer<std::uint64_t> wide_buffer(w0, w1);
  with_storage(n, [&](void* s, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(s, b, wide_buffer, n, 0, 64); });
  auto sorted = wide;
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(on_host(wide_buffer.Current(), wide.size()) == sorted);

  std::uint32_t *in = on_device(keys), *out = on_device(keys), *count = on_device(std::vector<std::uint32_t>(1));
  with_storage(n, [&](void* s, std::size_t& b) { return cub::DeviceScan::ExclusiveSum(s, b, in, out, n); });
  std::vector<std::uint32_t> sums(keys.size());
  std::exclusive_scan(keys.begin(), keys.end(), sums.begin(), 0u);
  REQUIRE(on_host(out, keys.size()) == sums);

  with_storage(n, [&](void* s, std::size_t& b) { return cub::DeviceReduce::Sum(s, b, in, count, n); });
  REQUIRE(on_host(count, 1)[0] == std::accumulate(keys.begin(), keys.end(), 0u));
  with_storage(n, [&](void* s, std::size_t& b) { return cub::DeviceReduce::Max(s, b, in, count, n); });
  if (n > 0) REQUIRE(on_host(count, 1)[0] == *std::max_element(keys.begin(), keys.end()));

  with_storage(n, [&](void* s, std::size_t& b) { return cub::DeviceSelect::If(s, b, in, out, count, n, Odd{}); });
  std::vector<std::uint32_t> selected;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(selected), Odd{});
  REQUIRE(on_host(count, 1)[0] == selected.size());
  REQUIRE(on_host(out, selected.size()) == selected);
  for (void* p : {static_cast<void*>(k0), static_cast<void*>(k1), static_cast<void*>(v0), static_cast<void*>(v1),
                  static_cast<void*>(w0), static_cast<void*>(w1), static_cast<void*>(in), static_cast<void*>(out),
                  static_cast<void*>(count)}) {
    cudaFree(p);
  }
}

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 1000000;
  for (const int n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 4095, 4096, 4097, 20000, 65537, 200000, 1000000}) {
    if (n > most) break;
    for (const int bits : {32, 19, 5}) {
      check(n, bits);
      if (n > 100000) break;
    }
    std::printf("cub: %d ok\n", n);
    std::fflush(stdout);
  }
}
