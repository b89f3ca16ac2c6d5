#pragma once
// Measures of constraints and their gradients.

#include "kernels/common/constraints.h"
#include "kernels/joints/angle.h"

namespace cairn::kernels {

/// C and its gradient by the positions of the ends.
template <class T>
struct ConstraintMeasure {
  T value;                       ///< [m, rad, m^3]
  Vec3T<T> by[kConstraintEnds];  ///< [1, rad/m, m^2]
  bool good;                     ///< [1] false if the gradient is undefined: its points coincide, or are on a line
};

/// |r1 - r0|
template <class T>
CAIRN_HD ConstraintMeasure<T> stretch_of(const Vec3T<T> (&r)[kConstraintEnds]) {
  const Vec3T<T> d = r[1] - r[0];
  const T l = length(d);
  if (!(l > T(0))) return {l, {}, false};
  const Vec3T<T> n = (T(1) / l) * d;
  return {l, {-n, n, {}, {}}, true};
}

/// [1] Min area of a triangle, squared, over the square of its squared shared edge: below it triangles have no angle,
/// and neither have those with an edge shorter than kMinEdge [m].
inline constexpr double kMinArea = 1e-10, kMinEdge = 1e-8;

/// The angle between the normals of (0, 1, 2) and (0, 3, 1), positive if the edge 0-1 is a ridge on the side to which
/// they point; its gradient as in Bridson, Marino and Fedkiw (2003).
template <class T>
CAIRN_HD ConstraintMeasure<T> bend_of(const Vec3T<T> (&r)[kConstraintEnds]) {
  const Vec3T<T> e = r[1] - r[0], to2 = r[2] - r[0], to3 = r[3] - r[0];
  const Vec3T<T> a = cross(e, to2), b = cross(to3, e);
  const T ee = dot(e, e), aa = dot(a, a), bb = dot(b, b), least = T(kMinArea) * ee * ee;
  if (!(aa > least) || !(bb > least) || !(ee > T(kMinEdge * kMinEdge))) return {T(0), {}, false};
  const T l = sqrt(ee);
  const T sine = dot(cross(a, b), e) / l, cosine = dot(a, b);
  const Vec3T<T> u2 = (l / aa) * a, u3 = (l / bb) * b;
  // positions along the edge of the feet of points 2 and 3, as shares of it
  const T s2 = dot(to2, e) / ee, s3 = dot(to3, e) / ee;
  const Vec3T<T> u1 = s2 * u2 + s3 * u3, u0 = (T(1) - s2) * u2 + (T(1) - s3) * u3;
  const auto angle = static_cast<T>(atan2(static_cast<double>(sine), static_cast<double>(cosine)));
  return {angle, {u0, u1, -u2, -u3}, true};
}

/// (r1 - r0) x (r2 - r0) . (r3 - r0) / 6
template <class T>
CAIRN_HD ConstraintMeasure<T> volume_of(const Vec3T<T> (&r)[kConstraintEnds]) {
  const T sixth = T(1.0 / 6.0);
  const Vec3T<T> a = r[1] - r[0], b = r[2] - r[0], c = r[3] - r[0];
  const Vec3T<T> by1 = sixth * cross(b, c), by2 = sixth * cross(c, a), by3 = sixth * cross(a, b);
  return {dot(by3, c), {-(by1 + by2 + by3), by1, by2, by3}, true};
}

/// For kinds other than kShape and kElastic; kAttach is at rest if its ends coincide.
template <class T>
CAIRN_HD ConstraintMeasure<T> measure(DeviceConstraintKind kind, const Vec3T<T> (&r)[kConstraintEnds]) {
  if (kind == DeviceConstraintKind::kBend) return bend_of(r);
  if (kind == DeviceConstraintKind::kVolume) return volume_of(r);
  return stretch_of(r);
}
/// For kinds other than kShape.
CAIRN_HD std::uint32_t ends_of(DeviceConstraintKind kind) {
  return kind == DeviceConstraintKind::kBend || kind == DeviceConstraintKind::kVolume ||
                 kind == DeviceConstraintKind::kElastic
             ? 4
             : 2;
}

/// The bodies of any constraint.
struct ConstraintBodies {
  const Constraint& constraint;
  const ClusterMember* member;  ///< null except for kShape
  std::uint32_t count;          ///< [1]
  CAIRN_HD std::uint32_t operator[](std::uint32_t i) const {
    return member != nullptr ? member[i].body : constraint.body[i];
  }
};
CAIRN_HD ConstraintBodies bodies_of(const Constraints& constraints, const Constraint& constraint) {
  const DeviceConstraintKind kind = constraints.law[constraint.law].kind;
  if (kind != DeviceConstraintKind::kShape) return {constraint, nullptr, ends_of(kind)};
  const std::uint32_t begin = constraints.cluster_begin[constraint.cluster];
  return {constraint, constraints.member + begin, constraints.cluster_begin[constraint.cluster + 1] - begin};
}

}  // namespace cairn::kernels
