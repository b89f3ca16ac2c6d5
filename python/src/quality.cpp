// Figures of quality.

#include "python/src/topics.h"
#include "python/src/world.h"

namespace cairn::python {

void bind_quality(nb::module_& m) {
  using Meter = Guarded<QualityMeter>;
  Class<Meter>(m, "QualityMeter",
               "Watches the bodies of one scene, in double precision and by code that shares nothing with the solver. "
               "States are those of all bodies of the scene, in its order.")
      .def(
          "__init__",
          [](Meter* self, const Scene& scene, Given<QualityRules> rules) {
            const QualityRules read = rules.get_or_default("rules");
            new (self) Meter(unlocked([&, own = scene] { return QualityMeter(own, read); }));
          },
          nb::arg("scene"), nb::arg("rules").none() = nb::none(),
          nb::sig("def __init__(self, scene: Scene, rules: cairn._structs.QualityRules | None = None) -> None"))
      .def(
          "observe", [](const Meter& self, const PyWorld& world) { self.use().observe(world.use()); }, nb::arg("world"),
          "Takes note of how far bodies are from their starts: call it after each step. The World must be of the "
          "scene, "
          "with no body added or removed.")
      .def("observe", call(static_cast<void (QualityMeter::*)(double)>(&QualityMeter::observe)), nb::arg("excursion"),
           "[m] Goes on from what another meter observed.")
      .def(
          "observe",
          [](const Meter& self, nb::handle states) {
            const StatesGiven given(states);
            const std::vector<BodyState> read = given.of(given.rows());
            self.run([&](QualityMeter& meter) { meter.observe(read); });
          },
          nb::arg("states"), nb::sig("def observe(self, states: cairn._values.States) -> None"),
          "The same of states as read_states gives them.")
      .def("max_excursion", call(&QualityMeter::max_excursion), "[m] farthest of all states observed")
      .def(
          "measure", [](const Meter& self, const PyWorld& world) { return Made{self.use().measure(world.use())}; },
          nb::arg("world"), "The figures of a World as it is now.")
      .def(
          "measure",
          [](const Meter& self, nb::handle states) {
            const StatesGiven given(states);
            const std::vector<BodyState> read = given.of(given.rows());
            return Made{self.run([&](QualityMeter& meter) { return meter.measure(read); })};
          },
          nb::arg("states"), nb::sig("def measure(self, states: cairn._values.States) -> cairn._structs.Quality"),
          "The figures of states as read_states gives them.");
}

}  // namespace cairn::python
