#pragma once
// Exact scalar arithmetic. IEEE + - * / sqrt and explicit fma only; contraction is off in every build
// (docs/determinism.md). The same names exist for Pack (kernels/common/pack.h), so that a solver row is written once
// for one lane and for eight.

#include <bit>
#include <cstdint>
#include <utility>

#include "kernels/common/annotate.h"

namespace cairn::kernels {

#if defined(__CUDA_ARCH__)

CAIRN_HD float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
CAIRN_HD double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
CAIRN_HD float sqrt(float a) { return __fsqrt_rn(a); }
CAIRN_HD double sqrt(double a) { return __dsqrt_rn(a); }
CAIRN_HD double floor(double a) { return ::floor(a); }
CAIRN_HD std::uint32_t bits_of(float a) { return __float_as_uint(a); }
CAIRN_HD float float_of(std::uint32_t bits) { return __uint_as_float(bits); }
CAIRN_HD std::uint64_t bits_of(double a) { return static_cast<std::uint64_t>(__double_as_longlong(a)); }
CAIRN_HD double double_of(std::uint64_t bits) { return __longlong_as_double(static_cast<long long>(bits)); }
CAIRN_HD std::uint32_t bit_width(std::uint64_t bits) {
  return 64u - static_cast<std::uint32_t>(__clzll(static_cast<long long>(bits)));
}
CAIRN_HD std::uint32_t popcount(std::uint64_t bits) { return static_cast<std::uint32_t>(__popcll(bits)); }

#else

/// a * b + c with one rounding.
CAIRN_HD float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CAIRN_HD double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
CAIRN_HD float sqrt(float a) { return __builtin_sqrtf(a); }
CAIRN_HD double sqrt(double a) { return __builtin_sqrt(a); }
/// Largest integer not above a.
CAIRN_HD double floor(double a) { return __builtin_floor(a); }
CAIRN_HD std::uint32_t bits_of(float a) { return std::bit_cast<std::uint32_t>(a); }
CAIRN_HD float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
CAIRN_HD std::uint64_t bits_of(double a) { return std::bit_cast<std::uint64_t>(a); }
CAIRN_HD double double_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }
/// [1] Bits up to the highest that is set.
CAIRN_HD std::uint32_t bit_width(std::uint64_t bits) { return static_cast<std::uint32_t>(std::bit_width(bits)); }
/// [1] Bits that are set.
CAIRN_HD std::uint32_t popcount(std::uint64_t bits) { return static_cast<std::uint32_t>(std::popcount(bits)); }

#endif

/// mask ? a : b. Masks are bool for numbers, and the Mask of a Pack or DoublePack.
CAIRN_HD float select(bool mask, float a, float b) { return mask ? a : b; }
CAIRN_HD double select(bool mask, double a, double b) { return mask ? a : b; }
/// f() where the mask is true, g() elsewhere; `changed` lists all that they write.
template <class F, class G, class... Changed>
CAIRN_HD void where(bool mask, const F& f, const G& g, Changed&...) {
  if (mask) {
    f();
  } else {
    g();
  }
}

/// Minimum. A NaN in b gives a; a NaN in a gives a; of -0 and +0 the first stays.
CAIRN_HD float min(float a, float b) { return b < a ? b : a; }
/// Maximum, with the same rules.
CAIRN_HD float max(float a, float b) { return b > a ? b : a; }
CAIRN_HD float clamp(float a, float low, float high) { return min(max(a, low), high); }
CAIRN_HD float abs(float a) { return a < 0.0f ? -a : a; }
CAIRN_HD double min(double a, double b) { return b < a ? b : a; }
CAIRN_HD double max(double a, double b) { return b > a ? b : a; }
CAIRN_HD double clamp(double a, double low, double high) { return min(max(a, low), high); }
CAIRN_HD double abs(double a) { return a < 0.0 ? -a : a; }
CAIRN_HD bool any(bool mask) { return mask; }
/// One bit per lane.
CAIRN_HD std::uint32_t lanes_of(bool mask) { return mask ? 1u : 0u; }

/// True for everything but infinities and NaN, whose difference from themselves is NaN.
CAIRN_HD bool finite(float a) { return (bits_of(a) & 0x7f800000u) != 0x7f800000u; }
CAIRN_HD bool finite(double a) { return a - a == 0.0; }

/// Largest integer not above a. |a| must be under 2^31.
template <class T>
CAIRN_HD std::int32_t floor_to_int(T a) {
  const std::int32_t i = static_cast<std::int32_t>(a);
  return static_cast<T>(i) > a ? i - 1 : i;
}

/// The same in 64 bits. |a| must be under 2^63.
CAIRN_HD std::int64_t floored(double a) {
  const auto i = static_cast<std::int64_t>(a);
  return static_cast<double>(i) > a ? i - 1 : i;
}

/// Mixes 32 bits (the finaliser of MurmurHash3, Appleby 2011).
CAIRN_HD std::uint32_t mix32(std::uint32_t a) {
  a = (a ^ a >> 16) * 0x85ebca6bu;
  a = (a ^ a >> 13) * 0xc2b2ae35u;
  return a ^ a >> 16;
}

/// 2^k, for k in -1022..1023.
CAIRN_HD double power_of_two(std::int64_t k) { return double_of(static_cast<std::uint64_t>(k + 1023) << 52); }

/// [1] Numbers that a T holds: one, or those of a Pack.
template <class T>
inline constexpr std::uint32_t kLanesOf = sizeof(T) / sizeof(float);

/// The double type with as many lanes as T.
template <class T>
struct WideOf;
template <>
struct WideOf<float> {
  using Type = double;
};
template <class T>
using WideT = typename WideOf<T>::Type;
/// Type of a comparison of two T.
template <class T>
using MaskT = decltype(std::declval<T>() < std::declval<T>());

CAIRN_HD double widen(float a) { return static_cast<double>(a); }
CAIRN_HD float narrow(double a) { return static_cast<float>(a); }
/// Mask of a comparison of two WideT.
CAIRN_HD bool mask_of(bool mask) { return mask; }
/// Mask of the lanes of a T whose bit is set.
template <class T>
CAIRN_HD MaskT<T> mask_in(std::uint32_t lanes);
template <>
CAIRN_HD bool mask_in<float>(std::uint32_t lanes) {
  return lanes != 0;
}

/// Loads three, four, six or eight consecutive numbers at each lane's `from`. With three a Pack reads a fourth, too.
template <class T>
CAIRN_HD void gather3(const T* const (&from)[1], T& x, T& y, T& z) {
  x = from[0][0];
  y = from[0][1];
  z = from[0][2];
}
template <class T>
CAIRN_HD void gather4(const T* const (&from)[1], T (&to)[4]) {
  for (int i = 0; i < 4; ++i) to[i] = from[0][i];
}
CAIRN_HD void gather6(const float* const (&from)[1], float (&to)[6]) {
  for (int i = 0; i < 6; ++i) to[i] = from[0][i];
}
CAIRN_HD void gather8(const float* const (&from)[1], float (&to)[8]) {
  for (int i = 0; i < 8; ++i) to[i] = from[0][i];
}

/// f(i, value of lane i) for the first lanes of a T.
template <class F>
CAIRN_HD void each_lane(float value, std::uint32_t, const F& f) {
  f(0, value);
}

/// Loads lane `lane` (or, for a Pack, eight lanes from `lane` on) of a field.
template <class T>
CAIRN_HD T load(const float* field, std::uint32_t lane);
template <>
CAIRN_HD float load<float>(const float* field, std::uint32_t lane) {
  return field[lane];
}
CAIRN_HD void store(float* field, std::uint32_t lane, float value) { field[lane] = value; }
/// The doubles that go with a T, one per lane, which were just stored.
template <class T>
CAIRN_HD WideT<T> wide_from_lanes(const double* values);
template <>
CAIRN_HD double wide_from_lanes<float>(const double* values) {
  return values[0];
}
CAIRN_HD void store_wide(double* of_lanes, double value) { of_lanes[0] = value; }

/// f(i) for each lane i of a T. A load of eight floats that were just stored one by one would wait for all stores before.
template <class T, class F>
CAIRN_HD T of_lanes(const F& f) {
  if constexpr (kLanesOf<T> == 1) {
    return f(0);
  } else {
    return typename T::Lanes{f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)};
  }
}
/// The same for values that were just stored.
template <class T>
CAIRN_HD T from_lanes(const float* values) {
  return of_lanes<T>([&](std::uint32_t i) { return values[i]; });
}

}  // namespace cairn::kernels
