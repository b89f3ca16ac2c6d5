// Results of a step: reports, residuals, contacts, hashes.

#include "src/c_api/c_call.h"

namespace cairn::c_api {

/// Without its event kind.
template <class T>
struct ByHand<cairn_contact_event, T> {
  static void give(cairn_contact_event& c, const T& of) {
    c.a = in_c(of.a.body);
    c.b = in_c(of.b.body);
    c.shape_a = of.a.shape;
    c.shape_b = of.b.shape;
  }
};

namespace {

/// Contacts that ended come last.
std::vector<cairn_contact_event> in_one_list(const ContactEvents& events) {
  std::vector<cairn_contact_event> all;
  const auto add = [&](const auto& some, cairn_contact_event_kind kind) {
    for (const auto& one : some) all.emplace_back(twin<cairn_contact_event>(one)).event = kind;
  };
  add(events.begun, CAIRN_BEGAN);
  add(events.persisting, CAIRN_PERSISTS);
  add(events.ended, CAIRN_ENDED);
  return all;
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

static_assert(int{CAIRN_STATUS_NON_FINITE} == int{cairn::kStatusNonFinite} &&
              int{CAIRN_STATUS_OUT_OF_BOUNDS} == int{cairn::kStatusOutOfBounds} &&
              int{CAIRN_STATUS_OVERFLOW} == int{cairn::kStatusOverflow} &&
              int{CAIRN_STATUS_TOO_FAST} == int{cairn::kStatusTooFast});

cairn_result cairn_world_get_report(const cairn_world* world, cairn_report* report) {
  return get(world, out("report", report), taking<>(&World::report));
}
cairn_result cairn_world_get_world_report(const cairn_world* world, uint32_t index, cairn_world_report* report) {
  return get(world, out("report", report), taking<uint32_t>(&World::report), index);
}
cairn_result cairn_world_get_world_reports(const cairn_world* world, cairn_world_report* reports, size_t count) {
  return get(world, out_all("reports", "reports", reports, count), &World::reports);
}

const char* cairn_stage_name(uint32_t stage) {
  // the names are literals, and end with 0
  return stage < cairn::kStageCount ? cairn::stage_name(static_cast<cairn::Stage>(stage)).data() : nullptr;
}

cairn_result cairn_world_residual(const cairn_world* world, uint32_t index, cairn_residual* residual) {
  return get(world, out("residual", residual),
             [&](const World& w) { return of_worlds(index, [&](auto... i) { return w.residual(i...); }); });
}
cairn_result cairn_world_residuals(const cairn_world* world, cairn_residual* residuals, size_t count) {
  return get(world, out_all("residuals", "residuals", residuals, count), &World::residuals);
}

cairn_result cairn_world_clear_status(cairn_world* world) { return call(world, &World::clear_status); }
cairn_result cairn_world_set_timings(cairn_world* world, int32_t on) { return call(world, &World::set_timings, on); }

cairn_result cairn_world_contacts(const cairn_world* world, cairn_contact* contacts, size_t size, size_t* count) {
  return get(world, out_room("contacts", contacts, size, out("world, count", count)), &World::contacts);
}
cairn_result cairn_world_contact_events(const cairn_world* world, uint32_t index, cairn_contact_event* to, size_t size,
                                        size_t* count) {
  return get(world, out_room("events", to, size, out("world, count", count)), [&](const World& w) {
    return in_one_list(of_worlds(index, [&](auto... i) { return w.contact_events(i...); }));
  });
}

cairn_result cairn_world_state_hash(const cairn_world* world, uint64_t* hash) {
  return get(world, out("world, hash", hash), &World::state_hash);
}
cairn_result cairn_world_state_hashes(const cairn_world* world, uint64_t* hashes, size_t count) {
  return get(world, out_all("cairn_world_state_hashes", "world, hashes", hashes, count), &World::state_hashes);
}
cairn_result cairn_world_memory_bytes(const cairn_world* world, uint64_t* bytes) {
  return get(world, out("world, bytes", bytes), &World::memory_bytes);
}
