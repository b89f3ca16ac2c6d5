#pragma once
// The friction blocks of a row, shared by the solvers. Each takes the impulses of the block so far in l, improves them
// against the bodies' velocities, shortens them to `bound`, applies the difference to the bodies, and leaves the new
// impulses in l.

#include "kernels/common/step_state.h"
#include "kernels/solve/row_arms.h"

namespace cairn::kernels {

/// True if a row must not push a point further. At a substep's end: it approaches fast enough to bounce in the next
/// one. Before: it separates, although it may still overlap, and would keep the speed of the push.
template <bool kAtEnd, class T>
CAIRN_HD auto leave_to_impacts(const RowBlock& row, std::uint32_t lane, T vn) {
  const T fast = load<T>(row.bounce_speed, lane);
  const auto left = kAtEnd ? vn < -fast : vn > T(kAftershock) * fast;
  return load<T>(row.restitution, lane) > T(0.0f) && left;
}

/// The vector shortened to `bound`. A bound of 0 leaves nothing, however short the vector: its square underflows before
/// it does. So rolling rows do nothing for a material without rolling friction beside one with it.
template <class T>
CAIRN_HD Along<T> shortened(Along<T> a, T bound) {
  const T length2 = dot(a, a);
  const T scale = select(length2 > bound * bound, bound / sqrt(max(length2, T(1e-30f))), T(1.0f));
  return select(bound > T(0.0f), scale, T(0.0f)) * a;
}

/// [1/kg, 1/(kg m^2)] Below this an inverse mass counts as 0. Bodies have up to 1e36 kg; an inverse of less would
/// exceed the float's range, and an infinite mass times a velocity of 0 is NaN. Robots that move in a plane have such
/// rows.
inline constexpr float kNoWeight = 1e-37f;

/// 1 / a, or 0 if nothing can be pushed.
template <class T>
CAIRN_HD T inverse_or_zero(T a) {
  return select(a > T(kNoWeight), T(1.0f) / a, T(0.0f));
}

/// [kg, or kg m^2] Effective mass of a block of two rows.
template <class T>
struct BlockMass {
  T xx, xy, yy;  ///< [kg, kg m^2]

  CAIRN_HD T harmonic_mean() const {
    const T half = fma(xx, yy, -(xy * xy)) / max(xx + yy, T(1e-30f));
    return half + half;
  }
  CAIRN_HD Along<T> operator*(Along<T> v) const { return {fma(xx, v.x, xy * v.y), fma(xy, v.x, yy * v.y)}; }
};
/// [1] Determinant of a block, scaled so that its largest diagonal entry is 1, below which it is 0 to float rounding.
inline constexpr float kNoDeterminant = 1e-6f;

/// The inverse of a symmetric 2x2 matrix. If only one direction can move, as for a robot that moves in a plane, the
/// mass along that for any direction: across it there is no velocity. Zero if nothing can move.
template <class T>
CAIRN_HD BlockMass<T> block_mass(T xx, T xy, T yy) {
  // scaled to 1, so that the determinant of very light or heavy bodies stays in the float's range
  const T scale = inverse_or_zero(max(xx, yy));
  xx = xx * scale;
  yy = yy * scale;
  xy = xy * scale;
  const T det = fma(xx, yy, -(xy * xy));
  const auto both = det > T(kNoDeterminant);
  const T inv_det = scale * inverse_or_zero(det), along = scale * inverse_or_zero(xx + yy);
  return {select(both, yy * inv_det, along), select(both, -xy * inv_det, T(0.0f)), select(both, xx * inv_det, along)};
}

/// The load of a row's points, and its centre, where friction acts and from which the points have their levers of
/// twist. Points that don't touch yet have no weight. (They once had 1 %. On a disc that leans and rolls that was a
/// torque, by which friction made it rise or fall.)
template <class T>
struct Load {
  T sum{T(0.0f)};            ///< [N s]
  T x{T(0.0f)}, y{T(0.0f)};  ///< [N s m]

  CAIRN_HD void add(const RowBlock::Point& p, std::uint32_t lane, T l) {
    sum = sum + l;
    x = fma(load<T>(p.place[0], lane), l, x);
    y = fma(load<T>(p.place[1], lane), l, y);
  }
  /// Without load: `otherwise`.
  CAIRN_HD Along<T> centre(Along<T> otherwise = {T(0.0f), T(0.0f)}) const {
    const auto any = sum > T(1e-30f);
    const T inverse = T(1.0f) / max(sum, T(1e-30f));
    return select(any, Along<T>{x * inverse, y * inverse}, otherwise);
  }
};

/// The load of the row's present impulses.
template <class T>
CAIRN_HD Load<T> load_of(const RowBlock& row, std::uint32_t lane, std::uint32_t points) {
  Load<T> sum;
  for (std::uint32_t j = 0; j < points; ++j) sum.add(row.point[j], lane, load<T>(row.point[j].impulse, lane));
  return sum;
}

/// Applies normal impulses to the bodies, all at once.
template <class T, class Ends>
CAIRN_HD void push_normals(Ends& ends, Vec3T<T> n, const RowArms<T>& arms, const Load<T>& l) {
  const Along<T> moment{l.x, l.y};
  ends.push(T(1.0f), l.sum * n, arms.a.normals(l.sum, moment), arms.b.normals(l.sum, moment));
}

/// [1] Arm of a point's own twist friction, over the smallest half extent of two boxes: the patch on which a corner
/// touches a face, or two edges each other. Nothing else resists rotation about a single point, and jammed boxes that
/// two such points hold swung about their line for half a minute. (MuJoCo's default for torsion is 5 mm for any size;
/// PhysX has torsionalPatchRadius.) Of 16 piles of 3000 boxes 9, 14, 10 and 11 came to rest with 0.01, 0.015, 0.02 and
/// 0.04. Only for two boxes, with soft_step: with a patch leaning discs rise as they roll, and hulls of many corners
/// roll in circles.
inline constexpr float kTwistPatch = 0.015f;

/// [m] Distance of a row's point from the centre of load, plus the arm of its patch.
template <class T>
CAIRN_HD T lever(const RowBlock& row, std::uint32_t j, std::uint32_t lane, Along<T> centre) {
  const Along<T> arm = load2<T>(row.point[j].place, lane) - centre;
  return sqrt(dot(arm, arm)) + load<T>(row.patch, lane);
}

/// [N s m] Moment about the normal by which friction l at `from` exceeds that at `to`.
template <class T>
CAIRN_HD T turn_of_shift(Along<T> from, Along<T> to, Along<T> l) {
  return fma(from.x - to.x, l.y, -((from.y - to.y) * l.x));
}

/// [m/s] RowBlock::belt if no surface moves: added to any number it changes no bit.
inline constexpr float kNoBelt = -0.0f;

/// Turns the motion of b against a into that of their surfaces. Velocities, or with `time` [s] displacements.
template <class T>
CAIRN_HD Along<T> with_belt(const RowBlock& row, std::uint32_t lane, Along<T> motion, T time = T(1.0f)) {
  return fma(time, load2<T>(row.belt, lane), motion);
}

/// Friction at the centre of load: a 2x2 block, |l| <= bound (a true cone).
template <class T>
struct Slide {
  Vec3T<T> t0, t1;          ///< [1]
  Vec3T<T> a0, a1, b0, b1;  ///< [kg^-1/2] angular vectors
  Along<T> centre;

  CAIRN_HD Slide(const RowBlock& row, std::uint32_t lane, Vec3T<T> n, Along<T> at)
      : t0(load3<T>(row.tangent, lane)), t1(cross(n, t0)), centre(at) {
    const RowArms<T> arms(row, lane);
    a0 = arms.a.first(at);
    a1 = arms.a.second(at);
    b0 = arms.b.first(at);
    b1 = arms.b.second(at);
  }

  /// [1/kg] Inverse effective mass of the block.
  CAIRN_HD BlockMass<T> inverse_mass(const RowBlock& row, std::uint32_t lane) const {
    const T xn = load<T>(row.friction_block[3], lane), yn = load<T>(row.friction_block[4], lane);
    const T nn = load<T>(row.friction_block[5], lane), &x = centre.x, &y = centre.y;
    const T xx = fma(y, fma(y, nn, T(-2.0f) * xn), load<T>(row.friction_block[0], lane));
    const T xy = fma(x, fma(-y, nn, xn), fma(-y, yn, load<T>(row.friction_block[1], lane)));
    const T yy = fma(x, fma(x, nn, T(2.0f) * yn), load<T>(row.friction_block[2], lane));
    return {xx, xy, yy};
  }
  CAIRN_HD BlockMass<T> mass(const RowBlock& row, std::uint32_t lane) const {
    const BlockMass<T> w = inverse_mass(row, lane);
    return block_mass(w.xx, w.xy, w.yy);
  }

  /// Motion of b against a along the tangents, from linear and (times I^1/2) angular motions: velocities or
  /// displacements.
  CAIRN_HD Along<T> along(Vec3T<T> linear, Vec3T<T> angular_a, Vec3T<T> angular_b) const {
    return {dot(t0, linear, dot(b0, angular_b)) - dot(a0, angular_a),
            dot(t1, linear, dot(b1, angular_b)) - dot(a1, angular_a)};
  }
  /// [m/s] The same of two bodies, of their surfaces if some `belts` move.
  CAIRN_HD Along<T> speed(const RowBlock& row, std::uint32_t lane, const RowBody<T>& a, const RowBody<T>& b,
                          bool belts) const {
    const Along<T> v = along(b.v - a.v, a.w, b.w);
    return belts ? with_belt(row, lane, v) : v;
  }
  /// [m] The same from their displacements.
  CAIRN_HD Along<T> shift(const RowDelta<T>& a, const RowDelta<T>& b) const {
    return along(b.dx - a.dx, a.dtheta, b.dtheta);
  }

  /// Against the slip velocity v, from the share `keep` of l. Returns minus the slip velocity that the cone leaves
  /// [m/s].
  template <class Ends>
  CAIRN_HD Along<T> push(const RowBlock& row, std::uint32_t lane, Ends& ends, Along<T> v, T bound, Along<T>& l,
                         T keep = T(1.0f)) const {
    const BlockMass<T> m = mass(row, lane);
    const Along<T> kept = keep * l, free = kept - m * v;
    // beyond the cone, a step along the slip itself: the block's mass differs by direction and would turn the friction
    // away from it. The harmonic mean of the block's eigenvalues keeps the step stable.
    const T mean = m.harmonic_mean();
    const Along<T> wanted = select(dot(free, free) > bound * bound, kept - mean * v, free);
    const Along<T> next = shortened(wanted, bound), change = next - l;
    l = next;
    ends.push(change.x, t0, a0, b0);
    ends.push(change.y, t1, a1, b1);
    return inverse_or_zero(mean) * (wanted - next);
  }
};

/// [1/s] Friction of 1 kg over its slip, at rest.
CAIRN_HD float holding_rate(const Softness& soft) { return soft.mass_scale * soft.bias_rate / soft.impulse_scale; }
/// False for contacts that hardly push: their slip doesn't determine friction.
CAIRN_HD bool holds(const Softness& soft) { return holding_rate(soft) > 1e-20f; }

/// [m] The slip from an anchor for the present friction, of contacts that hold.
template <class T>
CAIRN_HD Along<T> held_slip(const Softness& soft, const RowBlock& row, std::uint32_t lane, const Slide<T>& slide) {
  const T rate(holding_rate(soft));
  const Along<T> f = load2<T>(row.friction_impulse, lane);
  const Along<T> slip = slide.inverse_mass(row, lane) * Along<T>{f.x / rate, f.y / rate};
  return {-slip.x, -slip.y};
}

/// Reduces a row's slip from its anchor at the end of a step [m] to the part that friction of at most `bound` can hold.
/// Beyond the cone the anchor is drawn along, so that at rest the row would be on it (the return mapping of
/// plasticity).
template <class T>
CAIRN_HD Along<T> draw_anchor(const Softness& soft, const RowBlock& row, std::uint32_t lane, const Slide<T>& slide,
                              T bound, Along<T> slip) {
  const Along<T> f = T(holding_rate(soft)) * (slide.mass(row, lane) * slip);
  const T square = dot(f, f);
  return select(square > bound * bound, (bound / sqrt(square)) * slip, slip);
}

/// [1] Min share of the friction bound that an anchor still holds after sliding.
inline constexpr float kSlidHold = 0.9f;

/// Lets a row's anchor slide by `way` [m], the part of a push that the cone cut off, if the remaining slip x still
/// holds kSlidHold of `bound` at rest, against friction l. Spring and damper reach the cone together, mostly
/// while the spring alone is inside it, and then draw_anchor leaves the anchor in place. The spring gave back on one
/// way of a body what was cut off on the other: jammed boxes kept going to and fro by 1 mm/s. A slider in series with
/// spring and damper dissipates it. Without the min hold, the anchor of a fast sliding body would run ahead and push it
/// on. Once a substep and pass: repeated passes would each take a share.
template <class T, class Mask>
CAIRN_HD void slide_anchor(const Softness& soft, RowBlock& row, std::uint32_t lane, const Slide<T>& slide, T bound,
                           Mask slides, Along<T> way, Along<T> x, Along<T> l) {
  const Along<T> f = T(holding_rate(soft)) * (slide.mass(row, lane) * (x + way));
  const auto kept = slides && T(kSlidHold) * bound * bound < -dot(f, l);
  const Along<T> slip = load2<T>(row.slip, lane);
  store2(row.slip, lane, select(kept, slip + way, slip));
}

/// [kg m^2]
template <class T>
CAIRN_HD T twist_mass(const RowBlock& row, std::uint32_t lane) {
  return inverse_or_zero(load<T>(row.friction_block[5], lane));
}

/// Friction against rotation about the normal: one row, |l| <= bound.
template <class T, class Ends>
CAIRN_HD void twist(const RowBlock& row, std::uint32_t lane, Ends& ends, T bound, T& l) {
  const Vec3T<T> j_a = load3<T>(row.axes_a[2], lane), j_b = load3<T>(row.axes_b[2], lane);
  const T free = l - twist_mass<T>(row, lane) * (dot(j_b, ends.b.w) - dot(j_a, ends.a.w));
  const T next = clamp(free, -bound, bound);
  ends.turn(next - l, j_a, j_b);
  l = next;
}

/// [kg m^2]
template <class T>
CAIRN_HD BlockMass<T> rolling_mass(const RowBlock& row, std::uint32_t lane) {
  return {load<T>(row.rolling_mass[0], lane), load<T>(row.rolling_mass[1], lane), load<T>(row.rolling_mass[2], lane)};
}

/// Resistance to rolling: a 2x2 block of rotation about the tangents, |l| <= bound.
template <class T, class Ends>
CAIRN_HD void roll(const RowBlock& row, std::uint32_t lane, Ends& ends, T bound, Along<T>& l) {
  const Vec3T<T> a0 = load3<T>(row.axes_a[0], lane), a1 = load3<T>(row.axes_a[1], lane);
  const Vec3T<T> b0 = load3<T>(row.axes_b[0], lane), b1 = load3<T>(row.axes_b[1], lane);
  const Along<T> w{dot(b0, ends.b.w) - dot(a0, ends.a.w), dot(b1, ends.b.w) - dot(a1, ends.a.w)};
  const Along<T> next = shortened(l - rolling_mass<T>(row, lane) * w, bound);
  ends.turn(next.x - l.x, a0, b0);
  ends.turn(next.y - l.y, a1, b1);
  l = next;
}

}  // namespace cairn::kernels
