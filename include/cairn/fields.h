#pragma once
// The forces that are ready-made. Equations and sources: docs/fields.md.

#include <cstdint>
#include <variant>
#include <vector>

#include "cairn/types.h"

namespace cairn::fields {

/// m g.
struct Gravity {
  Vec3d acceleration{0, 0, -9.80665};  ///< [m/s^2] finite
  friend bool operator==(const Gravity&, const Gravity&) = default;
};

/// -c v.
struct LinearDrag {
  double coefficient{1};  ///< [kg/s] at least 0
  friend bool operator==(const LinearDrag&, const LinearDrag&) = default;
};

/// -c |v| v.
struct QuadraticDrag {
  double coefficient{1};  ///< [kg/m] at least 0; half of density, drag coefficient and cross-section
  friend bool operator==(const QuadraticDrag&, const QuadraticDrag&) = default;
};

/// Drag against air that moves: -(linear + quadratic |u|) u with u = v - velocity - gust sin(gust_rate t).
struct Wind {
  Vec3d velocity{};      ///< [m/s]   finite
  double linear{1};      ///< [kg/s]  at least 0
  double quadratic{0};   ///< [kg/m]  at least 0
  Vec3d gust{};          ///< [m/s]   finite
  double gust_rate{0};   ///< [rad/s] finite
  friend bool operator==(const Wind&, const Wind&) = default;
};

/// A spring with a damper between two particles: along the line between them,
/// stiffness (length - rest_length) + damping (the rate of the length).
struct Spring {
  std::uint32_t a{0};      ///< [1] particle
  std::uint32_t b{0};      ///< [1] another
  double stiffness{1};     ///< [N/m]  at least 0
  double damping{0};       ///< [kg/s] at least 0
  double rest_length{0};   ///< [m]    at least 0
  friend bool operator==(const Spring&, const Spring&) = default;
};
struct Springs {
  std::vector<Spring> springs;
  friend bool operator==(const Springs&, const Springs&) = default;
};

/// 4 epsilon ((sigma/r)^12 - (sigma/r)^6) between every two particles, with force and energy shifted so that both are 0
/// at the cut-off: the force by a constant, the energy by a line.
struct LennardJones {
  double epsilon{1};    ///< [J] at least 0
  double sigma{1};      ///< [m] over 0
  double cut_off{2.5};  ///< [m] over 0
  friend bool operator==(const LennardJones&, const LennardJones&) = default;
};

/// G m_i m_j d / (d^2 + softening^2)^(3/2) between every two particles. Up to `tree_above` particles every pair is
/// taken; with more, far groups act by their mass, centre and second moments.
struct PairGravity {
  double constant{6.6743e-11};        ///< [m^3/(kg s^2)] finite; negative repels
  double softening{0};                ///< [m] at least 0
  std::uint32_t tree_above{10000};    ///< [1]
  double opening_angle{0.2};          ///< [1] 0 to 0.9: radius over distance under which a group stands for its parts
  friend bool operator==(const PairGravity&, const PairGravity&) = default;
};

/// Flocks: each particle steers away from those closer than `separation_radius`, towards the mean velocity and the
/// centre of those closer than `radius`, and to its cruising speed.
struct Boids {
  double radius{1};             ///< [m]     over 0
  double separation_radius{0.5};  ///< [m]   over 0, at most `radius`
  double separation{1};         ///< [m/s^2] at least 0: of one neighbour at no distance; falls to 0 at the radius
  double alignment{1};          ///< [1/s]   at least 0: of the difference to the mean velocity
  double cohesion{1};           ///< [1/s^2] at least 0: of the distance to the mean position
  double cruise_speed{0};       ///< [m/s]   at least 0
  double cruise{0};             ///< [1/s]   at least 0: of what the speed lacks, along the velocity
  friend bool operator==(const Boids&, const Boids&) = default;
};

/// Drag towards a flow without divergence, the curl of a smooth random vector field: rate m (u(x - drift t) - v).
struct CurlNoise {
  double rate{1};             ///< [1/s] at least 0
  double speed{1};            ///< [m/s] at least 0: of one octave; the flow has some 1.7 times as much rms
  double scale{1};            ///< [m]   over 0: side of the noise's cells in the first octave
  std::uint32_t octaves{1};   ///< [1]   1 to 8, each of half the scale and half the flow of the one before
  std::uint32_t seed{0};      ///< [1]
  Vec3d drift{};              ///< [m/s] finite: of the pattern
  friend bool operator==(const CurlNoise&, const CurlNoise&) = default;
};

using Any =
    std::variant<Gravity, LinearDrag, QuadraticDrag, Wind, Springs, LennardJones, PairGravity, Boids, CurlNoise>;

}  // namespace cairn::fields
