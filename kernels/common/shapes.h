#pragma once
// Shapes, and the arrays that the broad phase keeps for them.

#include <cstdint>

#include "kernels/common/arrays.h"
#include "kernels/common/filter.h"
#include "kernels/common/index.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

enum class ShapeKind : std::uint32_t {
  kSphere,
  kBox,
  kCapsule,
  kPlane,
  kFrustum,  ///< cylinder, cone, tapered cylinder
  kEllipsoid,
  kRoundedBox,
  kHull,
  kMesh,  ///< from here on surfaces: static or kinematic, and made of triangles
  kHeightField,
};
CAIRN_HD bool is_surface(ShapeKind kind) {
  return static_cast<std::uint32_t>(kind) >= static_cast<std::uint32_t>(ShapeKind::kMesh);
}

/// Geometry of a shape in its body's principal frame.
struct ShapeGeometry {
  ShapeKind kind;
  Vec3 size;         ///< [m] box: half extents; sphere: {radius,0,0}; capsule: {radius,0,half_height}; plane: none;
                     ///<     frustum: {radius at the bottom, at the top, half_height}; ellipsoid: radii; rounded box:
                     ///<     half extents less `round`; hull, mesh and height field, [1]: {scale,0,0}
  Vec3 position;     ///< [m] of the shape's centre, in the body's principal frame
  Quat orientation;  ///< [1] shape to principal frame; a plane's normal is the image of z
  float round{0};    ///< [m] rounded box: radius of its edges
  std::uint32_t data{0};   ///< [1] hull, mesh or height field: which of Solids
  std::uint32_t first{0};  ///< [1] mesh or height field: number of its first triangle (Surfaces)
};

struct Aabb {
  Vec3 min, max;  ///< [m] world
};

/// The first pairs that a shape reports, noted while they are counted, so that most shapes are queried once.
inline constexpr std::uint32_t kNotedPairs = 12;
struct PairNotes {
  std::uint32_t other[kNotedPairs];  ///< [1] shape slots
};

/// Shapes by slot. A dead slot has body kNone.
struct Shapes {
  std::uint32_t* body;      ///< [1] (shapes)
  std::uint32_t* id;        ///< [1] (shapes) slot in its own world
  std::uint32_t* material;  ///< [1] (shapes)
  ShapeGeometry* geometry;  ///<     (shapes)
  ShapeFilter* filter;      ///<     (shapes)
  // computed by bound
  Aabb* box;              ///< [m] (shapes) grown by the speculative margin
  std::uint64_t* cell;    ///< [1] (shapes) world, level and cell in the grid
  std::uint32_t* bucket;  ///< [1] (shapes) hash bucket of the cell; bucket_count if listed, one more if none
  // computed by pair
  std::uint32_t* sorted_bucket;  ///< [1] (shapes)
  std::uint32_t* sorted;         ///< [1] (shapes) slots by bucket, then slot
  std::uint64_t* sorted_cell;    ///< [1] (shapes)
  Aabb* sorted_box;              ///< [m] (shapes)
  std::uint32_t* pair_count;     ///< [1] (shapes) pairs that this shape reports; then their exclusive sum
  PairNotes* pair_notes;         ///< [1] (shapes) the first of them

  friend bool operator==(const Shapes&, const Shapes&) = default;
};
template <Same<Shapes> V>
inline constexpr TypedList kArrays<V>{
    derived<&V::body>(
        {.name = "shape_body", .meaning = "body slot of each shape; all bits set for a slot without one"}),
    derived<&V::id>(),
    derived<&V::material>(),
    kept<&V::geometry>(),
    derived<&V::filter>(),
    scratch<&V::box>(),
    scratch<&V::cell>(),
    scratch<&V::bucket>(),
    scratch<&V::sorted_bucket>(),
    scratch<&V::sorted>(),
    scratch<&V::sorted_cell>(),
    scratch<&V::sorted_box>(),
    scratch<&V::pair_count>(),
    scratch<&V::pair_notes>()};

/// [1] Triangles of surfaces have numbers of their own, above those of shape slots, and replace the shape in the key of
/// a pair.
inline constexpr std::uint32_t kFirstTriangle = 1u << 30;

/// The surfaces of all worlds, by the number of their first triangle.
struct Surfaces {
  const std::uint32_t* first;  ///< [1] (count) ascending
  const std::uint32_t* shape;  ///< [1] (count) slots
  std::uint32_t count;
  friend bool operator==(const Surfaces&, const Surfaces&) = default;
};

/// Key of two shape slots, or of a shape slot and the number of a triangle.
CAIRN_HD std::uint64_t key_of_pair(std::uint32_t a, std::uint32_t b) {
  return a < b ? static_cast<std::uint64_t>(a) << 32 | b : static_cast<std::uint64_t>(b) << 32 | a;
}

/// The two shapes of a pair.
struct PairShapes {
  std::uint32_t a, b;      ///< [1] slots
  std::uint32_t triangle;  ///< [1] of b, if that is a surface; else 0
};
/// A triangle's surface must be there.
CAIRN_HD PairShapes shapes_of(std::uint64_t key, const Surfaces& surfaces) {
  PairShapes s{static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), 0};
  if (s.b < kFirstTriangle) return s;
  const std::uint32_t surface = first_from(surfaces.first, surfaces.count, s.b + 1) - 1;
  s.triangle = s.b - surfaces.first[surface];
  s.b = surfaces.shape[surface];
  return s;
}

/// Levels of the broad phase's grid. A level of no more than kListedLevel shapes (a floor, the walls of a bin) has no
/// cells: its shapes are listed, and every shape tests the list.
inline constexpr std::uint32_t kLevels = 64;
inline constexpr std::uint32_t kListedLevel = 8;

}  // namespace cairn::kernels
