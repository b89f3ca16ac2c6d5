#pragma once
// Functors of the exec tests, for both processors.

#include <cstdint>

#include "kernels/common/atomic.h"
#include "kernels/common/rounds.h"
#include "kernels/common/state.h"

namespace cairn::exec_cases {

struct Visit {
  std::uint32_t* visits;
  CAIRN_HD void operator()(std::uint32_t i) const { visits[i] += 1; }
};

struct VisitOne {
  std::uint32_t* visits;
  CAIRN_HD void operator()() const { *visits += 1; }
};

struct VisitRow {
  std::uint32_t* visits;
  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    for (std::uint32_t lane = 0; lane < sizeof(T) / sizeof(float); ++lane) visits[slot + lane] += 1;
  }
};

/// Items i, i + cells, i + 2 cells, ... want the same cell. In a round the highest bid at each cell takes the cell's
/// next rank.
struct Auction {
  std::uint32_t cells;
  std::uint64_t* best;  ///< [1] (cells)
  std::uint32_t* next;  ///< [1] (cells)
  std::uint32_t* rank;  ///< [1] (items)
  std::uint32_t* done;
  static constexpr std::uint32_t kUnranked = 0xabababab;

  /// Over 0 and unlike any other item's.
  CAIRN_HD static std::uint64_t bid_of(std::uint32_t i) { return std::uint64_t{i * 2654435761u} << 32 | (i + 1); }
};
struct AuctionBid : Auction {
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (rank[i] == kUnranked) kernels::atomic_max(&best[i % cells], bid_of(i));
  }
};
struct AuctionTake : Auction {
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (rank[i] != kUnranked || best[i % cells] != bid_of(i)) return;
    rank[i] = next[i % cells]++;
    kernels::atomic_add(done, 1u);
  }
};
struct AuctionClear : Auction {
  CAIRN_HD void operator()(std::uint32_t i) const { kernels::atomic_store(&best[i % cells], std::uint64_t{0}); }
};

/// A row folds its slot into what its cell has seen so far: any other order gives another history.
struct Chronicle {
  const std::uint32_t* cell;  ///< [1] (row slots) kNone in padding lanes
  std::uint32_t* history;     ///< [1] (cells)

  CAIRN_HD static std::uint32_t after(std::uint32_t history, std::uint32_t slot) { return history * 31u + slot; }

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    for (std::uint32_t lane = 0; lane < sizeof(T) / sizeof(float); ++lane) {
      const std::uint32_t c = cell[slot + lane];
      if (c != kernels::kNone) history[c] = after(history[c], slot + lane);
    }
  }
};

/// Every item counts at the words of its turn, by each kind of atomic.
struct Tally {
  std::uint32_t* words;       ///< [1] (kWords, kTurns)
  std::uint64_t* long_words;  ///< [1] (kLongWords, kTurns)
  static constexpr std::uint32_t kWords = 5, kLongWords = 3, kTurns = 3;

  CAIRN_HD static std::uint32_t value(std::uint32_t i) { return i * 2654435761u; }
  CAIRN_HD void operator()(std::uint32_t i) const {
    std::uint32_t* w = words + i % kTurns * kWords;
    std::uint64_t* l = long_words + i % kTurns * kLongWords;
    kernels::atomic_or(w, 1u << i % 32);
    kernels::atomic_add(w + 1, i);
    kernels::atomic_next(w + 2);
    kernels::atomic_max(w + 3, value(i));
    kernels::atomic_min(w + 4, value(i));
    kernels::atomic_or(l, std::uint64_t{1} << i % 64);
    kernels::atomic_max(l + 1, std::uint64_t{value(i)} << 20);
    kernels::atomic_add(reinterpret_cast<std::int64_t*>(l + 2), -static_cast<std::int64_t>(i));
  }
};

/// Rounds of a Chronicle, all but the last of which ask for another.
struct ChronicleRounds {
  Chronicle chronicle;
  kernels::RowRounds rounds;
  std::uint32_t wanted;  ///< [1] rounds

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    if (rounds.over()) return;
    chronicle.row<T>(slot);
    if (rounds.round + 1 < wanted) rounds.note();
  }
};

/// An item of a group, by a team.
struct VisitGroup {
  std::uint32_t* visits;
  static constexpr std::uint32_t kItems = 3;

  CAIRN_UNCHECKED
  template <class Team>
  CAIRN_BOTH void operator()(const Team& team, std::uint32_t group) const {
    team.each(kItems, Visit{visits + group * kItems});
  }
};

/// An item folds itself into what its cell has seen so far.
struct ChronicleItem {
  const std::uint32_t* cell;  ///< [1] (items)
  std::uint32_t* history;     ///< [1] (cells)
  CAIRN_HD void operator()(std::uint32_t i) const { history[cell[i]] = Chronicle::after(history[cell[i]], i); }
};

/// A part of a key.
struct Quarter {
  CAIRN_HD std::uint32_t operator()(std::uint32_t key) const { return key / 4; }
};

/// Items of a part by colour, as sweeps over bodies ask for them.
struct ColorPart {
  const std::uint32_t* begin;
  std::uint32_t* visits;
  ChronicleItem chronicle;

  CAIRN_UNCHECKED
  template <class Part>
  CAIRN_BOTH void operator()(Part& part) const {
    part.each_color(begin, Visit{visits});
    part.each_color(begin, chronicle);
  }
};

/// Bodies, rows and sweeps of a part, as the motion asks for them.
struct VisitPart {
  kernels::Parts parts;
  std::uint32_t* bodies;
  std::uint32_t* slots;
  const std::uint32_t* cell;
  std::uint32_t* history;

  CAIRN_UNCHECKED
  template <class Part>
  CAIRN_BOTH void operator()(Part& part) const {
    part.each_body(parts, Visit{bodies});
    part.rows(parts, 0, VisitRow{slots});
    part.sweep(parts, 0, Chronicle{cell, history});
    part.sweep(parts, 0, Chronicle{cell, history});
  }
};

}  // namespace cairn::exec_cases
