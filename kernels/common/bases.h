#pragma once
// Properties of bodies, shapes and materials before the scales of their worlds. Only worlds that were scaled have these
// tables.

#include "cairn/random.h"
#include "kernels/common/arrays.h"
#include "kernels/common/contacts.h"
#include "kernels/common/shapes.h"

namespace cairn::kernels {

/// The arrays of Bodies of the same names, at scales of 1.
struct BodyBases {
  std::uint32_t* id;  ///< [1]      (bodies) slot in its own world
  BodyScales* own;    ///<          (bodies) beside its world's scales
  float* inv_mass;    ///< [1/kg]   (bodies)
  Vec3* inertia;      ///< [kg m^2] (bodies)
  float* radius;      ///< [m]      (bodies)
  float* min_extent;  ///< [m]      (bodies)
  Vec3d* centre;      ///< [m]      (bodies) centre of mass, in the body's own frame
  friend bool operator==(const BodyBases&, const BodyBases&) = default;
};
template <Same<BodyBases> V>
inline constexpr TypedList kArrays<V>{
    derived<&V::id>(),
    apart<&V::own>({.name = "body_scales", .meaning = "size, mass, inertia, beside the world's"}),
    derived<&V::inv_mass>(),
    derived<&V::inertia>(),
    derived<&V::radius>(),
    derived<&V::min_extent>(),
    derived<&V::centre>()};

/// A body's own scales and its world's.
CAIRN_HD BodyScales total_scales(const Scales& world, const BodyScales& own) {
  return {world.size * own.size, world.mass * own.mass, own.inertia};
}

/// Factors of masses and moments, k s^3 and k i s^5, with k, i and s the scales of mass, inertia and size.
struct InertialScales {
  double mass, moments;  ///< [1]
};
CAIRN_HD InertialScales inertial_scales(const BodyScales& by) {
  const double size = by.size;
  const double mass = by.mass * (size * size * size);
  return {mass, mass * (size * size) * by.inertia};
}

struct ShapeBases {
  ShapeGeometry* geometry;  ///< (shapes)
  friend bool operator==(const ShapeBases&, const ShapeBases&) = default;
};
template <Same<ShapeBases> V>
inline constexpr TypedList kArrays<V>{derived<&V::geometry>()};

struct MaterialBases {
  ContactMaterial* material;  ///<     (materials)
  std::uint32_t* world;       ///< [1] (materials) index
  friend bool operator==(const MaterialBases&, const MaterialBases&) = default;
};
template <Same<MaterialBases> V>
inline constexpr TypedList kArrays<V>{derived<&V::material>(), derived<&V::world>()};

}  // namespace cairn::kernels
