#include <span>

#include "src/scene_file/write_attributes.h"
#include "src/shape/data.h"

namespace cairn::scene_file {
namespace {

template <Described Kind>
std::string text_of_geometry(const Kind& kind) {
  return described_text(kind);
}
std::string text_of_geometry(const ConvexHull& hull) {
  Members members;
  members.add("points", array_of(hull.vertices(), text_of_value<Vec3>));
  return members.end();
}
std::string text_of_geometry(const TriangleMesh& mesh) {
  Members members;
  members.add("vertices", array_of(mesh.vertices(), text_of_value<Vec3>));
  std::vector<TriangleMesh::Triangle> triangles(mesh.triangles().begin(), mesh.triangles().end());
  triangles.insert(triangles.end(), mesh.data()->seams.begin(), mesh.data()->seams.end());
  members.add("triangles", array_of(triangles, [](const TriangleMesh::Triangle& corners) {
                return array_of(corners, text_of_value<std::uint32_t>);
              }));
  return members.end();
}
std::string text_of_geometry(const HeightField& field) {
  Members members;
  members.add("columns", std::to_string(field.columns()));
  members.add("rows", std::to_string(field.rows()));
  members.add("spacing", number_of(field.spacing()));
  members.add("heights", array_of(field.heights(), number_of<float>));
  return members.end();
}

std::string shape_text(const Shape& shape, const Scene& scene) {
  Members members;
  members.add(VariantWords<Geometry>::all[shape.geometry.index()],
              std::visit([](const auto& kind) { return text_of_geometry(kind); }, shape.geometry));
  add_attributes(members, shape, [&](const Attribute<&Shape::material>& a) {
    members.add(a.key(), text_of(scene.materials()[shape.material].name));
  });
  return members.end();
}

}  // namespace

std::string shapes_text(const std::vector<Shape>& shapes, const Scene& scene) {
  return array_of(shapes, [&](const Shape& shape) { return shape_text(shape, scene); });
}

}  // namespace cairn::scene_file
