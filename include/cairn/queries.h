#pragma once
// What lies where: rays, shapes that move, overlaps and nearest points. docs/queries.md has examples.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/array_view.h"
#include "cairn/filter.h"
#include "cairn/geometry.h"
#include "cairn/types.h"
#include "cairn/world.h"

namespace cairn {

/// Which shapes a query looks at: those that a shape with this filter would touch, asleep or not.
struct QueryFilter {
  Filter filter;
  BodyHandle ignored;   ///< a body that isn't looked at; null: none
  bool sensors{false};  ///< looks at sensors, too
  friend bool operator==(const QueryFilter&, const QueryFilter&) = default;
};

struct RayQuery {
  Vec3d origin;              ///< [m] world
  Vec3 direction{0, 0, -1};  ///< [1] any length but zero; made unit
  float distance{1e8f};      ///< [m] how far it goes, 0..1e8
  std::uint32_t world{0};
  QueryFilter only;
};

/// A convex shape: any but planes, tubes, meshes and height fields. A sphere of radius 0 is a point.
struct ShapeQuery {
  Geometry geometry{Sphere{}};
  Vec3d position;            ///< [m] world
  Quat orientation;          ///< [1] shape to world, any but zero; made unit
  Vec3 direction{0, 0, -1};  ///< [1] of casts: any length but zero; made unit
  float distance{1e8f};      ///< [m] casts: how far it goes; nearest points: how far to look. 0..1e8
  std::uint32_t world{0};
  QueryFilter only;
};

/// A shape that was found.
struct QueryHit {
  BodyHandle body;         ///< null: nothing was
  std::uint32_t shape{0};  ///< [1] index of Body::shapes
  double distance{0};      ///< [m] that the ray or shape went, or how far apart the shapes are; 0 where they overlap
  Vec3d position;          ///< [m] world, on the surface of what was found; where they overlap a point of both
  Vec3 normal;             ///< [1] world, off that surface. Casts that begin in a shape: against the direction; other
                           ///<     queries: 0 where the shapes overlap
  friend bool operator==(const QueryHit&, const QueryHit&) = default;
};

/// What several queries found: hits of query i are [begin[i], begin[i + 1]), by distance, then by the slot of the
/// shape.
struct QueryHits {
  std::vector<QueryHit> hits;
  std::vector<std::size_t> begin;  ///< [1] (queries + 1)
  friend bool operator==(const QueryHits&, const QueryHits&) = default;
};

/// Queries in arrays on the World's device, one a row. float32 or float64, any strides; float32 keeps of a position
/// what it can. What has no data is for all rows as in the query that the call gets beside.
struct QueryArrays {
  ArrayView position;     ///< [m] (queries, 3) world; of rays the origin. Must be given
  ArrayView orientation;  ///< [1] (queries, 4) x, y, z, w: shape to world, any but zero
  ArrayView direction;    ///< [1] (queries, 3) of rays and casts: any length but zero
  ArrayView distance;     ///< [m] (queries) 0..1e8
  ArrayView world;        ///< [1] (queries) uint32, index
  ArrayView ignored;      ///< [1] (queries) uint32, slot of a body: its handle's index less 1; all bits set: none
};

/// The same for what each of them finds first. What has no data is left out. Where nothing was found `body` has all
/// bits set, `distance` is how far was looked, and the rest is 0; where what was asked breaks a rule, `distance` is -1.
struct HitArrays {
  ArrayView body;      ///< [1] (queries) uint32, slot
  ArrayView shape;     ///< [1] (queries) uint32, index of Body::shapes
  ArrayView distance;  ///< [m] (queries) as in QueryHit, like what follows
  ArrayView position;  ///< [m] (queries, 3)
  ArrayView normal;    ///< [1] (queries, 3)
};

/// What a World is asked, all at the poses as they are, on its device: World::queries. It goes with the World where
/// that is moved, and ends where another is moved into it.
class Queries {
 public:
  Queries(const Queries&) = delete;
  Queries& operator=(const Queries&) = delete;

  /// What rays and moving shapes meet first (null bodies where they meet nothing), or all that is on their way; what
  /// overlaps a shape; and what is nearest to it, or all within its distance. Throw InvalidArgument, naming the query
  /// by its number, for what can't be asked.
  std::vector<QueryHit> cast_rays(std::span<const RayQuery> rays) const;
  QueryHits cast_rays_all(std::span<const RayQuery> rays) const;
  std::vector<QueryHit> cast_shapes(std::span<const ShapeQuery> shapes) const;
  QueryHits cast_shapes_all(std::span<const ShapeQuery> shapes) const;
  QueryHits overlaps(std::span<const ShapeQuery> shapes) const;
  std::vector<QueryHit> closest(std::span<const ShapeQuery> shapes) const;
  QueryHits closest_all(std::span<const ShapeQuery> shapes) const;
  /// The same of arrays on the World's device, into others there: nothing goes by way of the host. All rows are like
  /// `like` but for what the arrays have. Of overlaps the shape with the lowest slot is the first. Once something has
  /// been captured in a graph these calls enqueue and do not wait; they can be captured, too. A hull that is asked with
  /// stays in memory until another one is, or while a graph may need it. Throw InvalidArgument for arrays of the wrong
  /// shape or place, and for what can't be asked in `like`; a row that can't be asked finds nothing (HitArrays).
  void cast_rays(const QueryArrays& from, const HitArrays& to, const RayQuery& like = {}) const;
  void cast_shapes(const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) const;
  void overlaps(const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) const;
  void closest(const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) const;
  /// Queries look at every shape of their world, and find the same. To check the tree that they go down else.
  void set_brute(bool on);

 private:
  friend class World;
  explicit Queries(World::Impl& of) : world_(of) {}
  World::Impl& world_;
};

}  // namespace cairn
