#pragma once
// Reads the keys of a described struct.

#include "src/describe/attributes.h"
#include "src/scene_file/node.h"

namespace cairn::scene_file {

template <class T>
T read_value(const Node& node, const Path& path) {
  if constexpr (Worded<T>) {
    return read_word(node, EnumWords<T>::all, path);
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
  } else {
    static_assert(std::same_as<T, Quat>);
    return read_quat(node, path);
  }
}

/// What the object has of the struct's plain members; the others keep what they are.
template <Described T>
void read_attributes(const Fields& object, const Path& path, T& to) {
  // a key that is missing is told before another that is wrong
  each_attribute<T>([&](const auto& attribute) {
    if (attribute.info.required) object.require(attribute.key());
  });
  each_plain_attribute<T>([&](const auto& attribute) {
    if (const Node* node = object.find(attribute.key()))
      to.*attribute.member = read_value<HeldOf<decltype(attribute)>>(*node, Path(path, attribute.key()));
  });
}

/// An object with no members but these.
template <Described T>
T read_described(const Node& node, const Path& path) {
  static constexpr auto kKeys = keys_of<T>();
  T made;
  read_attributes(Fields(node, kKeys, path), path, made);
  return made;
}

}  // namespace cairn::scene_file
