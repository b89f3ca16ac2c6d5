// Writes a scene as JSON: a line a material, a line a body, every number in the shortest digits that read back the
// same.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "cairn/scene_file.h"
#include "src/scene/text.h"
#include "src/scene_file/keys.h"

namespace cairn {
namespace {

using scene_file::Word;

std::string text_of(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

template <class T>
std::string number_of(T value) {
  const std::string digits = rules::digits(value);
  // JSON parsers read -0 as a whole number, which has no sign
  return digits == "-0" ? "-0.0" : digits;
}

template <class T>
std::string list_of(std::initializer_list<T> values) {
  std::string out = "[";
  for (const T value : values) out += (out.size() > 1 ? ", " : "") + number_of(value);
  return out + "]";
}

template <class T>
std::string list_of(const Vec3T<T>& v) {
  return list_of({v.x, v.y, v.z});
}

std::string list_of(const Quat& q) { return list_of({q.x, q.y, q.z, q.w}); }

template <class T, std::size_t N>
std::string word_of(T value, const std::array<Word<T>, N>& words) {
  const auto word = std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.second == value; });
  return text_of(word->first);
}

/// Members of an object, in the order in which they are added.
class Members {
 public:
  void add(std::string_view key, const std::string& value) {
    text_ += (text_.empty() ? "{" : ", ") + text_of(key) + ": " + value;
  }
  std::string end() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

/// Whether every bit is that of the default: a negative zero isn't.
bool is_zero(const Vec3& v) {
  return (std::bit_cast<std::uint32_t>(v.x) | std::bit_cast<std::uint32_t>(v.y) | std::bit_cast<std::uint32_t>(v.z)) ==
         0;
}

bool is_identity(const Quat& q) { return is_zero({q.x, q.y, q.z}) && q.w == 1; }

struct GeometryText {
  Members& members;

  void operator()(const Sphere& sphere) const {
    Members inner;
    inner.add("radius", number_of(sphere.radius));
    members.add("sphere", inner.end());
  }
  void operator()(const Box& box) const {
    Members inner;
    inner.add("half_extents", list_of(box.half_extents));
    members.add("box", inner.end());
  }
  void operator()(const Capsule& capsule) const {
    Members inner;
    inner.add("radius", number_of(capsule.radius));
    inner.add("half_height", number_of(capsule.half_height));
    members.add("capsule", inner.end());
  }
  template <class Other>
  void operator()(const Other&) const {}
  void operator()(const Plane& plane) const {
    Members inner;
    inner.add("normal", list_of(plane.normal));
    inner.add("offset", number_of(plane.offset));
    members.add("plane", inner.end());
  }
};

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
  std::visit(GeometryText{members}, shape.geometry);
  if (!is_zero(shape.position)) members.add("position", list_of(shape.position));
  if (!is_identity(shape.orientation)) members.add("orientation_xyzw", list_of(shape.orientation));
  members.add("material", text_of(scene.materials()[shape.material].name));
  if (!(shape.filter == Filter{})) members.add("filter", filter_text(shape.filter));
  if (shape.sensor) members.add("sensor", "true");
  return members.end();
}

std::string body_text(const Body& body, const Scene& scene) {
  Members members;
  members.add("name", text_of(body.name));
  members.add("type", word_of(body.type, scene_file::kBodyTypes));
  members.add("position", list_of(body.position));
  members.add("orientation_xyzw", list_of(body.orientation));
  if (!is_zero(body.linear_velocity)) members.add("linear_velocity", list_of(body.linear_velocity));
  if (!is_zero(body.angular_velocity)) members.add("angular_velocity", list_of(body.angular_velocity));
  if (body.mass) members.add("mass", number_of(*body.mass));
  if (body.density) members.add("density", number_of(*body.density));
  if (body.inertia) members.add("inertia", list_of(body.inertia->moments));
  if (body.linear_damping != 0) members.add("linear_damping", number_of(body.linear_damping));
  if (body.angular_damping != 0) members.add("angular_damping", number_of(body.angular_damping));
  std::string shapes = "[";
  for (const Shape& shape : body.shapes) shapes += (shapes.size() > 1 ? ", " : "") + shape_text(shape, scene);
  members.add("shapes", shapes + "]");
  return members.end();
}

std::string solver_text(const StepParams& params) {
  Members members;
  members.add("kind", word_of(params.solver, scene_file::kSolverKinds));
  members.add("sweep", word_of(params.sweep, scene_file::kSweepKinds));
  members.add("dt", number_of(params.dt));
  members.add("substeps", std::to_string(params.substeps));
  members.add("contact_frequency", number_of(params.contact_frequency));
  members.add("contact_damping_ratio", number_of(params.contact_damping_ratio));
  members.add("push_out_speed", number_of(params.push_out_speed));
  members.add("restitution_threshold", number_of(params.restitution_threshold));
  members.add("recycle_tolerance", number_of(params.recycle_tolerance));
  members.add("friction_mix", word_of(params.friction_mix, scene_file::kMixRules));
  members.add("restitution_mix", word_of(params.restitution_mix, scene_file::kMixRules));
  members.add("rolling_mix", word_of(params.rolling_mix, scene_file::kMixRules));
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
