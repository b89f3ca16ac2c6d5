#include "src/scene_file/write_attributes.h"

namespace cairn::scene_file {
namespace {

std::string text_of_law(const fields::Springs& law, const Scene& scene) {
  return array_of(law.springs, [&](const fields::Spring& spring) {
    Members members;
    const auto add_end = [&](const auto& a) {
      members.add(a.key(), text_of(rules::reference_to(scene.bodies(), spring.*a.member)));
    };
    add_attributes(members, spring,
                   Overloads{[&](const Attribute<&fields::Spring::a>& a) { add_end(a); },
                             [&](const Attribute<&fields::Spring::b>& a) { add_end(a); }});
    return members.end();
  });
}
template <class Law>
std::string text_of_law(const Law& law, const Scene&) {
  return described_text(law);
}

/// Adds the names of sets that are listed completely, and of the other bodies. Both are ascending.
void add_names(Members& members, const std::vector<std::uint32_t>& bodies, const Scene& scene) {
  std::string sets, alone;
  const auto add = [](std::string& to, const std::string& name) { to += (to.empty() ? "" : ", ") + text_of(name); };
  std::size_t at = 0;
  const auto add_alone = [&](std::size_t end_body) {
    for (; at < bodies.size() && bodies[at] < end_body; ++at)
      add(alone, rules::reference_to(scene.bodies(), bodies[at]));
  };
  for (const SceneParticles& set : scene.particles()) {
    add_alone(set.first_body);
    const std::size_t count = set.description.positions.size();
    // if as many indices follow, up to the last of the set, the set is complete
    if (bodies.size() - at < count || bodies[at + count - 1] != set.first_body + count - 1) continue;
    add(sets, set.description.name);
    at += count;
  }
  add_alone(scene.bodies().size());
  if (!alone.empty() || sets.empty()) members.add("bodies", "[" + alone + "]");
  if (!sets.empty()) members.add("particles", "[" + sets + "]");
}

}  // namespace

std::string field_text(const SceneField& field, const Scene& scene) {
  Members members;
  members.add(VariantWords<fields::Any>::all[field.law.index()],
              std::visit([&](const auto& law) { return text_of_law(law, scene); }, field.law));
  if (field.bodies) add_names(members, *field.bodies, scene);
  return members.end();
}

}  // namespace cairn::scene_file
