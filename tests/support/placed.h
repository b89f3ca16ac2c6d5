#pragma once
// Arrays of a user's, on whatever device a World lives.

#include <cstddef>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/array_view.h"
#include "src/exec/backend.h"

namespace cairn::testing_support {

/// What takes a user's memory on a CUDA device.
inline exec::Memory& users_memory(const Device& device) {
  static std::map<int, std::unique_ptr<exec::Backend>> backends;
  std::unique_ptr<exec::Backend>& backend = backends[device.index];
  if (backend == nullptr) backend = exec::make_cuda_backend(device.index);
  return backend->memory();
}

/// Values where a device's programs can read and write them.
template <class T>
class Placed {
 public:
  Placed(std::vector<T> values, const Device& device) : device_(device), values_(std::move(values)) {
    if (device.kind == Device::Kind::kCpu || values_.empty()) return;
    exec::Memory& memory = users_memory(device);
    copy_ = {memory.allocate(values_.size() * sizeof(T)), [&memory](void* data) { memory.release(data); }};
    memory.upload(copy_.get(), values_.data(), values_.size() * sizeof(T));
  }
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;

  T* data() { return copy_ == nullptr ? values_.data() : static_cast<T*>(copy_.get()); }
  std::size_t size() const { return values_.size(); }
  ArrayView view(std::int64_t columns = 0) {
    constexpr ElementType kType = sizeof(T) == 8                ? ElementType::kFloat64
                                  : std::is_floating_point_v<T> ? ElementType::kFloat32
                                                                : ElementType::kUint32;
    const auto all = static_cast<std::int64_t>(values_.size());
    return dense_view(data(), kType, device_, columns == 0 ? all : all / columns, columns);
  }
  /// As they are now; what was enqueued to write them must be over.
  std::vector<T> read() const {
    if (copy_ == nullptr) return values_;
    std::vector<T> values(values_.size());
    users_memory(device_).download(values.data(), copy_.get(), values.size() * sizeof(T));
    return values;
  }

 private:
  Device device_;
  std::vector<T> values_;       ///< at first; on a CPU those that there are
  std::shared_ptr<void> copy_;  ///< on a CUDA device
};

}  // namespace cairn::testing_support
