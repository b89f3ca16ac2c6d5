// Feeds arbitrary bytes to the reader of recordings and to replay: as a file, as the log of one whose checksums are
// right, or as calls alone. Only SnapshotError may come out of either. The calls are also made on a World that records
// them: every body stays finite, what it has become is a snapshot, and its recording is done again with the same bits.
//
// An input begins with 'F', and a file follows, or with 'L' and a byte that names the world which it starts from: then
// the section of the log follows. Any other byte is that world's, and calls follow as long as there are bytes; of a
// snapshot in them only the first byte counts, and names a world too.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "src/recording/log.h"
#include "tests/fuzz/starts.h"

namespace {

using namespace cairn;
using fuzz::Start;
using fuzz::start;
using recording::Command;
using recording::Log;

constexpr SnapshotLimits kCaps{.bytes = 1 << 22, .calls = 64};
// enough that contacts are made, kept and left
constexpr std::size_t kMostCalls = 24;
constexpr int kMostSubsteps = 16;

void require(bool holds) {
  if (!holds) std::abort();
}

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
          return std::get<0>(c.arguments).substeps <= kMostSubsteps;
        }
        return true;
      },
      command);
}

std::vector<Command> calls_of(std::string_view bytes) {
  std::vector<Command> calls;
  file::Reader reader(bytes, "calls");
  try {
    while (reader.left() != 0 && calls.size() < kMostCalls) {
      Command command;
      reader(command);
      if (tamed(command)) calls.push_back(std::move(command));
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
    require(Recording::from_bytes(read.to_bytes(), "written").to_bytes() == read.to_bytes());
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

void try_calls(const Start& from, const std::vector<Command>& calls, bool trace) {
  World world(from.snapshot, {.device = Device::cpu(1), .trace = trace});
  world.start_recording();
  for (const Command& call : calls) {
    make(world, call);
    require(finite(world));
  }
  world.step();
  require(finite(world));
  Snapshot::from_bytes(world.snapshot().to_bytes(), "what it has become");
  const Recording made = Recording::from_bytes(world.stop_recording().to_bytes(), "recorded");
  const Replay again = replay(made, {.device = Device::cpu(2)});
  require(!again.difference && again.steps == made.steps() && again.hash == world.state_hash());
}

/// Where calls begin in an input that is calls alone, and where the last one ends.
std::vector<std::size_t> begins_of(std::string_view input) {
  std::vector<std::size_t> begins{1};
  file::Reader reader(input.substr(1), "calls");
  try {
    while (reader.left() != 0) {
      Command command;
      reader(command);
      begins.push_back(input.size() - reader.left());
    }
  } catch (const SnapshotError&) {
    // what is left is no call
  }
  return begins;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Every other time takes a call, and moves, repeats, removes or changes that one alone.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  std::minstd_rand random(seed);
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random()) / 8 % n; };
  if (input.empty() || input[0] == 'F' || input[0] == 'L' || pick(2) == 0) return LLVMFuzzerMutate(data, size, most);
  const std::vector<std::size_t> begins = begins_of(input);
  if (begins.size() < 2) return LLVMFuzzerMutate(data, size, most);
  const std::size_t which = pick(begins.size() - 1), begin = begins[which], n = begins[which + 1] - begin;
  std::string call = input.substr(begin, n), rest = input;
  const std::size_t action = pick(5);
  if (action >= 2) {
    call.resize(2 * n);
    call.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(call.data()), n, call.size()));
    rest.replace(begin, n, call);
  } else {
    if (action == 0) rest.erase(begin, n);
    std::size_t to = begins[pick(begins.size())];
    if (action == 0 && to > begin) to -= n;
    rest.insert(to, call);
    // now and then without it
    if (pick(4) == 0) rest.erase(to, n);
  }
  if (rest.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, rest.data(), rest.size());
  return rest.size();
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
    const Start& from = start(kind);
    const std::vector<Command> calls = calls_of(input);
    try_file(Log::recording({from.bytes, from.hash, calls}).to_bytes());
    try_calls(from, calls, kind >= 128);
  }
  return 0;
}
