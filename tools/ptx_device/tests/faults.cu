// Programs with faults, one for each argument: the device must report each (faults.txt).

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void past_the_end(int* a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x + n] = 1; }
__global__ void read(const int* a, int* b) { b[threadIdx.x] = a[threadIdx.x] + 1; }
__global__ void add(int* a, int n) { atomicAdd(a + n, 1); }
__global__ void past_shared(int* a, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x + static_cast<unsigned>(n)];
}
__global__ void shared_as_global(int* a) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  int x = 0;
#pragma unroll
  for (int i = 0; i < 40; ++i) asm volatile("ld.u32 %0, [%1];" : "=r"(x) : "l"(s + threadIdx.x));
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(s + threadIdx.x));
  a[threadIdx.x] = x;
}
__global__ void no_barrier(int* a) {
  __shared__ int s[64];
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void shuffle_for_barrier(int* a) {
  __shared__ int s[32];
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  const int n = __shfl_sync(0xffffffffu, 31, 0);
  a[threadIdx.x] = s[n - static_cast<int>(threadIdx.x)];
}
__global__ void warp_barrier(int* a) {
  __shared__ int s[32];
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncwarp();
  a[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void everyone_writes(int* a) { *a = static_cast<int>(threadIdx.x + blockIdx.x); }
__global__ void all_write_the_same(int* a) { *a = 7; }
__global__ void same_then_read(int* a, int* b) {
  *a = 7;
  b[threadIdx.x] = *a;
}
__global__ void flag_without_fence(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    *out = *data;
  }
}
__global__ void flag_with_fence(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    *out = *data;
  }
}
__global__ void last_block(const int* in, int* part, unsigned* done, int* out) {
  part[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (atomicAdd(done, 1u) != gridDim.x - 1) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += part[i];
  *out = sum;
}
__global__ void absent_lane(int* a) {
  if (threadIdx.x % 2 == 0) a[threadIdx.x] = __shfl_sync(0x55555555u, 7, (threadIdx.x + 1) % 32);
}
__global__ void outside_its_mask(int* a) { a[threadIdx.x] = static_cast<int>(__ballot_sync(0xffffu, true)); }
__global__ void half_at_a_barrier(int* a) {
  if (threadIdx.x < 32) {
    __syncthreads();
    a[threadIdx.x] = 1;
  } else {
    while (*static_cast<volatile int*>(a) == 0) {
    }
    asm volatile("bar.sync 1, 64;");
  }
}
__global__ void parted_at_barriers(int* a) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
    a[threadIdx.x] = 1;
  } else {
    __syncthreads();
    a[threadIdx.x] = 2;
  }
}
__global__ void approximate(float* a) { asm volatile("sin.approx.f32 %0, %1;" : "=f"(*a) : "f"(1.0f)); }
__global__ void flushes(float* a) { asm volatile("add.rn.ftz.f32 %0, %1, %1;" : "=f"(*a) : "f"(1.0f)); }
__global__ void traps() { asm volatile("trap;"); }
__global__ void deep(int* a, int n);
__device__ __noinline__ int dive(int n) { return n <= 0 ? 0 : 1 + dive(n - 1) * 2; }
__global__ void deep(int* a, int n) { *a = dive(n); }
__global__ void slow(int* a) { *a = 42; }

int main(int argc, char** argv) {
  const char* which = argc > 1 ? argv[1] : "";
  bool known = false;
  const auto is = [&](const char* name) {
    const bool same = std::strcmp(which, name) == 0;
    known = known || same;
    return same;
  };
  const auto stream = [] {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    return s;
  };
  const auto capture = [&](const auto& f) {
    const cudaStream_t s = stream();
    cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
    f(s);
    cudaGraph_t graph;
    std::printf("end of capture: %d\n", cudaStreamEndCapture(s, &graph));
  };
  int *a = nullptr, *b = nullptr;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&b, 64 * sizeof(int));
  auto* const f = reinterpret_cast<float*>(a);
  if (is("past_the_end")) past_the_end<<<1, 32>>>(a, 40);
  if (is("in_front")) past_the_end<<<1, 32>>>(a, -40);
  if (is("atomic_past_the_end")) add<<<1, 1>>>(a, 64);
  if (is("past_shared")) past_shared<<<1, 64>>>(a, 1);
  if (is("shared_as_global")) shared_as_global<<<1, 64>>>(a);
  if (is("freed")) {
    cudaFree(a);
    read<<<1, 64>>>(a, b);
  }
  if (is("host_pointer")) read<<<1, 1>>>(&argc, b);
  if (is("null")) read<<<1, 1>>>(nullptr, b);
  if (is("host_reads")) std::printf("%d\n", *a);
  if (is("misaligned")) read<<<1, 1>>>(reinterpret_cast<int*>(reinterpret_cast<char*>(a) + 2), b);
  if (is("uninitialised")) read<<<1, 64>>>(a, b);
  if (is("uninitialised_copy")) {
    cudaMemcpy(b, a, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
    read<<<1, 64>>>(b, a);
  }
  if (is("initialised")) {
    cudaMemset(a, 1, 64 * sizeof(int));
    read<<<1, 64>>>(a, b);
  }
  if (is("no_barrier")) no_barrier<<<1, 64>>>(a);
  if (is("shuffle_for_barrier")) shuffle_for_barrier<<<1, 32>>>(a);
  if (is("warp_barrier")) warp_barrier<<<1, 32>>>(a);
  if (is("everyone_writes")) everyone_writes<<<2, 32>>>(a);
  if (is("all_write_the_same")) all_write_the_same<<<2, 64>>>(a);
  if (is("same_then_read")) same_then_read<<<1, 64>>>(a, b);
  if (is("flag_without_fence") || is("flag_with_fence") || is("last_block")) cudaMemset(a, 0, 64 * sizeof(int));
  if (is("flag_without_fence")) flag_without_fence<<<2, 1>>>(a, a + 1, b);
  if (is("flag_with_fence")) flag_with_fence<<<2, 1>>>(a, a + 1, b);
  if (is("last_block")) last_block<<<8, 1>>>(a, a + 16, reinterpret_cast<unsigned*>(a + 8), b);
  if (is("absent_lane")) absent_lane<<<1, 32>>>(a);
  if (is("outside_its_mask")) outside_its_mask<<<1, 32>>>(a);
  if (is("deadlock")) {
    cudaMemset(a, 1, 64 * sizeof(int));
    half_at_a_barrier<<<1, 64>>>(a);
  }
  if (is("parted_at_barriers")) parted_at_barriers<<<1, 32>>>(a);
  if (is("approximate")) approximate<<<1, 1>>>(f);
  if (is("flushes")) flushes<<<1, 1>>>(f);
  if (is("traps")) traps<<<1, 1>>>();
  if (is("deep")) deep<<<1, 1>>>(a, 1000);
  if (is("too_many_threads")) read<<<1, 2000>>>(a, b);
  if (is("no_blocks")) read<<<0, 32>>>(a, b);
  if (is("too_much_shared")) read<<<1, 32, 300000>>>(a, b);
  if (is("copy_past_the_end")) cudaMemcpy(a, argv, 65 * sizeof(int), cudaMemcpyHostToDevice);
  if (is("copy_of_another_kind")) cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice);
  if (is("set_past_the_end")) cudaMemset(a, 0, 65 * sizeof(int));
  if (is("freed_twice")) {
    cudaFree(a);
    cudaFree(a);
  }
  if (is("freed_within")) cudaFree(a + 1);
  if (is("stream_destroyed")) {
    const cudaStream_t s = stream();
    cudaStreamDestroy(s);
    slow<<<1, 1, 0, s>>>(a);
  }
  if (is("early_read")) {
    int* h = nullptr;
    cudaMallocHost(&h, sizeof(int));
    *h = 0;
    const cudaStream_t s = stream();
    slow<<<1, 1, 0, s>>>(a);
    cudaMemcpyAsync(h, a, sizeof(int), cudaMemcpyDeviceToHost, s);
    std::printf("early read: %s\n", *h == 42 ? "the value was there" : "the value wasn't there yet");
  }
  if (is("malloc_in_capture")) capture([&](cudaStream_t) { cudaMalloc(&b, 4); });
  if (is("wait_in_capture")) capture([&](cudaStream_t s) { cudaStreamSynchronize(s); });
  if (is("pageable_copy_in_capture")) {
    capture([&](cudaStream_t s) { cudaMemcpyAsync(a, argv, 4, cudaMemcpyHostToDevice, s); });
  }
  if (is("out_of_memory")) {
    void* all = nullptr;
    std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&all, std::size_t{1} << 40)));
  }
  if (is("second_fails")) {
    void* data[3];
    std::printf("malloc: ");
    for (void*& each : data) {
      std::printf("%s%s", &each == data ? "" : ", ", cudaGetErrorName(cudaMalloc(&each, 16)));
    }
    std::printf("\n");
  }
  if (!known) {
    std::printf("faults: no fault is called '%s'\n", which);
    return 2;
  }
  std::printf("%s: synchronize says %s\n", which, cudaGetErrorName(cudaDeviceSynchronize()));
}
