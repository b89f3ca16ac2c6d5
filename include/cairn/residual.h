#pragma once

#include <cstdint>

#include "cairn/attributes.h"

namespace cairn {

/// Residual of the contact laws in the impulses and velocities at the end of a step: the natural map of each law (Acary
/// and Brogliato 2008, "Numerical Methods for Nonsmooth Dynamical Systems", chapters 10 and 13), scaled to a speed, in
/// the maximum norm. Zero is a solution. l is the impulse of the last substep, m the effective mass and u the velocity
/// of b relative to a, along the tangents that of their surfaces (Material::surface_velocity). s is the separation,
/// which counts while the shapes are apart:
///   Signorini: 0 <= l, 0 <= u_n + max(s, 0) / h, one of them 0. For each point: |min(l / m, u_n + max(s, 0) / h)|.
///   Coulomb: |f| <= mu sum l, and f opposes the slip u_t where |f| is at that bound. For each manifold, at its
///   friction centre: |f - p(f - m u_t)| / m, with p the projection onto the disc of radius mu sum l.
/// Contacts of `hertz_mindlin` follow other laws: they overlap under load. Sleeping bodies have no contacts here, nor
/// have worlds that are frozen or were reset since.
struct ContactResidual {
  float signorini{0};
  float coulomb{0};
  float twist{0};
  float cone{0};
  float penetration{0};
  std::uint32_t points{0};
  friend bool operator==(const ContactResidual&, const ContactResidual&) = default;
};

template <Same<ContactResidual> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::signorini>(
        {.unit = "m/s", .meaning = "largest over the points: what still approaches, pulls, or pushes what leaves"}),
    attribute<&S::coulomb>(
        {.unit = "m/s", .meaning = "largest over the manifolds: what slips within the cone, or against its friction"}),
    attribute<&S::twist>({.unit = "rad/s", .meaning = "the same for friction against turning about the normal"}),
    attribute<&S::cone>({.unit = "N s", .meaning = "largest |f| - mu sum l, at least 0"}),
    attribute<&S::penetration>(
        {.unit = "m", .meaning = "largest -s at the step's end, at least 0, linear in the step's motion"}),
    attribute<&S::points>({.meaning = "contact points that were looked at"})};

/// Residual of the constraints of particles at the end of a step: of each |C + compliance f|, with C its measure less
/// its rest value, and f its force in the last substep without the damper. It is given as a share of the rest length
/// (stretch), of the rest volume (volume), of the particle's radius (attachments), of the cluster's size, the root of
/// its mean square by mass (shape), in rad (bend), and as a strain (elastic). It is 0 for a slack string, for plain
/// PBD, which has no such law, and for broken or removed constraints.
struct ConstraintResidual {
  float max{0};
  float mean{0};
  std::uint32_t constraints{0};
  friend bool operator==(const ConstraintResidual&, const ConstraintResidual&) = default;
};

template <Same<ConstraintResidual> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::max>({.meaning = "of all of them"}), attribute<&S::mean>({}),
                                          attribute<&S::constraints>({.meaning = "that hold something"})};

}  // namespace cairn
