// Where a thread goes on: PTX ISA, "Control Flow Instructions".

#include "form.h"

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

/// Both with results and arguments and without.
void call(const Name& name, std::vector<Plan>& plans) {
  plans.push_back(
      steps("{ .param .align 16 .b8 p0[16]; .param .align 16 .b8 r0[16];\nst.param.b32 [p0], $1;\n"
            "st.param.b32 [p0+4], $2;\n" +
                name.text + " (r0), echo, (p0);\nld.param.b32 $0, [r0+4];\n}",
            {any("b32"), any("b32")}, each([](Lane& lane) { lane.out[0] = lane.in[1] & ones(32); })));
  plans.push_back(steps("mov.b32 $0, $1;\n" + name.text + " leave;", {any("b32")},
                        each([](Lane& lane) { lane.out[0] = lane.in[0] & ones(32); })));
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

/// Its lanes never come to it; what it does when they do, faults.txt has.
void trap(const Name& name, std::vector<Plan>& plans) {
  plans.push_back(steps("setp.ne.b32 %m, 0, 0;\nmov.b32 $0, $1;\n@%m " + name.text + ";", {any("b32")},
                        each([](Lane& lane) { lane.out[0] = lane.in[0] & ones(32); })));
}

}  // namespace

void add_flow(Planners& all) {
  all["bra"] = branch;
  all["brx"] = branch_by_table;
  all["call"] = call;
  all["ret"] = all["exit"] = leave;
  all["trap"] = trap;
}

}  // namespace semantics
