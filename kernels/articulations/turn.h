#pragma once
// Quaternions of rotations, and back.

#include "kernels/articulations/lanes.h"
#include "kernels/joints/angle.h"

namespace cairn::kernels::articulate {

/// [rad] Axis times angle of a unit quaternion, the short way round.
CAIRN_HD Vec rotation_vector(const Quatd& q) {
  const double sign = q.w < 0.0 ? -1.0 : 1.0;
  const Vec u{sign * q.x, sign * q.y, sign * q.z};
  const double sine = length(u);
  // for small turns angle / sine is 2; the error is its square over 24
  const double scale = sine < 1e-9 ? 2.0 : 2.0 * atan2(sine, sign * q.w) / sine;
  return scale * u;
}

/// [1] By which the square of a unit quaternion is off for rounding alone, having been made unit once: it stays as it
/// is, so that what was read can be written back.
inline constexpr double kUnit = 0x1p-49;

/// Makes a quaternion unit; false where it is zero. Plain products: the host has the same bits.
CAIRN_HD bool make_unit(Lane q) {
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (abs(square - 1) <= kUnit) return true;
  const double norm = sqrt(square);
  if (!(norm > 0)) return false;
  for (std::uint32_t k = 0; k < 4; ++k) q[k] = q[k] / norm;
  return true;
}

/// Of a rotation matrix: the largest of its parts from the diagonal, the others by it (Shepperd 1978).
CAIRN_HD Quatd quaternion_of(const Matrix& r) {
  const double x = 1 + r.x.x - r.y.y - r.z.z, y = 1 - r.x.x + r.y.y - r.z.z, z = 1 - r.x.x - r.y.y + r.z.z;
  const double w = 1 + r.x.x + r.y.y + r.z.z;
  const double xy = r.x.y + r.y.x, xz = r.x.z + r.z.x, yz = r.y.z + r.z.y;
  const double wx = r.y.z - r.z.y, wy = r.z.x - r.x.z, wz = r.x.y - r.y.x;
  Quatd q{wx, wy, wz, w};
  if (x > w && x >= y && x >= z) {
    q = {x, xy, xz, wx};
  } else if (y > w && y >= z) {
    q = {xy, y, yz, wy};
  } else if (z > w) {
    q = {xz, yz, z, wz};
  }
  const double norm = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / norm, q.y / norm, q.z / norm, q.w / norm};
}

}  // namespace cairn::kernels::articulate
