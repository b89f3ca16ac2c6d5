// Results of a step: report and contacts.

#include <bit>

#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {

std::string_view stage_name(Stage stage) { return word_of(stage); }

std::vector<std::string> status_names(std::uint32_t status) {
  std::vector<std::string> names;
  for (const auto& [name, bit] : kStatusNames) {
    if ((status & bit) != 0) names.emplace_back(name);
  }
  return names;
}

StepReport World::report() const {
  return impl_->call([&]() -> StepReport {
    impl_->synchronise();
    const kernels::StepState s = impl_->arrays.state.get(0);
    StepReport r;
    r.status = impl_->status | s.status;
    r.steps = impl_->steps;
    r.time = impl_->time;
    r.bodies = impl_->living;
    r.shapes = impl_->living_shapes;
    r.pairs = s.pair_count[impl_->next_parity() ^ 1u];
    r.manifolds = s.taken.manifolds;
    r.points = s.taken.points;
    r.recycled = s.taken.recycled;
    r.asleep = s.taken.asleep;
    r.broken_constraints = impl_->particles.constraints.count_broken();
    // each row without a colour counts as a colour
    r.colors = static_cast<std::uint32_t>(std::popcount(s.taken.colors)) + s.taken.overflow_rows;
    r.high_water = impl_->high_water;
    r.high_water.pairs = s.max_pairs;
    r.high_water.rows = s.max_rows;
    r.stage_ms = impl_->stage_ms;
    r.stage_hash = impl_->stage_hash;
    return r;
  });
}

WorldReport World::report(std::uint32_t world) const {
  return impl_->call([&]() -> WorldReport {
    impl_->world_at(world);
    return impl_->reports(world, 1)[0];
  });
}

std::vector<WorldReport> World::reports() const {
  return impl_->call([&]() -> std::vector<WorldReport> { return impl_->reports(0, world_count()); });
}

std::vector<WorldReport> World::Impl::reports(std::uint32_t first, std::uint32_t count) {
  synchronise();
  const kernels::Worlds& w = arrays.worlds.view();
  const auto status_of = read(w.status + first, count), bad = read(w.first_bad + first, count);
  const auto steps_of = read(w.steps + first, count);
  const auto time_of = read(w.time + first, count);
  std::vector<WorldReport> reports(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    WorldReport& r = reports[i];
    r.status = status_of[i];
    if (bad[i] != 0) r.first_bad = {~bad[i] + 1, slots[~bad[i]].generation};
    r.steps = steps_of[i];
    if (r.status != 0) r.first_bad_step = r.steps + 1;
    r.time = time_of[i];
    r.bodies = worlds[first + i].living;
  }
  return reports;
}

void World::clear_status() {
  impl_->call([&] {
    impl_->synchronise();
    impl_->memory.replace(impl_->status, 0u);
    impl_->memory.clear(&impl_->arrays.state.data()->status);
    const kernels::Worlds& w = impl_->arrays.worlds.view();
    impl_->memory.clear(w.status, impl_->worlds.size());
    impl_->memory.clear(w.first_bad, impl_->worlds.size());
    impl_->clear_flag(kernels::kBodyFrozen);
    impl_->note<&World::clear_status>();
  });
}

std::vector<Contact> World::contacts() const {
  return impl_->call([&]() -> std::vector<Contact> {
    impl_->synchronise();
    std::vector<Contact> contacts;
    const std::uint32_t last = impl_->next_parity() ^ 1u;
    const std::uint32_t n = impl_->arrays.state.get(0).pair_count[last];
    const auto keys = impl_->read(impl_->arrays.pairs[last].view().key, n);
    const auto shape_b = impl_->read(impl_->arrays.pairs[last].view().shape_b, n);
    const auto manifolds = impl_->read(impl_->arrays.pairs[last].view().manifold, n);
    const auto owner = impl_->read(impl_->arrays.shapes.view().body, impl_->shape_slots);
    const auto x = impl_->read(impl_->arrays.bodies.view().x, impl_->slots.size());
    const auto low = impl_->read(impl_->arrays.bodies.view().x_low, impl_->slots.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      const kernels::Manifold& m = manifolds[i];
      if (!kernels::pushes(m)) continue;
      const std::uint32_t a = owner[keys[i] >> 32], b = owner[shape_b[i]];
      // the contacts of a removed body are gone
      if (a == kernels::kNone || b == kernels::kNone) continue;
      Contact c;
      c.a = {a + 1, impl_->slots[a].generation};
      c.b = {b + 1, impl_->slots[b].generation};
      c.normal = m.normal;
      c.count = static_cast<int>(m.count);
      for (std::uint32_t j = 0; j < m.count; ++j) {
        const kernels::ManifoldPoint& p = m.points[j];
        c.points[j] = {kernels::point_on_a(m, p, x[a], low[a], x[b], low[b]), p.separation, p.total};
      }
      c.friction_impulse = m.friction_total;
      contacts.push_back(c);
    }
    return contacts;
  });
}

std::uint64_t World::memory_bytes() const { return impl_->memory.held(); }

}  // namespace cairn
