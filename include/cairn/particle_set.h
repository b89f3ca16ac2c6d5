#pragma once
// Particles: ropes, cloth and soft bodies as points that constraints hold together. A particle is a body of one sphere
// that doesn't turn, so that all that is known of bodies is known of particles: they touch, rub, sleep, are found by
// queries and kept in snapshots, and push rigid bodies as these push them.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cairn/filter.h"
#include "cairn/types.h"

namespace cairn {

enum class ConstraintKind : std::uint8_t {
  kStretch,  ///< two particles keep their distance [m]
  kBend,     ///< four keep the angle [rad] between triangles (0, 1, 2) and (0, 3, 1), which share an edge; 0 is flat
  kVolume,   ///< four keep the volume [m^3] of their tetrahedron: (x1 - x0) x (x2 - x0) . (x3 - x0) / 6
  /// Any number keep the shape that they start in (shape matching; Mueller, Heidelberger, Teschner and Gross 2005):
  /// they are led to where that shape, turned and moved, is nearest to them. What is kept at 0 is the distance [m] that
  /// they have to there, the root of its mean square by mass.
  kShape,
  /// Four are a tetrahedron of an elastic solid, of Young's modulus and Poisson's ratio, as it starts: stress is linear
  /// in the stretch R^T F - 1 of its deformation F, R being the rotation nearest to F (corotated linear elasticity;
  /// Mueller and Gross 2004; Irving, Teran and Fedkiw 2004). Kept at 0 are its six components [1], as one block.
  kElastic,
};

/// How hard a constraint is. With extended position-based dynamics (XPBD; Macklin, Mueller and Chentanez 2016) it is an
/// implicit spring of stiffness 1 / compliance with a damper beside it, whatever the substeps, where there are sweeps
/// enough (StepParams::strain_sweeps, constraint_warnings). Plain position-based dynamics (Mueller et al. 2007), for
/// teaching and comparison, takes back a share `stiffness` of the error each time that a sweep comes by, there and back:
/// how hard that is depends on sweeps and substeps.
struct ConstraintLaw {
  float compliance{0};  ///< [m/N, rad/(N m), m^5/N] 0..1e6; 0 is rigid
  /// Acts where `compliance` is over 0. Of kElastic in [s]: stress is that of the strain and of its rate times this
  /// (Kelvin and Voigt).
  float damping{0};     ///< [N s/m, N m s/rad, N s/m^5] 0..1e12
  float stiffness{0};   ///< [1] 0: XPBD; over 0, at most 1: plain PBD, for which both above must be 0
  /// What pulls harder, by the mean over a step, tears at the step's end: it holds nothing any more, nor do bends and
  /// volumes of both its particles. A reset mends it.
  float breaking_force{std::numeric_limits<float>::infinity()};  ///< [N] over 0; of stretches and attachments alone
  friend bool operator==(const ConstraintLaw&, const ConstraintLaw&) = default;
};

/// Constraints of one kind and law.
struct ConstraintGroup {
  ConstraintKind kind{ConstraintKind::kStretch};
  ConstraintLaw law;
  std::vector<std::uint32_t> particles;  ///< [1] (constraints x particles_of(group)) different ones in each
  std::vector<float> rest;  ///< [m, rad, m^3] (constraints) what they keep; empty, as it must be of shapes and elastic
                            ///< ones: what it is where the particles start
  bool unilateral{false};   ///< of stretches alone: they pull and never push, as strings do
  std::uint32_t cluster{0};  ///< [1] of shapes alone: particles of each, at least 2
  float young_modulus{0};    ///< [Pa] of elastic ones alone, in the place of a compliance: 1..1e13
  float poisson_ratio{0.3f}; ///< [1] of elastic ones alone: 0..0.5, where 0.5 keeps the volume
  friend bool operator==(const ConstraintGroup&, const ConstraintGroup&) = default;
};

/// [1] Particles of each constraint of a group.
constexpr std::uint32_t particles_of(const ConstraintGroup& group) {
  switch (group.kind) {
    case ConstraintKind::kStretch: return 2;
    case ConstraintKind::kShape: return group.cluster;
    default: return 4;
  }
}

/// A particle that is held where it starts on a body of the scene, which feels it.
struct Attachment {
  std::uint32_t particle{0};
  std::uint32_t body{0};  ///< index of Scene::bodies(); not a link of an articulation
  ConstraintLaw law;      ///< [m/N, N s/m]
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// What makes particles a fluid (docs/fluids.md): each stands for a cube of it, and its density is kept from rising.
/// Fluids of one scene meet each other, and must have the same spacing.
struct Fluid {
  float density{1000};       ///< [kg/m^3] at rest; over 0
  float spacing{0.05f};      ///< [m]    over 0: side of a particle's cube, which gives its mass
  float viscosity{0};        ///< [Pa s] at least 0
  float surface_tension{0};  ///< [N/m]  at least 0
  friend bool operator==(const Fluid&, const Fluid&) = default;
};

/// A rope, a cloth, a soft body, a fluid, or loose particles.
struct ParticleSet {
  std::string name;                ///< unique, not empty; its particles are bodies "name/0", "name/1", ...
  std::vector<Vec3d> positions;    ///< [m]   (particles) at least one
  std::vector<Vec3> velocities;    ///< [m/s] (particles) empty: at rest
  std::vector<float> masses;       ///< [kg]  (particles) over 0; empty: `mass` each
  float mass{1};                   ///< [kg]  over 0
  float radius{0.01f};             ///< [m]   over 0
  std::vector<std::uint32_t> fixed;      ///< [1] particles that are kinematic: nothing pushes them
  std::uint32_t material{0};             ///< index of Scene::materials()
  Filter filter;                         ///< a group under 0 of its own lets a cloth pass through itself
  float linear_damping{0};               ///< [1/s] at least 0
  std::vector<ConstraintGroup> constraints;  ///< particles that one holds together never touch each other
  std::vector<Attachment> attachments;       ///< such a particle and body don't touch
  /// Then `mass` must be 1 or what the fluid gives, `masses` empty, `radius` at most half the spacing, and there are no
  /// constraints and attachments. Its particles never sleep.
  std::optional<Fluid> fluid;
  friend bool operator==(const ParticleSet&, const ParticleSet&) = default;
};

/// A set of a scene.
struct SceneParticles {
  ParticleSet description;
  std::uint32_t first_body{0};  ///< [1] index of particle 0, which the others follow
  friend bool operator==(const SceneParticles&, const SceneParticles&) = default;
};

/// Identifies a set in its World: its place among those of one world, from 1 on. A zero index is null.
struct ParticlesHandle {
  std::uint32_t index{0}, world{0};
  friend bool operator==(const ParticlesHandle&, const ParticlesHandle&) = default;
};

}  // namespace cairn
