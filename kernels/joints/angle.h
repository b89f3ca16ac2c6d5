#pragma once
// Arc tangent of our own: the same bits on every processor and libm.

#include "kernels/common/scalar.h"

namespace cairn::kernels {

inline constexpr double kPi = 3.14159265358979323846;

/// Angle of the point (x, y) [rad], in (-pi, pi], within 2e-12; 0 for (0, 0) and NaN. The ratio is brought to
/// |t| <= tan(pi / 8) by atan t = pi / 4 + atan((t - 1) / (t + 1)); there the Taylor series to t^27.
template <class T>
CAIRN_HD T atan2(T y, T x) {
  static_assert(sizeof(T) >= sizeof(double));
  const T none(0.0);
  const T high = max(abs(x), abs(y)), low = min(abs(x), abs(y));
  T t = low / high, base = none;
  const auto steep = t > T(0.41421356237309503);
  if (any(steep)) {
    t = select(steep, (t - T(1.0)) / (t + T(1.0)), t);
    base = select(steep, T(0.25 * kPi), none);
  }
  const T u = t * t;
  T sum = none;
  for (int n = 27; n >= 1; n -= 2) sum = fma(-u, sum, T(1.0 / n));
  T angle = fma(t, sum, base);
  angle = select(abs(y) > abs(x), T(0.5 * kPi) - angle, angle);
  angle = select(x < none, T(kPi) - angle, angle);
  return select(high > none, select(y < none, -angle, angle), none);
}

/// `raw`, an angle up to full turns, at the turn nearest to `before`.
template <class T>
CAIRN_HD T unwrapped(T raw, T before) {
  const T turns = (before - raw) / T(2.0 * kPi);
  // angles past this many turns have no digits left to find the turn
  return select(abs(turns) < T(1e9), fma(T(2.0 * kPi), floor(turns + T(0.5)), raw), raw);
}

}  // namespace cairn::kernels
