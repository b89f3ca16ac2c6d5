#pragma once
// Rests: separations by which soft contacts carry their load in place.

#include "kernels/common/state.h"
#include "kernels/solve/row_arms.h"

namespace cairn::kernels {

/// [1] Share of its depth by which a cold point's rest grows in a step. With more, points overlap less, and so separate
/// sooner where a body leans: with 0.25, 0.3, 0.6 and 1 a tower of 100 moves by 11.7, 13.1, 14.6 and 34 mm/s after 10 s
/// (rms, mean of seeds 1 to 16; of 1 to 48 12.4 and 13.2 with the first two). With less, walls overlap more. Measured
/// with a damping ratio of 80, while cold 17 for 0.25 and 20 for the others.
inline constexpr float kRestRate = 0.25f;
/// [1] Share of its rest that a point keeps in a step without load.
inline constexpr float kRestKept = 0.98f;
/// [1] Over the radius of the smaller body: depth that isn't learnt, and the max and min of a rest.
inline constexpr float kRestSlop = 2e-4f, kMaxRest = 0.05f, kMinRest = 1e-6f;

/// Soft contacts yield under load: by 9 mm at the foot of a tower of 100 at 6 substeps, and in an arch by enough to
/// fell one that is 5 % thicker than necessary. So while a contact is cold (kernels/collide/cold.h) and kept, each of
/// its points learns its rest, the separation at zero load, from its depth d at the end of a step: rest += kRestRate
/// max(d - kRestSlop r, 0). So it carries its load in its initial place. After that the rest stays constant: a rest
/// that keeps following the load removes damping from slower motion, and piles don't come to rest. Points without load,
/// or apart, lose it slowly, because a load that disappears must not kick.
template <class T>
struct RestLaw {
  using Mask = decltype(T{} < T{});
  T size;       ///< [m] radius of the smaller body
  Mask learns;  ///< its manifold is cold and kept

  /// [m] Next rest of a point, after a step in which its bodies moved apart by `moved`.
  CAIRN_HD T next(const RowBlock::Point& p, std::uint32_t lane, const NormalMotion<T>& moved) const {
    const T none(0.0f);
    const T s = load<T>(p.separation, lane) + moved.at(load2<T>(p.place, lane));
    const T rest = load<T>(p.rest, lane), depth = -(s + rest);
    const T learnt = min(fma(T(kRestRate), max(depth - T(kRestSlop) * size, none), rest), T(kMaxRest) * size);
    const T lost = select(rest > T(kMinRest) * size, T(kRestKept) * rest, none);
    const T carries = select(depth < none, none, load<T>(p.impulse, lane));
    return select(carries == none, lost, select(learns, learnt, rest)) + none;
  }
};

}  // namespace cairn::kernels
