#include <span>

#include "src/scene_file/write_attributes.h"
#include "src/shape/data.h"

namespace cairn::scene_file {
namespace {

std::string points_of(std::span<const Vec3> points) {
  std::string out = "[";
  for (const Vec3& p : points) out += (out.size() > 1 ? ", " : "") + list_of(p);
  return out + "]";
}

template <Described Kind>
std::string text_of_geometry(const Kind& kind) {
  return described_text(kind);
}
std::string text_of_geometry(const ConvexHull& hull) {
  Members members;
  members.add("points", points_of(hull.vertices()));
  return members.end();
}
std::string text_of_geometry(const TriangleMesh& mesh) {
  Members members;
  members.add("vertices", points_of(mesh.vertices()));
  std::string triangles = "[";
  for (const auto& list : {mesh.triangles(), std::span<const TriangleMesh::Triangle>(mesh.data()->seams)}) {
    for (const auto& [a, b, c] : list) {
      triangles += (triangles.size() > 1 ? ", [" : "[") + std::to_string(a);
      triangles += ", " + std::to_string(b) + ", " + std::to_string(c) + "]";
    }
  }
  members.add("triangles", triangles + "]");
  return members.end();
}
std::string text_of_geometry(const HeightField& field) {
  Members members;
  members.add("columns", std::to_string(field.columns()));
  members.add("rows", std::to_string(field.rows()));
  members.add("spacing", number_of(field.spacing()));
  std::string heights = "[";
  for (const float height : field.heights()) heights += (heights.size() > 1 ? ", " : "") + number_of(height);
  members.add("heights", heights + "]");
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
  std::string out = "[";
  for (const Shape& shape : shapes) out += (out.size() > 1 ? ", " : "") + shape_text(shape, scene);
  return out + "]";
}

}  // namespace cairn::scene_file
