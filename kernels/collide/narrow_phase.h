#pragma once
// New manifolds of the pairs that Collide has listed, class by class. So the threads of a warp run the same narrow
// phase, and a kernel has the registers and the stack of that one only.

#include "kernels/collide/collide_shapes.h"
#include "kernels/collide/collide_surface.h"
#include "kernels/collide/update_manifold.h"

namespace cairn::kernels {

/// Finds the begin and the count of each class among the sorted classes. Writes class_begin and class_count of class i.
/// One thread per listed class.
struct ClassRange {
  const std::uint32_t* sorted_class;  ///< [1] (pairs) PairClass, ascending
  const std::uint32_t* count;         ///< [1] one number: pairs
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t begin = first_from(sorted_class, *count, i);
    state->class_begin[i] = begin;
    state->class_count[i] = first_from(sorted_class, *count, i + 1) - begin;
  }
};

/// The pairs of a class, in the order of all pairs.
struct ClassPairs {
  const std::uint32_t* order;  ///< [1] (pairs) by class, then number
  const StepState* state;
  PairClass of;

  CAIRN_HD std::uint32_t count() const { return state->class_count[static_cast<std::uint32_t>(of)]; }
  CAIRN_HD std::uint32_t operator[](std::uint32_t i) const {
    return order[state->class_begin[static_cast<std::uint32_t>(of)] + i];
  }
};

/// Writes the manifold of pair i of the class. One thread per pair of it.
struct NarrowBoxes {
  ManifoldUpdate renewal;
  ClassPairs listed;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t pair = listed[i];
    const Meeting at = renewal.meeting(pair);
    renewal.renew(pair, at, [&](const auto&... shapes) {
      // none of them is a hull
      return collide_ordered(shapes..., Solids{},
                             [&](const auto&... ordered) { return collide_flat(ordered..., at.old); });
    });
  }
};

/// The pairs of a class that may need EPA, split evenly among workers in consecutive runs. The worker of a pair changes
/// nothing.
struct WorkerPairs {
  ManifoldUpdate renewal;
  ClassPairs listed;
  Workers workers;

  /// Renews the manifolds of a worker's pairs by narrow(pair, geometry and pose of a, of b, margin, epa).
  template <class Narrow>
  CAIRN_HD void renew(std::uint32_t worker, const Narrow& narrow) const {
    Epa& epa = workers.epa[worker];
    const std::uint32_t n = listed.count(), share = (n + workers.count - 1) / workers.count;
    const std::uint32_t begin = worker * share, end = begin + share < n ? begin + share : n;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t pair = listed[i];
      renewal.renew(pair, renewal.meeting(pair), [&](const auto&... shapes) { return narrow(pair, shapes..., epa); });
    }
  }
};

/// Writes the manifolds of a worker's pairs. One thread per worker.
struct NarrowConvex {
  WorkerPairs pairs;
  Solids solids;

  CAIRN_HD void operator()(std::uint32_t i) const {
    pairs.renew(
        i, [&](std::uint32_t, const auto& ga, const auto& pa, const auto& gb, const auto& pb, float margin, Epa& epa) {
          return collide_ordered(ga, pa, gb, pb, margin, solids,
                                 [&](const auto&... ordered) { return collide_general(ordered..., solids, epa); });
        });
  }
};

/// The same for triangles of surfaces.
struct NarrowTriangles {
  WorkerPairs pairs;
  Solids solids;

  CAIRN_HD void operator()(std::uint32_t i) const {
    pairs.renew(i, [&](std::uint32_t pair, const auto& ga, const auto& pa, const auto& gb, const auto& pb, float margin,
                       Epa& epa) {
      return collide_surface(ga, pa, gb, pb, pairs.renewal.pairs.triangle[pair], solids, margin, epa);
    });
  }
};

}  // namespace cairn::kernels
