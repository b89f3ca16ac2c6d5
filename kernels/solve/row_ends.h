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

/// Value of an array for a body that can be pushed; else 0.
template <class Value>
CAIRN_HD void gather(const Value* of_bodies, const std::uint32_t* body, float movable, Value& to) {
  to = movable > 0.0f ? of_bodies[*body] : Value{};
}

#if !defined(__CUDA_ARCH__)

CAIRN_HD void gather(const float* of_bodies, const std::uint32_t* body, Pack movable, Pack& to) {
  const std::uint32_t pushed = lanes_of(movable > Pack(0.0f));
  float values[kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) values[i] = (pushed >> i & 1u) != 0 ? of_bodies[body[i]] : 0.0f;
  to = load<Pack>(values, 0);
}
CAIRN_HD void gather(const Vec3* of_bodies, const std::uint32_t* body, Pack movable, Vec3T<Pack>& to) {
  const std::uint32_t pushed = lanes_of(movable > Pack(0.0f));
  float values[3][kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) {
    const Vec3 value = (pushed >> i & 1u) != 0 ? of_bodies[body[i]] : Vec3{0, 0, 0};
    values[0][i] = value.x;
    values[1][i] = value.y;
    values[2][i] = value.z;
  }
  to = {load<Pack>(values[0], 0), load<Pack>(values[1], 0), load<Pack>(values[2], 0)};
}
CAIRN_HD void gather(const Sym3* of_bodies, const std::uint32_t* body, Pack, Sym3T<Pack>& to) {
  const float* from[kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) from[i] = &of_bodies[body[i]].xx;
  Pack m[6];
  gather6(from, m);
  to = {m[0], m[1], m[2], m[3], m[4], m[5]};
}
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
  const std::uint32_t pushed = lanes_of(from.movable > Pack(0.0f));
  transpose(r);
  for (int i = 0; i < 8; ++i) {
    if ((pushed >> i & 1u) != 0) store(&solve[body[i]].v.x, 0, r[i]);
  }
}

#endif

/// Loads both bodies of a row as End.
template <class End>
CAIRN_HD void gather_ends(const BodySolve* solve, const RowBlock& row, std::uint32_t lane, End& a, End& b) {
  gather(solve, &row.body_a[lane], a);
  gather(solve, &row.body_b[lane], b);
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
    keep(solve, &row.body_a[lane], share, a);
    keep(solve, &row.body_b[lane], share, b);
  }

 private:
  CAIRN_HD static void keep(BodySolve* solve, const std::uint32_t* body, T share, const RowBody<T>& wanted) {
    RowBody<T> now;
    gather(solve, body, now);
    now.v = now.v + share * (wanted.v - now.v);
    now.w = now.w + share * (wanted.w - now.w);
    scatter(solve, body, now);
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

/// The smaller value of an array for the two bodies of a row.
CAIRN_HD float min_of(const float* of_bodies, const RowBlock& row, std::uint32_t lane, float) {
  return min(of_bodies[row.body_a[lane]], of_bodies[row.body_b[lane]]);
}
#if !defined(__CUDA_ARCH__)
CAIRN_HD Pack min_of(const float* of_bodies, const RowBlock& row, std::uint32_t lane, Pack) {
  float least[kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) least[i] = min_of(of_bodies, row, lane + i, 0.0f);
  return load<Pack>(least, 0);
}
#endif

/// Max points of the lanes that a T covers.
CAIRN_HD std::uint32_t max_points(const std::uint32_t* count, float) { return *count; }
#if !defined(__CUDA_ARCH__)
CAIRN_HD std::uint32_t max_points(const std::uint32_t* count, Pack) {
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < kPackLanes; ++i) most = count[i] > most ? count[i] : most;
  return most;
}
#endif

}  // namespace cairn::kernels
