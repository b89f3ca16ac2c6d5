#pragma once
// Queries of a world, and their results. Positions are relative to the query's own origin, so that a query far out is
// as accurate as one near the world's origin.

#include "kernels/collide/gjk.h"
#include "kernels/common/arrays.h"
#include "kernels/common/state.h"

namespace cairn::kernels {

enum class QueryKind : std::uint32_t {
  kRay,      ///< a point that moves along a line
  kCast,     ///< a convex shape that moves along a line
  kOverlap,  ///< a convex shape that stays
  kClosest,  ///< the same, with shapes near it
};

struct Query {
  Vec3d origin;         ///< [m] world, of the shape's own origin
  Vec3d direction;      ///< [1] unit, of the motion
  double reach;         ///< [m] length of the motion, or search distance
  ShapeGeometry shape;  ///<     a sphere of radius 0 for rays; orientation to world
  Filter filter;
  std::uint32_t world;    ///< [1] index
  std::uint32_t ignored;  ///< [1] slot of a body to ignore, or kNone
  std::uint32_t sensors;  ///< [1] 1: finds sensors, too
};

struct QueryFound {
  double distance;      ///< [m] of motion, or between the shapes
  Vec3d point;          ///< [m] on the surface found, relative to the query's origin
  Vec3 normal;          ///< [1] world, off that surface; 0 if there is none
  std::uint32_t shape;  ///< [1] slot, or kNone
};

/// True if x comes before y among a query's results.
CAIRN_HD bool nearer(const QueryFound& x, const QueryFound& y) {
  return x.distance < y.distance || (x.distance == y.distance && x.shape < y.shape);
}

/// Boxes of all shapes of all worlds except planes, in a tree: sorted by world, Morton code of the centre and slot,
/// four to a node, and four nodes to a node, up to one. Node i of level l has the leaves from i 4^l on.
struct QueryTree {
  std::uint32_t* world;       ///< [1] (shapes) of each slot; world_count for slots outside the tree
  std::uint32_t* code_low;    ///< [1] (shapes) Morton code of each slot, the lower 32 bits
  std::uint32_t* code_high;   ///< [1] (shapes) and the upper 31
  std::uint32_t* key;         ///< [1] (shapes) of the next sort
  std::uint32_t* sorted_key;  ///< [1] (shapes)
  std::uint32_t* order;       ///< [1] (shapes) permutation by the sort
  std::uint32_t* last_order;  ///< [1] (shapes) slots in the order of the sort before
  std::uint32_t* leaf;        ///< [1] (shapes) slots in their order
  Aabb* box;                  ///< [m] (shapes) world, of each slot
  Aabb* node;                 ///< [m] (query_nodes) world, of leaves, then level by level; a buffer of its own
  friend bool operator==(const QueryTree&, const QueryTree&) = default;
};
template <Same<QueryTree> V>
inline constexpr TypedList kArrays<V>{derived<&V::world>(),      derived<&V::code_low>(),   derived<&V::code_high>(),
                                      derived<&V::key>(),        derived<&V::sorted_key>(), derived<&V::order>(),
                                      derived<&V::last_order>(), derived<&V::leaf>(),       derived<&V::box>(),
                                      elsewhere<&V::node>()};
/// [1] Max levels above the leaves.
inline constexpr std::uint32_t kQueryLevels = 16;
/// [1] Nodes of a tree of so many shapes, leaves included.
CAIRN_HD std::uint64_t query_nodes(std::uint64_t shapes) {
  std::uint64_t nodes = shapes;
  while (shapes > 1) {
    shapes = (shapes + 3) / 4;
    nodes += shapes;
  }
  return nodes;
}

/// Bounds and ranges of the worlds in a tree.
struct QueryWorlds {
  std::uint32_t* lower[3];  ///< [1] (worlds) min of the centres of their boxes, as an integer in the order of floats
  std::uint32_t* upper[3];  ///< [1] (worlds) max, the same
  std::uint32_t* begin;     ///< [1] (worlds + 2) first leaf
  friend bool operator==(const QueryWorlds&, const QueryWorlds&) = default;
};
template <Same<QueryWorlds> V>
inline constexpr TypedList kArrays<V>{derived<&V::lower>(), derived<&V::upper>(), derived<&V::begin>()};

/// All inputs of a query.
struct QueryScene {
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  Solids solids;
  Solids asked;                 ///< of the queries' own shapes
  const std::uint32_t* planes;  ///< [1] (planes) shape slots, world by world
  QueryTree tree;
  QueryWorlds tree_worlds;
  std::uint32_t shape_count;  ///< [1] slots
  std::uint32_t world_count;  ///< [1]
  std::uint32_t brute;        ///< [1] 1: tests every shape, without the tree

  /// First entry of QueryTree::node of a level.
  CAIRN_HD std::uint32_t level_begin(std::uint32_t level) const {
    std::uint32_t begin = 0, count = shape_count;
    for (std::uint32_t l = 0; l < level; ++l) {
      begin += count;
      count = (count + 3) / 4;
    }
    return begin;
  }
};

/// [m] A body's centre of mass, relative to the query's origin.
CAIRN_HD Vec3d centre_from(const Bodies& bodies, std::uint32_t body, Vec3d origin) {
  return (widen(bodies.x[body]) - origin) + widen(bodies.x_low[body]);
}

/// [m] The same for a shape.
CAIRN_HD Vec3d place_from(const QueryScene& s, std::uint32_t slot, Vec3d origin) {
  const std::uint32_t body = s.shapes.body[slot];
  const Vec3d in_body = widen(s.shapes.geometry[slot].position);
  return centre_from(s.bodies, body, origin) + matrix_of_any(s.bodies.q[body]) * in_body;
}

CAIRN_HD Quat turn_of(const QueryScene& s, std::uint32_t slot) {
  return s.bodies.q[s.shapes.body[slot]] * s.shapes.geometry[slot].orientation;
}

/// A shape that is neither plane nor surface, relative to the query's origin.
CAIRN_HD Convex convex_from(const QueryScene& s, std::uint32_t slot, Vec3d origin) {
  Convex c = convex_of(s.shapes.geometry[slot], {{0, 0, 0}, turn_of(s, slot)}, s.solids);
  c.x = place_from(s, slot, origin);
  return c;
}

/// A query's own shape.
CAIRN_HD Convex convex_of(const QueryScene& s, const Query& q) {
  return convex_of(q.shape, {{0, 0, 0}, q.shape.orientation}, s.asked);
}

/// True for shapes that a query may find.
CAIRN_HD bool wanted(const QueryScene& s, const Query& q, std::uint32_t slot) {
  const ShapeFilter f = s.shapes.filter[slot];
  return s.shapes.body[slot] != q.ignored && (q.sensors != 0 || !is_sensor(f)) && may_touch(q.filter, f.filter);
}

}  // namespace cairn::kernels
