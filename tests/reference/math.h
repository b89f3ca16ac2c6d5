#pragma once
// Rotations, 3x3 matrices and poses in double precision: nothing here comes from the engine.

#include <array>

#include "src/quality/math.h"

namespace cairn::reference {

inline Quat operator+(Quat a, Quat b) { return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}; }

/// The rotation by |theta| radians about theta: exp(theta / 2).
inline Quat rotation(Vec3 theta) {
  const double angle = length(theta);
  const double s = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  return {std::cos(angle / 2), s * theta.x, s * theta.y, s * theta.z};
}

/// A 3x3 matrix by rows.
struct Mat3 {
  std::array<Vec3, 3> row{};
};

inline Mat3 diagonal(Vec3 d) { return {{Vec3{d.x, 0, 0}, Vec3{0, d.y, 0}, Vec3{0, 0, d.z}}}; }
inline Mat3 outer(Vec3 a, Vec3 b) { return {{a.x * b, a.y * b, a.z * b}}; }
inline Mat3 transpose(const Mat3& m) {
  return {{Vec3{m.row[0].x, m.row[1].x, m.row[2].x}, Vec3{m.row[0].y, m.row[1].y, m.row[2].y},
           Vec3{m.row[0].z, m.row[1].z, m.row[2].z}}};
}
inline Vec3 operator*(const Mat3& m, Vec3 v) { return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)}; }
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  const Mat3 t = transpose(b);
  return {{t * a.row[0], t * a.row[1], t * a.row[2]}};
}
inline Mat3 operator*(double s, const Mat3& m) { return {{s * m.row[0], s * m.row[1], s * m.row[2]}}; }
inline Mat3 operator+(const Mat3& a, const Mat3& b) {
  return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
}

/// The inverse, by cofactors. The caller handles the zero matrix (the inverse inertia of a body that can't turn).
inline Mat3 inverse(const Mat3& m) {
  const Vec3 a = cross(m.row[1], m.row[2]), b = cross(m.row[2], m.row[0]), c = cross(m.row[0], m.row[1]);
  return (1 / dot(m.row[0], a)) * transpose(Mat3{{a, b, c}});
}

/// The rotation matrix of a unit quaternion.
inline Mat3 matrix(Quat q) {
  return transpose(Mat3{{rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})}});
}

/// A tensor from body axes to world axes: R m R^T.
inline Mat3 to_world(Quat q, const Mat3& m) {
  const Mat3 r = matrix(q);
  return r * m * transpose(r);
}

struct Pose {
  Vec3 x;  ///< [m] world
  Quat q;  ///< [1] body to world
};

inline Vec3 to_world(const Pose& p, Vec3 local) { return p.x + rotate(p.q, local); }
inline Pose operator*(const Pose& a, const Pose& b) { return {to_world(a, b.x), a.q * b.q}; }

}  // namespace cairn::reference
