#include "src/scene/text.h"

#include <array>
#include <charconv>

namespace cairn::rules {

std::string digits(float value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string digits(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string index_rule(std::size_t value, std::size_t count, std::string_view thing) {
  return "must be the index of " + std::string(thing) + " (there are " + std::to_string(count) + "), is " +
         std::to_string(value);
}
std::string digits(const Vec3& v) { return "(" + digits(v.x) + ", " + digits(v.y) + ", " + digits(v.z) + ")"; }

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) -> unsigned {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0;
    };
    const unsigned lead = byte(0);
    std::size_t length = 1;
    // the second byte's bounds exclude overlong forms, surrogates and code points past U+10FFFF
    unsigned low = 0x80, high = 0xBF;
    if (lead >= 0x80) {
      if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
      } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        if (lead == 0xE0) low = 0xA0;
        if (lead == 0xED) high = 0x9F;
      } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;
      } else {
        return false;
      }
      if (byte(1) < low || byte(1) > high) return false;
      for (std::size_t k = 2; k < length; ++k) {
        if (byte(k) < 0x80 || byte(k) > 0xBF) return false;
      }
    }
    i += length;
  }
  return true;
}

std::optional<std::uint32_t> place_of(std::string_view name) {
  std::uint32_t place = 0;
  if (!name.starts_with('#')) return std::nullopt;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, place);
  return error == std::errc{} && stop == end ? std::optional(place) : std::nullopt;
}

}  // namespace cairn::rules
