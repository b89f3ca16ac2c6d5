#pragma once
// The friction blocks of a row, shared by the solvers. Each takes the impulses that the block has given so far in l0,
// l1, improves them against the bodies' velocities, shortens them to `bound`, gives the bodies the difference, and
// leaves the new impulses in l0, l1.

#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// A vector along the tangents, shortened to `bound`.
template <class T>
CAIRN_HD void clamp_length(T& x, T& y, T bound) {
  const T length2 = fma(x, x, y * y);
  const T scale = select(length2 > bound * bound, bound / sqrt(max(length2, T(1e-30f))), T(1.0f));
  x = x * scale;
  y = y * scale;
}

/// Friction at the friction centre: a 2x2 block, |l| <= bound (a true cone).
template <class T>
struct Slide {
  Vec3T<T> t0, t1;          ///< [1]
  Vec3T<T> a0, a1, b0, b1;  ///< [kg^-1/2] angular vectors

  CAIRN_HD Slide(const RowBlock& row, std::uint32_t lane, Vec3T<T> n)
      : t0(load3<T>(row.tangent, lane)),
        t1(cross(n, t0)),
        a0(load3<T>(row.friction_a[0], lane)),
        a1(load3<T>(row.friction_a[1], lane)),
        b0(load3<T>(row.friction_b[0], lane)),
        b1(load3<T>(row.friction_b[1], lane)) {}

  /// Motion of b against a along the tangents, from linear and (times I^1/2) angular motions: velocities or
  /// displacements.
  CAIRN_HD void along(Vec3T<T> linear, Vec3T<T> angular_a, Vec3T<T> angular_b, T& x, T& y) const {
    x = dot(t0, linear, dot(b0, angular_b)) - dot(a0, angular_a);
    y = dot(t1, linear, dot(b1, angular_b)) - dot(a1, angular_a);
  }

  /// Against the slip velocity (v0, v1).
  template <class Ends>
  CAIRN_HD void push(const RowBlock& row, std::uint32_t lane, Ends& ends, T v0, T v1, T bound, T& l0, T& l1) const {
    const T m00 = load<T>(row.friction_mass[0], lane), m01 = load<T>(row.friction_mass[1], lane);
    const T m11 = load<T>(row.friction_mass[2], lane);
    T f0 = l0 - fma(m00, v0, m01 * v1);
    T f1 = l1 - fma(m01, v0, m11 * v1);
    // past the cone, a step along the slip itself: the block's mass differs by direction and would turn the friction
    // away from it. The harmonic mean of the block's eigenvalues keeps the step stable.
    const T mass = fma(m00, m11, -(m01 * m01)) / max(m00 + m11, T(1e-30f));
    const auto slips = fma(f0, f0, f1 * f1) > bound * bound;
    f0 = select(slips, l0 - (mass + mass) * v0, f0);
    f1 = select(slips, l1 - (mass + mass) * v1, f1);
    clamp_length(f0, f1, bound);
    const T d0 = f0 - l0, d1 = f1 - l1;
    l0 = f0;
    l1 = f1;
    ends.push(d0, t0, a0, b0);
    ends.push(d1, t1, a1, b1);
  }
};

/// Friction against turning about the normal: one row, |l| <= bound.
template <class T, class Ends>
CAIRN_HD void twist(const RowBlock& row, std::uint32_t lane, Ends& ends, T bound, T& l) {
  const Vec3T<T> j_a = load3<T>(row.twist_a, lane), j_b = load3<T>(row.twist_b, lane);
  const T free = l - load<T>(row.twist_mass, lane) * (dot(j_b, ends.b.w) - dot(j_a, ends.a.w));
  const T next = clamp(free, -bound, bound);
  ends.turn(next - l, j_a, j_b);
  l = next;
}

/// Resistance to rolling: a 2x2 block of turning about the tangents, |l| <= bound.
template <class T, class Ends>
CAIRN_HD void roll(const RowBlock& row, std::uint32_t lane, Ends& ends, T bound, T& l0, T& l1) {
  const Vec3T<T> a0 = load3<T>(row.rolling_a[0], lane), a1 = load3<T>(row.rolling_a[1], lane);
  const Vec3T<T> b0 = load3<T>(row.rolling_b[0], lane), b1 = load3<T>(row.rolling_b[1], lane);
  const T w0 = dot(b0, ends.b.w) - dot(a0, ends.a.w), w1 = dot(b1, ends.b.w) - dot(a1, ends.a.w);
  const T m01 = load<T>(row.rolling_mass[1], lane);
  T r0 = l0 - fma(load<T>(row.rolling_mass[0], lane), w0, m01 * w1);
  T r1 = l1 - fma(m01, w0, load<T>(row.rolling_mass[2], lane) * w1);
  clamp_length(r0, r1, bound);
  ends.turn(r0 - l0, a0, b0);
  ends.turn(r1 - l1, a1, b1);
  l0 = r0;
  l1 = r1;
}

}  // namespace cairn::kernels
