#pragma once
// Scales from the user's arrays.

#include "kernels/common/bases.h"
#include "kernels/common/state.h"
#include "kernels/exchange/columns.h"
#include "kernels/scale/scale.h"

namespace cairn::kernels {

// [1] ranges of scales; those of restitution are at most 1
inline constexpr float kMinSizeScale = static_cast<float>(info_of<&Scales::size>().range.min);
inline constexpr float kMaxSizeScale = static_cast<float>(info_of<&Scales::size>().range.max);
inline constexpr float kMinMassScale = static_cast<float>(info_of<&Scales::mass>().range.min);
inline constexpr float kMaxMassScale = static_cast<float>(info_of<&Scales::mass>().range.max);
static_assert(info_of<&BodyScales::inertia>().range.min == info_of<&Scales::mass>().range.min &&
              info_of<&BodyScales::inertia>().range.max == info_of<&Scales::mass>().range.max);
inline constexpr float kMaxFrictionScale = static_cast<float>(info_of<&Scales::friction>().range.max);

struct ScaleColumns {
  Columns world;  ///< [1] (worlds, 4) as Scales
  Columns body;   ///< [1] (rows, 3) as BodyScales; one row per living body, in the order of World::bodies()

  CAIRN_HD Scales scales(std::uint32_t world_index) const {
    const auto get = [&](int c) { return static_cast<float>(world.get(world_index, c)); };
    return {get(0), get(1), get(2), get(3)};
  }
  CAIRN_HD BodyScales body_scales(std::uint32_t row) const {
    const auto get = [&](int c) { return static_cast<float>(body.get(row, c)); };
    return {get(0), get(1), get(2)};
  }
};

/// The status bit of the rule that scales break; 0 for none.
CAIRN_HD std::uint32_t fault_of(float size, float mass, float friction, float restitution) {
  const auto bounded = [](float a) { return a - a == 0.0f; };
  if (!bounded(size) || !bounded(mass) || !bounded(friction) || !bounded(restitution)) return kStatusNonFinite;
  const bool good = size >= kMinSizeScale && size <= kMaxSizeScale && mass >= kMinMassScale && mass <= kMaxMassScale &&
                    friction >= 0.0f && friction <= kMaxFrictionScale && restitution >= 0.0f && restitution <= 1.0f;
  return good ? 0u : std::uint32_t{kStatusOutOfBounds};
}

/// Checks the scales of world i; a world with bad ones is refused and frozen. One thread per world.
struct CheckWorldScales {
  Worlds worlds;
  StepState* state;
  ScaleColumns from;
  Selection selection;
  std::uint32_t* refused;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t i) const {
    refused[i] = 0;
    if (from.world.data == nullptr || !selection(i)) return;
    const Scales s = from.scales(i);
    const std::uint32_t fault = fault_of(s.size, s.mass, s.friction, s.restitution);
    if (fault == 0) return;
    refused[i] = 1;
    atomic_or(&worlds.status[i], fault);
    atomic_or(&state->status, fault);
  }
};

/// The same for the body of row r, and whether it stays in range (bears). One thread per row.
struct CheckBodyScales {
  Bodies bodies;
  Worlds worlds;
  StepState* state;
  BodyBases bases;
  ScaleColumns from;
  const std::uint32_t* row_slot;  ///< [1] (rows)
  Selection selection;
  std::uint32_t* refused;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t r) const {
    const std::uint32_t i = row_slot[r], world = bodies.world[i];
    if (!is_dynamic(bodies.flags[i]) || !selection(world)) return;
    const BodyScales own = from.body.data != nullptr ? from.body_scales(r) : bases.own[i];
    const Scales all = from.world.data != nullptr ? from.scales(world) : worlds.scales[world];
    // then the world's scales are at fault
    if (fault_of(all.size, all.mass, 0.0f, 0.0f) != 0) return;
    std::uint32_t fault = fault_of(own.size, own.mass, 0.0f, 0.0f);
    // in the range of masses
    if (fault == 0) fault = fault_of(1.0f, own.inertia, 0.0f, 0.0f);
    if (fault == 0 &&
        !bears(total_scales(all, own), bases.inv_mass[i], bases.inertia[i], bases.radius[i], bases.min_extent[i])) {
      fault = kStatusOutOfBounds;
    }
    if (fault == 0) return;
    atomic_or(&refused[world], 1u);
    raise(worlds, state, world, i, static_cast<StatusBit>(fault));
  }
};

/// Applies the scales of world i. One thread per world.
struct WriteWorldScales {
  Worlds worlds;
  ScaleColumns from;
  Selection selection;
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (selection(i)) worlds.scales[i] = from.scales(i);
  }
};

/// Applies the scales of row r, if its body is dynamic. One thread per row.
struct WriteBodyScales {
  Bodies bodies;
  BodyBases bases;
  ScaleColumns from;
  const std::uint32_t* row_slot;  ///< [1] (rows)
  Selection selection;
  CAIRN_HD void operator()(std::uint32_t r) const {
    const std::uint32_t i = row_slot[r];
    if (is_dynamic(bodies.flags[i]) && selection(bodies.world[i])) bases.own[i] = from.body_scales(r);
  }
};

}  // namespace cairn::kernels
