// Recordings and their replay.

#include "src/c_api/c_kept.h"
#include "src/c_api/describe.h"

struct cairn_playback : cairn::c_api::OnWorld<cairn::Playback> {};

namespace cairn::c_api {

/// The name of its body is a separate output.
template <>
struct ByHand<cairn_replay, Difference> {
  static void give(cairn_replay& c, const Difference& d) {
    c.stage = d.stage ? static_cast<std::int32_t>(*d.stage) : -1;
  }
};
template <>
struct ByHand<cairn_replay, Replay> {
  static void give(cairn_replay& c, const Replay& replay) {
    c.differs = replay.difference ? 1 : 0;
    fill(c, replay.difference.value_or(Difference{}));
  }
};

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::Playback;
using cairn::Recording;
using cairn::World;

cairn_result cairn_world_start_recording(cairn_world* world) { return call(world, &World::start_recording); }
cairn_result cairn_world_stop_recording(cairn_world* world, cairn_recording** recording) {
  return get(world, out("recording", recording), &World::stop_recording);
}

void cairn_recording_destroy(cairn_recording* recording) { delete recording; }

cairn_result cairn_recording_steps(const cairn_recording* recording, uint64_t* steps) {
  return get(recording, out("recording, steps", steps), &Recording::steps);
}
cairn_result cairn_recording_start(const cairn_recording* recording, cairn_snapshot** snapshot) {
  return get(recording, out("recording, snapshot", snapshot), &Recording::start);
}

cairn_result cairn_recording_save(const cairn_recording* recording, const char* path) {
  return call(recording, &Recording::save, in("path", path));
}
cairn_result cairn_recording_load(const char* path, uint64_t limit, cairn_recording** recording) {
  return load(path, limit, out("recording", recording));
}
cairn_result cairn_recording_to_bytes(const cairn_recording* recording, void* bytes, size_t size, size_t* length) {
  return get(recording, out_bytes(bytes, size, length), &Recording::to_bytes);
}
cairn_result cairn_recording_from_bytes(const void* bytes, size_t length, const char* where, uint64_t limit,
                                        cairn_recording** recording) {
  return from_bytes(bytes, length, where, limit, out("recording", recording));
}

cairn_result cairn_recording_replay(const cairn_recording* recording, const cairn_world_options* options,
                                    cairn_replay* replay, char* body, size_t body_size) {
  return call(recording, [&](const Recording& of) {
    // a replay may take long: an invalid struct is reported before it
    size_of<cairn_replay>(replay, "replay");
    const cairn::Replay r = cairn::replay(of, options_of(options));
    write(replay, twin<cairn_replay>(r), "replay");
    copy_text(body, body_size, r.difference ? r.difference->body : "");
  });
}

cairn_result cairn_playback_create(cairn_world* world, const cairn_recording* recording, cairn_playback** playback) {
  return get(world, out("recording, playback", playback), [&](World& w) {
    require("recording, playback", recording);
    return cairn_playback{world->content, Playback(w, recording->content)};
  });
}

void cairn_playback_destroy(cairn_playback* playback) { delete playback; }

cairn_result cairn_playback_step(cairn_playback* playback, int32_t* taken) {
  return get(playback, out("taken", taken), &Playback::step);
}
cairn_result cairn_playback_seek(cairn_playback* playback, uint64_t step) {
  return call(playback, &Playback::seek, step);
}
cairn_result cairn_playback_at(const cairn_playback* playback, uint64_t* at, uint64_t* steps) {
  return call(playback, [&](const Playback& p) {
    if (at != nullptr) *at = p.at();
    if (steps != nullptr) *steps = p.steps();
  });
}
cairn_result cairn_playback_differs_at(const cairn_playback* playback, int32_t* differs, uint64_t* step) {
  return call(playback, [&](const Playback& p) {
    require("differs, step", differs, step);
    *differs = p.differs_at() ? 1 : 0;
    *step = p.differs_at().value_or(0);
  });
}
cairn_result cairn_playback_edits(const cairn_playback* playback, uint64_t* edits) {
  return get(playback, out("edits", edits), &Playback::edits);
}
