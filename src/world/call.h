#pragma once
// A public call of a World happens completely or not at all. The parts that can fail come first. Writes to the device
// are deferred to the end (exec::Journal); the journal also undoes changes on the host. Kernels that follow from a
// change, and a recording's hash of the state after it, come after the call. If memory for them runs out, they stay
// due, and the next call begins with them.

#include <tuple>
#include <utility>

#include "src/exec/out_of_memory.h"
#include "src/world/impl.h"

namespace cairn {

/// A call in progress: without `commit` its changes are undone.
class World::Impl::Call {
 public:
  explicit Call(Impl& of) : world_(of), tallies_(of.tallies()) {
    for (const Feature* feature : of.features) known_ = known_ << 1 | (feature->known ? 1u : 0u);
    world_.in_call = true;
    world_.memory.open();
  }
  ~Call() {
    if (world_.memory.is_open()) take_back();
    world_.in_call = false;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void commit() { world_.memory.commit(); }

 private:
  template <class... T>
  static std::tuple<T...> values(std::tuple<T&...> of) {
    return of;
  }
  void take_back() noexcept;

  Impl& world_;
  decltype(values(std::declval<Impl&>().tallies())) tallies_;  ///< before the call
  std::uint32_t known_{0};                                     ///< bit by Feature::known, the last one lowest
};

/// Runs f, the whole of a public call. Throws CapacityError if the heap is exhausted, with nothing changed. Within
/// another call, it is a part of that one.
template <class F>
auto World::Impl::call(F f) -> decltype(f()) {
  if (in_call) return f();
  return with_heap([&]() -> decltype(f()) {
    catch_up();
    if constexpr (std::is_void_v<decltype(f())>) {
      {
        Call one(*this);
        f();
        one.commit();
      }
      try_to_catch_up();
    } else {
      decltype(f()) result = [&]() -> decltype(f()) {
        Call one(*this);
        decltype(f()) made = f();
        one.commit();
        return made;
      }();
      try_to_catch_up();
      return result;
    }
  });
}

}  // namespace cairn
