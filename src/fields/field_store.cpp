// The fields of a World: systems of bodies that laws see together, and the laws by kind.

#include "src/fields/field_store.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <variant>

#include "src/fields/compile_law.h"
#include "src/world/arrays.h"

namespace cairn {

/// A list of bodies that some fields of a world share.
struct FieldStore::System {
  std::uint32_t world;
  const SceneField* like;            ///< a field with this list
  std::vector<std::uint32_t> ids;    ///< [1] of the bodies
  std::vector<std::uint32_t> slots;  ///< [1] of the bodies
  double reach{0};                   ///< [m] max reach of its laws; 0: it needs no grid
  bool tree{false};                  ///< some law needs one
  std::uint32_t first{0};            ///< [1] row
};

/// A field and its system.
struct FieldStore::Use {
  const fields::Any* law;
  std::uint32_t system;
};

namespace {

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

/// [1] Bodies of a field of a world, by id.
std::vector<std::uint32_t> ids_of(const SceneField& field, const FieldWorld& world, std::span<const BodySlot> bodies) {
  if (field.bodies) return *field.bodies;
  std::vector<std::uint32_t> ids;
  if (const auto* springs = std::get_if<fields::Springs>(&field.law)) {
    for (const fields::Spring& s : springs->springs) ids.insert(ids.end(), {s.a, s.b});
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }
  for (std::uint32_t id = 0; id < world.slots.size(); ++id) {
    const BodySlot& body = bodies[world.slots[id]];
    if (body.alive && body.body.type == BodyType::kDynamic) ids.push_back(id);
  }
  return ids;
}

bool named_alike(const SceneField& a, const SceneField& b) {
  const auto by_ends = [](const SceneField& f) { return std::holds_alternative<fields::Springs>(f.law); };
  return !by_ends(a) && !by_ends(b) && a.bodies == b.bodies;
}

/// The array from `first` on; an absent array stays absent.
template <class T>
T* from(T* array, std::size_t first) {
  return array == nullptr ? nullptr : array + first;
}

}  // namespace

std::vector<FieldStore::Use> FieldStore::gather(std::span<const FieldWorld> worlds, std::span<const BodySlot> bodies,
                                                std::vector<System>& systems) const {
  std::vector<Use> uses;
  for (const FieldWorld& world : worlds) {
    const std::size_t before = systems.size();
    for (const SceneField& field : world.fields) {
      std::size_t at = before;
      while (at < systems.size() && !named_alike(*systems[at].like, field)) ++at;
      if (at == systems.size()) {
        System& made = systems.emplace_back(System{.world = world.world, .like = &field});
        made.ids = ids_of(field, world, bodies);
        std::erase_if(made.ids, [&](std::uint32_t id) { return !bodies[world.slots[id]].body.enabled; });
        for (const std::uint32_t id : made.ids) made.slots.push_back(world.slots[id]);
      }
      System& system = systems[at];
      system.reach = std::max(system.reach, std::visit([](const auto& f) { return ode::reach_of(f); }, field.law));
      const auto* pull = std::get_if<fields::PairGravity>(&field.law);
      system.tree = system.tree || (pull != nullptr && system.ids.size() > pull->tree_above);
      uses.push_back({&field.law, static_cast<std::uint32_t>(at)});
    }
  }
  // systems with a grid come first
  std::vector<std::uint32_t> order(systems.size()), place(systems.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_partition(order.begin(), order.end(), [&](std::uint32_t i) { return systems[i].reach > 0; });
  std::vector<System> sorted;
  for (const std::uint32_t i : order) {
    place[i] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(systems[i]));
  }
  systems = std::move(sorted);
  for (Use& use : uses) use.system = place[use.system];
  std::ranges::stable_sort(uses, {}, &Use::system);
  std::size_t rows = 0;
  for (System& system : systems) {
    system.first = static_cast<std::uint32_t>(rows);
    rows += system.slots.size();
    check_slots("bodies that fields act on", rows);
  }
  return uses;
}

void FieldStore::lay_out(const std::vector<System>& systems, std::span<const BodySlot> bodies,
                         const std::function<double(std::uint32_t)>& mass_of) {
  kernels::FieldRows& rows = context_.rows;
  std::vector<std::uint32_t> slot, system_of;
  std::vector<double> mass;
  std::vector<kernels::FieldSystem> made;
  for (const System& system : systems) {
    made.push_back({system.world, system.first, static_cast<std::uint32_t>(system.slots.size())});
    for (const std::uint32_t at : system.slots) {
      slot.push_back(at);
      system_of.push_back(static_cast<std::uint32_t>(made.size() - 1));
      mass.push_back(bodies[at].body.type == BodyType::kDynamic ? 0 : mass_of(at));
    }
    if (system.reach > 0) rows.near_rows = static_cast<std::uint32_t>(slot.size());
  }
  rows.rows = static_cast<std::uint32_t>(slot.size());
  rows.systems = static_cast<std::uint32_t>(made.size());
  std::vector<std::uint32_t> begin(bodies.size() + 1, 0), row(slot.size());
  for (const std::uint32_t at : slot) ++begin[at + 1];
  for (std::size_t i = 0; i < bodies.size(); ++i) begin[i + 1] += begin[i];
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t i = 0; i < slot.size(); ++i) row[next[slot[i]]++] = i;
  rows.slot = keep(slot);
  rows.system_of = keep(system_of);
  rows.system = keep(made);
  rows.mass = keep(mass);
  rows.begin = keep(begin);
  rows.row = keep(row);
  rows.x = room<Vec3d>(slot.size());
  rows.v = room<Vec3d>(slot.size());
  rows.force = room<Vec3d>(slot.size());
  std::vector<ParticleView<double>> views;
  for (const System& system : systems) {
    views.push_back({from(rows.x, system.first),
                     from(rows.v, system.first),
                     from(rows.mass, system.first),
                     static_cast<std::uint32_t>(system.slots.size()),
                     0,
                     {}});
  }
  lay_out_grids(systems, views);
  rows.view = keep(views);
}

void FieldStore::lay_out_grids(const std::vector<System>& systems, std::vector<ParticleView<double>>& views) {
  kernels::FieldRows& rows = context_.rows;
  if (rows.near_rows == 0) return;
  std::vector<std::uint32_t> first;
  std::size_t buckets = 0;
  for (const ParticleView<double>& view : views) {
    first.push_back(static_cast<std::uint32_t>(buckets));
    if (systems[first.size() - 1].reach > 0) buckets += ode::buckets_for(view.count);
    check_slots("cells of fields", buckets);
  }
  rows.buckets = static_cast<std::uint32_t>(buckets);
  rows.near = {room<Vec3d>(rows.near_rows),         room<NearGrid<double>::Cell>(rows.near_rows),
               room<std::uint32_t>(rows.near_rows), room<std::uint32_t>(buckets + 1),
               room<std::uint32_t>(rows.near_rows), room<std::uint32_t>(rows.near_rows)};
  for (std::size_t i = 0; i < views.size() && systems[i].reach > 0; ++i) {
    views[i].near = ode::grid_of(rows.near, from(rows.near.begin, first[i]), views[i].count, systems[i].reach);
  }
}

void FieldStore::compile(const std::vector<Use>& uses, const std::vector<System>& systems) {
  std::vector<const kernels::MassTree<double>*> tree_of(systems.size(), nullptr);
  for (std::size_t i = 0; i < systems.size(); ++i) {
    if (!systems[i].tree) continue;
    const auto count = static_cast<std::uint32_t>(systems[i].slots.size());
    trees_.push_back({tree_stores_.emplace_back(memory_, count).tree(), systems[i].first, count});
    tree_of[i] = &tree_stores_.back().tree();
    context_.sorted = std::max(context_.sorted, count);
  }
  context_.sorted = std::max(context_.sorted, context_.rows.near_rows);
  context_.trees = trees_;
  FieldLawLists laws;
  for (const Use& use : uses) {
    std::visit([&](const auto& law) { laws.take(law, use.system, systems[use.system].ids, tree_of[use.system]); },
               *use.law);
  }
  const auto* ends = keep(laws.springs.end);
  const auto* begins = keep(laws.springs.begin);
  auto& pulls = std::get<LawList<kernels::SpringForce<double>>>(laws.lists).law;
  for (std::size_t i = 0; i < pulls.size(); ++i) {
    pulls[i].force = {from(ends, laws.spring_at[i].first), from(begins, laws.spring_at[i].second)};
  }
  const auto show = [&]<class L>(kernels::FieldLaws<L>& to) {
    const LawList<L>& list = std::get<LawList<L>>(laws.lists);
    to.count = static_cast<std::uint32_t>(list.law.size());
    if (to.count == 0) return;
    std::vector<std::uint32_t> begin(systems.size() + 1, 0);
    for (const std::uint32_t system : list.system) ++begin[system + 1];
    for (std::size_t i = 0; i < systems.size(); ++i) begin[i + 1] += begin[i];
    to.law = keep(list.law);
    to.begin = keep(begin);
  };
  std::apply([&](auto&... to) { (show(to), ...); }, context_.laws);
}

void FieldStore::set(std::span<const FieldWorld> worlds, std::span<const BodySlot> bodies,
                     const std::function<double(std::uint32_t)>& mass_of) {
  context_ = {};
  trees_.clear();
  tree_stores_.clear();
  kept_.clear();
  some_ = !worlds.empty();
  version_ += 1;
  if (!some_) return;
  std::vector<System> systems;
  const std::vector<Use> uses = gather(worlds, bodies, systems);
  lay_out(systems, bodies, mass_of);
  compile(uses, systems);
}

void FieldStore::show(StepContext& s) const {
  if (!some_) return;
  s.fields = &context_;
  s.fields_version = version_;
}

template <class T>
T* FieldStore::room(std::size_t count) {
  kept_.emplace_back(memory_).reserve(count * sizeof(T));
  return reinterpret_cast<T*>(kept_.back().data());
}

template <class T>
T* FieldStore::keep(const std::vector<T>& list) {
  T* at = room<T>(list.size());
  memory_.put(at, list);
  return at;
}

}  // namespace cairn
