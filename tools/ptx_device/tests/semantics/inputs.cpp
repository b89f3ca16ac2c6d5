// Inputs: edge values of each type, pairs of them, and random values of all sizes.

#include <cstdio>

#include "form.h"
#include "semantics_numbers.h"

namespace semantics {

Type type_named(std::string_view word) {
  if (word == "pred") return {'p', 1};
  for (const std::string_view known :
       {"b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64"}) {
    if (word == known) return {word[0], std::stoi(std::string(word.substr(1)))};
  }
  return {};
}

Name::Name(std::string all) : text(std::move(all)) {
  std::string_view rest = text;
  for (bool first = true; !rest.empty(); first = false) {
    const auto end = rest.find('.');
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (first) {
      op = word;
    } else if (const Type t = type_named(word); t.kind != 0) {
      types.push_back(t);
    } else {
      words.emplace_back(word);
    }
  }
}

bool Name::has(std::string_view word) const {
  for (const std::string& w : words) {
    if (w == word) return true;
  }
  return false;
}

std::string_view Name::one_of(std::initializer_list<std::string_view> some) const {
  for (const auto word : some) {
    if (has(word)) return word;
  }
  return {};
}

Plan plain(const Name& name, std::vector<Operand> outs, std::vector<Operand> ins, std::function<void(Lane&)> model) {
  Plan plan;
  plan.text = "$@" + name.text;
  for (std::size_t k = 0; k < outs.size() + ins.size(); ++k) plan.text += (k == 0 ? " $" : ", $") + std::to_string(k);
  plan.text += ";";
  plan.outs = std::move(outs);
  plan.ins = std::move(ins);
  plan.model = each(std::move(model));
  return plan;
}

U64 random_bits(U64& state) {
  state += 0x9e3779b97f4a7c15;
  U64 z = state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

const std::vector<std::uint8_t>& table_bytes() {
  static const std::vector<std::uint8_t> all = [] {
    std::vector<std::uint8_t> bytes(16 * kBlock);
    U64 state = 5;
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random_bits(state));
    return bytes;
  }();
  return all;
}

std::vector<U64> edge_values(const Operand& operand) {
  const int bits = operand.type.bits;
  std::vector<U64> all;
  if (operand.values == Operand::Values::kFlag || operand.type.kind == 'p') return {0, 1};
  if (operand.values == Operand::Values::kShift) {
    for (const U64 n : {0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257, 288, 512}) {
      all.push_back(n);
    }
    for (const U64 n : {0x80000000u, 0xffffffffu, 0xffffffe0u, 0x10000u, 0x10001u}) all.push_back(n);
    return all;
  }
  if (operand.type.is_float()) {
    const auto both = [&](U64 b) {
      all.push_back(b);
      all.push_back(b ^ sign_of(bits));
    };
    const Format f = format_of(bits);
    const U64 infinity = ones(bits - 1 - f.fraction) << f.fraction;
    for (const U64 b : {U64{0}, U64{1}, U64{2}, ones(f.fraction), ones(f.fraction) + 1, ones(f.fraction) + 2,
                        infinity - 1, infinity}) {
      both(b);
    }
    const auto value = [&](double x) {
      const U64 b = bits == 32 ? bits_of(static_cast<float>(x)) : bits_of(x);
      both(b);
      both(b + 1);
      both(b - 1);
    };
    for (const double x : {1.0, 0.5, 1.5, 2.5, 3.5, 127.5, 255.5, 32767.5, 65535.5}) value(x);
    for (const double x : {128.0, 256.0, 32768.0, 65536.0, 8388608.0, 16777216.0, 2147483648.0, 4294967296.0}) value(x);
    for (const double x : {4503599627370496.0, 9007199254740992.0, 9223372036854775808.0, 18446744073709551616.0})
      value(x);
    if (bits == 64) {
      for (const double x : {2147483647.5, 4294967295.5, 1e40, 1e-40, 1e-310}) value(x);
      // halfway between neighbours in single precision, subnormal ones and the largest included
      for (const U64 b :
           {0x3ff0000010000000u, 0x3ff0000030000000u, 0x47efffffe0000000u, 0x47effffff0000000u, 0x3690000000000000u,
            0x36a0000000000000u, 0x36a8000000000000u, 0x380fffffc0000000u, 0x380fffffe0000000u}) {
        both(b);
        both(b + 1);
        both(b - 1);
      }
    } else {
      for (const double x : {1e30, 1e-30, 1e-40}) value(x);
    }
    // NaNs, quiet and signalling
    const U64 quiet = U64{1} << (f.fraction - 1);
    for (const U64 b : {infinity | quiet, infinity | 1, infinity | quiet | 0x1234, infinity | ones(f.fraction)})
      both(b);
    return all;
  }
  const auto add = [&](U64 v) {
    v &= ones(bits);
    for (const U64 known : all) {
      if (known == v) return;
    }
    all.push_back(v);
  };
  for (const U64 n : {0, 1, 2, 3, 5, 7, 10, 31, 32, 33, 100}) {
    add(n);
    add(0 - n);
  }
  for (const int b : {7, 8, 15, 16, 24, 25, 31, 32, 53, 54, 63}) {
    if (b > bits) continue;
    const U64 n = U64{1} << b;
    add(n);
    add(n - 1);
    add(n + 1);
    add(0 - n);
    add(0 - n - 1);
  }
  add(ones(bits));
  add(ones(bits) >> 1);
  add(0x5555555555555555);
  add(0xaaaaaaaaaaaaaaaa);
  return all;
}

std::string literal(Type type, U64 bits) {
  char text[40];
  if (type.is_float()) {
    std::snprintf(text, sizeof text, type.bits == 32 ? "0f%08llX" : "0d%016llX", static_cast<unsigned long long>(bits));
  } else if (type.is_signed() || type.bits < 32) {
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(extended(bits, type)));
  } else {
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
  }
  return text;
}

namespace {

U64 random_value(const Operand& operand, U64& state, const Lane& lane, std::size_t k) {
  const U64 how = random_bits(state), bits = random_bits(state);
  const int width = operand.type.bits;
  if (operand.values == Operand::Values::kFlag || operand.type.kind == 'p') return how & 1;
  if (operand.values == Operand::Values::kShift) return how % 4 == 0 ? bits & ones(32) : bits % 70;
  // near the previous operand
  if (k > 0 && how % 4 == 0) return lane.in[k - 1] + bits % 3 - 1;
  if (!operand.type.is_float()) return bits >> (how / 8 % 64);
  if (how % 4 == 1) return bits;
  // sizes at which sums round and conversions are in range
  const Format f = format_of(width);
  const U64 exponent = static_cast<U64>(f.bias) - 30 + how / 8 % (how % 4 == 2 ? 100 : 40);
  const U64 fraction = how / 1024 % 3 == 0 ? bits >> 8 & ~ones(f.fraction - 3) : bits >> 8;
  return (bits & 1) << (width - 1) | exponent << f.fraction | (fraction & ones(f.fraction));
}

}  // namespace

void generate(const Plan& plan, std::span<Lane> lanes, U64 seed) {
  U64 state = seed;
  std::vector<std::vector<U64>> edges;
  std::size_t pairs = 1;
  for (const Operand& o : plan.ins) {
    edges.push_back(edge_values(o));
    pairs *= edges.back().size();
  }
  const bool all_pairs = pairs <= lanes.size();
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    Lane& lane = lanes[i];
    for (U64& in : lane.in) in = random_bits(state);
    std::size_t rest = i;
    for (std::size_t k = 0; k < plan.ins.size(); ++k) {
      const Operand& o = plan.ins[k];
      const std::vector<U64>& of = edges[k];
      U64 v;
      if (all_pairs && i < pairs) {
        v = of[rest % of.size()];
        rest /= of.size();
      } else if (!all_pairs && random_bits(state) % 2 == 0) {
        v = of[random_bits(state) % of.size()];
      } else {
        v = random_value(o, state, lane, k);
      }
      // above an operand's type its register may have any bits
      const U64 garbage = o.type.kind == 'p' ? 0 : random_bits(state) & ~ones(o.type.bits);
      lane.in[k] = o.type.kind == 'p' ? v & 1 : (v & ones(o.type.bits)) | garbage;
    }
  }
  if (plan.prepare) {
    for (std::size_t b = 0; b + kBlock <= lanes.size(); b += kBlock) plan.prepare(lanes.subspan(b, kBlock));
  }
}

}  // namespace semantics
