// Vector sum, a reduction in shared memory, shuffles and votes, device functions, local memory, atomics and graphs:
// each against the host.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <nvtx3/nvToolsExt.h>

#define REQUIRE(what)                                        \
  do {                                                       \
    if (!(what)) {                                           \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #what); \
      std::exit(1);                                          \
    }                                                        \
  } while (false)

__device__ int table[4] = {1, 2, 3, 4};
__constant__ float scale;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) c[i] = a[i] + b[i] * scale;
}

__global__ void reduce(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned part[256];
  unsigned sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n); i += gridDim.x * blockDim.x)
    sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

__global__ void warps(unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  unsigned v = lane;
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  unsigned up = __shfl_up_sync(0xffffffffu, lane, 3);
  unsigned votes = __ballot_sync(0xffffffffu, lane % 3 == 0);
  unsigned odd = 0;
  if (lane % 2 == 1) odd = __ballot_sync(0xaaaaaaaau, lane > 10);
  unsigned same = __match_any_sync(0xffffffffu, lane / 8);
  out[threadIdx.x] = v + 1000 * up + votes + odd + same;
}

__device__ __noinline__ int collatz(int n, int* steps) {
  if (n == 1) return *steps;
  ++*steps;
  return collatz(n % 2 == 0 ? n / 2 : 3 * n + 1, steps);
}

struct Big {
  double x[5];
  float y;
  char z;
};

__device__ __noinline__ Big mix(const Big& a, Big b, float f) {
  Big r = a;
  for (int i = 0; i < 5; ++i) r.x[i] += b.x[i] * f;
  r.y -= b.y;
  r.z = static_cast<char>(a.z + b.z);
  return r;
}

__global__ void calls(const Big* in, Big* out, int* steps, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  int s = 0;
  steps[i] = collatz(i + 1, &s) + table[i % 4];
  if (i % 3 == 0) {
    out[i] = mix(in[i], in[n - 1 - i], 0.5f);
  } else {
    out[i] = mix(in[n - 1 - i], in[i], 0.25f);
  }
}

__global__ void dynamic(int* out) {
  extern __shared__ int part[];
  __shared__ int fixed[3];
  if (threadIdx.x < 3) fixed[threadIdx.x] = 100 * static_cast<int>(threadIdx.x);
  part[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] + fixed[threadIdx.x % 3] + __syncthreads_count(threadIdx.x > 5);
}

__global__ void lock(int* mutex, int* count) {
  for (bool done = false; !done;) {
    if (atomicCAS(mutex, 0, 1) == 0) {
      auto* const shared_count = static_cast<volatile int*>(count);
      *shared_count = *shared_count + 1;
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    }
  }
}

__global__ void chain(volatile int* flags) {
  // each block waits for the one before it
  if (threadIdx.x == 0) {
    while (blockIdx.x > 0 && flags[blockIdx.x - 1] == 0) {
    }
    flags[blockIdx.x] = 1;
  }
}

__global__ void convert(const float* in, int* out) {
  const unsigned i = threadIdx.x;
  out[i] = static_cast<int>(in[i]) + static_cast<int>(static_cast<double>(in[i]) * 3.0) +
           static_cast<int>(static_cast<signed char>(i * 7));
}

template <class T>
T* on_device(const std::vector<T>& v) {
  T* p = nullptr;
  REQUIRE(cudaMalloc(&p, v.size() * sizeof(T)) == cudaSuccess);
  REQUIRE(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  return p;
}
template <class T>
std::vector<T> on_host(const T* p, std::size_t n) {
  std::vector<T> v(n);
  REQUIRE(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
  return v;
}

int collatz_host(int n) {
  int s = 0;
  for (; n != 1; ++s) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return s;
}

Big mix_host(const Big& a, const Big& b, float f) {
  Big r = a;
  for (int i = 0; i < 5; ++i) r.x[i] += b.x[i] * f;
  r.y -= b.y;
  r.z = static_cast<char>(a.z + b.z);
  return r;
}

int main() {
  const int n = 1000;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) a[i] = i * 0.1f, b[i] = 1.0f / (i + 1);
  float* da = on_device(a);
  float* db = on_device(b);
  float* dc = on_device(std::vector<float>(n));
  const float two = 2;
  REQUIRE(cudaMemcpyToSymbol(scale, &two, sizeof two) == cudaSuccess);
  nvtxRangePushA("outer");
  nvtxRangePushA("inner");
  add<<<(n + 127) / 128, 128>>>(da, db, dc, n);
  nvtxRangePop();
  nvtxRangePop();
  const auto c = on_host(dc, n);
  for (int i = 0; i < n; ++i) REQUIRE(c[i] == a[i] + b[i] * 2);

  std::vector<unsigned> numbers(100000);
  unsigned sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) sum += numbers[i] = static_cast<unsigned>(i * 2654435761u);
  unsigned* dn = on_device(numbers);
  unsigned* total = on_device(std::vector<unsigned>{0});
  reduce<<<7, 256>>>(dn, total, static_cast<int>(numbers.size()));
  REQUIRE(on_host(total, 1)[0] == sum);

  unsigned* dw = on_device(std::vector<unsigned>(64));
  warps<<<1, 64>>>(dw);
  const auto w = on_host(dw, 64);
  unsigned votes = 0, odd = 0;
  for (unsigned l = 0; l < 32; ++l) votes |= (l % 3 == 0 ? 1u : 0u) << l, odd |= (l % 2 == 1 && l > 10 ? 1u : 0u) << l;
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned l = t % 32;
    REQUIRE(w[t] == 496 + 1000 * (l < 3 ? l : l - 3) + votes + (l % 2 == 1 ? odd : 0) + (0xffu << (l / 8 * 8)));
  }

  std::vector<Big> big(60);
  for (int i = 0; i < 60; ++i) big[i] = {{i * 1.0, i * 2.0, i / 3.0, 4, 5}, i * 0.3f, static_cast<char>(i)};
  Big* dbig = on_device(big);
  Big* dout = on_device(big);
  int* dsteps = on_device(std::vector<int>(60));
  calls<<<1, 64>>>(dbig, dout, dsteps, 60);
  const auto out = on_host(dout, 60);
  const auto steps = on_host(dsteps, 60);
  for (int i = 0; i < 60; ++i) {
    const Big e = i % 3 == 0 ? mix_host(big[i], big[59 - i], 0.5f) : mix_host(big[59 - i], big[i], 0.25f);
    REQUIRE(steps[i] == collatz_host(i + 1) + i % 4 + 1);
    for (int k = 0; k < 5; ++k) REQUIRE(e.x[k] == out[i].x[k]);
    REQUIRE(e.y == out[i].y && e.z == out[i].z);
  }

  int* dd = on_device(std::vector<int>(96));
  dynamic<<<1, 96, 96 * sizeof(int)>>>(dd);
  const auto d = on_host(dd, 96);
  for (int t = 0; t < 96; ++t) REQUIRE(d[t] == 95 - t + 100 * (t % 3) + 90);

  int* mutex = on_device(std::vector<int>{0});
  int* count = on_device(std::vector<int>{0});
  lock<<<3, 64>>>(mutex, count);
  REQUIRE(on_host(count, 1)[0] == 192);

  int* flags = on_device(std::vector<int>(40));
  chain<<<40, 32>>>(flags);
  for (const int f : on_host(flags, 40)) REQUIRE(f == 1);

  std::vector<float> odds{0, -0.5f, 1.9f, -1.9f, 3e9f, -3e9f, 1e30f, 123.456f};
  float* dodds = on_device(odds);
  int* di = on_device(std::vector<int>(8));
  convert<<<1, 8>>>(dodds, di);
  const int expected[] = {0, 0 - 1 + 7, 1 + 5 + 14, -1 - 5 + 21, 0, 0, 0, 123 + 370 + 49};
  const auto converted = on_host(di, 8);
  for (const int i : {0, 1, 2, 3, 7}) REQUIRE(converted[i] == expected[i]);
  REQUIRE(converted[6] == static_cast<int>(0x7fffffffu + 0x7fffffffu + 42u));

  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  cudaMemset(total, 0, 4);
  cudaDeviceSynchronize();
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  reduce<<<3, 256, 0, stream>>>(dn, total, 1000);
  cudaGraph_t graph;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  cudaGraphExec_t executable;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  for (int i = 0; i < 3; ++i) REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  unsigned part = 0;
  for (int i = 0; i < 1000; ++i) part += numbers[static_cast<std::size_t>(i)];
  REQUIRE(on_host(total, 1)[0] == 3 * part);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("basics: ok");
}
