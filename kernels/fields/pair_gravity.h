#pragma once

#include "cairn/particle_view.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// G d / (d^2 + s^2)^(3/2) of a mass of 1 kg at d; nothing at distance 0.
template <class T>
CAIRN_HD Vec3T<T> pull_of(T constant, Vec3T<T> d, T softening_squared, T mass, Vec3T<T> sum) {
  const T r2 = dot(d, d, softening_squared);
  if (!(r2 > T(0))) return sum;
  return fma(constant * mass / (r2 * sqrt(r2)), d, sum);
}

/// Over all pairs. Sums tiles of kTile particles, and then the tiles, by index: rounding grows with the number of tiles
/// and not of particles, and the data that a group of threads reads at a time stays in the cache. Gathers.
template <class T>
struct AllPairsGravity {
  T constant;           ///< [m^3/(kg s^2)]
  T softening_squared;  ///< [m^2]
  static constexpr std::uint32_t kTile = 256;

  CAIRN_HD Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const {
    const Vec3T<T> x = p.position[i];
    Vec3T<T> sum{};
    for (std::uint32_t first = 0; first < p.count; first += kTile) {
      const std::uint32_t end = p.count - first < kTile ? p.count : first + kTile;
      Vec3T<T> tile{};
      for (std::uint32_t j = first; j < end; ++j) {
        if (j != i) tile = pull_of(constant, p.position[j] - x, softening_squared, p.mass[j], tile);
      }
      sum = sum + tile;
    }
    return p.mass[i] * sum;
  }

  CAIRN_HD T potential(const ParticleView<T>& p, std::uint32_t i) const {
    T sum{};
    for (std::uint32_t first = 0; first < p.count; first += kTile) {
      const std::uint32_t end = p.count - first < kTile ? p.count : first + kTile;
      T tile{};
      for (std::uint32_t j = first; j < end; ++j) {
        const Vec3T<T> d = p.position[j] - p.position[i];
        const T r2 = dot(d, d, softening_squared);
        if (j != i && r2 > T(0)) tile += p.mass[j] / sqrt(r2);
      }
      sum += tile;
    }
    return T(-0.5) * constant * p.mass[i] * sum;
  }

  CAIRN_HD Vec3T<T> derivative(const ParticleView<T>& p, std::uint32_t i, const Vec3T<T>* dx, const Vec3T<T>*) const {
    Vec3T<T> sum{};
    for (std::uint32_t j = 0; j < p.count; ++j) {
      const Vec3T<T> d = p.position[j] - p.position[i], dd = dx[j] - dx[i];
      const T r2 = dot(d, d, softening_squared);
      if (j == i || !(r2 > T(0))) continue;
      const T pull = constant * p.mass[j] / (r2 * sqrt(r2));
      sum = fma(pull, fma(T(-3) * (dot(d, dd) / r2), d, dd), sum);
    }
    return p.mass[i] * sum;
  }
};

}  // namespace cairn::kernels
