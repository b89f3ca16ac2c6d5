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
  std::string all;
  const auto& words = EnumWords<E>::names;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) all += i + 1 == words.size() ? " or " : ", ";
    all += words[i];
  }
  return all;
}

/// A quaternion that can be normalised.
inline bool is_turn(const Quat& q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w) && q != Quat{0, 0, 0, 0};
}

/// The thing being checked: its name in messages, and its place in a scene file. Text is made only for faults.
struct Where {
  const Where* above;  ///< null: none
  std::string_view called, key;

  std::string name() const {
    const std::string before = above != nullptr ? above->name() : "";
    const bool apart = !before.empty() && !before.ends_with('.') && !called.empty();
    return before + (apart ? " " : "") + std::string(called);
  }
  std::string pointer() const { return (above != nullptr ? above->pointer() : "") + "/" + std::string(key); }
};

template <class T>
void check_value(Checker& check, const T& value, const AttributeInfo& info, const Where& where) {
  if constexpr (Worded<T>) {
    if (static_cast<std::size_t>(value) >= EnumWords<T>::all.size())
      check.require(false, where.name(), where.pointer(), "must be " + any_word<T>());
  } else if constexpr (std::same_as<T, std::string>) {
    check.name(value, info.required);
  } else if constexpr (std::same_as<T, Quat>) {
    if (!is_turn(value)) check.quaternion(value, where.name(), where.pointer());
  } else if constexpr (std::same_as<T, cairn::Range>) {
    for (const auto& [of, end] : {std::pair{value.low, ".low"}, std::pair{value.high, ".high"}}) {
      if (!is_within(of, info.range)) check.number(of, where.name() + end, where.pointer(), info.range, info.unit);
    }
    if (!(value.low <= value.high)) {
      check.require(false, where.name() + ".high", where.pointer(),
                    "must be at least " + digits(value.low) + ", is " + digits(value.high));
    }
  } else if constexpr (requires { value.x, value.y, value.z; }) {
    const std::array at{value.x, value.y, value.z};
    for (std::size_t k = 0; k < at.size() && check.good(); ++k) {
      if (is_within(at[k], info.range)) continue;
      check.number(at[k], where.name() + kAxis[k], where.pointer() + "/" + std::to_string(k), info.range, info.unit);
    }
  } else if constexpr (std::is_arithmetic_v<T> && !std::same_as<T, bool>) {
    if (!is_within(value, info.range)) check.number(value, where.name(), where.pointer(), info.range, info.unit);
  }
}

/// Checks the rules of each member in its list, and members of members by theirs. `above`: the thing that `of` is part
/// of.
template <Described T>
void check_attributes(Checker& check, const T& of, const Where* above = nullptr) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>& attribute) {
    using V = HeldOf<Attribute<kMember>>;
    const auto& member = of.*kMember;
    const Where where{above, attribute.name(), attribute.key()};
    const auto look = [&](const V& value) {
      if constexpr (Plain<V>) {
        check_value(check, value, attribute.info, where);
      } else if constexpr (Nested<V>) {
        check_attributes(check, value, attribute.info.flat ? above : &where);
      } else if constexpr (kIsElements<V>) {
        for (std::size_t i = 0; i < value.size(); ++i) {
          const Where element{above, attribute.info.elements[i], attribute.info.elements[i]};
          check_attributes(check, value[i], &element);
        }
      }
    };
    if (!check.good()) return;
    if constexpr (requires { member.has_value(); }) {
      if (member) look(*member);
    } else {
      look(member);
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
