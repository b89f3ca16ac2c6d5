#include "src/events/event_feature.h"

#include <algorithm>

#include "src/exec/exact_floats.h"
#include "src/snapshot/capture.h"
#include "src/snapshot/image_check.h"
#include "src/snapshot/restore.h"
#include "src/world/impl.h"

namespace cairn {

std::vector<EventRow> EventFeature::read() const {
  const std::uint32_t last = world_.next_parity() ^ 1u;
  const std::size_t n = world_.arrays.event_counts.get(0).events[last];
  std::vector<EventRow> rows(n);
  if (n == 0) return rows;
  EventRow::for_each_member(world_.arrays.events[last].view(), [&](auto member, auto* field) {
    const auto column = world_.read(field, n);
    for (std::size_t i = 0; i < n; ++i) rows[i].*member = column[i];
  });
  return rows;
}

void EventFeature::write(const std::vector<EventRow>& rows) {
  const std::uint32_t last = world_.next_parity() ^ 1u;
  kernels::EventCounts counts = world_.arrays.event_counts.get(0);
  counts.events[last] = static_cast<std::uint32_t>(rows.size());
  world_.memory.put(world_.arrays.event_counts.data(), counts);
  if (rows.empty()) return;
  EventRow::for_each_member(world_.arrays.events[last].view(), [&](auto member, auto* field) {
    std::vector<std::remove_pointer_t<decltype(field)>> column;
    column.reserve(rows.size());
    for (const EventRow& row : rows) column.push_back(row.*member);
    world_.memory.put(field, column);
  });
}

void EventFeature::forget_ended(const std::vector<bool>& of_worlds) {
  const std::uint32_t n = world_.arrays.event_counts.get(0).ended;
  const kernels::EndedEvents& ended = world_.arrays.ended.view();
  const auto body = world_.read(ended.body_a, n);
  auto flags = world_.read(ended.flags, n);
  for (std::size_t i = 0; i < n; ++i) {
    // the World may have become smaller
    const bool gone = body[i] >= world_.slots.size();
    if (gone || of_worlds[world_.slots[body[i]].world]) flags[i] |= kernels::kEventForgotten;
  }
  world_.memory.put(ended.flags, flags);
}

void EventFeature::capture(snapshot::Capture& to) {
  if (!world_.arrays.contact_events) return;
  for (const EventRow& row : read()) {
    const std::uint32_t world = world_.slots[row.body_a].world;
    if (world < to.first || world - to.first >= to.image.worlds.size()) continue;
    if ((row.flags & kernels::kEventForgotten) != 0) continue;
    // an image has no number for a surface that was removed since the last step: it leaves out such ended events
    if (!world_.has_surface_of(row.key)) continue;
    to.image.worlds[world - to.first].events.push_back(
        {to.key_of(row.key), to.body_id[row.body_a], to.body_id[row.body_b], row.generation_a, row.generation_b,
         row.shape_a, row.shape_b, (row.flags & kernels::kEventSensor) != 0});
  }
}

void EventFeature::plan(snapshot::Restore& from) {
  planned_.clear();
  if (!world_.arrays.contact_events) return;
  if (!from.whole) {
    const std::vector<bool> replaced = from.replaced();
    planned_ = read();
    std::erase_if(planned_, [&](const EventRow& row) { return replaced[world_.slots[row.body_a].world]; });
  }
  for (const snapshot::Placement& p : from.placements) {
    const snapshot::KeyMap key_of = snapshot::keys_to(p, from.image.worlds[p.from]);
    for (const snapshot::EventPart& t : from.image.worlds[p.from].events) {
      planned_.push_back({key_of(t.key),
                          p.body_slots[t.body_a],
                          p.body_slots[t.body_b],
                          t.generation_a,
                          t.generation_b,
                          t.shape_a,
                          t.shape_b,
                          kernels::kEventRestored | (t.sensor ? kernels::kEventSensor : 0u),
                          {},
                          {},
                          0,
                          0});
    }
  }
  std::ranges::sort(planned_, {}, &EventRow::key);
  // they have the same capacity as pairs
  from.pairs = std::max(from.pairs, planned_.size());
}

void EventFeature::become(snapshot::Restore& from) {
  if (!world_.arrays.contact_events) return;
  forget_ended(from.replaced());
  write(planned_);
}

void EventFeature::check_image(snapshot::ImageCheck& of) {
  for (const snapshot::WorldCheck& world : of.worlds) {
    const snapshot::WorldPart& part = world.part;
    const kernels::Surfaces& numbers = world.surfaces.view();
    for (std::size_t i = 0; i < part.events.size(); ++i) {
      const snapshot::EventPart& t = part.events[i];
      const auto a = static_cast<std::uint32_t>(t.key >> 32), b = static_cast<std::uint32_t>(t.key);
      const bool first_triangle = std::binary_search(numbers.first, numbers.first + numbers.count, b);
      world.require(a < b && a < part.shapes && (b < part.shapes || first_triangle) && t.body_a < part.bodies &&
                        t.body_b < part.bodies && t.body_a != t.body_b,
                    "shapes touched that aren't there");
      world.require(i == 0 || part.events[i - 1].key < t.key, "shapes that touched out of order");
    }
  }
}

ContactEvents EventFeature::of(std::optional<std::uint32_t> world) const {
  if (!world_.options.contact_events) throw InvalidArgument("contact_events: WorldOptions::contact_events is false");
  world_.synchronise();
  const auto wanted = [&](std::uint32_t body) { return !world || world_.slots[body].world == *world; };
  constexpr std::uint32_t kHidden = kernels::kEventForgotten | kernels::kEventRestored;
  ContactEvents events;
  for (const EventRow& row : read()) {
    if (!wanted(row.body_a) || (row.flags & kHidden) != 0) continue;
    auto& list = (row.flags & kernels::kEventBegan) != 0 ? events.begun : events.persisting;
    list.push_back({{{row.body_a + 1, row.generation_a}, row.shape_a},
                    {{row.body_b + 1, row.generation_b}, row.shape_b},
                    (row.flags & kernels::kEventSensor) != 0,
                    row.position,
                    row.normal,
                    row.separation,
                    row.impulse});
  }
  const std::uint32_t n = world_.arrays.event_counts.get(0).ended;
  const kernels::EndedEvents& ended = world_.arrays.ended.view();
  const auto body_a = world_.read(ended.body_a, n), body_b = world_.read(ended.body_b, n),
             flags = world_.read(ended.flags, n);
  const auto generation_a = world_.read(ended.generation_a, n), generation_b = world_.read(ended.generation_b, n);
  const auto shape_a = world_.read(ended.shape_a, n), shape_b = world_.read(ended.shape_b, n);
  for (std::size_t i = 0; i < n; ++i) {
    if ((flags[i] & kHidden) != 0 || !wanted(body_a[i])) continue;
    events.ended.push_back({{{body_a[i] + 1, generation_a[i]}, shape_a[i]},
                            {{body_b[i] + 1, generation_b[i]}, shape_b[i]},
                            (flags[i] & kernels::kEventSensor) != 0});
  }
  return events;
}

ContactEvents World::contact_events() const {
  return impl_->call([&]() -> ContactEvents { return impl_->events.of(std::nullopt); });
}

ContactEvents World::contact_events(std::uint32_t world) const {
  return impl_->call([&]() -> ContactEvents {
    impl_->world_at(world);
    return impl_->events.of(world);
  });
}

}  // namespace cairn
