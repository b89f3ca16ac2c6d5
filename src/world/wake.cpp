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
  const std::uint32_t none = 0;
  std::vector<std::uint32_t> touched{at};
  for (const std::uint32_t shape : slots[at].shapes) {
    for (std::uint32_t i = index_begin[shape]; i < index_begin[shape + 1]; ++i) {
      const std::uint32_t pair = index_pair[i];
      std::uint32_t count = 0, flags = 0;
      memory.download(&count, &manifolds[pair].count, sizeof count);
      if (count == 0) continue;
      if (drop) memory.upload(&manifolds[pair].count, &none, sizeof none);
      memory.download(&flags, &manifolds[pair].flags, sizeof flags);
      if ((flags & kernels::kManifoldSensor) != 0) continue;
      const std::uint32_t a = static_cast<std::uint32_t>(index_key[pair] >> 32),
                          b = static_cast<std::uint32_t>(index_key[pair]);
      std::uint32_t other = 0;
      memory.download(&other, arrays.shapes.view().body + (a == shape ? b : a), sizeof other);
      if (other != kernels::kNone) touched.push_back(other);
    }
  }
  for (const Feature* feature : features) feature->add_neighbours(at, touched);
  wake(touched);
}

void World::Impl::drop_all_contacts() {
  synchronise();
  const std::uint32_t none = 0;
  memory.upload(&arrays.state.data()->pair_count[next_parity() ^ 1u], &none, sizeof none);
  index_step = ~std::uint64_t{0};
  wake_all();
}

void World::Impl::wake(std::span<const std::uint32_t> touched) {
  const kernels::Bodies& b = arrays.bodies.view();
  std::vector<std::uint32_t> islands;  // asleep, of those touched
  for (const std::uint32_t at : touched) {
    std::uint32_t flags = 0, island = 0;
    memory.download(&flags, b.flags + at, sizeof flags);
    if ((flags & BodyFlag::kBodyAsleep) != 0) {
      memory.download(&island, b.island + at, sizeof island);
      islands.push_back(island);
    } else {
      const float zero = 0;
      memory.upload(b.quiet_time + at, &zero, sizeof zero);
    }
  }
  if (islands.empty()) return;
  std::vector<bool> wakes(slots.size(), false);
  for (const std::uint32_t island : islands) wakes[island] = true;
  std::vector<std::uint32_t> flags = read(b.flags, slots.size());
  const std::vector<std::uint32_t> island_of = read(b.island, slots.size());
  std::vector<float> quiet = read(b.quiet_time, slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if ((flags[i] & BodyFlag::kBodyAsleep) == 0 || !wakes[island_of[i]]) continue;
    flags[i] &= ~std::uint32_t{BodyFlag::kBodyAsleep};
    quiet[i] = 0;
  }
  memory.upload(b.flags, flags.data(), flags.size() * sizeof(flags[0]));
  memory.upload(b.quiet_time, quiet.data(), quiet.size() * sizeof(quiet[0]));
}

void World::Impl::clear_flag(kernels::BodyFlag flag) {
  if (slots.empty()) return;
  const kernels::Bodies& b = arrays.bodies.view();
  std::vector<std::uint32_t> flags = read(b.flags, slots.size());
  for (std::uint32_t& f : flags) f &= ~std::uint32_t{flag};
  memory.upload(b.flags, flags.data(), flags.size() * sizeof(flags[0]));
}

void World::Impl::sleep_again() {
  if (slots.empty()) return;
  // a few at a time: memory for more may be lacking, and this must be done even if the step has run out
  std::array<std::uint32_t, 4096> some{};
  std::uint32_t* const flags = arrays.bodies.view().flags;
  for (std::size_t first = 0; first < slots.size(); first += some.size()) {
    const std::size_t bytes = std::min(some.size(), slots.size() - first) * sizeof some[0];
    memory.download(some.data(), flags + first, bytes);
    for (std::uint32_t& f : some) {
      if ((f & BodyFlag::kBodyWoken) != 0) f = (f | BodyFlag::kBodyAsleep) & ~std::uint32_t{BodyFlag::kBodyWoken};
    }
    memory.write_now(flags + first, some.data(), bytes);
  }
}

void World::Impl::wake_all() {
  if (slots.empty()) return;
  clear_flag(BodyFlag::kBodyAsleep);
  memory.zero(arrays.bodies.view().quiet_time, slots.size() * sizeof(float));
}

void World::Impl::wake_all(std::uint32_t world) {
  const IndexRange range = slots_of(world);
  if (range.size() == 0) return;
  const kernels::Bodies& b = arrays.bodies.view();
  std::vector<std::uint32_t> flags = read(b.flags + range.first, range.size());
  std::vector<float> quiet = read(b.quiet_time + range.first, range.size());
  for (const std::uint32_t at : worlds[world].body_slots) {
    flags[at - range.first] &= ~std::uint32_t{BodyFlag::kBodyAsleep};
    quiet[at - range.first] = 0;
  }
  memory.upload(b.flags + range.first, flags.data(), flags.size() * sizeof(flags[0]));
  memory.upload(b.quiet_time + range.first, quiet.data(), quiet.size() * sizeof(quiet[0]));
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
    std::uint32_t flags = 0;
    impl_->memory.download(&flags, impl_->arrays.bodies.view().flags + at, sizeof flags);
    return (flags & BodyFlag::kBodyAsleep) != 0;
  });
}

}  // namespace cairn
