// The loop of a warp. Diverged lanes run group by group, the one at the lowest instruction first, so that they converge
// again where their paths join. A group that spins for long lets the others run.

#include <algorithm>
#include <cstring>

#include "block.h"
#include "module.h"
#include "options.h"
#include "profile.h"
#include "race.h"

namespace ptxdev {
namespace {

constexpr std::uint64_t kPatience = 20000;  // instructions

class Loop {
 public:
  Loop(Warp& warp, std::uint64_t budget)
      : w_(warp), fuel_(budget), pc_(warp.pc), active_(warp.active), counts_(!options().profile.empty()) {
    if (active_ != 0) enter(warp.frame);
  }

  void run() {
    w_.state = Warp::State::kReady;
    if (active_ == 0 && !choose()) return stop();
    find_limit();
    while (true) {
      if (pc_ >= limit_) {
        park(Group::State::kReady, active_);
        choose();
      }
      if (fuel_ == 0) {
        w_.pc = pc_;
        w_.active = active_;
        return;
      }
      const Instr& in = code_[pc_];
      if (in.kind == Kind::kPlain) [[likely]] {
        plain(std::min<std::uint64_t>({in.target, limit_ - pc_, fuel_}));
        continue;
      }
      --fuel_;
      ++w_.executed;
      const std::uint32_t mask = active_ & (w_.predicate(in.guard) ^ in.guard_flip);
      if (counts_) [[unlikely]] {
        w_.active = active_;
        count(w_, in, mask);
      }
      if (!control(in, mask)) return stop();
    }
  }

 private:
  /// Instructions that go to the next one, so many.
  void plain(std::uint64_t many) {
    const std::uint32_t active = active_;
    w_.active = active;
    for (const Instr* in = code_ + pc_, *end = in + many; in != end; ++in) {
      const std::uint32_t mask = active & (w_.predicate(in->guard) ^ in->guard_flip);
      if (counts_) [[unlikely]]
        count(w_, *in, mask);
      if (mask != 0) in->run(w_, *in, mask);
    }
    pc_ += static_cast<std::uint32_t>(many);
    fuel_ -= many;
    w_.executed += many;
  }

  /// False if no lane can continue.
  bool control(const Instr& in, std::uint32_t mask) {
    switch (in.kind) {
      case Kind::kBranch: {
        if (mask == 0) {
          ++pc_;
          return true;
        }
        const bool back = in.target <= pc_;
        if (mask == active_) {
          pc_ = in.target;
        } else {
          if ((in.flags & kUniform) != 0) fault(w_, in, __builtin_ctz(mask), "bra.uni, and the lanes part");
          active_ &= ~mask;
          ++pc_;
          w_.others.push_back({w_.frame, in.target, mask, Group::State::kReady, 0, 0});
          limit_ = std::min(limit_, in.target);
        }
        if (back && w_.executed - switched_ > kPatience) give_way();
        return true;
      }
      case Kind::kIndirect: {
        // one group a target
        const auto& table = w_.frame->function->tables[in.target];
        const std::uint32_t* index = w_.lanes<std::uint32_t>(in.o[0]);
        active_ &= ~mask;
        for (std::uint32_t left = mask; left != 0;) {
          const int lane = __builtin_ctz(left);
          const std::uint32_t which = index[lane];
          if (which >= table.size()) fault(w_, in, lane, "brx.idx past its list of targets");
          std::uint32_t same = 0;
          for (int i = 0; i < kLanes; ++i)
            same |= static_cast<std::uint32_t>(((left >> i) & 1u) != 0 && index[i] == which) << i;
          left &= ~same;
          w_.others.push_back({w_.frame, table[which], same, Group::State::kReady, 0, 0});
        }
        ++pc_;
        if (active_ != 0) {
          find_limit();
          return true;
        }
        return choose();
      }
      case Kind::kCall:
        ++pc_;
        if (mask != 0) call(in, mask);
        return true;
      case Kind::kRet:
        if (w_.frame->parent != nullptr) {
          ++pc_;
          active_ &= ~mask;
          if (mask != 0) give_back(mask);
          return active_ != 0 || choose();
        }
        [[fallthrough]];
      case Kind::kExit:
        w_.alive &= ~mask;
        active_ &= ~mask;
        ++pc_;
        if (mask != 0) {
          for (Frame* f = w_.frame; f != nullptr;) {
            Frame* up = f->parent;
            f->inside &= ~mask;
            if (f->inside == 0 && up != nullptr) release(f);
            f = up;
          }
          // a warp that waited for these lanes must check again
          for (Group& g : w_.others) {
            if (g.state == Group::State::kTogether) g.state = Group::State::kReady;
          }
          find_limit();
        }
        return active_ != 0 || choose();
      case Kind::kBarrier: {
        if (mask != 0) {
          park(Group::State::kBarrier, mask);
          active_ &= ~mask;
          Group& g = w_.others.back();
          const int lane = __builtin_ctz(mask);
          g.barrier = w_.lanes<std::uint32_t>(in.o[1])[lane];
          g.expected = in.o[2] == kNone ? 0 : w_.lanes<std::uint32_t>(in.o[2])[lane];
          if (g.barrier > 15) fault(w_, in, lane, "barrier " + std::to_string(g.barrier) + ": there are 16");
        }
        ++pc_;
        return active_ != 0 || choose();
      }
      case Kind::kTogether:
        return together(in, mask);
      case Kind::kYield:
        ++pc_;
        if (mask != 0) {
          fuel_ = std::min<std::uint64_t>(fuel_, 64);
          give_way();
        }
        return true;
      case Kind::kTrap:
        if (mask != 0) fault(w_, in, __builtin_ctz(mask), "trap");
        ++pc_;
        return true;
      default:
        fault(w_, in, 0, "an instruction that isn't known");
    }
  }

  bool together(const Instr& in, std::uint32_t mask) {
    const std::uint32_t* members = w_.lanes<std::uint32_t>(in.o[5]);
    std::uint32_t done = 0;
    for (std::uint32_t left = mask; left != 0;) {
      const int lane = __builtin_ctz(left);
      const std::uint32_t wanted = members[lane];
      std::uint32_t mine = 0;
      for (int i = 0; i < kLanes; ++i)
        mine |= static_cast<std::uint32_t>(((left >> i) & 1u) != 0 && members[i] == wanted) << i;
      left &= ~mine;
      if ((mine & ~wanted) != 0) fault(w_, in, lane, "the lane isn't in the mask of members it gives");
      std::uint32_t all = mine;
      for (const Group& g : w_.others) {
        if (g.frame == w_.frame && g.pc == pc_ && g.state == Group::State::kTogether) all |= g.mask & wanted;
      }
      if ((wanted & w_.alive & ~all) != 0) {
        active_ &= ~mine;
        park(Group::State::kTogether, mine);
        continue;
      }
      for (Group& g : w_.others) {
        if (g.frame == w_.frame && g.pc == pc_ && g.state == Group::State::kTogether) g.mask &= ~all;
      }
      std::erase_if(w_.others, [](const Group& g) { return g.mask == 0; });
      in.run(w_, in, all);
      if ((in.flags & kMeets) != 0 && w_.launch->races != nullptr) w_.launch->races->meet(w_, all);
      done |= all;
    }
    active_ |= done;
    ++pc_;
    return active_ != 0 || choose();
  }

  void enter(Frame* frame) {
    w_.frame = frame;
    w_.regs = frame->regs;
    code_ = frame->function->code.data();
  }

  /// The lanes of `mask` continue in the callee, the others behind the call.
  void call(const Instr& in, std::uint32_t mask) {
    Frame* caller = w_.frame;
    const CallSite& site = caller->function->calls[in.target];
    Kernel& callee = *site.callee;
    decode(callee);
    if (callee.argument_units.size() != site.arguments.size() || callee.result_units.size() != site.results.size()) {
      fault(w_, in, __builtin_ctz(mask), "a call with other parameters than the function has");
    }
    if (active_ != mask) {
      active_ &= ~mask;
      park(Group::State::kReady, active_);
    }
    Frame* frame = new_frame(w_, callee);
    frame->parent = caller;
    frame->return_pc = pc_;
    frame->site = in.target;
    frame->depth = caller->depth + 1;
    if (frame->depth > 200) fault(w_, in, __builtin_ctz(mask), "calls are 200 deep");
    frame->inside = mask;
    set_local_base(w_, *frame, caller->local_base + caller->function->local_bytes);
    for (std::size_t k = 0; k < site.arguments.size(); ++k) {
      std::memcpy(frame->regs + callee.argument_units[k], caller->regs + site.arguments[k], 8 * kLanes);
    }
    for (const Kernel::Stacked& p : callee.stacked) {
      const auto* from = reinterpret_cast<const std::uint64_t*>(frame->regs + p.unit);
      auto* to = reinterpret_cast<std::uint64_t*>(w_.local.data() +
                                                  static_cast<std::size_t>(frame->local_base + p.local) * kLanes);
      for (std::uint32_t k = 0; k < p.units * kLanes; ++k) to[k] = ((mask >> (k % kLanes)) & 1u) != 0 ? from[k] : to[k];
    }
    enter(frame);
    pc_ = 0;
    active_ = mask;
    limit_ = kNone;
  }

  /// The lanes of `mask` return to the caller.
  void give_back(std::uint32_t mask) {
    Frame* frame = w_.frame;
    Frame* caller = frame->parent;
    const CallSite& site = caller->function->calls[frame->site];
    for (std::size_t k = 0; k < site.results.size(); ++k) {
      const auto* from = reinterpret_cast<const std::uint64_t*>(frame->regs + frame->function->result_units[k]);
      auto* to = reinterpret_cast<std::uint64_t*>(caller->regs + site.results[k]);
      for (int i = 0; i < kLanes; ++i) to[i] = ((mask >> i) & 1u) != 0 ? from[i] : to[i];
    }
    w_.others.push_back({caller, frame->return_pc, mask, Group::State::kReady, 0, 0});
    frame->inside &= ~mask;
    if (frame->inside == 0) release(frame);
  }

  void release(Frame* frame) {
    auto& frames = w_.frames;
    const auto found = std::find_if(frames.begin(), frames.end(), [&](const auto& f) { return f.get() == frame; });
    w_.spare[frame->function].push_back(std::move(*found));
    *found = std::move(frames.back());
    frames.pop_back();
  }

  void park(Group::State state, std::uint32_t mask) { w_.others.push_back({w_.frame, pc_, mask, state, 0, 0}); }

  /// Selects the ready group in the deepest call, and there the one at the lowest instruction.
  bool choose() {
    active_ = 0;
    const Group* best = nullptr;
    for (const Group& g : w_.others) {
      if (g.state != Group::State::kReady) continue;
      if (best == nullptr || g.frame->depth > best->frame->depth ||
          (g.frame->depth == best->frame->depth && g.pc < best->pc)) {
        best = &g;
      }
    }
    if (best == nullptr) return false;
    take(best->frame, best->pc);
    find_limit();
    return true;
  }

  void take(Frame* frame, std::uint32_t pc) {
    enter(frame);
    pc_ = pc;
    for (Group& g : w_.others) {
      if (g.state != Group::State::kReady || g.frame != frame || g.pc != pc) continue;
      active_ |= g.mask;
      g.mask = 0;
    }
    std::erase_if(w_.others, [](const Group& g) { return g.mask == 0; });
    switched_ = w_.executed;
  }

  void find_limit() {
    limit_ = kNone;
    for (const Group& g : w_.others) {
      if (g.state == Group::State::kReady && g.frame == w_.frame) limit_ = std::min(limit_, g.pc);
    }
  }

  /// Lets another group run for a while, at any instruction.
  void give_way() {
    switched_ = w_.executed;
    const auto other = std::find_if(w_.others.begin(), w_.others.end(),
                                    [&](const Group& g) { return g.state == Group::State::kReady; });
    if (other == w_.others.end()) return;
    const std::uint32_t pc = other->pc;
    Frame* frame = other->frame;
    park(Group::State::kReady, active_);
    active_ = 0;
    take(frame, pc);
    limit_ = kNone;
  }

  void stop() {
    w_.pc = 0;
    w_.active = 0;
    w_.state = w_.alive == 0 ? Warp::State::kDone : Warp::State::kWaiting;
  }

  Warp& w_;
  const Instr* code_;
  std::uint64_t fuel_;
  std::uint32_t pc_, active_;
  bool counts_;
  std::uint32_t limit_{kNone};
  std::uint64_t switched_{0};
};

}  // namespace

void run_warp(Warp& warp, std::uint64_t budget) { Loop(warp, budget).run(); }

}  // namespace ptxdev
