// Control flow: PTX ISA, "Control Flow Instructions".

#include "semantics_numbers.h"

namespace semantics {
namespace {

Plan steps(std::string text, std::vector<Operand> ins, Model model) {
  Plan plan;
  plan.outs = {any("b32")};
  plan.ins = std::move(ins);
  for (Operand& o : plan.ins) o.immediate = false;
  plan.text = std::move(text);
  plan.model = std::move(model);
  plan.guards = false;
  plan.cases = 4 * kBlock;
  return plan;
}

void branch(const Name& name, std::vector<Plan>& plans) {
  if (name.has("uni")) {
    plans.push_back(steps("mov.b32 $0, $1;\n" + name.text + " DONE;\nmov.b32 $0, $2;\nDONE:", {any("b32"), any("b32")},
                          each([](Lane& lane) { lane.out[0] = lane.in[0] & ones(32); })));
    return;
  }
  for (const bool negated : {false, true}) {
    plans.push_back(steps(
        "mov.b32 $0, $1;\n@" + std::string(negated ? "!" : "") + "$3 " + name.text + " DONE;\nmov.b32 $0, $2;\nDONE:",
        {any("b32"), any("b32"), flag()},
        each([negated](Lane& lane) { lane.out[0] = lane.in[((lane.in[2] & 1) != 0) != negated ? 0 : 1] & ones(32); })));
  }
  // a loop of as many rounds as the lane's number
  plans.push_back(
      steps("mov.b32 $0, 0;\nmov.u32 %t5, %laneid;\nAGAIN: add.u32 $0, $0, $1;\nsub.u32 %t5, %t5, 1;\n"
            "setp.ge.s32 %m, %t5, 0;\n@%m " +
                name.text + " AGAIN;",
            {any("b32")}, each([](Lane& lane) { lane.out[0] = (lane.index % 32 + 1) * lane.in[0] & ones(32); })));
}

void branch_by_table(const Name& name, std::vector<Plan>& plans) {
  const bool uniform = name.has("uni");
  plans.push_back(steps(std::string(uniform ? "shr.u32 %t5, %t2, 5;\n" : "and.b32 %t5, $1, 3;\n") +
                            "WAYS: .branchtargets W0, W1, W2, W3;\n" + name.text +
                            " %t5, WAYS;\nW0: mov.b32 $0, 10;\nbra DONE;\nW1: mov.b32 $0, 11;\nbra DONE;\n"
                            "W2: mov.b32 $0, 12;\nbra DONE;\nW3: mov.b32 $0, 13;\nDONE:",
                        {any("b32")}, each([uniform](Lane& lane) {
                          lane.out[0] = 10 + (uniform ? lane.index % kBlock / 32 : lane.in[0] % 4);
                        })));
}

/// Functions of the headers that are one instruction each and have no body.
struct Intrinsic {
  std::string name, type;
  int arguments;
  std::function<U64(const Lane&)> value;
};
const std::vector<Intrinsic>& intrinsics() {
  static const std::vector<Intrinsic> all = [] {
    std::vector<Intrinsic> made;
    for (const int bits : {32, 64}) {
      const std::string t = "f" + std::to_string(bits), f = bits == 32 ? "__f" : "__d";
      const auto a = [bits](const Lane& l) { return l.in[0] & ones(bits); };
      const auto b = [bits](const Lane& l) { return l.in[1] & ones(bits); };
      const auto c = [bits](const Lane& l) { return l.in[2] & ones(bits); };
      made.push_back({f + "add_rn", t, 2, [=](const Lane& l) { return add(a(l), b(l), bits); }});
      made.push_back({f + "mul_rn", t, 2, [=](const Lane& l) { return multiply(a(l), b(l), bits); }});
      made.push_back({f + "div_rn", t, 2, [=](const Lane& l) { return divide(a(l), b(l), bits); }});
      made.push_back({f + "sqrt_rn", t, 1, [=](const Lane& l) { return root(a(l), bits); }});
      made.push_back(
          {bits == 32 ? "__fmaf_rn" : "__fma_rn", t, 3, [=](const Lane& l) { return fused(a(l), b(l), c(l), bits); }});
      for (const auto same : bits == 32
                                 ? std::vector{"__uint_as_float", "__float_as_uint", "__int_as_float", "__float_as_int"}
                                 : std::vector{"__longlong_as_double", "__double_as_longlong"}) {
        made.push_back({same, "b" + std::to_string(bits), 1, a});
      }
    }
    return made;
  }();
  return all;
}

/// With and without results and arguments, and of functions that are instructions.
void call(const Name& name, std::vector<Plan>& plans) {
  plans.push_back(
      steps("{ .param .align 16 .b8 p0[16]; .param .align 16 .b8 r0[16];\nst.param.b32 [p0], $1;\n"
            "st.param.b32 [p0+4], $2;\n" +
                name.text + " (r0), echo, (p0);\nld.param.b32 $0, [r0+4];\n}",
            {any("b32"), any("b32")}, each([](Lane& lane) { lane.out[0] = lane.in[1] & ones(32); })));
  plans.push_back(steps("mov.b32 $0, $1;\n" + name.text + " leave;", {any("b32")},
                        each([](Lane& lane) { lane.out[0] = lane.in[0] & ones(32); })));
  for (const Intrinsic& function : intrinsics()) {
    const Type t = type_named(function.type);
    Plan plan;
    plan.outs = {of(t)};
    plan.ins.assign(static_cast<std::size_t>(function.arguments), of(t));
    std::string list;
    plan.before = "{ .param ." + function.type + " r0;\n";
    for (int k = 0; k < function.arguments; ++k) {
      const std::string p = "p" + std::to_string(k);
      plan.before += ".param ." + function.type + " " + p + ";\nst.param." + function.type + " [" + p + "], $" +
                     std::to_string(k + 1) + ";\n";
      list += (k == 0 ? "" : ", ") + p;
    }
    plan.text =
        name.text + " (r0), " + function.name + ", (" + list + ");\nld.param." + function.type + " $0, [r0];\n}";
    plan.guards = false;
    plan.model = each([t, &function](Lane& lane) {
      const U64 d = function.value(lane);
      const bool nan = t.is_float() && is_nan(d, t.bits);
      lane.out[0] = nan && t.bits == 32 ? kNan32 : d;
      lane.out[0].any_nan = nan && t.bits == 64;
    });
    plans.push_back(std::move(plan));
  }
}

/// Under a guard lanes leave before the output is stored.
void leave(const Name& name, std::vector<Plan>& plans) {
  const bool from_function = name.has("uni");  // all lanes must leave
  plans.push_back(steps(from_function ? "mov.b32 $0, $1;\ncall leave;" : "mov.b32 $0, $1;\n@$2 " + name.text + ";",
                        {any("b32"), flag()}, each([=](Lane& lane) {
                          lane.out[0] = lane.in[0] & ones(32);
                          lane.stored = from_function || (lane.in[1] & 1) == 0;
                        })));
}

/// Its lanes never reach it; faults.txt tests its effect.
void trap(const Name& name, std::vector<Plan>& plans) {
  plans.push_back(steps("setp.ne.b32 %m, 0, 0;\nmov.b32 $0, $1;\n@%m " + name.text + ";", {any("b32")},
                        each([](Lane& lane) { lane.out[0] = lane.in[0] & ones(32); })));
}

}  // namespace

std::string function_declarations() {
  std::string text =
      ".func (.param .align 16 .b8 r[16]) echo(.param .align 16 .b8 a[16])\n{\n.reg .b64 %x<2>;\n"
      "ld.param.b64 %x0, [a];\nld.param.b64 %x1, [a+8];\nst.param.b64 [r], %x0;\nst.param.b64 [r+8], %x1;\nret;\n}\n"
      ".func leave()\n{\nret.uni;\n}\n";
  for (const Intrinsic& function : intrinsics()) {
    text += ".extern .func (.param ." + function.type + " r) " + function.name + "(";
    for (int k = 0; k < function.arguments; ++k) {
      text += (k == 0 ? ".param ." : ", .param .") + function.type + " a" + std::to_string(k);
    }
    text += ");\n";
  }
  return text;
}

void add_flow(Planners& all) {
  all["bra"] = branch;
  all["brx"] = branch_by_table;
  all["call"] = call;
  all["ret"] = all["exit"] = leave;
  all["trap"] = trap;
}

}  // namespace semantics
