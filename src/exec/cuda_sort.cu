// Scans and sorts by CUB. CUB takes counts from the host, so they always work on the whole capacity, on padded copies
// in scratch memory. That also lets the guard protect the results.

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <utility>

#include "src/exec/cuda_exec.cuh"

namespace cairn::exec {
namespace {

/// Items past the count get the largest key. They are last and the sort is stable, so they stay behind all others.
template <class Key>
struct Pad {
  const Key* key;
  const std::uint32_t* count;
  std::uint32_t capacity;
  Key filler;
  Key* padded;
  std::uint32_t* value;  ///< null where keys are sorted alone
  __device__ void operator()(std::uint32_t i) const {
    padded[i] = i < items_of(count, capacity) ? key[i] : filler;
    if (value != nullptr) value[i] = i;
  }
};

template <class T>
struct Copy {
  const T* from;
  T* to;
  __device__ void operator()(std::uint32_t i) const { to[i] = from[i]; }
};

struct CopyTotal {
  const std::uint32_t* sum;
  const std::uint32_t* count;
  std::uint32_t capacity;
  std::uint32_t* total;
  __device__ void operator()() const { *total = sum[items_of(count, capacity)]; }
};

constexpr std::size_t kScratchAlign = 64;  // items, so that every array starts at a multiple of 256 bytes

}  // namespace

CudaExec::CudaExec(const CudaStream& stream, CudaMemory& memory) : stream_(stream), memory_(memory) {
  int multiprocessors = 0, threads = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, stream.device()),
        "cudaDeviceGetAttribute");
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, stream.device()),
        "cudaDeviceGetAttribute");
  resident_blocks_ = static_cast<std::uint32_t>(multiprocessors * threads) / kThreads;
  idle_ = static_cast<std::uint32_t*>(memory_.allocate(sizeof(std::uint32_t)));
}

CudaExec::~CudaExec() {
  memory_.release(scratch_);
  memory_.release(idle_);
}

void CudaExec::load(const void* kernel) {
  cudaFuncAttributes attributes{};
  check_made(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
}

void CudaExec::begin_measure() {
  measuring_ = true;
  wanted_ = {};
}

void CudaExec::want(std::uint32_t items, std::size_t temporary_bytes) {
  wanted_.items = std::max<std::size_t>(wanted_.items, items);
  wanted_.temporary_bytes = std::max(wanted_.temporary_bytes, temporary_bytes);
}

bool CudaExec::end_measure() {
  measuring_ = false;
  return wanted_.items <= has_.items && wanted_.temporary_bytes <= has_.temporary_bytes;
}

void CudaExec::reserve() {
  const std::size_t items = (std::max(has_.items, wanted_.items) + kScratchAlign - 1) / kScratchAlign * kScratchAlign;
  const std::size_t bytes = std::max(has_.temporary_bytes, wanted_.temporary_bytes);
  memory_.release(std::exchange(scratch_, nullptr));
  has_ = {};
  scratch_ = static_cast<unsigned char*>(
      memory_.allocate(items * 2 * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + bytes));
  has_ = {items, bytes};
}

template <class Key>
Key* CudaExec::keys(int which) const {
  return reinterpret_cast<Key*>(scratch_ + static_cast<std::size_t>(which) * has_.items * sizeof(std::uint64_t));
}
std::uint32_t* CudaExec::values(int which) const {
  return reinterpret_cast<std::uint32_t*>(
      scratch_ + has_.items * (2 * sizeof(std::uint64_t) + static_cast<std::size_t>(which) * sizeof(std::uint32_t)));
}
void* CudaExec::temporary() const { return values(2); }

void CudaExec::exclusive_scan(std::uint32_t* data, const std::uint32_t* count, std::uint32_t capacity,
                              std::uint32_t* total) {
  // one item more than the capacity: the sum before it is the total
  const std::uint32_t items = capacity + 1;
  std::uint32_t* sum = keys<std::uint32_t>(0);
  const Pad<std::uint32_t> pad{data, count, capacity, 0, sum, nullptr};
  for_each(items, pad);
  std::size_t bytes = has_.temporary_bytes;
  check(cub::DeviceScan::ExclusiveSum(measuring_ ? nullptr : temporary(), bytes, sum, items, stream_.get()),
        "DeviceScan::ExclusiveSum");
  if (measuring_) want(items, bytes);
  for_each(count, capacity, Copy<std::uint32_t>{sum, data});
  single(CopyTotal{sum, count, capacity, total});
}

void CudaExec::sort(const std::uint32_t* key, std::uint32_t* sorted_key, std::uint32_t* order,
                    const std::uint32_t* count, std::uint32_t capacity, int bits) {
  if (capacity == 0) return;
  cub::DoubleBuffer<std::uint32_t> key_buffer(keys<std::uint32_t>(0), keys<std::uint32_t>(1));
  cub::DoubleBuffer<std::uint32_t> value_buffer(values(0), values(1));
  for_each(capacity,
           Pad<std::uint32_t>{key, count, capacity, ~std::uint32_t{0}, key_buffer.Current(), value_buffer.Current()});
  std::size_t bytes = has_.temporary_bytes;
  check(cub::DeviceRadixSort::SortPairs(measuring_ ? nullptr : temporary(), bytes, key_buffer, value_buffer, capacity,
                                        0, bits, stream_.get()),
        "DeviceRadixSort::SortPairs");
  if (measuring_) want(capacity, bytes);
  for_each(count, capacity, Copy<std::uint32_t>{key_buffer.Current(), sorted_key});
  for_each(count, capacity, Copy<std::uint32_t>{value_buffer.Current(), order});
}

void CudaExec::sort(const std::uint64_t* key, std::uint64_t* sorted_key, const std::uint32_t* count,
                    std::uint32_t capacity, int bits) {
  if (capacity == 0) return;
  cub::DoubleBuffer<std::uint64_t> key_buffer(keys<std::uint64_t>(0), keys<std::uint64_t>(1));
  for_each(capacity, Pad<std::uint64_t>{key, count, capacity, ~std::uint64_t{0}, key_buffer.Current(), nullptr});
  // the low words, then the high ones: the bits between them are 0
  for (const int first : {0, 32}) {
    std::size_t bytes = has_.temporary_bytes;
    check(cub::DeviceRadixSort::SortKeys(measuring_ ? nullptr : temporary(), bytes, key_buffer, capacity, first,
                                         first + bits, stream_.get()),
          "DeviceRadixSort::SortKeys");
    if (measuring_) want(capacity, bytes);
  }
  for_each(count, capacity, Copy<std::uint64_t>{key_buffer.Current(), sorted_key});
}

}  // namespace cairn::exec
