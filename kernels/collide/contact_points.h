#pragma once
// Inputs and outputs of the narrow phase, and small helpers that its files share.

#include <cstdint>

#include "kernels/common/state.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// [1] Tolerance of the squared length of a unit quaternion.
inline constexpr float kUnitWithin = 1e-6f;

/// Pose of a shape relative to the centre of mass of body A, in world axes.
struct ShapePose {
  Vec3 x;               ///< [m] the shape's centre; of a plane, any point on it
  Quat q;               ///< [1] shape to world; a plane's normal is the image of z
  Vec3 x_low{0, 0, 0};  ///< [m] rounding error of x; code in double adds it
  Vec3 pull{0, 0, 0};   ///< [m/s^2] gravity: a shape on a round end tips over the lowest point of its rim
};

/// One contact point. b - a is along the manifold's normal.
struct ContactPoint {
  Vec3 a;                 ///< [m] on A's surface, relative to A's centre of mass, world axes
  Vec3 b;                 ///< [m] on B's surface, the same
  float separation;       ///< [m] normal . (b - a); negative where the shapes overlap
  std::uint32_t feature;  ///< [1] names the features in contact; equal in the next step while they stay the same
};

struct ContactPoints {
  Vec3 normal;            ///< [1] unit, from A to B
  std::uint32_t count;    ///< [1] 0..4
  bool flat;              ///< [1] a face lies on a face
  ContactPoint point[4];  ///< (count)
};

CAIRN_HD ContactPoints no_contact() {
  ContactPoints out;
  out.normal = {0, 0, 1};
  out.count = 0;
  out.flat = false;
  return out;
}

/// Adds a point; the manifold must have room.
CAIRN_HD void add_point(ContactPoints& out, Vec3 a, float separation, std::uint32_t feature) {
  out.point[out.count] = {a, fma(separation, out.normal, a), separation, feature};
  ++out.count;
}

CAIRN_HD ContactPoints one_contact(Vec3 normal, Vec3 a, float separation) {
  ContactPoints out = no_contact();
  out.normal = normal;
  add_point(out, a, separation, 0);
  return out;
}

/// Index of the largest element; the first of equals.
template <class T>
CAIRN_HD std::uint32_t largest_of(Vec3T<T> a) {
  return a.x >= a.y && a.x >= a.z ? 0u : (a.y >= a.z ? 1u : 2u);
}
/// Index of the face normal, of a box with these axes, that is nearest to a direction with the components `size`; an
/// earlier axis wins near ties.
template <class T>
CAIRN_HD std::uint32_t face_along(Vec3T<T> size) {
  return largest_of(Vec3T<T>{size.x + T(1e-3), size.y + T(5e-4), size.z});
}
CAIRN_HD Vec3 axis_of(int i) { return {i == 0 ? 1.0f : 0.0f, i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f}; }
/// `sign`'s sign, with plus for zero.
CAIRN_HD float sign_of(float sign) { return sign < 0.0f ? -1.0f : 1.0f; }
/// 1 for a negative number, else 0.
CAIRN_HD std::uint32_t sign_bit(float sign) { return sign < 0.0f ? 1u : 0u; }

/// A box with its rotation as a matrix.
struct BoxPose {
  Vec3 x;  ///< [m] centre
  Mat3 r;  ///< [1] box to world
  Vec3 h;  ///< [m] half extents
};

}  // namespace cairn::kernels
