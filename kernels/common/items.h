#pragma once
// Loops over items, and what a functor f(i) may offer besides, for lanes of a pack or of a warp.

#include <cstdint>

#include "kernels/common/annotate.h"

namespace cairn::kernels {

/// [1] Items that a functor with f.pack(first) takes at once. f.pack does the work of f(i) for some of them and returns
/// their bits. The loop calls f(i) for the rest.
inline constexpr std::uint32_t kPackItems = 8;
template <class F>
concept TakesPacks = requires(const F& f, std::uint32_t first) {
  f.pack(first);
};
/// The same for items that aren't consecutive: f.pack_list(items).
template <class F>
concept TakesLists = requires(const F& f, const std::uint32_t* items) {
  f.pack_list(items);
};
/// A functor that lets a team share each item or row (kernels/common/team.h): f.work(team, i), if f.wants_teams().
template <class F>
concept TakesTeams = requires {
  requires F::kTakesTeams;
};
/// A functor whose items diverge: a CUDA device spreads them over as many warps as it has, so that few share one.
template <class F>
concept GoesOwnWays = requires {
  requires F::kOwnWays;
};
/// f(i) for the i-th entry of a list; without a list, for i itself.
template <class F>
struct EachOf {
  const std::uint32_t* list;  ///< [1]
  F f;
  static constexpr bool kTakesTeams = TakesTeams<F>;
  CAIRN_HD std::uint32_t item(std::uint32_t i) const { return list == nullptr ? i : list[i]; }
  CAIRN_HD void operator()(std::uint32_t i) const { f(item(i)); }
  template <class Team>
  CAIRN_HD void work(const Team& team, std::uint32_t i) const {
    f.work(team, item(i));
  }
  CAIRN_HD bool wants_teams() const requires TakesTeams<F> { return f.wants_teams(); }
  std::uint32_t pack(std::uint32_t i) const requires TakesLists<F> {
    std::uint32_t items[kPackItems];
    for (std::uint32_t j = 0; j < kPackItems; ++j) items[j] = item(i + j);
    return f.pack_list(items);
  }
  std::uint32_t pack(std::uint32_t i) const requires TakesPacks<F> {
    if (list == nullptr) return f.pack(i);
    for (std::uint32_t j = 1; j < kPackItems; ++j) {
      if (list[i + j] != list[i] + j) return 0;
    }
    return f.pack(list[i]);
  }
};

/// f(i) for i in [begin, end).
template <class F>
CAIRN_HD void each_or_packs(std::uint32_t begin, std::uint32_t end, const F& f) {
  std::uint32_t i = begin;
  if constexpr (TakesPacks<F>) {
    for (; i + kPackItems <= end; i += kPackItems) {
      const std::uint32_t done = f.pack(i);
      for (std::uint32_t j = 0; done != (1u << kPackItems) - 1 && j < kPackItems; ++j) {
        if ((done >> j & 1u) == 0) f(i + j);
      }
    }
  }
  for (; i < end; ++i) f(i);
}

/// A range of a list of bodies; without a list, of body slots.
struct BodyRun {
  const std::uint32_t* list;  ///< [1]
  std::uint32_t begin, end;   ///< [1]
  CAIRN_HD std::uint32_t body(std::uint32_t i) const { return list == nullptr ? i : list[i]; }
};
/// f(run) for the i-th run of a list of n bodies, kBodies each. The run length affects speed only: sums over runs are
/// exact.
template <class F, std::uint32_t kBodies>
struct EachRun {
  const std::uint32_t* list;  ///< [1]
  std::uint32_t n;            ///< [1]
  F f;
  CAIRN_HD std::uint32_t count() const { return (n + kBodies - 1) / kBodies; }
  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t begin = i * kBodies;
    f(BodyRun{list, begin, n - begin < kBodies ? n : begin + kBodies});
  }
};

}  // namespace cairn::kernels
