// Sets of particles of a scene, and the bodies of their particles.

#include "src/scene/particle_rules.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/common/vec.h"
#include "src/scene/check_attributes.h"
#include "src/scene/text.h"

namespace cairn {
namespace rules {
namespace {

void check_law(Checker& check, const ConstraintLaw& law) {
  check.require(law.stiffness == 0 || (law.compliance == 0 && law.damping == 0), "stiffness",
                "must be 0 where there is a compliance or damping: it is of plain PBD, which knows neither");
}

/// [1] Bound of six times a tetrahedron's volume over the cube of its longest edge: flatter ones have no shape to keep.
constexpr double kMinVolume = 1e-6;

void check_elastic(Checker& check, const ConstraintGroup& group) {
  const bool elastic = group.kind == ConstraintKind::kElastic;
  if (elastic) {
    check.require(group.young_modulus != 0, "young_modulus", "must be given of elastic");
    check.require(group.law.compliance == 0 && group.law.stiffness == 0, "compliance",
                  "and stiffness must be 0 of elastic: Young's modulus is in their place");
  }
  check.require(elastic || group.young_modulus == 0, "young_modulus", "must be 0 but for elastic");
  check.require(elastic || group.poisson_ratio == ConstraintGroup{}.poisson_ratio, "poisson_ratio",
                "must be left as it is but for elastic");
}

void check_flat(Checker& check, const std::vector<Vec3d>& positions, std::span<const std::uint32_t> of,
                const std::string& at) {
  double longest = 0;
  for (std::size_t b = 1; b < of.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const Vec3d edge = kernels::operator-(positions[of[b]], positions[of[a]]);
      longest = std::max(longest, kernels::dot(edge, edge));
    }
  }
  const auto edge = [&](std::size_t i) { return kernels::operator-(positions[of[i]], positions[of[0]]); };
  const double volume = kernels::dot(kernels::cross(edge(1), edge(2)), edge(3));
  check.require(!(std::abs(volume) <= kMinVolume * longest * std::sqrt(longest)), "particles", at, "must not be flat");
}

void check_group(Checker& check, const ConstraintGroup& group, const std::vector<Vec3d>& positions) {
  check_attributes(check, group);
  if (!check.good()) return;
  check_law(check, group.law);
  check_elastic(check, group);
  const bool stretches = group.kind == ConstraintKind::kStretch;
  check.require(stretches || !group.unilateral, "unilateral", "must be false but for stretch");
  check.require(stretches || std::isinf(group.law.breaking_force), "breaking_force",
                "must be infinite but for stretch: what bends and fills goes with the stretches of its particles");
  const bool shapes = group.kind == ConstraintKind::kShape, elastic = group.kind == ConstraintKind::kElastic;
  if (shapes && !group.particles.empty()) {
    check.require(group.cluster >= 2 && group.cluster <= kMaxCluster, "cluster", "/particles",
                  "must be between 2 and " + std::to_string(kMaxCluster) + ", is " + std::to_string(group.cluster));
  }
  check.require(shapes || group.cluster == 0, "cluster", "/particles", "must be 0 but for shape");
  check.require(!(shapes || elastic) || group.rest.empty(), "rest",
                "must be none for shape and elastic: it is as the particles start");
  if (!check.good()) return;
  const std::size_t ends = particles_of(group), count = count_constraints(group);
  check.require(ends == 0 || group.particles.size() % ends == 0, "particles",
                "must be " + std::to_string(ends) + " for each constraint");
  check.require(group.rest.empty() || group.rest.size() == count, "rest", "must be one for each constraint, or none");
  std::vector<std::uint32_t> sorted;
  for (std::size_t i = 0; i < count && check.good(); ++i) {
    const std::string place = "/particles/" + std::to_string(i);
    const std::span<const std::uint32_t> of(&group.particles[ends * i], ends);
    for (std::size_t k = 0; k < ends; ++k) {
      check.index(of[k], positions.size(), "a particle", "particles", place + "/" + std::to_string(k));
    }
    sorted.assign(of.begin(), of.end());
    std::ranges::sort(sorted);
    check.require(std::ranges::adjacent_find(sorted) == sorted.end(), "particles", place, "must be different ones");
    if (elastic && check.good()) check_flat(check, positions, of, place);
    if (group.rest.empty()) continue;
    constexpr AttributeRange kAngle = between(-3.1415927, 3.1415928);
    const AttributeRange of_kind[] = {kAtLeastZero, kAngle, kFinite};
    check.number(group.rest[i], "rest", "/rest/" + std::to_string(i), of_kind[static_cast<int>(group.kind)]);
  }
}

/// [1] Allowed relative difference of a given mass from that of the fluid.
constexpr float kMassTolerance = 1e-3f;

void check_fluid(Checker& check, const ParticleSet& set) {
  const Fluid& fluid = *set.fluid;
  check.require(set.masses.empty(), "masses", "must be none in a fluid: density and spacing give the mass");
  const float mass = mass_of(fluid);
  check.require(set.mass == 1 || (set.mass >= mass * (1 - kMassTolerance) && set.mass <= mass * (1 + kMassTolerance)),
                "mass",
                "must be 1, or what density and spacing give in a fluid, " + digits(mass) + ", is " + digits(set.mass));
  check.require(
      set.radius <= 0.5f * fluid.spacing, "radius",
      "must be at most half the spacing of a fluid, " + digits(0.5f * fluid.spacing) + ", is " + digits(set.radius));
  check.require(set.constraints.empty(), "constraints", "must be none in a fluid");
  check.require(set.attachments.empty(), "attachments", "must be none in a fluid");
}

}  // namespace

float mass_of(const Fluid& fluid) {
  const double s = fluid.spacing;
  return static_cast<float>(fluid.density * s * s * s);
}

std::optional<Fault> find_fault(const ParticleSet& set) {
  Checker check;
  check_attributes(check, set);
  const std::size_t count = set.positions.size();
  check.require(count != 0, "positions", "must have at least one");
  check.require(set.velocities.empty() || set.velocities.size() == count, "velocities",
                "must be one for each particle, or none");
  check.require(set.masses.empty() || set.masses.size() == count, "masses", "must be one for each particle, or none");
  if (set.fluid && check.good()) check_fluid(check, set);
  for (std::size_t i = 0; i < set.fixed.size() && check.good(); ++i) {
    check.index(set.fixed[i], count, "a particle", "fixed", "/fixed/" + std::to_string(i));
  }
  for (std::size_t i = 0; i < set.constraints.size() && check.good(); ++i) {
    check.set_part("", "/constraints/" + std::to_string(i));
    check_group(check, set.constraints[i], set.positions);
  }
  for (std::size_t i = 0; i < set.attachments.size() && check.good(); ++i) {
    check.set_part("", "/attachments/" + std::to_string(i));
    check.index(set.attachments[i].particle, count, "a particle", "particle", "/particle");
    check_attributes(check, set.attachments[i]);
    check_law(check, set.attachments[i].law);
  }
  return check.fault;
}

}  // namespace rules

namespace {

Body particle_of(const ParticleSet& set, std::uint32_t i) {
  Body body{.name = set.name + "/" + std::to_string(i), .position = set.positions[i]};
  if (!set.velocities.empty()) body.linear_velocity = set.velocities[i];
  body.shapes = {{.geometry = Sphere{set.radius}, .material = set.material, .filter = set.filter}};
  body.mass = set.fluid ? rules::mass_of(*set.fluid) : (set.masses.empty() ? set.mass : set.masses[i]);
  body.linear_damping = set.linear_damping;
  body.fixed_rotation = true;
  body.color = set.color;
  return body;
}

}  // namespace

std::vector<Body> bodies_of_particles(const ParticleSet& set) {
  std::vector<Body> bodies;
  bodies.reserve(set.positions.size());
  for (std::uint32_t i = 0; i < set.positions.size(); ++i) bodies.push_back(particle_of(set, i));
  for (const std::uint32_t i : set.fixed) bodies[i].type = BodyType::kKinematic;
  return bodies;
}

std::size_t count_constraints(const ConstraintGroup& group) {
  const std::size_t ends = particles_of(group);
  return ends == 0 ? 0 : group.particles.size() / ends;
}

std::size_t count_constraints(const ParticleSet& set) {
  std::size_t count = set.attachments.size();
  for (const ConstraintGroup& group : set.constraints) count += count_constraints(group);
  return count;
}

std::uint64_t count_pairs(const ParticleSet& set) {
  std::uint64_t pairs = set.attachments.size();
  for (const ConstraintGroup& group : set.constraints) {
    const std::uint64_t ends = particles_of(group);
    pairs += count_constraints(group) * (ends == 0 ? 0 : ends * (ends - 1) / 2);
  }
  return pairs;
}

std::vector<BodyPair> pairs_of_constraints(const ParticleSet& set, std::uint32_t first_body) {
  std::vector<BodyPair> pairs;
  pairs.reserve(count_pairs(set));
  const auto put = [&](std::uint32_t a, std::uint32_t b) { pairs.push_back({std::min(a, b), std::max(a, b)}); };
  for (const ConstraintGroup& group : set.constraints) {
    const std::size_t ends = particles_of(group);
    for (std::size_t at = 0; at < group.particles.size(); at += ends) {
      for (std::size_t k = 1; k < ends; ++k) {
        for (std::size_t o = 0; o < k; ++o) {
          put(first_body + group.particles[at + o], first_body + group.particles[at + k]);
        }
      }
    }
  }
  return pairs;
}

std::vector<BodyPair> pairs_of_particles(const ParticleSet& set, std::uint32_t first_body) {
  std::vector<BodyPair> pairs = pairs_of_constraints(set, first_body);
  for (const Attachment& a : set.attachments) {
    const std::uint32_t particle = first_body + a.particle;
    pairs.push_back({std::min(particle, a.body), std::max(particle, a.body)});
  }
  return pairs;
}

void rules::refuse_other_spacing(const ParticleSet& set, const ParticleSet& other) {
  if (!set.fluid || !other.fluid || other.fluid->spacing == set.fluid->spacing) return;
  throw InvalidArgument("particles \"" + set.name + "\": spacing must be that of the fluid \"" + other.name + "\", " +
                        digits(other.fluid->spacing) + ", is " + digits(set.fluid->spacing));
}

}  // namespace cairn
