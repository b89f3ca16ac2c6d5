#pragma once
// Eight bodies at once, for functors that offer `pack` (kernels/common/items.h). Only for processors with 256-bit
// registers.

#include "kernels/common/bodies.h"
#include "kernels/common/pack.h"

#if !defined(__CUDA_ARCH__) && defined(__AVX2__) && defined(__FMA__)
#define CAIRN_BODY_PACKS 1

#include "kernels/common/double_pack.h"

namespace cairn::kernels {

/// Eight doubles.
struct Packd {
  DoublePack low, high;
  Packd() = default;
  CAIRN_HD Packd(DoublePack a, DoublePack b) : low(a), high(b) {}
  CAIRN_HD Packd(double a) : low(a), high(a) {}
};
template <>
struct WideOf<Pack> {
  using Type = Packd;
};
CAIRN_HD Packd operator+(Packd a, Packd b) { return {a.low + b.low, a.high + b.high}; }
CAIRN_HD Packd operator*(Packd a, Packd b) { return {a.low * b.low, a.high * b.high}; }
CAIRN_HD Packd operator-(Packd a, Packd b) { return {a.low - b.low, a.high - b.high}; }
CAIRN_HD Packd operator/(Packd a, Packd b) { return {a.low / b.low, a.high / b.high}; }
CAIRN_HD Packd operator-(Packd a) { return {-a.low, -a.high}; }
CAIRN_HD Packd fma(Packd a, Packd b, Packd c) { return {fma(a.low, b.low, c.low), fma(a.high, b.high, c.high)}; }
CAIRN_HD Packd sqrt(Packd a) { return {sqrt(a.low), sqrt(a.high)}; }
CAIRN_HD Packd max(Packd a, Packd b) { return {max(a.low, b.low), max(a.high, b.high)}; }
/// Lanes where a > b.
CAIRN_HD std::uint32_t operator>(Packd a, Packd b) { return lanes_of(a.low > b.low) | lanes_of(a.high > b.high) << 4; }
CAIRN_HD Packd widen(Pack a) {
  return {_mm256_cvtps_pd(_mm256_castps256_ps128(a.v)), _mm256_cvtps_pd(_mm256_extractf128_ps(a.v, 1))};
}
CAIRN_HD Vec3T<Packd> widen(const Vec3T<Pack>& v) { return {widen(v.x), widen(v.y), widen(v.z)}; }
CAIRN_HD Pack narrow(Packd a) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a.low.v)), _mm256_cvtpd_ps(a.high.v), 1);
}
CAIRN_HD Vec3T<Pack> narrow(const Vec3T<Packd>& v) { return {narrow(v.x), narrow(v.y), narrow(v.z)}; }
CAIRN_HD QuatT<Pack> narrow(const QuatT<Packd>& q) { return {narrow(q.x), narrow(q.y), narrow(q.z), narrow(q.w)}; }
CAIRN_HD QuatT<Packd> widen(const QuatT<Pack>& q) { return {widen(q.x), widen(q.y), widen(q.z), widen(q.w)}; }

/// mask ? a : b
CAIRN_HD Packd select(Pack::Mask mask, Packd a, Packd b) {
  const auto m = reinterpret_cast<__m256i>(mask.m);
  const auto half = [](__m128i of) {
    return DoublePack::Mask{reinterpret_cast<DoublePack::Bits>(_mm256_cvtepi32_epi64(of))};
  };
  return {select(half(_mm256_castsi256_si128(m)), a.low, b.low),
          select(half(_mm256_extracti128_si256(m, 1)), a.high, b.high)};
}
template <>
CAIRN_HD Packd wide_from_lanes<Pack>(const double* v) {
  return {DoublePack::Lanes{v[0], v[1], v[2], v[3]}, DoublePack::Lanes{v[4], v[5], v[6], v[7]}};
}
CAIRN_HD void store_wide(double* of_lanes, Packd value) {
  store_doubles(of_lanes, value.low);
  store_doubles(of_lanes + 4, value.high);
}

CAIRN_HD Pack::Mask mask_of(std::uint32_t lanes) {
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i all = _mm256_set1_epi32(static_cast<int>(lanes));
  return {reinterpret_cast<Pack::Bits>(_mm256_cmpeq_epi32(_mm256_and_si256(all, bit), bit))};
}

template <>
CAIRN_HD Pack::Mask mask_in<Pack>(std::uint32_t lanes) {
  return mask_of(lanes);
}

/// Lanes of the bodies whose flags, masked by `among`, equal `wanted`.
CAIRN_HD std::uint32_t lanes_with(const std::uint32_t* flags, std::uint32_t among, std::uint32_t wanted) {
  const __m256i of = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(flags));
  const __m256i bits = _mm256_and_si256(of, _mm256_set1_epi32(static_cast<int>(among)));
  const __m256i equal = _mm256_cmpeq_epi32(bits, _mm256_set1_epi32(static_cast<int>(wanted)));
  return lanes_of(Pack::Mask{reinterpret_cast<Pack::Bits>(equal)});
}

/// Eight consecutive vectors.
CAIRN_HD Vec3T<Pack> load3(const Vec3* from) {
  const float* f = &from->x;
  const auto both = [&](int low, int high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(f + low)), _mm_loadu_ps(f + high), 1);
  };
  // x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3, and the same of the other four
  const __m256 a = both(0, 12), b = both(4, 16), c = both(8, 20);
  const __m256 xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)),
               yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
  return {Pack(_mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0))),
          Pack(_mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0))),
          Pack(_mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1)))};
}
CAIRN_HD void store3(Vec3* to, const Vec3T<Pack>& v) {
  const __m256 xy = _mm256_shuffle_ps(v.x.v, v.y.v, _MM_SHUFFLE(2, 0, 2, 0));
  const __m256 yz = _mm256_shuffle_ps(v.y.v, v.z.v, _MM_SHUFFLE(3, 1, 3, 1));
  const __m256 zx = _mm256_shuffle_ps(v.z.v, v.x.v, _MM_SHUFFLE(3, 1, 2, 0));
  const __m256 a = _mm256_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0));
  const __m256 b = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  const __m256 c = _mm256_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1));
  float* f = &to->x;
  _mm_storeu_ps(f, _mm256_castps256_ps128(a));
  _mm_storeu_ps(f + 4, _mm256_castps256_ps128(b));
  _mm_storeu_ps(f + 8, _mm256_castps256_ps128(c));
  _mm_storeu_ps(f + 12, _mm256_extractf128_ps(a, 1));
  _mm_storeu_ps(f + 16, _mm256_extractf128_ps(b, 1));
  _mm_storeu_ps(f + 20, _mm256_extractf128_ps(c, 1));
}
/// Stores the lanes of the mask only.
CAIRN_HD void store3(Vec3* to, Pack::Mask mask, const Vec3T<Pack>& v) { store3(to, select(mask, v, load3(to))); }

CAIRN_HD Vec3T<Packd> load3(const Vec3d* from) {
  const double* f = &from->x;
  const auto four = [&](int i) { return DoublePack(f[i], f[i + 3], f[i + 6], f[i + 9]); };
  return {{four(0), four(12)}, {four(1), four(13)}, {four(2), four(14)}};
}
/// Stores the given lanes only.
CAIRN_HD void store3(Vec3d* to, std::uint32_t lanes, const Vec3T<Packd>& v) {
  alignas(32) double of[3][kPackLanes];
  store_wide(of[0], v.x);
  store_wide(of[1], v.y);
  store_wide(of[2], v.z);
  each_set(lanes, [&](std::uint32_t i) { to[i] = {of[0][i], of[1][i], of[2][i]}; });
}

CAIRN_HD void gather4(const double* const (&from)[8], Packd (&to)[4]) {
  DoublePack low[kDoubleLanes], high[kDoubleLanes];
  for (std::uint32_t i = 0; i < kDoubleLanes; ++i) {
    low[i] = load_doubles(from[i]);
    high[i] = load_doubles(from[i + 4]);
  }
  transpose(low);
  transpose(high);
  for (std::uint32_t k = 0; k < kDoubleLanes; ++k) to[k] = {low[k], high[k]};
}
CAIRN_HD void gather3(const double* const (&from)[8], Packd& x, Packd& y, Packd& z) {
  Packd four[4];
  gather4(from, four);
  x = four[0];
  y = four[1];
  z = four[2];
}

/// Eight consecutive quaternions.
CAIRN_HD QuatT<Packd> load4(const Quatd* first) {
  const double* from[kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) from[i] = &first[i].x;
  Packd to[4];
  gather4(from, to);
  return {to[0], to[1], to[2], to[3]};
}
/// Stores the given lanes only.
CAIRN_HD void store4(Quatd* to, std::uint32_t lanes, const QuatT<Packd>& q) {
  DoublePack half[2][kDoubleLanes] = {{q.x.low, q.y.low, q.z.low, q.w.low}, {q.x.high, q.y.high, q.z.high, q.w.high}};
  transpose(half[0]);
  transpose(half[1]);
  each_set(lanes, [&](std::uint32_t i) { store_doubles(&to[i].x, half[i / kDoubleLanes][i % kDoubleLanes]); });
}

/// Eight consecutive quaternions of floats.
CAIRN_HD QuatT<Pack> load4(const Quat* first) {
  return quats_at<Pack>([&](std::uint32_t i) { return &first[i]; });
}
/// Stores the given lanes only.
CAIRN_HD void store4(Quat* to, std::uint32_t lanes, const QuatT<Pack>& q) {
  Pack r[8] = {q.x, q.y, q.z, q.w, q.x, q.y, q.z, q.w};
  transpose(r);
  each_set(lanes, [&](std::uint32_t i) { _mm_storeu_ps(&to[i].x, _mm256_castps256_ps128(r[i].v)); });
}

/// Eight consecutive symmetric matrices.
CAIRN_HD Sym3T<Pack> load6(const Sym3* first) {
  return matrices_at<Pack>([&](std::uint32_t i) { return &first[i]; });
}
/// Stores six floats of each given lane.
CAIRN_HD void store6(float* to, std::uint32_t lanes, Pack a, Pack b, Pack c, Pack d, Pack e, Pack f) {
  Pack r[8] = {a, b, c, d, e, f, e, f};
  transpose(r);
  each_set(lanes, [&](std::uint32_t i) {
    _mm_storeu_ps(to + 6 * i, _mm256_castps256_ps128(r[i].v));
    _mm_storel_pi(reinterpret_cast<__m64*>(to + 6 * i + 4), _mm256_extractf128_ps(r[i].v, 1));
  });
}
CAIRN_HD void store6(Sym3* to, std::uint32_t lanes, const Sym3T<Pack>& m) {
  store6(&to->xx, lanes, m.xx, m.yy, m.zz, m.xy, m.xz, m.yz);
}

/// Geometry of shapes: of that which get(i) points to, for each lane i.
struct GeometryPack {
  Vec3T<Pack> size, position;  ///< [m]
  QuatT<Pack> orientation;

  template <class Get>
  CAIRN_HD explicit GeometryPack(const Get& get) {
    const float *low[kPackLanes], *high[kPackLanes];
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      low[i] = &get(i)->size.x;
      high[i] = &get(i)->orientation.z;
    }
    Pack g[8], rest[4];
    gather8(low, g);
    gather4(high, rest);
    size = {g[0], g[1], g[2]};
    position = {g[3], g[4], g[5]};
    orientation = {g[6], g[7], rest[0], rest[1]};
  }
};

/// f(world) for the worlds of the given lanes, 0 in the others.
template <class F>
CAIRN_HD Vec3T<Pack> of_worlds(const std::uint32_t* world, std::uint32_t lanes, const F& f) {
  Vec3 of[kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) of[i] = (lanes >> i & 1u) != 0 ? f(world[i]) : Vec3{0, 0, 0};
  const auto part = [&](float Vec3::*p) { return of_lanes<Pack>([&](std::uint32_t i) { return of[i].*p; }); };
  return {part(&Vec3::x), part(&Vec3::y), part(&Vec3::z)};
}

/// Loads kWords floats of each lane. Reads up to the next multiple of eight.
template <std::uint32_t kWords>
CAIRN_HD void gather_words(const float* const (&from)[kPackLanes], Pack* to) {
  for (std::uint32_t w = 0; w < kWords; w += kPackLanes) {
    Pack r[kPackLanes];
    for (std::uint32_t i = 0; i < kPackLanes; ++i) r[i] = load<Pack>(from[i], w);
    transpose(r);
    for (std::uint32_t i = 0; i < kPackLanes && w + i < kWords; ++i) to[w + i] = r[i];
  }
}
/// Stores them back, for the given lanes only.
template <std::uint32_t kWords>
CAIRN_HD void store_words(float* const (&to)[kPackLanes], std::uint32_t lanes, const Pack* from) {
  for (std::uint32_t w = 0; w < kWords; w += kPackLanes) {
    const std::uint32_t count = kWords - w < kPackLanes ? kWords - w : kPackLanes;
    Pack r[kPackLanes];
    for (std::uint32_t i = 0; i < kPackLanes; ++i) r[i] = i < count ? from[w + i] : Pack(0.0f);
    transpose(r);
    each_set(lanes, [&](std::uint32_t i) {
      if (count == kPackLanes) {
        store(to[i], w, r[i]);
      } else {
        std::memcpy(to[i] + w, &r[i].v, count * sizeof(float));
      }
    });
  }
}

/// Loads half of eight BodySolve, from `first` on: v, inv_mass, w, movable, or dx, struck, dtheta, rows.
CAIRN_HD void load_half(const Vec3* first, Pack (&to)[8]) {
  constexpr std::uint32_t kStride = sizeof(BodySolve) / sizeof(float);
  for (std::uint32_t i = 0; i < kPackLanes; ++i) to[i] = load<Pack>(&first->x, i * kStride);
  transpose(to);
}
/// Stores them back, for the given lanes only.
CAIRN_HD void store_half(Vec3* first, std::uint32_t lanes, Pack (&from)[8]) {
  constexpr std::uint32_t kStride = sizeof(BodySolve) / sizeof(float);
  transpose(from);
  each_set(lanes, [&](std::uint32_t i) { store(&first->x, i * kStride, from[i]); });
}

}  // namespace cairn::kernels

#else
#define CAIRN_BODY_PACKS 0
#endif
