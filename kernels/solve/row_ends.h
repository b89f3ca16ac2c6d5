#pragma once
// The two bodies of a row, for one lane or eight.

#include "kernels/common/pack.h"
#include "kernels/common/state.h"

namespace cairn::kernels {

/// [1] Factor of the impact threshold between bodies of which one was struck in the same substep. An impact through
/// touching bodies splits into slow impacts, and if these don't bounce, its energy is lost. Points that separate faster
/// than this aren't pushed apart either.
inline constexpr float kAftershock = 0.01f;

template <class T>
struct RowBody {
  Vec3T<T> v;  ///< [m/s]
  T inv_mass;  ///< [1/kg]
  Vec3T<T> w;  ///< [kg^1/2 m/s] w~
  T movable;   ///< [1] 1 if awake and dynamic, else 0

  /// Adds an impulse l along (linear, angular).
  CAIRN_HD void push(T l, Vec3T<T> linear, Vec3T<T> angular) {
    v = fma(l * inv_mass, linear, v);
    w = fma(l * movable, angular, w);
  }
  /// Adds an angular impulse only.
  CAIRN_HD void turn(T l, Vec3T<T> angular) { w = fma(l * movable, angular, w); }
};

template <class T>
struct RowDelta {
  Vec3T<T> dx;      ///< [m] since the step's start
  Vec3T<T> dtheta;  ///< [kg^1/2 m] dtheta~
};

CAIRN_HD void gather(const BodySolve* solve, const std::uint32_t* body, RowBody<float>& to) {
  const BodySolve& s = solve[*body];
  to = {s.v, s.inv_mass, s.w, s.movable};
}
CAIRN_HD void gather(const BodySolve* solve, const std::uint32_t* body, RowDelta<float>& to) {
  to = {solve[*body].dx, solve[*body].dtheta};
}
/// Bodies that can't be pushed are never written: other rows may be reading them.
CAIRN_HD void scatter(BodySolve* solve, const std::uint32_t* body, const RowBody<float>& from) {
  if (!(from.movable > 0.0f)) return;
  BodySolve& s = solve[*body];
  s.v = from.v;
  s.w = from.w;
}

#if !defined(__CUDA_ARCH__)

CAIRN_HD void gather(const BodySolve* solve, const std::uint32_t* body, RowBody<Pack>& to) {
  Pack r[8];
  for (int i = 0; i < 8; ++i) r[i] = load<Pack>(&solve[body[i]].v.x, 0);
  transpose(r);
  to = {{r[0], r[1], r[2]}, r[3], {r[4], r[5], r[6]}, r[7]};
}
CAIRN_HD void gather(const BodySolve* solve, const std::uint32_t* body, RowDelta<Pack>& to) {
  Pack r[8];
  for (int i = 0; i < 8; ++i) r[i] = load<Pack>(&solve[body[i]].dx.x, 0);
  transpose(r);
  to = {{r[0], r[1], r[2]}, {r[4], r[5], r[6]}};
}
CAIRN_HD void scatter(BodySolve* solve, const std::uint32_t* body, const RowBody<Pack>& from) {
  Pack r[8] = {from.v.x, from.v.y, from.v.z, from.inv_mass, from.w.x, from.w.y, from.w.z, from.movable};
  transpose(r);
  each_set(lanes_of(from.movable > Pack(0.0f)), [&](std::uint32_t i) { store(&solve[body[i]].v.x, 0, r[i]); });
}

#endif

/// Vectors of bodies that can be pushed; 0 for the others.
template <class T>
CAIRN_HD void gather(const Vec3* of_bodies, const std::uint32_t* body, T movable, Vec3T<T>& to) {
  const std::uint32_t pushed = lanes_of(movable > T(0.0f));
  Vec3 of[kLanesOf<T> + 1];
  for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) of[i] = (pushed >> i & 1u) != 0 ? of_bodies[body[i]] : Vec3{0, 0, 0};
  to = vectors_at<T>([&](std::uint32_t i) { return &of[i]; });
}

/// Loads both bodies of a row as End.
template <class End>
CAIRN_HD void gather_ends(const BodySolve* solve, const RowBlock& row, std::uint32_t lane, End& a, End& b) {
  gather(solve, &row.body_a[lane], a);
  gather(solve, &row.body_b[lane], b);
}

/// Writes that share of a body's change.
template <class T>
CAIRN_HD void keep_share(BodySolve* solve, const std::uint32_t* body, T share, const RowBody<T>& wanted) {
  RowBody<T> now;
  gather(solve, body, now);
  now.v = now.v + share * (wanted.v - now.v);
  now.w = now.w + share * (wanted.w - now.w);
  scatter(solve, body, now);
}

/// Both bodies of a row, without articulations.
template <class T>
struct FreeEnds {
  using Number = T;
  RowBody<T> a, b;

  CAIRN_HD FreeEnds(const BodySolve* solve, const RowBlock& row, std::uint32_t lane) {
    gather_ends(solve, row, lane, a, b);
  }
  /// Applies the impulse l along (linear, j_b) to b, and the opposite one to a.
  CAIRN_HD void push(T l, Vec3T<T> linear, Vec3T<T> j_a, Vec3T<T> j_b) {
    a.push(-l, linear, j_a);
    b.push(l, linear, j_b);
  }
  CAIRN_HD void turn(T l, Vec3T<T> j_a, Vec3T<T> j_b) {
    a.turn(-l, j_a);
    b.turn(l, j_b);
  }
  /// Nothing to do: the next substep starts from v1.
  CAIRN_HD void starts_anew() const {}
  /// Writes the velocities to the bodies.
  CAIRN_HD void keep(BodySolve* solve, const RowBlock& row, std::uint32_t lane) const {
    scatter(solve, &row.body_a[lane], a);
    scatter(solve, &row.body_b[lane], b);
  }
  /// Writes that share of the change.
  CAIRN_HD void keep(BodySolve* solve, const RowBlock& row, std::uint32_t lane, T share) const {
    keep_share(solve, &row.body_a[lane], share, a);
    keep_share(solve, &row.body_b[lane], share, b);
  }
};

/// If no body is a link of an articulation.
struct NoLinks {};

/// f(ends, lane) for the lanes of a T, all at once.
template <class T, class F>
CAIRN_HD void with_ends(BodySolve* solve, const NoLinks&, RowBlock& row, std::uint32_t lane, const F& f) {
  FreeEnds<T> ends(solve, row, lane);
  f(ends, lane);
}

template <class T>
CAIRN_HD Vec3T<T> load3(const float (&field)[3][kRowLanes], std::uint32_t lane) {
  return {load<T>(field[0], lane), load<T>(field[1], lane), load<T>(field[2], lane)};
}
template <class T>
CAIRN_HD void store3(float (&field)[3][kRowLanes], std::uint32_t lane, Vec3T<T> a) {
  store(field[0], lane, a.x);
  store(field[1], lane, a.y);
  store(field[2], lane, a.z);
}

/// [m/s] Velocity of b against a along n at a point with these angular vectors.
template <class T, class Body>
CAIRN_HD T approach(Vec3T<T> n, Vec3T<T> j_a, Vec3T<T> j_b, const Body& a, const Body& b) {
  return dot(n, b.v - a.v, dot(j_b, b.w)) - dot(j_a, a.w);
}
/// [1/s, or kg^1/2 m/s] Rotation of b against a along these angular vectors, from w~ of both; or its change from
/// dtheta~.
template <class T>
CAIRN_HD T rotation(const float (&j_a)[3][kRowLanes], const float (&j_b)[3][kRowLanes], std::uint32_t lane, Vec3T<T> a,
                    Vec3T<T> b) {
  return dot(load3<T>(j_b, lane), b) - dot(load3<T>(j_a, lane), a);
}

/// The smaller value of an array for the two bodies of a row.
template <class T>
CAIRN_HD T min_of(const float* of_bodies, const RowBlock& row, std::uint32_t lane) {
  return of_lanes<T>(
      [&](std::uint32_t i) { return min(of_bodies[row.body_a[lane + i]], of_bodies[row.body_b[lane + i]]); });
}

/// Max points of the lanes that a T covers.
template <class T>
CAIRN_HD std::uint32_t max_points(const std::uint32_t* count) {
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) most = count[i] > most ? count[i] : most;
  return most;
}

}  // namespace cairn::kernels
