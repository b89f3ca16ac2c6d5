#pragma once
// Sets of particles as C describes them.

#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {

/// Names and lists are those of `of`, which must stay.
struct SetInC {
  explicit SetInC(const ParticleSet& of) : set(init(cairn_particle_set_init)) {
    set.name = of.name.c_str();
    set.positions = &of.positions[0].x;
    set.particle_count = count_of(of.positions);
    if (!of.velocities.empty()) set.velocities = &of.velocities[0].x;
    if (!of.masses.empty()) set.masses = of.masses.data();
    set.mass = of.mass;
    set.radius = of.radius;
    if (!of.fixed.empty()) set.fixed = of.fixed.data();
    set.fixed_count = count_of(of.fixed);
    set.material = of.material;
    set.category = of.filter.category;
    set.mask = of.filter.mask;
    set.group = of.filter.group;
    set.linear_damping = of.linear_damping;
    for (const ConstraintGroup& from : of.constraints) {
      auto group = init(cairn_constraint_group_init);
      group.kind = static_cast<std::int32_t>(from.kind);
      take(from.law, group);
      if (!from.particles.empty()) group.particles = from.particles.data();
      group.particle_count = count_of(from.particles);
      if (!from.rest.empty()) group.rest = from.rest.data();
      group.rest_count = count_of(from.rest);
      group.unilateral = from.unilateral ? 1 : 0;
      group.cluster = from.cluster;
      group.young_modulus = from.young_modulus;
      group.poisson_ratio = from.poisson_ratio;
      groups.push_back(group);
    }
    for (const Attachment& from : of.attachments) {
      auto attachment = init(cairn_attachment_init);
      attachment.particle = from.particle;
      attachment.body = from.body;
      take(from.law, attachment);
      attachments.push_back(attachment);
    }
    if (of.fluid) {
      set.is_fluid = 1;
      set.density = of.fluid->density;
      set.spacing = of.fluid->spacing;
      set.viscosity = of.fluid->viscosity;
      set.surface_tension = of.fluid->surface_tension;
    }
    hold();
  }
  SetInC(const SetInC&) = delete;
  SetInC& operator=(const SetInC&) = delete;

  const cairn_particle_set* get() const { return &set; }
  void hold() {
    set.constraints = groups.empty() ? nullptr : groups.data();
    set.constraint_count = count_of(groups);
    set.attachments = attachments.empty() ? nullptr : attachments.data();
    set.attachment_count = count_of(attachments);
  }

  cairn_particle_set set;
  std::vector<cairn_constraint_group> groups;
  std::vector<cairn_attachment> attachments;

 private:
  template <class T>
  static std::uint32_t count_of(const std::vector<T>& list) {
    return static_cast<std::uint32_t>(list.size());
  }
  template <class C>
  static void take(const ConstraintLaw& law, C& c) {
    c.compliance = law.compliance;
    c.damping = law.damping;
    c.stiffness = law.stiffness;
    c.breaking_force = law.breaking_force;
  }
};

}  // namespace cairn::c_api_test
