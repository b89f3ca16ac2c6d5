// Each instruction known to the device (src/forms.h), with each type and modifier, against the models of this folder:
// in registers, in place, under guards and with immediates. A form without a model is an error, so that none is
// forgotten.
//     semantics                        all
//     semantics NAME...                the forms whose names begin so
//     semantics --ptxas PROGRAM FILE   asks ptxas whether all forms are PTX, and the refused statements none

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include <cuda_runtime_api.h>

#include "../../src/forms.h"
#include "../../src/module.h"
#include "semantics_numbers.h"

extern "C" {
void** __cudaRegisterFatBinary(void* binary);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit, uint3*, uint3*,
                            dim3*, dim3*, int*);
}

namespace ptxdev {
Kernel* kernel_of(const void* host_function);
}

namespace semantics {
namespace {

/// A plan in one of its ways.
struct Kernel {
  const Plan* plan;
  std::string form;
  enum class Way : std::uint8_t { kPlain, kInPlace, kGuard, kGuardNegated, kImmediate } way{Way::kPlain};
  std::size_t immediate{0};  ///< index of the input
  U64 number{0};
  int cases{0};
  std::string instruction() const;
  std::string registers() const;
  std::string text(const std::string& name) const;
  std::string register_of(std::size_t operand) const;
};

using Way = Kernel::Way;

std::string Kernel::register_of(std::size_t k) const {
  const std::size_t outs = plan->outs.size();
  if (k == 0 && way == Way::kInPlace) return "%i0";
  if (k < outs) return "%o" + std::to_string(k);
  k -= outs;
  if (way == Way::kImmediate && k == immediate) return literal(plan->ins[k].type, number);
  return "%i" + std::to_string(k);
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

std::string Kernel::instruction() const {
  std::string text = plan->before + plan->text;
  replace_all(text, "$@", way == Way::kGuard ? "@%g " : way == Way::kGuardNegated ? "@!%g " : "");
  replace_all(text, "$area_global", "add.u64 %area, %dst, " + std::to_string(8 * kAreaSlot) + ";");
  replace_all(text, "$area_shared", "mov.u64 %area, sh;\nmul.wide.u32 %a1, %t2, 16;\nadd.u64 %area, %area, %a1;");
  replace_all(text, "$area_const", "mov.u64 %area, table;\nmul.wide.u32 %a1, %t2, 16;\nadd.u64 %area, %area, %a1;");
  replace_all(text, "$area_param",
              "mov.b64 %area, pa;\nand.b32 %t5, %t2, 3;\nmul.wide.u32 %a1, %t5, 16;\nadd.u64 %area, %area, %a1;");
  replace_all(text, "$area_local", ".local .align 16 .b8 lo[16];\nmov.u64 %area, lo;");
  for (std::size_t k = plan->outs.size() + plan->ins.size(); k-- > 0;) {
    replace_all(text, "$" + std::to_string(k), register_of(k));
  }
  return text + "\n";
}

std::string register_type(const Operand& o) { return o.type.kind == 'p' ? "pred" : "b" + std::to_string(o.width()); }

std::string Kernel::registers() const {
  std::string all;
  for (std::size_t k = 0; k < plan->ins.size(); ++k) {
    all += ".reg ." + register_type(plan->ins[k]) + " %i" + std::to_string(k) + ";\n";
  }
  for (std::size_t k = 0; k < plan->outs.size(); ++k) {
    all += ".reg ." + register_type(plan->outs[k]) + " %o" + std::to_string(k) + ";\n";
  }
  if (plan->before.find("$area_shared") != std::string::npos) all += ".shared .align 16 .b8 sh[2048];\n";
  return all;
}

std::string start_of(const std::string& name) {
  return ".visible .entry " + name +
         "(.param .u64 in, .param .u64 out, .param .align 16 .b8 pa[64])\n{\n"
         ".reg .pred %g, %m;\n.reg .b32 %t<8>;\n.reg .b64 %a<8>;\n.reg .b64 %src, %dst, %area;\n";
}

std::string Kernel::text(const std::string& name) const {
  std::string all = start_of(name) + registers();
  const auto slot = [](std::size_t k) { return std::to_string(8 * k); };
  std::string loads;
  const auto load = [&](const Operand& o, const std::string& to, std::size_t from) {
    if (o.type.kind == 'p') {
      loads += "ld.global.b32 %t4, [%src+" + slot(from) + "];\nand.b32 %t4, %t4, 1;\nsetp.ne.b32 " + to + ", %t4, 0;\n";
    } else {
      loads += "ld.global." + register_type(o) + " " + to + ", [%src+" + slot(from) + "];\n";
    }
  };
  for (std::size_t k = 0; k < plan->ins.size(); ++k) load(plan->ins[k], "%i" + std::to_string(k), k);
  const bool guarded = way == Way::kGuard || way == Way::kGuardNegated;
  for (std::size_t k = 0; k < plan->outs.size(); ++k) {
    if (guarded || plan->partial) load(plan->outs[k], "%o" + std::to_string(k), kIns - 1 - k);
  }
  if (guarded) load(flag(), "%g", kIns - 1 - plan->outs.size());
  all += "mov.u32 %t0, %ctaid.x;\nmov.u32 %t1, %ntid.x;\nmov.u32 %t2, %tid.x;\nmad.lo.u32 %t3, %t0, %t1, %t2;\n";
  all += "ld.param.u64 %src, [in];\nmul.wide.u32 %a0, %t3, " + slot(kIns) + ";\nadd.u64 %src, %src, %a0;\n";
  all += "ld.param.u64 %dst, [out];\nmul.wide.u32 %a0, %t3, " + slot(kOuts) + ";\nadd.u64 %dst, %dst, %a0;\n";
  all += loads + instruction();
  for (std::size_t k = 0; k < plan->outs.size(); ++k) {
    const Operand& o = plan->outs[k];
    if (o.type.kind == 'p') {
      all += "selp.b32 %t4, 1, 0, " + register_of(k) + ";\nst.global.b32 [%dst+" + slot(k) + "], %t4;\n";
    } else {
      all += "st.global." + register_type(o) + " [%dst+" + slot(k) + "], " + register_of(k) + ";\n";
    }
  }
  return all + "ret;\n}\n";
}

/// Common to all kernels.
std::string header() {
  std::string text = ".version 8.6\n.target sm_90\n.address_size 64\n.const .align 16 .b8 table[" +
                     std::to_string(table_bytes().size()) + "] = {";
  for (std::size_t k = 0; k < table_bytes().size(); ++k) text += (k == 0 ? "" : ",") + std::to_string(table_bytes()[k]);
  text += "};\n";
  return text + function_declarations();
}

std::string module_text(std::span<const Kernel> kernels) {
  std::string text = header();
  for (std::size_t k = 0; k < kernels.size(); ++k) text += kernels[k].text("k" + std::to_string(k));
  return text;
}

/// A fat binary with a text, as made by nvcc.
struct Registered {
  struct Wrapper {
    int magic{0x466243b1}, version{1};
    const void* data;
    void* unused{nullptr};
  };
  std::vector<char> data;
  Wrapper wrapper;
  std::vector<char> handles;  ///< one a kernel; its address is the kernel's handle

  Registered(const std::string& text, std::size_t kernels) : data(16 + 64 + text.size() + 1), handles(kernels) {
    const auto put = [&](std::size_t at, auto v) { std::memcpy(data.data() + at, &v, sizeof v); };
    const U64 bytes = text.size() + 1;
    put(0, std::uint32_t{0xba55ed50});
    put(4, std::uint16_t{1});
    put(6, std::uint16_t{16});
    put(8, 64 + bytes);
    put(16, std::uint16_t{1});  // PTX
    put(20, std::uint32_t{64});
    put(24, bytes);
    put(44, std::uint32_t{90});
    std::memcpy(data.data() + 80, text.data(), text.size());
    wrapper.data = data.data();
    void** const image = __cudaRegisterFatBinary(&wrapper);
    for (std::size_t k = 0; k < kernels; ++k) {
      names.push_back("k" + std::to_string(k));
      __cudaRegisterFunction(image, &handles[k], names[k].data(), names[k].c_str(), -1, nullptr, nullptr, nullptr,
                             nullptr, nullptr);
    }
  }
  std::vector<std::string> names;
};

void require(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(result));
  std::exit(1);
}

struct Memory {
  char *in{nullptr}, *out{nullptr};
  std::size_t threads{0};
  void reserve(std::size_t n) {
    if (n <= threads) return;
    require(cudaMalloc(reinterpret_cast<void**>(&in), n * kIns * 8), "malloc");
    require(cudaMalloc(reinterpret_cast<void**>(&out), n * kOuts * 8), "malloc");
    threads = n;
  }
};

constexpr U64 kFill = 0xa5c3a5c35a3c5a3c;

U64 seed_of(const Kernel& kernel) {
  U64 seed = 1469598103934665603u;
  for (const char c : kernel.form) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return seed;
}

/// The expected outputs of the thread.
std::vector<Lane> expected(const Kernel& kernel) {
  std::vector<Lane> lanes(static_cast<std::size_t>(kernel.cases));
  generate(*kernel.plan, lanes, seed_of(kernel));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    Lane& lane = lanes[i];
    lane.index = static_cast<unsigned>(i);
    lane.threads = static_cast<unsigned>(lanes.size());
    if (kernel.way == Way::kImmediate) lane.in[kernel.immediate] = kernel.number;
    const bool flag = (lane.in[kIns - 1 - kernel.plan->outs.size()] & 1) != 0;
    if (kernel.way == Way::kGuard) lane.on = flag;
    if (kernel.way == Way::kGuardNegated) lane.on = !flag;
  }
  for (std::size_t b = 0; b < lanes.size(); b += kBlock) kernel.plan->model(std::span(lanes).subspan(b, kBlock));
  for (Lane& lane : lanes) {
    for (std::size_t k = 0; k < kernel.plan->outs.size(); ++k) {
      const Operand& o = kernel.plan->outs[k];
      if (lane.on || kernel.plan->own_guard) continue;
      lane.out[k] = lane.in[k == 0 && kernel.way == Way::kInPlace ? 0 : kIns - 1 - k] & ones(o.width());
    }
  }
  return lanes;
}

bool agrees(const Lane& lane, std::size_t k, const Operand& o, U64 got) {
  if (!lane.stored) return got == kFill;
  const int stored = o.type.kind == 'p' ? 32 : o.width();
  if ((got & ~ones(stored)) != (kFill & ~ones(stored))) return false;
  if (lane.open && lane.on) return true;
  got &= ones(stored);
  const Want& want = lane.out[k];
  return got == want.value || (want.has_other && got == want.other) ||
         (want.any_nan && (!lane.on ? false : is_nan(got, o.type.bits)));
}

int failures = 0;

void tell(const Kernel& kernel, const std::string& what) {
  ++failures;
  if (failures <= 200) std::printf("%s\n  %s", what.c_str(), kernel.instruction().c_str());
}

void run(const Kernel& kernel, const void* handle, Memory& memory) {
  ptxdev::Kernel* const known = ptxdev::kernel_of(handle);
  try {
    if (known == nullptr) throw ptxdev::Fault("no such kernel");
    ptxdev::decode(*known);
  } catch (const ptxdev::Fault& fault) {
    tell(kernel, kernel.form + ": " + fault.what());
    return;
  }
  const std::vector<Lane> lanes = expected(kernel);
  const std::size_t n = lanes.size();
  std::vector<U64> in(n * kIns), out(n * kOuts, kFill);
  for (std::size_t i = 0; i < n; ++i)
    std::copy(std::begin(lanes[i].in), std::end(lanes[i].in), in.begin() + static_cast<std::ptrdiff_t>(i * kIns));
  memory.reserve(n);
  require(cudaMemcpy(memory.in, in.data(), in.size() * 8, cudaMemcpyHostToDevice), "copy");
  require(cudaMemcpy(memory.out, out.data(), out.size() * 8, cudaMemcpyHostToDevice), "copy");
  std::uint8_t parameter[64];
  std::copy_n(table_bytes().begin(), 64, parameter);
  void* arguments[] = {&memory.in, &memory.out, parameter};
  require(cudaLaunchKernel(handle, dim3(static_cast<unsigned>(n / kBlock)), dim3(kBlock), arguments, 0, nullptr),
          kernel.form.c_str());
  require(cudaDeviceSynchronize(), kernel.form.c_str());
  require(cudaMemcpy(out.data(), memory.out, out.size() * 8, cudaMemcpyDeviceToHost), "copy");
  // it isn't launched again, and there are many
  const auto forget = [](auto& list) { std::decay_t<decltype(list)>().swap(list); };
  forget(known->code);
  forget(known->statements);
  forget(known->constants);
  int wrong = 0;
  std::string first;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < kernel.plan->outs.size(); ++k) {
      const U64 got = out[i * kOuts + k];
      if (agrees(lanes[i], k, kernel.plan->outs[k], got)) continue;
      if (wrong++ != 0) continue;
      char text[160];
      std::snprintf(text, sizeof text, ": thread %zu, output %zu: got 0x%llx, want 0x%llx; inputs", i, k,
                    static_cast<unsigned long long>(got), static_cast<unsigned long long>(lanes[i].out[k].value));
      first = text;
      for (std::size_t j = 0; j < kernel.plan->ins.size(); ++j) {
        std::snprintf(text, sizeof text, " 0x%llx", static_cast<unsigned long long>(lanes[i].in[j]));
        first += text;
      }
      first += lanes[i].on ? "" : ", guarded off";
    }
  }
  if (wrong != 0) tell(kernel, kernel.form + first + "; " + std::to_string(wrong) + " wrong of " + std::to_string(n));
}

/// The kernels of a plan: in registers with all inputs, and fewer for the other ways.
void add_ways(const Plan& plan, const std::string& form, std::vector<Kernel>& kernels) {
  std::size_t pairs = 1;
  for (const Operand& o : plan.ins) pairs *= edge_values(o).size();
  const int all = plan.cases != 0 ? plan.cases : pairs <= 8192 ? static_cast<int>(pairs + 1024) : 8192;
  const auto blocks = [](int n) { return (n + kBlock - 1) / kBlock * kBlock; };
  kernels.push_back({&plan, form, Way::kPlain, 0, 0, blocks(all)});
  if (plan.plain_only || plan.ins.empty()) return;
  const int some = std::min(blocks(all), 4 * kBlock);
  if (!plan.outs.empty() && register_type(plan.outs[0]) == register_type(plan.ins[0]) &&
      (plan.ins[0].immediate || plan.partial) && !plan.own_guard) {
    kernels.push_back({&plan, form, Way::kInPlace, 0, 0, some});
  }
  if (plan.guards) {
    kernels.push_back({&plan, form, Way::kGuard, 0, 0, some});
    kernels.push_back({&plan, form, Way::kGuardNegated, 0, 0, some});
  }
  U64 state = 1;
  for (std::size_t k = 0; k < plan.ins.size(); ++k) {
    const Operand& o = plan.ins[k];
    if (!o.immediate || o.type.kind == 'p' || (form.starts_with("mov") && plan.ins.size() > 1)) continue;
    const auto edges = edge_values(o);
    for (int n = 0; n < 2; ++n) {
      kernels.push_back(
          {&plan, form, Way::kImmediate, k, edges[random_bits(state) % edges.size()] & ones(o.type.bits), kBlock});
    }
  }
}

/// One kernel with all forms, each in a scope of its own, and then the statements to refuse, so that ptxas stops before
/// it generates code for the others.
int against_ptxas(std::span<const Kernel> kernels, const std::string& ptxas, const std::string& file) {
  std::string text =
      header() + start_of("forms") + ".reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %w<4>;\n" + ".reg .b64 %d<4>;\n";
  std::vector<std::string> of_line(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
  const auto add = [&](const std::string& part, const std::string& what) {
    text += part;
    of_line.resize(of_line.size() + static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n')), what);
  };
  std::string last;
  for (const Kernel& kernel : kernels) {
    if (kernel.form != last) add("{\n" + kernel.registers() + kernel.instruction() + "}\n", kernel.form);
    last = kernel.form;
  }
  const std::size_t first_refused = of_line.size();
  for (const char* statement : refused_statements()) add(statement + std::string(";\n"), statement);
  std::ofstream(file) << text << "ret;\n}\n";
  FILE* const pipe = popen((ptxas + " -arch=sm_90 -c -o /dev/null " + file + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return 1;
  std::vector<bool> refused(of_line.size());
  char line[1024];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    if (std::strstr(line, "Unsupported .version") != nullptr) std::printf("skipped: this ptxas is too old\n");
    const char* const number = std::strstr(line, ", line ");
    const std::size_t at = number != nullptr ? std::strtoul(number + 7, nullptr, 10) - 1 : of_line.size();
    if (std::strstr(line, "error") == nullptr || at >= of_line.size()) continue;
    refused[at] = true;
    if (at >= first_refused) continue;
    std::printf("%s: %s", of_line[at].c_str(), line);
    ++failures;
  }
  pclose(pipe);
  for (std::size_t k = first_refused; k < of_line.size(); ++k) {
    if (refused[k]) continue;
    std::printf("ptxas knows: %s\n", of_line[k].c_str());
    ++failures;
  }
  std::printf("%zu lines, %d failures\n", of_line.size(), failures);
  return failures == 0 ? 0 : 1;
}

int all(const std::vector<std::string>& only, const std::string& ptxas, const std::string& file) {
  Planners planners;
  add_floats(planners);
  add_integers(planners);
  add_bits(planners);
  add_moves(planners);
  add_conversions(planners);
  add_memory(planners);
  add_warps(planners);
  add_flow(planners);

  std::vector<std::unique_ptr<std::vector<Plan>>> plans;
  std::vector<Kernel> kernels;
  Memory memory;
  std::size_t forms = 0, all_kernels = 0, cases = 0;
  const auto run_these = [&] {
    // it stays registered
    auto* const module = new Registered(module_text(kernels), kernels.size());
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      run(kernels[k], &module->handles[k], memory);
      cases += static_cast<std::size_t>(kernels[k].cases);
    }
    std::vector<char>().swap(module->data);  // the device has its copy
    all_kernels += kernels.size();
    kernels.clear();
    plans.clear();
  };
  for (const ptxdev::Form& form : ptxdev::forms()) {
    const Name name(form.name);
    const bool wanted = std::any_of(only.begin(), only.end(), [&](const std::string& some) {
      return form.name == some || form.name.starts_with(some + ".");
    });
    if (!only.empty() && !wanted) continue;
    ++forms;
    auto& of_form = *plans.emplace_back(std::make_unique<std::vector<Plan>>());
    if (const auto planner = planners.find(name.op); planner != planners.end()) planner->second(name, of_form);
    if (of_form.empty()) {
      std::printf("%s: no model\n", form.name.c_str());
      ++failures;
    }
    for (const Plan& plan : of_form) add_ways(plan, form.name, kernels);
    if (ptxas.empty() && kernels.size() >= 500) run_these();
  }
  if (!ptxas.empty()) return against_ptxas(kernels, ptxas, file);
  run_these();
  if (only.empty()) failures += not_refused();
  std::printf("%zu forms, %zu kernels, %zu cases, %d failures\n", forms, all_kernels, cases, failures);
  return forms == 0 || failures != 0 ? 1 : 0;
}

}  // namespace
}  // namespace semantics

int main(int count, char** values) {
  const std::vector<std::string> words(values + 1, values + count);
  if (words.size() == 3 && words[0] == "--ptxas") return semantics::all({}, words[1], words[2]);
  return semantics::all(words, "", "");
}
