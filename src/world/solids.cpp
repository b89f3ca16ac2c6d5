#include "src/world/solids.h"

#include <algorithm>
#include <string>
#include <variant>

#include "cairn/errors.h"

namespace cairn {
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

template <class Handle, class... Ts>
void SolidStore::append(const Handle& handle, const Addition<Ts>&... additions) {
  // with spare room if a buffer grows
  const auto make_room = [](const auto& more) {
    const std::size_t used = more.to.used, all = used + more.values.size();
    constexpr std::size_t kMax = 0xffffffffu;
    if (more.to.counted != nullptr && all > kMax)
      throw CapacityError(std::string(more.to.counted) + ": a World has room for " + std::to_string(kMax) +
                          " of all hulls or meshes, and would need " + std::to_string(all));
    if (all > more.to.buffer.capacity()) more.to.buffer.reserve(all + used / 2);
  };
  (make_room(additions), ...);
  std::get<Known<Handle>>(known_).add(handle);
  const auto write = [&](const auto& more) {
    if (!more.values.empty())
      memory_.write_now(more.to.buffer.data() + more.to.used, more.values.data(), more.values.size_bytes());
    more.to.used += more.values.size();
  };
  (write(additions), ...);
}

void SolidStore::add(const Geometry& geometry) {
  std::visit(
      [&]<class Handle>(const Handle& solid) {
        // only hulls, meshes and height fields have data()
        if constexpr (requires { solid.data(); }) {
          if (std::get<Known<Handle>>(known_).find(solid) == nullptr) put(solid);
        }
      },
      geometry);
}

std::uint32_t SolidStore::index_of(const Geometry& geometry) const {
  return std::visit(
      [&]<class Handle>(const Handle& solid) -> std::uint32_t {
        if constexpr (requires { solid.data(); }) return *std::get<Known<Handle>>(known_).find(solid);
        return 0;
      },
      geometry);
}

void SolidStore::put(const ConvexHull& handle) {
  const detail::HullData& data = *handle.data();
  const kernels::Hull hull{.vertex = hull_vertex_.next(),
                           .vertex_count = static_cast<std::uint32_t>(data.vertices.size()),
                           .face = hull_face_.next(),
                           .face_count = static_cast<std::uint32_t>(data.faces.size()),
                           .corner = hull_corner_.next(),
                           .centre = data.centre,
                           .radius = data.radius,
                           .thickness = data.thickness};
  append(handle, hull_.with({&hull, 1}), hull_vertex_.with(data.vertices), hull_face_.with(data.faces),
         hull_corner_.with(data.corners));
}

void SolidStore::put(const TriangleMesh& handle) {
  const detail::MeshData& data = *handle.data();
  const kernels::Mesh mesh{.triangle = mesh_triangle_.next(),
                           .triangle_count = static_cast<std::uint32_t>(data.triangles.size()),
                           .node = mesh_node_.next(),
                           .lower = data.lower,
                           .upper = data.upper};
  append(handle, mesh_.with({&mesh, 1}), mesh_triangle_.with(data.triangles), mesh_node_.with(data.nodes));
}

void SolidStore::put(const HeightField& handle) {
  const detail::FieldData& data = *handle.data();
  const kernels::HeightGrid grid{.columns = data.columns,
                                 .rows = data.rows,
                                 .height = height_.used,
                                 .spacing = data.spacing,
                                 .lowest = data.lowest,
                                 .highest = data.highest};
  append(handle, grid_.with({&grid, 1}), height_.with(data.heights));
}

kernels::Solids SolidStore::view() const {
  return {hull_.buffer.data(),        hull_vertex_.buffer.data(), hull_face_.buffer.data(),
          hull_corner_.buffer.data(), mesh_.buffer.data(),        mesh_triangle_.buffer.data(),
          mesh_node_.buffer.data(),   grid_.buffer.data(),        height_.buffer.data()};
}

std::uint32_t triangles_of(const Geometry& geometry) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&geometry))
    return static_cast<std::uint32_t>(mesh->data()->triangles.size());
  if (const auto* field = std::get_if<HeightField>(&geometry)) return 2 * (field->columns() - 1) * (field->rows() - 1);
  return 0;
}

}  // namespace cairn
