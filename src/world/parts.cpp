#include "src/world/parts.h"

#include <algorithm>

#include "kernels/common/items.h"

namespace cairn {
namespace {

// [1] of a CPU's part: as many as fit a thread's second-level cache, and the same for worlds with joints
constexpr std::size_t kCpuPart = 512, kJointedCpuPart = 160;
/// Sizes for a CUDA device of some 130 multiprocessors: a part with fewer contacts is done sooner, as long as parts
/// don't wait for each other. Of 256 to 16,384 quadrupeds these took the least time on an H200.
struct CudaParts {
  std::size_t count;     ///< [1] parts that run at once
  std::size_t min, max;  ///< [1] bodies of one
};
constexpr CudaParts kOfContacts{256, 16, 128};
// 40 bodies are four quadrupeds, and 80 four ragdolls with their ground: as many trees as a block has warps
constexpr CudaParts kOfJoints{256, 40, 80};

/// [1] Bodies of a part, for so many bodies in all small worlds.
std::size_t part_bodies(std::size_t bodies, bool jointed, const Tuning& tuning, const Device& device) {
  if (tuning.part_bodies != 0) return tuning.part_bodies;
  if (device.kind == Device::Kind::kCpu) return jointed ? kJointedCpuPart : kCpuPart;
  const CudaParts& suits = jointed ? kOfJoints : kOfContacts;
  return std::clamp((bodies + suits.count - 1) / suits.count, suits.min, suits.max);
}

}  // namespace

PartLists list_parts(std::span<const std::span<const std::uint32_t>> slots_of, bool jointed, const Tuning& tuning,
                     const Device& device) {
  PartLists lists;
  lists.of_world.assign(slots_of.size(), 0);
  const auto is_small = [&](std::span<const std::uint32_t> slots) { return slots.size() <= tuning.small_world; };
  std::size_t all = 0;
  for (const auto& slots : slots_of) all += is_small(slots) ? slots.size() : 0;
  const std::size_t max_bodies = part_bodies(all, jointed, tuning, device);
  // a CPU solves robots in packs of consecutive worlds
  const bool in_packs = jointed && device.kind == Device::Kind::kCpu && tuning.part_bodies == 0;
  std::size_t room = 0;    // [1] free places of the last part
  std::size_t worlds = 0;  // [1] worlds of the last part
  for (std::size_t w = 0; w < slots_of.size(); ++w) {
    if (!is_small(slots_of[w])) continue;
    const std::size_t bodies = slots_of[w].size();
    const bool fills_pack = in_packs && worlds % kernels::kPackItems != 0 && bodies * kernels::kPackItems <= kCpuPart;
    if (lists.count == 1 || (bodies > room && !fills_pack)) {
      lists.count += 1;
      room = std::max(max_bodies, bodies);
      worlds = 0;
    }
    room -= std::min(bodies, room);
    worlds += 1;
    lists.of_world[w] = lists.count - 1;
  }
  if (lists.count == 1) return lists;
  std::vector<std::vector<std::uint32_t>> bodies(lists.count);
  for (std::size_t w = 0; w < slots_of.size(); ++w) {
    auto& part = bodies[lists.of_world[w]];
    part.insert(part.end(), slots_of[w].begin(), slots_of[w].end());
  }
  for (const auto& part : bodies) {
    lists.body.insert(lists.body.end(), part.begin(), part.end());
    lists.body_begin.push_back(static_cast<std::uint32_t>(lists.body.size()));
  }
  return lists;
}

}  // namespace cairn
