#pragma once
// Queries: rays, shape casts, overlaps and nearest points. docs/queries.md has examples.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/array_view.h"
#include "cairn/attributes.h"
#include "cairn/filter.h"
#include "cairn/geometry.h"
#include "cairn/types.h"
#include "cairn/world.h"

namespace cairn {

/// The shapes that a query tests: those that a shape with this filter would touch, asleep or not.
struct QueryFilter {
  Filter filter;
  BodyHandle ignored;
  bool sensors{false};
  friend bool operator==(const QueryFilter&, const QueryFilter&) = default;
};

template <Same<QueryFilter> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::filter>({.meaning = "looks at what a shape with it would touch"}),
    attribute<&S::ignored>({.meaning = "a body that isn't looked at; null: none"}),
    attribute<&S::sensors>({.meaning = "looks at sensors, too"})};

struct RayQuery {
  Vec3d origin;
  Vec3 direction{0, 0, -1};
  float distance{1e8f};
  std::uint32_t world{0};
  QueryFilter only;
};

template <Same<RayQuery> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::origin>({.unit = "m", .meaning = "world"}),
                                          attribute<&S::direction>({.meaning = "any length but zero; made unit"}),
                                          attribute<&S::distance>({.unit = "m", .meaning = "how far it goes, 0..1e8"}),
                                          attribute<&S::world>({.meaning = "index"}),
                                          attribute<&S::only>({.meaning = "which shapes it looks at"})};

/// A convex shape: any but planes, tubes, meshes and height fields. A sphere of radius 0 is a point.
struct ShapeQuery {
  Geometry geometry{Sphere{}};
  Vec3d position;
  Quat orientation;
  Vec3 direction{0, 0, -1};
  float distance{1e8f};
  std::uint32_t world{0};
  QueryFilter only;
};

template <Same<ShapeQuery> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::geometry>({.meaning = "a convex shape"}),
    attribute<&S::position>({.unit = "m", .meaning = "world"}),
    attribute<&S::orientation>({.meaning = "shape to world, any but zero; made unit"}),
    attribute<&S::direction>({.meaning = "of casts: any length but zero; made unit"}),
    attribute<&S::distance>(
        {.unit = "m", .meaning = "casts: how far it goes; nearest points: how far to look. 0..1e8"}),
    attribute<&S::world>({.meaning = "index"}),
    attribute<&S::only>({.meaning = "which shapes it looks at"})};

/// A shape found by a query.
struct QueryHit {
  BodyHandle body;
  std::uint32_t shape{0};
  double distance{0};
  Vec3d position;
  Vec3 normal;
  friend bool operator==(const QueryHit&, const QueryHit&) = default;
};

template <Same<QueryHit> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::body>({.meaning = "null: nothing was found"}),
    attribute<&S::shape>({.meaning = "index of Body::shapes"}),
    attribute<&S::distance>(
        {.unit = "m", .meaning = "that the ray or shape went, or how far apart the shapes are; 0 where they overlap"}),
    attribute<&S::position>(
        {.unit = "m", .meaning = "world, on the surface of what was found; where they overlap a point of both"}),
    attribute<&S::normal>({.meaning = "world, off that surface. Casts that begin in a shape: against the direction; "
                                      "other queries: 0 where the shapes overlap"})};

/// Results of several queries: hits of query i are [begin[i], begin[i + 1]), by distance, then by the slot of the
/// shape.
struct QueryHits {
  std::vector<QueryHit> hits;
  std::vector<std::size_t> begin;
  friend bool operator==(const QueryHits&, const QueryHits&) = default;
};

template <Same<QueryHits> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::hits>({.meaning = "of query i: begin[i] to begin[i + 1]"}),
                                          attribute<&S::begin>({.meaning = "(queries + 1)"})};

/// Queries in arrays on the World's device, one a row. float32 or float64, any strides; float32 rounds positions. For
/// an array without data, all rows take the value of the query that the call also gets.
struct QueryArrays {
  ArrayView position;
  ArrayView orientation;
  ArrayView direction;
  ArrayView distance;
  ArrayView world;
  ArrayView ignored;
};

template <Same<QueryArrays> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::position>({.unit = "m", .meaning = "(queries, 3) world; of rays the origin. Must be given"}),
    attribute<&S::orientation>({.meaning = "(queries, 4) x, y, z, w: shape to world, any but zero"}),
    attribute<&S::direction>({.meaning = "(queries, 3) of rays and casts: any length but zero"}),
    attribute<&S::distance>({.unit = "m", .meaning = "(queries) 0..1e8"}),
    attribute<&S::world>({.meaning = "(queries) uint32, index"}),
    attribute<&S::ignored>(
        {.meaning = "(queries) uint32, slot of a body: its handle's index less 1; all bits set: none"})};

/// The first hit of each query, in such arrays. Arrays without data are left out. Where nothing was found, `body` has
/// all bits set, `distance` is the search distance, and the rest is 0. For an invalid query `distance` is -1.
struct HitArrays {
  ArrayView body;
  ArrayView shape;
  ArrayView distance;
  ArrayView position;
  ArrayView normal;
};

template <Same<HitArrays> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::body>({.meaning = "(queries) uint32, slot; all bits set: nothing was found"}),
    attribute<&S::shape>({.meaning = "(queries) uint32, index of Body::shapes"}),
    attribute<&S::distance>({.unit = "m", .meaning = "(queries) as in QueryHit"}),
    attribute<&S::position>({.unit = "m", .meaning = "(queries, 3) as in QueryHit"}),
    attribute<&S::normal>({.meaning = "(queries, 3) as in QueryHit"})};

/// Queries of a World on its device, at the present poses: World::queries. A World that is moved takes them along;
/// assigning another World to it ends them.
class Queries {
 public:
  Queries(const Queries&) = delete;
  Queries& operator=(const Queries&) = delete;

  /// The first hits of rays and moving shapes (null bodies where there is none), or all hits on their way; the shapes
  /// that overlap a shape; and the shape nearest to it, or all within its distance. Throw InvalidArgument, naming the
  /// query by its number, for invalid queries.
  std::vector<QueryHit> cast_rays(std::span<const RayQuery> rays) const;
  QueryHits cast_rays_all(std::span<const RayQuery> rays) const;
  std::vector<QueryHit> cast_shapes(std::span<const ShapeQuery> shapes) const;
  QueryHits cast_shapes_all(std::span<const ShapeQuery> shapes) const;
  QueryHits overlaps(std::span<const ShapeQuery> shapes) const;
  std::vector<QueryHit> closest(std::span<const ShapeQuery> shapes) const;
  QueryHits closest_all(std::span<const ShapeQuery> shapes) const;
  /// The same with arrays on the World's device, without copies to the host. Rows take from `like` all values that the
  /// arrays lack. Of overlaps the shape with the lowest slot is the first. Once something has been captured in a graph
  /// these calls enqueue and don't wait; they can be captured, too. The hull of a query stays in memory until a query
  /// with another one, or while a graph may need it. Throw InvalidArgument for arrays of the wrong shape or device, and
  /// for an invalid `like`; a row with an invalid query finds nothing (HitArrays).
  void cast_rays(const QueryArrays& from, const HitArrays& to, const RayQuery& like = {}) const;
  void cast_shapes(const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) const;
  void overlaps(const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) const;
  void closest(const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) const;
  /// On: queries test every shape of their world, with the same results. For checking the tree that they use otherwise.
  void set_brute(bool on);

 private:
  friend class World;
  explicit Queries(World::Impl& of) : world_(of) {}
  World::Impl& world_;
};

}  // namespace cairn
