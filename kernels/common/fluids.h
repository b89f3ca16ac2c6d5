#pragma once
// Particles of fluids: the state that a step reads and writes.

#include <cstdint>

#include "cairn/particle_view.h"
#include "kernels/common/arrays.h"
#include "kernels/common/index.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// Parameters of the particles of a set.
struct FluidLaw {
  float spacing;      ///< [m]      side of a particle's cube; the kernel reaches two of them
  float inv_spacing;  ///< [1/m]
  float volume;       ///< [m^3]    of a particle
  float density;      ///< [kg/m^3] at rest
  float viscosity;    ///< [Pa s]
  float cohesion;     ///< [N]      scale of the force between two (kernels/fluids/viscosity.h)
  friend bool operator==(const FluidLaw&, const FluidLaw&) = default;
};

/// Its cells and its buckets alone: the arrays are those of FluidParticles.
using FluidGrid = NearGrid<float>;

/// Position of a particle at the substep's end, in the present iterate.
struct FluidPlace {
  Vec3 x;          ///< [m]    at the step's start
  float inv_mass;  ///< [1/kg] 0 if nothing may push it
  Vec3 y;          ///< [m]    displacement from there
  float change;    ///< [J s]  of its multiplier, in this sweep
};

/// Data of particles in a step, by particle number: world by world, set by set.
struct FluidParticles {
  std::uint32_t* body;  ///< [1] (count) slot
  std::uint32_t* law;   ///< [1] (count) index
  // found once a step
  FluidGrid::Cell* cell;           ///< [1] (count)
  std::uint32_t* bucket;           ///< [1] (count)
  std::uint32_t* sorted_bucket;    ///< [1] (count)
  std::uint32_t* sorted;           ///< [1] (count) numbers by bucket, then number
  std::uint32_t* neighbour_begin;  ///< [1] (count + 1) first neighbour of each
  std::uint32_t* wall_begin;       ///< [1] (count + 1) first of FluidWalls::order of each
  // of a substep
  FluidPlace* place;       ///<       (count)
  std::uint32_t* mirrors;  ///< [1]   (count) walls in reach, in this sweep
  float* multiplier;       ///< [J s] (count) pressure times volume and substep
  float* density_ratio;    ///< [1]   (count) density over that at rest
  float* drag;             ///< [1]   (count) relative velocity change by explicit viscosity
  Vec3* impulse;           ///< [N s] (count) of viscosity and surface tension
  friend bool operator==(const FluidParticles&, const FluidParticles&) = default;
};
template <Same<FluidParticles> V>
inline constexpr TypedList kArrays<V>{derived<&V::body>(),
                                      derived<&V::law>(),
                                      scratch<&V::cell>(),
                                      scratch<&V::bucket>(),
                                      scratch<&V::sorted_bucket>(),
                                      scratch<&V::sorted>(),
                                      scratch<&V::neighbour_begin>(),
                                      scratch<&V::wall_begin>(),
                                      scratch<&V::place>(),
                                      scratch<&V::mirrors>(),
                                      scratch<&V::multiplier>(),
                                      scratch<&V::density_ratio>(),
                                      scratch<&V::drag>(),
                                      scratch<&V::impulse>()};

/// A solid near a particle.
struct FluidWall {
  Vec3 normal;          ///< [1] from the solid
  float distance;       ///< [m] of the particle's centre, at the step's start
  Vec3 arm;             ///< [m] of the nearest point of the solid, from its centre of mass, world axes
  std::uint32_t solid;  ///< [1] body slot
};

/// Such a solid as the particle sees it, in the present iterate (kernels/fluids/image.h).
struct FluidMirror {
  Vec3 normal;         ///< [1] from the solid
  float gap;           ///< [m] distance of the particle's centre; 0 inside
  float share;         ///< [1] weight; less where a nearer wall has nearly the same normal
  std::uint32_t pair;  ///< [1]
};

/// Pairs of a particle and a solid, by the number of the pair of shapes.
struct FluidWalls {
  FluidWall* wall;                 ///<       (pairs)
  std::uint32_t* particle;         ///< [1]   (pairs) number; Fluids::count for pairs without a particle
  std::uint32_t* sorted_particle;  ///< [1] (pairs)
  std::uint32_t* order;            ///< [1]   (pairs) pairs by particle
  std::uint32_t* solid;            ///< [1]   (pairs) body slot; that of none if nothing pushes the solid
  std::uint32_t* sorted_solid;     ///< [1]   (pairs)
  std::uint32_t* solid_order;      ///< [1]   (pairs) pairs by solid
  // of a sweep
  FluidMirror* mirror;  ///<       (pairs) those of a particle start at its wall_begin
  Vec3* lean;           ///< [1/m] (pairs) minus the gradient of the particle's density by the solid's position
  Vec3* push;           ///< [N s] (pairs) on the solid
  friend bool operator==(const FluidWalls&, const FluidWalls&) = default;
};
template <Same<FluidWalls> V>
inline constexpr TypedList kArrays<V>{
    scratch<&V::wall>(),  scratch<&V::particle>(),     scratch<&V::sorted_particle>(), scratch<&V::order>(),
    scratch<&V::solid>(), scratch<&V::sorted_solid>(), scratch<&V::solid_order>(),     scratch<&V::mirror>(),
    scratch<&V::lean>(),  scratch<&V::push>()};

struct Fluids {
  const FluidLaw* laws{nullptr};          ///<     (laws)
  const std::uint32_t* of_body{nullptr};  ///< [1] (bodies) number; kNone if not a fluid particle. Null without fluids
  FluidParticles at{};
  FluidWalls walls{};
  std::uint32_t* bucket_begin{nullptr};  ///< [1] (buckets + 1) first of FluidParticles::sorted
  std::uint32_t* neighbours{nullptr};    ///< [1] (neighbour_capacity) numbers of neighbours, particle by particle
  std::uint32_t* solid_begin{nullptr};   ///< [1] (bodies + 1) first of FluidWalls::solid_order
  std::uint32_t count{0};                ///< [1]
  std::uint32_t buckets{0};              ///< [1] power of two
  std::uint32_t neighbour_capacity{0};   ///< [1]
  std::uint32_t sweeps{0};               ///< [1] in a substep
  std::uint32_t viscous{0};              ///< [1] 1: some have viscosity or surface tension
  friend bool operator==(const Fluids&, const Fluids&) = default;

  CAIRN_HD bool has(std::uint32_t body_slot) const { return of_body != nullptr && of_body[body_slot] != kNone; }
  /// For a particle's body.
  CAIRN_HD const FluidLaw& law_of(std::uint32_t body_slot) const { return laws[at.law[of_body[body_slot]]]; }
};

/// [1] Max distance from a solid at which it affects a particle's density, times the spacing. Seen from half a spacing,
/// an image at this distance adds 0.002 to the density.
inline constexpr float kWallReach = 1.2f;

}  // namespace cairn::kernels
