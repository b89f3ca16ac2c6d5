#pragma once
// What joints measure, and how it changes with the motion of their bodies.

#include "kernels/common/bases.h"
#include "kernels/common/joints.h"
#include "kernels/common/state.h"
#include "kernels/joints/angle.h"

namespace cairn::kernels {

/// One end of a joint, where it is at this substep.
struct JointEnd {
  std::uint32_t body;   ///< [1] the immovable body where there is none
  Vec3d anchor;         ///< [m] world
  Vec3 arm;             ///< [m] from the centre of mass to the anchor, world
  Quatd frame;          ///< [1] joint frame to world
  Mat3 axes;            ///< [1] of the frame, world
  float inv_mass;       ///< [1/kg] 0 where nothing may push it
  float movable;        ///< [1]
  Sym3 inv_inertia;     ///< [1/(kg m^2)] as it is now; of a body that turns
  Sym3 inv_root, root;  ///< [kg^-1/2 / m, kg^1/2 m] I^-1/2 and I^1/2 as they were at the step's start
  Vec3 w;               ///< [rad/s]
  Vec3 speed;           ///< [m/s]   of the anchor
  Vec3 bend;            ///< [m/s^2] how that changes with no impulse: the anchor goes round
};

/// A gradient of a coordinate c: dc/dt = linear_a . v_a + angular_a . w_a + linear_b . v_b + angular_b . w_b.
struct JointGradient {
  Vec3 linear_a, linear_b;    ///< [1, 1/m] per metre of c, or per radian
  Vec3 angular_a, angular_b;  ///< [m, 1]   the same
};

/// What anchors grow by, with their bodies.
struct JointScales {
  const Scales* world;    ///< (worlds)
  const BodyScales* own;  ///< (bodies) null in a World without scales

  CAIRN_HD double size_of(const Bodies& bodies, std::uint32_t body) const {
    if (own == nullptr || !is_dynamic(bodies.flags[body])) return 1.0;
    return static_cast<double>(total_scales(world[bodies.world[body]], own[body]).size);
  }
};

CAIRN_HD JointEnd end_of(const Bodies& bodies, const JointScales& scales, std::uint32_t nobody, std::uint32_t body,
                         Vec3d anchor, Quat frame) {
  JointEnd e{};
  e.inv_root = e.root = {1, 1, 1, 0, 0, 0};
  if (body == kNone) {
    e.body = nobody;
    e.anchor = anchor;
    e.frame = widen(frame);
    e.axes = matrix_of(frame);
    return e;
  }
  e.body = body;
  const BodySolve& s = bodies.solve[body];
  // what takes no part has no orientation of this step
  const Quatd q = takes_part(bodies.flags[body]) ? bodies.q1[body] : widen(bodies.q[body]);
  const Vec3d arm = rotate(q, scales.size_of(bodies, body) * anchor);
  e.arm = narrow(arm);
  e.anchor = widen(bodies.x[body]) + (widen(bodies.x_low[body]) + (widen(s.dx) + arm));
  e.frame = q * widen(frame);
  e.axes = matrix_of(narrow(e.frame));
  const bool pushed = s.movable > 0.0f;
  e.w = pushed ? bodies.inv_sqrt_inertia[body] * s.w : s.w;
  const Vec3 round = cross(e.w, e.arm);
  e.speed = s.v + round;
  e.bend = cross(e.w, round);
  if (!pushed) return e;
  e.inv_mass = s.inv_mass;
  e.movable = 1.0f;
  const Vec3 moments = bodies.inertia[body];
  e.inv_inertia = turned_diagonal(matrix_of(narrow(q)), Vec3{1.0f / moments.x, 1.0f / moments.y, 1.0f / moments.z});
  e.inv_root = bodies.inv_sqrt_inertia[body];
  e.root = bodies.sqrt_inertia[body];
  return e;
}

/// Of a turn of b in a: w_b and w_a count in opposite ways.
CAIRN_HD JointGradient turning(Vec3 axis) { return {{0, 0, 0}, {0, 0, 0}, -axis, axis}; }

/// [1] Least square of an axis' shadow by which its angle is taken to change: where the shadow vanishes the angle is
/// none, and a torque about it would turn the axis without bound.
inline constexpr float kMinShadow = 1e-2f;

/// atan2(p, q) of two dot products that change by w . dp and w . dq, w = w_b - w_a.
CAIRN_HD JointGradient turning(float p, float q, Vec3 dp, Vec3 dq) {
  const float square = max(fma(p, p, q * q), kMinShadow);
  return turning((1.0f / square) * (q * dp - p * dq));
}

CAIRN_HD double angle_of(float p, float q) { return atan2(static_cast<double>(p), static_cast<double>(q)); }

/// What a joint measures along its axes.
struct JointMeasure {
  double value[kJointAxes];  ///< [m, rad]
  JointGradient gradient[kJointAxes];
  float bend[kJointAxes];  ///< [m/s^2] d^2 c / dt^2 without impulses, of shifts and lengths
};

/// Of the length of d, which changes by `speed` and that by `bend`: what goes round stays on a circle.
CAIRN_HD float bend_of_length(double length, Vec3 n, Vec3 speed, Vec3 bend) {
  const float along = dot(n, speed), across = dot(speed, speed) - along * along;
  return length > 0.0 ? dot(n, bend) + across / static_cast<float>(length) : 0.0f;
}

/// Shifts of b's anchor along the axes of frame a: c = u . d, d = anchor_b - anchor_a.
CAIRN_HD void measure_shifts(const JointEnd& a, const JointEnd& b, JointMeasure& m) {
  const Vec3 d = narrow(b.anchor - a.anchor);
  for (int i = 0; i < 3; ++i) {
    const Vec3 u = column(a.axes, i);
    m.value[i] = static_cast<double>(dot(u, d));
    m.gradient[i] = {-u, u, -cross(a.arm + d, u), cross(b.arm, u)};
    // c'' = u . d'' + 2 u' . d' + u'' . d
    const Vec3 turns = cross(a.w, u);
    m.bend[i] = dot(u, b.bend - a.bend, dot(2.0f * turns, b.speed - a.speed, dot(cross(a.w, turns), d)));
  }
}

/// Twist about x and swing about y and z: the turn of b in a is a twist about x, then a swing that brings x to where it
/// is (Dobrowolski 2015). dtwist/dt = (x_a + x_b) . w / (1 + x_a . x_b). A swing about one axis is the angle of x_b's
/// shadow in the plane across it.
CAIRN_HD void measure_swing_twist(const JointEnd& a, const JointEnd& b, JointMeasure& m) {
  const Quatd& f = a.frame;
  const Quatd r = Quatd{-f.x, -f.y, -f.z, f.w} * b.frame;
  m.value[3] = 2.0 * atan2(r.x, r.w);
  const Vec3 x = b.axes.x;
  const float along = dot(x, a.axes.x), y = dot(x, a.axes.y), z = dot(x, a.axes.z);
  m.gradient[3] = turning((1.0f / max(1.0f + along, 0.01f)) * (a.axes.x + x));
  const Vec3 dx = cross(x, a.axes.x);
  m.value[4] = angle_of(-z, along);
  m.gradient[4] = turning(-z, along, -cross(x, a.axes.z), dx);
  m.value[5] = angle_of(y, along);
  m.gradient[5] = turning(y, along, cross(x, a.axes.y), dx);
}

/// The angle between the two x axes, in the place of the swing about y.
CAIRN_HD void measure_cone(const JointEnd& a, const JointEnd& b, JointMeasure& m) {
  const Vec3 across = cross(a.axes.x, b.axes.x);
  const float sine = length(across);
  m.value[4] = angle_of(sine, dot(a.axes.x, b.axes.x));
  m.gradient[4] = turning(normalized(across, a.axes.y));
}

/// Turns about x of frame a and y of frame b, and the angle by which these two axes aren't square.
CAIRN_HD void measure_cardan(const JointEnd& a, const JointEnd& b, JointMeasure& m) {
  const Vec3 x = a.axes.x, y = b.axes.y;
  const float p = dot(y, a.axes.z), q = dot(y, a.axes.y);
  m.value[3] = angle_of(p, q);
  m.gradient[3] = turning(p, q, cross(y, a.axes.z), cross(y, a.axes.y));
  const float r = dot(x, b.axes.z), s = dot(x, b.axes.x);
  m.value[4] = angle_of(r, s);
  m.gradient[4] = turning(r, s, cross(b.axes.z, x), cross(b.axes.x, x));
  m.value[5] = static_cast<double>(-dot(x, y));
  m.gradient[5] = turning(cross(x, y));
}

/// The distance of the anchors.
CAIRN_HD void measure_distance(const JointEnd& a, const JointEnd& b, JointMeasure& m) {
  const Vec3d d = b.anchor - a.anchor;
  const double far = length(d);
  const Vec3 n = normalized(narrow(d), a.axes.x);
  m.value[0] = far;
  m.gradient[0] = {-n, n, -cross(a.arm, n), cross(b.arm, n)};
  m.bend[0] = bend_of_length(far, n, b.speed - a.speed, b.bend - a.bend);
}

/// The rope from ground_a to a, and `ratio` times that from ground_b to b.
CAIRN_HD void measure_pulley(const JointEnd& a, const JointEnd& b, const JointModel& model, JointMeasure& m) {
  const Vec3d to_a = a.anchor - model.ground_a, to_b = b.anchor - model.ground_b;
  const float ratio = model.ratio[0];
  const Vec3 n_a = normalized(narrow(to_a), Vec3{0, 0, 1}), n_b = normalized(narrow(to_b), Vec3{0, 0, 1});
  const double far_a = length(to_a), far_b = length(to_b);
  m.value[0] = fma(static_cast<double>(ratio), far_b, far_a);
  m.bend[0] = fma(ratio, bend_of_length(far_b, n_b, b.speed, b.bend), bend_of_length(far_a, n_a, a.speed, a.bend));
  m.gradient[0] = {n_a, ratio * n_b, cross(a.arm, n_a), ratio * cross(b.arm, n_b)};
}

}  // namespace cairn::kernels
