#pragma once
// Scales from the user's arrays: WorldScales::set, as rows (kernels/exchange/exchange.h).

#include "kernels/common/bases.h"
#include "kernels/exchange/columns.h"
#include "kernels/exchange/exchange.h"
#include "kernels/scale/scale.h"

namespace cairn::kernels {

struct ScaleColumns {
  Columns world;  ///< [1] (worlds, 4) as Scales
  Columns body;   ///< [1] (rows, 3) as BodyScales; one row per living body, in the order of World::bodies()
};

/// A row a world.
struct WorldScaleExchange {
  Worlds worlds;
  ScaleColumns columns;

  CAIRN_HD std::uint32_t world(std::uint32_t r) const { return r; }
  CAIRN_HD std::uint32_t body(std::uint32_t) const { return kNone; }
  template <class F>
  CAIRN_HD void each_number(std::uint32_t r, const F& f) const {
    f(columns.world, 0, worlds.scales[r].size, InRange<&Scales::size>{});
    f(columns.world, 1, worlds.scales[r].mass, InRange<&Scales::mass>{});
    f(columns.world, 2, worlds.scales[r].friction, InRange<&Scales::friction>{});
    f(columns.world, 3, worlds.scales[r].restitution, InRange<&Scales::restitution>{});
  }
  CAIRN_HD std::uint32_t fault(std::uint32_t r) const { return fault_of_numbers(*this, r); }
  CAIRN_HD void write(std::uint32_t r) const { write_numbers(*this, r); }
};

/// A row a living body; those of bodies that aren't dynamic are ignored. To be written before rows of worlds are.
struct BodyScaleExchange {
  Bodies bodies;
  Worlds worlds;
  BodyBases bases;
  ScaleColumns columns;
  const std::uint32_t* row_slot;  ///< [1] (rows)

  CAIRN_HD std::uint32_t body(std::uint32_t r) const { return row_slot[r]; }
  CAIRN_HD std::uint32_t world(std::uint32_t r) const { return bodies.world[body(r)]; }
  /// Checks also whether the body stays in range (bears).
  CAIRN_HD std::uint32_t fault(std::uint32_t r) const {
    const std::uint32_t i = body(r), w = world(r);
    if (!is_dynamic(bodies.flags[i])) return 0;
    const auto number = [&](int c) { return static_cast<float>(columns.world.get(w, c)); };
    const Scales all = columns.world.given() ? Scales{number(0), number(1)} : worlds.scales[w];
    const BodyScales own = columns.body.given() ? given(r) : bases.own[i];
    // then the world's scales are at fault
    if (fault_of_scales(all.size, all.mass) != 0) return 0;
    if (const std::uint32_t fault = fault_of_scales(own.size, own.mass); fault != 0) return fault;
    const std::uint32_t fault = fault_of_number(own.inertia, InRange<&BodyScales::inertia>{});
    const bool bear = fault != 0 || bears(total_scales(all, own), bases.inv_mass[i], bases.inertia[i], bases.radius[i],
                                          bases.min_extent[i]);
    return bear ? fault : std::uint32_t{kStatusOutOfBounds};
  }
  CAIRN_HD void write(std::uint32_t r) const {
    if (columns.body.given() && is_dynamic(bodies.flags[body(r)])) bases.own[body(r)] = given(r);
  }

 private:
  CAIRN_HD BodyScales given(std::uint32_t r) const {
    const auto number = [&](int c) { return static_cast<float>(columns.body.get(r, c)); };
    return {number(0), number(1), number(2)};
  }
  CAIRN_HD static std::uint32_t fault_of_scales(float size, float mass) {
    return worse(fault_of_number(size, InRange<&Scales::size>{}), fault_of_number(mass, InRange<&Scales::mass>{}));
  }
};

}  // namespace cairn::kernels
