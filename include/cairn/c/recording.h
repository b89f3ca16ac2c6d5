#pragma once
// Recordings: docs/snapshots.md.

#include "cairn/c/snapshot.h"
#include "cairn/c/world.h"

typedef struct cairn_recording cairn_recording;

/// Records from now on every call that changes the world, and the hash of the state after each step.
CAIRN_API cairn_result cairn_world_start_recording(cairn_world* world);
CAIRN_API cairn_result cairn_world_stop_recording(cairn_world* world, cairn_recording** recording);
CAIRN_API void cairn_recording_destroy(cairn_recording* recording);
CAIRN_API cairn_result cairn_recording_steps(const cairn_recording* recording, uint64_t* steps);
/// The snapshot at its start.
CAIRN_API cairn_result cairn_recording_start(const cairn_recording* recording, cairn_snapshot** snapshot);
/// As those of snapshots.
CAIRN_API cairn_result cairn_recording_save(const cairn_recording* recording, const char* path);
CAIRN_API cairn_result cairn_recording_load(const char* path, uint64_t limit, cairn_recording** recording);
CAIRN_API cairn_result cairn_recording_to_bytes(const cairn_recording* recording, void* bytes, size_t size,
                                                size_t* length);
CAIRN_API cairn_result cairn_recording_from_bytes(const void* bytes, size_t length, const char* where, uint64_t limit,
                                                  cairn_recording** recording);

/// Replay and Difference (cairn/recording.h).
typedef struct cairn_replay {
  uint32_t struct_size;  ///< [B]
  int32_t differs;       ///< [1] 0: every hash is as recorded; 1: the members after `hash` say where the first differs
  uint64_t steps;        ///< [1] whose hash was compared
  uint64_t hash;         ///< [1] of the state after the last of them
  uint64_t step;         ///< [1] from 1 on; 0 if its start differs
  int32_t stage;         ///< [1] the first whose output differs (cairn_stage_name); -1 if that can't be found
  uint32_t world;        ///< [1] index of the body's world
} cairn_replay;
/// Replays it on any device, until a hash differs. `body` gets the name of the first body whose state differs at the
/// end of the step, "" if that can't be found, cut to its size, with a 0 at the end. It may be null.
CAIRN_API cairn_result cairn_recording_replay(const cairn_recording* recording, const cairn_world_options* options,
                                              cairn_replay* replay, char* body, size_t body_size);

/// Replays a recording step by step: Playback (cairn/recording.h). It keeps the world's memory and the recording's
/// content until it is destroyed.
typedef struct cairn_playback cairn_playback;

/// The world, on any device, becomes that of the recording's start.
CAIRN_API cairn_result cairn_playback_create(cairn_world* world, const cairn_recording* recording,
                                             cairn_playback** playback);
CAIRN_API void cairn_playback_destroy(cairn_playback* playback);
/// Makes the calls up to the next step, then takes it. `taken` gets 0 at the end, after the calls behind the last step.
CAIRN_API cairn_result cairn_playback_step(cairn_playback* playback, int32_t* taken);
/// To the state after `step` steps; 0 is the start.
CAIRN_API cairn_result cairn_playback_seek(cairn_playback* playback, uint64_t step);
/// Steps taken so far, and steps in the recording. Either pointer may be null.
CAIRN_API cairn_result cairn_playback_at(const cairn_playback* playback, uint64_t* at, uint64_t* steps);
/// `differs` gets 1 if a hash differs from the recording, and `step` the first such step, 0 for the start. Else 0 and
/// 0.
CAIRN_API cairn_result cairn_playback_differs_at(const cairn_playback* playback, int32_t* differs, uint64_t* step);
/// Counts the edits that invalidate handles, arrays of the world and drawings of its bodies.
CAIRN_API cairn_result cairn_playback_edits(const cairn_playback* playback, uint64_t* edits);
