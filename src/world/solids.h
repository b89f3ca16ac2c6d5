#pragma once
// Hulls, meshes and height fields on a device: each once, for any number of shapes and worlds. They stay as long as the
// World.

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
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
  /// What one solid adds to an array of its kind.
  template <class T>
  struct Elements;
  template <class T>
  struct Addition {
    Elements<T>& to;
    std::span<const T> values;
  };
  /// An array of all solids of a kind, one solid after the other.
  template <class T>
  struct Elements {
    exec::Buffer<T> buffer;
    const char* counted;  ///< its name in errors if offsets are 32 bits on the device; else null
    std::size_t used{0};  ///< [1] elements

    explicit Elements(exec::Journal& memory, const char* of = nullptr) : buffer(memory), counted(of) {}
    std::uint32_t next() const { return static_cast<std::uint32_t>(used); }
    Addition<T> with(std::span<const T> values) { return {*this, values}; }
  };

  void put(const ConvexHull& hull);
  void put(const TriangleMesh& mesh);
  void put(const HeightField& field);
  /// Adds a solid: all of it, or nothing where memory or numbers run out.
  template <class Handle, class... Ts>
  void append(const Handle& handle, const Addition<Ts>&... additions);

  exec::Journal& memory_;
  std::tuple<Known<ConvexHull>, Known<TriangleMesh>, Known<HeightField>> known_;
  Elements<kernels::Hull> hull_{memory_};
  Elements<Vec3> hull_vertex_{memory_, "vertices of hulls"};
  Elements<kernels::HullFace> hull_face_{memory_};
  Elements<std::uint16_t> hull_corner_{memory_, "corners of hulls"};
  Elements<kernels::Mesh> mesh_{memory_};
  Elements<kernels::MeshTriangle> mesh_triangle_{memory_, "triangles of meshes"};
  Elements<kernels::MeshNode> mesh_node_{memory_, "nodes of meshes"};
  Elements<kernels::HeightGrid> grid_{memory_};
  Elements<float> height_{memory_};
};

/// [1] Triangles of a mesh or height field; 0 for others.
std::uint32_t triangles_of(const Geometry& geometry);

}  // namespace cairn
