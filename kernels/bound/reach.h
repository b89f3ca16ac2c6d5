#pragma once
// How far bodies move in a step, and so how far the broad phase must search.

#include "kernels/common/fluids.h"
#include "kernels/common/state.h"
#include "kernels/predict/predict.h"

namespace cairn::kernels {

/// Length within which a body's manifolds are kept [m]: a share of its radius, at most a quarter of its smallest half
/// extent.
template <class T>
CAIRN_HD T recycle_length(T tolerance, T radius, T min_extent) {
  return min(tolerance * radius, T(0.25f) * min_extent);
}
CAIRN_HD float recycle_length(const WorldParams& params, float radius, float min_extent) {
  return recycle_length(params.recycle_tolerance, radius, min_extent);
}

/// [m] More than any extent, and still finite when multiplied.
inline constexpr float kNoExtent = 1e18f;

/// [1] Max motion of a bullet in a step without CCD, as a share of its smallest half extent.
inline constexpr float kBulletFrom = 0.25f;

/// [m] Max motion of a point of a body in a step that moves it by `way` and turns it by `angle`: turning a ball moves
/// no point of it outwards. The smallest half extent of a surface, or of a body with sensors only, exceeds any size:
/// they contain no ball.
template <class T>
CAIRN_HD T farthest_move(T radius, T min_extent, T way, T angle) {
  const T none(0.0f), inner = select(min_extent < T(2.0f) * radius, min_extent, none);
  return fma(angle, max(radius - inner, none), way);
}
CAIRN_HD float farthest_move(const Bodies& bodies, std::uint32_t i, float way, float angle) {
  return farthest_move(bodies.radius[i], bodies.min_extent[i], way, angle);
}
/// [m] Motion from which the body could pass through something, since the margin of its contacts ends there.
CAIRN_HD float far_move(const Bodies& bodies, std::uint32_t i) {
  return ((bodies.flags[i] & kBodyBullet) != 0 ? kBulletFrom : 1.0f) * bodies.min_extent[i];
}

/// [m/s] Speed of a body, with the effect of forces in the step.
template <class T>
CAIRN_HD T forced_speed(const StepConstants& k, T inv_mass, Vec3T<T> force, Vec3T<T> v) {
  return fma(inv_mass * length(force), T(k.dt), length(v));
}
CAIRN_HD float forced_speed(const StepConstants& k, const Bodies& bodies, std::uint32_t i) {
  return forced_speed(k, bodies.inv_mass[i], force_on(bodies, i), bodies.v[i]);
}

/// True for a body that moves that far in this step.
CAIRN_HD bool leaps(const StepConstants& k, const Bodies& bodies, std::uint32_t i) {
  return is_dynamic(bodies.flags[i]) &&
         farthest_move(bodies, i, forced_speed(k, bodies, i) * k.dt, length(bodies.w[i]) * k.dt) > far_move(bodies, i);
}

/// [m] How far the box of a body that doesn't leap extends beyond the body, at speed v [m/s], rate w [rad/s] and
/// gravity `fall` [m/s^2].
template <class T>
CAIRN_HD T calm_reach(const StepConstants& k, T radius, T min_extent, T v, T w, T fall, T rest) {
  const T speed = v + w * radius + fall * T(k.dt);
  return min(fma(speed, T(k.dt), rest), min_extent);
}

/// [m] How far the box of body i extends beyond the body in this step. Usually at most its smallest half extent. A body
/// that moves farther is stopped where it would pass through something (kernels/ccd/ccd.h), and its box must extend
/// that far.
CAIRN_HD float reach_of_step(const StepConstants& k, const Bodies& bodies, const Worlds& worlds, std::uint32_t i) {
  const float radius = bodies.radius[i], least = bodies.min_extent[i];
  const std::uint32_t world = bodies.world[i];
  const float v = forced_speed(k, bodies, i), w = length(bodies.w[i]);
  const float fall = length(bodies.gravity_scale[i] * worlds.gravity[world]);
  const float rest = 2.0f * recycle_length(worlds.params[world], radius, least);
  if (!leaps(k, bodies, i)) return calm_reach(k, radius, least, v, w, fall, rest);
  // a body above the max speed is frozen before it gets there; and no rotation leads out of the bounding ball
  const float way = min(fma(fall, k.dt, v), kMaxSpeed) * k.dt;
  return way + min(w * k.dt, 1.0f) * radius + rest;
}

/// [m] Added to that for fluid particles, whose spheres have that radius. Solids affect them from farther out, and in
/// the next step also over the distance that they move in this one, up to a spacing.
CAIRN_HD float fluid_reach(const Fluids& fluids, std::uint32_t body, float radius, float way) {
  if (!fluids.has(body)) return 0.0f;
  const float s = fluids.law_of(body).spacing;
  return max(kWallReach * s - radius, 0.0f) + min(way, s);
}

/// Reach of two bodies that meet.
template <class T>
struct PairReachT {
  T radius;      ///< [m] of the smaller one
  T min_extent;  ///< [m] smallest half extent of those of the two that may move
  T tolerance;   ///< [m] within which their manifolds are kept
  T speed;       ///< [m/s] max approach speed
  /// [m] Max distance at which they have contact points.
  CAIRN_HD T margin(const StepConstants& k) const {
    return max(min(fma(speed, T(k.dt), T(2.0f) * tolerance), min_extent), least_margin());
  }
  /// [m] The margin is never smaller, whatever the step and their speeds.
  CAIRN_HD T least_margin() const { return T(1.25f) * tolerance; }
};
using PairReach = PairReachT<float>;

/// [m] Smallest half extent of two bodies. A thin static wall doesn't count: a body that flies at it needs the margin
/// of its own size.
CAIRN_HD float min_extent_of(const Bodies& bodies, std::uint32_t a, std::uint32_t b) {
  const auto own_min = [&](std::uint32_t i) {
    return is_dynamic(bodies.flags[i]) || is_kinematic(bodies.flags[i]) ? bodies.min_extent[i] : kNoExtent;
  };
  return min(own_min(a), own_min(b));
}

/// [m] Factor of the rate of turning in the approach speed.
CAIRN_HD float turning_radius(const Bodies& bodies, std::uint32_t i) {
  return is_dynamic(bodies.flags[i]) || is_kinematic(bodies.flags[i]) ? bodies.radius[i] : 0.0f;
}

/// The reach of bodies that don't move, in each lane of a T.
template <class T>
CAIRN_HD PairReachT<T> reach_at_rest(const Bodies& bodies, const Worlds& worlds, const std::uint32_t* a,
                                     const std::uint32_t* b) {
  const auto in_lanes = [](const auto& f) { return of_lanes<T>(f); };
  PairReachT<T> reach;
  reach.radius = in_lanes([&](std::uint32_t i) { return min(bodies.radius[a[i]], bodies.radius[b[i]]); });
  reach.min_extent = in_lanes([&](std::uint32_t i) { return min_extent_of(bodies, a[i], b[i]); });
  const T tolerance = in_lanes([&](std::uint32_t i) { return worlds.params[bodies.world[a[i]]].recycle_tolerance; });
  reach.tolerance = recycle_length(tolerance, reach.radius, reach.min_extent);
  reach.speed = T(0.0f);
  return reach;
}
/// The same with their speed in this step. Arrays of bodies and worlds have one more at the end.
template <class T>
CAIRN_HD PairReachT<T> pair_reach(const StepConstants& k, const Bodies& bodies, const Worlds& worlds,
                                  const std::uint32_t* a, const std::uint32_t* b) {
  const auto turning = [&](const std::uint32_t* body) {
    return length(vectors_at<T>(bodies.w, body)) *
           of_lanes<T>([&](std::uint32_t i) { return turning_radius(bodies, body[i]); });
  };
  PairReachT<T> reach = reach_at_rest<T>(bodies, worlds, a, b);
  const Vec3T<T> gravity = vectors_at<T>([&](std::uint32_t i) { return worlds.gravity + bodies.world[a[i]]; });
  const T fall = length(of_lanes<T>([&](std::uint32_t i) { return fall_scale(bodies, a[i], b[i]); }) * gravity);
  reach.speed =
      length(vectors_at<T>(bodies.v, b) - vectors_at<T>(bodies.v, a)) + turning(a) + turning(b) + fall * T(k.dt);
  return reach;
}
CAIRN_HD PairReach pair_reach(const StepConstants& k, const Bodies& bodies, const Worlds& worlds, std::uint32_t a,
                              std::uint32_t b) {
  return pair_reach<float>(k, bodies, worlds, &a, &b);
}

}  // namespace cairn::kernels
