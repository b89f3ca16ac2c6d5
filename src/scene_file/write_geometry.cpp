#include <span>

#include "src/scene_file/write_attributes.h"
#include "src/shape/data.h"

namespace cairn::scene_file {
namespace {

struct GeometryText {
  Members& members;

  void operator()(const Sphere& sphere) const {
    Members inner;
    inner.add("radius", number_of(sphere.radius));
    members.add("sphere", inner.end());
  }
  void operator()(const Box& box) const {
    Members inner;
    inner.add("half_extents", list_of(box.half_extents));
    members.add("box", inner.end());
  }
  void operator()(const Capsule& capsule) const {
    Members inner;
    inner.add("radius", number_of(capsule.radius));
    inner.add("half_height", number_of(capsule.half_height));
    members.add("capsule", inner.end());
  }
  void operator()(const Cylinder& c) const { round("cylinder", c.radius, c.half_height); }
  void operator()(const Cone& c) const { round("cone", c.radius, c.half_height); }
  void operator()(const TaperedCylinder& c) const {
    Members inner;
    inner.add("bottom_radius", number_of(c.bottom_radius));
    inner.add("top_radius", number_of(c.top_radius));
    inner.add("half_height", number_of(c.half_height));
    members.add("tapered_cylinder", inner.end());
  }
  void operator()(const Tube& tube) const {
    Members inner;
    inner.add("outer_radius", number_of(tube.outer_radius));
    inner.add("inner_radius", number_of(tube.inner_radius));
    inner.add("half_height", number_of(tube.half_height));
    members.add("tube", inner.end());
  }
  void operator()(const Ellipsoid& ellipsoid) const {
    Members inner;
    inner.add("radii", list_of(ellipsoid.radii));
    members.add("ellipsoid", inner.end());
  }
  void operator()(const RoundedBox& box) const {
    Members inner;
    inner.add("half_extents", list_of(box.half_extents));
    inner.add("radius", number_of(box.radius));
    members.add("rounded_box", inner.end());
  }
  void operator()(const ConvexHull& hull) const {
    Members inner;
    inner.add("points", points_of(hull.vertices()));
    members.add("hull", inner.end());
  }
  void operator()(const TriangleMesh& mesh) const {
    Members inner;
    inner.add("vertices", points_of(mesh.vertices()));
    std::string triangles = "[";
    for (const auto& list : {mesh.triangles(), std::span<const TriangleMesh::Triangle>(mesh.data()->seams)}) {
      for (const auto& [a, b, c] : list) {
        triangles += (triangles.size() > 1 ? ", [" : "[") + std::to_string(a);
        triangles += ", " + std::to_string(b) + ", " + std::to_string(c) + "]";
      }
    }
    inner.add("triangles", triangles + "]");
    members.add("mesh", inner.end());
  }
  void operator()(const HeightField& field) const {
    Members inner;
    inner.add("columns", std::to_string(field.columns()));
    inner.add("rows", std::to_string(field.rows()));
    inner.add("spacing", number_of(field.spacing()));
    std::string heights = "[";
    for (const float height : field.heights()) heights += (heights.size() > 1 ? ", " : "") + number_of(height);
    inner.add("heights", heights + "]");
    members.add("height_field", inner.end());
  }
  void operator()(const Plane& plane) const {
    Members inner;
    inner.add("normal", list_of(plane.normal));
    inner.add("offset", number_of(plane.offset));
    members.add("plane", inner.end());
  }

 private:
  void round(std::string_view key, float radius, float half_height) const {
    Members inner;
    inner.add("radius", number_of(radius));
    inner.add("half_height", number_of(half_height));
    members.add(key, inner.end());
  }
  static std::string points_of(std::span<const Vec3> points) {
    std::string out = "[";
    for (const Vec3& p : points) out += (out.size() > 1 ? ", " : "") + list_of(p);
    return out + "]";
  }
};

}  // namespace

std::string filter_text(const Filter& filter) { return described_text(filter); }

namespace {

std::string shape_text(const Shape& shape, const Scene& scene) {
  Members members;
  std::visit(GeometryText{members}, shape.geometry);
  if (!is_zero(shape.position)) members.add("position", list_of(shape.position));
  if (!is_identity(shape.orientation)) members.add("orientation_xyzw", list_of(shape.orientation));
  members.add("material", text_of(scene.materials()[shape.material].name));
  if (!(shape.filter == Filter{})) members.add("filter", filter_text(shape.filter));
  if (shape.sensor) members.add("sensor", "true");
  return members.end();
}

}  // namespace

std::string shapes_text(const std::vector<Shape>& shapes, const Scene& scene) {
  std::string out = "[";
  for (const Shape& shape : shapes) out += (out.size() > 1 ? ", " : "") + shape_text(shape, scene);
  return out + "]";
}

}  // namespace cairn::scene_file
