// Hashes of the state.

#include <algorithm>

#include <xxhash.h>

#include "src/world/motions.h"

namespace cairn {
namespace {

/// Hashed data of a body.
struct Entry {
  std::uint32_t id;
  Vec3 x, x_low;
  Quat q;
  Vec3 v, w;
};
static_assert(sizeof(Entry) == 17 * sizeof(float), "no padding: the bytes are hashed");

template <class Motions>
Entry entry_of(const Motions& all, std::uint32_t at) {
  const std::size_t i = at - all.first;
  return {all.of.slots[at].id, all.x[i], all.low[i], all.q[i], all.v[i], all.w[i]};
}

}  // namespace

std::vector<std::uint64_t> World::Impl::state_hashes() {
  synchronise();
  const Motions all(*this, all_slots());
  std::vector<std::uint64_t> hashes;
  std::vector<Entry> entries;
  for (std::uint32_t world = 0; world < worlds.size(); ++world) {
    entries.clear();
    each_body(world, [&](std::uint32_t i) { entries.push_back(entry_of(all, i)); });
    hashes.push_back(XXH3_64bits(entries.data(), entries.size() * sizeof(entries[0])));
    std::vector<std::uint32_t> off;  // ids
    each_body(world, [&](std::uint32_t i) {
      if (!slots[i].body.enabled) off.push_back(slots[i].id);
    });
    // without disabled bodies, the hash is as if there were no disabling
    if (!off.empty()) hashes.back() = XXH3_64bits_withSeed(off.data(), off.size() * sizeof(off[0]), hashes.back());
  }
  if (!particles.constraints.may_break()) return hashes;
  const std::vector<std::uint32_t> read = particles.constraints.read_broken();
  for (const ParticlesSlot& slot : particles.constraints.all()) {
    const std::vector<std::uint8_t> broken = particles.constraints.broken(slot, read);
    // without broken constraints, the hash is as if none could break
    if (std::ranges::count(broken, 1) == 0) continue;
    hashes[slot.world] = XXH3_64bits_withSeed(broken.data(), broken.size(), hashes[slot.world]);
  }
  return hashes;
}

std::vector<std::uint32_t> World::Impl::body_hashes() {
  const Motions all(*this, all_slots());
  std::vector<std::uint32_t> hashes;
  each_body([&](std::uint32_t i) {
    const Entry entry = entry_of(all, i);
    const std::uint64_t seed = slots[i].body.enabled ? 0 : 1;
    hashes.push_back(static_cast<std::uint32_t>(XXH3_64bits_withSeed(&entry, sizeof entry, seed)));
  });
  return hashes;
}

std::uint64_t World::Impl::state_hash() {
  const std::vector<std::uint64_t> hashes = state_hashes();
  return hashes.size() == 1 ? hashes[0] : XXH3_64bits(hashes.data(), hashes.size() * sizeof(hashes[0]));
}

std::vector<std::uint64_t> World::state_hashes() const {
  return impl_->call([&]() -> std::vector<std::uint64_t> { return impl_->state_hashes(); });
}
std::uint64_t World::state_hash() const {
  return impl_->call([&]() -> std::uint64_t { return impl_->state_hash(); });
}

}  // namespace cairn
