#pragma once
// Integer atomics whose result doesn't depend on the order of the calls. There are none on floats, on purpose.
//
// Memory order: relaxed is enough, because no thread takes a value that it finds here as a sign that other memory has
// been written. Later launches read counters, masks and bids, and the end of a launch orders its writes before the
// reads of the next. In a block that runs several passes by itself, __syncthreads does so for its threads. Data that is
// read while others of the same launch write it is one word with a meaning of its own, and each reader (`atomic_load`)
// says why any value that it may find leads to the same bits. Stores of the same value by several threads need no
// order. A stage that needs more must publish with a release that an acquire reads; the race check of tools/ptx_device
// knows these, and finds no race without them.

#include <cstdint>
#include <type_traits>

#include "kernels/common/annotate.h"

#if !defined(__CUDA_ARCH__)
#include <atomic>
#endif

namespace cairn::kernels {

#if defined(__CUDA_ARCH__)
/// The word as CUDA's atomics have it.
template <class T>
CAIRN_HD auto* atomic_word(T* at) {
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>;
  return reinterpret_cast<Word*>(at);
}
#else
/// Stores `value` while better(value, *at); returns the old value.
template <class T, class Better>
CAIRN_HD T atomic_best(T* at, T value, const Better& better) {
  std::atomic_ref<T> cell(*at);
  T seen = cell.load(std::memory_order_relaxed);
  while (better(value, seen) && !cell.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
  return seen;
}
#endif

template <class T>
CAIRN_HD void atomic_or(T* at, std::type_identity_t<T> bits) {
#if defined(__CUDA_ARCH__)
  atomicOr(atomic_word(at), bits);
#else
  std::atomic_ref<T>(*at).fetch_or(bits, std::memory_order_relaxed);
#endif
}

/// Adds without returning the value before, which would depend on the order.
template <class T>
CAIRN_HD void atomic_add(T* at, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(atomic_word(at), value);
#else
  std::atomic_ref<T>(*at).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// Reserves the next place of the counter *at. Which one depends on the order of the calls: sort the results.
CAIRN_HD std::uint32_t atomic_next(std::uint32_t* at) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(at, 1u);
#else
  return std::atomic_ref<std::uint32_t>(*at).fetch_add(1, std::memory_order_relaxed);
#endif
}

template <class T>
CAIRN_HD void atomic_max(T* at, std::type_identity_t<T> value) {
  static_assert(std::is_unsigned_v<T>);
#if defined(__CUDA_ARCH__)
  atomicMax(atomic_word(at), value);
#else
  atomic_best(at, value, [](T a, T b) { return a > b; });
#endif
}

/// Lowers *at to `value` and returns its old value. For union-find, whose final labels don't depend on the order.
CAIRN_HD std::uint32_t atomic_min(std::uint32_t* at, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return atomicMin(at, value);
#else
  return atomic_best(at, value, [](std::uint32_t a, std::uint32_t b) { return a < b; });
#endif
}

/// A load and a store that other threads may race with. The result must not depend on who wins.
template <class T>
CAIRN_HD T atomic_load(const T* at) {
#if defined(__CUDA_ARCH__)
  return *const_cast<const volatile T*>(at);
#else
  return std::atomic_ref<T>(*const_cast<T*>(at)).load(std::memory_order_relaxed);
#endif
}
template <class T>
CAIRN_HD void atomic_store(T* at, T value) {
#if defined(__CUDA_ARCH__)
  *const_cast<volatile T*>(at) = value;
#else
  std::atomic_ref<T>(*at).store(value, std::memory_order_relaxed);
#endif
}

/// Sets *wrapped if a sum exceeded 32 bits: then a partial sum is less than the one before it. Integer or. One thread
/// per partial sum.
struct SumWrap {
  const std::uint32_t* sum;    ///< [1] (count) exclusive
  std::uint32_t count;         ///< [1]
  const std::uint32_t* total;  ///< [1] one number
  std::uint32_t* wrapped;      ///< [1] one number

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t next = i + 1 < count ? sum[i + 1] : *total;
    if (next < sum[i]) atomic_or(wrapped, 1u);
  }
};

}  // namespace cairn::kernels
