// Writes a scene as JSON: one line for each material, body, link and joint; every number in the shortest digits that
// read back as the same.

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "cairn/scene_file.h"
#include "src/exec/exact_floats.h"
#include "src/scene/link_bodies.h"
#include "src/scene/particle_rules.h"
#include "src/scene_file/write_attributes.h"

namespace cairn {
namespace {

using namespace scene_file;  // NOLINT

std::string body_text(const Body& body, const Scene& scene) {
  Members members;
  add_attributes(
      members, body,
      Overloads{[&](const Attribute<&Body::inertia>& a) {
                  if (body.inertia) members.add(a.key(), list_of(*body.inertia));
                },
                [&](const Attribute<&Body::shapes>& a) { members.add(a.key(), shapes_text(body.shapes, scene)); }});
  return members.end();
}

/// Whether each body is a link or a particle.
std::vector<bool> find_others(const Scene& scene) {
  std::vector<bool> is_other(scene.bodies().size(), false);
  for (const SceneParticles& of : scene.particles()) {
    std::fill_n(is_other.begin() + of.first_body, of.description.positions.size(), true);
  }
  for (const SceneArticulation& of : scene.articulations()) {
    for (const std::uint32_t body : of.bodies) {
      if (body != kNoLinkBody) is_other[body] = true;
    }
  }
  return is_other;
}

/// Pairs that ignore each other, except links and particles that do so by rule.
std::vector<BodyPair> pairs_to_write(const Scene& scene) {
  const auto key = [](const BodyPair& pair) { return std::uint64_t{pair.a} << 32 | pair.b; };
  std::unordered_set<std::uint64_t> by_themselves;
  for (const SceneArticulation& of : scene.articulations()) {
    for (const BodyPair& pair : pairs_of_links(compile(of.description), of.bodies)) by_themselves.insert(key(pair));
  }
  for (const SceneParticles& of : scene.particles()) {
    for (const BodyPair& pair : pairs_of_particles(of.description, of.first_body)) by_themselves.insert(key(pair));
  }
  std::vector<BodyPair> pairs;
  for (const BodyPair& pair : scene.ignored()) {
    if (!by_themselves.contains(key(pair))) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

std::string scene_to_json(const Scene& scene) {
  const exec::ExactFloats exact;
  if (!rules::is_utf8(scene.name)) throw InvalidArgument("scene: name must be UTF-8");
  std::string out = "{\n  \"cairn\": 1,\n  \"name\": " + text_of(scene.name);
  out += ",\n  \"gravity\": " + list_of(scene.gravity()) + ",\n  \"solver\": " + described_text(scene.params());
  if (!(scene.limits() == WorldLimits{})) out += ",\n  \"limits\": " + described_text(scene.limits());
  append_list(out, "materials", scene.materials(), described_text<Material>);
  const std::vector<bool> is_other = find_others(scene);
  std::vector<const Body*> bodies;
  for (std::size_t i = 0; i < is_other.size(); ++i) {
    if (!is_other[i]) bodies.push_back(&scene.bodies()[i]);
  }
  append_list(out, "bodies", bodies, [&](const Body* body) { return body_text(*body, scene); });
  if (!scene.articulations().empty()) append_articulations(out, scene, bodies.size());
  if (!scene.particles().empty()) append_particles(out, scene);
  if (!scene.joints().empty()) {
    append_list(out, "joints", scene.joints(), [&](const Joint& joint) { return joint_text(joint, scene); });
  }
  if (!scene.fields().empty()) {
    append_list(out, "fields", scene.fields(), [&](const SceneField& field) { return field_text(field, scene); });
  }
  if (!scene.cameras().empty()) {
    append_list(out, "cameras", scene.cameras(), [&](const SceneCamera& camera) { return camera_text(camera, scene); });
  }
  const std::vector<BodyPair> ignored = pairs_to_write(scene);
  if (!ignored.empty()) {
    append_list(out, "ignore", ignored, [&](const BodyPair& pair) {
      return "[" + text_of(rules::reference_to(scene.bodies(), pair.a)) + ", " +
             text_of(rules::reference_to(scene.bodies(), pair.b)) + "]";
    });
  }
  return out + "\n}\n";
}

}  // namespace cairn
