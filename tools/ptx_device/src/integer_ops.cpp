// Integer arithmetic.

#include <algorithm>
#include <limits>

#include "lanes.h"
#include "types.h"

namespace ptxdev {
namespace {

template <class T>
using U = std::make_unsigned_t<T>;

// in the unsigned type of at least 32 bits, where nothing overflows
template <class T>
using W = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
struct Add {
  static T of(T a, T b) { return static_cast<T>(static_cast<W<T>>(a) + static_cast<W<T>>(b)); }
};
template <class T>
struct Sub {
  static T of(T a, T b) { return static_cast<T>(static_cast<W<T>>(a) - static_cast<W<T>>(b)); }
};
template <class T>
struct MulLo {
  static T of(T a, T b) { return static_cast<T>(static_cast<W<T>>(a) * static_cast<W<T>>(b)); }
};
template <class T>
struct MulHi {
  static T of(T a, T b) {
    if constexpr (sizeof(T) == 8) {
      using X = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      return static_cast<T>((static_cast<X>(a) * static_cast<X>(b)) >> 64);
    } else {
      using X = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      return static_cast<T>((static_cast<X>(a) * static_cast<X>(b)) >> (8 * sizeof(T)));
    }
  }
};
template <class T, class D>
struct MulWide {
  static D of(T a, T b) { return static_cast<D>(a) * static_cast<D>(b); }
};
template <class T>
struct MadLo {
  static T of(T a, T b, T c) { return Add<T>::of(MulLo<T>::of(a, b), c); }
};
template <class T>
struct MadHi {
  static T of(T a, T b, T c) { return Add<T>::of(MulHi<T>::of(a, b), c); }
};
template <class T, class D>
struct MadWide {
  static D of(T a, T b, D c) { return Add<D>::of(MulWide<T, D>::of(a, b), c); }
};
// the machine returns all ones for a divisor of 0 (not specified), and doesn't trap for the min by -1
template <class T>
struct Div {
  static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Sub<T>::of(0, a);
    }
    return static_cast<T>(a / b);
  }
};
template <class T>
struct Rem {
  static T of(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
template <class T>
struct Min {
  static T of(T a, T b) { return b < a ? b : a; }
};
template <class T>
struct Max {
  static T of(T a, T b) { return a < b ? b : a; }
};
template <class T>
struct Neg {
  static T of(T a) { return Sub<T>::of(0, a); }
};
template <class T>
struct Abs {
  static T of(T a) { return a < 0 ? Sub<T>::of(0, a) : a; }
};

template <template <class> class F, class T>
Handler h1() {
  return map1<F<T>, T, T>;
}
template <template <class> class F, class T>
Handler h2() {
  return map2<F<T>, T, T, T>;
}

template <class T>
Handler pick(std::string_view op) {
  if (op == "add") return h2<Add, T>();
  if (op == "sub") return h2<Sub, T>();
  if (op == "div") return each2<Div<T>, T, T, T>;
  if (op == "rem") return each2<Rem<T>, T, T, T>;
  if (op == "min") return h2<Min, T>();
  if (op == "max") return h2<Max, T>();
  if constexpr (std::is_signed_v<T>) {
    if (op == "neg") return h1<Neg, T>();
    if (op == "abs") return h1<Abs, T>();
  }
  return nullptr;
}

template <class T, class D>
Handler pick_multiply(std::string_view op, std::string_view part) {
  if (op == "mul") {
    if (part == "lo") return h2<MulLo, T>();
    if (part == "hi") return h2<MulHi, T>();
    if constexpr (!std::is_same_v<D, void>) {
      if (part == "wide") return map2<MulWide<T, D>, D, T, T>;
    }
  } else if (op == "mad") {
    if (part == "lo") return map3<MadLo<T>, T, T, T, T>;
    if (part == "hi") return map3<MadHi<T>, T, T, T, T>;
    if constexpr (!std::is_same_v<D, void>) {
      if (part == "wide") return map3<MadWide<T, D>, D, T, T, D>;
    }
  }
  return nullptr;
}

// carries: the flag is the predicate o[5]
template <class T, bool kReads, bool kWrites, bool kSub>
void add_with_carry(Warp& w, const Instr& in, std::uint32_t mask) {
  T* d = w.lanes<T>(in.o[0]);
  const T* a = w.lanes<T>(in.o[1]);
  const T* b = w.lanes<T>(in.o[2]);
  std::uint32_t& carry = w.predicate(in.o[5]);
  std::uint32_t out = 0;
  for (int i = 0; i < kLanes; ++i) {
    const unsigned __int128 c = kReads ? (carry >> i) & 1u : 0u;
    const unsigned __int128 r =
        kSub ? static_cast<unsigned __int128>(a[i]) - b[i] - c : static_cast<unsigned __int128>(a[i]) + b[i] + c;
    out |= static_cast<std::uint32_t>((r >> (8 * sizeof(T))) & 1u) << i;
    if ((mask >> i) & 1u) d[i] = static_cast<T>(r);
  }
  if (kWrites) blend(carry, out, mask);
}

/// S is T or its signed twin: the high half of a signed product differs.
template <class T, class S, bool kReads, bool kWrites, bool kHigh>
void multiply_with_carry(Warp& w, const Instr& in, std::uint32_t mask) {
  T* d = w.lanes<T>(in.o[0]);
  const T* a = w.lanes<T>(in.o[1]);
  const T* b = w.lanes<T>(in.o[2]);
  const T* c = w.lanes<T>(in.o[3]);
  std::uint32_t& carry = w.predicate(in.o[5]);
  std::uint32_t out = 0;
  for (int i = 0; i < kLanes; ++i) {
    const T product =
        kHigh ? static_cast<T>(MulHi<S>::of(static_cast<S>(a[i]), static_cast<S>(b[i]))) : MulLo<T>::of(a[i], b[i]);
    const unsigned __int128 r = static_cast<unsigned __int128>(product) + c[i] + (kReads ? (carry >> i) & 1u : 0u);
    out |= static_cast<std::uint32_t>((r >> (8 * sizeof(T))) & 1u) << i;
    if ((mask >> i) & 1u) d[i] = static_cast<T>(r);
  }
  if (kWrites) blend(carry, out, mask);
}

template <class T, class S>
Handler pick_carry(std::string_view op, bool reads, bool writes, bool high) {
  if (op == "add") {
    if (reads) return writes ? add_with_carry<T, true, true, false> : add_with_carry<T, true, false, false>;
    return add_with_carry<T, false, true, false>;
  }
  if (op == "sub") {
    if (reads) return writes ? add_with_carry<T, true, true, true> : add_with_carry<T, true, false, true>;
    return add_with_carry<T, false, true, true>;
  }
  if (high) {
    if (reads)
      return writes ? multiply_with_carry<T, S, true, true, true> : multiply_with_carry<T, S, true, false, true>;
    return multiply_with_carry<T, S, false, true, true>;
  }
  if (reads)
    return writes ? multiply_with_carry<T, S, true, true, false> : multiply_with_carry<T, S, true, false, false>;
  return multiply_with_carry<T, S, false, true, false>;
}

}  // namespace

Handler integer_handler(std::string_view op, Type type) {
  switch (type) {
    case Type::kU16:
      return pick<std::uint16_t>(op);
    case Type::kS16:
      return pick<std::int16_t>(op);
    case Type::kU32:
      return pick<std::uint32_t>(op);
    case Type::kS32:
      return pick<std::int32_t>(op);
    case Type::kU64:
      return pick<std::uint64_t>(op);
    case Type::kS64:
      return pick<std::int64_t>(op);
    default:
      return nullptr;
  }
}

Handler multiply_handler(std::string_view op, std::string_view part, Type type) {
  switch (type) {
    case Type::kU16:
      return pick_multiply<std::uint16_t, std::uint32_t>(op, part);
    case Type::kS16:
      return pick_multiply<std::int16_t, std::int32_t>(op, part);
    case Type::kU32:
      return pick_multiply<std::uint32_t, std::uint64_t>(op, part);
    case Type::kS32:
      return pick_multiply<std::int32_t, std::int64_t>(op, part);
    case Type::kU64:
      return pick_multiply<std::uint64_t, void>(op, part);
    case Type::kS64:
      return pick_multiply<std::int64_t, void>(op, part);
    default:
      return nullptr;
  }
}

Handler carry_handler(std::string_view op, Type type, bool reads, bool writes, bool high) {
  switch (type) {
    case Type::kU32:
      return pick_carry<std::uint32_t, std::uint32_t>(op, reads, writes, high);
    case Type::kS32:
      return pick_carry<std::uint32_t, std::int32_t>(op, reads, writes, high);
    case Type::kU64:
      return pick_carry<std::uint64_t, std::uint64_t>(op, reads, writes, high);
    case Type::kS64:
      return pick_carry<std::uint64_t, std::int64_t>(op, reads, writes, high);
    default:
      return nullptr;
  }
}

}  // namespace ptxdev
