// Devices, and functions that stand by themselves.

#include "python/src/topics.h"
#include "python/src/values.h"

namespace cairn::python {

void bind_functions(nb::module_& m) {
  m.def(
      "devices", [] { return Made{devices()}; }, "The CPU first, then every usable CUDA device.");
  m.def(
      "describe", [](Given<Device> of) { return Made{describe(of.get("device"))}; }, nb::arg("device"));
  m.def(
      "parse_device", [](const std::string& text, int threads) { return Made{Device::parse(text, threads)}; },
      nb::arg("text"), nb::arg("threads") = 0, "Reads cpu, cuda, cuda:1 or best. Raises RuntimeError for another.");
  m.def("built_with_cuda", &built_with_cuda);
  m.def(
      "estimate_memory",
      [](const Scene& scene, std::uint32_t worlds, Given<WorldOptions> options) {
        return estimate_memory(scene, worlds, options.get_or_default("options"));
      },
      nb::arg("scene"), nb::arg("worlds") = 1, nb::arg("options").none() = nb::none(),
      "[B] that a World of so many copies will hold in its first step, found without taking any.");
  m.def(
      "constraint_warnings", [](const Scene& scene) { return Made{constraint_warnings(scene)}; }, nb::arg("scene"),
      "A sentence for each group of constraints whose law can't be held at its sweeps and substeps.");
  m.def(
      "status_names", [](std::uint32_t status) { return Made{status_names(status)}; }, nb::arg("status"));
  m.def(
      "random_uniforms",
      [](std::uint64_t seed, std::uint32_t episode, std::uint32_t stream, std::uint32_t index) {
        return Made{random_uniforms(seed, episode, static_cast<RandomStream>(stream), index)};
      },
      nb::arg("seed"), nb::arg("episode"), nb::arg("stream"), nb::arg("index"),
      "Four numbers in [0, 1), the same on every processor. Streams from 16 on are the program's own.");
  m.def(
      "body_mass_properties",
      [](Given<Body> body, Given<std::vector<Material>> materials) {
        return Made{mass_properties(body.get("body"), materials.get("materials"))};
      },
      nb::arg("body"), nb::arg("materials"), "As the solver uses them. Static and kinematic bodies have mass 0.");
  m.def("rayleigh_time", &rayleigh_time, nb::arg("radius"), nb::arg("density"), nb::arg("young_modulus"),
        nb::arg("poisson_ratio"), "[s]");
  m.def(
      "load_surface",
      [](nb::handle file) {
        auto* const held = new Surface(load_surface(path_of(file)));
        const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<Surface*>(p); });
        const std::size_t vertices[2] = {held->vertices.size(), 3}, triangles[2] = {held->triangles.size(), 3};
        return nb::make_tuple(
            nb::ndarray<nb::numpy, float>(reinterpret_cast<float*>(held->vertices.data()), 2, vertices, owner),
            nb::ndarray<nb::numpy, std::uint32_t>(reinterpret_cast<std::uint32_t*>(held->triangles.data()), 2,
                                                  triangles, owner));
      },
      nb::arg("file"),
      nb::sig("def load_surface(file: str | os.PathLike[str]) -> tuple[numpy.typing.NDArray[numpy.float32], "
              "numpy.typing.NDArray[numpy.uint32]]"),
      "Vertices (n, 3) and triangles (m, 3) of an .obj or .stl file. Raises ValueError with file, line and reason.");
}

}  // namespace cairn::python
