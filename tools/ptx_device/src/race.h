#pragma once
// A race: two threads of a launch access one word, at least one writes it, and nothing orders the accesses. Reported
// unless both are strong (volatile or atomic), or both write the same value.
//
// Accesses are ordered by a barrier of their block, a meeting of the lanes of their warp, and a release that is
// acquired. A release is a strong write behind a fence, or a .release; an acquire is a strong read of it before a
// fence, or an .acquire (PTX ISA, memory consistency model; sequences of atomics pass on earlier releases).

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "access.h"

namespace ptxdev {

class RaceMap {
 public:
  /// An access of `count` bytes that follows. `bytes`: their place on the host.
  void global(Warp& w, const Instr& in, int lane, std::uint64_t address, const std::uint8_t* bytes, std::uint32_t count,
              Access access);
  void shared(Warp& w, const Instr& in, int lane, std::uint64_t offset, const std::uint8_t* bytes, std::uint32_t count,
              Access access);
  /// The lanes of `mask` fence. `wide`: for all blocks.
  void fence(Warp& w, std::uint32_t mask, bool wide);
  /// The lanes of `mask` have met, and see each other's accesses: bar.warp.sync. Shuffles and votes order nothing.
  void meet(Warp& w, std::uint32_t mask);
  /// The threads of a block have met.
  void barrier(const Block& block);
  /// Reports doubts that remain: before the end of a block, whose memory and threads they are about.
  void judge();

 private:
  using Time = std::uint64_t;
  /// Time of each block's or thread's accesses up to which they happened before.
  using Known = std::unordered_map<std::uint64_t, Time>;
  enum class Of : std::uint64_t { kBlock, kThread };
  static std::uint64_t key_of(Of of, std::uint64_t which) { return which << 1 | static_cast<std::uint64_t>(of); }
  static void merge(Known& into, const Known& more);

  struct Touch {
    std::uint64_t thread{~0ull};  ///< of the whole grid
    Time time{0};
    bool strong{false};
    std::uint8_t bytes{0};  ///< of the word, a bit each
    std::uint32_t ptx_line{0}, line{0};
  };
  struct Cell {
    Touch write, read, other_read;
    Known released;
  };
  struct Group {
    Time met{0};
    Known known;
  };
  struct Thread {
    Known known;                    ///< acquired
    Known seen;                     ///< read from releases, and not yet fenced
    Known fenced, fenced_in_block;  ///< released by a strong write, to global and to shared memory
  };
  struct Place {
    Warp& w;
    const Instr& in;
    int lane;
    std::uint64_t thread, block;  ///< of the whole grid
    bool shared;
  };
  /// Two unordered writes: reported unless the second one changes nothing.
  struct Doubt {
    const std::uint8_t* word;
    std::array<std::uint8_t, 4> before;
    std::string text;
    Warp* w;
    const Instr* in;
    int lane;
  };

  Place place_of(Warp& w, const Instr& in, int lane, bool shared) const;
  bool ordered(const Place& at, const Touch& before);
  Known snapshot(const Place& at);
  /// `bytes` of the word, a bit each.
  void note(Cell& cell, const Place& at, const std::uint8_t* word, std::uint8_t bytes, Access access);
  void note(std::unordered_map<std::uint64_t, Cell>& cells, const Place& at, std::uint64_t address,
            const std::uint8_t* bytes, std::uint32_t count, Access access);
  void tell(const Place& at, const Touch& before, const char* was, const char* is);
  std::string words(const Place& at, const Touch& before, const char* was, const char* is) const;

  Time now_{0};
  std::unordered_map<std::uint64_t, Cell> global_;
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, Cell>> shared_;
  std::unordered_map<std::uint64_t, Group> blocks_;
  std::unordered_map<std::uint64_t, Thread> threads_;
  std::vector<Doubt> doubts_;
};

}  // namespace ptxdev
