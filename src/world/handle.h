#pragma once
// Handles of what can be removed: the place in a list of slots, and how often the place was taken.

#include <cstdint>
#include <string>

#include "cairn/errors.h"

namespace cairn {

/// True where the slot still has what the handle was given for.
template <class Slots, class Handle>
bool is_alive(const Slots& slots, const Handle& handle) {
  if (handle.index == 0 || handle.index > slots.size()) return false;
  const auto& slot = slots[handle.index - 1];
  const auto alive = [&] {
    if constexpr (requires { slot.alive(); })
      return slot.alive();
    else
      return slot.alive;
  };
  return slot.generation == handle.generation && alive();
}

/// The slot. Throws InvalidArgument: a `what` handle {...} is null or stale: `gone` was removed.
template <class Slots, class Handle>
std::uint32_t slot_of(const Slots& slots, const Handle& handle, const char* what, const char* gone) {
  if (!is_alive(slots, handle))
    throw InvalidArgument(std::string(what) + " handle {" + std::to_string(handle.index) + ", " +
                          std::to_string(handle.generation) + "} is null or stale: its " + gone + " was removed");
  return handle.index - 1;
}

}  // namespace cairn
