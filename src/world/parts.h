#pragma once
// The parts in which a batch is solved (kernels/common/parts.h), as lists on the host.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/device.h"
#include "cairn/params.h"

namespace cairn {

struct PartLists {
  std::uint32_t count{1};                    ///< [1] with part 0
  std::vector<std::uint32_t> of_world;       ///< [1] (worlds)
  std::vector<std::uint32_t> body_begin{0};  ///< [1] (parts + 1) first of each part's bodies in `body`
  std::vector<std::uint32_t> body;           ///< [1] slots, part by part; empty if part 0 has all
};

/// Small worlds in parts of consecutive ones, all others in part 0; `slots_of` lists each world's body slots. `jointed`
/// (there are joints or articulations) affects speed only.
PartLists list_parts(std::span<const std::span<const std::uint32_t>> slots_of, bool jointed, const Tuning& tuning,
                     const Device& device);

}  // namespace cairn
