// PTX names a new register for nearly every value, so a file with a place for each would be far larger than a cache.
// Registers with disjoint lifetimes share places: a linear scan over live intervals. Lanes at different instructions
// don't disturb each other, since each has its own lane of every place.

#include <algorithm>

#include "module.h"

namespace ptxdev {
namespace {

class Liveness {
 public:
  Liveness(const Kernel& kernel, const std::vector<RegisterClass>& registers,
           const std::vector<std::vector<std::uint32_t>>& tables)
      : kernel_(kernel), registers_(registers), tables_(tables) {
    number();
    split();
    solve();
  }

  struct Interval {
    std::uint32_t id, from, to;
  };
  std::vector<Interval> intervals() const;

 private:
  using Set = std::vector<std::uint64_t>;
  struct Part {
    std::uint32_t from, to;  // of the code
    std::vector<std::uint32_t> next;
    Set in, out, read, written;
  };

  template <class F>
  void operands(const Instr& instr, const F& f) const {
    for (int k = 0; k < 6; ++k) {
      if (instr.o[k] == kNone || compact_[instr.o[k]] == kNone) continue;
      f(compact_[instr.o[k]], (instr.uses >> k) & 1, (instr.defs >> k) & 1);
    }
    if (instr.kind == Kind::kCall) {
      const CallSite& site = kernel_.calls[instr.target];
      for (const std::uint32_t id : site.arguments) f(compact_[id], true, false);
      for (const std::uint32_t id : site.results) f(compact_[id], false, true);
    }
  }
  bool whole(const Instr& instr) const { return instr.guard == 0 && instr.guard_flip == 0; }

  void number() {
    compact_.assign(registers_.size(), kNone);
    for (const Instr& instr : kernel_.code) {
      for (const std::uint32_t id : instr.o) {
        if (id == kNone || registers_[id].bytes == 0 || registers_[id].fixed || compact_[id] != kNone) continue;
        compact_[id] = static_cast<std::uint32_t>(ids_.size());
        ids_.push_back(id);
      }
    }
    const auto add = [&](std::uint32_t id) {
      if (compact_[id] != kNone) return;
      compact_[id] = static_cast<std::uint32_t>(ids_.size());
      ids_.push_back(id);
    };
    for (const CallSite& site : kernel_.calls) {
      for (const std::uint32_t id : site.arguments) add(id);
      for (const std::uint32_t id : site.results) add(id);
    }
    words_ = (ids_.size() + 63) / 64;
  }

  void split() {
    const auto& code = kernel_.code;
    const auto n = static_cast<std::uint32_t>(code.size());
    std::vector<bool> leads(n + 1, false);
    leads[0] = true;
    for (std::uint32_t i = 0; i < n; ++i) {
      const Kind kind = code[i].kind;
      if (kind == Kind::kBranch) leads[code[i].target] = true;
      if (kind == Kind::kIndirect) {
        for (const std::uint32_t t : tables_[code[i].target]) leads[t] = true;
      }
      if (kind == Kind::kBranch || kind == Kind::kIndirect || kind == Kind::kExit || kind == Kind::kRet ||
          kind == Kind::kTrap)
        leads[i + 1] = true;
    }
    part_of_.assign(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (leads[i]) parts_.push_back({i, i, {}, {}, {}, {}, {}});
      part_of_[i] = static_cast<std::uint32_t>(parts_.size() - 1);
      parts_.back().to = i + 1;
    }
    for (Part& part : parts_) {
      const Instr& last = code[part.to - 1];
      const bool goes_on =
          !(whole(last) && (last.kind == Kind::kBranch || last.kind == Kind::kIndirect || last.kind == Kind::kExit ||
                            last.kind == Kind::kRet || last.kind == Kind::kTrap));
      if (goes_on && part.to < n) part.next.push_back(part_of_[part.to]);
      if (last.kind == Kind::kBranch) part.next.push_back(part_of_[last.target]);
      if (last.kind == Kind::kIndirect) {
        for (const std::uint32_t t : tables_[last.target]) part.next.push_back(part_of_[t]);
      }
      part.in.assign(words_, 0);
      part.out.assign(words_, 0);
      part.read.assign(words_, 0);
      part.written.assign(words_, 0);
      for (std::uint32_t i = part.from; i < part.to; ++i) {
        operands(code[i], [&](std::uint32_t r, bool uses, bool) {
          if (uses && !test(part.written, r)) set(part.read, r);
        });
        if (whole(code[i])) {
          operands(code[i], [&](std::uint32_t r, bool, bool defs) {
            if (defs) set(part.written, r);
          });
        }
      }
    }
  }

  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t p = parts_.size(); p-- > 0;) {
        Part& part = parts_[p];
        for (std::size_t w = 0; w < words_; ++w) {
          std::uint64_t out = 0;
          for (const std::uint32_t n : part.next) out |= parts_[n].in[w];
          const std::uint64_t in = part.read[w] | (out & ~part.written[w]);
          part.out[w] = out;
          if (in != part.in[w]) {
            part.in[w] = in;
            changed = true;
          }
        }
      }
    }
  }

  static bool test(const Set& s, std::uint32_t r) { return ((s[r / 64] >> (r % 64)) & 1u) != 0; }
  static void set(Set& s, std::uint32_t r) { s[r / 64] |= std::uint64_t{1} << (r % 64); }

  const Kernel& kernel_;
  const std::vector<RegisterClass>& registers_;
  const std::vector<std::vector<std::uint32_t>>& tables_;
  std::vector<std::uint32_t> compact_, ids_, part_of_;
  std::vector<Part> parts_;
  std::size_t words_{0};
};

std::vector<Liveness::Interval> Liveness::intervals() const {
  std::vector<Interval> all(ids_.size());
  for (std::size_t r = 0; r < ids_.size(); ++r) all[r] = {ids_[r], kNone, 0};
  const auto extend = [&](std::uint32_t r, std::uint32_t at) {
    all[r].from = std::min(all[r].from, at);
    all[r].to = std::max(all[r].to, at);
  };
  for (const Part& part : parts_) {
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t left = part.in[w]; left != 0; left &= left - 1) {
        extend(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(__builtin_ctzll(left)), part.from);
      }
      for (std::uint64_t left = part.out[w]; left != 0; left &= left - 1) {
        extend(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(__builtin_ctzll(left)), part.to);
      }
    }
    for (std::uint32_t i = part.from; i < part.to; ++i) {
      operands(kernel_.code[i], [&](std::uint32_t r, bool, bool) { extend(r, i); });
    }
  }
  std::sort(all.begin(), all.end(), [](const Interval& a, const Interval& b) { return a.from < b.from; });
  return all;
}

}  // namespace

void assign_registers(Kernel& kernel, const std::vector<RegisterClass>& registers,
                      const std::vector<std::vector<std::uint32_t>>& tables) {
  constexpr std::uint32_t kNarrow = 4 * kLanes, kWide = 8 * kLanes;
  std::vector<std::uint32_t> place(registers.size(), kNone);
  std::uint32_t next = 0;
  // predicates first; an unused one costs a word
  for (std::size_t id = 0; id < registers.size(); ++id) {
    if (registers[id].bytes != 0) continue;
    place[id] = next;
    next += 4;
  }
  next = (next + kWide - 1) / kWide * kWide;
  for (std::size_t id = 0; id < registers.size(); ++id) {
    if (!registers[id].fixed || registers[id].bytes == 0) continue;
    if (registers[id].bytes == 8) next = (next + kWide - 1) / kWide * kWide;
    place[id] = next;
    next += registers[id].bytes == 8 ? kWide : kNarrow;
  }
  const auto intervals = Liveness(kernel, registers, tables).intervals();
  std::vector<std::uint32_t> free_narrow, free_wide;
  std::vector<Liveness::Interval> active;
  for (const auto& interval : intervals) {
    for (std::size_t i = 0; i < active.size();) {
      if (active[i].to <= interval.from && active[i].from < interval.from) {
        (registers[active[i].id].bytes == 8 ? free_wide : free_narrow).push_back(place[active[i].id]);
        active[i] = active.back();
        active.pop_back();
      } else {
        ++i;
      }
    }
    const bool wide = registers[interval.id].bytes == 8;
    auto& free = wide ? free_wide : free_narrow;
    if (free.empty()) {
      place[interval.id] = next;
      next += wide ? kWide : kNarrow;
    } else {
      place[interval.id] = free.back();
      free.pop_back();
    }
    active.push_back(interval);
  }
  for (Instr& instr : kernel.code) {
    instr.guard = place[instr.guard];
    for (std::uint32_t& id : instr.o) {
      if (id != kNone) id = place[id];
    }
  }
  for (CallSite& site : kernel.calls) {
    for (std::uint32_t& id : site.arguments) id = place[id];
    for (std::uint32_t& id : site.results) id = place[id];
  }
  if (!kernel.entry) {
    const auto units = [&](const std::vector<Parameter>& list, std::vector<std::uint32_t>& into) {
      for (const Parameter& p : list) {
        for (std::uint32_t u = 0; u < (p.bytes + 7) / 8; ++u) into.push_back(place[p.offset + u]);
      }
    };
    units(kernel.params, kernel.argument_units);
    units(kernel.returned, kernel.result_units);
  }
  for (Kernel::Stacked& p : kernel.stacked) p.unit = place[p.unit];
  for (Constant& c : kernel.constants) c.slot = place[c.slot];
  for (SpecialSlot& s : kernel.specials) s.slot = place[s.slot];
  kernel.register_bytes = next;
}

}  // namespace ptxdev
