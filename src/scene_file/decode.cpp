#include "src/scene_file/decode.h"

#include <utility>

#include "src/scene_file/read_attributes.h"

namespace cairn::scene_file {

void refuse(const Path& path, const rules::Fault& fault) {
  // a rule about several keys has no place of its own and names them instead
  fail(path.file(), path.pointer() + fault.pointer, (fault.pointer.empty() ? fault.field + " " : "") + fault.rule);
}

namespace {

/// A struct that rules look after.
template <Described T>
T read_checked(const Node& node, const Path& path) {
  const T made = read_described<T>(node, path);
  if (const auto fault = rules::find_fault(made)) refuse(path, *fault);
  return made;
}

}  // namespace

Filter read_filter(const Node& node, const Path& path) { return read_described<Filter>(node, path); }

void Decoder::material(const Node& node, const Path& path) {
  if (materials_.size() >= limits_.materials) {
    fail(Path(root_, "materials"), "more than " + std::to_string(limits_.materials) + " materials");
  }
  materials_.push_back(read_checked<Material>(node, path));
}

std::uint32_t Decoder::use(const std::string& material_name, const Path& path) {
  const auto [at, added] = use_of_.try_emplace(material_name, static_cast<std::uint32_t>(uses_.size()));
  if (added) uses_.push_back({material_name, path.pointer()});
  return at->second;
}

void Decoder::shape(const Node& node, const Path& path) {
  if (++shape_count_ > limits_.shapes) {
    fail(Path(root_, "bodies"), "more than " + std::to_string(limits_.shapes) + " shapes in all");
  }
  const Fields fields(node, kShapeKeys, path);
  Shape shape;
  int geometries = 0;
  for (const std::string_view kind : kGeometryKeys) {
    const Node* geometry = fields.find(kind);
    if (!geometry) continue;
    ++geometries;
    shape.geometry = geometries_.read(kind, *geometry, Path(path, kind));
  }
  if (geometries != 1) {
    std::string all;
    for (const std::string_view kind : kGeometryKeys) all += (all.empty() ? "" : ", ") + std::string(kind);
    fail(path, "must have one of " + all + ", has " + std::to_string(geometries));
  }
  fields.read("position", read_vec3, shape.position);
  fields.read("orientation_xyzw", read_quat, shape.orientation);
  std::string material = rules::default_material().name;
  fields.read("material", read_string, material);
  shape.material = use(material, Path(path, "material"));
  if (const Node* filter = fields.find("filter")) shape.filter = read_filter(*filter, Path(path, "filter"));
  fields.read("sensor", read_bool, shape.sensor);
  shapes_.push_back(shape);
}

void Decoder::point_mass(const Node& node, const Path& path) {
  count(4, path);
  const Fields fields(node, kPointMassKeys, path);
  point_masses_.push_back({read_float(fields.require("mass"), Path(path, "mass")),
                           read_vec3(fields.require("position"), Path(path, "position"))});
}

void Decoder::body(const Node& node, const Path& path) {
  if (bodies_.size() >= limits_.bodies) {
    fail(Path(root_, "bodies"), "more than " + std::to_string(limits_.bodies) + " bodies");
  }
  static constexpr auto kKeys = keys_of<Body>();
  const Fields fields(node, kKeys, path);
  Body body;
  read_attributes(fields, path, body);
  if (const Node* given = fields.find("inertia")) body.inertia = inertia(*given, Path(path, "inertia"));
  require_kind(fields.require("shapes"), Kind::kArray, Path(path, "shapes"));
  body.shapes = std::exchange(shapes_, {});
  body.shapes.shrink_to_fit();
  if (const Node* points = fields.find("point_masses"))
    require_kind(*points, Kind::kArray, Path(path, "point_masses"));
  body.point_masses = std::exchange(point_masses_, {});
  bodies_.push_back(std::move(body));
}

void Decoder::ignore(const Node& node, const Path& path) {
  if (++pair_count_ > limits_.ignored) {
    fail(Path(root_, "ignore"), "more than " + std::to_string(limits_.ignored) + " pairs of bodies");
  }
  require_kind(node, Kind::kArray, path);
  if (node.items.size() != 2) fail(path, "must be two names of bodies, has " + std::to_string(node.items.size()));
  ignored_.push_back({read_string(node.items[0], Path(path, 0)), read_string(node.items[1], Path(path, 1))});
}

void Decoder::add_ignored(Scene& scene) {
  const Path list(root_, "ignore");
  for (std::size_t k = 0; k < ignored_.size(); ++k) {
    const Path path(list, k);
    std::array<std::uint32_t, 2> bodies{};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto found = scene.find_body(ignored_[k][i]);
      if (!found) fail(Path(path, i), "no body is named " + in_quotes(ignored_[k][i]));
      bodies[i] = *found;
    }
    if (bodies[0] == bodies[1]) fail(path, "must be two bodies, is one: " + in_quotes(ignored_[k][0]));
    scene.ignore(bodies[0], bodies[1]);
  }
}

void Decoder::add_materials(Scene& scene, std::vector<std::uint32_t>& material_of_use) {
  std::unordered_map<std::string, std::uint32_t> index_of;
  const Path list(root_, "materials");
  for (std::size_t k = 0; k < materials_.size(); ++k) {
    const auto [first, added] = index_of.try_emplace(materials_[k].name, static_cast<std::uint32_t>(k));
    if (!added) {
      const Path path(list, k);
      fail(Path(path, "name"), "must be unique, /materials/" + std::to_string(first->second) +
                                   " has it too: " + in_quotes(materials_[k].name));
    }
    scene.add_material(std::move(materials_[k]));
  }

  // a shape that names no material gets "default", which a file may define as it likes
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
    if (const auto first = scene.find_body(body.name)) {
      fail(Path(path, "name"),
           "must be unique, " + place_of_body(scene, *first) + " has it too: " + in_quotes(body.name));
    }
    scene.add_body(std::move(body));
  }
}

Scene Decoder::finish(const Node& root) {
  const Fields fields(root, kRootKeys, root_);
  const int version = read_int(fields.require("cairn"), Path(root_, "cairn"));
  if (version != 1) fail(Path(root_, "cairn"), "must be 1, the version of the format, is " + std::to_string(version));
  require_kind(fields.require("bodies"), Kind::kArray, Path(root_, "bodies"));
  if (const Node* materials = fields.find("materials"))
    require_kind(*materials, Kind::kArray, Path(root_, "materials"));

  Scene scene;
  fields.read("name", read_string, scene.name);
  if (const Node* gravity = fields.find("gravity")) scene.set_gravity(read_vec3(*gravity, Path(root_, "gravity")));
  if (const Node* limits = fields.find("limits")) scene.set_limits(read_checked<Limits>(*limits, Path(root_, "limits")));
  if (const Node* solver = fields.find("solver")) scene.set_params(read_checked<StepParams>(*solver, Path(root_, "solver")));

  std::vector<std::uint32_t> material_of_use;
  add_materials(scene, material_of_use);
  if (const Node* all = fields.find("articulations")) require_kind(*all, Kind::kArray, Path(root_, "articulations"));
  if (const Node* all = fields.find("particles")) require_kind(*all, Kind::kArray, Path(root_, "particles"));
  add_placed(scene, material_of_use);
  add_bodies(scene, material_of_use, bodies_.size());
  if (const Node* joints = fields.find("joints")) require_kind(*joints, Kind::kArray, Path(root_, "joints"));
  add_joints(scene);
  if (const Node* all = fields.find("fields")) require_kind(*all, Kind::kArray, Path(root_, "fields"));
  add_fields(scene);
  if (const Node* ignored = fields.find("ignore")) require_kind(*ignored, Kind::kArray, Path(root_, "ignore"));
  add_ignored(scene);
  return scene;
}

}  // namespace cairn::scene_file
