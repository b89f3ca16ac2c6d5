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

/// Diagonalises `tensor` and returns the axes in columns, which form a rotation. Nothing is sorted, so that the axes
/// stay near those given. A tensor that is diagonal up to rounding stays as it is, so that equal moments don't turn the
/// axes by chance.
Matrix diagonalise(Matrix& tensor);

}  // namespace cairn::mass
