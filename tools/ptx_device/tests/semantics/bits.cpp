// Bits: PTX ISA, "Logic and Shift Instructions", and the bit-field ones of "Integer Arithmetic Instructions".

#include <algorithm>

#include "form.h"

namespace semantics {
namespace {

int bit(U64 a, int k) { return static_cast<int>(a >> k & 1); }

void logic(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const std::string op = name.op;
  const auto model = [=](Lane& lane, U64 a, U64 b) {
    U64 d = 0;
    if (op == "and") d = a & b;
    if (op == "or") d = a | b;
    if (op == "xor") d = a ^ b;
    if (op == "not") d = ~a;
    if (op == "cnot") d = (a & ones(t.bits)) == 0;
    lane.out[0] = d & ones(t.bits);
  };
  std::vector<Operand> ins(op == "not" || op == "cnot" ? 1 : 2, t.kind == 'p' ? flag() : of(t));
  plans.push_back(plain(name, {of(t)}, ins, [=](Lane& lane) { model(lane, lane.in[0], lane.in[1]); }));
  if (t.kind != 'p') return;
  // with a predicate negated
  Plan plan = plain(name, {of(t)}, ins,
                    [=](Lane& lane) { model(lane, ins.size() == 1 ? lane.in[0] ^ 1 : lane.in[0], lane.in[1] ^ 1); });
  plan.text.replace(plan.text.rfind('$'), 1, "!$");
  plans.push_back(std::move(plan));
}

void count(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const std::string op = name.op;
  const Type result = op == "brev" ? t : type_named("u32");
  plans.push_back(plain(name, {of(result)}, {of(t)}, [=](Lane& lane) {
    U64 d = 0;
    for (int k = 0; k < t.bits; ++k) {
      if (op == "popc") d += static_cast<U64>(bit(lane.in[0], k));
      if (op == "brev") d |= static_cast<U64>(bit(lane.in[0], k)) << (t.bits - 1 - k);
    }
    if (op == "clz") {
      while (d < static_cast<U64>(t.bits) && bit(lane.in[0], t.bits - 1 - static_cast<int>(d)) == 0) ++d;
    }
    lane.out[0] = d;
  }));
}

void find(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const bool amount = name.has("shiftamt");
  plans.push_back(plain(name, {any("u32")}, {of(t)}, [=](Lane& lane) {
    const int top = t.bits - 1, sign = t.is_signed() ? bit(lane.in[0], top) : 0;
    int k = top;
    while (k >= 0 && bit(lane.in[0], k) == sign) --k;
    lane.out[0] = k < 0 ? 0xffffffff : static_cast<U64>(amount ? top - k : k);
  }));
}

void extract(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  plans.push_back(plain(name, {of(t)}, {of(t), shift(), shift()}, [=](Lane& lane) {
    const int top = t.bits - 1, from = static_cast<int>(lane.in[1] & 255), length = static_cast<int>(lane.in[2] & 255);
    const int sign = t.is_signed() && length > 0 ? bit(lane.in[0], std::min(from + length - 1, top)) : 0;
    U64 d = 0;
    for (int k = 0; k <= top; ++k) {
      d |= static_cast<U64>(k < length && from + k <= top ? bit(lane.in[0], from + k) : sign) << k;
    }
    lane.out[0] = d;
  }));
}

void insert(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  plans.push_back(plain(name, {of(t)}, {of(t), of(t), shift(), shift()}, [=](Lane& lane) {
    const int from = static_cast<int>(lane.in[2] & 255), length = static_cast<int>(lane.in[3] & 255);
    U64 d = lane.in[1] & ones(t.bits);
    for (int k = 0; k < length && from + k < t.bits; ++k) {
      d = (d & ~(U64{1} << (from + k))) | static_cast<U64>(bit(lane.in[0], k)) << (from + k);
    }
    lane.out[0] = d;
  }));
}

void mask(const Name& name, std::vector<Plan>& plans) {
  const bool clamps = name.has("clamp");
  plans.push_back(plain(name, {any("b32")}, {shift(), shift()}, [=](Lane& lane) {
    // bits a to a + b - 1
    const U64 a = lane.in[0] & ones(32), b = lane.in[1] & ones(32);
    const U64 from = clamps ? std::min<U64>(a, 32) : a % 32, length = clamps ? std::min<U64>(b, 32) : b % 32;
    U64 d = 0;
    for (U64 k = from; k < from + length && k < 32; ++k) d |= U64{1} << k;
    lane.out[0] = d;
  }));
}

void shift_plain(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const bool left = name.op == "shl";
  plans.push_back(plain(name, {of(t)}, {of(t), shift()}, [=](Lane& lane) {
    // amounts past the width count as the width
    const auto n = static_cast<int>(std::min<U64>(lane.in[1] & ones(32), static_cast<U64>(t.bits)));
    const U64 a = extended(lane.in[0], t);
    U64 d = a;
    for (int k = 0; k < n; ++k) d = left ? d << 1 : t.is_signed() ? static_cast<U64>(static_cast<I64>(d) >> 1) : d >> 1;
    lane.out[0] = d & ones(t.bits);
  }));
}

void shift_funnel(const Name& name, std::vector<Plan>& plans) {
  const bool left = name.has("l"), clamps = name.has("clamp");
  plans.push_back(plain(name, {any("b32")}, {any("b32"), any("b32"), shift()}, [=](Lane& lane) {
    const U64 both = (lane.in[1] & ones(32)) << 32 | (lane.in[0] & ones(32)), c = lane.in[2] & ones(32);
    const U64 n = clamps ? std::min<U64>(c, 32) : c & 31;
    lane.out[0] = left ? both << n >> 32 : both >> n & ones(32);
  }));
}

void permute(const Name& name, std::vector<Plan>& plans) {
  plans.push_back(plain(name, {any("b32")}, {any("b32"), any("b32"), any("b32")}, [](Lane& lane) {
    const U64 both = (lane.in[1] & ones(32)) << 32 | (lane.in[0] & ones(32));
    U64 d = 0;
    for (int k = 0; k < 4; ++k) {
      const U64 pick = lane.in[2] >> (4 * k) & 15, byte = both >> (8 * (pick & 7)) & 255;
      d |= ((pick & 8) == 0 ? byte : byte >= 128 ? 255 : 0) << (8 * k);
    }
    lane.out[0] = d;
  }));
}

/// Each of the 256 functions of three bits.
void any_logic(const Name& name, std::vector<Plan>& plans) {
  for (unsigned table = 0; table < 256; ++table) {
    Plan plan = plain(name, {any("b32")}, {any("b32"), any("b32"), any("b32")}, [table](Lane& lane) {
      U64 d = 0;
      for (int k = 0; k < 32; ++k) {
        const int at = bit(lane.in[0], k) * 4 + bit(lane.in[1], k) * 2 + bit(lane.in[2], k);
        d |= static_cast<U64>(table >> at & 1) << k;
      }
      lane.out[0] = d;
    });
    plan.text.insert(plan.text.size() - 1, ", " + std::to_string(table));
    plan.cases = 2 * kBlock;
    plan.plain_only = table % 16 != 8;
    plans.push_back(std::move(plan));
  }
}

}  // namespace

void add_bits(Planners& all) {
  for (const auto op : {"and", "or", "xor", "not", "cnot"}) all[op] = logic;
  for (const auto op : {"popc", "clz", "brev"}) all[op] = count;
  all["bfind"] = find;
  all["bfe"] = extract;
  all["bfi"] = insert;
  all["bmsk"] = mask;
  all["shl"] = all["shr"] = shift_plain;
  all["shf"] = shift_funnel;
  all["prmt"] = permute;
  all["lop3"] = any_logic;
}

}  // namespace semantics
