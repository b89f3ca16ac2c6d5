#pragma once
// Inertias as maps from motions to forces: of a rigid body, and of one that carries others on joints (Featherstone
// 2008, 2.13 and chapter 7).

#include "kernels/articulations/spatial.h"

namespace cairn::kernels::articulate {

/// Symmetric 3x3 matrix.
struct Symmetric {
  Real xx, yy, zz, xy, xz, yz;  ///< [1]
};
CAIRN_HD Vec operator*(const Symmetric& m, Vec v) {
  return {fma(m.xx, v.x, fma(m.xy, v.y, m.xz * v.z)), fma(m.xy, v.x, fma(m.yy, v.y, m.yz * v.z)),
          fma(m.xz, v.x, fma(m.yz, v.y, m.zz * v.z))};
}
CAIRN_HD Vec column(const Symmetric& m, std::uint32_t i) {
  return i == 0 ? Vec{m.xx, m.xy, m.xz} : (i == 1 ? Vec{m.xy, m.yy, m.yz} : Vec{m.xz, m.yz, m.zz});
}
CAIRN_HD Symmetric operator+(const Symmetric& a, const Symmetric& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
CAIRN_HD Symmetric operator*(Real s, const Symmetric& m) {
  return {s * m.xx, s * m.yy, s * m.zz, s * m.xy, s * m.xz, s * m.yz};
}
/// m - v (s v)^T
CAIRN_HD Symmetric minus_outer(const Symmetric& m, Vec v, Real s) {
  const Vec u = -s * v;
  return {fma(v.x, u.x, m.xx), fma(v.y, u.y, m.yy), fma(v.z, u.z, m.zz),
          fma(v.x, u.y, m.xy), fma(v.x, u.z, m.xz), fma(v.y, u.z, m.yz)};
}
/// r m r^T
CAIRN_HD Symmetric turned(const Matrix& r, const Symmetric& m) {
  // the rows of r, and m applied to each
  const Vec a = row(r, 0), b = row(r, 1), c = row(r, 2);
  const Vec ma = m * a, mb = m * b, mc = m * c;
  return {dot(a, ma), dot(b, mb), dot(c, mc), dot(a, mb), dot(a, mc), dot(b, mc)};
}
/// r m r^T of any m
CAIRN_HD Matrix turned(const Matrix& r, const Matrix& m) {
  const Matrix left = r * m;
  return {left * row(r, 0), left * row(r, 1), left * row(r, 2)};
}

/// Of a rigid body, about its frame's origin.
struct RigidInertia {
  Real mass;    ///< [kg]
  Vec moment;   ///< [kg m]   mass times centre of mass
  Symmetric i;  ///< [kg m^2] about the origin
};
CAIRN_HD Force operator*(const RigidInertia& a, const Motion& m) {
  return {a.i * m.w + cross(a.moment, m.v), a.mass * m.v - cross(a.moment, m.w)};
}

/// Any symmetric map: n = i w + h v, f = h^T w + m v.
struct ArticulatedInertia {
  Symmetric i;  ///< [kg m^2]
  Matrix h;     ///< [kg m]
  Symmetric m;  ///< [kg]
};
CAIRN_HD ArticulatedInertia articulated(const RigidInertia& a) {
  const Vec c = a.moment;
  return {a.i, {{0, c.z, -c.y}, {-c.z, 0, c.x}, {c.y, -c.x, 0}}, {a.mass, a.mass, a.mass, 0, 0, 0}};
}
CAIRN_HD Force operator*(const ArticulatedInertia& a, const Motion& m) {
  return {a.i * m.w + a.h * m.v, transpose_mul(a.h, m.w) + a.m * m.v};
}
CAIRN_HD ArticulatedInertia operator+(const ArticulatedInertia& a, const ArticulatedInertia& b) {
  return {a.i + b.i, {a.h.x + b.h.x, a.h.y + b.h.y, a.h.z + b.h.z}, a.m + b.m};
}

/// The force that acceleration along a coordinate axis takes.
CAIRN_HD Force column(const ArticulatedInertia& a, std::uint32_t axis) {
  if (axis < 3) return {column(a.i, axis), row(a.h, axis)};
  return {column(a.h, axis - 3), column(a.m, axis - 3)};
}

/// a - u u^T s: what is left where a joint gives way along the axis that u is the force of, s = 1 / (axis . u).
CAIRN_HD ArticulatedInertia give_way(const ArticulatedInertia& a, const Force& u, Real s) {
  const Vec v = -s * u.f;
  return {minus_outer(a.i, u.n, s),
          {fma(v.x, u.n, a.h.x), fma(v.y, u.n, a.h.y), fma(v.z, u.n, a.h.z)},
          minus_outer(a.m, u.f, s)};
}

/// X^T a X: the same inertia in the parent's frame (2.66). With n = i w + h (v - p x w) + p x f it is
///   m' = m,  h' = h + p x m,  i' = i - h' p x + p x h^T,  all turned before.
CAIRN_HD ArticulatedInertia to_parent(const Transform& x, const ArticulatedInertia& a) {
  const Symmetric i = turned(x.r, a.i), m = turned(x.r, a.m);
  const Matrix h = turned(x.r, a.h);
  const Vec p = x.p;
  const Matrix k{h.x + cross(p, column(m, 0)), h.y + cross(p, column(m, 1)), h.z + cross(p, column(m, 2))};
  // the columns of p x h^T are p x the rows of h; those of k p x are k (p x e)
  const Vec ux = cross(p, row(h, 0)), uy = cross(p, row(h, 1)), uz = cross(p, row(h, 2));
  const Vec wy = fma(p.x, k.z, -(p.z * k.x)), wz = fma(p.y, k.x, -(p.x * k.y));
  const Vec wx = fma(p.z, k.y, -(p.y * k.z));
  return {{i.xx + ux.x - wx.x, i.yy + uy.y - wy.y, i.zz + uz.z - wz.z, i.xy + uy.x - wy.x, i.xz + uz.x - wz.x,
           i.yz + uz.y - wz.y},
          k,
          m};
}

}  // namespace cairn::kernels::articulate
