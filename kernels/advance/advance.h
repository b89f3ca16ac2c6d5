#pragma once

#include "kernels/common/body_pack.h"
#include "kernels/common/exact.h"
#include "kernels/common/state.h"
#include "kernels/predict/gyroscope.h"

namespace cairn::kernels {

/// [rad] Half angle of a rotation below which a series gives its sine and cosine.
inline constexpr float kShortTurn = 0.05f;
/// The rotation by theta [rad], of which `half` is half the length, below kShortTurn. Series to the float's precision:
/// the next terms are under half^6 / 5040 = 3e-12.
template <class T>
CAIRN_HD QuatT<T> short_turn_by(Vec3T<T> theta, T half) {
  const T u = half * half;
  const T s = T(0.5f) * fma(u, fma(u, T(1.0f / 120.0f), T(-1.0f / 6.0f)), T(1.0f));  // sin(half) / |theta|
  return {s * theta.x, s * theta.y, s * theta.z, fma(u, fma(u, T(1.0f / 24.0f), T(-0.5f)), T(1.0f))};
}
/// exp(theta / 2) as a quaternion: the rotation by the vector theta [rad].
CAIRN_HD Quat turn_by(Vec3 theta) {
  const float half = 0.5f * length(theta);
  if (half < kShortTurn) return short_turn_by(theta, half);
  const SinCos sc = sincos(half);
  const float s = 0.5f * (sc.sin / half);
  return {s * theta.x, s * theta.y, s * theta.z, sc.cos};
}

/// The orientation q after the rotation t. In double, and kept in double from step to step: a body at rest trembles
/// within float resolution along its contacts' constraints. If the shifts were kept and the rotations that belong to
/// them were lost, it would walk (by 6 um/s, when orientations were floats). One Newton step for the root normalizes
/// it.
template <class T, class D>
CAIRN_HD QuatT<D> composed(const QuatT<T>& t, const QuatT<D>& q) {
  const QuatT<D> r = widen(t) * q;
  const D scale = fma(D(-0.5), dot(r, r), D(1.5));
  return {scale * r.x, scale * r.y, scale * r.z, scale * r.w};
}

/// Motion of a substep: dx += h v, dtheta~ += h w~, and the orientation q1 = exp(h w) q1, composed again each substep
/// because summed angle vectors get the Dzhanibekov period wrong. A body with different moments moves as without
/// torque: its angular velocity changes, and it turns by the mean (gyroscope). This comes after the impulses of forces,
/// joints and contacts, which act on the body as it is at the substep's start. So it is a symmetric step of its own,
/// and the whole is of second order. As part of the forces, before the impulses, it turned these by h w / 2 against the
/// body, and tops nodded by that. Writes solve.dx, solve.dtheta, solve.w, w1, q1, w_body and w_seen of body i. One
/// thread per body slot.
struct Advance {
  StepConstants k;
  Bodies bodies;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t flags = bodies.flags[i];
    const bool pushed = is_awake_free(flags);
    if (!pushed && (!is_kinematic(flags) || (flags & kBodyAlive) == 0 || is_disabled(flags))) return;
    BodySolve& s = bodies.solve[i];
    s.dx = fma(k.h, s.v, s.dx);
    if (pushed && (flags & kBodyGyroscopic) != 0) {
      spin(i, s);
      return;
    }
    s.dtheta = fma(k.h, s.w, s.dtheta);
    turn(i, pushed ? bodies.inv_sqrt_inertia[i] * s.w : s.w);
  }

#if CAIRN_BODY_PACKS
  /// The same for eight bodies, for those that move by themselves and turn little.
  std::uint32_t pack(std::uint32_t first) const {
    const std::uint32_t free = lanes_with(bodies.flags + first, kFreeBits, kFreeFlags);
    if (free == 0) return 0;
    const std::uint32_t spins = free & lanes_with(bodies.flags + first, kBodyGyroscopic, kBodyGyroscopic);
    Pack s[8], d[8];
    load_half(&bodies.solve[first].v, s);
    load_half(&bodies.solve[first].dx, d);
    const Vec3T<Pack> v{s[0], s[1], s[2]}, w{s[4], s[5], s[6]};
    const Vec3T<Pack> dx = fma(Pack(k.h), v, Vec3T<Pack>{d[0], d[1], d[2]}), dtheta{d[4], d[5], d[6]};
    const auto turn = [&](std::uint32_t lanes, Vec3T<Pack> mean, Vec3T<Pack> root_mean, QuatT<Packd>& q1) {
      const Vec3T<Pack> theta = Pack(k.h) * mean;
      const Pack half = Pack(0.5f) * length(theta);
      lanes &= lanes_of(half < Pack(kShortTurn));
      const Vec3T<Pack> turned = fma(Pack(k.h), root_mean, dtheta);
      Pack to[8] = {dx.x, dx.y, dx.z, d[3], turned.x, turned.y, turned.z, d[7]};
      store_half(&bodies.solve[first].dx, lanes, to);
      q1 = composed(short_turn_by(theta, half), q1);
      store4(bodies.q1 + first, lanes, q1);
      return lanes;
    };
    QuatT<Packd> q1 = load4(bodies.q1 + first);
    std::uint32_t done = 0;
    if (spins != 0) done = spin(first, spins, s, q1, turn);
    if (spins != free) {
      q1 = load4(bodies.q1 + first);
      done |= turn(free & ~spins, load6(bodies.inv_sqrt_inertia + first) * w, w, q1);
    }
    return done;
  }
#endif

 private:
  CAIRN_HD void turn(std::uint32_t i, Vec3 w) const { bodies.q1[i] = composed(turn_by(k.h * w), bodies.q1[i]); }

#if CAIRN_BODY_PACKS
  /// The same for eight bodies, for the given lanes that tumble slowly. Returns the lanes done.
  template <class Turn>
  CAIRN_HD std::uint32_t spin(std::uint32_t first, std::uint32_t lanes, Pack (&s)[8], QuatT<Packd>& q1,
                              const Turn& turn) const {
    const QuatT<Pack> q0 = narrow(q1);
    const Vec3T<Pack> w{s[4], s[5], s[6]};
    const Sym3T<Pack> root = load6(bodies.sqrt_inertia + first);
    const Vec3T<Packd> w0 = with_change(load3(bodies.w_body + first), q0, load6(bodies.inv_sqrt_inertia + first),
                                        w - load3(bodies.w_seen + first));
    lanes &= ~turns_wildly(w0, k.h);
    const double step = k.h;
    const Vec3T<Packd> inertia = relative_moments(widen(load3(bodies.inertia + first)));
    const Packd h = Packd(step) * tangent_over(Packd(0.5 * step) * length(w0)), none(0.0);
    Vec3T<Packd> w1 = w0, next;
    for (int i = 0; i < kGyroscopeSteps; ++i) {
      const Packd det = gyroscope_step(inertia, w0, h, w1, next);
      lanes &= (det > none) | (none > det);
      w1 = next;
    }
    const Vec3T<Pack> mean = to_world(q0, Packd(0.5) * (w0 + w1));
    lanes = turn(lanes, mean, root * mean, q1);
    store3(bodies.w_body + first, lanes, w1);
    const Vec3T<Pack> impulses = w - load3(bodies.w1 + first);
    const Vec3T<Pack> spun = root * to_world(narrow(q1), w1);
    const Pack::Mask mask = mask_of(lanes);
    store3(bodies.w_seen + first, mask, spun);
    store3(bodies.w1 + first, mask, spun - impulses);
    Pack to[8] = {s[0], s[1], s[2], s[3], spun.x, spun.y, spun.z, s[7]};
    store_half(&bodies.solve[first].v, lanes, to);
    return lanes;
  }
#endif

  CAIRN_HD void spin(std::uint32_t i, BodySolve& s) const {
    // the solver's changes so far, in the frame of this same orientation
    const Quat q0 = narrow(bodies.q1[i]);
    const Vec3d w0 = with_change(bodies.w_body[i], q0, bodies.inv_sqrt_inertia[i], s.w - bodies.w_seen[i]);
    const Vec3d w1 = gyroscope(bodies.inertia[i], w0, k.h);
    // if w1 is unreliable, the body turns as contacts left it, so that thin walls hold it
    const Vec3 mean = to_world(q0, turns_wildly(w0, k.h) ? w0 : 0.5 * (w0 + w1));
    s.dtheta = fma(k.h, bodies.sqrt_inertia[i] * mean, s.dtheta);
    turn(i, mean);
    bodies.w_body[i] = w1;
    // impulses are the difference of w from w1, to the bit: a body without pushes must not seem pushed
    const Vec3 impulses = s.w - bodies.w1[i];
    s.w = bodies.w_seen[i] = bodies.sqrt_inertia[i] * to_world(narrow(bodies.q1[i]), w1);
    bodies.w1[i] = s.w - impulses;
  }
};

}  // namespace cairn::kernels
