// Particles that are driven by forces, and force fields on bodies.

#include "python/src/topics.h"
#include "python/src/world.h"

namespace cairn::python {
namespace {

using PyParticles = Guarded<ParticleSystem>;
using PyFields = OfWorld<BodyFields>;

/// A member that may be None.
template <class F>
void given_member(nb::handle states, const char* name, F take) {
  const nb::object held = states.attr(name);
  const Place up{.name = "states"};
  if (!held.is_none()) take(held, up.member(name));
}

ParticleStates states_from(nb::handle from) {
  if (!is_instance(from, class_of("ParticleStates"))) refuse({.name = "states"}, "ParticleStates", from);
  ParticleStates states;
  given_member(from, "position",
               [&](nb::handle held, const Place& place) { states.position = vectors_from(held, place); });
  given_member(from, "velocity",
               [&](nb::handle held, const Place& place) { states.velocity = vectors_from(held, place); });
  given_member(from, "mass",
               [&](nb::handle held, const Place& place) { states.mass = numbers_shaped(held, place, {kAny}); });
  given_member(from, "held", [&](nb::handle held, const Place& place) {
    const nb::object list = items(held, place);
    const Py_ssize_t n = PySequence_Size(list.ptr());
    for (Py_ssize_t i = 0; i < n; ++i)
      states.held.push_back(is_true(nb::steal(PySequence_GetItem(list.ptr(), i))) ? 1 : 0);
  });
  return states;
}

nb::object states_to(ParticleStates states) {
  return class_of("ParticleStates")(vectors_to(std::move(states.position)), vectors_to(std::move(states.velocity)),
                                    shaped(std::move(states.mass)), shaped(std::move(states.held)));
}

constexpr const char* kAdd = "A ready-made force. Forces add up in the order of these calls.";

void bind_system(nb::module_& m) {
  Class<PyParticles>(
      m, "ParticleSystem",
      "An ordinary differential equation on a device: where particles are and how they move, under the sum of all "
      "fields "
      "over mass. The same bits for any number of threads. One thread at a time may call into it; another gets "
      "RuntimeError.")
      .def(
          "__init__",
          [](PyParticles* self, nb::handle states, Given<Device> device, Given<Precision> precision) {
            const ParticleStates read = states_from(states);
            const Device on = device.given() ? device.get("device") : Device::best();
            const Precision of = precision.get("precision");
            new (self) PyParticles(unlocked([&] { return ParticleSystem(read, on, of); }));
          },
          nb::arg("states"), nb::arg("device").none() = nb::none(), nb::arg("precision") = "double",
          nb::sig(
              "def __init__(self, states: cairn._values.ParticleStates, device: cairn._structs.Device | str | None = "
              "None, precision: cairn._structs.Precision | str = 'double') -> None"),
          "On the best device unless one is named. Raises ValueError, naming array and particle, for states that can't "
          "be.")
      .def("add", call(static_cast<void (ParticleSystem::*)(const fields::Any&)>(&ParticleSystem::add)),
           nb::arg("field"), nb::sig("def add(self, field: cairn._structs.FieldLaw) -> None"), kAdd)
      .def("clear_fields", call(&ParticleSystem::clear_fields))
      .def("count", call(&ParticleSystem::count))
      .def("time", call(&ParticleSystem::time), "[s] 0 at first")
      .def("precision", call(&ParticleSystem::precision))
      .def("device", call(&ParticleSystem::device))
      .def(
          "state",
          [](const PyParticles& self) { return states_to(self.run([](ParticleSystem& p) { return p.state(); })); },
          nb::sig("def state(self) -> cairn._values.ParticleStates"), "Arrays, masses and what is held included.")
      .def(
          "set_state",
          [](const PyParticles& self, nb::handle states) {
            const ParticleStates read = states_from(states);
            self.run([&](ParticleSystem& p) { p.set_state(read); });
          },
          nb::arg("states"), nb::sig("def set_state(self, states: cairn._values.ParticleStates) -> None"),
          "Of as many particles as there are.")
      .def("set_time", call(&ParticleSystem::set_time), nb::arg("time"), "[s]")
      .def(
          "rates",
          [](const PyParticles& self) {
            ParticleRates rates = self.run([](ParticleSystem& p) { return p.rates(); });
            return class_of("ParticleRates")(vectors_to(std::move(rates.velocity)),
                                             vectors_to(std::move(rates.acceleration)));
          },
          nb::sig("def rates(self) -> cairn._values.ParticleRates"))
      .def(
          "integrate",
          [](const PyParticles& self, double t1, double h, Given<Integrator> method, Given<ImplicitParams> params) {
            const Integrator by = method.get("method");
            const ImplicitParams read = params.get_or_default("params");
            return Made{self.run([&](ParticleSystem& p) { return p.integrate(t1, h, by, {}, read); })};
          },
          nb::arg("t1"), nb::arg("h"), nb::arg("method"), nb::arg("params").none() = nb::none(),
          nb::sig("def integrate(self, t1: float, h: float, method: cairn._structs.Integrator | str, params: "
                  "cairn._structs.ImplicitParams | None = None) -> cairn._structs.IntegrationReport"),
          "Goes on to time t1 [s] by steps of h [s], the last of which may be shorter. `params` are those of implicit "
          "Euler.")
      .def("kinetic_energy", call<Kind::kLong>(&ParticleSystem::kinetic_energy), "[J]")
      .def("potential_energy", call<Kind::kLong>(&ParticleSystem::potential_energy), "[J] of all fields that have one")
      .def("momentum", call<Kind::kLong>(&ParticleSystem::momentum), "[kg m/s]")
      .def("state_hash", call<Kind::kLong>(&ParticleSystem::state_hash), "Of positions, velocities and time.");
}

}  // namespace

void bind_particles(nb::module_& m) {
  bind_system(m);
  Class<PyFields>(m, "BodyFields",
                  "Force fields on bodies of a World, which see a body as the particle in its centre of mass, by its "
                  "number in its world. Forces are those at a step's start and hold through it.")
      .def(
          "__init__",
          [](PyFields* self, nb::object world, Given<std::vector<BodyHandle>> bodies, Given<Precision> precision) {
            const Precision of = precision.get("precision");
            if (!nb::isinstance<PyWorld>(world)) refuse({.name = "world"}, "World", world);
            if (bodies.given()) {
              const std::vector<BodyHandle> read = bodies.get("bodies");
              new (self) PyFields(PyFields::made(std::move(world), false, std::span<const BodyHandle>(read), of));
            } else {
              new (self) PyFields(PyFields::made(std::move(world), false, of));
            }
          },
          nb::arg("world"), nb::arg("bodies").none() = nb::none(), nb::arg("precision") = "double",
          nb::sig("def __init__(self, world: World, bodies: collections.abc.Iterable[BodyHandle] | None = None, "
                  "precision: cairn._structs.Precision | str = 'double') -> None"),
          "On these bodies, or on all that are dynamic now. Raises ValueError, naming the body, for one that is stale, "
          "there twice or has no mass.")
      .def("add", call(static_cast<void (BodyFields::*)(const fields::Any&)>(&BodyFields::add)), nb::arg("field"),
           nb::sig("def add(self, field: cairn._structs.FieldLaw) -> None"), kAdd)
      .def("clear_fields", call(&BodyFields::clear_fields))
      .def("bodies", call(&BodyFields::bodies), "World by world.")
      .def("apply", call<Kind::kLong>(&BodyFields::apply),
           "Adds the forces to those for the next step: call it before each.")
      .def(
          "forces", [](const PyFields& self) { return vectors_to(self.run([](BodyFields& f) { return f.forces(); })); },
          nb::sig("def forces(self) -> numpy.typing.NDArray[numpy.float64]"),
          "[N] (bodies, 3) What apply would add; nothing is pushed.");
}

}  // namespace cairn::python
