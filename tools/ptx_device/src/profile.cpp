#include "profile.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "module.h"
#include "options.h"

namespace ptxdev {

std::string whole_name(std::string_view name);

namespace {

enum Class : std::uint8_t { kFloat32, kFloat64, kInteger, kConvert, kControl, kMemory, kTogether, kOther, kClasses };
constexpr const char* kNames[kClasses] = {"float32", "float64", "integer", "convert",
                                          "control", "memory",  "warp",    "other"};

struct Counts {
  std::uint64_t launches{0}, blocks{0}, threads{0};
  std::array<std::uint64_t, kClasses> instructions{};  ///< of warps
  std::uint64_t longest{0};                            ///< max of one warp, summed over launches
  std::uint64_t lanes{0};                              ///< active ones in them
  std::uint64_t parted{0};                             ///< branches at which lanes diverged
  std::uint64_t requests{0}, sectors{0}, bytes{0};     ///< to global memory; sectors of 32 bytes
  std::uint64_t atomics{0};                            ///< lanes of atomic operations on it
  std::uint64_t shared{0}, conflicts{0};               ///< requests to shared memory, and extra turns of each
  std::uint64_t local{0};                              ///< requests to local memory
  std::uint32_t shared_bytes{0}, block_threads{0};
};

/// By kernel and range.
std::map<std::pair<const Kernel*, std::string_view>, Counts> all;
/// Counts of a kernel, or a function that kernels call, by instruction.
struct Code {
  std::vector<Class> classes;
  std::vector<std::uint64_t> times;  ///< of warps
};
std::unordered_map<const Kernel*, Code> codes;

bool any_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

Class class_of(const Kernel& function, const Instr& in) {
  if (in.bytes != 0) return kMemory;
  if (in.kind == Kind::kTogether) return kTogether;
  if (in.kind != Kind::kPlain) return kControl;
  std::string_view text = in.statement < function.statements.size() ? function.statements[in.statement].text : "";
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  text = text.substr(0, text.find(' '));
  if (text.starts_with("cvt")) return kConvert;
  if (text.starts_with("mov") || text.starts_with("ld") || text.starts_with("st")) return kOther;
  if (any_of(text, {".f64"})) return kFloat64;
  if (any_of(text, {".f32"})) return kFloat32;
  return kInteger;
}

Code& code_of(const Kernel& function) {
  Code& known = codes[&function];
  if (known.classes.empty()) {
    for (const Instr& in : function.code) known.classes.push_back(class_of(function, in));
    known.times.resize(function.code.size());
  }
  return known;
}

/// Called once a launch.
Counts& counts_of(const Launch& launch) {
  static std::uint64_t last = 0;
  static Counts* found = nullptr;
  if (launch.serial != last || found == nullptr) {
    last = launch.serial;
    found = &all[{launch.kernel, launch.range}];
  }
  return *found;
}

void count_access(Counts& c, Warp& w, const Instr& in, std::uint32_t mask) {
  if (in.o[4] == kNone || in.space == Space::kParam || in.space == Space::kConst) return;
  std::array<std::uint64_t, kLanes> at{};
  std::size_t n = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t base =
        (in.wide & 16) != 0 ? w.lanes<std::uint64_t>(in.o[4])[lane] : w.lanes<std::uint32_t>(in.o[4])[lane];
    at[n++] = base + static_cast<std::uint64_t>(in.imm);
  }
  Space space = in.space;
  if (space == Space::kGeneric) {
    space = at[0] - kSharedWindow < kWindow  ? Space::kShared
            : at[0] - kLocalWindow < kWindow ? Space::kLocal
            : at[0] - kParamWindow < kWindow ? Space::kParam
                                             : Space::kGlobal;
  }
  const std::uint64_t bytes = std::uint64_t{in.bytes} * in.count;
  if (space == Space::kParam) return;
  if (space == Space::kLocal) {
    c.local += 1;
    return;
  }
  std::vector<std::uint64_t> units;
  if (space == Space::kShared) {
    // a bank serves one word a turn; lanes that access the same word share it
    for (std::size_t i = 0; i < n; ++i) {
      for (std::uint64_t word = at[i] / 4; word <= (at[i] + bytes - 1) / 4; ++word) units.push_back(word);
    }
    std::ranges::sort(units);
    units.erase(std::unique(units.begin(), units.end()), units.end());
    std::array<std::uint64_t, 32> turns{};
    for (const std::uint64_t word : units) turns[word % 32] += 1;
    c.shared += 1;
    // accesses wider than a word take at least this many turns
    const std::uint64_t least = (units.size() + 31) / 32;
    c.conflicts += *std::ranges::max_element(turns) - std::min(*std::ranges::max_element(turns), least);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::uint64_t sector = at[i] / 32; sector <= (at[i] + bytes - 1) / 32; ++sector) units.push_back(sector);
  }
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  if ((in.flags & kAtomicOp) != 0) c.atomics += n;
  c.requests += 1;
  c.sectors += units.size();
  c.bytes += n * bytes;
}

unsigned long long u(std::uint64_t v) { return v; }

std::string quoted(std::string_view text) {
  std::string safe;
  for (const char letter : text) safe += letter == '"' || letter == '\\' ? '\'' : letter;
  return safe;
}

/// Instructions of each function, and of each source line where the code was compiled with -lineinfo.
void write_functions(std::FILE* file) {
  std::map<std::string_view, std::pair<const Kernel*, const Code*>> sorted;
  for (const auto& [function, code] : codes) sorted[function->name] = {function, &code};
  const char* comma = "";
  for (const auto& [name, of] : sorted) {
    const auto& [function, code] = of;
    std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> lines;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < code->times.size(); ++i) {
      if (code->times[i] == 0) continue;
      sum += code->times[i];
      const std::uint32_t statement = function->code[i].statement;
      if (statement >= function->statements.size()) continue;
      const Statement& from = function->statements[statement];
      const auto path = function->module->files.find(from.file);
      if (path != function->module->files.end()) lines[{std::string(path->second), from.line}] += code->times[i];
    }
    std::fprintf(file, "%s\n  {\"name\": \"%s\", \"symbol\": \"%s\", \"instructions\": %llu, \"lines\": [",
                 std::exchange(comma, ","), quoted(whole_name(name)).c_str(), std::string(name).c_str(), u(sum));
    const char* between = "";
    for (const auto& [line, times] : lines) {
      std::fprintf(file, "%s[\"%s\", %u, %llu]", std::exchange(between, ", "), quoted(line.first).c_str(), line.second,
                   u(times));
    }
    std::fputs("]}", file);
  }
}

}  // namespace

void count(Warp& w, const Instr& in, std::uint32_t mask) {
  Counts& c = counts_of(*w.launch);
  const Kernel& function = *w.frame->function;
  Code& code = code_of(function);
  const auto at = static_cast<std::size_t>(&in - function.code.data());
  c.instructions[code.classes[at]] += 1;
  code.times[at] += 1;
  c.lanes += static_cast<std::uint64_t>(std::popcount(mask));
  if (in.kind == Kind::kBranch && mask != 0 && mask != w.active) c.parted += 1;
  if (in.bytes != 0 && mask != 0) count_access(c, w, in, mask);
}

void count_launch(const Launch& launch) {
  Counts& c = counts_of(launch);
  c.launches += 1;
  c.longest += launch.longest;
  c.blocks += launch.grid.volume();
  c.threads += launch.grid.volume() * launch.block.volume();
  c.shared_bytes = std::max(c.shared_bytes, launch.kernel->shared_bytes + launch.dynamic_shared);
  c.block_threads = static_cast<std::uint32_t>(launch.block.volume());
}

void write_profile() {
  std::FILE* file = std::fopen(options().profile.c_str(), "w");
  if (file == nullptr) {
    std::perror(("ptx-device: " + options().profile).c_str());
    return;
  }
  // sorted by name, since addresses differ from run to run
  std::map<std::pair<std::string_view, std::string_view>, const Counts*> rows;
  for (const auto& [of, counts] : all) rows[{of.first->name, of.second}] = &counts;
  std::fputs("{\"emulated\": true, \"kernels\": [", file);
  const char* comma = "";
  for (const auto& [of, counts] : rows) {
    const Counts& c = *counts;
    std::fprintf(file,
                 "%s\n  {\"name\": \"%s\", \"symbol\": \"%s\", \"range\": \"%s\", \"launches\": %llu, \"blocks\": "
                 "%llu, \"threads\": %llu, ",
                 std::exchange(comma, ","), quoted(whole_name(of.first)).c_str(), std::string(of.first).c_str(),
                 quoted(of.second).c_str(), u(c.launches), u(c.blocks), u(c.threads));
    std::fputs("\"instructions\": {", file);
    for (int k = 0; k < kClasses; ++k) {
      std::fprintf(file, "%s\"%s\": %llu", k == 0 ? "" : ", ", kNames[k],
                   u(c.instructions[static_cast<std::size_t>(k)]));
    }
    std::fprintf(file,
                 "}, \"longest\": %llu, \"lanes\": %llu, \"parted\": %llu, \"requests\": %llu, \"sectors\": %llu, "
                 "\"bytes\": %llu, "
                 "\"atomics\": %llu, \"shared\": %llu, \"conflicts\": %llu, \"local\": %llu, \"shared_bytes\": %u, "
                 "\"block\": %u}",
                 u(c.longest), u(c.lanes), u(c.parted), u(c.requests), u(c.sectors), u(c.bytes), u(c.atomics),
                 u(c.shared), u(c.conflicts), u(c.local), c.shared_bytes, c.block_threads);
  }
  std::fputs("\n], \"functions\": [", file);
  write_functions(file);
  std::fputs("\n]}\n", file);
  if (std::fclose(file) != 0) std::perror(("ptx-device: " + options().profile).c_str());
}

}  // namespace ptxdev
