#pragma once
// What queries need on a device: the tree, and room for questions and answers.

#include <list>

#include "src/exec/memory.h"
#include "src/step_context.h"
#include "src/world/solids.h"

namespace cairn {

struct QueryStore {
  explicit QueryStore(exec::Memory& memory)
      : tree(memory), worlds(memory), nodes(memory), queries(memory), counts(memory), found(memory) {}

  exec::Table<kernels::QueryTree> tree;
  exec::Table<kernels::QueryWorlds> worlds;
  exec::Buffer<kernels::Aabb> nodes;
  exec::Buffer<kernels::Query> queries;
  exec::Buffer<std::uint32_t> counts;
  exec::Buffer<kernels::QueryFound> found;
  bool known{false};  ///< the tree is that of the world as it is

  /// A hull that a call by arrays asked with: it may be in flight, or in a graph of the user's, when the call is over.
  struct Kept {
    ConvexHull hull;
    SolidStore solids;
  };
  std::list<Kept> kept;
};

}  // namespace cairn
