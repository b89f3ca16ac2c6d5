#pragma once
// Inertias as maps from motions to forces: of a rigid body, and of one that carries others on joints (Featherstone
// 2008, 2.13 and chapter 7).

#include "kernels/articulations/spatial.h"

namespace cairn::kernels::articulate {

template <class T>
using SymmetricT = Sym3T<T>;
using Symmetric = SymmetricT<Real>;
template <class T>
CAIRN_HD Vec3T<T> column(const SymmetricT<T>& m, std::uint32_t i) {
  return i == 0 ? Vec3T<T>{m.xx, m.xy, m.xz} : (i == 1 ? Vec3T<T>{m.xy, m.yy, m.yz} : Vec3T<T>{m.xz, m.yz, m.zz});
}
template <class T>
CAIRN_HD SymmetricT<T> operator*(std::type_identity_t<T> s, const SymmetricT<T>& m) {
  return {s * m.xx, s * m.yy, s * m.zz, s * m.xy, s * m.xz, s * m.yz};
}
/// m - v (s v)^T
template <class T>
CAIRN_HD SymmetricT<T> minus_outer(const SymmetricT<T>& m, Vec3T<T> v, std::type_identity_t<T> s) {
  const Vec3T<T> u = -s * v;
  return {fma(v.x, u.x, m.xx), fma(v.y, u.y, m.yy), fma(v.z, u.z, m.zz),
          fma(v.x, u.y, m.xy), fma(v.x, u.z, m.xz), fma(v.y, u.z, m.yz)};
}
/// r m r^T
template <class T>
CAIRN_HD SymmetricT<T> turned(const MatrixT<T>& r, const SymmetricT<T>& m) {
  // the rows of r, and m applied to each
  const Vec3T<T> a = row(r, 0), b = row(r, 1), c = row(r, 2);
  const Vec3T<T> ma = m * a, mb = m * b, mc = m * c;
  return {dot(a, ma), dot(b, mb), dot(c, mc), dot(a, mb), dot(a, mc), dot(b, mc)};
}
/// r m r^T of any m
template <class T>
CAIRN_HD MatrixT<T> turned(const MatrixT<T>& r, const MatrixT<T>& m) {
  const MatrixT<T> left = r * m;
  return {left * row(r, 0), left * row(r, 1), left * row(r, 2)};
}

/// Inertia of a rigid body, about its frame's origin.
template <class T>
struct RigidInertiaT {
  T mass;           ///< [kg]
  Vec3T<T> moment;  ///< [kg m]   mass times centre of mass
  SymmetricT<T> i;  ///< [kg m^2] about the origin
};
using RigidInertia = RigidInertiaT<Real>;
template <class T>
CAIRN_HD ForceT<T> operator*(const RigidInertiaT<T>& a, const MotionT<T>& m) {
  return {a.i * m.w + cross(a.moment, m.v), a.mass * m.v - cross(a.moment, m.w)};
}

/// Any symmetric map: n = i w + h v, f = h^T w + m v.
template <class T>
struct ArticulatedInertiaT {
  SymmetricT<T> i;  ///< [kg m^2]
  MatrixT<T> h;     ///< [kg m]
  SymmetricT<T> m;  ///< [kg]
};
using ArticulatedInertia = ArticulatedInertiaT<Real>;
template <class T>
CAIRN_HD ArticulatedInertiaT<T> articulated(const RigidInertiaT<T>& a) {
  const Vec3T<T> c = a.moment;
  return {a.i, {{0, c.z, -c.y}, {-c.z, 0, c.x}, {c.y, -c.x, 0}}, {a.mass, a.mass, a.mass, 0, 0, 0}};
}
template <class T>
CAIRN_HD ForceT<T> operator*(const ArticulatedInertiaT<T>& a, const MotionT<T>& m) {
  return {a.i * m.w + a.h * m.v, transpose_mul(a.h, m.w) + a.m * m.v};
}

/// The force for an acceleration of 1 along a coordinate axis.
template <class T>
CAIRN_HD ForceT<T> column(const ArticulatedInertiaT<T>& a, std::uint32_t axis) {
  if (axis < 3) return {column(a.i, axis), row(a.h, axis)};
  return {column(a.h, axis - 3), column(a.m, axis - 3)};
}

/// a - u u^T s: the inertia that remains if a joint yields along the axis with force u, s = 1 / (axis . u).
template <class T>
CAIRN_HD ArticulatedInertiaT<T> give_way(const ArticulatedInertiaT<T>& a, const ForceT<T>& u,
                                         std::type_identity_t<T> s) {
  const Vec3T<T> v = -s * u.f;
  return {minus_outer(a.i, u.n, s),
          {fma(v.x, u.n, a.h.x), fma(v.y, u.n, a.h.y), fma(v.z, u.n, a.h.z)},
          minus_outer(a.m, u.f, s)};
}

/// X^T a X: the same inertia in the parent's frame (2.66). With n = i w + h (v - p x w) + p x f it is
///   m' = m,  h' = h + p x m,  i' = i - h' p x + p x h^T,  all turned before.
template <class T>
CAIRN_HD ArticulatedInertiaT<T> to_parent(const TransformT<T>& x, const ArticulatedInertiaT<T>& a) {
  const SymmetricT<T> i = turned(x.r, a.i), m = turned(x.r, a.m);
  const MatrixT<T> h = turned(x.r, a.h);
  const Vec3T<T> p = x.p;
  const MatrixT<T> k{h.x + cross(p, column(m, 0)), h.y + cross(p, column(m, 1)), h.z + cross(p, column(m, 2))};
  // the columns of p x h^T are p x the rows of h; those of k p x are k (p x e)
  const Vec3T<T> ux = cross(p, row(h, 0)), uy = cross(p, row(h, 1)), uz = cross(p, row(h, 2));
  const Vec3T<T> wy = fma(p.x, k.z, -(p.z * k.x)), wz = fma(p.y, k.x, -(p.x * k.y));
  const Vec3T<T> wx = fma(p.z, k.y, -(p.y * k.z));
  return {{i.xx + ux.x - wx.x, i.yy + uy.y - wy.y, i.zz + uz.z - wz.z, i.xy + uy.x - wy.x, i.xz + uz.x - wz.x,
           i.yz + uz.y - wz.y},
          k,
          m};
}

}  // namespace cairn::kernels::articulate
