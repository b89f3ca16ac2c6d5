// Scene, and scene files.

#include "python/src/topics.h"
#include "python/src/values.h"

namespace cairn::python {
namespace {

/// Calls read(limits, options) for a scene, and gives lists of Python what those of the options have then.
template <class F>
Scene read_scene(const Given<SceneFileLimits>& limits, nb::handle folder, nb::handle repairs, nb::handle meshes,
                 const F& read) {
  std::vector<std::string> repaired;
  std::vector<std::filesystem::path> found;
  SceneFileOptions options{.repairs = repairs.is_none() ? nullptr : &repaired,
                           .meshes = meshes.is_none() ? nullptr : &found};
  if (!folder.is_none()) options.folder = path_of(folder);
  Scene scene = read(limits.get_or_default("limits"), options);
  for (const std::string& r : repaired) repairs.attr("append")(r);
  for (const std::filesystem::path& f : found) meshes.attr("append")(f.string());
  return scene;
}

}  // namespace

void bind_scene(nb::module_& m) {
  const std::string options =
      ", limits: cairn._structs.SceneFileLimits | None = None, folder: str | os.PathLike[str] | None = None, repairs: "
      "list[str] | None = None, meshes: list[str] | None = None";
  nb::class_<Scene>(m, "Scene",
                    "The description of a world: SI units, right-handed. A call that raises has changed nothing.")
      .def(nb::init<>())
      .def(nb::init<const Scene&>(), nb::arg("other"), "A copy.")
      .def_prop_rw(
          "name", [](const Scene& s) { return s.name; }, [](Scene& s, std::string name) { s.name = std::move(name); })
      .def(
          "add_material", [](Scene& s, Given<Material> of) { return s.add_material(of.get("material")); },
          nb::arg("material"), "Returns its index. Raises ValueError for what is no material.")
      .def(
          "add_body", [](Scene& s, Given<Body> of) { return s.add_body(of.get("body")); }, nb::arg("body"),
          "Returns its index, which is its slot in a World of the scene. Raises ValueError, naming body, rule and "
          "value.")
      .def(
          "add_joint", [](Scene& s, Given<Joint> of) { return s.add_joint(of.get("joint")); }, nb::arg("joint"),
          "Returns its index. Joints name bodies by their indices.")
      .def(
          "add_articulation",
          [](Scene& s, Given<Articulation> of, Given<ArticulationState> start) {
            return s.add_articulation(of.get("articulation"), start.get_or_default("start"));
          },
          nb::arg("articulation"), nb::arg("start").none() = nb::none(),
          "With the bodies of its links. Returns its index.")
      .def(
          "add_particles", [](Scene& s, Given<ParticleSet> of) { return s.add_particles(of.get("particles")); },
          nb::arg("particles"), "With their bodies. Returns the set's index.")
      .def(
          "add_field", [](Scene& s, Given<SceneField> of) { return s.add_field(of.get("field")); }, nb::arg("field"),
          "A force field that acts in every step. Returns its index.")
      .def(
          "add_camera", [](Scene& s, Given<SceneCamera> of) { return s.add_camera(of.get("camera")); },
          nb::arg("camera"), "For pictures and viewers. Returns its index.")
      .def("ignore", &Scene::ignore, nb::arg("body_a"), nb::arg("body_b"),
           "Bodies, by index, that never touch each other.")
      .def(
          "set_gravity", [](Scene& s, Given<Vec3> g) { s.set_gravity(g.get("gravity")); }, nb::arg("gravity"),
          "[m/s^2]")
      .def(
          "set_params", [](Scene& s, Given<StepParams> p) { s.set_params(p.get("params")); }, nb::arg("params"))
      .def(
          "set_limits", [](Scene& s, Given<WorldLimits> l) { s.set_limits(l.get("limits")); }, nb::arg("limits"))
      .def(
          "materials", [](const Scene& s) { return Made{s.materials()}; }, "Copies.")
      .def(
          "bodies", [](const Scene& s) { return Made{s.bodies()}; }, "Copies.")
      .def(
          "joints", [](const Scene& s) { return Made{s.joints()}; }, "Copies.")
      .def(
          "articulations", [](const Scene& s) { return Made{s.articulations()}; }, "Copies.")
      .def(
          "particles", [](const Scene& s) { return Made{s.particles()}; }, "Copies.")
      .def(
          "fields", [](const Scene& s) { return Made{s.fields()}; }, "Copies.")
      .def(
          "cameras", [](const Scene& s) { return Made{s.cameras()}; }, "Copies.")
      .def(
          "ignored", [](const Scene& s) { return Made{s.ignored()}; }, "Each pair once.")
      .def(
          "gravity", [](const Scene& s) { return Made{s.gravity()}; }, "[m/s^2]")
      .def(
          "params", [](const Scene& s) { return Made{s.params()}; }, "A copy: set_params takes it back.")
      .def(
          "limits", [](const Scene& s) { return Made{s.limits()}; }, "A copy: set_limits takes it back.")
      .def(
          "find_body", [](const Scene& s, const std::string& name) { return Made{s.find_body(name)}; }, nb::arg("name"),
          "Its index, or None.")
      .def(
          "find_joint", [](const Scene& s, const std::string& name) { return Made{s.find_joint(name)}; },
          nb::arg("name"))
      .def(
          "find_articulation", [](const Scene& s, const std::string& name) { return Made{s.find_articulation(name)}; },
          nb::arg("name"))
      .def(
          "find_particles", [](const Scene& s, const std::string& name) { return Made{s.find_particles(name)}; },
          nb::arg("name"))
      .def(
          "find_camera", [](const Scene& s, const std::string& name) { return Made{s.find_camera(name)}; },
          nb::arg("name"))
      .def("to_json", &scene_to_json, "The text of a scene file.")
      .def("__copy__", [](const Scene& s) { return Scene(s); })
      .def(
          "__deepcopy__", [](const Scene& s, nb::handle) { return Scene(s); }, nb::arg("memo"),
          nb::sig("def __deepcopy__(self, memo: typing.Any) -> Scene"))
      .def(
          "__getstate__",
          [](const Scene& s) {
            // a scene file has no user_data
            nb::dict user_data;
            for (std::size_t i = 0; i < s.bodies().size(); ++i) {
              if (s.bodies()[i].user_data != 0) user_data[nb::int_(i)] = s.bodies()[i].user_data;
            }
            return nb::make_tuple(scene_to_json(s), user_data);
          },
          nb::sig("def __getstate__(self) -> tuple[str, dict[int, int]]"))
      .def(
          "__setstate__",
          [](Scene& s, const nb::tuple& state) {
            Scene made = parse_scene(nb::cast<std::string>(state[0]), "pickle");
            for (const auto [index, value] : nb::cast<nb::dict>(state[1])) {
              const auto i = nb::cast<std::size_t>(index);
              if (i >= made.bodies().size()) throw InvalidArgument("pickle: there is no body " + std::to_string(i));
              // the scene is ours, and nothing in it follows from this
              const_cast<Body&>(made.bodies()[i]).user_data = nb::cast<std::uint64_t>(value);
            }
            new (&s) Scene(std::move(made));
          },
          nb::sig("def __setstate__(self, state: tuple[str, dict[int, int]], /) -> None"))
      .def("__repr__", [](const Scene& s) {
        return "<Scene \"" + s.name + "\" of " + std::to_string(s.bodies().size()) + " bodies>";
      });
  m.def(
      "load_scene",
      [](nb::handle file, Given<SceneFileLimits> limits, nb::handle folder, nb::handle repairs, nb::handle meshes) {
        const std::filesystem::path path = path_of(file);
        return read_scene(limits, folder, repairs, meshes, [&](const SceneFileLimits& caps, const SceneFileOptions& o) {
          return load_scene(path, caps, o);
        });
      },
      nb::arg("file"), nb::arg("limits").none() = nb::none(), nb::arg("folder").none() = nb::none(),
      nb::arg("repairs").none() = nb::none(), nb::arg("meshes").none() = nb::none(),
      nb::sig(("def load_scene(file: str | os.PathLike[str]" + options + ") -> Scene").c_str()),
      "Reads a scene file. Raises SceneFileError with file, JSON pointer and reason. Mesh files are looked for in "
      "`folder`, or where the scene file lies. A list of repairs takes what was wrong with inertias, which are then "
      "replaced by the nearest that can be; a list of meshes takes the paths of the mesh files that were read.");
  m.def(
      "parse_scene",
      [](std::string_view text, const std::string& where, Given<SceneFileLimits> limits, nb::handle folder,
         nb::handle repairs, nb::handle meshes) {
        return read_scene(limits, folder, repairs, meshes, [&](const SceneFileLimits& caps, const SceneFileOptions& o) {
          return parse_scene(text, where, caps, o);
        });
      },
      nb::arg("text"), nb::arg("where") = "text", nb::arg("limits").none() = nb::none(),
      nb::arg("folder").none() = nb::none(), nb::arg("repairs").none() = nb::none(),
      nb::arg("meshes").none() = nb::none(),
      nb::sig(("def parse_scene(text: str, where: str = 'text'" + options + ") -> Scene").c_str()),
      "The same from text; `where` names it in messages. Without a folder it may name no mesh files.");
  m.def("scene_to_json", &scene_to_json, nb::arg("scene"), "The text of a scene file.");
}

}  // namespace cairn::python
