#pragma once
// A field of a user's, as docs/fields.md shows it.

#include "cairn/particles.h"

// [doc]
/// A swirl about the z axis that holds particles back as they leave it.
struct Swirl {
  double rate;  ///< [N/m]
  double drag;  ///< [kg/s]

  template <class T>
  CAIRN_FUNCTOR cairn::Vec3T<T> operator()(const cairn::ParticleView<T>& p, std::uint32_t i) const {
    const cairn::Vec3T<T> x = p.position[i], v = p.velocity[i];
    const T k = static_cast<T>(rate), c = static_cast<T>(drag);
    return {-k * x.y - c * v.x, k * x.x - c * v.y, -c * v.z};
  }
};
// [doc]
