#include "src/scene/ranges.h"

#include <cmath>

#include "src/scene/text.h"

namespace cairn::rules {

std::string bound(double value) {
  // a value that was a float has the float's digits
  const auto single = static_cast<float>(value);
  std::string text = double{single} == value ? digits(single) : digits(value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::size_t sign = e + 1;
  if (text[sign] == '+') {
    text.erase(sign, 1);
  } else {
    ++sign;
  }
  while (text[sign] == '0') text.erase(sign, 1);
  return text;
}

std::string range_text(const AttributeRange& range) {
  const bool has_max = range.max < kNoBound;
  if (!(range.min > -kNoBound)) return has_max ? "at most " + bound(range.max) : "";
  if (range.open) return "over " + bound(range.min) + (has_max ? " and at most " + bound(range.max) : "");
  return has_max ? "between " + bound(range.min) + " and " + bound(range.max) : "at least " + bound(range.min);
}

std::string exceptions_of(const AttributeRange& range) {
  std::string text;
  if (range.zero != nullptr) text += std::string(", or 0: ") + range.zero;
  if (range.infinite != nullptr) text += std::string(", or infinite: ") + range.infinite;
  return text;
}

std::string rule_of(const AttributeRange& range, std::string_view unit, double value) {
  if (std::isnan(value) || (std::isinf(value) && range.infinite == nullptr)) return "must be finite";
  if (range.positive && !(value > 0)) return "must be over 0";
  std::string rule = "must be " + range_text(range);
  // a one-sided bound is 0 and needs no unit; with several units, the quantity decides which applies
  const bool measured = unit != "1" && unit.find(',') == std::string_view::npos;
  if (range.max < kNoBound && measured) rule += " " + std::string(unit);
  return rule + exceptions_of(range);
}

}  // namespace cairn::rules
