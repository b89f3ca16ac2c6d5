// Snapshots and recordings.

#include "python/src/topics.h"
#include "python/src/values.h"

namespace cairn::python {
namespace {

/// What both have.
template <class T>
nb::class_<T>& bind_file(nb::class_<T>& c, const char* name) {
  const std::string made = std::string(name);
  c.def(
       "to_bytes",
       [](const T& t) {
         const std::string bytes = t.to_bytes();
         return nb::bytes(bytes.data(), bytes.size());
       },
       "The content of a file.")
      .def_static(
          "from_bytes",
          [](nb::bytes bytes, const std::string& where, Given<SnapshotLimits> limits) {
            return T::from_bytes({bytes.c_str(), bytes.size()}, where, limits.get_or_default("limits"));
          },
          nb::arg("bytes"), nb::arg("where") = "bytes", nb::arg("limits").none() = nb::none(),
          nb::sig(("def from_bytes(bytes: bytes, where: str = 'bytes', limits: cairn._structs.SnapshotLimits | None = "
                   "None) -> " +
                   made)
                      .c_str()),
          "Raises SnapshotError unless it is whole and sound.")
      .def(
          "save", [](const T& t, nb::handle file) { t.save(path_of(file)); }, nb::arg("file"),
          nb::sig("def save(self, file: str | os.PathLike[str]) -> None"), "Written whole or not at all.")
      .def_static(
          "load",
          [](nb::handle file, Given<SnapshotLimits> limits) {
            return T::load(path_of(file), limits.get_or_default("limits"));
          },
          nb::arg("file"), nb::arg("limits").none() = nb::none(),
          nb::sig(
              ("def load(file: str | os.PathLike[str], limits: cairn._structs.SnapshotLimits | None = None) -> " + made)
                  .c_str()),
          "Raises SnapshotError unless it is whole and sound.")
      .def("__getstate__",
           [](const T& t) {
             const std::string bytes = t.to_bytes();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__", [](T& t, nb::bytes bytes) {
        new (&t) T(T::from_bytes({bytes.c_str(), bytes.size()}, "pickle"));
      });
  return c;
}

}  // namespace

void bind_files(nb::module_& m) {
  nb::class_<Snapshot> snapshot(m, "Snapshot",
                                "A world, or a batch, between two steps: all that the next step depends on.");
  bind_file(snapshot, "Snapshot")
      .def("world_count", &Snapshot::world_count)
      .def("body_count", &Snapshot::body_count, nb::arg("world") = 0, "Alive.")
      .def("steps", &Snapshot::steps, nb::arg("world") = 0, "Taken since the world was made or reset.")
      .def("time", &Snapshot::time, nb::arg("world") = 0, "[s]");
  nb::class_<Recording> recording(m, "Recording", "A snapshot, every call since that changed the World, and hashes.");
  bind_file(recording, "Recording")
      .def("steps", &Recording::steps, "Taken in it.")
      .def("start", &Recording::start, "What it begins with: World(recording.start()) is where a Playback begins.");
  m.def(
      "replay",
      [](const Recording& of, Given<WorldOptions> options) {
        const WorldOptions read = options.get_or_default("options");
        const nb::gil_scoped_release released;
        return Made{replay(of, read)};
      },
      nb::arg("recording"), nb::arg("options").none() = nb::none(),
      nb::sig("def replay(recording: Recording, options: cairn._structs.WorldOptions | None = None) -> "
              "cairn._structs.Replay"),
      "Does again what a recording holds, on any device, until a hash differs.");
}

}  // namespace cairn::python
