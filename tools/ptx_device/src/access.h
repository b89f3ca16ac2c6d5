#pragma once
// Resolves addresses of a kernel, and checks accesses.

#include <cstdint>

#include "block.h"
#include "machine.h"

namespace ptxdev {

enum class Access : std::uint8_t { kRead, kWrite, kAtomic };

/// The bytes behind an address of the global or the generic space. Throws Fault if nothing is there.
std::uint8_t* resolve(Warp& w, const Instr& in, int lane, std::uint64_t address, std::uint32_t bytes, Access access);
std::uint8_t* resolve_shared(Warp& w, const Instr& in, int lane, std::uint64_t offset, std::uint32_t bytes,
                             Access access);
std::uint8_t* resolve_local(Warp& w, const Instr& in, int lane, std::uint64_t offset, std::uint32_t bytes);
std::uint8_t* resolve_param(Warp& w, const Instr& in, int lane, std::uint64_t offset, std::uint32_t bytes);

/// True where every access must take the slow path.
extern bool checking;
/// Lanes are processed from the last to the first: the winner of a conflict isn't specified.
extern bool reverse_lanes;

/// The fast path: an aligned access within the allocation of the instruction's last one.
inline std::uint8_t* global_bytes(Warp& w, const Instr& in, int lane, std::uint64_t address, std::uint32_t bytes,
                                  Access access) {
  const Warp::Near& near = w.near(in);
  const std::uint64_t at = address - near.begin;
  if (at < near.bytes && near.bytes - at >= bytes && (address & (bytes - 1)) == 0) [[likely]] {
    return reinterpret_cast<std::uint8_t*>(address + near.shift);
  }
  return resolve(w, in, lane, address, bytes, access);
}

inline std::uint8_t* shared_bytes(Warp& w, const Instr& in, int lane, std::uint64_t offset, std::uint32_t bytes,
                                  Access access) {
  if (offset < w.shared_bytes && w.shared_bytes - offset >= bytes && (offset & (bytes - 1)) == 0 && !checking)
      [[likely]] {
    return w.shared + offset;
  }
  return resolve_shared(w, in, lane, offset, bytes, access);
}

template <class F>
inline void for_lanes(std::uint32_t mask, const F& f) {
  if (!reverse_lanes) [[likely]] {
    for (std::uint32_t left = mask; left != 0; left &= left - 1) f(__builtin_ctz(left));
  } else {
    while (mask != 0) {
      const int lane = 31 - __builtin_clz(mask);
      mask &= ~(1u << lane);
      f(lane);
    }
  }
}

}  // namespace ptxdev
