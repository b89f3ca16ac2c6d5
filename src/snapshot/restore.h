#pragma once
// The transfer of an image's worlds into a World.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "src/shape/shape_parts.h"
#include "src/snapshot/image.h"
#include "src/world/handle.h"
#include "src/world/impl.h"

namespace cairn::snapshot {

/// One of an image's worlds, its target world, and its place there. Bodies and shapes of the target that the image
/// lacks stay as free slots.
struct Placement {
  std::uint32_t from, to;
  Image::Ranges ranges;
  std::vector<std::uint32_t> body_slots, shape_slots, material_slots;  ///< [1] by id
  std::vector<std::uint32_t> surface_first;  ///< [1] number of the first triangle of each of the image's surfaces
};

/// A part of a body in its place, with the slots of the body and of the shape.
struct PlacedPart {
  const Placement& placement;
  std::uint32_t body;
  const shape::Part& part;
  std::uint32_t shape;
};

/// Puts worlds of an image into a World: first finds all places and allocates, then changes the World.
struct Restore {
  Feature::Impl& world;
  const Image& image;
  std::vector<Placement> placements;
  bool whole;  ///< the World becomes the image's batch

  std::size_t bodies{0}, shapes{0};  ///< [1] slots of the World afterwards
  std::size_t pairs{0};              ///< [1] required capacity

  void run();
  /// (worlds) True for those that become the image's worlds.
  std::vector<bool> replaced() const;
  /// Sets a field's elements in the placements' slots to value(placement, id, present element).
  template <class T, class F>
  void place(T* field, std::vector<std::uint32_t> Placement::*slots, const F& value) const;
  /// The same for the shapes of bodies: value(placed part, present element).
  template <class T, class F>
  void place_parts(T* field, const F& value) const;
  kernels::ShapeGeometry geometry_of_part(const PlacedPart& of) const;
  /// Slots of each placement's parts, by id. If `whole`: the image's. Otherwise own(world), then new slots from `count`
  /// on. `count` becomes the number of all slots.
  template <class Part, class Own>
  std::vector<std::vector<std::uint32_t>> slots_of(std::vector<Part> WorldPart::*parts, std::size_t& count,
                                                   const Own& own) const;
  /// Empties the slots of the placements' worlds, and adds those that the image needs. Then place(slot, placement,
  /// part) for each part that isn't empty.
  template <class Slot, class Part, class Place>
  void plan_slots(std::vector<Slot>& slots, std::vector<Part> WorldPart::*parts, const Place& place) const;

 private:
  void become_batch();
  void number_surfaces();
  std::vector<SurfaceSlot> merged_surfaces() const;
  void place_on_host();
  void place_on_device();
  /// Puts the image's columns into a table.
  template <class View>
  void place_columns(const View& to, const Columns<View>& from, std::vector<std::uint32_t> Placement::*slots,
                     IndexRange Image::Ranges::*range) const;
  /// The last step's pairs after the restore: those of remaining worlds, and those of the image.
  std::vector<std::uint64_t> merged_pairs(std::vector<kernels::Manifold>& manifolds) const;
};

/// From an image's ids and numbers of triangles to slots and the World's numbers.
KeyMap keys_to(const Placement& placement, const WorldPart& part);

/// Slots for so many ids: the present ones, then new ones.
inline void extend(std::vector<std::uint32_t>& slots, std::size_t needed, std::size_t& next) {
  while (slots.size() < needed) slots.push_back(static_cast<std::uint32_t>(next++));
}

/// Free ids: those that the image lacks below its own free ids, in the order in which it would use them.
inline std::vector<std::uint32_t> free_ids(std::size_t used, std::size_t all, const std::vector<std::uint32_t>& own) {
  std::vector<std::uint32_t> ids;
  for (std::size_t id = all; id > used; --id) ids.push_back(static_cast<std::uint32_t>(id - 1));
  ids.insert(ids.end(), own.begin(), own.end());
  return ids;
}

/// [first, last) of the slots of several lists.
template <class Lists, class Of = std::identity>
IndexRange range_of(const Lists& lists, Of slots_of = {}) {
  IndexRange range{std::numeric_limits<std::size_t>::max(), 0};
  for (const auto& list : lists) {
    for (const std::uint32_t slot : std::invoke(slots_of, list)) {
      range = {std::min<std::size_t>(range.first, slot), std::max<std::size_t>(range.last, slot + std::size_t{1})};
    }
  }
  return range.last == 0 ? IndexRange{0, 0} : range;
}

template <class T, class F>
void Restore::place(T* field, std::vector<std::uint32_t> Placement::*slots, const F& value) const {
  rewrite(world.memory, field, range_of(placements, slots), [&](auto at) {
    for (const Placement& p : placements) {
      for (std::uint32_t id = 0; id < (p.*slots).size(); ++id) {
        T& element = at((p.*slots)[id]);
        element = value(p, id, element);
      }
    }
  });
}

template <class Part, class Own>
std::vector<std::vector<std::uint32_t>> Restore::slots_of(std::vector<Part> WorldPart::*parts, std::size_t& count,
                                                          const Own& own) const {
  std::vector<std::vector<std::uint32_t>> all;
  if (whole) count = 0;
  for (const Placement& p : placements) {
    const std::vector<Part>& of_world = image.worlds[p.from].*parts;
    std::vector<std::uint32_t>& at = all.emplace_back();
    if (whole) {
      for (const Part& part : of_world) at.push_back(part.slot);
      count += of_world.size();
    } else {
      at = own(p.to);
      extend(at, of_world.size(), count);
    }
  }
  return all;
}

template <class Slot, class Part, class Place>
void Restore::plan_slots(std::vector<Slot>& slots, std::vector<Part> WorldPart::*parts, const Place& place) const {
  std::size_t count = slots.size();
  const std::vector<std::vector<std::uint32_t>> planned =
      slots_of(parts, count, [&](std::uint32_t world) { return slots_of_world(slots, world); });
  slots.resize(count);
  for (std::size_t k = 0; k < planned.size(); ++k) {
    const std::vector<Part>& of_world = image.worlds[placements[k].from].*parts;
    for (std::size_t id = 0; id < planned[k].size(); ++id) {
      Slot& slot = slots[planned[k][id]];
      slot = {.world = placements[k].to, .generation = slot.generation};
      if (id >= of_world.size()) continue;
      slot.generation = of_world[id].generation;
      if (of_world[id].of != kernels::kNone) place(planned[k][id], placements[k], of_world[id]);
    }
  }
}

template <class T, class F>
void Restore::place_parts(T* field, const F& value) const {
  rewrite(world.memory, field, range_of(placements, &Placement::shape_slots), [&](auto at) {
    for (const Placement& p : placements) {
      for (const std::uint32_t body : p.body_slots) {
        const BodySlot& slot = world.slots[body];
        const std::vector<shape::Part> parts = shape::parts_of(slot.body);
        for (std::size_t i = 0; i < slot.shapes.size(); ++i) {
          T& element = at(slot.shapes[i]);
          element = value(PlacedPart{p, body, parts[i], slot.shapes[i]}, element);
        }
      }
    }
  });
}

}  // namespace cairn::snapshot
