#pragma once
// Shapes from JSON values, and from the mesh files that these name.

#include <cstdint>
#include <string>
#include <unordered_map>

#include "cairn/scene_file.h"
#include "src/scene_file/node.h"

namespace cairn::scene_file {

/// Reads the geometries of one scene. Equal hulls, meshes and height fields share their data, and a file is read once
/// for any number of shapes.
class GeometryReader {
 public:
  GeometryReader(const SceneFileLimits& limits, const SceneFileOptions& options) : limits_(limits), options_(options) {}

  /// `kind` is an index of Geometry.
  Geometry read(std::size_t kind, const Node& node, const Path& path);

  /// Counts n more numbers of long lists, and refuses them above the limit.
  void count(std::uint64_t n, const Path& path);

 private:
  const SceneFileLimits& limits_;
  const SceneFileOptions& options_;
  std::uint64_t numbers_{0};  ///< [1] of long lists and mesh files so far
  std::unordered_map<std::string, Geometry> of_file_;
  std::unordered_map<std::uint64_t, ConvexHull> hulls_;  ///< by hash
  std::unordered_map<std::uint64_t, TriangleMesh> meshes_;
  std::unordered_map<std::uint64_t, HeightField> fields_;

  Geometry hull(const Node& node, const Path& path);
  Geometry mesh(const Node& node, const Path& path);
  Geometry height_field(const Node& node, const Path& path);
  /// A hull or a mesh from the file that `fields` names.
  template <class Shape>
  Geometry from_file(const Fields& fields, const Path& path);
  std::filesystem::path find(const std::string& name, const Path& path) const;
};

}  // namespace cairn::scene_file
