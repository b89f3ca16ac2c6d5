#pragma once
// Memory of a world's arrays. The host side uses only this interface; the kernels use raw pointers.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/common/arrays.h"
#include "kernels/common/strided_array.h"

namespace cairn::exec {

class Memory {
 public:
  virtual ~Memory() = default;
  /// Aligned to 256 bytes; the content is undefined. Throws CapacityError with the requested size.
  virtual void* allocate(std::size_t bytes, kernels::Life life = kernels::Life::kDerived) = 0;
  virtual void release(void* data) noexcept = 0;
  /// Ordered after all work enqueued so far; `upload` and `download` wait for it.
  virtual void upload(void* device, const void* host, std::size_t bytes) = 0;
  /// Like `upload`, but never waits: `host` may end when it returns.
  virtual void post(void* device, const void* host, std::size_t bytes) = 0;
  virtual void download(void* host, const void* device, std::size_t bytes) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void zero(void* data, std::size_t bytes) = 0;
  /// No present block is freed while the returned pointer lives.
  virtual std::shared_ptr<const void> keep() = 0;

  // the same for elements of an array: one, or a list that may be empty
  template <class T>
  void put(T* to, const std::type_identity_t<T>& value) {
    upload(to, &value, sizeof value);
  }
  template <class T>
  void put(T* to, std::span<const std::type_identity_t<T>> values) {
    if (!values.empty()) upload(to, values.data(), values.size_bytes());
  }
  template <class T>
  T get(const T* from) {
    T value;
    download(&value, from, sizeof value);
    return value;
  }
  template <class T>
  void clear(T* first, std::size_t n = 1) {
    if (n != 0) zero(first, n * sizeof(T));
  }
};

// Operations of tables and snapshots on arrays of whole elements, or of the first bytes of each (StridedArray).

template <class T>
std::size_t element_bytes(T*) {
  return sizeof(T);
}
template <class T>
std::size_t element_bytes(const kernels::StridedArray<T>& array) {
  return array.bytes;
}
template <class T>
void point_to(T*& array, void* data) {
  array = static_cast<T*>(data);
}
template <class T>
void point_to(kernels::StridedArray<T>& array, void* data) {
  array.first = static_cast<T*>(data);
}
template <class T>
void* data_of(T* array) {
  return array;
}
template <class T>
void* data_of(const kernels::StridedArray<T>& array) {
  return array.first;
}

/// The first n elements of an array. Bytes that packed ones lack are 0.
template <class T>
std::vector<T> read(Memory& memory, const T* array, std::size_t n) {
  std::vector<T> values(n);
  if (n != 0) memory.download(values.data(), array, n * sizeof(T));
  return values;
}
template <class T>
std::vector<T> read(Memory& memory, const kernels::StridedArray<T>& array, std::size_t n) {
  std::vector<std::byte> bytes(n * array.bytes);
  if (n != 0) memory.download(bytes.data(), array.first, bytes.size());
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i)
    std::memcpy(static_cast<void*>(&values[i]), bytes.data() + i * array.bytes, array.bytes);
  return values;
}
/// The first bytes of each value.
template <class T>
std::vector<std::byte> packed(const std::vector<T>& values, std::size_t bytes) {
  std::vector<std::byte> all(values.size() * bytes);
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(all.data() + i * bytes, &values[i], bytes);
  return all;
}
/// Writes as many bytes of each value as the array's elements have.
template <class T>
void write(Memory& memory, const kernels::StridedArray<T>& array, const std::vector<T>& values) {
  const std::vector<std::byte> bytes = packed(values, array.bytes);
  memory.put(reinterpret_cast<std::byte*>(array.first), bytes);
}

/// Clears n entries of the arrays of a table that start with zeros.
template <class View>
void start_entries(Memory& memory, const View& view, std::size_t first, std::size_t n) {
  kernels::each_array(view, [&]<class Row>(auto* array, const Row&) {
    if constexpr (Row::start == kernels::Start::kZero) memory.clear(array + first, n);
  });
}

/// An array of trivially copyable T in a Memory. New elements are undefined: write before reading.
template <class T>
class Buffer {
 public:
  explicit Buffer(Memory& memory, kernels::Life life = kernels::Life::kDerived) : memory_(&memory), life_(life) {}
  /// Of n elements.
  Buffer(Memory& memory, std::size_t n) : Buffer(memory) { reserve(n); }
  Buffer(Memory& memory, const std::vector<T>& values) : Buffer(memory) { assign(values); }
  Buffer(Buffer&& other) noexcept
      : memory_(other.memory_),
        life_(other.life_),
        data_(std::exchange(other.data_, nullptr)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(life_, other.life_);
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~Buffer() { memory_->release(data_); }

  T* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t bytes() const { return capacity_ * sizeof(T); }

  /// Allocates for n elements, keeping the present ones.
  void reserve(std::size_t n) {
    if (n <= capacity_) return;
    Buffer grown(*memory_, life_);
    grown.data_ = static_cast<T*>(memory_->allocate(n * sizeof(T), life_));
    grown.capacity_ = n;
    if (capacity_ != 0) memory_->copy(grown.data_, data_, bytes());
    *this = std::move(grown);
  }

  /// Allocates for these values, and takes them.
  void assign(std::span<const T> values) {
    reserve(values.size());
    memory_->put(data_, values);
  }
  /// Allocates for n elements, all zero.
  void assign_zeros(std::size_t n) {
    reserve(n);
    memory_->clear(data_, n);
  }

  T get(std::size_t i) const { return memory_->get(data_ + i); }
  std::vector<T> read(std::size_t n) const { return exec::read(*memory_, data_, n); }

 private:
  Memory* memory_;
  kernels::Life life_;
  T* data_{nullptr};
  std::size_t capacity_{0};
};

/// A Buffer of the first bytes of each element.
template <class T>
class TrimmedBuffer {
 public:
  TrimmedBuffer(Memory& memory, kernels::Life life) : memory_(&memory), life_(life), data_(memory, life) {}

  kernels::StridedArray<T> view() const { return {reinterpret_cast<T*>(data_.data()), bytes_}; }
  std::size_t capacity() const { return data_.capacity() / bytes_; }

  /// Allocates for n elements, keeping the present ones.
  void reserve(std::size_t n) { data_.reserve(n * bytes_); }
  /// Sets the bytes of each element; never fewer than present elements have.
  void widen(std::uint32_t bytes) {
    const std::vector<std::byte> values = packed(read(*memory_, view(), capacity()), bytes);
    Buffer<std::byte> wider(*memory_, life_);
    wider.assign(values);
    data_ = std::move(wider);
    bytes_ = bytes;
  }

 private:
  Memory* memory_;
  kernels::Life life_;
  Buffer<std::byte> data_;
  std::uint32_t bytes_{sizeof(T)};
};

/// The arrays of a table of kernels/common/, all of one length. Growth is all or nothing.
template <class View>
class Table {
 public:
  explicit Table(Memory& memory) : memory_(&memory) {}
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table() { release(view_); }

  const View& view() const { return view_; }
  std::size_t capacity() const { return capacity_; }

  void reserve(std::size_t n) {
    if (n <= capacity_) return;
    std::vector<std::pair<void*, std::size_t>> old;
    kernels::each_array(
        view_, [&](auto& field, const auto&) { old.emplace_back(data_of(field), capacity_ * element_bytes(field)); });
    View grown = view_;
    kernels::each_array(grown, [](auto& field, const auto&) { point_to(field, nullptr); });
    try {
      kernels::each_array(grown, [&](auto& field, const auto& row) {
        point_to(field, memory_->allocate(n * element_bytes(field), row.life));
      });
      std::size_t i = 0;
      kernels::each_array(grown, [&](auto& field, const auto&) {
        if (capacity_ != 0) memory_->copy(data_of(field), old[i].first, old[i].second);
        ++i;
      });
    } catch (...) {
      release(grown);
      throw;
    }
    release(view_);
    view_ = grown;
    capacity_ = n;
  }

  /// Sets the bytes of each element of a packed array; never fewer than present elements have.
  template <class Array>
  void widen(Array View::*array, std::uint32_t bytes) {
    const std::vector<std::byte> values = packed(read(*memory_, view_.*array, capacity_), bytes);
    Array wider = view_.*array;
    wider.bytes = bytes;
    if (capacity_ != 0) {
      point_to(wider, memory_->allocate(values.size()));
      memory_->upload(data_of(wider), values.data(), values.size());
      memory_->release(data_of(view_.*array));
    }
    view_.*array = wider;
  }

 private:
  void release(View& view) noexcept {
    kernels::each_array(view, [&](auto& field, const auto&) { memory_->release(data_of(field)); });
  }

  Memory* memory_;
  View view_{};
  std::size_t capacity_{0};
};

}  // namespace cairn::exec
