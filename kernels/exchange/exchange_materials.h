#pragma once
// Materials as rows: World::materials and set_material.

#include "cairn/body.h"
#include "kernels/exchange/columns.h"
#include "kernels/exchange/exchange.h"
#include "kernels/scale/scale.h"

namespace cairn::kernels {

/// One row per material.
struct MaterialColumns {
  Columns friction;          ///< [1]
  Columns restitution;       ///< [1]
  Columns rolling_friction;  ///< [m]
  Columns surface_velocity;  ///< [m/s] in the body's own frame
};

/// Place of a row.
struct MaterialRow {
  std::uint32_t slot, world;  ///< [1]
};

/// Where materials are.
struct MaterialPlaces {
  const MaterialRow* row{nullptr};     ///< (rows)
  ContactMaterial* material{nullptr};  ///< (slots)
  MaterialBases bases{};               ///< (slots) null if worlds have no scales
};

struct MaterialExchange {
  Worlds worlds;
  MaterialPlaces places;
  MaterialColumns columns;  ///< of the user's

  CAIRN_HD std::uint32_t world(std::uint32_t r) const { return places.row[r].world; }
  CAIRN_HD std::uint32_t body(std::uint32_t) const { return kNone; }
  /// Of the material as described: scales come on top.
  template <class F>
  CAIRN_HD void each_number(std::uint32_t r, const F& f) const {
    ContactMaterial& m = (scaled() ? places.bases.material : places.material)[places.row[r].slot];
    f(columns.friction, 0, m.friction, InRange<&Material::friction>{});
    f(columns.restitution, 0, m.restitution, InRange<&Material::restitution>{});
    f(columns.rolling_friction, 0, m.rolling_friction, InRange<&Material::rolling_friction>{});
    f(columns.surface_velocity, 0, m.surface_velocity.x, InRange<&Material::surface_velocity>{});
    f(columns.surface_velocity, 1, m.surface_velocity.y, InRange<&Material::surface_velocity>{});
    f(columns.surface_velocity, 2, m.surface_velocity.z, InRange<&Material::surface_velocity>{});
  }
  CAIRN_HD void read(std::uint32_t r) const {
    each_number(r, [&](const Columns& to, int c, float number, auto) { to.set(r, c, double{number}); });
  }
  CAIRN_HD std::uint32_t fault(std::uint32_t r) const { return fault_of_numbers(*this, r); }
  CAIRN_HD void write(std::uint32_t r) const {
    write_numbers(*this, r);
    if (!scaled()) return;
    const std::uint32_t i = places.row[r].slot;
    places.material[i] = places.bases.material[i];
    ScaleMaterial{worlds, places.bases, {}, places.material}(i);
  }

 private:
  CAIRN_HD bool scaled() const { return places.bases.material != nullptr; }
};

}  // namespace cairn::kernels
