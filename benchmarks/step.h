#pragma once

namespace cairn {

/// Registers the benchmarks of whole steps, on every device of this machine. Called by main: before it, the kernels of
/// this build aren't registered yet, and no CUDA device would be usable.
void add_steps();

}  // namespace cairn
