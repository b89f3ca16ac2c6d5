#pragma once
// Angular vectors of a row's impulses, which all act in the contact's plane. With the axes A = I^-1/2 (t0, t1, n), and r
// = x t0 + y t1 + z n from the body's centre of mass: I^-1/2 (r x n) = y A0 - x A1, I^-1/2 (r x t0) = z A1 - y A2, and
// I^-1/2 (r x t1) = x A2 - z A0.

#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// A vector along the tangents; or a point of the contact's plane, from the row's reference.
template <class T>
struct Along {
  T x, y;  ///< [m, m/s, N s, N s m]
};
template <class T>
CAIRN_HD Along<T> operator+(Along<T> a, Along<T> b) {
  return {a.x + b.x, a.y + b.y};
}
template <class T>
CAIRN_HD Along<T> operator-(Along<T> a, Along<T> b) {
  return {a.x - b.x, a.y - b.y};
}
template <class T>
CAIRN_HD Along<T> operator*(T s, Along<T> a) {
  return {s * a.x, s * a.y};
}
template <class T>
CAIRN_HD Along<T> fma(T s, Along<T> a, Along<T> b) {
  return {fma(s, a.x, b.x), fma(s, a.y, b.y)};
}
template <class T>
CAIRN_HD T dot(Along<T> a, Along<T> b) {
  return fma(a.x, b.x, a.y * b.y);
}
template <class Mask, class T>
CAIRN_HD Along<T> select(Mask mask, Along<T> a, Along<T> b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y)};
}
template <class T>
CAIRN_HD Along<T> load2(const float (&field)[2][kRowLanes], std::uint32_t lane) {
  return {load<T>(field[0], lane), load<T>(field[1], lane)};
}
template <class T>
CAIRN_HD void store2(float (&field)[2][kRowLanes], std::uint32_t lane, Along<T> a) {
  store(field[0], lane, a.x);
  store(field[1], lane, a.y);
}

/// The axes and the arm of one body of a row.
template <class T>
struct RowArm {
  Vec3T<T> axes[3];  ///< [kg^-1/2 / m]
  Vec3T<T> arm;      ///< [m] to the reference

  /// [kg^-1/2] Angular vectors of impulses along the normal, the first tangent and the second, at a place from the
  /// reference.
  CAIRN_HD Vec3T<T> normal(Along<T> at) const { return fma(arm.y + at.y, axes[0], -(arm.x + at.x) * axes[1]); }
  CAIRN_HD Vec3T<T> first(Along<T> at) const { return fma(arm.z, axes[1], -(arm.y + at.y) * axes[2]); }
  CAIRN_HD Vec3T<T> second(Along<T> at) const { return fma(arm.x + at.x, axes[2], -arm.z * axes[0]); }
  /// [kg^1/2 m/s] The same of normal impulses with this sum and this moment, the sum of places times impulses.
  CAIRN_HD Vec3T<T> normals(T sum, Along<T> moment) const {
    return fma(fma(arm.y, sum, moment.y), axes[0], -fma(arm.x, sum, moment.x) * axes[1]);
  }
};

/// Motion of b against a along the normal, everywhere in the contact's plane: a speed, or a displacement.
template <class T>
struct NormalMotion {
  T at_reference;        ///< [m/s, m]
  T about_t0, about_t1;  ///< [rad/s, rad] rotation about the tangents
  CAIRN_HD T at(Along<T> place) const { return fma(place.y, about_t0, fma(-place.x, about_t1, at_reference)); }
};

/// Those of both.
template <class T>
struct RowArms {
  RowArm<T> a, b;

  CAIRN_HD RowArms(const RowArm<T>& of_a, const RowArm<T>& of_b) : a(of_a), b(of_b) {}
  CAIRN_HD RowArms(const RowBlock& row, std::uint32_t lane)
      : a{{load3<T>(row.axes_a[0], lane), load3<T>(row.axes_a[1], lane), load3<T>(row.axes_a[2], lane)},
          load3<T>(row.arm_a, lane)},
        b{{load3<T>(row.axes_b[0], lane), load3<T>(row.axes_b[1], lane), load3<T>(row.axes_b[2], lane)},
          load3<T>(row.arm_b, lane)} {}

  /// [m/s]
  template <class Body>
  CAIRN_HD NormalMotion<T> speed(Vec3T<T> n, const Body& of_a, const Body& of_b) const {
    return motion(n, of_b.v - of_a.v, of_a.w, of_b.w);
  }
  /// [m] Since the step's start.
  template <class Body>
  CAIRN_HD NormalMotion<T> moved(Vec3T<T> n, const Body& of_a, const Body& of_b) const {
    return motion(n, of_b.dx - of_a.dx, of_a.dtheta, of_b.dtheta);
  }

 private:
  /// From linear and (times I^1/2) angular motions.
  CAIRN_HD NormalMotion<T> motion(Vec3T<T> n, Vec3T<T> linear, Vec3T<T> angular_a, Vec3T<T> angular_b) const {
    const T a0 = dot(a.axes[0], angular_a), a1 = dot(a.axes[1], angular_a);
    const T b0 = dot(b.axes[0], angular_b), b1 = dot(b.axes[1], angular_b);
    const T of_a = fma(a.arm.y, a0, -(a.arm.x * a1)), of_b = fma(b.arm.y, b0, -(b.arm.x * b1));
    return {dot(n, linear, of_b - of_a), b0 - a0, b1 - a1};
  }
};

}  // namespace cairn::kernels
