#pragma once
// Elastic spheres, for SolverKind::kHertzMindlin: the max length of a substep (docs/hertz.md).

namespace cairn {

/// [1] A World refuses substeps longer than this factor times the shortest Rayleigh time of its bodies. Accuracy needs
/// a tenth to a fifth of that time (docs/hertz.md has figures).
inline constexpr float kMaxRayleigh = 1.0f;

/// [s] The time that a Rayleigh wave takes around half of a sphere, pi R sqrt(rho / G) / (0.1631 nu + 0.8766), with G =
/// E / (2 (1 + nu)) (Li, Xu and Thornton 2005). `radius` [m], `density` [kg/m^3] and `young_modulus` [Pa] over 0,
/// `poisson_ratio` [1] 0 to 0.5, all finite; throws InvalidArgument otherwise, naming the number.
float rayleigh_time(float radius, float density, float young_modulus, float poisson_ratio);

}  // namespace cairn
