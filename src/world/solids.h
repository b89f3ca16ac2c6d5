#pragma once
// Hulls, meshes and height fields on a device: each once, for any number of shapes and worlds. They stay as long as the
// World.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cairn/geometry.h"
#include "kernels/common/shapes.h"
#include "src/exec/journal.h"
#include "src/shape/data.h"

namespace cairn {

/// kernels::Surfaces, on the host.
struct SurfaceNumbers {
  std::vector<std::uint32_t> first, shape;

  void add(std::uint32_t first_triangle, std::uint32_t of) {
    first.push_back(first_triangle);
    shape.push_back(of);
  }
  kernels::Surfaces view() const { return {first.data(), shape.data(), static_cast<std::uint32_t>(first.size())}; }
};

class SolidStore {
 public:
  explicit SolidStore(exec::Journal& memory) : memory_(memory) {}

  /// Adds a hull, mesh or height field, unless it is there. Throws CapacityError, with nothing changed, if memory runs
  /// out. Ignores other shapes.
  void add(const Geometry& geometry);
  /// ShapeGeometry::data of an added one; 0 for others.
  std::uint32_t index_of(const Geometry& geometry) const;

  kernels::Solids view() const;

 private:
  /// The added ones of one kind, by the hash of their content.
  template <class Handle>
  struct Known {
    std::vector<Handle> all;
    std::unordered_multimap<std::uint64_t, std::uint32_t> at;

    const std::uint32_t* find(const Handle& handle) const;
    void add(const Handle& handle);
  };

  void put(const ConvexHull& hull);
  void put(const TriangleMesh& mesh);
  void put(const HeightField& field);
  /// Appends to a buffer of which so many are in use; the memory must exist.
  template <class T>
  void append(exec::Buffer<T>& buffer, std::size_t& used, const T* values, std::size_t count);

  exec::Journal& memory_;
  Known<ConvexHull> hulls_;
  Known<TriangleMesh> meshes_;
  Known<HeightField> fields_;
  exec::Buffer<kernels::Hull> hull_{memory_};
  exec::Buffer<Vec3> hull_vertex_{memory_};
  exec::Buffer<kernels::HullFace> hull_face_{memory_};
  exec::Buffer<std::uint16_t> hull_corner_{memory_};
  exec::Buffer<kernels::Mesh> mesh_{memory_};
  exec::Buffer<kernels::MeshTriangle> mesh_triangle_{memory_};
  exec::Buffer<kernels::MeshNode> mesh_node_{memory_};
  exec::Buffer<kernels::HeightGrid> grid_{memory_};
  exec::Buffer<float> height_{memory_};
  /// [1] elements in use of each buffer
  struct {
    std::size_t hull, hull_vertex, hull_face, hull_corner, mesh, mesh_triangle, mesh_node, grid, height;
  } used_{};
};

/// [1] Triangles of a mesh or height field; 0 for others.
std::uint32_t triangles_of(const Geometry& geometry);

}  // namespace cairn
