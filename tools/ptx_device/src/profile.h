#pragma once
// What launches do, counted by kernel and NVTX range: PTX_DEVICE_PROFILE=FILE writes it as JSON at the end. Counts are
// exact and the same on every machine; they are of PTX, and say nothing about time.

#include <cstdint>

#include "block.h"
#include "machine.h"

namespace ptxdev {

/// An instruction goes through with some lanes of `mask`.
void count(Warp& w, const Instr& in, std::uint32_t mask);
/// A launch is over.
void count_launch(const Launch& launch);
void write_profile();

}  // namespace ptxdev
