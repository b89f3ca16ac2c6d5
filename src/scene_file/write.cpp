// Writes a scene as JSON: a line a material, a body, a joint, every number in the shortest digits that read back the
// same.

#include <string>

#include "cairn/scene_file.h"
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
  return members.end();
}

std::string filter_text(const Filter& filter) {
  Members members;
  members.add("category", std::to_string(filter.category));
  members.add("mask", std::to_string(filter.mask));
  members.add("group", std::to_string(filter.group));
  return members.end();
}

std::string shape_text(const Shape& shape, const Scene& scene) {
  Members members;
  add_geometry(members, shape.geometry);
  if (!is_zero(shape.position)) members.add("position", list_of(shape.position));
  if (!is_identity(shape.orientation)) members.add("orientation_xyzw", list_of(shape.orientation));
  members.add("material", text_of(scene.materials()[shape.material].name));
  if (!(shape.filter == Filter{})) members.add("filter", filter_text(shape.filter));
  if (shape.sensor) members.add("sensor", "true");
  return members.end();
}

std::string inertia_text(const Inertia& inertia) {
  const Vec3 &m = inertia.moments, &p = inertia.products;
  if (is_zero(p)) return list_of(m);
  return "[" + list_of({m.x, p.x, p.y}) + ", " + list_of({p.x, m.y, p.z}) + ", " + list_of({p.y, p.z, m.z}) + "]";
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
  if (body.inertia) members.add("inertia", inertia_text(*body.inertia));
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
  std::string shapes = "[";
  for (const Shape& shape : body.shapes) shapes += (shapes.size() > 1 ? ", " : "") + shape_text(shape, scene);
  members.add("shapes", shapes + "]");
  return members.end();
}

std::string solver_text(const StepParams& params) {
  Members members;
  members.add("kind", word_of(params.solver, kSolverKinds));
  members.add("sweep", word_of(params.sweep, kSweepKinds));
  members.add("dt", number_of(params.dt));
  members.add("substeps", std::to_string(params.substeps));
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

}  // namespace

std::string scene_to_json(const Scene& scene) {
  if (!rules::is_utf8(scene.name)) throw InvalidArgument("scene: name must be UTF-8");
  std::string out = "{\n  \"cairn\": 1,\n  \"name\": " + text_of(scene.name);
  out += ",\n  \"gravity\": " + list_of(scene.gravity()) + ",\n  \"solver\": " + solver_text(scene.params());
  if (!(scene.limits() == Limits{})) out += ",\n  \"limits\": " + limits_text(scene.limits());
  out += ",\n  \"materials\": [";
  const char* separator = "\n    ";
  for (const Material& material : scene.materials()) {
    out += separator + material_text(material);
    separator = ",\n    ";
  }
  out += "\n  ],\n  \"bodies\": [";
  separator = "\n    ";
  for (const Body& body : scene.bodies()) {
    out += separator + body_text(body, scene);
    separator = ",\n    ";
  }
  out += "\n  ]";
  if (!scene.joints().empty()) out += ",\n  \"joints\": [";
  separator = "\n    ";
  for (const Joint& joint : scene.joints()) {
    out += separator + joint_text(joint, scene);
    separator = ",\n    ";
  }
  if (!scene.joints().empty()) out += "\n  ]";
  if (!scene.ignored().empty()) out += ",\n  \"ignore\": [";
  separator = "\n    ";
  for (const BodyPair& pair : scene.ignored()) {
    out += separator + ("[" + text_of(scene.bodies()[pair.a].name)) + ", " + text_of(scene.bodies()[pair.b].name) + "]";
    separator = ",\n    ";
  }
  if (!scene.ignored().empty()) out += "\n  ]";
  return out + "\n}\n";
}

}  // namespace cairn
