#include "semantics_numbers.h"

#include <bit>
#include <cmath>

namespace semantics {
namespace {

__extension__ typedef __float128 Quad;

/// One of a and b that rounds like their sum: inexact sums get an odd last bit, so that a second rounding to fewer bits
/// does no harm.
template <class T, class Bits>
T add_to_odd(T a, T b) {
  const T sum = a + b, back = sum - a;
  const T error = (a - (sum - back)) + (b - back);
  if (error == 0) return sum;
  Bits bits = std::bit_cast<Bits>(sum);
  if ((bits & 1) != 0) return sum;
  // towards the exact sum
  const bool grows = (error > 0) == (sum > 0);
  return std::bit_cast<T>(static_cast<Bits>(grows ? bits + 1 : bits - 1));
}

U64 single(double x) {
  const U64 bits = bits_of(x);
  if (is_nan(bits, 64)) return kNan32;
  if (is_infinite(bits, 64)) return bits_of(x > 0 ? HUGE_VALF : -HUGE_VALF);
  return pack(unpack(bits, 64), 32, Round::kNearest);
}

U64 twice(Quad x) { return bits_of(static_cast<double>(x)); }

}  // namespace

float as_float(U64 a) { return std::bit_cast<float>(static_cast<std::uint32_t>(a)); }
double as_double(U64 a) { return std::bit_cast<double>(a); }
U64 bits_of(float a) { return std::bit_cast<std::uint32_t>(a); }
U64 bits_of(double a) { return std::bit_cast<U64>(a); }

Round round_named(std::string_view word) {
  return word.starts_with("rz")   ? Round::kZero
         : word.starts_with("rm") ? Round::kDown
         : word.starts_with("rp") ? Round::kUp
                                  : Round::kNearest;
}

bool is_nan(U64 a, int bits) {
  const Format f = format_of(bits);
  const U64 infinity = ones(bits - 1 - f.fraction) << f.fraction;
  return (a & ones(bits - 1)) > infinity;
}

bool is_infinite(U64 a, int bits) {
  const Format f = format_of(bits);
  return (a & ones(bits - 1)) == ones(bits - 1 - f.fraction) << f.fraction;
}

Exact unpack(U64 a, int bits) {
  const Format f = format_of(bits);
  const bool negative = (a >> (bits - 1) & 1) != 0;
  const U64 fraction = a & ones(f.fraction);
  const int exponent = static_cast<int>(a >> f.fraction & ones(bits - 1 - f.fraction));
  if (exponent == 0) return {negative, fraction, 1 - f.bias - f.fraction};
  return {negative, fraction | U64{1} << f.fraction, exponent - f.bias - f.fraction};
}

namespace {
/// Drops the last `n` bits of the magnitude.
unsigned __int128 rounded(const Exact& x, int n, Round round) {
  unsigned __int128 kept = 0, lost = x.magnitude;
  bool above = x.inexact, half = false;
  if (n <= 0) {
    kept = x.magnitude << -n;
    lost = 0;
  } else if (n < 128) {
    kept = x.magnitude >> n;
    lost = x.magnitude - (kept << n);
    const unsigned __int128 middle = static_cast<unsigned __int128>(1) << (n - 1);
    half = lost >= middle;
    above = above || (lost != 0 && lost != middle);
  } else {
    above = above || lost != 0;
  }
  const bool any = above || half || lost != 0;
  bool up = false;
  if (round == Round::kNearest) up = half && (above || (kept & 1) != 0);
  if (round == Round::kDown) up = any && x.negative;
  if (round == Round::kUp) up = any && !x.negative;
  return kept + (up ? 1 : 0);
}
}  // namespace

U64 pack(const Exact& x, int bits, Round round) {
  const Format f = format_of(bits);
  const U64 sign = x.negative ? sign_of(bits) : 0;
  if (x.magnitude == 0) return sign;
  int width = 0;
  while (width < 128 && (x.magnitude >> width) != 0) ++width;
  // the exponent of the last bit kept
  int last = x.exponent + width - (f.fraction + 1);
  const int least = 1 - f.bias - f.fraction;
  if (last < least) last = least;
  unsigned __int128 kept = rounded(x, last - x.exponent, round);
  if (kept >> (f.fraction + 1) != 0) {
    kept >>= 1;
    ++last;
  }
  const U64 infinity = ones(bits - 1 - f.fraction) << f.fraction;
  if (kept != 0 && (kept >> f.fraction) != 0 && last + f.fraction > f.bias) {
    const bool away =
        round == Round::kNearest || (round == Round::kUp && !x.negative) || (round == Round::kDown && x.negative);
    return sign | (away ? infinity : infinity - 1);
  }
  if (kept >> f.fraction == 0) return sign | static_cast<U64>(kept);
  const auto exponent = static_cast<U64>(last + f.fraction + f.bias);
  return sign | exponent << f.fraction | (static_cast<U64>(kept) & ones(f.fraction));
}

__int128 to_integer(const Exact& x, Round round) {
  if (x.magnitude == 0) return 0;
  // far out of the range of all types
  if (x.exponent > 60) return x.negative ? -(static_cast<__int128>(1) << 100) : static_cast<__int128>(1) << 100;
  const auto size = static_cast<__int128>(rounded(x, -x.exponent, round));
  return x.negative ? -size : size;
}

U64 add(U64 a, U64 b, int bits) {
  if (bits == 32) return single(static_cast<double>(as_float(a)) + static_cast<double>(as_float(b)));
  return twice(static_cast<Quad>(as_double(a)) + static_cast<Quad>(as_double(b)));
}

U64 multiply(U64 a, U64 b, int bits) {
  if (bits == 32) return single(static_cast<double>(as_float(a)) * static_cast<double>(as_float(b)));
  return twice(static_cast<Quad>(as_double(a)) * static_cast<Quad>(as_double(b)));
}

U64 divide(U64 a, U64 b, int bits) {
  if (bits == 32) return single(static_cast<double>(as_float(a)) / static_cast<double>(as_float(b)));
  return twice(static_cast<Quad>(as_double(a)) / static_cast<Quad>(as_double(b)));
}

U64 root(U64 a, int bits) {
  if (bits == 32) return single(std::sqrt(static_cast<double>(as_float(a))));
  const double x = as_double(a);
  double r = std::sqrt(x);
  if (!(x > 0) || is_infinite(a, 64)) return bits_of(r);
  // neither neighbour is nearer
  for (int k = 0; k < 2; ++k) {
    const double neighbour = std::nextafter(r, k == 0 ? 0.0 : HUGE_VAL);
    const Quad middle = (static_cast<Quad>(r) + static_cast<Quad>(neighbour)) / 2, square = middle * middle;
    if (k == 0 ? square > static_cast<Quad>(x) : square < static_cast<Quad>(x)) r = neighbour;
  }
  return bits_of(r);
}

U64 fused(U64 a, U64 b, U64 c, int bits) {
  if (bits == 32) {
    const double product = static_cast<double>(as_float(a)) * static_cast<double>(as_float(b));
    const auto sum = static_cast<double>(as_float(c));
    if (!std::isfinite(product + sum)) return single(product + sum);
    return single(add_to_odd<double, U64>(product, sum));
  }
  const Quad product = static_cast<Quad>(as_double(a)) * static_cast<Quad>(as_double(b));
  const auto sum = static_cast<Quad>(as_double(c));
  const double all = static_cast<double>(product + sum);
  if (!std::isfinite(as_double(a)) || !std::isfinite(as_double(b)) || !std::isfinite(as_double(c))) return bits_of(all);
  return twice(add_to_odd<Quad, unsigned __int128>(product, sum));
}

}  // namespace semantics
