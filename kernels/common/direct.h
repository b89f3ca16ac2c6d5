#pragma once
// Islands that are solved directly (kernels/direct): their bodies, and the work arrays of the solve.

#include <cstdint>

#include "kernels/common/arrays.h"
#include "kernels/common/contact_rows.h"
#include "kernels/common/index.h"

namespace cairn::kernels {

/// [1] Blocks of 6 x 6 that an island's matrix may have for each of its bodies, on average. Towers have 2, arches 3.
/// Piles have more, and sweeps solve them well.
inline constexpr std::uint32_t kDirectBlocks = 6;
/// [1] Normals, two of friction, and twist.
inline constexpr std::uint32_t kDirectRows = kManifoldPoints + 3;
inline constexpr std::uint32_t kFrictionRow = kManifoldPoints, kTwistRow = kManifoldPoints + 2;

/// Velocities v, and w~ = I^1/2 w.
struct DirectMotion {
  double u[6];         ///< [m/s, kg^1/2 m/s]
  double u0[6];        ///< [m/s, kg^1/2 m/s] without contact impulses
  double given[6];     ///< [m/s, kg^1/2 m/s] change by contacts in the substep before
  double push[6];      ///< [m/s, kg^1/2 m/s] depenetration velocity, for this substep's motion only
  double z[6];         ///< [N s, kg^1/2 m/s] minus the gradient; then [m/s, kg^1/2 m/s] the step
  double slope;        ///< [J] its part of the island's
  std::uint32_t some;  ///< [1] flag that the phases of a solve set if a row of the body needs something
};
struct DirectMatrix {
  double block[kDirectBlocks][36];  ///< [kg, kg^1/2, 1] row by row
};

/// Progress of an island's solve.
struct DirectState {
  double share, slope;  ///< [1], [J] of the step that is tried
  std::uint32_t done;   ///< [1] 1 if Newton's method has converged
  std::uint32_t some;   ///< [1] 1 if a body has `some`; after the solve: if overlap is pushed out
};

/// Data of a row in a direct solve, beside RowBlock.
struct DirectRow {
  double y[kDirectRows];        ///< [m/s, rad/s] velocities, with the depenetration velocity
  double dy[kDirectRows];       ///< [m/s, rad/s] their change by the step
  double impulse[kDirectRows];  ///< [N s, N s m]
  double held[3];               ///< [N s, N s m] friction and twist at the start
  double hold, turn_hold;       ///< [kg, kg m^2] friction, and twist, per slip
  double bound, turn_bound;     ///< [N s, N s m] their bounds
  float centre[2];              ///< [m] of the load, where friction acts, along the tangents
};

/// By body slot; `order`, `found`, `first`, `last` and `block` by place. The places of an island are consecutive.
struct Direct {
  std::uint32_t* parent;     ///< [1] (bodies + 1) lowest slot of its island
  std::uint32_t* size;       ///< [1] (bodies + 1) of a lowest slot: bodies, kDirectWanted and kDirectRefused
  std::uint32_t* of_root;    ///< [1] (bodies + 1) of a lowest slot: number of its island, kNone where it isn't solved
                             ///<     directly
  std::uint32_t* taken;      ///< [1] (bodies + 1) of a lowest slot: bodies that have a place
  std::uint32_t* end_begin;  ///< [1] (bodies + 1) count of row ends that push it; then the first of them in
                             ///<     DirectContext::end
  std::uint32_t* listed;     ///< [1] (bodies + 1) count of those ends
  std::uint32_t* place;      ///< [1] (bodies + 1) in its island
  std::uint32_t* number;     ///< [1] (bodies + 1) by place in Parts::body: islands that begin before it
  std::uint32_t* room;       ///< [1] (bodies + 1) the same for their bodies
  std::uint32_t* begin;      ///< [1] (bodies + 1) by island: its first place
  std::uint32_t* found;      ///< [1] (bodies + 1) bodies in any order; scratch of IslandOrder
  std::uint32_t* order;      ///< [1] (bodies + 1) bodies in the order of the matrix
  std::uint32_t* first;      ///< [1] (bodies + 1) lowest place in the island that its matrix row has a block for
  std::uint32_t* last;       ///< [1] (bodies + 1) highest place whose row has a block for it
  std::uint32_t* block;      ///< [1] (bodies + 1) first of its row's blocks, counted from the island's
  friend bool operator==(const Direct&, const Direct&) = default;

  /// True for an awake dynamic body of an island that is solved directly.
  CAIRN_HD bool has(std::uint32_t body) const { return of_root[parent[body]] != kNone; }
};
template <Same<Direct> V>
inline constexpr TypedList kArrays<V>{
    scratch<&V::parent>(), scratch<&V::size>(),  scratch<&V::of_root>(), scratch<&V::taken>(), scratch<&V::end_begin>(),
    scratch<&V::listed>(), scratch<&V::place>(), scratch<&V::number>(),  scratch<&V::room>(),  scratch<&V::begin>(),
    scratch<&V::found>(),  scratch<&V::order>(), scratch<&V::first>(),   scratch<&V::last>(),  scratch<&V::block>()};

/// Work data of rows by row slot.
struct DirectRows {
  DirectRow* at;               ///< (rows)
  const std::uint32_t* first;  ///< [1] one number: the first row slot of the solves
  friend bool operator==(const DirectRows&, const DirectRows&) = default;
  CAIRN_HD DirectRow& operator[](std::uint32_t slot) const { return at[slot - *first]; }
};

/// Work arrays of the solves, by place.
struct DirectPlaces {
  DirectMotion* motion;  ///< (places)
  DirectMatrix* matrix;  ///< (places)
  DirectState* state;    ///< (places) by island
  friend bool operator==(const DirectPlaces&, const DirectPlaces&) = default;
};
template <Same<DirectPlaces> V>
inline constexpr TypedList kArrays<V>{scratch<&V::motion>(), scratch<&V::matrix>(), scratch<&V::state>()};

}  // namespace cairn::kernels
