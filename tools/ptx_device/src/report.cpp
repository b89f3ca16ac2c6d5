// Messages, with a place in the program.

#include <cstdio>
#include <cstdlib>
#include <unordered_map>

#include <cxxabi.h>

#include "block.h"
#include "module.h"

namespace ptxdev {
namespace {

std::uint64_t all_findings = 0;
std::unordered_map<std::string, std::uint64_t> told;

}  // namespace

std::string whole_name(std::string_view name) {
  int status = 0;
  char* text = abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : std::string(name);
  std::free(text);
  return result;
}

std::string demangled(std::string_view name) {
  std::string result = whole_name(name);
  if (result.size() > 300) result = result.substr(0, 300) + "...";
  return result;
}

std::string place(const Warp& warp, const Instr& instr, int lane) {
  const Kernel& kernel = *warp.launch->kernel;
  const Kernel& function = warp.frame != nullptr ? *warp.frame->function : kernel;
  const Statement s = instr.statement < function.statements.size() ? function.statements[instr.statement] : Statement{};
  const Dim3& n = warp.launch->block;
  const std::uint32_t thread = warp.index * kLanes + static_cast<std::uint32_t>(lane);
  char text[256];
  std::snprintf(text, sizeof text, "block (%u,%u,%u) thread (%u,%u,%u), PTX line %u", warp.block->x, warp.block->y,
                warp.block->z, thread % n.x, thread / n.x % n.y, thread / n.x / n.y, s.ptx_line);
  std::string all = text;
  const auto file = kernel.module->files.find(s.file);
  if (file != kernel.module->files.end()) all += ", " + std::string(file->second) + ":" + std::to_string(s.line);
  return all + ", '" + std::string(s.text) + "', kernel " + demangled(kernel.name) +
         (function.entry ? "" : ", in " + demangled(function.name));
}

void fault(const Warp& warp, const Instr& instr, int lane, const std::string& what) {
  throw Fault(what + "; " + place(warp, instr, lane));
}

void finding(const Warp& warp, const Instr& instr, int lane, const std::string& what) {
  ++all_findings;
  const Kernel& kernel = *warp.frame->function;
  // one line for each instruction
  const std::string key = std::string(kernel.name) + "#" + std::to_string(instr.statement) + what.substr(0, 16);
  if (++told[key] > 1) return;
  std::fprintf(stderr, "ptx-device: FINDING: %s; %s\n", what.c_str(), place(warp, instr, lane).c_str());
}

std::uint64_t findings() { return all_findings; }

}  // namespace ptxdev
