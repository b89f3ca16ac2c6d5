#pragma once
// Particles: ropes, cloth and soft bodies as points held together by constraints. A particle is a body of one sphere
// that doesn't turn. So it does all that bodies do: particles touch, have friction, sleep, are found by queries, are in
// snapshots, and exchange forces with rigid bodies.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/filter.h"
#include "cairn/geometry.h"
#include "cairn/types.h"

namespace cairn {

enum class ConstraintKind : std::uint8_t {
  kStretch,  ///< two particles keep their distance [m]
  kBend,     ///< four keep the angle [rad] between triangles (0, 1, 2) and (0, 3, 1), which share an edge; 0 is flat
  kVolume,   ///< four keep the volume [m^3] of their tetrahedron: (x1 - x0) x (x2 - x0) . (x3 - x0) / 6
  /// Any number keep the shape that they start in (shape matching; Mueller, Heidelberger, Teschner and Gross 2005):
  /// they are pulled to the goal positions, that shape turned and moved to be nearest to them. The constraint is their
  /// distance [m] from the goals, the root of its mean square by mass, which is kept at 0.
  kShape,
  /// Four are a tetrahedron of an elastic solid, with Young's modulus and Poisson's ratio, whose rest shape is its
  /// start. Stress is linear in the stretch R^T F - 1 of its deformation F, R being the rotation nearest to F
  /// (corotated linear elasticity; Mueller and Gross 2004; Irving, Teran and Fedkiw 2004). Its six components [1] are
  /// kept at 0, as one block.
  kElastic,
};
template <>
struct EnumWords<ConstraintKind> : WordsUpTo<ConstraintKind::kElastic> {};

/// Stiffness of a constraint. With extended position-based dynamics (XPBD; Macklin, Mueller and Chentanez 2016) it is
/// an implicit spring of stiffness 1 / compliance with a damper in parallel, independent of the substeps if there are
/// enough sweeps (StepParams::particle_iterations, constraint_warnings). Plain position-based dynamics (Mueller et al.
/// 2007), for teaching and comparison, removes a share `stiffness` of the error at each pass of a sweep, twice in a
/// symmetric one: its stiffness depends on sweeps and substeps.
struct ConstraintLaw {
  float compliance{0};
  float damping{0};
  float stiffness{0};
  float breaking_force{std::numeric_limits<float>::infinity()};
  friend bool operator==(const ConstraintLaw&, const ConstraintLaw&) = default;
};
template <Same<ConstraintLaw> S>
inline constexpr TypedList kAttributes<S>{
    // values derived from them at the shortest substep are floats
    attribute<&S::compliance>({.unit = "m/N, rad/(N m), m^5/N",
                               .range = between(0, 1e6),
                               .meaning = "0: rigid; 0 of elastic",
                               .sparse = true}),
    attribute<&S::damping>({.unit = "N s/m, N m s/rad, N s/m^5",
                            .range = between(0, 1e12),
                            .meaning = "acts where compliance is over 0. Of elastic in s: stress is that of the strain "
                                       "and of its rate times this (Kelvin and Voigt)",
                            .sparse = true}),
    attribute<&S::stiffness>({.range = between(0, 1),
                              .meaning = "0: XPBD; over 0: plain PBD, for which both above must be 0",
                              .sparse = true}),
    attribute<&S::breaking_force>(
        {.unit = "N",
         .range = kBreaking,
         .meaning = "of stretch and attachments alone: one that pulls harder, by the mean over a step, breaks at the "
                    "step's end and holds nothing any more, nor do bends, volumes and elastic tetrahedra of both its "
                    "particles; a reset repairs it",
         .sparse = true})};

/// Constraints of one kind and law.
struct ConstraintGroup {
  ConstraintKind kind{ConstraintKind::kStretch};
  ConstraintLaw law;
  std::vector<std::uint32_t> particles;
  std::vector<float> rest;
  bool unilateral{false};
  std::uint32_t cluster{0};
  float young_modulus{0};
  float poisson_ratio{0.3f};
  friend bool operator==(const ConstraintGroup&, const ConstraintGroup&) = default;
};
template <Same<ConstraintGroup> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::kind>({.required = true}),
    attribute<&S::law>({.flat = true}),
    attribute<&S::particles>(
        {.meaning =
             "(constraints x particles_of(group)) different ones in each; in a scene file a list of their places from "
             "0 for each constraint: two of stretch, 2 to 1,024 of shape, as many in each, four of the others",
         .required = true}),
    attribute<&S::rest>({.unit = "m, rad, m^3",
                         .meaning = "(constraints) what they keep; empty, as it must be of shape and elastic: what it "
                                    "is where the particles start"}),
    attribute<&S::unilateral>({.meaning = "of stretch alone: they pull and never push, as strings do", .sparse = true}),
    attribute<&S::cluster>({.meaning = "of shape alone: particles of each, at least 2", .hidden = true}),
    attribute<&S::young_modulus>({.unit = "Pa",
                                  .range = {.min = 1, .max = 1e13, .zero = "where it isn't elastic"},
                                  .meaning = "of elastic alone, in the place of a compliance",
                                  .sparse = true}),
    attribute<&S::poisson_ratio>(
        {.range = between(0, 0.5), .meaning = "of elastic alone; 0.5 keeps the volume", .sparse = true})};

/// [1] Particles of each constraint of a group.
constexpr std::uint32_t particles_of(const ConstraintGroup& group) {
  switch (group.kind) {
    case ConstraintKind::kStretch:
      return 2;
    case ConstraintKind::kShape:
      return group.cluster;
    default:
      return 4;
  }
}

/// A particle held at its start position on a body of the scene, with the reaction on the body.
struct Attachment {
  std::uint32_t particle{0};
  std::uint32_t body{0};  ///< index of Scene::bodies(); not a link of an articulation
  ConstraintLaw law;
  friend bool operator==(const Attachment&, const Attachment&) = default;
};
template <Same<Attachment> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::particle>({.meaning = "its place, from 0", .required = true}),
    attribute<&S::body>(
        {.meaning = "name of a body that stands before the set, not of a link", .required = true, .reference = true}),
    attribute<&S::law>({.flat = true})};

/// Properties that make particles a fluid (docs/fluids.md). Each particle stands for a cube of it, and its density is
/// kept from rising.
struct Fluid {
  float density{1000};
  float spacing{0.05f};
  float viscosity{0};
  float surface_tension{0};
  friend bool operator==(const Fluid&, const Fluid&) = default;
};
template <Same<Fluid> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::density>({.unit = "kg/m^3", .range = between(1e-6, 1e9), .meaning = "at rest"}),
    attribute<&S::spacing>({.unit = "m",
                            .range = between(1e-6, 1e4),
                            .meaning = "side of a particle's cube, which gives its mass; the same in all fluids of a "
                                       "scene, which meet each other"}),
    attribute<&S::viscosity>({.unit = "Pa s", .range = between(0, 1e9)}),
    attribute<&S::surface_tension>({.unit = "N/m", .range = between(0, 1e9)})};

/// A rope, a cloth, a soft body, a fluid, or loose particles. Its particles are bodies "name/0", "name/1", ...
struct ParticleSet {
  std::string name;
  std::vector<Vec3d> positions;
  std::vector<Vec3> velocities;
  std::vector<float> masses;
  float mass{1};
  float radius{0.01f};
  std::vector<std::uint32_t> fixed;
  std::uint32_t material{0};  ///< index of Scene::materials()
  Filter filter;
  float linear_damping{0};
  std::vector<ConstraintGroup> constraints;
  std::vector<Attachment> attachments;
  std::optional<Fluid> fluid;
  std::optional<Vec3> color;
  friend bool operator==(const ParticleSet&, const ParticleSet&) = default;
};
template <Same<ParticleSet> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::name>({.meaning = "unique among sets, not empty", .required = true}),
    attribute<&S::positions>({.unit = "m", .meaning = "(particles) at least one", .required = true}),
    attribute<&S::velocities>({.unit = "m/s", .meaning = "(particles) none: at rest"}),
    attribute<&S::masses>({.unit = "kg", .meaning = "(particles) over 0; none: mass each"}),
    attribute<&S::mass>(
        {.unit = "kg", .range = kInertial, .meaning = "of a particle; of a fluid 1, or what follows from it"}),
    attribute<&S::radius>({.unit = "m", .range = kShapeExtent, .meaning = "of a fluid at most half its spacing"}),
    attribute<&S::fixed>({.meaning = "places, from 0, of particles that are kinematic: nothing pushes them"}),
    attribute<&S::material>({.meaning = "name of a material; without it, \"default\"", .reference = true}),
    attribute<&S::filter>({.meaning = "a group under 0 of its own lets a cloth pass through itself", .sparse = true}),
    attribute<&S::linear_damping>({.unit = "1/s", .range = kAtLeastZero, .sparse = true}),
    attribute<&S::constraints>(
        {.meaning = "groups; particles that a constraint holds together never touch each other"}),
    attribute<&S::attachments>({.meaning = "hold particles on bodies, which these don't touch"}),
    attribute<&S::fluid>({.meaning = "makes them a fluid (docs/fluids.md), without masses, constraints and "
                                     "attachments, whose particles never sleep",
                          .sparse = true}),
    attribute<&S::color>({.range = kColor, .meaning = "sRGB, as that of bodies", .sparse = true})};

/// A particle set of a scene.
struct SceneParticles {
  ParticleSet description;
  std::uint32_t first_body{0};
  friend bool operator==(const SceneParticles&, const SceneParticles&) = default;
};

template <Same<SceneParticles> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::description>({}),
    attribute<&S::first_body>({.meaning = "index of particle 0, which the others follow"})};

/// A set of particles of a World. Zero is null.
struct ParticlesHandle {
  std::uint32_t index{0};  ///< [1] slot + 1
  std::uint32_t generation{0};
  friend bool operator==(const ParticlesHandle&, const ParticlesHandle&) = default;
  explicit operator bool() const { return index != 0; }
};

}  // namespace cairn
