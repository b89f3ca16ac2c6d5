#pragma once
// A smooth random flow without divergence.

#include "cairn/particle_view.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// Largest integer not above a, |a| < 2^31.
template <class T>
CAIRN_HD std::int32_t whole_below(T a) {
  return floor_to_int(clamp(a, T(-2.0e9), T(2.0e9)));
}

/// rate m (u - v), u the curl of three scalars of gradient noise (R. Bridson, J. Hourihan and M. Nordenstam,
/// "Curl-noise for procedural fluid flow", SIGGRAPH 2007; the noise is that of K. Perlin, "Improving noise", 2002, with
/// fade 6 t^5 - 15 t^4 + 10 t^3, so that u is smooth). Its slopes are exact, so that the divergence is zero up to
/// rounding. Beyond 2e9 cells from the origin the flow is negligible. Gathers.
template <class T>
struct CurlNoiseForce {
  T rate;                 ///< [1/s]
  T speed;                ///< [m/s]
  T inv_scale;            ///< [1/m]
  std::uint32_t octaves;  ///< [1]
  std::uint32_t seed;     ///< [1]
  Vec3T<T> drift;         ///< [m/s]

  CAIRN_HD Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const {
    return (rate * p.mass[i]) * (flow(p.position[i], p.time) - p.velocity[i]);
  }

  /// [m/s] at x.
  CAIRN_HD Vec3T<T> flow(Vec3T<T> x, T time) const {
    Vec3T<T> at = inv_scale * (x - time * drift), sum{};
    T share = speed;
    for (std::uint32_t octave = 0; octave < octaves; ++octave) {
      const std::uint32_t key = seed + 3 * octave;
      const Vec3T<T> a = slope(at, key), b = slope(at, key + 1), c = slope(at, key + 2);
      sum = fma(share, Vec3T<T>{c.y - b.z, a.z - c.x, b.x - a.y}, sum);
      at = T(2) * at;
      share = T(0.5) * share;
    }
    return sum;
  }

  /// [1] The noise's gradient with respect to `at` (cells).
  CAIRN_HD static Vec3T<T> slope(Vec3T<T> at, std::uint32_t key) {
    const std::int32_t cx = whole_below(at.x), cy = whole_below(at.y), cz = whole_below(at.z);
    const Vec3T<T> t{at.x - T(cx), at.y - T(cy), at.z - T(cz)};
    const Vec3T<T> fade{weight(t.x), weight(t.y), weight(t.z)};
    const Vec3T<T> rise{weight_slope(t.x), weight_slope(t.y), weight_slope(t.z)};
    Vec3T<T> sum{};
    for (std::int32_t corner = 0; corner < 8; ++corner) {
      const std::int32_t x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
      const Vec3T<T> g = gradient(cx + x, cy + y, cz + z, key);
      const T value = dot(g, Vec3T<T>{t.x - T(x), t.y - T(y), t.z - T(z)});
      const T wx = x != 0 ? fade.x : T(1) - fade.x, dx = x != 0 ? rise.x : -rise.x;
      const T wy = y != 0 ? fade.y : T(1) - fade.y, dy = y != 0 ? rise.y : -rise.y;
      const T wz = z != 0 ? fade.z : T(1) - fade.z, dz = z != 0 ? rise.z : -rise.z;
      sum = sum + Vec3T<T>{wy * wz * fma(dx, value, wx * g.x), wx * wz * fma(dy, value, wy * g.y),
                           wx * wy * fma(dz, value, wz * g.z)};
    }
    return sum;
  }

 private:
  CAIRN_HD static T weight(T t) { return t * t * t * fma(t, fma(T(6), t, T(-15)), T(10)); }
  CAIRN_HD static T weight_slope(T t) {
    const T s = t * (t - T(1));
    return T(30) * s * s;
  }
  /// One of the twelve edge directions of a cube.
  CAIRN_HD static Vec3T<T> gradient(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t key) {
    std::uint32_t h =
        mix32(mix32(mix32(key + 0x9e3779b9u) + static_cast<std::uint32_t>(x)) + static_cast<std::uint32_t>(y));
    h = mix32(h + static_cast<std::uint32_t>(z));
    const T a = (h & 1u) != 0 ? T(1) : T(-1), b = (h & 2u) != 0 ? T(1) : T(-1);
    const std::uint32_t axis = (h >> 2) % 3u;
    return axis == 0 ? Vec3T<T>{T(0), a, b} : (axis == 1 ? Vec3T<T>{a, T(0), b} : Vec3T<T>{a, b, T(0)});
  }
};

}  // namespace cairn::kernels
