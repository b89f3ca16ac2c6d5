// Mass properties, rules that descriptions keep, and mesh files.

#include "python/src/guarded.h"
#include "python/src/topics.h"

namespace cairn::python {
namespace {

/// An argument of this class alone, which tells calls of one name apart.
template <class T>
struct Only {
  nb::handle value;
  T get(std::string_view name) const { return to_cpp<T>(value, {.name = name}); }
};

nb::object surface_arrays(Surface surface) {
  auto* const held = new Surface(std::move(surface));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<Surface*>(p); });
  const std::size_t vertices[2] = {held->vertices.size(), 3}, triangles[2] = {held->triangles.size(), 3};
  return nb::make_tuple(
      nb::ndarray<nb::numpy, float>(reinterpret_cast<float*>(held->vertices.data()), 2, vertices, owner),
      nb::ndarray<nb::numpy, std::uint32_t>(reinterpret_cast<std::uint32_t*>(held->triangles.data()), 2, triangles,
                                            owner));
}

constexpr const char* kArrays = "tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint32]]";

}  // namespace
}  // namespace cairn::python

namespace nanobind::detail {

template <class T>
struct type_caster<cairn::python::Only<T>> {
  NB_TYPE_CASTER(cairn::python::Only<T>, NameInSignature<T>::make())
  bool from_python(handle from, std::uint32_t, cleanup_list*) noexcept {
    value.value = from;
    try {
      return cairn::python::is_instance(from, cairn::python::class_of<T>());
    } catch (const python_error&) {
      return false;
    }
  }
};

}  // namespace nanobind::detail

namespace cairn::python {

void bind_masses(nb::module_& m) {
  m.def(
      "mass_properties",
      [](Only<Body> body, Given<std::vector<Material>> materials) {
        return Made{mass_properties(body.get("body"), materials.get("materials"))};
      },
      nb::arg("body"), nb::arg("materials"), "As the solver uses them. Static and kinematic bodies have mass 0.");
  m.def(
      "mass_properties", [](Only<PointMass> point) { return Made{mass_properties(point.get("point"))}; },
      nb::arg("point"), "Of mass in one place.");
  m.def(
      "mass_properties",
      [](Given<Geometry> geometry, double density) { return Made{mass_properties(geometry.get("geometry"), density)}; },
      nb::arg("geometry"), nb::arg("density"),
      "Of a solid shape in its own frame, of a density [kg/m^3]. Raises ValueError for what encloses nothing.");
  m.def(
      "mass_properties_of_hollow_ball",
      [](double outer, double inner, double mass) { return Made{mass_properties_of_hollow_ball(outer, inner, mass)}; },
      nb::arg("outer_radius"), nb::arg("inner_radius"), nb::arg("mass"),
      "[m], [m], [kg] About its centre; 0 inside is a solid ball, the outer radius a shell without thickness.");
  m.def(
      "moved",
      [](Given<MassProperties> properties, Given<Vec3d> position, Given<QuatT<double>> orientation) {
        return Made{moved(properties.get("properties"), position.get("position"), orientation.get("orientation"))};
      },
      nb::arg("properties"), nb::arg("position"), nb::arg("orientation"),
      "The same in another frame, turned by an orientation, then moved by a position [m].");
  m.def(
      "together",
      [](Given<std::vector<MassProperties>> things) {
        const std::vector<MassProperties> read = things.get("things");
        return Made{together(read)};
      },
      nb::arg("things"), "Of things in one frame taken as one rigid body.");
  m.def(
      "give_mass",
      [](nb::handle body, Given<MassProperties> properties) {
        Body given = to_cpp<Body>(body, {.name = "body"});
        give_mass(given, properties.get("properties"));
        nb::setattr(body, "mass", to_python(given.mass));
        nb::setattr(body, "centre_of_mass", to_python(given.centre_of_mass));
        nb::setattr(body, "inertia", to_python(given.inertia));
      },
      nb::arg("body"), nb::arg("properties"),
      nb::sig("def give_mass(body: cairn._structs.Body, properties: cairn._structs.MassProperties) -> None"),
      "Gives a body mass, centre of mass and inertia of its own, in place of those of its shapes.");
  m.def(
      "inertia_of", [](Given<MassProperties> of) { return Made{inertia_of(of.get("properties"))}; },
      nb::arg("properties"), "The tensor about the centre of mass along the frame's axes.");
  m.def(
      "repaired", [](Given<Inertia> of) { return Made{repaired(of.get("inertia"))}; }, nb::arg("inertia"),
      "The nearest inertia that a rigid body can have.");
  m.def(
      "fault_of", [](Given<Inertia> of) { return fault_of(of.get("inertia")); }, nb::arg("inertia"),
      "The rule that keeps an inertia from being that of a rigid body, with its numbers; empty if there is none.");
}

void bind_rules(nb::module_& m) {
  m.def(
      "validate", [](Only<Material> material, const std::string& what) { validate(material.get("material"), what); },
      nb::arg("material"), nb::arg("what"), "Raises ValueError, naming `what`, the rule and the value.");
  m.def(
      "validate",
      [](Only<Body> body, Given<std::vector<Material>> materials, const std::string& what) {
        validate(body.get("body"), materials.get("materials"), what);
      },
      nb::arg("body"), nb::arg("materials"), nb::arg("what"), "The same.");
  m.def(
      "validate", [](Only<StepParams> params) { validate(params.get("params")); }, nb::arg("params"), "The same.");
  m.def(
      "validate", [](Only<WorldLimits> limits) { validate(limits.get("limits")); }, nb::arg("limits"), "The same.");
}

void bind_mesh_files(nb::module_& m) {
  const auto limits = nb::arg("limits").none() = nb::none();
  const std::string caps = "limits: cairn._structs.MeshFileLimits | None = None) -> " + std::string(kArrays);
  m.def(
      "load_surface",
      [](nb::handle file, Given<MeshFileLimits> given) {
        return surface_arrays(load_surface(path_of(file), given.get_or_default("limits")));
      },
      nb::arg("file"), limits, nb::sig(("def load_surface(file: str | os.PathLike[str], " + caps).c_str()),
      "Vertices (n, 3) and triangles (m, 3) of an .obj or .stl file. Raises ValueError with file, line and reason.");
  m.def(
      "parse_obj",
      [](std::string_view text, const std::string& where, Given<MeshFileLimits> given) {
        return surface_arrays(parse_obj(text, where, given.get_or_default("limits")));
      },
      nb::arg("text"), nb::arg("where") = "text", limits,
      nb::sig(("def parse_obj(text: str, where: str = 'text', " + caps).c_str()),
      "The same of the text of an OBJ file; `where` names it in messages.");
  m.def(
      "parse_stl",
      [](nb::bytes bytes, const std::string& where, Given<MeshFileLimits> given) {
        return surface_arrays(parse_stl({bytes.c_str(), bytes.size()}, where, given.get_or_default("limits")));
      },
      nb::arg("bytes"), nb::arg("where") = "bytes", limits,
      nb::sig(("def parse_stl(bytes: bytes, where: str = 'bytes', " + caps).c_str()),
      "The same of an STL file, of text or binary.");
}

}  // namespace cairn::python
