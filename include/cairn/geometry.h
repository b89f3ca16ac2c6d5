#pragma once
// Shapes as users describe them, in metres, each in its own frame. Shapes of revolution have the axis z.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "cairn/types.h"

namespace cairn {

namespace detail {
struct HullData;
struct MeshData;
struct FieldData;
}  // namespace detail

/// [m] Radii and half extents.
inline constexpr AttributeRange kShapeExtent{.min = 1e-6, .max = 1e6, .positive = true};

struct Sphere {
  float radius{0.5f};
  friend bool operator==(const Sphere&, const Sphere&) = default;
};
template <Same<Sphere> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::radius>({.unit = "m", .range = kShapeExtent, .required = true})};

struct Box {
  Vec3 half_extents{0.5f, 0.5f, 0.5f};
  friend bool operator==(const Box&, const Box&) = default;
};
template <Same<Box> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::half_extents>({.unit = "m", .range = kShapeExtent, .required = true})};

/// A cylinder along z with a hemisphere on each end.
struct Capsule {
  float radius{0.5f};
  float half_height{0.5f};
  friend bool operator==(const Capsule&, const Capsule&) = default;
};
template <Same<Capsule> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::radius>({.unit = "m", .range = kShapeExtent, .required = true}),
    attribute<&S::half_height>(
        {.unit = "m", .range = kShapeExtent, .meaning = "of the cylinder alone, along z", .required = true})};

/// The half-space normal . p <= offset is solid. Static bodies only.
struct Plane {
  Vec3 normal{0, 0, 1};
  float offset{0};
  friend bool operator==(const Plane&, const Plane&) = default;
};
template <Same<Plane> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::normal>({.meaning = "not zero; made unit", .required = true}),
    attribute<&S::offset>({.unit = "m",
                           .range = kWorldPosition,
                           .meaning = "solid where normal . p <= offset, with the unit normal; static bodies only"})};

/// Along z.
struct Cylinder {
  float radius{0.5f};
  float half_height{0.5f};
  friend bool operator==(const Cylinder&, const Cylinder&) = default;
};
template <Same<Cylinder> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::radius>({.unit = "m", .range = kShapeExtent, .required = true}),
    attribute<&S::half_height>({.unit = "m", .range = kShapeExtent, .meaning = "along z", .required = true})};

/// The base lies at z = -half_height, the tip at +half_height; the centre of mass is at -half_height / 2.
struct Cone {
  float radius{0.5f};
  float half_height{0.5f};
  friend bool operator==(const Cone&, const Cone&) = default;
};
template <Same<Cone> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::radius>(
        {.unit = "m", .range = kShapeExtent, .meaning = "of the base, at z = -half_height", .required = true}),
    attribute<&S::half_height>(
        {.unit = "m", .range = kShapeExtent, .meaning = "the tip is at z = +half_height", .required = true})};

/// A cone whose tip is cut off.
struct TaperedCylinder {
  float bottom_radius{0.5f};
  float top_radius{0.25f};
  float half_height{0.5f};
  friend bool operator==(const TaperedCylinder&, const TaperedCylinder&) = default;
};
template <Same<TaperedCylinder> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::bottom_radius>(
        {.unit = "m", .range = kShapeExtent, .meaning = "at z = -half_height", .required = true}),
    attribute<&S::top_radius>({.unit = "m", .range = kShapeExtent, .meaning = "at z = +half_height", .required = true}),
    attribute<&S::half_height>({.unit = "m", .range = kShapeExtent, .required = true})};

/// A hollow cylinder along z. It collides as a ring of 16 hulls, and has the mass properties of the round one.
struct Tube {
  float outer_radius{0.5f};
  float inner_radius{0.25f};
  float half_height{0.5f};
  friend bool operator==(const Tube&, const Tube&) = default;
};
template <Same<Tube> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::outer_radius>({.unit = "m", .range = kShapeExtent, .meaning = "over inner_radius", .required = true}),
    attribute<&S::inner_radius>({.unit = "m", .range = kShapeExtent, .required = true}),
    attribute<&S::half_height>({.unit = "m", .range = kShapeExtent, .meaning = "along z", .required = true})};

struct Ellipsoid {
  Vec3 radii{0.5f, 0.5f, 0.5f};
  friend bool operator==(const Ellipsoid&, const Ellipsoid&) = default;
};
template <Same<Ellipsoid> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::radii>({.unit = "m", .range = kShapeExtent, .required = true})};

/// A box whose edges and corners are rounded off.
struct RoundedBox {
  Vec3 half_extents{0.5f, 0.5f, 0.5f};
  float radius{0.05f};
  friend bool operator==(const RoundedBox&, const RoundedBox&) = default;
};
template <Same<RoundedBox> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::half_extents>(
        {.unit = "m", .range = kShapeExtent, .meaning = "of the faces; each over radius", .required = true}),
    attribute<&S::radius>({.unit = "m", .range = kShapeExtent, .meaning = "of edges and corners", .required = true})};

/// The convex hull of points. Copies are cheap: they share their data, which never changes.
class ConvexHull {
 public:
  /// [1] Max vertices of a hull.
  static constexpr std::size_t kMaxVertices = 1024;

  ConvexHull() = default;  ///< empty; no body may have it
  /// Throws InvalidArgument if points aren't finite, if they span no volume, or if the hull has over kMaxVertices.
  explicit ConvexHull(std::span<const Vec3> points);

  std::span<const Vec3> vertices() const;  ///< [m] vertices of the hull, in the order given
  const std::shared_ptr<const detail::HullData>& data() const { return data_; }  ///< null if empty
  friend bool operator==(const ConvexHull& a, const ConvexHull& b);

 private:
  std::shared_ptr<const detail::HullData> data_;
};

/// A surface of triangles, counter-clockwise seen from outside. Static and kinematic bodies only. Solid behind each
/// triangle, but a body whose centre is behind one passes. Copies are cheap, as of ConvexHull.
class TriangleMesh {
 public:
  using Triangle = std::array<std::uint32_t, 3>;
  /// [1] Max triangles of a mesh.
  static constexpr std::size_t kMaxTriangles = std::size_t{1} << 26;

  TriangleMesh() = default;  ///< empty; no body may have it
  /// Vertices at one place become one. Triangles without area are left out; `dropped` is their number. Throws
  /// InvalidArgument if a vertex isn't finite, an index is out of range, or no triangle is left.
  TriangleMesh(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

  std::span<const Vec3> vertices() const;                                        ///< [m]
  std::span<const Triangle> triangles() const;                                   ///< [1] indices of vertices
  std::size_t dropped() const;                                                   ///< [1] triangles without area
  const std::shared_ptr<const detail::MeshData>& data() const { return data_; }  ///< null if empty
  friend bool operator==(const TriangleMesh& a, const TriangleMesh& b);

 private:
  std::shared_ptr<const detail::MeshData> data_;
};

/// Terrain: heights along z over a grid in x and y that begins at the origin, solid below. Static and kinematic bodies
/// only. Copies are cheap, as of ConvexHull.
class HeightField {
 public:
  /// [1] Max samples a side.
  static constexpr std::uint32_t kMaxSamples = 1u << 13;

  HeightField() = default;  ///< empty; no body may have it
  /// `heights` has rows * columns numbers, [m], x fastest: sample (i, j) is at (i * spacing, j * spacing). Cells are
  /// cut from (i, j) to (i + 1, j + 1). Throws InvalidArgument if there are under 2 rows or columns or over
  /// kMaxSamples, if the count doesn't fit, or if a number isn't finite.
  HeightField(std::uint32_t columns, std::uint32_t rows, float spacing, std::span<const float> heights);

  std::uint32_t columns() const;                                                  ///< [1] samples along x
  std::uint32_t rows() const;                                                     ///< [1] samples along y
  float spacing() const;                                                          ///< [m]
  std::span<const float> heights() const;                                         ///< [m]
  const std::shared_ptr<const detail::FieldData>& data() const { return data_; }  ///< null if empty
  friend bool operator==(const HeightField& a, const HeightField& b);

 private:
  std::shared_ptr<const detail::FieldData> data_;
};

using Geometry = std::variant<Sphere, Box, Capsule, Plane, Cylinder, Cone, TaperedCylinder, Tube, Ellipsoid, RoundedBox,
                              ConvexHull, TriangleMesh, HeightField>;
template <>
struct VariantWords<Geometry> {
  static constexpr std::array<std::string_view, std::variant_size_v<Geometry>> all{
      "sphere", "box",       "capsule",     "plane", "cylinder", "cone",        "tapered_cylinder",
      "tube",   "ellipsoid", "rounded_box", "hull",  "mesh",     "height_field"};
};

}  // namespace cairn
