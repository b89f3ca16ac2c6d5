#pragma once
// Our own exponential, logarithm and asinh, in double: the same bits on every processor and libm.

#include "kernels/common/scalar.h"

namespace cairn::kernels {

/// e^r - 1 for |r| <= ln 2 / 2: Taylor's series to r^15, whose next term is under 1e-20.
CAIRN_HD double small_expm1(double r) {
  double sum = 1.0;
  for (int n = 15; n >= 2; --n) sum = fma(r / static_cast<double>(n), sum, 1.0);
  return r * sum;
}

/// e^a - 1 within 4 ulp; infinity from 709 on. a = k ln 2 + r, with ln 2 in two parts. The first has 32 bits, so that
/// its product with k is exact in fma (Cody and Waite 1980).
CAIRN_HD double expm1(double a) {
  if (!(a < 709.0)) return a * (1.0 / 0.0);
  if (a < -40.0) return -1.0;
  const double turned = fma(a, 1.4426950408889634, 0.5);
  const std::int64_t k = floored(turned);
  const auto n = static_cast<double>(k);
  const double r = fma(n, -1.90821492927058770002e-10, fma(n, -6.93147180369123816490e-01, a));
  const double small = small_expm1(r), scale = power_of_two(k);
  return k == 0 ? small : fma(scale, small, scale - 1.0);
}

/// e^a for a >= -708; 0 below.
CAIRN_HD double exp(double a) {
  if (a < -708.0) return 0.0;
  if (a > -1.0) return expm1(a) + 1.0;
  // a sum with -1 would lose the digits of a small result
  const auto k = static_cast<std::int64_t>(fma(a, 1.4426950408889634, -0.5));
  const auto n = static_cast<double>(k);
  const double r = fma(n, -1.90821492927058770002e-10, fma(n, -6.93147180369123816490e-01, a));
  return fma(power_of_two(k), small_expm1(r), power_of_two(k));
}

/// 2 atanh(s) = log((1 + s) / (1 - s)) for |s| <= 0.24: the series to s^27, whose next term is under 1e-18.
CAIRN_HD double twice_atanh(double s) {
  const double u = s * s;
  double sum = 0.0;
  for (int n = 27; n >= 3; n -= 2) sum = fma(u, sum, 1.0 / static_cast<double>(n));
  return 2.0 * fma(s * u, sum, s);
}

/// Natural logarithm of a positive normal number, within 2 ulp. a = 2^k m with m in [sqrt(1/2), sqrt(2)).
CAIRN_HD double log(double a) {
  const std::uint64_t bits = bits_of(a);
  auto k = static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = double_of((bits & 0x000fffffffffffffull) | 0x3ff0000000000000ull);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    k += 1;
  }
  const auto n = static_cast<double>(k);
  return fma(n, 6.93147180369123816490e-01, fma(n, 1.90821492927058770002e-10, twice_atanh((m - 1.0) / (m + 1.0))));
}

/// Within 4 ulp, for |a| up to 1e150.
CAIRN_HD double asinh(double a) {
  const double y = abs(a), root = sqrt(fma(y, y, 1.0));
  // log(1 + t) = 2 atanh(t / (2 + t)); for small y, 1 + t would lose its digits
  const double t = y + y * y / (1.0 + root);
  const double of = y < 0.5 ? twice_atanh(t / (2.0 + t)) : log(y + root);
  return a < 0.0 ? -of : of;
}

}  // namespace cairn::kernels
