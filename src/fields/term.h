#pragma once
// A solver's form of a field, and the arrays that it needs.

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <vector>

#include "cairn/field.h"
#include "kernels/fields/mass_tree.h"
#include "kernels/fields/near.h"
#include "kernels/fields/springs.h"
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
      : count_(count), position_(memory), cell_(memory), order_(memory), begin_(memory), key_(memory), sorted_(memory) {
    const std::uint32_t buckets = buckets_for(count);
    bits_ = std::bit_width(buckets - 1);
    position_.reserve(count);
    cell_.reserve(count);
    order_.reserve(count);
    begin_.reserve(std::size_t{buckets} + 1);
    key_.reserve(count);
    sorted_.reserve(count);
    arrays_ = {position_.data(), cell_.data(), order_.data(), begin_.data(), key_.data(), sorted_.data()};
    grid_ = grid_of(arrays_, arrays_.begin, count, reach);
  }

  const NearGrid<T>& grid() const { return grid_; }

  /// Positions -> the grid.
  template <class Exec>
  void build(Exec& exec, const Vec3T<T>* x) {
    exec.for_each(count_, kernels::NearKey<T>{grid_, x, arrays_.key});
    exec.sort(arrays_.key, arrays_.sorted_key, arrays_.order, count_, bits_);
    exec.for_each(count_, kernels::NearPlace<T>{grid_, arrays_, x});
    exec.for_each(grid_.mask + 2, kernels::NearBegin{arrays_.sorted_key, count_, arrays_.begin});
  }

 private:
  std::uint32_t count_;
  int bits_{0};
  exec::Buffer<Vec3T<T>> position_;
  exec::Buffer<typename NearGrid<T>::Cell> cell_;
  exec::Buffer<std::uint32_t> order_, begin_, key_, sorted_;
  kernels::NearArrays<T> arrays_{};
  NearGrid<T> grid_;
};

/// The same for the tree of masses.
template <class T>
class TreeStore {
 public:
  TreeStore(exec::Memory& memory, std::uint32_t count)
      : count_(count),
        node_(memory),
        order_(memory),
        key_(memory),
        sorted_key_(memory),
        sorted_(memory),
        bounds_(memory) {
    std::uint32_t nodes = 0;
    std::uint32_t below = count;
    do {
      below = below / kernels::kTreeFan + (below % kernels::kTreeFan != 0 ? 1 : 0);
      tree_.begin[tree_.levels] = nodes;
      tree_.size[tree_.levels++] = below;
      nodes += below;
    } while (below > 1);
    node_.reserve(nodes);
    order_.reserve(count);
    key_.reserve(count);
    sorted_key_.reserve(count);
    sorted_.reserve(count);
    bounds_.reserve(6);
    tree_.node = node_.data();
    tree_.order = order_.data();
    tree_.key = key_.data();
    tree_.sorted_key = sorted_key_.data();
    tree_.sorted = sorted_.data();
    tree_.bounds = bounds_.data();
  }

  const kernels::MassTree<T>& tree() const { return tree_; }

 private:
  std::uint32_t count_;
  exec::Buffer<kernels::MassNode<T>> node_;
  exec::Buffer<std::uint32_t> order_, key_, sorted_key_, sorted_, bounds_;
  kernels::MassTree<T> tree_{};
};

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
