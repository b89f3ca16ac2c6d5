#pragma once
// Results from the description of a particle set alone.

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/scene.h"
#include "src/scene/rules.h"

namespace cairn {

/// [1] Constraints of a group.
std::size_t count_constraints(const ConstraintGroup& group);
/// [1] Constraints and attachments.
std::size_t count_constraints(const ParticleSet& set);
/// [1] Pairs of bodies that ignore each other because of a set, some counted more than once.
std::uint64_t count_pairs(const ParticleSet& set);
/// Its particles as bodies.
std::vector<Body> bodies_of_particles(const ParticleSet& set);
/// Pairs that ignore each other, by index, of a set whose particle 0 is body `first_body`: of its constraints only, and
/// all.
std::vector<BodyPair> pairs_of_constraints(const ParticleSet& set, std::uint32_t first_body);
std::vector<BodyPair> pairs_of_particles(const ParticleSet& set, std::uint32_t first_body);

}  // namespace cairn

namespace cairn::rules {

/// [1] Max particles of a shape: each pair is kept from touching, which makes half a million pairs.
constexpr std::size_t kMaxCluster = 1024;

/// [kg] Mass of a particle.
float mass_of(const Fluid& fluid);

/// The first rule that a set breaks by itself; the scene checks its particles as bodies, and the bodies that it is
/// attached to.
std::optional<Fault> find_fault(const ParticleSet& set);

/// Fluids of a world share one spacing: throws InvalidArgument if these differ.
void refuse_other_spacing(const ParticleSet& set, const ParticleSet& other);

}  // namespace cairn::rules
