#include <cmath>

#include "src/scene_file/joint_fields.h"
#include "src/scene_file/write_text.h"

namespace cairn::scene_file {
namespace {

/// Adds what isn't as it is in a joint left alone, bit for bit.
struct PartWriter {
  Members& members;

  template <class T>
  void operator()(std::string_view key, const T& value, const T& without) const {
    const std::string text = text_of_part(value, without);
    if (!text.empty()) members.add(key, text);
  }

  /// Empty where the two are the same.
  static std::string text_of_part(float value, float without) {
    if (std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(without)) return "";
    return std::isinf(value) ? text_of(kInfinite) : number_of(value);
  }
  static std::string text_of_part(bool value, bool without) {
    return value == without ? "" : value ? "true" : "false";
  }
  static std::string text_of_part(const Vec3d& value, const Vec3d&) {
    return is_zero(value) ? "" : list_of(value);
  }
  static std::string text_of_part(const Quat& value, const Quat&) { return is_identity(value) ? "" : list_of(value); }
  static std::string text_of_part(JointAxis::Mode value, JointAxis::Mode without) {
    return value == without ? "" : word_of(value, kAxisModes);
  }
  template <class T>
  static std::string text_of_part(const T& part, const T& without) {
    Members inner;
    each_field(PartWriter{inner}, part, without);
    return inner.empty() ? "" : inner.end();
  }
};

}  // namespace

std::string joint_text(const Joint& joint, const Scene& scene) {
  Members members;
  members.add("name", text_of(joint.name));
  members.add("kind", text_of(kJointKinds[joint.kind.index()]));
  const Ends& ends = ends_of(joint.kind);
  if (const auto* gear = std::get_if<GearJoint>(&joint.kind)) {
    members.add(ends[0], text_of(scene.joints()[gear->joint_a].name));
    members.add(ends[1], text_of(scene.joints()[gear->joint_b].name));
  } else {
    if (joint.body_a != kWorldBody) members.add(ends[0], text_of(scene.bodies()[joint.body_a].name));
    if (joint.body_b != kWorldBody) members.add(ends[1], text_of(scene.bodies()[joint.body_b].name));
  }
  const PartWriter writer{members};
  const Joint without;
  each_field(writer, !is_gear(joint.kind), joint, without);
  const auto write_kind = [&]<class T>(const T& kind) {
    const T left_alone;
    each_field(writer, kind, left_alone);
  };
  std::visit(write_kind, joint.kind);
  return members.end();
}

}  // namespace cairn::scene_file
