#pragma once
// Where a world's arrays live. The host side sees only this; the physics sees raw pointers.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cairn::exec {

class Memory {
 public:
  virtual ~Memory() = default;
  /// Aligned to 256 bytes; what it holds is undefined. Throws CapacityError with the size asked for.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* data) noexcept = 0;
  /// Ordered after everything enqueued so far; both wait for it.
  virtual void upload(void* device, const void* host, std::size_t bytes) = 0;
  /// Like `upload`, but never waits: `host` may go when it returns.
  virtual void post(void* device, const void* host, std::size_t bytes) = 0;
  virtual void download(void* host, const void* device, std::size_t bytes) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void zero(void* data, std::size_t bytes) = 0;
};

/// An array of trivially copyable T in a Memory. What is new is undefined: who relies on it writes it first.
template <class T>
class Buffer {
 public:
  explicit Buffer(Memory& memory) : memory_(&memory) {}
  Buffer(Buffer&& other) noexcept
      : memory_(other.memory_),
        data_(std::exchange(other.data_, nullptr)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~Buffer() { memory_->release(data_); }

  T* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t bytes() const { return capacity_ * sizeof(T); }

  /// Makes room for n, keeping what is there.
  void reserve(std::size_t n) {
    if (n <= capacity_) return;
    Buffer grown(*memory_);
    grown.data_ = static_cast<T*>(memory_->allocate(n * sizeof(T)));
    grown.capacity_ = n;
    if (capacity_ != 0) memory_->copy(grown.data_, data_, bytes());
    *this = std::move(grown);
  }

  T get(std::size_t i) const {
    T value;
    memory_->download(&value, data_ + i, sizeof(T));
    return value;
  }
  std::vector<T> read(std::size_t n) const {
    std::vector<T> values(n);
    if (n != 0) memory_->download(values.data(), data_, n * sizeof(T));
    return values;
  }

 private:
  Memory* memory_;
  T* data_{nullptr};
  std::size_t capacity_{0};
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
  std::size_t bytes() const { return bytes_; }

  void reserve(std::size_t n) {
    if (n <= capacity_) return;
    View grown{};
    std::size_t bytes = 0;
    try {
      View::for_each_field(grown, [&](auto*& field) {
        const std::size_t size = n * sizeof(*field);
        field = static_cast<std::remove_reference_t<decltype(field)>>(memory_->allocate(size));
        bytes += size;
      });
    } catch (...) {
      release(grown);
      throw;
    }
    if (capacity_ != 0) {
      std::vector<std::pair<void*, std::size_t>> old;
      View::for_each_field(view_, [&](auto* field) { old.emplace_back(field, capacity_ * sizeof(*field)); });
      std::size_t i = 0;
      View::for_each_field(grown, [&](auto* field) {
        memory_->copy(field, old[i].first, old[i].second);
        ++i;
      });
    }
    release(view_);
    view_ = grown;
    capacity_ = n;
    bytes_ = bytes;
  }

 private:
  void release(View& view) noexcept {
    View::for_each_field(view, [&](auto* field) { memory_->release(field); });
  }

  Memory* memory_;
  View view_{};
  std::size_t capacity_{0};
  std::size_t bytes_{0};
};

}  // namespace cairn::exec
