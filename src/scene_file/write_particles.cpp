#include <cmath>
#include <span>

#include "src/scene_file/write_text.h"

namespace cairn::scene_file {
namespace {

template <class List, class Text>
std::string array_of(const List& list, const Text& text) {
  std::string out = "[";
  for (const auto& element : list) out += (out.size() > 1 ? ", " : "") + text(element);
  return out + "]";
}
const auto number = [](const auto value) { return number_of(value); };
const auto whole = [](const std::uint32_t value) { return std::to_string(value); };

void add_law(Members& members, const ConstraintLaw& law) {
  if (!is_zero(law.compliance)) members.add("compliance", number_of(law.compliance));
  if (!is_zero(law.damping)) members.add("damping", number_of(law.damping));
  if (!is_zero(law.stiffness)) members.add("stiffness", number_of(law.stiffness));
  if (!std::isinf(law.breaking_force)) members.add("breaking_force", number_of(law.breaking_force));
}

std::string constraint_text(const ConstraintGroup& group) {
  Members members;
  members.add("kind", word_of(group.kind, kConstraintKinds));
  add_law(members, group.law);
  if (group.unilateral) members.add("unilateral", "true");
  if (group.kind == ConstraintKind::kElastic) {
    members.add("young_modulus", number_of(group.young_modulus));
    members.add("poisson_ratio", number_of(group.poisson_ratio));
  }
  const std::size_t ends = particles_of(group);
  std::string particles = "[";
  for (std::size_t i = 0; i < group.particles.size(); i += ends) {
    const std::span<const std::uint32_t> one(&group.particles[i], ends);
    particles += (particles.size() > 1 ? ", " : "") + array_of(one, whole);
  }
  members.add("particles", particles + "]");
  if (!group.rest.empty()) members.add("rest", array_of(group.rest, number));
  return members.end();
}

std::string attachment_text(const Attachment& attachment, const Scene& scene) {
  Members members;
  members.add("particle", std::to_string(attachment.particle));
  members.add("body", text_of(scene.bodies()[attachment.body].name));
  add_law(members, attachment.law);
  return members.end();
}

std::string fluid_text(const Fluid& fluid) {
  Members members;
  members.add("density", number_of(fluid.density));
  members.add("spacing", number_of(fluid.spacing));
  members.add("viscosity", number_of(fluid.viscosity));
  members.add("surface_tension", number_of(fluid.surface_tension));
  return members.end();
}

}  // namespace

void append_particles(std::string& out, const Scene& scene) {
  append_list(out, "particles", scene.particles(), [&](const SceneParticles& of) {
    const ParticleSet& set = of.description;
    const auto vector = [](const auto& v) { return list_of(v); };
    Members members;
    members.add("name", text_of(set.name));
    members.add("first_body", std::to_string(of.first_body));
    members.add("mass", number_of(set.mass));
    members.add("radius", number_of(set.radius));
    members.add("material", text_of(scene.materials()[set.material].name));
    if (!(set.filter == Filter{})) members.add("filter", filter_text(set.filter));
    if (!is_zero(set.linear_damping)) members.add("linear_damping", number_of(set.linear_damping));
    members.add("positions", array_of(set.positions, vector));
    if (!set.velocities.empty()) members.add("velocities", array_of(set.velocities, vector));
    if (!set.masses.empty()) members.add("masses", array_of(set.masses, number));
    if (!set.fixed.empty()) members.add("fixed", array_of(set.fixed, whole));
    if (set.fluid) members.add("fluid", fluid_text(*set.fluid));
    const char* separator = "\n      ";
    if (!set.constraints.empty()) {
      std::string groups = "[";
      for (const ConstraintGroup& group : set.constraints) {
        groups += (groups.size() > 1 ? std::string(",") : std::string()) + separator + constraint_text(group);
      }
      members.add("constraints", groups + "]");
    }
    if (!set.attachments.empty()) {
      members.add("attachments",
                  array_of(set.attachments, [&](const Attachment& a) { return attachment_text(a, scene); }));
    }
    return members.end();
  });
}

}  // namespace cairn::scene_file
