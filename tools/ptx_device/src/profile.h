#pragma once
// Counts of launches by kernel and NVTX range: PTX_DEVICE_PROFILE=FILE writes them as JSON at the end. They are exact
// and the same on every machine; they are of PTX, and no measure of time.

#include <cstdint>

#include "block.h"
#include "machine.h"

namespace ptxdev {

/// Counts an instruction that some lanes of `mask` execute.
void count(Warp& w, const Instr& in, std::uint32_t mask);
/// Counts a launch at its end.
void count_launch(const Launch& launch);
void write_profile();

}  // namespace ptxdev
