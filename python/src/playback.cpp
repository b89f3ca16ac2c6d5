// Recordings, done again step by step.

#include "python/src/topics.h"
#include "python/src/world.h"

namespace cairn::python {
namespace {

using PyPlayback = OfWorld<Playback>;

/// Calls f(Playback&) without the interpreter's lock. Views of arrays end where it came by such a call.
template <class F>
auto moved(const PyPlayback& of, const F& f) {
  std::uint64_t before = 0, after = 0;
  const auto count = [&](Playback& p) {
    before = p.edits();
    struct Count {
      Playback& p;
      std::uint64_t& to;
      ~Count() { to = p.edits(); }
    } const counted{p, after};
    return f(p);
  };
  struct End {
    const PyPlayback& of;
    const std::uint64_t &before, &after;
    ~End() {
      if (after != before) of.owner().edited();
    }
  } const end{of, before, after};
  return of.run(count);
}

}  // namespace

void bind_playback(nb::module_& m) {
  Class<PyPlayback>(m, "Playback",
                    "Does a recording again step by step, on a World that becomes what it begins with: "
                    "World(recording.start(), options). Hashes are compared as `replay` compares them.")
      .def(
          "__init__",
          [](PyPlayback* self, nb::object world, const Recording& recording) {
            if (!nb::isinstance<PyWorld>(world)) refuse({.name = "world"}, "World", world);
            new (self) PyPlayback(PyPlayback::made(std::move(world), true, recording));
          },
          nb::arg("world"), nb::arg("recording"),
          nb::sig("def __init__(self, world: World, recording: Recording) -> None"), "Views of arrays end.")
      .def(
          "step", [](const PyPlayback& self) { return moved(self, [](Playback& p) { return p.step(); }); },
          "Makes the calls up to the next step and takes that. False at the end. Raises SnapshotError for what can't "
          "be "
          "made again.")
      .def(
          "seek",
          [](const PyPlayback& self, Given<std::uint64_t> step) {
            const std::uint64_t to = step.get("step");
            moved(self, [&](Playback& p) {
              p.seek(to);
              return true;
            });
          },
          nb::arg("step"), nb::sig("def seek(self, step: int) -> None"),
          "To where so many steps were taken, 0 for the start. Raises ValueError where there are fewer.")
      .def("at", call(&Playback::at), "Steps taken, where the World is.")
      .def("steps", call(&Playback::steps), "In the recording.")
      .def(
          "differs_at", [](const PyPlayback& self) { return Made{self.use().differs_at()}; },
          "The first step that was seen to end in another state than the recorded one; 0: it begins with another; "
          "None: "
          "all hashes that were compared are as recorded.")
      .def("edits", call(&Playback::edits), "Counts what ends handles, views of arrays and drawings of bodies.")
      .def_prop_ro(
          "world", [](const PyPlayback& self) { return self.world(); }, nb::sig("def world(self) -> World"),
          "What it is done on.");
}

}  // namespace cairn::python
