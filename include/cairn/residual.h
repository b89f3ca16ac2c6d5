#pragma once

#include <cstdint>

#include "cairn/attributes.h"

namespace cairn {

/// How far the impulses and velocities at the end of a step are from the laws of contact: the natural map of each law
/// (Acary and Brogliato 2008, "Numerical Methods for Nonsmooth Dynamical Systems", chapters 10 and 13), scaled to a
/// speed, in the maximum norm. Zero is a solution. With l the impulse of the last substep, m the effective mass, u the
/// velocity of b against a, along the tangents that of their surfaces (Material::surface_velocity), and s the
/// separation, which counts while the shapes are apart:
///   Signorini: 0 <= l, 0 <= u_n + max(s, 0) / h, one of them 0. Of each point: |min(l / m, u_n + max(s, 0) / h)|.
///   Coulomb: |f| <= mu sum l, and f against the slip u_t where it is as large as that. Of each manifold, at its
///   friction centre: |f - p(f - m u_t)| / m, with p the projection onto the disc of radius mu sum l.
/// Contacts of `hertz_mindlin` have laws of their own, which aren't these: they overlap under load.
/// Bodies that sleep have no contacts here, and neither have worlds that are frozen or were reset since.
struct ContactResidual {
  float signorini{0};
  float coulomb{0};
  float twist{0};
  float cone{0};
  float penetration{0};
  std::uint32_t points{0};
  friend bool operator==(const ContactResidual&, const ContactResidual&) = default;
};

template <>
struct Attributes<ContactResidual> {
  template <class S = ContactResidual>
  static constexpr TypedList all{
      attribute<&S::signorini>(
          {.unit = "m/s", .meaning = "largest over the points: what still approaches, pulls, or pushes what leaves"}),
      attribute<&S::coulomb>(
          {.unit = "m/s",
           .meaning = "largest over the manifolds: what slips within the cone, or against its friction"}),
      attribute<&S::twist>({.unit = "rad/s", .meaning = "the same for friction against turning about the normal"}),
      attribute<&S::cone>({.unit = "N s", .meaning = "largest |f| - mu sum l, at least 0"}),
      attribute<&S::penetration>(
          {.unit = "m", .meaning = "largest -s at the step's end, at least 0, linear in the step's motion"}),
      attribute<&S::points>({.meaning = "contact points that were looked at"})};
};

/// How far the constraints of particles are from their laws at the end of a step: of each |C + compliance f|, with C
/// what it measures there less its rest, and f the force that it gave in the last substep, without its damper; as a
/// share of the rest length (stretch), of the rest volume (volume), of the particle's radius (attachments), of the
/// cluster's size, the root of its mean square by mass (shape), in rad (bend), and as a strain (elastic). 0 of a string
/// that is slack, of plain PBD's, which have no law, and of what is broken or gone.
struct ConstraintResidual {
  float max{0};
  float mean{0};
  std::uint32_t constraints{0};
  friend bool operator==(const ConstraintResidual&, const ConstraintResidual&) = default;
};

template <>
struct Attributes<ConstraintResidual> {
  template <class S = ConstraintResidual>
  static constexpr TypedList all{attribute<&S::max>({.meaning = "of all of them"}), attribute<&S::mean>({}),
                                 attribute<&S::constraints>({.meaning = "that hold something"})};
};

}  // namespace cairn
