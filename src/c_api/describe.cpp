// Conversion of descriptions between C and C++: parameters, materials, shapes and bodies.

#include "src/c_api/describe.h"

#include "src/c_api/c_call.h"

namespace cairn::c_api {

// tests/c_api/enums_test.cpp compares the other enums
static_assert(int{CAIRN_OVERFLOW_GROWS} == static_cast<int>(OnOverflow::kGrow) &&
              int{CAIRN_OVERFLOW_FAILS} == static_cast<int>(OnOverflow::kError));

namespace {

/// Calls f(number, place in C) for each number of a shape that isn't a plane: size has them in order, and radius the
/// number beside a vector.
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
    const auto* held = std::get_if<Solid>(&c.solid->content);
    if (held == nullptr) {
      throw InvalidArgument("cairn_shape.solid must be of the shape's kind, " + std::to_string(c.kind) + ", is of " +
                            std::to_string(c.solid->content.index()));
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
cairn_shape blank() {
  cairn_shape c{};
  c.struct_size = sizeof c;
  for (const Geometry& geometry : {Geometry{Plane{}}, Geometry{RoundedBox{}}}) std::visit(GiveGeometry{c}, geometry);
  put(c.size, Vec3{});
  return c;
}

template <>
cairn_shape defaults() {
  return twin<cairn_shape>(Shape{.geometry = Box{}});
}

void ByHand<cairn_shape, Shape>::give(cairn_shape& c, const Shape& shape) {
  c.kind = static_cast<std::int32_t>(shape.geometry.index());
  std::visit(GiveGeometry{c}, shape.geometry);
}

void ByHand<cairn_shape, Shape>::take(Shape& shape, const cairn_shape& c, const std::string&) {
  shape.geometry = make_type<Geometry>(enum_of<std::size_t>(c.kind, CAIRN_HEIGHT_FIELD, "cairn_shape.kind"));
  std::visit(TakeGeometry{c}, shape.geometry);
}

void ByHand<cairn_body, Body>::give(cairn_body& c, const Body& body) {
  if (body.inertia) put(c.inertia, body.inertia->moments);
  if (body.inertia) put(c.inertia_products, body.inertia->products);
}

void ByHand<cairn_body, Body>::take(Body& body, const cairn_body& c, const std::string&) {
  const Inertia inertia{vec3(c.inertia), vec3(c.inertia_products)};
  if (inertia != Inertia{}) body.inertia = inertia;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT

void cairn_params_init(cairn_params* to, size_t size) { initialise(to, size); }
void cairn_limits_init(cairn_limits* to, size_t size) { initialise(to, size); }
void cairn_world_options_init(cairn_world_options* to, size_t size) { initialise(to, size); }
void cairn_material_init(cairn_material* to, size_t size) { initialise(to, size); }
void cairn_shape_init(cairn_shape* to, size_t size) { initialise(to, size); }
void cairn_body_init(cairn_body* to, size_t size) { initialise(to, size); }
