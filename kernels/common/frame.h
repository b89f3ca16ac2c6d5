#pragma once
// The two frames of a body. Users describe it in its own frame. The solver uses the principal frame: origin at the
// centre of mass, axes along the principal axes of inertia. In double, so that a pose survives conversion and back.

#include <cstdint>

#include "kernels/common/arrays.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// A pose as users give it, of the body's own origin and axes.
struct BodyPose {
  Vec3d x;  ///< [m] world
  Quat q;   ///< [1] body to world, unit
};

/// The same pose in the solver's form.
struct PrincipalPose {
  Vec3 x, x_low;  ///< [m] centre of mass, world, as a float pair
  Quat q;         ///< [1] principal frame to world
};

/// The body's principal frame, in its own frame.
struct BodyFrame {
  Vec3d centre;        ///< [m] centre of mass
  QuatT<double> axes;  ///< [1] principal frame to body
  /// True if the two frames are equal: poses are copied bit for bit.
  CAIRN_HD bool plain() const {
    return centre.x == 0 && centre.y == 0 && centre.z == 0 && axes.x == 0 && axes.y == 0 && axes.z == 0 && axes.w == 1;
  }
};

/// Frames by body slot, and the bodies in their user's order.
struct Frames {
  Vec3d* centre;            ///< [m] (bodies) BodyFrame::centre
  QuatT<double>* axes;      ///< [1] (bodies) BodyFrame::axes
  std::uint32_t* row_slot;  ///< [1] (bodies) slot of each living body: world by world, in the order of World::bodies()
  friend bool operator==(const Frames&, const Frames&) = default;
};
template <Same<Frames> V>
inline constexpr TypedList kArrays<V>{
    derived<&V::centre>({.name = "centre_of_mass", .unit = "m", .meaning = "in the body's own frame"}),
    derived<&V::axes>({.name = "principal_axes", .meaning = "x, y, z, w: principal frame to the body's own"}),
    derived<&V::row_slot>()};

// Plain products: the sums are too short for fma to matter, and each rounding is where it is written.

CAIRN_HD QuatT<double> times(const QuatT<double>& a, const QuatT<double>& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
CAIRN_HD Vec3d turn(const QuatT<double>& q, Vec3d v) {
  const Vec3d t{q.y * v.z - q.z * v.y, q.z * v.x - q.x * v.z, q.x * v.y - q.y * v.x};
  const Vec3d s{q.y * t.z - q.z * t.y, q.z * t.x - q.x * t.z, q.x * t.y - q.y * t.x};
  return {v.x + 2 * (q.w * t.x + s.x), v.y + 2 * (q.w * t.y + s.y), v.z + 2 * (q.w * t.z + s.z)};
}

/// The unit quaternion along q, which isn't zero. A quaternion that is unit up to float rounding stays bit for bit, so
/// that a second call changes nothing. Components are off by half an ulp at most, relative 2^-24, so the squared length
/// by 2 * 2^-24; twice that leaves room for this function's own arithmetic.
CAIRN_HD Quat unit(Quat q) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  const double squared = x * x + y * y + z * z + w * w;
  const double off = squared - 1.0;
  if (off <= 4 * 0x1p-24 && off >= -4 * 0x1p-24) return q;
  const double length = sqrt(squared);
  return narrow(Quatd{x / length, y / length, z / length, w / length});
}

CAIRN_HD PrincipalPose principal_pose(const BodyFrame& frame, const BodyPose& pose) {
  Vec3d x = pose.x;
  QuatT<double> q = widen(pose.q);
  if (!frame.plain()) {
    x = x + turn(q, frame.centre);
    q = times(q, frame.axes);
  }
  const Vec3 high = narrow(x);
  return {high, narrow(x - widen(high)), narrow(q)};
}

CAIRN_HD BodyPose body_pose(const BodyFrame& frame, const PrincipalPose& pose) {
  const Vec3d x = widen(pose.x) + widen(pose.x_low);
  if (frame.plain()) return {x, pose.q};
  const QuatT<double> q = times(widen(pose.q), conjugate(frame.axes));
  return {x - turn(q, frame.centre), unit(narrow(q))};
}

}  // namespace cairn::kernels
