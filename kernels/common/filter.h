#pragma once
// Which shapes and bodies may touch: shape filters, sensors, and bodies that ignore each other.

#include <cstdint>

#include "cairn/filter.h"
#include "kernels/common/annotate.h"
#include "kernels/common/index.h"

namespace cairn::kernels {

/// Filter features that a World uses, so that a step skips the others.
enum FilterUse : std::uint32_t {
  kUseFilters = 1u << 0,  ///< a shape has another filter than the default
  kUseSensors = 1u << 1,  ///< a shape is a sensor
  kUseIgnored = 1u << 2,  ///< bodies ignore each other
};

/// A shape's filter, and its sensor flag and index in the body.
struct ShapeFilter {
  Filter filter;
  std::uint32_t bits;  ///< [1] kShapeSensor, and its index among the shapes of its body
};
inline constexpr std::uint32_t kShapeSensor = 1u << 31;
CAIRN_HD bool is_sensor(const ShapeFilter& f) { return (f.bits & kShapeSensor) != 0; }
CAIRN_HD std::uint32_t index_in_body(const ShapeFilter& f) { return f.bits & ~kShapeSensor; }

CAIRN_HD bool may_touch(const Filter& a, const Filter& b) {
  if (a.group != 0 && a.group == b.group) return a.group > 0;
  return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

/// Pairs of bodies that ignore each other, in all worlds.
struct IgnoredPairs {
  const std::uint64_t* key{nullptr};  ///< [1] (count) lower body slot << 32 | higher, ascending
  std::uint32_t count{0};             ///< [1]
  friend bool operator==(const IgnoredPairs&, const IgnoredPairs&) = default;

  CAIRN_HD bool contains(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t low_slot = a < b ? a : b, high_slot = a < b ? b : a;
    const std::uint64_t wanted = static_cast<std::uint64_t>(low_slot) << 32 | high_slot;
    const std::uint32_t at = first_from(key, count, wanted);
    return at < count && key[at] == wanted;
  }
};

}  // namespace cairn::kernels
