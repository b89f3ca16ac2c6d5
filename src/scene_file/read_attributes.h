#pragma once
// Reads the keys of a described struct.

#include <limits>

#include "src/describe/attributes.h"
#include "src/scene_file/node.h"

namespace cairn::scene_file {

template <class T>
T read_infinite(const Node& node, const Path& path, const AttributeRange& range) {
  const std::string_view word = infinite_word(range);
  if (node.text != word) fail(path, "must be a number or " + in_quotes(word) + ", is " + in_quotes(node.text));
  const T infinity = std::numeric_limits<T>::infinity();
  return range.below ? -infinity : infinity;
}

template <class T>
T read_value(const Node& node, const Path& path, const AttributeInfo& info) {
  if constexpr (std::floating_point<T>) {
    if (info.range.infinite != nullptr && node.kind == Kind::kString) return read_infinite<T>(node, path, info.range);
  }
  if constexpr (Worded<T>) {
    return static_cast<T>(read_index(node, EnumWords<T>::names, path));
  } else if constexpr (std::same_as<T, std::string>) {
    return read_string(node, path);
  } else if constexpr (std::same_as<T, bool>) {
    return read_bool(node, path);
  } else if constexpr (std::same_as<T, int>) {
    return read_int(node, path);
  } else if constexpr (std::same_as<T, std::uint32_t>) {
    return read_bits(node, path);
  } else if constexpr (std::same_as<T, float>) {
    return read_float(node, path);
  } else if constexpr (std::same_as<T, double>) {
    return read_double(node, path);
  } else if constexpr (std::same_as<T, Vec3>) {
    return read_vec3(node, path);
  } else if constexpr (std::same_as<T, Vec3d>) {
    return read_vec3d(node, path);
  } else if constexpr (kIsVector<T>) {
    return take_list<typename T::value_type>(node, path);
  } else {
    static_assert(std::same_as<T, Quat>);
    return read_quat(node, path);
  }
}

template <Described T>
void read_object(const Node& node, const Path& path, T& to);

template <class T>
T& held_in(T& member) {
  return member;
}
template <class T>
T& held_in(std::optional<T>& member) {
  return member.emplace();
}

/// Reads the struct's members that the object has; the others keep their values. `own(attribute)` reads a member with
/// special code; a list of values needs none.
template <Described T, class Own = std::monostate>
void read_attributes(const Fields& object, const Path& path, T& to, const Own& own = {}) {
  // report a missing key before a wrong one
  each_attribute<T>([&](const auto& attribute) {
    if (attribute.info.required) object.require(attribute.key());
  });
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>& attribute) {
    using V = HeldOf<Attribute<kMember>>;
    constexpr Form form = form_of<kMember>();
    constexpr bool is_list = form == Form::kOwn && kIsVector<V> && !std::invocable<const Own&, decltype(attribute)>;
    auto& member = to.*kMember;
    if constexpr (form == Form::kValue || is_list) {
      if (const Node* node = object.find(attribute.key()))
        member = read_value<V>(*node, Path(path, attribute.key()), attribute.info);
    } else if constexpr (form == Form::kObject) {
      if (const Node* node = object.find(attribute.key()))
        read_object(*node, Path(path, attribute.key()), held_in(member));
    } else if constexpr (form == Form::kFlat) {
      read_attributes(object, path, member);
    } else if constexpr (form == Form::kElements) {
      for (std::size_t i = 0; i < member.size(); ++i) {
        const std::string_view key = attribute.info.elements[i];
        if (const Node* node = object.find(key)) read_object(*node, Path(path, key), member[i]);
      }
    } else if constexpr (form == Form::kOwn) {
      own(attribute);
    }
  });
}

/// An object with only these members.
template <Described T>
void read_object(const Node& node, const Path& path, T& to) {
  read_attributes(Fields(node, keys_of<T>(), path), path, to);
}

template <Described T>
T read_described(const Node& node, const Path& path) {
  T made;
  read_object(node, path, made);
  return made;
}

}  // namespace cairn::scene_file
