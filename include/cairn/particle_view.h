#pragma once
// A field's view of the particles. Compiled by the host's compiler and by nvcc, with the same results on both.

#include <cstdint>

#include "cairn/types.h"

// Marks the functions of a functor that a CUDA device may call as well.
#if defined(__CUDACC__)
#define CAIRN_FUNCTOR __host__ __device__
#else
#define CAIRN_FUNCTOR
#endif

namespace cairn {

/// The particles by the cells of a uniform grid. A cell's side is the reach and a little more, so all particles within
/// reach lie in the 27 cells around. Cells live in hash buckets, in which particles are sorted by index.
template <class T>
struct NearGrid {
  struct Cell {
    std::int32_t x{0}, y{0}, z{0};  ///< [1] clamped to 2^30 cells from the origin

    /// Neighbour 0 to 26; 13 is the cell itself.
    CAIRN_FUNCTOR Cell neighbour(std::int32_t n) const { return {x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1}; }
    CAIRN_FUNCTOR friend bool operator==(const Cell& a, const Cell& b) {
      return a.x == b.x && a.y == b.y && a.z == b.z;
    }
  };
  const Vec3T<T>* position{nullptr};    ///< [m]   (count) in the buckets' order
  const Cell* cell{nullptr};            ///< [1]   (count) in the buckets' order
  const std::uint32_t* order{nullptr};  ///< [1]   (count) the particle of each place in that order
  const std::uint32_t* begin{nullptr};  ///< [1]   (buckets + 1) first place of each bucket
  std::uint32_t mask{0};                ///< [1] number of buckets - 1; that number is a power of two
  double inv_side{0};                   ///< [1/m] of a cell
  T reach_squared{0};                   ///< [m^2]

  CAIRN_FUNCTOR static std::int32_t coordinate(double x) {
    constexpr double kMax = 1073741824.0;
    // a NaN is in the first cell, and near nothing
    if (!(x > -kMax)) return -1073741824;
    if (x >= kMax) return 1073741824;
    const auto whole = static_cast<std::int32_t>(x);
    return static_cast<double>(whole) > x ? whole - 1 : whole;
  }
  CAIRN_FUNCTOR static Cell cell_of(const Vec3T<T>& x, double inv_side) {
    return {coordinate(static_cast<double>(x.x) * inv_side), coordinate(static_cast<double>(x.y) * inv_side),
            coordinate(static_cast<double>(x.z) * inv_side)};
  }
  CAIRN_FUNCTOR Cell cell_of(const Vec3T<T>& x) const { return cell_of(x, inv_side); }
  /// The finaliser of MurmurHash3 (Appleby 2011).
  CAIRN_FUNCTOR static std::uint32_t mix(std::uint32_t a) {
    a = (a ^ a >> 16) * 0x85ebca6bu;
    a = (a ^ a >> 13) * 0xc2b2ae35u;
    return a ^ a >> 16;
  }
  /// `world` separates worlds that share buckets.
  CAIRN_FUNCTOR static std::uint32_t bucket_of(const Cell& c, std::uint32_t mask, std::uint32_t world = 0) {
    const std::uint32_t layer = mix(static_cast<std::uint32_t>(c.y) + 0x9e3779b9u * world);
    return (mix(layer + static_cast<std::uint32_t>(c.z)) + static_cast<std::uint32_t>(c.x)) & mask;
  }
  CAIRN_FUNCTOR std::uint32_t bucket_of(const Cell& c) const { return bucket_of(c, mask); }
};

/// The particles at a moment. It owns nothing; its arrays are in the memory of the ParticleSystem's device.
template <class T>
struct ParticleView {
  const Vec3T<T>* position{nullptr};  ///< [m]   (count) world
  const Vec3T<T>* velocity{nullptr};  ///< [m/s] (count) world
  const T* mass{nullptr};             ///< [kg]  (count)
  std::uint32_t count{0};             ///< [1]
  T time{0};                          ///< [s]
  NearGrid<T> near{};                 ///< only for fields with a cut-off

  /// visit(j, x_j - x_i, its square) for every other particle closer to particle i than the field's cut-off, always in
  /// the same order: by cell, then by index. Only for fields with a cut-off.
  template <class Visit>
  CAIRN_FUNCTOR void each_near(std::uint32_t i, Visit&& visit) const {
    using Cell = typename NearGrid<T>::Cell;
    const Vec3T<T> x = position[i];
    const Cell home = near.cell_of(x);
    for (std::int32_t at = 0; at < 27; ++at) {
      const Cell c = home.neighbour(at);
      const std::uint32_t bucket = near.bucket_of(c);
      for (std::uint32_t s = near.begin[bucket]; s < near.begin[bucket + 1]; ++s) {
        // other cells may share the bucket; they are visited in their own turn
        if (near.cell[s] != c) continue;
        const Vec3T<T> y = near.position[s];
        const Vec3T<T> d{y.x - x.x, y.y - x.y, y.z - x.z};
        const T square = fused(d.x, d.x, fused(d.y, d.y, d.z * d.z));
        if (square < near.reach_squared && near.order[s] != i) visit(near.order[s], d, square);
      }
    }
  }

 private:
  /// a b + c with one rounding, for any compiler flags of the including code
  CAIRN_FUNCTOR static float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
  }
  CAIRN_FUNCTOR static double fused(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
    return __fma_rn(a, b, c);
#else
    return __builtin_fma(a, b, c);
#endif
  }
};

}  // namespace cairn
