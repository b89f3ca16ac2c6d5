#pragma once
// Eight float lanes for the CPU's solver rows. Each lane computes the same as the scalar code in the same order, so the
// bits are equal.

#include <cstdint>
#include <cstring>

#include "kernels/common/scalar.h"

#if !defined(__CUDA_ARCH__)

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace cairn::kernels {

inline constexpr std::uint32_t kPackLanes = 8;

struct Pack {
  typedef float Lanes __attribute__((vector_size(32), may_alias));
  typedef std::int32_t Bits __attribute__((vector_size(32), may_alias));
  struct Mask {
    Bits m;  ///< all bits of a lane, or none
  };
  Lanes v;
  Pack() = default;
  CAIRN_HD Pack(Lanes a) : v(a) {}
  CAIRN_HD Pack(float a) : v{a, a, a, a, a, a, a, a} {}
};

CAIRN_HD Pack operator+(Pack a, Pack b) { return a.v + b.v; }
CAIRN_HD Pack operator-(Pack a, Pack b) { return a.v - b.v; }
CAIRN_HD Pack operator*(Pack a, Pack b) { return a.v * b.v; }
CAIRN_HD Pack operator/(Pack a, Pack b) { return a.v / b.v; }
CAIRN_HD Pack operator-(Pack a) { return -a.v; }
CAIRN_HD Pack::Mask operator<(Pack a, Pack b) { return {a.v < b.v}; }
CAIRN_HD Pack::Mask operator>(Pack a, Pack b) { return {a.v > b.v}; }
CAIRN_HD Pack::Mask operator<=(Pack a, Pack b) { return {a.v <= b.v}; }
CAIRN_HD Pack::Mask operator==(Pack a, Pack b) { return {a.v == b.v}; }
CAIRN_HD Pack::Mask operator&&(Pack::Mask a, Pack::Mask b) { return {a.m & b.m}; }

template <>
CAIRN_HD Pack load<Pack>(const float* field, std::uint32_t lane) {
  Pack a;
  std::memcpy(&a.v, field + lane, sizeof a.v);
  return a;
}
CAIRN_HD void store(float* field, std::uint32_t lane, Pack value) {
  std::memcpy(field + lane, &value.v, sizeof value.v);
}

#if defined(__AVX2__) && defined(__FMA__)

CAIRN_HD Pack fma(Pack a, Pack b, Pack c) { return _mm256_fmadd_ps(a.v, b.v, c.v); }
CAIRN_HD Pack sqrt(Pack a) { return _mm256_sqrt_ps(a.v); }
CAIRN_HD Pack select(Pack::Mask mask, Pack a, Pack b) {
  return _mm256_blendv_ps(b.v, a.v, reinterpret_cast<Pack::Lanes>(mask.m));
}
CAIRN_HD std::uint32_t lanes_of(Pack::Mask mask) {
  return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<Pack::Lanes>(mask.m)));
}

/// Transposes an 8 x 8 matrix.
CAIRN_HD void transpose(Pack (&r)[8]) {
  const __m256 a0 = _mm256_unpacklo_ps(r[0].v, r[1].v), a1 = _mm256_unpackhi_ps(r[0].v, r[1].v);
  const __m256 a2 = _mm256_unpacklo_ps(r[2].v, r[3].v), a3 = _mm256_unpackhi_ps(r[2].v, r[3].v);
  const __m256 a4 = _mm256_unpacklo_ps(r[4].v, r[5].v), a5 = _mm256_unpackhi_ps(r[4].v, r[5].v);
  const __m256 a6 = _mm256_unpacklo_ps(r[6].v, r[7].v), a7 = _mm256_unpackhi_ps(r[6].v, r[7].v);
  const __m256 b0 = _mm256_shuffle_ps(a0, a2, 0x44), b1 = _mm256_shuffle_ps(a0, a2, 0xee);
  const __m256 b2 = _mm256_shuffle_ps(a1, a3, 0x44), b3 = _mm256_shuffle_ps(a1, a3, 0xee);
  const __m256 b4 = _mm256_shuffle_ps(a4, a6, 0x44), b5 = _mm256_shuffle_ps(a4, a6, 0xee);
  const __m256 b6 = _mm256_shuffle_ps(a5, a7, 0x44), b7 = _mm256_shuffle_ps(a5, a7, 0xee);
  r[0] = _mm256_permute2f128_ps(b0, b4, 0x20);
  r[1] = _mm256_permute2f128_ps(b1, b5, 0x20);
  r[2] = _mm256_permute2f128_ps(b2, b6, 0x20);
  r[3] = _mm256_permute2f128_ps(b3, b7, 0x20);
  r[4] = _mm256_permute2f128_ps(b0, b4, 0x31);
  r[5] = _mm256_permute2f128_ps(b1, b5, 0x31);
  r[6] = _mm256_permute2f128_ps(b2, b6, 0x31);
  r[7] = _mm256_permute2f128_ps(b3, b7, 0x31);
}

/// Loads four floats of each lane, those after the first `skip`.
CAIRN_HD void gather4(const float* const (&from)[8], Pack (&to)[4], int skip = 0) {
  const auto both = [&](int i) {
    const __m128 low = _mm_loadu_ps(from[i] + skip), high = _mm_loadu_ps(from[i + 4] + skip);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
  };
  const __m256 r0 = both(0), r1 = both(1), r2 = both(2), r3 = both(3);
  const __m256 a0 = _mm256_unpacklo_ps(r0, r1), a1 = _mm256_unpackhi_ps(r0, r1);
  const __m256 a2 = _mm256_unpacklo_ps(r2, r3), a3 = _mm256_unpackhi_ps(r2, r3);
  to[0] = _mm256_shuffle_ps(a0, a2, 0x44);
  to[1] = _mm256_shuffle_ps(a0, a2, 0xee);
  to[2] = _mm256_shuffle_ps(a1, a3, 0x44);
  to[3] = _mm256_shuffle_ps(a1, a3, 0xee);
}

#else  // the baseline build: lane by lane

template <class F>
CAIRN_HD Pack lane_by_lane(F f) {
  Pack r;
  for (int i = 0; i < 8; ++i) r.v[i] = f(i);
  return r;
}
CAIRN_HD Pack fma(Pack a, Pack b, Pack c) {
  return lane_by_lane([&](int i) { return fma(a.v[i], b.v[i], c.v[i]); });
}
CAIRN_HD Pack sqrt(Pack a) {
  return lane_by_lane([&](int i) { return sqrt(a.v[i]); });
}
CAIRN_HD Pack select(Pack::Mask mask, Pack a, Pack b) { return mask.m ? a.v : b.v; }
CAIRN_HD std::uint32_t lanes_of(Pack::Mask mask) {
  std::uint32_t lanes = 0;
  for (int i = 0; i < 8; ++i) lanes |= (mask.m[i] != 0 ? 1u : 0u) << i;
  return lanes;
}

CAIRN_HD void transpose(Pack (&r)[8]) {
  for (int i = 0; i < 8; ++i) {
    for (int j = i + 1; j < 8; ++j) {
      const float t = r[i].v[j];
      r[i].v[j] = r[j].v[i];
      r[j].v[i] = t;
    }
  }
}
CAIRN_HD void gather4(const float* const (&from)[8], Pack (&to)[4], int skip = 0) {
  for (int k = 0; k < 4; ++k) {
    to[k] = lane_by_lane([&](int i) { return from[i][skip + k]; });
  }
}

#endif

/// f(i) for the lanes whose bit is set.
template <class F>
CAIRN_HD void each_set(std::uint32_t lanes, const F& f) {
  for (std::uint32_t i = 0; i < kPackLanes; ++i) {
    if ((lanes >> i & 1u) != 0) f(i);
  }
}
template <class F>
CAIRN_HD void each_lane(Pack value, std::uint32_t lanes, const F& f) {
  float values[kPackLanes];
  store(values, 0, value);
  for (std::uint32_t i = 0; i < lanes; ++i) f(i, values[i]);
}

CAIRN_HD void gather3(const float* const (&from)[8], Pack& x, Pack& y, Pack& z) {
  Pack four[4];
  gather4(from, four);
  x = four[0];
  y = four[1];
  z = four[2];
}
CAIRN_HD void gather6(const float* const (&from)[8], Pack (&to)[6]) {
  Pack low[4], high[4];
  gather4(from, low);
  gather4(from, high, 2);
  for (int i = 0; i < 4; ++i) to[i] = low[i];
  to[4] = high[2];
  to[5] = high[3];
}
CAIRN_HD void gather8(const float* const (&from)[8], Pack (&to)[8]) {
  for (int i = 0; i < 8; ++i) to[i] = load<Pack>(from[i], 0);
  transpose(to);
}

CAIRN_HD bool any(Pack::Mask mask) { return lanes_of(mask) != 0; }
CAIRN_HD Pack abs(Pack a) { return select(a < Pack(0.0f), -a, a); }
CAIRN_HD Pack::Mask finite(Pack a) { return abs(a) <= Pack(3.402823466e38f); }
CAIRN_HD Pack min(Pack a, Pack b) { return select(b < a, b, a); }
CAIRN_HD Pack max(Pack a, Pack b) { return select(b > a, b, a); }
CAIRN_HD Pack clamp(Pack a, Pack low, Pack high) { return min(max(a, low), high); }

}  // namespace cairn::kernels

#endif
