// Floats: PTX ISA, "Floating Point Instructions". NaN results of single precision are 0x7fffffff; in double precision
// payloads are kept, from an unspecified operand.

#include "semantics_numbers.h"

namespace semantics {
namespace {

/// Sets the output to a result; a NaN may have the payload of any of the operands.
void result(Lane& lane, U64 d, int bits, std::initializer_list<U64> operands) {
  lane.out[0] = d;
  if (!is_nan(d, bits)) return;
  if (bits == 32) {
    lane.out[0] = kNan32;
    return;
  }
  const U64 quiet = U64{1} << 51;
  std::vector<U64> payloads;
  for (const U64 o : operands) {
    if (is_nan(o, 64)) payloads.push_back(o | quiet);
  }
  if (payloads.size() == 1) {
    lane.out[0] = payloads[0];
  } else if (payloads.size() == 2) {
    lane.out[0].either(payloads[0], payloads[1]);
  } else {
    lane.out[0].any_nan = true;
  }
}

/// Clamped to 0 .. 1; NaN becomes 0.
void saturate(Lane& lane) {
  const U64 d = lane.out[0].value;
  const float x = as_float(d);
  if (is_nan(d, 32)) {
    lane.out[0] = 0;
  } else if (d == sign_of(32)) {
    lane.out[0].either(0, d);  // the zero's sign is unspecified
  } else {
    lane.out[0] = bits_of(x < 0 ? 0.0f : x > 1 ? 1.0f : x);
  }
}

void two(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const std::string op = name.op;
  const bool saturates = name.has("sat");
  plans.push_back(plain(name, {of(t)}, {of(t), of(t)}, [=](Lane& lane) {
    const U64 a = lane.in[0] & ones(t.bits), b = lane.in[1] & ones(t.bits);
    U64 d = 0;
    if (op == "add") d = add(a, b, t.bits);
    if (op == "sub") d = add(a, is_nan(b, t.bits) ? b : b ^ sign_of(t.bits), t.bits);
    if (op == "mul") d = multiply(a, b, t.bits);
    if (op == "div") d = divide(a, b, t.bits);
    result(lane, d, t.bits, {a, b});
    if (saturates) saturate(lane);
  }));
}

/// Of a number and a NaN, the number; -0 is less than +0.
void extreme(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const bool is_min = name.op == "min";
  plans.push_back(plain(name, {of(t)}, {of(t), of(t)}, [=](Lane& lane) {
    const U64 a = lane.in[0] & ones(t.bits), b = lane.in[1] & ones(t.bits);
    const bool no_a = is_nan(a, t.bits), no_b = is_nan(b, t.bits);
    if (no_a && no_b) {
      result(lane, a, t.bits, {a, b});
      return;
    }
    // signed magnitudes are in order as integers
    const auto order = [&](U64 x) {
      const U64 size = x & ones(t.bits - 1);
      return (x & sign_of(t.bits)) != 0 ? -static_cast<__int128>(size) - 1 : static_cast<__int128>(size);
    };
    const bool first = no_b || (!no_a && (is_min ? order(a) < order(b) : order(a) > order(b)));
    lane.out[0] = first ? a : b;
  }));
}

void fuse(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const bool saturates = name.has("sat");
  plans.push_back(plain(name, {of(t)}, {of(t), of(t), of(t)}, [=](Lane& lane) {
    const U64 a = lane.in[0] & ones(t.bits), b = lane.in[1] & ones(t.bits), c = lane.in[2] & ones(t.bits);
    result(lane, fused(a, b, c, t.bits), t.bits, {a, b, c});
    int payloads = 0;
    for (const U64 x : {a, b, c}) payloads += is_nan(x, t.bits);
    if (t.bits == 64 && payloads == 3) lane.out[0].any_nan = true;
    if (saturates) saturate(lane);
  }));
}

void one(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const std::string op = name.op;
  plans.push_back(plain(name, {of(t)}, {of(t)}, [=](Lane& lane) {
    const U64 a = lane.in[0] & ones(t.bits);
    if (op == "neg" || op == "abs") {
      lane.out[0] = op == "neg" ? a ^ sign_of(t.bits) : a & ~sign_of(t.bits);
      lane.out[0].any_nan = is_nan(a, t.bits);  // which one is unspecified
      return;
    }
    const U64 unit = t.bits == 32 ? bits_of(1.0f) : bits_of(1.0);
    result(lane, op == "sqrt" ? root(a, t.bits) : divide(unit, a, t.bits), t.bits, {a});
  }));
}

void sign(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  plans.push_back(plain(name, {of(t)}, {of(t), of(t)}, [=](Lane& lane) {
    const U64 s = sign_of(t.bits);
    lane.out[0] = ((lane.in[0] & s) | (lane.in[1] & ~s)) & ones(t.bits);
  }));
}

void property(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const std::string what = name.words[0];
  plans.push_back(plain(name, {any("pred")}, {of(t)}, [=](Lane& lane) {
    const U64 a = lane.in[0] & ones(t.bits), size = a & ~sign_of(t.bits), least = U64{1} << format_of(t.bits).fraction;
    const bool nan = is_nan(a, t.bits), infinite = is_infinite(a, t.bits), subnormal = size != 0 && size < least;
    lane.out[0] = what == "finite"       ? !nan && !infinite
                  : what == "infinite"   ? infinite
                  : what == "number"     ? !nan
                  : what == "notanumber" ? nan
                  : what == "normal"     ? !nan && !infinite && !subnormal
                                         : subnormal;
  }));
}

}  // namespace

void add_floats(Planners& all) {
  for (const auto op : {"add", "sub", "mul", "div"}) all[op] = two;
  for (const auto op : {"min", "max"}) all[op] = extreme;
  for (const auto op : {"fma", "mad"}) all[op] = fuse;
  for (const auto op : {"neg", "abs", "sqrt", "rcp"}) all[op] = one;
  all["copysign"] = sign;
  all["testp"] = property;
}

}  // namespace semantics
