// Operations of a warp's lanes together. The loop ensures that `mask` has all participating lanes.

#include "lanes.h"
#include "types.h"

namespace ptxdev {
namespace {

enum class Shuffle { kUp, kDown, kButterfly, kIndex };

/// o: d, p, a, b, c
template <Shuffle kMode>
void shuffle(Warp& w, const Instr& in, std::uint32_t mask) {
  const std::uint32_t* a = w.lanes<std::uint32_t>(in.o[2]);
  const std::uint32_t* b = w.lanes<std::uint32_t>(in.o[3]);
  const std::uint32_t* c = w.lanes<std::uint32_t>(in.o[4]);
  std::uint32_t* d = w.lanes<std::uint32_t>(in.o[0]);
  std::uint32_t before[kLanes], within = 0;
  for (int i = 0; i < kLanes; ++i) before[i] = a[i];
  for (int i = 0; i < kLanes; ++i) {
    if (((mask >> i) & 1u) == 0) continue;
    const int by = static_cast<int>(b[i] & 31), clamp = static_cast<int>(c[i] & 31),
              segment = static_cast<int>((c[i] >> 8) & 31);
    const int most = (i & segment) | (clamp & ~segment), least = i & segment;
    int from;
    bool valid;
    if constexpr (kMode == Shuffle::kUp) {
      from = i - by;
      valid = from >= most;
    } else {
      from = kMode == Shuffle::kDown ? i + by : kMode == Shuffle::kButterfly ? i ^ by : least | (by & ~segment);
      valid = from <= most;
    }
    if (!valid) from = i;
    if (((mask >> (from & 31)) & 1u) == 0) {
      finding(w, in, i,
              "shuffle from lane " + std::to_string(from) + ", which doesn't take part: its value is undefined");
    }
    d[i] = before[from & 31];
    within |= static_cast<std::uint32_t>(valid) << i;
  }
  if (in.o[1] != kNone) blend(w.predicate(in.o[1]), within, mask);
}

/// o: d, p; bit 1 of imm: p is negated
template <int kMode>
void vote(Warp& w, const Instr& in, std::uint32_t mask) {
  const std::uint32_t p = (w.predicate(in.o[1]) ^ ((in.imm & 2) != 0 ? kAll : 0)) & mask;
  if constexpr (kMode == 3) {
    store_lanes<std::uint32_t>(w.lanes<std::uint32_t>(in.o[0]), mask, [&](int) { return p; });
  } else {
    const bool yes = kMode == 0 ? p == mask : kMode == 1 ? p != 0 : p == 0 || p == mask;
    blend(w.predicate(in.o[0]), yes ? kAll : 0, mask);
  }
}

template <class T, bool kEvery>
void match(Warp& w, const Instr& in, std::uint32_t mask) {
  const T* a = w.lanes<T>(in.o[2]);
  std::uint32_t found[kLanes], all = kAll;
  for (int i = 0; i < kLanes; ++i) {
    found[i] = 0;
    for (int k = 0; k < kLanes; ++k) {
      if (((mask >> k) & 1u) != 0 && a[k] == a[i]) found[i] |= 1u << k;
    }
    if (((mask >> i) & 1u) != 0 && found[i] != mask) all = 0;
  }
  std::uint32_t* d = w.lanes<std::uint32_t>(in.o[0]);
  store_lanes<std::uint32_t>(d, mask, [&](int i) { return kEvery ? (all != 0 ? mask : 0) : found[i]; });
  if (kEvery && in.o[1] != kNone) blend(w.predicate(in.o[1]), all, mask);
}

template <class T, int kOp>
void reduce(Warp& w, const Instr& in, std::uint32_t mask) {
  const T* a = w.lanes<T>(in.o[1]);
  bool first = true;
  T r = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const T v = a[__builtin_ctz(left)];
    if (first) {
      r = v;
    } else {
      r = kOp == 0   ? static_cast<T>(static_cast<std::uint32_t>(r) + static_cast<std::uint32_t>(v))
          : kOp == 1 ? (v < r ? v : r)
          : kOp == 2 ? (r < v ? v : r)
          : kOp == 3 ? r & v
          : kOp == 4 ? r | v
                     : r ^ v;
    }
    first = false;
  }
  store_lanes<T>(w.lanes<T>(in.o[0]), mask, [&](int) { return r; });
}

template <class T>
Handler pick_reduce(std::string_view op) {
  if (op == "add") return reduce<T, 0>;
  if (op == "min") return reduce<T, 1>;
  if (op == "max") return reduce<T, 2>;
  if (op == "and") return reduce<T, 3>;
  if (op == "or") return reduce<T, 4>;
  if (op == "xor") return reduce<T, 5>;
  return nullptr;
}

void active_mask(Warp& w, const Instr& in, std::uint32_t mask) {
  store_lanes<std::uint32_t>(w.lanes<std::uint32_t>(in.o[0]), mask, [&](int) { return mask; });
}

void elect(Warp& w, const Instr& in, std::uint32_t mask) {
  const std::uint32_t leader = static_cast<std::uint32_t>(__builtin_ctz(mask));
  if (in.o[0] != kNone) store_lanes<std::uint32_t>(w.lanes<std::uint32_t>(in.o[0]), mask, [&](int) { return leader; });
  blend(w.predicate(in.o[1]), 1u << leader, mask);
}

void nothing(Warp&, const Instr&, std::uint32_t) {}

}  // namespace

Handler shuffle_handler(std::string_view mode) {
  if (mode == "up") return shuffle<Shuffle::kUp>;
  if (mode == "down") return shuffle<Shuffle::kDown>;
  if (mode == "bfly") return shuffle<Shuffle::kButterfly>;
  if (mode == "idx") return shuffle<Shuffle::kIndex>;
  return nullptr;
}

Handler vote_handler(std::string_view mode) {
  if (mode == "all") return vote<0>;
  if (mode == "any") return vote<1>;
  if (mode == "uni") return vote<2>;
  if (mode == "ballot") return vote<3>;
  if (mode == "activemask") return active_mask;
  if (mode == "elect") return elect;
  if (mode == "nothing") return nothing;
  return nullptr;
}

Handler match_handler(std::string_view mode, Type type) {
  const bool every = mode == "all";
  if (is_wide(type)) return every ? match<std::uint64_t, true> : match<std::uint64_t, false>;
  return every ? match<std::uint32_t, true> : match<std::uint32_t, false>;
}

Handler reduce_handler(std::string_view op, Type type) {
  return type == Type::kS32 ? pick_reduce<std::int32_t>(op) : pick_reduce<std::uint32_t>(op);
}

}  // namespace ptxdev
