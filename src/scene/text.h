#pragma once
// Texts of scenes: numbers written, names read.

#include <string>
#include <string_view>

namespace cairn::rules {

/// The shortest decimal digits that read back as the same number.
std::string digits(float value);
std::string digits(double value);

/// Whether the bytes are well-formed UTF-8 (Unicode standard, table 3-7).
bool is_utf8(std::string_view text);

}  // namespace cairn::rules
