#pragma once
// Symmetric 3x3 matrices in doubles, and their axes.

#include <array>

#include "cairn/body.h"

namespace cairn::mass {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  ///< rows

inline constexpr Matrix kIdentity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

template <class T>
Vector vector(const Vec3T<T>& v) {
  return {v.x, v.y, v.z};
}
inline Vec3d vec3d(const Vector& v) { return {v[0], v[1], v[2]}; }
inline Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector diagonal(const Matrix& m) { return {m[0][0], m[1][1], m[2][2]}; }

Matrix rotation(const QuatT<double>& q);  ///< of any length
Matrix rotation(const Quat& q);
/// Quaternion of a rotation matrix, with w >= 0.
QuatT<double> quaternion(const Matrix& r);

Matrix times(const Matrix& a, const Matrix& b);
Vector times(const Matrix& a, const Vector& v);
/// |d|^2 1 - d d^T: the tensor of a unit mass at d.
Matrix point_tensor(const Vector& d);
/// to += m a
void add(Matrix& to, double m, const Matrix& a);
/// r diag(moments) r^T
Matrix turned(const Matrix& r, const Vector& moments);

Matrix tensor_of(const Inertia& inertia);
/// Rounded to float.
Inertia inertia_of(const Matrix& tensor);

/// Diagonalises `tensor` and returns the axes in columns, which form a rotation. Nothing is sorted, so that the axes
/// stay near those given. A tensor that is diagonal up to rounding stays as it is, so that equal moments don't turn the
/// axes by chance.
Matrix diagonalise(Matrix& tensor);

}  // namespace cairn::mass
