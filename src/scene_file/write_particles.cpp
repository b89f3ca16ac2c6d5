#include "src/scene_file/write_attributes.h"

namespace cairn::scene_file {
namespace {

std::string constraint_text(const ConstraintGroup& group) {
  Members members;
  add_attributes(members, group, [&](const Attribute<&ConstraintGroup::particles>& a) {
    const std::size_t ends = particles_of(group);
    std::vector<std::vector<std::uint32_t>> tuples;
    for (std::size_t i = 0; i < group.particles.size(); i += ends) {
      tuples.emplace_back(&group.particles[i], &group.particles[i] + ends);
    }
    members.add(a.key(), text_of_value(tuples));
  });
  return members.end();
}

std::string attachment_text(const Attachment& attachment, const Scene& scene) {
  Members members;
  add_attributes(members, attachment, [&](const Attribute<&Attachment::body>& a) {
    members.add(a.key(), text_of(rules::reference_to(scene.bodies(), attachment.body)));
  });
  return members.end();
}

}  // namespace

void append_particles(std::string& out, const Scene& scene) {
  append_list(out, "particles", scene.particles(), [&](const SceneParticles& of) {
    const ParticleSet& set = of.description;
    Members members;
    using S = ParticleSet;
    const auto text_of_attachment = [&](const Attachment& one) { return attachment_text(one, scene); };
    add_attributes(members, set,
                   Overloads{[&](const Attribute<&S::material>& a) {
                               members.add(a.key(), text_of(scene.materials()[set.material].name));
                             },
                             [&](const Attribute<&S::constraints>& a) {
                               const auto& groups = set.constraints;
                               if (!groups.empty()) members.add(a.key(), array_of(groups, constraint_text, "\n      "));
                             },
                             [&](const Attribute<&S::attachments>& a) {
                               const auto& list = set.attachments;
                               if (!list.empty()) members.add(a.key(), array_of(list, text_of_attachment));
                             }});
    members.add("first_body", std::to_string(of.first_body));
    return members.end();
  });
}

}  // namespace cairn::scene_file
