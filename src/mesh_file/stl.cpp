// STL: binary with a count and 50 bytes a triangle, or words.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "src/exec/exact_floats.h"
#include "src/mesh_file/mesh_text.h"

namespace cairn {
namespace mesh_file {
namespace {

constexpr std::size_t kHeader = 80, kFront = 84, kRecord = 50;  ///< [B]

static_assert(std::endian::native == std::endian::little, "numbers are little-endian in the file");

void add(Surface& out, const std::array<Vec3, 3>& corners) {
  const auto first = static_cast<std::uint32_t>(out.vertices.size());
  out.vertices.insert(out.vertices.end(), corners.begin(), corners.end());
  out.triangles.push_back({first, first + 1, first + 2});
}

Surface read_binary(std::string_view bytes, std::uint32_t count, const std::string& where) {
  Surface out;
  out.vertices.reserve(3 * std::size_t{count});
  out.triangles.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    std::array<float, 12> numbers{};  // a normal and three corners
    std::memcpy(numbers.data(), bytes.data() + kFront + kRecord * t, sizeof numbers);
    for (std::size_t k = 3; k < 12; ++k) {
      if (!std::isfinite(numbers[k]))
        fail(where, 0, "triangle " + std::to_string(t) + " has a corner that isn't finite");
    }
    const auto corner = [&](std::size_t k) { return Vec3{numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]}; };
    add(out, {corner(1), corner(2), corner(3)});
  }
  return out;
}

class Words {
 public:
  Words(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  /// The next word, across line ends; empty at the end.
  std::string_view next() {
    for (;;) {
      const std::string_view found = word(line_text_);
      if (!found.empty()) return found;
      if (text_.empty()) return {};
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      line_text_ = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
    }
  }
  void skip_line() { line_text_ = {}; }

  static bool is(std::string_view found, std::string_view keyword) {
    if (found.size() != keyword.size()) return false;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const char c = found[k];
      if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c) != keyword[k]) return false;
    }
    return true;
  }
  void expect(std::string_view keyword) {
    const std::string_view found = next();
    if (is(found, keyword)) return;
    fail(where_, line_,
         "must go on with " + std::string(keyword) + ", " + (found.empty() ? "ends" : "has " + in_quotes(found)));
  }
  float expect_number() {
    const std::string_view digits = next();
    if (digits.empty()) fail(where_, line_, "ends where a number must be");
    return number(digits, where_, line_);
  }
  Vec3 expect_vector() {
    Vec3 v;
    v.x = expect_number();
    v.y = expect_number();
    v.z = expect_number();
    return v;
  }
  std::size_t line() const { return line_; }

 private:
  std::string_view text_, line_text_;
  const std::string& where_;
  std::size_t line_{0};
};

Surface read_text(std::string_view text, const std::string& where, const MeshFileLimits& limits) {
  Surface out;
  Words words(text, where);
  words.expect("solid");
  words.skip_line();
  for (;;) {
    const std::string_view found = words.next();
    if (Words::is(found, "endsolid")) {
      words.skip_line();
      if (words.next().empty()) return out;
      // another solid
      words.skip_line();
      continue;
    }
    if (!Words::is(found, "facet")) {
      fail(where, words.line(),
           "must go on with facet or endsolid, " + (found.empty() ? std::string("ends") : "has " + in_quotes(found)));
    }
    cap(out.triangles.size() + 1, limits.triangles, "triangles", where, words.line());
    words.expect("normal");
    // some writers give nan as the normal of flat triangles
    for (int k = 0; k < 3; ++k) words.next();
    words.expect("outer");
    words.expect("loop");
    std::array<Vec3, 3> corners;
    for (Vec3& corner : corners) {
      words.expect("vertex");
      corner = words.expect_vector();
    }
    words.expect("endloop");
    words.expect("endfacet");
    add(out, corners);
  }
}

}  // namespace
}  // namespace mesh_file

Surface parse_stl(std::string_view bytes, const std::string& where, const MeshFileLimits& limits) {
  const exec::ExactFloats exact;
  using namespace mesh_file;
  cap(bytes.size(), limits.bytes, "bytes", where, 0);
  std::uint32_t count = 0;
  if (bytes.size() >= kFront) std::memcpy(&count, bytes.data() + kHeader, sizeof count);
  const std::uint64_t size = kFront + kRecord * std::uint64_t{count};
  // a binary file may begin with the word solid too, but only its length fits its count
  if (bytes.size() >= kFront && bytes.size() == size) {
    cap(count, limits.triangles, "triangles", where, 0);
    return read_binary(bytes, count, where);
  }
  std::string_view front = bytes.substr(0, 256);
  front.remove_prefix(std::min(front.find_first_not_of(" \t\r\n"), front.size()));
  if (Words::is(front.substr(0, 5), "solid")) return read_text(bytes, where, limits);
  if (bytes.size() < kFront) fail(where, 0, "is too short for an STL file, and has no word solid at its front");
  fail(where, 0,
       "says that it has " + std::to_string(count) + " triangles, which take " + std::to_string(size) +
           " bytes, and is " + std::to_string(bytes.size()) + " bytes long");
}

}  // namespace cairn
