#include "src/scene_file/decode.h"

namespace cairn::scene_file {

void refuse(const Path& path, const rules::Fault& fault) {
  // a rule about several keys has no place of its own; its message names them
  fail(path.file(), path.pointer() + fault.pointer, (fault.pointer.empty() ? fault.field + " " : "") + fault.rule);
}

std::optional<std::uint32_t> referenced_body(const Scene& scene, const std::string& name) {
  const auto place = rules::place_of(name);
  if (!place) return scene.find_body(name);
  return *place < scene.bodies().size() && scene.bodies()[*place].name.empty() ? place : std::nullopt;
}
std::optional<std::uint32_t> referenced_joint(const Scene& scene, const std::string& name) {
  const auto place = rules::place_of(name);
  if (!place) return scene.find_joint(name);
  return *place < scene.joints().size() && scene.joints()[*place].name.empty() ? place : std::nullopt;
}

std::string missing(const std::string& kind, const std::string& name) {
  if (const auto place = rules::place_of(name))
    return "there is no " + kind + " " + std::to_string(*place) + " without a name";
  return "no " + kind + " is named " + in_quotes(name);
}

std::uint32_t require_body(const Scene& scene, const std::string& name, const Path& path, const char* kind) {
  if (const auto found = referenced_body(scene, name)) return *found;
  fail(path, missing(kind, name));
}

void cap(std::uint64_t count, std::uint64_t most, const char* things, const Path& path) {
  if (count > most) fail(path, "more than " + std::to_string(most) + " " + things);
}

void refuse_name(const Path& path, const std::string& name, const std::string& first) {
  fail(Path(path, "name"), "must be unique, " + first + " has it too: " + in_quotes(name));
}

std::size_t only_one_of(const Fields& fields, std::span<const std::string_view> words, const Path& path) {
  std::size_t found = 0, count = 0;
  std::string all;
  for (std::size_t k = 0; k < words.size(); ++k) {
    all += (k > 0 ? ", " : "") + std::string(words[k]);
    if (fields.find(words[k]) == nullptr) continue;
    found = k;
    ++count;
  }
  if (count != 1) fail(path, "must have one of " + all + ", has " + std::to_string(count));
  return found;
}

void Decoder::ignore(const Node& node, const Path& path) {
  cap(++pair_count_, limits_.ignored, "pairs of bodies", Path(root_, "ignore"));
  require_kind(node, Kind::kArray, path);
  if (node.items.size() != 2) fail(path, "must be two names of bodies, has " + std::to_string(node.items.size()));
  ignored_.push_back({read_string(node.items[0], Path(path, 0)), read_string(node.items[1], Path(path, 1))});
}

void Decoder::add_ignored(Scene& scene) {
  const Path list(root_, "ignore");
  for (std::size_t k = 0; k < ignored_.size(); ++k) {
    const Path path(list, k);
    const std::uint32_t a = require_body(scene, ignored_[k][0], Path(path, 0));
    const std::uint32_t b = require_body(scene, ignored_[k][1], Path(path, 1));
    if (a == b) fail(path, "must be two bodies, is one: " + in_quotes(ignored_[k][0]));
    scene.ignore(a, b);
  }
}

void Decoder::add_materials(Scene& scene, std::vector<std::uint32_t>& material_of_use) {
  std::unordered_map<std::string, std::uint32_t> index_of;
  const Path list(root_, "materials");
  for (std::size_t k = 0; k < materials_.size(); ++k) {
    const auto [first, added] = index_of.try_emplace(materials_[k].name, static_cast<std::uint32_t>(k));
    if (!added) refuse_name(Path(list, k), materials_[k].name, "/materials/" + std::to_string(first->second));
    scene.add_material(std::move(materials_[k]));
  }

  // a shape without a material gets "default", which a file may define
  const Material fallback = rules::default_material();
  const auto default_use = use_of_.find(fallback.name);
  if (default_use != use_of_.end() && !index_of.contains(fallback.name)) {
    index_of[fallback.name] = scene.add_material(fallback);
  }
  std::vector<std::string_view> names;
  for (const Use& use : uses_) {
    const auto found = index_of.find(use.name);
    if (found == index_of.end()) {
      names.assign(1, fallback.name);
      for (const Material& material : scene.materials()) names.push_back(material.name);
      fail(root_.file(), use.pointer, "no material is named " + in_quotes(use.name) + suggestion(use.name, names));
    }
    material_of_use.push_back(found->second);
  }
}

void Decoder::add_bodies(Scene& scene, const std::vector<std::uint32_t>& material_of_use, std::size_t end) {
  const Path list(root_, "bodies");
  for (; next_body_ < end; ++next_body_) {
    Body& body = bodies_[next_body_];
    const Path path(list, next_body_);
    for (Shape& shape : body.shapes) shape.material = material_of_use[shape.material];
    if (options_.repairs != nullptr && body.inertia) repair(*body.inertia, Path(path, "inertia"));
    if (const auto fault = rules::find_fault(body, scene.materials())) refuse(path, *fault);
    if (const auto first = scene.find_body(body.name)) refuse_name(path, body.name, place_of_body(scene, *first));
    scene.add_body(std::move(body));
  }
}

Scene Decoder::finish(const Node& root) {
  const Fields fields(root, kRootKeys, root_);
  const int version = read_int(fields.require("cairn"), Path(root_, "cairn"));
  if (version != 1) fail(Path(root_, "cairn"), "must be 1, the version of the format, is " + std::to_string(version));
  fields.require("bodies");
  fields.require_list("bodies");
  fields.require_list("materials");

  Scene scene;
  fields.read("name", read_string, scene.name);
  if (const Node* gravity = fields.find("gravity")) scene.set_gravity(read_vec3(*gravity, Path(root_, "gravity")));
  if (const Node* limits = fields.find("limits"))
    scene.set_limits(read_checked<WorldLimits>(*limits, Path(root_, "limits")));
  if (const Node* solver = fields.find("solver"))
    scene.set_params(read_checked<StepParams>(*solver, Path(root_, "solver")));

  std::vector<std::uint32_t> material_of_use;
  add_materials(scene, material_of_use);
  fields.require_list("articulations");
  fields.require_list("particles");
  add_placed(scene, material_of_use);
  add_bodies(scene, material_of_use, bodies_.size());
  fields.require_list("joints");
  add_joints(scene);
  fields.require_list("fields");
  add_fields(scene);
  fields.require_list("cameras");
  add_cameras(scene);
  fields.require_list("ignore");
  add_ignored(scene);
  return scene;
}

}  // namespace cairn::scene_file
