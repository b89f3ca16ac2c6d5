#include "src/filter/filter_feature.h"

#include <algorithm>

#include "src/joints/compile_joint.h"
#include "src/recording/record.h"
#include "src/snapshot/capture.h"
#include "src/snapshot/image_check.h"
#include "src/snapshot/restore.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

std::uint64_t key_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b); }

}  // namespace

kernels::ShapeFilter filter_of(const Shape& shape, std::size_t index) {
  return {shape.filter, static_cast<std::uint32_t>(index) | (shape.sensor ? kernels::kShapeSensor : 0)};
}

void FilterFeature::tally(const Body& body, int sign) {
  const auto one = static_cast<std::uint32_t>(sign);
  for (const Shape& shape : body.shapes) {
    if (!(shape.filter == Filter{})) filters_ += one;
    if (shape.sensor) sensors_ += one;
  }
}

void FilterFeature::count(const Body& body, int sign) {
  world_.memory.keep(filters_);
  world_.memory.keep(sensors_);
  tally(body, sign);
}

void FilterFeature::take(std::span<const Scene* const> scenes) {
  for (std::uint32_t w = 0; w < scenes.size(); ++w) {
    std::vector<std::uint64_t> pairs;
    for (const BodyPair& pair : scenes[w]->ignored()) pairs.push_back(key_of(pair.a, pair.b));
    take_ignored(w, pairs, true);
  }
  upload_ignored();
}

void FilterFeature::show(StepContext& s, bool) {
  s.constants.filters = (filters_ != 0 ? kernels::kUseFilters : 0u) | (sensors_ != 0 ? kernels::kUseSensors : 0u) |
                        (pairs_ != 0 ? kernels::kUseIgnored : 0u);
  s.ignored = {world_.arrays.ignored.data(), pairs_};
}

void FilterFeature::upload_ignored() {
  std::vector<std::uint64_t> keys;
  for (const WorldSlot& world : world_.worlds) {
    for (const std::uint64_t pair : world.ignored)
      keys.push_back(key_of(world.body_slots[pair >> 32], world.body_slots[pair & 0xffffffffu]));
  }
  for (const JointSlot& slot : world_.joints.slots) {
    if (!slot.alive || !keeps_apart(slot.joint)) continue;
    const WorldSlot& world = world_.worlds[slot.world];
    keys.push_back(key_of(world.body_slots[slot.joint.body_a], world.body_slots[slot.joint.body_b]));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  check_slots("pairs of bodies that ignore each other", keys.size());
  world_.arrays.ignored.reserve(keys.size());
  world_.memory.replace(pairs_, static_cast<std::uint32_t>(keys.size()));
  world_.memory.put(world_.arrays.ignored.data(), keys);
}

void FilterFeature::ignore(std::uint32_t index, std::span<const std::uint64_t> pairs, bool ignored) {
  if (take_ignored(index, pairs, ignored)) upload_ignored();
}

/// `ignore` without upload_ignored, which must follow if this returns true.
bool FilterFeature::take_ignored(std::uint32_t index, std::span<const std::uint64_t> pairs, bool ignored) {
  WorldSlot& world = world_.worlds[index];
  std::vector<std::uint64_t> given(pairs.begin(), pairs.end()), changed, then;
  std::sort(given.begin(), given.end());
  given.erase(std::unique(given.begin(), given.end()), given.end());
  const auto& now = world.ignored;
  if (ignored) {
    std::set_difference(given.begin(), given.end(), now.begin(), now.end(), std::back_inserter(changed));
    std::set_union(now.begin(), now.end(), given.begin(), given.end(), std::back_inserter(then));
  } else {
    std::set_intersection(given.begin(), given.end(), now.begin(), now.end(), std::back_inserter(changed));
    std::set_difference(now.begin(), now.end(), given.begin(), given.end(), std::back_inserter(then));
  }
  if (changed.empty()) return false;
  if (ignored) {
    check_slots("pairs of bodies that ignore each other", pairs_ + changed.size());
  }
  world_.synchronise();
  std::vector<std::uint32_t> ends;
  for (const std::uint64_t pair : changed) {
    for (const std::uint64_t id : {pair >> 32, pair & 0xffffffffu}) ends.push_back(world.body_slots[id]);
  }
  world_.memory.replace(world.ignored, std::move(then));
  add_ignoring(index, ends, ignored ? 1u : ~0u);
  return true;
}

void FilterFeature::add_ignoring(std::uint32_t index, std::span<const std::uint32_t> at, std::uint32_t sign) {
  for (const std::uint32_t body : at) {
    world_.memory.keep(world_.slots[body].ignores);
    world_.slots[body].ignores += sign;
  }
  rewrite(world_.memory, world_.arrays.bodies.view().flags, world_.slots_of(index), [&](auto flags) {
    for (const std::uint32_t body : at) {
      const bool ignores = world_.slots[body].ignores != 0;
      flags(body) = (flags(body) & ~std::uint32_t{kernels::kBodyIgnores}) | (ignores ? kernels::kBodyIgnores : 0u);
    }
  });
}

void FilterFeature::forget(std::uint32_t at) {
  const BodySlot& slot = world_.slots[at];
  count(slot.body, -1);
  if (slot.ignores == 0) return;
  std::vector<std::uint64_t> pairs;
  for (const std::uint64_t pair : world_.worlds[slot.world].ignored) {
    if (pair >> 32 == slot.id || (pair & 0xffffffffu) == slot.id) pairs.push_back(pair);
  }
  ignore(slot.world, pairs, false);
}

void FilterFeature::capture(snapshot::Capture& to) {
  for (std::uint32_t w = 0; w < to.image.worlds.size(); ++w) {
    to.image.worlds[w].ignored = world_.worlds[to.first + w].ignored;
  }
}

void FilterFeature::become(snapshot::Restore& from) {
  for (const snapshot::Placement& p : from.placements) {
    WorldSlot& to = world_.worlds[p.to];
    to.ignored = from.image.worlds[p.from].ignored;
    for (const std::uint64_t pair : to.ignored) {
      for (const std::uint64_t id : {pair >> 32, pair & 0xffffffffu}) world_.slots[p.body_slots[id]].ignores += 1;
    }
  }
  world_.memory.replace(filters_, 0u);
  world_.memory.replace(sensors_, 0u);
  for (const BodySlot& slot : world_.slots) tally(slot.body, 1);
}

void FilterFeature::check_image(snapshot::ImageCheck& of) {
  for (snapshot::WorldCheck& world : of.worlds) {
    const std::vector<std::uint64_t>& pairs = world.part.ignored;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto low = static_cast<std::uint32_t>(pairs[i] >> 32), high = static_cast<std::uint32_t>(pairs[i]);
      world.require(low < high && world.alive(low) && world.alive(high), "bodies ignore each other that aren't there");
      world.require(i == 0 || pairs[i - 1] < pairs[i], "bodies that ignore each other out of order");
      world.ignores[low] = world.ignores[high] = true;
    }
  }
}

void World::ignore(BodyHandle a, BodyHandle b, bool ignored) {
  impl_->call([&] {
    const std::uint32_t ends[2] = {impl_->slot_of(a), impl_->slot_of(b)};
    const BodySlot &slot_a = impl_->slots[ends[0]], &slot_b = impl_->slots[ends[1]];
    if (ends[0] == ends[1]) throw InvalidArgument("ignore: a body can't ignore itself: " + label(slot_a.body));
    if (slot_a.world != slot_b.world) {
      throw InvalidArgument("ignore: " + label(slot_a.body) + " and " + label(slot_b.body) +
                            " are in different worlds");
    }
    const std::uint64_t key = key_of(slot_a.id, slot_b.id);
    impl_->filters.ignore(slot_a.world, std::span(&key, 1), ignored);
    // a body that rested on the other falls
    impl_->synchronise();
    impl_->wake(ends);
    impl_->note<&World::ignore>(a, b, ignored);
  });
}

bool World::ignored(BodyHandle a, BodyHandle b) const {
  return impl_->call([&]() -> bool {
    const BodySlot &slot_a = impl_->slots[impl_->slot_of(a)], &slot_b = impl_->slots[impl_->slot_of(b)];
    const std::vector<std::uint64_t>& all = impl_->worlds[slot_a.world].ignored;
    return slot_a.world == slot_b.world && std::binary_search(all.begin(), all.end(), key_of(slot_a.id, slot_b.id));
  });
}

void World::set_filter(BodyHandle body, const Filter& filter) {
  impl_->call([&] {
    const std::uint32_t at = impl_->slot_of(body);
    // bodies that lay on it may fall
    impl_->wake_touched(at, false);
    BodySlot& slot = impl_->slots[at];
    impl_->filters.count(slot.body, -1);
    impl_->memory.keep(slot.body);
    for (Shape& shape : slot.body.shapes) shape.filter = filter;
    const std::vector<shape::Part> parts = shape::parts_of(slot.body);
    for (std::size_t i = 0; i < slot.shapes.size(); ++i) {
      impl_->memory.put(impl_->arrays.shapes.view().filter + slot.shapes[i], filter_of(parts[i].shape, parts[i].of));
    }
    impl_->filters.count(slot.body, 1);
    impl_->note<&World::set_filter>(body, filter);
  });
}

}  // namespace cairn
