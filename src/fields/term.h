#pragma once
// A solver's form of a field, and the arrays that it needs: grid, tree and springs.

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <vector>

#include "cairn/field.h"
#include "kernels/fields/laws.h"
#include "kernels/fields/near.h"
#include "kernels/fields/tree_build.h"
#include "src/exec/memory.h"

namespace cairn::ode {

/// [1] Buckets of a grid of so many particles: a power of two, at least one a particle.
inline std::uint32_t buckets_for(std::uint32_t count) {
  return std::bit_ceil(std::clamp(count, 2u, std::uint32_t{1} << 30));
}

/// A grid in these arrays; its buckets begin at `begin`.
template <class T>
NearGrid<T> grid_of(const kernels::NearArrays<T>& arrays, const std::uint32_t* begin, std::uint32_t count,
                    double reach) {
  // a little more than the reach, so that rounding loses no neighbour
  constexpr double kSide = 1.0 + 0x1p-20;
  const T closest = static_cast<T>(reach);
  return {arrays.position,        arrays.cell,           arrays.order,     begin,
          buckets_for(count) - 1, 1.0 / (reach * kSide), closest * closest};
}

/// The grid of a field with a cut-off, rebuilt for every state that the field sees.
template <class T>
class NearStore {
 public:
  NearStore(exec::Memory& memory, std::uint32_t count, double reach)
      : count_(count),
        buckets_(buckets_for(count)),
        position_(memory, count),
        cell_(memory, count),
        order_(memory, count),
        begin_(memory, std::size_t{buckets_} + 1),
        key_(memory, count),
        sorted_(memory, count),
        arrays_{position_.data(), cell_.data(), order_.data(), begin_.data(), key_.data(), sorted_.data()},
        grid_(grid_of(arrays_, arrays_.begin, count, reach)) {}

  const NearGrid<T>& grid() const { return grid_; }

  /// Positions -> the grid.
  template <class Exec>
  void build(Exec& exec, const Vec3T<T>* x) {
    exec.for_each(count_, kernels::NearKey<T>{grid_, x, arrays_.key});
    exec.sort(arrays_.key, arrays_.sorted_key, arrays_.order, count_, std::bit_width(buckets_ - 1));
    exec.for_each(count_, kernels::NearPlace<T>{grid_, arrays_, x});
    exec.find_begins(arrays_.sorted_key, count_, buckets_, arrays_.begin);
  }

 private:
  std::uint32_t count_, buckets_;
  exec::Buffer<Vec3T<T>> position_;
  exec::Buffer<typename NearGrid<T>::Cell> cell_;
  exec::Buffer<std::uint32_t> order_, begin_, key_, sorted_;
  kernels::NearArrays<T> arrays_;
  NearGrid<T> grid_;
};

/// The same for the tree of masses.
template <class T>
class TreeStore {
 public:
  TreeStore(exec::Memory& memory, std::uint32_t count)
      : node_(memory),
        order_(memory, count),
        key_(memory, count),
        sorted_key_(memory, count),
        sorted_(memory, count),
        bounds_(memory, 6) {
    std::uint32_t nodes = 0;
    std::uint32_t below = count;
    do {
      below = below / kernels::kTreeFan + (below % kernels::kTreeFan != 0 ? 1 : 0);
      tree_.begin[tree_.levels] = nodes;
      tree_.size[tree_.levels++] = below;
      nodes += below;
    } while (below > 1);
    node_.reserve(nodes);
    tree_.node = node_.data();
    tree_.order = order_.data();
    tree_.key = key_.data();
    tree_.sorted_key = sorted_key_.data();
    tree_.sorted = sorted_.data();
    tree_.bounds = bounds_.data();
  }

  const kernels::MassTree<T>& tree() const { return tree_; }

 private:
  exec::Buffer<kernels::MassNode<T>> node_;
  exec::Buffer<std::uint32_t> order_, key_, sorted_key_, sorted_, bounds_;
  kernels::MassTree<T> tree_{};
};

/// Positions and masses of `count` particles -> the tree.
template <class Exec, class T>
void build_tree(Exec& exec, const kernels::MassTree<T>& tree, std::uint32_t count, const Vec3T<T>* x, const T* mass) {
  exec.single(kernels::TreeClear{tree.bounds});
  exec.for_each(count, kernels::TreeBound<T>{tree, x});
  // stable sorts, the lower word first; ties stay in the order of their indices
  for (const bool upper : {false, true}) {
    exec.for_each(count, kernels::TreeCode<T>{tree, x, upper});
    exec.sort(tree.key, tree.sorted_key, tree.sorted, count, upper ? 31 : 32);
    exec.for_each(count, kernels::GatherIndices{tree.order, tree.sorted, tree.sorted_key});
    exec.for_each(count, kernels::GatherIndices{tree.sorted_key, nullptr, tree.order});
  }
  for (std::uint32_t level = 0; level < tree.levels; ++level) {
    exec.for_each(tree.size[level], kernels::TreeSum<T>{tree, x, mass, count, level});
  }
}

/// The springs of each particle.
template <class T>
struct SpringStore {
  exec::Buffer<kernels::SpringEnd<T>> end;
  exec::Buffer<std::uint32_t> begin;
};

template <class T>
struct Term {
  std::shared_ptr<const void> functor;
  FieldCode<T> code;
  std::unique_ptr<NearStore<T>> near;
  std::unique_ptr<TreeStore<T>> tree;
  std::unique_ptr<SpringStore<T>> springs;
};

}  // namespace cairn::ode
