#pragma once
// Ready-made fields -> functors.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/fields.h"
#include "kernels/fields/curl_noise.h"
#include "kernels/fields/gravity.h"
#include "kernels/fields/laws.h"

namespace cairn::ode {

template <class T>
Vec3T<T> to(const Vec3d& v) {
  return {static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)};
}
template <class T>
T to(double a) {
  return static_cast<T>(a);
}

template <class T>
kernels::GravityForce<T> compile(const fields::Gravity& f) {
  return {to<T>(f.acceleration)};
}
template <class T>
kernels::DragForce<T> compile(const fields::LinearDrag& f) {
  return {to<T>(f.coefficient), T(0), {}, {}, T(0)};
}
template <class T>
kernels::DragForce<T> compile(const fields::QuadraticDrag& f) {
  return {T(0), to<T>(f.coefficient), {}, {}, T(0)};
}
template <class T>
kernels::DragForce<T> compile(const fields::Wind& f) {
  return {to<T>(f.linear), to<T>(f.quadratic), to<T>(f.velocity), to<T>(f.gust), to<T>(f.gust_rate)};
}
template <class T>
kernels::LennardJonesForce<T> compile(const fields::LennardJones& f) {
  const double s2 = f.sigma / f.cut_off * (f.sigma / f.cut_off), s6 = s2 * s2 * s2;
  return {to<T>(f.sigma * f.sigma), to<T>(f.epsilon), to<T>(f.cut_off),
          to<T>(24 * f.epsilon / f.cut_off * s6 * (2 * s6 - 1)), to<T>(4 * f.epsilon * s6 * (s6 - 1))};
}
template <class T>
kernels::BoidsForce<T> compile(const fields::Boids& f) {
  return {to<T>(f.separation_radius), to<T>(f.separation),   to<T>(f.alignment),
          to<T>(f.cohesion),          to<T>(f.cruise_speed), to<T>(f.cruise)};
}
template <class T>
kernels::CurlNoiseForce<T> compile(const fields::CurlNoise& f) {
  return {to<T>(f.rate), to<T>(f.speed), to<T>(1 / f.scale), f.octaves, f.seed, to<T>(f.drift)};
}
/// Over every pair.
template <class T>
kernels::AllPairsGravity<T> compile(const fields::PairGravity& f) {
  const T softening = to<T>(f.softening);
  return {to<T>(f.constant), softening * softening};
}
template <class T>
kernels::TreeGravity<T> compile(const fields::PairGravity& f, const kernels::MassTree<T>& tree) {
  const T softening = to<T>(f.softening), opening = to<T>(f.opening_angle);
  return {tree, to<T>(f.constant), softening * softening, opening * opening};
}

/// [m] Its reach; 0 if it doesn't use neighbours.
template <class Law>
double reach_of(const Law&) {
  return 0;
}
inline double reach_of(const fields::LennardJones& f) { return f.cut_off; }
inline double reach_of(const fields::Boids& f) { return f.radius; }

/// kernels::SpringForce, on the host.
template <class T>
struct SpringLists {
  std::vector<kernels::SpringEnd<T>> end;
  std::vector<std::uint32_t> begin;
};

/// The springs of so many particles.
template <class T>
SpringLists<T> lists_of(std::span<const fields::Spring> springs, std::uint32_t count) {
  SpringLists<T> lists;
  lists.begin.resize(std::size_t{count} + 1, 0);
  for (const fields::Spring& s : springs) {
    ++lists.begin[s.a + 1];
    ++lists.begin[s.b + 1];
  }
  for (std::uint32_t i = 0; i < count; ++i) lists.begin[i + 1] += lists.begin[i];
  lists.end.resize(2 * springs.size());
  std::vector<std::uint32_t> next(lists.begin.begin(), lists.begin.end() - 1);
  for (const fields::Spring& s : springs) {
    lists.end[next[s.a]++] = {s.b, to<T>(s.stiffness), to<T>(s.damping), to<T>(s.rest_length)};
    lists.end[next[s.b]++] = {s.a, to<T>(s.stiffness), to<T>(s.damping), to<T>(s.rest_length)};
  }
  return lists;
}

}  // namespace cairn::ode
