#pragma once
// Quaternions of rotations, and back.

#include "kernels/articulations/lanes.h"
#include "kernels/joints/angle.h"

namespace cairn::kernels::articulate {

/// [rad] Axis times angle of a unit quaternion, the short way round.
template <class T>
CAIRN_HD Vec3T<T> rotation_vector(const QuatT<T>& q) {
  const T sign = select(q.w < T(0.0), T(-1.0), T(1.0));
  const Vec3T<T> u{sign * q.x, sign * q.y, sign * q.z};
  const T sine = length(u);
  // for small turns angle / sine is 2; the error is its square over 24
  const T scale = select(sine < T(1e-9), T(2.0), T(2.0) * atan2(sine, sign * q.w) / sine);
  return scale * u;
}

/// [1] Rounding error of the square of a quaternion that was made unit once. Such a quaternion stays as it is, so that
/// a value that was read can be written back.
inline constexpr double kUnit = 0x1p-49;

/// Normalizes a quaternion; false if it is zero. Plain products: the host has the same bits.
CAIRN_HD bool make_unit(Lane q) {
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (abs(square - 1) <= kUnit) return true;
  const double norm = sqrt(square);
  if (!(norm > 0)) return false;
  for (std::uint32_t k = 0; k < 4; ++k) q[k] = q[k] / norm;
  return true;
}

/// From a rotation matrix: the largest component from the diagonal, the others by it (Shepperd 1978).
template <class T>
CAIRN_HD QuatT<T> quaternion_of(const MatrixT<T>& r) {
  const T one(1.0);
  const T x = one + r.x.x - r.y.y - r.z.z, y = one - r.x.x + r.y.y - r.z.z, z = one - r.x.x - r.y.y + r.z.z;
  const T w = one + r.x.x + r.y.y + r.z.z;
  const T xy = r.x.y + r.y.x, xz = r.x.z + r.z.x, yz = r.y.z + r.z.y;
  const T wx = r.y.z - r.z.y, wy = r.z.x - r.x.z, wz = r.x.y - r.y.x;
  QuatT<T> q{wx, wy, wz, w};
  const auto by_x = x > w && x >= y && x >= z, by_y = !by_x && y > w && y >= z, by_z = !by_x && !by_y && z > w;
  if (any(by_x)) q = select(by_x, {x, xy, xz, wx}, q);
  if (any(by_y)) q = select(by_y, {xy, y, yz, wy}, q);
  if (any(by_z)) q = select(by_z, {xz, yz, z, wz}, q);
  const T norm = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / norm, q.y / norm, q.z / norm, q.w / norm};
}

}  // namespace cairn::kernels::articulate
