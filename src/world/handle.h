#pragma once
// Handles, and the slots that they name: of a slot it matters whether something is in it, and which generation that is.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cairn/errors.h"

namespace cairn {

/// `alive` is a member or a function of a slot.
template <class Slot>
bool is_alive(const Slot& slot) {
  return std::invoke(&Slot::alive, slot);
}
/// True unless the handle is null or stale.
template <class Slots, class Handle>
bool is_alive(const Slots& slots, const Handle& handle) {
  if (handle.index == 0 || handle.index > slots.size()) return false;
  return slots[handle.index - 1].generation == handle.generation && is_alive(slots[handle.index - 1]);
}

/// Slot of the handle. Throws InvalidArgument if it is null or stale; `gone` is what was removed.
template <class Slots, class Handle>
std::uint32_t slot_of(const Slots& slots, const Handle& handle, const char* what, const char* gone) {
  if (!is_alive(slots, handle))
    throw InvalidArgument(std::string(what) + " handle {" + std::to_string(handle.index) + ", " +
                          std::to_string(handle.generation) + "} is null or stale: its " + gone + " was removed");
  return handle.index - 1;
}

/// Handles of what is in those of the slots `of`.
template <class Handle, class Slots>
std::vector<Handle> handles_of(const Slots& slots, const std::vector<std::uint32_t>& of) {
  std::vector<Handle> handles;
  for (const std::uint32_t at : of) {
    if (is_alive(slots[at])) handles.push_back({at + 1, slots[at].generation});
  }
  return handles;
}

/// A world's slots.
template <class Slots>
std::vector<std::uint32_t> slots_of_world(const Slots& slots, std::uint32_t world) {
  std::vector<std::uint32_t> of;
  for (std::uint32_t at = 0; at < slots.size(); ++at) {
    if (slots[at].world == world) of.push_back(at);
  }
  return of;
}

/// An empty slot of a world; a new one where it has none.
template <class Slot>
std::size_t empty_slot(std::vector<Slot>& slots, std::uint32_t world) {
  const auto empty = [&](const Slot& slot) { return !is_alive(slot) && slot.world == world; };
  const auto at = static_cast<std::size_t>(std::find_if(slots.begin(), slots.end(), empty) - slots.begin());
  if (at == slots.size()) slots.push_back({.generation = 0});
  return at;
}

}  // namespace cairn
