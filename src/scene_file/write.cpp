// Writes a scene as JSON: a line a material, a body, a link, a joint, every number in the shortest digits that read
// back the same.

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "cairn/scene_file.h"
#include "src/exec/exact_floats.h"
#include "src/scene/articulation.h"
#include "src/scene/particles.h"
#include "src/scene_file/write_text.h"

namespace cairn {
namespace {

using namespace scene_file;  // NOLINT

std::string material_text(const Material& material) {
  Members members;
  members.add("name", text_of(material.name));
  if (material.density != 0) members.add("density", number_of(material.density));
  members.add("friction", number_of(material.friction));
  members.add("restitution", number_of(material.restitution));
  members.add("rolling_friction", number_of(material.rolling_friction));
  if (material.young_modulus != 0) members.add("young_modulus", number_of(material.young_modulus));
  if (material.poisson_ratio != Material{}.poisson_ratio) {
    members.add("poisson_ratio", number_of(material.poisson_ratio));
  }
  return members.end();
}

std::string body_text(const Body& body, const Scene& scene) {
  Members members;
  members.add("name", text_of(body.name));
  members.add("type", word_of(body.type, kBodyTypes));
  members.add("position", list_of(body.position));
  members.add("orientation_xyzw", list_of(body.orientation));
  if (!is_zero(body.linear_velocity)) members.add("linear_velocity", list_of(body.linear_velocity));
  if (!is_zero(body.angular_velocity)) members.add("angular_velocity", list_of(body.angular_velocity));
  if (body.mass) members.add("mass", number_of(*body.mass));
  if (body.density) members.add("density", number_of(*body.density));
  if (body.inertia) members.add("inertia", list_of(*body.inertia));
  if (body.centre_of_mass) members.add("centre_of_mass", list_of(*body.centre_of_mass));
  if (!body.point_masses.empty()) {
    std::string points = "[";
    for (const PointMass& point : body.point_masses) {
      Members inner;
      inner.add("mass", number_of(point.mass));
      inner.add("position", list_of(point.position));
      points += (points.size() > 1 ? ", " : "") + inner.end();
    }
    members.add("point_masses", points + "]");
  }
  if (body.linear_damping != 0) members.add("linear_damping", number_of(body.linear_damping));
  if (body.angular_damping != 0) members.add("angular_damping", number_of(body.angular_damping));
  if (body.fast) members.add("fast", "true");
  if (body.fixed_rotation) members.add("fixed_rotation", "true");
  members.add("shapes", shapes_text(body.shapes, scene));
  return members.end();
}

std::string solver_text(const StepParams& params) {
  Members members;
  members.add("kind", word_of(params.solver, kSolverKinds));
  members.add("sweep", word_of(params.sweep, kSweepKinds));
  members.add("dt", number_of(params.dt));
  members.add("substeps", std::to_string(params.substeps));
  members.add("strain_sweeps", std::to_string(params.strain_sweeps));
  members.add("fluid_sweeps", std::to_string(params.fluid_sweeps));
  members.add("direct_bodies", std::to_string(params.direct_bodies));
  members.add("direct_mass_ratio", number_of(params.direct_mass_ratio));
  members.add("residual_target", number_of(params.residual_target));
  members.add("contact_frequency", number_of(params.contact_frequency));
  members.add("contact_damping_ratio", number_of(params.contact_damping_ratio));
  members.add("push_out_speed", number_of(params.push_out_speed));
  members.add("restitution_threshold", number_of(params.restitution_threshold));
  members.add("recycle_tolerance", number_of(params.recycle_tolerance));
  members.add("friction_mix", word_of(params.friction_mix, kMixRules));
  members.add("restitution_mix", word_of(params.restitution_mix, kMixRules));
  members.add("rolling_mix", word_of(params.rolling_mix, kMixRules));
  members.add("sleeping", params.sleeping ? "true" : "false");
  members.add("sleep_speed", number_of(params.sleep_speed));
  members.add("sleep_time", number_of(params.sleep_time));
  return members.end();
}

std::string limits_text(const Limits& limits) {
  Members members;
  members.add("lower", list_of(limits.lower));
  members.add("upper", list_of(limits.upper));
  members.add("speed", number_of(limits.speed));
  members.add("angular_speed", number_of(limits.angular_speed));
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

/// Pairs that ignore each other, but for those of links and particles that do so by themselves.
std::vector<BodyPair> pairs_to_write(const Scene& scene) {
  const auto key = [](const BodyPair& pair) { return std::uint64_t{pair.a} << 32 | pair.b; };
  std::unordered_set<std::uint64_t> by_themselves;
  for (const SceneArticulation& of : scene.articulations()) {
    for (const BodyPair& pair : pairs_of_links(lower(of.description), of.bodies)) by_themselves.insert(key(pair));
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
  out += ",\n  \"gravity\": " + list_of(scene.gravity()) + ",\n  \"solver\": " + solver_text(scene.params());
  if (!(scene.limits() == Limits{})) out += ",\n  \"limits\": " + limits_text(scene.limits());
  append_list(out, "materials", scene.materials(), [](const Material& material) { return material_text(material); });
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
  const std::vector<BodyPair> ignored = pairs_to_write(scene);
  if (!ignored.empty()) {
    append_list(out, "ignore", ignored, [&](const BodyPair& pair) {
      return "[" + text_of(scene.bodies()[pair.a].name) + ", " + text_of(scene.bodies()[pair.b].name) + "]";
    });
  }
  return out + "\n}\n";
}

}  // namespace cairn
