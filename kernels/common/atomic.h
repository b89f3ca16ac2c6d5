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

#include "kernels/common/annotate.h"

#if !defined(__CUDA_ARCH__)
#include <atomic>
#endif

namespace cairn::kernels {

CAIRN_HD void atomic_or(std::uint32_t* at, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  atomicOr(at, bits);
#else
  std::atomic_ref<std::uint32_t>(*at).fetch_or(bits, std::memory_order_relaxed);
#endif
}

CAIRN_HD void atomic_or(std::uint64_t* at, std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  atomicOr(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(bits));
#else
  std::atomic_ref<std::uint64_t>(*at).fetch_or(bits, std::memory_order_relaxed);
#endif
}

/// Adds without returning the value before, which would depend on the order.
CAIRN_HD void atomic_add(std::uint32_t* at, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(at, value);
#else
  std::atomic_ref<std::uint32_t>(*at).fetch_add(value, std::memory_order_relaxed);
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

CAIRN_HD void atomic_add(std::int64_t* at, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
#else
  std::atomic_ref<std::int64_t>(*at).fetch_add(value, std::memory_order_relaxed);
#endif
}

CAIRN_HD void atomic_max(std::uint32_t* at, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax(at, value);
#else
  std::atomic_ref<std::uint32_t> cell(*at);
  std::uint32_t seen = cell.load(std::memory_order_relaxed);
  while (seen < value && !cell.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
#endif
}

CAIRN_HD void atomic_max(std::uint64_t* at, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
#else
  std::atomic_ref<std::uint64_t> cell(*at);
  std::uint64_t seen = cell.load(std::memory_order_relaxed);
  while (seen < value && !cell.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
#endif
}

/// Lowers *at to `value` and returns its old value. For union-find, whose final labels don't depend on the order.
CAIRN_HD std::uint32_t atomic_min(std::uint32_t* at, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return atomicMin(at, value);
#else
  std::atomic_ref<std::uint32_t> cell(*at);
  std::uint32_t seen = cell.load(std::memory_order_relaxed);
  while (value < seen && !cell.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
  return seen;
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

}  // namespace cairn::kernels
