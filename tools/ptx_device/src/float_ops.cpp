// Float arithmetic exactly as in IEEE 754: round to nearest, subnormals kept, nothing contracted. Approximations of a
// device (sin.approx, div.full, ...) have no handler on purpose: their bits are no property of the program.

#include <cmath>
#include <cstring>
#include <limits>

#include "lanes.h"
#include "types.h"

namespace ptxdev {
namespace {

template <class T>
struct Add {
  static T of(T a, T b) { return canonical(a + b); }
};
template <class T>
struct Sub {
  static T of(T a, T b) { return canonical(a - b); }
};
template <class T>
struct Mul {
  static T of(T a, T b) { return canonical(a * b); }
};
template <class T>
struct Div {
  static T of(T a, T b) { return canonical(a / b); }
};
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
template <class T>
struct Fma {
  static T of(T a, T b, T c) { return canonical(fused(a, b, c)); }
};
inline float root(float a) { return __builtin_sqrtf(a); }
inline double root(double a) { return __builtin_sqrt(a); }
template <class T>
struct Sqrt {
  static T of(T a) { return canonical(root(a)); }
};
template <class T>
struct Rcp {
  static T of(T a) { return canonical(T{1} / a); }
};
// -0 is less than +0; one NaN returns the other operand, two a quiet NaN
inline bool sign_bit(float a) {
  std::uint32_t bits;
  std::memcpy(&bits, &a, 4);
  return (bits >> 31) != 0;
}
inline bool sign_bit(double a) {
  std::uint64_t bits;
  std::memcpy(&bits, &a, 8);
  return (bits >> 63) != 0;
}
template <class T>
struct Min {
  static T of(T a, T b) {
    const bool first = a < b || (a == b && sign_bit(a)) || b != b;
    const T r = first ? a : b;
    return r != r ? canonical(a + b) : r;
  }
};
template <class T>
struct Max {
  static T of(T a, T b) {
    const bool first = b < a || (a == b && !sign_bit(a)) || b != b;
    const T r = first ? a : b;
    return r != r ? canonical(a + b) : r;
  }
};
template <class T>
struct Bits;
template <>
struct Bits<float> {
  using Type = std::uint32_t;
};
template <>
struct Bits<double> {
  using Type = std::uint64_t;
};
// only sign bits change, a NaN's too
template <class T>
struct Neg {
  using B = typename Bits<T>::Type;
  static B of(B a) { return a ^ (B{1} << (8 * sizeof(T) - 1)); }
};
template <class T>
struct Abs {
  using B = typename Bits<T>::Type;
  static B of(B a) { return a & ~(B{1} << (8 * sizeof(T) - 1)); }
};
template <class T>
struct Copysign {
  using B = typename Bits<T>::Type;
  static B of(B a, B b) {  // the sign of a on b
    const B sign = B{1} << (8 * sizeof(T) - 1);
    return (a & sign) | (b & ~sign);
  }
};
template <class T>
struct Saturate {
  static T of(T a) { return a > T{0} ? (a < T{1} ? a : T{1}) : T{0}; }
};

template <class T, int kWhich>
void testp(Warp& w, const Instr& in, std::uint32_t mask) {
  const T* a = w.lanes<T>(in.o[1]);
  const std::uint32_t bits = ballot([&](int i) {
    switch (kWhich) {
      case 0:
        return std::isfinite(a[i]);
      case 1:
        return std::isinf(a[i]);
      case 2:
        return !std::isnan(a[i]);
      case 3:
        return std::isnan(a[i]);
      case 4:
        return std::isnormal(a[i]) || a[i] == T{0};  // zeros count as normal
      default:
        return std::fpclassify(a[i]) == FP_SUBNORMAL;
    }
  });
  blend(w.predicate(in.o[0]), bits, mask);
}

template <class T>
Handler pick(std::string_view op) {
  using B = typename Bits<T>::Type;
  if (op == "add") return map2<Add<T>, T, T, T>;
  if (op == "sub") return map2<Sub<T>, T, T, T>;
  if (op == "mul") return map2<Mul<T>, T, T, T>;
  if (op == "div") return map2<Div<T>, T, T, T>;
  if (op == "fma") return map3<Fma<T>, T, T, T, T>;
  if (op == "sqrt") return map1<Sqrt<T>, T, T>;
  if (op == "rcp") return map1<Rcp<T>, T, T>;
  if (op == "min") return map2<Min<T>, T, T, T>;
  if (op == "max") return map2<Max<T>, T, T, T>;
  if (op == "neg") return map1<Neg<T>, B, B>;
  if (op == "abs") return map1<Abs<T>, B, B>;
  if (op == "copysign") return map2<Copysign<T>, B, B, B>;
  if (op == "saturate") return map1<Saturate<T>, T, T>;
  if (op == "testp.finite") return testp<T, 0>;
  if (op == "testp.infinite") return testp<T, 1>;
  if (op == "testp.number") return testp<T, 2>;
  if (op == "testp.notanumber") return testp<T, 3>;
  if (op == "testp.normal") return testp<T, 4>;
  if (op == "testp.subnormal") return testp<T, 5>;
  return nullptr;
}

// ---- comparisons ----

enum class Cmp { kEq, kNe, kLt, kLe, kGt, kGe, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan };

template <Cmp kCmp, class T>
inline bool compare(T a, T b) {
  // comparisons that end in u are true where either is NaN
  if constexpr (kCmp == Cmp::kEq) return a == b;
  if constexpr (kCmp == Cmp::kLt) return a < b;
  if constexpr (kCmp == Cmp::kLe) return a <= b;
  if constexpr (kCmp == Cmp::kGt) return a > b;
  if constexpr (kCmp == Cmp::kGe) return a >= b;
  if constexpr (kCmp == Cmp::kNe) return std::is_floating_point_v<T> ? (a < b || a > b) : a != b;
  if constexpr (kCmp == Cmp::kEqu) return !(a < b || a > b);
  if constexpr (kCmp == Cmp::kNeu) return !(a == b);
  if constexpr (kCmp == Cmp::kLtu) return !(a >= b);
  if constexpr (kCmp == Cmp::kLeu) return !(a > b);
  if constexpr (kCmp == Cmp::kGtu) return !(a <= b);
  if constexpr (kCmp == Cmp::kGeu) return !(a < b);
  if constexpr (kCmp == Cmp::kNum) return a == a && b == b;
  if constexpr (kCmp == Cmp::kNan) return a != a || b != b;
}

/// o: p, a, b, c, q. p = cmp `combine` c; q = !cmp `combine` c. Bit 3 of imm: c is negated.
template <Cmp kCmp, class T, int kCombine>
void set_predicate(Warp& w, const Instr& in, std::uint32_t mask) {
  const auto* a = w.lanes<Cell<T>>(in.o[1]);
  const auto* b = w.lanes<Cell<T>>(in.o[2]);
  const std::uint32_t bits = ballot([&](int i) { return compare<kCmp, T>(get<T>(a, i), get<T>(b, i)); });
  std::uint32_t p = bits, q = ~bits;
  if constexpr (kCombine != 0) {
    const std::uint32_t c = w.predicate(in.o[3]) ^ ((in.imm & 8) != 0 ? kAll : 0);
    p = kCombine == 1 ? p & c : kCombine == 2 ? p | c : p ^ c;
    q = kCombine == 1 ? q & c : kCombine == 2 ? q | c : q ^ c;
  }
  if (in.o[0] != kNone) blend(w.predicate(in.o[0]), p, mask);
  if (in.o[4] != kNone) blend(w.predicate(in.o[4]), q, mask);
}

template <Cmp kCmp, class T>
Handler combined(std::string_view combine) {
  if (combine.empty()) return set_predicate<kCmp, T, 0>;
  if (combine == "and") return set_predicate<kCmp, T, 1>;
  if (combine == "or") return set_predicate<kCmp, T, 2>;
  if (combine == "xor") return set_predicate<kCmp, T, 3>;
  return nullptr;
}

template <class T>
Handler pick_compare(std::string_view c, std::string_view combine) {
  if (c == "eq") return combined<Cmp::kEq, T>(combine);
  if (c == "ne") return combined<Cmp::kNe, T>(combine);
  if (c == "lt" || c == "lo") return combined<Cmp::kLt, T>(combine);
  if (c == "le" || c == "ls") return combined<Cmp::kLe, T>(combine);
  if (c == "gt" || c == "hi") return combined<Cmp::kGt, T>(combine);
  if (c == "ge" || c == "hs") return combined<Cmp::kGe, T>(combine);
  if constexpr (std::is_floating_point_v<T>) {
    if (c == "equ") return combined<Cmp::kEqu, T>(combine);
    if (c == "neu") return combined<Cmp::kNeu, T>(combine);
    if (c == "ltu") return combined<Cmp::kLtu, T>(combine);
    if (c == "leu") return combined<Cmp::kLeu, T>(combine);
    if (c == "gtu") return combined<Cmp::kGtu, T>(combine);
    if (c == "geu") return combined<Cmp::kGeu, T>(combine);
    if (c == "num") return combined<Cmp::kNum, T>(combine);
    if (c == "nan") return combined<Cmp::kNan, T>(combine);
  }
  return nullptr;
}

}  // namespace

Handler float_handler(std::string_view op, Type type) {
  if (type == Type::kF32) return pick<float>(op);
  if (type == Type::kF64) return pick<double>(op);
  return nullptr;
}

Handler compare_handler(std::string_view comparison, Type type, std::string_view combine) {
  switch (type) {
    case Type::kU16:
      return pick_compare<std::uint16_t>(comparison, combine);
    case Type::kS16:
      return pick_compare<std::int16_t>(comparison, combine);
    case Type::kU32:
      return pick_compare<std::uint32_t>(comparison, combine);
    case Type::kS32:
      return pick_compare<std::int32_t>(comparison, combine);
    case Type::kU64:
      return pick_compare<std::uint64_t>(comparison, combine);
    case Type::kS64:
      return pick_compare<std::int64_t>(comparison, combine);
    case Type::kF32:
      return pick_compare<float>(comparison, combine);
    case Type::kF64:
      return pick_compare<double>(comparison, combine);
    default:
      return nullptr;
  }
}

}  // namespace ptxdev
