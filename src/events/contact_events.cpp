// Who touches whom, read from the device and put back.

#include "src/events/event_rows.h"
#include "src/exec/exact_floats.h"
#include "src/snapshot/image.h"
#include "src/world/impl.h"

namespace cairn {

std::vector<EventRow> World::Impl::read_events() {
  const std::uint32_t last = next_parity() ^ 1u;
  const std::size_t n = arrays.event_counts.get(0).events[last];
  std::vector<EventRow> rows(n);
  if (n == 0) return rows;
  EventRow::for_each_member(arrays.events[last].view(), [&](auto member, auto* field) {
    const auto column = read(field, n);
    for (std::size_t i = 0; i < n; ++i) rows[i].*member = column[i];
  });
  return rows;
}

void World::Impl::write_events(const std::vector<EventRow>& rows) {
  const std::uint32_t last = next_parity() ^ 1u;
  kernels::EventCounts counts = arrays.event_counts.get(0);
  counts.events[last] = static_cast<std::uint32_t>(rows.size());
  memory.upload(arrays.event_counts.data(), &counts, sizeof counts);
  if (rows.empty()) return;
  EventRow::for_each_member(arrays.events[last].view(), [&](auto member, auto* field) {
    std::vector<std::remove_pointer_t<decltype(field)>> column;
    column.reserve(rows.size());
    for (const EventRow& row : rows) column.push_back(row.*member);
    memory.upload(field, column.data(), column.size() * sizeof(column[0]));
  });
}

void World::Impl::forget_ended(const std::vector<bool>& of_worlds) {
  const std::uint32_t n = arrays.event_counts.get(0).ended;
  const kernels::EndedEvents& ended = arrays.ended.view();
  const auto body = read(ended.body_a, n);
  auto flags = read(ended.flags, n);
  for (std::size_t i = 0; i < n; ++i) {
    if (of_worlds[slots[body[i]].world]) flags[i] |= kernels::kEventForgotten;
  }
  if (n != 0) memory.upload(ended.flags, flags.data(), n * sizeof(flags[0]));
}

void World::Impl::capture_events(snapshot::Image& image, std::uint32_t first, std::span<const std::uint32_t> body_id,
                                 const std::function<std::uint64_t(std::uint64_t)>& in_image) {
  for (const EventRow& row : read_events()) {
    const std::uint32_t world = slots[row.body_a].world;
    if (world < first || world - first >= image.worlds.size() || (row.flags & kernels::kEventForgotten) != 0) continue;
    // an image has no number for a surface that was removed since the last step: that its events ended isn't told there
    if (!has_surface_of(row.key)) continue;
    image.worlds[world - first].events.push_back({in_image(row.key), body_id[row.body_a], body_id[row.body_b],
                                                  row.generation_a, row.generation_b, row.shape_a, row.shape_b,
                                                  (row.flags & kernels::kEventSensor) != 0});
  }
}

ContactEvents World::Impl::contact_events(std::optional<std::uint32_t> world) {
  if (!options.contact_events) throw InvalidArgument("contact_events: WorldOptions::contact_events is false");
  synchronise();
  const auto wanted = [&](std::uint32_t body) { return !world || slots[body].world == *world; };
  constexpr std::uint32_t kHidden = kernels::kEventForgotten | kernels::kEventRestored;
  ContactEvents events;
  for (const EventRow& row : read_events()) {
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
  const std::uint32_t n = arrays.event_counts.get(0).ended;
  const kernels::EndedEvents& ended = arrays.ended.view();
  const auto body_a = read(ended.body_a, n), body_b = read(ended.body_b, n), flags = read(ended.flags, n);
  const auto generation_a = read(ended.generation_a, n), generation_b = read(ended.generation_b, n);
  const auto shape_a = read(ended.shape_a, n), shape_b = read(ended.shape_b, n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!wanted(body_a[i]) || (flags[i] & kHidden) != 0) continue;
    events.ended.push_back({{{body_a[i] + 1, generation_a[i]}, shape_a[i]},
                            {{body_b[i] + 1, generation_b[i]}, shape_b[i]},
                            (flags[i] & kernels::kEventSensor) != 0});
  }
  return events;
}

ContactEvents World::contact_events() const {
  return impl_->call([&]() -> ContactEvents { return impl_->contact_events(std::nullopt); });
}

ContactEvents World::contact_events(std::uint32_t world) const {
  return impl_->call([&]() -> ContactEvents {
    impl_->world_at(world);
    return impl_->contact_events(world);
  });
}

}  // namespace cairn
