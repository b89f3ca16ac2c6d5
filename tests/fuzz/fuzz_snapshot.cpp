// Feeds arbitrary bytes to the snapshot reader: as a file, or as the sections of one whose checksums are right. Only
// SnapshotError may come out, and what is read must be there to step, and survive being written and read again.
//
// An input begins with 'F', and a file follows, or with 'S': then come the sizes of all sections but the last, u32
// each, and the sections.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/world.h"
#include "src/file/container.h"
#include "src/snapshot/image.h"

namespace {

std::string file_of(std::string_view input) {
  if (input.empty() || input[0] != 'S') return std::string(input.substr(input.empty() ? 0 : 1));
  input.remove_prefix(1);
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i + 1 < cairn::snapshot::kSections; ++i) {
    std::uint32_t size = 0;
    if (input.size() < sizeof size) return "";
    std::memcpy(&size, input.data(), sizeof size);
    input.remove_prefix(sizeof size);
    sizes.push_back(size);
  }
  std::vector<std::string> sections;
  for (const std::size_t size : sizes) {
    sections.emplace_back(input.substr(0, size));
    input.remove_prefix(sections.back().size());
  }
  sections.emplace_back(input);
  return cairn::file::pack(cairn::snapshot::kKind, sections);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = file_of({reinterpret_cast<const char*>(data), size});
  try {
    const auto snapshot = cairn::Snapshot::from_bytes(file, "fuzz", {.bytes = 1 << 22});
    const std::string bytes = snapshot.to_bytes();
    if (cairn::Snapshot::from_bytes(bytes, "written").to_bytes() != bytes) std::abort();
    cairn::World world(snapshot, {.device = cairn::Device::cpu(1)});
    if (world.snapshot().to_bytes() != bytes) std::abort();
    for (int i = 0; i < 2; ++i) world.step();
    for (const cairn::BodyHandle body : world.bodies()) world.wake(body);
    // what it has become is a snapshot too, and worlds of it find their place
    cairn::Snapshot::from_bytes(world.snapshot().to_bytes(), "stepped");
    world.restore(world.snapshot(0), 0, world.world_count() - 1);
    world.reset();
    world.step();
  } catch (const cairn::SnapshotError& error) {
    // what is written must be readable
    if (!std::string_view(error.what()).starts_with("fuzz")) std::abort();
  }
  return 0;
}
