#pragma once
// All or nothing: writes to the device are deferred until the call can't fail any more, and changes on the host are
// recorded, to be undone if it fails.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/exec/memory.h"

namespace cairn::exec {

/// The Memory of a World. While it is open, writes are deferred, though reads already see them: `flush` makes them,
/// before a kernel runs and at the end of a call. Growth of arrays isn't deferred, since it changes no value. For state
/// on the host, a call gives each variable to `keep` before changing it. `roll_back` and `commit` need no memory.
class Journal final : public Memory {
 public:
  explicit Journal(Memory& memory) : memory_(memory) {}
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void open() {
    open_ = true;
    ++era_;
  }
  bool is_open() const { return open_; }
  void commit() {
    flush();
    undo_.clear();
    open_ = false;
  }
  void roll_back() noexcept {
    forget_writes();
    for (; !undo_.empty(); undo_.pop_back()) undo_.back()->back();
    open_ = false;
  }
  void flush() {
    ++era_;
    for (const auto& [to, w] : writes_) {
      if (w.at == kZero) {
        memory_.zero(to, w.bytes);
      } else {
        memory_.upload(to, &bytes_[w.at], w.bytes);
      }
    }
    forget_writes();
  }

  /// A roll-back restores the present value. The variable must not move until the call is over.
  template <class T>
  void keep(T& what) {
    if (open_) add([&what, was = what]() mutable noexcept { what = std::move(was); });
  }
  /// Assigns `then`; a roll-back restores the present value.
  template <class T>
  void replace(T& what, T then) {
    if (open_) {
      // the new value waits where the old one will be kept: from here on nothing can fail
      auto swap = [&what, was = std::move(then)]() mutable noexcept { std::swap(what, was); };
      static_assert(std::is_nothrow_swappable_v<T>);
      add(std::move(swap)).back();
    } else {
      what = std::move(then);
    }
  }
  template <class T>
  void push(std::vector<T>& list, T value) {
    resizes(list);
    list.push_back(std::move(value));
  }
  template <class T>
  T pop(std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    const T last = list.back();
    // the list had this size before, and so has room
    if (open_) add([&list, last]() noexcept { list.push_back(last); });
    list.pop_back();
    return last;
  }
  /// A roll-back removes elements added at the end.
  template <class T>
  void resizes(std::vector<T>& list) {
    if (!open_) return;
    const auto n = static_cast<std::ptrdiff_t>(list.size());
    add([&list, n]() noexcept { list.erase(list.begin() + n, list.end()); });
  }

  /// [B] Allocated and not released.
  std::uint64_t held() const {
    std::uint64_t bytes = 0;
    for (const auto& [first, block] : blocks_) bytes += block.bytes;
    return bytes;
  }
  void* allocate(std::size_t bytes, kernels::Life life = kernels::Life::kDerived) override {
    void* data = memory_.allocate(bytes, life);
    if (data == nullptr) return data;
    try {
      blocks_.emplace(static_cast<std::byte*>(data), Block{bytes, era_});
    } catch (...) {
      memory_.release(data);
      throw;
    }
    return data;
  }
  void release(void* data) noexcept override {
    const auto block = blocks_.find(static_cast<std::byte*>(data));
    if (block != blocks_.end()) {
      std::byte* const first = block->first;
      writes_.erase(writes_.lower_bound(first), writes_.lower_bound(first + block->second.bytes));
      blocks_.erase(block);
    }
    memory_.release(data);
  }
  void upload(void* device, const void* host, std::size_t bytes) override {
    if (first_write(device) || !open_) {
      memory_.upload(device, host, bytes);
    } else if (bytes != 0) {
      std::byte* const to = static_cast<std::byte*>(device);
      const auto w = over(to, bytes);
      if (w != writes_.end() && w->second.at != kZero) {
        std::memcpy(&bytes_[w->second.at + static_cast<std::size_t>(to - w->first)], host, bytes);
        return;
      }
      const std::size_t at = bytes_.size();
      bytes_.resize(at + bytes);
      std::memcpy(&bytes_[at], host, bytes);
      defer(to, {bytes, at});
    }
  }
  /// Like `upload`, but immediate, and never rolled back: for memory that nobody reads yet, or to repair what a
  /// discarded step left. Takes no memory.
  void write_now(void* device, const void* host, std::size_t bytes) {
    first_write(device);
    memory_.upload(device, host, bytes);
  }
  void post(void* device, const void* host, std::size_t bytes) override { memory_.post(device, host, bytes); }
  void download(void* host, const void* device, std::size_t bytes) override {
    memory_.download(host, device, bytes);
    each_in(device, bytes, [&](std::size_t offset, std::size_t n, std::size_t at) {
      std::byte* const to = static_cast<std::byte*>(host) + offset;
      if (at == kZero) {
        std::memset(to, 0, n);
      } else {
        std::memcpy(to, &bytes_[at], n);
      }
    });
  }
  /// To memory that nobody reads yet. Deferred writes to the source are deferred for the copy, too.
  void copy(void* to, const void* from, std::size_t bytes) override {
    memory_.copy(to, from, bytes);
    first_write(to);
    if (writes_.empty()) return;
    std::vector<std::byte> values;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // [bytes] first and number
    each_in(from, bytes, [&](std::size_t offset, std::size_t n, std::size_t at) {
      places.emplace_back(offset, n);
      values.resize(values.size() + n);
      if (at != kZero) std::memcpy(values.data() + values.size() - n, &bytes_[at], n);
    });
    const std::byte* value = values.data();
    for (const auto& [offset, n] : places) {
      upload(static_cast<std::byte*>(to) + offset, value, n);
      value += n;
    }
  }
  std::shared_ptr<const void> keep() override { return memory_.keep(); }
  void zero(void* data, std::size_t bytes) override {
    if (first_write(data) || !open_) {
      memory_.zero(data, bytes);
    } else if (bytes != 0) {
      defer(static_cast<std::byte*>(data), {bytes, kZero});
    }
  }

 private:
  struct Write {
    std::size_t bytes;
    std::size_t at;  ///< [1] of its first byte in `bytes_`; kZero: all are 0
  };
  static constexpr std::size_t kZero = ~std::size_t{0};
  struct Block {
    std::size_t bytes;
    std::uint64_t born;  ///< [1] era of the allocation, until the first write; unknown later, since kernels write too
  };
  using Writes = std::map<std::byte*, Write>;  ///< by destination; they don't overlap

  struct Undo {
    virtual ~Undo() = default;
    virtual void back() noexcept = 0;
  };
  template <class F>
  struct UndoBy final : Undo {
    explicit UndoBy(F by) : f(std::move(by)) {}
    void back() noexcept override { f(); }
    F f;
  };
  template <class F>
  Undo& add(F f) {
    undo_.push_back(std::make_unique<UndoBy<F>>(std::move(f)));
    return *undo_.back();
  }

  /// True for the first write to an array, which is made at once: the values before it are undefined.
  bool first_write(void* data) {
    auto block = blocks_.upper_bound(static_cast<std::byte*>(data));
    return block != blocks_.begin() && std::exchange((--block)->second.born, 0) == era_;
  }
  /// The deferred write that covers all of these bytes, if there is one.
  Writes::iterator over(std::byte* to, std::size_t bytes) {
    auto w = writes_.upper_bound(to);
    if (w == writes_.begin()) return writes_.end();
    --w;
    return to + bytes <= w->first + w->second.bytes ? w : writes_.end();
  }
  /// Adds a write. Earlier writes lose these bytes.
  void defer(std::byte* to, Write write) {
    std::byte* const end = to + write.bytes;
    if (const auto w = over(to, write.bytes); w != writes_.end() && w->first < to && end < w->first + w->second.bytes) {
      // the end of the earlier write becomes a write of its own
      Write rest = w->second;
      rest.bytes = static_cast<std::size_t>(w->first + rest.bytes - end);
      if (rest.at != kZero) rest.at += static_cast<std::size_t>(end - w->first);
      writes_.emplace(end, rest);
    }
    Writes made;
    made.emplace(to, write);
    // from here on nothing can fail
    auto w = writes_.lower_bound(to);
    if (w != writes_.begin()) {
      Write& before = std::prev(w)->second;
      before.bytes = std::min(before.bytes, static_cast<std::size_t>(to - std::prev(w)->first));
    }
    while (w != writes_.end() && w->first < end) {
      auto covered = writes_.extract(w++);
      const auto gone = static_cast<std::size_t>(end - covered.key());
      if (covered.mapped().bytes <= gone) continue;
      covered.key() = end;
      covered.mapped().bytes -= gone;
      if (covered.mapped().at != kZero) covered.mapped().at += gone;
      writes_.insert(std::move(covered));
    }
    writes_.insert(made.extract(to));
  }
  /// Calls f(offset, bytes, at) for the deferred writes of an array.
  template <class F>
  void each_in(const void* array, std::size_t bytes, F f) const {
    const std::byte* const from = static_cast<const std::byte*>(array);
    auto w = writes_.upper_bound(const_cast<std::byte*>(from));
    if (w != writes_.begin() && std::prev(w)->first + std::prev(w)->second.bytes > from) --w;
    for (; w != writes_.end() && w->first < from + bytes; ++w) {
      const std::byte* const first = std::max<const std::byte*>(w->first, from);
      const std::byte* const last = std::min<const std::byte*>(w->first + w->second.bytes, from + bytes);
      const auto skipped = static_cast<std::size_t>(first - w->first);
      f(static_cast<std::size_t>(first - from), static_cast<std::size_t>(last - first),
        w->second.at == kZero ? kZero : w->second.at + skipped);
    }
  }
  void forget_writes() noexcept {
    writes_.clear();
    bytes_.clear();
    // the deferred writes of a restore are as large as the World
    if (bytes_.capacity() > kKeptBytes) std::vector<std::byte>().swap(bytes_);
  }
  static constexpr std::size_t kKeptBytes = std::size_t{1} << 20;

  Memory& memory_;
  bool open_{false};
  std::uint64_t era_{1};  ///< [1] ends when a call begins, and where it may run a kernel
  Writes writes_;
  std::vector<std::byte> bytes_;
  std::vector<std::unique_ptr<Undo>> undo_;
  std::map<std::byte*, Block> blocks_;  ///< of each array
};

}  // namespace cairn::exec
