// Snapshots.

#include "src/c_api/c_call.h"
#include "src/c_api/c_kept.h"
#include "src/c_api/describe.h"

using namespace cairn::c_api;  // NOLINT
using cairn::Snapshot;
using cairn::World;

cairn_result cairn_world_snapshot(const cairn_world* world, uint32_t index, cairn_snapshot** snapshot) {
  return get(world, out("snapshot", snapshot),
             [&](const World& w) { return of_worlds(index, [&](auto... i) { return w.snapshot(i...); }); });
}

void cairn_snapshot_destroy(cairn_snapshot* snapshot) { delete snapshot; }

cairn_result cairn_world_restore(cairn_world* world, const cairn_snapshot* snapshot) {
  return call(world, taking<const Snapshot&>(&World::restore), in("snapshot", snapshot));
}
cairn_result cairn_world_restore_one(cairn_world* world, const cairn_snapshot* snapshot, uint32_t from, uint32_t into) {
  return call(world, taking<const Snapshot&, uint32_t, uint32_t>(&World::restore), in("snapshot", snapshot), from,
              into);
}
cairn_result cairn_world_restore_mask(cairn_world* world, const cairn_snapshot* snapshot, uint32_t from,
                                      const uint8_t* mask, size_t count) {
  return call(world, taking<const Snapshot&, uint32_t, std::span<const uint8_t>>(&World::restore),
              in("snapshot", snapshot), from, in("mask", mask, count));
}

cairn_result cairn_world_create_from(const cairn_snapshot* snapshot, const cairn_world_options* options,
                                     cairn_world** world) {
  return get(snapshot, out("snapshot, world", world),
             [&](const Snapshot& s) { return std::make_shared<World>(s, options_of(options)); });
}
cairn_result cairn_world_create_branches(const cairn_snapshot* snapshot, uint32_t from, uint32_t count,
                                         const cairn_world_options* options, cairn_world** world) {
  return get(snapshot, out("snapshot, world", world), [&](const Snapshot& s) {
    return std::make_shared<World>(World::copies(s, count, options_of(options), from));
  });
}

cairn_result cairn_snapshot_count(const cairn_snapshot* snapshot, uint32_t* count) {
  return get(snapshot, out("snapshot, count", count), &Snapshot::world_count);
}

cairn_result cairn_snapshot_world(const cairn_snapshot* snapshot, uint32_t index, uint32_t* bodies, uint64_t* steps,
                                  double* time) {
  return call(snapshot, [&](const Snapshot& s) {
    const std::uint32_t alive = s.body_count(index);
    if (bodies != nullptr) *bodies = alive;
    if (steps != nullptr) *steps = s.steps(index);
    if (time != nullptr) *time = s.time(index);
  });
}

cairn_result cairn_snapshot_save(const cairn_snapshot* snapshot, const char* path) {
  return call(snapshot, &Snapshot::save, in("path", path));
}
cairn_result cairn_snapshot_load(const char* path, uint64_t limit, cairn_snapshot** snapshot) {
  return load(path, limit, out("snapshot", snapshot));
}
cairn_result cairn_snapshot_to_bytes(const cairn_snapshot* snapshot, void* bytes, size_t size, size_t* length) {
  return get(snapshot, out_bytes(bytes, size, length), &Snapshot::to_bytes);
}
cairn_result cairn_snapshot_from_bytes(const void* bytes, size_t length, const char* where, uint64_t limit,
                                       cairn_snapshot** snapshot) {
  return from_bytes(bytes, length, where, limit, out("snapshot", snapshot));
}
