#pragma once
// How far boxes may have moved since a test of their pair: while that is less than what the test had to spare, its
// result holds, and the boxes needn't be looked at. A box has half extents h, |h| = r. Its centre moves by dc and its
// unit quaternion changes by dq; then no normal of a face changes by more than 2 |dq|, and no point of the box moves
// farther than |dc| + 2 r |dq|. A gap along one's normal also depends on a lever, the distance of the centres plus the
// radius of the other. Where that is at most 4 r, each of the two changes the gap by at most
//   |dc| + 8 r |dq|.
// The sum of this over the steps is a box's path.

#include <algorithm>
#include <cmath>

#include "kernels/collide/contact_points.h"
#include "kernels/common/body_pack.h"
#include "kernels/common/shapes.h"

namespace cairn::kernels {

/// [m] A longer path has too few digits left, and begins again.
inline constexpr float kMaxPath = 1000.0f;
/// [1] Longest lever over the radius.
inline constexpr float kMaxLever = 4.0f;
/// [1] Allowance of a path for the rounding of its sum, over its length; a few times float32's resolution.
inline constexpr float kPathLoss = 5e-7f;
/// [1] Allowance for the rounding of a gap, and for quaternions that are unit to within kUnitWithin, over both radii.
/// Smaller lets a result stand that a test would change.
inline constexpr float kGapLoss = 4e-5f;
/// [1] Allowance for the rounding of positions, over the distance from the origin, or from the body to its shape.
inline constexpr float kBoxLoss = 5e-7f;
/// [1] Max change of a gap, over the smaller radius, for which a test is trusted: levers grow with it.
inline constexpr float kMaxGapChange = 0.5f;
/// [1] A box that reaches farther beyond its shape, over the smallest half extent of its body, moves so fast that its
/// reach ends there.
inline constexpr float kCalmReach = 0.999f;

/// The lanes in which boxes are followed.
#if CAIRN_BODY_PACKS
using MotionLanes = Pack;
#else
using MotionLanes = float;
#endif

/// Where boxes were, a box a lane; at first nowhere.
struct BoxBlock {
  static constexpr std::uint32_t kBoxes = kLanesOf<MotionLanes>, kWords = 16;

  float place[kWords][kBoxes];  ///< [any] BoxPlace
  float tolerance[kBoxes];      ///< [m] how much farther the axis-aligned box may extend

  BoxBlock() { std::fill_n(&place[0][0], sizeof *this / sizeof(float), NAN); }
};

/// Where a box is, in each lane of a T.
template <class T>
struct BoxPlace {
  Vec3T<T> x, x_low;     ///< [m] of its body
  Vec3T<T> offset;       ///< [m] of its centre from there, world axes
  QuatT<T> orientation;  ///< [1] to the world
  Vec3T<T> half;         ///< [m] half extents

  /// Arrays of bodies have one more at the end.
  CAIRN_HD BoxPlace(const Bodies& bodies, const Shapes& shapes, const std::uint32_t (&shape)[kLanesOf<T>]) {
    const auto geometry = [&](std::uint32_t i) { return shapes.geometry + shape[i]; };
    const auto body = [&](std::uint32_t i) { return shapes.body[shape[i]]; };
    x = vectors_at<T>([&](std::uint32_t i) { return bodies.x + body(i); });
    x_low = vectors_at<T>([&](std::uint32_t i) { return bodies.x_low + body(i); });
    const QuatT<T> q = quats_at<T>([&](std::uint32_t i) { return bodies.q + body(i); });
    offset = rotate(q, vectors_at<T>([&](std::uint32_t i) { return &geometry(i)->position; }));
    orientation = q * quats_at<T>([&](std::uint32_t i) { return &geometry(i)->orientation; });
    half = vectors_at<T>([&](std::uint32_t i) { return &geometry(i)->size; });
  }
  explicit BoxPlace(const BoxBlock& block) {
    each_word([&](std::uint32_t w, T& to) { to = load<T>(block.place[w], 0); });
  }
  /// Back to the block, in these lanes.
  void put(MaskT<T> lanes, BoxBlock& block) {
    each_word([&](std::uint32_t w, const T& from) {
      store(block.place[w], 0, select(lanes, from, load<T>(block.place[w], 0)));
    });
  }

  CAIRN_HD MaskT<T> is_unit() const { return abs(dot(orientation, orientation) - T(1.0f)) <= T(kUnitWithin); }
  /// [m] What its path grows by on the way from another place.
  CAIRN_HD T way_from(const BoxPlace& p) const {
    const QuatT<T>&q = orientation, &o = p.orientation;
    const QuatT<T> turn{q.x - o.x, q.y - o.y, q.z - o.z, q.w - o.w};
    // axis-aligned boxes are made without x_low
    const Vec3T<T> high = (x - p.x) + (offset - p.offset), way = high + (x_low - p.x_low);
    return fma(T(2.0f * kMaxLever) * length(half), sqrt(dot(turn, turn)), max(length(high), length(way)));
  }
  CAIRN_HD MaskT<T> is_as_large_as(const BoxPlace& p) const {
    return half.x == p.half.x && half.y == p.half.y && half.z == p.half.z;
  }
  /// [m] Half extents of the axis-aligned box around it.
  CAIRN_HD Vec3T<T> extent() const {
    const Mat3T<T> r = matrix_of(orientation);
    return fma(half.x, abs(r.x), fma(half.y, abs(r.y), half.z * abs(r.z)));
  }

 private:
  template <class F>
  CAIRN_HD void each_word(const F& f) {
    std::uint32_t w = 0;
    for (Vec3T<T>* v : {&x, &x_low, &offset, &half}) {
      f(w++, v->x);
      f(w++, v->y);
      f(w++, v->z);
    }
    for (T* part : {&orientation.x, &orientation.y, &orientation.z, &orientation.w}) f(w++, *part);
  }
};

}  // namespace cairn::kernels
