#pragma once
// Ranges of numbers (cairn/attributes.h), and messages for numbers out of range.

#include <cmath>
#include <limits>
#include <string>

#include "cairn/attributes.h"

namespace cairn::rules {

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

/// Digits of a bound: "1e6" instead of "1e+06".
std::string bound(double value);

/// "between 0 and 1e6"; empty if every finite number is valid.
std::string range_text(const AttributeRange& range);

/// ", or 0: as stiff as the solver can"
std::string exceptions_of(const AttributeRange& range);

/// "must be over 0 and at most 1 s", for a value out of the range.
std::string rule_of(const AttributeRange& range, std::string_view unit, double value);

template <class T>
bool is_within(T value, const AttributeRange& range) {
  const auto v = static_cast<double>(value);
  if (range.zero != nullptr && v == 0) return true;
  if (range.infinite != nullptr && v == (range.below ? -kNoBound : kNoBound)) return true;
  return (range.open ? v > range.min : v >= range.min) && v <= range.max && std::isfinite(v);
}

}  // namespace cairn::rules
