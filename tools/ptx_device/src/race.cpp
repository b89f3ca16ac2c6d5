#include "race.h"

#include <algorithm>
#include <cstring>

namespace ptxdev {

void RaceMap::merge(Known& into, const Known& more) {
  for (const auto& [key, time] : more) {
    Time& at = into[key];
    at = std::max(at, time);
  }
}

RaceMap::Place RaceMap::place_of(Warp& w, const Instr& in, int lane, bool shared) const {
  const std::uint64_t warps = w.block->warps.size();
  const std::uint64_t warp = w.block->index * warps + w.index;
  return {w, in, lane, warp * kLanes + static_cast<std::uint32_t>(lane), w.block->index, shared};
}

bool RaceMap::ordered(const Place& at, const Touch& before) {
  if (before.thread == ~0ull || before.thread == at.thread) return true;
  const std::uint64_t block = before.thread / (at.w.block->warps.size() * kLanes);
  Group& own_block = blocks_[at.block];
  if (block == at.block && before.time <= own_block.met) return true;
  const std::uint64_t keys[] = {key_of(Of::kBlock, block), key_of(Of::kThread, before.thread)};
  const auto knows = [&](const Known& known) {
    return std::ranges::any_of(keys, [&](std::uint64_t key) {
      const auto found = known.find(key);
      return found != known.end() && before.time <= found->second;
    });
  };
  if (knows(own_block.known)) return true;
  const auto thread = threads_.find(at.thread);
  return thread != threads_.end() && knows(thread->second.known);
}

/// The thread's present knowledge of past accesses.
RaceMap::Known RaceMap::snapshot(const Place& at) {
  const Group& block = blocks_[at.block];
  Known all = threads_[at.thread].known;
  merge(all, block.known);
  merge(all, {{key_of(Of::kBlock, at.block), block.met}, {key_of(Of::kThread, at.thread), now_}});
  return all;
}

std::string RaceMap::words(const Place& at, const Touch& before, const char* was, const char* is) const {
  const std::uint64_t threads = at.w.block->warps.size() * kLanes;
  return std::string("race in ") + (at.shared ? "shared" : "global") + " memory: " + is + " after a " + was +
         " by thread " + std::to_string(before.thread % threads) + " of block " +
         std::to_string(before.thread / threads) + " at PTX line " + std::to_string(before.ptx_line) +
         " (source line " + std::to_string(before.line) + ")";
}

void RaceMap::tell(const Place& at, const Touch& before, const char* was, const char* is) {
  finding(at.w, at.in, at.lane, words(at, before, was, is));
}

void RaceMap::judge() {
  for (const Doubt& doubt : doubts_) {
    if (std::memcmp(doubt.word, doubt.before.data(), doubt.before.size()) != 0) {
      finding(*doubt.w, *doubt.in, doubt.lane, doubt.text);
    }
  }
  doubts_.clear();
}

void RaceMap::note(Cell& cell, const Place& at, const std::uint8_t* word, std::uint8_t bytes, Access access) {
  const Statement& said = at.w.frame->function->statements[at.in.statement];
  const bool strong = (at.in.flags & kStrong) != 0;
  const Touch now{at.thread, now_, strong, bytes, said.ptx_line, said.line};
  const auto clash = [&](const Touch& before) {
    return (before.bytes & bytes) != 0 && !(strong && before.strong) && !ordered(at, before);
  };
  if (access != Access::kWrite) {
    if (clash(cell.write)) tell(at, cell.write, "write", access == Access::kRead ? "read" : "atomic operation");
    if (strong && !cell.released.empty()) {
      Thread& thread = threads_[at.thread];
      merge((at.in.flags & kAcquire) != 0 ? thread.known : thread.seen, cell.released);
    }
    if (access == Access::kRead) {
      if (cell.read.thread != now.thread) cell.other_read = cell.read;
      cell.read = now;
      return;
    }
  }
  if (access == Access::kWrite && clash(cell.write)) {
    Doubt doubt{word, {}, words(at, cell.write, "write", "write"), &at.w, &at.in, at.lane};
    std::memcpy(doubt.before.data(), word, doubt.before.size());
    doubts_.push_back(std::move(doubt));
  }
  for (const Touch* read : {&cell.read, &cell.other_read}) {
    if (!clash(*read)) continue;
    tell(at, *read, "read", "write");
    break;
  }
  // a sequence of atomics passes on earlier releases
  if (access != Access::kAtomic) cell.released.clear();
  if (strong) {
    const auto thread = threads_.find(at.thread);
    if ((at.in.flags & kRelease) != 0) {
      merge(cell.released, snapshot(at));
    } else if (thread != threads_.end()) {
      merge(cell.released, at.shared ? thread->second.fenced_in_block : thread->second.fenced);
    }
  }
  cell.write = now;
}

void RaceMap::fence(Warp& w, std::uint32_t mask, bool wide) {
  judge();
  ++now_;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const Place at = place_of(w, w.frame->function->code[0], __builtin_ctz(left), false);
    Thread& thread = threads_[at.thread];
    merge(thread.known, thread.seen);
    thread.seen.clear();
    thread.fenced_in_block = snapshot(at);
    if (wide) threads_[at.thread].fenced = threads_[at.thread].fenced_in_block;
  }
}

void RaceMap::meet(Warp& w, std::uint32_t mask) {
  judge();
  const std::uint64_t first = (w.block->index * w.block->warps.size() + w.index) * kLanes;
  Known all;
  const auto each = [&](const auto& f) {
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      f(first + static_cast<std::uint32_t>(__builtin_ctz(left)));
    }
  };
  each([&](std::uint64_t thread) {
    all[key_of(Of::kThread, thread)] = now_;
    const auto found = threads_.find(thread);
    if (found != threads_.end()) merge(all, found->second.known);
  });
  ++now_;
  each([&](std::uint64_t thread) { merge(threads_[thread].known, all); });
}

void RaceMap::barrier(const Block& block) {
  judge();
  Group& group = blocks_[block.index];
  group.met = now_++;
  const std::uint64_t threads = block.warps.size() * kLanes;
  for (std::uint64_t thread = block.index * threads; thread < (block.index + 1) * threads; ++thread) {
    const auto found = threads_.find(thread);
    if (found == threads_.end()) continue;
    merge(group.known, found->second.known);
    // the block's knowledge is stored once
    found->second.known.clear();
  }
}

void RaceMap::note(std::unordered_map<std::uint64_t, Cell>& cells, const Place& at, std::uint64_t address,
                   const std::uint8_t* bytes, std::uint32_t count, Access access) {
  judge();
  ++now_;
  const std::uint64_t first = address / 4, offset = address % 4;
  for (std::uint64_t word = first; word <= (address + count - 1) / 4; ++word) {
    // aligned accesses of fewer than 4 bytes are in one word
    const unsigned some = count < 4 ? ((1u << count) - 1) << offset : 15u;
    note(cells[word], at, bytes - offset + 4 * (word - first), static_cast<std::uint8_t>(some), access);
  }
}

void RaceMap::global(Warp& w, const Instr& in, int lane, std::uint64_t address, const std::uint8_t* bytes,
                     std::uint32_t count, Access access) {
  note(global_, place_of(w, in, lane, false), address, bytes, count, access);
}

void RaceMap::shared(Warp& w, const Instr& in, int lane, std::uint64_t offset, const std::uint8_t* bytes,
                     std::uint32_t count, Access access) {
  note(shared_[w.block->index], place_of(w, in, lane, true), offset, bytes, count, access);
}

}  // namespace ptxdev
