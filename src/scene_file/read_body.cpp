// Materials, shapes and bodies. Their keys and ranges are in the lists beside their structs (cairn/body.h).

#include <utility>

#include "src/scene_file/decode.h"

namespace cairn::scene_file {

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

std::uint32_t Decoder::read_material(const Fields& fields, const Path& path) {
  std::string name = rules::default_material().name;
  fields.read("material", read_string, name);
  return use(name, Path(path, "material"));
}

void Decoder::shape(const Node& node, const Path& path) {
  if (++shape_count_ > limits_.shapes) {
    fail(Path(root_, "bodies"), "more than " + std::to_string(limits_.shapes) + " shapes in all");
  }
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
  if (bodies_.size() >= limits_.bodies) {
    fail(Path(root_, "bodies"), "more than " + std::to_string(limits_.bodies) + " bodies");
  }
  const Fields fields(node, keys_of<Body>(), path);
  Body body;
  const Overloads own{[&](const Attribute<&Body::inertia>& a) {
                        if (const Node* given = fields.find(a.key()))
                          body.inertia = inertia(*given, Path(path, a.key()));
                      },
                      [&](const Attribute<&Body::shapes>& a) {
                        fields.require_list(a.key());
                        body.shapes = std::exchange(shapes_, {});
                        body.shapes.shrink_to_fit();
                      },
                      [&](const Attribute<&Body::point_masses>& a) {
                        fields.require_list(a.key());
                        body.point_masses = std::exchange(point_masses_, {});
                      }};
  read_attributes(fields, path, body, own);
  bodies_.push_back(std::move(body));
}

}  // namespace cairn::scene_file
