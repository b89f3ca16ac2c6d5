#pragma once
// Vectors, quaternions and 3x3 matrices in double precision, for figures of quality and the reference (tests/reference):
// nothing here comes from the engine.

#include <array>
#include <cmath>

namespace cairn::reference {

struct Vec3 {
  double x{}, y{}, z{};
  double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
inline Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec3 operator/(Vec3 a, double s) { return {a.x / s, a.y / s, a.z / s}; }
inline Vec3& operator+=(Vec3& a, Vec3 b) { return a = a + b; }
inline Vec3& operator-=(Vec3& a, Vec3 b) { return a = a - b; }
inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3 a) { return std::hypot(a.x, a.y, a.z); }
inline Vec3 normalized(Vec3 a) { return a / length(a); }

/// A unit vector perpendicular to `a`, from the coordinate axis that is least parallel to it.
inline Vec3 any_perpendicular(Vec3 a) {
  const Vec3 s{std::abs(a.x), std::abs(a.y), std::abs(a.z)};
  const Vec3 e = s.x <= s.y && s.x <= s.z ? Vec3{1, 0, 0} : s.y <= s.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  return normalized(cross(a, e));
}

/// A quaternion, scalar first; a unit one turns body axes into world axes: v_world = q v q*.
struct Quat {
  double w{1}, x{}, y{}, z{};
};

inline Quat operator*(Quat a, Quat b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat operator+(Quat a, Quat b) { return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Quat operator*(double s, Quat a) { return {s * a.w, s * a.x, s * a.y, s * a.z}; }
inline Quat conjugate(Quat a) { return {a.w, -a.x, -a.y, -a.z}; }
inline double norm(Quat a) { return std::sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z); }
inline Quat normalized(Quat a) { return (1 / norm(a)) * a; }
inline Vec3 rotate(Quat q, Vec3 v) {
  const Quat r = q * Quat{0, v.x, v.y, v.z} * conjugate(q);
  return {r.x, r.y, r.z};
}

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
