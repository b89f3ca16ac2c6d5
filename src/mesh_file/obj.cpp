// Wavefront OBJ: lines of a keyword and words. Only vertices and faces are read.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "kernels/common/vec.h"
#include "src/exec/exact_floats.h"
#include "src/mesh_file/mesh_text.h"

namespace cairn {
namespace mesh_file {
namespace {

constexpr std::size_t kMaxCorners = 4096;  ///< [1] of a face
constexpr std::size_t kMaxStarts = 32;     ///< [1] corners of a face that are tried as the fan's centre

/// Keywords that don't affect the surface's shape.
constexpr std::array<std::string_view, 19> kPassed{
    "vt",     "vn", "vp", "g",   "o",     "s",        "mg",       "usemtl",     "mtllib",   "usemap",
    "maplib", "l",  "p",  "lod", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj"};

class Obj {
 public:
  Obj(const std::string& where, const MeshFileLimits& limits) : where_(where), limits_(limits) {}

  Surface read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      take(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (farthest_ >= static_cast<std::int64_t>(out_.vertices.size())) {
      fail(where_, farthest_line_,
           "a face has vertex " + std::to_string(farthest_ + 1) + ", and there are " +
               std::to_string(out_.vertices.size()));
    }
    cut_faces();
    return std::move(out_);
  }

 private:
  struct Face {
    std::size_t line, first, count;
  };

  void take(std::string_view line) {
    const std::string_view keyword = word(line);
    if (keyword.empty() || keyword.starts_with('#')) return;
    if (keyword == "v" || keyword == "f") {
      if (line.find('\\') != std::string_view::npos) fail(where_, line_, "a line that goes on in the next isn't read");
      // a comment may follow the words
      line = line.substr(0, line.find('#'));
      keyword == "v" ? vertex(line) : face(line);
      return;
    }
    if (std::ranges::find(kPassed, keyword) != kPassed.end()) return;
    fail(where_, line_, "only polygons are read, not " + in_quotes(keyword));
  }

  void vertex(std::string_view line) {
    cap(out_.vertices.size() + 1, limits_.vertices, "vertices", where_, line_);
    std::array<float, 3> at{};
    for (float& x : at) {
      const std::string_view digits = word(line);
      if (digits.empty()) fail(where_, line_, "a vertex must have three numbers");
      x = number(digits, where_, line_);
    }
    // a weight or a colour may follow
    for (std::string_view more = word(line); !more.empty(); more = word(line)) number(more, where_, line_);
    out_.vertices.push_back({at[0], at[1], at[2]});
  }

  /// The vertex of "7", "7/1", "7//3" or "-1/2/3"; the other parts must be whole numbers, too.
  std::uint32_t corner(std::string_view text) {
    std::int64_t first = 0;
    std::string_view left = text;
    for (int part = 0; part < 3; ++part) {
      const std::size_t end = std::min(left.find('/'), left.size());
      const std::string_view digits = left.substr(0, end);
      std::int64_t value = 0;
      const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      const bool whole = error == std::errc{} && stop == digits.data() + digits.size() && !digits.empty();
      if (!whole && (part == 0 || !digits.empty()))
        fail(where_, line_, "a corner must be a whole number that isn't too large, is " + in_quotes(text));
      if (part == 0) first = value;
      const bool last = end == left.size();
      left.remove_prefix(last ? end : end + 1);
      if (last) break;
      if (part == 2) fail(where_, line_, "a corner must be of three numbers at most, is " + in_quotes(text));
    }
    const auto count = static_cast<std::int64_t>(out_.vertices.size());
    // counted from 1, or backwards from the last
    const std::int64_t at = first > 0 ? first - 1 : count + first;
    if (first == 0 || at < 0 || at >= std::int64_t{1} << 32)
      fail(where_, line_, "there is no vertex " + in_quotes(text));
    if (at > farthest_) {
      farthest_ = at;
      farthest_line_ = line_;
    }
    return static_cast<std::uint32_t>(at);
  }

  void face(std::string_view line) {
    Face face{line_, corners_.size(), 0};
    for (std::string_view text = word(line); !text.empty(); text = word(line)) {
      if (++face.count > kMaxCorners)
        fail(where_, line_, "a face of more than " + std::to_string(kMaxCorners) + " corners");
      corners_.push_back(corner(text));
    }
    if (face.count < 3) fail(where_, line_, "a face must have three corners at least");
    triangles_ += face.count - 2;
    cap(triangles_, limits_.triangles, "triangles", where_, line_);
    faces_.push_back(face);
  }

  /// Vertices may follow the faces that use them, so this comes last.
  void cut_faces() {
    out_.triangles.reserve(triangles_);
    for (const Face& face : faces_) {
      std::size_t start = 0;
      while (face.count > 3 && !sees_all(face, start)) {
        if (++start < std::min(face.count, kMaxStarts)) continue;
        fail(where_, face.line, "a face that is bent in so much must be cut into triangles");
      }
      const auto at = [&](std::size_t k) { return corners_[face.first + (start + k) % face.count]; };
      for (std::size_t k = 1; k + 1 < face.count; ++k) out_.triangles.push_back({at(0), at(k), at(k + 1)});
    }
  }

  /// Whether each triangle of the fan from a corner faces the same way as the whole, allowing for rounding and slight
  /// warping. In a convex face this holds for every corner.
  bool sees_all(const Face& face, std::size_t start) const {
    const auto at = [&](std::size_t k) {
      return kernels::widen(out_.vertices[corners_[face.first + (start + k) % face.count]]);
    };
    const auto normal_at = [&](std::size_t k) {
      return kernels::cross(kernels::operator-(at(k), at(0)), kernels::operator-(at(k + 1), at(0)));
    };
    Vec3d sum{};
    for (std::size_t k = 1; k + 1 < face.count; ++k) sum = kernels::operator+(sum, normal_at(k));
    const double size = kernels::dot(sum, sum);
    for (std::size_t k = 1; k + 1 < face.count; ++k) {
      if (kernels::dot(normal_at(k), sum) < -1e-3 * size) return false;
    }
    return true;
  }

  const std::string& where_;
  const MeshFileLimits& limits_;
  Surface out_;
  std::size_t line_{0};
  std::vector<Face> faces_;
  std::vector<std::uint32_t> corners_;  ///< [1] of all faces
  std::uint64_t triangles_{0};
  std::int64_t farthest_{-1};  ///< [1] the highest vertex of any face, from 0
  std::size_t farthest_line_{0};
};

}  // namespace
}  // namespace mesh_file

Surface parse_obj(std::string_view text, const std::string& where, const MeshFileLimits& limits) {
  const exec::ExactFloats exact;
  mesh_file::cap(text.size(), limits.bytes, "bytes", where, 0);
  return mesh_file::Obj(where, limits).read(text);
}

}  // namespace cairn
