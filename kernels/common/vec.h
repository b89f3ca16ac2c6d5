#pragma once
// Arithmetic on Vec3T, QuatT and symmetric 3x3 matrices, over a float, a double or a pack of them. Sums of products use
// explicit fma, in one order.

#include <type_traits>

#include "cairn/types.h"
#include "kernels/common/scalar.h"

namespace cairn::kernels {

using cairn::Quat;
using cairn::QuatT;
using cairn::Vec3;
using cairn::Vec3d;
using cairn::Vec3T;

template <class T>
CAIRN_HD Vec3T<T> operator+(Vec3T<T> a, Vec3T<T> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
CAIRN_HD Vec3T<T> operator-(Vec3T<T> a, Vec3T<T> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
CAIRN_HD Vec3T<T> operator-(Vec3T<T> a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
CAIRN_HD Vec3T<T> operator*(T s, Vec3T<T> a) {
  return {s * a.x, s * a.y, s * a.z};
}
/// Element by element.
template <class T>
CAIRN_HD Vec3T<T> mul(Vec3T<T> a, Vec3T<T> b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
/// s * a + b, one rounding an element.
template <class T>
CAIRN_HD Vec3T<T> fma(T s, Vec3T<T> a, Vec3T<T> b) {
  return {fma(s, a.x, b.x), fma(s, a.y, b.y), fma(s, a.z, b.z)};
}
template <class T>
CAIRN_HD T dot(Vec3T<T> a, Vec3T<T> b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}
/// dot(a, b) + c
template <class T>
CAIRN_HD T dot(Vec3T<T> a, Vec3T<T> b, T c) {
  return fma(a.x, b.x, fma(a.y, b.y, fma(a.z, b.z, c)));
}
template <class T>
CAIRN_HD Vec3T<T> cross(Vec3T<T> a, Vec3T<T> b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}
template <class T>
CAIRN_HD T length(Vec3T<T> a) {
  return sqrt(dot(a, a));
}

template <class T>
CAIRN_HD T component(Vec3T<T> a, int i) {
  return i == 0 ? a.x : (i == 1 ? a.y : a.z);
}
template <class T>
CAIRN_HD Vec3T<T> abs(Vec3T<T> a) {
  return {abs(a.x), abs(a.y), abs(a.z)};
}
/// mask ? a : b
template <class Mask, class T>
CAIRN_HD Vec3T<T> select(Mask mask, Vec3T<T> a, Vec3T<T> b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
template <class Mask, class T>
CAIRN_HD QuatT<T> select(Mask mask, const std::type_identity_t<QuatT<T>>& a, const QuatT<T>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z), select(mask, a.w, b.w)};
}
CAIRN_HD Vec3 min(Vec3 a, Vec3 b) { return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)}; }
CAIRN_HD Vec3 max(Vec3 a, Vec3 b) { return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}; }
template <class T>
CAIRN_HD T max_component(Vec3T<T> a) {
  return max(max(a.x, a.y), a.z);
}
CAIRN_HD float min_component(Vec3 a) { return min(min(a.x, a.y), a.z); }
template <class T>
CAIRN_HD auto finite(Vec3T<T> a) {
  return finite(a.x) && finite(a.y) && finite(a.z);
}
CAIRN_HD bool finite(Quat a) { return finite(a.x) && finite(a.y) && finite(a.z) && finite(a.w); }

CAIRN_HD Vec3d widen(Vec3 v) { return {v.x, v.y, v.z}; }
CAIRN_HD Vec3 narrow(Vec3d v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

/// Unit vector along a, or `fallback` where a is too short to have a direction.
template <class T>
CAIRN_HD Vec3T<T> normalized(Vec3T<T> a, Vec3T<T> fallback) {
  // scale first, so that squares neither overflow nor vanish
  const T m = max_component(abs(a));
  const Vec3T<T> b{a.x / m, a.y / m, a.z / m};
  const T l = length(b);
  return select(m > T(1e-30f) && finite(m), Vec3T<T>{b.x / l, b.y / l, b.z / l}, fallback);
}

/// The axis along which a is shortest; the first of equals.
template <class T>
CAIRN_HD Vec3T<T> smallest_axis(Vec3T<T> a) {
  const Vec3T<T> size = abs(a);
  const T one(1.0f), none(0.0f);
  const Vec3T<T> x{one, none, none}, y{none, one, none}, z{none, none, one};
  return select(size.x <= size.y && size.x <= size.z, x, select(size.y <= size.z, y, z));
}

/// A unit vector at right angles to the unit vector n. It is a continuous function of n except where the smallest axis
/// changes.
template <class T>
CAIRN_HD Vec3T<T> tangent_of(Vec3T<T> n) {
  return normalized(cross(n, smallest_axis(n)), {T(1.0f), T(0.0f), T(0.0f)});
}

// Quaternions, scalar last.

template <class T>
CAIRN_HD QuatT<T> conjugate(const QuatT<T>& q) {
  return {-q.x, -q.y, -q.z, q.w};
}
template <class T>
CAIRN_HD Vec3T<T> vector_of(const QuatT<T>& q) {
  return {q.x, q.y, q.z};
}

/// Turn by b, then by a.
template <class T>
CAIRN_HD QuatT<T> operator*(const QuatT<T>& a, const QuatT<T>& b) {
  const Vec3T<T> u{a.x, a.y, a.z}, v{b.x, b.y, b.z};
  const Vec3T<T> c = fma(a.w, v, fma(b.w, u, cross(u, v)));
  return {c.x, c.y, c.z, fma(a.w, b.w, -dot(u, v))};
}

template <class T>
CAIRN_HD T dot(const QuatT<T>& a, const QuatT<T>& b) {
  return fma(a.x, b.x, fma(a.y, b.y, fma(a.z, b.z, a.w * b.w)));
}
CAIRN_HD Quat normalized(Quat q) {
  const float l = sqrt(dot(q, q));
  if (!(l > 0.0f) || !finite(l)) return {0, 0, 0, 1};
  return {q.x / l, q.y / l, q.z / l, q.w / l};
}
using Quatd = QuatT<double>;
CAIRN_HD Quatd widen(Quat q) { return {q.x, q.y, q.z, q.w}; }
CAIRN_HD Quat narrow(const Quatd& q) {
  return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

/// q v q*
template <class T>
CAIRN_HD Vec3T<T> rotate(QuatT<T> q, Vec3T<T> v) {
  const Vec3T<T> u{q.x, q.y, q.z};
  const Vec3T<T> t = T(2) * cross(u, v);
  return fma(q.w, t, v + cross(u, t));
}
template <class T>
CAIRN_HD Vec3T<T> rotate_inverse(const QuatT<T>& q, Vec3T<T> v) {
  return rotate(conjugate(q), v);
}

/// Rotation matrix by columns: the images of the axes.
template <class T>
struct Mat3T {
  Vec3T<T> x, y, z;  ///< [1]
};
using Mat3 = Mat3T<float>;
using Mat3d = Mat3T<double>;
template <class T>
CAIRN_HD Mat3T<T> matrix_of(const QuatT<T>& q) {
  const T one(1.0f), two(2.0f);
  const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const T xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const T wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{one - two * (yy + zz), two * (xy + wz), two * (xz - wy)},
          {two * (xy - wz), one - two * (xx + zz), two * (yz + wx)},
          {two * (xz + wy), two * (yz - wx), one - two * (xx + yy)}};
}
template <class T>
CAIRN_HD Vec3T<T> operator*(const Mat3T<T>& m, Vec3T<T> v) {
  return fma(v.x, m.x, fma(v.y, m.y, v.z * m.z));
}
template <class T>
CAIRN_HD Vec3T<T> transpose_mul(const Mat3T<T>& m, Vec3T<T> v) {
  return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}
template <class T>
CAIRN_HD Vec3T<T> column(const Mat3T<T>& m, int i) {
  return i == 0 ? m.x : (i == 1 ? m.y : m.z);
}

/// Symmetric 3x3 matrix.
template <class T>
struct Sym3T {
  T xx, yy, zz, xy, xz, yz;  ///< [any]
};
using Sym3 = Sym3T<float>;
template <class Mask, class T>
CAIRN_HD Sym3T<T> select(Mask mask, const Sym3T<T>& a, const Sym3T<T>& b) {
  return {select(mask, a.xx, b.xx), select(mask, a.yy, b.yy), select(mask, a.zz, b.zz),
          select(mask, a.xy, b.xy), select(mask, a.xz, b.xz), select(mask, a.yz, b.yz)};
}
template <class T>
CAIRN_HD Vec3T<T> operator*(const Sym3T<T>& m, Vec3T<T> v) {
  return {fma(m.xx, v.x, fma(m.xy, v.y, m.xz * v.z)), fma(m.xy, v.x, fma(m.yy, v.y, m.yz * v.z)),
          fma(m.xz, v.x, fma(m.yz, v.y, m.zz * v.z))};
}
/// R diag(d) R^T
template <class T>
CAIRN_HD Sym3T<T> turned_diagonal(const Mat3T<T>& r, Vec3T<T> d) {
  const Vec3T<T> a = d.x * r.x, b = d.y * r.y, c = d.z * r.z;
  return {fma(a.x, r.x.x, fma(b.x, r.y.x, c.x * r.z.x)), fma(a.y, r.x.y, fma(b.y, r.y.y, c.y * r.z.y)),
          fma(a.z, r.x.z, fma(b.z, r.y.z, c.z * r.z.z)), fma(a.x, r.x.y, fma(b.x, r.y.y, c.x * r.z.y)),
          fma(a.x, r.x.z, fma(b.x, r.y.z, c.x * r.z.z)), fma(a.y, r.x.z, fma(b.y, r.y.z, c.y * r.z.z))};
}

// Those that get(i) points to, or array[index[i]], for each lane i of a T.

/// A Pack reads a fourth float behind each.
template <class T, class Get>
CAIRN_HD Vec3T<T> vectors_at(const Get& get) {
  const float* from[kLanesOf<T>];
  for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) from[i] = &get(i)->x;
  Vec3T<T> to;
  gather3(from, to.x, to.y, to.z);
  return to;
}
template <class T>
CAIRN_HD Vec3T<T> vectors_at(const Vec3* array, const std::uint32_t* index) {
  return vectors_at<T>([&](std::uint32_t i) { return array + index[i]; });
}
template <class T, class Get>
CAIRN_HD QuatT<T> quats_at(const Get& get) {
  const float* from[kLanesOf<T>];
  for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) from[i] = &get(i)->x;
  T to[4];
  gather4(from, to);
  return {to[0], to[1], to[2], to[3]};
}
template <class T>
CAIRN_HD QuatT<T> quats_at(const Quat* array, const std::uint32_t* index) {
  return quats_at<T>([&](std::uint32_t i) { return array + index[i]; });
}
template <class T, class Get>
CAIRN_HD Sym3T<T> matrices_at(const Get& get) {
  const float* from[kLanesOf<T>];
  for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) from[i] = &get(i)->xx;
  T to[6];
  gather6(from, to);
  return {to[0], to[1], to[2], to[3], to[4], to[5]};
}

}  // namespace cairn::kernels
