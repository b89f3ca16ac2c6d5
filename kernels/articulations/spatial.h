#pragma once
// 6-D vectors (Featherstone 2008, chapter 2): velocities and forces of a rigid body as one, angular part first. They
// are given in a frame's axes about its origin. Motions and forces are different types, and change frames differently.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/common/vec.h"

namespace cairn::kernels::articulate {

// otherwise the definitions here would hide them
using kernels::operator+;
using kernels::operator-;
using kernels::operator*;
using kernels::column;
using kernels::component;
using kernels::cross;
using kernels::dot;
using kernels::fma;
using kernels::matrix_of;

/// Precision of articulations: docs/articulations.md says what a float would lose.
using Real = double;
using Vec = Vec3T<Real>;

// Everything below is for one articulation, or with a DoublePack (kernels/common/double_pack.h) for four of a kind.

template <class T>
using MatrixT = Mat3T<T>;
using Matrix = MatrixT<Real>;
template <class T>
CAIRN_HD MatrixT<T> operator*(const MatrixT<T>& a, const MatrixT<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class T>
CAIRN_HD Vec3T<T> row(const MatrixT<T>& m, std::uint32_t i) {
  return {component(m.x, i), component(m.y, i), component(m.z, i)};
}

/// Number k of a value that consists of Ts.
template <template <class> class V, class T>
CAIRN_HD T& number(V<T>& v, std::uint32_t k) {
  static_assert(sizeof(V<T>) * sizeof(Real) == sizeof(V<Real>) * sizeof(T));
  return reinterpret_cast<T*>(&v)[k];
}
template <template <class> class V, class T>
CAIRN_HD const T& number(const V<T>& v, std::uint32_t k) {
  return reinterpret_cast<const T*>(&v)[k];
}
template <class F, std::uint32_t... k>
CAIRN_HD void each_of(std::integer_sequence<std::uint32_t, k...>, const F& f) {
  (f(k), ...);
}
/// f(k) for each of its numbers, in order.
template <template <class> class V, class F>
CAIRN_HD void each_number(const F& f) {
  each_of(std::make_integer_sequence<std::uint32_t, sizeof(V<Real>) / sizeof(Real)>{}, f);
}
template <template <class> class V, class T, class F, std::uint32_t... k>
CAIRN_HD V<T> of_each(std::integer_sequence<std::uint32_t, k...>, const F& f) {
  // not assigned one by one: g++ zeroes a default-initialised value first, which cost robots 3 %
  return {f(k)...};
}
/// The value with the numbers f(k).
template <template <class> class V, class T, class F>
CAIRN_HD V<T> of_numbers(const F& f) {
  return of_each<V, T>(std::make_integer_sequence<std::uint32_t, sizeof(V<Real>) / sizeof(Real)>{}, f);
}
/// The same value in all lanes of a T.
template <class T, template <class> class V>
CAIRN_HD V<T> spread(const V<Real>& v) {
  return of_numbers<V, T>([&](std::uint32_t k) { return T(number(v, k)); });
}

/// Velocity or acceleration.
template <class T>
struct MotionT {
  Vec3T<T> w;  ///< [rad/s] or rad/s^2
  Vec3T<T> v;  ///< [m/s] or m/s^2, of the body point at the frame's origin
};
using Motion = MotionT<Real>;
/// Force, momentum or bias force.
template <class T>
struct ForceT {
  Vec3T<T> n;  ///< [N m] moment about the frame's origin
  Vec3T<T> f;  ///< [N]
};
using Force = ForceT<Real>;
template <template <class> class V, class T>
CAIRN_HD V<T> operator+(const V<T>& a, const V<T>& b) {
  return of_numbers<V, T>([&](std::uint32_t k) { return number(a, k) + number(b, k); });
}
template <template <class> class V, class T>
CAIRN_HD V<T> fma(std::type_identity_t<T> s, const V<T>& a, const V<T>& b) {
  return of_numbers<V, T>([&](std::uint32_t k) { return fma(s, number(a, k), number(b, k)); });
}
/// [W] Power of a force along a motion.
template <class T>
CAIRN_HD T dot(const ForceT<T>& a, const MotionT<T>& b) {
  return dot(a.n, b.w, dot(a.f, b.v));
}

/// v x m: change of a motion that is carried along with v (Featherstone 2008, 2.31).
template <class T>
CAIRN_HD MotionT<T> cross(const MotionT<T>& v, const MotionT<T>& m) {
  return {cross(v.w, m.w), cross(v.w, m.v) + cross(v.v, m.w)};
}
/// v x* f: the same for forces (2.32).
template <class T>
CAIRN_HD ForceT<T> cross(const MotionT<T>& v, const ForceT<T>& f) {
  return {cross(v.w, f.n) + cross(v.v, f.f), cross(v.w, f.f)};
}

/// Coordinate axis 0..5: rotations about x, y, z, then shifts along them.
template <class T>
CAIRN_HD T component(const ForceT<T>& f, std::uint32_t axis) {
  return axis < 3 ? component(f.n, axis) : component(f.f, axis - 3);
}
/// m += s along that axis.
template <class T>
CAIRN_HD void add_to(MotionT<T>& m, std::uint32_t axis, std::type_identity_t<T> s) {
  Vec3T<T>& part = axis < 3 ? m.w : m.v;
  const std::uint32_t i = axis < 3 ? axis : axis - 3;
  T& to = i == 0 ? part.x : (i == 1 ? part.y : part.z);
  to = to + s;
}

/// Pose of a child's frame in its parent's: Featherstone (2.24, 2.25) writes E = r^T and r = p.
template <class T>
struct TransformT {
  MatrixT<T> r;  ///< [1] child to parent axes
  Vec3T<T> p;    ///< [m] the child's origin, parent axes
};
using Transform = TransformT<Real>;
/// X m
template <class T>
CAIRN_HD MotionT<T> to_child(const TransformT<T>& x, const MotionT<T>& m) {
  return {transpose_mul(x.r, m.w), transpose_mul(x.r, m.v + cross(m.w, x.p))};
}
/// X^T f
template <class T>
CAIRN_HD ForceT<T> to_parent(const TransformT<T>& x, const ForceT<T>& f) {
  const Vec3T<T> force = x.r * f.f;
  return {x.r * f.n + cross(x.p, force), force};
}
/// A point of the child in the parent.
template <class T>
CAIRN_HD Vec3T<T> operator*(const TransformT<T>& x, Vec3T<T> v) {
  return x.p + x.r * v;
}
template <class T>
CAIRN_HD TransformT<T> operator*(const TransformT<T>& a, const TransformT<T>& b) {
  return {a.r * b.r, a.p + a.r * b.p};
}

}  // namespace cairn::kernels::articulate
