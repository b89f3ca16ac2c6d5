#include "src/world/parts.h"

#include <algorithm>

namespace cairn {

PartLists list_parts(std::span<const std::span<const std::uint32_t>> slots_of, const Tuning& tuning) {
  PartLists lists;
  lists.of_world.assign(slots_of.size(), 0);
  std::size_t room = 0;  // left in the last part
  for (std::size_t w = 0; w < slots_of.size(); ++w) {
    const std::size_t bodies = slots_of[w].size();
    if (bodies > tuning.small_world) continue;
    if (lists.count == 1 || bodies > room) {
      lists.count += 1;
      room = std::max(tuning.part_bodies, tuning.small_world);
    }
    room -= bodies;
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

Tuning resolved(Tuning tuning, const Device& device) {
  // a block of a CUDA device takes some bodies a thread; a thread of the CPU does best with what its second-level cache holds
  if (tuning.part_bodies == 0) tuning.part_bodies = device.kind == Device::Kind::kCuda ? 128 : 512;
  return tuning;
}

}  // namespace cairn
