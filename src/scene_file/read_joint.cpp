// Joints from JSON values.

#include <utility>

#include "src/scene/joint_rules.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/joint_keys.h"
#include "src/scene_file/read_attributes.h"

namespace cairn::scene_file {

void Decoder::joint(const Node& node, const Path& path) {
  cap(joints_.size() + 1, limits_.joints, "joints", Path(root_, "joints"));
  // the valid keys depend on the kind, which may follow them
  const std::vector<std::string_view> given(node.keys.begin(), node.keys.end());
  const std::size_t kind =
      read_index(Fields(node, given, path).require("kind"), VariantWords<JointKind>::all, Path(path, "kind"));
  NamedJoint named;
  Joint& joint = named.joint;
  joint.kind = make_type<JointKind>(kind);
  const Fields fields(node, keys_of_joint(joint.kind), path);
  auto &a = named.ends[0], &b = named.ends[1];
  const Overloads read_end{[&](const Attribute<&Joint::body_a>& of) { fields.read(of.key(), read_string, a); },
                           [&](const Attribute<&Joint::body_b>& of) { fields.read(of.key(), read_string, b); },
                           [&](const Attribute<&GearJoint::joint_a>& of) { fields.read(of.key(), read_string, a); },
                           [&](const Attribute<&GearJoint::joint_b>& of) { fields.read(of.key(), read_string, b); },
                           [](const Attribute<&Joint::kind>&) {}};
  read_attributes(fields, path, joint, read_end);
  std::visit([&](auto& of) { read_attributes(fields, path, of, read_end); }, joint.kind);
  joints_.push_back(std::move(named));
}

std::uint32_t Decoder::body_named(const Scene& scene, const std::optional<std::string>& name, const Path& path) {
  if (!name) return kWorldBody;
  if (const auto found = referenced_body(scene, *name)) return *found;
  if (*name == kWorld) return kWorldBody;
  fail(path, missing("body", *name));
}

void Decoder::add_joints(Scene& scene) {
  const Path list(root_, "joints");
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Path path(list, k);
    auto& [joint, names] = joints_[k];
    const std::array<std::string_view, 2> ends = ends_of(joint.kind);
    if (auto* gear = std::get_if<GearJoint>(&joint.kind)) {
      const std::array<std::uint32_t*, 2> followed{&gear->joint_a, &gear->joint_b};
      for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto found = referenced_joint(scene, *names[i]);
        if (!found) fail(Path(path, ends[i]), missing("joint before this one", *names[i]));
        *followed[i] = *found;
      }
    } else {
      joint.body_a = body_named(scene, names[0], Path(path, ends[0]));
      joint.body_b = body_named(scene, names[1], Path(path, ends[1]));
    }
    if (const auto fault = rules::find_fault(joint, rules::place_in(scene))) refuse(path, *fault);
    if (const auto first = scene.find_joint(joint.name))
      refuse_name(path, joint.name, "/joints/" + std::to_string(*first));
    scene.add_joint(joint);
  }
}

}  // namespace cairn::scene_file
