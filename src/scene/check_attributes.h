#pragma once
// Checks the ranges of a described struct.

#include <optional>
#include <string>

#include "src/describe/attributes.h"
#include "src/scene/checker.h"

namespace cairn::rules {

/// "soft_step, xpbd or avbd"
template <Worded E>
std::string any_word() {
  static_assert(attributes::in_order<E>());
  std::string all;
  const auto& words = EnumWords<E>::all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) all += i + 1 == words.size() ? " or " : ", ";
    all += words[i].first;
  }
  return all;
}

/// Digits of a bound: "1e6" in the place of "1e+06".
std::string bound(double value);

/// "between 0 and 1e6"; nothing where every finite number is good.
std::string range_text(const AttributeRange& range);

/// "must be over 0 and at most 1 s", for a value that is out of the range.
std::string rule_of(const AttributeRange& range, std::string_view unit, double value);

template <class T>
bool is_within(T value, const AttributeRange& range) {
  const auto v = static_cast<double>(value);
  if (range.zero != nullptr && v == 0) return true;
  return (range.open ? v > range.min : v >= range.min) && v <= range.max && std::isfinite(v);
}

template <class T>
void check_number(Checker& check, T value, const AttributeInfo& info, std::string_view name, std::string_view pointer) {
  check.require(false, name, pointer,
                rule_of(info.range, info.unit, static_cast<double>(value)) + ", is " +
                    digits(static_cast<std::conditional_t<std::same_as<T, float>, float, double>>(value)));
}

/// Strings are made only where something is wrong.
template <class T>
void check_value(Checker& check, const T& value, const AttributeInfo& info, std::string_view name,
                 std::string_view key) {
  const auto pointer = [&] { return "/" + std::string(key); };
  if constexpr (Worded<T>) {
    if (static_cast<std::size_t>(value) >= EnumWords<T>::all.size())
      check.require(false, name, pointer(), "must be " + any_word<T>());
  } else if constexpr (std::same_as<T, std::string>) {
    check.name(value);
  } else if constexpr (std::same_as<T, Quat>) {
    check.quaternion(value, name, pointer());
  } else if constexpr (std::same_as<T, cairn::Range>) {
    if (!is_within(value.low, info.range)) check_number(check, value.low, info, std::string(name) + ".low", pointer());
    if (!is_within(value.high, info.range))
      check_number(check, value.high, info, std::string(name) + ".high", pointer());
    if (!(value.low <= value.high)) {
      check.require(false, std::string(name) + ".high", pointer(),
                    "must be at least " + digits(value.low) + ", is " + digits(value.high));
    }
  } else if constexpr (requires { value.x, value.y, value.z; }) {
    const std::array at{value.x, value.y, value.z};
    for (std::size_t k = 0; k < at.size() && check.good(); ++k) {
      if (is_within(at[k], info.range)) continue;
      check_number(check, at[k], info, std::string(name) + kAxis[k], pointer() + "/" + std::to_string(k));
    }
  } else if constexpr (std::is_arithmetic_v<T> && !std::same_as<T, bool>) {
    if (!is_within(value, info.range)) check_number(check, value, info, name, pointer());
  }
}

/// What the list says of each plain member.
template <Described T>
void check_attributes(Checker& check, const T& of) {
  each_plain_attribute<T>([&](const auto& attribute) {
    if (!check.good()) return;
    const auto& value = of.*attribute.member;
    if constexpr (requires { value.has_value(); }) {
      if (value) check_value(check, *value, attribute.info, attribute.name(), attribute.key());
    } else {
      check_value(check, value, attribute.info, attribute.name(), attribute.key());
    }
  });
}

template <Described T>
std::optional<Fault> fault_in(const T& of) {
  Checker check;
  check_attributes(check, of);
  return check.fault;
}

}  // namespace cairn::rules
