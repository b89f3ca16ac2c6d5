#include "tools/cairn/numbers.h"

#include <array>
#include <charconv>
#include <string>

namespace cairn::cli {
namespace {

template <class T>
std::string text_of(T value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

template <class T>
CLI::Validator checked(T low, T high, const char* what) {
  const std::string range = text_of(low) + " to " + text_of(high);
  const auto check = [low, high, what, range](std::string& text) -> std::string {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high) {
      text = text_of(value);
      return {};
    }
    return std::string("must be ") + what + " from " + range + ", is \"" + text + '"';
  };
  return CLI::Validator(check, range);
}

}  // namespace

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) { return checked(low, high, "a whole number"); }
CLI::Validator number(double low, double high) { return checked(low, high, "a number"); }

}  // namespace cairn::cli
