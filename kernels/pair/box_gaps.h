#pragma once

#include <cmath>

#include "kernels/bound/reach.h"
#include "kernels/collide/box_box_sat.h"
#include "kernels/collide/far.h"

namespace cairn::kernels {

/// Two boxes in each lane of a T.
template <class T>
struct BoxPairs {
  std::uint32_t shape_a[kLanesOf<T>], shape_b[kLanesOf<T>];  ///< [1] slots
  std::uint32_t a[kLanesOf<T>], b[kLanesOf<T>];              ///< [1] their bodies

  CAIRN_HD void set(std::uint32_t lane, std::uint32_t slot_a, std::uint32_t slot_b, const Shapes& shapes) {
    // ordered, so that the result doesn't depend on which one found the other
    shape_a[lane] = slot_a < slot_b ? slot_a : slot_b;
    shape_b[lane] = slot_a < slot_b ? slot_b : slot_a;
    a[lane] = shapes.body[shape_a[lane]];
    b[lane] = shapes.body[shape_b[lane]];
  }
};

/// A box in each lane of a T.
template <class T>
struct BoxLanes {
  Vec3T<T> x, h;  ///< [m] centre, half extents
  Mat3T<T> r;
  std::uint32_t good;  ///< bit by lane: its orientation is unit, and all of it finite

  /// As ManifoldUpdate::renew and box_pose compute it, with its body there.
  CAIRN_HD BoxLanes(const Bodies& bodies, const Shapes& shapes, const std::uint32_t* shape, const std::uint32_t* body,
                    Vec3T<T> there) {
    const auto geometry = [&](std::uint32_t i) { return shapes.geometry + shape[i]; };
    const QuatT<T> q = quats_at<T>(bodies.q, body);
    const QuatT<T> turned = q * quats_at<T>([&](std::uint32_t i) { return &geometry(i)->orientation; });
    x = there + rotate(q, vectors_at<T>([&](std::uint32_t i) { return &geometry(i)->position; }));
    h = vectors_at<T>([&](std::uint32_t i) { return &geometry(i)->size; });
    r = matrix_of(turned);
    good = lanes_of(abs(dot(turned, turned) - T(1.0f)) <= T(kUnitWithin) && finite(x) && finite(h));
  }
};

/// How far two boxes are apart, in each lane of a T.
template <class T>
struct BoxGaps {
  T gap;                ///< [m] the largest along a normal of their faces; negative if they overlap along all
  std::uint32_t known;  ///< bit by lane: the gap is
  std::uint32_t apart;  ///< bit by lane: it exceeds the margin of `collide`, which then finds no points
};

/// Gaps along the normals of faces, six of the fifteen separating axes (Gottschalk, Lin and Manocha 1996). Far pairs
/// count as near. Particles of fluids, which reach farther, are balls.
template <class T>
CAIRN_HD BoxGaps<T> gaps_of(const StepConstants& k, const Bodies& bodies, const Shapes& shapes, const Worlds& worlds,
                            const BoxPairs<T>& of) {
  // arrays of bodies have one more at the end
  const auto between = [&](const Vec3* of_bodies) {
    return vectors_at<T>(of_bodies, of.b) - vectors_at<T>(of_bodies, of.a);
  };
  const BoxLanes<T> a(bodies, shapes, of.shape_a, of.a, {T(0.0f), T(0.0f), T(0.0f)});
  const BoxLanes<T> b(bodies, shapes, of.shape_b, of.b, between(bodies.x) + between(bodies.x_low));
  const Mat3T<T> r = matrix_in(a.r, b.r);
  const Vec3T<T> d = transpose_mul(a.r, b.x - a.x), along_a = gaps_along_a(a.h, b.h, r, d),
                 along_b = gaps_along_b(a.h, b.h, r, d);
  const T gap = max(max_component(along_a), max_component(along_b));
  const std::uint32_t known = a.good & b.good & lanes_of(finite(d));
  std::uint32_t apart = known & lanes_of(T(0.0f) < gap);
  // where all overlap the margin isn't needed
  if (apart == 0) return {gap, known, 0};
  const T margin = pair_reach<T>(k, bodies, worlds, of.a, of.b).margin(k);
  apart &= lanes_of(finite(margin) && margin < gap);
  for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) {
    if ((apart >> i & 1u) != 0 && far_pair(bodies, of.a[i], of.b[i]).any) apart &= ~(1u << i);
  }
  return {gap, known, apart};
}

/// Tests pairs of boxes: tell(entry, slot_a, slot_b, apart, gap), with NaN for a gap that isn't known. Pairs wait until
/// there are as many as lanes in a T.
template <class T, class F>
class BoxSieve {
 public:
  template <class Query>
  CAIRN_HD BoxSieve(const Query& q, const F& tell)
      : k_(q.k), bodies_(q.bodies), shapes_(q.shapes), worlds_(q.worlds), tell_(tell) {}

  CAIRN_HD void operator()(std::uint32_t entry, std::uint32_t slot_a, std::uint32_t slot_b) {
    if constexpr (kLanesOf<T> == 1) {
      BoxPairs<T> boxes;
      boxes.set(0, slot_a, slot_b, shapes_);
      const BoxGaps<T> gaps = gaps_of(k_, bodies_, shapes_, worlds_, boxes);
      tell_(entry, slot_a, slot_b, gaps.apart != 0, gaps.known != 0 ? gaps.gap : NAN);
    } else {
      entry_[count_] = entry;
      a_[count_] = slot_a;
      b_[count_] = slot_b;
      if (++count_ == kLanesOf<T>) flush();
    }
  }
  /// Tests those that wait. To be called once more at the end.
  CAIRN_HD void flush() {
    if (count_ == 0) return;
    BoxPairs<T> boxes;
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) {
      const std::uint32_t from = i < count_ ? i : 0;
      boxes.set(i, a_[from], b_[from], shapes_);
    }
    const BoxGaps<T> gaps = gaps_of(k_, bodies_, shapes_, worlds_, boxes);
    float gap[kLanesOf<T>];
    store(gap, 0, gaps.gap);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const auto is = [i](std::uint32_t lanes) { return (lanes >> i & 1u) != 0; };
      tell_(entry_[i], a_[i], b_[i], is(gaps.apart), is(gaps.known) ? gap[i] : NAN);
    }
    count_ = 0;
  }

 private:
  const StepConstants& k_;
  const Bodies& bodies_;
  const Shapes& shapes_;
  const Worlds& worlds_;
  const F& tell_;
  std::uint32_t count_{0}, entry_[kLanesOf<T>], a_[kLanesOf<T>], b_[kLanesOf<T>];
};

}  // namespace cairn::kernels
