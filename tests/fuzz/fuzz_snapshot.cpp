// Feeds arbitrary bytes to the snapshot reader: as a file, or as the sections of one whose checksums are right. Only
// SnapshotError may come out. What is read must be there to step, and is written again as it was, by the snapshot and
// by a World of it. tests/fuzz/inputs.h says what an input is.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/fuzz/inputs.h"
#include "tests/fuzz/leaves.h"
#include "tests/fuzz/require.h"

namespace {

using namespace cairn;
using fuzz::require;

constexpr SnapshotLimits kCaps{.bytes = 1 << 22};
// steps of more take long and find no more
constexpr int kMaxSubsteps = 4;

template <class F>
void each_leaf_of(snapshot::Image& image, const F& f) {
  fuzz::each_leaf(image.batch, f);
  fuzz::each_leaf(image.worlds, f);
  fuzz::each_leaf(image.bodies, f);
  fuzz::each_leaf(image.body_slots, f);
  fuzz::each_leaf(image.shape_slots, f);
  const auto each_shared = [&]<class T>(std::vector<std::shared_ptr<const T>>& list) {
    for (std::shared_ptr<const T>& at : list) {
      auto changed = std::make_shared<T>(*at);
      fuzz::each_leaf(*changed, f);
      at = changed;
    }
  };
  each_shared(image.articulations);
  each_shared(image.particles);
  const auto each_column = [&](const auto& columns) {
    snapshot::each_kept(columns.view(), [&](auto& field) {
      for (std::size_t i = 0; i < columns.count(); ++i) fuzz::each_leaf(field[i], f);
    });
  };
  each_column(image.world_columns);
  each_column(image.body_columns);
  each_column(image.shape_columns);
  each_column(image.pair_columns);
}

bool quick(const World& world) {
  const StepParams& params = world.params();
  return std::max({params.substeps, params.particle_iterations, params.fluid_iterations}) <= kMaxSubsteps;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Mostly changes one number, text or list of what the input means.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  fuzz::LeafMutator mutator(seed);
  if (size == 0 || data[0] != 'S' || mutator.pick(8) == 0) return LLVMFuzzerMutate(data, size, most);
  try {
    snapshot::Image image =
        snapshot::read_image(fuzz::sections_of_input({reinterpret_cast<const char*>(data), size}), "input");
    for (std::size_t i = mutator.pick(2) + 1; i != 0; --i) {
      mutator.change([&](const auto& f) { each_leaf_of(image, f); });
    }
    const std::string changed = fuzz::input_of_sections(snapshot::sections_of(image));
    if (changed.size() > most) return LLVMFuzzerMutate(data, size, most);
    std::memcpy(data, changed.data(), changed.size());
    return changed.size();
  } catch (const SnapshotError&) {
    return LLVMFuzzerMutate(data, size, most);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    const Snapshot read = Snapshot::from_bytes(fuzz::snapshot_file_of(input), "fuzz", kCaps);
    const std::string bytes = read.to_bytes();
    // of an 'F' what is compressed may be of another make
    if (input[0] == 'S') require(fuzz::sections_of_snapshot(read) == input);
    // or touches would be forgotten
    World world(read, {.device = Device::cpu(1), .contact_events = true});
    require(world.snapshot().to_bytes() == bytes);
    if (!quick(world)) return 0;
    for (int i = 0; i < 2; ++i) world.step();
    // what it has become is a snapshot too, and worlds of it find their place
    const Snapshot stepped = Snapshot::from_bytes(world.snapshot().to_bytes(), "stepped");
    for (const BodyHandle body : world.bodies()) world.wake(body);
    world.restore(stepped, 0, world.world_count() - 1);
    world.reset();
    world.step();
    Snapshot::from_bytes(world.snapshot().to_bytes(), "reset");
  } catch (const SnapshotError& error) {
    // what is written must be readable
    require(std::string_view(error.what()).starts_with("fuzz: "));
  }
  return 0;
}
