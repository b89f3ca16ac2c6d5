#pragma once
// Arithmetic on vectors and quaternions, for programs: using namespace cairn::math. Float or double each. These are
// plain sums; those of the kernels are fused, in a fixed order (kernels/common/vec.h).

#include <cmath>
#include <limits>
#include <type_traits>

#include "cairn/types.h"

namespace cairn::math {

template <class T>
constexpr Vec3T<T> operator+(Vec3T<T> a, Vec3T<T> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
constexpr Vec3T<T> operator-(Vec3T<T> a, Vec3T<T> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
constexpr Vec3T<T> operator-(Vec3T<T> a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
constexpr Vec3T<T> operator*(std::type_identity_t<T> s, Vec3T<T> a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
constexpr Vec3T<T> operator*(Vec3T<T> a, std::type_identity_t<T> s) {
  return s * a;
}
template <class T>
constexpr Vec3T<T> operator/(Vec3T<T> a, std::type_identity_t<T> s) {
  return {a.x / s, a.y / s, a.z / s};
}
template <class T>
constexpr Vec3T<T>& operator+=(Vec3T<T>& a, Vec3T<T> b) {
  return a = a + b;
}
template <class T>
constexpr Vec3T<T>& operator-=(Vec3T<T>& a, Vec3T<T> b) {
  return a = a - b;
}
template <class T>
constexpr T dot(Vec3T<T> a, Vec3T<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec3T<T> cross(Vec3T<T> a, Vec3T<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T length(Vec3T<T> a) {
  return std::hypot(a.x, a.y, a.z);
}
/// Unit vector along a, which isn't 0.
template <class T>
Vec3T<T> normalized(Vec3T<T> a) {
  return a / length(a);
}

/// The rotation by b, then by a.
template <class T>
constexpr QuatT<T> operator*(QuatT<T> a, QuatT<T> b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
/// The inverse rotation.
template <class T>
constexpr QuatT<T> conjugate(QuatT<T> q) {
  return {-q.x, -q.y, -q.z, q.w};
}
template <class T>
QuatT<T> normalized(QuatT<T> q) {
  const T l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / l, q.y / l, q.z / l, q.w / l};
}
/// q v q*: from body axes to world axes, where q is a body's orientation.
template <class T>
constexpr Vec3T<T> rotate(QuatT<T> q, Vec3T<T> v) {
  const Vec3T<T> u{q.x, q.y, q.z}, t = 2 * cross(u, v);
  return v + q.w * t + cross(u, t);
}

/// The rotation about an axis, of any length but 0, by `angle` [rad]. Uses the C library's sine: on another machine the
/// last bit may differ.
template <class T>
QuatT<T> axis_angle(Vec3T<T> axis, std::type_identity_t<T> angle) {
  const Vec3T<T> u = std::sin(angle / 2) * normalized(axis);
  return {u.x, u.y, u.z, std::cos(angle / 2)};
}
/// The shortest rotation from the direction of `from` to that of `to`; neither is 0. For opposite directions, a half
/// turn about some perpendicular axis.
template <class T>
QuatT<T> quat_between(Vec3T<T> from, Vec3T<T> to) {
  const Vec3T<T> a = normalized(from), b = normalized(to);
  const Vec3T<T> u = cross(a, b);
  if (dot(a, b) >= 0) return normalized(QuatT<T>{u.x, u.y, u.z, 1 + dot(a, b)});
  // a half turn about an axis perpendicular to a, up to rounding, and to b, as far as that is defined
  const T x = std::abs(a.x), y = std::abs(a.y), z = std::abs(a.z);
  const Vec3T<T> least = x <= y && x <= z ? Vec3T<T>{1, 0, 0} : y <= z ? Vec3T<T>{0, 1, 0} : Vec3T<T>{0, 0, 1};
  Vec3T<T> across = normalized(length(u) > 8 * std::numeric_limits<T>::epsilon() ? u : cross(a, least));
  across = normalized(across - dot(across, a) * a);
  // then the remaining rotation, which is short
  const Vec3T<T> c = cross(-a, b);
  return normalized(QuatT<T>{c.x, c.y, c.z, 1 + dot(-a, b)} * QuatT<T>{across.x, across.y, across.z, 0});
}
/// Rotations about the fixed axes x, y and z, in this order, by angles [rad]: the `rpy` of URDF.
template <class T>
QuatT<T> from_rpy(T roll, T pitch, T yaw) {
  return axis_angle(Vec3T<T>{0, 0, 1}, yaw) * axis_angle(Vec3T<T>{0, 1, 0}, pitch) *
         axis_angle(Vec3T<T>{1, 0, 0}, roll);
}

}  // namespace cairn::math
