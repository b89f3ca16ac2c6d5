#pragma once
// Building the tree of masses.

#include "kernels/fields/tree_build.h"

namespace cairn::ode {

/// Positions and masses of `count` particles -> the tree.
template <class Exec, class T>
void build_tree(Exec& exec, const kernels::MassTree<T>& tree, std::uint32_t count, const Vec3T<T>* x, const T* mass) {
  exec.single(kernels::TreeClear{tree.bounds});
  exec.for_each(count, kernels::TreeBound<T>{tree, x});
  // stable sorts, the lower word first; ties stay in the order of their indices
  for (const bool upper : {false, true}) {
    exec.for_each(count, kernels::TreeCode<T>{tree, x, upper});
    exec.sort(tree.key, tree.sorted_key, tree.sorted, count, upper ? 31 : 32);
    exec.for_each(count, kernels::TreeOrder<T>{tree});
    exec.for_each(count, kernels::TreeReorder<T>{tree});
  }
  for (std::uint32_t level = 0; level < tree.levels; ++level) {
    exec.for_each(tree.size[level], kernels::TreeSum<T>{tree, x, mass, count, level});
  }
}

}  // namespace cairn::ode
