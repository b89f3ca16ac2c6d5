#pragma once
// Laws of fields by kind, on the host.

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "src/fields/compile_law.h"
#include "src/fields/field_context.h"

namespace cairn {

template <class L>
struct LawList {
  std::vector<kernels::FieldLaw<L>> law;
  std::vector<std::uint32_t> system;  ///< [1] of each, ascending
};
template <class Tables>
struct ListsOf;
template <class... L>
struct ListsOf<std::tuple<kernels::FieldLaws<L>...>> {
  using type = std::tuple<LawList<L>...>;
};

/// Laws by kind, on the host.
struct FieldLawLists {
  ListsOf<decltype(FieldContext::laws)>::type lists;
  ode::SpringLists<double> springs;                            ///< of all springs, one after the other
  std::vector<std::pair<std::size_t, std::size_t>> spring_at;  ///< [1] begin of each law's in those lists

  template <class L>
  void add(const L& law, std::uint32_t system, double reach = 0) {
    std::get<LawList<L>>(lists).law.push_back({law, reach * reach});
    std::get<LawList<L>>(lists).system.push_back(system);
  }

  /// Adds a law of a system of these bodies, with a tree if it needs one.
  template <class F>
  void take(const F& law, std::uint32_t system, std::span<const std::uint32_t>, const kernels::MassTree<double>*) {
    add(ode::compile<double>(law), system, ode::reach_of(law));
  }
  void take(const fields::PairGravity& law, std::uint32_t system, std::span<const std::uint32_t> ids,
            const kernels::MassTree<double>* tree) {
    if (ids.size() > law.tree_above) {
      add(ode::compile<double>(law, *tree), system);
    } else {
      add(ode::compile<double>(law), system);
    }
  }
  void take(const fields::Springs& law, std::uint32_t system, std::span<const std::uint32_t> ids,
            const kernels::MassTree<double>*) {
    std::vector<fields::Spring> own = law.springs;
    const auto place = [&](std::uint32_t id) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(ids, id) - ids.begin());
    };
    // a spring with a disabled end holds nothing
    const auto lacks = [&](std::uint32_t id) { return place(id) == ids.size() || ids[place(id)] != id; };
    std::erase_if(own, [&](const fields::Spring& s) { return lacks(s.a) || lacks(s.b); });
    for (fields::Spring& s : own) s.a = place(s.a), s.b = place(s.b);
    const auto more = ode::lists_of<double>(own, static_cast<std::uint32_t>(ids.size()));
    spring_at.emplace_back(springs.end.size(), springs.begin.size());
    springs.end.insert(springs.end.end(), more.end.begin(), more.end.end());
    springs.begin.insert(springs.begin.end(), more.begin.begin(), more.begin.end());
    add(kernels::SpringForce<double>{}, system);
  }
};

}  // namespace cairn
