#pragma once
// A World as Python holds it, and how its calls are bound.

#include <atomic>
#include <memory>
#include <mutex>

#include "python/src/values.h"

namespace cairn::python {

/// While a call runs without the interpreter's lock another thread could enter the World, which one thread at a time may
/// do: it is refused.
class PyWorld {
 public:
  explicit PyWorld(World world) : world_(std::make_unique<World>(std::move(world))) {}
  PyWorld(PyWorld&&) = delete;

  World& use() const {
    if (world_ == nullptr) throw Error("World: it was closed");
    if (busy_.load(std::memory_order_acquire)) throw Error("World: another thread is in a call of it");
    return *world_;
  }
  bool closed() const { return world_ == nullptr; }
  void close() {
    if (world_ != nullptr) use();
    world_.reset();
    ++edits_;
  }
  /// [1] Calls so far that end the views of its arrays.
  std::uint64_t edits() const { return edits_; }
  void edited() { ++edits_; }

  /// Runs f(World&) without the interpreter's lock.
  template <class F>
  decltype(auto) run(F&& f) {
    World& world = use();
    const Busy busy(busy_);
    const nb::gil_scoped_release released;
    return f(world);
  }

 private:
  struct Busy {
    explicit Busy(std::atomic<bool>& of) : flag(of) { flag.store(true, std::memory_order_release); }
    ~Busy() { flag.store(false, std::memory_order_release); }
    std::atomic<bool>& flag;
  };
  std::unique_ptr<World> world_;
  std::atomic<bool> busy_{false};
  std::uint64_t edits_{0};
};

// ---- arguments and results of calls ----

template <class T>
inline constexpr bool kIsSpan = false;
template <class T>
inline constexpr bool kIsSpan<std::span<T>> = true;

/// By nanobind's own rules.
template <class T>
inline constexpr bool kIsPlain =
    std::is_arithmetic_v<T> || std::is_same_v<T, std::string_view> || std::is_same_v<T, std::string> ||
    std::is_same_v<T, Snapshot> || std::is_same_v<T, Recording> || kIsHeld<T>;

template <class T>
struct Argument {
  using Type = Given<T>;
  static T get(const Type& given) { return given.get("argument"); }
};
template <class T>
requires kIsPlain<T>
struct Argument<T> {
  using Type = T;
  static T get(const Type& given) { return given; }
};
template <class E>
struct Argument<std::span<E>> {
  using V = std::vector<std::remove_const_t<E>>;
  using Type = Given<V>;
  static V get(const Type& given) { return given.get("argument"); }
};

/// A numpy array that owns what a vector has.
template <class T>
nb::ndarray<nb::numpy, T> owned(std::vector<T> values, std::size_t columns = 0) {
  auto* const held = new std::vector<T>(std::move(values));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t rows = columns == 0 ? held->size() : held->size() / columns;
  const std::size_t shape[2] = {rows, columns};
  return nb::ndarray<nb::numpy, T>(held->data(), columns == 0 ? 1 : 2, shape, owner);
}

template <class R>
auto result(R&& value) {
  using T = std::remove_cvref_t<R>;
  if constexpr (kIsPlain<T>) {
    return T(value);
  } else if constexpr (std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<double>> ||
                       std::is_same_v<T, std::vector<std::uint8_t>>) {
    return owned(std::move(value));
  } else {
    return Made<T>{std::forward<R>(value)};
  }
}

enum class Kind {
  kRead,  ///< asks, or changes no memory
  kEdit,  ///< ends the views of arrays
  kLong,  ///< runs without the interpreter's lock
};

template <Kind kKind, class R, class F, class... A>
auto bound(F f) {
  return [f](PyWorld& of, typename Argument<std::remove_cvref_t<A>>::Type... given) {
    World& world = of.use();
    const auto call = [&](auto&&... read) -> R {
      if constexpr (kKind == Kind::kLong) {
        return of.run([&](World& w) -> R { return (w.*f)(read...); });
      } else {
        return (world.*f)(read...);
      }
    };
    if constexpr (std::is_void_v<R>) {
      call(Argument<std::remove_cvref_t<A>>::get(given)...);
      if constexpr (kKind == Kind::kEdit) of.edited();
    } else {
      // references end with the next edit: what they are of is copied
      auto made = result(call(Argument<std::remove_cvref_t<A>>::get(given)...));
      if constexpr (kKind == Kind::kEdit) of.edited();
      return made;
    }
  };
}

template <Kind kKind = Kind::kRead, class R, class... A>
auto call(R (World::*f)(A...)) {
  return bound<kKind, R, R (World::*)(A...), A...>(f);
}
template <Kind kKind = Kind::kRead, class R, class... A>
auto call(R (World::*f)(A...) const) {
  return bound<kKind, R, R (World::*)(A...) const, A...>(f);
}

}  // namespace cairn::python
