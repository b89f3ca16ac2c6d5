// Descriptions in C and what they are in C++: materials, shapes and bodies.

#include "src/c_api/describe.h"
#include "src/c_api/twins.h"

namespace cairn::c_api {

static_assert(int{CAIRN_DYNAMIC} == static_cast<int>(BodyType::kDynamic) &&
              int{CAIRN_HEIGHT_FIELD} + 1 == std::variant_size_v<Geometry>);

namespace {

Geometry geometry_of(const cairn_shape& s) {
  const Vec3 size = vec3(s.size);
  const cairn_shape_kind kind = enum_of(s.kind, CAIRN_HEIGHT_FIELD, "cairn_shape.kind");
  switch (kind) {
    case CAIRN_SPHERE:
      return Sphere{s.size[0]};
    case CAIRN_BOX:
      return Box{vec3(s.size)};
    case CAIRN_CAPSULE:
      return Capsule{s.size[0], s.size[1]};
    case CAIRN_PLANE:
      return Plane{vec3(s.normal), s.offset};
    case CAIRN_CYLINDER:
      return Cylinder{size.x, size.y};
    case CAIRN_CONE:
      return Cone{size.x, size.y};
    case CAIRN_TAPERED_CYLINDER:
      return TaperedCylinder{size.x, size.y, size.z};
    case CAIRN_TUBE:
      return Tube{size.x, size.y, size.z};
    case CAIRN_ELLIPSOID:
      return Ellipsoid{size};
    case CAIRN_ROUNDED_BOX:
      return RoundedBox{size, s.radius};
    default:
      break;
  }
  require("cairn_shape.solid", s.solid);
  if (s.solid->geometry.index() != static_cast<std::size_t>(kind))
    throw InvalidArgument("cairn_shape.solid must be of the shape's kind, " + std::to_string(int{kind}) + ", is of " +
                          std::to_string(s.solid->geometry.index()));
  return s.solid->geometry;
}

struct Sizes {
  Vec3 operator()(const Sphere& s) const { return {s.radius, 0, 0}; }
  Vec3 operator()(const Box& b) const { return b.half_extents; }
  Vec3 operator()(const Capsule& c) const { return {c.radius, c.half_height, 0}; }
  Vec3 operator()(const Cylinder& c) const { return {c.radius, c.half_height, 0}; }
  Vec3 operator()(const Cone& c) const { return {c.radius, c.half_height, 0}; }
  Vec3 operator()(const TaperedCylinder& c) const { return {c.bottom_radius, c.top_radius, c.half_height}; }
  Vec3 operator()(const Tube& t) const { return {t.outer_radius, t.inner_radius, t.half_height}; }
  Vec3 operator()(const Ellipsoid& e) const { return e.radii; }
  Vec3 operator()(const RoundedBox& b) const { return b.half_extents; }
  Vec3 operator()(const Plane&) const { return {}; }
  Vec3 operator()(const ConvexHull&) const { return {}; }
  Vec3 operator()(const TriangleMesh&) const { return {}; }
  Vec3 operator()(const HeightField&) const { return {}; }
};

}  // namespace

template <>
cairn_material defaults() {
  cairn_material c = of(Material{});
  c.name = nullptr;
  return c;
}

cairn_material of(const Material& material) { return twin<cairn_material>(material); }

Material material_of(const cairn_material* given) {
  return attributes_of<Material>(read<cairn_material>(given, "cairn_material"));
}

template <>
cairn_shape defaults() {
  cairn_shape c{};
  c.struct_size = sizeof c;
  c.kind = CAIRN_BOX;
  put(c.size, Box{}.half_extents);
  put(c.normal, Plane{}.normal);
  put(c.orientation, Quat{});
  c.category = Filter{}.category;
  c.mask = Filter{}.mask;
  c.radius = RoundedBox{}.radius;
  return c;
}

cairn_shape of(const Shape& shape) {
  cairn_shape c = defaults<cairn_shape>();
  c.kind = static_cast<std::int32_t>(shape.geometry.index());
  put(c.size, std::visit(Sizes{}, shape.geometry));
  if (const auto* plane = std::get_if<Plane>(&shape.geometry)) {
    put(c.normal, plane->normal);
    c.offset = plane->offset;
  }
  if (const auto* box = std::get_if<RoundedBox>(&shape.geometry)) c.radius = box->radius;
  put(c.position, shape.position);
  put(c.orientation, shape.orientation);
  c.material = shape.material;
  c.category = shape.filter.category;
  c.mask = shape.filter.mask;
  c.group = shape.filter.group;
  c.sensor = shape.sensor ? 1 : 0;
  return c;
}

Shape shape_of(const cairn_shape& s) {
  return {geometry_of(s), vec3(s.position), quat(s.orientation), s.material, {s.category, s.mask, s.group},
          s.sensor != 0};
}

std::vector<Shape> shapes_of(const cairn_shape* given, std::uint32_t count, const char* where) {
  std::vector<Shape> shapes;
  each_of<cairn_shape>(given, count, where, [&](const cairn_shape& s) { shapes.push_back(shape_of(s)); });
  return shapes;
}

template <>
cairn_body defaults() {
  cairn_body c = of(Body{});
  c.name = nullptr;
  return c;
}

cairn_body of(const Body& body) {
  auto c = twin<cairn_body>(body);
  c.shape_count = static_cast<std::uint32_t>(body.shapes.size());
  if (body.inertia) put(c.inertia, body.inertia->moments);
  if (body.inertia) put(c.inertia_products, body.inertia->products);
  c.has_centre_of_mass = body.centre_of_mass ? 1 : 0;
  c.point_mass_count = static_cast<std::uint32_t>(body.point_masses.size());
  return c;
}

Body body_of(const cairn_body* given) {
  const cairn_body c = read<cairn_body>(given, "cairn_body");
  Body body = attributes_of<Body>(c);
  body.shapes = shapes_of(c.shapes, c.shape_count, "cairn_body.shapes");
  const Inertia inertia{vec3(c.inertia), vec3(c.inertia_products)};
  if (inertia != Inertia{}) body.inertia = inertia;
  // one at the origin isn't none
  body.centre_of_mass.reset();
  if (c.has_centre_of_mass != 0) body.centre_of_mass = vec3(c.centre_of_mass);
  if (c.point_mass_count != 0) require("cairn_body.point_masses", c.point_masses);
  for (std::uint32_t i = 0; i < c.point_mass_count; ++i)
    body.point_masses.push_back({c.point_masses[i].mass, vec3(c.point_masses[i].position)});
  return body;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT

void cairn_material_init(cairn_material* to, size_t size) { initialise(to, size, defaults<cairn_material>()); }
void cairn_shape_init(cairn_shape* to, size_t size) { initialise(to, size, defaults<cairn_shape>()); }
void cairn_body_init(cairn_body* to, size_t size) { initialise(to, size, defaults<cairn_body>()); }
