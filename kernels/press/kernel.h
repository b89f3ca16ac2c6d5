#pragma once
// The weights that a fluid's density is made of, in units of the spacing s: the smoothing length is s, and a particle's
// volume s^3, so that a cubic lattice of spacing s has density 1 (1.0002).

#include "kernels/common/fluids.h"
#include "kernels/common/scalar.h"

namespace cairn::kernels {

inline constexpr float kInvPi = 0.31830988f;

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

/// What a flat solid adds to the density of a particle at distance z s from it: k (z0 - z)^3 up to z0. A lattice that
/// is cut off at half a spacing lacks 0.15 of its density there, and 1.02 of its slope. The integral of the spline over
/// the half-space has that value, but half the slope: what lies there doesn't give way, so that its own pressure, which
/// would push as much again, is missing, and particles crowd at the wall until theirs is twice as high. So it is the
/// slope that must be right. 1.3 is what makes the pressure in the layer at the wall that of the fluid next to it:
/// settled, particles are no lattice.
inline constexpr float kWallShare = 0.15f, kWallSlope = 1.3f;
static_assert(kWallReach > 0.5f + 3 * kWallShare / kWallSlope - 1e-6f &&
              kWallReach < 0.5f + 3 * kWallShare / kWallSlope + 1e-6f);
inline constexpr float kWallScale =
    kWallShare / ((kWallReach - 0.5f) * (kWallReach - 0.5f) * (kWallReach - 0.5f));

struct WallWeight {
  float share, slope;  ///< [1] slope by z
};
/// Inside the solid it is what it is on its surface.
CAIRN_HD WallWeight wall_weight(float z) {
  const float u = kWallReach - max(z, 0.0f);
  if (!(u > 0.0f)) return {0.0f, 0.0f};
  return {kWallScale * (u * u * u), (-3.0f * kWallScale) * (u * u)};
}

/// [1] Of crowding that a sweep answers to: particles put into each other leave at a bounded speed.
inline constexpr float kMostCrowding = 0.25f;
/// [1] In squared inverse spacings: what is added to the square of the gradient (the relaxation of Macklin and Mueller
/// 2013, eq. 10-11). Inside a fluid the gradients come to 0.43. Between two solids they cancel: without it a particle
/// between a box and the floor left at 41 m/s.
inline constexpr float kPressSoftness = 0.05f;
/// [1] Of what a sweep wants, so much is done, since all want it at once.
inline constexpr float kPressShare = 0.5f;

}  // namespace cairn::kernels
