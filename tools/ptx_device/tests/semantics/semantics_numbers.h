#pragma once
// Floats by integers and by a wider format, so that a result is rounded once, by code of this folder.

#include <cstdint>

#include "form.h"

namespace semantics {

enum class Round : std::uint8_t { kNearest, kZero, kDown, kUp };
Round round_named(std::string_view word);

struct Format {
  int bits, fraction, bias;
};
constexpr Format kSingle{32, 23, 127}, kDouble{64, 52, 1023};
inline Format format_of(int bits) { return bits == 32 ? kSingle : kDouble; }

constexpr U64 kNan32 = 0x7fffffff;

bool is_nan(U64 a, int bits);
bool is_infinite(U64 a, int bits);
inline U64 sign_of(int bits) { return U64{1} << (bits - 1); }

/// (-1)^negative * magnitude * 2^exponent. `inexact`: a little more than the magnitude.
struct Exact {
  bool negative;
  unsigned __int128 magnitude;
  int exponent;
  bool inexact{false};
};
/// For a finite number.
Exact unpack(U64 a, int bits);
U64 pack(const Exact& x, int bits, Round round);
/// To an integer, as a number of 128 bits.
__int128 to_integer(const Exact& x, Round round);

float as_float(U64 a);
double as_double(U64 a);
U64 bits_of(float a);
U64 bits_of(double a);

/// Sum, product, quotient and the like to nearest even; a NaN's bits are the caller's concern.
U64 add(U64 a, U64 b, int bits);
U64 multiply(U64 a, U64 b, int bits);
U64 divide(U64 a, U64 b, int bits);
U64 root(U64 a, int bits);
U64 fused(U64 a, U64 b, U64 c, int bits);

}  // namespace semantics
