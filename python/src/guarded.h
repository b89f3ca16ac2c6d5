#pragma once
// What one thread at a time may call into, and arrays that calls take and give.

#include <atomic>
#include <initializer_list>
#include <memory>
#include <string>

#include "python/src/values.h"

namespace cairn::python {

/// While a call runs without the interpreter's lock another thread could enter what is held here, which one thread at a
/// time may do: it is refused. Python's own code can let another thread in; none may run between `use` and the call
/// that it is for, so that arguments are read before.
template <class T>
class Guarded {
 public:
  /// Made elsewhere, without the lock (`unlocked`).
  explicit Guarded(T held) : held_(std::make_unique<T>(std::move(held))) {}
  Guarded(Guarded&&) = delete;

  T& use() const {
    if (held_ == nullptr) throw Error(name() + ": it was closed");
    if (busy()) throw Error(name() + ": another thread is in a call of it");
    return *held_;
  }
  /// Runs f(T&) without the interpreter's lock.
  template <class F>
  decltype(auto) run(F&& f) const {
    T& of = use();
    const Busy busy(busy_);
    const nb::gil_scoped_release released;
    return f(of);
  }
  bool busy() const { return busy_.load(std::memory_order_acquire); }
  static std::string name() { return std::string(PyName<T>::value); }

 protected:
  std::unique_ptr<T> held_;

 private:
  struct Busy {
    explicit Busy(std::atomic<bool>& of) : flag(of) { flag.store(true, std::memory_order_release); }
    ~Busy() { flag.store(false, std::memory_order_release); }
    std::atomic<bool>& flag;
  };
  mutable std::atomic<bool> busy_{false};
};

/// Makes something without the interpreter's lock. What it is made of was copied before: another thread may change it.
template <class F>
auto unlocked(F make) {
  const nb::gil_scoped_release released;
  return make();
}

/// A numpy array that owns what a vector has, of this shape (none: as many as there are).
template <class T>
nb::ndarray<nb::numpy, T> shaped(std::vector<T> values, std::initializer_list<std::size_t> shape = {}) {
  auto* const held = new std::vector<T>(std::move(values));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t all[1] = {held->size()};
  // numpy takes no address for nothing
  static T none{};
  T* const data = held->empty() ? &none : held->data();
  return shape.size() == 0 ? nb::ndarray<nb::numpy, T>(data, 1, all, owner)
                           : nb::ndarray<nb::numpy, T>(data, shape.size(), shape.begin(), owner);
}

/// States of bodies, an array each, all in one piece of memory; in a grid, where there is one.
struct Grid {
  std::size_t rows, columns;
};
nb::object state_arrays(std::vector<BodyState> states, std::optional<Grid> grid = {});

/// Numbers of a numpy array or of lists in lists, of this shape or all in one row. kAny in front: of any length.
inline constexpr std::size_t kAny = ~std::size_t{0};
std::vector<double> numbers_shaped(nb::handle from, const Place& place, std::initializer_list<std::size_t> shape);

/// Vectors as numpy has them, (n, 3), and back.
nb::object vectors_to(std::vector<Vec3d> values);
std::vector<Vec3d> vectors_from(nb::handle from, const Place& place);

/// Arrays of states as read_states gives them. They are read before the World is entered, and checked there.
class StatesGiven {
 public:
  explicit StatesGiven(nb::handle from);
  /// [1] Of `position`; 0 where it is none.
  std::size_t rows() const { return read_[0].is_valid() ? read_[0].shape(0) : 0; }
  std::vector<BodyState> of(std::size_t count) const;

 private:
  using Array = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  std::array<nb::object, 4> given_;
  std::array<Array, 4> read_;
};

}  // namespace cairn::python
