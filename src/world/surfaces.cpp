// Planes and surfaces of all worlds, as tables for the device.

#include <algorithm>
#include <iterator>

#include "src/world/impl.h"

namespace cairn {

void World::Impl::number_surface(std::uint32_t shape, std::uint32_t triangles) {
  memory.push(surfaces, {static_cast<std::uint32_t>(next_triangle), triangles, shape});
  next_triangle += triangles;
}

const SurfaceSlot& World::Impl::surface_of(std::uint32_t shape) const {
  // usually that of a body just added
  return *std::find_if(surfaces.rbegin(), surfaces.rend(), [&](const SurfaceSlot& s) { return s.shape == shape; });
}

void World::Impl::remove_surfaces(std::span<const std::uint32_t> shapes) {
  // the device searches this list by number, so it has no gaps: removing a body with surfaces costs a pass over all
  memory.keep(surfaces);
  std::erase_if(surfaces,
                [&](const SurfaceSlot& s) { return std::find(shapes.begin(), shapes.end(), s.shape) != shapes.end(); });
  upload_surfaces();
}

void World::Impl::remove_planes(WorldSlot& world, std::span<const std::uint32_t> shapes) {
  memory.keep(world.plane_slots);
  std::erase_if(world.plane_slots,
                [&](std::uint32_t plane) { return std::find(shapes.begin(), shapes.end(), plane) != shapes.end(); });
  upload_planes();
}

bool World::Impl::has_surface_of(std::uint64_t key) const {
  const auto number = static_cast<std::uint32_t>(key);
  if (number < kernels::kFirstTriangle) return true;
  const auto after = std::upper_bound(surfaces.begin(), surfaces.end(), number,
                                      [](std::uint32_t n, const SurfaceSlot& s) { return n < s.first; });
  return after != surfaces.begin() && number - std::prev(after)->first < std::prev(after)->count;
}

SurfaceNumbers World::Impl::surface_numbers() const {
  SurfaceNumbers numbers;
  for (const SurfaceSlot& surface : surfaces) numbers.add(surface.first, surface.shape);
  return numbers;
}

void World::Impl::upload_surfaces() {
  const SurfaceNumbers numbers = surface_numbers();
  memory.put(arrays.surface_first.data(), numbers.first);
  memory.put(arrays.surface_shape.data(), numbers.shape);
}

void World::Impl::upload_planes() {
  std::vector<std::uint32_t> planes, begin{0}, off;
  for (const BodySlot& slot : slots) {
    if (!slot.body.enabled && planes_of(slot.body) != 0) off.insert(off.end(), slot.shapes.begin(), slot.shapes.end());
  }
  std::sort(off.begin(), off.end());
  for (const WorldSlot& world : worlds) {
    std::ranges::copy_if(world.plane_slots, std::back_inserter(planes),
                         [&](std::uint32_t plane) { return !std::binary_search(off.begin(), off.end(), plane); });
    begin.push_back(static_cast<std::uint32_t>(planes.size()));
  }
  memory.put(arrays.planes.data(), planes);
  memory.put(arrays.worlds.view().plane_begin, begin);
}

}  // namespace cairn
