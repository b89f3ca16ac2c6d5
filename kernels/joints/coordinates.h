#pragma once
// Coordinates of joints, and their gradients.

#include <type_traits>

#include "kernels/common/bases.h"
#include "kernels/common/joints.h"
#include "kernels/common/state.h"
#include "kernels/joints/angle_pack.h"

namespace cairn::kernels {

/// One end of a joint, at the pose of this substep; of each lane of a T.
template <class T>
struct JointEndT {
  Vec3T<WideT<T>> anchor;   ///< [m] world
  Vec3T<T> arm;             ///< [m] from the centre of mass to the anchor, world
  QuatT<WideT<T>> frame;    ///< [1] joint frame to world
  Mat3T<T> axes;            ///< [1] of the frame, world
  T inv_mass;               ///< [1/kg] 0 where it can't be pushed
  MaskT<T> moves;           ///< [1] it can be pushed
  Sym3T<T> inv_inertia;     ///< [1/(kg m^2)] at its present orientation; of a body that turns
  Sym3T<T> inv_root, root;  ///< [kg^-1/2 / m, kg^1/2 m] I^-1/2 and I^1/2 as they were at the step's start
  Vec3T<T> w;               ///< [rad/s]
  Vec3T<T> speed;           ///< [m/s]   of the anchor
  Vec3T<T> bend;            ///< [m/s^2] acceleration of the anchor without impulses: centripetal
};

/// A gradient of a coordinate c: dc/dt = linear_a . v_a + angular_a . w_a + linear_b . v_b + angular_b . w_b.
template <class T>
struct JointGradientT {
  Vec3T<T> linear_a, linear_b;    ///< [1, 1/m] per metre of c, or per radian
  Vec3T<T> angular_a, angular_b;  ///< [m, 1]   the same
};

/// Scales of bodies, by which their anchors grow.
struct JointScales {
  const Scales* world;    ///< (worlds)
  const BodyScales* own;  ///< (bodies) null in a World without scales

  CAIRN_HD double size_of(const Bodies& bodies, std::uint32_t body) const {
    if (own == nullptr || !is_dynamic(bodies.flags[body])) return 1.0;
    return static_cast<double>(total_scales(world[bodies.world[body]], own[body]).size);
  }
};

/// Vectors, quaternions or symmetric matrices, one for each lane of a T.
template <class T, template <class> class V, class S>
CAIRN_HD auto gather(const V<S>* const (&from)[kLanesOf<T>]) {
  using Lanes = std::conditional_t<std::is_same_v<S, float>, T, WideT<T>>;
  constexpr std::size_t kNumbers = sizeof(V<S>) / sizeof(S);
  const S* first[kLanesOf<T>];
  for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) first[i] = reinterpret_cast<const S*>(from[i]);
  if constexpr (kNumbers == 3) {
    V<Lanes> v;
    gather3(first, v.x, v.y, v.z);
    return v;
  } else if constexpr (kNumbers == 4) {
    Lanes v[4];
    gather4(first, v);
    return V<Lanes>{v[0], v[1], v[2], v[3]};
  } else {
    Lanes v[6];
    gather6(first, v);
    return V<Lanes>{v[0], v[1], v[2], v[3], v[4], v[5]};
  }
}
/// Those of an array.
template <class T, template <class> class V, class S>
CAIRN_HD auto gather(const V<S>* array, const std::uint32_t (&at)[kLanesOf<T>]) {
  const V<S>* from[kLanesOf<T>];
  for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) from[i] = array + at[i];
  return gather<T>(from);
}

/// Ends b of the joints, or ends a. At least one of the two bodies must exist.
template <class T>
CAIRN_HD JointEndT<T> end_of(const Bodies& bodies, const JointScales& scales,
                             const JointModel* const (&model)[kLanesOf<T>], bool is_b) {
  using W = WideT<T>;
  constexpr std::uint32_t kLanes = kLanesOf<T>;
  std::uint32_t at[kLanes];
  const Vec3d* anchors[kLanes];
  const Quat* frames[kLanes];
  const Vec3* ways[kLanes];
  const float* moves[kLanes];
  double sizes[kLanes];
  float bodied[kLanes], parts[kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const JointModel& m = *model[i];
    const std::uint32_t own = is_b ? m.body_b : m.body_a;
    // an end in the world loads the other body's data, and discards it
    at[i] = own != kNone ? own : (is_b ? m.body_a : m.body_b);
    bodied[i] = own != kNone ? 1.0f : 0.0f;
    sizes[i] = own != kNone ? scales.size_of(bodies, own) : 1.0;
    anchors[i] = is_b ? &m.anchor_b : &m.anchor_a;
    frames[i] = is_b ? &m.frame_b : &m.frame_a;
    parts[i] = takes_part(bodies.flags[at[i]]) ? 1.0f : 0.0f;
    moves[i] = &bodies.solve[at[i]].v.x;
    ways[i] = &bodies.solve[at[i]].dx;
  }
  const T none(0.0f), one(1.0f);
  const Vec3T<T> zero{none, none, none};
  const MaskT<T> there = from_lanes<T>(bodied) > none;
  const Vec3T<W> anchor = gather<T>(anchors);
  const QuatT<W> frame = widen(gather<T>(frames));
  // bodies that take no part have no orientation of this step
  const QuatT<W> q = select(from_lanes<T>(parts) > none, gather<T>(bodies.q1, at), widen(gather<T>(bodies.q, at)));
  const Vec3T<T> x = gather<T>(bodies.x, at), x_low = gather<T>(bodies.x_low, at), dx = gather<T>(ways);
  const Vec3T<T> moment = gather<T>(bodies.inertia, at);
  T solve[8];
  gather8(moves, solve);

  JointEndT<T> e;
  e.moves = there && solve[7] > none;
  const Vec3T<W> arm = rotate(q, wide_from_lanes<T>(sizes) * anchor);
  e.arm = select(there, narrow(arm), zero);
  e.anchor = select(there, widen(x) + (widen(x_low) + (widen(dx) + arm)), anchor);
  e.frame = select(there, q * frame, frame);
  e.axes = matrix_of(narrow(e.frame));
  e.inv_mass = select(e.moves, solve[3], none);
  const Sym3T<T> unit{one, one, one, none, none, none};
  e.inv_root = select(e.moves, gather<T>(bodies.inv_sqrt_inertia, at), unit);
  e.root = select(e.moves, gather<T>(bodies.sqrt_inertia, at), unit);
  e.inv_inertia =
      select(e.moves, turned_diagonal(matrix_of(narrow(q)), Vec3T<T>{one / moment.x, one / moment.y, one / moment.z}),
             Sym3T<T>{none, none, none, none, none, none});
  const Vec3T<T> v{solve[0], solve[1], solve[2]}, w{solve[4], solve[5], solve[6]};
  e.w = select(there, select(e.moves, e.inv_root * w, w), zero);
  const Vec3T<T> round = cross(e.w, e.arm);
  e.speed = select(there, v, zero) + round;
  e.bend = cross(e.w, round);
  return e;
}

/// Gradient of a turn of b in a: w_b and w_a have opposite signs.
template <class T>
CAIRN_HD JointGradientT<T> turning(Vec3T<T> axis) {
  const T none(0.0f);
  return {{none, none, none}, {none, none, none}, -axis, axis};
}

/// [1] Min square of an axis' projection in the gradient of its angle: where the projection vanishes the angle is
/// undefined, and a torque about it would turn the axis without bound.
inline constexpr float kMinShadow = 1e-2f;

/// Gradient of atan2(p, q) of two dot products that change by w . dp and w . dq, w = w_b - w_a.
template <class T>
CAIRN_HD JointGradientT<T> turning(T p, T q, Vec3T<T> dp, Vec3T<T> dq) {
  const T square = max(fma(p, p, q * q), T(kMinShadow));
  return turning((T(1.0f) / square) * (q * dp - p * dq));
}

template <class T>
CAIRN_HD WideT<T> angle_of(T p, T q) {
  return atan2(widen(p), widen(q));
}

/// Coordinates of a joint along its axes.
template <class T>
struct JointMeasureT {
  WideT<T> value[kJointAxes];  ///< [m, rad]
  JointGradientT<T> gradient[kJointAxes];
  T bend[kJointAxes];  ///< [m/s^2] d^2 c / dt^2 without impulses, of shifts and lengths
};

/// Second derivative of |d| without impulses, where d' = `speed` and d'' = `bend`: a rotating point stays on a circle.
template <class T>
CAIRN_HD T bend_of_length(WideT<T> length, Vec3T<T> n, Vec3T<T> speed, Vec3T<T> bend) {
  const T along = dot(n, speed), across = dot(speed, speed) - along * along;
  return select(mask_of(length > WideT<T>(0.0)), dot(n, bend) + across / narrow(length), T(0.0f));
}

/// Shifts of b's anchor along the axes of frame a: c = u . d, d = anchor_b - anchor_a.
template <class T>
CAIRN_HD void measure_shifts(const JointEndT<T>& a, const JointEndT<T>& b, JointMeasureT<T>& m) {
  const Vec3T<T> d = narrow(b.anchor - a.anchor);
  for (int i = 0; i < 3; ++i) {
    const Vec3T<T> u = column(a.axes, i);
    m.value[i] = widen(dot(u, d));
    m.bend[3 + i] = T(0.0f);
    m.gradient[i] = {-u, u, -cross(a.arm + d, u), cross(b.arm, u)};
    // c'' = u . d'' + 2 u' . d' + u'' . d
    const Vec3T<T> turns = cross(a.w, u);
    m.bend[i] = dot(u, b.bend - a.bend, dot(T(2.0f) * turns, b.speed - a.speed, dot(cross(a.w, turns), d)));
  }
}

/// Twist about x and swing about y and z: the rotation of b in a is a twist about x, then a swing that brings x to its
/// direction (Dobrowolski 2015). dtwist/dt = (x_a + x_b) . w / (1 + x_a . x_b). A swing about one axis is the angle of
/// the projection of x_b on the plane normal to it.
template <class T>
CAIRN_HD void measure_swing_twist(const JointEndT<T>& a, const JointEndT<T>& b, JointMeasureT<T>& m) {
  const QuatT<WideT<T>> r = conjugate(a.frame) * b.frame;
  m.value[3] = WideT<T>(2.0) * atan2(r.x, r.w);
  const Vec3T<T> x = b.axes.x;
  const T along = dot(x, a.axes.x), y = dot(x, a.axes.y), z = dot(x, a.axes.z);
  m.gradient[3] = turning((T(1.0f) / max(T(1.0f) + along, T(0.01f))) * (a.axes.x + x));
  const Vec3T<T> dx = cross(x, a.axes.x);
  m.value[4] = angle_of(-z, along);
  m.gradient[4] = turning(-z, along, -cross(x, a.axes.z), dx);
  m.value[5] = angle_of(y, along);
  m.gradient[5] = turning(y, along, cross(x, a.axes.y), dx);
}

/// [1] Squared sine of the angle between x axes below which rounding decides the axis across them.
inline constexpr float kSameAxis = 1e-10f;
/// [rad^2/s^2] Squared angular speed of a swing above which its direction is used.
inline constexpr float kSwings = 1e-6f;

/// In these lanes, the angle between the two x axes replaces the swing about y. The swing about z becomes the turn of x
/// of frame b round x of frame a: friction acts on both directions of a swing, which stay orthogonal at any angle.
/// Where the axes coincide, the first direction is that of the swing, or y at rest.
template <class T>
CAIRN_HD void measure_cone(const JointEndT<T>& a, const JointEndT<T>& b, MaskT<T> lanes, JointMeasureT<T>& m) {
  const Vec3T<T> across = cross(a.axes.x, b.axes.x);
  m.value[4] = select(lanes, angle_of(length(across), dot(a.axes.x, b.axes.x)), m.value[4]);
  const Vec3T<T> turn = b.w - a.w, swing = fma(-dot(turn, a.axes.x), a.axes.x, turn);
  const Vec3T<T> way = select(dot(swing, swing) > T(kSwings), swing, a.axes.y);
  const Vec3T<T> axis = normalized(select(dot(across, across) > T(kSameAxis), across, way), a.axes.y);
  m.gradient[4] = turning(select(lanes, axis, m.gradient[4].angular_b));
  m.gradient[5] = turning(select(lanes, cross(axis, b.axes.x), m.gradient[5].angular_b));
}

/// [1] Cosine of the angle between the x axes below which locked swings use the shortest turn. Nearer to 0 the locks
/// would already contradict each other there; nearer to 1 the bits of joints bent by their loads would change.
inline constexpr float kFarSwing = 0.5f;

/// [1] Squared sine of an angle near 180 degrees below which rounding leaves no axis: any across the x axes will do.
inline constexpr float kOpposite = 1e-6f;

/// Swings that are both locked, in these lanes: the shortest turn that brings x of frame b back to x of frame a, by its
/// components about y and z of frame a. Projections fail here: at a right angle both turn about the same axis, and two
/// locks contradict each other. Gradients are y and z after the swing: they keep x of b from any other path. The factor
/// angle / sin(angle) across the turn's axis is left out: it has no effect where both components go to 0.
template <class T>
CAIRN_HD void measure_far_swings(const JointEndT<T>& a, const JointEndT<T>& b, MaskT<T> lanes, JointMeasureT<T>& m) {
  const Vec3T<T> across = cross(a.axes.x, b.axes.x);
  const WideT<T> angle = angle_of(length(across), dot(a.axes.x, b.axes.x));
  const auto opposite = dot(across, across) < T(kOpposite);
  const Vec3T<T> n = select(opposite, a.axes.y, normalized(across, a.axes.y));
  const Vec3T<T> before = cross(n, a.axes.x), after = cross(n, b.axes.x);
  const auto swing = [&](int axis, Vec3T<T> about) {
    const T part = dot(n, about);
    const Vec3T<T> swung = fma(part, n, dot(before, about) * after);
    m.value[axis] = select(lanes, angle * widen(part), m.value[axis]);
    m.gradient[axis] = turning(select(lanes, swung, m.gradient[axis].angular_b));
  };
  swing(4, a.axes.y);
  swing(5, a.axes.z);
}

/// Swings and twist that are all locked, in these lanes, where the swing is far: the components of the whole turn of b
/// in a. Where the x axes are opposite, a twist is not defined separately.
template <class T>
CAIRN_HD void measure_far_turn(const JointEndT<T>& a, const JointEndT<T>& b, MaskT<T> lanes, JointMeasureT<T>& m) {
  using W = WideT<T>;
  const QuatT<W> r = conjugate(a.frame) * b.frame;
  const QuatT<W> way = select(mask_of(W(0.0) > r.w), QuatT<W>{-r.x, -r.y, -r.z, -r.w}, r);
  const W sine = length(Vec3T<W>{way.x, way.y, way.z}), scale = W(2.0) * atan2(sine, way.w) / sine;
  const W parts[3] = {way.x, way.y, way.z};
  for (int i = 0; i < 3; ++i) {
    m.value[3 + i] = select(lanes, scale * parts[i], m.value[3 + i]);
    m.gradient[3 + i] = turning(select(lanes, column(a.axes, i), m.gradient[3 + i].angular_b));
  }
}

/// Turns about x of frame a and y of frame b, and the error of the right angle between these two axes.
template <class T>
CAIRN_HD void measure_cardan(const JointEndT<T>& a, const JointEndT<T>& b, JointMeasureT<T>& m) {
  const Vec3T<T> x = a.axes.x, y = b.axes.y;
  const T p = dot(y, a.axes.z), q = dot(y, a.axes.y);
  m.value[3] = angle_of(p, q);
  m.gradient[3] = turning(p, q, cross(y, a.axes.z), cross(y, a.axes.y));
  const T r = dot(x, b.axes.z), s = dot(x, b.axes.x);
  m.value[4] = angle_of(r, s);
  m.gradient[4] = turning(r, s, cross(b.axes.z, x), cross(b.axes.x, x));
  m.value[5] = widen(-dot(x, y));
  m.gradient[5] = turning(cross(x, y));
}

/// The distance between the anchors.
template <class T>
CAIRN_HD void measure_distance(const JointEndT<T>& a, const JointEndT<T>& b, JointMeasureT<T>& m) {
  m = {};
  const Vec3T<WideT<T>> d = b.anchor - a.anchor;
  const WideT<T> far = length(d);
  const Vec3T<T> n = normalized(narrow(d), a.axes.x);
  m.value[0] = far;
  m.gradient[0] = {-n, n, -cross(a.arm, n), cross(b.arm, n)};
  m.bend[0] = bend_of_length(far, n, b.speed - a.speed, b.bend - a.bend);
}

/// Length of the rope from ground_a to a, and `ratio` times the length from ground_b to b.
template <class T>
CAIRN_HD void measure_pulley(const JointEndT<T>& a, const JointEndT<T>& b,
                             const JointModel* const (&model)[kLanesOf<T>], JointMeasureT<T>& m) {
  m = {};
  using W = WideT<T>;
  constexpr std::uint32_t kLanes = kLanesOf<T>;
  const Vec3d *grounds_a[kLanes], *grounds_b[kLanes];
  float ratios[kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    grounds_a[i] = &model[i]->ground_a;
    grounds_b[i] = &model[i]->ground_b;
    ratios[i] = model[i]->ratio[0];
  }
  const T ratio = from_lanes<T>(ratios), none(0.0f);
  const Vec3T<T> z{none, none, T(1.0f)};
  const Vec3T<W> to_a = a.anchor - gather<T>(grounds_a), to_b = b.anchor - gather<T>(grounds_b);
  const Vec3T<T> n_a = normalized(narrow(to_a), z), n_b = normalized(narrow(to_b), z);
  const W far_a = length(to_a), far_b = length(to_b);
  m.value[0] = fma(widen(ratio), far_b, far_a);
  m.bend[0] = fma(ratio, bend_of_length(far_b, n_b, b.speed, b.bend), bend_of_length(far_a, n_a, a.speed, a.bend));
  m.gradient[0] = {n_a, ratio * n_b, cross(a.arm, n_a), ratio * cross(b.arm, n_b)};
}

}  // namespace cairn::kernels
