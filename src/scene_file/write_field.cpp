#include <algorithm>

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

/// Adds the names of sets that are there as a whole, and of the bodies beside them.
void add_names(Members& members, std::vector<std::uint32_t> bodies, const Scene& scene) {
  std::string sets, alone;
  const auto add = [](std::string& to, const std::string& name) { to += (to.empty() ? "" : ", ") + text_of(name); };
  for (const SceneParticles& set : scene.particles()) {
    const auto first = std::ranges::lower_bound(bodies, set.first_body);
    const auto count = static_cast<std::ptrdiff_t>(set.description.positions.size());
    // bodies are ascending: where as many follow, they are all of it
    if (bodies.end() - first < count) continue;
    const auto end = first + count;
    if (*first != set.first_body || *(end - 1) != set.first_body + count - 1) continue;
    bodies.erase(first, end);
    add(sets, set.description.name);
  }
  for (const std::uint32_t body : bodies) add(alone, scene.bodies()[body].name);
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
