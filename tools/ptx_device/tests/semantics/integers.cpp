// Integer arithmetic: PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic
// Instructions".

#include "form.h"

namespace semantics {
namespace {

using Wide = __int128;

/// The value of operand k.
Wide value(const Lane& lane, std::size_t k, Type t) {
  const U64 v = extended(lane.in[k], t);
  return t.is_signed() ? static_cast<Wide>(static_cast<I64>(v)) : static_cast<Wide>(v);
}

void two(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const std::string op = name.op;
  plans.push_back(plain(name, {of(t)}, {of(t), of(t)}, [op, t](Lane& lane) {
    const Wide a = value(lane, 0, t), b = value(lane, 1, t);
    Wide d = 0;
    if (op == "add") d = a + b;
    if (op == "sub") d = a - b;
    if (op == "min") d = a < b ? a : b;
    if (op == "max") d = a > b ? a : b;
    if (op == "div" || op == "rem") {
      // the value is unspecified, but the instruction returns
      lane.open = b == 0;
      if (b != 0) d = op == "div" ? a / b : a % b;
    }
    lane.out[0] = static_cast<U64>(d) & ones(t.bits);
  }));
}

void one(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const bool is_abs = name.op == "abs";
  plans.push_back(plain(name, {of(t)}, {of(t)}, [is_abs, t](Lane& lane) {
    const Wide a = value(lane, 0, t);
    lane.out[0] = static_cast<U64>(is_abs && a > 0 ? a : -a) & ones(t.bits);
  }));
}

/// The part of a product that the name selects, and its type.
Type product_type(const Name& name) {
  Type t = name.type();
  if (name.has("wide")) t.bits *= 2;
  return t;
}
Wide product(const Lane& lane, Type t, bool high) {
  if (t.is_signed()) {
    const Wide all = value(lane, 0, t) * value(lane, 1, t);
    return high ? all >> t.bits : all;
  }
  const auto all = static_cast<unsigned __int128>(lane.in[0] & ones(t.bits)) * (lane.in[1] & ones(t.bits));
  return static_cast<Wide>(high ? all >> t.bits : all);
}

void multiply(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type(), result = product_type(name);
  const bool high = name.has("hi");
  plans.push_back(plain(name, {of(result)}, {of(t), of(t)}, [=](Lane& lane) {
    lane.out[0] = static_cast<U64>(product(lane, t, high)) & ones(result.bits);
  }));
}

void multiply_add(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type(), result = product_type(name);
  const bool high = name.has("hi");
  plans.push_back(plain(name, {of(result)}, {of(t), of(t), of(result)}, [=](Lane& lane) {
    lane.out[0] = (static_cast<U64>(product(lane, t, high)) + lane.in[2]) & ones(result.bits);
  }));
}

/// With the incoming carry as the last input, and the outgoing carry as a second output. Subtractions use the carry as
/// a borrow, and so do the two that set and read it here.
void carry(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const bool subtracts = name.op.starts_with("sub"), multiplies = name.op.starts_with("mad");
  const bool reads = name.op.back() == 'c', writes = name.has("cc"), high = name.has("hi");
  const std::size_t count = multiplies ? 3 : 2;
  std::vector<Operand> ins(count, of(t));
  ins.push_back(flag());
  Plan plan = plain(name, {of(t), any("u32")}, ins, {});
  std::string operands = " $0";
  for (std::size_t k = 0; k < count; ++k) operands += ", $" + std::to_string(2 + k);
  const std::string carry_in = "$" + std::to_string(2 + count);
  plan.before = "selp.u32 %t5, 1, 0, " + carry_in + ";\n";
  plan.before += subtracts ? "sub.cc.u32 %t6, 0, %t5;\n" : "add.cc.u32 %t6, %t5, 0xffffffff;\n";
  plan.text = "$@" + name.text + operands + ";\n" + (subtracts ? "subc.u32 $1, 0, 0;" : "addc.u32 $1, 0, 0;");
  plan.own_guard = true;
  plan.model = each([=](Lane& lane) {
    const unsigned __int128 last = lane.in[multiplies ? 2 : 1] & ones(t.bits);
    const unsigned __int128 first =
        multiplies ? static_cast<U64>(product(lane, t, high)) & ones(t.bits) : lane.in[0] & ones(t.bits);
    const bool before = (lane.in[count] & 1) != 0;
    const unsigned __int128 from = reads && before ? 1 : 0;
    const unsigned __int128 d = subtracts ? first - last - from : first + last + from;
    lane.out[0] = (lane.on ? static_cast<U64>(d) : lane.in[kIns - 1]) & ones(t.bits);
    const bool after = writes && lane.on ? (d >> t.bits & 1) != 0 : before;
    lane.out[1] = after ? (subtracts ? 0xffffffff : 1) : 0;
  });
  plans.push_back(std::move(plan));
}

}  // namespace

void add_integers(Planners& all) {
  const auto integer = [&all](std::string_view op, Planner planner) {
    const auto before = all.find(op);
    Planner other = before == all.end() ? Planner{} : before->second;
    all[std::string(op)] = [=](const Name& name, std::vector<Plan>& plans) {
      if (!name.type().is_float()) {
        if (name.has("cc") || name.op.back() == 'c') {
          carry(name, plans);
        } else {
          planner(name, plans);
        }
      } else if (other) {
        other(name, plans);
      }
    };
  };
  for (const auto op : {"add", "sub", "div", "rem", "min", "max"}) integer(op, two);
  for (const auto op : {"neg", "abs"}) integer(op, one);
  integer("mul", multiply);
  integer("mad", multiply_add);
  for (const auto op : {"addc", "subc", "madc"}) integer(op, carry);
}

}  // namespace semantics
