#pragma once
// Snapshots: docs/snapshots.md.

#include "cairn/c/world.h"

typedef struct cairn_snapshot cairn_snapshot;

/// Of world `index`, or of all. Waits.
CAIRN_API cairn_result cairn_world_snapshot(const cairn_world* world, uint32_t index, cairn_snapshot** snapshot);
CAIRN_API void cairn_snapshot_destroy(cairn_snapshot* snapshot);
/// Becomes the snapshot's world, handles included.
CAIRN_API cairn_result cairn_world_restore(cairn_world* world, const cairn_snapshot* snapshot);
/// World `into`, or the chosen ones, become world `from` of the snapshot.
CAIRN_API cairn_result cairn_world_restore_one(cairn_world* world, const cairn_snapshot* snapshot, uint32_t from,
                                               uint32_t into);
CAIRN_API cairn_result cairn_world_restore_mask(cairn_world* world, const cairn_snapshot* snapshot, uint32_t from,
                                                const uint8_t* mask, size_t count);
/// A world from the snapshot, on any device.
CAIRN_API cairn_result cairn_world_create_from(const cairn_snapshot* snapshot, const cairn_world_options* options,
                                               cairn_world** world);
/// `count` copies of its world `from`.
CAIRN_API cairn_result cairn_world_create_branches(const cairn_snapshot* snapshot, uint32_t from, uint32_t count,
                                                   const cairn_world_options* options, cairn_world** world);
CAIRN_API cairn_result cairn_snapshot_count(const cairn_snapshot* snapshot, uint32_t* count);
/// Bodies alive, steps and time [s] of one of its worlds. Null is left out.
CAIRN_API cairn_result cairn_snapshot_world(const cairn_snapshot* snapshot, uint32_t index, uint32_t* bodies,
                                            uint64_t* steps, double* time);
/// Written whole or not at all.
CAIRN_API cairn_result cairn_snapshot_save(const cairn_snapshot* snapshot, const char* path);
/// CAIRN_SNAPSHOT unless it is valid and of a version that this build can restore. `limit` [B] is its max size when
/// expanded; 0 stands for 16 GiB.
CAIRN_API cairn_result cairn_snapshot_load(const char* path, uint64_t limit, cairn_snapshot** snapshot);
/// The content of a file. `length` gets its length. It is written if `size` is no smaller, else nothing is; `bytes` may
/// be null if `size` is 0. Each call makes it again.
CAIRN_API cairn_result cairn_snapshot_to_bytes(const cairn_snapshot* snapshot, void* bytes, size_t size,
                                               size_t* length);
/// `where` names it in messages.
CAIRN_API cairn_result cairn_snapshot_from_bytes(const void* bytes, size_t length, const char* where, uint64_t limit,
                                                 cairn_snapshot** snapshot);
