// Joints from JSON values.

#include <utility>

#include "src/scene/joint_rules.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/joint_fields.h"

namespace cairn::scene_file {
namespace {

/// Reads what is there of an object over what `part` is without.
struct PartReader {
  const Node& object;
  const Path& path;

  template <class T>
  void operator()(std::string_view key, T& part) const {
    for (std::size_t k = 0; k < object.keys.size(); ++k) {
      if (object.keys[k] == key) read(object.items[k], Path(path, key), part);
    }
  }

  static void read(const Node& node, const Path& at, float& value) {
    value = read_unbounded(node, at);
  }
  static void read(const Node& node, const Path& at, bool& value) { value = read_bool(node, at); }
  static void read(const Node& node, const Path& at, Vec3d& value) { value = read_vec3d(node, at); }
  static void read(const Node& node, const Path& at, Quat& value) { value = read_quat(node, at); }
  static void read(const Node& node, const Path& at, JointAxis::Mode& value) {
    value = read_word(node, kAxisModes, at);
  }
  template <class T>
  static void read(const Node& node, const Path& at, T& part) {
    // refuses what is no object, and keys that aren't known
    const Fields fields(node, keys_of(part), at);
    each_field(PartReader{node, at}, part);
  }
};

template <std::size_t... k>
JointKind kind_at(std::size_t index, std::index_sequence<k...>) {
  JointKind kind;
  ((index == k ? static_cast<void>(kind.emplace<k>()) : void()), ...);
  return kind;
}

/// A joint of the named kind, otherwise as left alone.
JointKind read_kind(const Node& node, const Path& path) {
  constexpr std::size_t kCount = kJointKinds.size();
  std::array<Word<std::size_t>, kCount> words;
  for (std::size_t k = 0; k < kCount; ++k) words[k] = {kJointKinds[k], k};
  return kind_at(read_word(node, words, path), std::make_index_sequence<kCount>());
}

}  // namespace

void Decoder::joint(const Node& node, const Path& path) {
  if (joints_.size() >= limits_.joints) {
    fail(Path(root_, "joints"), "more than " + std::to_string(limits_.joints) + " joints");
  }
  // what keys there may be hangs on the kind, which may stand behind them
  const std::vector<std::string_view> given(node.keys.begin(), node.keys.end());
  NamedJoint named;
  Joint& joint = named.joint;
  joint.kind = read_kind(Fields(node, given, path).require("kind"), Path(path, "kind"));
  const Fields fields(node, keys_of(joint), path);
  joint.name = read_string(fields.require("name"), Path(path, "name"));
  const Ends& ends = ends_of(joint.kind);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    // a body that isn't named is the world; a gear has none to fall back on
    if (is_gear(joint.kind)) fields.require(ends[i]);
    fields.read(ends[i], read_string, named.ends[i]);
  }
  const PartReader reader{node, path};
  each_field(reader, !is_gear(joint.kind), joint);
  std::visit([&](auto& kind) { each_field(reader, kind); }, joint.kind);
  joints_.push_back(std::move(named));
}

std::uint32_t Decoder::body_named(const Scene& scene, const std::optional<std::string>& name, const Path& path) {
  if (!name) return kWorldBody;
  if (const auto found = scene.find_body(*name)) return *found;
  if (*name == kWorld) return kWorldBody;
  fail(path, "no body is named " + in_quotes(*name));
}

void Decoder::add_joints(Scene& scene) {
  const Path list(root_, "joints");
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Path path(list, k);
    auto& [joint, names] = joints_[k];
    const Ends& ends = ends_of(joint.kind);
    if (auto* gear = std::get_if<GearJoint>(&joint.kind)) {
      const std::array<std::uint32_t*, 2> followed{&gear->joint_a, &gear->joint_b};
      for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto found = scene.find_joint(*names[i]);
        if (!found) fail(Path(path, ends[i]), "no joint before this one is named " + in_quotes(*names[i]));
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
