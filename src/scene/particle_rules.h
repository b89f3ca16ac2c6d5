#pragma once
// What of a set of particles follows from its description alone.

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
/// [1] How many pairs of bodies ignore each other by a set, some more than once.
std::uint64_t count_pairs(const ParticleSet& set);
/// Its particles as bodies.
std::vector<Body> bodies_of_particles(const ParticleSet& set);
/// Pairs that ignore each other, by index, of a set whose first particle is a body: of its constraints alone, and all.
std::vector<BodyPair> pairs_of_constraints(const ParticleSet& set, std::uint32_t first_body);
std::vector<BodyPair> pairs_of_particles(const ParticleSet& set, std::uint32_t first_body);

}  // namespace cairn

namespace cairn::rules {

/// [1] Particles of a shape, at most: each pair is kept from touching, which then are half a million.
constexpr std::size_t kMaxCluster = 1024;

/// [kg] Of a particle.
float mass_of(const Fluid& fluid);

/// The first rule that a set breaks by itself; those of its particles as bodies, and of the bodies that it is attached
/// to, are the scene's.
std::optional<Fault> find_fault(const ParticleSet& set);

/// Fluids of a world have one spacing: throws InvalidArgument if these are two.
void refuse_other_spacing(const ParticleSet& set, const ParticleSet& other);

}  // namespace cairn::rules
