#pragma once
// Our own sine and cosine: the same bits on every processor and libm.

#include "kernels/common/scalar.h"

namespace cairn::kernels {

template <class T>
struct SinCosT {
  T sin, cos;  ///< [1]
};
using SinCos = SinCosT<float>;
using SinCosd = SinCosT<double>;

/// sin and cos of a [rad], |a| <= 1e4, within 2 ulp of 1. Reduction by three-part pi/2 (Cody and Waite 1980), then
/// minimax polynomials on [-pi/4, pi/4] (Taylor coefficients, corrected for the interval).
CAIRN_HD SinCos sincos(float a) {
  // a NaN has no quadrant
  const float t = a == a ? clamp(a, -1.0e4f, 1.0e4f) : 0.0f;
  const float k = static_cast<float>(floor_to_int(fma(t, 0.636619772f, 0.5f)));
  float r = fma(k, -1.5703125f, t);
  r = fma(k, -4.837512969970703125e-4f, r);
  r = fma(k, -7.5497899548918821e-8f, r);
  const float r2 = r * r;
  const float s = fma(r * r2, fma(r2, fma(r2, -1.9515295891e-4f, 8.3321608736e-3f), -1.6666654611e-1f), r);
  const float c = fma(r2 * r2, fma(r2, fma(r2, 2.443315711809948e-5f, -1.388731625493765e-3f), 4.166664568298827e-2f),
                      fma(r2, -0.5f, 1.0f));
  const std::int32_t quadrant = static_cast<std::int32_t>(k) & 3;
  const float s1 = (quadrant & 1) != 0 ? c : s;
  const float c1 = (quadrant & 1) != 0 ? s : c;
  return {(quadrant & 2) != 0 ? -s1 : s1, quadrant == 1 || quadrant == 2 ? -c1 : c1};
}

/// The same in double or in a DoublePack, |a| <= 1e9, within 2 ulp of 1 and the error of a itself. Three parts of pi/2
/// of 33, 33 and 53 bits, whose products with the quadrant's number are exact in fma; Taylor's series to r^17 and r^18,
/// whose next terms are under 1e-19 on [-pi/4, pi/4].
template <class T>
CAIRN_HD SinCosT<T> sincos(T a) {
  static_assert(sizeof(T) >= sizeof(double));
  const T one(1.0);
  const T t = select(a == a, clamp(a, T(-1.0e9), T(1.0e9)), T(0.0));
  const T n = floor(fma(t, T(0.63661977236758134), T(0.5)));
  T r = fma(n, T(-1.57079632673412561417e+00), t);
  r = fma(n, T(-6.07710050630396597660e-11), r);
  r = fma(n, T(-2.02226624879595063154e-21), r);
  const T r2 = r * r;
  // sums 1 - r2 / (2 * 3) (1 - r2 / (4 * 5) (...)), from the last term
  T s = one, c = one;
  for (int i = 17; i >= 3; i -= 2) s = fma(-r2 / T(static_cast<double>(i * (i - 1))), s, one);
  for (int i = 18; i >= 2; i -= 2) c = fma(-r2 / T(static_cast<double>(i * (i - 1))), c, one);
  s = s * r;
  const T half = floor(T(0.5) * n);
  const T odd = n - T(2.0) * half, side = half - T(2.0) * floor(T(0.5) * half);  // bits 0 and 1 of n
  const T s1 = select(odd == one, c, s);
  const T c1 = select(odd == one, s, c);
  return {select(side == one, -s1, s1), select(odd == side, c1, -c1)};
}

}  // namespace cairn::kernels
