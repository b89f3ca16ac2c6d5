#include "block.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <unordered_map>

#include "access.h"
#include "module.h"
#include "options.h"
#include "profile.h"
#include "race.h"

namespace ptxdev {
namespace {

std::uint64_t all_instructions = 0, all_launches = 0;

std::uint32_t special_value(const Block& block, const Warp& warp, const SpecialSlot& slot, std::uint32_t lane) {
  const Launch& launch = *block.launch;
  const std::uint32_t thread = warp.index * kLanes + lane;
  const Dim3& n = launch.block;
  const auto axis = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return slot.axis == 0 ? x : slot.axis == 1 ? y : z;
  };
  switch (slot.which) {
    case Special::kTid:
      return axis(thread % n.x, thread / n.x % n.y, thread / n.x / n.y);
    case Special::kNtid:
      return axis(n.x, n.y, n.z);
    case Special::kCtaid:
      return axis(block.x, block.y, block.z);
    case Special::kNctaid:
      return axis(launch.grid.x, launch.grid.y, launch.grid.z);
    case Special::kLane:
      return lane;
    case Special::kWarp:
      return warp.index;
    case Special::kNwarp:
      return static_cast<std::uint32_t>(block.warps.size());
    case Special::kMaskEq:
      return 1u << lane;
    case Special::kMaskLt:
      return (1u << lane) - 1;
    case Special::kMaskLe:
      return (1u << lane) | ((1u << lane) - 1);
    case Special::kMaskGe:
      return ~((1u << lane) - 1);
    case Special::kMaskGt:
      return ~((1u << lane) | ((1u << lane) - 1));
    case Special::kSmid:
      return static_cast<std::uint32_t>(block.index % static_cast<std::uint64_t>(options().multiprocessors));
    case Special::kNsmid:
      return static_cast<std::uint32_t>(options().multiprocessors);
    case Special::kDynamicShared:
      return launch.dynamic_shared;
    case Special::kTotalShared:
      return launch.kernel->shared_bytes + launch.dynamic_shared;
    case Special::kLocalBase:
    case Special::kGridId:
    case Special::kClusterZero:
      return 0;
    case Special::kClusterOne:
      return 1;
  }
  return 0;
}

bool changes_with_block(Special which) {
  return which == Special::kCtaid || which == Special::kSmid || which == Special::kNctaid ||
         which == Special::kDynamicShared || which == Special::kTotalShared;
}

bool changes_with_lane(Special which) {
  return which == Special::kTid || (which >= Special::kLane && which <= Special::kMaskGt);
}

void fill_constants(const Kernel& kernel, std::uint8_t* regs) {
  for (const Constant& c : kernel.constants) {
    if (c.wide) {
      std::fill_n(reinterpret_cast<std::uint64_t*>(regs + c.slot), kLanes, c.bits);
    } else if (c.slot == kernel.constants[0].slot) {
      *reinterpret_cast<std::uint32_t*>(regs + c.slot) = kAll;  // `true` comes first
    } else {
      std::fill_n(reinterpret_cast<std::uint32_t*>(regs + c.slot), kLanes, static_cast<std::uint32_t>(c.bits));
    }
  }
}

void fill_specials(const Block& block, const Warp& warp, const Kernel& kernel, std::uint8_t* regs, bool all) {
  for (const SpecialSlot& s : kernel.specials) {
    if (s.which == Special::kLocalBase || (!all && !changes_with_block(s.which))) continue;
    auto* lanes = reinterpret_cast<std::uint32_t*>(regs + s.slot);
    if (changes_with_lane(s.which)) {
      for (std::uint32_t i = 0; i < kLanes; ++i) lanes[i] = special_value(block, warp, s, i);
    } else {
      std::fill_n(lanes, kLanes, special_value(block, warp, s, 0));
    }
  }
}

std::uint8_t* aligned(std::vector<std::uint8_t>& bytes) {
  std::uint8_t* at = bytes.data();
  return at + (64 - reinterpret_cast<std::uintptr_t>(at) % 64) % 64;
}

}  // namespace

Frame* new_frame(Warp& warp, Kernel& function) {
  auto& spare = warp.spare[&function];
  const bool fresh = spare.empty();
  if (fresh) {
    auto frame = std::make_unique<Frame>();
    frame->function = &function;
    frame->own.assign(function.register_bytes + 64, DeviceMemory::kPoison);
    frame->regs = aligned(frame->own);
    fill_constants(function, frame->regs);
    warp.frames.push_back(std::move(frame));
  } else {
    warp.frames.push_back(std::move(spare.back()));
    spare.pop_back();
  }
  Frame* frame = warp.frames.back().get();
  if (frame->stamp != warp.block->stamp) {
    // the shape of the block may have changed, too
    fill_specials(*warp.block, warp, function, frame->regs, true);
    frame->stamp = warp.block->stamp;
  }
  return frame;
}

void set_local_base(Warp& warp, Frame& frame, std::uint32_t base) {
  frame.local_base = base;
  warp.local_bytes = std::max(warp.local_bytes, base + frame.function->local_bytes);
  const std::size_t needed = static_cast<std::size_t>((warp.local_bytes + 7) / 8) * 8 * kLanes;
  if (warp.local.size() < needed) warp.local.resize(needed, DeviceMemory::kPoison);
  for (const SpecialSlot& s : frame.function->specials) {
    if (s.which == Special::kLocalBase)
      std::fill_n(reinterpret_cast<std::uint64_t*>(frame.regs + s.slot), kLanes, std::uint64_t{base});
  }
}

void Block::prepare(Launch& of) {
  Kernel& kernel = *of.kernel;
  const auto threads = static_cast<std::uint32_t>(of.block.volume());
  const std::uint32_t count = (threads + kLanes - 1) / kLanes;
  const bool fresh = launch == nullptr || warps.size() != count;
  launch = &of;
  if (fresh) {
    warps.clear();
    warps.resize(count);
    registers.assign(static_cast<std::size_t>(count) * kernel.register_bytes + 64, DeviceMemory::kPoison);
  }
  shared.resize(kernel.shared_bytes + of.dynamic_shared);
  std::uint8_t* base = aligned(registers);
  for (std::uint32_t i = 0; i < count; ++i) {
    Warp& w = warps[i];
    w.index = i;
    w.block = this;
    w.launch = &of;
    w.base.function = &kernel;
    w.base.regs = base + static_cast<std::size_t>(i) * kernel.register_bytes;
    w.shared = shared.data();
    w.shared_bytes = static_cast<std::uint32_t>(shared.size());
    w.nears = {};
    if (fresh) fill_constants(kernel, w.base.regs);
    set_local_base(w, w.base, 0);
    fill_specials(*this, w, kernel, w.base.regs, true);
  }
}

void Block::begin(std::uint64_t which) {
  static std::uint64_t stamps = 0;
  stamp = ++stamps;
  index = which;
  x = static_cast<std::uint32_t>(which % launch->grid.x);
  y = static_cast<std::uint32_t>(which / launch->grid.x % launch->grid.y);
  z = static_cast<std::uint32_t>(which / launch->grid.x / launch->grid.y);
  next = 0;
  if (!shared.empty()) std::memset(shared.data(), DeviceMemory::kPoison, shared.size());
  const auto threads = static_cast<std::uint32_t>(launch->block.volume());
  for (Warp& w : warps) {
    const std::uint32_t left = threads - w.index * kLanes;
    w.alive = w.active = left >= kLanes ? kAll : (1u << left) - 1;
    w.pc = 0;
    w.others.clear();
    w.state = Warp::State::kReady;
    w.base.inside = w.alive;
    w.frame = &w.base;
    w.regs = w.base.regs;
    if (!w.local.empty() && w.local.size() <= 8192) std::memset(w.local.data(), DeviceMemory::kPoison, w.local.size());
    fill_specials(*this, w, *launch->kernel, w.base.regs, false);
  }
}

bool Block::run(std::uint64_t budget, std::mt19937_64* random) {
  const std::uint64_t slice = 50000;
  for (std::uint64_t used = 0; used < budget;) {
    Warp* chosen = nullptr;
    const auto n = static_cast<std::uint32_t>(warps.size());
    const std::uint32_t first = random != nullptr ? static_cast<std::uint32_t>((*random)() % n) : next;
    for (std::uint32_t k = 0; k < n && chosen == nullptr; ++k) {
      Warp& w = warps[(first + k) % n];
      if (w.state == Warp::State::kReady) chosen = &w;
    }
    if (chosen == nullptr) {
      if (std::all_of(warps.begin(), warps.end(), [](const Warp& w) { return w.state == Warp::State::kDone; }))
        return true;
      if (release_barriers()) continue;
      for (const Warp& w : warps) {
        if (w.state != Warp::State::kWaiting) continue;
        const Group& g = w.others.front();
        const_cast<Warp&>(w).frame = g.frame;
        fault(w, g.frame->function->code[g.pc], __builtin_ctz(g.mask),
              "deadlock: lanes wait here for others of their block that won't come");
      }
    }
    const std::uint64_t before = chosen->executed;
    run_warp(*chosen, random != nullptr ? 1 + (*random)() % 400 : slice);
    used += chosen->executed - before;
    next = chosen->index;
    if (chosen->state == Warp::State::kReady) next = (next + 1) % n;
  }
  return false;
}

bool Block::release_barriers() {
  std::uint32_t alive = 0;
  for (const Warp& w : warps) alive += static_cast<std::uint32_t>(__builtin_popcount(w.alive));
  bool released = false;
  for (std::uint32_t id = 0; id < 16; ++id) {
    std::uint32_t waiting = 0, expected = alive, yes = 0;
    const Instr* which = nullptr;
    for (Warp& w : warps) {
      for (const Group& g : w.others) {
        if (g.state != Group::State::kBarrier || g.barrier != id) continue;
        which = &g.frame->function->code[g.pc];
        const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(g.mask));
        waiting += lanes;
        if (g.expected != 0) expected = g.expected;
        if (which->o[3] != kNone) {
          const std::uint32_t p = *reinterpret_cast<const std::uint32_t*>(g.frame->regs + which->o[3]) ^
                                  ((which->imm & 16) != 0 ? kAll : 0);
          yes += static_cast<std::uint32_t>(__builtin_popcount(p & g.mask));
        }
      }
    }
    if (waiting == 0 || waiting < expected) continue;
    released = true;
    for (Warp& w : warps) {
      std::uint32_t at = kNone;
      for (Group& g : w.others) {
        if (g.state != Group::State::kBarrier || g.barrier != id) continue;
        const Instr& in = g.frame->function->code[g.pc];
        w.frame = g.frame;
        w.regs = g.frame->regs;
        if (at != kNone && at != g.pc && (in.flags & kAligned) != 0) {
          finding(w, in, __builtin_ctz(g.mask), "the lanes of a warp meet at different barriers");
        }
        at = g.pc;
        const int what = static_cast<int>(in.imm & 15);
        if (what == 1 || what == 2) {
          const bool result = what == 1 ? yes != 0 : yes == waiting;
          std::uint32_t& p = w.predicate(in.o[0]);
          p = (p & ~g.mask) | (result ? g.mask : 0);
        } else if (what == 3) {
          for (int i = 0; i < kLanes; ++i) {
            if ((g.mask >> i) & 1u) w.lanes<std::uint32_t>(in.o[0])[i] = yes;
          }
        }
        ++g.pc;
        g.state = Group::State::kReady;
        w.state = Warp::State::kReady;
      }
    }
    if (launch->races != nullptr) launch->races->barrier(*this);
  }
  return released;
}

// ---- the grid ----

namespace {

/// Blocks of earlier launches, reused by the same kernel.
std::unordered_map<const Kernel*, std::vector<std::unique_ptr<Block>>> idle_blocks;

}  // namespace

void execute(Launch& launch) {
  Kernel& kernel = *launch.kernel;
  decode(kernel);
  static std::mt19937_64 random(options().seed);
  std::mt19937_64* order = options().seed != 0 ? &random : nullptr;
  checking = options().initcheck || options().racecheck;
  RaceMap races;
  if (options().racecheck) launch.races = &races;
  auto& idle = idle_blocks[&kernel];
  std::deque<std::unique_ptr<Block>> resident;
  const std::uint64_t blocks = launch.grid.volume();
  std::uint64_t admitted = 0, executed = 0;
  const auto admit = [&] {
    std::unique_ptr<Block> block;
    if (idle.empty()) {
      block = std::make_unique<Block>();
    } else {
      block = std::move(idle.back());
      idle.pop_back();
    }
    block->prepare(launch);
    block->begin(admitted++);
    for (Warp& w : block->warps) w.executed = 0;
    resident.push_back(std::move(block));
  };
  const std::size_t together = order != nullptr ? 12 : 1;
  std::size_t most = together;
  std::size_t turn = 0;
  while (admitted < blocks || !resident.empty()) {
    while (resident.size() < most && admitted < blocks) admit();
    turn = order != nullptr ? (*order)() % resident.size() : turn % resident.size();
    if (order != nullptr) reverse_lanes = ((*order)() & 1) != 0;
    Block& block = *resident[turn];
    const bool done = block.run(order != nullptr ? 1 + (*order)() % 4000 : 4000000, order);
    if (!done) {
      // it may wait for a block that isn't resident yet
      if (order == nullptr) {
        most = std::min<std::size_t>(most + 1, 256);
        ++turn;
      }
      continue;
    }
    if (launch.races != nullptr) launch.races->judge();
    for (const Warp& w : block.warps) {
      executed += w.executed;
      launch.longest = std::max(launch.longest, w.executed);
    }
    if (admitted < blocks) {
      for (Warp& w : block.warps) w.executed = 0;
      block.begin(admitted++);
      continue;
    }
    idle.push_back(std::move(resident[turn]));
    resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(turn));
  }
  if (idle.size() > 1) idle.resize(1);
  reverse_lanes = false;
  ++kernel.launches;
  if (!options().profile.empty()) count_launch(launch);
  kernel.instructions += executed;
  all_instructions += executed;
  ++all_launches;
}

std::uint64_t total_instructions() { return all_instructions; }
std::uint64_t total_launches() { return all_launches; }

}  // namespace ptxdev
