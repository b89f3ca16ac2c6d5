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
      "particles_of", [](Given<ConstraintGroup> of) { return particles_of(of.get("group")); }, nb::arg("group"),
      "[1] Particles of each constraint of a group.");
  m.def(
      "status_names", [](std::uint32_t status) { return Made{status_names(status)}; }, nb::arg("status"));
  m.def(
      "random_uniforms",
      [](std::uint64_t seed, std::uint32_t episode, std::uint32_t stream, std::uint32_t index) {
        return Made{random_uniforms(seed, episode, static_cast<RandomStream>(stream), index)};
      },
      nb::arg("seed"), nb::arg("episode"), nb::arg("stream"), nb::arg("index"),
      "Four numbers in [0, 1), the same on every processor. Streams from 16 on are the program's own.");
  m.def("rayleigh_time", &rayleigh_time, nb::arg("radius"), nb::arg("density"), nb::arg("young_modulus"),
        nb::arg("poisson_ratio"), "[s]");
  m.def(
      "philox4x32",
      [](Given<std::array<std::uint32_t, 4>> counter, Given<std::array<std::uint32_t, 2>> key) {
        return Made{philox4x32(counter.get("counter"), key.get("key"))};
      },
      nb::arg("counter"), nb::arg("key"), "Philox4x32-10: four numbers of 32 bits for each counter and key.");
}

}  // namespace cairn::python
