#include "src/world/solids.h"

#include <algorithm>
#include <string>

#include "cairn/errors.h"

namespace cairn {
namespace {

/// Allocates for `more` beside those in use, with spare room if a buffer grows.
template <class T>
void make_room(exec::Buffer<T>& buffer, std::size_t used, std::size_t more) {
  if (used + more > buffer.capacity()) buffer.reserve(used + more + used / 2);
}

/// Limit of counts in 32 bits on the device.
void check_count(const char* what, std::size_t count) {
  constexpr std::size_t kMax = 0xffffffffu;
  if (count <= kMax) return;
  throw CapacityError(std::string(what) + ": a World has room for " + std::to_string(kMax) +
                      " of all hulls or meshes, and would need " + std::to_string(count));
}

}  // namespace

template <class Handle>
const std::uint32_t* SolidStore::Known<Handle>::find(const Handle& handle) const {
  const auto [first, last] = at.equal_range(handle.data()->hash);
  const auto found = std::find_if(first, last, [&](const auto& entry) { return all[entry.second] == handle; });
  return found == last ? nullptr : &found->second;
}

template <class Handle>
void SolidStore::Known<Handle>::add(const Handle& handle) {
  all.reserve(all.size() + 1);
  at.emplace(handle.data()->hash, static_cast<std::uint32_t>(all.size()));
  all.push_back(handle);
}

template <class T>
void SolidStore::append(exec::Buffer<T>& buffer, std::size_t& used, const T* values, std::size_t count) {
  if (count != 0) memory_.write_now(buffer.data() + used, values, count * sizeof(T));
  used += count;
}

void SolidStore::add(const Geometry& geometry) {
  if (const auto* hull = std::get_if<ConvexHull>(&geometry)) {
    if (hulls_.find(*hull) == nullptr) put(*hull);
  } else if (const auto* mesh = std::get_if<TriangleMesh>(&geometry)) {
    if (meshes_.find(*mesh) == nullptr) put(*mesh);
  } else if (const auto* field = std::get_if<HeightField>(&geometry)) {
    if (fields_.find(*field) == nullptr) put(*field);
  }
}

std::uint32_t SolidStore::index_of(const Geometry& geometry) const {
  if (const auto* hull = std::get_if<ConvexHull>(&geometry)) return *hulls_.find(*hull);
  if (const auto* mesh = std::get_if<TriangleMesh>(&geometry)) return *meshes_.find(*mesh);
  if (const auto* field = std::get_if<HeightField>(&geometry)) return *fields_.find(*field);
  return 0;
}

void SolidStore::put(const ConvexHull& handle) {
  const detail::HullData& data = *handle.data();
  check_count("vertices of hulls", used_.hull_vertex + data.vertices.size());
  check_count("corners of hulls", used_.hull_corner + data.corners.size());
  make_room(hull_, used_.hull, 1);
  make_room(hull_vertex_, used_.hull_vertex, data.vertices.size());
  make_room(hull_face_, used_.hull_face, data.faces.size());
  make_room(hull_corner_, used_.hull_corner, data.corners.size());
  const kernels::Hull hull{.vertex = static_cast<std::uint32_t>(used_.hull_vertex),
                           .vertex_count = static_cast<std::uint32_t>(data.vertices.size()),
                           .face = static_cast<std::uint32_t>(used_.hull_face),
                           .face_count = static_cast<std::uint32_t>(data.faces.size()),
                           .corner = static_cast<std::uint32_t>(used_.hull_corner),
                           .centre = data.centre,
                           .radius = data.radius,
                           .thickness = data.thickness};
  hulls_.add(handle);
  append(hull_, used_.hull, &hull, 1);
  append(hull_vertex_, used_.hull_vertex, data.vertices.data(), data.vertices.size());
  append(hull_face_, used_.hull_face, data.faces.data(), data.faces.size());
  append(hull_corner_, used_.hull_corner, data.corners.data(), data.corners.size());
}

void SolidStore::put(const TriangleMesh& handle) {
  const detail::MeshData& data = *handle.data();
  check_count("triangles of meshes", used_.mesh_triangle + data.triangles.size());
  check_count("nodes of meshes", used_.mesh_node + data.nodes.size());
  make_room(mesh_, used_.mesh, 1);
  make_room(mesh_triangle_, used_.mesh_triangle, data.triangles.size());
  make_room(mesh_node_, used_.mesh_node, data.nodes.size());
  const kernels::Mesh mesh{.triangle = static_cast<std::uint32_t>(used_.mesh_triangle),
                           .triangle_count = static_cast<std::uint32_t>(data.triangles.size()),
                           .node = static_cast<std::uint32_t>(used_.mesh_node),
                           .lower = data.lower,
                           .upper = data.upper};
  meshes_.add(handle);
  append(mesh_, used_.mesh, &mesh, 1);
  append(mesh_triangle_, used_.mesh_triangle, data.triangles.data(), data.triangles.size());
  append(mesh_node_, used_.mesh_node, data.nodes.data(), data.nodes.size());
}

void SolidStore::put(const HeightField& handle) {
  const detail::FieldData& data = *handle.data();
  make_room(grid_, used_.grid, 1);
  make_room(height_, used_.height, data.heights.size());
  const kernels::HeightGrid grid{.columns = data.columns,
                                 .rows = data.rows,
                                 .height = used_.height,
                                 .spacing = data.spacing,
                                 .lowest = data.lowest,
                                 .highest = data.highest};
  fields_.add(handle);
  append(grid_, used_.grid, &grid, 1);
  append(height_, used_.height, data.heights.data(), data.heights.size());
}

kernels::Solids SolidStore::view() const {
  return {hull_.data(),          hull_vertex_.data(), hull_face_.data(), hull_corner_.data(), mesh_.data(),
          mesh_triangle_.data(), mesh_node_.data(),   grid_.data(),      height_.data()};
}

std::uint32_t triangles_of(const Geometry& geometry) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&geometry))
    return static_cast<std::uint32_t>(mesh->data()->triangles.size());
  if (const auto* field = std::get_if<HeightField>(&geometry)) return 2 * (field->columns() - 1) * (field->rows() - 1);
  return 0;
}

}  // namespace cairn
