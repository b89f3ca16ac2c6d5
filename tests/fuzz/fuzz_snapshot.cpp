// Feeds arbitrary bytes to the snapshot reader: as a file, or as the sections of one whose checksums are right. Only
// SnapshotError may come out, and what is read must be there to step, and survive being written and read again.
// tests/fuzz/inputs.h tells what an input is.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cairn/world.h"
#include "tests/fuzz/inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = cairn::fuzz::snapshot_file_of({reinterpret_cast<const char*>(data), size});
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
