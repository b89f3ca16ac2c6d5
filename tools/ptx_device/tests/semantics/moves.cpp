// Moves, selections and comparisons: PTX ISA, "Data Movement and Conversion Instructions" and "Comparison and Selection
// Instructions".

#include <algorithm>

#include "semantics_numbers.h"

namespace semantics {
namespace {

void move(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  plans.push_back(plain(name, {of(t)}, {t.kind == 'p' ? flag() : of(t)},
                        [t](Lane& lane) { lane.out[0] = lane.in[0] & ones(t.bits); }));
  if (t.kind == 'p') {
    Plan negated = plain(name, {of(t)}, {flag()}, [](Lane& lane) { lane.out[0] = (lane.in[0] & 1) ^ 1; });
    negated.text = "$@mov.pred $0, !$1;";
    plans.push_back(negated);
    for (const U64 number : {0, 1}) {
      Plan constant = plain(name, {of(t)}, {}, [number](Lane& lane) { lane.out[0] = number; });
      constant.text = "$@mov.pred $0, " + std::to_string(number) + ";";
      plans.push_back(constant);
    }
  }
  if (t.kind == 'b' && t.bits >= 32) {
    const Type half{'b', t.bits / 2};
    const U64 low = ones(half.bits);
    const auto pack = [&](std::string text, std::vector<Operand> outs, std::vector<Operand> ins,
                          std::function<void(Lane&)> model) {
      Plan plan = plain(name, std::move(outs), std::move(ins), std::move(model));
      plan.text = "$@" + name.text + text;
      plans.push_back(std::move(plan));
    };
    pack(" $0, {$1, $2};", {of(t)}, {of(half), of(half)},
         [=](Lane& lane) { lane.out[0] = (lane.in[0] & low) | (lane.in[1] & low) << half.bits; });
    const auto first = [=](Lane& lane) { lane.out[0] = lane.in[0] & low; };
    const auto second = [=](Lane& lane) { lane.out[0] = lane.in[0] >> half.bits & low; };
    pack(" {$0, $1}, $2;", {of(half), of(half)}, {of(t)}, [=](Lane& lane) {
      first(lane);
      lane.out[1] = lane.in[0] >> half.bits & low;
    });
    pack(" {$0, _}, $1;", {of(half)}, {of(t)}, first);
    pack(" {_, $0}, $1;", {of(half)}, {of(t)}, second);
  }
  if (t == type_named("u32")) {
    // special registers of a thread's place
    const auto special = [&](const std::string& which, std::function<U64(const Lane&)> value) {
      Plan plan = plain(name, {of(t)}, {}, [=](Lane& lane) { lane.out[0] = value(lane) & ones(32); });
      plan.text = "$@mov.u32 $0, " + which + ";";
      plan.cases = 3 * kBlock;
      plans.push_back(std::move(plan));
    };
    special("%tid.x", [](const Lane& l) { return l.index % kBlock; });
    special("%ntid.x", [](const Lane&) { return kBlock; });
    special("%ctaid.x", [](const Lane& l) { return l.index / kBlock; });
    special("%nctaid.x", [](const Lane& l) { return l.threads / kBlock; });
    special("%laneid", [](const Lane& l) { return l.index % 32; });
    special("%warpid", [](const Lane& l) { return l.index % kBlock / 32; });
    special("%nwarpid", [](const Lane&) { return kBlock / 32; });
    special("WARP_SZ", [](const Lane&) { return 32; });
    special("%lanemask_eq", [](const Lane& l) { return U64{1} << l.index % 32; });
    special("%lanemask_lt", [](const Lane& l) { return ones(static_cast<int>(l.index % 32)); });
    special("%lanemask_le", [](const Lane& l) { return ones(static_cast<int>(l.index % 32) + 1); });
    special("%lanemask_gt", [](const Lane& l) { return ~ones(static_cast<int>(l.index % 32) + 1); });
    special("%lanemask_ge", [](const Lane& l) { return ~ones(static_cast<int>(l.index % 32)); });
    for (const auto axis : {".y", ".z"}) {
      for (const auto zero : {"%tid", "%ctaid"}) special(std::string(zero) + axis, [](const Lane&) { return 0; });
      for (const auto one : {"%ntid", "%nctaid"}) special(std::string(one) + axis, [](const Lane&) { return 1; });
    }
  }
}

void select(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  for (const bool negated : {false, true}) {
    Plan plan = plain(name, {of(t)}, {of(t), of(t), flag()}, [=](Lane& lane) {
      lane.out[0] = lane.in[((lane.in[2] & 1) != 0) != negated ? 0 : 1] & ones(t.bits);
    });
    if (negated) plan.text.replace(plan.text.rfind('$'), 1, "!$");
    plans.push_back(std::move(plan));
  }
}

/// Comparison of two numbers: less (-1), equal (0), greater (1), or a NaN among them (2).
int order(U64 a, U64 b, Type t) {
  if (t.is_float()) {
    if (is_nan(a, t.bits) || is_nan(b, t.bits)) return 2;
    const double x = t.bits == 32 ? as_float(a) : as_double(a), y = t.bits == 32 ? as_float(b) : as_double(b);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (t.is_signed()) return static_cast<I64>(a) < static_cast<I64>(b) ? -1 : a == b ? 0 : 1;
  return a < b ? -1 : a == b ? 0 : 1;
}

bool holds(std::string_view comparison, int found) {
  if (comparison == "num") return found != 2;
  if (comparison == "nan") return found == 2;
  // equ, ltu and so on: true for NaN, too
  if (found == 2) return comparison.size() == 3;
  const auto two = comparison.substr(0, 2);
  if (two == "eq") return found == 0;
  if (two == "ne") return found != 0;
  if (two == "lt" || two == "lo") return found < 0;
  if (two == "le" || two == "ls") return found <= 0;
  if (two == "gt" || two == "hi") return found > 0;
  return found >= 0;  // ge, hs
}

void compare(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const std::string comparison = name.words[0], combine = name.words.size() > 1 ? name.words[1] : "";
  for (int how = 0; how < 8; ++how) {
    // one predicate, two, or only the second; the third operand negated
    const bool second = (how & 1) != 0, first = (how & 2) == 0, negated = (how & 4) != 0;
    if ((!first && !second) || (negated && combine.empty())) continue;
    std::vector<Operand> outs(first && second ? 2 : 1, any("pred"));
    std::vector<Operand> ins{of(t), of(t)};
    if (!combine.empty()) ins.push_back(flag());
    Plan plan = plain(name, outs, ins, [=](Lane& lane) {
      const int found = order(t.is_float() ? lane.in[0] & ones(t.bits) : extended(lane.in[0], t),
                              t.is_float() ? lane.in[1] & ones(t.bits) : extended(lane.in[1], t), t);
      const bool p = holds(comparison, found), c = ((lane.in[2] & 1) != 0) != negated;
      const auto with = [&](bool x) {
        return combine == "and" ? x && c : combine == "or" ? x || c : combine == "xor" ? x != c : x;
      };
      int k = 0;
      if (first) lane.out[k++] = with(p);
      if (second) lane.out[k] = with(!p);
    });
    plan.text = "$@" + name.text;
    std::size_t k = 0;
    plan.text += first ? " $" + std::to_string(k++) : " _";
    if (second) plan.text += "|$" + std::to_string(k++);
    plan.text += ", $" + std::to_string(k) + ", $" + std::to_string(k + 1);
    if (!combine.empty()) plan.text += std::string(negated ? ", !$" : ", $") + std::to_string(k + 2);
    plan.text += ";";
    plans.push_back(std::move(plan));
  }
}

/// To the generic address space and back: bytes behind an address, and the address of a global variable.
void address(const Name& name, std::vector<Plan>& plans) {
  const bool to = name.has("to");
  const auto space = name.one_of({"const", "global", "local", "shared", "shared::cta", "param", "param::entry"});
  Plan plan;
  const std::string there = "cvta." + std::string(space) + ".u64", back = "cvta.to." + std::string(space) + ".u64";
  const std::string kind(space.substr(0, space.find(':')));
  plan.before = "$area_" + kind + "\n";
  plan.ins = {{type_named("b64"), Operand::Values::kAny, 0, false}};
  plan.outs = {any("b64")};
  const bool fixed = kind == "const" || kind == "param";
  const std::string store = fixed ? "" : "st." + kind + ".b64 [%area], $1;\n";
  plan.text = store + (to ? there + " %a6, %area;\n$@" + name.text + " %a7, %a6;\nld." + kind + ".b64 $0, [%a7];"
                          : "$@" + name.text + " %a6, %area;\nld.b64 $0, [%a6];");
  plan.guards = false;
  plan.cases = kBlock;
  plan.model = each([=](Lane& lane) {
    if (!fixed) {
      lane.out[0] = lane.in[0];
      return;
    }
    const std::size_t at = (kind == "const" ? lane.index % kBlock : lane.index % 4) * 16;
    U64 d = 0;
    for (int k = 0; k < 8; ++k) d |= static_cast<U64>(table_bytes()[at + static_cast<std::size_t>(k)]) << (8 * k);
    lane.out[0] = d;
  });
  plans.push_back(std::move(plan));
}

}  // namespace

void add_moves(Planners& all) {
  all["mov"] = move;
  all["selp"] = select;
  all["setp"] = compare;
  all["cvta"] = address;
}

}  // namespace semantics
