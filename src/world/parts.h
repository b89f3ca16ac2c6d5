#pragma once
// The parts that a batch is solved in (kernels/common/parts.h), as the host lists them.

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
  std::vector<std::uint32_t> body;           ///< [1] slots, part by part; none where part 0 has all
};

/// Small worlds in parts of consecutive ones, all others in part 0; `slots_of` lists each world's body slots.
/// Whether there are joints or articulations is a matter of speed alone.
PartLists list_parts(std::span<const std::span<const std::uint32_t>> slots_of, bool jointed, const Tuning& tuning,
                     const Device& device);

}  // namespace cairn
