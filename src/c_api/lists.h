#pragma once
// Lists of numbers in C.

#include <limits>
#include <span>

#include "src/c_api/common.h"

namespace cairn::c_api {

/// `count` of T as they lie in memory, without trusting that they are aligned like them. `from` may be null where there
/// are none.
template <class T, class N>
std::vector<T> list_of(const N* from, std::size_t count, const char* name) {
  static_assert(sizeof(T) % sizeof(N) == 0 && std::is_trivially_copyable_v<T>);
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
    throw InvalidArgument(std::string(name) + ": there can't be " + std::to_string(count) + " of them");
  if (count != 0) require(name, from);
  std::vector<T> out(count);
  if (count != 0) std::memcpy(static_cast<void*>(out.data()), from, count * sizeof(T));
  return out;
}

}  // namespace cairn::c_api
