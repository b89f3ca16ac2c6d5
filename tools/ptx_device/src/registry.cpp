// Registrations of the host program at its start: its modules, and the kernel of each host function.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "runtime.h"

namespace ptxdev {
namespace {

struct Image {
  const void* data{nullptr};
  std::unique_ptr<Module> module;
};

struct Named {
  Image* image;
  std::string name;
};

struct Registry {
  std::vector<std::unique_ptr<Image>> images;
  std::unordered_map<const void*, Named> functions, variables;
  std::unordered_map<const void*, Kernel*> kernels;
};

Registry& registry() {
  static Registry* all = new Registry;
  return *all;
}

struct Wrapper {
  int magic, version;
  const unsigned char* data;
  void* unused;
};

template <class T>
T read(const unsigned char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// The PTX within a fat binary.
std::string ptx_of(const void* image) {
  const Wrapper& wrapper = *static_cast<const Wrapper*>(image);
  if (wrapper.magic != 0x466243B1) throw Fault("a fat binary of an unknown kind");
  const unsigned char* at = wrapper.data;
  if (read<std::uint32_t>(at) != 0xBA55ED50u) throw Fault("a fat binary with an unknown header");
  const unsigned char* end = at + read<std::uint16_t>(at + 6) + read<std::uint64_t>(at + 8);
  at += read<std::uint16_t>(at + 6);
  std::string best;
  std::uint32_t best_architecture = 0;
  bool compressed_one = false;
  while (at < end) {
    const auto kind = read<std::uint16_t>(at);
    const auto header = read<std::uint32_t>(at + 4);
    const auto bytes = read<std::uint64_t>(at + 8);
    const auto compressed = read<std::uint32_t>(at + 16);
    const auto architecture = read<std::uint32_t>(at + 28);
    if (kind == 1) {
      if (compressed != 0) {
        compressed_one = true;
      } else if (architecture >= best_architecture) {
        const char* text = reinterpret_cast<const char*>(at + header);
        best.assign(text, strnlen(text, bytes));
        best_architecture = architecture;
      }
    }
    at += header + bytes;
  }
  if (best.empty()) {
    throw Fault(compressed_one ? "the PTX is compressed: compile with --no-compress"
                               : "no PTX in a fat binary: compile for a virtual architecture, as in 90-virtual");
  }
  return best;
}

Module& module_of(Image& image) {
  if (!image.module) image.module = std::make_unique<Module>(ptx_of(image.data));
  return *image.module;
}

}  // namespace

Kernel* kernel_of(const void* host_function) {
  Registry& all = registry();
  const auto known = all.kernels.find(host_function);
  if (known != all.kernels.end()) return known->second;
  const auto found = all.functions.find(host_function);
  if (found == all.functions.end()) {
    // a handle of __cudaGetKernel's is the kernel itself
    for (const auto& [function, kernel] : all.kernels) {
      if (kernel == host_function) return kernel;
    }
    return nullptr;
  }
  Module& module = module_of(*found->second.image);
  const auto kernel = module.by_name.find(found->second.name);
  if (kernel == module.by_name.end()) return nullptr;
  all.kernels.emplace(host_function, kernel->second);
  return kernel->second;
}

bool variable_of(const void* host_variable, std::uint64_t& address, std::uint64_t& bytes) {
  const auto found = registry().variables.find(host_variable);
  if (found == registry().variables.end()) return false;
  Module& module = module_of(*found->second.image);
  const auto symbol = module.symbols.find(found->second.name);
  if (symbol == module.symbols.end()) return false;
  address = symbol->second.value;
  bytes = symbol->second.bytes;
  return true;
}

int ptx_version(const Kernel& kernel) {
  const std::string& target = kernel.module->target;
  return target.size() > 3 ? std::atoi(target.c_str() + 3) : 0;
}

}  // namespace ptxdev

using namespace ptxdev;

extern "C" {

void** __cudaRegisterFatBinary(void* binary) {
  const Lock lock(api_mutex());
  auto image = std::make_unique<Image>();
  image->data = binary;
  registry().images.push_back(std::move(image));
  return reinterpret_cast<void**>(registry().images.back().get());
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  const Lock lock(api_mutex());
  registry().functions[host] = {reinterpret_cast<Image*>(handle), name};
}
void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int, int) {
  const Lock lock(api_mutex());
  registry().variables[host] = {reinterpret_cast<Image*>(handle), name};
}
void __cudaRegisterManagedVar(void**, void**, char*, const char* name, int, std::size_t, int, int) {
  std::fprintf(stderr, "ptx-device: managed variables aren't known: %s\n", name);
  std::abort();
}
}
