// What a step left: reports, contacts, hashes.

#include "src/c_api/common.h"

using namespace cairn::c_api;  // NOLINT

static_assert(cairn::kStageCount <= 16, "cairn_report::stage_ms holds no more");
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
    c.most_bodies = r.high_water.bodies;
    c.most_shapes = r.high_water.shapes;
    c.most_pairs = r.high_water.pairs;
    std::copy(r.stage_ms.begin(), r.stage_ms.end(), c.stage_ms);
    write(report, c, "report");
  });
}

cairn_result cairn_world_get_world_report(const cairn_world* world, uint32_t index, cairn_world_report* report) {
  return guarded([&] {
    require("world", world);
    const cairn::WorldReport r = world->world->report(index);
    cairn_world_report c{};
    c.status = r.status;
    c.first_bad = handle(r.first_bad);
    c.steps = r.steps;
    c.time = r.time;
    c.first_bad_step = r.first_bad_step;
    c.bodies = r.bodies;
    write(report, c, "report");
  });
}

cairn_result cairn_world_clear_status(cairn_world* world) {
  return guarded([&] {
    require("world", world);
    world->world->clear_status();
  });
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
    if (count != all.size()) {
      throw cairn::InvalidArgument("cairn_world_state_hashes: count must be " + std::to_string(all.size()) + ", is " +
                                   std::to_string(count));
    }
    std::copy(all.begin(), all.end(), hashes);
  });
}

cairn_result cairn_world_memory_bytes(const cairn_world* world, uint64_t* bytes) {
  return guarded([&] {
    require("world, bytes", world, bytes);
    *bytes = world->world->memory_bytes();
  });
}
