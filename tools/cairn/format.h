#pragma once
// Text formatted as by printf, of any length.

#include <cstdio>
#include <string>

namespace cairn::cli {

inline std::string format(const char* pattern, auto... values) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, pattern, values...)), '\0');
  std::snprintf(text.data(), text.size() + 1, pattern, values...);
  return text;
}

}  // namespace cairn::cli
