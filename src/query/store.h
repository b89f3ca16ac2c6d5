#pragma once
// What queries need on a device: the tree, and room for questions and answers.

#include "src/exec/memory.h"
#include "src/step_context.h"

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

  std::uint64_t bytes() const {
    return tree.bytes() + worlds.bytes() + nodes.bytes() + queries.bytes() + counts.bytes() + found.bytes();
  }
};

}  // namespace cairn
