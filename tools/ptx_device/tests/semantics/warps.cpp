// Operations of a warp's lanes and a block's threads together: PTX ISA, "Parallel Synchronization and Communication
// Instructions" and shfl.sync.

#include <algorithm>

#include "form.h"

namespace semantics {
namespace {

using Warp = std::span<Lane>;

/// A model of a warp, given the lanes in the mask of members, the operand `mask_at`. Other lanes are off.
Model each_warp(std::size_t mask_at, std::function<void(Warp, unsigned)> warp) {
  return [=](Block block) {
    for (std::size_t w = 0; w < block.size(); w += 32) {
      const auto lanes = block.subspan(w, 32);
      const auto mask = static_cast<unsigned>(lanes[0].in[mask_at]);
      for (unsigned l = 0; l < 32; ++l) lanes[l].on = (mask >> l & 1) != 0;
      warp(lanes, mask);
    }
  };
}

bool among(unsigned mask, unsigned lane) { return (mask >> lane & 1) != 0; }

/// Under a guard, so that only the members execute it; their mask is the last input.
Plan together(const Name& name, std::vector<Operand> outs, std::vector<Operand> ins,
              std::function<void(Warp, unsigned)> warp) {
  ins.push_back(members());
  const std::size_t mask_at = ins.size() - 1;
  Plan plan = plain(name, std::move(outs), std::move(ins), {});
  const std::string mask = "$" + std::to_string(plan.outs.size() + mask_at);
  plan.before = "mov.u32 %t5, %lanemask_eq;\nand.b32 %t5, %t5, " + mask + ";\nsetp.ne.b32 %m, %t5, 0;\n";
  plan.text.replace(0, 2, "@%m ");
  plan.guards = false;
  plan.partial = true;
  plan.cases = 16 * kBlock;
  plan.model = each_warp(mask_at, std::move(warp));
  plan.prepare = [=](Block block) {
    U64 state = block[0].in[kIns - 1];
    for (std::size_t w = 0; w < block.size(); w += 32) {
      // all, few, or any
      const U64 pick = random_bits(state);
      U64 mask_bits = pick % 3 == 0   ? ones(32)
                      : pick % 3 == 1 ? U64{1} << (pick / 4 % 32)
                                      : random_bits(state) & ones(32);
      if (mask_bits == 0) mask_bits = ones(32);
      for (Lane& lane : block.subspan(w, 32)) lane.in[mask_at] = mask_bits;
    }
  };
  return plan;
}

/// With the predicate, then with it negated.
void both_signs(Plan plan, std::size_t flag_at, std::vector<Plan>& plans) {
  plans.push_back(plan);
  const std::string name = "$" + std::to_string(plan.outs.size() + flag_at);
  plan.text.replace(plan.text.rfind(name), 1, "!$");
  plan.model = [=, model = plan.model](Block block) {
    std::vector<Lane> flipped(block.begin(), block.end());
    for (Lane& lane : flipped) lane.in[flag_at] ^= 1;
    model(flipped);
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::copy(std::begin(flipped[i].out), std::end(flipped[i].out), std::begin(block[i].out));
      block[i].on = flipped[i].on;
    }
  };
  plans.push_back(std::move(plan));
}

struct Source {
  int lane;
  bool found;
};
Source source_of(std::string_view mode, int lane, U64 b, U64 c) {
  const int segment = static_cast<int>(c >> 8 & 31), limit = static_cast<int>(c & 31), by = static_cast<int>(b & 31);
  const int last = (lane & segment) | (limit & ~segment), first = lane & segment;
  const int from = mode == "up"     ? lane - by
                   : mode == "down" ? lane + by
                   : mode == "bfly" ? lane ^ by
                                    : first | (by & ~segment);
  const bool found = mode == "up" ? from >= last : from <= last;
  return {found ? from : lane, found};
}

void shuffle(const Name& name, std::vector<Plan>& plans) {
  const std::string mode(name.one_of({"up", "down", "bfly", "idx"}));
  for (const int how : {0, 1, 2, 3}) {
    const bool pair = (how & 1) != 0, whole = (how & 2) != 0;
    std::vector<Operand> outs{any("b32")};
    if (pair) outs.push_back(any("pred"));
    Operand by = shift(), bounds = any("b32");
    by.immediate = bounds.immediate = whole;
    Plan plan = together(name, outs, {any("b32"), by, bounds}, [=](Warp warp, unsigned mask) {
      for (unsigned l = 0; l < 32; ++l) {
        if (!among(mask, l)) continue;
        const Source s = source_of(mode, static_cast<int>(l), warp[l].in[1], warp[l].in[2]);
        warp[l].out[0] = warp[static_cast<std::size_t>(s.lane)].in[0] & ones(32);
        warp[l].out[1] = s.found;
      }
    });
    if (pair) plan.text.replace(plan.text.find(", $"), 2, "|");
    // the value of a lane that doesn't take part is undefined: the sources are others
    plan.prepare = [=, before = plan.prepare](Block block) {
      before(block);
      U64 state = block[1].in[kIns - 1];
      for (std::size_t i = 0; i < block.size(); ++i) {
        Lane& lane = block[i];
        const auto mask = static_cast<unsigned>(lane.in[3]);
        if (whole) lane.in[3] = ones(32);
        // segments of all sizes, bounds as from cuda's functions, and any
        const U64 pick = random_bits(state);
        const U64 segment = 32 - (U64{1} << pick / 4 % 6);
        if (pick % 4 != 0) lane.in[2] = segment << 8 | (mode == "up" ? 0 : 31);
        for (int tries = 0; tries < 100; ++tries) {
          const Source s = source_of(mode, static_cast<int>(i % 32), lane.in[1], lane.in[2]);
          if (!among(mask, i % 32) || among(mask, static_cast<unsigned>(s.lane))) break;
          lane.in[1] = tries < 98 ? random_bits(state) : mode == "idx" ? i % 32 : 0;
        }
      }
    };
    plans.push_back(std::move(plan));
  }
}

void vote(const Name& name, std::vector<Plan>& plans) {
  const std::string mode(name.one_of({"all", "any", "uni", "ballot"}));
  Plan plan = together(name, {of(name.type())}, {flag()}, [=](Warp warp, unsigned mask) {
    unsigned yes = 0;
    for (unsigned l = 0; l < 32; ++l) yes |= static_cast<unsigned>(warp[l].in[0] & 1) << l;
    yes &= mask;
    const U64 d = mode == "all"   ? yes == mask
                  : mode == "any" ? yes != 0
                  : mode == "uni" ? yes == mask || yes == 0
                                  : yes;
    for (unsigned l = 0; l < 32; ++l) {
      if (among(mask, l)) warp[l].out[0] = d;
    }
  });
  // often all alike
  plan.prepare = [before = plan.prepare](Block block) {
    before(block);
    for (std::size_t w = 0; w < block.size(); w += 32) {
      const U64 how = block[w].in[kIns - 2];
      for (Lane& lane : block.subspan(w, 32)) {
        if (how % 2 == 0) lane.in[0] = how / 2 & 1;
      }
    }
  };
  both_signs(std::move(plan), 0, plans);
}

void match(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const bool all = name.has("all");
  for (const bool pair : {false, true}) {
    if (pair && !all) continue;
    std::vector<Operand> outs{any("b32")};
    if (pair) outs.push_back(any("pred"));
    Plan plan = together(name, outs, {of(t)}, [=](Warp warp, unsigned mask) {
      for (unsigned l = 0; l < 32; ++l) {
        if (!among(mask, l)) continue;
        unsigned same = 0;
        for (unsigned m = 0; m < 32; ++m) {
          if (among(mask, m) && ((warp[m].in[0] ^ warp[l].in[0]) & ones(t.bits)) == 0) same |= 1u << m;
        }
        warp[l].out[0] = all && same != mask ? 0 : same;
        warp[l].out[1] = same == mask;
      }
    });
    if (pair) plan.text.replace(plan.text.find(", $"), 2, "|");
    // few values a warp, which differ in one bit; in half of the warps only one value
    plan.prepare = [=, before = plan.prepare](Block block) {
      before(block);
      for (std::size_t w = 0; w < block.size(); w += 32) {
        const U64 value = block[w].in[kIns - 2], how = block[w].in[kIns - 3];
        for (Lane& lane : block.subspan(w, 32)) {
          lane.in[0] =
              how % 2 == 0 ? value : value ^ U64 { 1 } << (lane.in[kIns - 2] % 3 * (static_cast<U64>(t.bits) / 2 - 1));
        }
      }
    };
    plans.push_back(std::move(plan));
  }
}

void reduce(const Name& name, std::vector<Plan>& plans) {
  const Type t = name.type();
  const std::string op(name.one_of({"add", "min", "max", "and", "or", "xor"}));
  plans.push_back(together(name, {of(t)}, {of(t)}, [=](Warp warp, unsigned mask) {
    U64 d = 0;
    bool first = true;
    for (unsigned l = 0; l < 32; ++l) {
      if (!among(mask, l)) continue;
      const U64 a = extended(warp[l].in[0], t);
      const bool less = t.is_signed() ? static_cast<I64>(a) < static_cast<I64>(d) : a < d;
      d = first                   ? a
          : op == "add"           ? d + a
          : op == "and"           ? d & a
          : op == "or"            ? d | a
          : op == "xor"           ? d ^ a
          : less == (op == "min") ? a
                                  : d;
      first = false;
    }
    for (unsigned l = 0; l < 32; ++l) {
      if (among(mask, l)) warp[l].out[0] = d & ones(32);
    }
  }));
}

/// The elected lane is unspecified; the lowest member, as on all devices so far.
void elect(const Name& name, std::vector<Plan>& plans) {
  for (const bool sink : {false, true}) {
    std::vector<Operand> outs{any("pred")};
    if (!sink) outs.push_back(any("b32"));
    Plan plan = together(name, outs, {}, [](Warp warp, unsigned mask) {
      unsigned leader = 0;
      while (!among(mask, leader)) ++leader;
      for (unsigned l = 0; l < 32; ++l) {
        if (!among(mask, l)) continue;
        warp[l].out[0] = l == leader;
        warp[l].out[1] = leader;
      }
    });
    plan.text = "@%m " + name.text + (sink ? " _|$0, $1;" : " $1|$0, $2;");
    plans.push_back(std::move(plan));
  }
}

void active(const Name& name, std::vector<Plan>& plans) {
  Plan plan = plain(name, {any("b32")}, {flag()}, {});
  plan.text = "mov.b32 $0, 0;\n@$1 " + name.text + " $0;";
  plan.guards = false;
  plan.cases = 4 * kBlock;
  plan.model = [](Block block) {
    for (std::size_t w = 0; w < block.size(); w += 32) {
      U64 mask = 0;
      for (unsigned l = 0; l < 32; ++l) mask |= (block[w + l].in[0] & 1) << l;
      for (unsigned l = 0; l < 32; ++l) block[w + l].out[0] = among(static_cast<unsigned>(mask), l) ? mask : 0;
    }
  };
  plans.push_back(std::move(plan));
}

/// A neighbour reads the thread's earlier write after the barrier.
void meet(const Name& name, std::vector<Plan>& plans, const std::string& operands, unsigned among_lanes) {
  Plan plan;
  plan.outs = {any("b64")};
  plan.ins = {any("b64")};
  plan.before = "$area_shared\nst.shared.b64 [%area], $1;\nxor.b32 %t5, %t2, " + std::to_string(among_lanes - 1) +
                ";\nmov.u64 %area, sh;\nmul.wide.u32 %a1, %t5, 16;\nadd.u64 %area, %area, %a1;\n";
  plan.text = name.text + " " + operands + ";\nld.shared.b64 $0, [%area];";
  plan.guards = false;
  plan.cases = 2 * kBlock;
  plan.model = [=](Block block) {
    for (std::size_t i = 0; i < block.size(); ++i) block[i].out[0] = block[i ^ (among_lanes - 1)].in[0];
  };
  plans.push_back(std::move(plan));
}

void barrier(const Name& name, std::vector<Plan>& plans) {
  if (name.has("warp")) {
    meet(name, plans, "0xffffffff", 32);
    return;
  }
  for (const std::string threads : {"", ", 128"}) {
    if (!name.has("red")) {
      meet(name, plans, "1" + threads, kBlock);
      continue;
    }
    const std::string mode(name.one_of({"and", "or", "popc"}));
    Plan plan = plain(name, {of(name.type())}, {flag()}, {});
    plan.text = name.text + " $0, 2" + threads + ", $1;";
    plan.guards = false;
    plan.cases = 16 * kBlock;
    plan.model = [=](Block block) {
      U64 yes = 0;
      for (const Lane& lane : block) yes += lane.in[0] & 1;
      for (Lane& lane : block) lane.out[0] = mode == "popc" ? yes : mode == "or" ? yes != 0 : yes == block.size();
    };
    plan.prepare = [](Block block) {
      // all alike, only one, or any
      const U64 how = block[0].in[kIns - 1];
      for (Lane& lane : block) {
        if (how % 3 != 0) lane.in[0] = how / 8 & 1;
      }
      if (how % 3 == 1) block[how / 16 % kBlock].in[0] ^= 1;
    };
    both_signs(std::move(plan), 0, plans);
  }
}

}  // namespace

void add_warps(Planners& all) {
  all["shfl"] = shuffle;
  all["vote"] = vote;
  all["match"] = match;
  all["redux"] = reduce;
  all["elect"] = elect;
  all["activemask"] = active;
  all["bar"] = all["barrier"] = barrier;
}

}  // namespace semantics
