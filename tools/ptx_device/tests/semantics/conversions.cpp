// Conversions: PTX ISA, "cvt" and the table of "Scalar Conversions".

#include "semantics_numbers.h"

namespace semantics {
namespace {

__int128 least(Type t) { return t.is_signed() ? -(static_cast<__int128>(1) << (t.bits - 1)) : 0; }
__int128 greatest(Type t) { return (static_cast<__int128>(1) << (t.is_signed() ? t.bits - 1 : t.bits)) - 1; }
U64 clamped(__int128 v, Type t) {
  return static_cast<U64>(v < least(t) ? least(t) : v > greatest(t) ? greatest(t) : v);
}

struct Conversion {
  Type to, from;
  Round round;
  bool integral, saturates;
};

U64 integer_result(const Conversion& c, U64 a) {
  if (!c.from.is_float()) {
    const U64 v = extended(a, c.from);
    if (!c.saturates) return v;
    return clamped(c.from.is_signed() ? static_cast<__int128>(static_cast<I64>(v)) : static_cast<__int128>(v), c.to);
  }
  // always clamped
  if (is_nan(a, c.from.bits)) {
    return c.from.bits == 64 || c.to.bits == 64 ? U64{1} << (c.to.bits - 1) : 0;
  }
  if (is_infinite(a, c.from.bits)) {
    return clamped((a & sign_of(c.from.bits)) != 0 ? least(c.to) : greatest(c.to), c.to);
  }
  return clamped(to_integer(unpack(a, c.from.bits), c.round), c.to);
}

void float_result(const Conversion& c, U64 a, Want& out) {
  if (!c.from.is_float()) {
    const U64 v = extended(a, c.from);
    const bool negative = c.from.is_signed() && static_cast<I64>(v) < 0;
    out =
        pack({negative, negative ? static_cast<unsigned __int128>(-static_cast<__int128>(static_cast<I64>(v))) : v, 0},
             c.to.bits, c.round);
  } else if (is_nan(a, c.from.bits)) {
    out = c.to.bits == 32 ? kNan32 : ones(52 + 11);
    // double precision keeps some payload
    out.any_nan = c.to.bits == 64 || c.to == c.from;
  } else if (is_infinite(a, c.from.bits)) {
    out = (a & sign_of(c.from.bits)) != 0 ? sign_of(c.to.bits) : 0;
    out.value |= c.to.bits == 32 ? bits_of(1.0f / 0.0f) : bits_of(1.0 / 0.0);
  } else if (c.integral) {
    Exact x = unpack(a, c.from.bits);
    // from here on all are integers
    if (x.exponent < 0) {
      const __int128 v = to_integer(x, c.round);
      x = {x.negative, static_cast<unsigned __int128>(v < 0 ? -v : v), 0};
    }
    out = pack(x, c.to.bits, Round::kNearest);
  } else {
    out = pack(unpack(a, c.from.bits), c.to.bits, c.round);
  }
  if (!c.saturates) return;
  const bool nan = is_nan(out.value, c.to.bits), negative = (out.value & sign_of(c.to.bits)) != 0;
  const U64 unit = c.to.bits == 32 ? bits_of(1.0f) : bits_of(1.0);
  if (out.value == sign_of(c.to.bits)) {
    out.either(0, out.value);  // the zero's sign is unspecified
  } else if (nan || negative) {
    out = 0;
  } else if (out.value > unit) {
    out = unit;
  }
}

/// Registers may be wider than the types: the operand's upper bits are ignored, the result is extended by its type.
std::vector<int> registers_of(Type t) {
  if (t.is_float() || t.bits == 64) return {0};
  if (t.bits == 32) return {0, 64};
  return {0, 32, 64};
}

void convert(const Name& name, std::vector<Plan>& plans) {
  Conversion c{};
  c.to = name.types[0];
  c.from = name.types[1];
  c.saturates = name.has("sat");
  const auto round = name.one_of({"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"});
  c.round = round_named(round);
  c.integral = round.ends_with('i');
  for (const int to : registers_of(c.to)) {
    for (const int from : registers_of(c.from)) {
      Operand out{c.to, Operand::Values::kAny, to}, in{c.from, Operand::Values::kAny, from};
      in.immediate = c.from.bits >= 16;
      Plan plan = plain(name, {out}, {in}, [=](Lane& lane) {
        const U64 a = lane.in[0] & ones(c.from.bits);
        if (c.to.is_float()) {
          float_result(c, a, lane.out[0]);
        } else {
          lane.out[0] = extended(integer_result(c, a), c.to) & ones(out.width());
        }
      });
      plan.cases = to == 0 && from == 0 ? 0 : kBlock;
      plans.push_back(std::move(plan));
    }
  }
}

}  // namespace

void add_conversions(Planners& all) { all["cvt"] = convert; }

}  // namespace semantics
