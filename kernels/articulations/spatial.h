#pragma once
// 6-D vectors (Featherstone 2008, chapter 2): velocities and forces of a rigid body as one, angular part first. They
// are given in a frame's axes about its origin; motions and forces are different things, and change frames differently.

#include "kernels/common/vec.h"

namespace cairn::kernels::articulate {

// what is defined here would else hide them
using kernels::operator+;
using kernels::operator-;
using kernels::operator*;
using kernels::cross;
using kernels::dot;
using kernels::fma;
using kernels::matrix_of;

/// What articulations are computed in: see docs/articulations.md for what a float would lose.
using Real = double;
using Vec = Vec3T<Real>;

/// 3x3 matrix by columns.
struct Matrix {
  Vec x, y, z;  ///< [1]
};
CAIRN_HD Vec operator*(const Matrix& m, Vec v) { return fma(v.x, m.x, fma(v.y, m.y, v.z * m.z)); }
CAIRN_HD Vec transpose_mul(const Matrix& m, Vec v) { return {dot(m.x, v), dot(m.y, v), dot(m.z, v)}; }
CAIRN_HD Matrix operator*(const Matrix& a, const Matrix& b) { return {a * b.x, a * b.y, a * b.z}; }
CAIRN_HD Vec column(const Matrix& m, std::uint32_t i) { return i == 0 ? m.x : (i == 1 ? m.y : m.z); }
CAIRN_HD Real component(Vec v, std::uint32_t i) { return i == 0 ? v.x : (i == 1 ? v.y : v.z); }
CAIRN_HD Vec row(const Matrix& m, std::uint32_t i) { return {component(m.x, i), component(m.y, i), component(m.z, i)}; }

/// Of a unit quaternion: turns what it turns.
CAIRN_HD Matrix matrix_of(const Quatd& q) {
  const Real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const Real xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const Real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
          {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
          {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

/// Velocity or acceleration.
struct Motion {
  Vec w;  ///< [rad/s] or rad/s^2
  Vec v;  ///< [m/s] or m/s^2, of what is at the frame's origin
};
/// Force, momentum or bias force.
struct Force {
  Vec n;  ///< [N m] moment about the frame's origin
  Vec f;  ///< [N]
};
CAIRN_HD Motion operator+(const Motion& a, const Motion& b) { return {a.w + b.w, a.v + b.v}; }
CAIRN_HD Force operator+(const Force& a, const Force& b) { return {a.n + b.n, a.f + b.f}; }
CAIRN_HD Force fma(Real s, const Force& a, const Force& b) { return {fma(s, a.n, b.n), fma(s, a.f, b.f)}; }
/// [W] Power of a force along a motion.
CAIRN_HD Real dot(const Force& a, const Motion& b) { return dot(a.n, b.w, dot(a.f, b.v)); }

/// v x m: how what moves along with v changes (Featherstone 2008, 2.31).
CAIRN_HD Motion cross(const Motion& v, const Motion& m) { return {cross(v.w, m.w), cross(v.w, m.v) + cross(v.v, m.w)}; }
/// v x* f: the same of forces (2.32).
CAIRN_HD Force cross(const Motion& v, const Force& f) { return {cross(v.w, f.n) + cross(v.v, f.f), cross(v.w, f.f)}; }

/// Coordinate axis 0..5: turns about x, y, z, then shifts along them.
CAIRN_HD Real component(const Force& f, std::uint32_t axis) {
  return axis < 3 ? component(f.n, axis) : component(f.f, axis - 3);
}
/// m += s along that axis.
CAIRN_HD void add_to(Motion& m, std::uint32_t axis, Real s) {
  Vec& part = axis < 3 ? m.w : m.v;
  const std::uint32_t i = axis < 3 ? axis : axis - 3;
  (i == 0 ? part.x : (i == 1 ? part.y : part.z)) += s;
}

/// Where a child's frame stands in its parent's: what Featherstone (2.24, 2.25) writes as E = r^T and r = p.
struct Transform {
  Matrix r;  ///< [1] child to parent axes
  Vec p;     ///< [m] the child's origin, parent axes
};
/// X m
CAIRN_HD Motion to_child(const Transform& x, const Motion& m) {
  return {transpose_mul(x.r, m.w), transpose_mul(x.r, m.v + cross(m.w, x.p))};
}
/// X^T f
CAIRN_HD Force to_parent(const Transform& x, const Force& f) {
  const Vec force = x.r * f.f;
  return {x.r * f.n + cross(x.p, force), force};
}
/// A point of the child in the parent.
CAIRN_HD Vec operator*(const Transform& x, Vec v) { return x.p + x.r * v; }
CAIRN_HD Transform operator*(const Transform& a, const Transform& b) { return {a.r * b.r, a.p + a.r * b.p}; }

}  // namespace cairn::kernels::articulate
