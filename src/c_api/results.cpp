// What a step left: reports, residuals, contacts, hashes.

#include "src/c_api/structs.h"

namespace cairn::c_api {
namespace {

cairn_world_report of(const WorldReport& r) {
  cairn_world_report c{};
  c.status = r.status;
  c.first_bad = handle(r.first_bad);
  c.steps = r.steps;
  c.time = r.time;
  c.first_bad_step = r.first_bad_step;
  c.bodies = r.bodies;
  return c;
}

cairn_residual of(const ContactResidual& r) {
  return {0, r.signorini, r.coulomb, r.twist, r.cone, r.penetration, r.points};
}

template <class T>
cairn_contact_event of(const T& t, cairn_contact_event_kind event) {
  cairn_contact_event c{};
  c.a = handle(t.a.body);
  c.b = handle(t.b.body);
  c.shape_a = t.a.shape;
  c.shape_b = t.b.shape;
  c.event = event;
  c.sensor = t.sensor ? 1 : 0;
  if constexpr (std::same_as<T, ContactEvent>) {
    put(c.position, t.position);
    put(c.normal, t.normal);
    c.separation = t.separation;
    c.impulse = t.impulse;
  }
  return c;
}

/// One for each world, in C.
template <class C, class T>
void write_worlds(C* to, const std::vector<T>& from, std::size_t count, const char* name) {
  check_count(name, count, from.size());
  std::vector<C> all;
  for (const T& each : from) all.push_back(of(each));
  write_each<C>(to, all, name);
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

static_assert(cairn::kStageCount <= 24, "cairn_report holds no more");
static_assert(int{CAIRN_STATUS_NON_FINITE} == int{cairn::kStatusNonFinite} &&
              int{CAIRN_STATUS_OUT_OF_BOUNDS} == int{cairn::kStatusOutOfBounds} &&
              int{CAIRN_STATUS_OVERFLOW} == int{cairn::kStatusOverflow} &&
              int{CAIRN_STATUS_TOO_FAST} == int{cairn::kStatusTooFast});

cairn_result cairn_world_get_report(const cairn_world* world, cairn_report* report) {
  return guarded([&] {
    require("world", world);
    const cairn::StepReport r = world->world->report();
    cairn_report c{};
    c.status = r.status;
    c.steps = r.steps;
    c.time = r.time;
    c.bodies = r.bodies;
    c.shapes = r.shapes;
    c.pairs = r.pairs;
    c.manifolds = r.manifolds;
    c.points = r.points;
    c.colors = r.colors;
    c.recycled = r.recycled;
    c.asleep = r.asleep;
    c.broken_constraints = r.broken_constraints;
    c.max_bodies = r.high_water.bodies;
    c.max_shapes = r.high_water.shapes;
    c.max_pairs = r.high_water.pairs;
    c.max_rows = r.high_water.rows;
    std::copy(r.stage_ms.begin(), r.stage_ms.end(), c.stage_ms);
    std::copy(r.stage_hash.begin(), r.stage_hash.end(), c.stage_hash);
    write(report, c, "report");
  });
}

cairn_result cairn_world_get_world_report(const cairn_world* world, uint32_t index, cairn_world_report* report) {
  return with(world, [&](const World& w) { write(report, of(w.report(index)), "report"); });
}

cairn_result cairn_world_get_world_reports(const cairn_world* world, cairn_world_report* reports, size_t count) {
  return with(world, [&](const World& w) { write_worlds(reports, w.reports(), count, "reports"); });
}

const char* cairn_stage_name(uint32_t stage) {
  // the names are literals, and end with 0
  return stage < cairn::kStageCount ? cairn::stage_name(static_cast<cairn::Stage>(stage)).data() : nullptr;
}

cairn_result cairn_world_residual(const cairn_world* world, uint32_t index, cairn_residual* residual) {
  return with(world, [&](const World& w) {
    write(residual, of(index == CAIRN_ALL_WORLDS ? w.residual() : w.residual(index)), "residual");
  });
}

cairn_result cairn_world_residuals(const cairn_world* world, cairn_residual* residuals, size_t count) {
  return with(world, [&](const World& w) { write_worlds(residuals, w.residuals(), count, "residuals"); });
}

cairn_result cairn_world_clear_status(cairn_world* world) {
  return with(world, [&](World& w) { w.clear_status(); });
}

cairn_result cairn_world_set_timings(cairn_world* world, int32_t on) {
  return with(world, [&](World& w) { w.set_timings(on != 0); });
}

cairn_result cairn_world_contacts(const cairn_world* world, cairn_contact* contacts, size_t size, size_t* count) {
  return guarded([&] {
    require("world, count", world, count);
    if (size != 0) require("contacts", contacts);
    const std::vector<cairn::Contact> all = world->world->contacts();
    *count = all.size();
    if (size < all.size()) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const cairn::Contact& from = all[i];
      cairn_contact c{};
      c.a = handle(from.a);
      c.b = handle(from.b);
      put(c.normal, from.normal);
      put(c.friction_impulse, from.friction_impulse);
      c.count = static_cast<std::uint32_t>(from.count);
      for (std::size_t j = 0; j < c.count; ++j) {
        put(c.points[j].position, from.points[j].position);
        c.points[j].separation = from.points[j].separation;
        c.points[j].impulse = from.points[j].impulse;
      }
      contacts[i] = c;
    }
  });
}

cairn_result cairn_world_contact_events(const cairn_world* world, uint32_t index, cairn_contact_event* to, size_t size,
                                        size_t* count) {
  return guarded([&] {
    require("world, count", world, count);
    if (size != 0) require("events", to);
    const cairn::ContactEvents events =
        index == CAIRN_ALL_WORLDS ? world->world->contact_events() : world->world->contact_events(index);
    *count = events.begun.size() + events.persisting.size() + events.ended.size();
    if (size < *count) return;
    for (const cairn::ContactEvent& t : events.begun) *to++ = of(t, CAIRN_BEGAN);
    for (const cairn::ContactEvent& t : events.persisting) *to++ = of(t, CAIRN_PERSISTS);
    for (const cairn::EndedContact& t : events.ended) *to++ = of(t, CAIRN_ENDED);
  });
}

cairn_result cairn_world_state_hash(const cairn_world* world, uint64_t* hash) {
  return guarded([&] {
    require("world, hash", world, hash);
    *hash = world->world->state_hash();
  });
}

cairn_result cairn_world_state_hashes(const cairn_world* world, uint64_t* hashes, size_t count) {
  return guarded([&] {
    require("world, hashes", world, hashes);
    const std::vector<std::uint64_t> all = world->world->state_hashes();
    check_count("cairn_world_state_hashes", count, all.size());
    std::copy(all.begin(), all.end(), hashes);
  });
}

cairn_result cairn_world_memory_bytes(const cairn_world* world, uint64_t* bytes) {
  return guarded([&] {
    require("world, bytes", world, bytes);
    *bytes = world->world->memory_bytes();
  });
}
