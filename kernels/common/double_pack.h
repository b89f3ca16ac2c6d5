#pragma once
// Four doubles, one of each of four articulations (kernels/articulations/packs.h). Each lane computes the same as the
// scalar code in the same order, so the bits are equal. For CPUs with AVX2.

#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "kernels/common/scalar.h"

namespace cairn::kernels {

inline constexpr std::uint32_t kDoubleLanes = 4;

struct DoublePack {
  typedef double Lanes __attribute__((vector_size(32), may_alias));
  typedef long long Bits __attribute__((vector_size(32), may_alias));
  struct Mask {
    Bits m;  ///< all bits of a lane, or none
  };
  Lanes v;
  DoublePack() = default;
  // g++ copies a struct of packs in halves. A load of a whole pack then waits for both stores
  CAIRN_HD DoublePack(const DoublePack& a) : v(a.v) {}
  CAIRN_HD DoublePack& operator=(const DoublePack& a) {
    v = a.v;
    return *this;
  }
  CAIRN_HD DoublePack(Lanes a) : v(a) {}
  CAIRN_HD DoublePack(double a) : v{a, a, a, a} {}
  CAIRN_HD DoublePack(double a, double b, double c, double d) : v{a, b, c, d} {}
  CAIRN_HD double operator[](std::uint32_t lane) const { return v[lane]; }
};

CAIRN_HD DoublePack operator+(DoublePack a, DoublePack b) { return a.v + b.v; }
CAIRN_HD DoublePack operator-(DoublePack a, DoublePack b) { return a.v - b.v; }
CAIRN_HD DoublePack operator*(DoublePack a, DoublePack b) { return a.v * b.v; }
CAIRN_HD DoublePack operator/(DoublePack a, DoublePack b) { return a.v / b.v; }
CAIRN_HD DoublePack operator-(DoublePack a) { return -a.v; }
CAIRN_HD DoublePack::Mask operator<(DoublePack a, DoublePack b) { return {a.v < b.v}; }
CAIRN_HD DoublePack::Mask operator>(DoublePack a, DoublePack b) { return {a.v > b.v}; }
CAIRN_HD DoublePack::Mask operator<=(DoublePack a, DoublePack b) { return {a.v <= b.v}; }
CAIRN_HD DoublePack::Mask operator>=(DoublePack a, DoublePack b) { return {a.v >= b.v}; }
CAIRN_HD DoublePack::Mask operator==(DoublePack a, DoublePack b) { return {a.v == b.v}; }
CAIRN_HD DoublePack::Mask operator&&(DoublePack::Mask a, DoublePack::Mask b) { return {a.m & b.m}; }
CAIRN_HD DoublePack::Mask operator||(DoublePack::Mask a, DoublePack::Mask b) { return {a.m | b.m}; }
CAIRN_HD DoublePack::Mask operator!(DoublePack::Mask a) { return {~a.m}; }

CAIRN_HD DoublePack fma(DoublePack a, DoublePack b, DoublePack c) { return _mm256_fmadd_pd(a.v, b.v, c.v); }
CAIRN_HD DoublePack sqrt(DoublePack a) { return _mm256_sqrt_pd(a.v); }
CAIRN_HD DoublePack floor(DoublePack a) { return _mm256_floor_pd(a.v); }
CAIRN_HD DoublePack select(DoublePack::Mask mask, DoublePack a, DoublePack b) {
  return _mm256_blendv_pd(b.v, a.v, reinterpret_cast<DoublePack::Lanes>(mask.m));
}
CAIRN_HD std::uint32_t lanes_of(DoublePack::Mask mask) {
  return static_cast<std::uint32_t>(_mm256_movemask_pd(reinterpret_cast<DoublePack::Lanes>(mask.m)));
}
CAIRN_HD bool any(DoublePack::Mask mask) { return lanes_of(mask) != 0; }
CAIRN_HD bool every(DoublePack::Mask mask) { return lanes_of(mask) == (1u << kDoubleLanes) - 1; }
/// Mask of the lanes whose bit is set.
CAIRN_HD DoublePack::Mask double_mask(std::uint32_t lanes) {
  const auto bit = [&](std::uint32_t i) { return (lanes >> i & 1u) != 0 ? -1LL : 0LL; };
  return {DoublePack::Bits{bit(0), bit(1), bit(2), bit(3)}};
}
CAIRN_HD DoublePack abs(DoublePack a) { return select(a < DoublePack(0.0), -a, a); }
CAIRN_HD DoublePack min(DoublePack a, DoublePack b) { return select(b < a, b, a); }
CAIRN_HD DoublePack max(DoublePack a, DoublePack b) { return select(b > a, b, a); }
CAIRN_HD DoublePack clamp(DoublePack a, DoublePack low, DoublePack high) { return min(max(a, low), high); }

/// to = select(mask, from, to), for a struct of packs.
template <class S>
CAIRN_HD void take_where(DoublePack::Mask mask, const S& from, S& to) {
  static_assert(sizeof(S) % sizeof(DoublePack) == 0);
  const auto* const a = reinterpret_cast<const DoublePack*>(&from);
  auto* const b = reinterpret_cast<DoublePack*>(&to);
  for (std::size_t i = 0; i < sizeof(S) / sizeof(DoublePack); ++i) b[i] = select(mask, a[i], b[i]);
}
/// Like that for a bool (kernels/common/scalar.h). Where lanes differ both branches run.
template <class F, class G, class... Changed>
CAIRN_HD void where(DoublePack::Mask mask, const F& f, const G& g, Changed&... changed) {
  if (!any(mask)) {
    g();
  } else if (every(mask)) {
    f();
  } else {
    [&](auto... before) {
      f();
      [&](auto... of_f) {
        ((changed = before), ...);
        g();
        (take_where(mask, of_f, changed), ...);
      }(changed...);
    }(changed...);
  }
}

/// Transposes a 4 x 4 matrix.
CAIRN_HD void transpose(DoublePack (&r)[kDoubleLanes]) {
  const __m256d a = _mm256_unpacklo_pd(r[0].v, r[1].v), b = _mm256_unpackhi_pd(r[0].v, r[1].v);
  const __m256d c = _mm256_unpacklo_pd(r[2].v, r[3].v), d = _mm256_unpackhi_pd(r[2].v, r[3].v);
  r[0] = _mm256_permute2f128_pd(a, c, 0x20);
  r[1] = _mm256_permute2f128_pd(b, d, 0x20);
  r[2] = _mm256_permute2f128_pd(a, c, 0x31);
  r[3] = _mm256_permute2f128_pd(b, d, 0x31);
}
CAIRN_HD DoublePack load_doubles(const double* from) {
  DoublePack a;
  std::memcpy(&a.v, from, sizeof a.v);
  return a;
}
CAIRN_HD void store_doubles(double* to, const DoublePack& a) { std::memcpy(to, &a.v, sizeof a.v); }

/// Interleaves `words` of each of four arrays into lanes, and back.
CAIRN_HD void to_lanes(const double* const (&from)[kDoubleLanes], std::uint32_t words, double* to) {
  std::uint32_t w = 0;
  for (; w + kDoubleLanes <= words; w += kDoubleLanes) {
    DoublePack r[kDoubleLanes];
    for (std::uint32_t i = 0; i < kDoubleLanes; ++i) r[i] = load_doubles(from[i] + w);
    transpose(r);
    for (std::uint32_t i = 0; i < kDoubleLanes; ++i) store_doubles(to + (w + i) * kDoubleLanes, r[i]);
  }
  for (; w < words; ++w) {
    for (std::uint32_t i = 0; i < kDoubleLanes; ++i) to[w * kDoubleLanes + i] = from[i][w];
  }
}
CAIRN_HD void from_lanes(const double* from, std::uint32_t words, double* const (&to)[kDoubleLanes]) {
  std::uint32_t w = 0;
  for (; w + kDoubleLanes <= words; w += kDoubleLanes) {
    DoublePack r[kDoubleLanes];
    for (std::uint32_t i = 0; i < kDoubleLanes; ++i) r[i] = load_doubles(from + (w + i) * kDoubleLanes);
    transpose(r);
    for (std::uint32_t i = 0; i < kDoubleLanes; ++i) store_doubles(to[i] + w, r[i]);
  }
  for (; w < words; ++w) {
    for (std::uint32_t i = 0; i < kDoubleLanes; ++i) to[i][w] = from[w * kDoubleLanes + i];
  }
}

}  // namespace cairn::kernels
