#pragma once
// Interface of features to the making of a snapshot.

#include <algorithm>
#include <vector>

#include "src/snapshot/image.h"

namespace cairn::snapshot {

struct Capture {
  Image& image;                        ///< its worlds have their bodies, shapes and materials
  std::uint32_t first;                 ///< [1] the World's index of the image's first world
  std::vector<std::uint32_t> body_id;  ///< [1] (body slots) ids; kNone of other worlds' bodies
  const KeyMap& key_of;                ///< from slots and the World's triangles to ids and the image's
};

/// Downloads the elements of a field for these slots.
template <class Field, class T>
void gather(exec::Memory& memory, Field field, const std::vector<std::uint32_t>& slots, T* to) {
  if (slots.empty()) return;
  const auto [low, high] = std::minmax_element(slots.begin(), slots.end());
  exec::point_to(field, &field[*low]);
  const std::vector<T> found = exec::read(memory, field, *high - *low + std::size_t{1});
  for (std::size_t i = 0; i < slots.size(); ++i) to[i] = found[slots[i] - *low];
}

}  // namespace cairn::snapshot
