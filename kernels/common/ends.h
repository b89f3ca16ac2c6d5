#pragma once
// Row ends by body, for `xpbd` and `avbd`.

#include <cstdint>

#include "kernels/common/arrays.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// Velocity change that a row gives to one of its bodies in a Jacobi sweep, or in a substep of `avbd`.
struct alignas(32) RowPush {
  Vec3 v;  ///< [m/s]
  float pad0;
  Vec3 w;  ///< [kg^1/2 m/s] of w~
  float pad1;
};

/// Row ends: end 2 s is body a of row slot s, end 2 s + 1 body b.
struct RowEnds {
  std::uint32_t* body;         ///< [1] (ends) the body that the end pushes, or the count of bodies
  std::uint32_t* sorted_body;  ///< [1] (ends)
  std::uint32_t* sorted;       ///< [1] (ends) ends by body, then row slot
  RowPush* push;               ///<     (ends) written and read by Jacobi sweeps only
  friend bool operator==(const RowEnds&, const RowEnds&) = default;
};
template <Same<RowEnds> V>
inline constexpr TypedList kArrays<V>{scratch<&V::body>(), scratch<&V::sorted_body>(), scratch<&V::sorted>(),
                                      scratch<&V::push>()};

/// Ranges of the ends of each body.
struct BodyEnds {
  std::uint32_t* begin;  ///< [1] (bodies + 1) first entry of RowEnds::sorted
  std::uint32_t* end;    ///< [1] (bodies + 1) one past the last
  float* share;          ///< [1] (bodies + 1) fraction of a row's impulse that this body allows
  friend bool operator==(const BodyEnds&, const BodyEnds&) = default;
};
template <Same<BodyEnds> V>
inline constexpr TypedList kArrays<V>{scratch<&V::begin>(), scratch<&V::end>(), scratch<&V::share>()};

}  // namespace cairn::kernels
