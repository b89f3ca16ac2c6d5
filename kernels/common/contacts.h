#pragma once
// Contacts: materials, manifolds, and the pairs of shapes that have them.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/common/arrays.h"
#include "kernels/common/strided_array.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

struct ContactMaterial {
  float friction;          ///< [1]
  float restitution;       ///< [1]
  float rolling_friction;  ///< [m]
  float compliance;        ///< [1/Pa] (1 - nu^2) / E; this and the next 0 where E is not given
  float shear_compliance;  ///< [1/Pa] (2 - nu) / G
  Vec3 surface_velocity;   ///< [m/s] in the body's own frame
};

struct ManifoldPoint {
  Vec3 r_a;               ///< [m]   from a's centre of mass, or its anchor, to its point, world axes, when the manifold
                          ///<       was made
  Vec3 r_b;               ///< [m]   the same for b; separation was normal . (x_b + r_b - x_a - r_a)
  float separation;       ///< [m]   at the step's start
  float rest;             ///< [m]   separation at zero load (kernels/finish/rest.h)
  float impulse;          ///< [N s] normal impulse of the last substep; warm start of the next
  float total;            ///< [N s] summed over the last step's substeps
  std::uint32_t feature;  ///< [1]   the features in contact; equal in the next step if the same features touch
};

enum ManifoldFlag : std::uint32_t {
  kManifoldActive = 1u << 0,    ///< has points and at least one awake dynamic body: gets a row
  kManifoldRecycled = 1u << 1,  ///< kept from the step before
  kManifoldFresh = 1u << 2,     ///< made in this step
  kManifoldFlat = 1u << 4,      ///< two boxes, or a face on a face: may be kept while the bodies hardly move
  kManifoldSensor = 1u << 3,    ///< one of the shapes is a sensor: has points while they overlap, and never a row
  kManifoldFarA = 1u << 5,      ///< a is far away: its arms and the offset count from an anchor of it, a point near b
                                ///< (kernels/collide/far.h)
  kManifoldFarB = 1u << 6,      ///< the same for b
  kManifoldFar = kManifoldFarA | kManifoldFarB,
  kManifoldSame = 1u << 7,      ///< of kManifoldFlat: not kept, but has the same points as before, and they carried
                                ///< load
  kManifoldColdStep = 1u << 8,  ///< unit of the count of steps for which it stays cold (kernels/collide/cold.h)
  kManifoldCold = 15u << 8,
};

/// [1] Max points of a manifold.
inline constexpr std::uint32_t kManifoldPoints = 4;

/// Contact of two shapes: the cache entry. The normal points from a to b, and a is the lower shape slot. In a World
/// whose pairs all touch in one point it ends after the first of `points`, rounded up (bytes_of_manifold). A CUDA
/// device copies it in words of 16 bytes.
struct alignas(16) Manifold {
  Vec3 normal;          ///< [1]   world
  std::uint32_t count;  ///< [1]   0..4
  Vec3 friction;        ///< [N s] friction impulse on b, world, of the last substep
  float twist;          ///< [N s m] twist impulse about the normal, of the last substep
  Vec3 rolling;         ///< [N s m] rolling impulse on b, world, of the last substep
  std::uint32_t color;  ///< [1]   kNone if it has none
  Vec3 friction_total;  ///< [N s] summed over the last step's substeps
  std::uint32_t flags;  ///< ManifoldFlag
  Vec3 offset;          ///< [m]   x_b - x_a when the manifold was made
  Vec3 slip;            ///< [m]   how far b has slipped on a since it last stuck, world; xpbd and soft_step
  ManifoldPoint points[kManifoldPoints];
  Quat q_a, q_b;            ///< [1]   of kManifoldFlat: orientations when the manifold was made
  std::uint32_t unused[2];  ///< the rest of the last 16 bytes
};
static_assert(sizeof(Manifold) == offsetof(Manifold, unused) + sizeof Manifold::unused);

/// [B] Size of a manifold with room for so many points: one, or all.
CAIRN_HD std::uint32_t bytes_of_manifold(std::uint32_t points) {
  constexpr std::size_t kOne = offsetof(Manifold, points) + sizeof(ManifoldPoint), kAlign = alignof(Manifold);
  return static_cast<std::uint32_t>(points == 1 ? (kOne + kAlign - 1) / kAlign * kAlign : sizeof(Manifold));
}

using Manifolds = StridedArray<Manifold>;
CAIRN_HD std::uint32_t manifold_points(const Manifolds& array) {
  return array.bytes == sizeof(Manifold) ? kManifoldPoints : 1;
}

/// Copies the data of a manifold, and nothing that it may have no room for.
CAIRN_HD void copy_manifold(Manifold& to, const Manifold& from) {
  if (from.count > 1 || (from.flags & kManifoldFlat) != 0) {
    to = from;
  } else {
    memcpy(static_cast<void*>(&to), &from, bytes_of_manifold(1));
  }
}

/// Clears the impulses and the slip, except for those of its points.
CAIRN_HD void clear_friction(Manifold& m) {
  m.friction = m.friction_total = m.rolling = m.slip = Vec3{0, 0, 0};
  m.twist = 0.0f;
}

/// True if a point of this feature carried load.
CAIRN_HD bool carried_at(const Manifold& m, std::uint32_t feature) {
  for (std::uint32_t i = 0; i < m.count; ++i) {
    if (m.points[i].feature == feature) return m.points[i].impulse > 0.0f;
  }
  return false;
}

/// True for a contact; false for no contact and for the overlap of a sensor.
CAIRN_HD bool pushes(const Manifold& m) { return m.count != 0 && (m.flags & kManifoldSensor) == 0; }

/// [m] Position of point p of m on a's surface, for bodies at these positions.
CAIRN_HD Vec3d point_on_a(const Manifold& m, const ManifoldPoint& p, Vec3 x_a, Vec3 low_a, Vec3 x_b, Vec3 low_b) {
  if ((m.flags & kManifoldFarA) == 0) return (widen(x_a) + widen(low_a)) + widen(p.r_a);
  return (widen(x_b) + widen(low_b)) + (widen(p.r_b) - double{p.separation} * widen(m.normal));
}

/// Pairs of shapes that may touch, sorted by key, with their manifolds. There are two: this step's and the last
/// one's.
struct Pairs {
  std::uint64_t* key;  ///< [1] (pairs) lower shape slot << 32 | higher, or the number of a triangle
  // computed by collide
  std::uint32_t* shape_b;   ///< [1] (pairs) slot of the higher shape, the triangle's surface
  std::uint32_t* triangle;  ///< [1] (pairs) of that surface, or 0
  Manifolds manifold;       ///<     (pairs)

  /// Slot of the lower shape.
  CAIRN_HD std::uint32_t shape_a(std::uint32_t i) const { return static_cast<std::uint32_t>(key[i] >> 32); }
  friend bool operator==(const Pairs&, const Pairs&) = default;
};
template <Same<Pairs> V>
inline constexpr TypedList kArrays<V>{kept<&V::key>(), derived<&V::shape_b>(), derived<&V::triangle>(),
                                      kept<&V::manifold>()};

/// Work arrays over pairs, within a step.
struct PairWork {
  std::uint64_t* unsorted_key;    ///< [1] (pairs) as found
  std::uint32_t* match;           ///< [1] (pairs) index in the last step's pairs, or kNone
  std::uint32_t* pending;         ///< [1] (pairs) 1 where a colour is needed; then the exclusive sum
  std::uint32_t* edge;            ///< [1] (pairs) pairs that need a colour
  std::uint32_t* row_key;         ///< [1] (pairs) colour and point count
  std::uint32_t* sorted_row_key;  ///< [1] (pairs)
  std::uint32_t* row_order;       ///< [1] (pairs) pairs by row_key
  friend bool operator==(const PairWork&, const PairWork&) = default;
};
template <Same<PairWork> V>
inline constexpr TypedList kArrays<V>{
    scratch<&V::unsorted_key>(), scratch<&V::match>(),          scratch<&V::pending>(),  scratch<&V::edge>(),
    scratch<&V::row_key>(),      scratch<&V::sorted_row_key>(), scratch<&V::row_order>()};

}  // namespace cairn::kernels
