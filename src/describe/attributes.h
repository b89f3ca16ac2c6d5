#pragma once
// Loops over the members of a described struct (cairn/attributes.h).

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cairn/attributes.h"
#include "cairn/random.h"
#include "cairn/types.h"

namespace cairn {

template <class E>
concept Worded = requires {
  EnumWords<E>::all;
};

/// Calls f(attribute) for each member, in their order.
template <Described T, class F>
void each_attribute(const F& f) {
  std::apply([&](const auto&... attribute) { (f(attribute), ...); }, Attributes<T>::all);
}

namespace attributes {

/// Each value of an EnumWords stands at its place.
template <Worded E>
consteval bool in_order() {
  for (std::size_t i = 0; i < EnumWords<E>::all.size(); ++i) {
    if (EnumWords<E>::all[i].second != static_cast<E>(i)) return false;
  }
  return true;
}

/// The list has every member of T, in their order: T can be made of their values, and of no further one.
template <class T, auto... kMembers>
consteval bool is_whole(const std::tuple<Attribute<kMembers>...>&) {
  return requires { T{std::declval<typename Attribute<kMembers>::Type>()...}; }
  &&!requires { T{std::declval<typename Attribute<kMembers>::Type>()..., {}}; };
}

}  // namespace attributes

/// References to all members.
template <class T>
requires Described<std::remove_const_t<T>>
auto members(T& of) {
  using S = std::remove_const_t<T>;
  static_assert(attributes::is_whole<S>(Attributes<S>::all),
                "the list of a struct lacks a member, or has another order");
  return std::apply([&](const auto&... attribute) { return std::tie(of.*attribute.member...); }, Attributes<S>::all);
}

/// What one member of a scene file's object holds. Other members have readers, writers and rules of their own.
template <class T>
concept Plain = Worded<T> || std::is_arithmetic_v<T> || std::same_as<T, std::string> || std::same_as<T, Vec3> ||
    std::same_as<T, Vec3d> || std::same_as<T, Quat> || std::same_as<T, Range>;

/// T, or what is in an optional.
template <class T>
struct Held {
  using Type = T;
};
template <class T>
struct Held<std::optional<T>> {
  using Type = T;
};
template <class F>
using HeldOf = typename Held<typename std::remove_cvref_t<F>::Type>::Type;

/// Calls f(attribute) for each plain member and each that may be one.
template <Described T, class F>
void each_plain_attribute(const F& f) {
  each_attribute<T>([&](const auto& attribute) {
    if constexpr (Plain<HeldOf<decltype(attribute)>>) f(attribute);
  });
}

/// The keys of a scene file's object.
template <Described T>
constexpr auto keys_of() {
  return std::apply([](const auto&... attribute) { return std::array{attribute.key()...}; }, Attributes<T>::all);
}

}  // namespace cairn
