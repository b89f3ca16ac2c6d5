// Materials, shapes and bodies. Their keys and ranges are in the lists beside their structs (cairn/body.h).

#include "src/scene_file/decode.h"

namespace cairn::scene_file {

void Decoder::material(const Node& node, const Path& path) {
  cap(materials_.size() + 1, limits_.materials, "materials", Path(root_, "materials"));
  materials_.push_back(read_checked<Material>(node, path));
}

std::uint32_t Decoder::use(const std::string& material_name, const Path& path) {
  const auto [at, added] = use_of_.try_emplace(material_name, static_cast<std::uint32_t>(uses_.size()));
  if (added) uses_.push_back({material_name, path.pointer()});
  return at->second;
}

std::uint32_t Decoder::read_material(const Fields& fields, const Path& path) {
  std::string name = rules::default_material().name;
  fields.read("material", read_string, name);
  return use(name, Path(path, "material"));
}

void Decoder::shape(const Node& node, const Path& path) {
  cap(++shape_count_, limits_.shapes, "shapes in all", Path(root_, "bodies"));
  static const auto kKeys = keys_with<Shape>(VariantWords<Geometry>::all);
  const Fields fields(node, kKeys, path);
  Shape shape;
  const std::size_t kind = only_one_of(fields, VariantWords<Geometry>::all, path);
  const std::string_view word = VariantWords<Geometry>::all[kind];
  shape.geometry = geometries_.read(kind, fields.require(word), Path(path, word));
  read_attributes(fields, path, shape,
                  [&](const Attribute<&Shape::material>&) { shape.material = read_material(fields, path); });
  shapes_.push_back(shape);
}

void Decoder::point_mass(const Node& node, const Path& path) {
  count(4, path);
  point_masses_.push_back(read_described<PointMass>(node, path));
}

void Decoder::body(const Node& node, const Path& path) {
  cap(bodies_.size() + 1, limits_.bodies, "bodies", Path(root_, "bodies"));
  const Fields fields(node, keys_of<Body>(), path);
  Body body;
  const auto read_inertia = [&](const Node& given, const Path& at) { return inertia(given, at); };
  read_attributes(
      fields, path, body,
      Overloads{[&](const Attribute<&Body::inertia>& a) { fields.read(a.key(), read_inertia, body.inertia); },
                [&](const Attribute<&Body::shapes>& a) { take_read(fields, a, shapes_, body); },
                [&](const Attribute<&Body::point_masses>& a) { take_read(fields, a, point_masses_, body); }});
  bodies_.push_back(std::move(body));
}

}  // namespace cairn::scene_file
