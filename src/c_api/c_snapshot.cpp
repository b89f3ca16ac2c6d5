// Snapshots.

#include "src/c_api/c_kept.h"
#include "src/c_api/describe.h"

using namespace cairn::c_api;  // NOLINT
using cairn::World;

cairn_result cairn_world_snapshot(const cairn_world* world, uint32_t index, cairn_snapshot** snapshot) {
  return with(world, [&](const World& w) {
    require("snapshot", snapshot);
    *snapshot = new cairn_snapshot{index == CAIRN_ALL_WORLDS ? w.snapshot() : w.snapshot(index)};
  });
}

void cairn_snapshot_destroy(cairn_snapshot* snapshot) { delete snapshot; }

cairn_result cairn_world_restore(cairn_world* world, const cairn_snapshot* snapshot) {
  return with(world, [&](World& w) {
    require("snapshot", snapshot);
    w.restore(snapshot->content);
  });
}

cairn_result cairn_world_restore_one(cairn_world* world, const cairn_snapshot* snapshot, uint32_t from, uint32_t into) {
  return with(world, [&](World& w) {
    require("snapshot", snapshot);
    w.restore(snapshot->content, from, into);
  });
}

cairn_result cairn_world_restore_mask(cairn_world* world, const cairn_snapshot* snapshot, uint32_t from,
                                      const uint8_t* mask, size_t count) {
  return with(world, [&](World& w) {
    require("snapshot", snapshot);
    require("mask", mask);
    w.restore(snapshot->content, from, std::span(mask, count));
  });
}

cairn_result cairn_world_create_from(const cairn_snapshot* snapshot, const cairn_world_options* options,
                                     cairn_world** world) {
  return guarded([&] {
    require("snapshot, world", snapshot, world);
    *world = new cairn_world{std::make_shared<World>(snapshot->content, options_of(options))};
  });
}

cairn_result cairn_world_create_branches(const cairn_snapshot* snapshot, uint32_t from, uint32_t count,
                                         const cairn_world_options* options, cairn_world** world) {
  return guarded([&] {
    require("snapshot, world", snapshot, world);
    *world =
        new cairn_world{std::make_shared<World>(World::copies(snapshot->content, count, options_of(options), from))};
  });
}

cairn_result cairn_snapshot_count(const cairn_snapshot* snapshot, uint32_t* count) {
  return guarded([&] {
    require("snapshot, count", snapshot, count);
    *count = snapshot->content.world_count();
  });
}

cairn_result cairn_snapshot_world(const cairn_snapshot* snapshot, uint32_t index, uint32_t* bodies, uint64_t* steps,
                                  double* time) {
  return guarded([&] {
    require("snapshot", snapshot);
    const std::uint32_t alive = snapshot->content.body_count(index);
    if (bodies != nullptr) *bodies = alive;
    if (steps != nullptr) *steps = snapshot->content.steps(index);
    if (time != nullptr) *time = snapshot->content.time(index);
  });
}

cairn_result cairn_snapshot_save(const cairn_snapshot* snapshot, const char* path) {
  return save(snapshot, "snapshot", path);
}
cairn_result cairn_snapshot_load(const char* path, uint64_t limit, cairn_snapshot** snapshot) {
  return load(path, limit, "snapshot", snapshot);
}
cairn_result cairn_snapshot_to_bytes(const cairn_snapshot* snapshot, void* bytes, size_t size, size_t* length) {
  return to_bytes(snapshot, "snapshot", bytes, size, length);
}
cairn_result cairn_snapshot_from_bytes(const void* bytes, size_t length, const char* where, uint64_t limit,
                                       cairn_snapshot** snapshot) {
  return from_bytes(bytes, length, where, limit, "snapshot", snapshot);
}
