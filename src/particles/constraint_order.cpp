// The solver's order of particle constraints.

#include <algorithm>
#include <iterator>

#include "kernels/common/parts.h"
#include "src/color/first_fit.h"
#include "src/particles/constraint_store.h"

namespace cairn {

using kernels::Constraint;
using kernels::kNone;

std::vector<std::uint32_t> ConstraintTable::bodies_of(std::uint32_t id) const {
  const Constraint& of = constraint[id];
  std::vector<std::uint32_t> bodies;
  if (of.cluster == kNone) {
    std::ranges::copy_if(of.body, std::back_inserter(bodies), [](std::uint32_t body) { return body != kNone; });
    return bodies;
  }
  for (std::uint32_t i = cluster_begin[of.cluster]; i < cluster_begin[of.cluster + 1]; ++i) {
    bodies.push_back(member[i].body);
  }
  return bodies;
}

ConstraintOrder order_constraints(const ConstraintTable& constraints, std::span<const std::uint32_t> world,
                                  std::span<const std::uint8_t> pushed, std::span<const std::uint32_t> part_of_world,
                                  std::uint32_t parts) {
  constexpr std::uint32_t kAlign = kernels::kRowAlign, kMax = kernels::kMaskColors;
  FirstFit colors(world.size());
  std::vector<std::vector<std::uint32_t>> of_band(std::size_t{parts} * kernels::kColorCount);  // ids
  std::vector<std::uint32_t> last_of_world(part_of_world.size(), 0);                           // colours
  ConstraintOrder order;
  for (std::uint32_t i = 0; i < constraints.constraint.size(); ++i) {
    if (!constraints.in_use(i)) continue;
    const std::vector<std::uint32_t> bodies = constraints.bodies_of(i);
    const std::uint32_t color = colors.color(bodies, [&](std::uint32_t body) { return pushed[body] != 0; });
    const std::uint32_t in = world[bodies[0]];
    of_band[kernels::Parts::band_of(part_of_world[in], color)].push_back(i);
    last_of_world[in] = std::max(last_of_world[in], color);
    order.colors = std::max(order.colors, color + 1);
  }
  const auto world_of = [&](std::uint32_t at) { return world[constraints.constraint[order.constraint[at]].body[0]]; };
  // places of the way up; then the way back, of each world's colours except its last
  std::vector<std::vector<std::uint32_t>> entries(of_band.size());
  for (std::uint32_t p = 0; p < parts; ++p) {
    std::uint32_t last = 0;
    for (std::uint32_t color = 0; color <= kMax; ++color) {
      const std::uint32_t band = kernels::Parts::band_of(p, color);
      if (!of_band[band].empty()) last = color;
      for (const std::uint32_t id : of_band[band]) {
        entries[band].push_back(static_cast<std::uint32_t>(order.constraint.size()));
        order.constraint.push_back(id);
      }
    }
    // one-at-a-time constraints come back in the same band, except each world's last
    std::vector<std::uint32_t>& alone = entries[kernels::Parts::band_of(p, kMax)];
    std::vector<std::uint8_t> turned(alone.empty() ? 0 : part_of_world.size(), 0);  // by world
    for (std::size_t i = alone.size(); i-- > 0;) {
      if (turned[world_of(alone[i])] != 0) alone.push_back(alone[i] | kernels::kConstraintBack);
      turned[world_of(alone[i])] = 1;
    }
    for (std::uint32_t color = 0; color < last; ++color) {
      const std::uint32_t down = kernels::kColorsPerClass + last - 1 - color;
      std::vector<std::uint32_t>& back = entries[kernels::Parts::band_of(p, down)];
      for (const std::uint32_t at : entries[kernels::Parts::band_of(p, color)]) {
        if (last_of_world[world_of(at)] != color) back.push_back(at | kernels::kConstraintBack);
      }
    }
  }
  std::uint32_t next = 0;
  for (const std::vector<std::uint32_t>& band : entries) {
    order.color_begin.push_back(next);
    order.color_row.push_back(static_cast<std::uint32_t>(order.entry.size()));
    order.entry.insert(order.entry.end(), band.begin(), band.end());
    order.entry.resize((order.entry.size() + kAlign - 1) / kAlign * kAlign, kNone);
    next += static_cast<std::uint32_t>(band.size());
  }
  order.color_begin.push_back(next);
  order.color_row.push_back(static_cast<std::uint32_t>(order.entry.size()));
  return order;
}

}  // namespace cairn
