// Waking, and ending contacts: a body that is moved or changed wakes the bodies that it touches.

#include <algorithm>
#include <array>

#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {

using kernels::BodyFlag;

void World::Impl::index_contacts() {
  const std::uint32_t last = next_parity() ^ 1u;
  if (index_step == steps && index_begin.size() == std::size_t{shape_slots} + 1) return;
  index_step = ~std::uint64_t{0};
  const kernels::Pairs& pairs = arrays.pairs[last].view();
  index_key = read(pairs.key, arrays.state.get(0).pair_count[last]);
  // the surface's shape stands for its triangles
  const std::vector<std::uint32_t> shape_b = read(pairs.shape_b, index_key.size());
  for (std::size_t p = 0; p < index_key.size(); ++p) index_key[p] = index_key[p] >> 32 << 32 | shape_b[p];
  index_begin.assign(std::size_t{shape_slots} + 1, 0);
  const auto each_end = [&](auto f) {
    for (std::uint32_t p = 0; p < index_key.size(); ++p) {
      f(static_cast<std::uint32_t>(index_key[p] >> 32), p);
      f(static_cast<std::uint32_t>(index_key[p]), p);
    }
  };
  each_end([&](std::uint32_t shape, std::uint32_t) { ++index_begin[shape + 1]; });
  for (std::size_t i = 1; i < index_begin.size(); ++i) index_begin[i] += index_begin[i - 1];
  index_pair.resize(index_begin.back());
  std::vector<std::uint32_t> next(index_begin.begin(), index_begin.end() - 1);
  each_end([&](std::uint32_t shape, std::uint32_t p) { index_pair[next[shape]++] = p; });
  index_step = steps;
}

void World::Impl::wake_touched(std::uint32_t at, bool drop) {
  synchronise();
  index_contacts();
  const kernels::Manifolds& manifolds = arrays.pairs[next_parity() ^ 1u].view().manifold;
  std::vector<std::uint32_t> touched{at};
  for (const std::uint32_t shape : slots[at].shapes) {
    for (std::uint32_t i = index_begin[shape]; i < index_begin[shape + 1]; ++i) {
      const std::uint32_t pair = index_pair[i];
      if (memory.get(&manifolds[pair].count) == 0) continue;
      if (drop) memory.clear(&manifolds[pair].count);
      if ((memory.get(&manifolds[pair].flags) & kernels::kManifoldSensor) != 0) continue;
      const std::uint32_t a = static_cast<std::uint32_t>(index_key[pair] >> 32),
                          b = static_cast<std::uint32_t>(index_key[pair]);
      const std::uint32_t other = memory.get(arrays.shapes.view().body + (a == shape ? b : a));
      if (other != kernels::kNone) touched.push_back(other);
    }
  }
  for (const Feature* feature : features) feature->add_neighbours(at, touched);
  wake(touched);
}

void World::Impl::drop_all_contacts() {
  synchronise();
  memory.clear(&arrays.state.data()->pair_count[next_parity() ^ 1u]);
  index_step = ~std::uint64_t{0};
  wake_all();
}

void World::Impl::wake(std::span<const std::uint32_t> touched) {
  const kernels::Bodies& b = arrays.bodies.view();
  std::vector<std::uint32_t> islands;  // asleep, of those touched
  for (const std::uint32_t at : touched) {
    if ((memory.get(b.flags + at) & BodyFlag::kBodyAsleep) != 0) {
      islands.push_back(memory.get(b.island + at));
    } else {
      memory.clear(b.quiet_time + at);
    }
  }
  if (islands.empty()) return;
  std::vector<bool> wakes(slots.size(), false);
  for (const std::uint32_t island : islands) wakes[island] = true;
  const std::vector<std::uint32_t> island_of = read(b.island, slots.size());
  rewrite(memory, b.flags, all_slots(), [&](auto flags) {
    rewrite(memory, b.quiet_time, all_slots(), [&](auto quiet_time) {
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if ((flags(i) & BodyFlag::kBodyAsleep) == 0 || !wakes[island_of[i]]) continue;
        flags(i) &= ~std::uint32_t{BodyFlag::kBodyAsleep};
        quiet_time(i) = 0;
      }
    });
  });
}

void World::Impl::clear_flag(kernels::BodyFlag flag) {
  rewrite(memory, arrays.bodies.view().flags, all_slots(), [&](auto flags) {
    for (std::size_t at = 0; at < slots.size(); ++at) flags(at) &= ~std::uint32_t{flag};
  });
}

void World::Impl::sleep_again() {
  if (slots.empty()) return;
  // a few at a time: memory for more may be lacking, and this must be done even if the step has run out
  std::array<std::uint32_t, 4096> some{};
  const std::array<std::uint32_t, some.size()> none{};
  std::uint32_t* const flags = arrays.bodies.view().flags;
  for (std::size_t first = 0; first < slots.size(); first += some.size()) {
    const std::size_t bytes = std::min(some.size(), slots.size() - first) * sizeof some[0];
    memory.download(some.data(), flags + first, bytes);
    for (std::uint32_t& f : some) {
      if ((f & BodyFlag::kBodyWoken) != 0) f = (f | BodyFlag::kBodyAsleep) & ~std::uint32_t{BodyFlag::kBodyWoken};
    }
    memory.write_now(flags + first, some.data(), bytes);
    memory.write_now(arrays.bodies.view().wake + first, none.data(), bytes);
  }
}

void World::Impl::wake_all() {
  clear_flag(BodyFlag::kBodyAsleep);
  memory.clear(arrays.bodies.view().quiet_time, slots.size());
}

void World::Impl::wake_all(std::uint32_t world) {
  const IndexRange range = slots_of(world);
  const std::vector<std::uint32_t>& of_world = worlds[world].body_slots;
  rewrite(memory, arrays.bodies.view().flags, range, [&](auto flags) {
    for (const std::uint32_t at : of_world) flags(at) &= ~std::uint32_t{BodyFlag::kBodyAsleep};
  });
  rewrite(memory, arrays.bodies.view().quiet_time, range, [&](auto quiet_time) {
    for (const std::uint32_t at : of_world) quiet_time(at) = 0;
  });
}

void World::wake(BodyHandle body) {
  impl_->call([&] {
    const std::uint32_t at = impl_->slot_of(body);
    impl_->synchronise();
    impl_->wake(at);
    impl_->note<&World::wake>(body);
  });
}

bool World::asleep(BodyHandle body) const {
  return impl_->call([&]() -> bool {
    const std::uint32_t at = impl_->slot_of(body);
    impl_->synchronise();
    return (impl_->memory.get(impl_->arrays.bodies.view().flags + at) & BodyFlag::kBodyAsleep) != 0;
  });
}

}  // namespace cairn
