#pragma once
// Weights of a fluid's density, in units of the spacing s: the smoothing length is s, and a particle's volume s^3, so
// that a cubic lattice of spacing s has density 1 (1.0002).

#include "kernels/common/fluids.h"
#include "kernels/common/scalar.h"

namespace cairn::kernels {

inline constexpr float kInvPi = 0.31830988f;

/// [1] Range of the spline in spacings.
inline constexpr float kFluidReach = 2.0f;
/// Cubic spline (Monaghan 1992) times s^3; q = r / s.
CAIRN_HD float spline(float q) {
  if (q < 1.0f) return kInvPi * fma(q * q, fma(0.75f, q, -1.5f), 1.0f);
  if (!(q < 2.0f)) return 0.0f;
  const float u = 2.0f - q;
  return (0.25f * kInvPi) * (u * u * u);
}
/// Its derivative by q.
CAIRN_HD float spline_slope(float q) {
  if (q < 1.0f) return kInvPi * (q * fma(2.25f, q, -3.0f));
  if (!(q < 2.0f)) return 0.0f;
  const float u = 2.0f - q;
  return (-0.75f * kInvPi) * (u * u);
}

/// Contribution of a particle's own image in a solid z spacings away to its density: the spline at 2 z. Nearer than
/// kOwnImage it is steeper: the spline's slope is 0 on the wall, where a particle would settle in its own image.
inline constexpr float kOwnImage = 0.465f, kOwnStiffness = 2.0f;
struct WallWeight {
  float share, slope;  ///< [1] slope by z
};
/// Inside the solid it has its value on the surface.
CAIRN_HD WallWeight own_image_at(float z) {
  if (!(z < kOwnImage)) return {spline(2.0f * z), 2.0f * spline_slope(2.0f * z)};
  const float u = kOwnImage - max(z, 0.0f), slope = 2.0f * spline_slope(2.0f * kOwnImage);
  return {fma(fma(kOwnStiffness, u, -slope), u, spline(2.0f * kOwnImage)), fma(-2.0f * kOwnStiffness, u, slope)};
}

/// [1] Max error of density_ratio that a sweep corrects: particles put into each other separate at a bounded speed.
inline constexpr float kMaxDensityRatio = 0.25f;
/// [1] In squared inverse spacings: added to the square of the gradient (the relaxation of Macklin and Mueller 2013,
/// eq. 10-11). Inside a fluid the gradients come to 0.43. Between two solids they cancel: without it a particle between
/// a box and the floor left at 41 m/s.
inline constexpr float kFluidSoftness = 0.05f;
/// [1] Share of a sweep's correction that is done, since all particles correct at once.
inline constexpr float kFluidShare = 0.5f;

}  // namespace cairn::kernels
