// Operations on bits, moves between widths, and those on predicates.

#include <algorithm>

#include "lanes.h"
#include "types.h"

namespace ptxdev {
namespace {

template <class T>
struct And {
  static T of(T a, T b) { return a & b; }
};
template <class T>
struct Or {
  static T of(T a, T b) { return a | b; }
};
template <class T>
struct Xor {
  static T of(T a, T b) { return a ^ b; }
};
template <class T>
struct Not {
  static T of(T a) { return static_cast<T>(~a); }
};
template <class T>
struct Cnot {
  static T of(T a) { return a == 0 ? 1 : 0; }
};
// amounts past the width count as the width
template <class T>
struct Shl {
  static T of(T a, std::uint32_t n) { return n >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << n); }
};
template <class T>
struct Shr {
  static T of(T a, std::uint32_t n) {
    constexpr std::uint32_t kWidth = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (n >= kWidth ? kWidth - 1 : n));
    } else {
      return n >= kWidth ? T{0} : static_cast<T>(a >> n);
    }
  }
};
template <class T>
struct Popc {
  static std::uint32_t of(T a) { return static_cast<std::uint32_t>(__builtin_popcountll(a)); }
};
template <class T>
struct Clz {
  static std::uint32_t of(T a) {
    if (a == 0) return 8 * sizeof(T);
    return sizeof(T) == 8 ? __builtin_clzll(a) : __builtin_clz(static_cast<std::uint32_t>(a));
  }
};
template <class T>
struct Brev {
  static T of(T a) {
    T r = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i) r |= ((a >> i) & 1u) << (8 * sizeof(T) - 1 - i);
    return r;
  }
};
template <class T, bool kShift>
struct Bfind {
  static std::uint32_t of(T a) {
    using U = std::make_unsigned_t<T>;
    U u = static_cast<U>(a);
    if constexpr (std::is_signed_v<T>) {
      if (a < 0) u = ~u;
    }
    if (u == 0) return 0xffffffffu;
    const std::uint32_t at =
        sizeof(T) == 8 ? 63u - __builtin_clzll(u) : 31u - __builtin_clz(static_cast<std::uint32_t>(u));
    return kShift ? static_cast<std::uint32_t>(8 * sizeof(T)) - 1 - at : at;
  }
};
template <class T>
struct Bfe {
  static T of(T a, std::uint32_t b, std::uint32_t c) {
    using U = std::make_unsigned_t<T>;
    constexpr std::uint32_t kMax = 8 * sizeof(T) - 1;
    const std::uint32_t at = b & 0xff, length = c & 0xff;
    U sign = 0;
    if (std::is_signed_v<T> && length != 0) {
      sign = (static_cast<U>(a) >> std::min(at + length - 1, kMax)) & 1u;
    }
    U r = 0;
    for (std::uint32_t i = 0; i <= kMax; ++i) {
      const U bit = i < length && at + i <= kMax ? (static_cast<U>(a) >> (at + i)) & 1u : sign;
      r |= bit << i;
    }
    return static_cast<T>(r);
  }
};
template <class T>
struct Bfi {
  static T of(T a, T b, std::uint32_t c, std::uint32_t d) {
    constexpr std::uint32_t kMax = 8 * sizeof(T) - 1;
    const std::uint32_t at = c & 0xff, length = d & 0xff;
    T r = b;
    for (std::uint32_t i = 0; i < length && at + i <= kMax; ++i) {
      r = (r & ~(T{1} << (at + i))) | (((a >> i) & 1u) << (at + i));
    }
    return r;
  }
};
template <bool kClamp>
struct Bmsk {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) {
    if (!kClamp) {
      a &= 31;
      b &= 31;
    }
    if (a >= 32 || b == 0) return 0;
    const std::uint32_t ones = b >= 32 ? 0xffffffffu : (1u << b) - 1;
    return ones << a;
  }
};
template <bool kLeft, bool kWrap>
struct Shf {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t n = kWrap ? c & 31 : std::min(c, 32u);
    const std::uint64_t both = (static_cast<std::uint64_t>(b) << 32) | a;
    return kLeft ? static_cast<std::uint32_t>((both << n) >> 32) : static_cast<std::uint32_t>(both >> n);
  }
};
struct Prmt {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t both = (static_cast<std::uint64_t>(b) << 32) | a;
    std::uint32_t r = 0;
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t which = (c >> (4 * i)) & 0xf;
      std::uint32_t byte = static_cast<std::uint32_t>(both >> (8 * (which & 7))) & 0xff;
      if ((which & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
      r |= byte << (8 * i);
    }
    return r;
  }
};

void lop3(Warp& w, const Instr& in, std::uint32_t mask) {
  auto* d = w.lanes<std::uint32_t>(in.o[0]);
  const auto* a = w.lanes<std::uint32_t>(in.o[1]);
  const auto* b = w.lanes<std::uint32_t>(in.o[2]);
  const auto* c = w.lanes<std::uint32_t>(in.o[3]);
  std::uint32_t m[8];
  for (int i = 0; i < 8; ++i) m[i] = ((in.imm >> i) & 1) != 0 ? 0xffffffffu : 0;
  store_lanes<std::uint32_t>(d, mask, [&](int i) {
    const std::uint32_t x = a[i], y = b[i], z = c[i];
    return (m[0] & ~x & ~y & ~z) | (m[1] & ~x & ~y & z) | (m[2] & ~x & y & ~z) | (m[3] & ~x & y & z) |
           (m[4] & x & ~y & ~z) | (m[5] & x & ~y & z) | (m[6] & x & y & ~z) | (m[7] & x & y & z);
  });
}

template <class T>
void bfi(Warp& w, const Instr& in, std::uint32_t mask) {
  auto* d = w.lanes<T>(in.o[0]);
  const auto* a = w.lanes<T>(in.o[1]);
  const auto* b = w.lanes<T>(in.o[2]);
  const auto* at = w.lanes<std::uint32_t>(in.o[3]);
  const auto* length = w.lanes<std::uint32_t>(in.o[4]);
  store_lanes<T>(d, mask, [&](int i) { return Bfi<T>::of(a[i], b[i], at[i], length[i]); });
}

template <class T>
void select(Warp& w, const Instr& in, std::uint32_t mask) {
  auto* d = w.lanes<T>(in.o[0]);
  const auto* a = w.lanes<T>(in.o[1]);
  const auto* b = w.lanes<T>(in.o[2]);
  const std::uint32_t p = w.predicate(in.o[3]) ^ static_cast<std::uint32_t>(in.imm);
  store_lanes<T>(d, mask, [&](int i) { return ((p >> i) & 1u) != 0 ? a[i] : b[i]; });
}

struct Same32 {
  static std::uint32_t of(std::uint32_t a) { return a; }
};
struct Same64 {
  static std::uint64_t of(std::uint64_t a) { return a; }
};
struct Widen {
  static std::uint64_t of(std::uint32_t a) { return a; }
};
struct WidenSigned {
  static std::int64_t of(std::int32_t a) { return a; }
};
struct Narrow {
  static std::uint32_t of(std::uint64_t a) { return static_cast<std::uint32_t>(a); }
};

// mov.b64 {lo, hi}, d and its reverse; o[0..1] the halves or o[0] the whole
void split64(Warp& w, const Instr& in, std::uint32_t mask) {
  const auto* a = w.lanes<std::uint64_t>(in.o[2]);
  std::uint64_t copy[kLanes];
  for (int i = 0; i < kLanes; ++i) copy[i] = a[i];
  if (in.o[0] != kNone) {
    auto* lo = w.lanes<std::uint32_t>(in.o[0]);
    store_lanes<std::uint32_t>(lo, mask, [&](int i) { return static_cast<std::uint32_t>(copy[i]); });
  }
  if (in.o[1] != kNone) {
    auto* hi = w.lanes<std::uint32_t>(in.o[1]);
    store_lanes<std::uint32_t>(hi, mask, [&](int i) { return static_cast<std::uint32_t>(copy[i] >> 32); });
  }
}
struct Join64 {
  static std::uint64_t of(std::uint32_t lo, std::uint32_t hi) { return (static_cast<std::uint64_t>(hi) << 32) | lo; }
};
void split32(Warp& w, const Instr& in, std::uint32_t mask) {
  const auto* a = w.lanes<std::uint32_t>(in.o[2]);
  std::uint32_t copy[kLanes];
  for (int i = 0; i < kLanes; ++i) copy[i] = a[i];
  if (in.o[0] != kNone)
    store_lanes<std::uint32_t>(w.lanes<std::uint32_t>(in.o[0]), mask, [&](int i) { return copy[i] & 0xffffu; });
  if (in.o[1] != kNone)
    store_lanes<std::uint32_t>(w.lanes<std::uint32_t>(in.o[1]), mask, [&](int i) { return copy[i] >> 16; });
}
struct Join32 {
  static std::uint32_t of(std::uint32_t lo, std::uint32_t hi) { return (hi << 16) | (lo & 0xffffu); }
};

// predicates: bit 1 of imm: o[1] is negated, bit 2: o[2] is
template <int kOp>
void on_predicates(Warp& w, const Instr& in, std::uint32_t mask) {
  const std::uint32_t a = w.predicate(in.o[1]) ^ ((in.imm & 2) != 0 ? kAll : 0);
  const std::uint32_t b = in.o[2] == kNone ? 0 : w.predicate(in.o[2]) ^ ((in.imm & 4) != 0 ? kAll : 0);
  const std::uint32_t r = kOp == 0 ? a & b : kOp == 1 ? a | b : kOp == 2 ? a ^ b : kOp == 3 ? ~a : a;
  blend(w.predicate(in.o[0]), r, mask);
}

template <class T>
Handler pick(std::string_view op) {
  using S = std::make_signed_t<T>;
  if (op == "and") return map2<And<T>, T, T, T>;
  if (op == "or") return map2<Or<T>, T, T, T>;
  if (op == "xor") return map2<Xor<T>, T, T, T>;
  if (op == "not") return map1<Not<T>, T, T>;
  if (op == "cnot") return map1<Cnot<T>, T, T>;
  if (op == "shl") return map2<Shl<T>, T, T, std::uint32_t>;
  if (op == "shr") return map2<Shr<T>, T, T, std::uint32_t>;
  if (op == "shr.signed") return map2<Shr<S>, S, S, std::uint32_t>;
  if constexpr (sizeof(T) >= 4) {
    if (op == "popc") return map1<Popc<T>, std::uint32_t, T>;
    if (op == "clz") return map1<Clz<T>, std::uint32_t, T>;
    if (op == "brev") return map1<Brev<T>, T, T>;
    if (op == "bfind") return map1<Bfind<T, false>, std::uint32_t, T>;
    if (op == "bfind.signed") return map1<Bfind<S, false>, std::uint32_t, S>;
    if (op == "bfind.shiftamt") return map1<Bfind<T, true>, std::uint32_t, T>;
    if (op == "bfind.shiftamt.signed") return map1<Bfind<S, true>, std::uint32_t, S>;
    if (op == "bfe") return map3<Bfe<T>, T, T, std::uint32_t, std::uint32_t>;
    if (op == "bfe.signed") return map3<Bfe<S>, S, S, std::uint32_t, std::uint32_t>;
    if (op == "bfi") return bfi<T>;
  }
  if constexpr (sizeof(T) == 4) {
    if (op == "bmsk.clamp") return map2<Bmsk<true>, T, T, T>;
    if (op == "bmsk.wrap") return map2<Bmsk<false>, T, T, T>;
    if (op == "shf.l.clamp") return map3<Shf<true, false>, T, T, T, T>;
    if (op == "shf.l.wrap") return map3<Shf<true, true>, T, T, T, T>;
    if (op == "shf.r.clamp") return map3<Shf<false, false>, T, T, T, T>;
    if (op == "shf.r.wrap") return map3<Shf<false, true>, T, T, T, T>;
    if (op == "prmt") return map3<Prmt, T, T, T, T>;
    if (op == "lop3") return lop3;
    if (op == "join") return map2<Join32, T, T, T>;
    if (op == "split") return split32;
  }
  if constexpr (sizeof(T) == 8) {
    if (op == "join") return map2<Join64, T, std::uint32_t, std::uint32_t>;
    if (op == "split") return split64;
  }
  return nullptr;
}

}  // namespace

Handler bit_handler(std::string_view op, Type type) {
  switch (bytes_of(type)) {
    case 2:
      return pick<std::uint16_t>(op);
    case 4:
      return pick<std::uint32_t>(op);
    case 8:
      return pick<std::uint64_t>(op);
    default:
      return nullptr;
  }
}

Handler select_handler(Type type) { return is_wide(type) ? select<std::uint64_t> : select<std::uint32_t>; }
Handler move_handler(bool wide) {
  return wide ? map1<Same64, std::uint64_t, std::uint64_t> : map1<Same32, std::uint32_t, std::uint32_t>;
}
Handler widen_handler(bool is_signed) {
  return is_signed ? map1<WidenSigned, std::int64_t, std::int32_t> : map1<Widen, std::uint64_t, std::uint32_t>;
}
Handler narrow_handler() { return map1<Narrow, std::uint32_t, std::uint64_t>; }

Handler predicate_handler(std::string_view op) {
  if (op == "and") return on_predicates<0>;
  if (op == "or") return on_predicates<1>;
  if (op == "xor") return on_predicates<2>;
  if (op == "not") return on_predicates<3>;
  if (op == "mov") return on_predicates<4>;
  return nullptr;
}

}  // namespace ptxdev
