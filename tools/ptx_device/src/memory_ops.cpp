// Loads, stores and atomics. o[0..3]: the elements; o[4]: the address, to which imm is added. Atomics: o[0] the old
// value, o[1] and o[2] the operands.

#include <array>
#include <cmath>
#include <cstring>

#include "access.h"
#include "lanes.h"
#include "race.h"
#include "types.h"

namespace ptxdev {
namespace {

enum class Way { kGlobal, kShared, kLocal, kParam };

template <Way kWay>
inline std::uint8_t* bytes_at(Warp& w, const Instr& in, int lane, std::uint64_t address, std::uint32_t bytes,
                              Access access) {
  if constexpr (kWay == Way::kGlobal) return global_bytes(w, in, lane, address, bytes, access);
  if constexpr (kWay == Way::kShared) return shared_bytes(w, in, lane, address, bytes, access);
  if constexpr (kWay == Way::kLocal) return resolve_local(w, in, lane, address, bytes);
  return resolve_param(w, in, lane, address, bytes);
}

inline std::uint64_t address_of(Warp& w, const Instr& in, int lane) {
  const std::uint64_t base =
      (in.wide & 16) != 0 ? w.lanes<std::uint64_t>(in.o[4])[lane] : w.lanes<std::uint32_t>(in.o[4])[lane];
  return base + static_cast<std::uint64_t>(in.imm);
}

/// Distance in memory to a byte of an access from its first one: local memory is interleaved by lanes.
inline std::size_t distance(const Warp& w, std::size_t bytes) {
  return w.interleaved ? bytes / 8 * (8 * kLanes) + bytes % 8 : bytes;
}

template <class T, class Slot>
inline Slot widened(T value) {
  if constexpr (sizeof(Slot) == sizeof(T)) {
    return static_cast<Slot>(value);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Slot>(static_cast<std::make_signed_t<Slot>>(value));
  } else {
    return static_cast<Slot>(value);
  }
}

/// Where the lanes of `mask` access shared memory, or the instruction's last allocation, checked together: `at` becomes
/// each lane's place on the host. False where some don't.
template <class Address>
bool all_within(const Warp::Near& near, const Address* a, std::uint64_t imm, std::uint32_t mask, std::uint32_t bytes,
                std::array<std::uint64_t, kLanes>& at) {
  const std::uint64_t last = near.bytes - bytes, low = bytes - 1;
  std::uint64_t bad = 0;
#pragma GCC ivdep
  for (int i = 0; i < kLanes; ++i) {
    const std::uint64_t address = a[i] + imm, on = 0 - std::uint64_t{(mask >> i) & 1u};
    bad |= (static_cast<std::uint64_t>(address - near.begin > last) | (address & low)) & on;
    at[static_cast<std::size_t>(i)] = address + near.shift;
  }
  return bad == 0;
}
template <Way kWay>
bool all_near(Warp& w, const Instr& in, std::uint32_t mask, std::uint32_t bytes,
              std::array<std::uint64_t, kLanes>& at) {
  if constexpr (kWay != Way::kShared && kWay != Way::kGlobal) return false;
  const Warp::Near near = kWay == Way::kGlobal ? w.near(in) : w.all_shared(in, 0);
  if (near.bytes < bytes || (kWay == Way::kShared && checking)) return false;
  const auto imm = static_cast<std::uint64_t>(in.imm);
  return (in.wide & 16) != 0 ? all_within(near, w.lanes<std::uint64_t>(in.o[4]), imm, mask, bytes, at)
                             : all_within(near, w.lanes<std::uint32_t>(in.o[4]), imm, mask, bytes, at);
}

/// Local memory at one offset for all lanes, the usual case: the bytes of lane 0, those of the others 8 bytes on. Null
/// if lanes differ, or for another space.
template <Way kWay>
std::uint8_t* local_row(Warp& w, const Instr& in, std::uint32_t mask, std::uint32_t bytes) {
  if constexpr (kWay != Way::kLocal && kWay != Way::kGlobal) return nullptr;
  if ((in.wide & 16) == 0) return nullptr;
  const std::uint64_t* a = w.lanes<std::uint64_t>(in.o[4]);
  std::uint64_t base = a[__builtin_ctz(mask)];
  std::uint64_t offset = base + static_cast<std::uint64_t>(in.imm);
  if constexpr (kWay == Way::kGlobal) {
    offset -= kLocalWindow;
    if (in.space != Space::kGeneric || offset >= w.local_bytes) return nullptr;
  }
  if (offset >= w.local_bytes || w.local_bytes - offset < bytes || (offset & (bytes - 1)) != 0) return nullptr;
  std::uint64_t different = 0;
#pragma GCC ivdep
  for (int i = 0; i < kLanes; ++i) different |= ((mask >> i) & 1u) != 0 ? a[i] ^ base : 0;
  if (different != 0) return nullptr;
  return w.local.data() + offset / 8 * (8 * kLanes) + offset % 8;
}

/// A kernel's parameter at one offset for all lanes: read once. False if lanes differ, or for another space.
template <class T, class Slot, Way kWay>
bool load_parameter(Warp& w, const Instr& in, std::uint32_t mask) {
  if ((in.wide & 16) == 0) return false;
  const std::uint64_t* a = w.lanes<std::uint64_t>(in.o[4]);
  const int first = __builtin_ctz(mask);
  const std::uint64_t base = a[first];
  std::uint64_t offset = base + static_cast<std::uint64_t>(in.imm);
  if constexpr (kWay == Way::kGlobal) {
    offset -= kParamWindow;
    if (in.space != Space::kGeneric || offset >= kWindow) return false;
  }
  std::uint64_t different = 0;
#pragma GCC ivdep
  for (int i = 0; i < kLanes; ++i) different |= ((mask >> i) & 1u) != 0 ? a[i] ^ base : 0;
  if (different != 0) return false;
  const std::uint8_t* from = resolve_param(w, in, first, offset, sizeof(T) * in.count);
  for (std::uint32_t k = 0; k < in.count; ++k) {
    if (in.o[k] == kNone) continue;
    T value;
    std::memcpy(&value, from + k * sizeof(T), sizeof(T));
    store_lanes<Slot>(w.lanes<Slot>(in.o[k]), mask, [&](int) { return widened<T, Slot>(value); });
  }
  return true;
}

template <class T, class Slot, Way kWay>
void load(Warp& w, const Instr& in, std::uint32_t mask) {
  const std::uint32_t bytes = sizeof(T) * in.count;
  if constexpr (kWay == Way::kParam || kWay == Way::kGlobal) {
    if (load_parameter<T, Slot, kWay>(w, in, mask)) return;
  }
  if (const std::uint8_t* row = local_row<kWay>(w, in, mask, bytes); row != nullptr) {
    for (std::uint32_t k = 0; k < in.count; ++k) {
      if (in.o[k] == kNone) continue;
      const std::uint8_t* from = row + k * sizeof(T) / 8 * (8 * kLanes) + k * sizeof(T) % 8;
      Slot* d = w.lanes<Slot>(in.o[k]);
      for (int i = 0; i < kLanes; ++i) {
        T value;
        std::memcpy(&value, from + i * 8, sizeof(T));
        d[i] = ((mask >> i) & 1u) != 0 ? widened<T, Slot>(value) : d[i];
      }
    }
    return;
  }
  if (std::array<std::uint64_t, kLanes> at; all_near<kWay>(w, in, mask, bytes, at)) {
    for (std::uint32_t k = 0; k < in.count; ++k) {
      if (in.o[k] == kNone) continue;
      Slot* d = w.lanes<Slot>(in.o[k]);
      each_lane(mask, [&](int i) {
        T value;
        std::memcpy(&value, reinterpret_cast<const std::uint8_t*>(at[static_cast<std::size_t>(i)]) + k * sizeof(T),
                    sizeof(T));
        d[i] = widened<T, Slot>(value);
      });
    }
    return;
  }
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    w.interleaved = false;
    const std::uint8_t* from = bytes_at<kWay>(w, in, i, address_of(w, in, i), bytes, Access::kRead);
    for (int k = 0; k < in.count; ++k) {
      T value;
      std::memcpy(&value, from + distance(w, k * sizeof(T)), sizeof(T));
      if (in.o[k] != kNone) w.lanes<Slot>(in.o[k])[i] = widened<T, Slot>(value);
    }
  }
}

template <class T, class Slot, Way kWay>
void store(Warp& w, const Instr& in, std::uint32_t mask) {
  const std::uint32_t bytes = sizeof(T) * in.count;
  if (std::uint8_t* row = local_row<kWay>(w, in, mask, bytes); row != nullptr) {
    for (std::uint32_t k = 0; k < in.count; ++k) {
      std::uint8_t* to = row + k * sizeof(T) / 8 * (8 * kLanes) + k * sizeof(T) % 8;
      const Slot* a = w.lanes<Slot>(in.o[k]);
      for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const T value = static_cast<T>(a[i]);
        std::memcpy(to + i * 8, &value, sizeof(T));
      }
    }
    return;
  }
  if (std::array<std::uint64_t, kLanes> at; in.count == 1 && !reverse_lanes && all_near<kWay>(w, in, mask, bytes, at)) {
    const Slot* a = w.lanes<Slot>(in.o[0]);
    each_lane(mask, [&](int i) {
      const T value = static_cast<T>(a[i]);
      std::memcpy(reinterpret_cast<std::uint8_t*>(at[static_cast<std::size_t>(i)]), &value, sizeof(T));
    });
    return;
  }
  for_lanes(mask, [&](int i) {
    w.interleaved = false;
    std::uint8_t* to = bytes_at<kWay>(w, in, i, address_of(w, in, i), bytes, Access::kWrite);
    for (int k = 0; k < in.count; ++k) {
      const T value = static_cast<T>(w.lanes<Slot>(in.o[k])[i]);
      std::memcpy(to + distance(w, k * sizeof(T)), &value, sizeof(T));
    }
  });
}

template <class T, class Slot>
Handler pick_load(Space space) {
  switch (space) {
    case Space::kShared:
      return load<T, Slot, Way::kShared>;
    case Space::kLocal:
      return load<T, Slot, Way::kLocal>;
    case Space::kParam:
      return load<T, Slot, Way::kParam>;
    default:
      return load<T, Slot, Way::kGlobal>;
  }
}

template <class T, class Slot>
Handler pick_store(Space space) {
  switch (space) {
    case Space::kShared:
      return store<T, Slot, Way::kShared>;
    case Space::kLocal:
      return store<T, Slot, Way::kLocal>;
    case Space::kParam:
      return nullptr;
    default:
      return store<T, Slot, Way::kGlobal>;
  }
}

// ---- parameters of functions, in the register file ----

template <class T, class Slot>
void take(Warp& w, const Instr& in, std::uint32_t mask) {
  const std::uint8_t* from = w.lanes<std::uint8_t>(in.o[1]) + in.imm;
  Slot* d = w.lanes<Slot>(in.o[0]);
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    T value;
    std::memcpy(&value, from + i * 8, sizeof(T));
    d[i] = widened<T, Slot>(value);
  }
}

template <class T>
void put(Warp& w, const Instr& in, std::uint32_t mask) {
  using Slot = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  std::uint8_t* to = w.lanes<std::uint8_t>(in.o[0]) + in.imm;
  const Slot* a = w.lanes<Slot>(in.o[1]);
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const T value = static_cast<T>(a[i]);
    std::memcpy(to + i * 8, &value, sizeof(T));
  }
}

template <class T>
Handler pick_take(bool wide) {
  if (wide) return take<T, std::uint64_t>;
  if constexpr (sizeof(T) == 8)
    return nullptr;
  else
    return take<T, std::uint32_t>;
}

// ---- atomics ----

struct AtomAdd {
  template <class T>
  static T of(T old, T b, T) {
    if constexpr (std::is_floating_point_v<T>) return canonical(old + b);
    return old + b;
  }
};
/// Sums of floats in global memory lose subnormals.
struct AtomAddFlushed {
  static float flushed(float a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a; }
  static float of(float old, float b, float) { return flushed(canonical(flushed(old) + flushed(b))); }
};
struct AtomMin {
  template <class T>
  static T of(T old, T b, T) {
    return b < old ? b : old;
  }
};
struct AtomMax {
  template <class T>
  static T of(T old, T b, T) {
    return old < b ? b : old;
  }
};
struct AtomAnd {
  template <class T>
  static T of(T old, T b, T) {
    return old & b;
  }
};
struct AtomOr {
  template <class T>
  static T of(T old, T b, T) {
    return old | b;
  }
};
struct AtomXor {
  template <class T>
  static T of(T old, T b, T) {
    return old ^ b;
  }
};
struct AtomExch {
  template <class T>
  static T of(T, T b, T) {
    return b;
  }
};
struct AtomCas {
  template <class T>
  static T of(T old, T b, T c) {
    return old == b ? c : old;
  }
};
struct AtomInc {
  template <class T>
  static T of(T old, T b, T) {
    return old >= b ? T{0} : old + 1;
  }
};
struct AtomDec {
  template <class T>
  static T of(T old, T b, T) {
    return old == 0 || old > b ? b : old - 1;
  }
};

template <class F, class T>
void atomic(Warp& w, const Instr& in, std::uint32_t mask) {
  const T* b = w.lanes<T>(in.o[1]);
  const T* c = in.o[2] == kNone ? b : w.lanes<T>(in.o[2]);
  for_lanes(mask, [&](int i) {
    const std::uint64_t address = address_of(w, in, i);
    std::uint8_t* at = in.space == Space::kShared ? shared_bytes(w, in, i, address, sizeof(T), Access::kAtomic)
                                                  : global_bytes(w, in, i, address, sizeof(T), Access::kAtomic);
    T old;
    std::memcpy(&old, at, sizeof(T));
    T now = F::of(old, b[i], c[i]);
    if constexpr (std::is_same_v<F, AtomAdd> && std::is_same_v<T, float>) {
      const bool shared =
          in.space == Space::kShared || (in.space == Space::kGeneric && address - kSharedWindow < kWindow);
      if (!shared) now = AtomAddFlushed::of(old, b[i], c[i]);
    }
    std::memcpy(at, &now, sizeof(T));
    if (in.o[0] != kNone) w.lanes<T>(in.o[0])[i] = old;
  });
}

template <class T>
Handler pick_atomic(std::string_view op) {
  if (op == "add") return atomic<AtomAdd, T>;
  if (op == "exch") return atomic<AtomExch, T>;
  if constexpr (!std::is_floating_point_v<T>) {
    if (op == "min") return atomic<AtomMin, T>;
    if (op == "max") return atomic<AtomMax, T>;
    if (op == "and") return atomic<AtomAnd, T>;
    if (op == "or") return atomic<AtomOr, T>;
    if (op == "xor") return atomic<AtomXor, T>;
    if (op == "cas") return atomic<AtomCas, T>;
  }
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    if (op == "inc") return atomic<AtomInc, T>;
    if (op == "dec") return atomic<AtomDec, T>;
  }
  return nullptr;
}

}  // namespace

Handler fence_handler() {
  return [](Warp& w, const Instr& in, std::uint32_t mask) {
    if (w.launch->races != nullptr) w.launch->races->fence(w, mask, (in.flags & kWide) != 0);
  };
}

Handler load_handler(Space space, Type type, bool wide_register) {
  if (wide_register) {
    switch (type) {
      case Type::kU8:
        return pick_load<std::uint8_t, std::uint64_t>(space);
      case Type::kS8:
        return pick_load<std::int8_t, std::uint64_t>(space);
      case Type::kU16:
        return pick_load<std::uint16_t, std::uint64_t>(space);
      case Type::kS16:
        return pick_load<std::int16_t, std::uint64_t>(space);
      case Type::kF32:
      case Type::kU32:
        return pick_load<std::uint32_t, std::uint64_t>(space);
      case Type::kS32:
        return pick_load<std::int32_t, std::uint64_t>(space);
      default:
        return bytes_of(type) == 8 ? pick_load<std::uint64_t, std::uint64_t>(space) : nullptr;
    }
  }
  switch (type) {
    case Type::kU8:
      return pick_load<std::uint8_t, std::uint32_t>(space);
    case Type::kS8:
      return pick_load<std::int8_t, std::uint32_t>(space);
    case Type::kU16:
      return pick_load<std::uint16_t, std::uint32_t>(space);
    case Type::kS16:
      return pick_load<std::int16_t, std::uint32_t>(space);
    default:
      return bytes_of(type) == 4 ? pick_load<std::uint32_t, std::uint32_t>(space) : nullptr;
  }
}

Handler take_handler(Type type, bool wide) {
  switch (type) {
    case Type::kU8:
      return pick_take<std::uint8_t>(wide);
    case Type::kS8:
      return pick_take<std::int8_t>(wide);
    case Type::kU16:
      return pick_take<std::uint16_t>(wide);
    case Type::kS16:
      return pick_take<std::int16_t>(wide);
    case Type::kF32:
    case Type::kU32:
      return pick_take<std::uint32_t>(wide);
    case Type::kS32:
      return pick_take<std::int32_t>(wide);
    default:
      return bytes_of(type) == 8 ? pick_take<std::uint64_t>(wide) : nullptr;
  }
}

Handler put_handler(Type type) {
  switch (bytes_of(type)) {
    case 1:
      return put<std::uint8_t>;
    case 2:
      return put<std::uint16_t>;
    case 4:
      return put<std::uint32_t>;
    case 8:
      return put<std::uint64_t>;
    default:
      return nullptr;
  }
}

Handler store_handler(Space space, Type type, bool wide_register) {
  if (wide_register) {
    switch (bytes_of(type)) {
      case 1:
        return pick_store<std::uint8_t, std::uint64_t>(space);
      case 2:
        return pick_store<std::uint16_t, std::uint64_t>(space);
      case 4:
        return pick_store<std::uint32_t, std::uint64_t>(space);
      case 8:
        return pick_store<std::uint64_t, std::uint64_t>(space);
      default:
        return nullptr;
    }
  }
  switch (bytes_of(type)) {
    case 1:
      return pick_store<std::uint8_t, std::uint32_t>(space);
    case 2:
      return pick_store<std::uint16_t, std::uint32_t>(space);
    case 4:
      return pick_store<std::uint32_t, std::uint32_t>(space);
    default:
      return nullptr;
  }
}

Handler atomic_handler(std::string_view op, Type type) {
  switch (type) {
    case Type::kU32:
      return pick_atomic<std::uint32_t>(op);
    case Type::kS32:
      return pick_atomic<std::int32_t>(op);
    case Type::kU64:
      return pick_atomic<std::uint64_t>(op);
    case Type::kS64:
      return pick_atomic<std::int64_t>(op);
    case Type::kF32:
      return pick_atomic<float>(op);
    case Type::kF64:
      return pick_atomic<double>(op);
    default:
      return nullptr;
  }
}

}  // namespace ptxdev
