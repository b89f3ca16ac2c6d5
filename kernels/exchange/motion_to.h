#pragma once
// The velocity that takes a kinematic body to a pose.

#include "kernels/common/frame.h"
#include "kernels/joints/angle.h"

namespace cairn::kernels {

struct BodyMotion {
  Vec3 v, w;  ///< [m/s] of the centre of mass, [rad/s]
};

/// The velocity that takes a body from one pose to another in `dt` [s], both unit: the shorter rotation, at a constant
/// rate.
CAIRN_HD BodyMotion motion_to(const BodyFrame& frame, const BodyPose& now, const BodyPose& then, double dt) {
  const Vec3d way = then.x + turn(widen(then.q), frame.centre) - (now.x + turn(widen(now.q), frame.centre));
  QuatT<double> turned = widen(then.q) * conjugate(widen(now.q));
  if (turned.w < 0) turned = {-turned.x, -turned.y, -turned.z, -turned.w};
  const Vec3d along{turned.x, turned.y, turned.z};
  const double sine = length(along), angle = 2 * kernels::atan2(sine, turned.w);
  const double per_sine = (sine > 0 ? angle / sine : 0) / dt;
  return {narrow((1 / dt) * way), narrow(per_sine * along)};
}

}  // namespace cairn::kernels
