#pragma once
// Loops over items: what a functor f(i) may offer beside, for lanes of a pack or of a warp, and lists of items.

#include <cstdint>

#include "kernels/common/annotate.h"

namespace cairn::kernels {

/// [1] Items that a functor may take at once, where it has f.pack(first): that does for some of them what f(i) does for
/// each, and returns their bits. The rest are left to f(i).
inline constexpr std::uint32_t kPackItems = 8;
template <class F>
concept TakesPacks = requires(const F& f, std::uint32_t first) {
  f.pack(first);
};
/// The same of items that needn't follow each other: f.pack_list(items).
template <class F>
concept TakesLists = requires(const F& f, const std::uint32_t* items) {
  f.pack_list(items);
};
/// A functor of which a team can share each item or row (kernels/common/team.h): f.work(team, i), where
/// f.wants_teams().
template <class F>
concept TakesTeams = requires {
  requires F::kTakesTeams;
};
/// A functor whose items each go a way of their own: on a CUDA device few of them share a warp, as long as there are
/// warps.
template <class F>
concept GoesOwnWays = requires {
  requires F::kOwnWays;
};
/// f(i) of the i-th of a list; without a list, of i itself.
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

/// Some bodies of a list; without a list, these themselves.
struct BodyRun {
  const std::uint32_t* list;  ///< [1]
  std::uint32_t begin, end;   ///< [1]
  CAIRN_HD std::uint32_t body(std::uint32_t i) const { return list == nullptr ? i : list[i]; }
};
/// f(run) of the i-th run of a list of n bodies, of so many each. Their number is a matter of speed alone: what is
/// added up over runs is exact.
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
