#pragma once
// Copies between described structs and their twins in C, member by member of the same name.

#include <tuple>

#include "src/c_api/structs.h"
#include "src/describe/attributes.h"

namespace cairn::c_api {

/// The members of a C struct, taken from the headers (cmake/cairn_c_structs.cmake).
template <class C>
inline constexpr std::tuple<> c_attributes{};
#define CAIRN_MEMBER(C, m) \
  Attribute<&C::m> {}
#define CAIRN_STRUCT(C, ...) \
  template <>                \
  inline constexpr std::tuple c_attributes<C>{__VA_ARGS__};
#include "struct_members.inc"
#undef CAIRN_STRUCT
#undef CAIRN_MEMBER

/// The place of a member in C.
template <class C>
consteval std::size_t twin_of(std::string_view name) {
  std::size_t at = 0, found = ~std::size_t{0};
  std::apply([&](const auto&... attribute) { ((found = attribute.name() == name ? at : found, ++at), ...); },
             c_attributes<C>);
  return found;
}

inline void put_value(float (&to)[2], const Range& range) {
  to[0] = range.low;
  to[1] = range.high;
}
inline void put_value(const char*& to, const std::string& text) { to = text.c_str(); }
template <class To, class T>
void put_value(To& to, const T& value) {
  if constexpr (requires { value.has_value(); }) {
    put_value(to, value.value_or(typename T::value_type{}));
  } else if constexpr (std::is_array_v<To>) {
    put(to, value);
  } else {
    to = static_cast<To>(value);
  }
}

template <class T, class From>
T value_of(const From& from, const std::string& what) {
  if constexpr (Worded<T>) {
    return enum_of(from, EnumWords<T>::all.back().second, what.c_str());
  } else if constexpr (std::same_as<T, std::string>) {
    require(what.c_str(), from);
    return from;
  } else if constexpr (std::same_as<T, bool>) {
    return from != 0;
  } else if constexpr (std::same_as<T, Range>) {
    return {from[0], from[1]};
  } else if constexpr (std::same_as<T, Quat>) {
    return quat(from);
  } else if constexpr (std::is_array_v<From>) {
    return vec3(from);
  } else {
    return from;
  }
}

/// A struct in C with the plain members of `of`; its strings are those of `of`. What has no twin doesn't compile.
template <class C, Described T>
C twin(const T& of) {
  C c{};
  c.struct_size = sizeof c;
  each_plain_attribute<T>([&]<auto kMember>(const Attribute<kMember>&) {
    constexpr std::size_t at = twin_of<C>(name_of_member<kMember>());
    put_value(c.*std::get<at>(c_attributes<C>).member, of.*kMember);
  });
  return c;
}

/// Zeros in the place of optional values are none.
template <Described T, class C>
T attributes_of(const C& c) {
  T made;
  each_plain_attribute<T>([&]<auto kMember>(const Attribute<kMember>&) {
    constexpr std::string_view name = name_of_member<kMember>();
    using V = HeldOf<Attribute<kMember>>;
    const V value =
        value_of<V>(c.*std::get<twin_of<C>(name)>(c_attributes<C>).member, name_of<C> + ("." + std::string(name)));
    if constexpr (requires { (made.*kMember).has_value(); }) {
      if (value != V{}) made.*kMember = value;
    } else {
      made.*kMember = value;
    }
  });
  return made;
}

}  // namespace cairn::c_api
