#pragma once
// Writes the keys of a described struct.

#include <cmath>

#include "src/describe/attributes.h"
#include "src/scene_file/write_text.h"

namespace cairn::scene_file {

template <Described T>
std::string described_text(const T& of);

template <class T>
std::string text_of_value(const T& value) {
  if constexpr (Worded<T>) {
    return text_of(word_of(value));
  } else if constexpr (std::same_as<T, std::string>) {
    return text_of(value);
  } else if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::integral<T>) {
    return std::to_string(value);
  } else if constexpr (std::floating_point<T>) {
    return std::isinf(value) ? text_of(infinite_word({.below = value < 0})) : number_of(value);
  } else if constexpr (kIsVector<T>) {
    return array_of(value, text_of_value<typename T::value_type>);
  } else if constexpr (Nested<T>) {
    return described_text(value);
  } else {
    return list_of(value);
  }
}

/// Adds the members, except sparse ones that are as in `without`, empty lists and empty optional ones. `own(attribute)`
/// adds a member with special code; a list of values or objects needs none.
template <Described T, class Own = std::monostate>
void add_attributes(Members& members, const T& of, const T& without, const Own& own = {}) {
  const auto text_of_object = []<class V>(const V& value, const V& as) {
    Members inner;
    add_attributes(inner, value, as);
    return inner.end();
  };
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>& attribute) {
    constexpr Form form = form_of<kMember>();
    const auto &value = of.*kMember, &as = without.*kMember;
    if constexpr (form == Form::kOwn && std::invocable<const Own&, decltype(attribute)>) {
      own(attribute);
    } else if constexpr (form == Form::kOwn) {
      static_assert(kIsVector<std::remove_cvref_t<decltype(value)>>, "a member needs special code");
      if (!value.empty()) members.add(attribute.key(), text_of_value(value));
    } else if constexpr (form == Form::kFlat) {
      add_attributes(members, value, as);
    } else if constexpr (form == Form::kElements) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (!same_bits(value[i], as[i])) members.add(attribute.info.elements[i], text_of_object(value[i], as[i]));
      }
    } else if constexpr (form == Form::kValue || form == Form::kObject) {
      const auto text = [&](const auto& held, const auto& usual) {
        if constexpr (form == Form::kValue) {
          return text_of_value(held);
        } else {
          return text_of_object(held, usual);
        }
      };
      if constexpr (requires { value.has_value(); }) {
        if (value) members.add(attribute.key(), text(*value, HeldOf<Attribute<kMember>>{}));
      } else {
        if (!attribute.info.sparse || !same_bits(value, as)) members.add(attribute.key(), text(value, as));
      }
    }
  });
}

template <Described T, class Own = std::monostate>
void add_attributes(Members& members, const T& of, const Own& own = {}) {
  static const T kDefault;
  add_attributes(members, of, kDefault, own);
}

template <Described T>
std::string described_text(const T& of) {
  Members members;
  add_attributes(members, of);
  return members.end();
}

}  // namespace cairn::scene_file
