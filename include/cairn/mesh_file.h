#pragma once
// Triangles from OBJ and STL files.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/errors.h"
#include "cairn/geometry.h"

namespace cairn {

/// Vertices and triangles of a file: the input of ConvexHull and TriangleMesh.
struct Surface {
  std::vector<Vec3> vertices;                     ///< [m] or the file's unit
  std::vector<TriangleMesh::Triangle> triangles;  ///< [1] indices of vertices
};

/// Limits on a mesh file, so that a hostile one can't exhaust the machine's memory.
struct MeshFileLimits {
  std::uint64_t bytes{std::uint64_t{1} << 30};
  std::uint64_t vertices{3 * TriangleMesh::kMaxTriangles};
  std::uint64_t triangles{TriangleMesh::kMaxTriangles};
};

template <Same<MeshFileLimits> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::bytes>({.unit = "B"}), attribute<&S::vertices>({}),
                                          attribute<&S::triangles>({})};

/// Reads a file whose name ends in .obj or .stl. Throws InvalidArgument with the file, line or byte, and reason.
Surface load_surface(const std::filesystem::path& file, const MeshFileLimits& limits = {});

/// Vertices and faces of a Wavefront OBJ file; `where` names it in messages. A face of more than three corners is cut
/// into triangles from its first corner that sees all of it; any corner of a convex face does. Normals, textures,
/// groups, lines and points are ignored; free-form surfaces are refused.
Surface parse_obj(std::string_view text, const std::string& where, const MeshFileLimits& limits = {});

/// An STL file, text or binary: three vertices a triangle, counter-clockwise seen from outside. Its normals are
/// ignored.
Surface parse_stl(std::string_view bytes, const std::string& where, const MeshFileLimits& limits = {});

}  // namespace cairn
