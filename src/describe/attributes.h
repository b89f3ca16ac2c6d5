#pragma once
// Loops over the members of a described struct (cairn/attributes.h).

#include <array>
#include <concepts>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/random.h"
#include "cairn/types.h"

namespace cairn {

struct Inertia;

template <class E>
concept Worded = requires {
  EnumWords<E>::all;
};

/// Calls f(attribute) for each member, in order.
template <Described T, class F>
void each_attribute(const F& f) {
  attribute_list<T>().apply([&](const auto&... attribute) { (f(attribute), ...); });
}

namespace attributes {

/// Whether the list has every member of T: T can be made of their values, and of no further one.
template <class T, auto... kMembers>
consteval bool is_whole(const TypedList<Attribute<kMembers>...>&) {
  constexpr bool kAll = requires { T{std::declval<typename Attribute<kMembers>::Type>()...}; };
  constexpr bool kMore = requires { T{std::declval<typename Attribute<kMembers>::Type>()..., {}}; };
  return kAll && !kMore;
}

}  // namespace attributes

/// f(all members of it)
template <class T, class F>
requires Described<std::remove_const_t<T>>
void members(T& of, const F& f) {
  using S = std::remove_const_t<T>;
  static_assert(attributes::is_whole<S>(attribute_list<S>()),
                "the list of a struct lacks a member, or has another order");
  attribute_list<S>().apply([&](const auto&... attribute) { f(of.*attribute.member...); });
}

/// Types of a plain member of a scene file's object. Other members have their own readers, writers and rules.
template <class T>
concept Plain = Worded<T> || std::is_arithmetic_v<T> || std::same_as<T, std::string> || std::same_as<T, Vec3> ||
    std::same_as<T, Vec3d> || std::same_as<T, Quat> || std::same_as<T, Range>;

/// A described struct that scene files write by its list. An inertia is a list of numbers there.
template <class T>
concept Nested = Described<T> && !std::same_as<T, Inertia>;

/// T, or the type inside an optional.
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

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

/// An array of either kind.
template <class T>
inline constexpr bool kIsArray = std::is_array_v<T>;
template <class T, std::size_t N>
inline constexpr bool kIsArray<std::array<T, N>> = true;

/// One overload set of several functions.
template <class... F>
struct Overloads : F... {
  using F::operator()...;
};
template <class... F>
Overloads(F...) -> Overloads<F...>;

/// The name of a type, without its namespaces.
template <class T>
consteval std::string_view name_of_type() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.find("T = ");
  const std::size_t end = text.find_first_of(";]", begin);
  const std::size_t before = text.find_last_of(" :", end);
  return text.substr(before + 1, end - before - 1);
}

/// The word of one of a variant's types.
template <class T, class V>
consteval std::string_view word_of_type() {
  return []<class... All>(std::variant<All...>*) {
    std::size_t at = 0;
    static_cast<void>(((std::same_as<T, All> || (++at, false)) || ...));
    return VariantWords<V>::all[at];
  }(static_cast<V*>(nullptr));
}

/// A variant that holds a default value of its type at this index.
template <class V>
V make_type(std::size_t index) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    V made;
    ((index == k ? static_cast<void>(made.template emplace<k>()) : void()), ...);
    return made;
  }
  (std::make_index_sequence<std::variant_size_v<V>>());
}

template <class T>
inline constexpr bool kIsElements = false;
template <Nested T, std::size_t N>
inline constexpr bool kIsElements<std::array<T, N>> = true;

/// How a scene file holds a member.
enum class Form {
  kAbsent,    ///< not at all
  kValue,     ///< as a value
  kObject,    ///< as an object, of a described struct
  kFlat,      ///< by the keys of a described struct in the same object
  kElements,  ///< by a key for each element of an array, which is an object
  kOwn,       ///< by special code
};
template <auto kMember>
consteval Form form_of() {
  using V = HeldOf<Attribute<kMember>>;
  constexpr AttributeInfo info = info_of<kMember>();
  if (info.hidden) return Form::kAbsent;
  if (info.reference) return Form::kOwn;
  if (Plain<V>) return Form::kValue;
  if (Nested<V>) return info.flat ? Form::kFlat : Form::kObject;
  return kIsElements<V> ? Form::kElements : Form::kOwn;
}

namespace attributes {
template <Described T>
void add_keys(std::vector<std::string_view>& keys) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>& attribute) {
    using V = HeldOf<Attribute<kMember>>;
    constexpr Form form = form_of<kMember>();
    if constexpr (form == Form::kFlat) {
      add_keys<V>(keys);
    } else if constexpr (form == Form::kElements) {
      keys.insert(keys.end(), attribute.info.elements, attribute.info.elements + std::tuple_size_v<V>);
    } else if constexpr (form != Form::kAbsent) {
      keys.push_back(attribute.key());
    }
  });
}
}  // namespace attributes

/// The keys of a scene file's object.
template <Described T>
const std::vector<std::string_view>& keys_of() {
  static const std::vector<std::string_view> keys = [] {
    std::vector<std::string_view> all;
    attributes::add_keys<T>(all);
    return all;
  }();
  return keys;
}

/// Whether all bits are equal: zeros of different sign aren't.
template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (Described<T>) {
    return attribute_list<T>().apply(
        [&](const auto&... attribute) { return (same_bits(a.*attribute.member, b.*attribute.member) && ...); });
  } else if constexpr (kIsElements<T>) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same_bits(a[i], b[i])) return false;
    }
    return true;
  } else if constexpr (std::is_trivially_copyable_v<T>) {
    return std::memcmp(&a, &b, sizeof a) == 0;
  } else {
    return a == b;
  }
}

}  // namespace cairn
