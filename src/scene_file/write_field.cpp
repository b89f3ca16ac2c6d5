#include "src/scene_file/law_fields.h"
#include "src/scene_file/write_text.h"

namespace cairn::scene_file {
namespace {

struct MemberWriter {
  Members& members;
  void operator()(std::string_view key, double value) const { members.add(key, number_of(value)); }
  void operator()(std::string_view key, const Vec3d& value) const { members.add(key, list_of(value)); }
  void operator()(std::string_view key, std::uint32_t value) const { members.add(key, std::to_string(value)); }
};

std::string text_of_law(const fields::Springs& law, const Scene& scene) {
  std::string springs = "[";
  for (const fields::Spring& spring : law.springs) {
    Members members;
    members.add("a", text_of(scene.bodies()[spring.a].name));
    members.add("b", text_of(scene.bodies()[spring.b].name));
    each_field(MemberWriter{members}, spring);
    springs += (springs.size() > 1 ? ", " : "") + members.end();
  }
  return springs + "]";
}
template <class Law>
std::string text_of_law(const Law& law, const Scene&) {
  Members members;
  each_field(MemberWriter{members}, law);
  return members.end();
}

/// Adds the names of sets that are there as a whole, and of the bodies beside them. Both are ascending.
void add_names(Members& members, const std::vector<std::uint32_t>& bodies, const Scene& scene) {
  std::string sets, alone;
  const auto add = [](std::string& to, const std::string& name) { to += (to.empty() ? "" : ", ") + text_of(name); };
  std::size_t at = 0;
  const auto add_alone = [&](std::size_t end_body) {
    for (; at < bodies.size() && bodies[at] < end_body; ++at) add(alone, scene.bodies()[bodies[at]].name);
  };
  for (const SceneParticles& set : scene.particles()) {
    add_alone(set.first_body);
    const std::size_t count = set.description.positions.size();
    // where as many follow, up to the last of it, they are all of it
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
  members.add(kLawKeys[field.law.index()],
              std::visit([&](const auto& law) { return text_of_law(law, scene); }, field.law));
  if (field.bodies) add_names(members, *field.bodies, scene);
  return members.end();
}

}  // namespace cairn::scene_file
