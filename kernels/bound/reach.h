#pragma once
// How far bodies get in a step, and so how far ahead they have to look.

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

/// [1] Of its smallest half extent: how far a bullet may move in a step without being looked after.
inline constexpr float kBulletFrom = 0.25f;

/// [m] How far a body gets in a step that moves it by `way` and turns it by `angle`: a ball's turning leads nowhere. Of
/// a surface, and of sensors alone, the smallest half extent is past any size: there is no ball in them.
template <class T>
CAIRN_HD T farthest_move(T radius, T min_extent, T way, T angle) {
  const T none(0.0f), inner = select(min_extent < T(2.0f) * radius, min_extent, none);
  return fma(angle, max(radius - inner, none), way);
}
CAIRN_HD float farthest_move(const Bodies& bodies, std::uint32_t i, float way, float angle) {
  return farthest_move(bodies.radius[i], bodies.min_extent[i], way, angle);
}
/// [m] From how far on it could pass through something, since the margin of its contacts ends there.
CAIRN_HD float far_move(const Bodies& bodies, std::uint32_t i) {
  return ((bodies.flags[i] & kBodyBullet) != 0 ? kBulletFrom : 1.0f) * bodies.min_extent[i];
}

/// [m/s] Of a body, with what forces make of it in the step.
template <class T>
CAIRN_HD T forced_speed(const StepConstants& k, T inv_mass, Vec3T<T> force, Vec3T<T> v) {
  return fma(inv_mass * length(force), T(k.dt), length(v));
}
CAIRN_HD float forced_speed(const StepConstants& k, const Bodies& bodies, std::uint32_t i) {
  return forced_speed(k, bodies.inv_mass[i], force_on(bodies, i), bodies.v[i]);
}

/// True for a body that gets so far in this step.
CAIRN_HD bool leaps(const StepConstants& k, const Bodies& bodies, std::uint32_t i) {
  return is_dynamic(bodies.flags[i]) &&
         farthest_move(bodies, i, forced_speed(k, bodies, i) * k.dt, length(bodies.w[i]) * k.dt) > far_move(bodies, i);
}

/// [m] How far the box of a body that doesn't leap reaches beyond it: of speed v [m/s], rate w [rad/s], in gravity of
/// that size.
template <class T>
CAIRN_HD T calm_reach(const StepConstants& k, T radius, T min_extent, T v, T w, T fall, T rest) {
  const T speed = v + w * radius + fall * T(k.dt);
  return min(fma(speed, T(k.dt), rest), min_extent);
}

/// [m] How far the box of body i reaches beyond it in this step, to either side. For most never more than its smallest
/// half extent; what moves farther is stopped where it would pass through something (kernels/ccd/ccd.h), which its
/// box must then reach.
CAIRN_HD float reach_of_step(const StepConstants& k, const Bodies& bodies, const Worlds& worlds, std::uint32_t i) {
  const float radius = bodies.radius[i], least = bodies.min_extent[i];
  const std::uint32_t world = bodies.world[i];
  const float v = forced_speed(k, bodies, i), w = length(bodies.w[i]);
  const float fall = length(bodies.gravity_scale[i] * worlds.gravity[world]);
  const float rest = 2.0f * recycle_length(worlds.params[world], radius, least);
  if (!leaps(k, bodies, i)) return calm_reach(k, radius, least, v, w, fall, rest);
  // what would be faster than a body may be is frozen before it gets there; and no turning leads out of the bounding
  // ball
  const float way = min(fma(fall, k.dt, v), kMaxSpeed) * k.dt;
  return way + min(w * k.dt, 1.0f) * radius + rest;
}

/// [m] What is added to that for particles of a fluid, of so large spheres: solids matter to them from farther out, and
/// in the next step as far as they get in it, up to a spacing.
CAIRN_HD float fluid_reach(const Fluids& fluids, std::uint32_t body, float radius, float way) {
  if (!fluids.has(body)) return 0.0f;
  const float s = fluids.law_of(body).spacing;
  return max(kWallReach * s - radius, 0.0f) + min(way, s);
}

/// What two bodies that meet have in common.
template <class T>
struct PairReachT {
  T radius;     ///< [m] of the smaller one
  T least;      ///< [m] smallest half extent of those that may move
  T tolerance;  ///< [m] within which their manifolds are kept
  T speed;      ///< [m/s] at which they may come nearer to each other
  /// [m] Up to this distance they have contact points.
  CAIRN_HD T margin(const StepConstants& k) const {
    return max(min(fma(speed, T(k.dt), T(2.0f) * tolerance), least), T(1.25f) * tolerance);
  }
};
using PairReach = PairReachT<float>;

/// [m] Smallest half extent of two bodies; a thin wall that stands still bounds nothing: what flies at it needs the
/// margin of its own size.
CAIRN_HD float least_extent(const Bodies& bodies, std::uint32_t a, std::uint32_t b) {
  const auto own_min = [&](std::uint32_t i) {
    return is_dynamic(bodies.flags[i]) || is_kinematic(bodies.flags[i]) ? bodies.min_extent[i] : kNoExtent;
  };
  return min(own_min(a), own_min(b));
}

/// [m] By which what turns gets nearer to others.
CAIRN_HD float turning_radius(const Bodies& bodies, std::uint32_t i) {
  return is_dynamic(bodies.flags[i]) || is_kinematic(bodies.flags[i]) ? bodies.radius[i] : 0.0f;
}

CAIRN_HD PairReach pair_reach(const StepConstants& k, const Bodies& bodies, const Worlds& worlds, std::uint32_t a,
                              std::uint32_t b) {
  const auto turning = [&](std::uint32_t i) { return length(bodies.w[i]) * turning_radius(bodies, i); };
  const std::uint32_t world = bodies.world[a];
  PairReach reach;
  reach.radius = min(bodies.radius[a], bodies.radius[b]);
  reach.least = least_extent(bodies, a, b);
  reach.tolerance = recycle_length(worlds.params[world], reach.radius, reach.least);
  reach.speed =
      length(bodies.v[b] - bodies.v[a]) + turning(a) + turning(b) + fall_of(bodies, a, b, worlds.gravity[world]) * k.dt;
  return reach;
}

}  // namespace cairn::kernels
