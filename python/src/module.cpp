// The module cairn._core.

#include "cairn/version.h"
#include "python/src/topics.h"
#include "python/src/values.h"

namespace cairn::python {

void bind_errors(nb::module_& m) {
  // the base first: what is registered last is tried first
  const nb::exception<Error> error(m, "Error", PyExc_RuntimeError);
  nb::exception<DeviceError>(m, "DeviceError", error);
  nb::exception<CapacityError>(m, "CapacityError", nb::make_tuple(error, nb::handle(PyExc_MemoryError)));
  const nb::exception<InvalidArgument> invalid(m, "InvalidArgument",
                                               nb::make_tuple(error, nb::handle(PyExc_ValueError)));
  nb::exception<SceneFileError>(m, "SceneFileError", invalid);
  nb::exception<SnapshotError>(m, "SnapshotError", invalid);
}

namespace {

constexpr std::uint64_t kHashModulus = 0x1fffffffffffffff;  ///< [1] 2^61 - 1, as Python's own

template <class H>
void bind_handle(nb::module_& m, const char* name, const char* doc) {
  nb::class_<H>(m, name, doc)
      .def(nb::init<>(), "The null handle, which is False.")
      .def(
          "__init__",
          [](H* self, std::uint32_t index, std::uint32_t generation) {
            new (self) H{index, generation};
          },
          nb::arg("index"), nb::arg("generation"))
      .def_ro("index", &H::index, "[1] Slot + 1; 0 of the null handle.")
      .def_ro("generation", &H::generation, "[1] Of what is in the slot.")
      .def(
          "__eq__", [](const H& a, nb::handle b) { return nb::isinstance<H>(b) && a == nb::cast<H>(b); },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const H& h) { return (std::uint64_t{h.generation} << 32 | h.index) % kHashModulus; })
      .def("__bool__", [](const H& h) { return static_cast<bool>(h); })
      .def("__repr__",
           [name = std::string(name)](const H& h) {
             return name + "(index=" + std::to_string(h.index) + ", generation=" + std::to_string(h.generation) + ")";
           })
      .def(
          "__reduce__", [](const H& h) { return nb::make_tuple(nb::type<H>(), nb::make_tuple(h.index, h.generation)); },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
}

template <class T>
nb::object rows_of(std::span<const T> of, nb::handle owner) {
  using S = std::conditional_t<std::is_same_v<T, Vec3>, float, std::uint32_t>;
  const std::size_t shape[2] = {of.size(), 3};
  return nb::cast(nb::ndarray<nb::numpy, const S>(reinterpret_cast<const S*>(of.data()), 2, shape, owner));
}

template <class T>
std::span<const float> numbers_of(const T& solid) {
  return {reinterpret_cast<const float*>(solid.vertices().data()), 3 * solid.vertices().size()};
}
std::span<const float> numbers_of(const HeightField& field) { return field.heights(); }

/// What values that never change have in common. They are made again of the members of these names.
template <class T, class... Name>
void bind_value(nb::class_<T>& c, Name... names) {
  c.def(
       "__eq__", [](const T& a, nb::handle b) { return nb::isinstance<T>(b) && a == nb::cast<const T&>(b); },
       nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const T& value) {
             std::uint64_t hash = 0;
             for (const float number : numbers_of(value)) hash = hash * 31 + std::hash<float>{}(number);
             return hash % kHashModulus;
           })
      .def(
          "__copy__", [](nb::handle self) { return nb::object(nb::borrow(self)); },
          nb::sig("def __copy__(self) -> typing.Self"))
      .def(
          "__deepcopy__", [](nb::handle self, nb::handle) { return nb::object(nb::borrow(self)); }, nb::arg("memo"),
          nb::sig("def __deepcopy__(self, memo: typing.Any) -> typing.Self"))
      .def(
          "__reduce__",
          [names...](nb::handle self) {
            const bool nothing = nb::cast<const T&>(self).data() == nullptr;
            return nb::make_tuple(nb::type<T>(), nothing ? nb::make_tuple() : nb::make_tuple(self.attr(names)...));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
}

}  // namespace

void bind_handles(nb::module_& m) {
  bind_handle<BodyHandle>(m, "BodyHandle", "A body of a World. Null is False; stale after the body was removed.");
  bind_handle<JointHandle>(m, "JointHandle", "A joint of a World. Null is False.");
  bind_handle<ArticulationHandle>(m, "ArticulationHandle", "An articulation of a World. Null is False.");
  bind_handle<ParticlesHandle>(m, "ParticlesHandle", "A set of particles of a World. Null is False.");
}

void bind_solids(nb::module_& m) {
  nb::class_<ConvexHull> hull(m, "ConvexHull", "The convex hull of points. It never changes.");
  bind_value(hull, "vertices");
  hull.def(nb::init<>(), "Of nothing; no body may have it.")
      .def(
          "__init__",
          [](ConvexHull* self, Given<std::vector<Vec3>> points) { new (self) ConvexHull(points.get("points")); },
          nb::arg("points"), "[m] (n, 3). Raises ValueError unless they are finite and span a volume.")
      .def_prop_ro(
          "vertices", [](nb::handle self) { return rows_of(nb::cast<const ConvexHull&>(self).vertices(), self); },
          nb::sig("def vertices(self) -> numpy.typing.NDArray[numpy.float32]"),
          "[m] (n, 3) float32, those of the hull.")
      .def("__repr__",
           [](const ConvexHull& h) { return "<ConvexHull of " + std::to_string(h.vertices().size()) + " vertices>"; });
  nb::class_<TriangleMesh> mesh(
      m, "TriangleMesh",
      "A surface of triangles, counter-clockwise seen from outside. Static and kinematic bodies only.");
  bind_value(mesh, "vertices", "triangles");
  mesh.def(nb::init<>(), "Of nothing; no body may have it.")
      .def(
          "__init__",
          [](TriangleMesh* self, Given<std::vector<Vec3>> vertices,
             Given<std::vector<TriangleMesh::Triangle>> triangles) {
            new (self) TriangleMesh(vertices.get("vertices"), triangles.get("triangles"));
          },
          nb::arg("vertices"), nb::arg("triangles"),
          nb::sig("def __init__(self, vertices: cairn._values.ManyLike[cairn._values.Vec3Like], triangles: typing.Any) "
                  "-> None"),
          "[m] (n, 3) and [1] (m, 3) indices. Raises ValueError for what is no surface.")
      .def_prop_ro(
          "vertices", [](nb::handle self) { return rows_of(nb::cast<const TriangleMesh&>(self).vertices(), self); },
          nb::sig("def vertices(self) -> numpy.typing.NDArray[numpy.float32]"), "[m] (n, 3) float32.")
      .def_prop_ro(
          "triangles", [](nb::handle self) { return rows_of(nb::cast<const TriangleMesh&>(self).triangles(), self); },
          nb::sig("def triangles(self) -> numpy.typing.NDArray[numpy.uint32]"), "[1] (m, 3) uint32.")
      .def_prop_ro("dropped", &TriangleMesh::dropped, "[1] Triangles without area, which were left out.")
      .def("__repr__", [](const TriangleMesh& t) {
        return "<TriangleMesh of " + std::to_string(t.triangles().size()) + " triangles>";
      });
  nb::class_<HeightField> terrain(m, "HeightField",
                                  "Terrain: heights along z over a grid in x and y. Static and kinematic bodies only.");
  bind_value(terrain, "heights", "spacing");
  terrain.def(nb::init<>(), "Of nothing; no body may have it.")
      .def(
          "__init__",
          [](HeightField* self, nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu> heights,
             float spacing) {
            new (self)
                HeightField(static_cast<std::uint32_t>(heights.shape(1)), static_cast<std::uint32_t>(heights.shape(0)),
                            spacing, std::span<const float>(heights.data(), heights.size()));
          },
          nb::arg("heights"), nb::arg("spacing"), "[m] (rows, columns), x along columns; [m] between samples.")
      .def_prop_ro(
          "heights",
          [](nb::handle self) {
            const HeightField& f = nb::cast<const HeightField&>(self);
            const std::size_t shape[2] = {f.rows(), f.columns()};
            return nb::ndarray<nb::numpy, const float>(f.heights().data(), 2, shape, self);
          },
          "[m] (rows, columns) float32.")
      .def_prop_ro("rows", &HeightField::rows, "[1] Samples along y.")
      .def_prop_ro("columns", &HeightField::columns, "[1] Samples along x.")
      .def_prop_ro("spacing", &HeightField::spacing, "[m]");
}

}  // namespace cairn::python

NB_MODULE(_core, m) {
  using namespace cairn::python;
  m.doc() = "The part of cairn that is compiled.";
  m.attr("__version__") = cairn::kVersion;
  bind_errors(m);
  bind_handles(m);
  bind_solids(m);
  bind_description(m);
  bind_scene(m);
  bind_files(m);
  bind_arrays(m);
  bind_queries(m);
  bind_world(m);
  bind_articulations(m);
  bind_pictures(m);
  bind_functions(m);
  bind_masses(m);
  bind_rules(m);
  bind_mesh_files(m);
  bind_particles(m);
  bind_actuation(m);
  bind_playback(m);
  bind_quality(m);
  bind_sensors(m);
}
