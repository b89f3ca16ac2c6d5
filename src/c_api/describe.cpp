// Descriptions in C and what they are in C++: materials, shapes and bodies.

#include "src/c_api/describe.h"

#include "src/c_api/twins.h"

namespace cairn::c_api {

static_assert(int{CAIRN_DYNAMIC} == static_cast<int>(BodyType::kDynamic) &&
              int{CAIRN_HEIGHT_FIELD} + 1 == std::variant_size_v<Geometry>);

namespace {

/// Calls f(number, place in C) for each number of a shape that isn't a plane: size has them one after the other, and
/// radius what is beside a vector.
template <class Kind, class C, class F>
void each_size(Kind& kind, C& c, const F& f) {
  int at = 0;
  const auto one = [&]<class V>(V& value) {
    if constexpr (std::same_as<std::remove_const_t<V>, Vec3>) {
      f(value.x, c.size[0]);
      f(value.y, c.size[1]);
      f(value.z, c.size[2]);
      at = 3;
    } else {
      f(value, at < 3 ? c.size[at++] : c.radius);
    }
  };
  members(kind, [&](auto&... value) { (one(value), ...); });
}

struct TakeGeometry {
  const cairn_shape& c;

  void operator()(Plane& plane) const { take(plane, c, "cairn_shape"); }
  template <Described Kind>
  void operator()(Kind& kind) const {
    each_size(kind, c, [](float& to, float from) { to = from; });
  }
  template <class Solid>
  void operator()(Solid& solid) const {
    require("cairn_shape.solid", c.solid);
    const auto* held = std::get_if<Solid>(&c.solid->geometry);
    if (held == nullptr) {
      throw InvalidArgument("cairn_shape.solid must be of the shape's kind, " + std::to_string(c.kind) + ", is of " +
                            std::to_string(c.solid->geometry.index()));
    }
    solid = *held;
  }
};

struct GiveGeometry {
  cairn_shape& c;

  void operator()(const Plane& plane) const { fill(c, plane); }
  template <Described Kind>
  void operator()(const Kind& kind) const {
    each_size(kind, c, [](float from, float& to) { to = from; });
  }
  template <class Solid>
  void operator()(const Solid&) const {}
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
  for (const Geometry& geometry : {Geometry{Plane{}}, Geometry{RoundedBox{}}, Geometry{Box{}}}) {
    std::visit(GiveGeometry{c}, geometry);
  }
  fill(c, Shape{});
  fill(c, Filter{});
  return c;
}

cairn_shape of(const Shape& shape) {
  cairn_shape c = defaults<cairn_shape>();
  c.kind = static_cast<std::int32_t>(shape.geometry.index());
  put(c.size, Vec3{});
  std::visit(GiveGeometry{c}, shape.geometry);
  fill(c, shape);
  fill(c, shape.filter);
  return c;
}

Shape shape_of(const cairn_shape& c) {
  Shape shape = attributes_of<Shape>(c);
  take(shape.filter, c, "cairn_shape");
  shape.geometry = make_type<Geometry>(enum_of<std::size_t>(c.kind, CAIRN_HEIGHT_FIELD, "cairn_shape.kind"));
  std::visit(TakeGeometry{c}, shape.geometry);
  return shape;
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
  give_has_color(c, body);
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
  take_color(body, c);
  if (c.point_mass_count != 0) require("cairn_body.point_masses", c.point_masses);
  for (std::uint32_t i = 0; i < c.point_mass_count; ++i)
    take(body.point_masses.emplace_back(), c.point_masses[i], "cairn_body.point_masses[" + std::to_string(i) + "]");
  return body;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT

void cairn_material_init(cairn_material* to, size_t size) { initialise(to, size, defaults<cairn_material>()); }
void cairn_shape_init(cairn_shape* to, size_t size) { initialise(to, size, defaults<cairn_shape>()); }
void cairn_body_init(cairn_body* to, size_t size) { initialise(to, size, defaults<cairn_body>()); }
