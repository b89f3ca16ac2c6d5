#pragma once
// Our own arc tangent: the same bits on every processor and libm.

#include "kernels/common/scalar.h"

namespace cairn::kernels {

inline constexpr double kPi = 3.14159265358979323846;

/// Angle of the point (x, y) [rad], in (-pi, pi], within 2e-12; 0 for (0, 0) and NaN. The ratio is brought to
/// |t| <= tan(pi / 8) by atan t = pi / 4 + atan((t - 1) / (t + 1)); there the Taylor series to t^27.
CAIRN_HD double atan2(double y, double x) {
  const double high = max(abs(x), abs(y)), low = min(abs(x), abs(y));
  if (!(high > 0.0)) return 0.0;
  double t = low / high, base = 0.0;
  if (t > 0.41421356237309503) {
    t = (t - 1.0) / (t + 1.0);
    base = 0.25 * kPi;
  }
  const double u = t * t;
  double sum = 0.0;
  for (int n = 27; n >= 1; n -= 2) sum = fma(-u, sum, 1.0 / n);
  double angle = fma(t, sum, base);
  if (abs(y) > abs(x)) angle = 0.5 * kPi - angle;
  if (x < 0.0) angle = kPi - angle;
  return y < 0.0 ? -angle : angle;
}

/// Largest integer not above a, as a double. |a| must be under 2^31.
CAIRN_HD double floor(double a) {
  const auto i = static_cast<double>(static_cast<std::int64_t>(a));
  return i > a ? i - 1.0 : i;
}

/// `raw`, an angle up to full turns, at the turn that is nearest to `before`.
CAIRN_HD double unwrapped(double raw, double before) {
  const double turns = (before - raw) / (2.0 * kPi);
  // angles past this many turns have no digits left for their turn
  if (!(abs(turns) < 1e9)) return raw;
  return fma(2.0 * kPi, floor(turns + 0.5), raw);
}

}  // namespace cairn::kernels
