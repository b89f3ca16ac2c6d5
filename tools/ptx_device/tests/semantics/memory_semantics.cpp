// Loads, stores and atomic operations: PTX ISA, "Data Movement and Conversion Instructions" and "Parallel
// Synchronization and Communication Instructions". Each thread has 16 bytes of its own; other instructions write them
// before, and read them after, the tested one.

#include <algorithm>

#include "semantics_numbers.h"

namespace semantics {
namespace {

std::string space_of(const Name& name) {
  const auto space = name.one_of({"global", "shared", "shared::cta", "local", "const", "param", "param::entry"});
  return std::string(space.substr(0, space.find(':')));
}

int elements(const Name& name) { return name.has("v4") ? 4 : name.has("v2") ? 2 : 1; }

/// $first or {$first, ...}
std::string list(int first, int count) {
  std::string text = "$" + std::to_string(first);
  for (int k = 1; k < count; ++k) text += ", $" + std::to_string(first + k);
  return count == 1 ? text : "{" + text + "}";
}

/// Types narrower than registers use registers of all widths: the form's name selects one, so that all are tested over
/// caches and scopes.
int register_of(const Name& name, Type t) {
  if (t.is_float() || t.bits == 64) return 0;
  const std::size_t pick = std::hash<std::string>{}(name.text) % 3;
  return pick == 0 ? 0 : pick == 1 ? std::max(t.bits, 32) : 64;
}

/// Hints and scopes change no value: forms with them are tested in only one way.
bool has_hints(const Name& name) {
  if (!name.one_of({"gpu", "sys"}).empty()) return true;
  for (const std::string& word : name.words) {
    if (word.starts_with("L1::") || word.starts_with("L2::")) return true;
  }
  return !name.one_of({"ca", "cg", "cs", "lu", "cv", "wb", "wt"}).empty();
}

Operand raw() { return {type_named("b64"), Operand::Values::kAny, 0, false}; }

/// Spaces of a generic address.
std::vector<std::string> places(const Name& name, bool with_local) {
  const std::string space = space_of(name);
  if (!space.empty()) return {space};
  if (with_local) return {"global", "shared", "local"};
  return {"global", "shared"};
}

/// The 16 bytes of a thread hold $x and $x+1.
std::string fill_area(const Name& name, const std::string& place, int x) {
  std::string text = "$area_" + place + "\n";
  if (place != "const" && place != "param") {
    text += "st." + place + ".b64 [%area], $" + std::to_string(x) + ";\n";
    text += "st." + place + ".b64 [%area+8], $" + std::to_string(x + 1) + ";\n";
  }
  if (space_of(name).empty() && place != "global") text += "cvta." + place + ".u64 %area, %area;\n";
  return text;
}

std::uint8_t byte_of(const Lane& lane, const std::string& place, int first, int k) {
  const auto at = static_cast<std::size_t>(k);
  if (place == "const") return table_bytes()[lane.index % kBlock * 16 + at];
  if (place == "param") return table_bytes()[lane.index % 4 * 16 + at];
  return static_cast<std::uint8_t>(lane.in[first + k / 8] >> (8 * (k % 8)));
}

Model load_model(Type t, int count, int width, std::string place) {
  return each([=](Lane& lane) {
    for (int e = 0; e < count; ++e) {
      U64 v = 0;
      for (int k = 0; k < t.bits / 8; ++k) {
        v |= static_cast<U64>(byte_of(lane, place, 0, e * t.bits / 8 + k)) << (8 * k);
      }
      lane.out[e] = extended(v, t) & ones(width);
    }
  });
}

void load(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const int count = elements(name);
  const Operand out{t, Operand::Values::kAny, register_of(name, t)};
  for (const std::string& place : places(name, !name.has("nc") && name.op == "ld")) {
    Plan plan;
    plan.plain_only = has_hints(name);
    plan.before = fill_area(name, place, count);
    plan.text = "$@" + name.text + " " + list(0, count) + ", [%area];";
    plan.outs.assign(static_cast<std::size_t>(count), out);
    plan.ins = {raw(), raw()};
    plan.cases = kBlock;
    plan.model = load_model(t, count, out.width(), place);
    plans.push_back(plan);
    if (count > 1 && !plan.plain_only) {
      // one unused element, at an address before the register's
      Plan part = plan;
      part.outs.resize(1);
      part.before = fill_area(name, place, 1) + "add.u64 %area, %area, 32;\n";
      part.text = "$@" + name.text + (count == 2 ? " {_, $0}" : " {_, _, $0, _}") + ", [%area+-32];";
      part.model = [=, model = plan.model](Block block) {
        model(block);
        for (Lane& lane : block) lane.out[0] = lane.out[count / 2].value;
      };
      plans.push_back(std::move(part));
    }
    if (place != "param") continue;
    // at an immediate address
    plan.text = "$@" + name.text + " " + list(0, count) + ", [pa+48];";
    plan.model = [=, model = plan.model](Block block) {
      for (Lane& lane : block) {
        Lane last = lane;
        last.index = 3;
        model({&last, 1});
        std::copy(std::begin(last.out), std::end(last.out), std::begin(lane.out));
      }
    };
    plans.push_back(plan);
    if (name.has("param::entry")) continue;
    // the result of a function
    plan.before = "{ .param .align 16 .b8 p0[16]; .param .align 16 .b8 r0[16];\nst.param.b64 [p0], $" +
                  std::to_string(count) + ";\nst.param.b64 [p0+8], $" + std::to_string(count + 1) +
                  ";\ncall (r0), echo, (p0);\n";
    plan.text = name.text + " " + list(0, count) + ", [r0];\n}";
    plan.guards = false;
    plan.model = load_model(t, count, out.width(), "");
    plans.push_back(plan);
  }
}

void store(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const int count = elements(name), bytes = t.bits / 8;
  const Operand in{t, Operand::Values::kAny, register_of(name, t), count == 1 && t.bits >= 16};
  for (const std::string& place : places(name, !name.has("volatile") && !name.has("relaxed") && !name.has("release"))) {
    Plan plan;
    plan.plain_only = has_hints(name);
    plan.outs = {any("b64"), any("b64")};
    plan.ins = {raw(), raw()};
    plan.ins.insert(plan.ins.end(), static_cast<std::size_t>(count), in);
    plan.cases = kBlock;
    plan.own_guard = true;
    const std::string store = " [%area+" + std::to_string(16 - count * bytes) + "], " + list(4, count) + ";\n";
    if (place == "param") {
      plan.before =
          "{ .param .align 16 .b8 p0[16]; .param .align 16 .b8 r0[16];\nst.param.b64 [p0], $2;\n"
          "st.param.b64 [p0+8], $3;\n";
      plan.text = name.text + " [p0+" + std::to_string(16 - count * bytes) + "], " + list(4, count) +
                  ";\ncall (r0), echo, (p0);\nld.param.b64 $0, [r0];\nld.param.b64 $1, [r0+8];\n}";
      plan.guards = false;
    } else {
      plan.before = fill_area(name, place, 2);
      const std::string generic = space_of(name).empty() ? "" : "." + place;
      plan.text = "$@" + name.text + store + "ld" + generic + ".b64 $0, [%area];\nld" + generic + ".b64 $1, [%area+8];";
    }
    plan.model = each([=](Lane& lane) {
      U64 both[2]{lane.in[0], lane.in[1]};
      for (int e = 0; e < count && lane.on; ++e) {
        const int at = 16 - count * bytes + e * bytes, shift = at % 8 * 8;
        U64& word = both[at / 8];
        word = (word & ~(ones(t.bits) << shift)) | (lane.in[2 + e] & ones(t.bits)) << shift;
      }
      lane.out[0] = both[0];
      lane.out[1] = both[1];
    });
    plans.push_back(std::move(plan));
  }
}

/// Memory after an atomic operation. Sums of floats in single precision lose subnormals in global memory.
U64 after(std::string_view op, Type t, bool flushes, U64 a, U64 b, U64 c) {
  if (op == "and") return a & b;
  if (op == "or") return a | b;
  if (op == "xor") return a ^ b;
  if (op == "exch") return b;
  if (op == "cas") return a == b ? c : a;
  if (op == "inc") return a >= b ? 0 : a + 1;
  if (op == "dec") return a == 0 || a > b ? b : a - 1;
  if (op == "add" && t.is_float()) {
    const auto flushed = [&](U64 x) { return flushes && (x & 0x7f800000) == 0 ? x & sign_of(32) : x; };
    return flushed(add(flushed(a), flushed(b), t.bits));
  }
  if (op == "add") return (a + b) & ones(t.bits);
  const U64 x = extended(a, t), y = extended(b, t);
  const bool less = t.is_signed() ? static_cast<I64>(x) < static_cast<I64>(y) : x < y;
  return less == (op == "min") ? a : b;
}

void atomic(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const auto op = std::string(name.one_of({"and", "or", "xor", "add", "inc", "dec", "min", "max", "exch", "cas"}));
  const bool returns = name.op == "atom", swaps = op == "cas";
  for (const std::string& place : places(name, false)) {
    for (const bool sink : {false, true}) {
      if (sink && !returns) continue;
      Plan plan;
      const bool old = returns && !sink;
      plan.outs.assign(old ? 2 : 1, of(t));
      plan.ins = {of(t), of(t)};
      plan.ins[0].immediate = false;
      if (swaps) plan.ins.push_back(of(t));
      const int first = old ? 2 : 1;
      plan.before = "$area_" + place + "\nst." + place + "." + "b" + std::to_string(t.bits) + " [%area+8], $" +
                    std::to_string(first) + ";\n";
      if (space_of(name).empty() && place != "global") plan.before += "cvta." + place + ".u64 %area, %area;\n";
      plan.text = "$@" + name.text +
                  (old    ? " $1,"
                   : sink ? " _,"
                          : "") +
                  " [%area+8], $" + std::to_string(first + 1) + (swaps ? ", $" + std::to_string(first + 2) : "") +
                  ";\n";
      const std::string generic = space_of(name).empty() ? "" : "." + place;
      plan.text += "ld" + generic + ".b" + std::to_string(t.bits) + " $0, [%area+8];";
      plan.own_guard = true;
      plan.guards = sink || !returns;
      plan.plain_only = has_hints(name);
      plan.cases = 8 * kBlock;
      plan.model = each([=](Lane& lane) {
        const U64 a = lane.in[0] & ones(t.bits), b = lane.in[1] & ones(t.bits), c = lane.in[2] & ones(t.bits);
        const U64 d = after(op, t, place == "global" && t.bits == 32, a, b, c);
        lane.out[0] = lane.on ? d : a;
        if (lane.on && op == "add" && t.is_float() && is_nan(d, t.bits)) {
          if (t.bits == 32) lane.out[0] = kNan32;
          lane.out[0].any_nan = t.bits == 64;
        }
        lane.out[1] = a;
      });
      plans.push_back(std::move(plan));
    }
  }
  // all lanes of a block on one word: operations whose order doesn't matter
  if ((op != "add" && op != "min" && op != "max" && op != "and" && op != "or" && op != "xor") || t.is_float()) return;
  if (!name.has("shared")) return;
  Plan plan;
  plan.outs = {of(t)};
  plan.ins = {of(t)};
  plan.before = ".shared .align 8 .b8 one[8];\nst.shared.b64 [one], 0;\nbar.sync 0;\n";
  plan.text = "$@" + name.text + (returns ? " _, [one], $1;\n" : " [one], $1;\n");
  plan.text += "bar.sync 0;\nld.shared.b" + std::to_string(t.bits) + " $0, [one];";
  plan.own_guard = true;
  plan.cases = 8 * kBlock;
  plan.model = [=](Block block) {
    U64 all = 0;
    for (const Lane& lane : block) {
      if (lane.on) all = after(op, t, false, all, lane.in[0] & ones(t.bits), 0);
    }
    for (Lane& lane : block) lane.out[0] = all;
  };
  plans.push_back(std::move(plan));
}

/// Instructions that change no value: the output is the input.
void nothing(const Name& name, std::vector<Plan>& plans) {
  Plan plan;
  plan.outs = {any("b64")};
  plan.ins = {any("b64")};
  std::string operand;
  if (name.op.starts_with("prefetch")) {
    const std::string place = space_of(name).empty() ? "global" : space_of(name);
    plan.before = "$area_" + place + "\n";
    operand = " [%area]";
  }
  if (name.op == "nanosleep") operand = " 20";
  plan.text = "$@" + name.text + operand + ";\nmov.b64 $0, $1;";
  plan.own_guard = true;
  plan.cases = kBlock;
  plan.model = each([](Lane& lane) { lane.out[0] = lane.in[0]; });
  plans.push_back(std::move(plan));
}

}  // namespace

void add_memory(Planners& all) {
  all["ld"] = all["ldu"] = load;
  all["st"] = store;
  all["atom"] = all["red"] = atomic;
  for (const auto op : {"membar", "fence", "prefetch", "prefetchu", "griddepcontrol", "nanosleep"}) all[op] = nothing;
}

}  // namespace semantics
