#pragma once
// Texts of scenes: writing numbers, and reading names.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cairn/types.h"

namespace cairn::rules {

/// The shortest decimal digits that read back as the same number.
std::string digits(float value);
std::string digits(double value);
/// "(x, y, z)"
std::string digits(const Vec3& v);

/// Whether the bytes are well-formed UTF-8 (Unicode standard, table 3-7).
bool is_utf8(std::string_view text);

/// The number of "#12", which stands for a thing without a name in scene files, by its place from 0; empty for other
/// texts.
std::optional<std::uint32_t> place_of(std::string_view name);

/// "must be the index of a body (there are 2), is 3"
std::string index_rule(std::size_t value, std::size_t count, std::string_view thing);

/// The name of a thing in a list, or its "#" and number.
template <class List>
std::string reference_to(const List& list, std::uint32_t place) {
  return list[place].name.empty() ? "#" + std::to_string(place) : list[place].name;
}

}  // namespace cairn::rules
