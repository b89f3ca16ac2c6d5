#pragma once
// Elastic spheres, for SolverKind::kHertzMindlin: how long a substep may be (docs/hertz.md).

namespace cairn {

/// [1] A World refuses substeps longer than this much of the least Rayleigh time of its bodies. A tenth to a fifth of
/// it is what accuracy asks for (docs/hertz.md has figures).
inline constexpr float kMaxRayleigh = 1.0f;

/// [s] The time in which a Rayleigh wave goes once around half of a sphere, pi R sqrt(rho / G) / (0.1631 nu + 0.8766),
/// with G = E / (2 (1 + nu)) (Li, Xu and Thornton 2005). `radius` [m], `density` [kg/m^3] and `young_modulus` [Pa] over
/// 0, `poisson_ratio` [1] 0 to 0.5, and all finite; throws InvalidArgument otherwise, naming what.
float rayleigh_time(float radius, float density, float young_modulus, float poisson_ratio);

}  // namespace cairn
