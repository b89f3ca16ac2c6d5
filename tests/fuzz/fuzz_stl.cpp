// Feeds arbitrary bytes to the STL reader, and what it reads to hulls and meshes. Only InvalidArgument may come out.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/surface.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  cairn::fuzz::try_surface([&] { return cairn::parse_stl(bytes, "fuzz"); });
  return 0;
}
