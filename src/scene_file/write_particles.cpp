#include <span>

#include "src/scene_file/write_attributes.h"

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

std::string constraint_text(const ConstraintGroup& group) {
  Members members;
  add_attributes(members, group,
                 Overloads{[&](const Attribute<&ConstraintGroup::particles>& a) {
                             const std::size_t ends = particles_of(group);
                             std::string particles = "[";
                             for (std::size_t i = 0; i < group.particles.size(); i += ends) {
                               const std::span<const std::uint32_t> one(&group.particles[i], ends);
                               particles += (particles.size() > 1 ? ", " : "") + array_of(one, whole);
                             }
                             members.add(a.key(), particles + "]");
                           },
                           [&](const Attribute<&ConstraintGroup::rest>& a) {
                             if (!group.rest.empty()) members.add(a.key(), array_of(group.rest, number));
                           }});
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
    const auto vector = [](const auto& v) { return list_of(v); };
    Members members;
    using S = ParticleSet;
    const auto add_list = [&](const auto& a, const auto& text) {
      const auto& list = set.*a.member;
      if (!list.empty()) members.add(a.key(), array_of(list, text));
    };
    add_attributes(members, set,
                   Overloads{[&](const Attribute<&S::positions>& a) { add_list(a, vector); },
                             [&](const Attribute<&S::velocities>& a) { add_list(a, vector); },
                             [&](const Attribute<&S::masses>& a) { add_list(a, number); },
                             [&](const Attribute<&S::fixed>& a) { add_list(a, whole); },
                             [&](const Attribute<&S::material>& a) {
                               members.add(a.key(), text_of(scene.materials()[set.material].name));
                             },
                             [&](const Attribute<&S::constraints>& a) {
                               std::string groups;
                               for (const ConstraintGroup& group : set.constraints) {
                                 groups += (groups.empty() ? "[\n      " : ",\n      ") + constraint_text(group);
                               }
                               if (!groups.empty()) members.add(a.key(), groups + "]");
                             },
                             [&](const Attribute<&S::attachments>& a) {
                               add_list(a, [&](const Attachment& one) { return attachment_text(one, scene); });
                             }});
    members.add("first_body", std::to_string(of.first_body));
    return members.end();
  });
}

}  // namespace cairn::scene_file
