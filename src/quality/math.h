#pragma once
// Vectors and quaternions in double precision, for figures of quality and the reference (tests/reference): nothing here
// comes from the engine.

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
/// The same by sqrt, which is exact everywhere; hypot is not.
inline double extent_of(Vec3 a) { return std::sqrt(dot(a, a)); }
inline Vec3 unit(Vec3 a) { return a / extent_of(a); }

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
inline Quat operator*(double s, Quat a) { return {s * a.w, s * a.x, s * a.y, s * a.z}; }
inline Quat conjugate(Quat a) { return {a.w, -a.x, -a.y, -a.z}; }
inline double norm(Quat a) { return std::sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z); }
inline Quat normalized(Quat a) { return (1 / norm(a)) * a; }
inline Vec3 rotate(Quat q, Vec3 v) {
  const Quat r = q * Quat{0, v.x, v.y, v.z} * conjugate(q);
  return {r.x, r.y, r.z};
}

}  // namespace cairn::reference
