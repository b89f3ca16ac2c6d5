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
    copy_members(set, of);
    copy_members(set, of.filter);
    if (!of.fixed.empty()) set.fixed = of.fixed.data();
    set.fixed_count = count_of(of.fixed);
    for (const ConstraintGroup& from : of.constraints) {
      auto group = init(cairn_constraint_group_init);
      copy_members(group, from);
      copy_members(group, from.law);
      if (!from.particles.empty()) group.particles = from.particles.data();
      group.particle_count = count_of(from.particles);
      if (!from.rest.empty()) group.rest = from.rest.data();
      group.rest_count = count_of(from.rest);
      groups.push_back(group);
    }
    for (const Attachment& from : of.attachments) {
      auto attachment = init(cairn_attachment_init);
      copy_members(attachment, from);
      copy_members(attachment, from.law);
      attachments.push_back(attachment);
    }
    if (of.fluid) {
      set.is_fluid = 1;
      copy_members(set, *of.fluid);
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
};

}  // namespace cairn::c_api_test
