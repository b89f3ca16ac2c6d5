// Joints from JSON values.

#include <utility>

#include "src/scene/joint_rules.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/joint_keys.h"
#include "src/scene_file/read_attributes.h"

namespace cairn::scene_file {

void Decoder::joint(const Node& node, const Path& path) {
  if (joints_.size() >= limits_.joints) {
    fail(Path(root_, "joints"), "more than " + std::to_string(limits_.joints) + " joints");
  }
  // the valid keys depend on the kind, which may follow them
  const std::vector<std::string_view> given(node.keys.begin(), node.keys.end());
  const std::size_t kind =
      read_index(Fields(node, given, path).require("kind"), VariantWords<JointKind>::all, Path(path, "kind"));
  NamedJoint named;
  Joint& joint = named.joint;
  joint.kind = make_type<JointKind>(kind);
  const Fields fields(node, keys_of_joint(joint.kind), path);
  const auto read_end = [&](std::size_t i) {
    return [&, i](const auto& a) { fields.read(a.key(), read_string, named.ends[i]); };
  };
  const auto read_a = read_end(0), read_b = read_end(1);
  read_attributes(
      fields, path, joint,
      Overloads{[&](const Attribute<&Joint::body_a>& a) { read_a(a); },
                [&](const Attribute<&Joint::body_b>& a) { read_b(a); }, [](const Attribute<&Joint::kind>&) {}});
  const auto read_kind = [&]<class Kind>(Kind& of) {
    read_attributes(fields, path, of,
                    Overloads{[&](const Attribute<&GearJoint::joint_a>& a) { read_a(a); },
                              [&](const Attribute<&GearJoint::joint_b>& a) { read_b(a); }});
  };
  std::visit(read_kind, joint.kind);
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
    if (const auto first = scene.find_joint(joint.name)) {
      fail(Path(path, "name"),
           "must be unique, /joints/" + std::to_string(*first) + " has it too: " + in_quotes(joint.name));
    }
    scene.add_joint(joint);
  }
}

}  // namespace cairn::scene_file
