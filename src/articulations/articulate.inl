#pragma once

#include "src/articulations/articulate_context.h"

namespace cairn {

/// One worker an articulation, for every task.
template <class Exec>
void articulate(Exec& exec, const ArticulateContext& a) {
  std::visit([&](const auto& task) { exec.each_worker(task.b.count, task); }, a.task);
}

}  // namespace cairn
