#include "src/mesh_file/mesh_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "src/exec/exact_floats.h"
#include "src/file/whole_file.h"

namespace cairn {
namespace mesh_file {

void fail(const std::string& where, std::size_t line, const std::string& reason) {
  throw InvalidArgument(where + (line == 0 ? "" : ":" + std::to_string(line)) + ": " + reason);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out = "\"";
  for (const char c : text.substr(0, kLongest)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > kLongest ? "...\"" : "\"");
}

std::string_view word(std::string_view& line) {
  constexpr std::string_view kSpace = " \t\r\v\f";
  const std::size_t begin = std::min(line.find_first_not_of(kSpace), line.size());
  const std::size_t end = std::min(line.find_first_of(kSpace, begin), line.size());
  const std::string_view out = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return out;
}

float number(std::string_view word, const std::string& where, std::size_t line) {
  std::string_view digits = word;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  float value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || digits.empty() || error == std::errc::invalid_argument)
    fail(where, line, "must be a number, is " + in_quotes(word));
  if (error == std::errc::result_out_of_range) {
    // a number too small for a float becomes the nearest float, near 0
    double wide = 0;
    const auto got = std::from_chars(digits.data(), digits.data() + digits.size(), wide);
    if (got.ec == std::errc{} && std::abs(wide) < 1) return static_cast<float>(wide);
    value = std::numeric_limits<float>::infinity();
  }
  if (!std::isfinite(value)) fail(where, line, "must be a number that float32 can hold, is " + in_quotes(word));
  return value;
}

void cap(std::uint64_t count, std::uint64_t most, const char* what, const std::string& where, std::size_t line) {
  if (count > most) fail(where, line, "more than " + std::to_string(most) + " " + what);
}

}  // namespace mesh_file

Surface load_surface(const std::filesystem::path& file, const MeshFileLimits& limits) {
  const exec::ExactFloats exact;
  const std::string where = file.string();
  std::string kind = file.extension().string();
  for (char& c : kind) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  if (kind != ".obj" && kind != ".stl") mesh_file::fail(where, 0, "must be named .obj or .stl");
  std::error_code error;
  // a pipe or a device could keep the program waiting forever
  if (!std::filesystem::is_regular_file(file, error)) mesh_file::fail(where, 0, "is no file that can be read");
  const std::string text =
      read_whole_file(file, limits.bytes, [&](const std::string& reason) { mesh_file::fail(where, 0, reason); });
  return kind == ".obj" ? parse_obj(text, where, limits) : parse_stl(text, where, limits);
}

}  // namespace cairn
