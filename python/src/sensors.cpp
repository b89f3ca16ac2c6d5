// Sensors of a World, whose readings are arrays.

#include "python/src/topics.h"
#include "python/src/world.h"

namespace cairn::python {

/// Of a World's sensors; in python/src/arrays.cpp.
nb::object array_of(nb::object world, const NamedArray& of, nb::object sensors);

namespace {

using PySensors = OfWorld<Sensors>;

nb::list names_of(const PySensors& self) {
  nb::list all;
  for (const NamedArray& a : self.use().list()) all.append(std::string(a.name));
  return all;
}

nb::object reading(nb::handle self, std::string_view name) {
  const auto& sensors = nb::cast<const PySensors&>(self);
  for (const NamedArray& a : sensors.use().list()) {
    if (a.name == name) return array_of(sensors.world(), a, nb::borrow(self));
  }
  sensors.use().get(name);  // says which there are
  throw Error("unreachable");
}

}  // namespace

void bind_sensors(nb::module_& m) {
  Class<PySensors>(m, "Sensors",
                   "Sensors in all worlds of a World, whose readings are arrays by world on its device, by name. They "
                   "only look: the simulation, snapshots and recordings know nothing of them.")
      .def(
          "__init__",
          [](PySensors* self, nb::object world, Given<SensorSet> set) {
            const SensorSet read = set.get("set");
            if (!nb::isinstance<PyWorld>(world)) refuse({.name = "world"}, "World", world);
            new (self) PySensors(PySensors::made(std::move(world), false, read));
          },
          nb::arg("world"), nb::arg("set"),
          nb::sig("def __init__(self, world: World, set: cairn._structs.SensorSet) -> None"),
          "Raises ValueError, naming the sensor by its list and number, for what can't be.")
      .def("description", call(&Sensors::description))
      .def("update", call<Kind::kLong>(&Sensors::update),
           "Reads all sensors at the states as they are. An IMU reads the mean since the update before, so call it "
           "after "
           "each step.")
      .def(
          "__getitem__", [](nb::handle self, std::string_view name) { return reading(self, name); }, nb::arg("name"),
          nb::sig("def __getitem__(self, name: str) -> Array"),
          "Raises ValueError, which lists the names, if there is none of the name.")
      .def(
          "get", [](nb::handle self, std::string_view name) { return reading(self, name); }, nb::arg("name"),
          nb::sig("def get(self, name: str) -> Array"), "The same.")
      .def(
          "list",
          [](nb::handle self) {
            const auto& sensors = nb::cast<const PySensors&>(self);
            nb::list all;
            for (const NamedArray& a : sensors.use().list()) all.append(array_of(sensors.world(), a, nb::borrow(self)));
            return all;
          },
          nb::sig("def list(self) -> collections.abc.Sequence[Array]"), "All of them.")
      .def("keys", &names_of, nb::sig("def keys(self) -> collections.abc.Sequence[str]"))
      .def("__len__", [](const PySensors& self) { return self.use().list().size(); })
      .def(
          "__iter__", [](const PySensors& self) { return nb::object(names_of(self).attr("__iter__")()); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[str]"))
      .def(
          "__contains__",
          [](const PySensors& self, nb::handle name) {
            return nb::cast<bool>(names_of(self).attr("__contains__")(name));
          },
          nb::sig("def __contains__(self, name: object, /) -> bool"));
}

}  // namespace cairn::python
