#pragma once
// Writes the keys of a described struct.

#include <cstring>

#include "src/describe/attributes.h"
#include "src/scene_file/write_text.h"

namespace cairn::scene_file {

template <class T>
std::string text_of_value(const T& value) {
  if constexpr (Worded<T>) {
    return word_of(value, EnumWords<T>::all);
  } else if constexpr (std::same_as<T, std::string>) {
    return text_of(value);
  } else if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::integral<T>) {
    return std::to_string(value);
  } else if constexpr (std::floating_point<T>) {
    return number_of(value);
  } else {
    return list_of(value);
  }
}

/// Zeros of another sign are not the same.
template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    return std::memcmp(&a, &b, sizeof a) == 0;
  } else {
    return a == b;
  }
}

/// Adds the plain members, but for sparse ones that have their default and optional ones that have nothing.
template <Described T>
void add_attributes(Members& members, const T& of) {
  static const T kDefault;
  each_plain_attribute<T>([&](const auto& attribute) {
    const auto& value = of.*attribute.member;
    if constexpr (requires { value.has_value(); }) {
      if (value) members.add(attribute.key(), text_of_value(*value));
    } else {
      if (!attribute.info.sparse || !same_bits(value, kDefault.*attribute.member))
        members.add(attribute.key(), text_of_value(value));
    }
  });
}

template <Described T>
std::string described_text(const T& of) {
  Members members;
  add_attributes(members, of);
  return members.end();
}

}  // namespace cairn::scene_file
