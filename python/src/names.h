#pragma once
// Names of C++ types in Python, made at compile time: cairn::JointAxis::Mode is JointAxisMode, fields::Wind is Wind.

#include <array>
#include <cstddef>
#include <string_view>

namespace cairn::python {

template <class T>
consteval std::string_view name_in_cpp() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.find("T = ") + 4;
  return text.substr(begin, text.find_first_of(";]", begin) - begin);
}

/// Calls f(character) for what is left of a name without its namespaces.
template <class F>
constexpr void each_in_name(std::string_view name, F f) {
  for (const std::string_view space : {std::string_view("cairn::"), std::string_view("fields::")}) {
    if (name.starts_with(space)) name.remove_prefix(space.size());
  }
  for (const char c : name) {
    if (c != ':') f(c);
  }
}

template <class T>
struct PyName {
  static constexpr std::size_t size = [] {
    std::size_t n = 0;
    each_in_name(name_in_cpp<T>(), [&](char) { ++n; });
    return n;
  }();
  static constexpr std::array<char, size + 1> text = [] {
    std::array<char, size + 1> all{};
    std::size_t n = 0;
    each_in_name(name_in_cpp<T>(), [&](char c) { all[n++] = c; });
    return all;
  }();
  static constexpr std::string_view value{text.data(), size};
};

}  // namespace cairn::python
