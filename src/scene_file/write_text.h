#pragma once
// Pieces of JSON.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "cairn/scene.h"
#include "src/scene/text.h"
#include "src/scene_file/keys.h"

namespace cairn::scene_file {

inline std::string text_of(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

template <class T>
std::string number_of(T value) {
  const std::string digits = rules::digits(value);
  // JSON parsers read -0 as a whole number, which has no sign
  return digits == "-0" ? "-0.0" : digits;
}

/// An array of what `text` gives of each element; `before` stands before each.
template <class List, class Text>
std::string array_of(const List& list, const Text& text, std::string_view before = "") {
  std::string out = "[";
  for (const auto& element : list) {
    if (out.size() > 1) out += before.empty() ? ", " : ",";
    out.append(before).append(text(element));
  }
  return out + "]";
}

template <class T>
std::string list_of(std::initializer_list<T> values) {
  return array_of(values, number_of<T>);
}

template <class T>
std::string list_of(const Vec3T<T>& v) {
  return list_of({v.x, v.y, v.z});
}

inline std::string list_of(const Quat& q) { return list_of({q.x, q.y, q.z, q.w}); }

/// Members of an object, in the order of addition.
class Members {
 public:
  void add(std::string_view key, const std::string& value) {
    text_ += (text_.empty() ? "{" : ", ") + text_of(key) + ": " + value;
  }
  bool empty() const { return text_.empty(); }
  std::string end() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

inline std::string list_of(const Inertia& inertia) {
  const Vec3 &m = inertia.moments, &p = inertia.products;
  if (same_bits(p, Vec3{})) return list_of(m);
  return "[" + list_of({m.x, p.x, p.y}) + ", " + list_of({p.x, m.y, p.z}) + ", " + list_of({p.y, p.z, m.z}) + "]";
}

/// Adds a member to the document: a list, one line an element.
template <class List, class Text>
void append_list(std::string& out, std::string_view key, const List& list, const Text& text_of_element) {
  out += ",\n  " + text_of(key) + ": [";
  const char* separator = "\n    ";
  for (const auto& element : list) {
    out += separator + text_of_element(element);
    separator = ",\n    ";
  }
  out += "\n  ]";
}

std::string shapes_text(const std::vector<Shape>& shapes, const Scene& scene);

/// A joint of the scene as an object.
std::string joint_text(const Joint& joint, const Scene& scene);

/// A field of the scene as an object.
std::string field_text(const SceneField& field, const Scene& scene);

/// A camera of the scene as an object.
std::string camera_text(const SceneCamera& camera, const Scene& scene);

/// Adds the list of particles to the document.
void append_particles(std::string& out, const Scene& scene);

/// Adds the list of articulations to the document; `bodies` counts bodies that are neither links nor particles.
void append_articulations(std::string& out, const Scene& scene, std::size_t bodies);

}  // namespace cairn::scene_file
