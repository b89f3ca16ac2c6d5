#pragma once
// Symmetric 3x3 matrices in doubles, and their axes.

#include <array>

#include "cairn/types.h"

namespace cairn::mass {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  ///< rows

inline constexpr Matrix kIdentity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

inline Vector vector(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vector vector(const Vec3d& v) { return {v.x, v.y, v.z}; }

Matrix rotation(const QuatT<double>& q);  ///< of any length
Matrix rotation(const Quat& q);
/// Quaternion of a rotation matrix, with w >= 0.
QuatT<double> quaternion(const Matrix& r);

Matrix times(const Matrix& a, const Matrix& b);
Vector times(const Matrix& a, const Vector& v);
/// r diag(moments) r^T
Matrix turned(const Matrix& r, const Vector& moments);

/// Turns `tensor` diagonal and returns the axes in columns, which make a rotation. Nothing is sorted, so the axes stay
/// near those that it was given in; what is diagonal to rounding is left as it is, so that equal moments don't turn the
/// axes by chance.
Matrix diagonalise(Matrix& tensor);

}  // namespace cairn::mass
