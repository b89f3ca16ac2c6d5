#pragma once
// Our own sine and cosine: the same bits on every processor and libm.

#include "kernels/common/scalar.h"

namespace cairn::kernels {

struct SinCos {
  float sin, cos;
};

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

}  // namespace cairn::kernels
