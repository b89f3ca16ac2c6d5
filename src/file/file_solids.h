#pragma once
// Hulls, meshes and height fields in files: each distinct one once, others by its number.

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cairn/errors.h"
#include "cairn/geometry.h"
#include "src/file/members.h"
#include "src/shape/data.h"

namespace cairn::file {

/// Numbers of a file's shapes, from 1; 0 is an empty one.
template <class Shape>
class Numbered {
 public:
  /// The number, and whether it is new.
  std::pair<std::uint32_t, bool> number_of(const Shape& shape) {
    if (!shape.data()) return {0, false};
    if (const auto known = by_place_.find(shape.data().get()); known != by_place_.end()) return {known->second, false};
    std::vector<std::uint32_t>& alike = by_hash_[shape.data()->hash];
    for (const std::uint32_t number : alike) {
      if (list_[number - 1] == shape) return {number, false};
    }
    list_.push_back(shape);
    const auto number = static_cast<std::uint32_t>(list_.size());
    by_place_.emplace(shape.data().get(), number);
    alike.push_back(number);
    return {number, true};
  }
  std::size_t count() const { return list_.size(); }
  const Shape& at(std::uint32_t number) const { return list_[number - 1]; }

 private:
  std::vector<Shape> list_;
  std::unordered_map<const void*, std::uint32_t> by_place_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
};

/// Whether the bytes are equal. Unlike ==, it tells -0 from 0.
template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// A file's content of each: enough to rebuild it, and nothing that the rebuilding derives.
struct HullContent {
  std::vector<Vec3> vertices;
  friend void members(Is<HullContent> auto& c, const auto& f) { f(c.vertices); }

  static HullContent of(const ConvexHull& hull) { return {{hull.vertices().begin(), hull.vertices().end()}}; }
  ConvexHull made() const {
    // before the expensive work on them
    if (vertices.size() > ConvexHull::kMaxVertices) throw InvalidArgument("convex hull: has too many vertices");
    ConvexHull hull(vertices);
    if (!same_bytes(of(hull).vertices, vertices)) throw InvalidArgument("convex hull: isn't that of its own vertices");
    return hull;
  }
};

struct MeshContent {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> corners;  ///< [1] (triangles, 3) the seams last
  friend void members(Is<MeshContent> auto& c, const auto& f) { f(c.vertices, c.corners); }

  static MeshContent of(const TriangleMesh& mesh) {
    MeshContent out{{mesh.vertices().begin(), mesh.vertices().end()}, {}};
    for (const auto& t : mesh.triangles()) out.corners.insert(out.corners.end(), t.begin(), t.end());
    for (const auto& t : mesh.data()->seams) out.corners.insert(out.corners.end(), t.begin(), t.end());
    return out;
  }
  TriangleMesh made() const {
    if (corners.size() % 3 != 0) throw InvalidArgument("triangle mesh: has a triangle of less than three corners");
    std::vector<TriangleMesh::Triangle> triangles;
    triangles.reserve(corners.size() / 3);
    for (std::size_t k = 0; k < corners.size(); k += 3)
      triangles.push_back({corners[k], corners[k + 1], corners[k + 2]});
    TriangleMesh mesh(vertices, triangles);
    const MeshContent again = of(mesh);
    if (!same_bytes(again.vertices, vertices) || again.corners != corners)
      throw InvalidArgument("triangle mesh: isn't welded, or has triangles without an area before the others");
    return mesh;
  }
};

struct FieldContent {
  std::uint32_t columns{0}, rows{0};
  float spacing{0};
  std::vector<float> heights;
  friend void members(Is<FieldContent> auto& c, const auto& f) { f(c.columns, c.rows, c.spacing, c.heights); }

  static FieldContent of(const HeightField& f) {
    return {f.columns(), f.rows(), f.spacing(), {f.heights().begin(), f.heights().end()}};
  }
  HeightField made() const {
    HeightField field{columns, rows, spacing, heights};
    if (!same_bytes(of(field).heights, heights)) throw InvalidArgument("height field: has a height of -0");
    return field;
  }
};

HullContent content_of(std::type_identity<ConvexHull>);
MeshContent content_of(std::type_identity<TriangleMesh>);
FieldContent content_of(std::type_identity<HeightField>);
template <class Shape>
using ContentOf = decltype(content_of(std::type_identity<Shape>()));

/// A kind of shape that files hold by content.
template <class T>
concept Solid = requires {
  typename ContentOf<T>;
};

}  // namespace cairn::file
