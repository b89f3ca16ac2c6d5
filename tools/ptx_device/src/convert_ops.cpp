// cvt, and the names of types.

#include <cfenv>
#include <cmath>
#include <limits>

#include "lanes.h"
#include "types.h"

namespace ptxdev {
namespace {

enum class Round { kNearest, kZero, kDown, kUp };

/// Float to an integer: rounded, then clamped to the type's range. A NaN is 0, or the top bit alone where either side
/// has 64 bits.
template <class To, class From, Round kRound>
struct ToInteger {
  static To of(From a) {
    if (a != a) {
      if constexpr (sizeof(From) == 8 || sizeof(To) == 8) {
        return static_cast<To>(std::make_unsigned_t<To>{1} << (8 * sizeof(To) - 1));
      }
      return 0;
    }
    const From r = kRound == Round::kNearest ? std::nearbyint(a)
                   : kRound == Round::kZero  ? std::trunc(a)
                   : kRound == Round::kDown  ? std::floor(a)
                                             : std::ceil(a);
    // the min is a power of two or 0, and so is the number after the max
    constexpr From kMin = static_cast<From>(std::numeric_limits<To>::min());
    constexpr From kEnd = static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * From{2};
    if (r < kMin) return std::numeric_limits<To>::min();
    if (r >= kEnd) return std::numeric_limits<To>::max();
    return static_cast<To>(r);
  }
};

template <class T, Round kRound>
struct ToWhole {
  static T of(T a) {
    return kRound == Round::kNearest ? std::nearbyint(a)
           : kRound == Round::kZero  ? std::trunc(a)
           : kRound == Round::kDown  ? std::floor(a)
                                     : std::ceil(a);
  }
};

/// To a type that may not represent the value: rounded to nearest, even.
template <class To, class From>
struct Nearest {
  static To of(From a) { return canonical(static_cast<To>(a)); }
};

template <class To, class From, int kMode>
void directed(Warp& w, const Instr& in, std::uint32_t mask) {
  auto* d = w.lanes<Cell<To>>(in.o[0]);
  const auto* a = w.lanes<Cell<From>>(in.o[1]);
  const int former = std::fegetround();
  std::fesetround(kMode);
  for (int i = 0; i < kLanes; ++i) {
    if (((mask >> i) & 1u) == 0) continue;
    const volatile From from = get<From>(a, i);
    const volatile To to = static_cast<To>(from);
    d[i] = cell<To>(canonical(to));
  }
  std::fesetround(former);
}

/// Integer to integer: cut off or extended; with .sat clamped.
template <class To, class From>
struct Wrap {
  static To of(From a) { return static_cast<To>(a); }
};
template <class To, class From>
struct Clamp {
  static To of(From a) {
    const __int128 v = a, least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
    return static_cast<To>(v < least ? least : v > most ? most : v);
  }
};

template <class To, class From>
Handler pick(std::string_view round, bool saturate) {
  constexpr bool kToFloat = std::is_floating_point_v<To>, kFromFloat = std::is_floating_point_v<From>;
  if constexpr (!kToFloat && !kFromFloat) {
    if (saturate) return map1<Clamp<To, From>, To, From>;
    return map1<Wrap<To, From>, To, From>;
  } else if constexpr (!kToFloat) {
    if (round == "rni") return map1<ToInteger<To, From, Round::kNearest>, To, From>;
    if (round == "rzi") return map1<ToInteger<To, From, Round::kZero>, To, From>;
    if (round == "rmi") return map1<ToInteger<To, From, Round::kDown>, To, From>;
    if (round == "rpi") return map1<ToInteger<To, From, Round::kUp>, To, From>;
    return nullptr;
  } else {
    if (saturate) return nullptr;
    if constexpr (std::is_same_v<To, From>) {
      if (round == "rni") return map1<ToWhole<To, Round::kNearest>, To, From>;
      if (round == "rzi") return map1<ToWhole<To, Round::kZero>, To, From>;
      if (round == "rmi") return map1<ToWhole<To, Round::kDown>, To, From>;
      if (round == "rpi") return map1<ToWhole<To, Round::kUp>, To, From>;
    }
    if (round == "rn" || round.empty()) return map1<Nearest<To, From>, To, From>;
    if (round == "rz") return directed<To, From, FE_TOWARDZERO>;
    if (round == "rm") return directed<To, From, FE_DOWNWARD>;
    if (round == "rp") return directed<To, From, FE_UPWARD>;
    return nullptr;
  }
}

template <class To>
Handler from(Type type, std::string_view round, bool saturate) {
  switch (type) {
    case Type::kU8:
      return pick<To, std::uint8_t>(round, saturate);
    case Type::kS8:
      return pick<To, std::int8_t>(round, saturate);
    case Type::kU16:
      return pick<To, std::uint16_t>(round, saturate);
    case Type::kS16:
      return pick<To, std::int16_t>(round, saturate);
    case Type::kU32:
      return pick<To, std::uint32_t>(round, saturate);
    case Type::kS32:
      return pick<To, std::int32_t>(round, saturate);
    case Type::kU64:
      return pick<To, std::uint64_t>(round, saturate);
    case Type::kS64:
      return pick<To, std::int64_t>(round, saturate);
    case Type::kF32:
      return pick<To, float>(round, saturate);
    case Type::kF64:
      return pick<To, double>(round, saturate);
    default:
      return nullptr;
  }
}

}  // namespace

Handler convert_handler(Type to, Type of, std::string_view round, bool saturate) {
  switch (to) {
    case Type::kU8:
      return from<std::uint8_t>(of, round, saturate);
    case Type::kS8:
      return from<std::int8_t>(of, round, saturate);
    case Type::kU16:
      return from<std::uint16_t>(of, round, saturate);
    case Type::kS16:
      return from<std::int16_t>(of, round, saturate);
    case Type::kU32:
      return from<std::uint32_t>(of, round, saturate);
    case Type::kS32:
      return from<std::int32_t>(of, round, saturate);
    case Type::kU64:
      return from<std::uint64_t>(of, round, saturate);
    case Type::kS64:
      return from<std::int64_t>(of, round, saturate);
    case Type::kF32:
      return from<float>(of, round, saturate);
    case Type::kF64:
      return from<double>(of, round, saturate);
    default:
      return nullptr;
  }
}

Type type_of(std::string_view word) {
  if (word == "pred") return Type::kPred;
  if (word.size() < 2) return Type::kNothing;
  const std::string_view bits = word.substr(1);
  const char kind = word[0];
  if (kind == 'f') return bits == "32" ? Type::kF32 : bits == "64" ? Type::kF64 : Type::kNothing;
  if (kind != 'u' && kind != 's' && kind != 'b') return Type::kNothing;
  const bool is_signed = kind == 's';
  if (bits == "8") return is_signed ? Type::kS8 : Type::kU8;
  if (bits == "16") return is_signed ? Type::kS16 : Type::kU16;
  if (bits == "32") return is_signed ? Type::kS32 : Type::kU32;
  if (bits == "64") return is_signed ? Type::kS64 : Type::kU64;
  return Type::kNothing;
}

std::uint32_t bytes_of(Type type) {
  switch (type) {
    case Type::kU8:
    case Type::kS8:
      return 1;
    case Type::kU16:
    case Type::kS16:
      return 2;
    case Type::kU32:
    case Type::kS32:
    case Type::kF32:
      return 4;
    case Type::kU64:
    case Type::kS64:
    case Type::kF64:
      return 8;
    default:
      return 0;
  }
}

}  // namespace ptxdev
