// Recordings and their replay.

#include "src/c_api/c_kept.h"
#include "src/c_api/describe.h"

// the world first: it ends last
struct cairn_playback {
  std::shared_ptr<cairn::World> world;
  cairn::Playback playback;
};

using namespace cairn::c_api;  // NOLINT
using cairn::World;

namespace {

template <class P, class F>
cairn_result played(P* playback, const F& f) noexcept {
  return guarded([&] {
    require("playback", playback);
    f(playback->playback);
  });
}

}  // namespace

cairn_result cairn_world_start_recording(cairn_world* world) {
  return with(world, [&](World& w) { w.start_recording(); });
}

cairn_result cairn_world_stop_recording(cairn_world* world, cairn_recording** recording) {
  return with(world, [&](World& w) {
    require("recording", recording);
    *recording = new cairn_recording{w.stop_recording()};
  });
}

void cairn_recording_destroy(cairn_recording* recording) { delete recording; }

cairn_result cairn_recording_steps(const cairn_recording* recording, uint64_t* steps) {
  return guarded([&] {
    require("recording, steps", recording, steps);
    *steps = recording->content.steps();
  });
}

cairn_result cairn_recording_start(const cairn_recording* recording, cairn_snapshot** snapshot) {
  return guarded([&] {
    require("recording, snapshot", recording, snapshot);
    *snapshot = new cairn_snapshot{recording->content.start()};
  });
}

cairn_result cairn_recording_save(const cairn_recording* recording, const char* path) {
  return save(recording, "recording", path);
}
cairn_result cairn_recording_load(const char* path, uint64_t limit, cairn_recording** recording) {
  return load(path, limit, "recording", recording);
}
cairn_result cairn_recording_to_bytes(const cairn_recording* recording, void* bytes, size_t size, size_t* length) {
  return to_bytes(recording, "recording", bytes, size, length);
}
cairn_result cairn_recording_from_bytes(const void* bytes, size_t length, const char* where, uint64_t limit,
                                        cairn_recording** recording) {
  return from_bytes(bytes, length, where, limit, "recording", recording);
}

cairn_result cairn_recording_replay(const cairn_recording* recording, const cairn_world_options* options,
                                    cairn_replay* replay, char* body, size_t body_size) {
  return guarded([&] {
    require("recording", recording);
    // a replay may take long: what is wrong with the struct is reported before
    size_of<cairn_replay>(replay, "replay");
    const cairn::Replay r = cairn::replay(recording->content, options_of(options));
    const cairn::Difference d = r.difference.value_or(cairn::Difference{});
    cairn_replay c{};
    c.differs = r.difference ? 1 : 0;
    c.steps = r.steps;
    c.hash = r.hash;
    c.step = d.step;
    c.stage = d.stage ? static_cast<std::int32_t>(*d.stage) : -1;
    c.world = d.world;
    write(replay, c, "replay");
    copy_text(body, body_size, d.body);
  });
}

cairn_result cairn_playback_create(cairn_world* world, const cairn_recording* recording, cairn_playback** playback) {
  return with(world, [&](World& w) {
    require("recording, playback", recording, playback);
    *playback = new cairn_playback{world->world, cairn::Playback(w, recording->content)};
  });
}

void cairn_playback_destroy(cairn_playback* playback) { delete playback; }

cairn_result cairn_playback_step(cairn_playback* playback, int32_t* taken) {
  return played(playback, [&](cairn::Playback& p) {
    require("taken", taken);
    *taken = p.step() ? 1 : 0;
  });
}

cairn_result cairn_playback_seek(cairn_playback* playback, uint64_t step) {
  return played(playback, [&](cairn::Playback& p) { p.seek(step); });
}

cairn_result cairn_playback_at(const cairn_playback* playback, uint64_t* at, uint64_t* steps) {
  return played(playback, [&](const cairn::Playback& p) {
    if (at != nullptr) *at = p.at();
    if (steps != nullptr) *steps = p.steps();
  });
}

cairn_result cairn_playback_differs_at(const cairn_playback* playback, int32_t* differs, uint64_t* step) {
  return played(playback, [&](const cairn::Playback& p) {
    require("differs, step", differs, step);
    *differs = p.differs_at() ? 1 : 0;
    *step = p.differs_at().value_or(0);
  });
}

cairn_result cairn_playback_edits(const cairn_playback* playback, uint64_t* edits) {
  return played(playback, [&](const cairn::Playback& p) {
    require("edits", edits);
    *edits = p.edits();
  });
}
