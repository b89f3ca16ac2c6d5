// Feeds arbitrary bytes to the reader of recordings and to replay: as a file, as the log of one whose checksums are
// right, or as calls alone. Only SnapshotError may come out of either. The calls are also made on a World that records
// them: every body stays finite, what it has become is a snapshot, and its recording is done again with the same bits.
//
// An input begins with 'F', and a file follows, or with 'L' and a byte that names the world which it starts from: then
// the section of the log follows. Any other byte is that world's, with bits for what is done with the calls that follow
// as long as there are bytes (Use); of a snapshot in them only the first byte counts, and names a world too.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "src/recording/log.h"
#include "tests/fuzz/leaves.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/starts.h"

namespace {

using namespace cairn;
using fuzz::require;
using fuzz::Start;
using fuzz::start;
using recording::Command;
using recording::Log;

constexpr SnapshotLimits kCaps{.bytes = 1 << 22, .calls = 64};
// enough that contacts are made, kept and left; more take long and find no more
constexpr std::size_t kMaxCalls = 10;
constexpr int kMaxSubsteps = 4;

/// Bits of the first byte beside the world's number. The calls are read as a file, or else made.
enum Use : std::uint8_t { kAsFile = 0x20, kTraced = 0x40, kThreads = 0x80 };
static_assert(fuzz::kStarts <= kAsFile);

bool finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

bool finite(const World& world) {
  std::vector<BodyState> states(world.body_count());
  world.read_states(states);
  for (const BodyState& s : states) {
    const double sum = s.position.x + s.position.y + s.position.z;
    const float turn = s.orientation.x + s.orientation.y + s.orientation.z + s.orientation.w;
    if (!std::isfinite(sum) || !std::isfinite(turn) || !finite(s.linear_velocity) || !finite(s.angular_velocity))
      return false;
  }
  return true;
}

/// What is worth making again: no snapshots that are but bytes, and no steps that take long.
bool tamed(Command& command) {
  return std::visit(
      [](auto& c) {
        using C = std::remove_cvref_t<decltype(c)>;
        if constexpr (std::same_as<C, recording::Call<recording::kRestore>> ||
                      std::same_as<C, recording::Call<recording::kRestoreAll>>) {
          std::string& bytes = std::get<0>(c.arguments).bytes;
          bytes = start(bytes.empty() ? 0 : static_cast<std::uint8_t>(bytes[0])).bytes;
        } else if constexpr (std::same_as<C, recording::Call<recording::kSetAllParams>>) {
          const StepParams& params = std::get<0>(c.arguments);
          return std::max({params.substeps, params.particle_iterations, params.fluid_iterations}) <= kMaxSubsteps;
        }
        return true;
      },
      command);
}

/// The first `most` calls that `keep` lets through, up to what is no call.
template <class Keep>
std::vector<Command> calls_of(std::string_view bytes, std::size_t most, const Keep& keep) {
  std::vector<Command> calls;
  file::Reader reader(bytes, "calls");
  try {
    while (reader.left() != 0 && calls.size() < most) {
      Command command;
      reader(command);
      if (keep(command)) calls.push_back(std::move(command));
    }
  } catch (const SnapshotError&) {
    // the input ends here
  }
  return calls;
}

/// From_bytes and replay of whatever it is: it ends, one way or another.
void try_file(const std::string& file) {
  try {
    const Recording read = Recording::from_bytes(file, "fuzz", kCaps);
    const auto log_of = [](const std::string& of) {
      return file::unpack(recording::kKind, recording::kSections, file::input_of(of), "written", kCaps.bytes)[1];
    };
    require(log_of(read.to_bytes()) == log_of(file));
    replay(read, {.device = Device::cpu(1)});
  } catch (const SnapshotError& error) {
    // what is written must be readable
    require(!std::string_view(error.what()).starts_with("written"));
  }
}

void make(World& world, const Command& command) {
  try {
    std::visit(
        [&](const auto& c) {
          if constexpr (std::same_as<std::remove_cvref_t<decltype(c)>, recording::Step>) {
            world.step(c.dt);
          } else {
            c.make(world);
          }
        },
        command);
  } catch (const InvalidArgument&) {
    // refused: nothing was changed, and nothing is in the recording
  }
}

void try_calls(const Start& from, const std::vector<Command>& calls, std::uint8_t use) {
  World world(from.snapshot, {.device = Device::cpu(1), .trace = (use & kTraced) != 0});
  world.start_recording();
  for (const Command& call : calls) {
    make(world, call);
    require(finite(world));
  }
  world.step();
  require(finite(world));
  Snapshot::from_bytes(world.snapshot().to_bytes(), "what it has become");
  const Recording made = Recording::from_bytes(world.stop_recording().to_bytes(), "recorded");
  const Replay again = replay(made, {.device = Device::cpu((use & kThreads) != 0 ? 2 : 1)});
  require(!again.difference && again.steps == made.steps() && again.hash == world.state_hash());
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Mostly moves, repeats or removes a call, or changes one number, text or list of one.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  fuzz::LeafMutator mutator(seed);
  if (size < 2 || data[0] == 'F' || data[0] == 'L' || mutator.pick(8) == 0) return LLVMFuzzerMutate(data, size, most);
  std::vector<Command> calls =
      calls_of({reinterpret_cast<const char*>(data) + 1, size - 1}, size, [](const Command&) { return true; });
  if (mutator.pick(3) == 0) {
    mutator.change_list(calls);
  } else {
    mutator.change([&](const auto& f) { fuzz::each_leaf(calls, f); });
  }
  if (mutator.pick(16) == 0) data[0] = static_cast<std::uint8_t>(mutator.pick(256));
  file::Writer writer;
  for (const Command& call : calls) writer(call);
  const std::string changed = writer.take();
  if (changed.size() + 1 > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data + 1, changed.data(), changed.size());
  return changed.size() + 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto next = [&] {
    const char first = input.empty() ? '\0' : input[0];
    input.remove_prefix(input.empty() ? 0 : 1);
    return static_cast<std::uint8_t>(first);
  };
  const std::uint8_t kind = next();
  if (kind == 'F') {
    try_file(std::string(input));
  } else if (kind == 'L') {
    const std::string sections[recording::kSections] = {start(next()).bytes, std::string(input)};
    try_file(file::pack(recording::kKind, sections));
  } else {
    const Start& from = start(kind % kAsFile);
    const std::vector<Command> calls = calls_of(input, kMaxCalls, tamed);
    if ((kind & kAsFile) != 0) {
      try_file(Log::recording({from.bytes, from.hash, calls}).to_bytes());
    } else {
      try_calls(from, calls, kind);
    }
  }
  return 0;
}
