#pragma once
// Conversion of shapes, bodies, queries, options and arrays, which needs more than copies of members.

#include "src/c_api/twins.h"

namespace cairn::c_api {

template <>
cairn_shape blank();
template <>
struct ByHand<cairn_shape, Shape> {
  static void give(cairn_shape& c, const Shape& shape);
  static void take(Shape& shape, const cairn_shape& c, const std::string& what);
};

/// Without shapes and point masses. The name's memory is the body's.
template <>
struct ByHand<cairn_body, Body> {
  static void give(cairn_body& c, const Body& body);
  static void take(Body& body, const cairn_body& c, const std::string& what);
};

/// A null shape stands for a point.
template <>
struct ByHand<cairn_query, ShapeQuery> {
  static void give(cairn_query&, const ShapeQuery&) {}
  static void take(ShapeQuery& query, const cairn_query& c, const std::string&) {
    query.geometry = Sphere{0};
    if (c.shape != nullptr)
      query.geometry = attributes_of<Shape>(read<cairn_shape>(c.shape, "cairn_query.shape")).geometry;
  }
};

template <>
struct ByHand<cairn_world_options, WorldOptions> {
  static void give(cairn_world_options& c, const WorldOptions& options) { c.threads = options.device.threads; }
  static void take(WorldOptions& options, const cairn_world_options& c, const std::string&) {
    options.device = Device::parse(c.device == nullptr ? "cpu" : c.device, c.threads);
  }
};
/// Null stands for the defaults.
inline WorldOptions options_of(const cairn_world_options* given) {
  return given == nullptr ? WorldOptions{} : taken<WorldOptions>(given);
}

/// The memory of its strings is the array's.
cairn_array array_in_c(const NamedArray& array);
/// One of the arrays of a World or of Sensors, by index or name. Throw InvalidArgument if there is none.
template <class Of>
cairn_array array_at(const Of& of, std::uint32_t index) {
  return array_in_c(one_of(of.list(), index, "array", "there are"));
}
template <class Of>
cairn_array array_of(const Of& of, const char* name) {
  require("name", name);
  (void)of.get(name);
  const std::vector<NamedArray> all = of.list();
  return array_in_c(*std::ranges::find(all, std::string_view(name), &NamedArray::name));
}

}  // namespace cairn::c_api
