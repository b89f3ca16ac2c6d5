// What a step left behind: report and contacts.

#include <algorithm>

#include "src/world/impl.h"

namespace cairn {

std::string_view stage_name(Stage stage) {
  static constexpr std::array<std::string_view, kStageCount> kNames{"bound",     "pair",    "match", "collide", "color",
                                                                    "prepare",   "predict", "solve", "advance", "relax",
                                                                    "restitute", "finish",  "sleep"};
  return kNames[static_cast<std::size_t>(stage)];
}

std::vector<std::string> status_names(std::uint32_t status) {
  std::vector<std::string> names;
  if ((status & kStatusNonFinite) != 0) names.emplace_back("non_finite");
  if ((status & kStatusOutOfRange) != 0) names.emplace_back("out_of_range");
  if ((status & kStatusOverflow) != 0) names.emplace_back("overflow");
  return names;
}

StepReport World::report() const {
  impl_->synchronise();
  const kernels::StepState s = impl_->arrays.state.get(0);
  StepReport r;
  r.status = impl_->status | s.status;
  r.steps = impl_->steps;
  r.time = impl_->time;
  r.bodies = impl_->living;
  r.shapes = impl_->living_shapes;
  r.pairs = impl_->steps == 0 ? 0 : s.pair_count[impl_->next_parity() ^ 1u];
  r.manifolds = s.manifolds;
  r.points = s.points;
  r.recycled = s.recycled;
  r.asleep = s.asleep;
  for (std::uint32_t c = 0; c < kernels::kMaskColors; ++c) r.colors += s.color_begin[c + 1] != s.color_begin[c] ? 1 : 0;
  // each row of the overflow colour is a colour of its own
  r.colors += s.color_begin[kernels::kMaskColors + 1] - s.color_begin[kernels::kMaskColors];
  r.high_water = impl_->high_water;
  r.stage_ms = impl_->stage_ms;
  r.stage_hash = impl_->stage_hash;
  return r;
}

WorldReport World::report(std::uint32_t world) const {
  WorldReport r;
  r.bodies = impl_->world_at(world).living;
  impl_->synchronise();
  const kernels::Worlds& w = impl_->arrays.worlds.view();
  impl_->memory.download(&r.status, w.status + world, sizeof r.status);
  impl_->memory.download(&r.steps, w.steps + world, sizeof r.steps);
  impl_->memory.download(&r.time, w.time + world, sizeof r.time);
  std::uint32_t bad = 0;
  impl_->memory.download(&bad, w.first_bad + world, sizeof bad);
  if (bad != 0) r.first_bad = {~bad + 1, impl_->slots[~bad].generation};
  return r;
}

void World::clear_status() {
  impl_->synchronise();
  impl_->status = 0;
  const std::uint32_t good = 0;
  impl_->memory.upload(&impl_->arrays.state.data()->status, &good, sizeof good);
  const kernels::Worlds& w = impl_->arrays.worlds.view();
  impl_->memory.zero(w.status, impl_->worlds.size() * sizeof(std::uint32_t));
  impl_->memory.zero(w.first_bad, impl_->worlds.size() * sizeof(std::uint32_t));
  impl_->clear_flag(kernels::kBodyFrozen);
}

std::vector<Contact> World::contacts() const {
  impl_->synchronise();
  std::vector<Contact> contacts;
  if (impl_->steps == 0) return contacts;
  const std::uint32_t last = impl_->next_parity() ^ 1u;
  const std::uint32_t n = impl_->arrays.state.get(0).pair_count[last];
  const auto keys = impl_->read(impl_->arrays.pairs[last].view().key, n);
  const auto manifolds = impl_->read(impl_->arrays.pairs[last].view().manifold, n);
  const auto owner = impl_->read(impl_->arrays.shapes.view().body, impl_->shape_slots);
  const auto x = impl_->read(impl_->arrays.bodies.view().x, impl_->slots.size());
  const auto low = impl_->read(impl_->arrays.bodies.view().x_low, impl_->slots.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    const kernels::Manifold& m = manifolds[i];
    if (m.count == 0) continue;
    const std::uint32_t a = owner[keys[i] >> 32], b = owner[keys[i] & 0xffffffffu];
    // a body that was removed since took its contacts along
    if (a == kernels::kNone || b == kernels::kNone) continue;
    Contact c;
    c.a = {a + 1, impl_->slots[a].generation};
    c.b = {b + 1, impl_->slots[b].generation};
    c.normal = m.normal;
    c.count = static_cast<int>(m.count);
    for (std::uint32_t j = 0; j < m.count; ++j) {
      const kernels::ManifoldPoint& p = m.points[j];
      c.points[j] = {{double{x[a].x} + low[a].x + p.r_a.x, double{x[a].y} + low[a].y + p.r_a.y,
                      double{x[a].z} + low[a].z + p.r_a.z},
                     p.separation,
                     p.total};
    }
    c.friction_impulse = m.friction_total;
    contacts.push_back(c);
  }
  return contacts;
}

std::uint64_t World::memory_bytes() const { return impl_->arrays.bytes(); }

}  // namespace cairn
