#pragma once
// The ready-made forces. Equations and sources: docs/fields.md.

#include <cstdint>
#include <variant>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/types.h"

namespace cairn::fields {

/// m g.
struct Gravity {
  Vec3d acceleration{0, 0, -9.80665};
  friend bool operator==(const Gravity&, const Gravity&) = default;
};

/// -c v.
struct LinearDrag {
  double coefficient{1};
  friend bool operator==(const LinearDrag&, const LinearDrag&) = default;
};

/// -c |v| v.
struct QuadraticDrag {
  double coefficient{1};
  friend bool operator==(const QuadraticDrag&, const QuadraticDrag&) = default;
};

/// Drag in moving air: -(linear + quadratic |u|) u with u = v - velocity - gust sin(gust_rate t).
struct Wind {
  Vec3d velocity{};
  double linear{1};
  double quadratic{0};
  Vec3d gust{};
  double gust_rate{0};
  friend bool operator==(const Wind&, const Wind&) = default;
};

/// A spring with a damper between two particles: along the line between them,
/// stiffness (length - rest_length) + damping (the rate of the length).
struct Spring {
  std::uint32_t a{0};
  std::uint32_t b{0};
  double stiffness{1};
  double damping{0};
  double rest_length{0};
  friend bool operator==(const Spring&, const Spring&) = default;
};
struct Springs {
  std::vector<Spring> springs;
  friend bool operator==(const Springs&, const Springs&) = default;
};

/// 4 epsilon ((sigma/r)^12 - (sigma/r)^6) between every two particles, with force and energy shifted so that both are 0
/// at the cut-off: the force by a constant, the energy by a line.
struct LennardJones {
  double epsilon{1};
  double sigma{1};
  double cut_off{2.5};
  friend bool operator==(const LennardJones&, const LennardJones&) = default;
};

/// G m_i m_j d / (d^2 + softening^2)^(3/2) between every two particles. Up to `tree_above` particles every pair is
/// computed; with more, far groups act by their mass, centre and second moments.
struct PairGravity {
  double constant{6.6743e-11};
  double softening{0};
  std::uint32_t tree_above{10000};
  double opening_angle{0.2};
  friend bool operator==(const PairGravity&, const PairGravity&) = default;
};

/// Flocks: each particle steers away from those closer than `separation_radius`, towards the mean velocity and the
/// centre of those closer than `radius`, and to its cruising speed.
struct Boids {
  double radius{1};
  double separation_radius{0.5};
  double separation{1};
  double alignment{1};
  double cohesion{1};
  double cruise_speed{0};
  double cruise{0};
  friend bool operator==(const Boids&, const Boids&) = default;
};

/// Drag towards a flow without divergence, the curl of a smooth random vector field: rate m (u(x - drift t) - v).
struct CurlNoise {
  double rate{1};
  double speed{1};
  double scale{1};
  std::uint32_t octaves{1};
  std::uint32_t seed{0};
  Vec3d drift{};
  friend bool operator==(const CurlNoise&, const CurlNoise&) = default;
};

using Any =
    std::variant<Gravity, LinearDrag, QuadraticDrag, Wind, Springs, LennardJones, PairGravity, Boids, CurlNoise>;

}  // namespace cairn::fields

namespace cairn {

template <>
struct VariantWords<fields::Any> {
  static constexpr std::array<std::string_view, std::variant_size_v<fields::Any>> all{
      "gravity",       "linear_drag",  "quadratic_drag", "wind",      "springs",
      "lennard_jones", "pair_gravity", "boids",          "curl_noise"};
};

template <Same<fields::Gravity> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::acceleration>({.unit = "m/s^2"})};
template <Same<fields::LinearDrag> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::coefficient>({.unit = "kg/s", .range = kAtLeastZero})};
template <Same<fields::QuadraticDrag> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::coefficient>(
    {.unit = "kg/m", .range = kAtLeastZero, .meaning = "half of density, drag coefficient and cross-section"})};
template <Same<fields::Wind> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::velocity>({.unit = "m/s", .meaning = "of the air, which has gust sin(gust_rate t) besides"}),
    attribute<&S::linear>({.unit = "kg/s", .range = kAtLeastZero}),
    attribute<&S::quadratic>({.unit = "kg/m", .range = kAtLeastZero}), attribute<&S::gust>({.unit = "m/s"}),
    attribute<&S::gust_rate>({.unit = "rad/s"})};
template <Same<fields::Spring> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::a>({.meaning = "a particle; in a scene a body, by name", .required = true, .reference = true}),
    attribute<&S::b>({.meaning = "another", .required = true, .reference = true}),
    attribute<&S::stiffness>({.unit = "N/m", .range = kAtLeastZero}),
    attribute<&S::damping>({.unit = "kg/s", .range = kAtLeastZero}),
    attribute<&S::rest_length>({.unit = "m", .range = kAtLeastZero})};
template <Same<fields::Springs> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::springs>({.hidden = true})};
template <Same<fields::LennardJones> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::epsilon>({.unit = "J", .range = kAtLeastZero}),
                                          attribute<&S::sigma>({.unit = "m", .range = kAboveZero}),
                                          attribute<&S::cut_off>({.unit = "m", .range = kAboveZero})};
template <Same<fields::PairGravity> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::constant>({.unit = "m^3/(kg s^2)", .meaning = "under 0 repels"}),
    attribute<&S::softening>({.unit = "m", .range = kAtLeastZero}),
    attribute<&S::tree_above>({.meaning = "with more particles far groups act as one"}),
    attribute<&S::opening_angle>(
        {.range = between(0, 0.9), .meaning = "radius over distance under which a group stands for its parts"})};
template <Same<fields::Boids> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::radius>({.unit = "m", .range = kAboveZero}),
    attribute<&S::separation_radius>({.unit = "m", .range = kAboveZero, .meaning = "at most radius"}),
    attribute<&S::separation>({.unit = "m/s^2",
                               .range = kAtLeastZero,
                               .meaning = "of one neighbour at no distance; falls to 0 at the radius"}),
    attribute<&S::alignment>(
        {.unit = "1/s", .range = kAtLeastZero, .meaning = "of the difference to the mean velocity"}),
    attribute<&S::cohesion>(
        {.unit = "1/s^2", .range = kAtLeastZero, .meaning = "of the distance to the mean position"}),
    attribute<&S::cruise_speed>({.unit = "m/s", .range = kAtLeastZero}),
    attribute<&S::cruise>(
        {.unit = "1/s", .range = kAtLeastZero, .meaning = "of what the speed lacks, along the velocity"})};
template <Same<fields::CurlNoise> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::rate>({.unit = "1/s", .range = kAtLeastZero}),
    attribute<&S::speed>(
        {.unit = "m/s", .range = kAtLeastZero, .meaning = "of one octave; the flow has some 1.7 times as much rms"}),
    attribute<&S::scale>(
        {.unit = "m", .range = kAboveZero, .meaning = "side of the noise's cells in the first octave"}),
    attribute<&S::octaves>(
        {.range = between(1, 8), .meaning = "each of half the scale and half the flow of the one before"}),
    attribute<&S::seed>({}),
    attribute<&S::drift>({.unit = "m/s", .meaning = "of the pattern"})};

}  // namespace cairn
