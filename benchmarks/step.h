#pragma once

namespace cairn {

/// Registers the benchmarks of whole steps, on every device of this machine. Call it from main: before main, the
/// kernels of this build aren't registered yet, and no CUDA device is usable.
void add_steps();

}  // namespace cairn
