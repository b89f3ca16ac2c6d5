#pragma once
// Descriptions of the members of public structs: one list (kAttributes) beside each described struct. From these lists
// come the keys of scene files with their ranges and messages, docs/scene.schema.json, tables of docs/scenes.md,
// snapshots, the C interface and the Python package.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace cairn {

/// Values of types that all differ. With std::tuple and std::apply, files that read many lists took a third to a half
/// longer to compile.
template <class... T>
struct TypedList : T... {
  /// f(all values)
  template <class F>
  constexpr decltype(auto) apply(const F& f) const {
    return f(static_cast<const T&>(*this)...);
  }
};
template <class... T>
TypedList(T...) -> TypedList<T...>;
/// One list after the other.
template <class... T, class... U>
constexpr TypedList<T..., U...> operator+(const TypedList<T...>& a, const TypedList<U...>& b) {
  return {static_cast<const T&>(a)..., static_cast<const U&>(b)...};
}

/// Range of a number, or of each component of a vector. Both ends are included unless `open`.
struct AttributeRange {
  double min{-std::numeric_limits<double>::infinity()};  ///< [1] in the member's unit
  double max{std::numeric_limits<double>::infinity()};   ///< [1] in the member's unit
  bool open{false};                                      ///< without `min` itself
  bool positive{false};                                  ///< errors of values up to 0 name 0 as the bound, not `min`
  const char* zero{nullptr};                             ///< meaning of 0, which is then in the range too
  const char* infinite{nullptr};                         ///< meaning of infinity, which is then in the range too
  bool below{false};                                     ///< that infinity is negative
};

inline constexpr AttributeRange kAboveZero{.min = 0, .open = true};
inline constexpr AttributeRange kAtLeastZero{.min = 0};
constexpr AttributeRange between(double min, double max) { return {.min = min, .max = max}; }
constexpr AttributeRange over(double min, double max) { return {.min = min, .max = max, .open = true}; }

struct AttributeInfo {
  const char* unit{"1"};                      ///< SI
  AttributeRange range{};                     ///< of numbers and vectors
  const char* meaning{""};                    ///< plain text; "docs/x.md" becomes a link
  const char* key{nullptr};                   ///< in scene files, where it differs from the member's name
  bool required{false};                       ///< a scene file must have it
  bool sparse{false};                         ///< scene files are written without it where it has its default
  bool own{false};                            ///< may differ between the worlds of a batch (StepParams)
  bool flat{false};                           ///< the keys of this struct stand in the object itself
  bool reference{false};                      ///< an index: scene files have the thing's name instead
  bool hidden{false};                         ///< scene files have no such key
  int dof{-1};                                ///< of a joint's axis: the JointDof that it measures
  const std::string_view* elements{nullptr};  ///< of an array: keys of its elements, which stand in the object itself
};

/// The name of a member, from a pointer to it.
template <auto kMember>
consteval std::string_view name_of_member() {
  // gcc: "... [with auto kMember = &cairn::Body::mass; ...]", clang: "... [kMember = &cairn::Body::mass]"
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.find("kMember = ");
  const std::size_t end = text.find_first_of(";])", begin);
  const std::size_t colon = text.rfind(':', end);
  return text.substr(colon + 1, end - colon - 1);
}

/// Whether these pointers to members all differ.
template <auto... kMembers>
consteval bool all_differ() {
  constexpr std::array<std::string_view, sizeof...(kMembers)> kNames{name_of_member<kMembers>()...};
  for (std::size_t a = 0; a < kNames.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (kNames[a] == kNames[b]) return false;
    }
  }
  return true;
}

template <auto kMember>
struct Attribute;
template <class S, class T, T S::*kMember>
struct Attribute<kMember> {
  using Type = T;
  static constexpr auto member = kMember;
  AttributeInfo info;

  static constexpr std::string_view name() { return name_of_member<kMember>(); }
  constexpr std::string_view key() const { return info.key != nullptr ? std::string_view(info.key) : name(); }
};

template <auto kMember>
constexpr Attribute<kMember> attribute(const AttributeInfo& info) {
  return {info};
}

/// std::same_as, which takes longer to compile.
template <class S, class T>
concept Same = __is_same(S, T);

struct Undescribed {};
/// The list of a struct: a TypedList of Attribute, in the order of its members. It stands beside the struct:
///   template <Same<Body> S>
///   inline constexpr TypedList kAttributes<S>{attribute<&S::name>({...}), ...};
/// as a template, so that files that don't read it compile no slower.
template <class S>
inline constexpr Undescribed kAttributes{};

template <class T>
concept Described = !Same<decltype(kAttributes<T>), const Undescribed>;

template <Described T>
constexpr const auto& attribute_list() {
  return kAttributes<T>;
}

/// A member's entry in the list of its struct.
template <auto kMember>
constexpr const AttributeInfo& info_of() {
  const auto of_struct = []<class S, class T>(T S::*) -> const auto& { return attribute_list<S>(); };
  return static_cast<const Attribute<kMember>&>(of_struct(kMember)).info;
}

template <class E>
using Word = std::pair<std::string_view, E>;

/// The words of an enum: `all`, in the order of its values, which begin at 0.
template <class E>
struct EnumWords;

namespace attributes {

/// The word of an enum's value: "runge_kutta_4" of kRungeKutta4.
template <auto kValue>
struct WordOfValue {
  std::array<char, 64> letters{};
  std::size_t size{0};

  consteval WordOfValue() {
    for (const char c : name_of_member<kValue>().substr(1)) {
      const bool small = c >= 'a' && c <= 'z', capital = c >= 'A' && c <= 'Z';
      if (!small && size > 0) letters[size++] = '_';
      letters[size++] = capital ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  constexpr std::string_view text() const { return {letters.data(), size}; }
};
template <auto kValue>
inline constexpr WordOfValue<kValue> kWordOfValue;

}  // namespace attributes

/// The words of an enum whose last value this is, from the names of its values.
template <auto kLast>
struct WordsUpTo {
  using E = decltype(kLast);
  static constexpr auto names = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array{attributes::kWordOfValue<static_cast<E>(k)>.text()...};
  }
  (std::make_index_sequence<static_cast<std::size_t>(kLast) + 1>());
  static constexpr auto all = [] {
    std::array<Word<E>, names.size()> words;
    for (std::size_t k = 0; k < words.size(); ++k) words[k] = {names[k], static_cast<E>(k)};
    return words;
  }();
};

template <class E>
constexpr std::string_view word_of(E value) {
  return EnumWords<E>::all[static_cast<std::size_t>(value)].first;
}

/// The words of a variant's alternatives, in the order of its types.
template <class V>
struct VariantWords;

}  // namespace cairn
