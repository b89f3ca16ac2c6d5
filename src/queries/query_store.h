#pragma once
// Device memory of queries: the tree, the queries and their hits.

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
  bool known{false};  ///< the tree is up to date

  /// The hull of a call by arrays: after the call, it may still be in use, or in the user's graph.
  struct Kept {
    ConvexHull hull;
    SolidStore solids;
  };
  std::list<Kept> kept;
};

}  // namespace cairn
